"""The study of robustness and discriminative power (Valcarce et al., RecSys 2018)."""

from assayer.studies.entries import Analysis, Figure, Table

ANALYSES = {
    "judgements": Analysis("assayer.studies.robustness.judgements:run", ("train", "test")),
    "cutoff-correlation": Analysis(
        "assayer.statistics.correlation:cutoffs", ("scores",), replicated=True
    ),
    "metric-correlation": Analysis(
        "assayer.statistics.correlation:metrics", ("scores",), replicated=True
    ),
    "sparsity": Analysis(
        "assayer.statistics.sparsity:run", ("test", "rankings"), by_measure=True, replicated=True
    ),
    "popularity": Analysis(
        "assayer.statistics.popularity:run",
        ("train", "test", "rankings"),
        by_measure=True,
        replicated=True,
    ),
    "unjudged-users": Analysis(
        "assayer.studies.robustness.unjudged_users:run", ("test", "rankings")
    ),
    "p-values": Analysis("assayer.statistics.significance:run", ("scores",), by_measure=True),
    "discriminative-power": Analysis(
        "assayer.statistics.discriminative_power:run",
        ("scores", "robustness/p-values"),
        by_measure=True,
        replicated=True,
    ),
    "power-differences": Analysis(
        "assayer.statistics.discriminative_power:differences", ("scores", "robustness/p-values")
    ),
    "summary": Analysis(
        "assayer.summary.criteria:run",
        ("robustness/sparsity", "robustness/popularity", "robustness/discriminative-power"),
        compares=True,
    ),
    "as-run": Analysis(
        "assayer.studies.robustness.as_run:run", ("test", "rankings"), replicated=True
    ),
    "published": Analysis(
        "assayer.studies.robustness.published:run",
        (
            *("statistics", "fidelity", "published/figure-7", "published/table-3"),
            *("robustness/popularity", "robustness/discriminative-power", "robustness/as-run"),
        ),
    ),
    "claims": Analysis(
        "assayer.studies.robustness.claims:run",
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
    "summary": Figure("assayer.summary.figure:draw", "summary", "datasets"),
    "figure-1": Figure("assayer.drawing.correlation:cutoffs", "cutoff-correlation", "metrics"),
    "figure-2": Figure("assayer.drawing.robustness:sparsity", "sparsity", "metrics"),
    "figure-3": Figure("assayer.drawing.robustness:popularity", "popularity", "metrics"),
    "figure-4": Figure("assayer.drawing.p_values:draw", "p-values", "metrics"),
    "figure-5": Figure("assayer.drawing.correlation:metrics", "metric-correlation", "datasets"),
    "figure-6": Figure("assayer.drawing.robustness:sparsity", "sparsity", "datasets"),
    "figure-7": Figure("assayer.drawing.robustness:popularity", "popularity", "datasets"),
    "figure-8": Figure("assayer.drawing.p_values:draw", "p-values", "datasets"),
    "unjudged-users": Figure(
        "assayer.drawing.robustness:unjudged_users", "unjudged-users", "datasets"
    ),
    "claims": Figure("assayer.claims.figure:draw", "claims", "datasets"),
}

TABLES = {
    "table-1": Table("assayer.studies.robustness.tables:assumptions", ("robustness/judgements",)),
    "table-2": Table("assayer.studies.robustness.tables:statistics", ("statistics",)),
    "table-3": Table(
        "assayer.studies.robustness.tables:discriminative_power",
        ("robustness/discriminative-power", "robustness/as-run"),
    ),
    "summary": Table("assayer.summary.table:summary", ("robustness/summary",)),
    "power-differences": Table(
        "assayer.studies.robustness.tables:power_differences", ("robustness/power-differences",)
    ),
    "published": Table(
        "assayer.studies.robustness.table_published:summary", ("robustness/published",)
    ),
    "claims": Table("assayer.claims.table:claims", ("robustness/claims",)),
}
