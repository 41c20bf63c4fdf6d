"""The catalogue of diversity metrics."""

from rankassay.metrics.metric import ANY, SHARE, SUM, Metric, When

DIVERSITY_METRICS = {
    "alpha_nDCG": Metric(
        "diversity.metrics:alpha_ndcg", SUM, label="α-nDCG", needs=("judgements", "aspects")
    ),
    "alpha_beta_nDCG": Metric(
        "diversity.metrics:alpha_beta_ndcg",
        SUM,
        label="αβ-nDCG",
        needs=("judgements", "aspects"),
    ),
    "S_Recall": Metric(
        "diversity.metrics:s_recall",
        SHARE,
        label="S-Recall",
        needs=("aspects",),
        when=(
            When("aspects", ("judged", "relevant"), {"needs": ("judgements", "aspects")}),
            When("relevant_only", ("True",), {"needs": ("judgements", "aspects")}),
        ),
    ),
    "S_RR": Metric(
        "diversity.metrics:s_rr",
        SHARE,
        label="S-RR",
        needs=("aspects",),
        variants=("aspects='judged'",),
        when=(
            When("aspects", ("judged", "relevant"), {"needs": ("judgements", "aspects")}),
            When("relevant_only", ("True",), {"needs": ("judgements", "aspects")}),
        ),
    ),
    "ERR_IA": Metric(
        "diversity.metrics:err_ia", SUM, label="ERR-IA", needs=("judgements", "aspects")
    ),
    "NRBP": Metric("diversity.metrics:nrbp", SUM, needs=("judgements", "aspects")),
    "EU": Metric("diversity.metrics:expected_utility", ANY, needs=("judgements", "aspects")),
    "RBU": Metric("diversity.metrics:rank_biased_utility", ANY, needs=("judgements", "aspects")),
}
