"""The study of metrics that reward diversity (Parapar and Radlinski, RecSys 2021)."""

from assayer.studies.entries import Analysis, Figure, Table

ANALYSES = {
    "axioms": Analysis("assayer.studies.diversity.axioms:run", (), constructed=True),
    "greedy": Analysis("assayer.studies.diversity.greedy:run", (), constructed=True),
    "swaps": Analysis("assayer.studies.diversity.experiments:run", ("train", "test", "aspects")),
    "perturbations": Analysis(
        "assayer.studies.diversity.experiments:run", ("train", "test", "aspects")
    ),
    "order-correlation": Analysis(
        "assayer.studies.diversity.experiments:order_correlation", ("diversity/perturbations",)
    ),
    "incompleteness": Analysis(
        "assayer.studies.diversity.incompleteness:run", ("train", "test", "aspects")
    ),
    "metric-correlation": Analysis(
        "assayer.studies.diversity.systems:metric_correlation",
        ("train", "test", "rankings", "aspects"),
        replicated=True,
    ),
    "sparsity": Analysis(
        "assayer.studies.diversity.systems:sparsity",
        ("train", "test", "rankings", "aspects"),
        replicated=True,
    ),
    "popularity": Analysis(
        "assayer.studies.diversity.systems:popularity",
        ("train", "test", "rankings", "aspects"),
        replicated=True,
    ),
    "p-values": Analysis(
        "assayer.studies.diversity.power:p_values", ("train", "test", "rankings", "aspects")
    ),
    "discriminative-power": Analysis(
        "assayer.studies.diversity.power:discriminative_power",
        ("train", "test", "rankings", "aspects", "diversity/p-values"),
        replicated=True,
    ),
    "summary": Analysis(
        "assayer.summary.criteria:run",
        ("diversity/sparsity", "diversity/popularity", "diversity/discriminative-power"),
        compares=True,
    ),
    "claims": Analysis(
        "assayer.studies.diversity.claims:run",
        (
            *("claims", "diversity/perturbations", "diversity/order-correlation"),
            "diversity/incompleteness",
        ),
    ),
    "constructed-claims": Analysis(
        "assayer.studies.diversity.claims:constructed",
        ("claims", "diversity/axioms"),
        constructed=True,
    ),
}

FIGURES = {
    "figure-1": Figure("assayer.studies.diversity.figures:swaps", "swaps", "dataset"),
    "figure-2": Figure(
        "assayer.studies.diversity.figures:order_correlation", "order-correlation", "dataset"
    ),
    "figure-3": Figure("assayer.studies.diversity.figures:p_values", "perturbations", "dataset"),
    "figure-4": Figure(
        "assayer.studies.diversity.figures:incompleteness", "incompleteness", "dataset"
    ),
    "metric-correlation": Figure(
        "assayer.drawing.correlation:metrics", "metric-correlation", "datasets"
    ),
    "sparsity": Figure("assayer.drawing.robustness:sparsity", "sparsity", "datasets"),
    "popularity": Figure("assayer.drawing.robustness:popularity", "popularity", "datasets"),
    "p-values": Figure("assayer.drawing.p_values:draw", "p-values", "datasets"),
    "summary": Figure("assayer.summary.figure:draw", "summary", "datasets"),
    "claims": Figure("assayer.claims.figure:draw", "claims", "datasets"),
}

TABLES = {
    "table-1": Table("assayer.studies.diversity.tables:axioms", ("diversity/axioms",)),
    "counterexamples": Table(
        "assayer.studies.diversity.tables:counterexamples", ("diversity/axioms",)
    ),
    "greedy": Table("assayer.studies.diversity.tables:greedy", ("diversity/greedy",)),
    "order-correlation": Table(
        "assayer.studies.diversity.tables:order_correlation", ("diversity/order-correlation",)
    ),
    "summary": Table("assayer.summary.table:summary", ("diversity/summary",)),
    "claims": Table("assayer.claims.table:claims", ("diversity/claims",)),
}
