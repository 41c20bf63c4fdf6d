"""Claims of a paper as rows: a number measured, what the paper says of it, and a verdict.

A claim names rows of the result tables, what one number to make of them, and what must hold for it.
Every number comes with replicates over resampled users where the table has them, from which its
uncertainty follows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from assayer.analysis.claim_lists import predicate, words
from assayer.analysis.rank_correlation import tau_b
from assayer.errors import AssayerError, one_of

Floats = npt.NDArray[np.float64]

REDUCTIONS = {
    "only": lambda x: x[0],
    "min": lambda x: x.min(axis=0),
    "max": lambda x: x.max(axis=0),
    "mean": lambda x: x.mean(axis=0),
    "median": lambda x: np.median(x, axis=0),
}
CORRELATIONS = ("cutoff-correlation", "metric-correlation", "sparsity", "popularity")
VERDICTS = ("reproduced", "partly", "not reproduced", "not testable: no data")


@dataclass(frozen=True)
class Cube:
    """A result table, and what it would be for other users.

    Attributes
    ----------
    keys : DataFrame
        What identifies each row.
    values : float64 (n_rows, 1 + n_replicates)
        The measured value of each row, and those from resampled users, if there are any.
    interval : float64 (n_rows, 2) or None
        The interval of each row's value, of a table that has its own.
    """

    keys: pd.DataFrame
    values: Floats
    interval: Floats | None = None

    @classmethod
    def of(cls, table: pd.DataFrame, column: str) -> Self:
        """Return a table whose `column` was measured, with the interval from low to high if any."""
        interval = table[["low", "high"]].to_numpy(np.float64) if "low" in table else None
        return cls(table.drop(columns=column), table[[column]].to_numpy(np.float64), interval)

    def rows(self, place: str, wanted: Mapping) -> "Cube":
        """Return the rows whose keys have the wanted values, one of them where a list is given."""
        chosen = np.ones(len(self.keys), dtype=bool)
        for key, value in wanted.items():
            if key not in self.keys:
                one_of(f"column in {place}", key, list(self.keys))
            chosen &= self.keys[key].isin(value if isinstance(value, list) else [value]).to_numpy()
        if not chosen.any():
            raise AssayerError(
                f"{place}: no row has {dict(wanted)}; compute what the claim asks for, or leave "
                "the claim out."
            )
        interval = None if self.interval is None else self.interval[chosen]
        return Cube(self.keys[chosen].reset_index(drop=True), self.values[chosen], interval)


def judge(claims: list[dict], tables: Mapping[str, Cube], dataset: str) -> pd.DataFrame:
    """Measure the claims about one dataset and return a verdict for each.

    Parameters
    ----------
    claims : list of dict
        As `assayer.analysis.claim_lists` reads them; those about other datasets are passed over.
    tables : mapping from names of result tables to Cube
    dataset : str

    Returns
    -------
    DataFrame
        Columns id, where, claim, dataset, published (empty where the paper gives no number),
        measured, low, high (measured less and plus 1.96 standard deviations over replicates; of
        one row of a table without replicates, its own interval, or empty), expected (in words),
        margin (how far on the right side of the bound; negative is the wrong side), verdict. A
        claim is reproduced if it holds for what was measured, partly if it only holds for some
        value between low and high, and otherwise not reproduced.
    """
    columns = [
        *("id", "where", "claim", "dataset", "published", "measured", "low", "high"),
        *("expected", "margin", "verdict"),
    ]
    rows = [_row(claim, tables, dataset) for claim in claims if dataset in claim["datasets"]]
    return pd.DataFrame(rows, columns=columns)


def measure(place: str, spec: Mapping, tables: Mapping[str, Cube]) -> Floats:
    """Return a claim's number, measured and in each replicate, float64 (1 + n_replicates,).

    `rows` of a `table` are chosen; with `along`, rows of the same value in that column are averaged
    first; they are then made one number by `reduce`: only (there must be one), min, max, mean,
    median, or trend, Kendall's tau-b of the value with the column of `along`. The number of a
    second choice, `minus`, is taken off.
    """
    one_of(f"table in {place}", spec["table"], list(tables))
    cube = tables[spec["table"]].rows(place, spec.get("rows", {}))
    values, along = cube.values, spec.get("along")
    if along:
        groups = cube.keys.groupby(along, sort=True).indices
        values = np.array([values[rows].mean(axis=0) for rows in groups.values()])
    reduce = spec.get("reduce", "only")
    if reduce == "trend":
        if not along:
            raise AssayerError(f"{place}: a trend needs `along`, the column it goes along.")
        number = tau_b(values.T, np.array([*groups], dtype=float)[None, :])
    else:
        one_of(f"reduction in {place}", reduce, [*REDUCTIONS, "trend"])
        if reduce == "only" and len(values) != 1:
            raise AssayerError(f"{place}: expected one row, found {len(values)}; say `reduce`.")
        number = REDUCTIONS[reduce](values)
    if "minus" not in spec:
        return number
    other = measure(f"{place}.minus", spec["minus"], tables)
    n = min(len(number), len(other))  # a table without replicates leaves the difference without
    return number[:n] - other[:n]


def _row(claim: dict, tables: Mapping[str, Cube], dataset: str) -> dict:
    published, place = claim["datasets"][dataset], f"claim {claim['id']}"
    values = measure(place, claim["value"], tables)
    measured, replicates = float(values[0]), values[1:]
    if len(replicates):
        half = 1.96 * np.std(replicates)
        low, high = measured - half, measured + half
        if _is_correlation(claim["value"]):
            low, high = np.clip([low, high], -1, 1)
    else:
        low, high = _own_interval(place, claim["value"], tables)
    margin = _margin(place, claim["holds"], measured, published)
    best = margin
    if not np.isnan([low, high]).any():
        # Where the bound lies inside the interval, some value of it is on the right side.
        nearest = np.clip(published, low, high) if "near" in claim["holds"] else None
        ends = [low, high] if nearest is None else [nearest]
        best = max(_margin(place, claim["holds"], float(end), published) for end in ends)
    strict = "above" in claim["holds"] or "below" in claim["holds"]

    def holds(value: float) -> bool:
        return value > 0 if strict else value >= 0

    verdict = "reproduced" if holds(margin) else "partly" if holds(best) else "not reproduced"
    return {
        "id": claim["id"],
        "where": claim["where"],
        "claim": claim["claim"],
        "dataset": dataset,
        "published": published,
        "measured": measured,
        "low": low,
        "high": high,
        "expected": words(claim["holds"], published),
        "margin": margin,
        "verdict": verdict,
    }


def _own_interval(place: str, spec: Mapping, tables: Mapping[str, Cube]) -> Floats:
    """Return the interval that the table gives the one row that a claim is about, or NaN."""
    table = tables[spec["table"]]
    if table.interval is None or "minus" in spec or spec.get("reduce", "only") != "only":
        return np.full(2, np.nan)
    return table.rows(place, spec.get("rows", {})).interval[0]


def _is_correlation(spec: Mapping) -> bool:
    """Say whether a number is a correlation, which lies between -1 and 1."""
    return "minus" not in spec and (spec.get("reduce") == "trend" or spec["table"] in CORRELATIONS)


def _margin(place: str, holds: Mapping, value: float, published: float | None) -> float:
    """Return how far a value is on the right side of the claim's bound."""
    name, bound = predicate(place, holds)
    if name == "near":
        if published is None:
            raise AssayerError(f"{place}: `near` needs the published value of each dataset.")
        allowed = bound * abs(published) if holds.get("relative") else bound
        # What was printed is rounded: a difference in the last bits is none.
        return allowed - abs(value - published) + 1e-9
    return value - bound if name in ("above", "at_least") else bound - value
