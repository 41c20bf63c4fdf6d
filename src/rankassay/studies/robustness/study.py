"""The study of robustness and discriminative power (Valcarce et al., RecSys 2018)."""

from rankassay.declared.columns import CORRELATION, COUNT, GAMMA, KEY, SHARE, columns
from rankassay.studies.entries import (
    AGGREGATED,
    CLAIMS_SHOWN,
    JUDGED_ITEMS,
    MEASURED,
    Analysis,
    Figure,
    Study,
    Table,
)

ANALYSES = {
    "judgements": Analysis(
        "procedure:judgements",
        about="What tells recommendation from retrieval (table 1).",
        evaluation=("threshold",),
        holds=JUDGED_ITEMS,
    ),
    "cutoff-correlation": Analysis(
        "rankassay.statistics.correlation:cutoff_correlation",
        about="Correlation of the systems' orders among cut-offs.",
        evaluation=("aggregate",),
        of_cutoffs=True,
        holds=JUDGED_ITEMS,
    ),
    "metric-correlation": Analysis(
        "rankassay.statistics.correlation:metric_correlation",
        about="Correlation of the systems' orders among metrics.",
        evaluation=("aggregate",),
        holds=JUDGED_ITEMS,
    ),
    "gains": Analysis(
        "procedure:gains",
        about="Correlation of the systems' orders among gain functions of nDCG.",
        evaluation=(*AGGREGATED, "cutoffs"),
        holds=JUDGED_ITEMS,
    ),
    "sparsity": Analysis(
        "rankassay.statistics.incomplete:sparsity_bias",
        "settings:Sparsity",
        evaluation=MEASURED,
        shared=("measures",),
        holds=JUDGED_ITEMS,
    ),
    "popularity": Analysis(
        "rankassay.statistics.incomplete:popularity_bias",
        "settings:Popularity",
        evaluation=MEASURED,
        shared=("measures",),
        holds=JUDGED_ITEMS,
    ),
    "unjudged-users": Analysis(
        "procedure:unjudged_users",
        "settings:UnjudgedUsersStudy",
        evaluation=MEASURED,
        shared=("levels",),
        holds=JUDGED_ITEMS,
    ),
    "identical": Analysis(
        "procedure:identical",
        about="Pairs of systems between which no metric can find a difference.",
        holds=JUDGED_ITEMS,
    ),
    "p-values": Analysis(
        "rankassay.statistics.significance:p_values",
        "settings:PValues",
        always=("identical",),
        shared=("measures",),
        holds=JUDGED_ITEMS,
    ),
    "p-value-errors": Analysis(
        "procedure:p_value_errors",
        about="The standard error of a p-value that is estimated from random permutations.",
        constructed=True,
        holds=JUDGED_ITEMS,
    ),
    "discriminative-power": Analysis(
        "rankassay.statistics.discriminative_power:run",
        about="The sum of the p-values of all pairs, with its uncertainty.",
        shared=("measures",),
        holds=JUDGED_ITEMS,
    ),
    "power-differences": Analysis(
        "rankassay.statistics.discriminative_power:power_differences",
        about="Differences in discriminative power between two metrics.",
        holds=JUDGED_ITEMS,
    ),
    "summary": Analysis(
        "rankassay.answers.criteria:summary",
        about="Sparsity, popularity and power, side by side, and validity where it is known.",
        of={
            "split": "split/summary",
            "validity": "validity/agreement",
            "diagnostics": "validity/diagnostics",
            "like": "validity/like",
            "sensitivity": "validity/sensitivity-winners",
        },
        holds=JUDGED_ITEMS,
    ),
    "as-run-p-values": Analysis(
        "as_run:as_run_p_values",
        "settings:AsRunPValues",
        evaluation=("threshold", "without_relevant", "metrics"),
        shared=("metrics",),
        holds=JUDGED_ITEMS,
    ),
    "as-run-cutoffs": Analysis(
        "as_run:as_run_cutoffs",
        "settings:AsRunCutoffs",
        evaluation=("threshold", "without_relevant", "cutoffs"),
        holds=JUDGED_ITEMS,
    ),
    "as-run-correlation": Analysis(
        "as_run:as_run_correlation",
        about=(
            "Correlation of the systems' orders among metrics as the paper's authors computed it."
        ),
        evaluation=("threshold", "without_relevant", "aggregate", "metrics"),
        holds=JUDGED_ITEMS,
    ),
    "as-run": Analysis(
        "as_run:as_run",
        about="Discriminative power as the paper's authors computed it (table 3).",
        of={"p_values": "robustness/as-run-p-values"},
        always=("identical",),
        evaluation=("threshold", "without_relevant", "metrics"),
        shared=("metrics",),
        holds=JUDGED_ITEMS,
    ),
    "families": Analysis(
        "families:run",
        about="The results above without one family of the systems, to judge claims about others.",
        evaluation=(*MEASURED, "cutoffs", "families"),
        holds=JUDGED_ITEMS,
        borrows={
            "cutoff_correlation": "robustness/cutoff-correlation",
            "metric_correlation": "robustness/metric-correlation",
            "gains": "robustness/gains",
            "sparsity": "robustness/sparsity",
            "popularity": "robustness/popularity",
        },
    ),
    "published": Analysis(
        "published:run",
        about="Published numbers next to measured ones.",
        of={"figure_7": "published/figure-7", "table_3": "published/table-3"},
        holds=JUDGED_ITEMS,
    ),
    "claims": Analysis(
        "claims:run",
        about="The paper's claims, judged.",
        reads=(
            *("statistics", "cutoff_correlation", "metric_correlation", "gains", "as_run"),
            *("sparsity", "popularity", "discriminative_power"),
        ),
        holds=JUDGED_ITEMS,
    ),
    "constructed-claims": Analysis(
        "claims:constructed_claims",
        about="The paper's claims about p-values, which need no dataset, judged.",
        reads=("claims", "p_value_errors"),
        constructed=True,
        holds=JUDGED_ITEMS,
    ),
}

