"""The study of what the names of metrics stand for (a blog post of 2017)."""

from assayer.studies.entries import Analysis, Figure, Table

ANALYSES = {
    "discrepancies": Analysis(
        "assayer.studies.definitions.discrepancies:run", ("test", "rankings")
    ),
    "choices": Analysis("assayer.studies.definitions.choices:run", ("test", "rankings")),
    "orders": Analysis("assayer.studies.definitions.choices:orders", ("definitions/choices",)),
    "labels": Analysis("assayer.studies.definitions.choices:labels", ("test", "rankings")),
    "examples": Analysis(
        "assayer.studies.definitions.examples:run", ("published/examples",), constructed=True
    ),
    "claims": Analysis(
        "assayer.studies.definitions.claims:run",
        ("claims", "definitions/orders", "definitions/labels"),
    ),
    "constructed-claims": Analysis(
        "assayer.studies.definitions.claims:constructed",
        ("claims", "definitions/examples"),
        constructed=True,
    ),
}

FIGURES = {
    "values": Figure("assayer.studies.definitions.figures:values", "discrepancies", "dataset"),
    "turned": Figure("assayer.studies.definitions.figure_turned:draw", "orders", "datasets"),
    "places": Figure("assayer.studies.definitions.figures:places", "discrepancies", "dataset"),
}

TABLES = {
    "discrepancies": Table(
        "assayer.studies.definitions.tables:discrepancies", ("definitions/discrepancies",)
    ),
    "choices": Table(
        "assayer.studies.definitions.table_choices:choices",
        ("definitions/orders", "definitions/labels"),
    ),
    "examples": Table(
        "assayer.studies.definitions.table_examples:examples", ("definitions/examples",)
    ),
}
