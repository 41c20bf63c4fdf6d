"""The study of an atlas of datasets: which findings of a paper hold beyond its own data?"""

from rankassay.declared.columns import COUNT, FLAG, KEY, NUMBER, SHARE, SIZE, columns
from rankassay.studies.entries import Analysis, Figure, Study, Table, reads

ANALYSES = {
    "findings": Analysis(
        "findings:findings",
        "The number that decides each finding of the paper on each dataset.",
        reads(verdicts="robustness/claims"),
        across=True,
        runs=True,
    ),
    "conclusions": Analysis(
        "findings:conclusions",
        "Which findings are general: the verdicts over all datasets, one source counting once.",
        reads(findings="atlas/findings"),
        across=True,
    ),
    "datasets": Analysis(
        "datasets:datasets",
        "What the datasets are like.",
        reads(split="split/summary", summary="robustness/summary"),
        across=True,
        runs=True,
    ),
    "places": Analysis(
        "places:places",
        "The places of the metrics on each dataset, by each criterion.",
        reads(summary="robustness/summary"),
        across=True,
    ),
    "metrics-across": Analysis(
        "rankassay.answers.across:metrics_across",
        "The ranks of the metrics by each criterion across the datasets, and whether they differ.",
        reads(
            discriminative_power="robustness/discriminative-power",
            summary="robustness/summary",
        ),
        "rankassay.studies.settings:MetricsAcross",
        across=True,
        runs=True,
        optional=("summary",),
    ),
}

FIGURES = {
    "findings": Figure("figures:findings", "findings", "across"),
    "metrics-across": Figure(
        "rankassay.answers.figures:metrics_across", "metrics-across", "across"
    ),
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
    **columns(KEY, "dataset title source settings sentence says said_in id claim expected"),
    **columns(KEY, "predicate reproduced general over_all verdict_without"),
    **columns(FLAG, "elsewhere implicit holds"),
    **columns(COUNT, "datasets hold deciding test_ratings"),
    **columns(SHARE, "density"),
    **columns(SIZE, "margin"),
    **columns(NUMBER, "bound least greatest"),
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
