"""The study of averages over users, and of users with few ratings."""

from rankassay.declared.columns import COUNT, KEY, columns
from rankassay.studies.entries import (
    CLAIMS_SHOWN,
    JUDGED,
    JUDGED_ITEMS,
    Analysis,
    Figure,
    Study,
    Table,
)

ANALYSES = {
    "groups": Analysis(
        "groups:run",
        "settings:Groups",
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
        CLAIMS_SHOWN,
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
