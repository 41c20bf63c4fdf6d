"""From the lines of a source to a dataset: indices, duplicates and statistics."""

import logging
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from rankassay.artifacts.arrays import Ratings
from rankassay.data import numerals
from rankassay.errors import Place, RankassayError, number_of, one_of
from rankassay.types import Booleans, Floats, Integers, Integers32, Texts

log = logging.getLogger(__name__)

DUPLICATES = ("error", "first", "last", "mean", "max", "sum", "count")


def prepare(
    table: pd.DataFrame,
    aspects: tuple[Mapping[str, set[str]], list[str]] | None = None,
    duplicates: str = "error",
    place: Place | None = None,
) -> Ratings:
    """Turn the lines of a source into a dataset, sorted by user and then item.

    Of several ratings of one item by one user, `duplicates` keeps the first or last (by timestamp,
    or else by file order), the greatest, or makes their mean, sum or count, with the latest time.
    """
    one_of("duplicates policy", duplicates, DUPLICATES)
    if table.empty:
        raise RankassayError("expected ratings, found none; check the dataset's file and entry.")
    user, user_ids = _index(table["user"])
    item, item_ids = _index(table["item"])
    rating = table["rating"].to_numpy(np.float64)
    time = table["timestamp"].to_numpy(np.int64) if "timestamp" in table else None
    key = user.astype(np.int64) * len(item_ids) + item
    rows, rating = settle(key, rating, time, duplicates, (user_ids, item_ids), place)
    removed = number_of(len(table) - len(rows), "duplicate")
    log.info("%s, %s removed", number_of(len(table), "line"), removed)
    matrix, names = _aspects(aspects, item_ids)
    return Ratings(
        user=user[rows],
        item=item[rows],
        rating=rating.astype(np.float32),
        user_ids=user_ids,
        item_ids=item_ids,
        timestamp=None if time is None else time[rows],
        aspects=matrix,
        aspect_names=names,
    )


def places_in(ratings: Ratings, table: pd.DataFrame) -> tuple[Integers, Integers]:
    """Return the places of a table's users and items among those of ratings, -1 for others."""
    found = (
        pd.Index(ids).get_indexer(table[name].cat.categories)[table[name].cat.codes]
        for name, ids in (("user", ratings.user_ids), ("item", ratings.item_ids))
    )
    user, item = (places.astype(np.int64) for places in found)
    return user, item


def split_by(ratings: Ratings, test: pd.DataFrame) -> Ratings:
    """Return a dataset whose test set holds the ratings of a table: columns user and item."""
    user, item = places_in(ratings, test[["user", "item"]].astype(str).astype("category"))
    n = len(ratings.item_ids)
    tested = np.isin(ratings.user.astype(np.int64) * n + ratings.item, user * n + item)
    return replace(ratings, tested=tested)


def selected(ratings: Ratings, chosen: Booleans) -> Ratings:
    """Return the chosen ratings, bool (n_ratings,), with the users and items that have any."""
    (users, user), (items, item) = (
        np.unique(index[chosen], return_inverse=True) for index in (ratings.user, ratings.item)
    )
    return replace(
        ratings,
        user=user.astype(np.int32),
        item=item.astype(np.int32),
        rating=ratings.rating[chosen],
        user_ids=ratings.user_ids[users],
        item_ids=ratings.item_ids[items],
        timestamp=None if ratings.timestamp is None else ratings.timestamp[chosen],
        aspects=None if ratings.aspects is None else ratings.aspects[items],
        tested=None if ratings.tested is None else ratings.tested[chosen],
    )


def counts(table: pd.DataFrame, ratings: Ratings) -> dict[str, int]:
    """Return the numbers of lines, without bad ones, and ratings before and after `prepare`."""
    kept = len(ratings.rating)
    return {
        "lines": len(table),
        "bad_lines": int(table.attrs.get("bad_lines", 0)),
        "lines_without_user": int(table.attrs.get("without_user", 0)),
        "duplicates_removed": len(table) - kept,
        "ratings": kept,
    }


def _index(column: pd.Series) -> tuple[Integers32, Texts]:
    """Return the index of each id and the ids in natural order."""
    found = column.astype("category").cat.remove_unused_categories().cat
    names = [str(name) for name in found.categories]
    order = numerals.natural_order(names)
    place = np.empty(len(names), dtype=np.int32)
    place[order] = np.arange(len(names), dtype=np.int32)
    return place[found.codes.to_numpy()], np.array([names[i] for i in order], dtype=np.str_)


