"""One table as three files: CSV with the raw values, Markdown and LaTeX (booktabs) for readers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from assayer.artifacts.files import Pathlike, atomic, write_table
from assayer.drawing.text import Cell, latex, markdown

Formatter = Callable[[Any], str]

MISSING = "–"


@dataclass(frozen=True)
class Table:
    """A table to print.

    Attributes
    ----------
    frame : pandas.DataFrame
        The raw values; the column names are the headings.
    caption : str
    formatters : mapping of str to callable
        How a column's values are printed; columns without one are printed by `str`.
    marked : pandas.DataFrame or None
        Of the frame's shape; cells that are true are printed in bold.
    note : str
        A remark below the table.
    """

    frame: pd.DataFrame
    caption: str
    formatters: Mapping[str, Formatter] = field(default_factory=dict)
    marked: pd.DataFrame | None = None
    note: str = ""


def write(table: Table, stem: Pathlike) -> None:
    """Write a table as `<stem>.csv`, `.md` and `.tex`; the same table always gives the same."""
    frame, cells = table.frame, printed(table)
    names = [str(column) for column in frame.columns]
    numeric = numbers(frame)
    write_table(frame, f"{stem}.csv")
    with atomic(f"{stem}.md", "w") as file:
        file.write(markdown(names, cells, numeric, table.caption, table.note))
    with atomic(f"{stem}.tex", "w") as file:
        label = Path(stem).name
        file.write(latex(names, cells, numeric, table.caption, table.note, label))


def printed(table: Table) -> list[list[Cell]]:
    """Return the printed text of every cell, and whether it is bold, row by row."""
    rows = []
    for i in range(len(table.frame)):
        row = []
        for j, column in enumerate(table.frame.columns):
            value = table.frame.iloc[i, j]
            text = MISSING if pd.isna(value) else table.formatters.get(column, str)(value)
            row.append((text, table.marked is not None and bool(table.marked.iloc[i, j])))
        rows.append(row)
    return rows


def numbers(frame: pd.DataFrame) -> list[bool]:
    """Say of each column whether it holds numbers, which are aligned to the right."""
    return [pd.api.types.is_numeric_dtype(frame[column]) for column in frame.columns]
