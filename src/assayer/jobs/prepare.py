"""Stage: read a dataset's files, or make a synthetic one, and write its statistics."""

import argparse
import logging
import time

from assayer.artifacts.arrays import Ratings
from assayer.artifacts.files import read_json, write_table
from assayer.data import synthetic
from assayer.data.prepare import counts, prepare, split_by
from assayer.data.readers import READERS, aspects, judgements
from assayer.data.statistics import compare, statistics
from assayer.jobs.arguments import json_object
from assayer.lookup import find, load

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the stage's arguments."""
    parser.add_argument("dataset", help="name of the dataset")
    parser.add_argument("record", nargs="?", help="what `fetch` wrote; none for synthetic data")
    parser.add_argument("--source", type=json_object, required=True, help="catalogue entry (JSON)")
    parser.add_argument("--seed", type=int, required=True, help="of synthetic data")
    parser.add_argument("--ratings", required=True, help="ratings to write (npz)")
    parser.add_argument("--statistics", required=True, help="statistics to write (csv)")


def run(options: argparse.Namespace) -> None:
    """Have the ratings, save them, and set their statistics beside the published ones."""
    began = time.monotonic()
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
    log.info(
        "%s: %d users, %d items, %d ratings in %.1f s",
        options.dataset,
        len(ratings.user_ids),
        len(ratings.item_ids),
        len(ratings.rating),
        time.monotonic() - began,
    )


def _read(source: dict, record: dict) -> tuple[Ratings, dict[str, int]]:
    """Return the ratings of a dataset's files, and how many lines made them."""
    reader = load(find("format", source["format"], READERS))
    table = reader(record["ratings"]["path"], source)
    labels = None
    if "aspects" in record:
        labels = aspects.read(record["aspects"]["path"], source["aspects"])
    ratings = prepare(table, labels, source["duplicates"])
    return ratings, counts(table, ratings)


def _judged(record: dict) -> tuple[Ratings, dict[str, int]]:
    """Return judgements with the training ratings beside them, and how many lines made them."""
    test = judgements.read(record["ratings"]["path"])
    train = judgements.read(record["train"]["path"]) if "train" in record else None
    table = judgements.together(test, train)
    ratings = split_by(prepare(table), test)
    return ratings, counts(table, ratings)
