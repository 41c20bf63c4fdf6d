"""The study of metrics beyond accuracy: can they be trusted, and do they say anything new?"""

from rankassay.declared.columns import FLAG, KEY, OF_PAIRS, columns
from rankassay.studies.entries import JUDGED, JUDGED_ITEMS, Analysis, Figure, Study, Table

ANALYSES = {
    "values": Analysis(
        "comparisons:values",
        about="The systems by metrics beyond accuracy, with intervals.",
        evaluation=JUDGED,
        shared=("accuracy", "metrics"),
        holds=JUDGED_ITEMS,
    ),
    "redundancy": Analysis(
        "comparisons:redundancy",
        about="Correlation of the systems' orders by metrics beyond accuracy and of accuracy.",
        evaluation=JUDGED,
        shared=("cutoffs",),
        holds=JUDGED_ITEMS,
    ),
    "robustness": Analysis(
        "comparisons:robustness",
        "settings:Robustness",
        evaluation=JUDGED,
        shared=("users", "sparsity", "popularity"),
        holds=JUDGED_ITEMS,
    ),
    "power": Analysis(
        "comparisons:power",
        "settings:Power",
        evaluation=JUDGED,
        shared=("accuracy", "metrics"),
        holds=JUDGED_ITEMS,
    ),
    "claims": Analysis(
        "claims:claims",
        about="The study's claims, judged.",
        reads=("claims", "redundancy", "robustness", "power"),
    ),
}

STEPS = {"values": ("values", "redundancy")}

FIGURES = {
    "metric-correlation": Figure(
        "rankassay.drawing.correlation:metric_correlation",
        "redundancy",
        "datasets",
        "Kendall's τ-b between the rankings of systems under metrics of accuracy and beyond. "
        "The best system comes first: by the lowest value where lower is better. Below 0, two "
        "metrics rather reverse each other's ranking.",
    ),
    "robustness": Figure(
        "views:robustness",
        "robustness",
        "dataset",
        "Robustness of the ranking of systems when users are removed at random with their "
        "lists, when test ratings are removed at random, and when those of the most popular "
        "items are: the mean of Kendall's τ-b with the order on the whole, over all levels. A "
        "level at which all systems tie has no τ, and counts as 0. A metric that reads no test "
        "ratings has a mark for users only.",
    ),
    "power": Figure(
        "views:power",
        "power",
        "dataset",
        "How many pairs of systems differ significantly under each metric, of accuracy and "
        "beyond: two-sided permutation tests in which users swap their lists between two "
        "systems. DP is the sum of the p-values of all pairs of different systems; lower is "
        "better.",
    ),
    "claims": Figure(
        "rankassay.claims.figure:claims",
        "claims",
        "datasets",
        "What is said of metrics beyond accuracy, and what was found: whether they agree with "
        "the ranking under nDCG@10, keep it with a tenth of the users, and have discriminative "
        "power. No paper says this.",
    ),
}

TABLES = {
    "values": Table(
        "views:values",
        caption=(
            "The systems by metrics of accuracy and beyond. Bold: the best value. Intervals over "
            "resampled users are among the results."
        ),
    ),
    "power": Table("views:power_table"),
    "robustness": Table("views:robustness_table"),
    "answers": Table(
        "views:answers",
        caption=(
            "Metrics beyond accuracy, in short: which agree with accuracy metrics, which keep the "
            "ranking with few users, and which have discriminative power."
        ),
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
    section="settings:Section",
    data=("ml-1m", "ml-100k"),
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
