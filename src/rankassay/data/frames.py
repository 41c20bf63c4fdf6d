"""Turning rows of user, item and number, with ids of any kind, into the arrays for metrics.

Ids are turned into indices once for each column. All else works on indices: rows that are in order
are only checked, and ids are compared as text only where two scores are equal.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from rankassay.data.columns import check_means, compare_ranks, roles_in
from rankassay.data.frame_kernels import break_ties, by_value, duplicate, found, group
from rankassay.data.ids import flat, ids, places, shown, texts
from rankassay.data.numbers import Numbers, column_of
from rankassay.data.numerals import natural_order, order_by_size
from rankassay.errors import RankassayError, written
from rankassay.metrics.judgements import (
    GREATEST,
    WHOLE_LIST,
    Judgements,
    Lists,
    are_whole,
    as_exact,
)
from rankassay.metrics.relevance import usual_threshold
from rankassay.types import Booleans, Floats, Integers, Shown

log = logging.getLogger(__name__)

Ties = Literal["item", "trec", "input"]
Ids = tuple[Integers, pd.Index]  # of each row, and by them
Dictionary = Mapping[object, Mapping[object, float]]

TIES = ("item", "trec", "input")


@dataclass(frozen=True)
class Rows:
    """Rows of user, item and number; those of a user need not be adjacent."""

    what: str  # the rows, for messages
    user: Integers  # int64 (n_rows,): places in `users`
    item: Integers  # the same in `items`
    users: pd.Index  # ids, in the order of first appearance
    items: pd.Index
    value: Floats  # float64 (n_rows,): the rating, or what puts a list in order, the highest first
    score: Floats | None = None  # the scores of a run, where it has any
    kind: npt.DTypeLike = np.float64  # how exact the ratings are

    @classmethod
    def of_frame(cls, frame: pd.DataFrame, what: str, value: str) -> "Rows":
        """Return the rows of a frame with columns user, item and `value`.

        A run without scores is in the order of its ranks; with both, scores order it, as in
        trec_eval, and the log says where the ranks disagree.
        """
        at = roles_in(what, [*frame.columns], value)
        number = value if value in at else "rank"
        for name in at.values():
            if [*frame.columns].count(name) > 1:
                raise RankassayError(
                    f"{what}: expected one column {name}, found several; drop some."
                )
        user, users = ids(what, "user", frame[at["user"]], grouped=True)
        item, items = ids(what, "item", frame[at["item"]])
        rows = cls._of(what, (user, users), (item, items), frame[at[number]], number)
        if rows.score is not None and "rank" in at:
            compare_ranks(user, frame[at["rank"]], rows.value, lambda row: f"{what}, row {row}")
        return rows

    @classmethod
    def of_dictionary(cls, nested: Dictionary, what: str, value: str) -> "Rows":
        """Return the rows of {user: {item: value}}; raises RankassayError for missing numbers."""
        for user, of_user in nested.items():
            if not isinstance(of_user, Mapping):
                liked = value == "rating" and isinstance(of_user, Collection)
                raise RankassayError(
                    f"{what}: expected a dict {{item: {value}}} of user {written(user, repr)}, "
                    f"found {type(of_user).__name__}"
                    f"{'; if these are likes, give {item: 1}' * liked}."
                )
        values = list(chain.from_iterable(items.values() for items in nested.values()))
        lengths = [len(items) for items in nested.values()]
        items = flat(chain.from_iterable(nested.values()))
        return cls.of_users(flat(nested), lengths, items, column_of(values), what, value)

    @classmethod
    def of_users(
        cls,
        users: npt.NDArray,
        lengths: Sequence[int] | Integers,
        items: npt.NDArray,
        numbers: pd.Series,
        what: str,
        value: str,
    ) -> "Rows":
        """Return the rows of users with the items of each, one after another, and their numbers.

        A user without items has an empty list. `value` is rating, score, or rank (the lowest is
        first).
        """
        item, listed = ids(what, "item", pd.Series(items, dtype=items.dtype))

        def where(place: int) -> str:
            first = int(np.sum(lengths[:place]))
            own = f", item {shown(listed, item[first])}" if lengths[place] else ""
            return f"user {written(users[place], repr)}{own}"

        codes, known = ids(what, "user", pd.Series(users, dtype=users.dtype), where=where)
        return cls._of(what, (np.repeat(codes, lengths), known), (item, listed), numbers, value)

    @classmethod
    def _of(cls, what: str, users: Ids, items: Ids, column: pd.Series, value: str) -> "Rows":
        """Return rows whose ids are checked; ranks are put in the order of scores."""
        numbers = Numbers.of(what, value, column)
        order = numbers.held() if value == "rating" else numbers.order
        order = -order if value == "rank" else order
        score = numbers.floats if value == "score" else None
        (user, known), (item, listed) = users, items
        check_means(what, known, said=value == "rating")  # those of runs count where judged
        rows = cls(what, user, item, known, listed, order, score, kind=numbers.kind)
        return rows._checked(value)

    def _checked(self, value: str) -> "Rows":
        """Return these rows; raises RankassayError for the first in which something is missing."""
        if value == "rating" and (far := np.abs(self.value) > GREATEST).any():
            row = int(np.argmax(far))
            raise RankassayError(
                f"{self.what}: row {row} ({self.named(row)}) has the rating {self.value[row]:g}, "
                f"beyond {GREATEST:g}, from where sums are infinite; correct it or drop the row."
            )
        columns = {"user": self.user, "item": self.item, value: self.value}
        for column, numbers in columns.items():
            # The least of numbers is NaN where one is.
            least = numbers.min(initial=0)
            if np.isnan(least) or (column in ("user", "item") and least < 0):
                missing = np.isnan(numbers) if np.isnan(least) else numbers < 0
                row = int(np.argmax(missing))
                raise RankassayError(
                    f"{self.what}: row {row} ({self.named(row)}) has no {column}; "
                    "give it one or drop the row."
                )
        return self

    def by_ids(self) -> "Rows":
        """Return the rows, and the ids, in the order of users and of each user's items."""
        users, user = _in_order(self.users, self.user)
        items, item = _in_order(self.items, self.item)
        order = np.lexsort((item, user))
        score = None if self.score is None else self.score[order]
        ordered = {"user": user[order], "item": item[order], "value": self.value[order]}
        return replace(self, users=users, items=items, score=score, **ordered)

    def named(self, row: int) -> str:
        """Return the user and item of a row in words."""
        ids = {"user": (self.users, self.user[row]), "item": (self.items, self.item[row])}
        return ", ".join(f"{k} {shown(index, i)}" for k, (index, i) in ids.items() if i >= 0)

    def repeated(self) -> int:
        """Return the row of a user and an item that stand in an earlier one, too; -1 for none."""
        start, order = group(self.user, len(self.users))
        again = duplicate(start, self.item[order], len(self.items))
        return int(order[again]) if again >= 0 else -1

    def once(self) -> "Rows":
        """Return these rows; raises RankassayError where a user and an item stand twice."""
        if (row := self.repeated()) >= 0:
            raise self.twice(row)
        return self

    def twice(self, row: int) -> RankassayError:
        """Return the error for a row whose user and item are those of an earlier row."""
        return RankassayError(
            f"{self.what}: {self.named(row)} stands there twice, the second time in row {row}; "
            "make one row of the two, such as of their mean or the later one."
        )


