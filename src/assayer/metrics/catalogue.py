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
        Colour, marker and dashes, the same in all figures; without one, it has one of `SPARE`.
    variants : tuple of str
        Parameters with which it keeps its label and its look.
    judges : bool
        Whether it reads the test ratings; one of lists alone does not.
    cut : bool
        Whether a cut-off changes it.
    weighs : bool
        Whether it needs the propensities of the judged ratings.
    """

    function: str
    label: str | None = None
    counts_items: bool = False
    look: tuple | None = None
    variants: tuple[str, ...] = ()
    judges: bool = True
    cut: bool = True
    weighs: bool = False


# The colours of Okabe and Ito, with indigo in the place of yellow, which vanishes on white paper.
BLUE, SKY, GREEN, VERMILION = "#0072B2", "#56B4E9", "#009E73", "#D55E00"
PINK, ORANGE, BLACK, INDIGO = "#CC79A7", "#E69F00", "#000000", "#332288"
SOLID, DASHED, SHORT, DOTTED = "-", (0, (4, 1)), (0, (2, 1)), (0, (1, 1))
LONG_DOT, DASH_DOT = (0, (6, 1, 1, 1)), (0, (3, 1, 1, 1, 1, 1))
LONG, LONG_SHORT = (0, (9, 2)), (0, (9, 2, 3, 2))

# No two metrics have the same marker and dashes, for print in grey; those of one colour differ in
# both; and those that a study shows together have different markers.
METRICS = {
    "P": Metric("assayer.metrics.precision:precision", look=(BLUE, "o", SOLID)),
    "R": Metric("assayer.metrics.recall:recall", "Recall", look=(SKY, "s", DASHED)),
    "AP": Metric(
        "assayer.metrics.average_precision:average_precision", "MAP", look=(GREEN, "^", LONG_DOT)
    ),
    "nDCG": Metric("assayer.metrics.ndcg:ndcg", look=(VERMILION, "D", SOLID)),
    "RR": Metric(
        "assayer.metrics.reciprocal_rank:reciprocal_rank", "MRR", look=(PINK, "v", DASH_DOT)
    ),
    "Bpref": Metric("assayer.metrics.bpref:bpref", "bpref", look=(ORANGE, "P", SHORT)),
    "infAP": Metric("assayer.metrics.infap:infap", look=(BLACK, "X", DOTTED)),
    "F1": Metric("assayer.metrics.f_measure:f1", look=(INDIGO, "d", DASHED)),
    "F": Metric("assayer.metrics.f_measure:f_measure", look=(ORANGE, (4, 1, 0), DASH_DOT)),
    "DCG": Metric("assayer.metrics.ndcg:dcg", look=(GREEN, "*", SHORT)),
    "ERR": Metric(
        "assayer.metrics.expected_reciprocal_rank:expected_reciprocal_rank",
        look=(BLACK, "<", SHORT),
    ),
    "Q": Metric("assayer.metrics.q_measure:q_measure", look=(SKY, "P", DOTTED)),
    "RBP": Metric(
        "assayer.metrics.rank_biased_precision:rank_biased_precision", look=(BLUE, "h", LONG_DOT)
    ),
    "Rprec": Metric("assayer.metrics.precision:r_precision", "R-precision", look=(PINK, "s", LONG)),
    "NCG": Metric("assayer.metrics.ndcg:ncg", look=(VERMILION, "o", LONG_SHORT)),
    "SDCG": Metric("assayer.metrics.cwl:sdcg", look=(INDIGO, "*", LONG)),
    "INST": Metric("assayer.metrics.cwl:inst", look=(SKY, "d", LONG)),
    "Compat": Metric("assayer.metrics.compatibility:compatibility", look=(ORANGE, "^", LONG)),
    "Success": Metric("assayer.metrics.precision:success", look=(ORANGE, ">", SOLID)),
    "Judged": Metric("assayer.metrics.precision:judged_share", look=(INDIGO, (4, 1, 0), SOLID)),
    "FP": Metric("assayer.metrics.precision:false_positives", look=(GREEN, "X", LONG_SHORT)),
    "CP": Metric(
        "assayer.metrics.precision:centred_precision",
        "chance-corrected P",
        look=(BLUE, "^", LONG_SHORT),
    ),
    "Fallout": Metric(
        "assayer.metrics.confusion:fallout", counts_items=True, look=(BLACK, "v", SOLID)
    ),
    "MissRate": Metric("assayer.metrics.confusion:miss_rate", look=(ORANGE, "D", DOTTED)),
    "InversePrecision": Metric(
        "assayer.metrics.confusion:inverse_precision", counts_items=True, look=(PINK, "X", SHORT)
    ),
    "InverseRecall": Metric(
        "assayer.metrics.confusion:inverse_recall", counts_items=True, look=(BLACK, "P", DASH_DOT)
    ),
    "Markedness": Metric(
        "assayer.metrics.confusion:markedness", counts_items=True, look=(SKY, "h", SHORT)
    ),
    "Informedness": Metric(
        "assayer.metrics.confusion:informedness", counts_items=True, look=(GREEN, (4, 1, 0), DOTTED)
    ),
    "MCC": Metric(
        "assayer.metrics.confusion:matthews_correlation",
        counts_items=True,
        look=(BLUE, "*", DASHED),
    ),
    "KendallTau": Metric(
        "assayer.metrics.confusion:kendall_tau", counts_items=True, look=(VERMILION, ">", SHORT)
    ),
    "AverageMarkedness": Metric(
        "assayer.metrics.confusion:average_markedness",
        counts_items=True,
        look=(PINK, ">", LONG_DOT),
    ),
    "AverageInformedness": Metric(
        "assayer.metrics.confusion:average_informedness",
        counts_items=True,
        look=(SKY, "v", LONG_DOT),
    ),
    "AUC": Metric(
        "assayer.metrics.area_under_curve:auc",
        counts_items=True,
        look=(INDIGO, "p", LONG_DOT),
        cut=False,
    ),
    "LAUC": Metric(
        "assayer.metrics.area_under_curve:limited_auc",
        counts_items=True,
        look=(VERMILION, "<", DASH_DOT),
    ),
    "MPR": Metric(
        "assayer.metrics.percentile_rank:mean_percentile_rank",
        counts_items=True,
        look=(BLACK, "D", LONG),
        cut=False,
    ),
    "MAE": Metric("assayer.metrics.rating_errors:mean_absolute_error", look=(PINK, "h", SOLID)),
    "MSE": Metric("assayer.metrics.rating_errors:mean_squared_error", look=(INDIGO, "^", SHORT)),
    "RMSE": Metric(
        "assayer.metrics.rating_errors:root_mean_squared_error", look=(BLUE, "<", DOTTED)
    ),
    "NMAE": Metric(
        "assayer.metrics.rating_errors:normalised_mean_absolute_error",
        look=(VERMILION, "d", LONG_DOT),
    ),
    "IPS": Metric("assayer.metrics.unbiased:ips", look=(VERMILION, "h", LONG), weighs=True),
    "SNIPS": Metric("assayer.metrics.unbiased:snips", look=(BLUE, "p", LONG), weighs=True),
    "Stratified": Metric(
        "assayer.metrics.unbiased:stratified", look=(GREEN, "<", LONG), weighs=True
    ),
}
# Those whose values lie between 0 and 1 by every definition.
SHARES = frozenset(
    [
        *("P", "R", "AP", "nDCG", "RR", "Bpref", "F1", "F", "ERR", "Q", "RBP", "Success", "AUC"),
        *("Rprec", "NCG", "SDCG", "INST", "Compat", "MPR"),
        *("Judged", "FP", "Fallout", "MissRate", "InversePrecision", "InverseRecall"),
    ]
)

DIVERSITY_METRICS = {
    "alpha_nDCG": Metric(
        "assayer.metrics.diversity.alpha_ndcg:alpha_ndcg", "α-nDCG", look=(INDIGO, "h", DOTTED)
    ),
    "alpha_beta_nDCG": Metric(
        "assayer.metrics.diversity.alpha_beta_ndcg:alpha_beta_ndcg",
        "αβ-nDCG",
        look=(SKY, ">", DASH_DOT),
    ),
    "S_Recall": Metric(
        "assayer.metrics.diversity.subtopics:s_recall",
        "S-Recall",
        look=(PINK, "p", DASHED),
        judges=False,
    ),
    "S_RR": Metric(
        "assayer.metrics.diversity.subtopics:s_rr",
        "S-RR",
        look=(ORANGE, "X", LONG_DOT),
        variants=("aspects='judged'",),
    ),
    "ERR_IA": Metric(
        "assayer.metrics.diversity.err_ia:err_ia", "ERR-IA", look=(BLACK, (4, 1, 0), DASHED)
    ),
    "NRBP": Metric("assayer.metrics.diversity.nrbp:nrbp", look=(BLUE, "d", SHORT)),
    "EU": Metric(
        "assayer.metrics.diversity.utility:expected_utility", look=(VERMILION, "*", DOTTED)
    ),
    "RBU": Metric(
        "assayer.metrics.diversity.utility:rank_biased_utility", look=(GREEN, "s", DASH_DOT)
    ),
}

# Of whole sets of lists, or of lists beside what training knows; figures name them on their axes.
BEYOND_METRICS = {
    "Coverage": Metric(
        "assayer.metrics.beyond.coverage:coverage",
        "Item coverage",
        judges=False,
    ),
    "UserCoverage": Metric(
        "assayer.metrics.beyond.coverage:user_coverage",
        "User coverage",
        judges=False,
    ),
    "PredictionCoverage": Metric(
        "assayer.metrics.beyond.coverage:prediction_coverage",
        "Prediction coverage",
        judges=False,
        cut=False,
    ),
    "Gini": Metric("assayer.metrics.beyond.concentration:gini", judges=False),
    "Entropy": Metric("assayer.metrics.beyond.concentration:entropy", judges=False),
    "ARP": Metric(
        "assayer.metrics.beyond.popularity:average_popularity",
        judges=False,
    ),
    "APLT": Metric("assayer.metrics.beyond.popularity:long_tail", judges=False),
    "EPC": Metric(
        "assayer.metrics.beyond.novelty:expected_popularity_complement",
        judges=False,
    ),
    "EFD": Metric(
        "assayer.metrics.beyond.novelty:expected_free_discovery",
        judges=False,
    ),
    "ILD": Metric(
        "assayer.metrics.beyond.intra_list:intra_list_diversity",
        judges=False,
    ),
    "Serendipity": Metric(
        "assayer.metrics.beyond.serendipity:serendipity",
    ),
    "Calibration": Metric(
        "assayer.metrics.beyond.calibration:calibration",
        "Miscalibration",
        judges=False,
    ),
    "EE_D": Metric(
        "assayer.metrics.beyond.expected_exposure:exposure_disparity",
        "EE-D",
        judges=False,
    ),
    "EE_R": Metric(
        "assayer.metrics.beyond.expected_exposure:exposure_relevance",
        "EE-R",
    ),
    "EE_L": Metric(
        "assayer.metrics.beyond.expected_exposure:exposure_loss",
        "EE-L",
    ),
    "AWRF": Metric(
        "assayer.metrics.beyond.fairness:attention_weighted_rank_fairness",
        judges=False,
    ),
    "ItemGroups": Metric(
        "assayer.metrics.beyond.fairness:item_group_exposure",
        "Item-group gap",
        judges=False,
    ),
    "UserGroups": Metric(
        "assayer.metrics.beyond.fairness:user_group_quality",
        "User-group gap",
    ),
}

# Looks of metrics that are not listed above, of which the same holds.
SPARE = (
    (GREEN, "p", SOLID),
    (VERMILION, "v", DASHED),
    (INDIGO, "X", DASH_DOT),
    (GREEN, "h", DASHED),
    (PINK, "d", DOTTED),
    (SKY, "^", SOLID),
    (BLACK, "s", LONG_DOT),
    (ORANGE, "o", DASHED),
    (BLUE, "D", DASH_DOT),
)

EVERY = METRICS | DIVERSITY_METRICS | BEYOND_METRICS
# By all the names that results have, in the order in which they are shown.
KNOWN = {
    shown: metric
    for name, metric in EVERY.items()
    for shown in (name, *(f"{name}({parameters})" for parameters in metric.variants))
}

# Of these, the lowest value is the best one.
LOWER_IS_BETTER = (
    *("FP", "Fallout", "MissRate", "MPR", "MAE", "MSE", "RMSE", "NMAE"),
    *("Gini", "ARP", "Calibration", "EE_D", "EE_L", "AWRF", "ItemGroups", "UserGroups"),
)
# How groups are compared so that it is the highest.
HIGHER = re.compile(r"compared *= *['\"](ratio|worst)['\"]")
# Of these, no value is above 1; of other metrics beyond accuracy, none is with these parameters.
UP_TO_1 = (
    *("Coverage", "UserCoverage", "PredictionCoverage", "Gini", "APLT", "EPC", "ILD"),
    *("Serendipity", "AWRF", "UserGroups"),
)
UP_TO_1_WITH = re.compile(
    r"compared *= *['\"]ratio['\"]|popularity *= *['\"]share['\"]|base *= *None"
)


# The parameters with which metrics of lists alone read test ratings, too.
JUDGING = re.compile(r"['\"](judged|relevant)['\"]|relevant_only *= *True")
# The gain with which estimators by propensities count items.
COUNTING = re.compile(r"gain *= *['\"]AUC['\"]")


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
    if weighs(measure):
        return bool(COUNTING.search(measure))
    return name in METRICS and METRICS[name].counts_items


def weighs(measure: str) -> bool:
    """Say if a measure needs the propensities of the judged ratings.

    >>> weighs("SNIPS(gain='R')@10"), weighs("R@10")
    (True, False)
    """
    name = bare(measure)
    return name in METRICS and METRICS[name].weighs


def reads_judgements(measure: str) -> bool:
    """Say if a measure reads the test ratings; a metric of the user's own is taken to.

    >>> reads_judgements("nDCG@10"), reads_judgements("S_Recall"), reads_judgements("mine:hits")
    (True, False, True)
    >>> reads_judgements("S_Recall(aspects='relevant')")
    True
    """
    entry = KNOWN.get(bare(measure))
    return entry is None or entry.judges or bool(JUDGING.search(measure))


def lower_is_better(measure: str) -> bool:
    """Say if the lowest value of a measure is the best one.

    >>> lower_is_better("R@10"), lower_is_better("MissRate@10")
    (False, True)
    >>> lower_is_better("UserGroups@10"), lower_is_better("UserGroups(compared='worst')@10")
    (True, False)
    """
    return bare(measure) in LOWER_IS_BETTER and not HIGHER.search(measure)


def greatest(measure: str) -> float:
    """Return a number that no value of a metric beyond accuracy is above; infinity for no such one.

    >>> greatest("Coverage@10"), greatest("ItemGroups@10"), greatest("Entropy(base=None)@10")
    (1.0, inf, 1.0)
    """
    name = bare(measure)
    up_to_1 = name in UP_TO_1 or (name in BEYOND_METRICS and UP_TO_1_WITH.search(measure))
    return 1.0 if up_to_1 else float("inf")


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
    """Return the distinct names, those of the catalogue first, in its order."""
    given = set(names)
    first = [name for name in KNOWN if name in given]
    return first + sorted(given.difference(first))
