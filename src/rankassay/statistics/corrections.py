"""Corrections of p-values for the number of tests."""

import numpy as np

from rankassay.types import Floats, Integers


def holm(p: Floats) -> Floats:
    """Correct p-values so that they control the chance of any false rejection.

    With the m p-values in increasing order, ::

        p'_(k) = max_{l <= k} min(1, (m - l + 1) p_(l))

    This holds under any dependence among the tests, and is never larger than Bonferroni's m p. Both
    sides are float64 (..., m); NaN, a test that could not be made, stays NaN and does not count.

    Source: Holm, Scandinavian Journal of Statistics 6, 1979.
    """
    order, ranked, known = _ranked(p)
    stepped = np.maximum.accumulate((known - np.arange(p.shape[-1])) * ranked, axis=-1)
    return _placed(np.minimum(stepped, 1.0), order)


def benjamini_hochberg(p: Floats) -> Floats:
    """Correct p-values so that they control the expected share of false ones among rejections.

    With the m p-values in increasing order, ::

        p'_(k) = min_{l >= k} min(1, m p_(l) / l)

    This holds for tests that are independent or positively dependent; those of all pairs of systems
    are neither for certain, and simulations find that it holds for such tests, too. The shapes are
    those of `holm`.

    Source: Benjamini and Hochberg, Journal of the Royal Statistical Society B 57, 1995.
    """
    order, ranked, known = _ranked(p)
    stepped = ranked * (known / np.arange(1, p.shape[-1] + 1))
    least = np.fmin.accumulate(stepped[..., ::-1], axis=-1)[..., ::-1]
    return _placed(np.minimum(least, 1.0), order)


def _ranked(p: Floats) -> tuple[Integers, Floats, Integers]:
    """Return the order of p-values, NaN last, the values in it, and how many are known."""
    order = np.argsort(p, axis=-1)
    return order, np.take_along_axis(p, order, axis=-1), (~np.isnan(p)).sum(axis=-1, keepdims=True)


def _placed(ranked: Floats, order: Integers) -> Floats:
    """Return values in the order of p-values where these stand."""
    found = np.empty_like(ranked)
    np.put_along_axis(found, order, ranked, axis=-1)
    return found
