"""Settings of the study, by analysis."""

import math
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from rankassay.metrics.catalogue import METRICS
from rankassay.metrics.names import canonical, unknown_metric
from rankassay.studies.settings import (
    Cutoffs,
    Distinct,
    Permutations,
    Settings,
    Share,
    Text,
    as_value_error,
)

DEFINITIONS = {
    "AP": [
        {"denominator": "relevant"},
        {"denominator": "min_cutoff"},
        {"denominator": "hits"},
        {"denominator": "listed"},
    ],
    "nDCG": [
        {"gain": "rating", "ideal": "judged"},
        {"gain": "rating", "ideal": "judged", "log_base": math.e},
        {"gain": "exp", "ideal": "judged"},
        {"gain": "binary", "ideal": "judged"},
        {"gain": "rating", "ideal": "relevant"},
        {"gain": "exp", "ideal": "retrieved"},
        {"gain": "rating", "ideal": "judged", "truncate_ideal": False},
    ],
    "P": [
        {"denominator": "cutoff"},
        {"denominator": "listed"},
        {"denominator": "min_relevant"},
    ],
}


def _resolved(metrics: dict[str, list[dict]]) -> dict[str, list[dict]]:
    """Return definitions by the metrics' catalogue names; refuse unknown ones."""
    if metrics == DEFINITIONS:
        return metrics
    from rankassay.metrics.evaluate import resolve  # on use: compiled code takes its time

    found = {canonical(metric): choices for metric, choices in metrics.items()}
    if len(found) < len(metrics):
        raise ValueError("expected no metric twice")
    for metric, choices in found.items():
        if ":" not in metric:
            _registered(metric)
        for parameters in choices:
            with as_value_error():
                resolve(metric, tuple(parameters.items()), "paper")
    return found


def _registered(name: str) -> str:
    """Return a metric by its catalogue name; refuse all but the package's.

    Of others, the other definitions would not be known.
    """
    name = canonical(name)
    if name not in METRICS:
        raise ValueError(str(unknown_metric(name)))
    return name


Definitions = Annotated[
    dict[str, Annotated[Distinct[dict[str, Any]], Field(min_length=2)]],
    Field(
        min_length=1,
        description="By metric, the parameters of each of its definitions, the reference first.",
    ),
    AfterValidator(_resolved),
]


class Section(Settings):
    """The definitions that are compared, and at which cut-offs."""

    metrics: Definitions = DEFINITIONS
    cutoffs: Cutoffs = [10, 100]


class Discrepancies(Settings):
    """The same runs under every profile, and with other libraries."""

    metrics: Distinct[Annotated[Text, AfterValidator(_registered)]] = Field(
        ["P", "R", "AP", "nDCG", "RR", "Bpref", "infAP", "F1"],
        description="Metrics without parameters, which are what definitions differ in.",
    )


class Choices(Settings):
    """Definitions of one metric, and the conclusions that they reverse."""

    samples: Permutations = 10_000


class Orders(Settings):
    """How the systems are ordered under each definition."""

    alpha: Share = Field(0.05, description="Differences with a smaller p-value are significant.")
