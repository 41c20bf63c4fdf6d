"""Which measure to report: a constant, with two facts of the data that decide its form.

It is discounted gain, each hit weighed by 1/√popularity. Where dislikes are known it is centred: a
judged item counts as far as it is above the user's share of liked items, so that a list is no
better for holding what users happen to have seen; and it takes fifty places, else twenty. No
system's score has a part in the choice, which so spoils no test. How it was found:
docs/recommendation.md, and `benchmarks/answer.py`, whose worlds it was tried on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rankassay.advice.given import Given
from rankassay.metrics.catalogue import entry, weighs
from rankassay.metrics.evaluate import Measure, grid

# The seven of Valcarce et al., RecSys 2018.
PAPER = ("P", "R", "AP", "nDCG", "RR", "Bpref", "infAP")
PLACES = {"graded": 50, "positive": 20}  # by feedback; as many as the lists have, if fewer
# Users of the training ratings from whom on popularity is known well enough to weigh by it: with
# fewer, weights add as much noise as they remove bias.
FEWEST = 200
CONVENTIONAL = "nDCG(gain='binary')"  # as shipped, disliked items gain, too
USUAL = 10  # its place
JUDGED, SMOOTHED = "P(denominator='judged')@{}", "P(denominator='smoothed')@{}"
DEEP, FIRST = 50, 20  # places of judged-only precision, and of the smoothed one
# By what a truth can choose where it excludes the constant.
CUTOFFS = (5, 10, 20, 50, 100)
INFORMATIVE = 30  # users by whom systems can differ
# Systems, for a truth to exclude a measure: three reach tau = 1 by chance in 1 of 6 orders, six in
# 1 of 720.
ENOUGH_TO_EXCLUDE = 6


@dataclass(frozen=True)
class Rule:
    """The measures of an answer, in a form that `rankassay.evaluate` takes."""

    measure: str  # the one to report
    flat: str  # the same without discounts, itself where it has none
    unweighed: str  # without weights, likewise
    # under all of which a difference has to be significant before one writes of it
    written: tuple[str, ...]
    conventional: str  # the one that others report
    others: tuple[str, ...]  # those asked for, and those that a truth may choose among
    why: tuple[str, ...] = ()  # why the measure has no weights: keys of words
    whole: bool = True  # whether the lists are long enough for all places that the measures take
    # measures asked for that the data do not allow, each with why: a key of words
    left: tuple[tuple[str, str], ...] = ()

    def with_measure(self, measure: str, written: Sequence[str]) -> "Rule":
        """Return the rule where another measure is reported, or written of under others."""
        if measure == self.measure:
            return replace(self, written=tuple(written))
        return replace(
            self, measure=measure, flat=measure, unweighed=measure, written=tuple(written)
        )

    @property
    def every(self) -> list[str]:
        """All measures, each once."""
        return [*dict.fromkeys((self.measure, self.conventional, *self.written, *self.others))]


def rule(
    given: Given,
    asked: Sequence[str] | None = None,
    cutoffs: Sequence[int] | None = None,
    truth: bool = False,
) -> Rule:
    """Return the measures of an answer.

    Of those `asked`, measures, or metrics taken at the cut-offs, the first is the conventional one.
    With a `truth`, or outcomes, many measures are compared.
    """
    depth = max(given.depth, 1)
    places, why = places_of(given), _why_unweighed(given)
    power = 0.0 if why else 0.5
    own = [_of("DCG", places, given.negative, power), _of("P", places, given.negative, power)]
    own.append(_of("DCG", places, given.negative, 0.0))
    written = [own[0]]
    if given.negative:
        more = JUDGED.format(min(DEEP, depth)), SMOOTHED.format(min(FIRST, depth))
        written += [_as_written(name) for name in more]
    no = {name: _impossible(name, given) for name in _named(asked, cutoffs, depth)}
    named = [name for name, reason in no.items() if not reason]
    others = [*named]
    if truth:
        reached = [k for k in cutoffs or CUTOFFS if k <= depth] or [depth]
        some = [*PAPER, *(("P(denominator='judged')", "CP") if given.negative else ())]
        others += [_as_written(name) for name in grid(some, reached)]
    usual = named[0] if named else _as_written(f"{CONVENTIONAL}@{_usual(cutoffs, depth)}")
    left = tuple((name, reason) for name, reason in no.items() if reason)
    whole = depth >= PLACES[feedback(given)]
    return Rule(*own, tuple(written), usual, tuple(others), why, whole, left)


def feedback(given: Given) -> str:
    """Return whether dislikes are known: graded or positive."""
    return "graded" if given.negative else "positive"


def places_of(given: Given) -> int:
    """Return the places of the measure."""
    return min(PLACES[feedback(given)], max(given.depth, 1))


def first_places(depth: int) -> int:
    """Return of how many places it is said what a run finds there."""
    return min(USUAL, max(depth, 1))


def _why_unweighed(given: Given) -> tuple[str, ...]:
    """Return why hits are not weighed, or nothing."""
    if given.weights == "none":
        return ("no-train",)
    if given.weights == "popularity" and 0 < given.train.get("users", FEWEST) < FEWEST:
        return ("few-train",)
    return ()


def _of(gain: str, places: int, centred: bool, power: float) -> str:
    """Return a measure of the family, as `Measure` writes it."""
    parameters = [f"gain='{gain}'", f"power={power:g}"]
    return _as_written(f"IPS({', '.join(parameters + ['centred=True'] * centred)})@{places}")


def _as_written(name: str) -> str:
    return str(Measure.parse(name))


def _named(asked: Sequence[str] | None, cutoffs: Sequence[int] | None, depth: int) -> list[str]:
    """Return the measures that were asked for."""
    found = []
    for name in asked or ():
        measure = Measure.parse(name)
        several = measure.cutoff is None and entry(name).cut
        found += grid([measure.name], cutoffs or [_usual(None, depth)]) if several else [name]
    return [_as_written(name) for name in found]


def _impossible(name: str, given: Given) -> str:
    """Return why a measure cannot be had of the data: a key of words, or empty."""
    if given.weights == "none" and weighs(name):
        return "propensities"
    cutoff = Measure.parse(name).cutoff
    return "depth" if cutoff is not None and cutoff > max(given.depth, 1) else ""


def _usual(cutoffs: Sequence[int] | None, depth: int) -> int:
    """Return the place of the conventional measure: 10, or the deepest cut-off below it."""
    reached = [k for k in cutoffs or (5, USUAL) if k <= min(depth, USUAL)]
    return max(reached, default=min([*(cutoffs or ()), depth]))


def informative(given: Given) -> int:
    """Return by how many users systems can differ under the measure.

    Users with a relevant item of whom some run lists a judged item among the first places; where
    dislikes are known, those who do not like all that they judged.
    """
    judgements, places = given.judgements, places_of(given)
    start = judgements.start[:-1]
    counts = judgements.n_relevant > 0
    if given.negative:
        counts &= judgements.n_relevant < np.diff(judgements.start)
    listed = np.zeros(len(judgements.row), dtype=bool)
    for own in given.systems.values():
        listed |= (own.ranks > 0) & (own.ranks <= places)
    of_user = np.bincount(judgements.row[listed], minlength=len(start)) > 0
    return int((counts & of_user).sum())
