"""Settings of the study, by analysis."""

from typing import Annotated

from pydantic import AfterValidator, Field

from rankassay.metrics.catalogue import PREFERENCE
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
