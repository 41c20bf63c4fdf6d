"""What a claim says of its number, and whether an interval of it bears that out.

A condition has a bound and a margin: differences within the margin do not matter. It holds where
the interval leaves out all that speaks against it; else it does not where the interval leaves out
all that speaks for it; else the data allow both. What speaks against it and for it is

- above, below: no difference from the bound, or one to the wrong side; and a difference to the
  right side, of the margin or more
- at_least, at_most: a number that misses the bound by more than the margin; and one that reaches it
- near: a number beyond the margin of the bound, which is a published number; and one within it
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from rankassay.errors import RankassayError, one_of
from rankassay.types import Booleans, Floats

HOLDS, INCONCLUSIVE, FAILS = VERDICTS = ("holds", "inconclusive", "does not hold")
PREDICATES = ("above", "below", "at_least", "at_most", "near")
STRICT, UPWARDS = ("above", "below"), ("above", "at_least")
DECIMALS = 9  # of a number that is compared: a difference in the last bits is none


@dataclass(frozen=True)
class Condition:
    """A predicate with its bound (of near the published number) and its margin."""

    predicate: str
    bound: float
    margin: float

    @classmethod
    def of(cls, place: str, holds: Mapping, published: float | None) -> Self:
        """Return the condition of a claim's `holds` about one dataset; see `predicate`."""
        name, bound = predicate(place, holds)
        if name != "near":
            return cls(name, bound, float(holds.get("margin", 0.0)))
        if published is None:
            raise RankassayError(f"{place}: `near` needs the published value of each dataset.")
        allowed = bound * abs(published) if holds.get("relative") else bound
        return cls(name, float(published), allowed)

    def lead(self, values: Floats) -> Floats:
        """Return how far numbers are on the right side, negative on the wrong one, (...)."""
        if self.predicate == "near":
            return self.margin - np.abs(values - self.bound)
        return (values - self.bound) * (1 if self.predicate in UPWARDS else -1)

    def holds(self, values: Floats) -> Booleans:
        """Return whether the condition is met by exact numbers, bool (...); none is by NaN."""
        lead = np.round(self.lead(values), DECIMALS)
        if self.predicate in STRICT:
            return lead > 0
        return lead >= (0 if self.predicate == "near" else -self.margin)

    def verdict(self, low: float, high: float) -> str:
        """Return the verdict by an interval, see the module; inconclusive without one."""
        if np.isnan([low, high]).any():
            return INCONCLUSIVE
        worst, best = sorted(np.round([self.lead(low), self.lead(high)], DECIMALS))
        if self.predicate == "near":
            inside = low <= self.bound <= high or best >= 0
            return HOLDS if worst >= 0 else INCONCLUSIVE if inside else FAILS
        if self.predicate in STRICT:
            if worst > 0:
                return HOLDS
            return FAILS if best <= 0 or best < self.margin else INCONCLUSIVE
        return HOLDS if worst >= -self.margin else FAILS if best < 0 else INCONCLUSIVE

    def words(self) -> str:
        """Return the condition in words, such as `above 0 (margin 0.01)`."""
        if self.predicate == "near":
            return f"{self.bound:.10g}" + (f" within {self.margin:.4g}" if self.margin else "")
        margin = f" (margin {self.margin:g})" if self.margin else ""
        return f"{self.predicate.replace('_', ' ')} {self.bound:g}{margin}"


def predicate(place: str, holds: Mapping) -> tuple[str, float]:
    """Return the one predicate of a claim and its bound, of near its margin."""
    found = [name for name in holds if name not in ("relative", "margin")]
    if len(found) != 1:
        raise RankassayError(
            f"{place}.holds: expected one of {', '.join(PREDICATES)}, found {dict(holds)}."
        )
    name = found[0]
    one_of(f"predicate in {place}", name, PREDICATES)
    for key in (name, *({"margin"} & {*holds})):
        number = isinstance(holds[key], int | float) and not isinstance(holds[key], bool)
        if not (number and math.isfinite(holds[key])):
            raise RankassayError(
                f"{place}.holds: expected a number for {key}, found {holds[key]!r}."
            )
    if "relative" in holds and (name != "near" or not isinstance(holds["relative"], bool)):
        raise RankassayError(
            f"{place}.holds: relative: expected true or false next to near, found "
            f"{holds['relative']!r} next to {name}."
        )
    if name == "near" and "margin" in holds:
        raise RankassayError(f"{place}.holds: near is the margin itself; remove `margin`.")
    margin = "near" if name == "near" else "margin"
    if holds.get(margin, 0) < 0:
        raise RankassayError(
            f"{place}.holds: expected a margin of at least 0, found {holds[margin]!r}."
        )
    return name, float(holds[name])


MARK = ":"  # in the id of a row that is made of a sentence's rows, between sentence and statistic
QUESTIONS = REPRODUCED, GENERAL = ("reproduced", "general")
UNDEFINED = "undefined"
NOT_ASKED = "not asked"  # as the run did not compute what the claim is about
NOT_TESTABLE = "not testable"  # by no dataset that was studied
WITHOUT = (UNDEFINED, NOT_ASKED, NOT_TESTABLE)  # the words where nothing could be judged
WORDS = (*VERDICTS, *WITHOUT)
OURS = "ours"  # the source of a claim that no paper makes

# Next to the words, so that no verdict is shown by its colour alone.
SIGNS = dict(zip((*VERDICTS, UNDEFINED, NOT_ASKED), "+?×–·", strict=True))


def is_statistic(id: object) -> bool:
    """Return whether a row is made of the rows of its sentence, by its id."""
    return MARK in str(id)
