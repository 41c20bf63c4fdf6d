"""Recall-paired preference."""

from typing import Literal

import numpy as np

from rankassay.kernels import kernel
from rankassay.metrics.preferences.places import Places
from rankassay.types import Floats

Weights = Literal["uniform", "inverse", "log"]
ROUNDING = 1e-12  # weights that cancel but for this make a tie


def recall_paired_preference(places: Places, *, weights: Weights = "uniform") -> Floats:
    """RPP: the share of recall levels at which one list is better than the other, less the rest.

    ::

        RPP_u(a, b) = sum_{i <= R} w_i sgn(p_b,i - p_a,i) / sum_{i <= R} w_i

    with p_a,i the place at which list a has the user's i-th relevant item, whichever it is: a user
    who wants i items would read so far. One that is not listed stands below all that are; two of
    these are equal. Range [-1, 1], above 0 where a is better; NaN for a user without relevant
    items.

    Parameters
    ----------
    weights : {"uniform", "inverse", "log"}
        w_i: 1, 1 / i, or 1 / log2(i + 1): how many users want i items.

    Returns
    -------
    float64 (n_users, n_pairs)
        Of the pairs i < j of systems, in the order of `Places.pairs`.

    References
    ----------
    Diaz and Ferraro, SIGIR 2022, equation (4) and section 3.3; rpp, invrpp and dcgrpp of pref_eval,
    with binary relevance.
    """
    level = np.arange(1.0, int(np.diff(places.start).max(initial=0)) + 1)
    by_level = {"uniform": np.ones(len(level)), "inverse": 1 / level, "log": 1 / np.log2(level + 1)}
    given = (places.places, places.start, places.n_listed, *places.pairs())
    return _preferences(*given, by_level[weights])


@kernel(steps=lambda places, start, listed, first, *_: len(first) * places.shape[1])
def _preferences(places, start, listed, first, second, weight):
    """Return the weighted mean sign of the differences in place of each user and pair.

    Signs are numbers and no branches, as which list has the higher place cannot be foreseen.
    """
    found = np.empty((len(start) - 1, len(first)))
    for u in range(len(start) - 1):
        n = start[u + 1] - start[u]
        whole = 0.0
        for i in range(n):
            whole += weight[i]
        for k in range(len(first)):
            a, b, total = places[first[k]], places[second[k]], 0.0
            for i in range(max(listed[u, first[k]], listed[u, second[k]])):
                j = start[u] + i
                total += weight[i] * (np.int64(a[j] < b[j]) - np.int64(a[j] > b[j]))
            if abs(total) < ROUNDING * whole:
                total = 0.0
            found[u, k] = total / whole if n > 0 else np.nan
    return found
