"""The users' values under a protocol, for one seed or fold."""

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from rankassay.artifacts.arrays import Ratings, Scores
from rankassay.artifacts.tables import read_table
from rankassay.errors import RankassayError
from rankassay.types import Floats, Integers32, Texts

ALL = "*"  # in place of a protocol: of all of them
TABLES = ("summary", "leakage", "removed")


@dataclass(frozen=True)
class Stored:
    """The scores of some systems in a file, whose values are read whenever they are asked for.

    The replicates of a study hold many times as much as one of them, and are read one after the
    other.
    """

    path: str
    users: Integers32
    systems: Texts
    measures: Texts

    @property
    def values(self) -> Floats:
        """The values, float64 (n_users, n_systems, n_measures); see `Scores`."""
        scores = Scores.load(self.path)
        if scores.systems.tolist() == self.systems.tolist():
            return scores.values
        places = {name: place for place, name in enumerate(scores.systems.tolist())}
        return scores.values[:, [places[name] for name in self.systems.tolist()]]


@dataclass(frozen=True)
class Replicate:
    """A replicate of a protocol.

    Attributes
    ----------
    protocol : str
        Its name in the catalogue.
    split, filter : str
        What the two parts of the protocol are; equal where their settings are equal.
    kind : str
        What distinguishes it from the others: "seed" or "fold".
    number : int
        The seed or fold, from 1.
    scores : Scores or Stored
    user_ids : str (n_users,)
        The source's ids of the users of the scores: filters number users anew.
    summary, leakage : DataFrame
        What is in training and test, and what training knows of the future, as the job `split`
        counts them.
    removed : DataFrame
        The counts that filters removed, step by step, as `rankassay.data.filters` counts it.
    """

    protocol: str
    split: str
    filter: str
    kind: str
    number: int
    scores: Scores | Stored
    user_ids: Texts
    summary: pd.DataFrame
    leakage: pd.DataFrame
    removed: pd.DataFrame


def load(described: Iterable[Mapping[str, Any]]) -> list[Replicate]:
    """Read replicates that have the keys of `Replicate` and `files`, cut to the systems of all.

    Raises RankassayError for files that are not what they should be, and when fewer than two
    systems are in all of them.
    """
    user_ids = functools.cache(lambda path: Ratings.load(path).user_ids)  # most share theirs
    found = []
    for one in described:
        files = one["files"]
        scores = Stored(files["scores"], *Scores.heads(files["scores"]))
        users = user_ids(files["ratings"])[scores.users]
        own = {key: one[key] for key in ("protocol", "split", "filter", "kind", "number")}
        tables = {key: read_table(files[key]) for key in TABLES}
        found.append(Replicate(**own, scores=scores, user_ids=users, **tables))
    return _of_the_same(found)


def _of_the_same(replicates: list[Replicate]) -> list[Replicate]:
    """Return replicates with the systems that all of them have, in the order of the last one.

    The dataset's own results may have systems more: runs of others, and recommenders that the study
    of protocols leaves out.
    """
    shared = set.intersection(*({*own.scores.systems.tolist()} for own in replicates))
    if len(shared) < 2:
        raise RankassayError(
            f"expected two systems or more under all protocols, found {len(shared)}; train the "
            "same recommenders under each."
        )
    every = replicates[-1].scores.systems
    order = every[[name in shared for name in every.tolist()]]
    return [replace(own, scores=replace(own.scores, systems=order)) for own in replicates]
