"""Novelty: how unlikely it is that the user knows, or has chosen, the listed items."""

from typing import Literal

import numpy as np

from rankassay.metrics.beyond.concentration import place_weights
from rankassay.metrics.beyond.lists import Shown, sums_to
from rankassay.types import Floats, Integers

Discount = Literal["none", "log"]


def expected_popularity_complement(
    lists: Shown, cutoffs: Integers, *, discount: Discount = "none", relevant_only: bool = False
) -> Floats:
    """EPC, expected popularity complement: the chance that others have not seen the listed items.

    ::

        EPC_u@n = sum_{k <= n} d_k rel_k (1 - |U_i| / |U|) / sum_{k <= min(n, |L_u|)} d_k

    with i the item at place k, U the users with training ratings and U_i those who rated it. Range
    [0, 1]; 0, the worst value, for an empty list.

    Parameters
    ----------
    discount : {"none", "log"}
        d_k: 1, or 1 / log2(1 + k).
    relevant_only : bool
        Whether only relevant items count: rel_k is 1 for all items, or 1 for relevant ones alone
        (Elliot's EPC, with discount="log", of users with relevant items).

    References
    ----------
    Vargas and Castells, RecSys 2011, equations (2) and (7).
    """
    seen = lists.catalogue.popularity / max(lists.catalogue.n_raters, 1)
    return _discounted(lists, 1 - seen, cutoffs, discount, relevant_only)


def expected_free_discovery(
    lists: Shown, cutoffs: Integers, *, discount: Discount = "none", relevant_only: bool = False
) -> Floats:
    """EFD, expected free discovery: the mean self-information of the listed items, in bits.

    ::

        EFD_u@n = sum_{k <= n} d_k rel_k (-log2(r_i / r)) / sum_{k <= min(n, |L_u|)} d_k

    with r_i the training ratings of item i, and r all of them. 0, the worst value, for an empty
    list; an item without training ratings counts as if it had one.

    Parameters
    ----------
    discount, relevant_only
        As in `expected_popularity_complement`. With both it is Elliot's EFD; without either it is
        Microsoft's novelty, but for items without training ratings.

    References
    ----------
    Vargas and Castells, RecSys 2011, section 3.2; Zhou et al., PNAS 2010, mean self-information.
    """
    count = np.maximum(lists.catalogue.popularity, 1)
    bits = np.log2(max(lists.catalogue.train.nnz, 1)) - np.log2(count)
    return _discounted(lists, bits, cutoffs, discount, relevant_only)


def _discounted(
    lists: Shown, novelty: Floats, cutoffs: Integers, discount: Discount, relevant_only: bool
) -> Floats:
    """Return the mean novelty of the places, weighted by a discount."""
    weight = place_weights("count" if discount == "none" else "log", lists.depth)
    counts = lists.relevant if relevant_only else lists.listed
    gained = sums_to(np.where(counts, weight * novelty[lists.items], 0.0), cutoffs)
    whole = sums_to(np.where(lists.listed, weight, 0.0), cutoffs)
    return np.divide(gained, whole, out=np.zeros_like(gained), where=whole > 0)
