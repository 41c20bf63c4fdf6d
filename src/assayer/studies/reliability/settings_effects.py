"""Settings of the analyses of effect sizes."""

from pydantic import Field

from assayer.studies.settings import Settings, Share


class Effects(Settings):
    """What is significant, and what is too small to matter."""

    alpha: Share = Field(0.05, description="The level of tests, corrected for all pairs.")
