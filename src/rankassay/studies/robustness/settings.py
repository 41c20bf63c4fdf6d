"""Settings of the study, by analysis."""

from typing import Annotated, Literal

from pydantic import Field

from rankassay.declared.correlations import PERSISTENCE, USUAL
from rankassay.studies.settings import (
    PARTS,
    PERMUTATIONS,
    REPLICATES,
    Also,
    Correlation,
    Count,
    Equivalence,
    Level,
    Parts,
    Percentages,
    Persistence,
    Resamples,
    RoundMeans,
    Settings,
    Stratified,
    UnjudgedUsers,
)


class Section(Settings):
    """How the study compares rankings, and how often it draws users again."""

    round_means: RoundMeans = None
    correlation: Correlation = USUAL
    persistence: Persistence = PERSISTENCE
    also: Also = []
    stratified: Stratified = False
    unjudged_users: UnjudgedUsers = "drop"
    resamples: Resamples = REPLICATES
    replicates: Annotated[
        Resamples, Field(description="The same for sums of p-values, with the interval of `level`.")
    ] = REPLICATES
    level: Level = 0.95


class UnjudgedUsersStudy(Settings):
    """What dropping users without test ratings, or scoring them 0, changes."""

    levels: Percentages = [100, 80, 60, 40, 30, 20, 15, 10, 5]
    samples: Parts = 10


class Sparsity(Settings):
    """Robustness to missing test ratings."""

    levels: Percentages = [*range(100, 0, -5)]
    samples: Parts = PARTS
    resamples: Resamples = 400


class Popularity(Settings):
    """Robustness to the removal of the most popular items."""

    percentages: Percentages = [*range(100, 79, -1)]
    of: Literal["items", "ratings"] = Field(
        "items", description="What the percentages are of, the test set's items or its ratings."
    )
    count: Literal["train", "test"] = Field(
        "train",
        description="Popularity counts training ratings (`train`) or test ratings (`test`).",
    )
    resamples: Resamples = 400


class PValues(Settings):
    """Tests of all pairs of systems."""

    test: Literal["permutation", "bootstrap", "t", "wilcoxon", "sign"] = Field(
        "permutation", description="The test of a pair of systems."
    )
    samples: Count = Field(PERMUTATIONS, description="Permutations, or resamples of the bootstrap.")
    add_one: bool = Field(True, description="Whether p is (c + 1) / (B + 1), or c / B.")
    equivalence: Equivalence = "1%"


class AsRunPValues(Settings):
    """Tests of all ordered pairs of systems as the paper's authors made them."""

    samples: Count = Field(10_000, description="Permutations, for each order of a pair.")


class AsRunCutoffs(AsRunPValues):
    """The same tests by nDCG at each cut-off."""
