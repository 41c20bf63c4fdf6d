"""Precision, recall, the F-measure, and relatives of precision such as success."""

from typing import Literal

import numpy as np

from rankassay.errors import NeedsCutoffError
from rankassay.metrics.judged import Judged
from rankassay.metrics.judgements import WHOLE_LIST
from rankassay.metrics.totals import Total
from rankassay.types import Floats, Integers

JUDGED_ONLY = ("judged", "judged_nan", "smoothed")  # denominators without unjudged items
PRIOR = 4  # judged items by which precision among few of them is smoothed


def precision(
    judged: Judged,
    cutoffs: Integers,
    *,
    denominator: Literal[
        "cutoff", "listed", "min_relevant", "judged", "judged_nan", "smoothed"
    ] = "cutoff",
) -> Total | Floats:
    """Precision: the share of the first n places that hold a relevant item.

    ::

        P_u@n = |L_u^n ∩ R_u| / n

    Range [0, 1]; 0 for an empty list and for a user without relevant items. Without a cut-off
    there is no n, so the first denominator needs one.

    Parameters
    ----------
    denominator : {"cutoff", "listed", "min_relevant", "judged", "judged_nan", "smoothed"}
        The divisor of the hits: n, so that the empty places of a short list count as non-relevant
        (equation (1), trec_eval's `P`); the number of items in the first n places (trec_eval's
        `set_P`, which the paper's authors ran); `min(n, |R_u|)`, so that every user can reach 1
        (implicit's `precision_at_k`); or the number of judged items in the first n places, so that
        unjudged items count neither for nor against a list (judged-only precision,
        ``|L_u^n ∩ R_u| / |L_u^n ∩ J_u|``). A user whose first n places hold no judged item then has
        the value 0, or with "judged_nan" no value.
        This is not the precision of a condensed list (Sakai, SIGIR 2007), which moves judged items
        from below n up into the first n places. "smoothed" is judged-only precision after
        4 more judged items in each list, of which the share p of all users' judgements together is
        relevant, so that one lucky hit is not worth as much as many::

            (|L_u^n ∩ R_u| + 4 p) / (|L_u^n ∩ J_u| + 4),  p = sum_u |R_u| / sum_u |J_u|

        with J_u the judged items. It is p where the first n places hold no
        judged item, and with fewer judgements p is that of those which are left.

    References
    ----------
    Valcarce et al., RecSys 2018, equation (1). Smoothing: additive smoothing towards a base rate,
    as in Good, The Estimation of Probabilities, 1965; the weight of 4 is this project's.
    """
    if denominator == "listed":
        divisor = judged.listed(cutoffs)
    elif denominator == "min_relevant":
        divisor = np.minimum(cutoffs, judged.n_relevant)
    elif denominator in JUDGED_ONLY:
        divisor = judged.items.total(1.0, cutoffs).values()
        if denominator == "smoothed":
            prior = PRIOR * judged.judgements.share
            return (judged.hits.total(1.0, cutoffs).values() + prior) / (divisor + PRIOR)
        if denominator == "judged_nan":
            values = judged.hits.total(1.0, cutoffs, divisor).values()
            return np.where(divisor > 0, values, np.nan)
    elif WHOLE_LIST in cutoffs:
        raise NeedsCutoffError("P")
    else:
        divisor = cutoffs
    return judged.hits.total(1.0, cutoffs, divisor)


def false_positives(
    judged: Judged,
    cutoffs: Integers,
    *,
    denominator: Literal["cutoff", "judged", "nonrelevant"] = "cutoff",
) -> Total:
    """Anti-precision: the share of the first n places with judged items that are not relevant.

    ::

        FP_u@n = |L_u^n ∩ N_u| / n

    with N_u the items that the user judged and that are not relevant. The lowest value is the best
    one, and unjudged items count in favour of a list: an empty list, and one of unjudged items,
    have the best value of all. Range [0, 1]; 0 for a user without judged non-relevant items.

    Parameters
    ----------
    denominator : {"cutoff", "judged", "nonrelevant"}
        The divisor: n; the number of judged items in the first n places, which makes it 1 minus
        judged-only precision where there are any; or `|N_u|`, the share of the user's known
        mistakes that the list makes (anti-recall: fallout among judged items).

    References
    ----------
    Mena-Maldonado, Cañamares, Castells, Ren and Sanderson, "Popularity bias in false-positive
    metrics for recommender systems evaluation", TOIS 39 (3), 2021.
    """
    if denominator == "judged":
        divisor = judged.items.total(1.0, cutoffs).values()
    elif denominator == "nonrelevant":
        divisor = judged.judgements.n_nonrelevant[:, None].astype(np.float64)
    elif WHOLE_LIST in cutoffs:
        raise NeedsCutoffError("FP")
    else:
        divisor = cutoffs
    return judged.items.total(~judged.items.relevant, cutoffs, divisor)


