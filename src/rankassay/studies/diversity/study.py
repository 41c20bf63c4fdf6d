"""The study of metrics that reward diversity (Parapar and Radlinski, RecSys 2021)."""

from rankassay.declared.columns import COUNT, KEY, SHARE, columns
from rankassay.studies.entries import JUDGED_ITEMS, Analysis, Figure, Study, Table

ANALYSES = {
    "axioms": Analysis(
        "constructed:axioms",
        "settings:Axioms",
        constructed=True,
        shared=("metrics",),
        within=("axiom",),
    ),
    "greedy": Analysis(
        "constructed:greedy",
        about="How near greedy ideal lists come to the best of all orders.",
        constructed=True,
    ),
    "swaps": Analysis(
        "ideal:swaps",
        "settings:Swaps",
        reads=("train", "test", "aspects"),
        evaluation=("threshold",),
    ),
    "perturbations": Analysis(
        "ideal:perturbations",
        "settings:Perturbations",
        evaluation=("threshold",),
        shared=("steps",),
    ),
    "order-correlation": Analysis(
        "ideal:order_correlation",
        about="Agreement of metrics with the order of systems made worse step by step (figure 2).",
    ),
    "incompleteness": Analysis(
        "incompleteness:run",
        "settings:Incompleteness",
        evaluation=("threshold",),
        shared=("levels",),
    ),
    "metric-correlation": Analysis(
        "rankassay.statistics.correlation:agreement",
        about="Agreement of two metrics in the ranking of systems.",
        evaluation=("threshold", "profile"),
        shared=("cutoffs",),
        holds=JUDGED_ITEMS,
        valuation="systems:Systems.of",
    ),
    "sparsity": Analysis(
        "rankassay.statistics.incomplete:sparsity_bias_of",
        "settings:Sparsity",
        evaluation=("threshold", "profile"),
        shared=("metrics",),
        holds=JUDGED_ITEMS,
        valuation="systems:Systems.of",
    ),
    "popularity": Analysis(
        "rankassay.statistics.incomplete:popularity_bias_of",
        "settings:Popularity",
        evaluation=("threshold", "profile"),
        shared=("metrics",),
        holds=JUDGED_ITEMS,
        valuation="systems:Systems.of",
    ),
    "p-values": Analysis(
        "rankassay.statistics.significance:analysis",
        "settings:PValues",
        evaluation=("threshold", "profile"),
        shared=("metrics",),
        holds=JUDGED_ITEMS,
        valuation="systems:Systems.of",
    ),
    "discriminative-power": Analysis(
        "rankassay.statistics.discriminative_power:analysis",
        about="The sum of the p-values, over the metrics and cut-offs of p-values.",
        always=("p_values",),
        evaluation=("threshold", "profile"),
        shared=("metrics",),
        holds=JUDGED_ITEMS,
        valuation="systems:Systems.of",
    ),
    "summary": Analysis(
        "rankassay.answers.criteria:summary",
        about="Sparsity, popularity and power, side by side.",
        of={"split": "split/summary", "identical": "robustness/identical"},
    ),
    "claims": Analysis(
        "claims:claims",
        about="The paper's claims about data, judged.",
        reads=("claims", "perturbations", "order_correlation", "incompleteness"),
    ),
    "constructed-claims": Analysis(
        "claims:constructed_claims",
        about="The paper's claims about constructed rankings, judged.",
        reads=("claims", "axioms"),
        constructed=True,
    ),
}

STEPS = {
    "constructed": ("axioms", "greedy", "constructed-claims"),
    "perturbations": ("swaps", "perturbations", "order-correlation", "incompleteness"),
    "robustness": ("sparsity", "popularity"),
    "discriminative-power": ("p-values", "discriminative-power"),
    "claims": ("summary", "claims"),
}

