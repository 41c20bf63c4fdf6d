"""Variants of metrics that Schröder, Thiele and Lehner, 2011, name in passing, of single rankings.

Section 4.2 says of mean average precision that "various other means including the geometric mean
(GMAP), harmonic mean (HMAP) and quadratic mean (QMAP) can be applied instead". Of many users they
are the setting `metrics.aggregate`. Here each is the mean of the precisions at the relevant items
of one ranking, which is the only one that a figure of single rankings can show.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from rankassay.metrics.aggregate import aggregate
from rankassay.statistics.rank_correlation import tau_b
from rankassay.types import Floats


def values(rankings: Sequence[str], variants: Sequence[str], length: int) -> Floats:
    """Return variants of lists of the first items of rankings, float64 (n_rankings, n_variants).

    Rankings are written as in `rankassay.studies.goals.examples`; `variants` are names in
    `VARIANTS`.
    """
    relevant = [np.array([item == "r" for item in ranking]) for ranking in rankings]
    found = [[VARIANTS[name](own, length) for name in variants] for own in relevant]
    return np.array(found, dtype=np.float64).reshape(len(rankings), len(variants))


def mean_of_precisions(relevant: np.ndarray, length: int, how: str) -> float:
    """Return a mean of the precisions at the relevant items of a ranking, bool (n_items,).

    ::

        geometric:  (prod_r P_r)^(1 / |R|)
        harmonic:   |R| / sum_r (1 / P_r)
        quadratic:  sqrt(sum_r P_r^2 / |R|)

    with P_r the precision down to the relevant item r, and 0 for one beyond the list. The geometric
    and the harmonic mean raise that to 0.00001, see `rankassay.metrics.aggregate.aggregate`.
    """
    precision = np.cumsum(relevant) / np.arange(1, len(relevant) + 1)
    precision[length:] = 0.0
    return float(aggregate(precision[relevant], how))


def limited_tau(relevant: np.ndarray, length: int) -> float:
    """Return Kendall's tau-b between the order of a list and relevance, bool (n_items,).

    The items beyond the list are tied below it: "a similar variation of the boolean Kendall's tau,
    which considers only the top-k recommendations" (section 5.2). As LAUC does, it takes the order
    within the list into account, and none beyond it. 0 where no pair counts.
    """
    places = np.minimum(np.arange(len(relevant)), length)
    return float(np.nan_to_num(tau_b(-places.astype(np.float64), relevant.astype(np.float64))))


VARIANTS: dict[str, Callable[[np.ndarray, int], float]] = {
    "GMAP": partial(mean_of_precisions, how="geometric"),
    "HMAP": partial(mean_of_precisions, how="harmonic"),
    "QMAP": partial(mean_of_precisions, how="quadratic"),
    "LimitedTau": limited_tau,
}
