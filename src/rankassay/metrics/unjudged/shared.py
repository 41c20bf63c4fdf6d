"""Unjudged items that two systems list for the same user."""

import numpy as np
import scipy.sparse as sp

from rankassay.kernels import kernel
from rankassay.types import Floats, Integers32


def shared_places(items: Integers32, test: sp.csr_matrix) -> Floats:
    """Count the unjudged items that two systems both list, by the lower of their two places.

    Of metrics that are sums of weights of places, w_1 >= w_2 >= ..., an item that two systems list
    at the places j and k adds to both the weight of max(j, k), relevant or not: the smaller of its
    two weights. With c_k the counts, sum_k c_k w_k is what unjudged items add to both.

    Parameters
    ----------
    items : int32 (n_systems, n_users, depth)
        Best first, padded with -1. They may be beyond the items of `test`, as those of a run are
        that the dataset does not have.
    test : csr (n_users, n_items)
        The judgements of these users.

    Returns
    -------
    float64 (n_systems, n_systems, depth)
        Symmetric; of a system with itself, all its unjudged items by their place.
    """
    n_items = max(test.shape[1], int(items.max(initial=-1)) + 1)
    return _shared(items, test.indptr, test.indices, n_items).astype(np.float64)


def _steps(items, *_):
    return items.size * len(items)


@kernel(steps=_steps)
def _shared(items, start, judged, n_items):
    """Return the counts of `shared_places`, int64."""
    n_systems, n_users, depth = items.shape
    count = np.zeros((n_systems, n_systems, depth), dtype=np.int64)
    place = np.full((n_items, n_systems), -1)
    known = np.zeros(n_items, dtype=np.bool_)
    for u in range(n_users):
        for j in range(start[u], start[u + 1]):
            known[judged[j]] = True
        for s in range(n_systems):
            for k in range(depth):
                if items[s, u, k] >= 0 and not known[items[s, u, k]]:
                    place[items[s, u, k], s] = k
        for s in range(n_systems):
            for k in range(depth):
                item = items[s, u, k]
                if item >= 0 and not known[item]:
                    for other in range(n_systems):
                        if place[item, other] >= 0:
                            count[s, other, max(k, place[item, other])] += 1
        for s in range(n_systems):
            for k in range(depth):
                if items[s, u, k] >= 0:
                    place[items[s, u, k], s] = -1
        for j in range(start[u], start[u + 1]):
            known[judged[j]] = False
    return count
