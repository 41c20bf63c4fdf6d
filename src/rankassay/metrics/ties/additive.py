"""Expected sums of items' gains by place."""

import numpy as np

from rankassay.types import Floats, Integers


def expected_sum(
    gain: Floats, first: Integers, last: Integers, weight: Floats, cutoffs: Integers
) -> Floats:
    """Return each item's expected contribution over the places of its tie, (n_items, n_cutoffs).

    ::

        E = gain sum_{first <= k <= min(last, n)} weight(k) / (last - first + 1)

    `weight`, float64 (deepest,), is that of the places from 1 on. Each place of a tie is as likely
    as any other.

    References
    ----------
    McSherry and Najork, ECIR 2008, sections 2.1 to 2.4 and 2.6.
    """
    above = np.concatenate([[0.0], np.cumsum(weight)])
    end = np.minimum(last[:, None], cutoffs)
    begin = np.minimum(first[:, None] - 1, cutoffs)
    return (above[end] - above[begin]) * (gain / (last - first + 1))[:, None]
