"""The study of robustness and discriminative power (Valcarce et al., RecSys 2018)."""

from dataclasses import replace

from rankassay.declared.columns import CORRELATION, COUNT, GAMMA, KEY, SHARE, columns
from rankassay.studies.entries import (
    AGGREGATED,
    JUDGED_ITEMS,
    MEASURED,
    Analysis,
    Figure,
    Study,
    Table,
    reads,
)

CRITERIA = {
    "sparsity": "robustness/sparsity",
    "popularity": "robustness/popularity",
    "discriminative_power": "robustness/discriminative-power",
}

ANALYSES = {
    "judgements": Analysis(
        "judgements:run",
        "What tells recommendation from retrieval (table 1).",
        reads("train", "test"),
        evaluation=("threshold",),
    ),
    "cutoff-correlation": Analysis(
        "rankassay.statistics.correlation:cutoff_correlation",
        "Correlation of the systems' orders among cut-offs.",
        reads("scores"),
        "settings:Correlations",
        ("aggregate",),
        of_cutoffs=True,
        replicated=True,
    ),
    "metric-correlation": Analysis(
        "rankassay.statistics.correlation:metric_correlation",
        "Correlation of the systems' orders among metrics.",
        reads("scores"),
        "settings:Correlations",
        ("aggregate",),
        replicated=True,
    ),
    "gains": Analysis(
        "gains:run",
        "Correlation of the systems' orders among gain functions of nDCG.",
        reads("test", "rankings"),
        "settings:Gains",
        (*AGGREGATED, "cutoffs"),
        replicated=True,
    ),
    "sparsity": Analysis(
        "rankassay.statistics.sparsity:run",
        "Robustness to missing test ratings.",
        reads("test", "rankings"),
        "settings:Sparsity",
        MEASURED,
        shared=("measures",),
        replicated=True,
    ),
    "popularity": Analysis(
        "rankassay.statistics.popularity:run",
        "Robustness to the removal of the most popular items.",
        reads("train", "test", "rankings"),
        "settings:Popularity",
        MEASURED,
        shared=("measures",),
        replicated=True,
    ),
    "unjudged-users": Analysis(
        "unjudged_users:run",
        "What dropping users without test ratings, or scoring them 0, changes.",
        reads("test", "rankings"),
        "settings:UnjudgedUsersStudy",
        MEASURED,
        shared=("levels",),
    ),
    "identical": Analysis(
        "identical:run",
        "Pairs of systems between which no metric can find a difference.",
        reads("scores", "rankings"),
        optional=("rankings",),
    ),
    "p-values": Analysis(
        "rankassay.statistics.significance:p_values",
        "Tests of all pairs of systems.",
        reads("scores", identical="robustness/identical"),
        "settings:PValues",
        shared=("measures",),
    ),
    "p-value-errors": Analysis(
        "p_value_errors:run",
        "The standard error of a p-value that is estimated from random permutations.",
        settings="settings:PValueErrors",
        constructed=True,
    ),
    "discriminative-power": Analysis(
        "rankassay.statistics.discriminative_power:run",
        "The sum of the p-values of all pairs, with its uncertainty.",
        reads("scores", p_values="robustness/p-values"),
        "settings:Power",
        shared=("measures",),
        replicated=True,
    ),
    "power-differences": Analysis(
        "rankassay.statistics.discriminative_power:power_differences",
        "Differences in discriminative power between two metrics.",
        reads("scores", p_values="robustness/p-values"),
        "settings:Power",
    ),
    "summary": Analysis(
        "rankassay.answers.criteria:summary",
        "Sparsity, popularity and power, side by side, and validity where it is known.",
        CRITERIA
        | {"split": "split/summary"}
        | {
            "validity": "validity/agreement",
            "diagnostics": "validity/diagnostics",
            "like": "validity/like",
            "sensitivity": "validity/sensitivity-winners",
            "identical": "robustness/identical",
        },
        compares=True,
        optional=("validity", "diagnostics", "like", "sensitivity", "identical"),
    ),
    "as-run-p-values": Analysis(
        "as_run_p_values:run",
        "Tests of all ordered pairs of systems as the paper's authors made them, under all "
        "settings above.",
        reads("test", "rankings"),
        "settings:AsRunPValues",
        ("threshold", "without_relevant", "metrics"),
        shared=("metrics",),
    ),
    "as-run-cutoffs": Analysis(
        "as_run_p_values:as_run_cutoffs",
        "The same tests by one metric at each cut-off.",
        reads("test", "rankings"),
        "settings:AsRunCutoffs",
        ("threshold", "without_relevant", "cutoffs"),
    ),
    "as-run-correlation": Analysis(
        "as_run_correlation:run",
        "Correlation of the systems' orders among metrics as the paper's authors computed it.",
        reads("test", "rankings"),
        "settings:AsRunCorrelation",
        ("threshold", "without_relevant", "aggregate", "metrics"),
        replicated=True,
    ),
    "as-run": Analysis(
        "as_run:run",
        "Discriminative power as the paper's authors computed it (table 3).",
        reads(
            "test",
            "rankings",
            p_values="robustness/as-run-p-values",
            identical="robustness/identical",
        ),
        "settings:AsRun",
        ("threshold", "without_relevant", "metrics"),
        shared=("metrics",),
        replicated=True,
    ),
    "families": Analysis(
        "families:run",
        "The results above without one family of the systems, to judge claims about other systems.",
        reads(
            "train",
            "test",
            "rankings",
            "scores",
            p_values="robustness/p-values",
            as_run_p_values="robustness/as-run-p-values",
            identical="robustness/identical",
        ),
        borrows={
            "cutoff_correlation": "robustness/cutoff-correlation",
            "metric_correlation": "robustness/metric-correlation",
            "gains": "robustness/gains",
            "sparsity": "robustness/sparsity",
            "popularity": "robustness/popularity",
        },
        evaluation=(*MEASURED, "cutoffs", "families"),
        optional=("train", "p_values", "as_run_p_values", "identical"),
        replicated=True,
    ),
    "published": Analysis(
        "published:run",
        "Published numbers next to measured ones.",
        reads(
            "statistics",
            "fidelity",
            figure_7="published/figure-7",
            table_3="published/table-3",
            popularity="robustness/popularity",
            discriminative_power="robustness/discriminative-power",
            as_run="robustness/as-run",
        ),
        optional=("fidelity",),
    ),
    "claims": Analysis(
        "claims:run",
        "The paper's claims, judged.",
        reads(
            "claims",
            "statistics",
            "test",
            cutoff_correlation="robustness/cutoff-correlation",
            metric_correlation="robustness/metric-correlation",
            gains="robustness/gains",
            as_run="robustness/as-run",
            families="robustness/families",
            identical="robustness/identical",
            **CRITERIA,
        ),
        compares=True,
        optional=("families", "identical", "test"),
        replicated=True,
    ),
    "constructed-claims": Analysis(
        "claims:constructed_claims",
        "The paper's claims about p-values, which need no dataset, judged.",
        reads("claims", p_value_errors="robustness/p-value-errors"),
        constructed=True,
    ),
}
# All of them: a million users and 21 systems take less than 4 GB.
ANALYSES = {name: replace(entry, holds=JUDGED_ITEMS) for name, entry in ANALYSES.items()}

