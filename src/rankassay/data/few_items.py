"""Runs that all list the same few items of a user, as rankings of sampled candidates do.

Values on sampled candidates can reverse systems, and nothing in a single list shows that it is of
such. Several runs together show it, in one of two ways:

- closed: for nearly all users two runs list the same items in different orders, and all others list
  parts of these; they are at most half of the items that are listed for anybody.
- even: runs share many of a user's items, and yet no item is listed for many users. In rankings of
  all items, those that are popular are listed for many, of whom some have them in every run; where
  candidates are drawn for each user, no item is listed for more users than drew it, and no other
  user has many of the same items, as neighbours in taste or place do. Judged items, which are
  candidates without being drawn, do not count.

Lists that were cut within the first fifth or so of their candidates may show neither.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.data.frames import Qrels, Rows
from rankassay.data.ids import places
from rankassay.types import Integers

USERS = 2000  # who are looked at, at most: of runs of a million users these tell as much
LEAST = 20  # fewer users tell nothing
NEARLY = 0.95  # share of the users, of closed lists
# Of closed lists: more of all items are left where users rated most of them, as of 100 jokes.
FEW = 1 / 3  # share of the listed items that a user has at most
# Of even lists, by runs of 7 systems on MovieLens and LibraryThing: in rankings of all items, the
# most listed item has 5 to 240 times the average, or is listed for a quarter of the users or more.
SHARED = 1.15  # runs that list an item of a user, on average
OFTEN = 0.2  # share of the users for whom the most listed item is listed
EVEN = 4.0  # the same by the average over items
COUNTED = 3.0  # users for whom an item is listed, on average
# Without popular items (clusters, flat popularity) it is 0.43 to 0.80, of drawn candidates 0.38.
ALIKE = 0.4  # share of a user's items that are listed for the most similar user (the median)
COMPARED = 200  # users whose most similar one is looked for


@dataclass(frozen=True)
class FewItems:
    """What shows that runs list the same few items of a user."""

    runs: int
    own: int  # of a user in any run (the median)
    items: int  # of all users
    often: float | None  # share of the users with the most listed item; None where lists are closed

    def __str__(self) -> str:
        seen = f"the same {self.own:,} items of a user, or parts of these, of {self.items:,} in all"
        if self.often is not None:
            seen = (
                "parts of the same few items of a user, as no unjudged item is listed for more "
                f"than {self.often:.1%} of the users"
            )
        return (
            f"All {self.runs} runs list {seen}: rankings of sampled candidates look like this, and "
            "their values can reverse systems. Rank all items, or correct the ranks by "
            "rankassay.correct_sampled (docs/sampling.md); re-rankings of given candidates compare "
            "with each other alone."
        )


class Sample:
    """The lists of some users in each run, added run by run; `judged` are who count, or all."""

    def __init__(self, judged: Qrels | Rows | None) -> None:
        self.users: pd.Index | None = None
        self.codes: dict[object, int] = {}
        self.runs: list[tuple[Integers, Integers]] = []
        self.judged = (np.zeros(0, dtype=np.int64),) * 2
        if judged is not None:
            self.judged = self._coded(judged)

    def _coded(self, own: Qrels | Rows) -> tuple[Integers, Integers]:
        """Return the users and items of rows by the numbers that they have here."""
        if self.users is None:
            self.users = _some(own.users)
        user = places(self.users, own.users)[own.user]
        row = np.flatnonzero(user >= 0)
        code = [self.codes.setdefault(item, len(self.codes)) for item in own.items.tolist()]
        return user[row], np.array(code, dtype=np.int64)[own.item[row]]

    def add(self, rows: Rows) -> None:
        """Add the lists of a run."""
        user, item = self._coded(rows)
        kept = places(self.users, rows.users)[rows.user] >= 0
        order = np.lexsort((item, -rows.value[kept], user))
        self.runs.append((user[order], item[order]))

    def few(self) -> FewItems | None:
        """Return what shows that all runs list the same few items of a user, or None."""
        return few_items(self.runs, self.judged)


def of_rankings(rankings: Iterable[Rankings], test: sp.csr_matrix) -> FewItems | None:
    """Return the same of rankings made for test ratings, (n_users, n_items)."""
    users = _some(np.flatnonzero(np.diff(test.indptr)))
    own, runs = test[users], []
    for ranking in rankings:
        items = ranking.items[users]
        row, place = np.nonzero(items >= 0)
        runs.append((row, items[row, place].astype(np.int64)))
    judged = np.repeat(np.arange(len(users)), np.diff(own.indptr))
    return few_items(runs, (judged, own.indices.astype(np.int64)))


def _some(users: Any, most: int = USERS) -> Any:
    """Return some of the users, evenly spread, at most `most`."""
    return users[:: max(1, -(-len(users) // most))]


def few_items(
    runs: Sequence[tuple[Integers, Integers]], judged: tuple[Integers, Integers]
) -> FewItems | None:
    """Return what shows that all runs list the same few items of a user, or None."""
    distinct: list[tuple[Integers, Integers]] = []
    for run in runs:
        if not any(all(map(np.array_equal, run, other)) for other in distinct):
            distinct.append(run)
    if len(distinct) < 2:  # copies say nothing
        return None
    pairs = [*distinct, judged]
    n_users, n_items = (1 + max(int(own[k].max(initial=-1)) for own in pairs) for k in range(2))
    lengths = [np.bincount(user, minlength=n_users) for user, _ in distinct]
    counts = np.count_nonzero(lengths, axis=0) > 1
    users = int(counts.sum())
    if users < LEAST:
        return None
    lists = [(user[own], item[own]) for user, item in distinct for own in [counts[user]]]
    every = np.concatenate([user * n_items + item for user, item in lists])
    union = np.unique(every)
    size = np.bincount(union // n_items, minlength=n_users)
    items, own = len(np.unique(union % n_items)), int(np.median(size[counts]))
    if own <= FEW * items and _closed(lists, size)[counts].mean() >= NEARLY:
        return FewItems(len(runs), own, items, None)
    known = judged[0] * n_items + judged[1]
    every, union = (keys[~np.isin(keys, known)] for keys in (every, union))
    listed = np.bincount(union % n_items)
    listed = listed[listed > 0]
    if not len(listed) or listed.mean() < COUNTED or len(every) < SHARED * len(union):
        return None
    often = float(listed.max() / users)
    if often > OFTEN or listed.max() > EVEN * listed.mean() or _alike(union, n_items) >= ALIKE:
        return None
    return FewItems(len(runs), own, items, often)


def _alike(union: Integers, n_items: int) -> float:
    """Return which share of a user's items is listed for the most similar user, the median."""
    _, user = np.unique(union // n_items, return_inverse=True)
    listed = sp.csr_matrix((np.ones(len(union)), (user, union % n_items)))
    some = listed[_some(np.arange(listed.shape[0]), COMPARED)]
    both = some @ listed.T
    size = np.asarray(some.sum(axis=1))
    both = np.sort(both.toarray(), axis=1)
    return float(np.median(both[:, -2:-1] / size))  # the last one is the user


def _closed(lists: Sequence[tuple[Integers, Integers]], size: Integers) -> np.ndarray:
    """Return for which users two runs list all `size` items, in different orders, (n_users,)."""
    start = np.cumsum(size) - size
    first = np.full(size.sum(), -1)
    differ = np.zeros(len(size), dtype=bool)
    for user, item in lists:
        length = np.bincount(user, minlength=len(size))
        whole = (length == size)[user]
        at = (start[user] + np.arange(len(user)) - (np.cumsum(length) - length)[user])[whole]
        user, item = user[whole], item[whole]
        new = first[at] < 0
        differ[user[~new & (first[at] != item)]] = True
        first[at[new]] = item[new]
    return differ