def settle(
    key: Integers,
    rating: Floats,
    time: Integers | None,
    duplicates: str,
    ids: tuple[Texts, Texts],
    place: Place | None = None,
) -> tuple[npt.NDArray[np.intp], Floats]:
    """Return the rows to keep, sorted by key, and their ratings, by a policy of `prepare`.

    The key, int64 (n_rows,), is the index of the user times the number of items, plus the item's.
    """
    when = np.zeros(len(key), dtype=np.int64) if time is None else time
    # The sort is stable: rows that are equal in everything stay in file order.
    order = np.lexsort((when, rating, key) if duplicates == "max" else (when, key))
    ordered = key[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    ends = np.r_[starts[1:], len(key)] - 1
    if duplicates == "error" and len(starts) < len(key):
        raise _twice(key, ids, place)
    rows = order[starts] if duplicates == "first" else order[ends]
    counted = (ends - starts + 1).astype(np.float64)
    if duplicates == "count":
        return rows, counted
    if duplicates not in ("mean", "sum"):
        return rows, rating[rows]
    # Summed in the order of their size, so that the file order cannot change the last digit.
    sums = np.add.reduceat(rating[np.lexsort((rating, key))], starts)
    if duplicates == "mean":
        return rows, sums / counted
    if (far := np.abs(sums) > numerals.GREATEST).any():
        user, item = divmod(int(ordered[starts[np.argmax(far)]]), len(ids[1]))
        raise RankassayError(
            f"expected sums of at most {numerals.GREATEST:g}, found {sums[far][0]:g} for item "
            f"'{ids[1][item]}' by user '{ids[0][user]}'; set another rating_divisor."
        )
    return rows, sums


def _twice(key: Integers, ids: tuple[Texts, Texts], place: Place | None) -> RankassayError:
    """Return the error for the first row, in the order of the file, that rates an item again."""
    again = pd.Series(key).duplicated().to_numpy()
    row, others = int(np.argmax(again)), int(again.sum()) - 1
    user, item = divmod(int(key[row]), len(ids[1]))
    policies = f"{', '.join(DUPLICATES[1:-1])} or {DUPLICATES[-1]}"
    expected = f"one rating per user and item (or 'duplicates' of the dataset as {policies})"
    more = f", and {number_of(others, 'more such line')}" if others else ""
    found = f"a second one of item '{ids[1][item]}' by user '{ids[0][user]}'{more}"
    if place:
        return place(row, expected, found)
    return RankassayError(f"expected {expected}, found {found}; keep one of them.")


def _aspects(
    aspects: tuple[Mapping[str, set[str]], list[str]] | None, item_ids: Texts
) -> tuple[Booleans | None, Texts | None]:
    """Return the aspects of the items as a matrix, and their names."""
    if aspects is None:
        return None, None
    found, names = aspects
    matrix = np.array([[name in found.get(i, ()) for name in names] for i in item_ids.tolist()])
    without = len(item_ids) - int(matrix.any(axis=1).sum())
    counted = number_of(len(names), "aspect"), without, number_of(len(item_ids), "item")
    log.info("%s; none for %d of %s", *counted)
    return matrix.reshape(len(item_ids), len(names)), np.array(names, dtype=np.str_)


def gini(popularity: Integers) -> float:
    """Return the Gini coefficient of the items' numbers of ratings.

    ::

        G = 2 sum_i i x_(i) / (n sum_i x_i) - (n + 1) / n

    with the numbers, which are not all 0, in increasing order: 0 when all are equal, (n - 1) / n
    when all ratings are of one item.
    """
    ordered = np.sort(popularity)
    n = len(ordered)
    weighted = int((np.arange(1, n + 1) * ordered).sum())
    return 2 * weighted / (n * int(ordered.sum())) - (n + 1) / n


def statistics(ratings: Ratings) -> dict[str, float]:
    """Return the numbers of users, items and ratings, the density, and the Gini coefficient."""
    n_users, n_items, n_ratings = map(len, (ratings.user_ids, ratings.item_ids, ratings.rating))
    return {
        "users": n_users,
        "items": n_items,
        "ratings": n_ratings,
        "density": n_ratings / (n_users * n_items),
        "gini": gini(np.bincount(ratings.item, minlength=n_items)),
    }


def compare(
    dataset: str, values: Mapping[str, float], published: Mapping[str, float]
) -> pd.DataFrame:
    """Compare what `statistics` returns with the `published` part of a catalogue entry."""
    table = pd.DataFrame(
        {
            "dataset": dataset,
            "statistic": list(values),
            "value": np.array(list(values.values()), dtype=np.float64),
            "published": [float(published.get(name, np.nan)) for name in values],
        }
    )
    return table.assign(difference=table["value"] - table["published"])