def centred_precision(judged: Judged, cutoffs: Integers) -> Total:
    """Centred precision: hits above those that the same number of judged items has on average.

    ::

        CP_u@n = (|L_u^n ∩ R_u| - p_u |L_u^n ∩ J_u|) / n,  p_u = |R_u| / |J_u|

    with J_u the judged items. A judged item counts 1 - p_u if it is relevant and -p_u if not, so
    that a list is no better for holding items that users happen to judge, as popular ones. It is
    recall less fallout among the judged items (Youden's J), times ``|R_u| |N_u| / (|J_u| n)``, with
    N_u the judged non-relevant items. Range (-1, 1); 0 for an empty list and for a user who judged
    all alike: where nothing is judged irrelevant, it has no information. ``IPS(gain='P',
    centred=True)`` is the same, weighted by propensities.

    References
    ----------
    Known as correction for chance: Powers, Journal of Machine Learning Technologies 2 (1), 2011.
    """
    if WHOLE_LIST in cutoffs:
        raise NeedsCutoffError("CP")
    judgements, items = judged.judgements, judged.items
    count = judgements.n_relevant + judgements.n_nonrelevant
    # Whole numbers until the division: lists with the same hits tie, in any order.
    above = items.relevant * count[items.row] - judgements.n_relevant[items.row]
    return items.total(above, cutoffs, count[:, None] * cutoffs)


def r_precision(judged: Judged, cutoffs: Integers) -> Total:
    """R-precision: the precision at as many places as the user has relevant items.

    ::

        Rprec_u@n = |L_u^m ∩ R_u| / |R_u|,  m = min(n, |R_u|)

    It is recall there, too, and is meant for whole lists: a cut-off below `|R_u|` can only lower
    it.
    Range [0, 1]; 0 for an empty list and for a user without relevant items.

    References
    ----------
    Buckley and Voorhees, in TREC: Experiment and Evaluation in Information Retrieval, 2005;
    trec_eval's `Rprec`, ranx' `r-precision`.
    """
    hits = judged.hits
    within = hits.rank <= judged.judgements.n_relevant[hits.row]
    return hits.total(within, cutoffs, judged.n_relevant)


def success(judged: Judged, cutoffs: Integers) -> Total:
    """Success: 1 when a relevant item stands in the first n places, else 0; also called hit rate.

    Range [0, 1]; 0 for an empty list and for a user without relevant items.

    References
    ----------
    trec_eval's `success`.
    """
    return judged.hits.total(judged.hits.relevant_above == 0, cutoffs)


def judged_share(judged: Judged, cutoffs: Integers) -> Total:
    """Judged: the share of the items in the first n places that the user has judged.

    ::

        Judged_u@n = |L_u^n ∩ (R_u ∪ N_u)| / |L_u^n|

    It says how much of a list the other metrics can see. Range [0, 1]; 0 for an empty list.

    References
    ----------
    ir_measures' `Judged`; one minus trec_eval's `unj`, except for the places of short lists.
    """
    return judged.items.total(1.0, cutoffs, judged.listed(cutoffs))


def recall(
    judged: Judged,
    cutoffs: Integers,
    *,
    denominator: Literal["relevant", "min_cutoff"] = "relevant",
) -> Total:
    """Recall: the share of the user's relevant items that stand in the first n places.

    ::

        Recall_u@n = |L_u^n ∩ R_u| / |R_u|

    Range [0, 1]; 0 for an empty list and for a user without relevant items.

    Parameters
    ----------
    denominator : {"relevant", "min_cutoff"}
        `|R_u|` (equation (2), trec_eval's `recall`), or `min(n, |R_u|)`, so that every user can
        reach 1 (also called capped or truncated recall).

    References
    ----------
    Valcarce et al., RecSys 2018, equation (2).
    """
    bound = cutoffs if denominator == "min_cutoff" else np.inf
    return judged.hits.total(1.0, cutoffs, np.minimum(judged.n_relevant, bound))
