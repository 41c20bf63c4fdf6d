"""Metrics of lists with ties: the mean over all orders of the tied items, the least, the greatest.

All orders of the items of equal score are as likely as each other. An item that is not tied is a
tie of one, whose expected value is the plain one.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from rankassay.errors import RankassayError
from rankassay.lookup import load
from rankassay.metrics.catalogue import metric as target_of
from rankassay.metrics.cwl import gains_between
from rankassay.metrics.evaluate import Measure, drops_without_relevant, measure_values, resolve
from rankassay.metrics.expected_reciprocal_rank import stopping
from rankassay.metrics.judged import Judged, judge
from rankassay.metrics.judgements import WHOLE_LIST, Judgements, Lists
from rankassay.metrics.ndcg import logarithms
from rankassay.metrics.precision import JUDGED_ONLY
from rankassay.metrics.ties.additive import expected_sum
from rankassay.metrics.ties.average_precision import expected_precision
from rankassay.metrics.ties.bpref import expected_preference
from rankassay.metrics.ties.cascade import expected_stops
from rankassay.metrics.ties.extremes import extreme_ranks
from rankassay.metrics.totals import ratio
from rankassay.types import Floats, Integers

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

    Parameters
    ----------
    first, last : int64 (n_judged,)
        The first and last place of the items that have each judged item's score.
    over : {"expected", "worst", "best"}
        The mean over all orders, the least or the greatest value.

    Raises
    ------
    RankassayError
        For a measure that `check` refuses.
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
        given = resolve(measure.metric, measure.parameters, profile)[1]
        cutoffs = np.array([measure.cutoff or WHOLE_LIST], dtype=np.int64)
        values[:, column] = _expected(judged, first, last, measure.metric, cutoffs, given)[:, 0]
    if drops_without_relevant(profile, without_relevant):
        values[judgements.n_relevant == 0] = np.nan
    return values


def _expected(judged: Judged, first, last, metric: str, cutoffs, given) -> Floats:
    """Return the expected values of a metric with parameters, float64 (n_users, n_cutoffs)."""
    if given.get("negative") == "unjudged" and judged.from_zero is not judged:
        own = judged.items.rating >= 0
        judged, first, last = judged.from_zero, first[own], last[own]
    items, places = judged.items, np.minimum(cutoffs, judged.depth)
    # The plain metric checks its parameters and says what divides its sums.
    plain = load(target_of(metric))(judged, cutoffs, **given)
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
        return load(target_of(metric))(mean, cutoffs, **given)
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
