"""Lexicographic preferences: by the worst relevant item, or by the best one, and then the next."""

from typing import Literal

import numpy as np

from rankassay.kernels import kernel
from rankassay.metrics.preferences.places import Places
from rankassay.types import Floats


def lexirecall(places: Places) -> Floats:
    """Lexirecall: the preference for the list that is better for its worst-served user.

    ::

        LR_u(a, b) = sgn(p_b,i - p_a,i) at the last i at which they differ

    with p as in `rankassay.metrics.preferences.rpp.recall_paired_preference`: the list that has
    more relevant items is better, and of two that have as many the one whose last one stands
    higher, and so on upwards. It is the limit of total search efficiency, which is about who needs
    all items. 1 where a is better, -1 where b is, 0 where all places are equal; NaN for a user
    without relevant items.

    Returns
    -------
    float64 (n_users, n_pairs)
        Of the pairs i < j of systems, in the order of `Places.pairs`.

    References
    ----------
    Diaz, Ekstrand and Mitra, "Recall, robustness, and lexicographic evaluation", 2023, section 4.
    """
    return _of(places, -1, False)


def lexiprecision(places: Places, *, by: Literal["sign", "reciprocal"] = "sign") -> Floats:
    """Lexiprecision: which list has the first relevant item higher, and then the next.

    ::

        LP_u(a, b) = sgn(p_b,i - p_a,i), or 1 / p_a,i - 1 / p_b,i, at the first i where they differ

    As reciprocal rank, except that lists which tie by it are compared by their next relevant items.
    Range [-1, 1], above 0 where a is better; NaN for a user without relevant items.

    Parameters
    ----------
    by : {"sign", "reciprocal"}
        The preference alone, or by how much: the difference of the reciprocals of the places, with
        0 for an item that is not listed (rrLP).

    Returns
    -------
    float64 (n_users, n_pairs)
        Of the pairs i < j of systems, in the order of `Places.pairs`.

    References
    ----------
    Diaz, "Best-case retrieval evaluation: improving the sensitivity of reciprocal rank with
    lexicographic precision", 2023, section 4; lexiprecision and rrlexiprecision of pref_eval.
    """
    return _of(places, 1, by == "reciprocal")


def _of(places: Places, step: int, reciprocal: bool) -> Floats:
    given = (places.places, places.start, places.n_listed, *places.pairs())
    return _lexicographic(*given, step, reciprocal)


@kernel(steps=lambda places, start, listed, first, *_: len(first) * places.shape[1])
def _lexicographic(places, start, listed, first, second, step, reciprocal):
    """Return the preference at the first difference, from the best place on or from the worst."""
    found = np.zeros((len(start) - 1, len(first)))
    unlisted = np.iinfo(np.int32).max
    for u in range(len(start) - 1):
        for k in range(len(first)):
            a, b = places[first[k]], places[second[k]]
            if start[u + 1] == start[u]:
                found[u, k] = np.nan
            n = max(listed[u, first[k]], listed[u, second[k]])
            for i in range(n):
                j = start[u] + (i if step > 0 else n - 1 - i)
                if a[j] != b[j]:
                    if reciprocal:
                        above = 1.0 / a[j] if a[j] < unlisted else 0.0
                        below = 1.0 / b[j] if b[j] < unlisted else 0.0
                        found[u, k] = above - below
                    else:
                        found[u, k] = 1.0 if a[j] < b[j] else -1.0
                    break
    return found
