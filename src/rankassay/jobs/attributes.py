"""Job: read the attributes of a dataset's users and items."""

import argparse
import logging

import numpy as np

from rankassay.artifacts.arrays import Attributes, Ratings
from rankassay.artifacts.files import read_json
from rankassay.data.attributes import read, values_of
from rankassay.data.reading import fetched
from rankassay.jobs.arguments import add
from rankassay.types import Texts

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "ratings", "record", "--source", output="attributes to write (npz)")


def run(options: argparse.Namespace) -> None:
    """Read attributes, and save them in the order of the users and items of the ratings."""
    ratings = Ratings.load(options.ratings)
    record = read_json(options.record)
    users, user_names = _read(record, options.source, "user", ratings.user_ids)
    items, item_names = _read(record, options.source, "item", ratings.item_ids)
    Attributes(users, items, user_names, item_names).save(options.output)


def _read(record: dict, source: dict, kind: str, ids: Texts) -> tuple[Texts, Texts]:
    """Return the values, (n, n_attributes), and the attributes; none without a file of them."""
    part = f"{kind}_attributes"
    if part not in record or part not in source:
        log.info("no attributes of the %ss: there is no file of them", kind)
        return np.empty((len(ids), 0), dtype=np.str_), np.empty(0, dtype=np.str_)
    path = fetched(record, part)
    found = read(path, source[part], kind)
    columns = [
        values_of(found[name], described, ids, (path, kind, name))
        for name, described in source[part]["attributes"].items()
    ]
    return np.stack(columns, axis=1), np.array([*found], dtype=np.str_)
