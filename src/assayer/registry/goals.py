"""The study of goals and classification metrics (Schröder et al., UCERSTI 2011)."""

from assayer.registry.entries import Analysis, Figure, Table

ANALYSES = {
    "examples": Analysis("assayer.analysis.goals.examples:run", (), constructed=True),
    "roc": Analysis("assayer.analysis.goals.examples:roc", (), constructed=True),
    "properties": Analysis("assayer.analysis.goals.properties:run", (), constructed=True),
    "bias": Analysis(
        "assayer.analysis.goals.bias:constructed", ("goals/examples",), constructed=True
    ),
    "groups": Analysis("assayer.analysis.goals.bias:groups", ("test", "rankings")),
    "bias-measured": Analysis(
        "assayer.analysis.goals.bias:measured",
        ("test", "rankings", "goals/groups"),
        replicated=True,
    ),
    "metric-correlation": Analysis(
        "assayer.analysis.goals.runs:metric_correlation", ("test", "rankings"), replicated=True
    ),
    "sparsity": Analysis(
        "assayer.analysis.goals.runs:sparsity", ("test", "rankings"), replicated=True
    ),
    "popularity": Analysis(
        "assayer.analysis.goals.runs:popularity", ("train", "test", "rankings"), replicated=True
    ),
    "discriminative-power": Analysis(
        "assayer.analysis.goals.runs:power", ("test", "rankings"), replicated=True
    ),
    "summary": Analysis(
        "assayer.analysis.summary:run",
        ("goals/sparsity", "goals/popularity", "goals/discriminative-power"),
        compares=True,
    ),
    "claims": Analysis(
        "assayer.analysis.goals.verdicts:run",
        (
            *("claims", "goals/bias-measured", "goals/metric-correlation"),
            *("goals/sparsity", "goals/popularity", "goals/discriminative-power"),
        ),
        compares=True,
    ),
    "constructed-claims": Analysis(
        "assayer.analysis.goals.verdicts:constructed",
        ("claims", "goals/examples", "goals/bias", "goals/properties"),
        constructed=True,
    ),
}

FIGURES = {
    "figure-1": Figure("assayer.figures.goals:figure_1", "examples", "constructed"),
    "figure-2": Figure("assayer.figures.goals:figure_2", "examples", "constructed"),
    "figure-3": Figure("assayer.figures.goals:figure_3", "examples", "constructed"),
    "figure-4": Figure("assayer.figures.goals:figure_4", "examples", "constructed"),
    "figure-5": Figure("assayer.figures.goals:figure_5", "roc", "constructed"),
    "bias": Figure("assayer.figures.goals_bias:draw", "groups", "dataset"),
    "metric-correlation": Figure(
        "assayer.figures.correlation:metrics", "metric-correlation", "datasets"
    ),
    "summary": Figure("assayer.figures.summary:draw", "summary", "datasets"),
}

TABLES = {
    "examples": Table("assayer.tables.goals:examples", ("goals/examples",)),
    "properties": Table("assayer.tables.goals:properties", ("goals/properties",)),
    "bias": Table("assayer.tables.goals:bias", ("goals/bias", "goals/bias-measured")),
    "summary": Table("assayer.tables.summary:summary", ("goals/summary",)),
}
