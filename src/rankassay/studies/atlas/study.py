"""The study of an atlas of datasets: which findings of a paper hold beyond its own data?"""

from rankassay.declared.columns import COUNT, FLAG, KEY, P_VALUE, SHARE, SIZE, columns
from rankassay.studies.entries import Analysis, Figure, Study, Table, reads

ANALYSES = {
    "findings": Analysis(
        "findings:findings",
        "The verdict on each finding of the paper on each dataset.",
        reads(verdicts="robustness/claims"),
        across=True,
        runs=True,
    ),
    "datasets": Analysis(
        "datasets:datasets",
        "What the datasets are like, and how many findings hold on each.",
        reads(split="split/summary", summary="robustness/summary", findings="atlas/findings"),
        across=True,
        runs=True,
    ),
    "conclusions": Analysis(
        "conclusions:conclusions",
        "What is general, and what is not, in sentences.",
        reads(findings="atlas/findings", datasets="atlas/datasets"),
        "settings:Conclusions",
        across=True,
    ),
    "places": Analysis(
        "places:places",
        "The places of the metrics on each dataset, by each criterion.",
        reads(summary="robustness/summary"),
        across=True,
    ),
    "metrics-across": Analysis(
        "rankassay.answers.across:metrics_across",
        "Which metrics are more robust, discriminative or valid across the datasets.",
        reads(
            discriminative_power="robustness/discriminative-power",
            summary="robustness/summary",
        ),
        "rankassay.studies.settings:Across",
        across=True,
        optional=("summary",),
    ),
}

FIGURES = {
    "findings": Figure("figures:findings", "findings", "across"),
    "metrics-across": Figure(
        "rankassay.answers.figures_across:metrics_across", "metrics-across", "across"
    ),
    "predictors": Figure("figures:predictors", "datasets", "across"),
}

TABLES = {
    "conclusions": Table("tables:conclusions", reads(conclusions="atlas/conclusions")),
    "findings": Table("tables:findings", reads(findings="atlas/findings")),
    "datasets": Table("tables:datasets", reads(datasets="atlas/datasets")),
    "places": Table("tables:places", reads(places="atlas/places")),
    "metrics-across": Table(
        "rankassay.answers.tables_across:metrics_across",
        reads(metrics_across="atlas/metrics-across"),
    ),
}

COLUMNS = {
    **columns(
        KEY,
        "dataset verdict title sentence says said_in outcome own settings other conclusion kind",
    ),
    **columns(KEY, "fails_on changed_on number"),
    **columns(FLAG, "elsewhere holds_other implicit"),
    **columns(COUNT, "rows rows_hold test_ratings findings hold uncertain fail lacking changed"),
    **columns(COUNT, "holds_source n_source holds_others n_others"),
    **columns(SHARE, "density probably probably_equivalent"),
    **columns(P_VALUE, "p_friedman p_nemenyi"),
    **columns(SIZE, "critical_difference"),
}

STUDY = Study(
    "atlas",
    "The atlas: which findings of Valcarce et al. (RecSys 2018) hold on other datasets.",
    "the atlas, findings across datasets",
    cutoff=10,
    data=("ml-1m",),
    evidence={"conclusions": "conclusions"},
    analyses=ANALYSES,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
