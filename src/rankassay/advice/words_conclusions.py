"""Which conclusions hold, in words: the pairs of runs, those that depend, and the first two."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rankassay.advice.passages import Passage
from rankassay.advice.words_names import (
    at_most,
    decimal,
    digits_for,
    measure,
    p_value,
    real,
    several,
)
from rankassay.errors import number_of

Found = Mapping[str, Any]
Name = Mapping[str, str]
EACH = 3  # pairs that are all shown one by one
NAMED = 2  # of the runs that one is better than
# Why the conclusion about a pair does not stand, the first that holds.
CAUSES: dict[str, Callable[[Found], bool]] = {
    "are of runs with the same hits": lambda own: own["identical"],
    "are not significant": lambda own: not own["significant"],
    "depend on the measure": lambda own: not own["agree"],
    "depend on the bias": lambda own: True,
}
# The same of one pair.
ONE = {
    "are of runs with the same hits": "is of runs with the same hits",
    "are not significant": "is not significant",
    "depend on the measure": "depends on the measure",
    "depend on the bias": "depends on the bias",
}


def passage(found: Found, name: Name, width: int) -> Passage | None:
    """Return which conclusions hold; None without a run.

    `name` has what each run is called, and `width` how many characters the list of pairs may have.
    """
    pairs = found["pairs"]
    if not pairs:
        runs = [own for own in found["systems"] if not own["reference"]]
        return Passage("conclusions", "Your run", _one(found, runs[0], name)) if runs else None
    stand = [own for own in pairs if own["stands"]]
    # No metric can find a difference between runs with the same hits: their pairs do not count.
    different = [own for own in pairs if not own["identical"]]
    gamma = real(found["settings"]["gamma"])
    bound = f"Γ = {gamma:g} (one hit may count {gamma**2:.3g} times another)"
    text = f"{len(stand):,} of {number_of(len(different), 'pair')}" if stand else "none"
    if len(pairs) <= EACH:
        said = [_pair(found, own, name) for own in pairs]
    else:
        rest = _rest(different), _identical(len(pairs) - len(different), bool(different))
        said = [*filter(None, [_listed(stand, name, width), *rest, _first(found, name)])]
    return Passage("conclusions", f"Conclusions that stand up to {bound}", text, tuple(said))


def cause(pair: Found) -> str:
    """Return why the conclusion about a pair does not hold; empty if it does."""
    return "" if pair["stands"] else next(said for said, holds in CAUSES.items() if holds(pair))


def _listed(stand: Sequence[Found], name: Name, width: int) -> str:
    """Return the pairs that hold, by the better or the worse run, as far as there is room."""
    groups = min((_grouped(stand, name, by) for by in ("better", "worse")), key=len)
    said, shown = "", 0
    for own, count in groups:
        left = len(stand) - shown - count
        tail = f"; and {number_of(left, 'more pair')}: --pairs" if left else ""
        if said and len(f"{said}; {own}{tail}") > width:
            return f"{said}; and {number_of(len(stand) - shown, 'more pair')}: --pairs"
        said, shown = f"{said}; {own}" if said else own, shown + count
    return said


def _grouped(stand: Sequence[Found], name: Name, by: str) -> list[tuple[str, int]]:
    """Return the pairs with the same better run, or the same worse one, and how many they are."""
    other = "worse" if by == "better" else "better"
    found: dict[str, list[str]] = {}
    for own in stand:
        found.setdefault(name[str(own[by])], []).append(name[str(own[other])])
    said = []
    for one, several_ in found.items():
        more = f" and {len(several_) - NAMED:,} more" if len(several_) > NAMED else ""
        rest = f"{', '.join(several_[:NAMED])}{more}"
        said.append((f"{one} > {rest}" if by == "better" else f"{rest} > {one}", len(several_)))
    return said


def _rest(pairs: Sequence[Found]) -> str:
    """Return how many pairs do not hold, and why, as a sentence."""
    left = [own for own in map(cause, pairs) if own]
    if not left:
        return ""
    counts = {said: left.count(said) for said in CAUSES if said in left}
    start = "All pairs" if len(left) == len(pairs) else f"The other {len(left):,}"
    parts = [f"{n:,} {said if n > 1 else ONE[said]}" for said, n in counts.items()]
    if len(counts) == 1:
        only = next(iter(counts))
        return f"{start} {only}." if len(left) > 1 else f"The other one {ONE[only]}."
    return f"{start}: {', '.join(parts)}."


def _identical(n: int, others: bool) -> str:
    """Return how many pairs are not counted, as their runs have the same hits; or nothing."""
    if not n:
        return ""
    if not others:
        return "All runs have the same hits."
    return (
        f"{'Another pair is' if n == 1 else f'Another {n:,} pairs are'} of runs with the same hits."
    )


def _first(found: Found, name: Name) -> str:
    """Return how the first two runs differ, or nothing."""
    first = {str(own["system"]) for own in found["systems"][:2]}
    for own in found["pairs"]:
        if {str(own["better"]), str(own["worse"])} == first:
            return _pair(found, own, name)
    return ""


def _pair(found: Found, own: Found, name: Name) -> str:
    """Return how two runs differ, with the difference and its interval, as a sentence."""
    better, worse = name[str(own["better"])], name[str(own["worse"])]
    if own["identical"]:
        return f"{better} and {worse} have the same hits: nothing separates them."
    text = f"{better} - {worse} = {_numbers(found, own)}"
    if not own["significant"]:
        return f"{text}: not significant."
    if own["stands"]:
        return f"{text}: stands."
    if own["agree"]:
        return f"{text}: not at Γ = {at_most(found['settings']['gamma'])}."
    weights = found["data"]["weights"]
    against = [measure(of, weights) for of, sign in own["signs"].items() if sign != 1]
    return f"{text}: not under {several(against, 1) if against else 'another measure'}."


def _numbers(found: Found, own: Found) -> str:
    """Return the difference of two runs, with its interval and p-value."""
    difference, low, high = (real(own[key]) for key in ("difference", "low", "high"))
    if difference is None:
        return f"undefined{_under(found)}"
    # Digits that the interval does not know say nothing.
    digits = digits_for(difference if low is None or high is None else (high - low) / 4)
    text = f"{decimal(difference, digits)}{_under(found)}"
    if low is not None:  # of few users, no difference is too large to be possible
        text += f" ({decimal(low, digits)} to {decimal(high, digits)})"
    return f"{text}, {p_value(own['p'])}"


def _under(found: Found) -> str:
    """Return the measure by which runs are ranked, as a clause."""
    own = ranked_by(found)
    return f" in {measure(own, found['data']['weights'])}" if own else ""


def ranked_by(found: Found) -> str | None:
    """Return the measure that the systems are ranked by: the first that is recommended."""
    entries = found["recommendation"]
    named = [entry["measure"] or entry["conventional"] for entry in entries]
    return next((own for own in named if own), None)


def _one(found: Found, own: Found, name: Name) -> str:
    """Return the value of a single run, as a sentence."""
    run, low, high = name[str(own["system"])], real(own["low"]), real(own["high"])
    if real(own["mean"]) is None:
        return f"the mean of {run} is undefined."
    interval = "" if low is None else f" ({decimal(low)} to {decimal(high)})"
    return f"{run} reaches {decimal(own['mean'])}{interval}{_under(found)}."
