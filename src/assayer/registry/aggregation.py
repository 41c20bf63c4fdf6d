"""The study of averages over users, and of users with few ratings."""

from assayer.registry.entries import Analysis, Figure, Table

ANALYSES = {
    "groups": Analysis(
        "assayer.analysis.aggregation:run", ("train", "test", "rankings"), replicated=True
    ),
    "claims": Analysis(
        "assayer.analysis.aggregation_verdicts:run",
        ("claims", "aggregation/groups"),
        compares=True,
    ),
}

FIGURES = {
    "claims": Figure("assayer.figures.claims:draw", "claims", "datasets"),
    "groups": Figure("assayer.figures.aggregation:draw", "groups", "dataset"),
}

TABLES = {
    "claims": Table("assayer.tables.claims:claims", ("aggregation/claims",)),
    "groups": Table("assayer.tables.aggregation:groups", ("aggregation/groups",)),
}
