"""The study of metrics that reward diversity (Parapar and Radlinski, RecSys 2021)."""

from assayer.registry.entries import Analysis, Figure, Table

ANALYSES = {
    "axioms": Analysis("assayer.analysis.diversity.axioms:run", (), constructed=True),
    "greedy": Analysis("assayer.analysis.diversity.greedy:run", (), constructed=True),
    "swaps": Analysis("assayer.analysis.diversity.experiments:run", ("train", "test", "aspects")),
    "perturbations": Analysis(
        "assayer.analysis.diversity.experiments:run", ("train", "test", "aspects")
    ),
    "order-correlation": Analysis(
        "assayer.analysis.diversity.experiments:order_correlation", ("diversity/perturbations",)
    ),
    "incompleteness": Analysis(
        "assayer.analysis.diversity.incompleteness:run", ("train", "test", "aspects")
    ),
    "metric-correlation": Analysis(
        "assayer.analysis.diversity.systems:metric_correlation",
        ("train", "test", "rankings", "aspects"),
        replicated=True,
    ),
    "sparsity": Analysis(
        "assayer.analysis.diversity.systems:sparsity",
        ("train", "test", "rankings", "aspects"),
        replicated=True,
    ),
    "popularity": Analysis(
        "assayer.analysis.diversity.systems:popularity",
        ("train", "test", "rankings", "aspects"),
        replicated=True,
    ),
    "p-values": Analysis(
        "assayer.analysis.diversity.power:p_values", ("train", "test", "rankings", "aspects")
    ),
    "discriminative-power": Analysis(
        "assayer.analysis.diversity.power:discriminative_power",
        ("train", "test", "rankings", "aspects", "diversity/p-values"),
        replicated=True,
    ),
    "summary": Analysis(
        "assayer.analysis.summary:run",
        ("diversity/sparsity", "diversity/popularity", "diversity/discriminative-power"),
        compares=True,
    ),
    "claims": Analysis(
        "assayer.analysis.diversity.verdicts:run",
        (
            *("claims", "diversity/perturbations", "diversity/order-correlation"),
            "diversity/incompleteness",
        ),
    ),
    "constructed-claims": Analysis(
        "assayer.analysis.diversity.verdicts:constructed",
        ("claims", "diversity/axioms"),
        constructed=True,
    ),
}

FIGURES = {
    "figure-1": Figure("assayer.figures.diversity:swaps", "swaps", "dataset"),
    "figure-2": Figure(
        "assayer.figures.diversity:order_correlation", "order-correlation", "dataset"
    ),
    "figure-3": Figure("assayer.figures.diversity:p_values", "perturbations", "dataset"),
    "figure-4": Figure("assayer.figures.diversity:incompleteness", "incompleteness", "dataset"),
    "metric-correlation": Figure(
        "assayer.figures.correlation:metrics", "metric-correlation", "datasets"
    ),
    "sparsity": Figure("assayer.figures.robustness:sparsity", "sparsity", "datasets"),
    "popularity": Figure("assayer.figures.robustness:popularity", "popularity", "datasets"),
    "p-values": Figure("assayer.figures.p_values:draw", "p-values", "datasets"),
    "summary": Figure("assayer.figures.summary:draw", "summary", "datasets"),
    "claims": Figure("assayer.figures.claims:draw", "claims", "datasets"),
}

TABLES = {
    "table-1": Table("assayer.tables.diversity:axioms", ("diversity/axioms",)),
    "counterexamples": Table("assayer.tables.diversity:counterexamples", ("diversity/axioms",)),
    "greedy": Table("assayer.tables.diversity:greedy", ("diversity/greedy",)),
    "order-correlation": Table(
        "assayer.tables.diversity:order_correlation", ("diversity/order-correlation",)
    ),
    "summary": Table("assayer.tables.summary:summary", ("diversity/summary",)),
    "claims": Table("assayer.tables.claims:claims", ("diversity/claims",)),
}
