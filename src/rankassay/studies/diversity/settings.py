"""Settings of the study, by analysis."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SerializerFunctionWrapHandler, model_serializer

from rankassay.metrics.catalogue import DIVERSITY, DIVERSITY_METRICS, METRICS
from rankassay.metrics.names import canonical
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
    Text,
    Unit,
    as_value_error,
)

# With parameters, in the defaults below.
CHOSEN = (
    *("alpha_nDCG(gain='binary')", "EU(discount='log')", "S_RR(aspects='judged')"),
    "alpha_beta_nDCG(beta=0.1)",
)


def _known(name: str) -> str:
    """Return a metric by its own name, be it of relevance alone or of aspects with parameters.

    What is not known is refused.
    """
    name = canonical(name)
    if ":" in name or name in METRICS or name in DIVERSITY_METRICS or name in CHOSEN:
        return name
    from rankassay.metrics.evaluate import named  # on use: compiled code takes its time

    with as_value_error():
        named(name, DIVERSITY)
    return name


DiversityMetrics = Annotated[
    Distinct[Annotated[Text, AfterValidator(_known)]],
    Field(description="Metrics, with parameters if need be, as in alpha_beta_nDCG(beta=0.1)."),
]


class Steps(Settings):
    """The number of perturbed systems by scenario; one without a number is skipped."""

    relevance: Count | None = Field(
        None, description="Systems with ever more items swapped, from bottom to top."
    )
    redundancy: Count | None = Field(
        None, description="Systems with ever more items of an aspect that the list has shown."
    )
    aspects: Count | None = Field(None, description="Systems with ever more aspects swapped.")

    @model_serializer(mode="wrap")
    def _given(self, as_dict: SerializerFunctionWrapHandler) -> dict[str, int]:
        return {name: number for name, number in as_dict(self).items() if number}


class Section(Settings):
    """The metrics by which the recommenders are compared, and what ideal lists are made of."""

    metrics: DiversityMetrics = [
        *("P", "AP", "nDCG", "alpha_nDCG", "alpha_beta_nDCG", "S_Recall"),
        *("S_RR(aspects='judged')", "ERR_IA", "NRBP", "EU", "RBU"),
    ]
    cutoffs: Cutoffs = [10, 100]
    resamples: Resamples = 200
    betas: Distinct[Unit] = Field(
        [0.1, 0.5, 0.9],
        description="Values of the parameter beta of alpha-beta-nDCG, greater than 0.",
    )
    depth: Count = Field(100, description="Length of the ideal lists.")
    ground_truth: Literal["test", "all"] = Field(
        "test",
        description="Ideal lists hold a user's test items, or all that the user rated.",
    )
    steps: Steps = Steps(relevance=50, redundancy=50, aspects=10)


class Axioms(Settings):
    """Which metric satisfies which axiom, tried on random instances (table 1)."""

    metrics: DiversityMetrics = [
        *("alpha_nDCG", "S_Recall", "S_RR", "NRBP", "EU", "RBU", "alpha_beta_nDCG", "ERR_IA"),
        *("alpha_nDCG(gain='binary')", "EU(discount='log')", "alpha_beta_nDCG(beta=0.1)"),
    ]
    instances: Count = Field(1000, description="Instances of each axiom.")
    long_instances: Count = Field(
        20, description="Instances of the axioms whose lists are thousands of items long."
    )


class Swaps(Settings):
    """Alpha-beta-nDCG under several parameters, on ever worse lists (figure 1)."""

    cutoffs: Cutoffs = [10]


class Perturbations(Settings):
    """Ideal lists that are made worse step by step (experiments 1 and 2)."""

    metrics: DiversityMetrics = [
        *("alpha_nDCG", "alpha_beta_nDCG", "S_Recall", "S_RR(aspects='judged')", "ERR_IA"),
        *("NRBP", "EU", "RBU"),
    ]


class Incompleteness(Settings):
    """The order of shuffled ideal lists when ratings are missing (experiment 3, figure 4)."""

    levels: Percentages = [90, 70, 50, 30, 10]
    systems: Annotated[int, Field(ge=2)] = Field(
        50, description="Random shuffles of the ideal lists."
    )
    samples: Parts = 50


class Sparsity(Settings):
    """Robustness to missing test ratings."""

    levels: Percentages = [100, 75, 50, 25, 10]
    samples: Parts = 5


class Popularity(Settings):
    """Robustness to the removal of the most popular items."""

    percentages: Percentages = [100, 98, 96, 94, 92, 90, 85, 80]


class PValues(Settings):
    """Permutation tests of all pairs of systems."""

    samples: Permutations = PERMUTATIONS
