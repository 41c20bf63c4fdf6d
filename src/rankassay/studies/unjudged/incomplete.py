"""Unjudged items: bounds of values, pairs that they leave open, and rankings on condensed lists."""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.bounds import ROUNDING, BeyondList, measure_bounds, overlap
from rankassay.metrics.evaluate import Measure, drops_without_relevant, grid, resolve
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.metrics.unjudged import condensed, cut, shared_places, top_rating
from rankassay.statistics.correlation import between_metrics
from rankassay.statistics.draws import Draws
from rankassay.statistics.identical import same_lists
from rankassay.statistics.judged_systems import TestSet, names_of
from rankassay.statistics.replicated import Replicated
from rankassay.types import Booleans, Floats


def condensed_name(metric: str) -> str:
    """Return the name of a metric of condensed lists."""
    return f"condensed {metric}"


def lists_of(
    test: sp.csr_matrix, rankings: Mapping[str, Rankings], threshold: float
) -> tuple[Judgements, dict[str, Lists]]:
    """Return the judgements, and the list of each system by its name."""
    judgements = Judgements.of(test, threshold)
    depth = min(ranking.depth for ranking in rankings.values())
    lists = {name: cut(Lists.of(own, judgements), depth) for name, own in rankings.items()}
    return judgements, lists


def bounds(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    *,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    beyond_list: BeyondList,
) -> pd.DataFrame:
    """Bound the mean of each metric over users, for each system.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, system, value, least and greatest; each is a mean over the users who
        have a value.
    """
    measures = grid(metrics, cutoffs)
    if beyond_list == "any":
        measures = [name for name in measures if Measure.parse(name).metric != "Bpref"]
    judgements, lists = lists_of(test, rankings, evaluation["threshold"])
    tables = []
    for system, own in lists.items():
        how = evaluation["profile"], evaluation["without_relevant"], beyond_list
        found = measure_bounds(judgements, own, measures, *how)
        parsed = [Measure.parse(name) for name in measures]
        columns = {"metric": [m.name for m in parsed], "cutoff": [m.cutoff for m in parsed]}
        numbers = {name: aggregate(values, "mean") for name, values in found._asdict().items()}
        tables.append(pd.DataFrame(columns | {"system": system} | numbers))
    table = pd.concat(tables, ignore_index=True)
    place = {name: i for i, name in enumerate(dict.fromkeys(table["metric"]))}
    order = np.lexsort((table["cutoff"], table["metric"].map(place)))
    return table.iloc[order].reset_index(drop=True)


def pairs(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    bounds: pd.DataFrame,
) -> pd.DataFrame:
    """Count pairs of systems whose bounds overlap, and those that judgements could reverse.

    The bounds of two systems overlap too easily: an unjudged item that both list is judged once,
    and counts for both. The difference of two systems has separate bounds. They are exact where a
    metric is a sum of weights of places, P and RBP::

        greatest = D + (1 / |U|) sum_u sum_i max(0, w_A(u, i) - w_B(u, i))

    over the unjudged items i, with D the observed difference and w the weight of an item's place,
    0 if it is not listed.

    Parameters
    ----------
    bounds : DataFrame
        As `bounds` returns it.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, residual (the mean over systems of the greatest less the least
        value), pairs (of different systems), overlapping (of which the bounds share more than an
        end), overlapping_share, open (of which the difference can have either sign; empty where it
        is not known), open_share and spread (the largest less the least value of a system).
    """
    judgements = Judgements.of(test, evaluation["threshold"])
    how = evaluation["profile"], evaluation["without_relevant"]
    counted = np.ones(judgements.n_users, dtype=bool)
    if drops_without_relevant(*how):
        counted = judgements.n_relevant > 0
    users = judgements.users[counted]
    depth = min(ranking.depth for ranking in rankings.values())
    depth = min(depth, int(bounds["cutoff"].max()))
    items = np.stack([np.asarray(own.items)[users, :depth] for own in rankings.values()])
    shared = shared_places(items.astype(np.int32), sp.csr_matrix(test)[users])
    rows, different = [], ~same_lists(rankings)
    for (metric, cutoff), own in bounds.groupby(["metric", "cutoff"], sort=False):
        own = own.set_index("system").loc[[*rankings]]
        weights = _weights(metric, int(cutoff), depth, evaluation["profile"], judgements)
        found = _counted(own, weights, shared, users, different)
        rows.append({"metric": metric, "cutoff": cutoff} | found)
    return pd.DataFrame(rows)


