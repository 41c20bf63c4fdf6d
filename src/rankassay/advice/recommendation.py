"""The recommendation: the measure to report, its weaknesses, what to avoid, or why there is none.

The choice is that of `rankassay.advice.choice`, which looks at no system's score. Here is added
what the user's data say of the measure, so that its weaknesses stand next to it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from rankassay.advice.candidates import PAPER
from rankassay.advice.choice import Choice
from rankassay.advice.conclusions import of_different
from rankassay.advice.criteria import ENOUGH_TO_COMPARE, Criteria
from rankassay.advice.cutoffs import USUAL
from rankassay.advice.exclusion import NO_AGREEMENT, OUTCOMES, Ground
from rankassay.advice.given import Given
from rankassay.advice.settings import Settings
from rankassay.advice.trust import without_popular
from rankassay.metrics.evaluate import Measure
from rankassay.statistics.replicated import interval

Entry = dict[str, Any]

NEEDS = {"popularity": "train", "given": "propensities"}
# A weakness is mentioned from here on: less would not change a reader's decision.
EMPTY = 0.05  # share of users' lists without a judged item
LESS_ROBUST = 0.01  # tau, significantly below the best measure
MANY = 0.1  # share of the pairs that reverse without the most popular items
MORE = 0.05  # share of the pairs: by fewer that reverse or are significant, measures hardly differ
MOST_AVOIDED = 3  # measures with one reason: more would be a table
# Why no measure is named: neither data nor simulations speak for one.
NO_MEASURE = ("no-relevant", "no-hits", "no-candidates", NO_AGREEMENT)


@dataclass(frozen=True)
class Facts:
    """The inputs of a recommendation.

    Attributes
    ----------
    given : Given
    settings : Settings
    measures : DataFrame
        By measure, the columns of `rankassay.advice.findings.MEASURES`.
    criteria : Criteria
    conventional : str
    pairs : DataFrame
        Of the user's runs, see `rankassay.advice.findings.PAIRS`.
    grounds : sequence of Ground
        What a truth and outcomes say.
    """

    given: Given
    settings: Settings
    measures: pd.DataFrame
    criteria: Criteria
    conventional: str
    pairs: pd.DataFrame
    grounds: Sequence[Ground] = ()

    @property
    def n_pairs(self) -> int:
        """The number of pairs of the user's runs, without those of runs with the same hits."""
        return len(of_different(self.pairs))


def recommendation(facts: Facts, choice: Choice, yardstick: str | None, why: str) -> Entry:
    """Return one entry of `Findings.recommendation`.

    Parameters
    ----------
    facts : Facts
    choice : Choice
        Among the measures that the yardstick does not exclude.
    yardstick : {"liked", "new"} or None
    why : str
        Why the yardstick is no evidence: a key of words, or empty.
    """
    reasons = [*dict.fromkeys(_why(facts, choice, why))]
    measure = None if {*NO_MEASURE} & {*reasons} else choice.measure
    usual = facts.conventional
    entry: Entry = {
        "verdict": "cannot tell" if reasons else "report",
        "yardstick": yardstick,
        "measure": measure,
        "needs": _needs(facts, measure),
        "reason": "worst-loss" if measure else None,
        "why": reasons,
        "conventional": usual,
        "tied": [own for own in choice.tied if own != measure] if measure else [],
        "avoid": [*_avoid(facts, choice, measure, yardstick)] if measure else [],
        "weak": [*_weak(facts, measure)] if measure else [],
        "exposures": [*choice.kinds],
        "size": dict(choice.size),
        "tau_low": _of(facts, measure, "tau_least"),
        "tau_high": _of(facts, measure, "tau_most"),
        "conventional_tau_low": _of(facts, usual, "tau_least"),
        "conventional_tau_high": _of(facts, usual, "tau_most"),
    }
    entry["truths"] = [
        {"by": own.by, "systems": own.systems, "used": own.used} for own in facts.grounds
    ]
    for name in ("worst_loss", "worst_loss_low", "worst_loss_high", "worst_kind"):
        entry[name] = _of(facts, measure, name)
    return entry | {"alike": _rank_agreement(facts, measure)}


def _why(facts: Facts, choice: Choice, why: str) -> Iterator[str]:
    """Yield the keys of why no measure can be recommended, the gravest first."""
    given = facts.given
    judgements = given.judgements
    relevant = judgements.relevant
    hits = [
        (own.ranks > 0) & (own.ranks <= given.depth) & relevant for own in given.systems.values()
    ]
    if not relevant.any():
        yield "no-relevant"
        return
    if not any(own.any() for own in hits):
        yield "no-hits"
        return
    if not facts.measures["candidate"].any():
        yield "no-candidates"
        return
    if len(given.systems) < 2:
        yield "one-run"
    elif facts.pairs["identical"].all():
        yield "no-difference"
    elif len(given.compared) < ENOUGH_TO_COMPARE:
        yield "few-systems"
    if why:
        yield why
    yield from choice.why


def _needs(facts: Facts, measure: str | None) -> str | None:
    """Return the source of the weights of a measure."""
    if measure is None or facts.measures.at[measure, "form"] != "weighed":
        return None
    return NEEDS[facts.given.weights]


def _of(facts: Facts, measure: str | None, column: str) -> Any:
    return None if measure is None else facts.measures.at[measure, column]


