"""The study of averages over users, and of users with few ratings."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from rankassay.declared.columns import COUNT, KEY, columns
from rankassay.studies.entries import JUDGED, JUDGED_ITEMS, Analysis, Figure, Study, Table
from rankassay.studies.settings import (
    Count,
    Cutoffs,
    Distinct,
    Metrics,
    Parts,
    Percentages,
    Resamples,
    Settings,
)


def _mean_first(names: list[str]) -> list[str]:
    """Return averages of which the first is the mean."""
    if names[:1] != ["mean"]:
        raise ValueError("expected mean first, with which the others are compared")
    return names


class Groups(Settings):
    """Averages, robustness and power in groups of users."""

    metrics: Metrics = ["P", "R", "AP", "nDCG", "RR", "Bpref", "infAP"]
    cutoffs: Cutoffs = [100]
    aggregates: Annotated[
        Distinct[Literal["mean", "geometric", "harmonic", "quadratic", "median"]],
        AfterValidator(_mean_first),
    ] = Field(
        ["mean", "geometric", "median"],
        description="The averages; the mean comes first, because the others are compared with it.",
    )
    groups: Count = Field(4, description="Groups of users by the size of their profiles.")
    levels: Percentages = [80, 60, 40, 20, 10]
    samples: Parts = 4
    percentages: Percentages = [95, 90, 85, 80]
    resamples: Resamples = 200
    tests: Count = Field(1000, description="Resamples of the users in the tests of significance.")


ANALYSES = {
    "groups": Analysis(
        "groups:run",
        Groups,
        evaluation=JUDGED,
        shared=("metrics",),
        within=("criterion", "aggregate", "group"),
        holds=JUDGED_ITEMS,
    ),
    "claims": Analysis(
        "rankassay.claims.judge:claims",
        about="The study's claims about data, judged.",
        reads=("claims", "groups"),
    ),
}

FIGURES = {
    "claims": Figure(
        "rankassay.claims.figure:claims",
        "claims",
        "datasets",
        "Each row is a sentence, and each two columns a run: a dataset, or a variant of it "
        "that was studied (the same data with another split, or with other settings of the "
        "systems). The first says whether the sentence is reproduced (the same systems, users "
        "drawn anew), the second whether it is general (systems drawn anew as well, a family "
        "at a time).",
    ),
    "groups": Figure(
        "views:groups",
        "groups",
        "dataset",
        "How the average over users matters, and which users are averaged: for each metric and "
        "average, the agreement of the order of the systems with that by the arithmetic mean "
        "over all users, robustness to sparsity and to popularity, and discriminative power "
        "(without pairs of identical systems). Users are grouped by the size of their profiles "
        "(their training ratings) into groups of about equal size; the dots on the grey ground "
        "are all users.",
    ),
}

TABLES = {
    "groups": Table("views:groups_table"),
}

COLUMNS = {
    **columns(KEY, "aggregate"),
    **columns(COUNT, "smallest largest"),
}

STUDY = Study(
    "aggregation",
    "The study of averages over users, and of users with few ratings.",
    "averages over users, and groups of users",
    cutoff=100,
    data=("ml-1m", "librarything", "beeradvocate"),
    analyses=ANALYSES,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
