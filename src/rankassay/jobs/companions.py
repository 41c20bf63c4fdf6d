"""Jobs: read what comes with a dataset's ratings: judgements of random items, and the like.

That is propensities, which can also be estimated, and attributes of users and items.
"""

import logging
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from rankassay.artifacts.arrays import Attributes, Ratings, Truth, read_matrix, write_matrix
from rankassay.artifacts.files import read_json
from rankassay.artifacts.tables import write_table
from rankassay.data import reading
from rankassay.data import truth as truths
from rankassay.data.companions import attributes as read_attributes
from rankassay.data.companions import propensities as read_propensities
from rankassay.data.companions import values_of
from rankassay.data.set_aside import check_true, is_separate, judged
from rankassay.errors import RankassayError
from rankassay.jobs.split import counted
from rankassay.statistics import propensities as estimated
from rankassay.types import Texts

log = logging.getLogger(__name__)


def truth(
    ratings: str, record: str, source: Mapping[str, Any], seed: int, truth: str, summary: str
) -> None:
    """Read and save the judgements of random items that are the truth, and count them."""
    rated, files = Ratings.load(ratings), read_json(record)
    if is_separate(source):
        found, artifact, users = _separate(source, files, rated)
    else:
        found, artifact, users = _among_ratings(source, files, rated, seed)
    flags = artifact.flags
    row = counted("truth", artifact.matrix) | {
        "unknown": found.unknown,
        "users_unknown": users,
        "design": str(artifact.design),
        "aside": float(artifact.aside),
        "judged": int(artifact.judged.sum()),
        "known": np.nan if flags is None else int(flags.sum()),
        "shared": int(truths.shared(artifact.matrix, rated.matrix).sum()),
    }
    artifact.save(truth)
    write_table(pd.DataFrame([row]).astype({"known": "Int64"}), summary)
    log.info("%(ratings)d judgements, %(users_without)d users without any", row)


def _separate(
    source: Mapping[str, Any], record: Mapping[str, Any], ratings: Ratings
) -> tuple[truths.Found, Truth, int]:
    """Return the judgements of a separate file, and the number of unknown users in it."""
    described = source["truth"]
    path = reading.fetched_beside(record, source, "truth")
    table, place = reading.lines_of(path, described), reading.place_in(path, described)
    probability = reading.inclusion(path, described)
    if probability is not None:
        truths.alike(table.assign(rating=probability), place, "probability")
    found = truths.truth(table, ratings, source["duplicates"], described["unknown"], place)
    artifact = Truth.of(
        found.matrix,
        inclusion=None if probability is None else probability[found.rows],
        scale=source.get("scale") or _range(found.matrix.data, ratings.rating),
        design=described["design"],
    )
    return found, artifact, len({*table["user"].unique()} - {*ratings.user_ids.tolist()})


def _among_ratings(
    source: Mapping[str, Any], record: Mapping[str, Any], ratings: Ratings, seed: int
) -> tuple[truths.Found, Truth, int]:
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

    found = truths.truth(lines, ratings, "first", described["unknown"], at)
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


def propensities(ratings: str, record: str, source: Mapping[str, Any], output: str) -> None:
    """Read propensities, and save them in the structure of the ratings."""
    rated = Ratings.load(ratings)
    path = reading.fetched_beside(read_json(record), source, "propensities")
    found = read_propensities(path, source["propensities"], rated)
    write_matrix(rated.matrix_of(found), output)
    log.info("%d propensities from %g to %g", len(found), found.min(), found.max())


def estimate_propensities(
    train: str,
    test: str,
    output: str,
    estimate: str,
    gamma: float | None = None,
    known: str | None = None,
) -> None:
    """Save how likely each test rating is observed, by an `estimate` or as in the file `known`."""
    training, tested = read_matrix(train), read_matrix(test)
    if estimate == "known":
        found = estimated.known(read_matrix(known), tested)
    elif estimate == "fitted":
        found = estimated.fitted(training, tested)
    else:
        found = estimated.by_popularity(training, tested, gamma)
    write_matrix(found, output)
    log.info("from %g to %g", found.data.min(initial=1), found.data.max(initial=0))


def attributes(ratings: str, record: str, source: Mapping[str, Any], output: str) -> None:
    """Save the attributes of users and items in the order of those of the ratings."""
    rated, files = Ratings.load(ratings), read_json(record)
    users, user_names = _columns(files, source, "user", rated.user_ids)
    items, item_names = _columns(files, source, "item", rated.item_ids)
    Attributes(users, items, user_names, item_names).save(output)


def _columns(
    record: Mapping[str, Any], source: Mapping[str, Any], kind: str, ids: Texts
) -> tuple[Texts, Texts]:
    """Return the values, (n, n_attributes), and the attributes; none without a file of them."""
    part = f"{kind}_attributes"
    if part not in record or part not in source:
        log.info("no attributes of the %ss: there is no file of them", kind)
        return np.empty((len(ids), 0), dtype=np.str_), np.empty(0, dtype=np.str_)
    path = reading.fetched(record, part)
    found = read_attributes(path, source[part], kind)
    columns = [
        values_of(found[name], described, ids, (path, kind, name))
        for name, described in source[part]["attributes"].items()
    ]
    return np.stack(columns, axis=1), np.array([*found], dtype=np.str_)