@dataclass(frozen=True, repr=False)
class Qrels(Shown):
    """Judgements with the ids that their users and items have."""

    judgements: Judgements
    users: pd.Index  # in the order of first appearance
    items: pd.Index
    item: Integers  # int64 (n_judged,): the place in `items` of each judgement
    scale: str | None = None  # whose usual threshold was taken; None where one was given

    @property
    def user(self) -> Integers:
        """The index in `users` of each judgement, int64 (n_judged,)."""
        return self.judgements.row

    def check(self) -> None:
        """Raise RankassayError unless kernels can take these as they are."""
        inner = self.judgements
        if isinstance(inner, Judgements):
            inner.check()
            item = self.item
            sound = (
                isinstance(self.users, pd.Index)
                and isinstance(self.items, pd.Index)
                and len(self.users) == inner.n_users
                and isinstance(self.scale, str | None)
                and self.users.is_unique
                and self.items.is_unique
                and are_whole(item)
                and item.shape == inner.rating.shape
                and item.min(initial=0) >= 0
                and item.max(initial=-1) < len(self.items)
                and duplicate(inner.start, item, len(self.items)) < 0
            )
            if sound:
                return
        raise RankassayError(
            "the judgements and their ids do not belong together; make them by rankassay.judged."
        )

    @classmethod
    def of(cls, rows: Rows, threshold: float | None) -> "Qrels":
        """Return the judgements that rows make; raises RankassayError for none and duplicates.

        Without a threshold it is the usual one (`rankassay.metrics.relevance.usual_threshold`).
        """
        if not len(rows.value):
            raise RankassayError(f"{rows.what}: expected rows with ratings, found none.")
        start, order = group(rows.user, len(rows.users))
        item = rows.item[order]
        if (again := duplicate(start, item, len(rows.items))) >= 0:
            raise rows.twice(int(order[again]))
        rating, scale = rows.value[order], None
        if threshold is None:
            threshold, scale = usual_threshold(rating, rows.what)
        threshold = as_exact(threshold, rows.kind)
        if not rating.max() >= threshold:
            log.warning(
                "%s: no rating reaches the threshold %g, the highest is %g: nothing is relevant",
                rows.what,
                threshold,
                rating.max(),
            )
        judged = np.flatnonzero(np.diff(start))
        start = start[np.append(judged, len(rows.users))]
        users = np.arange(len(judged), dtype=np.int32)
        judgements = Judgements(users, start, rating, threshold)
        return cls(judgements, rows.users[judged], rows.items, item, scale)

    def by_ids(self) -> "Qrels":
        """Return the judgements, and the ids, in the order of users and of each user's items.

        What breaks ties by an index, or draws in the order of users, then depends on the ids alone.
        """
        own = self.judgements
        users, row = _in_order(self.users, own.row)
        items, item = _in_order(self.items, self.item)
        order = np.lexsort((item, row))
        start = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=len(users)))))
        propensity = None if own.propensity is None else own.propensity[order]
        made = Judgements(own.users, start, own.rating[order], own.threshold, propensity=propensity)
        return replace(self, judgements=made, users=users, items=items, item=item[order])


