"""The table of a comparison: a row for each run, and letters for the runs that it beats."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from assayer.drawing.table import MISSING
from assayer.drawing.text import Cell, Printed


def comparison_table(
    means: pd.DataFrame, pairs: pd.DataFrame, definitions: Mapping[str, Any], digits: int
) -> Printed:
    """Return the means as a table; those of `assayer.api.comparison.Comparison`."""
    by_metric = dict([*means.groupby("metric", sort=False)])
    first = next(iter(by_metric.values()))
    heads = [[(str(text), False) for text in first[name]] for name in ("letter", "run")]
    columns = [[_cell(row, digits) for row in own.itertuples()] for own in by_metric.values()]
    cells = [[*row] for row in zip(*heads, *columns, strict=True)]
    numeric = [False, False, *[True] * len(columns)]
    caption = "Means by run; the best ones are bold."
    return Printed(["", "Run", *by_metric], cells, numeric, caption, _note(pairs, definitions))


def _cell(row: Any, digits: int) -> Cell:
    if pd.isna(row.mean):
        return MISSING, False
    return f"{row.mean:.{digits}f}", row.rank == 1, raised(row.beats)


def raised(beats: str) -> str:
    """Return the letters of runs as they stand raised: without commas, unless one has several.

    >>> raised("a,c"), raised("a,ac")
    ('ac', 'a,ac')
    """
    letters = beats.split(",")
    return beats if any(len(letter) > 1 for letter in letters) else "".join(letters)


def _note(pairs: pd.DataFrame, definitions: Mapping[str, Any]) -> str:
    """Return what has to be said about the tests and the definitions."""
    corrections = " and ".join(dict.fromkeys(pairs["correction"]))
    n = len(pairs) // pairs["metric"].nunique()
    family = "the pair" if n == 1 else f"all {n} pairs"
    corrected = "" if corrections == "none" else f", corrected for {family} of runs ({corrections})"
    return (
        f"Raised letters name the runs that a run beats significantly: {definitions['test']} test "
        f"of paired users, two-sided, p < {definitions['alpha']:g}{corrected}. Profile "
        f"{definitions['profile']}, relevant from {definitions['threshold']:g} on, "
        f"{pairs['n_users'].max()} users, assayer {definitions['assayer']}."
    )
