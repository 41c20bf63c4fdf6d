"""Settings of the study, by analysis."""

from typing import Annotated

from pydantic import Field

from rankassay.studies.settings import (
    PARTS,
    PERMUTATIONS,
    Cutoffs,
    Metrics,
    Parts,
    Percentages,
    Permutations,
    Resamples,
    Settings,
)


class Section(Settings):
    """The metrics that the paper proposes, next to those of the robustness study."""

    metrics: Metrics = [
        *("P", "R", "AP", "nDCG", "RR", "Bpref", "infAP", "F1", "Markedness", "Informedness"),
        *("MCC", "AverageMarkedness", "AUC", "LAUC"),
    ]
    cutoffs: Cutoffs = [10, 100]
    resamples: Resamples = 200


class Biased(Settings):
    """Metrics that depend on the number of relevant items, or do not."""

    metrics: Metrics = ["P", "R", "F1", "Markedness", "Informedness", "MCC", "AP", "nDCG", "LAUC"]


class Groups(Biased):
    """Users with few relevant items, and with many."""

    n_groups: Annotated[int, Field(ge=2)] = Field(10, description="Groups of users.")


class BiasMeasured(Biased):
    """How far metrics depend on the number of relevant items."""


class Sparsity(Settings):
    """Robustness to missing test ratings."""

    # Few levels, so that each has as many random parts as in the study of robustness.
    levels: Percentages = [100, 50, 10]
    samples: Parts = PARTS


class Popularity(Settings):
    """Robustness to the removal of the most popular items."""

    percentages: Percentages = [100, 98, 95, 90, 85, 80]


class DiscriminativePower(Settings):
    """The discriminative power of metrics."""

    samples: Permutations = PERMUTATIONS
