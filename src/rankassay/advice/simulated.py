"""Simulated worlds: what a measure is worth there, and whether the data are like these.

`benchmarks/answer.py` makes the shipped tables, of worlds that no data enter; a run reads them.

- `measures.csv`: Kendall's tau of the systems' means under a measure and of their true values, by
  feedback, users, set of systems and truth. tau is its mean over worlds of three families of
  tastes, low and high the least and greatest mean of a family, left_out that of a family that took
  no part in any choice.
- `writing.csv`: of the pairs of systems, by class, the share that the rule decides, and of these
  the share whose sign is wrong; worst is that share in the worst family, left-out one included.
- `range.csv`: how low two statistics of the reference systems are in 1 of 40 worlds, by feedback,
  users and weights.

Reference systems and Random alone are looked at for the verdict, so that no test of the user's runs
is spoilt. Warnings look at the runs' order, and change no verdict.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from rankassay.advice.given import Given, Settings, values
from rankassay.advice.rule import INFORMATIVE, Rule, informative
from rankassay.advice.words_names import RANDOM
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.evaluate import Measure
from rankassay.statistics.paired import corrected_for, scaled
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.significance import permuted
from rankassay.types import Floats

FOLDER = Path(__file__).parent / "reference"
FEEDBACK = ("graded", "positive")  # whether disliked items are rated, too
SETS = ("mixed", "close", "sweep")
TRUTHS = ("P@10", "nDCG@10")
CLASSES = ("personalised", "baseline")
BEYOND = 1.5  # times as many users as in any world, or as few as in none: nothing is like them

Entry = dict[str, Any]
# Agreement of the runs' order with that without discounts, or weights: below, these decide it.
FLAT, UNWEIGHED = 0.3, 0.5
# Users with a relevant item: with fewer, max-T errs in more than 5% for weighed measures. Where
# others have to be significant, too, as is so with dislikes, that has no consequence.
TESTED = 100
# Why no simulation speaks for a measure; a truth may. With likes alone and no weights, a quarter of
# the pairs of personalised systems that are significant are wrong, as under nDCG@10.
UNLIKE = ("likes-alone", "out-of-range")
ENOUGH = 5  # runs, for an order to agree or not


@dataclass(frozen=True)
class Simulated:
    """Simulated worlds with one number of users."""

    feedback: str  # one of `FEEDBACK`
    users: int  # with a relevant item, median over worlds
    beyond: str = ""  # "more" or "fewer" users than any world has the data, or ""
    here: int = 0  # users with a relevant item of the data

    def _own(self, name: str) -> pd.DataFrame:
        table = _table(name)
        return table[(table["feedback"] == self.feedback) & (table["users"] == self.users)]

    def measure(self, name: str) -> Entry:
        """Return by set and truth tau, low, high and left_out of a measure; empty if unknown."""
        own = self._own("measures")
        own = own[own["measure"] == str(Measure.parse(name))]
        found: Entry = {}
        for row in own.to_dict("records"):
            numbers = {key: row[key] for key in ("tau", "low", "high", "left_out")}
            found.setdefault(row["set"], {})[row["truth"]] = numbers
        return found

    def writing(self, rule: str) -> Entry:
        """Return by class of pairs decided, wrong and worst, for a rule: written or usual."""
        own = self._own("writing")
        own = own[own["rule"] == rule].set_index("class")
        return {name: own.loc[name, ["decided", "wrong", "worst"]].to_dict() for name in own.index}

    def limits(self, weighed: bool) -> Mapping[str, float]:
        """Return the t and the share that 39 of 40 worlds exceed.

        Both grow with the users: they are interpolated, linearly in the logarithm of these.
        """
        table = _table("range")
        own = table[(table["feedback"] == self.feedback) & (table["weighed"] == weighed)]
        own = own.sort_values("users")
        users, here = np.log(own["users"]), np.log(max(self.here, 1))
        return {name: float(np.interp(here, users, own[name])) for name in ("t", "share")}


def nearest(users: int, feedback: str) -> Simulated:
    """Return the worlds whose users with a relevant item are nearest in number, by its logarithm.

    >>> nearest(450, "graded").users == nearest(500, "graded").users
    True
    """
    table = _table("measures")
    known = np.unique(table["users"][table["feedback"] == feedback])
    place = np.abs(np.log(known) - np.log(max(users, 1))).argmin()
    beyond = "more" if users > BEYOND * known[-1] else "fewer" if users * BEYOND < known[0] else ""
    return Simulated(feedback, int(known[place]), beyond, users)


@functools.cache
def _table(name: str) -> pd.DataFrame:
    return pd.read_csv(FOLDER / f"{name}.csv")


@dataclass(frozen=True)
class Range:
    """Whether the data are like simulated ones, as far as reference systems show it."""

    t: float  # the greatest paired t of a reference system over Random; 0 for none
    share: float  # of the pairs of reference systems, those that are significantly different
    limits: Mapping[str, float]  # t and share that 39 of 40 worlds exceed

    @property
    def inside(self) -> bool:
        """Whether both are above their limits."""
        return self.t >= self.limits["t"] and self.share >= self.limits["share"]


def reasons(given: Given, rule: Rule, measured: Range | None) -> list[str]:
    """Return why it cannot be told what to report: keys of words, the gravest first."""
    relevant = given.judgements.relevant
    if not relevant.any():
        return ["no-relevant"]
    listed = [(own.ranks > 0) & (own.ranks <= given.depth) for own in given.systems.values()]
    if not any((own & relevant).any() for own in listed):
        return ["no-hits"]
    found = ["one-run"] if len(given.systems) < 2 else []
    if not found and given.identical[: len(given.systems), : len(given.systems)].all():
        found.append("no-difference")
    if informative(given) < INFORMATIVE:
        found.append("few-informative")
    if rule.why and not given.negative:
        found.append("likes-alone")
    if measured is not None and not measured.inside:
        found.append("out-of-range")
    return found


def measured(given: Given, rule: Rule, near: Simulated, settings: Settings) -> Range | None:
    """Return how the reference systems differ under the measure; None without any."""
    names = [*given.references]
    if RANDOM not in names or len(names) < 2 or not given.judgements.relevant.any():
        return None
    x = values(given, [rule.measure], settings, names)
    permuting = settings.permutations, settings.seed
    t, share = apart(x, names.index(RANDOM), settings.alpha, *permuting)
    return Range(t, share, near.limits(weighed=rule.measure != rule.unweighed))


def apart(
    x: Floats, random: int, alpha: float, permutations: int, seed: int
) -> tuple[float, float]:
    """Return the greatest paired t of a system over Random, and the share of significant pairs.

    `x` are the values under one measure, float64 (n_users, n_systems, 1), NaN for users who do not
    count; `random` is the place of Random.
    """
    x, _ = scaled(x)
    x = x[~np.isnan(x[:, 0, 0])]
    n = x.shape[1]
    d = x[:, :, 0] - x[:, [random], 0]
    sd = d.std(axis=0, ddof=1) if len(d) > 1 else np.zeros(n)
    t = np.divide(aggregate(d), sd / np.sqrt(len(d)), out=np.zeros(n), where=sd > 0)
    result = permuted(x, permutations, seed)
    upper = np.triu_indices(n, k=1)
    together = None if result.adjusted is None else result.adjusted[0][upper]
    p, _ = corrected_for(result.p_values[0][upper], together, "max-t")
    return float(t.max()), float((p < alpha).mean())


def warnings(given: Given, rule: Rule, near: Simulated, settings: Settings) -> Iterator[dict]:
    """Yield what decides the order of the runs and should not: a kind with its numbers each."""
    names = [*given.systems]
    if not given.judgements.relevant.any() or not names:
        return
    measures = [rule.measure, rule.flat, rule.unweighed]
    means = _means(given, measures, settings, names)
    if RANDOM in given.references:
        bar = _means(given, measures[:1], settings, [RANDOM])[0, 0]
        below = [name for name, mean in zip(names, means[0], strict=True) if mean <= bar]
        if below:
            yield {"kind": "random", "runs": below}
    if len(names) >= ENOUGH:
        flat, unweighed = tau_b(means[1:], means[0])
        if flat < FLAT:
            yield {"kind": "depth", "tau": float(flat), "measure": rule.flat}
        if rule.unweighed != rule.measure and unweighed < UNWEIGHED:
            yield {"kind": "weights", "tau": float(unweighed), "measure": rule.unweighed}
    few = int((given.judgements.n_relevant > 0).sum()) < TESTED
    if few and rule.measure != rule.unweighed and rule.written == (rule.measure,):
        yield {"kind": "tests", "users": TESTED}
    if near.beyond:
        yield {"kind": near.beyond, "users": near.users}


def _means(given: Given, measures: Sequence[str], settings: Settings, names: list[str]) -> Floats:
    """Return the systems' means, float64 (n_measures, n_systems)."""
    x = values(given, measures, settings, names)
    return np.stack([aggregate(x[:, :, m]) for m in range(len(measures))])
