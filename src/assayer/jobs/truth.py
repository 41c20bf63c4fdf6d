"""Job: read the judgements of random items that a dataset has beside its ratings."""

import argparse
import logging

import pandas as pd

from assayer.artifacts.arrays import Ratings, Truth
from assayer.artifacts.files import read_json
from assayer.artifacts.tables import write_table
from assayer.data.reading import fetched, fetched_beside, lines_of, place_in
from assayer.data.truth import truth
from assayer.jobs.arguments import add
from assayer.jobs.split import counted

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "ratings", "--source")
    parser.add_argument("record", help="what `fetch` wrote")
    add(parser, truth="matrix of judgements to write (npz)", summary="counts to write (csv)")


def run(options: argparse.Namespace) -> None:
    """Read, save, and count who judged what."""
    source, record = options.source, read_json(options.record)
    described = source["truth"]
    if "known" in described:
        path, form = fetched(record, "ratings"), source
    else:
        path, form = fetched_beside(record, source, "truth"), described
    ratings = Ratings.load(options.ratings)
    how = source["duplicates"], described["unknown"], place_in(path, form)
    found = truth(lines_of(path, form), ratings, *how)
    more = {"observed": found.observed(ratings), "unknown": found.unknown}
    row = counted("truth", found.matrix) | more
    Truth.of(found.matrix).save(options.truth)
    write_table(pd.DataFrame([row]), options.summary)
    log.info("%(ratings)d judgements, %(users_without)d users without any", row)
