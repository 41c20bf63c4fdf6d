"""Settings of the study of metrics on a sample of the items, by analysis."""

from typing import Annotated, Literal

from pydantic import Field

from rankassay.studies.settings import (
    PERMUTATIONS,
    REPLICATES,
    Count,
    Cutoffs,
    Distinct,
    Number,
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
WayOfRelevant = Literal["together", "alone"]
Replacement = Annotated[bool, Field(description="Whether an irrelevant item may be drawn twice.")]
Positive = Annotated[Number, Field(gt=0)]


class Curves(Settings):
    """Every metric at every rank (figure 1)."""

    top: Annotated[int, Field(ge=1, le=10_000)] = Field(
        100, description="Down to this rank, all ranks are kept."
    )


class BySize(Settings):
    """Expected metrics of the example at growing sizes of the sample (figure 2)."""

    replacement: Replacement = True


class Example(BySize):
    """The paper's example, in closed form and by simulation (sections 3.2 and 4.3)."""

    size: Annotated[int, Field(ge=1, le=9999)] = Field(99, description="Sampled irrelevant items.")
    repetitions: Annotated[int, Field(ge=2)] = Field(
        1000, description="Repetitions of the simulation."
    )


class ByRank(BySize):
    """Expected metrics at every rank (figure 3)."""

    sizes: Sizes = [1, 10, 100, 1000]


class Orders(Settings):
    """The ranking of the example's algorithms at growing sizes."""

    tolerance: Positive = Field(
        0.01, description="Values that are so near the exact ones are reliable."
    )
    tie: Positive = Field(0.001, description="Values that differ by less are equal.")


class Values(Settings):
    """The expected value and the place of every system."""

    metrics: SampledMetrics = ["P", "R", "AP", "nDCG", "RR", "AUC"]
    cutoffs: Cutoffs = [10, 100]
    sizes: Sizes = [1, 10, 50, 99, 100, 200, 500, 1000]
    samplers: Distinct[Literal["uniform", "popularity"]] = Field(
        ["uniform", "popularity"], description="How irrelevant items are drawn."
    )
    relevant: Distinct[WayOfRelevant] = Field(
        ["together", "alone"],
        description="Whether a user's relevant items share a sample, or have one each.",
    )
    replacement: Replacement = True


class Systems(Values):
    """The ranking of systems under sampled metrics, and significant differences."""

    samples: Permutations = PERMUTATIONS
    sampled: Count = Field(
        10_000, description="Permutations of metrics on samples of the items, which are many."
    )
    replicates: Resamples = REPLICATES


class Robustness(Settings):
    """Robustness of sampled metrics to missing test ratings."""

    metrics: SampledMetrics = ["P", "R", "AP", "nDCG", "RR", "AUC"]
    cutoffs: Cutoffs = [10]
    sizes: Sizes = [1, 10, 100, 1000]
    levels: Percentages = [80, 60, 40, 20, 10, 5]
    samples: Parts = 5
    resamples: Resamples = 200
    relevant: WayOfRelevant = Field(
        "together", description="Whether a user's relevant items share a sample, or have one each."
    )
    replacement: Replacement = True


class Corrections(Settings):
    """Corrected metrics (Krichene and Rendle, KDD 2020), each relevant item alone."""

    metrics: SampledMetrics = ["R", "AP", "nDCG"]
    cutoffs: Cutoffs = [10]
    sizes: Sizes = [10, 50, 100, 200, 500]
    corrections: Distinct[
        Literal[
            "uncorrected",
            "rank estimate",
            "least squares",
            "bias-variance 0.1",
            "bias-variance 0.01",
        ]
    ] = Field(
        [
            "uncorrected",
            "rank estimate",
            "least squares",
            "bias-variance 0.1",
            "bias-variance 0.01",
        ],
        description="The corrections to compare.",
    )
    pools: Count = Field(
        4, description="Groups of users, for whose numbers of items corrections are made."
    )
