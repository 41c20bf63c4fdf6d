"""The answer in parts, each with the word that it begins with, and laid out for a screen."""

import textwrap
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from rankassay.advice.words_names import BLANK
from rankassay.errors import number_of

# The parts in their order; of "report" to "avoid" there may be several, one for each yardstick.
KINDS = (
    *("data", "runs", "report", "cannot tell", "avoid", "write", "not", "because", "one", "trust"),
    "next",
)
INDENT = 8  # of what follows the first word of a verdict
LABEL = 21  # characters of what an entry of trust is about, with the blanks behind it
BOLD, DIM, PLAIN = "\033[1m", "\033[2m", "\033[0m"
WHOLE = ("runs", "not", "because")  # parts that are shown whole or not at all
# What is shown next to the first line of each part, as far as there is room, the most important
# first: which sentence or entry of which part.
ORDER = (
    # All warnings and all of trust, as on the page: a risk that is left out is taken for none.
    *(("data", n) for n in range(6)),
    ("runs", 0),
    *(("trust", n) for n in range(2)),
    # That the conventional measure reverses a pair goes before steps that repeat what stands above.
    *(("not", 0), ("report", 0), ("write", 0), ("because", 0), ("write", 1), ("next", 0)),
    *(("report", 1), ("report", 2), ("next", 1), ("avoid", 0), ("report", 3), ("next", 2)),
    ("avoid", 1),
)
VERDICTS = ("report", "cannot tell", "avoid")
WRITING = ("write", "not", "because", "one")
Style = Callable[[str, str], str]


@dataclass(frozen=True)
class Entry:
    """One line of a part."""

    name: str  # what it is of, such as "bias"; a step to do next has none
    text: str
    command: str | None = None  # what to type for it


@dataclass(frozen=True)
class Passage:
    """A part of the answer."""

    kind: str  # one of `KINDS`
    head: str  # "REPORT", or a heading such as "How far to trust it"; empty of the data
    text: str = ""  # what follows at once: the measures, or the pairs of runs
    sentences: tuple[str, ...] = ()  # why, what the measure is bad at, and what else has to be said
    entries: tuple[Entry, ...] = ()  # the lines of trust, and the steps to do next
    rows: tuple[tuple[str, ...], ...] = ()  # of a table; the first has the heads


def laid_out(parts: Sequence[Passage], width: int, height: int, colour: bool) -> list[str]:
    """Return passages as lines: their first lines, and as much of the rest as fits, by `ORDER`.

    Empty lines between them give way before any sentence does, the last ones first.
    """
    shown: set[tuple[int, int]] = set()
    wanted = [(n, i) for kind, i in ORDER for n, own in enumerate(parts) if own.kind == kind]
    lines = _lines(_kept(parts, shown), width, colour)
    for unit in wanted:
        more = _lines(_kept(parts, shown | {unit}), width, colour)
        if sum(map(bool, more)) <= height:
            shown, lines = shown | {unit}, more
    while len(lines) > height and "" in lines:
        del lines[len(lines) - 1 - lines[::-1].index("")]
    return lines


def _kept(parts: Sequence[Passage], shown: Collection[tuple[int, int]]) -> list[Passage]:
    """Return passages with those sentences and entries that are shown."""

    def some(n: int, every: tuple) -> tuple:
        return tuple(own for i, own in enumerate(every) if (n, i) in shown)

    kept = []
    for n, own in enumerate(parts):
        if own.kind in WHOLE and (n, 0) not in shown:
            continue
        entries, head = some(n, own.entries), own.head
        if own.kind == "trust" and (left := len(own.entries) - len(entries)):
            head += f" (no room for {number_of(left, 'line')}: --out)"
        kept.append(replace(own, head=head, sentences=some(n, own.sentences), entries=entries))
    return kept


def _lines(parts: Sequence[Passage], width: int, colour: bool) -> list[str]:
    """Return passages as lines, with an empty one between those that do not belong together."""
    lines: list[str] = []
    before = ""
    for own in parts:
        if own.kind in ("trust", "next") and not own.entries:
            continue
        if before and not any({before, own.kind} <= {*some} for some in (VERDICTS, WRITING)):
            lines.append("")
        lines += FORMS[own.kind](own, width, _style(colour))
        before = own.kind
    return lines


def _style(colour: bool) -> Style:
    """Return a function of text and its look that marks it for a terminal, or not."""
    return lambda text, look: f"{look}{text}{PLAIN}" if colour and text else text


def _data(own: Passage, width: int, style: Style) -> list[str]:
    return [line for text in (own.text, *own.sentences) for line in _wrapped(text, width)]


def _verdict(own: Passage, width: int, style: Style) -> list[str]:
    """Return a verdict: its first words, its text, and the reasons below."""
    head = own.head.rjust(INDENT - 2) if len(own.head) < INDENT - 2 else own.head
    first = f"{head}  {own.text}" if head.strip() == own.head else own.text
    lines = _wrapped(first, width, INDENT)
    lines[0] = lines[0].replace(own.head, style(own.head, BOLD), 1)
    for text in own.sentences:
        lines += [style(line, DIM) for line in _wrapped(text, width, INDENT, " " * INDENT)]
    return lines


def _rows(own: Passage, width: int, style: Style) -> list[str]:
    """Return a table: names to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*own.rows, strict=True)]
    lines = []
    for row in own.rows:
        cells = [
            cell.ljust(wide) if n == 1 else cell.rjust(wide)
            for n, (cell, wide) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).replace(BLANK, " ").rstrip()[:width])
    return lines


def _trust(own: Passage, width: int, style: Style) -> list[str]:
    lines = [style(own.head, BOLD)]
    for entry in own.entries:
        start = f"  {entry.name:{LABEL}}"
        lines += [style(line, DIM) for line in _wrapped(entry.text, width, len(start), start)]
    return lines


def _next(own: Passage, width: int, style: Style) -> list[str]:
    lines: list[str] = []
    for number, entry in enumerate(own.entries, start=1):
        start = f"{own.head if number == 1 else '':{len(own.head)}}  {number}. "
        lines += _wrapped(_said(entry, width - len(start)), width, len(start), start)
    lines[0] = lines[0].replace(own.head, style(own.head, BOLD), 1)
    return lines


def _said(entry: Entry, room: int) -> str:
    """Return a step with its command behind it; a command that fills the line says it alone."""
    if not entry.command:
        return entry.text
    whole = f"{entry.text.rstrip('.')}: {entry.command}"
    alone = len(whole) > room >= len(entry.command) and entry.command.startswith("rankassay ")
    return entry.command if alone else whole


FORMS = {
    "data": _data,
    "report": _verdict,
    "cannot tell": _verdict,
    "avoid": _verdict,
    "runs": _rows,
    "write": _verdict,
    "not": _verdict,
    "because": _verdict,
    "one": _verdict,
    "trust": _trust,
    "next": _next,
}


def _wrapped(text: str, width: int, indent: int = 0, start: str = "") -> list[str]:
    """Return a text as lines, those after the first indented."""
    lines = textwrap.wrap(
        text, width, initial_indent=start, subsequent_indent=" " * indent, break_on_hyphens=False
    )
    return [line.replace(BLANK, " ") for line in lines]
