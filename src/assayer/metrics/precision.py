"""Precision, and relatives: R-precision, success and the judged share."""

from typing import Literal

import numpy as np

from assayer.errors import NeedsCutoffError
from assayer.metrics.judged import Judged
from assayer.metrics.judgements import WHOLE_LIST
from assayer.metrics.totals import Total
from assayer.types import Integers

Denominator = Literal["cutoff", "listed", "min_relevant"]


def precision(judged: Judged, cutoffs: Integers, *, denominator: Denominator = "cutoff") -> Total:
    """Precision: the share of the first n places that hold a relevant item.

    ::

        P_u@n = |L_u^n ∩ R_u| / n

    Range [0, 1]; 0 for an empty list and for a user without relevant items. Without a cut-off
    there is no n, so the first denominator needs one.

    Parameters
    ----------
    denominator : {"cutoff", "listed", "min_relevant"}
        The divisor of the hits: n, so that the empty places of a short list count as non-relevant
        (equation (1), trec_eval's `P`); the number of items in the first n places (trec_eval's
        `set_P`, which the paper's authors ran); or `min(n, |R_u|)`, so that every user can reach 1
        (implicit's `precision_at_k`).

    References
    ----------
    Valcarce et al., RecSys 2018, equation (1).
    """
    if denominator == "listed":
        divisor = judged.listed(cutoffs)
    elif denominator == "min_relevant":
        divisor = np.minimum(cutoffs, judged.n_relevant)
    elif WHOLE_LIST in cutoffs:
        raise NeedsCutoffError("P")
    else:
        divisor = cutoffs
    return judged.hits.total(1.0, cutoffs, divisor)


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
