"""Metrics of lists with ties: the mean over all orders of the tied items, the least, the greatest.

All orders of the items of equal score are as likely as each other. An item that is not tied is a
tie of one, whose expected value is the plain one.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from rankassay.errors import RankassayError
from rankassay.kernels import kernel
from rankassay.metrics.evaluate import Measure, drops_without_relevant, measure_values, resolve
from rankassay.metrics.judged import Judged, judge
from rankassay.metrics.judgements import WHOLE_LIST, Judgements, Lists
from rankassay.metrics.ndcg import logarithms
from rankassay.metrics.precision_recall import JUDGED_ONLY
from rankassay.metrics.totals import ratio
from rankassay.metrics.user_models import gains_between, stopping
from rankassay.types import Booleans, Floats, Integers, Integers32

Over = Literal["expected", "worst", "best"]
OVER = ("expected", "worst", "best")
METRICS = ("P", "R", "AP", "RR", "nDCG", "DCG", "Bpref", "RBP", "ERR", "Success", "AUC")
# Parameters whose divisor depends on which tied items stand in the first n places.
OPEN = {
    ("P", "denominator"): JUDGED_ONLY,
    ("AP", "denominator"): ("hits",),
    ("nDCG", "ideal"): ("retrieved",),
}


def check(measures: Sequence[str], profile: str) -> None:
    """Raise RankassayError for a measure that has no expectation over orders of tied items here."""
    for text in measures:
        measure = Measure.parse(text)
        if measure.metric not in METRICS:
            raise RankassayError(
                f"ties: {text} is undefined over all orders of tied items; those that are defined "
                f"are {', '.join(METRICS)}; or give ties as item, trec or input."
            )
        given = resolve(measure.metric, measure.parameters, profile)[1]
        for (metric, name), values in OPEN.items():
            if metric == measure.metric and (value := given.get(name)) in values:
                raise RankassayError(
                    f"ties: {text} with {name}={value!r} is undefined over all orders of tied "
                    "items, as its divisor depends on their order; give another, or give ties as "
                    "item, trec or input."
                )


def tied_values(
    judgements: Judgements,
    lists: Lists,
    first: Integers,
    last: Integers,
    measures: Sequence[str],
    over: Over = "expected",
    profile: str = "paper",
    without_relevant: str | None = None,
    depth: int = WHOLE_LIST,
) -> Floats:
    """Return every measure for every user over all orders of tied items, (n_users, n_measures).

    `first` and `last`, int64 (n_judged,), are the places of the items that have each judged item's
    score; `over` them, the mean, the least or the greatest value is taken. Raises RankassayError
    for a measure that `check` refuses.
    """
    check(measures, profile)
    if depth < WHOLE_LIST and "AUC" in (Measure.parse(text).metric for text in measures):
        raise RankassayError(
            "ties: AUC over all orders of tied items is that of whole lists, found lists that are "
            "cut; leave depth out, compare runs that end at one depth, or give ties as trec."
        )
    if over != "expected":
        listed = lists.ranks > 0
        ranks = extreme_ranks(
            judgements.row, first, last, judgements.rating, listed, over == "best"
        )
        judged = judge(judgements, replace(lists, ranks=ranks), depth)
        return measure_values(judged, measures, profile, without_relevant)
    if ((lists.ranks == 0) | (first == last)).all():
        return measure_values(judge(judgements, lists, depth), measures, profile, without_relevant)
    # Lists are cut at `depth` where values are computed, so that ties across it stay whole.
    judged = replace(judge(judgements, lists), depth=depth)
    listed = judged.items.judgement
    first, last = first[listed], last[listed]
    values = np.empty((judgements.n_users, len(measures)))
    for column, text in enumerate(measures):
        measure = Measure.parse(text)
        of = resolve(measure.metric, measure.parameters, profile)
        cutoffs = np.array([measure.cutoff or WHOLE_LIST], dtype=np.int64)
        values[:, column] = _expected(judged, first, last, measure.metric, cutoffs, *of)[:, 0]
    if drops_without_relevant(profile, without_relevant):
        values[judgements.n_relevant == 0] = np.nan
    return values


def _expected(judged: Judged, first, last, metric: str, cutoffs, function, given) -> Floats:
    """Return the expected values of a metric with parameters, float64 (n_users, n_cutoffs)."""
    if given.get("negative") == "unjudged" and judged.from_zero is not judged:
        own = judged.items.rating >= 0
        judged, first, last = judged.from_zero, first[own], last[own]
    items, places = judged.items, np.minimum(cutoffs, judged.depth)
    # The plain metric checks its parameters and says what divides its sums.
    plain = function(judged, cutoffs, **given)
    relevant = items.relevant.astype(np.float64)
    place = np.arange(1.0, last.max(initial=0) + 1)
    if metric in ("RR", "Success", "ERR"):
        stops = stopping(judged, **given) if metric == "ERR" else relevant
        weight = np.ones(len(place)) if metric == "Success" else 1 / place
        return expected_stops(items.start, first, last, stops, weight, places)
    if metric == "AUC":  # a sum over places: its mean is that of the mean places
        ranks = np.zeros(len(judged.ranks))
        ranks[items.judgement] = (first + last) / 2
        mean = replace(judged, lists=replace(judged.lists, ranks=ranks))
        return function(mean, cutoffs, **given)
    if metric in ("P", "R"):
        added = expected_sum(relevant, first, last, np.ones(len(place)), places)
    elif metric == "RBP":
        p, gain = given["p"], given["gain"]
        gains = gains_between(judged, gain, given["highest"], metric)
        added = expected_sum(gains, first, last, (1 - p) * p ** (place - 1), places)
    elif metric in ("nDCG", "DCG"):
        discount = logarithms(len(place), given["log_base"])
        gains = plain.contribution * discount[items.rank]
        added = expected_sum(gains, first, last, 1 / discount[1:], places)
    else:
        added = _of_hits(judged, first, last, metric, places)
    sums = [np.bincount(items.row, each, judged.judgements.n_users) for each in added.T]
    if metric == "Bpref":
        undefined = np.isnan(plain) if isinstance(plain, np.ndarray) else False
        return np.where(undefined, np.nan, ratio(np.stack(sums, axis=1), judged.n_relevant))
    return ratio(np.stack(sums, axis=1), plain.divisor)


def _of_hits(judged: Judged, first, last, metric: str, places) -> Floats:
    """Return each judged item's contribution to AP or bpref before division, 0 unless relevant."""
    items, hits = judged.items, judged.items.relevant
    start = np.ones(len(first), dtype=bool)
    start[1:] = (items.row[1:] != items.row[:-1]) | (first[1:] != first[:-1])
    tie = np.cumsum(start) - 1
    head = np.flatnonzero(start)[tie]  # the first judged item of the tie
    kind, above = (hits, items.relevant_above)
    if metric == "Bpref":
        kind, above = (~hits, items.nonrelevant_above)
    within = np.bincount(tie, kind).astype(np.int64)[tie][hits]
    above = above[head].astype(np.int64)[hits]
    added = np.zeros((len(first), len(places)))
    if metric == "AP":
        added[hits] = expected_precision(first[hits], last[hits], above, within, places)
        return added
    judgements = judged.judgements
    bound = np.minimum(judgements.n_relevant, judgements.n_nonrelevant).astype(np.int64)
    bound = bound[items.row[hits]]
    added[hits] = expected_preference(first[hits], last[hits], above, within, bound, places)
    return added


