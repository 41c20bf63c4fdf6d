"""Analysis: the number of pairs of systems whose order depends on unjudged items."""

import itertools
from collections.abc import Mapping

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.metrics.evaluate import Measure, drops_without_relevant, resolve
from rankassay.metrics.judgements import Judgements
from rankassay.metrics.unjudged import shared_places, top_rating
from rankassay.statistics.identical import same_lists
from rankassay.statistics.ranges import ROUNDING, overlap
from rankassay.types import Booleans, Floats


def pairs(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    bounds: pd.DataFrame,
) -> pd.DataFrame:
    """Count pairs of systems whose bounds overlap, and those that judgements could reverse.

    The bounds of two systems overlap too easily: an unjudged item that both list is judged once,
    and counts for both. The difference of two systems has separate bounds. They are exact where a
    metric is a sum of weights of places, P and RBP: an item adds to the greatest difference by how
    much more it weighs in the one list than in the other.

    Parameters
    ----------
    bounds : DataFrame
        As `rankassay.studies.unjudged.bounds.bounds` returns it.

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
