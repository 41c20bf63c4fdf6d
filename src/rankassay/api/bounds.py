"""What means could be: over judgements of the unjudged items, and over orders of tied items."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from rankassay.api.definitions import defined
from rankassay.api.reading import (
    DEFAULT,
    NItems,
    asked,
    each,
    read_lists,
    together,
    with_ids,
    with_n_items,
)
from rankassay.data import inputs
from rankassay.data.frames import Qrels, Rows, Ties, lists_with_ties
from rankassay.data.listed import Listing
from rankassay.data.sources import QrelsSource, RunSource
from rankassay.metrics import ties as over_orders
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.bounds import BeyondList, check, measure_bounds, overlap
from rankassay.metrics.judgements import WHOLE_LIST, Lists


def bounds(
    qrels: QrelsSource | Qrels,
    run: RunSource | Mapping[str, RunSource],
    metrics: str | Sequence[str] = DEFAULT,
    profile: str = "paper",
    threshold: float | None = None,
    *,
    beyond_list: BeyondList = "none",
    without_relevant: str | None = None,
    users: str = "judged",
    ties: Ties | None = None,
    depth: int | None = None,
    n_items: NItems = None,
    unequal_depths: bool = False,
) -> pd.DataFrame:
    """Return the bounds of metrics' means over all judgements of the unjudged items.

    Every unjudged item in the first n places is taken as not relevant or as relevant, with the top
    rating of the scale, in all ways; see `rankassay.metrics.bounds`.

    Parameters
    ----------
    beyond_list : {"none", "any"}
        How many of a user's unjudged items outside of the first n places are relevant: none, or any
        number, which lowers the least value of metrics that ask how many relevant items are found.
        The latter needs `n_items`.
    unequal_depths : bool
        Whether cut-offs may lie below the longest list of some runs; see `rankassay.compare`.
    others
        As in `rankassay.evaluate`.

    Returns
    -------
    DataFrame
        One row for each metric, or for each run and metric of several, with the columns value,
        least and greatest, means over the users who have a value. Both bounds are attained. Of
        several runs also overlaps: the other runs whose bounds share more than an end with these,
        so that judgements could put either first, as a tuple. The bounds of two runs can overlap
        though no judgements reverse them, as an item that both list is judged once.

    Examples
    --------
    >>> import rankassay
    >>> qrels = {"ann": {"film": 5, "book": 1}, "bob": {"song": 4}}
    >>> runs = {"a": {"ann": ["film", "game"], "bob": ["song"]}, "b": {"ann": ["book", "play"]}}
    >>> rankassay.bounds(qrels, runs, "P@2").reset_index()
      run metric  value  least  greatest overlaps
    0   a    P@2    0.5    0.5      0.75       ()
    1   b    P@2    0.0    0.0      0.25       ()
    """
    choices = {"ties": ties, "users": users, "depth": depth}
    metrics, depth = asked(metrics, profile, without_relevant, **choices)
    check(metrics, profile, beyond_list)
    qrels = with_ids(qrels, threshold)

    def of_one(lists: Lists) -> pd.DataFrame:
        lists = with_n_items(qrels.judgements, lists, n_items, qrels.users)
        if beyond_list == "any" and lists.n_candidates is not None:
            inputs.check_memory("n_items", int(lists.n_candidates.sum(dtype=np.int64)), 4 * 8)
        how = profile, without_relevant, beyond_list, depth or WHOLE_LIST
        found = measure_bounds(qrels.judgements, lists, metrics, *how)
        counted = slice(None) if users == "judged" else lists.length > 0
        columns = {name: aggregate(values[counted]) for name, values in found._asdict().items()}
        return pd.DataFrame(columns, index=metrics)

    lists, metrics, depth = read_lists(run, qrels, ties, metrics, depth, unequal_depths)
    table = _together({name: of_one(own) for name, own in lists.items()})
    choices = {"ties": ties or "trec", "users": users, "depth": depth}
    return defined(table, qrels, metrics, profile, without_relevant, **choices)


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
    metrics, depth = asked(metrics, profile, without_relevant, users=users, depth=depth)
    over_orders.check(metrics, profile)
    qrels = with_ids(qrels, threshold)
    how = metrics, profile, without_relevant, users, depth or WHOLE_LIST
    listing = Listing(qrels)
    tables = {name: _of_one(qrels, listing.rows(own, name), *how) for name, own in each(run)}
    listing.tell()
    choices = {"ties": None, "users": users, "depth": depth}
    return defined(_together(tables), qrels, metrics, profile, without_relevant, **choices)


def _of_one(
    qrels: Qrels, run: Rows, metrics: list[str], profile, without_relevant, users, depth
) -> pd.DataFrame:
    """Return the table of one run."""
    lists, first, last, _ = lists_with_ties(run, qrels)
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


def _together(tables: dict[str | None, pd.DataFrame]) -> pd.DataFrame:
    """Return the table of one run, or those of several, with the runs whose range overlaps."""
    table = together(tables)
    if None in tables:
        return table
    least, greatest = (
        table[name].to_numpy().reshape(len(tables), -1) for name in ("least", "greatest")
    )
    both = overlap(least[:, None], greatest[:, None], least[None], greatest[None])
    both[np.diag_indices(len(tables))] = False
    return table.assign(
        overlaps=[
            tuple(run for run, shared in zip(tables, both[row, :, metric], strict=True) if shared)
            for row, metric in np.ndindex(least.shape)
        ]
    )
