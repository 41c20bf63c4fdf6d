"""Settings of the study, by analysis."""

from typing import Annotated, Literal

from pydantic import Field

from rankassay.studies.settings import (
    PERMUTATIONS,
    Count,
    Cutoffs,
    Distinct,
    Parts,
    Percentages,
    Permutations,
    Resamples,
    Settings,
)

SampledMetrics = Annotated[
    Distinct[Literal["P", "R", "AP", "nDCG", "RR", "AUC"]],
    Field(description="Metrics that have expected values on samples of the items."),
]


Sizes = Annotated[Distinct[Count], Field(description="Numbers of sampled irrelevant items.")]


class Section(Settings):
    """What is sampled, and by which metrics systems are compared on samples."""

    metrics: SampledMetrics = ["P", "R", "AP", "nDCG", "RR", "AUC"]
    cutoffs: Cutoffs = [10, 100]
    sizes: Sizes = [1, 10, 50, 99, 100, 200, 500, 1000]
    samplers: Distinct[Literal["uniform", "popularity"]] = Field(
        ["uniform", "popularity"], description="How irrelevant items are drawn."
    )
    relevant: Distinct[Literal["together", "alone"]] = Field(
        ["together", "alone"],
        description="Whether a user's relevant items share a sample, or have one each. Robustness "
        "and samples by popularity are studied under the first.",
    )
    replacement: bool = Field(True, description="Whether an irrelevant item may be drawn twice.")


class Systems(Settings):
    """The order of the systems by sampled metrics, and what is significant."""

    samples: Permutations = PERMUTATIONS
    sampled: Count = Field(
        10_000, description="Permutations of metrics on samples of the items, which are many."
    )


class Robustness(Settings):
    """Robustness of sampled metrics to missing test ratings."""

    cutoffs: Cutoffs = [10]
    sizes: Sizes = [1, 10, 100, 1000]
    levels: Percentages = [80, 60, 40, 20, 10, 5]
    samples: Parts = 5
    resamples: Resamples = 200


class Corrections(Settings):
    """Corrected metrics (Krichene and Rendle, KDD 2020), each relevant item alone."""

    metrics: SampledMetrics = ["R", "AP", "nDCG"]
    cutoffs: Cutoffs = [10]
    sizes: Sizes = [10, 50, 100, 200, 500]
