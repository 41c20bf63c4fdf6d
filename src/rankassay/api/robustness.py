"""Robustness to incompleteness for users of Python: which metrics work with fewer judgements?

A module of that name would hide the function `rankassay.robustness`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from rankassay.api.definitions import defined
from rankassay.api.depths import common
from rankassay.api.evaluate import CUTOFF, check, longest, read_several, with_ids
from rankassay.data import inputs
from rankassay.data.columns import roles
from rankassay.data.frames import Ids, Qrels, Rows, Ties
from rankassay.data.ids import ids, places
from rankassay.data.libraries import opened
from rankassay.data.listed import Listing
from rankassay.data.sources import Paths, QrelsSource, RunSource, check_several, rows_of
from rankassay.declared.correlations import PERSISTENCE
from rankassay.errors import RankassayError, one_of, written
from rankassay.metrics.judgements import WHOLE_LIST
from rankassay.statistics import popularity, sparsity
from rankassay.statistics.judged_systems import UNJUDGED_USERS, TestSet
from rankassay.statistics.rank_correlation import correlation as correlation_of
from rankassay.types import Integers

KINDS = ("sparsity", "popularity")
PAIR = ("user", "item")
DIGITS = 15  # of a float64, all of which are right
LEVELS = (100, 90, 80, 70, 60, 50, 40, 30, 20, 10)
METRICS = tuple(f"{name}@{CUTOFF}" for name in ("P", "R", "AP", "nDCG", "RR", "Bpref", "infAP"))


def robustness(
    qrels: QrelsSource | Qrels,
    runs: Mapping[str, RunSource] | Paths,
    metrics: str | Sequence[str] = METRICS,
    levels: Sequence[float] = LEVELS,
    samples: int = 50,
    kind: str = "sparsity",
    *,
    threshold: float | None = None,
    profile: str = "paper",
    aggregate: str = "mean",
    without_relevant: str | None = None,
    correlation: str = "tau_b",
    persistence: float = PERSISTENCE,
    stratified: bool = False,
    unjudged_users: str = "drop",
    round_means: int | None = None,
    of: str = "items",
    train: QrelsSource | None = None,
    ties: Ties | None = None,
    depth: int | None = None,
    unequal_depths: bool = False,
    seed: int = 0,
    not_candidates: str = "error",
) -> pd.DataFrame:
    """Return the correlation of rankings as judgements are removed, by metric and level.

    Parameters
    ----------
    qrels : frame, dict, path or Qrels
        As `rankassay.evaluate` takes them; so are threshold, profile, aggregate, without_relevant,
        ties and depth.
    runs : mapping from names to runs, or list of paths
        At least two; each as a run of `rankassay.evaluate`.
    metrics : sequence of str
        As in "nDCG@10".
    levels : sequence of float
        Percentages to keep of the judgements (sparsity), or of the items or ratings (popularity,
        `of`).
    samples : int
        Random parts at each level; only for sparsity.
    kind : {"sparsity", "popularity"}
        Judgements are removed at random, or those on the most popular items first.
    correlation, persistence, stratified, unjudged_users, round_means
        As in `rankassay.statistics.sparsity.run`.
    of : {"items", "ratings"}
        As in `rankassay.statistics.popularity.run`; for popularity only.
    train : frame, dict, path or matrix, or None
        Training ratings, as in `rankassay.evaluate`; popularity counts these. None counts the
        judgements. Of equally popular items, the one that comes first in `qrels` is removed last.
        No list may hold items that the user rated. A frame needs no column rating, nor user.
    unequal_depths : bool
        Whether cut-offs may lie below the longest list of some runs; see `rankassay.compare`.
    seed : int
        Of the random parts.
    not_candidates : {"error", "drop", "keep"}
        What becomes of listed items that the user rated in training, as in `rankassay.evaluate`.

    Returns
    -------
    DataFrame
        As `rankassay.statistics.sparsity.run` or `rankassay.statistics.popularity.run` returns it.
        With all judgements, the correlation tau is 1, except for tau_ap if runs are tied. For
        sparsity, samples_low and samples_high are the 2.5 and 97.5 percentiles of the correlations
        of single samples; tau, the mean of these, may lie outside, as they are no interval of it.

    Examples
    --------
    >>> import rankassay, pandas as pd
    >>> qrels = pd.DataFrame(
    ...     [("ann", "film", 5), ("ann", "book", 2), ("bob", "film", 4), ("bob", "song", 5)],
    ...     columns=["user", "item", "rating"],
    ... )
    >>> runs = {
    ...     "good": {"ann": {"film": 2, "book": 1}, "bob": {"song": 2, "film": 1}},
    ...     "fair": {"ann": {"book": 2, "film": 1}, "bob": {"film": 2, "song": 1}},
    ...     "poor": {"ann": {"book": 2, "song": 1}, "bob": {"book": 2, "film": 1}},
    ... }
    >>> table = rankassay.robustness(qrels, runs, ["RR@2"], levels=[100, 50], kind="popularity")
    >>> print(table[["metric", "percentage", "ratings", "undefined", "tau"]].to_string())
      metric  percentage  ratings  undefined  tau
    0     RR         100        4          0  1.0
    1     RR          50        2          0  1.0
    >>> table = rankassay.robustness(qrels, runs, ["P@2", "RR@2"], levels=[75], samples=20)
    >>> print(table[["metric", "cutoff", "level", "samples"]].to_string())
      metric  cutoff  level  samples
    0      P       2     75       20
    1     RR       2     75       20
    """
    metrics = inputs.names("metrics", metrics)
    levels = inputs.percentages("levels", levels)
    samples, seed = inputs.whole("samples", samples, 1), inputs.whole("seed", seed)
    inputs.check_memory("samples", samples, 8 * len(levels) * len(metrics))
    stratified = inputs.flag("stratified", stratified)
    persistence = inputs.number("persistence", persistence, 0, 1)
    depth = None if depth is None else inputs.whole("depth", depth, 1)
    if round_means is not None:
        round_means = inputs.whole("round_means", round_means, 0, DIGITS)
    one_of("kind of robustness", kind, KINDS)
    correlation_of(correlation, persistence)
    check(metrics, profile, aggregate, without_relevant, ties)
    one_of("choice for unjudged users", unjudged_users, UNJUDGED_USERS)
    runs = check_several(runs, "an order needs several systems")
    qrels = with_ids(qrels, threshold)
    trained = _trained(train)
    rows = trained if isinstance(trained, Rows) else None
    listing = Listing(qrels, rows, not_candidates)
    lists = read_several(runs, qrels, ties, listing)
    ends = {name: longest(own) for name, own in lists.items()}
    metrics, depth = common(metrics, ends, depth, unequal_depths)
    evaluation = {
        "measures": metrics,
        "profile": profile,
        "without_relevant": without_relevant,
        "aggregate": aggregate,
    }
    whole = TestSet.of_lists(
        qrels.judgements,
        qrels.item,
        [*lists.values()],
        evaluation,
        depth or WHOLE_LIST,
    )
    whole = replace(whole, unjudged_users=unjudged_users, round_means=round_means)
    order = {"correlation": correlation, "persistence": persistence}
    if kind == "sparsity":
        table = sparsity.robustness(whole, levels, samples, seed, stratified, **order).table
        table = table.rename(columns={"low": "samples_low", "high": "samples_high"})
    else:
        number = _popularity(qrels, trained)
        table = popularity.robustness(whole, number, levels, seed, of, **order).table
    choices = {"ties": ties or "trec", "depth": depth, "not_candidates": listing.defined()}
    return defined(table, qrels, metrics, profile, without_relevant, **choices)


def _trained(train: object) -> Rows | Ids | None:
    """Return training ratings; of a frame that names no users, the items of its rows."""
    train = opened(train)
    if train is None:
        return None
    if isinstance(train, pd.DataFrame):
        columns = {role: own for role, own in roles([*train], "rating").items() if role in PAIR}
        if "item" not in columns or any([*train].count(own) > 1 for own in columns.values()):
            found = ", ".join(map(written, train.columns))
            raise RankassayError(f"train: expected a frame with one column item, found {found}.")
        train = train[[*columns.values()]].set_axis([*columns], axis=1)
        if "user" not in columns:
            return ids("train", "item", train["item"])
        train = train.assign(rating=1.0)
    rows = rows_of(train, "the training ratings", "rating")
    if not len(rows.value):
        raise RankassayError(f"{rows.what}: expected rows with ratings, found none.")
    return rows


def _popularity(qrels: Qrels, train: Rows | Ids | None) -> Integers:
    """Return the number of ratings of each judged item, int64 (n_items,)."""
    if train is None:
        return np.bincount(qrels.item, minlength=len(qrels.items))
    item, items = (train.item, train.items) if isinstance(train, Rows) else train
    place = places(items, qrels.items)
    if not (place >= 0).any():
        raise RankassayError(
            "train: no judged item has a training rating; give both the same ids, of the same type."
        )
    count = np.bincount(item[item >= 0], minlength=len(items))
    return np.where(place >= 0, count[place], 0)
