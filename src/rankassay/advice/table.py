"""Advice as tables to print: the runs with whom they beat, and the measures by all criteria."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rankassay.advice import words_conclusions
from rankassay.advice.words_names import decimal, measure
from rankassay.advice.words_tables import CRITERIA
from rankassay.drawing.table import MISSING
from rankassay.drawing.text import Cell, Printed, sum_of_p_values

Found = Mapping[str, Any]
CORRECTIONS = {"max-t": "max-T", "holm": "Holm's method"}


def systems(found: Found, digits: int = 4) -> Printed:
    """Return the runs from best to worst, with their means, intervals and whom they beat.

    Parameters
    ----------
    found : mapping
        As `rankassay.advice.findings.Findings.to_dict` returns it.
    digits : int
        Of the means, behind the point.
    """
    number, name = numbers(found), namer(found)
    first, usual = ranked_by(found)
    level = f"{100 * found['settings']['confidence']:g}% interval"
    heads = ["", "Run", name(first), level, *([name(usual)] if usual else [])]
    cells: list[list[Cell]] = []
    for own in found["systems"]:
        beats = ranges(number[other] for other in own["beats"] or () if other in number)
        mean: Cell = (shown(own["mean"], digits), own["place"] == 1, beats)
        between: Cell = (interval(own["low"], own["high"], digits), False)
        row: list[Cell] = [(str(number[own["system"]]), False), (own["system"], False)]
        row += [mean, between, *([(shown(own["conventional"], digits), False)] if usual else [])]
        cells.append(row)
    return Printed(
        heads,
        cells,
        [True, False, *[True] * (len(heads) - 2)],
        f"The runs under {name(first)}, the best first.",
        f"Raised: the numbers of the runs that a run beats significantly ({_tested(found)}). "
        "Interval: over users.",
    )


def _tested(found: Found) -> str:
    """Return how the pairs of runs were tested."""
    by = " and ".join(dict.fromkeys(CORRECTIONS[own["correction"]] for own in found["pairs"]))
    corrected = f"corrected for all pairs by {by}, " if by else ""
    return f"paired permutation test, {corrected}p < {found['settings']['alpha']:g}"


def measures(found: Found, digits: int = 3) -> Printed:
    """Return the measures by all criteria that are known of any; parameters as of `systems`."""
    rows, name = found["measures"], namer(found)
    known = [key for key in CRITERIA if any(own[key] is not None for own in rows)]
    advised = {advice["measure"] for advice in found["recommendation"]}
    cells = [
        [
            (name(own["measure"]), own["measure"] in advised),
            *((criterion(own, key, digits), False) for key in known),
        ]
        for own in rows
    ]
    return Printed(
        ["Measure", *(CRITERIA[key].short for key in known)],
        cells,
        [False, *[True] * len(known)],
        "The measures; the recommended one is bold.",
        "Validity: mean τ with the truth in simulated worlds; worst loss: τ lost there against the "
        "best measure in the worst kind of worlds. Sparsity, popularity: mean τ with the ranking "
        "on all judgements. DP: the sum of p-values, lower is better.",
    )


def namer(found: Found) -> Callable[[str | None], str]:
    """Return what gives measures their names for readers."""
    weights = found["data"]["weights"]
    return lambda name: "Mean" if name is None else measure(name, weights)


def ranked_by(found: Found) -> tuple[str | None, str | None]:
    """Return the measure that the runs are ranked by, and the conventional one if it is another."""
    first = words_conclusions.ranked_by(found)
    usual = next(filter(None, (advice["conventional"] for advice in found["recommendation"])), None)
    return first, usual if usual != first else None


def by_merit(found: Found) -> list[Mapping[str, Any]]:
    """Return the measures: recommended, conventional, candidates, others; by their worst loss."""
    advised = [advice["measure"] for advice in found["recommendation"]]
    usual = [advice["conventional"] for advice in found["recommendation"]]

    def merit(own: Mapping[str, Any]) -> tuple:
        loss = float("inf") if own["worst_loss"] is None else own["worst_loss"]
        first = (own["measure"] not in advised, own["measure"] not in usual)
        return (*first, not own["candidate"], loss)

    return sorted(found["measures"], key=merit)


def numbers(found: Found) -> dict[str, int]:
    """Return the numbers by which tables name the runs, from 1 for the best."""
    return {own["system"]: i for i, own in enumerate(found["systems"], 1)}


def criterion(own: Mapping[str, Any], key: str, digits: int) -> str:
    """Return a measure's value by a criterion."""
    value = own[key]
    return sum_of_p_values(value, 2) if key == "power" and value else shown(value, digits)


def shown(value: float | str | None, digits: int) -> str:
    """Return a number with some digits behind the point, without a zero before it.

    >>> shown(0.712, 2), shown(None, 2), shown("Infinity", 1)
    ('.71', '–', '∞')
    """
    if value is None:
        return MISSING
    return value.replace("Infinity", "∞") if isinstance(value, str) else decimal(value, digits)


def interval(low: float | None, high: float | None, digits: int) -> str:
    """Return an interval, or nothing where it is unknown.

    >>> interval(0.61, 0.7, 2), interval(None, None, 2)
    ('.61 to .70', '')
    """
    unknown = low is None or high is None
    return "" if unknown else f"{shown(low, digits)} to {shown(high, digits)}"


def ranges(places: Iterable[int]) -> str:
    """Return whole numbers in their order, three or more that follow one another as a range.

    >>> ranges([4, 2, 3, 7, 8])
    '2–4, 7, 8'
    """
    parts: list[list[int]] = []
    for place in sorted(places):
        if parts and parts[-1][-1] == place - 1:
            parts[-1].append(place)
        else:
            parts.append([place])
    return ", ".join(
        f"{part[0]}–{part[-1]}" if len(part) > 2 else ", ".join(map(str, part)) for part in parts
    )
