"""Job: leave out the ratings of a dataset that its filter removes, and count them."""

import argparse
import logging

from rankassay.artifacts.arrays import Ratings
from rankassay.artifacts.tables import write_table
from rankassay.data.filters import filtered
from rankassay.jobs.arguments import add

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "ratings", "--steps", "--seed")
    add(parser, output="ratings to write (npz)", counts="what each step removed, to write (csv)")


def run(options: argparse.Namespace) -> None:
    """Filter, and save the rest and what each step removed."""
    smaller, table = filtered(Ratings.load(options.ratings), options.steps, options.seed)
    smaller.save(options.output)
    write_table(table, options.counts)
    for row in table.to_dict("records"):
        log.info("%(what)s: %(users)d users, %(items)d items, %(ratings)d ratings", row)
