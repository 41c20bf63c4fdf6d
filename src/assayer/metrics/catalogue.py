"""Metrics: those of relevance alone, and those that need the aspects of items."""

import re

from assayer.lookup import find

METRICS = {
    "P": "assayer.metrics.precision:precision",
    "R": "assayer.metrics.recall:recall",
    "AP": "assayer.metrics.average_precision:average_precision",
    "nDCG": "assayer.metrics.ndcg:ndcg",
    "RR": "assayer.metrics.reciprocal_rank:reciprocal_rank",
    "Bpref": "assayer.metrics.bpref:bpref",
    "infAP": "assayer.metrics.infap:infap",
    "F1": "assayer.metrics.f_measure:f1",
    "F": "assayer.metrics.f_measure:f_measure",
    "DCG": "assayer.metrics.ndcg:dcg",
    "ERR": "assayer.metrics.expected_reciprocal_rank:expected_reciprocal_rank",
    "Q": "assayer.metrics.q_measure:q_measure",
    "RBP": "assayer.metrics.rank_biased_precision:rank_biased_precision",
    "Success": "assayer.metrics.precision:success",
    "Judged": "assayer.metrics.precision:judged_share",
    "Fallout": "assayer.metrics.confusion:fallout",
    "MissRate": "assayer.metrics.confusion:miss_rate",
    "InversePrecision": "assayer.metrics.confusion:inverse_precision",
    "InverseRecall": "assayer.metrics.confusion:inverse_recall",
    "Markedness": "assayer.metrics.confusion:markedness",
    "Informedness": "assayer.metrics.confusion:informedness",
    "MCC": "assayer.metrics.confusion:matthews_correlation",
    "KendallTau": "assayer.metrics.confusion:kendall_tau",
    "AverageMarkedness": "assayer.metrics.confusion:average_markedness",
    "AverageInformedness": "assayer.metrics.confusion:average_informedness",
    "AUC": "assayer.metrics.area_under_curve:auc",
    "LAUC": "assayer.metrics.area_under_curve:limited_auc",
    "MAE": "assayer.metrics.rating_errors:mean_absolute_error",
    "MSE": "assayer.metrics.rating_errors:mean_squared_error",
    "RMSE": "assayer.metrics.rating_errors:root_mean_squared_error",
    "NMAE": "assayer.metrics.rating_errors:normalised_mean_absolute_error",
}

# Those that need the number of items that could have been listed.
COUNTING_ITEMS = frozenset(
    {
        *("Fallout", "InversePrecision", "InverseRecall", "Markedness", "Informedness", "MCC"),
        *("KendallTau", "AverageMarkedness", "AverageInformedness", "AUC", "LAUC"),
    }
)

DIVERSITY_METRICS = {
    "alpha_nDCG": "assayer.metrics.diversity.alpha_ndcg:alpha_ndcg",
    "alpha_beta_nDCG": "assayer.metrics.diversity.alpha_beta_ndcg:alpha_beta_ndcg",
    "S_Recall": "assayer.metrics.diversity.subtopics:s_recall",
    "S_RR": "assayer.metrics.diversity.subtopics:s_rr",
    "ERR_IA": "assayer.metrics.diversity.err_ia:err_ia",
    "NRBP": "assayer.metrics.diversity.nrbp:nrbp",
    "EU": "assayer.metrics.diversity.utility:expected_utility",
    "RBU": "assayer.metrics.diversity.utility:rank_biased_utility",
}


def metric(name: str) -> str:
    """Return "module:function" for a metric: a name of the registry, or a function of the user's.

    The latter is written as "module:function" already.
    """
    return name if ":" in name else find("metric", name, METRICS)


def bare(measure: str) -> str:
    """Return the name of a measure's metric, without parameters and cut-off.

    >>> bare("nDCG(gain='exp')@10")
    'nDCG'
    """
    return re.match(r"\s*([^(@\s]*)", measure)[1]
