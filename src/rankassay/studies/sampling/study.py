"""The study of metrics on a sample of the items (Rendle, 2019)."""

from rankassay.declared.columns import CORRELATION, COUNT, KEY, OF_PAIRS, SHARE, SIZE, columns
from rankassay.studies.entries import JUDGED_ITEMS, Analysis, Figure, Study, Table, reads

SYSTEMS = reads("train", "test", "rankings")

ANALYSES = {
    "curves": Analysis(
        "constructed:curves",
        "Every metric at every rank (figure 1).",
        settings="settings:Curves",
        constructed=True,
    ),
    "example": Analysis(
        "constructed:example",
        "The paper's example, in closed form and by simulation (sections 3.2 and 4.3).",
        settings="settings:Example",
        constructed=True,
    ),
    "by-size": Analysis(
        "constructed:by_size",
        "Expected metrics of the example at growing sizes of the sample (figure 2).",
        settings="settings:BySize",
        constructed=True,
    ),
    "by-rank": Analysis(
        "constructed:by_rank",
        "Expected metrics at every rank (figure 3).",
        settings="settings:ByRank",
        constructed=True,
    ),
    "orders": Analysis(
        "constructed:orders",
        "The order of the example's three algorithms at growing sizes.",
        reads(by_size="sampling/by-size"),
        "settings:Orders",
        constructed=True,
    ),
    "systems": Analysis(
        "systems:run",
        "The order of the systems by sampled metrics, and what is significant.",
        SYSTEMS,
        "settings:Systems",
        ("threshold",),
        shared=("samplers",),
        whole_rankings=True,
        holds=JUDGED_ITEMS,
    ),
    "values": Analysis(
        "systems:values",
        "The expected value and the place of every system.",
        SYSTEMS,
        "settings:Values",
        ("threshold",),
        shared=("samplers",),
        whole_rankings=True,
        holds=JUDGED_ITEMS,
    ),
    "agreement": Analysis(
        "systems:agreement",
        "Agreement of the metrics on the order of the systems.",
        reads(values="sampling/values"),
    ),
    "robustness": Analysis(
        "robustness:run",
        "Robustness of sampled metrics to missing test ratings.",
        reads("test", "rankings"),
        "settings:Robustness",
        ("threshold",),
        shared=("metrics",),
        within=("m",),
        whole_rankings=True,
        replicated=True,
        holds=JUDGED_ITEMS,
    ),
    "corrections": Analysis(
        "corrections:run",
        "Corrected metrics (Krichene and Rendle, KDD 2020), each relevant item alone.",
        reads("test", "rankings"),
        "settings:Corrections",
        ("threshold",),
        shared=("sizes",),
        whole_rankings=True,
        holds=JUDGED_ITEMS,
    ),
    "claims": Analysis(
        "claims:run",
        "The paper's claims about data, judged.",
        reads("claims", systems="sampling/systems", agreement="sampling/agreement"),
    ),
    "constructed-claims": Analysis(
        "claims:constructed_claims",
        "The paper's claims about its example, judged.",
        reads(
            "claims",
            example="sampling/example",
            by_size="sampling/by-size",
            by_rank="sampling/by-rank",
            orders="sampling/orders",
        ),
        constructed=True,
    ),
}

STEPS = {
    "constructed": ("curves", "example", "by-size", "by-rank", "orders", "constructed-claims"),
    "agreement": ("values", "agreement", "corrections"),
}

FIGURES = {
    "figure-1": Figure("figures:curves", "curves", "constructed"),
    "figure-2": Figure("figures:by_size", "by-size", "constructed"),
    "figure-3": Figure("figures:by_rank", "by-rank", "constructed"),
    "systems": Figure("figures_systems:systems", "systems", "dataset"),
    "samplers": Figure("figures_systems:samplers", "systems", "dataset"),
    "places": Figure("figures_systems:places", "values", "dataset"),
    "power": Figure("figures_systems:power", "systems", "dataset"),
    "robustness": Figure("figures_systems:robustness", "robustness", "dataset"),
    "corrections": Figure("figure_corrections:corrections", "corrections", "dataset"),
    "claims": Figure("rankassay.claims.figure:claims", "claims", "datasets"),
}

TABLES = {
    "example": Table("tables:example", reads(example="sampling/example")),
    "orders": Table("tables:orders", reads(orders="sampling/orders")),
    "systems": Table("tables:systems", reads(systems="sampling/systems")),
    "wrong": Table("tables:wrong", reads(systems="sampling/systems")),
    "corrections": Table("tables:corrections", reads(corrections="sampling/corrections")),
}

COLUMNS = {
    **columns(KEY, "algorithm sampler relevant order exact"),
    **columns(COUNT, "first last reliable_from wrong"),
    **columns(OF_PAIRS, "wrong_one_draw wrong_significant contradicted"),
    **columns(SHARE, "expected simulated"),
    **columns(CORRELATION, "tau_exact tau_auc"),
    **columns(SIZE, "simulated_deviation"),
}

STUDY = Study(
    "sampling",
    "The study of metrics on a sample of the items (Rendle, 2019).",
    "metrics on sampled items",
    cutoff=10,
    data=("ml-1m", "librarything", "beeradvocate"),
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
