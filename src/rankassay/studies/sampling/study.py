"""The study of metrics on a sample of the items (Rendle, 2019)."""

from rankassay.declared.columns import CORRELATION, COUNT, KEY, OF_PAIRS, SHARE, SIZE, columns
from rankassay.studies.entries import JUDGED_ITEMS, Analysis, Figure, Study, Table

ANALYSES = {
    "curves": Analysis(
        "constructed:curves", about="Every metric at every rank (figure 1).", constructed=True
    ),
    "example": Analysis(
        "constructed:example",
        about="The paper's example, in closed form and by simulation (sections 3.2 and 4.3).",
        constructed=True,
    ),
    "by-size": Analysis(
        "constructed:by_size",
        about="Expected metrics of the example at growing sizes of the sample (figure 2).",
        constructed=True,
    ),
    "by-rank": Analysis(
        "constructed:by_rank", about="Expected metrics at every rank (figure 3).", constructed=True
    ),
    "orders": Analysis(
        "constructed:orders",
        about="The order of the example's three algorithms at growing sizes.",
        constructed=True,
    ),
    "systems": Analysis(
        "systems:systems",
        "settings:Systems",
        evaluation=("threshold",),
        whole_rankings=True,
        shared=("samplers",),
        holds=JUDGED_ITEMS,
    ),
    "values": Analysis(
        "systems:values",
        about="The expected value and the place of every system.",
        evaluation=("threshold",),
        whole_rankings=True,
        shared=("samplers",),
        holds=JUDGED_ITEMS,
    ),
    "agreement": Analysis(
        "systems:agreement", about="Agreement of the metrics on the order of the systems."
    ),
    "robustness": Analysis(
        "robustness:robustness",
        "settings:Robustness",
        evaluation=("threshold",),
        whole_rankings=True,
        shared=("metrics",),
        within=("m",),
        holds=JUDGED_ITEMS,
    ),
    "corrections": Analysis(
        "corrections:corrections",
        "settings:Corrections",
        evaluation=("threshold",),
        whole_rankings=True,
        shared=("sizes",),
        holds=JUDGED_ITEMS,
    ),
    "claims": Analysis(
        "claims:claims",
        about="The paper's claims about data, judged.",
        reads=("claims", "systems", "agreement"),
    ),
    "constructed-claims": Analysis(
        "claims:constructed_claims",
        about="The paper's claims about its example, judged.",
        reads=("claims", "example", "by_size", "by_rank", "orders"),
        constructed=True,
    ),
}

STEPS = {
    "constructed": ("curves", "example", "by-size", "by-rank", "orders", "constructed-claims"),
    "agreement": ("values", "agreement", "corrections"),
}

FIGURES = {
    "figure-1": Figure(
        "figures:curves",
        "curves",
        "constructed",
        "Metrics of one relevant item against its rank among 10,000 items: all ranks, and the "
        "first hundred. All metrics but AUC look only at the top of the list.",
    ),
    "figure-2": Figure(
        "figures:by_size",
        "by-size",
        "constructed",
        "The expected metrics of the paper's three algorithms if only m irrelevant items are "
        "sampled, with replacement unless changed; the markers at the end are the exact "
        "metrics of all items. Where two lines cross, the size of the sample decides which "
        "algorithm is better. At the last size, there are as many samples as irrelevant items; "
        "with replacement these do not include all items, so the metrics are not exact.",
    ),
    "figure-3": Figure(
        "figures:by_rank",
        "by-rank",
        "constructed",
        "What sampling m irrelevant items does to a metric: its expected value against the "
        "rank of the relevant item among all 10,000, down to rank 1,000. The fewer the "
        "samples, the closer every metric is to a straight line, as AUC is. Of its sizes, the "
        "paper names only 1,000.",
    ),
    "systems": Figure(
        "figures:systems",
        "systems",
        "dataset",
        "Real systems on samples of the irrelevant items, at the reference cut-off, in "
        "expectation: Kendall's τ between their order and the order by the same metric on all "
        "items; pairs of systems in the wrong order; pairs that differ significantly by the "
        "sampled metric, and significantly in the opposite direction by the exact one; and τ "
        "with the order by exact AUC, which all metrics approach as samples get smaller. The "
        "table has τ for each way of sampling.",
    ),
    "samplers": Figure(
        "figures:samplers",
        "systems",
        "dataset",
        "Kendall's τ with the exact order for each way of sampling: uniform samples, with a "
        "user's relevant items ranked together or each alone against its own sample, and "
        "samples by popularity. At hollow points, more than a tenth of the pairs of systems is "
        "undecided, because it is not known how much of the popularity lies above and below "
        "items deep in the ranking.",
    ),
    "places": Figure(
        "figures:places",
        "values",
        "dataset",
        "The place of every system by each metric, at the reference cut-off, against the size "
        "of the sample; the right end is all items, the exact metric. Where lines cross, the "
        "order of systems depends on the size of the sample. Systems that are first at some "
        "size have a colour.",
    ),
    "power": Figure(
        "figures:power",
        "systems",
        "dataset",
        "Discriminative power of each metric (the sum of the p-values of all pairs of "
        "different systems; lower is better) against the size of the sample, with its interval "
        "over resampled users. The dashed line is the power of the exact metric. Its test has "
        "the permutations of the setting `samples` (100,000 unless changed), that of a sampled "
        "metric those of `sampled` (10,000 unless changed). The exact MAP and nDCG are those "
        "of Rendle (2019), with min(k, relevant items) as the denominator and binary gains: "
        "their power is not that of the robustness study. A sampled metric can have high "
        "discriminative power and rank the systems wrongly. The values are expected ones, "
        "without the noise of a single sample.",
    ),
    "robustness": Figure(
        "figures:robustness",
        "robustness",
        "dataset",
        "Robustness of sampled metrics when test ratings are missing at random: Kendall's τ "
        "between the order of the systems on a part of the test ratings and on all of them, "
        "both on samples of the same size. Lines are means over random parts, and bands or "
        "bars hold the middle 95 % of these where there is room. There are as many parts as "
        "the setting `samples` says (5 unless changed), the first of those of the robustness "
        "study (50 unless changed). The dashed line is τ = 0.9. A metric may be robust and yet "
        "far from the exact order.",
    ),
    "corrections": Figure(
        "figures:corrections",
        "corrections",
        "dataset",
        "How many pairs of systems corrected metrics put in the wrong order: without "
        "correction, and with the metric at the estimated rank, least squares (least bias), "
        "and bias against variance for two costs γ of variance. Solid lines and first numbers "
        "are in expectation. Dashed lines and numbers in brackets are the average of single "
        "evaluations, in which each system has its own samples.",
    ),
    "claims": Figure(
        "rankassay.claims.figure:claims",
        "claims",
        "datasets",
        "What the paper says about sampled metrics, tested on real systems, which the paper "
        "does not have: one row for each sentence, two columns for each dataset and each "
        "variant of it. The claims about the paper's own rankings are in "
        "``results/claims.csv``.",
    ),
}

TABLES = {
    "example": Table("tables:example"),
    "orders": Table("tables:orders"),
    "systems": Table("tables:systems"),
    "wrong": Table("tables:wrong"),
    "corrections": Table("tables:corrections"),
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
    section="settings:Section",
    data=("ml-1m", "librarything", "beeradvocate"),
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    columns=COLUMNS,
)
