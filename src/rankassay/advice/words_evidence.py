"""The rows behind the answer, as text: every sentence of it is about some of these."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rankassay.advice import table
from rankassay.advice.words_names import (
    at_most,
    decimal,
    digits_for,
    p_value,
    real,
)
from rankassay.advice.words_writing import LABELS, SAID, reason
from rankassay.drawing.table import MISSING
from rankassay.drawing.text import Printed, plain

Found = Mapping[str, Any]
DIGITS = 3
UNSHOWN = ("kind", "rows", "limits", "warnings")
FEW = 20  # rows of the evidence of one line


def explain(found: Found) -> list[str]:
    """Return the tables behind the answer, as lines: first measures and runs, then line by line."""
    parts = [("measures", plain(table.measures(found)))]
    if found["systems"]:
        parts.append(("runs", plain(table.systems(found))))
    parts.append(
        (
            "checks",
            _records(
                [
                    {"of": "your data"} | _numbers(found["checks"]),
                    {"of": "1 of 40 simulated are below"} | found["checks"]["limits"],
                ]
            )
            if "limits" in found["checks"]
            else "",
        )
    )
    parts.append(("simulated", _simulated(found)))
    for own in found["trust"]:
        parts.append(
            (
                f"{LABELS[own['kind']]}: {SAID[own['kind']](own)}",
                _records([_numbers(own), *own["rows"]]),
            )
        )
    settings = [[name, _shown(value)] for name, value in found["settings"].items()]
    parts.append(("settings", _table(("setting", "value"), settings)))
    parts.append(("notes", "\n".join(f"- {note}" for note in found["notes"])))
    return [line for head, text in parts if text for line in _part(head, text)]


def _simulated(found: Found) -> str:
    """Return what simulations say of the two measures, and of the pairs that are written."""
    own, rows = found["simulated"], []
    for name in ("measure", "conventional"):
        for of, truths in own.get(name, {}).items():
            for truth, numbers in truths.items():
                rows.append({"of": name, "systems": of, "truth": truth} | dict(numbers))
    pairs = [
        {"pairs": of, "class": name} | dict(numbers)
        for of in ("writing", "usual")
        for name, numbers in own.get(of, {}).items()
    ]
    return _records([*rows, *pairs]) if rows or pairs else ""


def pairs(found: Found) -> list[str]:
    """Return all pairs of runs as lines: their differences, and why one may not write them."""
    heads = ("better", "worse", "difference", "interval", "p", "stands to", "you may write it")
    rows = []
    for own in found["pairs"]:
        digits = digits_for(own["difference"])
        between = table.interval(own["low"], own["high"], digits)
        stands = real(own["stands_to"])
        rows.append(
            [
                str(own["better"]),
                str(own["worse"]),
                table.shown(own["difference"], digits),
                between,
                p_value(own["p"]).removeprefix("p ").removeprefix("= "),
                f"Γ = {at_most(stands)}" if stands else MISSING,
                "yes" if own["written"] else reason(found, own),
            ]
        )
    return _table(heads, rows).splitlines() if rows else ["no pairs: one run has none"]


def _part(head: str, text: str) -> list[str]:
    name, colon, said = head.partition(":")  # of a sentence, τ and Γ stay what they are
    return [f"{name.upper()}{colon}{said}", "", *text.rstrip().splitlines(), ""]


def _numbers(entry: Found) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in UNSHOWN}


def _records(rows: Sequence[Found]) -> str:
    """Return records as tables, one for each set of columns, with the first rows of each."""
    groups: dict[tuple[str, ...], list[Found]] = {}
    for row in rows:
        groups.setdefault(tuple(row), []).append(row)
    said = []
    for columns, own in groups.items():
        text = _table(columns, ([_shown(row[key]) for key in columns] for row in own[:FEW]))
        more = f"and {len(own) - FEW:,} more rows: --json\n" if len(own) > FEW else ""
        said.append(f"{text}{more}")
    return "\n".join(said)


def _table(heads: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    heads = [*heads]
    return plain(Printed.plain(heads, [*rows], [False] * len(heads)))


def _shown(value: object) -> str:
    if value is None:
        return MISSING
    if isinstance(value, float):
        return decimal(value, digits_for(value)) if value % 1 else f"{value:g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_shown(own)}" for key, own in value.items())
    return str(value)
