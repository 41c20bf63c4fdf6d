"""Replicates of protocols: the systems' means for the same users, and what is in each split."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Self

import numpy as np
import pandas as pd

from rankassay.artifacts.replicate import Replicate
from rankassay.errors import RankassayError
from rankassay.metrics.names import direction
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import means_of_values, names_of
from rankassay.types import Floats, Integers


@dataclass(frozen=True)
class ReplicateMeans:
    """The systems' means by replicate, and how replicates and protocols belong together.

    Attributes
    ----------
    values : float64 (1 + n_resamples, n_measures, n_replicates, n_systems)
        First for the users themselves. A user who is drawn counts in all replicates that have the
        user: protocols are compared on the same users.
    names : list of (metric, cut-off)
    systems : list of str
    protocols : list of Replicate
        The first of each protocol.
    members : list of int64 (n_of_protocol,)
        The replicates of each protocol.
    """

    values: Floats
    names: list[tuple[str, int | None]]
    systems: list[str]
    protocols: list[Replicate]
    members: list[Integers]

    @classmethod
    def of(cls, replicates: Sequence[Replicate], aggregate: str, resamples: int, seed: int) -> Self:
        """Return the means, by an aggregate of `rankassay.metrics.aggregate`.

        Raises RankassayError for replicates of fewer than two protocols, and for such of different
        systems or measures.
        """
        names = [own.protocol for own in replicates]
        if len({*names}) < 2:
            found = f"1 ({names[0]})" if names else "0"
            raise RankassayError(
                f"expected replicates of two protocols or more, to compare; found {found}. Name "
                "others in protocols.protocols: those that need timestamps are left out on "
                "datasets without."
            )
        first = replicates[0].scores
        for own in replicates:
            for what in ("systems", "measures"):
                expected, found = getattr(first, what), getattr(own.scores, what)
                if expected.tolist() != found.tolist():
                    raise RankassayError(
                        f"{own.protocol}, {own.kind} {own.number}: expected the {what} of "
                        f"{replicates[0].protocol} ({len(expected)}), found others ({len(found)}); "
                        "make all replicates by one configuration."
                    )
        ids = np.unique(np.concatenate([own.user_ids for own in replicates]))
        draws = Draws.of(len(ids), resamples, seed)
        means = [
            means_of_values(
                own.scores.values, draws.of_users(np.searchsorted(ids, own.user_ids)), aggregate
            )
            for own in replicates
        ]
        places = [names.index(name) for name in dict.fromkeys(names)]
        return cls(
            np.stack(means, axis=2),
            names_of(first.measures),
            first.systems.tolist(),
            [replicates[place] for place in places],
            [np.flatnonzero(np.array(names) == name) for name in dict.fromkeys(names)],
        )

    @property
    def better(self) -> Floats:
        """The values with the sign by which higher is better."""
        signs = np.array([direction(metric) for metric, _ in self.names])
        return self.values * signs[:, None, None]

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield all pairs of protocols, and each with itself."""
        yield from combinations_with_replacement(range(len(self.protocols)), 2)

    def between(self, a: int, b: int) -> tuple[Integers, Integers]:
        """Return the pairs of a replicate of each of two protocols; of one, those of two of it."""
        if a != b:
            grid = np.meshgrid(self.members[a], self.members[b], indexing="ij")
            return grid[0].ravel(), grid[1].ravel()
        first, second = np.triu_indices(len(self.members[a]), 1)
        return self.members[a][first], self.members[a][second]


def splits(replicates: list[Replicate]) -> pd.DataFrame:
    """Return the counts of each replicate.

    Returns
    -------
    DataFrame
        The columns protocol, kind, number; removed (ratings that filters left out before the split,
        or of training after it); train_ratings, test_ratings; train_users, test_users, train_items,
        test_items, which have any; and the counts of `rankassay.data.splits.leakage`, each by its
        name, empty where the data has no timestamps.
    """
    rows = []
    for own in replicates:
        row = {"protocol": own.protocol, "kind": own.kind, "number": own.number}
        steps = own.removed[own.removed["part"] != "test"]
        row["removed"] = int(steps["ratings_removed"].sum())
        parts = own.summary.set_index("part")
        for what in ("ratings", "users", "items"):
            row |= {f"{part}_{what}": int(parts.loc[part, what]) for part in ("train", "test")}
        rows.append(row | dict(zip(own.leakage["count"], own.leakage["value"], strict=True)))
    return pd.DataFrame(rows)
