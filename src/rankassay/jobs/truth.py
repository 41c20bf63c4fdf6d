"""Job: read the judgements of random items of a dataset that are the truth."""

import argparse
import logging

import numpy as np
import pandas as pd

from rankassay.artifacts.arrays import Ratings, Truth
from rankassay.artifacts.files import read_json
from rankassay.artifacts.tables import write_table
from rankassay.data import reading
from rankassay.data.set_aside import check_true, is_separate, judged
from rankassay.data.truth import Found, alike, shared, truth
from rankassay.errors import RankassayError
from rankassay.jobs.arguments import add
from rankassay.jobs.split import counted

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    add(parser, "ratings", "record", "--source", "--seed")
    add(parser, truth="judgements to write (npz)", summary="counts to write (csv)")


def run(options: argparse.Namespace) -> None:
    """Read and save the judgements, and count them."""
    source, record = options.source, read_json(options.record)
    ratings = Ratings.load(options.ratings)
    if is_separate(source):
        found, artifact, users = _separate(source, record, ratings)
    else:
        found, artifact, users = _among_ratings(source, record, ratings, options.seed)
    flags = artifact.flags
    row = counted("truth", artifact.matrix) | {
        "unknown": found.unknown,
        "users_unknown": users,
        "design": str(artifact.design),
        "aside": float(artifact.aside),
        "judged": int(artifact.judged.sum()),
        "known": np.nan if flags is None else int(flags.sum()),
        "shared": int(shared(artifact.matrix, ratings.matrix).sum()),
    }
    artifact.save(options.truth)
    write_table(pd.DataFrame([row]).astype({"known": "Int64"}), options.summary)
    log.info("%(ratings)d judgements, %(users_without)d users without any", row)


def _separate(source: dict, record: dict, ratings: Ratings) -> tuple[Found, Truth, int]:
    """Return the judgements of a separate file, and the number of unknown users in it."""
    described = source["truth"]
    path = reading.fetched_beside(record, source, "truth")
    table, place = reading.lines_of(path, described), reading.place_in(path, described)
    probability = reading.inclusion(path, described)
    if probability is not None:
        alike(table.assign(rating=probability), place, "probability")
    found = truth(table, ratings, source["duplicates"], described["unknown"], place)
    artifact = Truth.of(
        found.matrix,
        inclusion=None if probability is None else probability[found.rows],
        scale=source.get("scale") or _range(found.matrix.data, ratings.rating),
        design=described["design"],
    )
    return found, artifact, len({*table["user"].unique()} - {*ratings.user_ids.tolist()})


def _among_ratings(
    source: dict, record: dict, ratings: Ratings, seed: int
) -> tuple[Found, Truth, int]:
    """Return the judgements in the file of the ratings that are the truth, and the same count."""
    described, path = source["truth"], reading.fetched(record, "ratings")
    table, place = reading.lines_of(path, source), reading.place_in(path, source)
    known = reading.known_before(path, source, place)
    own = judged(table, known, source, seed, place)
    check_true(own, ratings, source, path)
    lines = own.truth

    def at(row: int, expected: str, wrong: str) -> RankassayError:
        pair = (table["user"] == lines["user"][row]) & (table["item"] == lines["item"][row])
        return place(int(np.argmax(pair)), expected, wrong)

    found = truth(lines, ratings, "first", described["unknown"], at)
    artifact = Truth.of(
        found.matrix,
        known=None if known is None else lines["known"].to_numpy()[found.rows],
        judged=own.counts(ratings),
        aside=described.get("set_aside", 1.0),
        scale=source.get("scale") or _range(own.pairs.rating),
        design=described["design"],
    )
    return found, artifact, len(own.pairs.user_ids) - len(ratings.user_ids)


def _range(*ratings: np.ndarray) -> tuple[float, float]:
    """Return the least and the greatest of ratings, where no scale is given."""
    return min(float(own.min()) for own in ratings), max(float(own.max()) for own in ratings)
