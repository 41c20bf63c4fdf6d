"""Advice as tables to print: the runs with whom they beat, and the measures."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rankassay.advice.words_names import decimal, measure, reported
from rankassay.drawing.table import MISSING
from rankassay.drawing.text import Cell, Printed

Found = Mapping[str, Any]
CORRECTIONS = {"max-t": "max-T", "holm": "Holm's method"}
COLUMNS = {
    "truth_liked": "Truth, liked",
    "truth_new": "Truth, new",
    "outcomes": "Outcomes",
    "tau_mixed": "Simulated, mixed",
    "tau_close": "close",
    "tau_sweep": "one method",
    "alike": "Your runs",
    "reversed": "Pairs reversed",
}


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
    first, usual = reported(found)
    level = f"{100 * found['settings']['confidence']:g}% interval"
    heads = ["", "Run", name(first), level, *([name(usual)] if usual else [])]
    cells: list[list[Cell]] = []
    for own in (row for row in found["systems"] if not row["reference"]):
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
        f"Raised: the numbers of the runs that one may write it is better than ({_tested(found)}). "
        "Interval: over users.",
    )


def _tested(found: Found) -> str:
    """Return how the pairs of runs were tested."""
    by = " and ".join(dict.fromkeys(CORRECTIONS[own["correction"]] for own in found["pairs"]))
    corrected = f"corrected for all pairs by {by}, " if by else ""
    return f"paired permutation test, {corrected}p < {found['settings']['alpha']:g}"


def measures(found: Found, digits: int = 2) -> Printed:
    """Return the measures by all that is known of any; parameters as of `systems`."""
    rows, name = found["measures"], namer(found)
    known = [key for key in COLUMNS if any(own[key] is not None for own in rows)]
    advised = {advice["measure"] for advice in found["recommendation"]}
    cells = [
        [
            (name(own["measure"]), own["measure"] in advised),
            *((shown(own[key], 0 if key == "reversed" else digits), False) for key in known),
        ]
        for own in rows
    ]
    return Printed(
        ["Measure", *(COLUMNS[key] for key in known)],
        cells,
        [False, *[True] * len(known)],
        "The measures; the recommended one is bold.",
        "Mean τ with the true order of systems in simulated worlds, by set of systems; τ of your "
        "runs with their order by the recommended measure, and with a truth that was given.",
    )


def namer(found: Found) -> Callable[[str], str]:
    """Return what gives measures their names for readers."""
    weights = found["data"]["weights"]
    return lambda name: measure(name, weights)


def numbers(found: Found) -> dict[str, int]:
    """Return the numbers by which tables name the runs, from 1 for the best."""
    return {own["system"]: i for i, own in enumerate(found["systems"], 1)}


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
