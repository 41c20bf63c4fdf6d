"""Settings of the study of validity, by analysis."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from rankassay.metrics.catalogue import weighs
from rankassay.studies.settings import (
    PERMUTATIONS,
    REPLICATES,
    Count,
    Cutoffs,
    Distinct,
    Metrics,
    Number,
    Percentages,
    Permutations,
    Resamples,
    Settings,
    Share,
)

# Of ratings, with a strength each; see `rankassay.studies.validity.worlds`.
BIASES = ("item-independent", "popularity-driven", "relevance-driven", "mixed")
# Of worlds: what decides which ratings are observed; see `rankassay.studies.validity.kinds`.
KINDS = (
    *("base", "alike", "suits", "niche-fans", "popular-fans", "deployed", "many", "mostly-liked"),
    *("unequal", "only-liked", "liking", "no-predictors", "all-ratings"),
)
# Reported, but not in the summary over kinds.
APART = ("only-liked", "liking", "no-predictors", "all-ratings")
PLAIN = ("P", "R", "AP", "nDCG", "RR", "Bpref", "infAP")


class ClosedWorld(Settings):
    """Popularity and average rating in worlds of independent items."""

    worlds: Annotated[int, Field(ge=2)] = Field(
        10_000, description="Worlds that are drawn; the means are over them."
    )
    items: Annotated[int, Field(ge=2)] = Field(3700, description="Items of a world.")
    training: Share = Field(0.8, description="The share of the ratings that systems see.")


Strengths = Annotated[
    Distinct[Annotated[Number, Field(ge=0, le=10)]],
    Field(description="Strengths of the bias, by which log-propensities vary; 0 is none."),
]


def _one_plain(metrics: list[str]) -> list[str]:
    """Refuse unbiased estimators alone: sentences on worlds are about plain metrics."""
    if all(map(weighs, metrics)):
        raise ValueError("expected a metric that needs no propensities among them, such as P")
    return metrics


class Observed(Settings):
    """How simulated worlds are observed."""

    metrics: Annotated[Metrics, AfterValidator(_one_plain)] = [*PLAIN, "IPS", "SNIPS", "Stratified"]
    cutoffs: Cutoffs = [5, *range(10, 101, 10)]
    density: Share = Field(0.08, description="The expected share of the ratings that are observed.")
    strengths: Strengths = [0, 0.5, 1, 1.5]
    percentages: Percentages = [95, 90, 85, 80]
    unrated: Distinct[Annotated[int, Field(ge=0)] | None] = Field(
        [None, 100, 0],
        description="Numbers of unrated items that are ranked with a user's test items, where "
        "metrics are observed; null is all.",
    )


class Worlds(Observed):
    """Recommenders in simulated worlds, by observed and by true values."""

    users: Annotated[int, Field(ge=10)] = Field(500, description="Users of a world.")
    items: Annotated[int, Field(ge=10)] = Field(400, description="Items of a world.")
    factors: Count = Field(8, description="Latent factors of the users' tastes.")
    relevant: Share = Field(0.1, description="The share of all items that a user likes.")
    repetitions: Count = Field(4, description="Worlds, each of which is observed at each strength.")


class Prediction(Settings):
    """Means over worlds, and whether robustness and power predict validity."""

    resamples: Resamples = Field(
        1000,
        description="Resamples of the worlds, from which intervals come; 0 for none, or at least "
        "40.",
    )


def _one_of_all(kinds: list[str]) -> list[str]:
    """Refuse only kinds that are reported separately: there would be no summary over kinds."""
    if {*kinds} <= {*APART}:
        raise ValueError(f"expected a kind of worlds besides {', '.join(APART)}, such as base")
    return kinds


class Kinds(Settings):
    """Recommenders in simulated worlds of several kinds, by observed and by true values."""

    kinds: Annotated[Distinct[Literal[*KINDS]], AfterValidator(_one_of_all)] = Field(
        [*KINDS], description="What decides which ratings are observed."
    )
    worlds: Count = Field(
        20,
        description="Worlds of each kind in each of two halves: measures are chosen on one, and "
        "what is said of the choice is of the other.",
    )
    users: Annotated[int, Field(ge=40)] = Field(500, description="Users of a world.")
    items: Annotated[int, Field(ge=40)] = Field(400, description="Items of a world.")
    relevant: Share = Field(0.15, description="The share of all items that a user likes.")
    density: Share = Field(0.08, description="The expected share of the ratings that are observed.")


class SemiSynthetic(Observed):
    """Recommenders on a real matrix that a model completed."""

    users: Annotated[int, Field(ge=10)] = Field(
        500, description="Users who are drawn from those of the dataset, at most."
    )
    items: Annotated[int, Field(ge=10)] = Field(
        400, description="Items that are drawn from those of the dataset, at most."
    )
    biases: Distinct[Literal[*BIASES]] = Field(
        [*BIASES], description="What the ratings that are observed depend on."
    )
    repetitions: Count = Field(2, description="How often the ratings are observed.")


class Estimators(Settings):
    """Unbiased estimators compared with plain metrics."""

    gains: Distinct[Literal["P", "R", "DCG", "RR", "AUC"]] = Field(
        ["P", "R", "DCG", "RR"], description="What a relevant item adds at its place."
    )
    cutoffs: Cutoffs = [5, 10, 20, 50, 100]
    clip: Annotated[Number, Field(ge=1)] = Field(
        10.0, description="The greatest weight of clipped IPS."
    )
    samples: Permutations = PERMUTATIONS
    replicates: Resamples = REPLICATES


YardstickCutoffs = Annotated[
    Cutoffs, Field(description="Cut-offs of the true utilities, which do not follow the metric's.")
]
Inclusion = Annotated[
    Literal["design", "counts"],
    Field(
        description="Where the probabilities of being judged come from: the design of the truth, "
        "or the number of each item's judgements."
    ),
]


class Diagnostics(Settings):
    """Checks of the assumptions on the judgements that are the truth."""

    yardstick_cutoffs: YardstickCutoffs = [10]
    inclusion: Inclusion = "design"


class Agreement(Settings):
    """The ranking of systems on the test ratings, and on the truth."""

    weighed: Distinct[Literal["IPS", "SNIPS", "Stratified"]] = Field(
        ["IPS", "SNIPS", "Stratified"],
        description="Metrics that weigh test ratings by propensities, in addition to the "
        "configured ones.",
    )
    yardsticks: Distinct[Literal["liked", "new"]] = Field(
        ["liked", "new"],
        description="What counts in truth: what users like, and what they like and had not known "
        "(where the data say who knew what).",
    )
    utilities: Distinct[Literal["P", "DCG", "rating"]] = Field(
        ["P", "DCG", "rating"],
        description="True utilities of a list: the share of it that is liked, the same with a rank "
        "discount, the mean rating.",
    )
    yardstick_cutoffs: YardstickCutoffs = [10]
    estimators: Distinct[Literal["HT", "Hajek", "DR", "plain"]] = Field(
        ["HT", "Hajek", "DR", "plain"],
        description="How true utilities are estimated from a sample of judgements; the first for "
        "all of them, the others for P.",
    )
    inclusion: Inclusion = "design"
    resamples: Resamples = 200
