"""Sentences on a winner's sensitivity to selection."""

import math
from collections.abc import Mapping
from typing import Any

from rankassay.errors import number_of
from rankassay.metrics.catalogue import label
from rankassay.metrics.evaluate import Measure

DIVIDED = ("R", "nDCG", "SNIPS", "Stratified")  # by what also has hits that were not observed


def sentences(winner: Mapping[str, Any]) -> list[str]:
    """Return the Γ at which the winner changes, and the pairs significant up to the default one.

    `winner` is a row of what `rankassay.statistics.sensitivity.winners` returns. No winner is
    unconditional: it stays first up to a Γ, which is rounded down, so that the sentence holds.

    >>> row = {"metric": "P", "cutoff": 10, "measure": "P@10", "leader": "wrmf", "gamma": 1.345}
    >>> row |= {"rival": "puresvd", "hits": 90, "hits_rival": 50, "same": 0}
    >>> for said in sentences(row | {"pairs": 210, "standing": 82, "default": 3.0}):
    ...     print(said)
    wrmf stays first under P@10 up to Γ = 1.34. Beyond, puresvd can overtake it.
    82 of 210 pairs of systems are significant up to Γ = 3.
    """
    name, by = label(winner["metric"], _cutoff(winner["cutoff"])), _shown(winner["measure"])
    stands_in = "" if by == name else f", which stands in for {name},"
    measure = Measure.parse(winner["measure"])
    centred = measure.metric == "CP" or bool(dict(measure.parameters).get("centred"))
    held = "denominator" if measure.metric in DIVIDED else "share of relevant items"
    fixed = f" (each user's {held} held fixed)" if measure.metric in DIVIDED or centred else ""
    hit = "judged item" if centred else "hit"
    return [_of_winner(winner, f"{by}{fixed}{stands_in}", hit), _of_pairs(winner, hit)]


def _of_winner(winner: Mapping[str, Any], by: str, hit: str) -> str:
    """Return at which Γ the winner changes; `hit` is what counts."""
    leader, rival, gamma = winner["leader"], winner["rival"], float(winner["gamma"])
    last = by.rstrip(",")  # before a colon
    if math.isnan(gamma):
        return f"Γ is undefined under {last}: no system has another {hit} than {leader}."
    same = int(winner["same"])
    others = f"{number_of(same, 'system')} with the same {hit}s" if same else ""
    if math.isinf(gamma):
        hits = number_of(int(winner["hits"]), hit)
        adds = "adds" if int(winner["hits"]) == 1 else "add"
        tied = f" than all but {others}" if same else ""
        return (
            f"No weights put another system ahead of {leader} under {last}. No {hit} adds less to "
            f"its value than to another's, and at least {hits} {adds} more{tied}."
        )
    if gamma == 1:
        return f"{leader} and {rival} are tied under {last}: beyond Γ = 1, either can be ahead."
    tied = f" (tied with {others})" if same else ""
    stays = f"{leader}{tied} stays first under {by} up to Γ = {down(gamma)}"
    return f"{stays}. Beyond, {rival} can overtake it."


def _of_pairs(winner: Mapping[str, Any], hit: str) -> str:
    """Return how many pairs are significant up to the default Γ."""
    pairs, standing, default = (winner[key] for key in ("pairs", "standing", "default"))
    significant = f"significant {'up to' if standing else 'at'} Γ = {default:g}"
    if not pairs:
        return f"All systems have the same {hit}s."
    if pairs == 1:
        return f"The difference is {'' if standing else 'not '}{significant}."
    count = f"{standing:,}" if standing else "None"
    return f"{count} of {pairs:,} pairs of systems {'is' if standing < 2 else 'are'} {significant}."


def down(gamma: float) -> str:
    """Return a Γ with two decimals, rounded down, so that "up to" holds.

    >>> down(1.129), down(1.15), down(math.inf), down(math.nan)
    ('1.12', '1.15', 'inf', 'nan')
    """
    return f"{math.floor(round(100 * gamma, 6)) / 100 if math.isfinite(gamma) else gamma:.2f}"


def _cutoff(cutoff: Any) -> float | None:
    """Return a cut-off, None for whole lists."""
    return None if cutoff is None or cutoff != cutoff else float(cutoff)


def _shown(measure: str) -> str:
    """Return a measure by the name that readers know."""
    metric, at, cutoff = measure.rpartition("@")
    return f"{label(metric)}@{cutoff}" if at else label(measure)
