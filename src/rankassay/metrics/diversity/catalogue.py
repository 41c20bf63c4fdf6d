"""The catalogue of diversity metrics."""

from rankassay.metrics.metric import ANY, SHARE, SUM, Metric, When

DIVERSITY_METRICS = {
    "alpha_nDCG": Metric(
        "diversity.alpha_ndcg:alpha_ndcg", SUM, label="α-nDCG", needs=("judgements", "aspects")
    ),
    "alpha_beta_nDCG": Metric(
        "diversity.alpha_beta_ndcg:alpha_beta_ndcg",
        SUM,
        label="αβ-nDCG",
        needs=("judgements", "aspects"),
    ),
    "S_Recall": Metric(
        "diversity.subtopics:s_recall",
        SHARE,
        label="S-Recall",
        needs=("aspects",),
        when=(
            When("aspects", ("judged", "relevant"), {"needs": ("judgements", "aspects")}),
            When("relevant_only", ("True",), {"needs": ("judgements", "aspects")}),
        ),
    ),
    "S_RR": Metric(
        "diversity.subtopics:s_rr",
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
        "diversity.err_ia:err_ia", SUM, label="ERR-IA", needs=("judgements", "aspects")
    ),
    "NRBP": Metric("diversity.nrbp:nrbp", SUM, needs=("judgements", "aspects")),
    "EU": Metric("diversity.utility:expected_utility", ANY, needs=("judgements", "aspects")),
    "RBU": Metric("diversity.utility:rank_biased_utility", ANY, needs=("judgements", "aspects")),
}
