"""The study of unjudged items: how much values, and rankings of systems, depend on them."""

from rankassay.declared.columns import NUMBER, OF_PAIRS, SHARE, columns
from rankassay.studies.entries import JUDGED, JUDGED_ITEMS, Analysis, Figure, Study, Table

ANALYSES = {
    "bounds": Analysis(
        "incomplete:bounds",
        "settings:Bounded",
        evaluation=JUDGED,
        shared=("metrics",),
        holds=JUDGED_ITEMS,
    ),
    "pairs": Analysis(
        "incomplete:pairs",
        about="Pairs of systems whose order is open while items are unjudged.",
        evaluation=JUDGED,
        holds=JUDGED_ITEMS,
    ),
    "orders": Analysis(
        "incomplete:orders",
        "settings:Orders",
        evaluation=JUDGED,
        shared=("cutoffs",),
        holds=JUDGED_ITEMS,
    ),
    "claims": Analysis(
        "claims:claims",
        about="The study's claims, judged.",
        reads=("claims", "pairs", "orders"),
    ),
}

STEPS = {
    "bounds": ("bounds", "pairs", "orders"),
}

FIGURES = {
    "bounds": Figure(
        "views:bounds",
        "bounds",
        "dataset",
        "The value of each system (black) and its bounds over all judgements of the unjudged "
        "items in the first places of the lists (blue). What a pair of systems both list is "
        "judged once, so bounds can overlap although no judgement reverses the pair.",
    ),
    "metric-correlation": Figure(
        "rankassay.drawing.correlation:metric_correlation",
        "orders",
        "datasets",
        "Kendall's τ-b between the orders of the systems by metrics of usual lists, by those "
        "of condensed lists, which have no unjudged items, and by bpref and infAP, which were "
        "made for incomplete judgements.",
    ),
    "claims": Figure(
        "rankassay.claims.figure:claims",
        "claims",
        "datasets",
        "What is said of unjudged items, and what was found: whether the bounds of systems "
        "overlap, whether condensed lists give the ranking of usual ones, and where infAP and "
        "bpref stand. No paper says this.",
    ),
}

TABLES = {
    "pairs": Table(
        "views:pairs",
    ),
    "answers": Table(
        "views:answers",
        caption=(
            "Unjudged items, in short: how far they leave values undetermined, whether judging "
            "them could reverse pairs of systems, and whether lists without them give the same "
            "ranking."
        ),
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
