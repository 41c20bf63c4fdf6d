"""Expected sums of precision at the places of relevant items."""

import numpy as np

from rankassay.types import Floats, Integers


def expected_precision(
    first: Integers, last: Integers, above: Integers, within: Integers, cutoffs: Integers
) -> Floats:
    """Return the expected precision at the place of each relevant item, (n_hits, n_cutoffs).

    ::

        E = (1 / m) sum_{first <= k <= min(last, n)} (a + 1 + (k - first) (r - 1) / (m - 1)) / k

    with m the items of the tie, r = `within` the relevant ones among them, and a = `above` those
    in the places before it.

    References
    ----------
    McSherry and Najork, ECIR 2008, section 2.5.
    """
    harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, last.max(initial=0) + 1))])
    end = np.maximum(np.minimum(last[:, None], cutoffs), first[:, None] - 1)
    sums = harmonic[end] - harmonic[first - 1][:, None]
    size = last - first + 1
    share = ((within - 1) / np.maximum(size - 1, 1))[:, None]
    places = end - first[:, None] + 1
    expected = (above + 1)[:, None] * sums + share * (places - first[:, None] * sums)
    return expected / size[:, None]
