"""Settings of the study of reliability, by analysis: reliability of rankings, and planning."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from rankassay.studies.settings import Count, Distinct, Level, Number, Settings, Share

Repetitions = Annotated[Count, Field(description="How often two sets of users are drawn.")]
Percent = Annotated[Number, Field(gt=0)]
Sought = Annotated[
    Distinct[Percent],
    Field(description="Differences to find, in percent of the better system's mean."),
]
Alpha = Annotated[Share, Field(description="Level of the test.")]
Pair = Annotated[
    Literal["median", "neighbours", "worst"],
    Field(
        description="Which pair of systems stands for all: the one that needs the median number of "
        "users, the same among neighbours in the order of means, or the one that needs most."
    ),
]


class Generalizability(Settings):
    """Variance components, the reliability of rankings and means, and the users that it takes."""

    levels: Distinct[Share] = Field(
        [0.95], description="Levels that the coefficients are to reach."
    )
    confidence: Level = 0.95


class SplitHalf(Settings):
    """Orders of the systems by two sets of users, for growing sets."""

    repetitions: Repetitions = 100


def _from_zero(edges: list[float]) -> list[float]:
    """Refuse bins that leave differences out, or overlap."""
    if edges[0] != 0 or sorted(edges) != edges:
        raise ValueError("expected increasing percentages, the first of them 0")
    return edges


class SwapRates(Settings):
    """How often other users show the opposite of a difference."""

    repetitions: Repetitions = 100
    edges: Annotated[
        Distinct[Annotated[Number, Field(ge=0)]],
        Field(
            description="Where the bins of differences begin, in percent of the better system's "
            "mean; the first begins at 0, and the last one is open."
        ),
        AfterValidator(_from_zero),
    ] = [0, 1, 2, 5, 10, 20, 50]


class RequiredUsers(Settings):
    """Users that it takes to find a difference, by formula and by resampling."""

    percentages: Sought = [1, 2, 5, 10]
    differences: list[Percent] = Field(
        [0.01], description="Differences to find, in units of the metrics."
    )
    alpha: Alpha = 0.05
    power: Share = Field(0.8, description="How likely the difference is to be found.")
    pair: Pair = "median"
    resampled_cutoffs: Distinct[Count] = Field(
        [10], description="Cut-offs at which resampling checks the formula."
    )
    samples: Count = Field(2000, description="Resamples of the users.")
    most_users: Count = Field(
        20_000, description="Where more users than that would be drawn, there is no resampling."
    )


class Power(Settings):
    """Power to find a difference, by the number of users."""

    percentages: Sought = [1, 2, 5, 10]
    alpha: Alpha = 0.05
    pair: Pair = "median"
    users: Distinct[Annotated[int, Field(ge=2)]] = Field(
        [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000],
        description="Numbers of users.",
    )
