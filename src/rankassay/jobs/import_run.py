"""Job: take a run file of another library over as one of the systems."""

import argparse
import logging

from rankassay.artifacts.arrays import Ratings, read_matrix
from rankassay.data import tables
from rankassay.data.frames import TIES
from rankassay.data.listed import NOT_CANDIDATES
from rankassay.data.runs import rankings_of
from rankassay.data.trec import as_escaped, escaped_ids
from rankassay.jobs.arguments import add
from rankassay.recommenders.rank import CANDIDATES

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    parser.add_argument("run", help="run file: TREC, or a table with columns that are named")
    add(parser, "ratings", "train", "test", "--depth", output="rankings to write (npz)")
    parser.add_argument(
        "--candidates", choices=CANDIDATES, help="which items could be listed; all if not given"
    )
    parser.add_argument("--n-items", type=int, help="how many items could be listed")
    parser.add_argument("--ties", choices=TIES, required=True, help="order of equal scores")
    parser.add_argument(
        "--not-candidates",
        choices=NOT_CANDIDATES,
        required=True,
        help="what becomes of lines whose item could not be listed",
    )


def run(options: argparse.Namespace) -> None:
    """Read the run, make rankings of it and save them."""
    ratings = Ratings.load(options.ratings)
    ids = tuple(map(escaped_ids, (ratings.user_ids, ratings.item_ids)))
    lines = tables.read(options.run, "score")
    for role, own in (("user", ratings.user_ids), ("item", ratings.item_ids)):
        lines[role] = as_escaped(lines[role], own)
    rankings = rankings_of(
        lines,
        ids,
        read_matrix(options.train),
        read_matrix(options.test),
        options.depth,
        candidates=options.candidates,
        ties=options.ties,
        not_candidates=options.not_candidates,
        n_items=options.n_items,
        what=options.run,
        where=lambda row: tables.place(options.run, row, "score"),
    )
    rankings.save(options.output)
    order = "score" if "score" in lines else "rank"
    tied = int(lines.duplicated(["user", order], keep=False).sum())
    log.info("%s: %d lines, %d of them in ties", options.run, len(lines), tied)
