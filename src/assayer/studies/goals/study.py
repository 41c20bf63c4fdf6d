"""The study of goals and classification metrics (Schröder et al., UCERSTI 2011)."""

from assayer.studies.entries import Analysis, Figure, Table

ANALYSES = {
    "examples": Analysis("assayer.studies.goals.examples:run", (), constructed=True),
    "roc": Analysis("assayer.studies.goals.examples:roc", (), constructed=True),
    "properties": Analysis("assayer.studies.goals.properties:run", (), constructed=True),
    "bias": Analysis(
        "assayer.studies.goals.bias:constructed", ("goals/examples",), constructed=True
    ),
    "groups": Analysis("assayer.studies.goals.bias:groups", ("test", "rankings")),
    "bias-measured": Analysis(
        "assayer.studies.goals.bias:measured",
        ("test", "rankings", "goals/groups"),
        replicated=True,
    ),
    "metric-correlation": Analysis(
        "assayer.studies.goals.systems:metric_correlation", ("test", "rankings"), replicated=True
    ),
    "sparsity": Analysis(
        "assayer.studies.goals.systems:sparsity", ("test", "rankings"), replicated=True
    ),
    "popularity": Analysis(
        "assayer.studies.goals.systems:popularity", ("train", "test", "rankings"), replicated=True
    ),
    "discriminative-power": Analysis(
        "assayer.studies.goals.systems:power", ("test", "rankings"), replicated=True
    ),
    "summary": Analysis(
        "assayer.summary.criteria:run",
        ("goals/sparsity", "goals/popularity", "goals/discriminative-power"),
        compares=True,
    ),
    "claims": Analysis(
        "assayer.studies.goals.claims:run",
        (
            *("claims", "goals/bias-measured", "goals/metric-correlation"),
            *("goals/sparsity", "goals/popularity", "goals/discriminative-power"),
        ),
        compares=True,
    ),
    "constructed-claims": Analysis(
        "assayer.studies.goals.claims:constructed",
        ("claims", "goals/examples", "goals/bias", "goals/properties"),
        constructed=True,
    ),
}

FIGURES = {
    "figure-1": Figure("assayer.studies.goals.figures:figure_1", "examples", "constructed"),
    "figure-2": Figure("assayer.studies.goals.figures:figure_2", "examples", "constructed"),
    "figure-3": Figure("assayer.studies.goals.figures:figure_3", "examples", "constructed"),
    "figure-4": Figure("assayer.studies.goals.figures:figure_4", "examples", "constructed"),
    "figure-5": Figure("assayer.studies.goals.figures:figure_5", "roc", "constructed"),
    "bias": Figure("assayer.studies.goals.figure_bias:draw", "groups", "dataset"),
    "metric-correlation": Figure(
        "assayer.drawing.correlation:metrics", "metric-correlation", "datasets"
    ),
    "summary": Figure("assayer.summary.figure:draw", "summary", "datasets"),
}

TABLES = {
    "examples": Table("assayer.studies.goals.tables:examples", ("goals/examples",)),
    "properties": Table("assayer.studies.goals.tables:properties", ("goals/properties",)),
    "bias": Table("assayer.studies.goals.tables:bias", ("goals/bias", "goals/bias-measured")),
    "summary": Table("assayer.summary.table:summary", ("goals/summary",)),
}
