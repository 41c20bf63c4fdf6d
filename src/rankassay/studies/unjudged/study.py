"""The study of unjudged items: how much values, and rankings of systems, depend on them."""

from rankassay.declared.columns import NUMBER, OF_PAIRS, SHARE, columns
from rankassay.studies.entries import JUDGED_ITEMS, Analysis, Figure, Study, Table, reads

JUDGED = ("threshold", "profile", "without_relevant")

ANALYSES = {
    "bounds": Analysis(
        "bounds:bounds",
        "The least and the greatest value of each system over all judgements of unjudged items.",
        reads("test", "rankings"),
        "settings:Bounded",
        JUDGED,
        shared=("metrics",),
        holds=JUDGED_ITEMS,
    ),
    "pairs": Analysis(
        "pairs:pairs",
        "Pairs of systems whose order is open while items are unjudged.",
        reads("test", "rankings", bounds="unjudged/bounds"),
        evaluation=JUDGED,
        holds=JUDGED_ITEMS,
    ),
    "orders": Analysis(
        "orders:orders",
        "Correlation of the rankings under usual lists, condensed lists, infAP and bpref.",
        reads("test", "rankings"),
        "settings:Orders",
        JUDGED,
        shared=("cutoffs",),
        replicated=True,
        holds=JUDGED_ITEMS,
    ),
    "claims": Analysis(
        "claims:run",
        "The study's claims, judged.",
        reads("claims", pairs="unjudged/pairs", orders="unjudged/orders"),
        compares=True,
    ),
}

STEPS = {
    "bounds": ("bounds", "pairs", "orders"),
}

FIGURES = {
    "bounds": Figure("figures:bounds", "bounds", "dataset"),
    "metric-correlation": Figure(
        "rankassay.drawing.correlation:metric_correlation", "orders", "datasets"
    ),
    "claims": Figure("rankassay.claims.figure:claims", "claims", "datasets"),
}

TABLES = {
    "pairs": Table("tables:pairs", reads(pairs="unjudged/pairs")),
    "answers": Table(
        "table_answers:answers",
        reads(pairs="unjudged/pairs", orders="unjudged/orders"),
        optional=("pairs", "orders"),
    ),
}

COLUMNS = {
    **columns(OF_PAIRS, "overlapping open"),
    **columns(SHARE, "overlapping_share open_share"),
    **columns(NUMBER, "least greatest residual spread"),
}

STUDY = Study(
    "unjudged",
    "The study of unjudged items: how much values and rankings of systems depend on them.",
    "unjudged items",
    cutoff=10,
    data=("ml-1m", "ml-100k"),
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
