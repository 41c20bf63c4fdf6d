"""Job: read a dataset's files, or make a synthetic one, and write its statistics."""

import argparse
import logging

from rankassay.artifacts.arrays import Ratings
from rankassay.artifacts.files import read_json
from rankassay.artifacts.tables import write_table
from rankassay.data import aspects, judgements, reading, synthetic
from rankassay.data.prepare import counts, prepare, split_by
from rankassay.data.set_aside import check_observed, is_separate, judged
from rankassay.data.statistics import compare, statistics
from rankassay.jobs.arguments import add

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "dataset", "--source", "--seed")
    parser.add_argument("record", nargs="?", help="what `fetch` wrote; none for synthetic data")
    add(parser, ratings="ratings to write (npz)", statistics="statistics to write (csv)")


def run(options: argparse.Namespace) -> None:
    """Make or read the ratings, save them, and compare their statistics with published ones."""
    source = options.source
    if source["kind"] == "synthetic":
        ratings = synthetic.generate(seed=options.seed, **source["parameters"])
        extra = {}
    elif source["kind"] == "qrels":
        ratings, extra = _judged(source, read_json(options.record))
    else:
        ratings, extra = _read(source, read_json(options.record), options.seed)
    ratings.save(options.ratings)
    values = statistics(ratings) | extra
    write_table(compare(options.dataset, values, source.get("published", {})), options.statistics)
    counted = map(len, (ratings.user_ids, ratings.item_ids, ratings.rating))
    log.info("%s: %d users, %d items, %d ratings", options.dataset, *counted)


def _read(source: dict, record: dict, seed: int) -> tuple[Ratings, dict[str, int]]:
    """Return the ratings of a dataset's files, and how many lines made them."""
    path = reading.fetched(record, "ratings")
    table = reading.lines_of(path, source)
    place = reading.place_in(path, source)
    labels = None
    if "aspects" in record:
        labels = aspects.read(reading.fetched(record, "aspects"), source["aspects"])
    if is_separate(source):
        ratings = prepare(table, labels, source["duplicates"], place)
        return ratings, counts(table, ratings)
    known = reading.known_before(path, source, place)
    found = judged(table, known, source, seed, place, labels)
    check_observed(found, source, path)
    lost, had = found.lost()
    if lost:
        log.info("%d of %d users are left out: all of theirs is set aside as the truth", lost, had)
    ratings = found.ratings
    return ratings, counts(table, found.pairs) | {"ratings": len(ratings.rating)}


def _judged(source: dict, record: dict) -> tuple[Ratings, dict[str, int]]:
    """Return judgements with their training ratings, and the number of lines that made them."""
    test, *train = (
        judgements.read(reading.fetched(record, key), source)
        for key in ("ratings", "train")
        if key in record
    )
    table = judgements.together(test, train[0] if train else None)
    ratings = split_by(prepare(table), test)
    return ratings, counts(table, ratings)
