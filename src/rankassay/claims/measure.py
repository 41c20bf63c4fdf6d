"""The number that a claim is about, computed from rows of result tables and replicates.

It is made of the measured table and, in the same way, of each of its replicates for resampled
users, so that its interval is its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from rankassay.claims.conditions import DECIMALS
from rankassay.declared.columns import CORRELATION, NUMBER
from rankassay.declared.columns import bounds as bounds_of
from rankassay.declared.correlations import of_each
from rankassay.errors import RankassayError, one_of
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.replicated import Replicated
from rankassay.types import Floats

REDUCTIONS = {
    "only": lambda x: x[0],
    "min": lambda x: x.min(axis=0),
    "max": lambda x: x.max(axis=0),
    "mean": lambda x: x.mean(axis=0),
    "median": lambda x: np.median(x, axis=0),
}


class NotComputed(RankassayError):
    """The run computed no row that a claim needs: the claim is not asked."""


@dataclass(frozen=True)
class Cube:
    """A result table, and its replicates."""

    keys: pd.DataFrame  # what identifies each row
    values: Floats  # float64 (n_rows, 1 + n_replicates): measured, and from resampled users
    exact: bool = False  # whether they depend on no sample of users, as of constructed rankings
    column: str = ""  # the name of the values, which decides their bounds

    @classmethod
    def of(cls, result: Replicated | pd.DataFrame, column: str, exact: bool = False) -> Self:
        """Return a result's rows with one of its columns as their value."""
        table = result.table if isinstance(result, Replicated) else result
        replicated = isinstance(result, Replicated) and result.column == column
        values = result.numbers if replicated else table[[column]].to_numpy(np.float64)
        return cls(table.drop(columns=column), values, exact, column)

    def rows(self, place: str, wanted: Mapping) -> "Cube":
        """Return the rows whose keys have the wanted values, one of them where a list is given.

        Of several correlations it is the first, unless one is wanted. Raises NotComputed if there
        are none, or none with one of the values of a list: a number of the others is not the one
        that is claimed.
        """
        first = self.keys if "correlation" in wanted else of_each(self.keys)[0]
        chosen = self.keys.index.isin(first.index)
        for key, value in wanted.items():
            one_of(f"column in {place}", key, self.keys)
            for each in value if isinstance(value, list) else [value]:
                if not self.keys[key].isin([each]).any():
                    raise NotComputed(f"no row has the {key} {each}")
            chosen &= self.keys[key].isin(value if isinstance(value, list) else [value]).to_numpy()
        if not chosen.any():
            raise NotComputed(f"no row has {_words(wanted)}")
        keys = self.keys[chosen].reset_index(drop=True)
        return Cube(keys, self.values[chosen], self.exact, self.column)


# The tables that claims can use; for one that is skipped, the result it would be made of.
Tables = Mapping[str, Cube | str]


@dataclass(frozen=True)
class Column:
    """A column of a study's result, which makes a table that claims can ask for."""

    name: str  # the column that is the table's value; all others say of what
    of: str = ""  # the result, by the name of the analysis's parameter; that of the table if empty
    exact: bool = False  # as `Cube` has it
    # makes the table with the column from the result
    made: Callable[[pd.DataFrame], pd.DataFrame] = lambda result: result


def cubes(
    columns: Mapping[str, Column], results: Mapping[str, Replicated | pd.DataFrame | None]
) -> Tables:
    """Return the tables that a study's claims can ask for: the columns, by the names of the tables.

    The results are by the names of the analysis's parameters. Each that has replicates is a table,
    too, by its own name with hyphens; its value is the column that was replicated. In place of a
    table whose result is left out (None) stands the name of that result.
    """
    found: dict[str, Cube | str] = {}
    for name, result in results.items():
        table = name.replace("_", "-")
        if isinstance(result, Replicated):
            found[table] = Cube.of(result, result.column)
        elif result is None:
            found[table] = table
    for name, column in columns.items():
        key = column.of or name.replace("-", "_")
        result = results[key]
        if result is None:
            found[name] = key.replace("_", "-")
        else:
            found[name] = Cube.of(column.made(result), column.name, column.exact)
    return found


