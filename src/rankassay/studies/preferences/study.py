"""The study of preferences between lists (Diaz and Ferraro, SIGIR 2022; Diaz, 2023)."""

from typing import Annotated

from pydantic import AfterValidator, Field

from rankassay.declared.columns import COUNT, KEY, SHARE, columns
from rankassay.metrics.catalogue import PREFERENCE
from rankassay.studies.entries import JUDGED, JUDGED_ITEMS, Analysis, Figure, Study, Table
from rankassay.studies.settings import (
    PARTS,
    PERMUTATIONS,
    REPLICATES,
    Cutoffs,
    Distinct,
    Metrics,
    Parts,
    Percentages,
    Permutations,
    Resamples,
    Settings,
    Text,
    as_value_error,
)


def _known(text: str) -> str:
    """Return a preference by its own name; refuse one that is not known."""
    from rankassay.metrics.evaluate import named  # on use: compiled code takes its time

    with as_value_error():
        return named(text, PREFERENCE).name


Preferences = Annotated[
    Distinct[Annotated[Text, AfterValidator(_known)]],
    Field(
        description="Preferences between lists: RPP, with weights='uniform', 'inverse' or 'log' "
        "and graded=True, lexirecall, and lexiprecision, with by='sign' or 'reciprocal'."
    ),
]


class Section(Settings):
    """Which preferences, and which metrics are compared with them."""

    preferences: Preferences = [
        "RPP",
        "RPP(weights='inverse')",
        "RPP(weights='log')",
        "lexirecall",
        "lexiprecision",
    ]
    metrics: Metrics = ["P", "R", "AP", "nDCG", "RR"]
    signs: Metrics = Field(
        ["AP", "RR"], description="Metrics of which the sign of the difference is a preference."
    )
    cutoffs: Cutoffs = Field(
        [10, 100], description="Where lists are cut, for preferences as for metrics."
    )
    resamples: Resamples = 200


class Power(Settings):
    """Which pairs of systems differ significantly by preferences, and how often these tie."""

    samples: Permutations = PERMUTATIONS
    resamples: Resamples = REPLICATES


class Sparsity(Settings):
    """Robustness to missing test ratings."""

    cutoffs: Cutoffs = [100]
    # Few levels, so that each has as many random parts as in the study of robustness.
    levels: Percentages = [50, 10]
    samples: Parts = PARTS


class Popularity(Settings):
    """Robustness to the removal of the most popular items."""

    cutoffs: Cutoffs = [100]
    percentages: Percentages = [95, 90, 85, 80]


ANALYSES = {
    "power": Analysis(
        "comparisons:power",
        Power,
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
        Sparsity,
        evaluation=JUDGED,
        shared=("metrics", "preferences", "signs"),
        holds=JUDGED_ITEMS,
        valuation="systems:Compared.of",
    ),
    "popularity": Analysis(
        "rankassay.statistics.incomplete:popularity_bias_of",
        Popularity,
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
    section=Section,
    data=("ml-1m", "ml-100k"),
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
