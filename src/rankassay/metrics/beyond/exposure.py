"""The exposure of items: how many get any, how it is concentrated, and whether it is deserved."""

from functools import partial
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt

from rankassay.errors import RankassayError
from rankassay.kernels import kernel
from rankassay.metrics.beyond.lists import Shown, Sums, sums_to
from rankassay.metrics.parameters import Base, Between, Range
from rankassay.types import Booleans, Floats, Integers

Of = Literal["catalogue", "trained"]


def coverage(lists: Shown, cutoffs: Integers, *, of: Of = "catalogue") -> list[Sums]:
    """Item coverage: the share of the items that some user is shown.

    ::

        Coverage@n = |union_u {i in L_u^n}| / |I|

    Range [0, 1].

    Parameters
    ----------
    of : {"catalogue", "trained"}
        I: all items of the dataset (RecBole; Elliot, which gives the number and not the share), or
        those with training ratings (Microsoft's recommenders); only these then count as shown.

    References
    ----------
    Ge, Delgado-Battenfeld and Jannach, RecSys 2010, section 3.2, catalogue coverage.
    """
    counted = possible(lists, of)
    return [
        Sums(lists.exposure(np.ones(lists.depth), n), partial(_covered, counted))
        for n in map(int, cutoffs)
    ]


def _covered(counted: Floats, totals: Floats, n_users: Floats) -> Floats:
    """Return the share of the counted items with any exposure; NaN without users."""
    share = ((totals > 0) & counted).sum(axis=1) / counted.sum()
    return np.where(n_users > 0, share, np.nan)


def possible(lists: Shown, of: Of):
    """Return which items count, bool (n_items,); raises RankassayError if none do."""
    popularity = lists.catalogue.popularity
    counted = popularity > 0 if of == "trained" else np.ones(len(popularity), dtype=bool)
    if not counted.any():
        raise RankassayError(
            "of='trained': expected items with training ratings, found none; use of='catalogue'."
        )
    return counted


def user_coverage(
    lists: Shown, cutoffs: Integers, *, least: Annotated[int, Range(1)] = 1
) -> Floats:
    """User coverage: the share of the users who are shown an item.

    ::

        UserCoverage_u@n = 1 if min(|L_u|, n) >= least, else 0

    Range [0, 1].

    Parameters
    ----------
    least : int
        How many items a list must have to count, at least 1.

    References
    ----------
    Herlocker, Konstan, Terveen and Riedl, TOIS 2004, section 4.2; Elliot's UserCoverage, which
    counts users with at least one item.
    """
    return (np.minimum(lists.length[:, None], cutoffs) >= least).astype(np.float64)


def prediction_coverage(lists: Shown, cutoffs: Integers) -> Floats:
    """Prediction coverage: the share of the candidate items that the system can score.

    ::

        PredictionCoverage_u = |{i in C_u: the system has a score of i for u}| / |C_u|

    Range [0, 1], the same at every cut-off; NaN where the candidates are not known, as in lists
    that end, and for a user without candidates.

    References
    ----------
    Herlocker et al., TOIS 2004, section 4.2; Ge et al., RecSys 2010, section 3.1.
    """
    scored = np.full(len(lists.items), np.nan) if lists.scored is None else lists.scored
    return np.repeat(scored[:, None], len(cutoffs), axis=1)


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
        As in `rankassay.metrics.beyond.exposure.coverage`: items that nobody is shown count, too.
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


def exposure_disparity(lists: Shown, cutoffs: Integers, *, patience: Between = 0.5) -> Floats:
    """EE-D, expected exposure disparity: how unequal the exposure of the items of a list is.

    ::

        EE-D_u@n = sum_i e_i^2,   e_i = patience^(k - 1) for the item at place k <= n, else 0

    Lower is better. A deterministic system has the same value for all full lists: what differs is
    how long lists are. An empty list gives no exposure and has 0, the best value: read it together
    with EE-R, which is then 0, too, the worst one, and EE-L, which has both.

    Parameters
    ----------
    patience : float
        Between 0 and 1: the probability to go on to the next place, as of rank-biased precision.

    References
    ----------
    Diaz, Mitra, Ekstrand, Biega and Carterette, CIKM 2020, equation (4), for one ranking per user;
    their tool expeval with `-u rbp -C -U`.
    """
    exposure = _exposure(lists, patience)
    return sums_to(exposure**2, cutoffs)


def exposure_relevance(lists: Shown, cutoffs: Integers, *, patience: Between = 0.5) -> Floats:
    """EE-R, expected exposure relevance: how far the exposure goes where it should.

    ::

        EE-R_u@n = sum_i e_i e*_i
        e*_i = (1 / R) sum_{k <= R} patience^(k - 1)                  of a relevant item
        e*_i = (1 / (|I| - R)) sum_{R < k <= |I|} patience^(k - 1)    of another one

    with R relevant items and `|I|` items in the catalogue: e* is what an ideal system gives
    that shows equally relevant items equally often.

    Parameters
    ----------
    patience
        As in `exposure_disparity`.

    References
    ----------
    Diaz et al., CIKM 2020, equations (2) to (4).
    """
    exposure = _exposure(lists, patience)
    relevant, other = _target(lists, patience)
    target = np.where(lists.relevant, relevant[:, None], other[:, None])
    return sums_to(exposure * target, cutoffs)


def exposure_loss(lists: Shown, cutoffs: Integers, *, patience: Between = 0.5) -> Floats:
    """EE-L, expected exposure loss: the squared distance of given and deserved exposure.

    ::

        EE-L_u@n = sum_i (e_i - e*_i)^2 = EE-D - 2 EE-R + sum_i e*_i^2

    Lower is better. See `exposure_disparity` and `exposure_relevance`.

    Parameters
    ----------
    patience
        As in `exposure_disparity`.

    References
    ----------
    Diaz et al., CIKM 2020, equations (1) and (4).
    """
    disparity = exposure_disparity(lists, cutoffs, patience=patience)
    relevant, other = _target(lists, patience)
    n_other = lists.catalogue.n_items - lists.n_relevant
    deserved = lists.n_relevant * relevant**2 + n_other * other**2
    return disparity - 2 * exposure_relevance(lists, cutoffs, patience=patience) + deserved[:, None]


def _exposure(lists: Shown, patience: float) -> Floats:
    """Return the exposure of each place with an item, float64 (n_users, depth)."""
    return np.where(lists.listed, patience ** np.arange(lists.depth), 0.0)


def _target(lists: Shown, patience: float) -> tuple[Floats, Floats]:
    """Return the exposure that a relevant and another item deserve, float64 (n_users,) each."""
    n, r = lists.catalogue.n_items, lists.n_relevant
    above, whole = 1 - patience**r, 1 - patience**n
    relevant = np.divide(above, r * (1 - patience), out=np.zeros(len(r)), where=r > 0)
    rest = n - r
    other = np.divide(whole - above, rest * (1 - patience), out=np.zeros(len(r)), where=rest > 0)
    return relevant, other
