"""Settings of the study, by analysis."""

from typing import Annotated

from pydantic import AfterValidator, Field

from rankassay.metrics.catalogue import BEYOND, BEYOND_METRICS
from rankassay.metrics.names import canonical
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
