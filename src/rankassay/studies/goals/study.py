"""The study of goals and classification metrics (Schröder et al., UCERSTI 2011)."""

from rankassay.declared.columns import COUNT, KEY, SHARE, columns
from rankassay.studies.entries import (
    AGGREGATED,
    JUDGED,
    JUDGED_ITEMS,
    Analysis,
    Figure,
    Study,
    Table,
)

ANALYSES = {
    "examples": Analysis(
        "constructed:examples",
        about="Metrics on the constructed rankings of figures 1 to 4.",
        constructed=True,
    ),
    "roc": Analysis("constructed:roc", about="The ROC curve of figure 5.", constructed=True),
    "properties": Analysis(
        "constructed:properties",
        about="The paper's statements, tried on all rankings of eight items.",
        constructed=True,
    ),
    "bias": Analysis(
        "constructed:bias",
        about="How far metrics depend on the share of relevant items.",
        constructed=True,
    ),
    "groups": Analysis(
        "measured:groups",
        "settings:Groups",
        evaluation=("threshold", "profile"),
        shared=("metrics",),
        holds=JUDGED_ITEMS,
    ),
    "bias-measured": Analysis(
        "measured:bias_measured",
        "settings:BiasMeasured",
        evaluation=("threshold", "profile"),
        shared=("metrics",),
        holds=JUDGED_ITEMS,
    ),
    "metric-correlation": Analysis(
        "rankassay.statistics.correlation:agreement",
        about="Agreement of two metrics in the ranking of systems.",
        evaluation=AGGREGATED,
        shared=("cutoffs",),
        holds=JUDGED_ITEMS,
        valuation="systems:systems",
    ),
    "sparsity": Analysis(
        "rankassay.statistics.incomplete:sparsity_bias_of",
        "settings:Sparsity",
        evaluation=AGGREGATED,
        shared=("metrics",),
        holds=JUDGED_ITEMS,
        valuation="systems:systems",
    ),
    "popularity": Analysis(
        "rankassay.statistics.incomplete:popularity_bias_of",
        "settings:Popularity",
        evaluation=AGGREGATED,
        shared=("metrics",),
        holds=JUDGED_ITEMS,
        valuation="systems:systems",
    ),
    "discriminative-power": Analysis(
        "rankassay.statistics.discriminative_power:analysis",
        "settings:DiscriminativePower",
        evaluation=JUDGED,
        shared=("metrics",),
        holds=JUDGED_ITEMS,
        valuation="systems:systems",
    ),
    "summary": Analysis(
        "rankassay.answers.criteria:summary",
        about="Sparsity, popularity and power, side by side.",
        of={"split": "split/summary", "identical": "robustness/identical"},
    ),
    "claims": Analysis(
        "rankassay.claims.judge:claims",
        about="The paper's claims about data, judged.",
        reads=(
            "claims",
            "bias_measured",
            "metric_correlation",
            "sparsity",
            "popularity",
            "discriminative_power",
        ),
    ),
    "constructed-claims": Analysis(
        "claims:constructed_claims",
        about="The paper's claims about constructed rankings, judged.",
        reads=("claims", "examples", "bias", "properties"),
        constructed=True,
    ),
}

STEPS = {
    "constructed": ("examples", "roc", "properties", "bias", "constructed-claims"),
    "correlations": ("groups", "bias-measured", "metric-correlation"),
    "robustness": ("sparsity", "popularity"),
    "claims": ("summary", "claims"),
}