FIGURES = {
    "figure-1": Figure(
        "views:figure_1",
        "swaps",
        "dataset",
        "αβ-nDCG of the ideal lists, and of lists in which more and more items are swapped "
        "from the bottom to the top, for several values of its parameters (figure 1 of the "
        "paper). The more items are swapped, the lower the value of a good metric; it cannot "
        "see swaps beyond the cut-off. The right panel shows by how much each definition "
        "differs from the paper's.",
    ),
    "figure-2": Figure(
        "views:figure_2",
        "order-correlation",
        "dataset",
        "Does a metric rank systems correctly that are made worse step by step? Kendall's τ "
        "with the true order, where 1 is perfect (figure 2 of the paper). Left, items from the "
        "bottom are swapped to the top; middle, one aspect continues where another should "
        "follow; right, the list begins with an aspect that the user likes less. Where a "
        "metric gives all systems the same value, there is no order.",
    ),
    "figure-3": Figure(
        "views:figure_3",
        "perturbations",
        "dataset",
        "Does each system that was made worse differ significantly from the ideal one? "
        "Wilcoxon's one-sided p-value (figure 3 of the paper). The paper's null hypothesis "
        "is that the system is worse: p near 1 means that the metric sees the loss, p near 0 "
        "that it takes the loss for a gain. Gaps are systems in which no user's value changes. "
        "Where no metric has a p-value below 0.5, the lines lie together and the least p-value "
        "is written in the panel.",
    ),
    "figure-4": Figure(
        "views:figure_4",
        "incompleteness",
        "dataset",
        "Is αβ-nDCG robust to missing ratings on random shuffles of the ideal lists (figure 4 "
        "of the paper)? Lines are Kendall's τ with the order by all ratings, averaged over "
        "random removals that take the same share of every aspect. Bands hold 95 % of the "
        "removals. The shuffles differ only by chance, so their order is easy to disturb.",
    ),
    "metric-correlation": Figure(
        "rankassay.drawing.correlation:metric_correlation",
        "metric-correlation",
        "datasets",
        "Beyond the paper: do metrics of diversity and of accuracy rank the recommenders "
        "alike? Kendall's τ between the orders at the same cut-off.",
    ),
    "sparsity": Figure(
        "rankassay.drawing.incomplete:sparsity",
        "sparsity",
        "datasets",
        "Beyond the paper: are metrics of diversity and of accuracy robust to sparsity (test "
        "ratings missing at random)? Kendall's τ with the order on the whole test set; the "
        "intervals or bands hold 95 % of the random parts. These are the setting `samples` (5 "
        "unless changed), the first of those of the robustness study (50 unless changed), so "
        "that its means differ somewhat.",
    ),
    "popularity": Figure(
        "rankassay.drawing.incomplete:popularity",
        "popularity",
        "datasets",
        "Beyond the paper: are metrics of diversity and of accuracy robust to popularity bias? "
        "Kendall's τ with the order on all items. S-Recall reads no judgements, so only the "
        "users in its mean change.",
    ),
    "p-values": Figure(
        "rankassay.drawing.incomplete:p_values",
        "p-values",
        "datasets",
        "Beyond the paper: the p-values of all pairs of different recommenders by metrics of "
        "diversity and of accuracy, from the largest to the smallest. The closer a curve is to "
        "the origin, the higher the discriminative power of the metric.",
    ),
    "summary": Figure(
        "rankassay.answers.figures:summary",
        "summary",
        "datasets",
        "Beyond the paper: metrics of diversity and of accuracy by the three criteria of the "
        "robustness study, on the same recommenders. S-Recall reads no test ratings, so it "
        "takes no part in the ranks. Their loss changes it only because users without any are "
        "excluded.",
    ),
    "claims": Figure(
        "rankassay.claims.figure:claims",
        "claims",
        "datasets",
        "What the paper claims about the metrics' behaviour on data, and what was measured. "
        "The paper's data is MovieLens 20M.",
    ),
}

TABLES = {
    "table-1": Table("views:axioms"),
    "counterexamples": Table("views:counterexamples"),
    "greedy": Table("views:greedy"),
    "order-correlation": Table("views:order_correlation"),
    "summary": Table("rankassay.answers.tables:summary"),
}

COLUMNS = {
    **columns(KEY, "axiom counterexample alternative"),
    **columns(COUNT, "satisfied best distinct reversals"),
    **columns(SHARE, "lowest beta"),
}

STUDY = Study(
    "diversity",
    "The study of metrics that reward diversity (Parapar and Radlinski, RecSys 2021).",
    "metrics of diversity",
    cutoff=10,
    section="settings:Section",
    data=("ml-20m", "ml-1m", "ml-latest-small"),
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
