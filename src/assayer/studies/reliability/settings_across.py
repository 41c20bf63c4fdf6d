"""Settings of the comparisons across datasets."""

from pydantic import Field

from assayer.studies.settings import Count, Equivalence, Settings, Share


class Across(Settings):
    """Comparisons across all datasets of a run."""

    alpha: Share = Field(0.05, description="The level of Friedman's and Nemenyi's tests.")
    equivalence: Equivalence = "1%"
    samples: Count = Field(10_000, description="Draws of the Bayesian signed-rank test.")