def _rank_agreement(facts: Facts, measure: str | None) -> Entry:
    """Return how the measure and the conventional one rank the user's runs."""
    if measure is None:
        return {}
    own = facts.measures.loc[measure]
    return {"tau": own["alike"], "pairs": facts.n_pairs, "reversed": own["reversed"]}


def _weak(facts: Facts, measure: str) -> Iterator[Entry]:
    """Yield the weaknesses of the measure: on the user's data, and last in simulations."""
    own, pairs = facts.measures.loc[measure], facts.n_pairs
    if own["form"] == "judged" and own["without"] >= EMPTY:
        yield {"criterion": "without", "share": own["without"]}
    [reverse] = without_popular(facts.given, [measure], facts.settings) if pairs else [np.zeros(0)]
    if pairs and reverse.sum() >= MANY * pairs:
        yield {"criterion": "popularity", "reversed": int(reverse.sum()), "pairs": pairs}
    yield from _less_robust(facts, measure)
    usual = facts.measures.loc[facts.conventional]
    fewer = usual["significant"] - own["significant"]
    if pd.notna(fewer) and fewer > 0 and fewer >= MORE * own["pairs"]:
        significant = {"significant": own["significant"], "conventional": usual["significant"]}
        yield {"criterion": "power", **significant, "pairs": own["pairs"]}
    if own["worst_loss"] > 0:
        yield {
            "criterion": "worst-kind",
            "kind": own["worst_kind"],
            "worst_loss": own["worst_loss"],
        }


def _less_robust(facts: Facts, measure: str) -> Iterator[Entry]:
    """Yield whether another measure is significantly more robust to missing judgements.

    The best of those that compete, resample by resample.
    """
    numbers = facts.criteria.sparsity
    if numbers is None:
        return
    names = [*facts.criteria.table.index]
    competing = np.array([facts.measures.at[name, "candidate"] for name in names], dtype=bool)
    best = int(np.argmax(np.where(competing, numbers[:, 0], -np.inf)))
    behind = numbers[best] - numbers[names.index(measure)]
    low, _ = interval(behind[0], behind[1:])
    if behind[0] >= LESS_ROBUST and low > 0:
        tau, most = numbers[names.index(measure), 0], numbers[best, 0]
        yield {"criterion": "sparsity", "tau": tau, "best": most, "best_measure": names[best]}


def _avoid(facts: Facts, choice: Choice, measure: str, yardstick: str | None) -> Iterator[Entry]:
    """Yield measures that people would take, and should not, with the numbers of the reason.

    Those that a truth excludes; and those that simulations and the user's data speak against: their
    worst loss is significantly greater than that of the recommended measure, and they are worse
    than the conventional one in it, too, and in how many pairs of the user's runs reverse without
    the most popular items, by `MORE` of the pairs. What is recommended or conventional is never
    among them.
    """
    kept = {measure, facts.conventional, *choice.tied, *choice.defensible}
    taken = [name for name in facts.measures.index if _is_usual(name) and name not in kept]
    out = [*_excluded(facts, taken, yardstick)]
    yield from out[:MOST_AVOIDED]
    rest = [name for name in taken if name not in {own["measure"] for own in out}]
    yield from _reversing(facts, measure, rest)


def _is_usual(name: str) -> bool:
    """Whether people would take a measure: one of the study's seven at a usual cut-off."""
    parsed = Measure.parse(name)
    return parsed.name in PAPER and parsed.cutoff in USUAL


def _excluded(facts: Facts, names: Sequence[str], yardstick: str | None) -> Iterator[Entry]:
    """Yield the measures that a truth excludes, by this yardstick or outcomes, the worst first."""
    for ground in facts.grounds:
        if ground.by not in (yardstick, OUTCOMES):
            continue
        own = [name for name in names if name in ground.excluded]
        if not own:
            continue
        best = ground.table.loc[ground.best]
        ends = {
            "best_measure": ground.best,
            "best": best["tau"],
            "best_low": best["low"],
            "best_high": best["high"],
        }
        for name in sorted(own, key=lambda name: ground.table.at[name, "tau"]):
            tau = ground.table.at[name, "tau"]
            yield {"measure": name, "reason": "truth", "by": ground.by, "tau": tau, **ends}


def _reversing(facts: Facts, measure: str, names: Sequence[str]) -> Iterator[Entry]:
    """Yield the measures that lose in simulations and reverse the most pairs, the worst first."""
    table, pairs, usual = facts.measures, facts.n_pairs, facts.conventional
    ahead, as_usual = table.at[measure, "worst_loss_high"], table.at[usual, "worst_loss"]
    worse = [
        name
        for name in names
        if table.at[name, "worst_loss_low"] > ahead and not table.at[name, "worst_loss"] <= as_usual
    ]
    if len(facts.given.systems) < ENOUGH_TO_COMPARE or not worse:
        return
    counts = without_popular(facts.given, [measure, usual, *worse], facts.settings).sum(axis=1)
    found = dict(zip(worse, counts[2:].tolist(), strict=True))
    least = max(max(counts[:2]) + MORE * pairs, MANY * pairs)
    many = [name for name in worse if found[name] >= least]
    for name in sorted(many, key=lambda name: -found[name])[:MOST_AVOIDED]:
        numbers = {"reversed": found[name], "pairs": pairs, "conventional": int(counts[1])}
        yield {"measure": name, "reason": "popularity", **numbers}
