"""Average precision and its kin: sums over relevant items of what stands above each of them."""

from typing import Literal

import numpy as np

from rankassay.metrics.judged import EPSILON, Judged
from rankassay.metrics.parameters import NotNegative
from rankassay.metrics.totals import Total, ratio, running
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


def q_measure(
    judged: Judged,
    cutoffs: Integers,
    *,
    beta: NotNegative = 1.0,
    denominator: Denominator = "relevant",
) -> Total:
    """Q-measure: average precision for graded relevance, with a blend of hits and gains.

    ::

        Q_u@n = (1 / |R_u|) sum_{k <= n} rel(L_u[k]) (C_k + beta g_k) / (k + beta g*_k)

    with C_k the relevant items among the first k, g_k the sum of their ratings, and g*_k that of
    the k best relevant items; a rating below 0 gains nothing. Range [0, 1]; 0 for an empty list and
    for a user without relevant items. Average precision where beta is 0.

    Parameters
    ----------
    beta : float
        The weight of gains, at least 0.
    denominator : {"relevant", "min_cutoff", "hits", "listed"}
        The divisor of the sum, see `divisor`.

    References
    ----------
    Sakai, AIRS 2004 ("On the reliability of information retrieval metrics based on graded
    relevance", IPM 2007, for the form with beta).
    """
    judgements, hits = judged.judgements, judged.hits
    gained = running(np.maximum(hits.rating, 0.0), hits.start)
    ideal = judgements.remember(("Q",), lambda: _ideal(judgements))
    best_place = np.minimum(hits.rank, judgements.n_relevant[hits.row].astype(np.int64))
    best = ideal[judgements.start[hits.row] + best_place - 1]
    blended = (hits.relevant_above + 1 + beta * gained) / (hits.rank + beta * best)
    return hits.total(blended, cutoffs, divisor(judged, cutoffs, denominator))


def _ideal(judgements) -> Floats:
    """Return the sum of the ratings of the k best relevant items, at each place k."""
    best = judgements.ideal_rating
    gains = np.where(best >= judgements.threshold, np.maximum(best, 0.0), 0.0)
    return running(gains, judgements.start)


def infap(
    judged: Judged,
    cutoffs: Integers,
    *,
    unjudged: Literal["pooled", "unpooled"] = "pooled",
    negative: Literal["nonrelevant", "unjudged"] = "nonrelevant",
) -> Total:
    """Inferred average precision: average precision with each precision estimated from judgements.

    ::

        infAP_u@n = (1 / |R_u|) sum_{k <= n} rel(L_u[k]) E[P@k]

        E[P@k] = 1/k + (k-1)/k * s * (r + e) / (r + m + 2e)

    with r and m the relevant and judged non-relevant items above place k, and e = 0.00001. Range
    [0, 1]; 0 for an empty list and for a user without relevant items. If nothing above a relevant
    item is judged, its precision is taken as one half, which favours blind lists.

    Parameters
    ----------
    unjudged : {"pooled", "unpooled"}
        Whether the items without a rating count as members of the pool that were not judged
        (s = 1: equation (8), and what the paper's authors ran as `infAP2`), or as items outside
        the pool, known to be non-relevant (s = (r + m) / (k - 1): trec_eval's `infAP`).
    negative : {"nonrelevant", "unjudged"}
        Whether an item rated below 0 is judged and not relevant, or a member of the pool that was
        not judged, as in trec_eval: it is not among m, and s = (r + m + g) / (k - 1) where g such
        items stand above place k.

    References
    ----------
    Valcarce et al., RecSys 2018, equations (7) and (8), after Yilmaz and Aslam, KAIS 2008.
    """
    hits = judged.from_zero.hits if negative == "unjudged" else judged.hits
    relevant = hits.relevant_above
    seen = relevant + hits.nonrelevant_above
    inferred = (relevant + EPSILON) / (seen + 2 * EPSILON)
    if unjudged == "unpooled":
        pooled = relevant + judged.hits.nonrelevant_above  # those below 0 are in the pool, too
        inferred = ratio(pooled, hits.rank - 1) * inferred
    expected = (1 + (hits.rank - 1) * inferred) / hits.rank
    return hits.total(expected, cutoffs, judged.n_relevant)


def bpref(
    judged: Judged,
    cutoffs: Integers,
    *,
    without_nonrelevant: Literal["preferred", "nan"] = "preferred",
    negative: Literal["nonrelevant", "unjudged"] = "nonrelevant",
) -> Total | Floats:
    """Binary preference: how few judged non-relevant items stand above each relevant one.

    ::

        bpref_u@n = (1 / |R_u|) sum_{k <= n} rel(L_u[k]) (1 - min(a_k, |R_u|) / min(|N_u|, |R_u|))

    with a_k the number of judged non-relevant items above place k; unjudged items are passed
    over. Range [0, 1]; 0 for an empty list and for a user without relevant items.

    Parameters
    ----------
    without_nonrelevant : {"preferred", "nan"}
        For a user without judged non-relevant items the fraction is 0/0. Each relevant item in the
        list then adds 1, as in trec_eval, or the user's value is undefined, as in ranx if the list
        has a relevant item.
    negative : {"nonrelevant", "unjudged"}
        Whether an item rated below 0 is judged and not relevant, or not judged, as in trec_eval,
        where levels below 0 say that an item was pooled only.

    References
    ----------
    Valcarce et al., RecSys 2018, equation (6), after Buckley and Voorhees, SIGIR 2004;
    trec_eval's `bpref` (since version 8) on lists cut at n (`-M`).
    """
    if negative == "unjudged":
        judged = judged.from_zero
    n_relevant, n_nonrelevant = judged.judgements.n_relevant, judged.judgements.n_nonrelevant
    hits = judged.hits
    # Above an item stand at most |N_u| non-relevant ones, so that one bound does for both.
    bound = np.minimum(n_relevant, n_nonrelevant)[hits.row]
    fraction = np.minimum(hits.nonrelevant_above, bound) / np.maximum(bound, 1)
    total = hits.total(1 - fraction, cutoffs, judged.n_relevant)
    if without_nonrelevant == "preferred":
        return total
    return np.where(n_nonrelevant[:, None] > 0, total.values(), np.nan)


def reciprocal_rank(judged: Judged, cutoffs: Integers) -> Total:
    """Reciprocal rank: one over the place of the first relevant item in the first n places.

    ::

        RR_u@n = 1 / min {k <= n : rel(L_u[k]) > 0}

    Range [0, 1]; 0 without a relevant item there. Its mean over users is MRR.

    References
    ----------
    Valcarce et al., RecSys 2018, equation (5); trec_eval's `recip_rank` on lists cut at n (`-M`).
    """
    hits = judged.hits
    return hits.total((hits.relevant_above == 0) / hits.rank, cutoffs)
