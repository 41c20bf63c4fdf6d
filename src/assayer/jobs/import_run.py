"""Stage: take a run file of another library over as one of the systems."""

import argparse
import logging
import time

from assayer.artifacts.arrays import Ratings, read_matrix
from assayer.data.frames import TIES
from assayer.data.runs import NOT_CANDIDATES, rankings_of
from assayer.data.trec import escaped_ids, line_number, read_run
from assayer.recommenders.rank import CANDIDATES

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the stage's arguments."""
    parser.add_argument("run", help="TREC run file")
    parser.add_argument("ratings", help="the dataset, whose ids the run has (npz)")
    parser.add_argument("train", help="training matrix (npz)")
    parser.add_argument("test", help="test matrix (npz)")
    parser.add_argument("--depth", type=int, required=True, help="length of the lists to keep")
    parser.add_argument(
        "--candidates", choices=CANDIDATES, help="what could be listed; anything if not given"
    )
    parser.add_argument("--n-items", type=int, help="how many items could be, if any could")
    parser.add_argument("--ties", choices=TIES, required=True, help="order of equal scores")
    parser.add_argument("--not-candidates", choices=NOT_CANDIDATES, required=True)
    parser.add_argument("--output", required=True, help="rankings to write (npz)")


def run(options: argparse.Namespace) -> None:
    """Read the run, make rankings of it and save them."""
    began = time.monotonic()
    ratings = Ratings.load(options.ratings)
    ids = tuple(map(escaped_ids, (ratings.user_ids, ratings.item_ids)))
    lines = read_run(options.run)
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
        where=lambda row: f"{options.run}, line {line_number(options.run, row)}",
    )
    rankings.save(options.output)
    log.info("%s: %d lines in %.1f s", options.run, len(lines), time.monotonic() - began)
