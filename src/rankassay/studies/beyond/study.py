"""The study of metrics beyond accuracy: can they be trusted, and do they say anything new?"""

from typing import Annotated

from pydantic import AfterValidator, Field

from rankassay.declared.columns import FLAG, KEY, OF_PAIRS, columns
from rankassay.metrics.catalogue import BEYOND, BEYOND_METRICS
from rankassay.metrics.names import canonical
from rankassay.studies.entries import JUDGED, JUDGED_ITEMS, Analysis, Figure, Study, Table
from rankassay.studies.settings import (
    PARTS,
    PERMUTATIONS,
    REPLICATES,
    Count,
    Cutoffs,
    Distinct,
    Metrics,
    Percentages,
    Permutations,
    Resamples,
    Settings,
    Share,
    Text,
    as_value_error,
)

DEFAULT = [
    *("Coverage", "Gini", "Entropy", "ARP", "APLT", "EPC", "EFD", "ILD", "Calibration"),
    *("Serendipity", "EE_R", "EE_L", "AWRF", "ItemGroups", "UserGroups"),
]


def _known(name: str) -> str:
    """Return a metric beyond accuracy by its own name; refuse one that is not known."""
    from rankassay.metrics.evaluate import named  # on use: compiled code takes its time

    name = canonical(name)
    with as_value_error():
        named(name, BEYOND)
    return name


Beyond = Annotated[
    Distinct[Annotated[Text, AfterValidator(_known)]],
    Field(
        description="Metrics beyond accuracy, with parameters as in Gini(weights='log'). Those "
        "that need aspects are left out where items have none. Known: "
        f"{', '.join(BEYOND_METRICS)}."
    ),
]


class Section(Settings):
    """Which metrics beyond accuracy, and which of accuracy are compared with them."""

    metrics: Beyond = DEFAULT
    accuracy: Metrics = ["P", "R", "AP", "nDCG", "RR"]
    cutoffs: Cutoffs = [10]
    head: Share = Field(
        0.2, description="The share of the items, the most popular, that are one of two groups."
    )
    item_groups: Text = Field(
        "popularity",
        description="The groups of items that metrics of fairness compare: by popularity (see "
        "`head`), by popularity-classes (head, middle and tail, with a fifth of the training "
        "ratings each in the first and the last), or by an attribute of the items. On datasets "
        "without it these metrics are left out.",
    )
    user_groups: Text = Field(
        "activity",
        description="The groups of users: by activity (see `active`), or by an attribute of the "
        "users. On datasets without it metrics that compare users are left out.",
    )
    active: Share = Field(
        0.05, description="The share of the users, the most active, that are one of two groups."
    )
    resamples: Resamples = 200


class Robustness(Settings):
    """Robustness of the ranking to the removal of users or test ratings."""

    users: Percentages = [80, 60, 40, 20, 10, 5]
    # Few levels, so that each has as many random parts as in the study of robustness.
    sparsity: Percentages = [50, 10]
    popularity: Percentages = [95, 90, 85, 80]
    samples: Count = Field(
        PARTS, description="Random parts of the users, and of the test ratings, at each level."
    )


class Power(Settings):
    """Which pairs of systems differ significantly under each metric, by swaps of lists."""

    samples: Permutations = PERMUTATIONS
    swaps: Count = Field(
        1000,
        description="Permutations of metrics that are no mean over users, which each of them "
        "computes anew for every pair of systems.",
    )
    resamples: Resamples = REPLICATES


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
        Robustness,
        evaluation=JUDGED,
        shared=("users", "sparsity", "popularity"),
        holds=JUDGED_ITEMS,
    ),
    "power": Analysis(
        "comparisons:power",
        Power,
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
    section=Section,
    data=("ml-1m", "ml-100k"),
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
