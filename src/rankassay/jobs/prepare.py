"""Job: read the files of a dataset, or make a synthetic one."""

import logging
from collections.abc import Mapping
from typing import Any

from rankassay.artifacts.arrays import Ratings
from rankassay.artifacts.files import read_json
from rankassay.artifacts.tables import write_table
from rankassay.data import aspects, judgements, reading, synthetic
from rankassay.data import prepare as prepared
from rankassay.data.prepare import compare
from rankassay.data.prepare import statistics as statistics_of
from rankassay.data.set_aside import check_observed, is_separate, judged

log = logging.getLogger(__name__)


def prepare(
    dataset: str,
    source: Mapping[str, Any],
    seed: int,
    ratings: str,
    statistics: str,
    record: str | None = None,
) -> None:
    """Make or read the ratings, and compare their statistics with published ones.

    `record` is what `fetch` wrote; synthetic data has none.
    """
    if source["kind"] == "synthetic":
        found, extra = synthetic.generate(seed=seed, **source["parameters"]), {}
    elif source["kind"] == "qrels":
        found, extra = _judged(source, read_json(record))
    else:
        found, extra = _read(source, read_json(record), seed)
    found.save(ratings)
    values = statistics_of(found) | extra
    write_table(compare(dataset, values, source.get("published", {})), statistics)
    counted = map(len, (found.user_ids, found.item_ids, found.rating))
    log.info("%s: %d users, %d items, %d ratings", dataset, *counted)


def _read(source: Mapping[str, Any], record: dict, seed: int) -> tuple[Ratings, dict[str, int]]:
    """Return the ratings of a dataset's files, and how many lines made them."""
    path = reading.fetched(record, "ratings")
    table = reading.lines_of(path, source)
    place = reading.place_in(path, source)
    labels = None
    if "aspects" in record:
        labels = aspects.read(reading.fetched(record, "aspects"), source["aspects"])
    if is_separate(source):
        ratings = prepared.prepare(table, labels, source["duplicates"], place)
        return ratings, prepared.counts(table, ratings)
    known = reading.known_before(path, source, place)
    found = judged(table, known, source, seed, place, labels)
    check_observed(found, source, path)
    lost, had = found.lost()
    if lost:
        log.info("%d of %d users are left out: all of theirs is set aside as the truth", lost, had)
    ratings = found.ratings
    return ratings, prepared.counts(table, found.pairs) | {"ratings": len(ratings.rating)}


def _judged(source: Mapping[str, Any], record: dict) -> tuple[Ratings, dict[str, int]]:
    """Return judgements with their training ratings, and the number of lines that made them."""
    test, *train = (
        judgements.read(reading.fetched(record, key), source)
        for key in ("ratings", "train")
        if key in record
    )
    table = judgements.together(test, train[0] if train else None)
    ratings = prepared.split_by(prepared.prepare(table), test)
    return ratings, prepared.counts(table, ratings)
