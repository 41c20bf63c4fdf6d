"""The number of ties in runs, and their possible effect on metrics."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from rankassay.api.definitions import defined
from rankassay.api.evaluate import DEFAULT, USERS, with_ids
from rankassay.api.evaluate import check as check_choices
from rankassay.api.overlaps import overlaps
from rankassay.data import inputs
from rankassay.data.frames import Qrels, lists_with_ties
from rankassay.data.listed import Listing
from rankassay.data.sources import QrelsSource, RunSource, by_name, rows_of, several
from rankassay.errors import one_of
from rankassay.metrics import ties as over_orders
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.judgements import WHOLE_LIST


def ties(
    qrels: QrelsSource | Qrels,
    run: RunSource | Mapping[str, RunSource],
    metrics: str | Sequence[str] = DEFAULT,
    profile: str = "paper",
    threshold: float | None = None,
    *,
    without_relevant: str | None = None,
    users: str = "judged",
    depth: int | None = None,
) -> pd.DataFrame:
    """Return how much the order of tied items could change the means of metrics.

    Parameters are those of `rankassay.evaluate`.

    Returns
    -------
    DataFrame
        One row for each metric, or for each run and metric of several, with the columns expected,
        least and greatest, the mean over users of the mean, least and greatest value over all
        orders of tied items; users, the share of the users who count whose value depends on the
        order; and tied, the share of the listed judged items that share their score with another
        item. Items below `depth` in every order are not listed. Of several runs also overlaps: the
        other runs that the order of ties alone could put on either side of this one, as a tuple.

    Examples
    --------
    >>> import rankassay
    >>> run = {"ann": {"film": 2, "book": 2}, "bob": {"song": 1}}
    >>> rankassay.ties({"ann": {"film": 5, "book": 1}, "bob": {"song": 4}}, run, ["RR", "P@1"])
         expected  least  greatest  users      tied
    RR      0.875   0.75       1.0    0.5  0.666667
    P@1     0.750   0.50       1.0    0.5  0.666667
    """
    metrics = inputs.names("metrics", metrics)
    check_choices(metrics, profile, "mean", without_relevant, None)
    over_orders.check(metrics, profile)
    one_of("choice of users", users, USERS)
    if depth is not None:
        depth = inputs.whole("depth", depth, 1)
    qrels = with_ids(qrels, threshold)
    how = metrics, profile, without_relevant, users, depth or WHOLE_LIST
    choices = {"ties": None, "users": users, "depth": depth}
    run = by_name(run)
    if not several(run):
        table = _of_one(qrels, run, "the run", *how)
        return defined(table, qrels, metrics, profile, without_relevant, **choices)
    listing = Listing(qrels)
    tables = {name: _of_one(qrels, listing.rows(own, name), "", *how) for name, own in run.items()}
    listing.tell()
    table = pd.concat(tables, names=["run", "metric"])
    table = table.assign(overlaps=overlaps(table, [*tables]))
    return defined(table, qrels, metrics, profile, without_relevant, **choices)


def _of_one(
    qrels: Qrels, run, what, metrics: list[str], profile, without_relevant, users, depth
) -> pd.DataFrame:
    """Return the table of one run."""
    lists, first, last, _ = lists_with_ties(rows_of(run, what, "score"), qrels)
    arrays = qrels.judgements, lists, first, last, metrics
    counted = slice(None) if users == "judged" else lists.length > 0
    values = {
        over: over_orders.tied_values(*arrays, over, profile, without_relevant, depth)[counted]
        for over in over_orders.OVER
    }
    listed = (lists.ranks > 0) & (first <= depth)
    columns = {
        "expected": aggregate(values["expected"]),
        "least": aggregate(values["worst"]),
        "greatest": aggregate(values["best"]),
        "users": aggregate((values["best"] > values["worst"]).astype(np.float64)),
        "tied": np.count_nonzero(listed & (first < last)) / max(np.count_nonzero(listed), 1),
    }
    return pd.DataFrame(columns, index=metrics)
