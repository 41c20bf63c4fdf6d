"""Settings of the study of validity, by analysis."""

from typing import Annotated

from pydantic import Field

from assayer.studies.settings import Count, Settings, Share


class ClosedWorld(Settings):
    """Popularity and average rating in worlds of independent items."""

    worlds: Annotated[int, Field(ge=2)] = Field(
        10_000, description="Worlds that are drawn; the means are over them."
    )
    items: Annotated[int, Field(ge=2)] = Field(3700, description="Items of a world.")
    training: Share = Field(0.8, description="The share of the ratings that systems see.")
