"""Printing for the commands that read TREC files, and how they name runs."""

import contextlib
import sys
from collections.abc import Iterator

import pandas as pd

from assayer.config.systems import run_name
from assayer.errors import AssayerError


def run_names(paths: list[str]) -> list[str]:
    """Return the runs' names: those of the files, or the paths where these are not distinct."""
    names = [run_name(path) for path in paths]
    return names if len({*names}) == len(names) else paths


def aligned(table: pd.DataFrame, left: set[str]) -> list[str]:
    """Return a table of texts as lines, the columns `left` to the left and others to the right."""
    columns = []
    for name in table:
        cells = [str(name), *table[name]]
        align = "<" if name in left else ">"
        columns.append([f"{cell:{align}{max(map(len, cells))}}" for cell in cells])
    return ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]


def records(table: pd.DataFrame) -> list[dict]:
    """Return the rows of a table for JSON, with None for missing values."""
    return table.astype(object).where(table.notna(), None).to_dict("records")


@contextlib.contextmanager
def printing() -> Iterator[None]:
    """Turn a reader that stops reading, as `head` does, into one clear error."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise AssayerError("the reader of the output closed it before its end.") from None