FIGURES = {
    "figure-1": Figure(
        "views:figure_1",
        "examples",
        "constructed",
        "Figure 1 of the paper: one ranking, its relevant items dark, and all metrics for "
        "lists of one item, two items, and so on (framed). The paper shows its ranking only as "
        "a picture; this one is reconstructed. Precision alone would prefer the "
        "shortest list, and recall the longest; markedness, informedness and their correlation "
        "fall to 0 for a list of everything. GMAP, HMAP and QMAP are the geometric, harmonic "
        "and quadratic mean of the precisions at the relevant items. The first two are near 0 "
        "until the list holds all of them: a relevant item beyond the list counts as a "
        "precision of .00001.",
    ),
    "figure-2": Figure(
        "views:figure_2",
        "examples",
        "constructed",
        "Figure 2 of the paper: one relevant item at each place, and lists of one length. "
        "Metrics of the list as a set only see whether the item is in it; average precision "
        "weighs the top most; AUC weighs all places the same; LAUC does so within the list and "
        "ignores what comes after it. Limited τ, Kendall's τ-b between the order of the list "
        "and relevance, does as LAUC does. With one relevant item all means of the precisions "
        "are equal.",
    ),
    "figure-3": Figure(
        "views:figure_3",
        "examples",
        "constructed",
        "Figure 3 of the paper: lists of one length out of ten items, one to nine of them "
        "relevant, by a perfect recommender (left ranking, solid lines) and an inverse one "
        "(right, dashed). The dotted lines, not in the paper, are the mean over all rankings, "
        "which is chance. Where a dotted line is not level, the metric's value depends on how "
        "many items are relevant. Where a dashed line reaches higher than the solid line lies "
        "elsewhere, the value alone does not tell the best recommender from the worst.",
    ),
    "figure-4": Figure(
        "views:figure_4",
        "examples",
        "constructed",
        "Figure 4 of the paper: three relevant items at varying places, and lists of four. The "
        "paper shows the rankings only as pictures. Ours are reconstructed so that each "
        "differs from an earlier one in a respect that the text mentions: all relevant items "
        "in the list in two orders, a swap at its top and one at its bottom, and changes "
        "beyond its end.",
    ),
    "figure-5": Figure(
        "views:figure_5",
        "roc",
        "constructed",
        "Figure 5 of the paper: the ROC curve of a ranking, and the limited curve, which "
        "follows it to the end of the list and from there goes straight to (1, 1), as if the "
        "items not listed came in random order. The area below it is LAUC. The paper shows its "
        "ranking only as a picture; this one is that of figure 1.",
    ),
    "bias": Figure(
        "views:groups",
        "groups",
        "dataset",
        "The paper's argument on data: users are grouped by the number of their relevant items "
        "(the fewest on the left), and every metric is averaged over each group, for each "
        "system (grey) and over the systems (in colour). Where the coloured line rises or "
        "falls by more than the grey lines lie apart, a metric says more about the users than "
        "about the systems.",
    ),
    "metric-correlation": Figure(
        "rankassay.drawing.correlation:metric_correlation",
        "metric-correlation",
        "datasets",
        "Kendall's τ between the orders of the systems by all pairs of metrics: those of the "
        "robustness study and those that the paper proposes. With thousands of items, nearly "
        "everything that is not listed is irrelevant. Inverse precision and inverse recall are "
        "then almost 1, and markedness ranks the systems as precision does, informedness as "
        "recall does.",
    ),
    "summary": Figure(
        "rankassay.answers.figures:summary",
        "summary",
        "datasets",
        "Which metric can be trusted? The metrics that the paper proposes, next to those of "
        "the robustness study, by robustness to sparsity and to popularity and by "
        "discriminative power. The levels are fewer than there: means over levels differ, and "
        "what is measured at one level does not.",
    ),
}

TABLES = {
    "examples": Table(
        "views:examples",
    ),
    "properties": Table(
        "views:properties",
    ),
    "bias": Table("views:bias"),
    "summary": Table("rankassay.answers.tables:summary"),
}

COLUMNS = {
    **columns(KEY, "figure example recommender property statement curve"),
    **columns(COUNT, "relevant exceptions"),
    **columns(SHARE, "share fallout recall area"),
}

STUDY = Study(
    "goals",
    "The study of goals and classification metrics (Schröder et al., UCERSTI 2011).",
    "goals of metrics",
    cutoff=10,
    section="settings:Section",
    data=("ml-1m", "librarything", "beeradvocate"),
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    evidence={"summary": "summary"},
    columns=COLUMNS,
)
