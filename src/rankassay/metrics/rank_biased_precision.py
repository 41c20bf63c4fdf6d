"""Rank-biased precision."""

from rankassay.metrics.cwl import Highest, Share, gains_between
from rankassay.metrics.judged import Judged
from rankassay.metrics.parameters import Between
from rankassay.metrics.totals import Total
from rankassay.types import Integers


def rank_biased_precision(
    judged: Judged,
    cutoffs: Integers,
    *,
    p: Between = 0.8,
    gain: Share = "binary",
    highest: Highest = "all",
) -> Total:
    """Rank-biased precision: the hits of a user who continues to the next place with probability p.

    ::

        RBP_u@n = (1 - p) sum_{k <= n} g(L_u[k]) p^(k - 1)

    Range [0, 1): only an endless list of relevant items approaches 1; 0 for an empty list and for a
    user without relevant items.

    Parameters
    ----------
    p : float
        Persistence, between 0 and 1; impatient users have small ones. The default is ir_measures';
        trec_eval's `rbp` has 0.9, as here under the profile `trec`, and graded gains.
    gain, highest
        What an item gains, see `rankassay.metrics.cwl.gains_between`.

    References
    ----------
    Moffat and Zobel, TOIS 2008. C/W/L with C(k) = p, see `rankassay.metrics.cwl`.
    """
    if gain == "binary":
        return judged.hits.total((1 - p) * p ** (judged.hits.rank - 1.0), cutoffs)
    gains = gains_between(judged, gain, highest, "RBP")
    return judged.items.total(gains * (1 - p) * p ** (judged.items.rank - 1.0), cutoffs)
