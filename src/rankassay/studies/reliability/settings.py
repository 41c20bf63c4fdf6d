"""Settings of the study, by analysis."""

from math import ceil
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from rankassay.studies.settings import (
    Count,
    Distinct,
    Equivalence,
    Number,
    Settings,
    Share,
    Text,
)

Percent = Annotated[Number, Field(gt=0)]


class Section(Settings):
    """Settings of several analyses."""

    repetitions: Count = Field(100, description="How often two sets of users are drawn.")
    percentages: Distinct[Percent] = Field(
        [1, 2, 5, 10],
        description="Differences to find, in percent of the better system's mean.",
    )
    alpha: Share = Field(0.05, description="Level of tests, but for those of type-errors.")
    pair: Literal["median", "neighbours", "worst"] = Field(
        "median",
        description="Which pair of systems stands for all: the one that needs the median number of "
        "users, the same among neighbours in the order of means, or the one that needs most.",
    )


class Generalizability(Settings):
    """Variance components, how far orders and means can be relied on, and the users it takes."""

    levels: Distinct[Share] = Field(
        [0.95], description="Levels that the coefficients are to reach."
    )


class RequiredUsers(Settings):
    """Users that it takes to find a difference, by formula and by resampling."""

    differences: list[Percent] = Field(
        [0.01], description="Differences to find, in units of the metrics."
    )
    power: Share = Field(0.8, description="How likely the difference is to be found.")
    resampled_cutoffs: Distinct[Count] = Field(
        [10], description="Cut-offs at which resampling checks the formula."
    )
    samples: Count = Field(2000, description="Resamples of the users.")
    most_users: Count = Field(
        20_000, description="Where more users than that would be drawn, there is no resampling."
    )


class TypeErrors(Settings):
    """How often significance tests err where the truth is known (Urbano et al., 2019)."""

    audited_cutoffs: Distinct[Count] = Field(
        [10],
        description="Cut-offs of the metrics; of a run that has none of them, its first one. "
        "Metrics without a cut-off take part, too.",
    )
    users: Distinct[Annotated[int, Field(ge=2)]] | None = Field(
        None, description="Users of a trial; as many as the dataset has if null."
    )
    deltas: list[Annotated[Number, Field(gt=0)]] = Field(
        [0.01], description="Differences of means, of which errors of types II and III are counted."
    )
    alphas: Distinct[Share] = Field([0.05], description="Levels at which tests reject.")
    trials: Count = Field(1000, description="Simulated tests of each kind, size and difference.")
    samples: Count = Field(1000, description="Permutations, and resamples of the bootstrap.")
    tie: Annotated[Number, Field(ge=0)] = Field(
        0.0, description="The sign test counts differences of at most this as none."
    )

    @model_validator(mode="after")
    def _deltas_differ(self) -> Self:
        """Refuse a difference that is named twice."""
        for delta in self.deltas:
            if self.deltas.count(delta) > 1:
                raise ValueError(f"deltas: expected different ones, found {delta:g} twice.")
        return self

    @model_validator(mode="after")
    def _samples_can_reject(self) -> Self:
        """Refuse so few samples that p, of at least 1 / (samples + 1), never is at most alpha."""
        least = ceil(round(1 / min(self.alphas, default=1.0) - 1, 6))
        if self.samples < least:
            raise ValueError(
                f"samples: expected at least {least}, found {self.samples}; with fewer, "
                f"resampling never rejects at {min(self.alphas):g}. Set more samples, or a "
                "larger alpha."
            )
        return self


class TypeErrorsPublished(Settings):
    """Errors of significance tests on TREC's tracks, next to the published rates."""

    datasets: Distinct[Text] = Field(
        ["trec-5", "trec-6", "trec-7", "trec-8"],
        description="The tracks; nothing is compared unless all are there.",
    )


class SystemsAcross(Settings):
    """The order of the systems across datasets."""

    equivalence: Equivalence = "1%"
    samples: Count = Field(10_000, description="Draws of the Bayesian signed-rank test.")
