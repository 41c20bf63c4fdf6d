"""Rank-biased overlap of two rankings of different lengths and items, with ties."""

from dataclasses import dataclass

import numpy as np

from rankassay.declared.correlations import OVERLAPS, PERSISTENCE
from rankassay.errors import RankassayError, one_of
from rankassay.statistics.rank_correlation import AGREEMENTS, shares
from rankassay.types import Booleans, Floats


@dataclass(frozen=True)
class Overlap:
    """The overlap of two rankings of which only the beginnings are known: estimate and bounds."""

    extrapolated: float  # as if they continued to agree as much as in the given parts
    least: float  # over all continuations
    greatest: float


def rank_biased_overlap(
    x: Floats, y: Floats, kind: str = "rbo_a", persistence: float = PERSISTENCE
) -> Overlap:
    """Return the overlap of two rankings, RBO_EXT, RBO_MIN and RBO_MAX.

    ::

        RBO = (1 - p) sum_{d >= 1} p^(d - 1) A_d

    with A_d that of `rankassay.statistics.rank_correlation`, `rbo`, `rbo_a` or `rbo_b`, where both
    rankings are given. Of l >= s items that they hold, the shorter one is unknown below the place
    s, and both are below l. At d > s, the d - s items that it lacks are no items of the longer one
    (least), its first ones that the shorter one does not hold (greatest), or such as are there with
    the chance A_s (extrapolated). Below l, nothing more agrees; all that can; or A_l stays.

    Parameters
    ----------
    x, y : float64 (n,)
        Scores of the same items, the higher the better, NaN for an item that the ranking lacks.
    kind : {"rbo", "rbo_a", "rbo_b"}
        How ties count.
    persistence : float
        p, between 0 and 1.

    Raises
    ------
    RankassayError
        For a ranking without items.

    References
    ----------
    Webber, Moffat and Zobel, TOIS 28, 2010; Corsi and Urbano, SIGIR 2024, sections 3 to 5, whose
    tool this equals.
    """
    one_of("rank-biased overlap", kind, OVERLAPS)
    if not 0 < persistence < 1:
        raise RankassayError(
            f"the persistence of rbo must be between 0 and 1, found {persistence}."
        )
    x, y = (x, y) if (~np.isnan(x)).sum() <= (~np.isnan(y)).sum() else (y, x)
    in_short, in_long = ~np.isnan(x), ~np.isnan(y)
    shorter, longer = int(in_short.sum()), int(in_long.sum())
    if shorter == 0:
        raise RankassayError(
            "rank-biased overlap: expected two rankings with items, found an empty."
        )
    depth = np.arange(1.0, longer + 1)
    short, long = (_shares_in_first(side, depth, kind) for side in (x, y))
    seen = (short * long).sum(axis=1)
    missing = np.maximum(depth - shorter, 0.0)
    new = in_long & ~in_short
    size = (short**2).sum(axis=1) + missing, (long**2).sum(axis=1)

    def agreement(both: Floats) -> Floats:
        return AGREEMENTS[kind](both, *size, depth)

    at_end = agreement(seen)[shorter - 1]
    agreeing = {
        "extrapolated": seen + missing * at_end * _mean_of_some(long[:, new]),
        "least": seen,
        "greatest": seen + _of_first(long[:, new], y[new], missing),
    }
    p = max(persistence, 1e-300)  # below, 1 / p may be infinite, and no more than p would change
    both = float(seen[-1])
    overlap = (both + (longer - shorter) * at_end) / longer
    rest = -np.log1p(-p) - (p**depth / depth).sum()
    distinct = longer + shorter - both  # the depth at which both may hold all of these items
    later = np.arange(longer + 1.0, distinct + 1)
    below = {
        "extrapolated": overlap * p ** (longer + 1) / (1 - p),
        "least": both * max(rest, 0.0),
        "greatest": ((2 * later - distinct) / later * p**later).sum()
        + p ** (distinct + 1) / (1 - p),
    }
    scale = (1 - p) / p
    return Overlap(
        **{
            name: float(scale * ((p**depth * agreement(own)).sum() + below[name]))
            for name, own in agreeing.items()
        }
    )


def _shares_in_first(x: Floats, depth: Floats, kind: str) -> Floats:
    """Return how much of each item is in the first places, float64 (n_depths, n)."""
    found = np.zeros((len(depth), len(x)))
    ranked: Booleans = ~np.isnan(x)
    found[:, ranked] = shares(x[ranked], depth, kind)
    return found


def _mean_of_some(shown: Floats) -> Floats:
    """Return the mean of the shares above 0 at each depth, 0 where there are none."""
    count = (shown > 0).sum(axis=1)
    return shown.sum(axis=1) / np.maximum(count, 1)


def _of_first(shown: Floats, scores: Floats, missing: Floats) -> Floats:
    """Return the sum of the shares of the best `missing` items, at each depth."""
    order = np.argsort(-scores, kind="stable")
    counted = np.arange(len(order)) < missing[:, None]
    return (shown[:, order] * counted).sum(axis=1)
