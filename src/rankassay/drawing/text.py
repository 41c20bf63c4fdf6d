"""Words and tables as text: Markdown, and LaTeX with the rules of booktabs."""

import math
import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from rankassay.errors import RankassayError

LINE = 100  # characters of text without markup
WRAPPED = 34  # characters: longer cells are set as paragraphs in LaTeX
WIDE = 8  # columns: wider tables span both columns of the page in LaTeX
# A text, whether it is bold, and its superscript, if any.
Cell = tuple[str, bool] | tuple[str, bool, str]


LEAST = 1e-4  # what smaller sums of p-values are only said to be below


def sum_of_p_values(value: float, decimals: int) -> str:
    """Return discriminative power with some decimals; below 1, with two digits that are no zeros.

    A small sum must not look as if there were no p-value at all.

    >>> sum_of_p_values(1.53, 1), sum_of_p_values(0.5, 1), sum_of_p_values(0.0163, 1)
    ('1.5', '0.50', '0.016')
    >>> sum_of_p_values(3e-9, 2), sum_of_p_values(0.0, 2)
    ('below 0.0001', '0.00')
    """
    if 0 < value < LEAST:
        return f"below {LEAST:g}"
    if 0 < value < 1:
        decimals = max(decimals, 1 - math.floor(math.log10(value)))
    return f"{value:.{decimals}f}"


@dataclass(frozen=True)
class Printed:
    """A table as readers see it: texts, which of them are bold, and which columns are numbers."""

    names: Sequence[str]
    cells: Sequence[Sequence[Cell]]
    numeric: Sequence[bool]
    caption: str = ""
    note: str = ""

    @classmethod
    def plain(
        cls, names: Sequence[str], rows: Iterable[Sequence[str]], numeric: Sequence[bool]
    ) -> Self:
        """Return a table without bold cells."""
        return cls(names, [[(text, False) for text in row] for row in rows], numeric)


GREEK = {
    letter: rf"$\{name}$"
    for letters, names in (
        ("αβγδεζηθκλμ", "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu"),
        ("νξπρστφχψω", "nu xi pi rho sigma tau phi chi psi omega"),
        ("ΓΔΘΛΞΠΣΦΨΩ", "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"),
    )
    for letter, name in zip(letters, names.split(), strict=True)
}
LATEX = (
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "−": "$-$",
        "²": "$^2$",
        "∞": r"$\infty$",
        "×": r"$\times$",
        "±": r"$\pm$",
        "·": r"$\cdot$",
        "√": r"$\surd$",
        "<": "$<$",
        ">": "$>$",
        "†": r"\dag{}",
        "‡": r"\ddag{}",
        "≥": r"$\geq$",
        "≤": r"$\leq$",
        "↑": r"$\uparrow$",
        "↓": r"$\downarrow$",
    }
    | GREEK
    | {mark: f"\\{mark}" for mark in "&%$#_{}"}
)
NO_LABEL = re.compile(r"[\\{}$&#%~^\x00-\x1f\x7f]")


def bound(equivalence: float | str) -> str:
    """Return a configured region of equivalence in words.

    >>> bound("1%"), bound(0.02)
    ('1% of the better mean', '0.02')
    """
    text = str(equivalence)
    return f"{text} of the better mean" if text.endswith("%") else text


def escape_markdown(text: str) -> str:
    r"""Escape what Markdown would take for markup.

    >>> print(escape_markdown("a_b | c*"))
    a\_b \| c\*
    """
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", " ".join(text.split()))


def escape_latex(text: str) -> str:
    r"""Escape what LaTeX would take for a command.

    >>> print(escape_latex("50 % of a_b & τ"))
    50 \% of a\_b \& $\tau$
    """
    return "".join(LATEX.get(character, character) for character in " ".join(text.split()))


