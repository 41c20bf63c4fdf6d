"""Diversity metrics: what is known of each."""

from assayer.metrics.metric import (
    ANY,
    BLACK,
    BLUE,
    DASH_DOT,
    DASHED,
    DOTTED,
    GREEN,
    INDIGO,
    LONG_DOT,
    ORANGE,
    PINK,
    SHARE,
    SHORT,
    SKY,
    SUM,
    VERMILION,
    Metric,
    When,
)

DIVERSITY_METRICS = {
    "alpha_nDCG": Metric(
        "diversity.alpha_ndcg:alpha_ndcg",
        SUM,
        label="α-nDCG",
        needs=("judgements", "aspects"),
        look=(INDIGO, "h", DOTTED),
    ),
    "alpha_beta_nDCG": Metric(
        "diversity.alpha_beta_ndcg:alpha_beta_ndcg",
        SUM,
        label="αβ-nDCG",
        needs=("judgements", "aspects"),
        look=(SKY, ">", DASH_DOT),
    ),
    "S_Recall": Metric(
        "diversity.subtopics:s_recall",
        SHARE,
        label="S-Recall",
        needs=("aspects",),
        look=(PINK, "p", DASHED),
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
        look=(ORANGE, "X", LONG_DOT),
        variants=("aspects='judged'",),
        when=(
            When("aspects", ("judged", "relevant"), {"needs": ("judgements", "aspects")}),
            When("relevant_only", ("True",), {"needs": ("judgements", "aspects")}),
        ),
    ),
    "ERR_IA": Metric(
        "diversity.err_ia:err_ia",
        SUM,
        label="ERR-IA",
        needs=("judgements", "aspects"),
        look=(BLACK, (4, 1, 0), DASHED),
    ),
    "NRBP": Metric(
        "diversity.nrbp:nrbp", SUM, needs=("judgements", "aspects"), look=(BLUE, "d", SHORT)
    ),
    "EU": Metric(
        "diversity.utility:expected_utility",
        ANY,
        needs=("judgements", "aspects"),
        look=(VERMILION, "*", DOTTED),
    ),
    "RBU": Metric(
        "diversity.utility:rank_biased_utility",
        ANY,
        needs=("judgements", "aspects"),
        look=(GREEN, "s", DASH_DOT),
    ),
}