def expected_sum(
    gain: Floats, first: Integers, last: Integers, weight: Floats, cutoffs: Integers
) -> Floats:
    """Return each item's expected contribution over the places of its tie, (n_items, n_cutoffs).

    ::

        E = gain sum_{first <= k <= min(last, n)} weight(k) / (last - first + 1)

    `weight` is that of the places from 1 on (McSherry and Najork, ECIR 2008, sections 2.1 to 2.6).
    """
    above = np.concatenate([[0.0], np.cumsum(weight)])
    end = np.minimum(last[:, None], cutoffs)
    begin = np.minimum(first[:, None] - 1, cutoffs)
    return (above[end] - above[begin]) * (gain / (last - first + 1))[:, None]


def expected_precision(
    first: Integers, last: Integers, above: Integers, within: Integers, cutoffs: Integers
) -> Floats:
    """Return the expected precision at the place of each relevant item, (n_hits, n_cutoffs).

    ::

        E = (1 / m) sum_{first <= k <= min(last, n)} (a + 1 + (k - first) (r - 1) / (m - 1)) / k

    with m the items of the tie, r = `within` the relevant ones among them, and a = `above` those
    in the places before it (McSherry and Najork, ECIR 2008, section 2.5).
    """
    harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, last.max(initial=0) + 1))])
    end = np.maximum(np.minimum(last[:, None], cutoffs), first[:, None] - 1)
    sums = harmonic[end] - harmonic[first - 1][:, None]
    size = last - first + 1
    share = ((within - 1) / np.maximum(size - 1, 1))[:, None]
    places = end - first[:, None] + 1
    expected = (above + 1)[:, None] * sums + share * (places - first[:, None] * sums)
    return expected / size[:, None]