STEPS = {
    "correlations": ("cutoff-correlation", "metric-correlation", "gains", "as-run-correlation"),
    "sparsity": ("judgements", "sparsity", "unjudged-users"),
    "discriminative-power": (
        *("identical", "p-values", "discriminative-power", "power-differences"),
        *("as-run-p-values", "as-run-cutoffs", "as-run"),
    ),
    "summary": ("summary", "published"),
    "constructed": ("p-value-errors", "constructed-claims"),
}

FIGURES = {
    "summary": Figure(
        "rankassay.answers.figures:summary",
        "summary",
        "datasets",
        "Which metric to trust, at which cut-off, on which data: the three criteria of the "
        "study side by side, and validity where a dataset has a truth: τ with the true ranking "
        "of the systems, for what users like among judgements of random items, and for what of "
        "it is new to them where the data say so. Further right is better in every panel. Dashed "
        "lines are at 0, and at 0.9 for robustness and 0.8, from where on the sentences speak of "
        "agreement, for validity. Large markers are the metrics at the reference cut-off, from "
        "the best to the worst average rank over the three criteria; small dots are all cut-offs "
        "of a metric, and the column to the right of a panel names the smallest of them that is "
        "tied with the best (95 %). Robustness is the mean of Kendall's τ (or of the configured "
        "correlation) over all levels of sparsity or percentages of items below 100. Each line is "
        "a 95 % interval over resampled users. The lines do not show whether two metrics differ "
        "significantly, since both rest on the same users: the sentences above the panels do, by "
        "the differences of paired resamples. The average rank weighs the criteria equally. It "
        "says which of the metrics studied is the best, not that it is good: look at the values "
        "too.",
    ),
    "figure-1": Figure(
        "rankassay.drawing.correlation:cutoff_correlation",
        "cutoff-correlation",
        "metrics",
        "Agreement between the cut-offs of a metric: Kendall's τ (or the configured "
        "correlation) between the orders of the systems at two cut-offs. Dark cells are near "
        "1: there, the choice of the cut-off hardly changes which system wins. In grey cells, "
        "it is undefined.",
    ),
    "figure-2": Figure(
        "rankassay.drawing.incomplete:sparsity",
        "sparsity",
        "metrics",
        "Robustness of each cut-off when test ratings are missing at random: Kendall's τ (or "
        "the configured correlation) between the order of the systems on a sample of the test "
        "ratings and on all of them, averaged over the samples. The dashed line is at 0.9; the "
        "higher a line stays, the more robust the cut-off.",
    ),
    "figure-3": Figure(
        "rankassay.drawing.incomplete:popularity",
        "popularity",
        "metrics",
        "Robustness of each cut-off when the most popular items leave the test set: Kendall's "
        "τ (or the configured correlation) between the order of the systems on the remaining "
        "items and on all items. Negative values of τ mean that the order is reversed; at a "
        "gap, there is none.",
    ),
    "figure-4": Figure(
        "rankassay.drawing.incomplete:p_values",
        "p-values",
        "metrics",
        "Discriminative power of each cut-off: the p-values of the study's test (a permutation "
        "test unless changed) for all pairs of different systems, from the largest to the "
        "smallest. The closer a curve is to the origin, the better; the dashed line is p = "
        "0.05. Pairs are shown as far as any curve is visibly above zero. Pairs of identical "
        "systems, whose p-value is 1 under every metric, are not drawn.",
    ),
    "figure-5": Figure(
        "rankassay.drawing.correlation:metric_correlation",
        "metric-correlation",
        "datasets",
        "Agreement between the metrics at the reference cut-off: Kendall's τ (or the configured "
        "correlation) between the orders of the systems by two metrics. Dark cells are near 1. In "
        "grey cells, it is undefined.",
    ),
    "figure-6": Figure(
        "rankassay.drawing.incomplete:sparsity",
        "sparsity",
        "datasets",
        "Robustness of the metrics, at the reference cut-off, when test ratings are missing at "
        "random: Kendall's τ (or the configured correlation) between the order of the systems on a "
        "sample of the test ratings and on all of them. Lines are means over the samples, the "
        "intervals at some levels (side by side, so that all are seen) or bands hold 95 % of them.",
    ),
    "figure-7": Figure(
        "rankassay.drawing.incomplete:popularity",
        "popularity",
        "datasets",
        "Robustness of the metrics, at the reference cut-off, when the most popular items "
        "leave the test set: Kendall's τ (or the configured correlation) between the order of the "
        "systems on the remaining items and on all items. Negative values mean that the order is "
        "reversed.",
    ),
    "figure-8": Figure(
        "rankassay.drawing.incomplete:p_values",
        "p-values",
        "datasets",
        "Discriminative power of each metric at the reference cut-off: the p-values of all pairs "
        "of different systems, from the largest to the smallest. The area under a curve is the "
        "discriminative power (DP) of Table 3: lower is better.",
    ),
    "figure-4-as-run": Figure(
        "views:as_run_cutoffs",
        "as-run-cutoffs",
        "datasets",
        "Discriminative power of each cut-off, in the authors' form: the p-values of all "
        "ordered pairs of systems. Each pair is tested in both orders, with permutations of "
        "their own. The metric is that of trec_eval, whose ideal list ends at the cut-off, and "
        "the p-values can be 0. The dashed line is p = 0.05. Pairs of identical systems are "
        "drawn, too, at p = 1.",
    ),
    "figure-5-as-run": Figure(
        "views:as_run_correlation",
        "as-run-correlation",
        "datasets",
        "Agreement between the metrics of whole lists, with the authors' definitions: "
        "Kendall's τ between the orders of the systems by two metrics, of means rounded to "
        "four decimals as trec_eval prints them. The ideal list of nDCG holds all judged "
        "items; figure 5 cuts it at the cut-off, as the paper writes.",
    ),
    "figure-8-as-run": Figure(
        "views:as_run_p_values",
        "as-run-p-values",
        "datasets",
        "Discriminative power of each metric of whole lists, in the authors' form: the p-values of "
        "all ordered pairs of systems, from the largest to the smallest. The area under a curve is "
        "the discriminative power of Table 3, as run, over all pairs.",
    ),
    "unjudged-users": Figure(
        "rankassay.drawing.incomplete:unjudged_users",
        "unjudged-users",
        "datasets",
        "What happens to users who lose all their test ratings, at the reference cut-off: the "
        "mean over all systems, and the correlation of their order with that on all test "
        "ratings, if such users leave the means (solid) or score 0 (dashed). Scoring them 0 "
        "multiplies the arithmetic means of all systems by the same factor, the share of users "
        "who are left: the values differ, but the orders and correlations are the same, and "
        "the dashed line lies on the solid one. The lines may part if means are rounded, or if "
        "users are aggregated in another way (geometric, harmonic, median).",
    ),
    "claims": Figure(
        "rankassay.claims.figure:claims",
        "claims",
        "datasets",
        CLAIMS_SHOWN,
    ),
}