def once(rows: Rows) -> Rows:
    """Return rows; raises RankassayError for none, and where a user and item stand twice."""
    if not len(rows.value):
        raise RankassayError(f"{rows.what}: expected rows with ratings, found none.")
    return rows.once()


def _in_order(ids: pd.Index, index: Integers) -> tuple[pd.Index, Integers]:
    """Return ids in their natural order, and indices of the given ids as indices of these."""
    order = natural_order(texts(ids))
    return ids[order], np.argsort(order)[index]


def lists_of(run: Rows, qrels: Qrels, ties: Ties) -> Lists:
    """Return the lists of a run, in terms of the judgements, whose users alone count."""
    return _lists_of(run, qrels, ties)[0]


@dataclass(frozen=True)
class Tied:
    """How many of some users' listed items have the score of another one in the same list."""

    users: int  # with such items
    items: int
    listed: int  # all listed items of the users
    by: str  # "score" or "rank"

    @classmethod
    def of(
        cls,
        run: Rows,
        users: pd.Index,
        start: Integers,
        order: Integers,
        tied: bool = True,
        read: int = WHOLE_LIST,
    ) -> Self:
        """Count the ties of `users` in the run's lists, which begin at `start` of the ordered rows.

        `tied` is False where it is known that there are none; `read` is how many places count.
        """
        own = places(run.users, users)
        own = own[own >= 0]
        length = np.diff(start)
        listed = int(np.minimum(length, read)[own].sum())
        by = "rank" if run.score is None else "score"
        if not tied:
            return cls(0, 0, listed, by)
        new = _new_scores(run.value[order], start)
        shares = ~(new & np.append(new[1:], True))
        if length.max(initial=0) > read:
            shares &= np.arange(len(order)) - np.repeat(start[:-1], length) < read
        by_user = np.diff(np.concatenate(([0], np.cumsum(shares)))[start])[own]
        return cls(int(np.count_nonzero(by_user)), int(by_user.sum()), listed, by)


def lists_and_tied(
    run: Rows, qrels: Qrels, ties: Ties, read: int = WHOLE_LIST
) -> tuple[Lists, Tied]:
    """Return the lists of a run, as `lists_of` does, and how many ties the places read have."""
    lists, start, order, tied = _lists_of(run, qrels, ties)
    return lists, Tied.of(run, qrels.users, start, order, tied, read)


