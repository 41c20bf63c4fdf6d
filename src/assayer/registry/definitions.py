"""The study of what the names of metrics stand for (a blog post of 2017)."""

from assayer.registry.entries import Analysis, Figure, Table

ANALYSES = {
    "discrepancies": Analysis("assayer.analysis.definitions:run", ("test", "rankings")),
    "choices": Analysis("assayer.analysis.definitions_choices:run", ("test", "rankings")),
    "orders": Analysis("assayer.analysis.definitions_choices:orders", ("definitions/choices",)),
    "labels": Analysis("assayer.analysis.definitions_choices:labels", ("test", "rankings")),
    "examples": Analysis(
        "assayer.analysis.definitions_examples:run", ("published/examples",), constructed=True
    ),
    "claims": Analysis(
        "assayer.analysis.definitions_verdicts:run",
        ("claims", "definitions/orders", "definitions/labels"),
    ),
    "constructed-claims": Analysis(
        "assayer.analysis.definitions_verdicts:constructed",
        ("claims", "definitions/examples"),
        constructed=True,
    ),
}

FIGURES = {
    "values": Figure("assayer.figures.definitions:values", "discrepancies", "dataset"),
    "turned": Figure("assayer.figures.definitions_turned:draw", "orders", "datasets"),
    "places": Figure("assayer.figures.definitions:places", "discrepancies", "dataset"),
}

TABLES = {
    "discrepancies": Table(
        "assayer.tables.definitions:discrepancies", ("definitions/discrepancies",)
    ),
    "choices": Table(
        "assayer.tables.definitions_choices:choices", ("definitions/orders", "definitions/labels")
    ),
    "examples": Table("assayer.tables.definitions_examples:examples", ("definitions/examples",)),
}
