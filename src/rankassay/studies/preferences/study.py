"""The study of preferences between lists (Diaz and Ferraro, SIGIR 2022; Diaz, 2023)."""

from rankassay.declared.columns import COUNT, KEY, SHARE, columns
from rankassay.studies.entries import JUDGED, JUDGED_ITEMS, Analysis, Figure, Study, Table

ANALYSES = {
    "power": Analysis(
        "comparisons:power",
        "settings:Power",
        evaluation=JUDGED,
        shared=("metrics", "preferences", "signs"),
        holds=JUDGED_ITEMS,
    ),
    "power-differences": Analysis(
        "comparisons:power_differences",
        about="Differences in discriminative power between a preference and a metric.",
    ),
    "orders": Analysis(
        "rankassay.statistics.correlation:agreement",
        about="Correlation of the rankings under preferences and under metrics.",
        evaluation=JUDGED,
        shared=("cutoffs",),
        holds=JUDGED_ITEMS,
        valuation="systems:Compared.of",
    ),
    "aggregation": Analysis(
        "comparisons:aggregation",
        about="Rankings by means, win rates, Borda, Copeland and MC4 of preferences.",
        evaluation=JUDGED,
        shared=("metrics", "preferences", "signs"),
        holds=JUDGED_ITEMS,
    ),
    "sparsity": Analysis(
        "rankassay.statistics.incomplete:sparsity_bias_of",
        "settings:Sparsity",
        evaluation=JUDGED,
        shared=("metrics", "preferences", "signs"),
        holds=JUDGED_ITEMS,
        valuation="systems:Compared.of",
    ),
    "popularity": Analysis(
        "rankassay.statistics.incomplete:popularity_bias_of",
        "settings:Popularity",
        evaluation=JUDGED,
        shared=("metrics", "preferences", "signs"),
        holds=JUDGED_ITEMS,
        valuation="systems:Compared.of",
    ),
    "claims": Analysis(
        "claims:claims",
        about="The papers' claims, judged.",
        reads=("claims", "power", "orders", "sparsity", "popularity"),
    ),
}

STEPS = {
    "power": ("power", "power-differences"),
    "orders": ("orders", "aggregation"),
    "robustness": ("sparsity", "popularity"),
}

FIGURES = {
    "power": Figure(
        "views:power",
        "power",
        "dataset",
        "How many pairs of systems differ significantly under each preference between lists "
        "and each metric: two-sided permutation tests in which users swap their lists between "
        "two systems. DP is the sum of the p-values of all pairs of different systems; lower "
        "is better. Right: the share of users' comparisons of two systems that are ties.",
    ),
    "metric-correlation": Figure(
        "rankassay.drawing.correlation:metric_correlation",
        "orders",
        "datasets",
        "Kendall's τ-b between the rankings of systems under preferences between lists (their "
        "mean over users and other systems) and under metrics.",
    ),
    "claims": Figure(
        "rankassay.claims.figure:claims",
        "claims",
        "datasets",
        "What the authors of preferences between lists claim about their power, their "
        "robustness and their agreement with metrics, and a few sentences of our own, with "
        "both verdicts: are they reproduced, and are they general?",
    ),
}

TABLES = {
    "power": Table("views:power_table"),
    "robustness": Table(
        "views:robustness",
        caption=(
            "Robustness of preferences between lists and of metrics: to test ratings missing at "
            "random (sparsity), and to the removal of the most popular items (popularity)."
        ),
    ),
    "aggregation": Table(
        "views:aggregation",
        caption=(
            "Rankings of systems from the same preferences between lists, aggregated by win rates, "
            "Borda, Copeland and MC4, compared with the ranking by mean preferences."
        ),
    ),
    "answers": Table(
        "views:answers",
        caption=(
            "Preferences between lists, in short: whether they have more discriminative power than "
            "metrics, how often they tie, whether they agree with metrics, and whether they are "
            "robust to sparsity."
        ),
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
    section="settings:Section",
    data=("ml-1m", "ml-100k"),
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