def markdown(table: Printed) -> str:
    """Return a table as Markdown, the caption above and the note below."""
    cells, numeric = table.cells, table.numeric
    body = [[_markdown_cell(*cell) for cell in row] for row in cells]
    rows = [[*map(escape_markdown, table.names)], *body]
    widths = [max(3, *map(len, column)) for column in zip(*rows, strict=True)]
    padded = [
        [c.rjust(w) if n else c.ljust(w) for c, w, n in zip(row, widths, numeric, strict=True)]
        for row in rows
    ]
    rule = ["-" * (w - 1) + (":" if n else "-") for w, n in zip(widths, numeric, strict=True)]
    lines = [f"| {' | '.join(row)} |" for row in [padded[0], rule, *padded[1:]]]
    parts = [escape_markdown(table.caption), "\n".join(lines), escape_markdown(table.note)]
    return "\n\n".join(part for part in parts if part) + "\n"


def plain(table: Printed) -> str:
    """Return a table as text without markup; superscripts are in brackets."""
    body = [
        [f"{text} ({raised[0]})" if any(raised) else text for text, _, *raised in row]
        for row in table.cells
    ]
    columns = zip(*[table.names, *body], strict=True)
    widths = [max(map(len, column)) for column in columns]
    lines = [
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(row, widths, table.numeric, strict=True)
        ).rstrip()
        for row in [table.names, *body]
    ]
    note = textwrap.fill(table.note, LINE)
    return "\n\n".join(part for part in ("\n".join(lines), note) if part) + "\n"


def latex(table: Printed, label: str) -> str:
    """Return a table as a LaTeX float; it needs the package booktabs.

    Raises RankassayError for a label that LaTeX cannot refer to: nothing can be escaped there.
    """
    if found := NO_LABEL.search(label):
        raise RankassayError(
            f"label: expected none of the signs \\ {{ }} $ & # % ~ ^ and no line break, found "
            f"{found.group()!r} in {label[:40]!r}; letters, digits, -, : and _ will do."
        )
    columns, wrapped = _columns(table.cells, table.numeric)
    wide = len(table.names) > WIDE
    kind = "table*" if wide or wrapped else "table"
    lines = [
        f"\\begin{{{kind}}}",
        "\\centering",
        "\\small",
        *(["\\setlength{\\tabcolsep}{3pt}"] if wide else []),
        f"\\caption{{{escape_latex(table.caption)}}}",
        f"\\label{{tab:{label}}}",
        f"\\begin{{tabular}}{{{columns}}}",
        "\\toprule",
        " & ".join(map(escape_latex, table.names)) + r" \\",
        "\\midrule",
        *(" & ".join(_latex_cell(*cell) for cell in row) + r" \\" for row in table.cells),
        "\\bottomrule",
        "\\end{tabular}",
        *([f"\\par\\smallskip\\footnotesize {escape_latex(table.note)}"] if table.note else []),
        f"\\end{{{kind}}}",
    ]
    return "\n".join(lines) + "\n"


def _markdown_cell(text: str, bold: bool, raised: str = "") -> str:
    text = f"**{escape_markdown(text)}**" if bold else escape_markdown(text)
    return f"{text}<sup>{escape_markdown(raised)}</sup>" if raised else text


def _latex_cell(text: str, bold: bool, raised: str = "") -> str:
    text = f"\\textbf{{{escape_latex(text)}}}" if bold else escape_latex(text)
    return f"{text}\\textsuperscript{{{escape_latex(raised)}}}" if raised else text


def _columns(cells: Sequence[Sequence[Cell]], numeric: Sequence[bool]) -> tuple[str, bool]:
    """Return LaTeX's description of the columns, and whether any is set as paragraphs."""
    long = [any(len(row[j][0]) > WRAPPED for row in cells) for j in range(len(numeric))]
    paragraph = f"p{{{0.84 / max(len(numeric), 1):.2f}\\linewidth}}"
    kinds = zip(numeric, long, strict=True)
    columns = ["r" if right else paragraph if wrap else "l" for right, wrap in kinds]
    return "".join(columns), any(long)
