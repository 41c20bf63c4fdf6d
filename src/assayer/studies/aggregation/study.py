"""The study of averages over users, and of users with few ratings."""

from assayer.studies.entries import Analysis, Figure, Table

ANALYSES = {
    "groups": Analysis(
        "assayer.studies.aggregation.groups:run", ("train", "test", "rankings"), replicated=True
    ),
    "claims": Analysis(
        "assayer.studies.aggregation.claims:run",
        ("claims", "aggregation/groups"),
        compares=True,
    ),
}

FIGURES = {
    "claims": Figure("assayer.claims.figure:draw", "claims", "datasets"),
    "groups": Figure("assayer.studies.aggregation.figures:draw", "groups", "dataset"),
}

TABLES = {
    "claims": Table("assayer.claims.table:claims", ("aggregation/claims",)),
    "groups": Table("assayer.studies.aggregation.tables:groups", ("aggregation/groups",)),
}
