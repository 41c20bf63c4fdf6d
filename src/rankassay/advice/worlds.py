"""The shipped table of simulated worlds: how far rankings under each measure agree with the truth.

`benchmarks/recommendation.py` writes it. In each world the systems are ranked by their means under
a measure, on the test ratings that a user of theirs would have, and by their true P@10.
"""

import functools
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.special

from rankassay.types import Floats

FOLDER = Path(__file__).parent / "reference"
FEEDBACK = ("graded", "positive")  # whether disliked items are rated, too
LEVEL = 0.95  # of intervals
RELEVANT = 0.5  # weight of the relevant items in what is near: a median of few items is coarse
HUNDREDTHS = 100  # in which the table has its correlations


@dataclass(frozen=True)
class Worlds:
    """Simulated worlds of one size and feedback.

    Attributes
    ----------
    size : str
    feedback : {"graded", "positive"}
    looks : mapping
        What the test sets look like, medians over the worlds: users (with a relevant item),
        relevant_median and judged_median (a user's items); and worlds (how many of each kind).
    kinds : tuple of str
        What decides which ratings are observed; see `rankassay.studies.validity.kinds`.
    measures : tuple of str
    tau : float64 (n_kinds, n_worlds, n_measures)
        Kendall's tau-b of the systems' observed and true order. It is 0 where a measure ties all
        systems, as it then agrees with the truth no better than chance.
    """

    size: str
    feedback: str
    looks: Mapping[str, float]
    kinds: tuple[str, ...]
    measures: tuple[str, ...]
    tau: Floats

    @property
    def means(self) -> Floats:
        """The mean tau over worlds, float64 (n_kinds, n_measures)."""
        return self.tau.mean(axis=1)

    @functools.cached_property
    def lost(self) -> Floats:
        """The loss of each measure in each world, float64 (n_kinds, n_worlds, n_measures).

        It is the tau of the measure that has the greatest mean tau in this kind, less its own; the
        mean over the worlds of a kind is the loss of the measure in this kind.
        """
        best = self.means.argmax(axis=1)
        return np.take_along_axis(self.tau, best[:, None, None], 2) - self.tau

    @functools.cached_property
    def worst(self) -> tuple[Floats, Floats]:
        """The kind in which each measure loses most, int64 (n_measures,), and its losses there.

        The losses are those of its worlds, float64 (n_worlds, n_measures): their mean is the worst
        loss. Worlds of one number share what users think in all kinds, so that the rows of
        two measures are pairs.
        """
        kind = self.lost.mean(axis=1).argmax(axis=0)
        return kind, np.take_along_axis(self.lost, kind[None, None, :], 0)[0]

    def summary(self) -> pd.DataFrame:
        """Return the results of each measure in the worlds, a row each.

        Columns validity (the mean tau over the kinds), taus (the mean tau by kind, a dict),
        tau_least and tau_most (the least and greatest of them), worst_loss (the greatest mean loss
        of a kind) and worst_kind; validity and worst_loss with the bounds _low and _high of a 95 %
        interval over worlds, by Student's t, of the worst loss at the kind where it is worst.
        """
        kind, losses = self.worst
        table = pd.DataFrame(index=pd.Index(self.measures, name="measure"))
        for name, values in (("validity", self.tau.mean(axis=0)), ("worst_loss", losses)):
            table[name], half = mean_and_half(values)
            table[f"{name}_low"], table[f"{name}_high"] = table[name] - half, table[name] + half
            if name == "validity":
                table["tau_least"], table["tau_most"] = self.means.min(axis=0), self.means.max(0)
        table["worst_kind"] = [self.kinds[k] for k in kind]
        table["taus"] = [dict(zip(self.kinds, own, strict=True)) for own in self.means.T]
        return table

    def by_kind(self) -> pd.DataFrame:
        """Return the mean tau of each measure in each kind, with its range from world to world.

        Columns kind, measure, worlds, tau, tau_low and tau_high (a 95 % interval of the mean, by
        Student's t), and world_low and world_high (the middle 80 % of the worlds).
        """
        rows = []
        for k, kind in enumerate(self.kinds):
            mean, half = mean_and_half(self.tau[k])
            low, high = np.percentile(self.tau[k], [10, 90], axis=0)
            own = {"measure": self.measures, "worlds": len(self.tau[k]), "tau": mean}
            own |= {"tau_low": mean - half, "tau_high": mean + half}
            rows.append(pd.DataFrame({"kind": kind, **own, "world_low": low, "world_high": high}))
        return pd.concat(rows, ignore_index=True)


