"""Settings of the study, by analysis."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from rankassay.metrics.names import canonical
from rankassay.studies.settings import (
    Cutoffs,
    Distinct,
    Metrics,
    Resamples,
    Settings,
    Text,
    as_value_error,
)


def _bounded(name: str) -> str:
    """Return a metric by its own name; refuse one without bounds."""
    from rankassay.metrics.bounds import check  # on use: compiled code takes its time

    name = canonical(name)
    with as_value_error():
        check([f"{name}@1"])
    return name


class Bounded(Settings):
    """The least and the greatest value of each system over all judgements of unjudged items."""

    metrics: Annotated[
        Distinct[Annotated[Text, AfterValidator(_bounded)]],
        Field(description="Metrics that have bounds, with parameters as in RBP(p=0.9)."),
    ] = ["P", "R", "AP", "nDCG", "RR", "F1", "Success", "RBP", "ERR", "Bpref", "infAP"]
    cutoffs: Cutoffs = [5, 10, 20]
    beyond_list: Literal["none", "any"] = Field(
        "none",
        description="How many unjudged items outside of the first n places are relevant: none, or "
        "any number (then without Bpref, which has no bounds).",
    )


class Orders(Settings):
    """Correlation of the rankings under usual lists, condensed lists, infAP and bpref."""

    metrics: Metrics = ["P", "R", "AP", "nDCG", "RR"]
    without_unjudged: Metrics = Field(
        ["Bpref", "infAP"],
        description="Metrics made for incomplete judgements, which are added to these unchanged.",
    )
    cutoffs: Cutoffs = [10]
    resamples: Resamples = 200
