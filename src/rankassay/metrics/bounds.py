"""The least and the greatest value of metrics over all judgements of the unjudged items.

Every unjudged item in the first n places is either not relevant or relevant, and then of the top
rating of the scale, for each in its own way. Which unjudged items outside of them are relevant
matters to metrics with a divisor that counts relevant items: none is, or any number.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from rankassay.errors import RankassayError, one_of
from rankassay.kernels import kernel
from rankassay.lookup import find
from rankassay.metrics import catalogue
from rankassay.metrics.evaluate import (
    BLOCK,
    Measure,
    drops_without_relevant,
    measure_values,
    resolve,
)
from rankassay.metrics.judged import EPSILON, Judged, judge
from rankassay.metrics.judgements import WHOLE_LIST, Judgements, Lists, blocks
from rankassay.metrics.ndcg import gains_of, logarithms
from rankassay.metrics.precision_recall import JUDGED_ONLY
from rankassay.metrics.profiles import PROFILES
from rankassay.metrics.unjudged import cut, top_rating, unjudged_places, world
from rankassay.selection import sort_by
from rankassay.types import Booleans, Floats, Integers

BeyondList = Literal["none", "any"]
BEYOND_LIST = ("none", "any")
METRICS = tuple(name for name, metric in catalogue.METRICS.items() if metric.unjudged)
# What divides the sum of precisions: see `average_precision.divisor`.
DIVISORS = ("relevant", "min_cutoff", "hits", "listed")
ROUNDING = 1e-12  # of the larger end: what rounding makes of equal means of up to a million users
ANY_BLOCK = 256  # users at a time, where each has thousands of relevant items beyond the list


class Bounds(NamedTuple):
    """The value, and the least and greatest one, each float64 (n_users, n_measures)."""

    value: Floats
    least: Floats
    greatest: Floats


def check(measures: Sequence[str], profile: str = "paper", beyond_list: str = "none") -> None:
    """Raise RankassayError for a measure without bounds here."""
    find("profile", profile, PROFILES)
    one_of("choice for items beyond the list", beyond_list, BEYOND_LIST)
    for text in measures:
        measure = Measure.parse(text)
        if measure.metric not in METRICS:
            raise RankassayError(
                f"bounds: {text} has none over the judgements of unjudged items; the metrics that "
                f"have are {', '.join(METRICS)}."
            )
        if measure.metric == "Bpref" and beyond_list == "any":
            raise RankassayError(
                f"bounds: {text} has none where any item beyond the list may be judged, as each "
                "moves the bound of its fractions; give beyond_list none, or leave it out."
            )
        given = resolve(measure.metric, measure.parameters, profile)[1]
        if measure.metric == "P" and given.get("denominator") in JUDGED_ONLY:
            raise RankassayError(
                f"bounds: {text} has none, as judging an item changes what it divides by; give P "
                "with another denominator."
            )


def measure_bounds(
    judgements: Judgements,
    lists: Lists,
    measures: Sequence[str],
    profile: str = "paper",
    without_relevant: str | None = None,
    beyond_list: BeyondList = "none",
    depth: int = WHOLE_LIST,
) -> Bounds:
    """Return every measure for every user, and its least and greatest value over all judgements.

    `beyond_list` says how many unjudged items outside of the first n places are relevant: none, or
    any number of those that could have been listed, which lists need to know. Lists are cut at
    `depth`. Both bounds are attained by some judgements; a user without a value has none. The value
    lies between them, but for bpref and infAP, which pass over unjudged items. A relevant item is
    rated as the top of the scale: with ratings in between, nDCG cannot be less, but can be greater,
    as it is quasi-concave in one gain. Raises RankassayError for a measure that `check` refuses.
    """
    check(measures, profile, beyond_list)
    lists = cut(lists, depth)
    if beyond_list == "any" and lists.n_candidates is None:
        raise RankassayError(
            "bounds with any item beyond the list need the number of items that could be listed; "
            "give n_items."
        )
    found = Bounds(*(np.empty((judgements.n_users, len(measures))) for _ in range(3)))
    size = ANY_BLOCK if beyond_list == "any" else BLOCK
    for first, last in blocks(judgements.n_users, size):
        part, own = judgements.block(first, last), lists.block(judgements, first, last)
        known = _of_block(part, own, measures, profile, beyond_list)
        for whole, piece in zip(found, known, strict=True):
            whole[first:last] = piece
    if drops_without_relevant(profile, without_relevant):
        for whole in found:
            whole[judgements.n_relevant == 0] = np.nan
    return found


def _of_block(
    judgements: Judgements, lists: Lists, measures: Sequence[str], profile: str, beyond_list: str
) -> Bounds:
    """Return the bounds of a block of users, those without relevant items among them."""
    judged = judge(judgements, lists)
    value = measure_values(judged, measures, profile, "value")
    least, greatest = value.copy(), value.copy()
    parsed = [Measure.parse(text) for text in measures]
    for cutoff in {measure.cutoff or WHOLE_LIST for measure in parsed}:
        columns = [c for c, m in enumerate(parsed) if (m.cutoff or WHOLE_LIST) == cutoff]
        free = unjudged_places(judgements, lists, cutoff)
        beyond = np.zeros(judgements.n_users, dtype=np.int64)
        if beyond_list == "any":
            beyond = lists.n_candidates - np.diff(judgements.start) - free.sum(axis=1)
        kind = {c: catalogue.entry(parsed[c].metric).unjudged for c in columns}
        # Of these, one more relevant item never lowers the value: the worst world has none.
        rising = [c for c in columns if kind[c] != "swept"]
        if rising:
            names = [measures[c] for c in rising]
            binary = {kind[c] for c in rising} == {"binary"}
            for pair in _worlds(judgements, lists, free, beyond, binary):
                values = measure_values(judge(*pair), names, profile, "value")
                least[:, rising] = np.minimum(least[:, rising], values)
                greatest[:, rising] = np.maximum(greatest[:, rising], values)
        for c in columns:
            if kind[c] == "swept":
                given = resolve(parsed[c].metric, parsed[c].parameters, profile)[1]
                own = judged, parsed[c].metric, cutoff, beyond
                if given.get("negative") == "unjudged":
                    own = _from_zero(*own, beyond_list)
                least[:, c], greatest[:, c] = _swept(*own, given)
    least[np.isnan(value)] = greatest[np.isnan(value)] = np.nan
    return Bounds(value, least, greatest)


def _worlds(judgements: Judgements, lists: Lists, free: Booleans, beyond: Integers, binary: bool):
    """Yield the completions of the judgements at which metrics that rise have their extremes.

    All unjudged items are relevant; or none in the list is, and any beyond it. Where ERR's highest
    rating is the user's own, a relevant item is worth a higher one, which lowers what all others
    are worth: the worst is then the last item alone. Metrics that are all `binary` have no such
    worst, and the world without a further relevant item is the known one.
    """
    none = np.zeros_like(free)
    yield world(judgements, lists, free, np.zeros_like(beyond))
    if not binary or beyond.any():
        yield world(judgements, lists, none, beyond)
    if binary:
        return
    last = free & (np.cumsum(free[:, ::-1], axis=1)[:, ::-1] == 1)
    yield world(judgements, lists, last, np.zeros_like(beyond))


def _from_zero(judged: Judged, metric: str, cutoff: int, beyond: Integers, beyond_list: str):
    """Return the arguments of `_swept` where items rated below 0 are not judged."""
    own = judged.from_zero
    if own is not judged and beyond_list == "any":
        ranks = judged.lists.ranks
        out = (judged.judgements.rating < 0) & ((ranks == 0) | (ranks > cutoff))
        beyond = beyond + np.bincount(judged.judgements.row[out], minlength=len(beyond))
    return own, metric, cutoff, beyond


def _swept(judged: Judged, metric: str, cutoff: int, beyond: Integers, given: dict):
    """Return the least and greatest values of a metric that needs a sweep, each (n_users,)."""
    judgements, items, length = judged.judgements, judged.items, judged.lists.length
    listed = items.start, items.rank
    if metric in ("AP", "infAP"):
        divisor = DIVISORS.index(given.get("denominator", "relevant"))  # infAP has none
        how = judgements.n_relevant, cutoff, beyond, metric == "infAP", divisor
        return precision_range(*listed, items.relevant, length, *how)
    if metric == "Bpref":
        undefined = given["without_nonrelevant"] == "nan"
        counts = judgements.n_relevant, judgements.n_nonrelevant
        return preference_range(*listed, items.relevant, length, *counts, cutoff, undefined)
    ideal = given["ideal"]
    kind = judgements.threshold, given["gain"], ideal == "relevant"
    top = gains_of(np.array([top_rating(judgements)]), *kind)[0]
    longest = int(length.max(initial=0) + np.diff(judgements.start).max(initial=0))
    logs = logarithms(longest + int(beyond.max(initial=0)), given["log_base"])
    own = items.start, items.rank, gains_of(items.rating, *kind), length
    best = judgements.start, gains_of(judgements.ideal_rating, *kind)
    how = top, logs, given["truncate_ideal"], ideal == "retrieved"
    return gain_range(*own, *best, cutoff, beyond, *how)


def _steps(start, rank, values, length, *_):
    return len(length) * min(int(length.max(initial=0)), 100) ** 2


@kernel
def _by_place(rank, values, n):
    """Return the value at each of the first n places, -1 where none is known, and how many are not.

    `rank` and `values` are those of a user's judged items in the list.
    """
    found, free = np.full(n, -1.0), n
    for j in range(len(rank)):
        if rank[j] <= n:
            found[rank[j] - 1] = values[j]
            free -= 1
    return found, free


@kernel(steps=_steps)
def precision_range(
    start, rank, relevant, length, n_relevant, cutoff, beyond, inferred, divided_by
):
    """Return the least and the greatest average precision, each float64 (n_users,).

    `start`, `rank` and `relevant` are those of `Entries`. `beyond` is the number of
    unlisted items that are relevant where the value is least. Precision is inferred as infAP's, or
    not; what divides is the place in `DIVISORS`.
    """
    n_users = len(length)
    least, greatest = np.empty(n_users), np.empty(n_users)
    for u in range(n_users):
        n = min(cutoff, length[u])
        own = slice(start[u], start[u + 1])
        hit, free = _by_place(rank[own], relevant[own], n)
        least[u], greatest[u] = np.inf, -np.inf
        for s in range(free + 1):
            for best in range(2):
                passed, above, total = 0, 0, 0.0
                for k in range(n):
                    chosen = hit[k] == 1
                    if hit[k] < 0:
                        chosen = passed < s if best else passed >= free - s
                        passed += 1
                    if chosen:
                        if inferred:
                            share = (above + EPSILON) / (k + 2 * EPSILON)
                            total += (1 + k * share) / (k + 1)
                        else:
                            total += (above + 1) / (k + 1)
                        above += 1
                divisor = n_relevant[u] + s
                if not best:
                    divisor += beyond[u]
                if divided_by == 1:
                    divisor = min(divisor, float(cutoff))
                elif divided_by == 2:
                    divisor = float(above)
                elif divided_by == 3:
                    divisor = float(n)
                value = total / divisor if divisor > 0 else 0.0
                least[u], greatest[u] = min(least[u], value), max(greatest[u], value)
    return least, greatest


@kernel(steps=_steps)
def gain_range(
    start, rank, gains, length, judged_start, ideal, cutoff, beyond, top, logs, truncated, retrieved
):
    """Return the least and the greatest nDCG, each float64 (n_users,).

    `start` and `rank` are those of `Entries`, `gains` of the same items, and `ideal` those of each
    user's judged items, highest first. `top` is the gain of a relevant item that was unjudged, as
    much as any other's, and `logs` are the discounts of places from 0. Ideal lists are cut at the
    cut-off if `truncated`, and hold the items of the list alone if `retrieved`.
    """
    n_users = len(length)
    least, greatest = np.empty(n_users), np.empty(n_users)
    tops = np.zeros(len(logs))
    for k in range(1, len(logs)):
        tops[k] = tops[k - 1] + top / logs[k]
    for u in range(n_users):
        n = min(cutoff, length[u])
        own = slice(start[u], start[u + 1])
        gain, free = _by_place(rank[own], gains[own], n)
        best_of = ideal[judged_start[u] : judged_start[u + 1]]
        if retrieved:
            best_of = _highest_first(gain, n - free)
        deepest = cutoff if truncated and not retrieved else len(logs) - 1
        least[u], greatest[u] = np.inf, -np.inf
        for s in range(free + 1):
            for best in range(2):
                passed, total = 0, 0.0
                for k in range(n):
                    added = gain[k]
                    if added < 0:
                        chosen = passed < s if best else passed >= free - s
                        added = top if chosen else 0.0
                        passed += 1
                    total += added / logs[k + 1]
                more = s if best or retrieved else s + beyond[u]
                highest = tops[min(more, deepest)]
                for k in range(more, min(more + len(best_of), deepest)):
                    highest += best_of[k - more] / logs[k + 1]
                value = total / highest if highest > 0 else 0.0
                least[u], greatest[u] = min(least[u], value), max(greatest[u], value)
    return least, greatest


@kernel
def _highest_first(gain, n):
    """Return the n gains that are not negative, sorted."""
    keys, order, found = np.empty(n), np.arange(n), np.empty(n)
    count = 0
    for value in gain:
        if value >= 0:
            keys[count] = -value
            count += 1
    sort_by(keys, order, np.empty_like(order))
    for k in range(n):
        found[k] = -keys[order[k]]
    return found


@kernel(steps=_steps)
def preference_range(start, rank, relevant, length, n_relevant, n_nonrelevant, cutoff, undefined):
    """Return the least and the greatest bpref, each float64 (n_users,), NaN where undefined.

    That is without judged non-relevant items, if `undefined`; see `precision_range`.
    """
    n_users = len(length)
    least, greatest = np.full(n_users, np.nan), np.full(n_users, np.nan)
    for u in range(n_users):
        n = min(cutoff, length[u])
        own = slice(start[u], start[u + 1])
        hit, free = _by_place(rank[own], relevant[own], n)
        for s in range(free + 1):
            hits, others = n_relevant[u] + s, n_nonrelevant[u] + free - s
            if undefined and others == 0:
                continue
            bound = min(hits, others)
            for best in range(2):
                passed, above, total = 0, 0, 0.0
                for k in range(n):
                    chosen = hit[k] == 1
                    if hit[k] < 0:
                        chosen = passed < s if best else passed >= free - s
                        passed += 1
                    if chosen:
                        total += 1 - min(float(above), bound) / max(bound, 1.0)
                    else:
                        above += 1
                value = total / hits if hits > 0 else 0.0
                if not least[u] <= value:
                    least[u] = value
                if not greatest[u] >= value:
                    greatest[u] = value
    return least, greatest


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
