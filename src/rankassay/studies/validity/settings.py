"""The settings of the study of validity."""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from rankassay.metrics.catalogue import weighs
from rankassay.recommenders.catalogue import recommender
from rankassay.recommenders.parameters import check_settings
from rankassay.studies.settings import (
    PERMUTATIONS,
    Count,
    Cutoffs,
    Distinct,
    Metrics,
    Number,
    OneLine,
    Permutations,
    Resamples,
    Settings,
    Share,
    Text,
    as_value_error,
)
from rankassay.studies.validity.names import APART, BIASES, KINDS

PLAIN = ("P", "R", "AP", "nDCG", "RR", "Bpref", "infAP")


def _one_plain(metrics: list[str]) -> list[str]:
    """Refuse unbiased estimators alone: sentences on worlds are about plain metrics."""
    if all(map(weighs, metrics)):
        raise ValueError("expected a metric that needs no propensities among them, such as P")
    return metrics


def _one_of_all(kinds: list[str]) -> list[str]:
    """Refuse only kinds that are reported separately: there would be no summary over kinds."""
    if {*kinds} <= {*APART}:
        raise ValueError(f"expected a kind of worlds besides {', '.join(APART)}, such as base")
    return kinds


Users = Annotated[int, Field(ge=10, description="Users of a simulated world.")]
Items = Annotated[int, Field(ge=10, description="Items of a simulated world.")]
Strengths = Annotated[
    Distinct[Annotated[Number, Field(ge=0, le=10)]],
    Field(description="Strengths of the bias, by which log-propensities vary; 0 is none."),
]
Density = Annotated[
    Share, Field(description="The expected share of a world's ratings that are observed.")
]
Inclusion = Annotated[
    Literal["design", "counts"],
    Field(
        description="Where the probabilities of being judged come from: the design of the truth, "
        "or the number of each item's judgements."
    ),
]


class Section(Settings):
    """Settings of several analyses: simulated worlds by bias, and data with a truth."""

    metrics: Annotated[Metrics, AfterValidator(_one_plain)] = Field(
        [*PLAIN, "IPS", "SNIPS", "Stratified"],
        description="Metrics in worlds, without parameters, or of your own as module:function.",
    )
    cutoffs: Cutoffs = [5, *range(10, 101, 10)]
    density: Density = 0.08
    strengths: Strengths = [0, 0.5, 1, 1.5]
    users: Users = 500
    items: Items = 400
    repetitions: Count = Field(
        4, description="Worlds of each bias, each of which is observed at each strength."
    )
    world_resamples: Resamples = Field(
        1000,
        description="Resamples of the worlds, from which intervals come; 0 for none, or at least "
        "40.",
    )
    yardstick_cutoffs: Cutoffs = Field(
        [10],
        description="Cut-offs of the true utilities, which do not follow the metric's.",
    )
    inclusion: Inclusion = "design"
    resamples: Resamples = 200


class ClosedWorld(Settings):
    """Popularity and average rating in worlds of independent items, by formula."""

    worlds: Annotated[int, Field(ge=2)] = Field(
        10_000, description="Worlds that are drawn; the means are over them."
    )
    items: Annotated[int, Field(ge=2)] = Field(3700, description="Items of a closed world.")


class Kinds(Settings):
    """Simulated worlds of several kinds: measures and pairs of systems, and their truth."""

    kinds: Annotated[Distinct[Literal[*KINDS]], AfterValidator(_one_of_all)] = Field(
        [*KINDS], description="What decides which ratings are observed."
    )
    worlds: Count = Field(
        20,
        description="Worlds of each kind in each of two halves: measures are chosen on one, and "
        "what is said of the choice is of the other.",
    )
    users: Annotated[Users, Field(ge=40)] = 500
    items: Annotated[Items, Field(ge=40)] = 400
    relevant: Share = Field(0.15, description="The share of all items that a user likes.")
    density: Density = 0.08


class SemiSynthetic(Settings):
    """A real matrix that a model completed: what would be observed of it, and the completion."""

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
    cutoffs: Cutoffs = [5, *range(10, 101, 10)]
    strengths: Strengths = [0, 0.5, 1, 1.5]


class Estimators(Settings):
    """The cost of unbiasedness: propensity estimators compared with plain metrics."""

    gains: Distinct[Literal["P", "R", "DCG", "RR", "AUC"]] = Field(
        ["P", "R", "DCG", "RR"], description="What a relevant item adds at its place."
    )
    cutoffs: Cutoffs = [5, 10, 20, 50, 100]
    samples: Permutations = PERMUTATIONS


class Agreement(Settings):
    """The systems' order on the test ratings, and on judgements of random items."""

    estimators: Distinct[Literal["HT", "Hajek", "DR", "plain"]] = Field(
        ["HT", "Hajek", "DR", "plain"],
        description="How true utilities are estimated from a sample of judgements; the first for "
        "all of them, the others for P.",
    )


class Trained(Settings):
    """A recommender that is trained for this analysis alone."""

    label: OneLine = Field(description="Its name for readers.")
    method: Text = Field(description="A recommender of the catalogue, or module:class.")
    settings: dict[str, Any] = Field(default={}, description="The parameters of its class.")

    @model_validator(mode="after")
    def _takes_its_settings(self) -> Self:
        """Refuse an unknown method, and settings that it does not take."""
        with as_value_error():
            check_settings(recommender(self.method), self.settings)
        return self


def _of_the_paper() -> list[Trained]:
    """Return the eight of the paper."""
    knn: dict[str, Any] = {"normalised": True, "min_raters": 3}
    imf: dict[str, Any] = {"regularization": 1, "iterations": 20, "target": "rating"}
    chosen: list[tuple[str, str, dict[str, Any]]] = [
        ("Random", "random", {}),
        ("Popularity", "popularity", {}),
        ("Average rating", "average-rating", {}),
        ("kNN", "user-knn", {"neighbours": 100}),
        ("Normalised kNN (full)", "user-knn", knn | {"neighbours": 10}),
        ("Normalised kNN (test)", "user-knn", knn | {"neighbours": 1000}),
        ("iMF (full)", "wrmf", imf | {"factors": 50, "alpha": 1}),
        ("iMF (test)", "wrmf", imf | {"factors": 10, "alpha": 100}),
    ]
    return [Trained(label=label, method=method, settings=own) for label, method, own in chosen]


def _distinct_labels(recommenders: list[Trained]) -> list[Trained]:
    labels = [each.label for each in recommenders]
    for label in labels:
        if labels.count(label) > 1:
            raise ValueError(f"expected different labels, found '{label}' twice")
    return recommenders


Recommenders = Annotated[list[Trained], Field(min_length=2), AfterValidator(_distinct_labels)]


class TargetFolds(Settings):
    """Systems that rank the test items and N others, for growing N, in each of some folds."""

    sizes: Distinct[Annotated[int, Field(ge=0)]] = Field(
        [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000],
        description="Numbers N of items that are added to the test items; all items come last, "
        "and larger numbers are left out.",
    )
    folds: Annotated[int, Field(ge=2)] = Field(
        5, description="Parts of the ratings, each of which is the test set once."
    )
    metrics: Distinct[Literal["P", "R", "AP", "nDCG", "RR"]] = Field(
        ["P", "nDCG", "R"], description="Metrics of the lists; relevance is binary in all of them."
    )
    cutoffs: Cutoffs = [10]
    recommenders: Recommenders = Field(
        default_factory=_of_the_paper,
        description="Recommenders, by default the paper's: settings called full are the best where "
        "all items are targets, those called test where test items alone are.",
    )
