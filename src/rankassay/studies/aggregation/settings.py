"""Settings of the study, by analysis."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from rankassay.studies.settings import (
    Count,
    Cutoffs,
    Distinct,
    Metrics,
    Parts,
    Percentages,
    Resamples,
    Settings,
)


def _mean_first(names: list[str]) -> list[str]:
    """Return averages of which the first is the mean."""
    if names[:1] != ["mean"]:
        raise ValueError("expected mean first, with which the others are compared")
    return names


class Groups(Settings):
    """Averages, robustness and power in groups of users."""

    metrics: Metrics = ["P", "R", "AP", "nDCG", "RR", "Bpref", "infAP"]
    cutoffs: Cutoffs = [100]
    aggregates: Annotated[
        Distinct[Literal["mean", "geometric", "harmonic", "quadratic", "median"]],
        AfterValidator(_mean_first),
    ] = Field(
        ["mean", "geometric", "median"],
        description="The averages; the mean comes first, because the others are compared with it.",
    )
    groups: Count = Field(4, description="Groups of users by the size of their profiles.")
    levels: Percentages = [80, 60, 40, 20, 10]
    samples: Parts = 4
    percentages: Percentages = [95, 90, 85, 80]
    resamples: Resamples = 200
    tests: Count = Field(1000, description="Resamples of the users in the tests of significance.")
