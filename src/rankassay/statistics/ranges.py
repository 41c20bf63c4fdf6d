"""Ranges that two numbers can lie in, and whether they overlap."""

import numpy as np

from rankassay.types import Booleans, Floats

ROUNDING = 1e-12  # of the larger end: what rounding makes of equal means of up to a million users


def overlap(
    least: Floats, greatest: Floats, other_least: Floats, other_greatest: Floats
) -> Booleans:
    """Return whether two ranges share more than an end, bool of their broadcast shape.

    Ends that differ by rounding alone, 1e-12 of the larger one, are the same. A range with an end
    that is NaN shares nothing.
    """
    return _below(least, other_greatest) & _below(other_least, greatest)


def _below(low: Floats, high: Floats) -> Booleans:
    return high - low > ROUNDING * np.maximum(np.abs(low), np.abs(high))
