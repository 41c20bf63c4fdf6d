"""The tables of advice on a page: cells with small plots, and the values that order the rows."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from rankassay.advice.table import (
    by_merit,
    criterion,
    interval,
    namer,
    numbers,
    ranges,
    ranked_by,
    shown,
)
from rankassay.advice.words_names import at_most, kind, measure, p_value
from rankassay.advice.words_report import BY as TRUTH_OF
from rankassay.advice.words_report import TRUTHS
from rankassay.advice.words_tables import CRITERIA, WHY_NOT, YARDSTICKS, Criterion
from rankassay.errors import listed
from rankassay.report.dots import Scale, dot, scale

Found = Mapping[str, Any]
Ends = tuple[float | None, float | None]
UNKNOWN: Ends = (None, None)
NONE = "none"
DIGITS = 3  # of numbers of any kind; correlations have two
FEW = 6  # runs: of so few, those that one beats are named, and of more their numbers
MOST = {"measures": 150, "systems": 300, "pairs": 300, "rows": 100}  # rows of a table in the page
NAMED = {"measure": measure, "conventional": measure, "kind": kind, "worst_kind": kind}


@dataclass(frozen=True)
class Column:
    """The head of a column: its name, its unit, and the value that orders its rows.

    `order` is "text", a key of `Row.order`, or empty where nothing can be ordered. `ends` are the
    labels at the left and right end of the plots.
    """

    head: str
    unit: str = ""
    order: str = "text"
    ends: Sequence[str] = ()


@dataclass(frozen=True)
class Cell:
    """A cell: its text, a smaller text behind it, and a plot of both."""

    text: str
    small: str = ""
    plot: Markup | str = ""


@dataclass(frozen=True)
class Tag:
    """A label next to a name, such as "avoid"; its kind decides the colour."""

    kind: str
    text: str


@dataclass(frozen=True)
class Row:
    """A row, whose first cell is its name."""

    name: str
    cells: Sequence[Cell]
    tags: Sequence[Tag] = ()
    order: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Plotted:
    """A table: its columns, the first of which has the names, its rows, and how many there are."""

    columns: Sequence[Column]
    rows: Sequence[Row]
    total: int


def measures(found: Found) -> Plotted:
    """Return the measures by all criteria with values, the recommended one first."""
    every = by_merit(found)
    rows, name = every[: MOST["measures"]], namer(found)
    known = {key: own for key, own in CRITERIA.items() if any(r[key] is not None for r in rows)}
    scales = {key: _scale(rows, key, own) for key, own in known.items()}
    columns = [Column("Measure")]
    for key, own in known.items():
        ends = _ends(scales[key], 2)
        columns.append(Column(own.head, own.unit, key, ends))
    made = []
    for own in rows:
        order = {key: _orderable(own[key]) for key in known}
        cells = [_criterion(own, key, known[key], scales[key]) for key in known]
        made.append(Row(name(own["measure"]), cells, tags(own, found), order))
    return Plotted(columns, made, len(every))


def tags(own: Mapping[str, Any], found: Found) -> list[Tag]:
    """Return the labels of a measure in the advice, a word each."""
    several, measure = len(found["recommendation"]) > 1, own["measure"]
    made = []
    for advice in found["recommendation"]:
        of = f" for {YARDSTICKS[advice['yardstick']]}" if several else ""
        if measure == advice["measure"]:
            made.append(Tag("report", f"report{of}"))
        elif measure == advice["conventional"]:
            made.append(Tag("usual", "conventional"))
        if measure in advice["tied"]:
            made.append(Tag("tied", f"tied{of}"))
        if any(measure == avoided["measure"] for avoided in advice["avoid"]):
            made.append(Tag("avoid", f"avoid{of}"))
    if own["excluded"]:
        by = [TRUTHS[TRUTH_OF[name]] for name in own["excluded"].split(", ")]
        made.append(Tag("avoid", f"excluded by {listed(by)}"))
    if own["why_not"]:
        made.append(Tag("not", WHY_NOT.get(own["why_not"], own["why_not"])))
    elif not own["simulated"]:
        made.append(Tag("not", "not simulated"))
    return [*dict.fromkeys(made)]


def _digits(on: Scale) -> int:
    """Return the digits of means and differences, of which two distinguish the values."""
    wide = on.high - on.low
    return min(max(DIGITS, 1 + math.ceil(-math.log10(wide))), 6) if wide > 0 else DIGITS


def _ends(on: Scale, digits: int) -> list[str]:
    """Return the labels of the left and the right end of plots; none without values."""
    ends = [shown(end, digits) for end in (on.low, on.high)] if on.low < on.high else []
    return ends[::-1] if on.falling else ends


def _scale(rows: Iterable[Mapping[str, Any]], key: str, own: Criterion) -> Scale:
    wanted = (key, f"{key}_low", f"{key}_high", *own.reach)
    return scale((row.get(name) for row in rows for name in wanted), own.falling)


def _criterion(own: Mapping[str, Any], key: str, what: Criterion, on: Scale) -> Cell:
    ends = (own.get(f"{key}_low"), own.get(f"{key}_high"))
    reach = (own[what.reach[0]], own[what.reach[1]]) if what.reach else UNKNOWN
    return Cell(criterion(own, key, 2), interval(*ends, 2), dot(on, own[key], ends, reach))


def systems(found: Found) -> Plotted:
    """Return the runs from best to worst under the recommended measure, and whom they beat."""
    every, number, name = found["systems"], numbers(found), namer(found)
    rows, (first, usual) = every[: MOST["systems"]], ranked_by(found)
    few = len(every) <= FEW
    level = f"mean, {100 * found['settings']['confidence']:g}% interval"
    on = scale(row[key] for row in rows for key in ("mean", "low", "high"))
    digits = _digits(on)
    ends = _ends(on, digits)
    columns = [Column("Run"), Column(name(first), level, "mean", ends)]
    columns += [Column(name(usual), "mean", "conventional")] if usual else []
    columns.append(Column("Significantly better than", "" if few else "numbers of the runs", ""))
    made = []
    for own in rows:
        beaten = [other for other in own["beats"] or () if other in number]
        between = (own["low"], own["high"])
        plot = dot(on, own["mean"], between)
        cells = [Cell(shown(own["mean"], digits), interval(*between, digits), plot)]
        cells += [Cell(shown(own["conventional"], DIGITS))] if usual else []
        text = ", ".join(beaten) if few else ranges(number[other] for other in beaten)
        cells.append(Cell(text or NONE))
        order = {key: _orderable(own[key]) for key in ("mean", "conventional")}
        reference = [Tag("not", "reference system")] if own["reference"] else []
        made.append(Row(str(own["system"]), cells, reference, order))
    return Plotted(columns, made, len(every))


def pairs(found: Found) -> Plotted:
    """Return the pairs of runs, those that hold first."""
    every = sorted(found["pairs"], key=lambda own: not own["stands"])
    rows, (first, usual) = every[: MOST["pairs"]], ranked_by(found)
    on = scale([0, *(row[name] for row in rows for name in ("difference", "low", "high"))])
    digits, name = _digits(on), namer(found)
    columns = [
        Column("Pair", order=""),
        Column("Difference", f"{name(first)}, all intervals at once", "", _ends(on, digits)),
        Column("p-value", "corrected", ""),
        *([Column(name(usual), "difference, p-value", "")] if usual else []),
        Column("Measures agree", order=""),
        Column("Reversed at", "Γ", ""),
        Column("Significant up to", "Γ", ""),
        Column("Stands", order=""),
        Column("Judging could reverse it", order=""),
    ]
    made = []
    for own in rows:
        between = (own["low"], own["high"])
        plot = dot(on, own["difference"], between, rule=0)
        cells = [
            Cell(shown(own["difference"], digits), interval(*between, digits), plot),
            Cell(p_value(own["p"])),
        ]
        if usual:
            difference = shown(own["conventional_difference"], DIGITS)
            cells.append(Cell(difference, p_value(own["conventional_p"])))
        cells += [
            Cell(_yes(own["agree"])),
            Cell(_gamma(own["gamma"])),
            Cell(_gamma(own["stands_to"])),
            Cell(_yes(own["stands"])),
            Cell(_yes(own["undetermined"])),
        ]
        alike = [Tag("not", "the same judged items")] if own["identical"] else []
        made.append(Row(f"{own['better']} > {own['worse']}", cells, alike))
    return Plotted(columns, made, len(every))


def exposures(found: Found) -> Plotted:
    """Return the kinds of simulated worlds, with τ of the measures advised and of the best."""
    name, kinds = (
        namer(found),
        [*dict.fromkeys(k for a in found["recommendation"] for k in a["exposures"])],
    )
    taus = {own["measure"]: own["taus"] for own in found["measures"] if own.get("taus")}
    advised = [own for own in dict.fromkeys(filter(None, ranked_by(found))) if own in taus]
    on = scale(tau for own in taus.values() for tau in own.values())
    ends = _ends(on, 2)
    columns = [Column("Kind of simulated worlds", order="")]
    columns += [Column(name(own), "τ with the truth", "", ends) for own in advised]
    columns += [Column("Best measure there", "τ with the truth", "")] if taus else []
    made = []
    for key in kinds:
        cells = [
            Cell(shown(taus[own].get(key), 2), "", dot(on, taus[own].get(key))) for own in advised
        ]
        known = {own: by[key] for own, by in taus.items() if by.get(key) is not None}
        best = max(known, key=known.__getitem__, default=None)
        cells += [Cell(shown(known.get(best), 2), name(best) if best else "")] if taus else []
        made.append(Row(kind(key), cells))
    return Plotted(columns, made, len(kinds))


def plain(rows: Sequence[Mapping[str, Any]]) -> Plotted:
    """Return records of any kind, with a column for each of their keys."""
    keys = [*dict.fromkeys(key for row in rows for key in row)]
    made = [
        Row(_named(keys[0], row), [Cell(_named(key, row)) for key in keys[1:]])
        for row in rows[: MOST["rows"]]
    ]
    return Plotted([Column(key.replace("_", " "), order="") for key in keys], made, len(rows))


def _named(key: str, row: Mapping[str, Any]) -> str:
    """Return the value of a record under a key: measures and kinds as readers call them."""
    value = row.get(key)
    if isinstance(value, str) and key in NAMED:
        return NAMED[key](value)
    return written(value)


def written(value: Any) -> str:
    """Return a value of any kind as text.

    >>> written(0.25), written(5000), written(True), written([80, 60]), written(None)
    ('.25', '5,000', 'yes', '80, 60', '–')
    """
    if isinstance(value, bool):
        return _yes(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {written(own)}" for key, own in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(written, value)) or "–"
    if isinstance(value, int) or (isinstance(value, float) and value == round(value)):
        return f"{value:,.0f}"
    if isinstance(value, float):
        if abs(value) < 10**-DIGITS:
            return f"{value:.1g}"
        return shown(value, DIGITS).rstrip("0").rstrip(".")
    return shown(value, 0) if value is None or value.endswith("Infinity") else value


def _gamma(value: float | str | None) -> str:
    """Return a Γ rounded down; 0 is for none."""
    return at_most(value) if isinstance(value, float | int) and value else shown(value or None, 2)


def _yes(value: bool | None) -> str:
    return {True: "yes", False: "no", None: "–"}[value]


def _orderable(value: float | None) -> float:
    return float("nan") if value is None else value
