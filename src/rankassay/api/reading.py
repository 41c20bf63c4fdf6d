"""What users of Python give, checked and read: judgements, runs, propensities, training ratings."""

import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from os.path import isfile
from typing import NamedTuple

import numpy as np
import pandas as pd

from rankassay.artifacts.arrays import Rankings
from rankassay.data import inputs
from rankassay.data.columns import named
from rankassay.data.frames import TIES, Qrels, Rows, Ties, lists_of, once
from rankassay.data.ids import by_id, places, shown
from rankassay.data.inputs import opened
from rankassay.data.listed import Listing, unlike
from rankassay.data.numbers import Numbers, column_of
from rankassay.data.opening import Lines
from rankassay.data.sources import QrelsSource, by_name, is_dictionary, rows_of, several
from rankassay.data.tables import read
from rankassay.errors import RankassayError, one_of, unknown, written
from rankassay.metrics.aggregate import AGGREGATES
from rankassay.metrics.evaluate import (
    Measure,
    drops_without_relevant,
    reach,
    resolve,
)
from rankassay.metrics.judgements import Judgements, Lists, as_exact
from rankassay.types import Floats, Integers

log = logging.getLogger(__name__)

NItems = int | pd.Series | pd.DataFrame | None
PropensitySource = QrelsSource | pd.Series | Mapping[object, float]

CUTOFF = 10  # of every function and command that is not told another
ONE_MEASURE = f"nDCG@{CUTOFF}"  # where several would be too much to read
DEFAULT = tuple(f"{name}@{CUTOFF}" for name in ("P", "R", "AP", "nDCG", "RR"))
USERS = ("judged", "listed")
GREATEST = 1e6  # Γ: its square times that of any sum is still finite
WHAT = "the propensities"
COLUMN = "propensity"
ERRORS = ("MAE", "MSE", "RMSE", "NMAE")  # means over judged items, which no depth changes


def asked(
    metrics: str | Sequence[str],
    profile: str,
    without_relevant: str | None = None,
    *,
    aggregate: str = "mean",
    ties: str | None = None,
    orders: Sequence[str] = TIES,
    users: str = "judged",
    depth: int | None = None,
) -> tuple[list[str], int | None]:
    """Return the metrics and the depth; raises RankassayError for a choice that is not known."""
    metrics = inputs.names("metrics", metrics)
    drops_without_relevant(profile, without_relevant)
    for metric in metrics:
        measure = Measure.parse(metric)
        resolve(measure.metric, measure.parameters, profile)
    one_of("aggregate", aggregate, AGGREGATES)
    if ties is not None:
        one_of("order of ties", ties, orders)
    one_of("choice of users", users, USERS)
    return metrics, None if depth is None else inputs.whole("depth", depth, 1)


def judged(
    qrels: QrelsSource, threshold: float | None = None, propensities: PropensitySource | None = None
) -> Qrels:
    """Return judgements that `evaluate` takes as qrels, for several runs; parameters as there.

    Examples
    --------
    >>> import rankassay
    >>> qrels = rankassay.judged({"ann": {"film": 5, "book": 2}, "bob": {"song": 4}})
    >>> runs = [{"ann": {"film": 0.9, "game": 0.8}}, {"ann": {"book": 1}, "bob": {"song": 1}}]
    >>> [float(rankassay.evaluate(qrels, run, "P@2")["P@2"]) for run in runs]
    [0.25, 0.25]
    """
    threshold = None if threshold is None else inputs.number("threshold", threshold)
    made = Qrels.of(rows_of(qrels, "the judgements", "rating"), threshold)
    return made if propensities is None else with_propensities(made, propensities, qrels)


def checked(
    qrels: QrelsSource | Qrels | Judgements,
    threshold: float | None,
    propensities: PropensitySource | None = None,
):
    """Return judgements that kernels can read, made with a threshold, or with the usual one."""
    threshold = None if threshold is None else inputs.number("threshold", threshold)
    if not isinstance(qrels, Judgements | Qrels):
        return judged(qrels, threshold, propensities)
    qrels.check()
    made = qrels.threshold if isinstance(qrels, Judgements) else qrels.judgements.threshold
    # Those of single precision have their threshold in it.
    if threshold is not None and made not in (threshold, as_exact(threshold, np.float32)):
        raise RankassayError(
            f"threshold: the judgements were made with {made:g}, found {threshold:g}; leave it "
            "out, or make them with this one."
        )
    if propensities is None:
        return qrels
    if isinstance(qrels, Judgements):
        raise RankassayError(
            "propensities: Judgements have their own; leave them out, or make the judgements by "
            "Judgements.of(test, threshold, propensities)."
        )
    return with_propensities(qrels, propensities)


def with_ids(qrels: QrelsSource | Qrels | Judgements, threshold: float | None) -> Qrels:
    """Return judgements as `checked` does; raises RankassayError for those of the pipeline."""
    if isinstance(found := checked(qrels, threshold), Judgements):
        raise RankassayError(
            "qrels: expected judgements with ids, found those of the pipeline, Judgements; give "
            "their rows."
        )
    return found


