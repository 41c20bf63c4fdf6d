"""Cumulative gain: discounted or not, normalised and not."""

from dataclasses import replace
from typing import Literal

import numpy as np

from rankassay.errors import RankassayError
from rankassay.kernels import kernel
from rankassay.metrics.judged import Judged
from rankassay.metrics.judgements import WHOLE_LIST, Judgements
from rankassay.metrics.parameters import Base
from rankassay.metrics.totals import Total
from rankassay.types import Floats, Integers

# A name, the gains of the ratings 0, 1, 2, ..., or pairs of a rating and its gain.
Gain = Literal["rating", "exp", "binary"] | tuple[float, ...] | tuple[tuple[float, float], ...]
MAX_EXPONENT = 1000  # where sums of 2^rating come near the largest float64


def ndcg(
    judged: Judged,
    cutoffs: Integers,
    *,
    gain: Gain = "rating",
    ideal: Literal["judged", "relevant", "retrieved"] = "judged",
    truncate_ideal: bool = True,
    log_base: Base = 2.0,
) -> Total:
    """Normalised discounted cumulative gain: the list's gain as a share of the best possible one.

    ::

        nDCG_u@n = sum_{k <= n} G(L_u[k]) D(k) / sum_{k <= n} G*(k) D(k),  D(k) = 1 / log_b(k + 1)

    with G the gain of a judged item and 0 for any other, and G* the gains of the ideal list in
    decreasing order. An item rated zero or less does not gain. Range [0, 1]; 0 for an empty list
    and for a user without gains.

    Parameters
    ----------
    gain : {"rating", "exp", "binary"}, tuple or dict
        The rating itself (a rating below the relevance threshold gains too), 2^rating - 1, or 1
        for a relevant item and 0 for any other. Or the gain of every rating: (0, 0, 1, 3, 7) are
        those of 0 to 4, as {0: 0, 1: 0, 2: 1, 3: 3, 4: 7} or pairs of both are. They must not be
        negative nor fall where ratings rise.
    ideal : {"judged", "relevant", "retrieved"}
        The ideal list holds all judged items; only the relevant ones, in which case other items
        gain nothing in the list either; or the items in the first n places, so that missing an item
        costs nothing.
    truncate_ideal : bool
        Whether the ideal list is cut at n like the list itself (equation (4), trec_eval's
        `ndcg_cut`) or not (trec_eval's `ndcg`, which the paper's authors ran).
    log_base : float
        The base b, above 1. It cancels here, and is kept for the definitions that name it.

    References
    ----------
    Valcarce et al., RecSys 2018, equation (4), after Järvelin and Kekäläinen, TOIS 2002; gain
    2^rating - 1: Burges et al., ICML 2005.
    """
    best = _ideal(judged, cutoffs, gain, ideal, truncate_ideal, log_base)
    achieved = dcg(judged, cutoffs, gain=gain, log_base=log_base, relevant_only=ideal == "relevant")
    return replace(achieved, divisor=best)


def dcg(
    judged: Judged,
    cutoffs: Integers,
    *,
    gain: Gain = "rating",
    log_base: Base = 2.0,
    relevant_only: bool = False,
) -> Total:
    """Discounted cumulative gain, not normalised: sum_{k <= n} G(L_u[k]) / log_b(k + 1).

    Range [0, inf). Its size differs between users: a mean is mostly about those who rated much. See
    `ndcg` for the parameters; with `relevant_only`, items that are not relevant gain nothing.
    """
    items = judged.items
    gains = gains_of(items.rating, judged.judgements.threshold, gain, relevant_only)
    discount = logarithms(int(items.rank.max(initial=0)), log_base)
    return items.total(gains / discount[items.rank], cutoffs)


def ncg(
    judged: Judged,
    cutoffs: Integers,
    *,
    gain: Gain = "rating",
    ideal: Literal["judged", "relevant", "retrieved"] = "judged",
    truncate_ideal: bool = True,
) -> Total:
    """Normalised cumulative gain: nDCG without a rank discount.

    ::

        NCG_u@n = sum_{k <= n} G(L_u[k]) / sum_{k <= n} G*(k)

    See `ndcg` for the parameters. With the gain "binary" it is recall by `min(n, |R_u|)`, or recall
    without `truncate_ideal`. Range [0, 1]; 0 for an empty list and for a user without gains.

    References
    ----------
    Järvelin and Kekäläinen, TOIS 2002, section 2.4, nCG; ideal vectors as for `ndcg`.
    """
    best = _ideal(judged, cutoffs, gain, ideal, truncate_ideal, None)
    items = judged.items
    gains = gains_of(items.rating, judged.judgements.threshold, gain, ideal == "relevant")
    return items.total(gains, cutoffs, best)


def _ideal(judged: Judged, cutoffs, gain, ideal, truncate, log_base) -> Floats:
    """Return the ideal gain at each cut-off, (n_users, n_cutoffs) or (n_users, 1)."""
    judgements = judged.judgements
    if ideal == "retrieved":
        items = judged.items
        gains = gains_of(items.rating, judgements.threshold, gain, False)
        discount = logarithms(len(gains), log_base)
        return _retrieved_ideal(items.start, items.rank, gains, cutoffs, discount)
    deepest = cutoffs if truncate else np.array([WHOLE_LIST])
    return ideal_gain(judgements, deepest, gain, ideal == "relevant", log_base)


