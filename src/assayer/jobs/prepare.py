"""Job: read a dataset's files, or make a synthetic one, and write its statistics."""

import argparse
import logging

from assayer.artifacts.arrays import Ratings
from assayer.artifacts.checksums import checksum
from assayer.artifacts.files import read_json, write_table
from assayer.data import synthetic
from assayer.data.prepare import counts, prepare, split_by
from assayer.data.readers import READERS, aspects, judgements
from assayer.data.statistics import compare, statistics
from assayer.errors import AssayerError
from assayer.jobs.arguments import add
from assayer.lookup import find, load

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "dataset", "--source", "--seed")
    parser.add_argument("record", nargs="?", help="what `fetch` wrote; none for synthetic data")
    add(parser, ratings="ratings to write (npz)", statistics="statistics to write (csv)")


def run(options: argparse.Namespace) -> None:
    """Have the ratings, save them, and set their statistics beside the published ones."""
    source = options.source
    if source["kind"] == "synthetic":
        ratings = synthetic.generate(seed=options.seed, **source["parameters"])
        extra = {}
    elif source["kind"] == "qrels":
        ratings, extra = _judged(read_json(options.record))
    else:
        ratings, extra = _read(source, read_json(options.record))
    ratings.save(options.ratings)
    values = statistics(ratings) | extra
    write_table(compare(options.dataset, values, source.get("published", {})), options.statistics)
    counted = map(len, (ratings.user_ids, ratings.item_ids, ratings.rating))
    log.info("%s: %d users, %d items, %d ratings", options.dataset, *counted)


def _read(source: dict, record: dict) -> tuple[Ratings, dict[str, int]]:
    """Return the ratings of a dataset's files, and how many lines made them."""
    reader = load(find("format", source["format"], READERS))
    table = reader(_fetched(record, "ratings"), source)
    labels = None
    if "aspects" in record:
        labels = aspects.read(_fetched(record, "aspects"), source["aspects"])
    ratings = prepare(table, labels, source["duplicates"])
    return ratings, counts(table, ratings)


def _judged(record: dict) -> tuple[Ratings, dict[str, int]]:
    """Return judgements with the training ratings beside them, and how many lines made them."""
    test = judgements.read(_fetched(record, "ratings"))
    train = judgements.read(_fetched(record, "train")) if "train" in record else None
    table = judgements.together(test, train)
    ratings = split_by(prepare(table), test)
    return ratings, counts(table, ratings)


def _fetched(record: dict, key: str) -> str:
    """Return the path of a raw file; raises AssayerError if it was altered since it was fetched.

    Else the ratings of one file would be certified under the checksum of another. The file is read
    once more for it, in pieces, at some 400 MB a second.
    """
    path, expected = record[key]["path"], record[key].get("sha256")
    found = checksum(path)
    if found != expected:
        raise AssayerError(
            f"{path}: expected the file that was fetched (SHA-256 {str(expected)[:12]}...), found "
            f"another ({found[:12]}...). Put that file back; or, if you want this one, delete the "
            "dataset's source.json in data/processed and run again."
        )
    return path
