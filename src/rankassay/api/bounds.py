"""Bounds of metrics over all judgements of the unjudged items."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from rankassay.api.definitions import defined
from rankassay.api.depths import common
from rankassay.api.evaluate import (
    DEFAULT,
    USERS,
    NItems,
    longest,
    read_lists,
    read_several,
    with_ids,
    with_n_items,
)
from rankassay.api.evaluate import check as check_choices
from rankassay.api.overlaps import overlaps
from rankassay.data import inputs
from rankassay.data.frames import Qrels, Ties
from rankassay.data.sources import QrelsSource, RunSource, by_name, several
from rankassay.errors import one_of
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.bounds import BeyondList, check, measure_bounds
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
    metrics = inputs.names("metrics", metrics)
    check_choices(metrics, profile, "mean", without_relevant, ties)
    check(metrics, profile, beyond_list)
    one_of("choice of users", users, USERS)
    if depth is not None:
        depth = inputs.whole("depth", depth, 1)
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

    choices = {"ties": ties or "trec", "users": users}
    run = by_name(run)
    if not several(run):
        table = of_one(read_lists(run, "the run", qrels, ties)[0])
        return defined(table, qrels, metrics, profile, without_relevant, depth=depth, **choices)
    lists = read_several(run, qrels, ties)
    ends = {name: longest(own) for name, own in lists.items()}
    metrics, depth = common(metrics, ends, depth, unequal_depths)
    tables = {name: of_one(own) for name, own in lists.items()}
    table = pd.concat(tables, names=["run", "metric"])
    table = table.assign(overlaps=overlaps(table, [*tables]))
    return defined(table, qrels, metrics, profile, without_relevant, depth=depth, **choices)
