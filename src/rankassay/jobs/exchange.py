"""Jobs: take over what others made, and write what was made here for other tools.

Judgements and lists are written as TREC files, training ratings as a CSV file of the columns user,
item, rating and, where the source has it, timestamp.
"""

import logging
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings, Ratings, Truth, read_matrix
from rankassay.artifacts.files import read_json
from rankassay.artifacts.files import record as record_file
from rankassay.artifacts.tables import write_table
from rankassay.data import scores, tables
from rankassay.data.runs import rankings_of
from rankassay.data.trec import (
    as_escaped,
    escaped,
    escaped_ids,
    judgements,
    lists,
    write_qrels,
    write_run,
)
from rankassay.errors import RankassayError
from rankassay.types import Integers

log = logging.getLogger(__name__)


def import_run(
    run: str,
    ratings: str,
    train: str,
    test: str,
    output: str,
    depth: int,
    ties: str,
    not_candidates: str,
    candidates: str | None = None,
    n_items: int | None = None,
) -> None:
    """Make rankings of a run file of another library: TREC, or a table of named columns.

    Where it is not known which items are `candidates`, `n_items` says how many could be listed.
    """
    rated = Ratings.load(ratings)
    ids = tuple(map(escaped_ids, (rated.user_ids, rated.item_ids)))
    lines = tables.read(run, "score")
    for role, own in (("user", rated.user_ids), ("item", rated.item_ids)):
        lines[role] = as_escaped(lines[role], own)
    rankings = rankings_of(
        lines,
        ids,
        read_matrix(train),
        read_matrix(test),
        depth,
        candidates=candidates,
        ties=ties,
        not_candidates=not_candidates,
        n_items=n_items,
        what=run,
        where=lambda row: tables.place(run, row, "score"),
    )
    rankings.save(output)
    order = "score" if "score" in lines else "rank"
    tied = int(lines.duplicated(["user", order], keep=False).sum())
    log.info("%s: %d lines, %d of them in ties", run, len(lines), tied)


def import_scores(record: str, source: Mapping[str, Any], output: str) -> None:
    """Save the users' values of metrics that others computed."""
    found = scores.read(read_json(record), source)
    found.save(output)
    users, systems, measures = found.values.shape
    log.info("%d systems, %d users, %d measures", systems, users, measures)


def export(
    ratings: str,
    output: str,
    test: str | None = None,
    truth: str | None = None,
    train: str | None = None,
    rankings: str | None = None,
    tag: str = "rankassay",
) -> None:
    """Write one of what is given; `tag` names the system of rankings."""
    rated = Ratings.load(ratings)
    users, items = (
        np.array(escaped_ids(ids), dtype=object) for ids in (rated.user_ids, rated.item_ids)
    )
    if test or truth:
        matrix = read_matrix(test) if test else Truth.load(truth).matrix
        frame = judgements(matrix, users, items)
        write_qrels(frame, output)
        record_file(output)
    elif train:
        training = read_matrix(train)
        frame = judgements(training, users, items)
        if rated.timestamp is not None:
            frame["timestamp"] = times_of(rated, training)
        write_table(frame, output)
    else:
        frame = lists(Rankings.load(rankings), users, items)
        write_run(frame, output, escaped(tag))
        record_file(output)
    log.info("%d lines to %s", len(frame), output)


def times_of(ratings: Ratings, train: sp.csr_matrix) -> Integers:
    """Return the time of each training rating, int64 (n_train,).

    Raises RankassayError when training has a rating that the ratings do not have.
    """
    own = train.tocoo()
    keys, wanted = (
        user.astype(np.int64) * train.shape[1] + item
        for user, item in ((ratings.user, ratings.item), (own.row, own.col))
    )
    found = np.searchsorted(keys, wanted)  # both are sorted by user and then item
    strange = np.append(keys, -1)[found] != wanted
    if strange.any():
        raise RankassayError(
            f"the training matrix: expected ratings of the dataset alone, found {strange.sum()} "
            "others; give files of the same run."
        )
    return ratings.timestamp[found]
