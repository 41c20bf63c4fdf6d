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
    """The scores of some systems in a file, whose values are read whenever they are asked for."""

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
    """A replicate of a protocol."""

    protocol: str  # its name in the catalogue
    # The two parts of the protocol, equal where their settings are equal.
    split: str
    filter: str
    kind: str  # what distinguishes it from the others: "seed" or "fold"
    number: int  # the seed or fold, from 1
    scores: Scores | Stored
    user_ids: Texts  # (n_users,): the source's, as filters number users anew
    summary: pd.DataFrame  # what is in training and test, as the job `split` counts it
    leakage: pd.DataFrame  # what training knows of the future
    removed: pd.DataFrame  # what filters removed, as `rankassay.data.filters` counts it


def load(described: Iterable[Mapping[str, Any]]) -> list[Replicate]:
    """Read replicates that have the keys of `Replicate` and `files`, cut to the systems of all."""
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
    """Return replicates with the systems that all of them have, in the order of the last one."""
    shared = set.intersection(*({*own.scores.systems.tolist()} for own in replicates))
    if len(shared) < 2:
        raise RankassayError(
            f"expected two systems or more under all protocols, found {len(shared)}; train the "
            "same recommenders under each."
        )
    every = replicates[-1].scores.systems
    order = every[[name in shared for name in every.tolist()]]
    return [replace(own, scores=replace(own.scores, systems=order)) for own in replicates]