TABLES = {
    "table-1": Table("views:judgements"),
    "table-2": Table("views:statistics", of={"split": "split/summary", "removed": "split/filter"}),
    "table-3": Table("views:discriminative_power"),
    "summary": Table("rankassay.answers.tables:summary"),
    "power-differences": Table("views:power_differences"),
    "published": Table("views:published", of={"published": "robustness/published"}),
}

COLUMNS = {
    **columns(KEY, "lists fact what a b gain_a gain_b unjudged_users tails"),
    **columns(KEY, "like_low_bias like_high_bias"),
    **columns(
        KEY, "sensitivity_measure sensitivity_leader sensitivity_rival sensitivity_rival_item"
    ),
    **columns(CORRELATION, "like_low like_high"),
    **columns(SHARE, "like_gini like_low_gini like_high_gini"),
    **columns(COUNT, "sensitivity_hits sensitivity_hits_rival sensitivity_same sensitivity_pairs"),
    **columns(COUNT, "sensitivity_standing"),
    **columns(GAMMA, "sensitivity_gamma sensitivity_gamma_item sensitivity_default"),
}

STUDY = Study(
    "robustness",
    "The study of robustness and discriminative power (Valcarce et al., RecSys 2018).",
    "robustness and discriminative power, as in the paper",
    cutoff=100,
    featured="nDCG",
    section="settings:Section",
    data=("ml-1m", "librarything", "beeradvocate"),
    analyses=ANALYSES,
    steps=STEPS,
    figures=FIGURES,
    tables=TABLES,
    evidence={"summary": "summary"},
    advice=True,
    columns=COLUMNS,
)
