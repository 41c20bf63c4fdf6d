"""The tables of advice on a page: cells with small plots, and the values that order the rows."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from rankassay.advice.rule import first_places
from rankassay.advice.words import TRUTHS
from rankassay.advice.words_evidence import COLUMNS, interval, numbers, ranges, shown
from rankassay.advice.words_names import at_most, measure, namer, p_value, percent, reported
from rankassay.advice.words_writing import reason
from rankassay.errors import listed

WIDTH, HEIGHT = 100, 12  # of a plot, in its own units
EDGE = 5  # units that are left at each side, for a dot at the end


@dataclass(frozen=True)
class Scale:
    """From values to places in a plot."""

    low: float
    high: float

    def place(self, value: float) -> float:
        """Return the place of a value, from the left.

        >>> Scale(0, 1).place(0), Scale(0, 1).place(1)
        (5.0, 95.0)
        """
        wide = self.high - self.low
        share = (value - self.low) / wide if wide > 0 else 0.5
        return EDGE + (WIDTH - 2 * EDGE) * min(max(share, 0.0), 1.0)


def scale(values: Iterable[float | None]) -> Scale:
    """Return the scale that all known values fit on."""
    known = [value for value in values if isinstance(value, float | int)]
    return Scale(min(known, default=0.0), max(known, default=0.0))


def dot(
    on: Scale,
    value: float | None,
    interval: tuple[float | None, float | None] = (None, None),
    rule: float | None = None,
) -> Markup:
    """Return a dot with its interval, or nothing without a value.

    Screen readers skip it, since the numbers stand next to it as text.
    """
    if value is None:
        return Markup()
    middle = f"{HEIGHT / 2:g}"
    parts = []
    if rule is not None and on.low <= rule <= on.high:
        at = f"{on.place(rule):.1f}"
        parts.append(f'<line class="rule" x1="{at}" x2="{at}" y1="0" y2="{HEIGHT}"/>')
    low, high = interval
    if low is not None and high is not None:
        ends = sorted([on.place(low), on.place(high)])
        across = f'x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{middle}" y2="{middle}"'
        parts.append(f'<line class="interval" {across}/>')
    parts.append(f'<circle cx="{on.place(value):.1f}" cy="{middle}" r="3.5"/>')
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" focusable="false"'
    return Markup(f'<svg class="dot" {box}>{"".join(parts)}</svg>')


Found = Mapping[str, Any]
Ends = tuple[float | None, float | None]
UNKNOWN: Ends = (None, None)
NONE = "none"
DIGITS = 3  # of numbers of any kind; correlations have two
FEW = 6  # runs: of so few, those that one beats are named, and of more their numbers
WRITING = (("Decided", "share"), ("Wrong", "of these"), ("Wrong", "in the worst family"))
MOST = {"measures": 150, "systems": 300, "pairs": 300, "rows": 100}  # rows of a table in the page
NAMED = {"measure": measure, "conventional": measure, "bounds_of": measure}
YARDSTICKS = {"liked": "liked items", "new": "items new to the user"}


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
    """Return the measures by all that is known of any, the recommended one first."""
    rows, name = found["measures"][: MOST["measures"]], namer(found)
    known = [key for key in COLUMNS if any(row[key] is not None for row in rows)]
    on = scale(row[key] for row in rows for key in known if key.startswith("tau_"))
    columns = [Column("Measure"), *(Column(COLUMNS[key], "", key) for key in known)]
    made = []
    for own in rows:
        order = {key: _orderable(own[key]) for key in known}
        cells = [_known(own, key, on) for key in known]
        made.append(Row(name(own["measure"]), cells, tags(own, found), order))
    return Plotted(columns, made, len(found["measures"]))


def _known(own: Mapping[str, Any], key: str, on: Scale) -> Cell:
    """Return what is known of a measure by one column, with a plot of simulated correlations."""
    ends = (own.get(f"{key}_low"), own.get(f"{key}_high"))
    plot = dot(on, own[key]) if key.startswith("tau_") else ""
    return Cell(shown(own[key], 0 if key == "reversed" else 2), interval(*ends, 2), plot)


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
        elif measure in advice["written"]:
            made.append(Tag("usual", "for writing"))
        if any(measure == avoided["measure"] for avoided in advice["avoid"]):
            made.append(Tag("avoid", f"avoid{of}"))
    if own["excluded"]:
        by = [TRUTHS[name] for name in own["excluded"].split(", ")]
        made.append(Tag("avoid", f"excluded by {listed(by)}"))
    return [*dict.fromkeys(made)]


def _digits(on: Scale) -> int:
    """Return the digits of means and differences, of which two distinguish the values."""
    wide = on.high - on.low
    return min(max(DIGITS, 1 + math.ceil(-math.log10(wide))), 6) if wide > 0 else DIGITS


def _ends(on: Scale, digits: int) -> list[str]:
    """Return the labels of the left and the right end of plots; none without values."""
    return [shown(end, digits) for end in (on.low, on.high)] if on.low < on.high else []


def systems(found: Found) -> Plotted:
    """Return the runs from best to worst under the recommended measure, and whom they beat."""
    every, number, name = found["systems"], numbers(found), namer(found)
    rows, (first, usual) = every[: MOST["systems"]], reported(found)
    few = len(every) <= FEW
    level = f"mean, {100 * found['settings']['confidence']:g}% interval"
    on = scale(row[key] for row in rows for key in ("mean", "low", "high"))
    digits = _digits(on)
    ends = _ends(on, digits)
    columns = [Column("Run"), Column(name(first), level, "mean", ends)]
    columns += [Column(name(usual), "mean, place", "conventional")] if usual else []
    places = first_places(found["data"]["depth"])
    columns += [Column("Found", f"of the first {places} places", "found")]
    columns += [Column("Liked", "of these", "liked")] if found["data"]["negative"] else []
    columns.append(Column("You may write it beats", "" if few else "numbers of the runs", ""))
    made = []
    for own in rows:
        beaten = [other for other in own["beats"] or () if other in number]
        between = (own["low"], own["high"])
        plot = dot(on, own["mean"], between)
        cells = [Cell(shown(own["mean"], digits), interval(*between, digits), plot)]
        if usual:
            place = "" if own["conventional_place"] is None else f"{own['conventional_place']}"
            cells.append(Cell(shown(own["conventional"], DIGITS), place))
        cells.append(Cell(percent(own["found"])))
        if found["data"]["negative"]:
            cells.append(Cell("–" if own["liked"] is None else percent(own["liked"])))
        text = ", ".join(beaten) if few else ranges(number[other] for other in beaten)
        cells.append(Cell(text or NONE))
        order = {key: _orderable(own[key]) for key in ("mean", "conventional", "found", "liked")}
        reference = [Tag("not", "reference system")] if own["reference"] else []
        made.append(Row(str(own["system"]).removeprefix("reference: "), cells, reference, order))
    return Plotted(columns, made, len(every))


def pairs(found: Found) -> Plotted:
    """Return the pairs of runs, those that may be written first."""
    every = sorted(found["pairs"], key=lambda own: not own["written"])
    rows, (first, usual) = every[: MOST["pairs"]], reported(found)
    on = scale([0, *(row[name] for row in rows for name in ("difference", "low", "high"))])
    digits, name = _digits(on), namer(found)
    columns = [
        Column("Pair", order=""),
        Column("Difference", f"{name(first)}, all intervals at once", "", _ends(on, digits)),
        Column("p-value", "corrected", ""),
        *([Column(name(usual), "difference, p-value", "")] if usual else []),
        Column("Stands up to", "Γ", ""),
        Column("You may write it", order=""),
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
        why = "yes" if own["written"] else reason(found, own)
        cells += [Cell(_gamma(own["stands_to"])), Cell(why)]
        alike = [Tag("not", "the same judged items")] if own["identical"] else []
        made.append(Row(f"{own['better']} > {own['worse']}", cells, alike))
    return Plotted(columns, made, len(every))


def simulated(found: Found) -> Plotted:
    """Return what simulations say of the two measures, by set of systems."""
    own, name = found["simulated"], namer(found)
    named = {"measure": reported(found)[0], "conventional": reported(found)[1]}
    known = {key: of for key, of in named.items() if of and own.get(key)}
    rows = [(of, truth) for of in own.get("measure", ()) for truth in own["measure"][of]]
    on = scale(
        row
        for key in known
        for truths in own[key].values()
        for of in truths.values()
        for row in (of["low"], of["high"])
    )
    columns = [Column("Systems, truth", order="")]
    for of in known.values():
        columns.append(Column(name(of), "τ, range over families", "", _ends(on, 2)))
        columns.append(Column("left out", "τ in a family that took no part", ""))
    made = []
    for of, truth in rows:
        cells = []
        for key in known:
            numbers = own[key][of][truth]
            ends = (numbers["low"], numbers["high"])
            cells.append(
                Cell(shown(numbers["tau"], 2), interval(*ends, 2), dot(on, numbers["tau"], ends))
            )
            cells.append(Cell(shown(numbers["left_out"], 2)))
        made.append(Row(f"{of}, {truth}", cells))
    return Plotted(columns, made, len(made))


def writing(found: Found) -> Plotted:
    """Return how many pairs are decided, and how many of these wrongly, in simulations."""
    own = found["simulated"]
    columns = [Column("Pairs", order="")]
    columns += [Column(head, unit, "") for head, unit in WRITING]
    labels = {"writing": "written", "usual": "by the conventional measure"}
    made = [
        Row(
            f"{kind}, {labels[of]}",
            [Cell(percent(row[key])) for key in ("decided", "wrong", "worst")],
        )
        for of in labels
        for kind, row in own.get(of, {}).items()
    ]
    return Plotted(columns, made, len(made))


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