def mean_and_half(values: Floats) -> tuple[Floats, Floats]:
    """Return the means over worlds, the first axis, and half the width of their 95 % intervals."""
    n = len(values)
    error = values.std(axis=0, ddof=1) / np.sqrt(n)
    return values.mean(axis=0), scipy.special.stdtrit(n - 1, (1 + LEVEL) / 2) * error


def nearest(users: float, relevant: float, feedback: str) -> Worlds:
    """Return the worlds whose test sets are nearest in size.

    ::

        distance = log(users / theirs)^2 + 1/2 log(relevant / theirs)^2

    with the numbers of users who have a relevant item, and their median numbers of relevant items.
    """
    sizes = _sizes()
    own = sizes[sizes["feedback"] == feedback]
    there = np.log(own[["users", "relevant_median"]].to_numpy(np.float64))
    here = np.log([max(users, 1.0), max(relevant, 1.0)])
    distance = (there - here) ** 2 @ np.array([1.0, RELEVANT])
    return worlds(str(own["size"].iloc[distance.argmin()]), feedback)


def deciding(users: float, relevant: float, feedback: str) -> Worlds:
    """Return the worlds that decide for some data: the nearest, the smallest with the next larger.

    In the smallest worlds rankings are mostly chance, and which kind is the worst for a measure is,
    too. So tau of a kind is there the mean of both sizes, world by world of one number.
    """
    own = nearest(users, relevant, feedback)
    smallest, larger, *_ = sizes()
    if own.size != smallest:
        return own
    both = own, worlds(larger, feedback)
    n = min(one.tau.shape[1] for one in both)
    shared = tuple(name for name in own.measures if name in both[1].measures)
    parts = [one.tau[:, :n, [one.measures.index(name) for name in shared]] for one in both]
    looks = {**own.looks, "worlds": n}
    return replace(own, looks=looks, measures=shared, tau=np.mean(parts, axis=0))


def fewest_users() -> float:
    """Return the median number of users, with a relevant item, of the smallest worlds."""
    return float(_sizes()["users"].min())


def sizes() -> list[str]:
    """Return the names of the sizes."""
    return list(dict.fromkeys(_sizes()["size"]))


@functools.cache
def worlds(size: str, feedback: str) -> Worlds:
    """Return the worlds of a size and feedback."""
    known = _sizes()
    looks = known[(known["size"] == size) & (known["feedback"] == feedback)].iloc[0]
    table = _taus()
    own = table[(table["size"] == size) & (table["feedback"] == feedback)]
    return of_table(own, looks[["users", "relevant_median", "judged_median", "worlds"]].to_dict())


def of_table(own: pd.DataFrame, looks: Mapping[str, float]) -> Worlds:
    """Return worlds from the rows of one size and feedback, with columns in hundredths of tau."""
    kinds = tuple(dict.fromkeys(own["kind"]))
    names = own.columns.difference(["size", "feedback", "kind", "world"], sort=False)
    said = [name for name in names if own[name].notna().any()]
    tau = own[said].to_numpy(np.float64, na_value=np.nan).reshape(len(kinds), -1, len(said))
    size, feedback = own["size"].iloc[0], own["feedback"].iloc[0]
    tau = np.nan_to_num(tau / HUNDREDTHS)
    return Worlds(size, feedback, dict(looks), kinds, tuple(said), tau)


def simulated(feedback: Collection[str] = FEEDBACK) -> list[str]:
    """Return the measures that were simulated with any of some kinds of feedback."""
    found = [worlds(size, own).measures for size in sizes() for own in feedback]
    return list(dict.fromkeys(measure for some in found for measure in some))


@functools.cache
def _sizes() -> pd.DataFrame:
    return pd.read_csv(FOLDER / "sizes.csv")


@functools.cache
def _taus() -> pd.DataFrame:
    return pd.read_csv(FOLDER / "worlds.csv")