def with_propensities(qrels: Qrels, source: PropensitySource, judged: object = None) -> Qrels:
    """Return judgements with the propensities of their ratings.

    `judged` is the source of the judgements: if it is a frame, `source` may name its column. For
    the forms of `source` see `rankassay.evaluate`.
    """
    source, judged = opened(source), opened(judged)
    if isinstance(source, str) and isinstance(judged, pd.DataFrame) and not isfile(source):
        if source not in judged:
            raise unknown("column of the judgements", source, map(written, judged.columns))
        given = inputs.frame(WHAT, judged, source)[source]
        source = named(judged, "rating")[["user", "item"]].assign(**{COLUMN: given})
    if isinstance(source, str | PathLike | Lines):
        source = read(source, COLUMN)
    if isinstance(source, pd.Series) and source.index.nlevels == 1:
        source = pd.DataFrame({"item": column_of(source.index), COLUMN: source.array})
    elif is_dictionary(source) and not isinstance(next(iter(source.values()), {}), Mapping):
        source = pd.DataFrame({"item": column_of([*source]), COLUMN: [*source.values()]})
    by_item = isinstance(source, pd.DataFrame) and "item" in source and "user" not in source
    found = _by_item(qrels, source) if by_item else _by_pair(qrels, source)
    if np.isnan(found).any():
        j = int(np.argmax(np.isnan(found)))
        user, item = qrels.judgements.row[j], qrels.item[j]
        others = np.isnan(found).sum() - 1
        more = f" and {others} others" if others else ""
        raise RankassayError(
            f"{WHAT}: expected one of each judged rating, found none of user "
            f"{shown(qrels.users, user)}, item {shown(qrels.items, item)}{more}; add them."
        )
    judgements = replace(qrels.judgements, propensity=found)
    judgements.check_propensity(qrels.users)
    return replace(qrels, judgements=judgements)


def _by_item(qrels: Qrels, source: pd.DataFrame) -> Floats:
    """Return the propensities of the judged ratings from those of items, NaN if missing."""
    frame = inputs.frame(WHAT, source, "item", COLUMN)
    numbers = Numbers.of(WHAT, COLUMN, frame[COLUMN]).held()
    return by_id(WHAT, "item", frame["item"], numbers, qrels.items)[qrels.item]


def _by_pair(qrels: Qrels, source: QrelsSource) -> Floats:
    """Return the propensities of the judged ratings from those of ratings, NaN if missing."""
    if isinstance(source, pd.DataFrame) and COLUMN in source:
        source = source.drop(columns="rating", errors="ignore").rename(columns={COLUMN: "rating"})
    rows = rows_of(source, WHAT, "rating").once()
    n = len(rows.items)
    key = rows.user * n + rows.item
    order = np.argsort(key)
    key = key[order]
    user = places(rows.users, qrels.users)[qrels.judgements.row]
    item = places(rows.items, qrels.items)[qrels.item]
    wanted = np.where((user >= 0) & (item >= 0), user * n + item, -1)
    place = np.searchsorted(key, wanted)
    there = np.append(key, -2)[place] == wanted
    return np.where(there, np.append(rows.value[order], np.nan)[place], np.nan)


def training(source: QrelsSource) -> Rows:
    """Return training ratings, by their ids; raises RankassayError for two of one pair."""
    return once(rows_of(source, "the training ratings", "rating")).by_ids()


class Items(NamedTuple):
    """The items of training ratings of unknown users: an index for each rating, and their ids."""

    item: Integers  # -1 if it is missing
    items: pd.Index


def item_counts(qrels: Qrels, train: Rows | Items) -> Integers:
    """Return the training ratings of each judged item, and then of the others, int64 (n_items,)."""
    place = places(train.items, qrels.items)
    if not (place >= 0).any():
        raise RankassayError(
            f"{unlike('item', qrels, train)}; give both the same ids, of the same type."
        )
    count = np.bincount(train.item[train.item >= 0], minlength=len(train.items))
    others = np.delete(count, place[place >= 0])
    return np.concatenate([np.where(place >= 0, count[place], 0), others])


def weighed_by(qrels: Qrels, train: Rows) -> Qrels:
    """Return judgements with the propensities that training ratings give their items."""
    from rankassay.advice.given import by_popularity  # on use: tests of advice are compiled code

    propensity = by_popularity(item_counts(qrels, train), qrels.item)
    return replace(qrels, judgements=replace(qrels.judgements, propensity=propensity))


def each(run: object) -> Iterable[tuple[str | None, object]]:
    """Return runs with their names; None is that of one run alone."""
    run = by_name(run)
    return run.items() if several(run) else [(None, run)]


