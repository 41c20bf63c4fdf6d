"""The orders of tied items in which metrics are least and greatest."""

import numpy as np

from rankassay.types import Booleans, Floats, Integers, Integers32


def extreme_ranks(
    row: Integers, first: Integers, last: Integers, rating: Floats, listed: Booleans, best: bool
) -> Integers32:
    """Return the ranks of judged items when ties are put in the best or worst order, (n_judged,).

    The best order has the judged items first, by decreasing rating; the worst has them last, by
    increasing rating. Exchanging two neighbours of which the better stands below never lowers a
    metric whose gains increase with ratings and whose weights decrease with places, and never
    lowers bpref, so that these orders are the extremes for all metrics of `ties.expected.METRICS`.
    """
    ranks = np.zeros(len(row), dtype=np.int32)
    at = np.flatnonzero(listed)
    order = at[np.lexsort((-rating[at], first[at], row[at]))]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (row[order][1:] != row[order][:-1]) | (first[order][1:] != first[order][:-1])
    starts = np.flatnonzero(new)
    sizes = np.diff(np.append(starts, len(order)))
    place = np.arange(len(order)) - np.repeat(starts, sizes)
    ranks[order] = first[order] + place if best else last[order] - place
    return ranks
