"""The study of an atlas of datasets: which findings of a paper hold beyond its own data?"""

from rankassay.declared.columns import COUNT, FLAG, KEY, NUMBER, SHARE, SIZE, columns
from rankassay.studies.entries import Analysis, Figure, Study, Table

ANALYSES = {
    "findings": Analysis(
        "across:findings",
        about="The number that decides each finding of the paper on each dataset.",
        of={"verdicts": "robustness/claims"},
        across=True,
    ),
    "conclusions": Analysis(
        "across:conclusions",
        about=(
            "Which findings are general: the verdicts over all datasets, one source counting once."
        ),
        across=True,
    ),
    "datasets": Analysis(
        "across:datasets",
        about="What the datasets are like.",
        of={"split": "split/summary", "summary": "robustness/summary"},
        across=True,
    ),
    "places": Analysis(
        "across:places",
        about="The places of the metrics on each dataset, by each criterion.",
        of={"summary": "robustness/summary"},
        across=True,
    ),
    "metrics-across": Analysis(
        "rankassay.answers.across:metrics_across",
        about=(
            "The ranks of the metrics by each criterion across the datasets, and whether "
            "they differ."
        ),
        of={
            "discriminative_power": "robustness/discriminative-power",
            "summary": "robustness/summary",
        },
        across=True,
    ),
}

FIGURES = {
    "findings": Figure(
        "views:findings",
        "findings",
        "across",
        "The verdict on each finding of the paper (a sentence of it) on each dataset, where "
        "the systems are the same and users are drawn anew, with settings chosen by "
        "validation. A corner shows the verdict with the systems' usual settings, where it "
        "differs. The last column is about all datasets: where datasets, a source at a time, "
        "and systems, a family at a time, are drawn anew. One number decides a finding, and "
        "those that need a published number take no part. The paper reports findings with a † "
        "for LibraryThing or BeerAdvocate alone.",
    ),
    "metrics-across": Figure(
        "rankassay.answers.figures:metrics_across",
        "metrics-across",
        "across",
        "Metrics across datasets: their average ranks by each criterion over the sources of "
        "the data, 1 is the best. Datasets of one source count as one. The ranks describe "
        "these datasets; the sentences below the table say whether the metrics differ "
        "significantly.",
    ),
}

TABLES = {
    "conclusions": Table("views:conclusions"),
    "findings": Table("views:findings_table"),
    "datasets": Table("views:datasets"),
    "places": Table("views:places"),
    "metrics-across": Table("rankassay.answers.tables:metrics_across"),
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
