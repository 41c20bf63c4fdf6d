"""The rows behind the answer, as text: every sentence of it is about some of these."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rankassay.advice import table, words_conclusions
from rankassay.advice.words_names import at_most, decimal, digits_for, p_value, real
from rankassay.advice.words_tables import WHY_NOT
from rankassay.advice.words_trust import LABELS
from rankassay.drawing.table import MISSING
from rankassay.drawing.text import Printed, plain

Found = Mapping[str, Any]
DIGITS = 3
FEW = 20  # rows of the evidence of one line


def explain(found: Found) -> list[str]:
    """Return the tables behind the answer, as lines: first measures and runs, then line by line."""
    parts = [("measures", plain(table.measures(found)))]
    if left := [own for own in found["measures"] if not own["candidate"]]:
        rows = [[own["measure"], WHY_NOT.get(own["why_not"], own["why_not"] or "")] for own in left]
        parts.append(("measures that are not candidates", _table(("measure", "why not"), rows)))
    if found["systems"]:
        parts.append(("runs", plain(table.systems(found))))
    for own in found["trust"]:
        rows = [_numbers(own), *own["rows"], *own.get("leaders", ())]
        parts.append((LABELS[own["kind"]], _records(rows)))
    settings = [[name, _shown(value)] for name, value in found["settings"].items()]
    parts.append(("settings", _table(("setting", "value"), settings)))
    parts.append(("notes", "\n".join(f"- {note}" for note in found["notes"])))
    return [line for head, text in parts if text for line in _part(head, text)]


def pairs(found: Found) -> list[str]:
    """Return all pairs of runs as lines: their differences, and why a conclusion does not hold."""
    heads = ("better", "worse", "difference", "interval", "p", "reverses at", "conclusion")
    rows = []
    for own in found["pairs"]:
        digits = digits_for(own["difference"])
        between = table.interval(own["low"], own["high"], digits)
        said = words_conclusions.cause(own)
        gamma = real(own["gamma"])
        rows.append(
            [
                str(own["better"]),
                str(own["worse"]),
                table.shown(own["difference"], digits),
                between,
                p_value(own["p"]).removeprefix("p ").removeprefix("= "),
                MISSING if gamma is None else f"Γ = {at_most(gamma)}" if gamma < 1e6 else "no Γ",
                words_conclusions.ONE[said] if said else "stands",
            ]
        )
    return _table(heads, rows).splitlines() if rows else ["no pairs: one run has none"]


def _part(head: str, text: str) -> list[str]:
    return [head.upper(), "", *text.rstrip().splitlines(), ""]


def _numbers(entry: Found) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in ("kind", "rows", "leaders")}


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
