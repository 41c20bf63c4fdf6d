"""The study of the definitions behind metrics' names (a blog post of 2017)."""

from rankassay.declared.columns import COUNT, FLAG, KEY, OF_PAIRS, RANK, SHARE, SIZE, columns
from rankassay.studies.entries import (
    AGGREGATED,
    JUDGED_ITEMS,
    Analysis,
    Figure,
    Study,
    Table,
    reads,
)

ANALYSES = {
    "discrepancies": Analysis(
        "discrepancies:run",
        "The same runs under every profile, and with other libraries.",
        reads("test", "rankings"),
        "settings:Discrepancies",
        AGGREGATED,
        shared=("metrics",),
    ),
    "choices": Analysis(
        "choices:run",
        "Definitions of one metric, and the conclusions that they reverse.",
        reads("test", "rankings"),
        "settings:Choices",
        ("threshold", "profile"),
        shared=("metrics",),
        within=("without_relevant",),
        holds=JUDGED_ITEMS,
    ),
    "orders": Analysis(
        "choices:orders",
        "How the systems are ordered under each definition.",
        reads(choices="definitions/choices"),
        "settings:Orders",
    ),
    "labels": Analysis(
        "choices:labels",
        "How far a user's value depends on the user's number of relevant items.",
        reads("test", "rankings"),
        "settings:Labels",
        ("threshold", "profile"),
        shared=("metrics",),
        holds=JUDGED_ITEMS,
    ),
    "reciprocal-ranks": Analysis(
        "reciprocal_ranks:run",
        "The mean reciprocal rank, and the version of it that the blog post calls wrong.",
        reads("test", "rankings"),
        evaluation=(*AGGREGATED, "cutoffs"),
        holds=JUDGED_ITEMS,
    ),
    "examples": Analysis(
        "examples:run",
        "The blog post's tables of values.",
        reads(examples="published/examples"),
        constructed=True,
    ),
    "claims": Analysis(
        "claims:run",
        "The study's claims about data, judged.",
        reads("claims", orders="definitions/orders", labels="definitions/labels"),
    ),
    "constructed-claims": Analysis(
        "claims:constructed_claims",
        "The study's claims about constructed rankings, judged.",
        reads("claims", examples="definitions/examples"),
        constructed=True,
    ),
}

STEPS = {
    "choices": ("discrepancies", "choices", "orders", "labels"),
    "constructed": ("examples", "constructed-claims"),
}

COLUMNS = {
    **columns(KEY, "quantity user printed without_relevant source version same_as reason pair"),
    **columns(COUNT, "differing unexplained reordered"),
    **columns(OF_PAIRS, "turned turned_significantly turned_adjusted"),
    **columns(RANK, "place_first place_all"),
    **columns(SHARE, "empty_share first all"),
    **columns(SIZE, "max_difference ratio"),
    **columns(FLAG, "agrees"),
}

STUDY = Study(
    "definitions",
    "The study of what the names of metrics stand for (a blog post of 2017).",
    "what goes by a metric's name",
    cutoff=10,
    data=("ml-1m", "librarything", "beeradvocate"),
    analyses=ANALYSES,
    steps=STEPS,
    figures={
        "values": Figure("figures:values", "discrepancies", "dataset"),
        "turned": Figure("figure_turned:turned", "orders", "datasets"),
        "places": Figure("figures:places", "discrepancies", "dataset"),
    },
    tables={
        "discrepancies": Table(
            "tables:discrepancies", reads(discrepancies="definitions/discrepancies")
        ),
        "choices": Table(
            "table_choices:choices",
            reads(orders="definitions/orders", labels="definitions/labels"),
        ),
        "reciprocal-ranks": Table(
            "table_reciprocal_ranks:reciprocal_ranks",
            reads(reciprocal_ranks="definitions/reciprocal-ranks"),
        ),
        "examples": Table("table_examples:examples", reads(examples="definitions/examples")),
    },
    columns=COLUMNS,
)
