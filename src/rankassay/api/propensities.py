"""Propensities as users of Python have them: by user and item, or by item."""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from os.path import isfile

import numpy as np
import pandas as pd

from rankassay.advice.given import by_popularity
from rankassay.data import inputs
from rankassay.data.columns import named
from rankassay.data.frames import Qrels, Rows, once
from rankassay.data.ids import by_id, places, shown
from rankassay.data.libraries import opened
from rankassay.data.listed import unlike
from rankassay.data.numbers import Numbers, column_of
from rankassay.data.opening import Lines
from rankassay.data.sources import QrelsSource, is_dictionary, rows_of
from rankassay.data.tables import read
from rankassay.errors import RankassayError, unknown, written
from rankassay.types import Floats, Integers

WHAT = "the propensities"
COLUMN = "propensity"

PropensitySource = QrelsSource | pd.Series | Mapping[object, float]


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


def training(source: QrelsSource) -> Rows:
    """Return training ratings, by their ids; raises RankassayError for two of one pair."""
    return once(rows_of(source, "the training ratings", "rating")).by_ids()


def popularity(qrels: Qrels, train: Rows) -> Integers:
    """Return the number of training ratings of each item, int64 (n_items,).

    Judged items come first, in their order; after these, the others that were rated in training.
    """
    place = places(train.items, qrels.items)
    if not (place >= 0).any():
        raise RankassayError(
            f"{unlike('item', qrels, train)}; give both the same ids, of the same type."
        )
    count = np.bincount(train.item, minlength=len(train.items))
    others = np.delete(count, place[place >= 0])
    return np.concatenate([np.where(place >= 0, count[place], 0), others])


def weighed_by(qrels: Qrels, train: Rows) -> Qrels:
    """Return judgements with the propensities that training ratings give their items.

    See `rankassay.advice.given.by_popularity`. Raises RankassayError if no judged item was rated.
    """
    propensity = by_popularity(popularity(qrels, train), qrels.item)
    return replace(qrels, judgements=replace(qrels.judgements, propensity=propensity))


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