def _counted(
    own: pd.DataFrame, weights: Floats | None, shared: Floats, users, different: Booleans
) -> dict:
    """Return the counts of one measure, over the pairs that are `different`, bool (n_pairs,)."""
    value, least, greatest = (own[name].to_numpy() for name in ("value", "least", "greatest"))
    a, b = np.array([*itertools.combinations(range(len(own)), 2)]).reshape(-1, 2)[different].T
    n, overlapping = len(a), int(overlap(least[a], greatest[a], least[b], greatest[b]).sum())
    found = {"residual": (greatest - least).mean(), "pairs": n, "overlapping": overlapping}
    found |= {"overlapping_share": overlapping / n if n else np.nan, "open": np.nan}
    if weights is not None:
        added = shared @ weights / len(users)  # (n_systems, n_systems), each with itself on the way
        alone = np.diag(added)
        difference = value[a] - value[b]
        most, fewest = (difference + s for s in (alone[a] - added[a, b], added[a, b] - alone[b]))
        # Sums of weights are rounded: a difference that is 0 except for rounding is none.
        found["open"] = int(((most > ROUNDING) & (fewest < -ROUNDING)).sum())
    found["open_share"] = found["open"] / n if n else np.nan
    return found | {"spread": value.max() - value.min()}


def _weights(
    metric: str, cutoff: int, depth: int, profile: str, judgements: Judgements
) -> Floats | None:
    """Return the contribution of a relevant unjudged item at each place, float64 (depth,).

    None for a metric that is no sum of such weights.
    """
    measure = Measure.parse(metric)
    given = resolve(measure.metric, measure.parameters, profile)[1]
    place = np.arange(depth)
    if measure.metric == "P" and given["denominator"] == "cutoff":
        return np.where(place < cutoff, 1 / cutoff, 0.0)
    if measure.metric == "RBP":
        p, top = given["p"], top_rating(judgements)
        gain = 1.0
        if given["gain"] == "rating":
            highest = given["highest"]
            if highest == "all" and top > judgements.scale[1]:
                return None  # its rating would be the highest, and lower what all others gain
            gain = top / (top if highest == "all" else highest)
        return np.where(place < cutoff, gain * (1 - p) * p**place, 0.0)
    return None


def orders(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    seed: int,
    *,
    metrics: Sequence[str],
    without_unjudged: Sequence[str],
    cutoffs: Sequence[int],
    resamples: int,
) -> Replicated:
    """Correlate the rankings of systems under all pairs of metrics at the same cut-off.

    The settings are those of `rankassay.studies.unjudged.settings.Orders`. Metrics of condensed
    lists have "condensed" before their name.

    Returns
    -------
    Replicated
        The columns of `rankassay.statistics.correlation.metric_correlation`, low, high and
        systems (how many there are).
    """
    judgements, lists = lists_of(test, rankings, evaluation["threshold"])
    draws = Draws.of(judgements.n_users, resamples, seed)
    sides: list[tuple[Sequence[str], Iterable[Lists], Callable[[str], str]]] = [
        ([*metrics, *without_unjudged], lists.values(), str),
        (metrics, (condensed(judgements, own) for own in lists.values()), condensed_name),
    ]
    means, names = [], []
    for wanted, own, name in sides:
        measures = grid(wanted, cutoffs)
        spec = evaluation | {"measures": measures, "aggregate": "mean"}
        # No name is given to the judged lists of one side: they go before the next ones are made.
        means.append(TestSet.of_lists(judgements, test.indices, own, spec).means(draws=draws))
        names += [(name(metric), cutoff) for metric, cutoff in names_of(measures)]
    found = between_metrics(np.concatenate(means, axis=1), names)
    found = found.assign(correlation="tau_b", systems=len(lists))
    return found.with_interval()
