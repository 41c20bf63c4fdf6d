"""Settings of the study of protocols, by analysis."""

from typing import Literal

from pydantic import Field

from rankassay.declared.correlations import PERSISTENCE, USUAL
from rankassay.studies.settings import Correlation, Persistence, Resamples, Settings


class Components(Settings):
    """Variance components of the ranking of systems."""

    values: Literal["ranks", "standard", "means"] = Field(
        "ranks",
        description="What systems get: their ranks, their means in standard deviations of the "
        "systems' means, or the means themselves, whose size may differ among protocols.",
    )
    resamples: Resamples = 200


class Agreement(Settings):
    """Correlation of rankings between protocols and within them."""

    correlation: Correlation = USUAL
    persistence: Persistence = PERSISTENCE
    resamples: Resamples = 200


class Winners(Settings):
    """The winner under each protocol."""

    resamples: Resamples = 200
