"""The residual of rank-biased precision."""

import numpy as np

from rankassay.metrics.judged import Judged
from rankassay.metrics.parameters import Between, check_kind
from rankassay.metrics.totals import Total
from rankassay.types import Floats, Integers


def rbp_residual(judged: Judged, cutoffs: Integers, *, p: Between = 0.8) -> Floats:
    """Residual of RBP: how much of it lies with items that are unjudged or not seen.

    ::

        residual_u@n = 1 - (1 - p) sum_{k <= n} [L_u[k] is judged] p^(k - 1)

    It is what RBP without a cut-off can rise by, had the list no end: the weights of the unjudged
    places down to n, and p^n for all below. Range (0, 1]; 1 for an empty list. RBP@n itself can
    rise by the unjudged places alone: by the residual less p^n, in a list of n places.

    Parameters
    ----------
    p : float
        Persistence, between 0 and 1.

    Returns
    -------
    float64 (n_users, n_cutoffs)

    References
    ----------
    Moffat and Zobel, TOIS 2008, section 3.2.
    """
    check_kind("p", p, Between)
    items = judged.items
    weights: Total = items.total((1 - p) * p ** (items.rank - 1.0), cutoffs)
    return np.maximum(1 - weights.values(), 0.0)
