"""Expected exposure: the exposure that lists give to items, compared with what they deserve."""

import numpy as np

from rankassay.metrics.beyond.lists import Shown, sums_to
from rankassay.metrics.parameters import Between
from rankassay.types import Floats, Integers


def exposure_disparity(lists: Shown, cutoffs: Integers, *, patience: Between = 0.5) -> Floats:
    """EE-D, expected exposure disparity: how unequal the exposure of the items of a list is.

    ::

        EE-D_u@n = sum_i e_i^2,   e_i = patience^(k - 1) for the item at place k <= n, else 0

    Lower is better. A deterministic system has the same value for all full lists: what differs is
    how long lists are. An empty list gives no exposure and has 0, the best value: read it together
    with EE-R, which is then 0, too, the worst one, and EE-L, which has both.

    Parameters
    ----------
    patience : float
        Between 0 and 1: the probability to go on to the next place, as of rank-biased precision.

    References
    ----------
    Diaz, Mitra, Ekstrand, Biega and Carterette, CIKM 2020, equation (4), for one ranking per user;
    their tool expeval with `-u rbp -C -U`.
    """
    exposure = _exposure(lists, patience)
    return sums_to(exposure**2, cutoffs)


def exposure_relevance(lists: Shown, cutoffs: Integers, *, patience: Between = 0.5) -> Floats:
    """EE-R, expected exposure relevance: how far the exposure goes where it should.

    ::

        EE-R_u@n = sum_i e_i e*_i
        e*_i = (1 / R) sum_{k <= R} patience^(k - 1)                  of a relevant item
        e*_i = (1 / (|I| - R)) sum_{R < k <= |I|} patience^(k - 1)    of another one

    with R relevant items and `|I|` items in the catalogue: e* is what an ideal system gives
    that shows equally relevant items equally often.

    Parameters
    ----------
    patience
        As in `exposure_disparity`.

    References
    ----------
    Diaz et al., CIKM 2020, equations (2) to (4).
    """
    exposure = _exposure(lists, patience)
    relevant, other = _target(lists, patience)
    target = np.where(lists.relevant, relevant[:, None], other[:, None])
    return sums_to(exposure * target, cutoffs)


def exposure_loss(lists: Shown, cutoffs: Integers, *, patience: Between = 0.5) -> Floats:
    """EE-L, expected exposure loss: the squared distance of given and deserved exposure.

    ::

        EE-L_u@n = sum_i (e_i - e*_i)^2 = EE-D - 2 EE-R + sum_i e*_i^2

    Lower is better. See `exposure_disparity` and `exposure_relevance`.

    Parameters
    ----------
    patience
        As in `exposure_disparity`.

    References
    ----------
    Diaz et al., CIKM 2020, equations (1) and (4).
    """
    disparity = exposure_disparity(lists, cutoffs, patience=patience)
    relevant, other = _target(lists, patience)
    n_other = lists.catalogue.n_items - lists.n_relevant
    deserved = lists.n_relevant * relevant**2 + n_other * other**2
    return disparity - 2 * exposure_relevance(lists, cutoffs, patience=patience) + deserved[:, None]


def _exposure(lists: Shown, patience: float) -> Floats:
    """Return the exposure of each place with an item, float64 (n_users, depth)."""
    return np.where(lists.listed, patience ** np.arange(lists.depth), 0.0)


def _target(lists: Shown, patience: float) -> tuple[Floats, Floats]:
    """Return the exposure that a relevant and another item deserve, float64 (n_users,) each."""
    n, r = lists.catalogue.n_items, lists.n_relevant
    above, whole = 1 - patience**r, 1 - patience**n
    relevant = np.divide(above, r * (1 - patience), out=np.zeros(len(r)), where=r > 0)
    rest = n - r
    other = np.divide(whole - above, rest * (1 - patience), out=np.zeros(len(r)), where=rest > 0)
    return relevant, other
