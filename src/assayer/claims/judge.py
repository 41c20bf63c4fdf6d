"""Claims of a paper as rows: a number measured, what the paper says of it, and a verdict.

A claim names rows of the result tables, what one number to make of them, and what must hold for it.
The number is made of the measured table and, in the same way, of each of its replicates for
resampled users, so that its interval is its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from assayer.claims.lists import NOT_TESTABLE, about_claim, predicate, words
from assayer.errors import AssayerError, one_of
from assayer.statistics.rank_correlation import tau_b
from assayer.statistics.replicated import CORRELATION, KNOWN, POWER, Replicated, interval

Floats = npt.NDArray[np.float64]

REDUCTIONS = {
    "only": lambda x: x[0],
    "min": lambda x: x.min(axis=0),
    "max": lambda x: x.max(axis=0),
    "mean": lambda x: x.mean(axis=0),
    "median": lambda x: np.median(x, axis=0),
}
CORRELATIONS = ("cutoff-correlation", "metric-correlation", "sparsity", "popularity")
POWERS = ("discriminative-power", "as-run")
# By whether the claim holds for what was measured, and for how much of the interval.
HOLDS = {"all": "reproduced", "some": "reproduced, uncertain"}
FAILS = {"some": "not shown", "none": "contradicted"}
UNDEFINED = "undefined"
VERDICTS = (*HOLDS.values(), *FAILS.values(), UNDEFINED, NOT_TESTABLE)
FIRM = (HOLDS["all"], FAILS["none"])  # those that the interval leaves no doubt of

DECIMALS = 9  # of a number that is compared: a difference in the last bits is none
COLUMNS = [
    *("id", "where", "claim", "kind", "implied_by", "calibrated", "demanding", "why", "dataset"),
    *("published", "measured", "low", "high", "undefined", "expected", "margin"),
    *("verdict", "reason"),
]


@dataclass(frozen=True)
class Cube:
    """A result table, and what it would be for other users.

    Attributes
    ----------
    keys : DataFrame
        What identifies each row.
    values : float64 (n_rows, 1 + n_replicates)
        The measured value of each row, and those from resampled users, if there are any.
    exact : bool
        Whether the values depend on no sample of users: facts, and rankings that were constructed.
    """

    keys: pd.DataFrame
    values: Floats
    exact: bool = False

    @classmethod
    def of(cls, result: Replicated | pd.DataFrame, column: str, exact: bool = False) -> Self:
        """Return a result's rows with one of its columns as their value."""
        table = result.table if isinstance(result, Replicated) else result
        values = table[[column]].to_numpy(np.float64)
        if isinstance(result, Replicated) and result.column == column:
            values = np.hstack([values, result.replicates])
        return cls(table.drop(columns=column), values, exact)

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
        keys = self.keys[chosen].reset_index(drop=True)
        return Cube(keys, self.values[chosen], self.exact)


def judge(claims: list[dict], tables: Mapping[str, Cube], dataset: str) -> pd.DataFrame:
    """Measure the claims about one dataset and return a verdict for each.

    Parameters
    ----------
    claims : list of dict
        As `assayer.claims.lists` reads them; those about other datasets are passed over.
    tables : mapping from names of result tables to Cube
    dataset : str

    Returns
    -------
    DataFrame
        The columns of `COLUMNS`: what the claim says of itself; published (empty where the paper
        gives no number); measured; low and high, its interval over resampled users (see
        `assayer.statistics.replicated.interval`; of what depends on no users the number itself; empty
        where there are no replicates); undefined, the replicates without a value; expected (in
        words); margin (how far on the right side of the bound; negative is the wrong side);
        verdict; reason, where the verdict needs one. A verdict is

        reproduced : it holds for what was measured and for the whole interval
        reproduced, uncertain : for what was measured, but not for the whole interval
        not shown : not for what was measured, but for a part of the interval
        contradicted : for nothing in the interval
        undefined : what was measured has no value

        Without an interval nothing is certain: a claim is reproduced, uncertain, or not shown.
    """
    rows = [_row(claim, tables, dataset) for claim in claims if dataset in claim["datasets"]]
    return pd.DataFrame(rows, columns=COLUMNS)


