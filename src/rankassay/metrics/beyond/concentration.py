"""Concentration of exposure: Gini's coefficient, and Shannon's entropy."""

from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from rankassay.kernels import kernel
from rankassay.metrics.beyond.coverage import Of, possible
from rankassay.metrics.beyond.lists import Shown
from rankassay.metrics.beyond.sums import Sums
from rankassay.metrics.parameters import Base
from rankassay.types import Booleans, Floats, Integers

Weights = Literal["count", "log"]
Denominator = Literal["n", "n-1"]


def place_weights(weights: Weights, depth: int) -> Floats:
    """Return how much exposure each place gives: 1 each, or 1 / log2(1 + k), float64 (depth,)."""
    return np.ones(depth) if weights == "count" else 1 / np.log2(np.arange(2.0, depth + 2))


def gini(
    lists: Shown,
    cutoffs: Integers,
    *,
    of: Of = "catalogue",
    weights: Weights = "count",
    denominator: Denominator = "n",
) -> list[Sums]:
    """Gini's coefficient of the exposure of items: 0 if all are shown as often as each other.

    ::

        Gini@n = sum_j (2j - |I| - 1) e_(j) / (d sum_j e_(j))

    with e_(1) <= e_(2) <= ... the exposures of the items, each the sum of the weights of the places
    at which users are shown it. Lower is better. Range [0, 1]; NaN where nothing is shown.

    Parameters
    ----------
    of : {"catalogue", "trained"}
        As in `rankassay.metrics.beyond.coverage.coverage`: items that nobody is shown count, too.
    weights : {"count", "log"}
        Each place counts 1 (RecBole, Elliot, RankSys), or 1 / log2(1 + k).
    denominator : {"n", "n-1"}
        d: the number of items (RecBole), of which 1 cannot be reached, or one less (RankSys and
        Elliot, which show one minus the coefficient).

    References
    ----------
    Fleder and Hosanagar, Management Science 2009; Castells, Hurley and Vargas, Recommender Systems
    Handbook, 2015.
    """
    value = partial(_gini, possible(lists, of), denominator == "n-1")
    weight = place_weights(weights, lists.depth)
    return [Sums(lists.exposure(weight, n), value) for n in map(int, cutoffs)]


def _gini(counted: Booleans, unbiased: bool, totals: Floats, n_users: Floats) -> Floats:
    exposure = totals if counted.all() else totals[:, counted]
    n = exposure.shape[1]
    whole = _whole(exposure)
    if whole is None:
        # In order and row by row, so that sums do not depend on which item has which exposure.
        exposure = np.sort(np.ascontiguousarray(exposure), axis=1)
        weighted = exposure @ (2 * np.arange(1.0, n + 1) - n - 1)
    else:
        weighted = _weighted(whole, int(whole.max(initial=0))).astype(np.float64)
    scale = exposure.sum(axis=1) * (n - 1 if unbiased else n)
    return np.divide(weighted, scale, out=np.full(len(totals), np.nan), where=scale > 0)


def _whole(exposure: Floats) -> npt.NDArray[np.uint16] | None:
    """Return exposure as whole numbers, or None where it is none, or too large to count them."""
    with np.errstate(invalid="ignore"):
        whole = exposure.astype(np.uint16, order="C")
    return whole if np.array_equal(whole, exposure) else None


@kernel(steps=lambda whole, most: whole.size + len(whole) * most)
def _weighted(whole, most):
    """Return sum_j (2j - n - 1) e_(j) of each row of n whole numbers of at most `most`, sorted.

    They are counted and not sorted: m equal ones behind `below` others have m (2 below + m - n).
    """
    n = whole.shape[1]
    found = np.zeros(len(whole), dtype=np.int64)
    for u in range(len(whole)):
        how_often = np.zeros(most + 1, dtype=np.int64)
        for e in whole[u]:
            how_often[e] += 1
        below = 0
        for e in range(most + 1):
            found[u] += e * how_often[e] * (2 * below + how_often[e] - n)
            below += how_often[e]
    return found


def entropy(
    lists: Shown,
    cutoffs: Integers,
    *,
    weights: Weights = "count",
    base: Base | None = 2.0,
) -> list[Sums]:
    """Shannon's entropy of the exposure of items: how far it is spread.

    ::

        Entropy@n = - sum_i p_i log p_i,   p_i = e_i / sum_j e_j

    Range [0, `log |I|`]; NaN where nothing is shown.

    Parameters
    ----------
    weights
        As in `gini`.
    base : float or None
        Of the logarithm, above 1: 2 (Microsoft's distributional coverage; Elliot's ShannonEntropy,
        where all lists are equally long), or Euler's number (RecBole, which divides by the number
        of items shown as well). None is the number of items, so that 1 is the greatest value.

    References
    ----------
    Shannon, 1948; Shani and Gunawardana, Recommender Systems Handbook, 2011, section 8.3.3.
    """
    scale = np.log(max(lists.catalogue.n_items, 2) if base is None else base)
    weight = place_weights(weights, lists.depth)
    return [Sums(lists.exposure(weight, n), partial(_entropy, scale)) for n in map(int, cutoffs)]


def _entropy(scale: float, totals: Floats, n_users: Floats) -> Floats:
    total = totals.sum(axis=1, keepdims=True)
    whole = _whole(totals) if len(totals) and (total == total[0]).all() else None
    if whole is not None and whole.max(initial=0) < whole.size:
        # Logarithms are slow: one of each number does. Indexing leaves the order of summation as it
        # is.
        terms = _terms(np.arange(whole.max() + 1.0), total[0])[whole]
    else:
        terms = _terms(totals, total)
    return np.where(total[:, 0] > 0, np.abs(terms.sum(axis=1)) / scale, np.nan)


def _terms(exposure: Floats, total: Floats) -> Floats:
    """Return p log p with p the shares of a total, 0 where there is none."""
    share = np.divide(exposure, total, out=np.zeros_like(exposure), where=total > 0)
    return share * np.log(np.where(share > 0, share, 1.0))