@kernel
def expected_preference(first, last, above, within, bound, cutoffs):
    """Return the expected contribution of each relevant item to bpref, (n_hits, n_cutoffs).

    ::

        E = (1 / m) sum_{first <= k <= min(last, n)} E[1 - min(a + J_k, b) / b]

    with m the items of the tie, a = `above` the judged non-relevant items in the places before it,
    b = `bound`, and J_k, hypergeometric, those of the `within` ones in the tie that stand above k.
    """
    values = np.zeros((len(first), len(cutoffs)))
    for i in range(len(first)):
        size, n = last[i] - first[i] + 1, within[i]
        chance = np.zeros(n + 1)
        chance[0] = 1.0
        for t in range(min(size, cutoffs[-1] - first[i] + 1)):
            mean = 0.0
            for j in range(n + 1):
                mean += chance[j] * (1 - min(above[i] + j, bound[i]) / max(bound[i], 1))
            for c in range(len(cutoffs)):
                if first[i] + t <= cutoffs[c]:
                    values[i, c] += mean / size
            others = size - 1 - t
            for j in range(min(n, t + 1), -1, -1):
                stays = chance[j] * (1 - (n - j) / others) if others > 0 else 0.0
                comes = chance[j - 1] * (n - j + 1) / others if j > 0 and others > 0 else 0.0
                chance[j] = stays + comes
    return values


@kernel
def expected_stops(start, first, last, stops, weight, cutoffs):
    """Return sum_{k <= n} weight(k) P(the user stops at k), float64 (n_users, n_cutoffs).

    `start`, int64 (n_users + 1,), `first`, `last`, int64, and `stops`, float64 (n_items,), are the
    judged items of each user, in order of their ties; `weight` is float64 (deepest,).

    The chance of passing the first t places of a tie is the mean over all its subsets of t items of
    the product of 1 - p: the elementary symmetric means, which a recursion makes item by item.
    """
    values = np.zeros((len(start) - 1, len(cutoffs)))
    deepest = min(cutoffs[-1], len(weight))
    passed = np.empty(deepest + 1)
    for u in range(len(start) - 1):
        left, i = 1.0, start[u]
        while i < start[u + 1] and first[i] <= deepest and left > 0:
            end = i
            while end < start[u + 1] and first[end] == first[i]:
                end += 1
            size = last[i] - first[i] + 1
            n_places = min(size, deepest - first[i] + 1)
            passed[: n_places + 1] = 1.0  # as no user stops at an unjudged item
            seen = size - (end - i)
            for j in range(i, end):
                seen += 1
                for t in range(min(n_places, seen), 0, -1):
                    share = t / seen
                    passed[t] = share * (1 - stops[j]) * passed[t - 1] + (1 - share) * passed[t]
            for t in range(n_places):
                k = first[i] + t
                added = left * (passed[t] - passed[t + 1]) * weight[k - 1]
                for c in range(len(cutoffs)):
                    if k <= cutoffs[c]:
                        values[u, c] += added
            left *= passed[n_places]
            i = end
    return values


def extreme_ranks(
    row: Integers, first: Integers, last: Integers, rating: Floats, listed: Booleans, best: bool
) -> Integers32:
    """Return the ranks of judged items when ties are put in the best or worst order, (n_judged,).

    The best order has the judged items first, by decreasing rating; the worst has them last, by
    increasing rating. Exchanging two neighbours of which the better stands below never lowers a
    metric whose gains increase with ratings and whose weights decrease with places, and never
    lowers bpref, so that these orders are the extremes for all metrics of `ties.expected.METRICS`.
    """
    ranks = np.zeros(len(row), dtype=np.int32)
    at = np.flatnonzero(listed)
    order = at[np.lexsort((-rating[at], first[at], row[at]))]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (row[order][1:] != row[order][:-1]) | (first[order][1:] != first[order][:-1])
    starts = np.flatnonzero(new)
    sizes = np.diff(np.append(starts, len(order)))
    place = np.arange(len(order)) - np.repeat(starts, sizes)
    ranks[order] = first[order] + place if best else last[order] - place
    return ranks
