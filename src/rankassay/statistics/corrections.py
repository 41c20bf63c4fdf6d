"""Corrections of p-values for the number of tests."""

import numpy as np

from rankassay.types import Floats


def holm(p: Floats) -> Floats:
    """Correct p-values so that they control the chance of any false rejection.

    With the m p-values in increasing order, ::

        p'_(k) = max_{l <= k} min(1, (m - l + 1) p_(l))

    This holds under any dependence among the tests, and is never larger than Bonferroni's m p. Both
    sides are float64 (..., m); NaN, a test that could not be made, stays NaN and does not count.

    References
    ----------
    Holm, Scandinavian Journal of Statistics 6, 1979.
    """
    order = np.argsort(p, axis=-1)  # NaN last
    ranked = np.take_along_axis(p, order, axis=-1)
    left = (~np.isnan(p)).sum(axis=-1, keepdims=True) - np.arange(p.shape[-1])
    stepped = np.minimum(np.maximum.accumulate(left * ranked, axis=-1), 1.0)
    adjusted = np.empty_like(stepped)
    np.put_along_axis(adjusted, order, stepped, axis=-1)
    return adjusted


def benjamini_hochberg(p: Floats) -> Floats:
    """Correct p-values so that they control the expected share of false ones among rejections.

    With the m p-values in increasing order, ::

        p'_(k) = min_{l >= k} min(1, m p_(l) / l)

    This holds for tests that are independent or positively dependent; those of all pairs of systems
    are neither for certain, and simulations find that it holds for such tests, too. The shapes are
    those of `holm`.

    References
    ----------
    Benjamini and Hochberg, Journal of the Royal Statistical Society B 57, 1995.
    """
    order = np.argsort(p, axis=-1)  # NaN last
    ranked = np.take_along_axis(p, order, axis=-1)
    known = (~np.isnan(p)).sum(axis=-1, keepdims=True)
    stepped = ranked * (known / np.arange(1, p.shape[-1] + 1))
    least = np.fmin.accumulate(stepped[..., ::-1], axis=-1)[..., ::-1]
    adjusted = np.empty_like(least)
    np.put_along_axis(adjusted, order, np.minimum(least, 1.0), axis=-1)
    return adjusted
