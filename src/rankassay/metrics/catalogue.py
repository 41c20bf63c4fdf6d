"""The catalogue of metrics of relevance, and look-ups of any metric's properties.

An entry has all properties of a metric that other modules use; see `rankassay.metrics.metric`.
Those of diversity and beyond accuracy are in the catalogues of their packages.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from rankassay.lookup import find
from rankassay.metrics.beyond.catalogue import BEYOND_METRICS
from rankassay.metrics.diversity.catalogue import DIVERSITY_METRICS
from rankassay.metrics.metric import ANY, CORRELATION, SHARE, SUM, Metric, Names, When

WEIGHTS = "propensities"
NO_WEIGHTS = When(
    "power", ("0", "0.0", "-0.0"), {"needs": lambda needs: tuple(n for n in needs if n != WEIGHTS)}
)
OF_AREA = When("gain", ("AUC",), {"needs": ("judgements", "items", WEIGHTS), "cut": False})


def by_weights(name: str, parameters: str) -> dict[str, Names]:
    """Return the names of a weighted sum of gains, for the weights and for their roots."""
    return {
        own: Names(f"{name}@k by 1/{root}popularity, {name}@k by 1/{root}propensity")
        for own, root in ((parameters, ""), (f"{parameters}, power=0.5", "√"))
    }


METRICS = {
    "P": Metric(
        "precision_recall:precision",
        SHARE,
        names=Names("Precision, PPV", "P_k", "precision", "Precision", "P"),
        names_with={
            "denominator='listed'": Names(trec_eval="set_P", ir_measures="SetP"),
            "denominator='judged'": Names(
                "P@k of judged items, Judged-only P, Judged-only precision"
            ),
            "denominator='judged_nan'": Names("P@k of judged items without empty lists"),
            "denominator='smoothed'": Names("smoothed P@k of judged items, Smoothed judged-only P"),
        },
        form=("hit", {"denominator": "cutoff"}),
        unjudged="binary",
    ),
    "R": Metric(
        "precision_recall:recall",
        SHARE,
        label="Recall",
        names=Names(
            "Recall, Sensitivity, TPR", "recall_k, set_recall", "recall", "Recall", "R, SetR"
        ),
        form=("share", {"denominator": "relevant"}),
        unjudged="binary",
    ),
    "AP": Metric(
        "average_precision:average_precision",
        SHARE,
        label="MAP",
        names=Names(
            "MAP, Average precision, Mean average precision",
            trec_eval="map, map_cut_k",
            ranx="map",
            ir_measures="AP",
        ),
        form=("precision", {"denominator": "relevant"}),
        unjudged="swept",
    ),
    "nDCG": Metric(
        "ndcg:ndcg",
        SHARE,
        names=Names("NDCG", trec_eval="ndcg, ndcg_cut_k", ranx="ndcg", ir_measures="nDCG"),
        names_with={
            "gain='exp'": Names(ranx="ndcg_burges"),
            "gain='binary'": Names("nDCG@k (binary)"),
        },
        unjudged="swept",
    ),
    "RR": Metric(
        "average_precision:reciprocal_rank",
        SHARE,
        label="MRR",
        names=Names("MRR, Reciprocal rank, Mean reciprocal rank", "recip_rank", "mrr", "MRR", "RR"),
        form=("first", {}),
        unjudged="binary",
    ),
    "Bpref": Metric(
        "average_precision:bpref",
        SHARE,
        label="bpref",
        names=Names("Binary preference", trec_eval="bpref", ir_measures="Bpref"),
        form=("preference", {"without_nonrelevant": "preferred"}),
        unjudged="swept",
    ),
    "infAP": Metric(
        "average_precision:infap",
        SHARE,
        names=Names("Inferred AP"),
        form=("inferred", {"unjudged": "pooled"}),
        unjudged="swept",
    ),
    "F1": Metric(
        "precision_recall:f1",
        SHARE,
        names=Names("F1 score, F1 measure", ranx="f1"),
        unjudged="binary",
    ),
    "F": Metric(
        "precision_recall:f_measure",
        SHARE,
        names=Names("F measure, F score"),
        names_with={
            "beta=2": Names("F2"),
            "denominator='listed'": Names(trec_eval="set_F", ir_measures="SetF"),
        },
        unjudged="binary",
    ),
    "DCG": Metric(
        "ndcg:dcg",
        SUM,
        names=Names(ranx="dcg"),
        names_with={"gain='exp'": Names(ranx="dcg_burges")},
        unjudged="rising",
    ),
    "ERR": Metric(
        "user_models:expected_reciprocal_rank",
        SHARE,
        names=Names("Expected reciprocal rank"),
        unjudged="rising",
    ),
    "Q": Metric("average_precision:q_measure", SHARE, names=Names("Q-measure")),
    "RBP": Metric(
        "user_models:rank_biased_precision",
        SHARE,
        names=Names("Rank-biased precision"),
        unjudged="rising",
    ),
    "Rprec": Metric(
        "precision_recall:r_precision",
        SHARE,
        label="R-precision",
        names=Names("R-precision", trec_eval="Rprec", ranx="r-precision", ir_measures="Rprec"),
    ),
    "NCG": Metric(
        "ndcg:ncg", SHARE, names=Names("Normalised cumulative gain, Normalized cumulative gain")
    ),
    "SDCG": Metric(
        "user_models:sdcg", SHARE, names=Names("Scaled DCG, Scaled discounted cumulative gain")
    ),
    "INST": Metric("user_models:inst", SHARE, names_with={"adaptive=False": Names("INSQ")}),
    "Compat": Metric("user_models:compatibility", SHARE, names=Names("Compatibility")),
    "Success": Metric(
        "precision_recall:success",
        SHARE,
        names=Names("HR, Hit rate, Hit ratio", "success_k", "hit_rate", "Hit", "Success"),
        unjudged="binary",
    ),
    "Judged": Metric("precision_recall:judged_share", SHARE, names=Names(ir_measures="Judged")),
    "FP": Metric(
        "precision_recall:false_positives",
        SHARE,
        names=Names("Anti-precision, False positives"),
        names_with={"denominator='nonrelevant'": Names("anti-recall@k")},
        lower_is_better=True,
        opposite=True,
    ),
    "CP": Metric(
        "precision_recall:centred_precision",
        CORRELATION,
        names=Names("Centred precision, Centred P, Chance-corrected precision, Chance-corrected P"),
    ),
    "Fallout": Metric(
        "classification:fallout",
        SHARE,
        names=Names("FPR, False positive rate"),
        needs=("judgements", "items"),
        lower_is_better=True,
        opposite=True,
    ),
    "MissRate": Metric(
        "classification:miss_rate",
        SHARE,
        names=Names("FNR, False negative rate"),
        lower_is_better=True,
        opposite=True,
    ),
    "InversePrecision": Metric(
        "classification:inverse_precision",
        SHARE,
        names=Names("NPV, Negative predictive value"),
        needs=("judgements", "items"),
        opposite=True,
    ),
    "InverseRecall": Metric(
        "classification:inverse_recall",
        SHARE,
        names=Names("Specificity, TNR, True negative rate"),
        needs=("judgements", "items"),
        opposite=True,
    ),
    "Markedness": Metric("classification:markedness", CORRELATION, needs=("judgements", "items")),
    "Informedness": Metric(
        "classification:informedness", CORRELATION, needs=("judgements", "items")
    ),
    "MCC": Metric(
        "classification:matthews_correlation",
        CORRELATION,
        names=Names("Matthews correlation"),
        needs=("judgements", "items"),
    ),
    "KendallTau": Metric("classification:kendall_tau", CORRELATION, needs=("judgements", "items")),
    "AverageMarkedness": Metric(
        "classification:average_markedness", CORRELATION, needs=("judgements", "items")
    ),
    "AverageInformedness": Metric(
        "classification:average_informedness", CORRELATION, needs=("judgements", "items")
    ),
    "AUC": Metric(
        "classification:auc",
        SHARE,
        names=Names("ROC AUC, AUROC"),
        needs=("judgements", "items"),
        cut=False,
    ),
    "LAUC": Metric(
        "classification:limited_auc",
        SHARE,
        names=Names("Limited AUC"),
        needs=("judgements", "items"),
    ),
    "MPR": Metric(
        "classification:mean_percentile_rank",
        SHARE,
        names=Names("Mean percentile rank, Expected percentile ranking"),
        needs=("judgements", "items"),
        lower_is_better=True,
        cut=False,
    ),
    "MAE": Metric(
        "rating_errors:mean_absolute_error",
        SUM,
        names=Names("Mean absolute error"),
        needs=("judgements", "predictions"),
        lower_is_better=True,
    ),
    "MSE": Metric(
        "rating_errors:mean_squared_error",
        SUM,
        names=Names("Mean squared error"),
        needs=("judgements", "predictions"),
        lower_is_better=True,
    ),
    "RMSE": Metric(
        "rating_errors:root_mean_squared_error",
        SUM,
        names=Names("Root mean squared error"),
        needs=("judgements", "predictions"),
        lower_is_better=True,
    ),
    "NMAE": Metric(
        "rating_errors:normalised_mean_absolute_error",
        SUM,
        needs=("judgements", "predictions"),
        lower_is_better=True,
    ),
    "IPS": Metric(
        "unbiased:ips",
        SUM,
        names_with={
            **by_weights("P", "gain='P'"),
            **by_weights("DCG", "gain='DCG'"),
            **by_weights("CP", "centred=True, gain='P'"),
            **by_weights("CDCG", "centred=True, gain='DCG'"),
            "centred=True, gain='DCG', power=0": Names("CDCG@k, Centred DCG"),
            "gain='DCG', power=0": Names("unweighted DCG@k"),
        },
        needs=("judgements", WEIGHTS),
        when=(When("centred", ("True",), {"bounds": ANY}), OF_AREA, NO_WEIGHTS),
    ),
    "SNIPS": Metric(
        "unbiased:snips",
        SHARE,
        names=Names("Recall@k by 1/popularity, Recall@k by 1/propensity"),
        needs=("judgements", WEIGHTS),
        when=(OF_AREA,),
    ),
    "Stratified": Metric(
        "unbiased:stratified", SHARE, needs=("judgements", WEIGHTS), when=(OF_AREA,)
    ),
}

EVERY = METRICS | DIVERSITY_METRICS | BEYOND_METRICS
# By all the names that results have, in the order in which they are shown.
KNOWN = {
    shown: metric
    for name, metric in EVERY.items()
    for shown in (name, *(f"{name}({parameters})" for parameters in metric.variants))
}
OWN = Metric("", ANY)  # the properties that a user's own metric is taken to have


@cache
def entry(measure: str) -> Metric:
    """Return the entry of a measure with its parameters, by the catalogue's name of its metric.

    A metric that is not in the catalogue is taken for one of the user's own.

    >>> entry("Entropy@10").bounds, entry("Entropy(base=None)@10").bounds
    ((0.0, inf), (0.0, 1.0))
    """
    found = EVERY.get(bare(measure), OWN)
    for when in found.when:
        if when.holds(measure):
            changes = when.changes.items()
            own = {k: new(getattr(found, k)) if callable(new) else new for k, new in changes}
            found = replace(found, **own)
    return found


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
    """Return whether a measure needs the number of items that could have been listed."""
    return "items" in entry(measure).needs


def weighs(measure: str) -> bool:
    """Return whether a measure needs the propensities of the judged ratings.

    >>> weighs("SNIPS(gain='R')@10"), weighs("R@10")
    (True, False)
    >>> weighs("IPS(power=0.5)@10"), weighs("IPS(power=0)@10")
    (True, False)
    """
    return WEIGHTS in entry(measure).needs


def reads_judgements(measure: str) -> bool:
    """Return whether a measure reads the test ratings; a metric of the user's own is taken to.

    >>> reads_judgements("nDCG@10"), reads_judgements("S_Recall"), reads_judgements("mine:hits")
    (True, False, True)
    >>> reads_judgements("S_Recall(aspects='relevant')")
    True
    """
    return "judgements" in entry(measure).needs


def lower_is_better(measure: str) -> bool:
    """Return whether the lowest value of a measure is the best one.

    >>> lower_is_better("R@10"), lower_is_better("MissRate@10")
    (False, True)
    >>> lower_is_better("UserGroups@10"), lower_is_better("UserGroups(compared='worst')@10")
    (True, False)
    """
    return entry(measure).lower_is_better


def is_cut(measure: str) -> bool:
    """Return whether a cut-off changes a measure; a user's own metric is taken to have one."""
    return entry(measure).cut


def is_share(measure: str) -> bool:
    """Return whether all values of a measure lie between 0 and 1.

    >>> is_share("R@10"), is_share("DCG@10"), is_share("mine:hits")
    (True, False, False)
    """
    return entry(measure).bounds == SHARE


def label(name: str, cutoff: float | None = None) -> str:
    """Return a metric's name for readers, with its cut-off if that is given.

    The module of a user's own metric is omitted.

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
