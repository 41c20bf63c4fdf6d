"""The study of robustness and discriminative power (Valcarce et al., RecSys 2018)."""

from assayer.registry.entries import Analysis, Figure, Table

ANALYSES = {
    "judgements": Analysis("assayer.analysis.judgements:run", ("train", "test")),
    "cutoff-correlation": Analysis(
        "assayer.analysis.correlation:cutoffs", ("scores",), replicated=True
    ),
    "metric-correlation": Analysis(
        "assayer.analysis.correlation:metrics", ("scores",), replicated=True
    ),
    "sparsity": Analysis(
        "assayer.analysis.sparsity:run", ("test", "rankings"), by_measure=True, replicated=True
    ),
    "popularity": Analysis(
        "assayer.analysis.popularity:run",
        ("train", "test", "rankings"),
        by_measure=True,
        replicated=True,
    ),
    "unjudged-users": Analysis("assayer.analysis.unjudged_users:run", ("test", "rankings")),
    "p-values": Analysis("assayer.analysis.significance:run", ("scores",), by_measure=True),
    "discriminative-power": Analysis(
        "assayer.analysis.discriminative_power:run",
        ("scores", "robustness/p-values"),
        by_measure=True,
        replicated=True,
    ),
    "power-differences": Analysis(
        "assayer.analysis.discriminative_power:differences", ("scores", "robustness/p-values")
    ),
    "summary": Analysis(
        "assayer.analysis.summary:run",
        ("robustness/sparsity", "robustness/popularity", "robustness/discriminative-power"),
        compares=True,
    ),
    "as-run": Analysis("assayer.analysis.as_run:run", ("test", "rankings"), replicated=True),
    "published": Analysis(
        "assayer.analysis.published:run",
        (
            *("statistics", "fidelity", "published/figure-7", "published/table-3"),
            *("robustness/popularity", "robustness/discriminative-power", "robustness/as-run"),
        ),
    ),
    "claims": Analysis(
        "assayer.analysis.verdicts:run",
        (
            *("claims", "statistics"),
            *("robustness/cutoff-correlation", "robustness/metric-correlation"),
            *("robustness/sparsity", "robustness/popularity"),
            *("robustness/discriminative-power", "robustness/as-run"),
        ),
        compares=True,
    ),
}

FIGURES = {
    "summary": Figure("assayer.figures.summary:draw", "summary", "datasets"),
    "figure-1": Figure("assayer.figures.correlation:cutoffs", "cutoff-correlation", "metrics"),
    "figure-2": Figure("assayer.figures.robustness:sparsity", "sparsity", "metrics"),
    "figure-3": Figure("assayer.figures.robustness:popularity", "popularity", "metrics"),
    "figure-4": Figure("assayer.figures.p_values:draw", "p-values", "metrics"),
    "figure-5": Figure("assayer.figures.correlation:metrics", "metric-correlation", "datasets"),
    "figure-6": Figure("assayer.figures.robustness:sparsity", "sparsity", "datasets"),
    "figure-7": Figure("assayer.figures.robustness:popularity", "popularity", "datasets"),
    "figure-8": Figure("assayer.figures.p_values:draw", "p-values", "datasets"),
    "unjudged-users": Figure(
        "assayer.figures.robustness:unjudged_users", "unjudged-users", "datasets"
    ),
    "claims": Figure("assayer.figures.claims:draw", "claims", "datasets"),
}

TABLES = {
    "table-1": Table("assayer.tables.robustness:assumptions", ("robustness/judgements",)),
    "table-2": Table("assayer.tables.robustness:statistics", ("statistics",)),
    "table-3": Table(
        "assayer.tables.robustness:discriminative_power",
        ("robustness/discriminative-power", "robustness/as-run"),
    ),
    "summary": Table("assayer.tables.summary:summary", ("robustness/summary",)),
    "power-differences": Table(
        "assayer.tables.robustness:power_differences", ("robustness/power-differences",)
    ),
    "published": Table("assayer.tables.published:summary", ("robustness/published",)),
    "claims": Table("assayer.tables.claims:claims", ("robustness/claims",)),
}