def measure(place: str, spec: Mapping, tables: Mapping[str, Cube]) -> Floats:
    """Return a claim's number, measured and in each replicate, float64 (1 + n_replicates,).

    `rows` of a `table` are chosen; with `along`, rows of the same value in that column are averaged
    first; they are then made one number by `reduce`: only (there must be one), min, max, mean,
    median, or trend, Kendall's tau-b of the value with the column of `along`. The number of a
    second choice, `minus`, is taken off, so many `times`: of the same resamples, as those of all
    tables of a dataset are.
    """
    one_of(f"table in {place}", spec["table"], list(tables))
    cube = tables[spec["table"]].rows(place, spec.get("rows", {}))
    values, along = cube.values, spec.get("along")
    if along:
        if along not in cube.keys:
            one_of(f"column in {place}", along, list(cube.keys))
        groups = cube.keys.groupby(along, sort=True).indices
        values = np.array([values[rows].mean(axis=0) for rows in groups.values()])
    reduce = spec.get("reduce", "only")
    if reduce == "trend":
        if not along:
            raise AssayerError(f"{place}: a trend needs `along`, the column it goes along.")
        known = ~np.isnan(values).any(axis=0)
        places = np.array([*groups], dtype=float)[None, :]
        number = np.where(known, tau_b(values.T.round(DECIMALS), places), np.nan)
    else:
        one_of(f"reduction in {place}", reduce, [*REDUCTIONS, "trend"])
        if reduce == "only" and len(values) != 1:
            raise AssayerError(f"{place}: expected one row, found {len(values)}; say `reduce`.")
        number = REDUCTIONS[reduce](values)
    if "minus" not in spec:
        return number
    other = measure(f"{place}.minus", spec["minus"], tables)
    # A table with fewer replicates has the first ones; what is exact is so in each of them.
    if len(other) == 1 and _exact(spec["minus"], tables):
        other = np.broadcast_to(other, number.shape)
    elif len(number) == 1 and tables[spec["table"]].exact:
        number = np.broadcast_to(number, other.shape)
    n = min(len(number), len(other))
    return number[:n] - spec["minus"].get("times", 1) * other[:n]


def _exact(spec: Mapping, tables: Mapping[str, Cube]) -> bool:
    """Say whether all tables that a number is made of are exact."""
    own = tables[spec["table"]].exact
    return own and ("minus" not in spec or _exact(spec["minus"], tables))


def _row(claim: dict, tables: Mapping[str, Cube], dataset: str) -> dict:
    published, place, holds = claim["datasets"][dataset], f"claim {claim['id']}", claim["holds"]
    values = measure(place, claim["value"], tables)
    measured, replicates = float(values[0]), values[1:]
    bounds = _bounds(claim["value"], tables)
    low, high = (float(end) for end in interval(values[0], replicates, bounds=bounds))
    if claim["kind"] == "fact" or _exact(claim["value"], tables):
        low = high = measured
    margin = _margin(place, holds, measured, published)
    verdict, reason = _verdict(place, holds, published, (measured, low, high))
    if np.isnan(low) and not np.isnan(measured):
        reason = _why_no_interval(replicates)
    return {
        **about_claim(claim),
        "id": claim["id"],
        "where": claim["where"],
        "claim": claim["claim"],
        "dataset": dataset,
        "published": published,
        "measured": measured,
        "low": low,
        "high": high,
        "undefined": int(np.isnan(replicates).sum()),
        "expected": words(holds, published),
        "margin": margin,
        "verdict": verdict,
        "reason": reason,
    }


def _verdict(
    place: str, holds: Mapping, published: float | None, number: tuple[float, float, float]
) -> tuple[str, str]:
    """Return the verdict on a number with its interval, and a reason where it needs one."""
    measured, low, high = number
    if np.isnan(measured):
        return (
            UNDEFINED,
            "what it is made of has no value, as a correlation of tied systems has none",
        )
    # The values for which a claim holds have no gap: the ends of the interval, and where it is
    # nearest to what was published, tell of all of it.
    nearest = np.clip(published, low, high) if "near" in holds else low
    at = [_holds(place, holds, float(end), published) for end in (low, high, nearest)]
    if np.isnan([low, high]).any():
        share = "some"
    else:
        share = "all" if at[0] and at[1] else "some" if any(at) else "none"
    if _holds(place, holds, measured, published):
        return HOLDS[share], ""
    return FAILS[share], ""


def _bounds(spec: Mapping, tables: Mapping[str, Cube]) -> tuple[float, float]:
    """Return between which bounds a number must lie."""
    if "minus" in spec:
        return -np.inf, np.inf
    if spec.get("reduce") == "trend":
        return CORRELATION
    return bounds_of(spec["table"], tables[spec["table"]].keys)


def bounds_of(name: str, keys: pd.DataFrame) -> tuple[float, float]:
    """Return between which bounds the values of a result table lie, by its name and its rows."""
    if name in CORRELATIONS:
        overlap = "correlation" in keys and (keys["correlation"] == "rbo").all()
        return (0.0, 1.0) if overlap else CORRELATION
    return POWER if name in POWERS else (-np.inf, np.inf)


def _why_no_interval(replicates: Floats) -> str:
    """Say why a number has no interval."""
    unknown = int(np.isnan(replicates).sum())
    if 0 < unknown < len(replicates):
        return (
            f"{unknown} of {len(replicates)} replicates have no value, more than "
            f"{1 - KNOWN:.0%}: there is no interval"
        )
    return "no replicates are computed for this number: there is no interval"


def _holds(place: str, holds: Mapping, value: float, published: float | None) -> bool:
    """Say whether a claim holds for a value; for none it does not."""
    margin = round(_margin(place, holds, value, published), DECIMALS)
    return bool(margin > 0 if "above" in holds or "below" in holds else margin >= 0)


def _margin(place: str, holds: Mapping, value: float, published: float | None) -> float:
    """Return how far a value is on the right side of the claim's bound."""
    name, bound = predicate(place, holds)
    if name == "near":
        if published is None:
            raise AssayerError(f"{place}: `near` needs the published value of each dataset.")
        allowed = bound * abs(published) if holds.get("relative") else bound
        return allowed - abs(value - published)
    return value - bound if name in ("above", "at_least") else bound - value
