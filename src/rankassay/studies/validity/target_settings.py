"""Settings of the study of validity about target items."""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from rankassay.recommenders.catalogue import recommender
from rankassay.recommenders.parameters import check_settings
from rankassay.studies.settings import (
    Cutoffs,
    Distinct,
    OneLine,
    Resamples,
    Settings,
    Text,
    as_value_error,
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
    """Systems that rank the test items and N others, for growing N."""

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
    cutoffs: Cutoffs = Field([10])
    resamples: Resamples = 200
    recommenders: Recommenders = Field(
        default_factory=_of_the_paper,
        description="Recommenders, by default the paper's: settings called full are the best where "
        "all items are targets, those called test where test items alone are.",
    )
