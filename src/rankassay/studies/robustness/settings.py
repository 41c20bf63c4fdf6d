"""Settings of the study of robustness and discriminative power, by analysis."""

from typing import Annotated, Literal

from pydantic import Field

from rankassay.studies.settings import (
    PARTS,
    PERMUTATIONS,
    REPLICATES,
    Also,
    Count,
    Distinct,
    Equivalence,
    Level,
    Ordered,
    Parts,
    Percentages,
    Profile,
    Resamples,
    RoundMeans,
    Settings,
    Share,
    Stratified,
    UnjudgedUsers,
)


class Correlations(Ordered):
    """Correlation of the rankings of systems, among cut-offs or among metrics."""

    resamples: Resamples = REPLICATES


class Gains(Settings):
    """Correlation of the rankings of systems among gain functions of nDCG."""

    gains: Distinct[Literal["rating", "exp", "binary"]] = Field(
        ["rating", "exp", "binary"],
        description="Gain functions: the rating, 2^rating - 1, or 1 for a relevant item.",
    )
    resamples: Resamples = REPLICATES


class UnjudgedUsersStudy(Ordered):
    """The sparsity study under `drop` and under `zero`."""

    levels: Percentages = [100, 80, 60, 40, 30, 20, 15, 10, 5]
    samples: Parts = 10
    stratified: Stratified = False


class Sparsity(UnjudgedUsersStudy):
    """Robustness to missing test ratings."""

    levels: Percentages = [*range(100, 0, -5)]
    samples: Parts = PARTS
    also: Also = []
    unjudged_users: UnjudgedUsers = "drop"
    resamples: Resamples = 400


class Popularity(Ordered):
    """Robustness to the removal of the most popular items."""

    percentages: Percentages = [*range(100, 79, -1)]
    of: Literal["items", "ratings"] = Field(
        "items", description="What the percentages are of, the test set's items or its ratings."
    )
    count: Literal["train", "test"] = Field(
        "train",
        description="Popularity counts training ratings (`train`) or test ratings (`test`).",
    )
    also: Also = []
    unjudged_users: UnjudgedUsers = "drop"
    resamples: Resamples = 400


class PValues(Settings):
    """Tests of all pairs of systems."""

    test: Literal["permutation", "bootstrap", "t", "wilcoxon", "sign"] = Field(
        "permutation", description="The test of a pair of systems."
    )
    samples: Count = Field(PERMUTATIONS, description="Permutations, or resamples of the bootstrap.")
    add_one: bool = Field(True, description="Whether p is (c + 1) / (B + 1), or c / B.")
    equivalence: Equivalence = "1%"


class PValueErrors(Settings):
    """The standard error of a p-value that is estimated from random permutations."""

    p_values: Annotated[
        Distinct[Share], Field(description="The p-values whose standard errors are computed.")
    ] = [0.05, 0.01]
    samples: Count = Field(100_000, description="Random permutations.")


class Power(Settings):
    """Sums of p-values, with their uncertainty."""

    replicates: Resamples = REPLICATES
    level: Level = 0.95


class AsRunTests(Settings):
    """Definitions and tests as the paper's authors used them."""

    profile: Profile = Field("as-run", description="The set of definitions, as in metrics.profile.")
    samples: Count = Field(10_000, description="Permutations, for each order of a pair.")
    add_one: bool = Field(False, description="Whether p is (c + 1) / (B + 1), or c / B.")


class AsRunPValues(AsRunTests):
    """Tests of all ordered pairs of systems as the paper's authors made them."""

    cutoff: Count | None = Field(None, description="Where lists are cut; null is `depth`.")


class AsRunCutoffs(AsRunTests):
    """The same tests by one metric at each cut-off."""

    metric: Literal["nDCG(truncate_ideal=True)", "P", "R", "AP"] = Field(
        "nDCG(truncate_ideal=True)",
        description="The metric, of those that the authors have at cut-offs.",
    )


class AsRunCorrelation(Settings):
    """Correlation of the rankings of systems among metrics as the paper's authors computed it."""

    profile: Profile = Field("as-run", description="The set of definitions, as in metrics.profile.")
    cutoff: Count | None = Field(None, description="Where lists are cut; null is `depth`.")
    round_means: RoundMeans = 4
    resamples: Resamples = REPLICATES


class AsRun(Settings):
    """Discriminative power as the paper's authors computed it."""

    replicates: Resamples = REPLICATES
