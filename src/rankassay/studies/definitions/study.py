"""The study of the definitions behind metrics' names (a blog post of 2017)."""

from rankassay.declared.columns import COUNT, FLAG, KEY, OF_PAIRS, RANK, SHARE, SIZE, columns
from rankassay.studies.entries import AGGREGATED, JUDGED_ITEMS, Analysis, Figure, Study, Table

ANALYSES = {
    "discrepancies": Analysis(
        "discrepancies:discrepancies",
        "settings:Discrepancies",
        evaluation=AGGREGATED,
        shared=("metrics",),
    ),
    "choices": Analysis(
        "choices:choices",
        "settings:Choices",
        evaluation=("threshold", "profile"),
        shared=("metrics",),
        within=("without_relevant",),
        holds=JUDGED_ITEMS,
    ),
    "orders": Analysis("choices:orders", "settings:Orders"),
    "labels": Analysis(
        "choices:labels",
        about="How far a user's value depends on the user's number of relevant items.",
        evaluation=("threshold", "profile"),
        shared=("metrics",),
        holds=JUDGED_ITEMS,
    ),
    "reciprocal-ranks": Analysis(
        "choices:reciprocal_ranks",
        about="The mean reciprocal rank, and the version of it that the blog post calls wrong.",
        evaluation=(*AGGREGATED, "cutoffs"),
        holds=JUDGED_ITEMS,
    ),
    "examples": Analysis(
        "examples:examples",
        about="The blog post's tables of values.",
        of={"examples": "published/examples"},
        constructed=True,
    ),
    "claims": Analysis(
        "claims:claims",
        about="The study's claims about data, judged.",
        reads=("claims", "orders", "labels"),
    ),
    "constructed-claims": Analysis(
        "claims:constructed_claims",
        about="The study's claims about constructed rankings, judged.",
        reads=("claims", "examples"),
        constructed=True,
    ),
}

STEPS = {
    "choices": ("discrepancies", "choices", "orders", "labels"),
    "constructed": ("examples", "constructed-claims"),
}

FIGURES = {
    "values": Figure(
        "figures:values",
        "discrepancies",
        "dataset",
        "The same lists of the same systems, evaluated under every definition that goes by the "
        "same name: one panel per metric, one row per source (a set of definitions, or another "
        "library), one line per system. Where the lines bend, the sources mean different "
        "things by the metric; a coloured dot is a system in another place than under the "
        "reference. Beside each row are Kendall's τ with the order of the systems under the "
        "reference, and the number of pairs of systems reversed. The table says which choice "
        "makes each difference.",
    ),
    "turned": Figure(
        "figures:turned",
        "orders",
        "datasets",
        "Does a definition decide which system is significantly better? For each metric, a "
        "matrix compares its definitions with one another, on the same lists of the same "
        "systems. Above the diagonal stands the number of pairs of systems for which a paired "
        "permutation test (at the setting `alpha`, .05 unless changed) finds one order under "
        "one definition and the opposite order under the other; the number below it counts all "
        "pairs in opposite order. Below the diagonal is the ratio of the values. The diagonal "
        "gives the pairs reversed when users without relevant items are left out of the means "
        "instead of counted. A number above zero means that two papers could report a metric "
        "by the same name and contradict each other, both with significance.",
    ),
    "places": Figure(
        "figures:places",
        "discrepancies",
        "dataset",
        "Does the definition of a metric decide which system is better? Each line is a system, "
        "with its place (1 is the best) under every source. Where lines cross, systems change "
        "their order. Beside each row are Kendall's τ with the order under the reference, and "
        "the number of pairs of systems reversed.",
    ),
}

TABLES = {
    "discrepancies": Table("tables:discrepancies"),
    "choices": Table("tables:choices"),
    "reciprocal-ranks": Table("tables:reciprocal_ranks"),
    "examples": Table("tables:examples"),
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
    section="settings:Section",
    data=("ml-1m", "librarything", "beeradvocate"),
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
