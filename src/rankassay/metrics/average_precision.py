"""Average precision."""

from typing import Literal

import numpy as np

from rankassay.metrics.judged import Judged
from rankassay.metrics.totals import Total
from rankassay.types import Floats, Integers

Denominator = Literal["relevant", "min_cutoff", "hits", "listed"]


def average_precision(
    judged: Judged, cutoffs: Integers, *, denominator: Denominator = "relevant"
) -> Total:
    """Average precision: the mean over the relevant items of the precision at their places.

    ::

        AP_u@n = (1 / |R_u|) sum_{k <= n} rel(L_u[k]) P_u@k

    A relevant item outside the first n places adds 0. Range [0, 1]; 0 for an empty list and for a
    user without relevant items. Its mean over users is MAP.

    Parameters
    ----------
    denominator : {"relevant", "min_cutoff", "hits", "listed"}
        The divisor of the sum, on which libraries and papers differ; see `divisor`.

    References
    ----------
    Valcarce et al., RecSys 2018, equation (3); trec_eval's `map_cut`.
    """
    hits = judged.hits
    precision = (hits.relevant_above + 1) / hits.rank
    return hits.total(precision, cutoffs, divisor(judged, cutoffs, denominator))


def divisor(judged: Judged, cutoffs: Integers, denominator: Denominator) -> Floats:
    """Return the divisor of an average over relevant items, to (n_users, n_cutoffs).

    relevant: `|R_u|`, so that a user with more than n relevant items cannot reach 1 (Valcarce et
    al.; trec_eval; Spark). min_cutoff: `min(n, |R_u|)`, so that every user can (Rendle 2019,
    equation (7); many libraries). hits: the relevant items among the first n, so that nothing is
    lost by missing one. listed: the items among the first n (these two: "Evaluation metrics for
    recommender systems", a blog post of 2017, section 4.3, options 1 and 2).
    """
    if denominator == "relevant":
        return judged.n_relevant
    if denominator == "min_cutoff":
        return np.minimum(judged.n_relevant, cutoffs)
    if denominator == "hits":
        return judged.hits.total(1.0, cutoffs).values()
    return judged.listed(cutoffs)
