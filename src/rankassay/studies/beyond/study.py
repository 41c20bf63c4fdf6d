"""The study of metrics beyond accuracy: can they be trusted, and do they say anything new?"""

from rankassay.declared.columns import FLAG, KEY, OF_PAIRS, columns
from rankassay.studies.entries import JUDGED_ITEMS, Analysis, Figure, Study, Table, reads

READS = reads("train", "test", "rankings", "aspects", "attributes")
OPTIONAL = ("aspects", "attributes")
JUDGED = ("threshold", "profile", "without_relevant")

ANALYSES = {
    "values": Analysis(
        "values:values",
        "The systems by metrics beyond accuracy, with intervals.",
        READS,
        "settings:Values",
        JUDGED,
        shared=("accuracy", "metrics"),
        replicated=True,
        optional=OPTIONAL,
        holds=JUDGED_ITEMS,
    ),
    "redundancy": Analysis(
        "redundancy:redundancy",
        "Correlation of the systems' orders by metrics beyond accuracy and of accuracy.",
        READS,
        "settings:Redundancy",
        JUDGED,
        shared=("cutoffs",),
        replicated=True,
        optional=OPTIONAL,
        holds=JUDGED_ITEMS,
    ),
    "robustness": Analysis(
        "robustness:robustness",
        "Robustness of the ranking to the removal of users or test ratings.",
        READS,
        "settings:Robustness",
        JUDGED,
        shared=("users", "sparsity", "popularity"),
        optional=OPTIONAL,
        holds=JUDGED_ITEMS,
    ),
    "power": Analysis(
        "power:power",
        "Which pairs of systems differ significantly under each metric, by swaps of lists.",
        READS,
        "settings:Power",
        JUDGED,
        shared=("accuracy", "metrics"),
        replicated=True,
        optional=OPTIONAL,
        holds=JUDGED_ITEMS,
    ),
    "claims": Analysis(
        "claims:run",
        "The study's claims, judged.",
        reads(
            "claims",
            redundancy="beyond/redundancy",
            robustness="beyond/robustness",
            power="beyond/power",
        ),
        compares=True,
    ),
}

STEPS = {"values": ("values", "redundancy")}

FIGURES = {
    "metric-correlation": Figure(
        "rankassay.drawing.correlation:metric_correlation", "redundancy", "datasets"
    ),
    "robustness": Figure("figures:robustness", "robustness", "dataset"),
    "power": Figure("figures:power", "power", "dataset"),
    "claims": Figure("rankassay.claims.figure:claims", "claims", "datasets"),
}

TABLES = {
    "values": Table("tables:values", reads(values="beyond/values")),
    "power": Table("tables:power", reads(power="beyond/power")),
    "robustness": Table("tables:robustness", reads(robustness="beyond/robustness")),
    "answers": Table(
        "table_answers:answers",
        reads(
            redundancy="beyond/redundancy",
            robustness="beyond/robustness",
            power="beyond/power",
        ),
        optional=("redundancy", "robustness", "power"),
    ),
}

COLUMNS = {
    **columns(KEY, "removed"),
    **columns(OF_PAIRS, "equal"),
    **columns(FLAG, "swapped"),
}

STUDY = Study(
    "beyond",
    "The study of metrics beyond accuracy: can they be trusted, and do they say anything new.",
    "metrics beyond accuracy",
    cutoff=10,
    data=("ml-1m", "ml-100k"),
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
