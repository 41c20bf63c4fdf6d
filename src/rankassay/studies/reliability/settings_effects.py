"""Settings of the analyses of effect sizes."""

from pydantic import Field

from rankassay.studies.settings import Settings, Share


class Effects(Settings):
    """Which differences are significant, and which are too small to matter."""

    alpha: Share = Field(0.05, description="The level of tests, corrected for all pairs.")
