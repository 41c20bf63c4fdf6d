"""Metrics: those of relevance alone, and those that need the aspects of items.

An entry carries everything that is said about a metric elsewhere. This module imports only names,
as the plan needs it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from assayer.lookup import find


@dataclass(frozen=True)
class Metric:
    """A metric: where it is computed, and how readers see it.

    Parameters
    ----------
    function : str
        As "module:function".
    label : str or None
        The name that the field uses, if that is not its name here.
    counts_items : bool
        Whether it needs the number of items that could have been listed.
    look : tuple or None
        Colour, marker and, unless the line is solid, dashes in all figures; without one, its look
        follows from its name.
    variants : tuple of str
        Parameters with which it keeps its label and its look.
    judges : bool
        Whether it reads the test ratings; one of lists alone does not.
    cut : bool
        Whether a cut-off changes it.
    """

    function: str
    label: str | None = None
    counts_items: bool = False
    look: tuple | None = None
    variants: tuple[str, ...] = ()
    judges: bool = True
    cut: bool = True


# The colours are those of Okabe and Ito without their yellow, which vanishes on white paper.
METRICS = {
    "P": Metric("assayer.metrics.precision:precision", look=("#0072B2", "o")),
    "R": Metric("assayer.metrics.recall:recall", "Recall", look=("#56B4E9", "s", (0, (4, 1)))),
    "AP": Metric(
        "assayer.metrics.average_precision:average_precision",
        "MAP",
        look=("#009E73", "^", (0, (6, 1, 1, 1))),
    ),
    "nDCG": Metric("assayer.metrics.ndcg:ndcg", look=("#D55E00", "D")),
    "RR": Metric(
        "assayer.metrics.reciprocal_rank:reciprocal_rank",
        "MRR",
        look=("#CC79A7", "v", (0, (3, 1, 1, 1))),
    ),
    "Bpref": Metric("assayer.metrics.bpref:bpref", "bpref", look=("#E69F00", "P", (0, (2, 1)))),
    "infAP": Metric("assayer.metrics.infap:infap", look=("#000000", "X", (0, (1, 1)))),
    "F1": Metric("assayer.metrics.f_measure:f1"),
    "F": Metric("assayer.metrics.f_measure:f_measure"),
    "DCG": Metric("assayer.metrics.ndcg:dcg"),
    "ERR": Metric("assayer.metrics.expected_reciprocal_rank:expected_reciprocal_rank"),
    "Q": Metric("assayer.metrics.q_measure:q_measure"),
    "RBP": Metric("assayer.metrics.rank_biased_precision:rank_biased_precision"),
    "Success": Metric("assayer.metrics.precision:success"),
    "Judged": Metric("assayer.metrics.precision:judged_share"),
    "Fallout": Metric("assayer.metrics.confusion:fallout", counts_items=True),
    "MissRate": Metric("assayer.metrics.confusion:miss_rate"),
    "InversePrecision": Metric("assayer.metrics.confusion:inverse_precision", counts_items=True),
    "InverseRecall": Metric("assayer.metrics.confusion:inverse_recall", counts_items=True),
    "Markedness": Metric("assayer.metrics.confusion:markedness", counts_items=True),
    "Informedness": Metric("assayer.metrics.confusion:informedness", counts_items=True),
    "MCC": Metric("assayer.metrics.confusion:matthews_correlation", counts_items=True),
    "KendallTau": Metric("assayer.metrics.confusion:kendall_tau", counts_items=True),
    "AverageMarkedness": Metric("assayer.metrics.confusion:average_markedness", counts_items=True),
    "AverageInformedness": Metric(
        "assayer.metrics.confusion:average_informedness", counts_items=True
    ),
    "AUC": Metric("assayer.metrics.area_under_curve:auc", counts_items=True, cut=False),
    "LAUC": Metric("assayer.metrics.area_under_curve:limited_auc", counts_items=True),
    "MAE": Metric("assayer.metrics.rating_errors:mean_absolute_error"),
    "MSE": Metric("assayer.metrics.rating_errors:mean_squared_error"),
    "RMSE": Metric("assayer.metrics.rating_errors:root_mean_squared_error"),
    "NMAE": Metric("assayer.metrics.rating_errors:normalised_mean_absolute_error"),
}

DIVERSITY_METRICS = {
    "alpha_nDCG": Metric(
        "assayer.metrics.diversity.alpha_ndcg:alpha_ndcg",
        "α-nDCG",
        look=("#332288", "o", (0, (4, 1))),
    ),
    "alpha_beta_nDCG": Metric(
        "assayer.metrics.diversity.alpha_beta_ndcg:alpha_beta_ndcg",
        "αβ-nDCG",
        look=("#AA3377", "D"),
    ),
    "S_Recall": Metric(
        "assayer.metrics.diversity.subtopics:s_recall",
        "S-Recall",
        look=("#999933", "^", (0, (2, 1))),
        judges=False,
    ),
    "S_RR": Metric(
        "assayer.metrics.diversity.subtopics:s_rr",
        "S-RR",
        look=("#8C510A", "v", (0, (1, 1))),
        variants=("aspects='judged'",),
    ),
    "ERR_IA": Metric(
        "assayer.metrics.diversity.err_ia:err_ia",
        "ERR-IA",
        look=("#7F7F7F", "s", (0, (3, 1, 1, 1))),
    ),
    "NRBP": Metric("assayer.metrics.diversity.nrbp:nrbp", look=("#117733", "P", (0, (6, 1, 1, 1)))),
    "EU": Metric(
        "assayer.metrics.diversity.utility:expected_utility", look=("#E69F00", "X", (0, (5, 1)))
    ),
    "RBU": Metric("assayer.metrics.diversity.utility:rank_biased_utility", look=("#56B4E9", "p")),
}

# By all the names that results have, in the papers' order.
KNOWN = {
    shown: metric
    for name, metric in (METRICS | DIVERSITY_METRICS).items()
    for shown in (name, *(f"{name}({parameters})" for parameters in metric.variants))
}


# The parameters with which metrics of lists alone read test ratings, too.
JUDGING = re.compile(r"['\"](judged|relevant)['\"]|relevant_only *= *True")


def metric(name: str) -> str:
    """Return "module:function" for a metric: a name in the catalogue, or the user's own function.

    The latter is written as "module:function" already.
    """
    return name if ":" in name else find("metric", name, METRICS).function


def bare(measure: str) -> str:
    """Return the name of a measure's metric, without parameters and cut-off.

    >>> bare("nDCG(gain='exp')@10")
    'nDCG'
    """
    return re.match(r"\s*([^(@\s]*)", measure)[1]


def counts_items(measure: str) -> bool:
    """Say if a measure needs the number of items that could have been listed."""
    name = bare(measure)
    return name in METRICS and METRICS[name].counts_items


def reads_judgements(measure: str) -> bool:
    """Say if a measure reads the test ratings; a metric of the user's own is taken to.

    >>> reads_judgements("nDCG@10"), reads_judgements("S_Recall"), reads_judgements("mine:hits")
    (True, False, True)
    >>> reads_judgements("S_Recall(aspects='relevant')")
    True
    """
    entry = KNOWN.get(bare(measure))
    return entry is None or entry.judges or bool(JUDGING.search(measure))


def is_cut(measure: str) -> bool:
    """Say if a cut-off changes a measure; a metric of the user's own is taken to have one."""
    entry = KNOWN.get(bare(measure))
    return entry is None or entry.cut


def label(name: str, cutoff: float | None = None) -> str:
    """Return a metric's name for readers, with its cut-off if that is given.

    The module of a user's own metric is left out.

    >>> label("AP"), label("AP", 10), label("mine:hits")
    ('MAP', 'MAP@10', 'hits')
    """
    text = (name in KNOWN and KNOWN[name].label) or re.sub(r"^[\w.]+:", "", name)
    return text if cutoff is None else f"{text}@{cutoff:g}"


def ordered(names: Iterable[str]) -> list[str]:
    """Return the distinct names, those with a look of their own first, in the papers' order."""
    given = set(names)
    first = [name for name, metric in KNOWN.items() if metric.look and name in given]
    return first + sorted(given.difference(first))
