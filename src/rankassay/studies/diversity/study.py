"""The study of metrics that reward diversity (Parapar and Radlinski, RecSys 2021)."""

from rankassay.declared.columns import COUNT, KEY, SHARE, columns
from rankassay.studies.entries import JUDGED_ITEMS, Analysis, Figure, Study, Table, reads

RATED = reads("train", "test", "aspects")
SYSTEMS = reads("train", "test", "rankings", "aspects")
EVALUATED = ("threshold", "profile")

ANALYSES = {
    "axioms": Analysis(
        "axioms:run",
        "Which metric satisfies which axiom, tried on random instances (table 1).",
        settings="settings:Axioms",
        shared=("metrics",),
        within=("axiom",),
        constructed=True,
    ),
    "greedy": Analysis(
        "greedy:run",
        "How near greedy ideal lists come to the best of all orders.",
        settings="settings:Greedy",
        shared=("lengths",),
        constructed=True,
    ),
    "swaps": Analysis(
        "experiments:swaps",
        "Alpha-beta-nDCG under several parameters, on ever worse lists (figure 1).",
        RATED,
        "settings:Swaps",
        ("threshold",),
        shared=("steps",),
    ),
    "perturbations": Analysis(
        "experiments:perturbations",
        "Ideal lists that are made worse step by step (experiments 1 and 2).",
        RATED,
        "settings:Perturbations",
        ("threshold",),
        shared=("steps",),
    ),
    "order-correlation": Analysis(
        "experiments:order_correlation",
        "Agreement of metrics with the order of systems made worse step by step (figure 2).",
        reads(perturbations="diversity/perturbations"),
    ),
    "incompleteness": Analysis(
        "incompleteness:run",
        "The order of shuffled ideal lists when ratings are missing (experiment 3, figure 4).",
        RATED,
        "settings:Incompleteness",
        ("threshold",),
        shared=("levels",),
    ),
    "metric-correlation": Analysis(
        "rankassay.statistics.correlation:agreement",
        "Agreement of two metrics in the ranking of systems.",
        SYSTEMS,
        "settings:MetricCorrelation",
        EVALUATED,
        valuation="systems:Systems.of",
        shared=("cutoffs",),
        replicated=True,
        holds=JUDGED_ITEMS,
    ),
    "sparsity": Analysis(
        "rankassay.statistics.sparsity:analysis",
        "Robustness to missing test ratings.",
        SYSTEMS,
        "settings:Sparsity",
        EVALUATED,
        valuation="systems:Systems.of",
        shared=("metrics",),
        replicated=True,
        holds=JUDGED_ITEMS,
    ),
    "popularity": Analysis(
        "rankassay.statistics.popularity:analysis",
        "Robustness to the removal of the most popular items.",
        SYSTEMS,
        "settings:Popularity",
        EVALUATED,
        valuation="systems:Systems.of",
        shared=("metrics",),
        replicated=True,
        holds=JUDGED_ITEMS,
    ),
    "p-values": Analysis(
        "rankassay.statistics.significance:analysis",
        "Permutation tests of all pairs of systems.",
        SYSTEMS,
        "settings:PValues",
        EVALUATED,
        valuation="systems:Systems.of",
        shared=("metrics",),
        holds=JUDGED_ITEMS,
    ),
    "discriminative-power": Analysis(
        "rankassay.statistics.discriminative_power:analysis",
        "The sum of the p-values, over the metrics and cut-offs of p-values.",
        SYSTEMS | reads(p_values="diversity/p-values"),
        "settings:DiscriminativePower",
        EVALUATED,
        valuation="systems:Systems.of",
        shared=("metrics",),
        replicated=True,
        holds=JUDGED_ITEMS,
    ),
    "summary": Analysis(
        "rankassay.answers.criteria:summary",
        "Sparsity, popularity and power, side by side.",
        reads(
            sparsity="diversity/sparsity",
            popularity="diversity/popularity",
            discriminative_power="diversity/discriminative-power",
            split="split/summary",
            identical="robustness/identical",
        ),
        compares=True,
        optional=("identical",),
    ),
    "claims": Analysis(
        "claims:run",
        "The paper's claims about data, judged.",
        reads(
            "claims",
            perturbations="diversity/perturbations",
            order_correlation="diversity/order-correlation",
            incompleteness="diversity/incompleteness",
        ),
    ),
    "constructed-claims": Analysis(
        "claims:constructed_claims",
        "The paper's claims about constructed rankings, judged.",
        reads("claims", axioms="diversity/axioms"),
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
    "figure-1": Figure("figures:swaps", "swaps", "dataset"),
    "figure-2": Figure("figures:order_correlation", "order-correlation", "dataset"),
    "figure-3": Figure("figures:perturbations", "perturbations", "dataset"),
    "figure-4": Figure("figures:incompleteness", "incompleteness", "dataset"),
    "metric-correlation": Figure(
        "rankassay.drawing.correlation:metric_correlation", "metric-correlation", "datasets"
    ),
    "sparsity": Figure("rankassay.drawing.incomplete:sparsity", "sparsity", "datasets"),
    "popularity": Figure("rankassay.drawing.incomplete:popularity", "popularity", "datasets"),
    "p-values": Figure("rankassay.drawing.incomplete:p_values", "p-values", "datasets"),
    "summary": Figure("rankassay.answers.figures:summary", "summary", "datasets"),
    "claims": Figure("rankassay.claims.figure:claims", "claims", "datasets"),
}

TABLES = {
    "table-1": Table("tables:axioms", reads(axioms="diversity/axioms")),
    "counterexamples": Table("tables:counterexamples", reads(axioms="diversity/axioms")),
    "greedy": Table("tables:greedy", reads(greedy="diversity/greedy")),
    "order-correlation": Table(
        "tables:order_correlation", reads(order_correlation="diversity/order-correlation")
    ),
    "summary": Table("rankassay.answers.table:summary", reads(summary="diversity/summary")),
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
    data=("ml-20m", "ml-1m", "ml-latest-small"),
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
