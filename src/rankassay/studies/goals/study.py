"""The study of goals and classification metrics (Schröder et al., UCERSTI 2011)."""

from rankassay.declared.columns import COUNT, KEY, SHARE, columns
from rankassay.studies.entries import (
    AGGREGATED,
    JUDGED_ITEMS,
    Analysis,
    Figure,
    Study,
    Table,
    reads,
)

CRITERIA = reads(
    sparsity="goals/sparsity",
    popularity="goals/popularity",
    discriminative_power="goals/discriminative-power",
)
BIAS_OF = ("threshold", "profile")

ANALYSES = {
    "examples": Analysis(
        "examples:run",
        "Metrics on the constructed rankings of figures 1 to 4.",
        settings="settings:Examples",
        constructed=True,
    ),
    "roc": Analysis(
        "examples:roc", "The ROC curve of figure 5.", settings="settings:Roc", constructed=True
    ),
    "properties": Analysis(
        "properties:run",
        "The paper's statements, tried on all rankings of a few items.",
        settings="settings:Properties",
        constructed=True,
    ),
    "bias": Analysis(
        "bias:bias",
        "How far metrics depend on the share of relevant items.",
        reads(examples="goals/examples"),
        constructed=True,
    ),
    "groups": Analysis(
        "bias:groups",
        "Users with few relevant items, and with many.",
        reads("test", "rankings"),
        "settings:Groups",
        BIAS_OF,
        shared=("metrics",),
        holds=JUDGED_ITEMS,
    ),
    "bias-measured": Analysis(
        "bias:bias_measured",
        "How far metrics depend on the number of relevant items.",
        reads("test", "rankings", groups="goals/groups"),
        "settings:BiasMeasured",
        BIAS_OF,
        shared=("metrics",),
        replicated=True,
        holds=JUDGED_ITEMS,
    ),
    "metric-correlation": Analysis(
        "rankassay.statistics.correlation:agreement",
        "Agreement of two metrics in the ranking of systems.",
        reads("test", "rankings"),
        "settings:MetricCorrelation",
        AGGREGATED,
        valuation="systems:systems",
        shared=("cutoffs",),
        replicated=True,
        holds=JUDGED_ITEMS,
    ),
    "sparsity": Analysis(
        "rankassay.statistics.sparsity:analysis",
        "Robustness to missing test ratings.",
        reads("test", "rankings"),
        "settings:Sparsity",
        AGGREGATED,
        valuation="systems:systems",
        shared=("metrics",),
        replicated=True,
        holds=JUDGED_ITEMS,
    ),
    "popularity": Analysis(
        "rankassay.statistics.popularity:analysis",
        "Robustness to the removal of the most popular items.",
        reads("train", "test", "rankings"),
        "settings:Popularity",
        AGGREGATED,
        valuation="systems:systems",
        shared=("metrics",),
        replicated=True,
        holds=JUDGED_ITEMS,
    ),
    "discriminative-power": Analysis(
        "rankassay.statistics.discriminative_power:analysis",
        "The discriminative power of metrics.",
        reads("test", "rankings"),
        "settings:DiscriminativePower",
        ("threshold", "profile", "without_relevant"),
        valuation="systems:systems",
        shared=("metrics",),
        replicated=True,
        holds=JUDGED_ITEMS,
    ),
    "summary": Analysis(
        "rankassay.answers.criteria:summary",
        "Sparsity, popularity and power, side by side.",
        CRITERIA | {"split": "split/summary", "identical": "robustness/identical"},
        compares=True,
        optional=("identical",),
    ),
    "claims": Analysis(
        "rankassay.claims.judge:claims",
        "The paper's claims about data, judged.",
        reads(
            "claims",
            bias_measured="goals/bias-measured",
            metric_correlation="goals/metric-correlation",
            **CRITERIA,
        ),
        compares=True,
    ),
    "constructed-claims": Analysis(
        "claims:constructed_claims",
        "The paper's claims about constructed rankings, judged.",
        reads(
            "claims", examples="goals/examples", bias="goals/bias", properties="goals/properties"
        ),
        constructed=True,
    ),
}

STEPS = {
    "constructed": ("examples", "roc", "properties", "bias", "constructed-claims"),
    "correlations": ("groups", "bias-measured", "metric-correlation"),
    "robustness": ("sparsity", "popularity"),
    "claims": ("summary", "claims"),
}

FIGURES = {
    "figure-1": Figure("figures:figure_1", "examples", "constructed"),
    "figure-2": Figure("figures:figure_2", "examples", "constructed"),
    "figure-3": Figure("figures:figure_3", "examples", "constructed"),
    "figure-4": Figure("figures:figure_4", "examples", "constructed"),
    "figure-5": Figure("figures:figure_5", "roc", "constructed"),
    "bias": Figure("figure_bias:bias", "groups", "dataset"),
    "metric-correlation": Figure(
        "rankassay.drawing.correlation:metric_correlation", "metric-correlation", "datasets"
    ),
    "summary": Figure("rankassay.answers.figures:summary", "summary", "datasets"),
}

TABLES = {
    "examples": Table("tables:examples", reads(examples="goals/examples")),
    "properties": Table("tables:properties", reads(properties="goals/properties")),
    "bias": Table("tables:bias", reads(bias="goals/bias", bias_measured="goals/bias-measured")),
    "summary": Table("rankassay.answers.table:summary", reads(summary="goals/summary")),
}

COLUMNS = {
    **columns(KEY, "figure example recommender property statement curve"),
    **columns(COUNT, "relevant exceptions"),
    **columns(SHARE, "share fallout recall area"),
}

STUDY = Study(
    "goals",
    "The study of goals and classification metrics (Schröder et al., UCERSTI 2011).",
    "goals of metrics",
    cutoff=10,
    data=("ml-1m", "librarything", "beeradvocate"),
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    evidence={"summary": "summary"},
    columns=COLUMNS,
)
