"""The study of preferences between lists (Diaz and Ferraro, SIGIR 2022; Diaz, 2023)."""

from rankassay.declared.columns import COUNT, KEY, SHARE, columns
from rankassay.studies.entries import JUDGED_ITEMS, Analysis, Figure, Study, Table, reads

READS = reads("test", "rankings")
JUDGED = ("threshold", "profile", "without_relevant")

ANALYSES = {
    "power": Analysis(
        "power:power",
        "Which pairs of systems differ significantly by preferences, and how often these tie.",
        READS,
        "settings:Power",
        JUDGED,
        shared=("metrics", "preferences", "signs"),
        replicated=True,
        holds=JUDGED_ITEMS,
    ),
    "power-differences": Analysis(
        "differences:power_differences",
        "Differences in discriminative power between a preference and a metric.",
        reads(power="preferences/power"),
        compares=True,
    ),
    "orders": Analysis(
        "rankassay.statistics.correlation:agreement",
        "Correlation of the rankings under preferences and under metrics.",
        READS,
        "settings:Orders",
        JUDGED,
        valuation="systems:Compared.of",
        shared=("cutoffs",),
        replicated=True,
        holds=JUDGED_ITEMS,
    ),
    "aggregation": Analysis(
        "aggregation:aggregation",
        "Rankings by means, win rates, Borda, Copeland and MC4 of preferences.",
        READS,
        "settings:Aggregation",
        JUDGED,
        shared=("metrics", "preferences", "signs"),
        holds=JUDGED_ITEMS,
    ),
    "sparsity": Analysis(
        "rankassay.statistics.sparsity:analysis",
        "Robustness to missing test ratings.",
        READS,
        "settings:Sparsity",
        JUDGED,
        valuation="systems:Compared.of",
        shared=("metrics", "preferences", "signs"),
        replicated=True,
        holds=JUDGED_ITEMS,
    ),
    "popularity": Analysis(
        "rankassay.statistics.popularity:analysis",
        "Robustness to the removal of the most popular items.",
        reads("train", "test", "rankings"),
        "settings:Popularity",
        JUDGED,
        valuation="systems:Compared.of",
        shared=("metrics", "preferences", "signs"),
        replicated=True,
        holds=JUDGED_ITEMS,
    ),
    "claims": Analysis(
        "claims:run",
        "The papers' claims, judged.",
        reads(
            "claims",
            power="preferences/power",
            orders="preferences/orders",
            sparsity="preferences/sparsity",
            popularity="preferences/popularity",
        ),
        compares=True,
    ),
}

STEPS = {
    "power": ("power", "power-differences"),
    "orders": ("orders", "aggregation"),
    "robustness": ("sparsity", "popularity"),
}

FIGURES = {
    "power": Figure("figures:power", "power", "dataset"),
    "metric-correlation": Figure(
        "rankassay.drawing.correlation:metric_correlation", "orders", "datasets"
    ),
    "claims": Figure("rankassay.claims.figure:claims", "claims", "datasets"),
}

TABLES = {
    "power": Table("tables:power", reads(power="preferences/power")),
    "robustness": Table(
        "tables:robustness",
        reads(sparsity="preferences/sparsity", popularity="preferences/popularity"),
    ),
    "aggregation": Table("tables:aggregation", reads(aggregation="preferences/aggregation")),
    "answers": Table(
        "table_answers:answers",
        reads(
            power="preferences/power",
            orders="preferences/orders",
            sparsity="preferences/sparsity",
            aggregation="preferences/aggregation",
            power_differences="preferences/power-differences",
        ),
        optional=("power", "orders", "sparsity", "aggregation", "power_differences"),
    ),
}

COLUMNS = {
    **columns(KEY, "method winner"),
    **columns(COUNT, "circular"),
    **columns(SHARE, "tied"),
}

STUDY = Study(
    "preferences",
    "The study of preferences between lists (Diaz and Ferraro, SIGIR 2022; Diaz, 2023).",
    "preferences",
    cutoff=100,
    data=("ml-1m", "ml-100k"),
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