STEPS = {
    "correlations": ("cutoff-correlation", "metric-correlation", "gains", "as-run-correlation"),
    "sparsity": ("judgements", "sparsity", "unjudged-users"),
    "discriminative-power": (
        *("identical", "p-values", "discriminative-power", "power-differences"),
        *("as-run-p-values", "as-run-cutoffs", "as-run"),
    ),
    "summary": ("summary", "published"),
    "constructed": ("p-value-errors", "constructed-claims"),
}

FIGURES = {
    "summary": Figure("rankassay.answers.figures:summary", "summary", "datasets"),
    "figure-1": Figure(
        "rankassay.drawing.correlation:cutoff_correlation", "cutoff-correlation", "metrics"
    ),
    "figure-2": Figure("rankassay.drawing.incomplete:sparsity", "sparsity", "metrics"),
    "figure-3": Figure("rankassay.drawing.incomplete:popularity", "popularity", "metrics"),
    "figure-4": Figure("rankassay.drawing.incomplete:p_values", "p-values", "metrics"),
    "figure-5": Figure(
        "rankassay.drawing.correlation:metric_correlation", "metric-correlation", "datasets"
    ),
    "figure-6": Figure("rankassay.drawing.incomplete:sparsity", "sparsity", "datasets"),
    "figure-7": Figure("rankassay.drawing.incomplete:popularity", "popularity", "datasets"),
    "figure-8": Figure("rankassay.drawing.incomplete:p_values", "p-values", "datasets"),
    "figure-4-as-run": Figure("figures:as_run_cutoffs", "as-run-cutoffs", "datasets"),
    "figure-5-as-run": Figure("figures:as_run_correlation", "as-run-correlation", "datasets"),
    "figure-8-as-run": Figure("figures:as_run_p_values", "as-run-p-values", "datasets"),
    "unjudged-users": Figure(
        "rankassay.drawing.incomplete:unjudged_users", "unjudged-users", "datasets"
    ),
    "claims": Figure("rankassay.claims.figure:claims", "claims", "datasets"),
}

TABLES = {
    "table-1": Table(
        "tables:judgements",
        reads(judgements="robustness/judgements", identical="robustness/identical"),
        optional=("identical",),
    ),
    "table-2": Table(
        "tables:statistics", reads("statistics", split="split/summary", removed="split/filter")
    ),
    "table-3": Table(
        "tables:discriminative_power",
        reads(
            discriminative_power="robustness/discriminative-power",
            as_run="robustness/as-run",
            identical="robustness/identical",
        ),
        optional=("as_run",),
    ),
    "summary": Table("rankassay.answers.table:summary", reads(summary="robustness/summary")),
    "power-differences": Table(
        "tables:power_differences", reads(power_differences="robustness/power-differences")
    ),
    "published": Table("table_published:published", reads(published="robustness/published")),
}

COLUMNS = {
    **columns(KEY, "lists fact what a b gain_a gain_b unjudged_users tails"),
    **columns(KEY, "like_low_bias like_high_bias"),
    **columns(
        KEY, "sensitivity_measure sensitivity_leader sensitivity_rival sensitivity_rival_item"
    ),
    **columns(CORRELATION, "like_low like_high"),
    **columns(SHARE, "like_gini like_low_gini like_high_gini"),
    **columns(COUNT, "sensitivity_hits sensitivity_hits_rival sensitivity_same sensitivity_pairs"),
    **columns(COUNT, "sensitivity_standing"),
    **columns(GAMMA, "sensitivity_gamma sensitivity_gamma_item sensitivity_default"),
}

STUDY = Study(
    "robustness",
    "The study of robustness and discriminative power (Valcarce et al., RecSys 2018).",
    "robustness and discriminative power, as in the paper",
    cutoff=100,
    featured="nDCG",
    data=("ml-1m", "librarything", "beeradvocate"),
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    evidence={"summary": "summary"},
    advice=True,
    columns=COLUMNS,
)
