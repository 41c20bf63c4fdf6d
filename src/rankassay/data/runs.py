"""Runs of other libraries as systems: from the lines of a run file to rankings.

Lists are ordered as in trec_eval: by decreasing score, and of equal scores the item with the larger
id, as a string, comes first; the column of ranks is ignored. A list ends where the file ends.
Nobody knows what a recommender would have listed below, so items there have no rank, as in
trec_eval. Users without a list have an empty one.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.data.frame_kernels import break_ties, by_value, group
from rankassay.data.frames import Rows, Ties, tie_places
from rankassay.data.listed import NOT_CANDIDATES
from rankassay.errors import RankassayError, number_of, one_of
from rankassay.recommenders.rank import candidate_items
from rankassay.types import Booleans, Integers, Integers32

log = logging.getLogger(__name__)


def rankings_of(
    run: pd.DataFrame,
    ids: tuple[Sequence[str], Sequence[str]],
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    depth: int,
    candidates: str | None = "test_items",
    ties: Ties = "trec",
    not_candidates: str = "error",
    n_items: int | None = None,
    what: str = "the run",
    where: Callable[[int], str] = "row {}".format,
) -> Rankings:
    """Return a run as rankings of a dataset, as those of its recommenders are.

    Lists are cut at `depth`; ranks of test items are exact. `candidates` None is any item, of which
    there are `n_items`. Lines that no recommender could have made are an error, dropped or kept, by
    `not_candidates`. `what` and `where` name the run and a row in messages.
    """
    one_of("choice for lines that are not candidates", not_candidates, NOT_CANDIDATES)
    rows = Rows.of_frame(run, what, "score")
    lines = _Lines.of(rows, ids, train, test, candidates)
    if not_candidates == "error" and lines.wrong.any():
        row = int(np.argmax(lines.wrong))
        raise RankassayError(f"{where(row)}: {lines.reason(row, rows)}.")
    _check_overlap(lines, rows, ids)
    if (row := rows.repeated()) >= 0:
        raise RankassayError(
            f"{where(row)}: {rows.named(row)} stands there already, further above; make one line "
            "of the two, such as of their mean or the later one."
        )
    kept = np.flatnonzero(lines.listed & ((not_candidates == "keep") | ~lines.wrong))
    log.info(
        "%s, %d of judged users, %d kept",
        *(number_of(len(rows.user), "line"), lines.listed.sum(), len(kept)),
    )
    start, order = group(lines.user[kept], test.shape[0])
    value = rows.value[kept]
    if by_value(start, order, value) and ties != "input":
        break_ties(start, order, value, rows.item[kept], tie_places(rows.items, ties))
    items = lines.item[kept][order]
    n_ranked = np.diff(start).astype(np.int32)
    n_candidates = lines.n_candidates
    ranks = _ranks(start, items, test)
    if candidates is None:
        n_candidates = None if n_items is None else np.full(len(n_ranked), n_items)
        unlisted = np.add.reduceat(np.append(ranks == 0, 0), test.indptr[:-1], dtype=np.int64)
        known = n_ranked + np.where(np.diff(test.indptr) > 0, unlisted, 0)
        if n_items is not None and known.max(initial=0) > n_items:
            raise RankassayError(
                f"{what}: user '{ids[0][known.argmax()]}' has {number_of(known.max(), 'item')} "
                f"listed or judged, but {n_items} could be; set items of the dataset to the number "
                "of all items that could be listed."
            )
    if n_candidates is not None:  # those that were kept although they are none
        n_candidates = np.maximum(n_candidates, n_ranked).astype(np.int32)
    _describe(n_ranked[lines.judged], depth)
    return Rankings(_first(start, items, depth), ranks, n_ranked, n_candidates)


@dataclass(frozen=True)
class _Lines:
    """The lines of a run in terms of a dataset."""

    user: Integers  # places in the dataset; -1 for a user who is not there
    item: Integers  # those that are not there have places from the number of items on
    listed: Booleans  # whether the user has test ratings
    unknown: Booleans  # whether the user or item is not in the dataset
    seen: Booleans  # whether the user rated the item in training
    wrong: Booleans  # whether no recommender could have made the line, for these or other reasons
    judged: Booleans  # bool (n_users,)
    n_candidates: Integers  # int64 (n_users,)

    @classmethod
    def of(cls, rows: Rows, ids, train, test, candidates: str | None) -> Self:
        """Return the lines that rows are; for the parameters see `rankings_of`."""
        n_items = test.shape[1]
        judged = np.diff(test.indptr) > 0
        user = pd.Index(ids[0]).get_indexer(rows.users)[rows.user]
        places = pd.Index(ids[1]).get_indexer(rows.items)
        strange = places < 0
        places[strange] = n_items + np.arange(strange.sum())
        item = places[rows.item]
        listed = (user >= 0) & judged[user]
        if candidates is None:
            no = np.zeros(len(user), dtype=bool)
            return cls(user, item, listed, no, no, no, judged, np.zeros(len(judged), np.int64))
        pool = candidate_items(train, test, candidates)
        unknown = (user < 0) | (item >= n_items)
        seen = np.zeros(len(user), dtype=bool)
        seen[~unknown] = contains(train, user[~unknown], item[~unknown])
        excluded = ~np.append(pool, False)[np.minimum(item, n_items)]
        rated = sp.csr_matrix((np.ones(train.nnz), train.indices, train.indptr), train.shape)
        n_candidates = (pool.sum() - rated @ pool).astype(np.int64)
        wrong = unknown | (listed & (seen | excluded))
        return cls(user, item, listed, unknown, seen, wrong, judged, n_candidates)

    def reason(self, row: int, rows: Rows) -> str:
        """Return what is wrong with a line, and what to do."""
        user, item = rows.users[rows.user[row]], rows.items[rows.item[row]]
        if self.user[row] < 0:
            return f"the dataset has no user '{user}'; write its own ids, as in its qrels.txt"
        if self.unknown[row]:
            what = f"the dataset has no item '{item}'"
        elif self.seen[row]:
            what = f"user '{user}' rated item '{item}' in training, so it must not be listed"
        else:
            what = (
                f"item '{item}' is not a candidate, as nobody rated it in the test set (set "
                "candidates: all_items, if your lists are of all items)"
            )
        n = int(self.wrong.sum())
        what += f" (the first of {n:,} such lines)" if n > 1 else ""
        return (
            f"{what}; leave such items out of the lists, or set systems.not_candidates to drop "
            "(or keep)"
        )


def contains(matrix: sp.csr_matrix, row: Integers, column: Integers) -> Booleans:
    """Return which pairs have an entry in a matrix with sorted indices, bool (n_pairs,)."""
    n = matrix.shape[1]
    stored = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr)) * n + matrix.indices
    return np.isin(row * n + column, stored, kind="sort")


def _check_overlap(lines: _Lines, rows: Rows, ids) -> None:
    """Raise RankassayError when the run has no list for a judged user, or no item in common."""
    if not len(rows.user):
        raise RankassayError(
            f"{rows.what}: expected lists of users with test ratings, found no rows; replace the "
            "file, or leave it out of 'systems'."
        )
    for kind, own, theirs, shared in (
        ("user", ids[0], rows.users, lines.listed),
        ("item", ids[1], rows.items, lines.listed & (lines.item < len(ids[1]))),
    ):
        if not shared.any():
            raise RankassayError(
                f"{rows.what}: no {kind} of it is one with test ratings: the {kind}s of the dataset"
                f" are like '{own[0]}', its own like '{theirs[0]}'; give both the same ids."
            )


def _first(start: Integers, items: Integers, depth: int) -> Integers32:
    """Return the first items of each list, padded with -1, int32 (n_users, depth)."""
    user = np.repeat(np.arange(len(start) - 1), np.diff(start))
    place = np.arange(len(items)) - start[user]
    shallow = place < depth
    first = np.full((len(start) - 1, depth), -1, dtype=np.int32)
    first[user[shallow], place[shallow]] = items[shallow]
    return first


def _ranks(start: Integers, items: Integers, test: sp.csr_matrix) -> Integers32:
    """Return the rank of each test item, from 1; 0 if it is not listed, int32 (n_test,)."""
    n = max(test.shape[1], int(items.max(initial=-1)) + 1)
    user = np.repeat(np.arange(len(start) - 1), np.diff(start))
    listed = user * n + items
    wanted = np.repeat(np.arange(test.shape[0]), np.diff(test.indptr)) * n + test.indices
    order = np.argsort(listed)
    place = np.minimum(np.searchsorted(listed, wanted, sorter=order), len(listed) - 1)
    line = order[place]
    return np.where(listed[line] == wanted, line - start[user[line]] + 1, 0).astype(np.int32)


def _describe(length: Integers32, depth: int) -> None:
    """Log how long the lists are, and whether some are missing."""
    log.info(
        "lists of %d to %s; of %s with test ratings %s none, which counts as 0",
        length[length > 0].min(initial=depth),
        number_of(length.max(initial=0), "item"),
        number_of(len(length), "user"),
        number_of(np.count_nonzero(length == 0), "user", ("has", "have")),
    )
    if length.max(initial=0) < depth:
        log.warning("no list is as long as the depth, %d: places below the end are empty", depth)