def ideal_gain(
    judgements: Judgements, cutoffs: Integers, gain: Gain, relevant_only: bool, log_base
) -> Floats:
    """Return the gain of each user's ideal list at each cut-off, float64 (n_users, n_cutoffs).

    The parameters are those of `dcg`; without a `log_base`, places are not discounted.
    """
    return judgements.remember(
        ("nDCG", gain, relevant_only, log_base, *cutoffs),
        lambda: _ideal_gain(judgements, cutoffs, gain, log_base, relevant_only),
    )


def _ideal_gain(judgements: Judgements, cutoffs, gain, log_base, relevant_only) -> Floats:
    gains = gains_of(judgements.ideal_rating, judgements.threshold, gain, relevant_only)
    return discounted(judgements.start, gains, cutoffs, log_base)


def discounted(start: Integers, gains: Floats, cutoffs: Integers, log_base: Base | None) -> Floats:
    """Return the discounted sums of users' gains in the order of a list, (n_users, n_cutoffs)."""
    most = int(np.diff(start).max(initial=0))
    return _added(start, gains, logarithms(most, log_base), cutoffs)


@kernel
def _added(start, gains, discount, cutoffs):
    """Return the sums of users' discounted gains down to cut-offs, (n_users, n_cutoffs)."""
    values = np.empty((len(start) - 1, len(cutoffs)))
    for u in range(len(start) - 1):
        sum_, k = 0.0, 0
        for c in range(len(cutoffs)):
            for j in range(start[u] + k, min(start[u] + cutoffs[c], start[u + 1])):
                k += 1
                sum_ += gains[j] / discount[k]
            values[u, c] = sum_
    return values


def gains_of(rating: Floats, threshold: float, gain: Gain, relevant_only: bool) -> Floats:
    """Return the gains of items with these ratings, of the shape of `rating`; see `ndcg`.

    Raises RankassayError for a rating without a gain, and for gains that fall or are negative.
    """
    if gain == "binary":
        return (rating >= threshold).astype(np.float64)
    if gain == "exp" and rating.max(initial=0.0) >= MAX_EXPONENT:
        raise RankassayError(
            f"the gain 'exp' is beyond all numbers at the rating {rating.max():g}; take the gain "
            "'rating', or ratings on a scale."
        )
    if isinstance(gain, tuple):
        gains = _looked_up(rating, gain)
    else:
        gains = np.maximum(rating, 0.0)
        gains = gains if gain == "rating" else np.exp2(gains) - 1
    return np.where(rating >= threshold, gains, 0.0) if relevant_only else gains


def _looked_up(rating: Floats, gain: tuple) -> Floats:
    """Return the gains of ratings by a table of them; see `ndcg`."""
    pairs = gain if gain and isinstance(gain[0], tuple) else tuple(enumerate(gain))
    levels, gains = np.array(sorted(pairs), dtype=np.float64).reshape(-1, 2).T
    if (gains < 0).any() or (np.diff(gains) < 0).any() or (np.diff(levels) == 0).any():
        raise RankassayError(
            "the gains of ratings: expected one of each, not negative and none below that of a "
            f"lower rating, found {gain}."
        )
    place = np.minimum(np.searchsorted(levels, rating), max(len(levels) - 1, 0))
    unknown = levels[place] != rating if len(levels) else np.ones(rating.shape, dtype=bool)
    if unknown.any():
        raise RankassayError(
            f"the gains of ratings: expected one of the rating {rating[unknown].min():g}, found "
            f"those of {', '.join(f'{level:g}' for level in levels) or 'none'}; add it."
        )
    return gains[place]


def logarithms(deepest: int, base: float | None = 2.0) -> Floats:
    """Return log_b(k + 1) for the places k = 0, ..., deepest; without a base, 1 for all."""
    if base is None:
        return np.ones(deepest + 1)
    logarithms = np.log2(np.arange(1.0, deepest + 2))
    return logarithms if base == 2 else logarithms / np.log2(base)


@kernel(steps=lambda start, rank, gains, cutoffs, _: len(start) + gains.size * cutoffs.size)
def _retrieved_ideal(start, rank, gains, cutoffs, logarithms):
    """Return the discounted gains of the items in the first n places, had they stood best first."""
    values = np.empty((len(start) - 1, len(cutoffs)))
    best = np.empty(len(gains))
    for u in range(len(start) - 1):
        j, n = start[u], 0
        for c in range(len(cutoffs)):
            while j < start[u + 1] and rank[j] <= cutoffs[c]:
                place = n
                while place > 0 and best[place - 1] < gains[j]:
                    best[place] = best[place - 1]
                    place -= 1
                best[place] = gains[j]
                n += 1
                j += 1
            sum_ = 0.0
            for k in range(n):
                sum_ += best[k] / logarithms[k + 1]
            values[u, c] = sum_
    return values