def lists_with_ties(
    run: Rows, qrels: Qrels, read: int = WHOLE_LIST
) -> tuple[Lists, Integers, Integers, Tied]:
    """Return the lists of a run, the first and last place of each judged item's tie, and how many.

    The places, int64 (n_judged,), count from 1; both are 1 for an item that is not listed.
    """
    lists, list_start, order, tied = _lists_of(run, qrels, "input")
    first = np.maximum(lists.ranks.astype(np.int64), 1)
    count = Tied.of(run, qrels.users, list_start, order, tied, read)
    if not tied:
        return lists, first, first, count
    n, new = len(order), _new_scores(run.value[order], list_start)
    heads = np.append(np.flatnonzero(new), n)
    listed = np.flatnonzero(lists.ranks)
    users = qrels.judgements.row[listed]
    before = list_start[places(run.users, qrels.users)[users]]
    tie = (np.cumsum(new) - 1)[before + lists.ranks[listed] - 1]
    last = first.copy()
    first[listed], last[listed] = heads[tie] - before + 1, heads[tie + 1] - before
    return lists, first, last, count


def _new_scores(value: Floats, start: Integers) -> Booleans:
    """Return whether the score of each row differs from that of the row before in its list."""
    new = np.ones(len(value), dtype=bool)
    new[1:] = value[1:] != value[:-1]
    new[start[start < len(value)]] = True
    return new


def _lists_of(run: Rows, qrels: Qrels, ties: Ties) -> tuple[Lists, Integers, Integers, bool]:
    """Return the lists, the start of each in the order of rows, that order, and if any tie."""
    list_of = places(run.users, qrels.users)
    item_of = places(run.items, qrels.items)
    _check_overlap(run, qrels, list_of, item_of)
    start, order, tied = ordered(run, ties)
    ranks, row, row_twice = found(
        qrels.judgements.start, item_of[qrels.item], list_of, start, order, run.item, len(run.items)
    )
    if row_twice >= 0:
        raise run.twice(run.repeated())
    length = np.where(list_of >= 0, np.diff(start)[list_of], 0) if len(run.users) else 0 * list_of
    predictions = None
    if run.score is not None:
        predictions = np.where(row >= 0, run.score[row], np.nan) if len(run.score) else None
    lists = Lists(ranks, length.astype(np.int32), predictions=predictions)
    return lists, start, order, tied


def ordered(run: Rows, ties: Ties) -> tuple[Integers, Integers, bool]:
    """Return where each user's list starts in the order of rows, that order, and if any tie."""
    start, order = group(run.user, len(run.users))
    tied = bool(by_value(start, order, run.value))
    if tied and ties != "input":
        break_ties(start, order, run.value, run.item, tie_places(run.items, ties))
    return start, order, tied


def _check_overlap(run: Rows, qrels: Qrels, list_of: Integers, item_of: Integers) -> None:
    """Raise RankassayError when no user is in both, unless the run is empty; log what is alike."""
    if not len(run.value):
        log.warning(
            "warning: %s: it lists no items, and counts as an empty list of each user", run.what
        )
        return
    for kind, shared, ours, theirs in (
        ("user", list_of, qrels.users, run.users),
        ("item", item_of, qrels.items, run.items),
    ):
        if (shared >= 0).any():
            continue
        kinds = [pd.api.types.infer_dtype(index) for index in (ours, theirs)]
        unlike = (
            f"{run.what}: no {kind} of it has judgements: the {kind}s of the judgements are like "
            f"{shown(ours, 0)} ({kinds[0]}), those of the run like {shown(theirs, 0)} ({kinds[1]})"
        )
        # Whole numbers match those that are written as floating-point numbers.
        if kind == "user" or kinds.count("string") == 1:
            raise RankassayError(f"{unlike}; give both the same ids, of the same type.")
        log.warning("warning: %s", unlike)


def tie_places(items: pd.Index, ties: Ties) -> Integers:
    """Return the place of each item among items of equal score."""
    if ties == "item" and items.dtype.kind in "iuf":
        order = np.argsort(items.to_numpy())  # as by their texts, in less time
    else:
        names = texts(items)
        by_text = sorted(range(len(names)), key=names.__getitem__, reverse=True)
        order = order_by_size(names) if ties == "item" else np.array(by_text, dtype=np.int64)
    places = np.empty(len(items), dtype=np.int64)
    places[order] = np.arange(len(items))
    return places
