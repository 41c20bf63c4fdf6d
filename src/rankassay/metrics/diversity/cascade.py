"""The user model that most diversity metrics share, and the lists that are best under it.

A user goes down a list. At first the aspect a interests the user by w_a; each item i that shows it
leaves the share 1 - s_i of the interest that was left. So item i_k meets ::

    g_k = sum_{a in i_k} r_{i_k} w_a prod_{l < k: a in i_l} (1 - s_{i_l})

with r the relevance of an item, and s how far it satisfies; or it meets at least one interest with
the probability 1 - prod_{a in i_k} (1 - r_{i_k} w_a prod ...). A metric is a choice of r, s and w,
of the two forms, and of a discount by which places count.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rankassay.kernels import kernel
from rankassay.metrics.diversity.lists import AspectLists, Interests
from rankassay.metrics.totals import ratio
from rankassay.types import Floats, Integers

Relevance = Literal["rating", "exponential", "binary"]
Weights = Literal["uniform", "profile"]
Candidates = Literal["judged", "all"]

# Gains nearer than this share of the gain are equal: the rounding of their products differs.
TIE = 1e-12


@dataclass(frozen=True)
class Model:
    """A choice of the user model."""

    # r, from ratings, where NaN is an item that is not judged
    relevance: Callable[[Floats], Floats]
    satisfaction: float  # s is r times this
    weights: Weights | Literal["one"]  # w: 1 / |A|, the user's own, or 1
    # whether an item's gain is the probability to meet at least one interest, or the sum
    at_least_one: bool
    name: tuple  # the key that distinguishes the model from others

    def weights_of(self, interests: Interests) -> Floats:
        """Return w, float64 (n_users, n_aspects) or (1, n_aspects)."""
        if self.weights == "profile":
            return np.ascontiguousarray(interests.weights)
        n = interests.aspects.n_aspects
        return np.full((1, n), 1.0 if self.weights == "one" else 1 / max(n, 1))

    def total(
        self, lists: AspectLists, discount: Floats, cutoffs: Integers, effort: float = 0.0
    ) -> Floats:
        """Return g less the effort, discounted, summed down to cut-offs (n_users, n_cutoffs).

        `discount` is float64 (depth,), and `effort` that of looking at an item.
        """
        interests, aspects = lists.interests, lists.interests.aspects
        known = interests.remember(
            ("relevance", self.name), lambda: self.relevance(interests.rating)
        )
        (unknown,) = self.relevance(np.array([np.nan]))
        return _total(
            lists.items,
            lists.judgement,
            known,
            unknown,
            self.satisfaction,
            aspects.start,
            aspects.aspect,
            self.weights_of(interests),
            self.at_least_one,
            effort,
            discount,
            np.minimum(cutoffs, len(discount)) - 1,
        )

    def ideal(self, interests: Interests, depth: int, candidates: Candidates = "judged") -> Floats:
        """Return g at each place of the greedy ideal lists, float64 (n_users, depth).

        At each place stands the candidate that gains most after those above; of several that gain
        the same (to a share of 1e-12), the first one by item index. To find the truly best list is
        NP-complete. Candidates are the items that the user judged, or all: these differ only where
        an item that is not judged gains, and such items with the same aspects are equal.
        """
        return interests.remember(
            ("ideal", self.name, depth, candidates),
            lambda: greedy(self, interests, depth, candidates)[0],
        )

    def share_of_ideal(
        self,
        lists: AspectLists,
        discount: Floats,
        cutoffs: Integers,
        candidates: Candidates = "judged",
    ) -> Floats:
        """Return g, discounted and summed down to cut-offs, as a share of that of ideal lists."""
        best = self.ideal(lists.interests, len(discount), candidates)
        return ratio(self.total(lists, discount, cutoffs), down_to(best, discount, cutoffs))


def relevance(kind: Relevance, interests: Interests) -> Callable[[Floats], Floats]:
    """Return the relevance of a rating r, which is 0 for an item that is not judged.

    Parameters
    ----------
    kind : {"rating", "exponential", "binary"}
        r / r_max; (2^r - 1) / 2^r_max; or 1 for a relevant item and 0 for any other.
    interests : Interests
    """
    highest, threshold = interests.highest, interests.threshold

    def of(rating: Floats) -> Floats:
        if kind == "binary":
            return (rating >= threshold).astype(np.float64)
        known = np.where(rating > 0, rating, 0.0)  # NaN: not judged
        if kind == "rating":
            return known / highest
        return np.exp2(known - highest) - np.exp2(-highest)

    return of


def down_to(gains: Floats, discount: Floats, cutoffs: Integers) -> Floats:
    """Return the discounted gains summed down to each cut-off, float64 (n_users, n_cutoffs).

    Below the end of the lists nothing is added.
    """
    if discount.shape != gains.shape[1:]:
        raise ValueError(f"expected discounts {gains.shape[1:]}, found {discount.shape}")
    return _down_to(gains, discount, np.minimum(cutoffs, gains.shape[1]) - 1)


@kernel(steps=lambda gains, *_: gains.size)
def _down_to(gains, discount, last):
    """Return the sums down to some places of each list."""
    found, sums = np.empty((len(gains), len(last))), np.zeros(gains.shape[1] + 1)  # last: no place
    for u in range(len(gains)):
        total = 0.0
        for k in range(gains.shape[1]):
            total += gains[u, k] * discount[k]
            sums[k] = total
        for c in range(len(last)):
            found[u, c] = sums[last[c]]
    return found


def logarithmic(depth: int) -> Floats:
    """Return 1 / log2(k + 1) for the places k = 1, 2, ..., float64 (depth,)."""
    return 1 / np.log2(np.arange(2, depth + 2))


def geometric(depth: int, persistence: float) -> Floats:
    """Return p^(k - 1) for the places k = 1, 2, ..., float64 (depth,)."""
    return persistence ** np.arange(depth, dtype=np.float64)


def greedy(
    model: Model, interests: Interests, depth: int, candidates: Candidates = "judged"
) -> tuple[Floats, Integers]:
    """Return the gains of the greedy ideal lists, and their items, each (n_users, depth).

    A list ends, with gains of 0 and items of -1, where nothing that is left would gain.
    """
    start, item, rating = interests.start, interests.item, interests.rating
    count = np.ones(len(item), dtype=np.int64)
    if candidates == "all":
        start, item, rating, count = _with_unjudged(interests)
    aspects, r = interests.aspects, model.relevance(rating)
    return _greedy(
        start,
        item,
        r,
        count,
        model.satisfaction,
        aspects.start,
        aspects.aspect,
        model.weights_of(interests),
        model.at_least_one,
        depth,
    )


def _with_unjudged(interests: Interests) -> tuple[Integers, Integers, Floats, Integers]:
    """Return the judgements and, for each distinct set of aspects, the items not judged.

    Such items come as one entry behind the user's judgements, with the rating NaN and their number;
    the first item of the set represents all.
    """
    _, first, kind, size = np.unique(
        interests.aspects.shown, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    kind, n_kinds, n_users = kind.ravel(), len(first), interests.n_users
    judged = np.zeros((n_users, n_kinds), dtype=np.int64)
    np.add.at(judged, (interests.row, kind[interests.item]), 1)
    rows = np.concatenate([interests.row, np.repeat(np.arange(n_users), n_kinds)])
    order = np.argsort(rows, kind="stable")
    item = np.concatenate([interests.item, np.tile(first, n_users)])[order].astype(np.int32)
    rating = np.concatenate([interests.rating, np.full(n_users * n_kinds, np.nan)])[order]
    ones = np.ones(len(interests.item), dtype=np.int64)
    count = np.concatenate([ones, (size - judged).ravel()])[order]
    start = interests.start + n_kinds * np.arange(n_users + 1)
    return start, item, rating, count


@kernel
def _total(
    items,
    judgement,
    known,
    unknown,
    satisfaction,
    aspect_start,
    aspect,
    weights,
    at_least_one,
    effort,
    discount,
    last,
):
    """Return the sums down to some places; the remaining interests are carried on in a list."""
    found, sums = np.empty((len(items), len(last))), np.zeros(items.shape[1] + 1)  # last: no place
    own_weights = len(weights) > 1
    for u in range(len(items)):
        left, total = weights[u * own_weights].copy(), 0.0
        for k in range(items.shape[1]):
            i, j = items[u, k], judgement[u, k]
            r = known[j] if j >= 0 else unknown
            gain = 0.0
            if i >= 0 and r != 0.0:
                shown = aspect_start[i], aspect_start[i + 1]
                gain = item_gain(aspect, shown, r, left, at_least_one)
                for q in range(shown[0], shown[1]):
                    left[aspect[q]] *= 1.0 - r * satisfaction
            if i >= 0:
                gain -= effort
            total += gain * discount[k]
            sums[k] = total
        for c in range(len(last)):
            found[u, c] = sums[last[c]]
    return found


@kernel
def item_gain(aspect, shown, r, left, at_least_one):
    """Return the gain of an item of relevance r; its aspects stand between the bounds `shown`.

    Bounds and not a slice, which would take as long to make as the gain itself.
    """
    total, missed = 0.0, 1.0
    if at_least_one:
        for q in range(shown[0], shown[1]):
            missed *= 1.0 - r * left[aspect[q]]
        return 1.0 - missed
    for q in range(shown[0], shown[1]):
        total += r * left[aspect[q]]
    return total


@kernel(steps=lambda start, item, *rest: item.size * rest[-1])
def _greedy(
    start, item, relevance, count, satisfaction, aspect_start, aspect, weights, at_least_one, depth
):
    """Choose at each place the candidate that gains most."""
    n_users = len(start) - 1
    gains, chosen = np.zeros((n_users, depth)), np.full((n_users, depth), -1)
    own_weights = len(weights) > 1
    left, remaining, bound = np.empty(weights.shape[1]), count.copy(), np.empty(len(item))
    for u in range(n_users):
        first, last = start[u], start[u + 1]
        for a in range(len(left)):
            left[a] = weights[u * own_weights, a]
        # Gains only shrink as a list grows: an old gain bounds the new one from above, and is 0
        # where nothing of an entry remains.
        for j in range(first, last):
            bound[j] = np.inf if remaining[j] > 0 else 0.0
        for k in range(depth):
            best, enough, which = 0.0, 0.0, -1
            for j in range(first, last):
                if bound[j] > enough:
                    shown = aspect_start[item[j]], aspect_start[item[j] + 1]
                    gain = item_gain(aspect, shown, relevance[j], left, at_least_one)
                    bound[j] = gain
                    if gain > enough:
                        best, enough, which = gain, gain * (1.0 + TIE), j
            if which < 0:
                break
            gains[u, k], chosen[u, k] = best, item[which]
            remaining[which] -= 1
            if remaining[which] == 0:
                bound[which] = 0.0
            for q in range(aspect_start[item[which]], aspect_start[item[which] + 1]):
                left[aspect[q]] *= 1.0 - relevance[which] * satisfaction
    return gains, chosen
