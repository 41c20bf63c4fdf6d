"""Settings of the study of goals and classification metrics, by analysis."""

from typing import Annotated, Literal

from pydantic import Field

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
)

Ranking = Annotated[
    str,
    Field(
        pattern="^[ri]{2,10}$",
        description="A ranking of r (relevant) and i (irrelevant), best first, at most ten items.",
    ),
]
Length = Annotated[
    int, Field(ge=1, le=10, description="Length of the lists of constructed rankings.")
]


class Examples(Settings):
    """Metrics on the constructed rankings of figures 1 to 4."""

    metrics: Metrics = [
        "P",
        "R",
        "F1",
        "InversePrecision",
        "InverseRecall",
        "Fallout",
        "MissRate",
        "Markedness",
        "Informedness",
        "MCC",
        "KendallTau",
        "AP",
        "AUC",
        "LAUC",
    ]
    variants: Distinct[Literal["GMAP", "HMAP", "QMAP", "LimitedTau"]] = Field(
        ["GMAP", "HMAP", "QMAP", "LimitedTau"],
        description="Other means of the precisions at the relevant items, and Kendall's tau of the "
        "list's order with relevance.",
    )
    length: Length = 4
    figure_1: Ranking = Field(
        "rririiriii",
        description="Printed as a picture only: any ranking with four relevant items.",
    )
    figure_4: Annotated[list[Ranking], Field(min_length=1, max_length=10)] = Field(
        [
            "rrriiiiiii",
            "rririiiiii",
            "irrriiiiii",
            "rriiriiiii",
            "riririiiii",
            "riirriiiii",
            "riiriiiiir",
            "riiirriiii",
            "iriiriiiir",
            "iiiiiiirrr",
        ],
        description="Rankings with three relevant items: each differs in one respect from another.",
    )


class Roc(Settings):
    """The ROC curve of figure 5."""

    ranking: Ranking = "rririiriii"
    length: Length = 4


class Properties(Settings):
    """The paper's statements, tested on all rankings of a few items."""

    items: Annotated[int, Field(ge=3, le=10)] = Field(
        8, description="How many items, all of whose rankings are tried."
    )


class Biased(Settings):
    """Metrics that depend on the number of relevant items, or do not."""

    metrics: Metrics = ["P", "R", "F1", "Markedness", "Informedness", "MCC", "AP", "nDCG", "LAUC"]
    cutoffs: Cutoffs = [10, 100]


class Groups(Biased):
    """Users with few relevant items, and with many."""

    n_groups: Annotated[int, Field(ge=2)] = Field(10, description="Groups of users.")


class BiasMeasured(Biased):
    """How far metrics depend on the number of relevant items."""

    resamples: Resamples = 200


class OfSystems(Settings):
    """The recommenders by classification metrics, and by the seven of the robustness study."""

    metrics: Metrics = [
        "P",
        "R",
        "AP",
        "nDCG",
        "RR",
        "Bpref",
        "infAP",
        "F1",
        "Markedness",
        "Informedness",
        "MCC",
        "AverageMarkedness",
        "AUC",
        "LAUC",
    ]
    cutoffs: Cutoffs = [10, 100]


class MetricCorrelation(OfSystems):
    """Agreement of two metrics in the ranking of systems."""

    resamples: Resamples = 200


class Sparsity(OfSystems):
    """Robustness to missing test ratings."""

    # Few levels, so that each has as many random parts as in the study of robustness.
    levels: Percentages = [100, 50, 10]
    samples: Parts = PARTS
    resamples: Resamples = 200


class Popularity(OfSystems):
    """Robustness to the removal of the most popular items."""

    percentages: Percentages = [100, 98, 95, 90, 85, 80]
    count: Literal["train", "test"] = Field(
        "train",
        description="Popularity counts training ratings (`train`) or test ratings (`test`).",
    )
    resamples: Resamples = 200


class DiscriminativePower(OfSystems):
    """The discriminative power of metrics."""

    samples: Permutations = PERMUTATIONS
    replicates: Resamples = REPLICATES