def measure(place: str, spec: Mapping, tables: Tables) -> Floats:
    """Return a claim's number, measured and in each replicate, float64 (1 + n_replicates,).

    `rows` of a `table` are chosen; with `along`, rows of the same value in that column are averaged
    first; they are then made one number by `reduce`: only (there must be one, at the `cutoff` of
    the study where there are several), min, max, mean, median, or trend, Kendall's tau-b of the
    value with the column of `along`. The number of a second choice, `minus`, multiplied by `times`,
    is subtracted; both are of the same resamples, as all tables of a dataset are. It raises
    RankassayError, which names the place, where that cannot be, and NotComputed, with the reason
    alone, where the run did not compute what is asked for.
    """
    one_of(f"table in {place}", spec["table"], tables)
    table = tables[spec["table"]]
    if isinstance(table, str):
        raise NotComputed(f"the configuration leaves out the analysis {table}")
    cube, along = table.rows(place, spec.get("rows", {})), spec.get("along")
    reduce = spec.get("reduce", "only")
    if reduce == "only" and len(cube.keys) > 1 and {"cutoff"} <= {*spec} & {*cube.keys}:
        cube = cube.rows(place, {"cutoff": spec["cutoff"]})
    values = cube.values
    if along:
        one_of(f"column in {place}", along, cube.keys)
        groups = cube.keys.groupby(along, sort=True).indices
        values = np.array([values[rows].mean(axis=0) for rows in groups.values()])
    if reduce == "trend":
        if not along:
            raise RankassayError(f"{place}: a trend needs `along`, the column it goes along.")
        if len(values) == 1:
            found = next(iter(groups))
            raise NotComputed(f"a trend needs two values of {along}, found {found} alone")
        known = ~np.isnan(values).any(axis=0)
        places = np.array([*groups], dtype=float)[None, :]
        number = np.where(known, tau_b(values.T.round(DECIMALS), places), np.nan)
    else:
        one_of(f"reduction in {place}", reduce, [*REDUCTIONS, "trend"])
        if reduce == "only" and len(values) != 1:
            raise RankassayError(f"{place}: expected one row, found {len(values)}; say `reduce`.")
        number = REDUCTIONS[reduce](values)
    if "minus" not in spec:
        return number
    other = measure(f"{place}.minus", spec["minus"], tables)
    # A table with fewer replicates has the first ones; what is exact is so in each of them.
    if len(other) == 1 and is_exact(spec["minus"], tables):
        other = np.broadcast_to(other, number.shape)
    elif len(number) == 1 and table.exact:
        number = np.broadcast_to(number, other.shape)
    n = min(len(number), len(other))
    return number[:n] - spec["minus"].get("times", 1) * other[:n]


def _words(wanted: Mapping) -> str:
    """Return wanted values of columns in words, as in `the metric P and the cutoff 10`."""
    several = ((k, v if isinstance(v, list) else [v]) for k, v in wanted.items())
    return " and ".join(f"the {key} {' or '.join(map(str, values))}" for key, values in several)


def is_exact(spec: Mapping, tables: Tables) -> bool:
    """Return True if all tables that a number is made of are exact."""
    own = tables[spec["table"]]
    if isinstance(own, str) or not own.exact:
        return False
    return "minus" not in spec or is_exact(spec["minus"], tables)


def bounds(spec: Mapping, tables: Tables) -> tuple[float, float]:
    """Return the bounds between which a claim's number must lie."""
    table = tables[spec["table"]]
    if "minus" in spec or isinstance(table, str):
        return NUMBER.bounds
    if spec.get("reduce") == "trend":
        return CORRELATION.bounds
    least, greatest = bounds_of(table.column, table.keys)
    return least, float(np.max(greatest))
