"""The shipped tables of simulated worlds: what a measure, and what one writes, is worth there.

`benchmarks/answer.py` makes them, of worlds that no data enter; a run only reads them.

- `measures.csv`: Kendall's tau of the systems' means under a measure and of their true values, by
  feedback, users, set of systems and truth. tau is its mean over worlds of three families of
  tastes, low and high the least and greatest mean of a family, left_out that of a family that took
  no part in any choice.
- `writing.csv`: of the pairs of systems, by class, the share that the rule decides, and of these
  the share whose sign is wrong; worst is that share in the worst family, left-out one included.
- `range.csv`: how low two statistics of the reference systems are in 1 of 40 worlds, by feedback,
  users and weights.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from rankassay.metrics.evaluate import Measure

FOLDER = Path(__file__).parent / "reference"
FEEDBACK = ("graded", "positive")  # whether disliked items are rated, too
SETS = ("mixed", "close", "sweep")
TRUTHS = ("P@10", "nDCG@10")
CLASSES = ("personalised", "baseline")
BEYOND = 1.5  # times as many users as in any world, or as few as in none: nothing is like them

Entry = dict[str, Any]


@dataclass(frozen=True)
class Simulated:
    """Simulated worlds with one number of users.

    Attributes
    ----------
    feedback : {"graded", "positive"}
    users : int
        With a relevant item, median over worlds.
    beyond : {"", "more", "fewer"}
        Whether the data have more or fewer users than any world.
    here : int
        The users with a relevant item of the data.
    """

    feedback: str
    users: int
    beyond: str = ""
    here: int = 0

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
