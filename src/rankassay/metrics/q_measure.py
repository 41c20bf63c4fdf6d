"""The Q-measure."""

import numpy as np

from rankassay.metrics.average_precision import Denominator, divisor
from rankassay.metrics.judged import Judged
from rankassay.metrics.parameters import NotNegative
from rankassay.metrics.totals import Total, running
from rankassay.types import Floats, Integers


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
        The divisor of the sum, see `average_precision.divisor`.

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
