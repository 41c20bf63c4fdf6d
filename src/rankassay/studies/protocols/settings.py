"""Settings of the study, by analysis."""

from typing import Literal

from pydantic import Field

from rankassay.declared.correlations import PERSISTENCE, USUAL
from rankassay.studies.settings import (
    Correlation,
    Count,
    Distinct,
    Name,
    Persistence,
    Resamples,
    Settings,
)


class Section(Settings):
    """The protocols that are compared, and how often each is repeated."""

    protocols: Distinct[Name] = Field(
        [
            "random-80-20",
            "leave-last-one",
            "temporal-80-20",
            "global-time-known-users",
            "five-core",
        ],
        description="The protocols to compare: names of protocol_catalogue. The first is the "
        "reference. Those that need timestamps are left out on datasets without.",
    )
    seeds: Count = Field(
        3,
        description="How often each protocol is repeated with another seed of the split and of "
        "the recommenders: seed, seed + 1, and so on. One of k folds is repeated k times, once for "
        "each fold, with the one seed.",
    )
    recommenders: Distinct[Name] | None = Field(
        None, description="The recommenders that are compared; null is all of `recommenders`."
    )
    resamples: Resamples = 200


class Components(Settings):
    """How much of the systems' order is the system's, the split's, filter's, seed's and fold's."""

    values: Literal["ranks", "standard", "means"] = Field(
        "ranks",
        description="What systems get: their ranks, their means in standard deviations of the "
        "systems' means, or the means themselves, whose size may differ among protocols.",
    )


class Agreement(Settings):
    """Correlation of the systems' orders between protocols and within them."""

    correlation: Correlation = USUAL
    persistence: Persistence = PERSISTENCE