def together(results: Mapping[str | None, pd.Series | pd.DataFrame]) -> pd.Series | pd.DataFrame:
    """Return the result of one run, or those of several as one frame with their names."""
    if None in results:
        return results[None]
    first = next(iter(results.values()))
    if isinstance(first, pd.Series):
        return pd.DataFrame(results).T.rename_axis("run")
    if "user" in first:
        return pd.concat(results, names=["run", None]).reset_index("run").reset_index(drop=True)
    return pd.concat(results, names=["run", "metric"])


def read_lists(
    run: object,
    qrels: Qrels,
    ties: Ties | None,
    metrics: Sequence[str],
    depth: int | None,
    unequal_depths: bool,
    listing: Listing | None = None,
) -> tuple[dict[str | None, Lists], list[str], int | None]:
    """Return the lists of one run or several, and the metrics and the depth of `common`."""
    listing = listing or Listing(qrels)
    ties = ties or "trec"
    lists = {name: lists_of(listing.rows(own, name), qrels, ties) for name, own in each(run)}
    listing.tell()
    ends = {name: longest(own) for name, own in lists.items()}
    return lists, *common(metrics, ends, depth, unequal_depths)


def with_n_items(judgements: Judgements, lists: Lists, n_items: NItems, users: pd.Index) -> Lists:
    """Return the lists with the number of items that could be listed for each user."""
    if n_items is None:
        return lists
    n_items = opened(n_items)
    if isinstance(n_items, pd.DataFrame):
        n_items = inputs.frame("n_items", n_items, "user", "n_items").set_index("user")["n_items"]
    if isinstance(n_items, pd.Series):
        numbers = Numbers.of("n_items", "n_items", n_items).held()
        numbers = by_id("n_items", "user", column_of(n_items.index), numbers, users)
    else:
        numbers = np.full(len(users), inputs.whole("n_items", n_items, 1), dtype=np.float64)
    lists.check_candidates(judgements, numbers, users)
    return Lists(lists.ranks, lists.length, numbers.astype(np.int32), lists.predictions)


def longest(lists: Lists, run: object = None) -> int:
    """Return the length of the longest list of a run, as far as it is stored."""
    end = int(lists.length.max(initial=0))
    return min(end, run.depth) if isinstance(run, Rankings) else end


def common(
    metrics: Sequence[str],
    ends: Mapping[str, int],
    depth: int | None = None,
    unequal_depths: bool = False,
) -> tuple[list[str], int | None]:
    """Return the metrics with which runs can be compared, and the depth to cut their lists at.

    A run is as deep as its longest list, of which `ends` has the length: below, it has no chance of
    a hit. Where metrics read further, lists and cut-offs end where the first run does.
    """
    metrics = [*metrics]
    known = {name: min(end, depth or end) for name, end in ends.items() if end}
    first = min(known.values(), default=0)
    parsed = {metric: Measure.parse(metric) for metric in metrics}
    # Errors of predicted ratings are of all listed items: next to them only cut-offs are cut.
    errors = [m for m, own in parsed.items() if own.cutoff is None and own.metric in ERRORS]
    read = reach([m for m in metrics if m not in errors], depth)
    if inputs.flag("unequal_depths", unequal_depths) or not first < min(
        read, max(known.values(), default=0)
    ):
        return metrics, depth
    measures = [*dict.fromkeys(_cut(metric, first) for metric in metrics)]
    whole = [m for m in measures if m not in errors and reach([m], depth) > first]
    if errors and whole:
        raise RankassayError(
            f"metrics: expected {errors[0]}, which is of all listed items, without {whole[0]}, for "
            f"which lists are cut to {first} items, where the first run ends; ask for each by "
            "itself, or give unequal_depths=True (--unequal-depths)."
        )
    log.warning("warning: %s", _note(known, first, [m for m in metrics if m not in measures]))
    return measures, depth if errors else first


def _cut(metric: str, first: int) -> str:
    """Return a metric with a cut-off of `first` at most, written as it was."""
    measure = Measure.parse(metric)
    if measure.cutoff is None or measure.cutoff <= first:
        return metric
    if "@" in metric:
        return re.sub(r"@[^@]*$", f"@{first}", metric)
    return str(replace(measure, cutoff=first))


def _note(known: Mapping[str, int], first: int, gone: Sequence[str]) -> str:
    """Return which run ends where, and what that changes."""
    by_end: dict[int, list[str]] = {}
    for name, end in known.items():
        by_end.setdefault(end, []).append(str(name))
    ends = "; ".join(f"{', '.join(names)} at {end}" for end, names in sorted(by_end.items()))
    deeper = f", and the deeper cut-offs of {', '.join(gone)} became this one" if gone else ""
    places = "place" if first == 1 else f"{first} places"
    return (
        f"the longest lists of the runs end at different places ({ends}). They are compared in the "
        f"first {places}, which all runs have{deeper}; unequal_depths=True "
        "(--unequal-depths) compares them as they are."
    )
