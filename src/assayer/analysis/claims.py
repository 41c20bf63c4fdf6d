"""Claims of a paper as rows: a number measured, what the paper says of it, and a verdict.

A claim names rows of the result tables, what one number to make of them, and what must hold for it.
Every number comes with replicates over resampled users where the table has them, from which its
uncertainty follows.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import yaml

from assayer.analysis.rank_correlation import tau_b
from assayer.errors import AssayerError, one_of

Floats = npt.NDArray[np.float64]

KEYS = ("id", "where", "claim", "datasets", "value", "holds")
REDUCTIONS = {
    "only": lambda x: x[0],
    "min": lambda x: x.min(axis=0),
    "max": lambda x: x.max(axis=0),
    "mean": lambda x: x.mean(axis=0),
    "median": lambda x: np.median(x, axis=0),
}
CORRELATIONS = ("cutoff-correlation", "metric-correlation", "sparsity", "popularity")
PREDICATES = ("above", "below", "at_least", "at_most", "near")
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
    """

    keys: pd.DataFrame
    values: Floats

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
        return Cube(self.keys[chosen].reset_index(drop=True), self.values[chosen])


def read(path: str | Path) -> list[dict]:
    """Return the claims of a file (YAML), expanded; raises AssayerError for what is none.

    A claim has an id, where (in the paper), the claim in words, datasets (a list, or the published
    number of each), value (see `measure`) and holds: above, below, at_least or at_most a bound, or
    near the published number, within so much, or such a share of it if relative.
    """
    try:
        claims = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise AssayerError(f"{path}: expected claims in YAML: {error}") from None
    if not isinstance(claims, list) or not all(isinstance(claim, dict) for claim in claims):
        raise AssayerError(f"{path}: expected a list of claims.")
    for number, claim in enumerate(claims, start=1):
        place = f"{path}: claim {claim.get('id', number)}"
        for key in KEYS:
            if key not in claim:
                raise AssayerError(f"{place}: '{key}' is missing.")
        for key in claim:
            one_of(f"key of {place}:", key, [*KEYS, "for"])
        _predicate(place, claim["holds"])
    return expand(claims)


def judge(claims: list[dict], tables: Mapping[str, Cube], dataset: str) -> pd.DataFrame:
    """Measure the claims about one dataset and return a verdict for each.

    Parameters
    ----------
    claims : list of dict
        As `expand` returns them; those about other datasets are passed over.
    tables : mapping from names of result tables to Cube
    dataset : str

    Returns
    -------
    DataFrame
        Columns id, where, claim, dataset, published (empty where the paper gives no number),
        measured, low, high (measured less and plus 1.96 standard deviations over replicates;
        empty without replicates), expected (in words), margin (how far on the right side of the
        bound; negative is the wrong side), verdict. A claim is reproduced if it holds for what
        was measured, partly if it only holds for some value between low and high, and otherwise
        not reproduced.
    """
    columns = [
        *("id", "where", "claim", "dataset", "published", "measured", "low", "high"),
        *("expected", "margin", "verdict"),
    ]
    rows = [_row(claim, tables, dataset) for claim in claims if dataset in claim["datasets"]]
    return pd.DataFrame(rows, columns=columns)


def expand(claims: list[dict]) -> list[dict]:
    """Return one claim for each value of what a claim is `for`, put where {name} stands in it."""
    expanded = []
    for claim in claims:
        claim = dict(claim)
        names = claim.pop("for", {})
        if not names:
            expanded.append(claim)
        for name, values in names.items():
            for value in values:
                filled = _filled(claim, name, value)
                filled["datasets"] = _published(filled["datasets"], value)
                expanded.append(filled)
    ids = [claim["id"] for claim in expanded]
    for claim in expanded:
        if ids.count(claim["id"]) > 1:
            raise AssayerError(f"claims: the id '{claim['id']}' is given to more than one claim.")
        if not isinstance(claim["datasets"], dict):
            claim["datasets"] = dict.fromkeys(claim["datasets"])
    return expanded


def untested(claims: list[dict], tested: set[str]) -> pd.DataFrame:
    """Return the rows of the claims about datasets that were not studied."""
    return pd.DataFrame(
        {
            "id": claim["id"],
            "where": claim["where"],
            "claim": claim["claim"],
            "dataset": dataset,
            "published": published,
            "expected": _words(claim["holds"], published),
            "verdict": "not testable: no data",
        }
        for claim in claims
        for dataset, published in claim["datasets"].items()
        if dataset not in tested
    )


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
    half = 1.96 * np.std(replicates) if len(replicates) else np.nan
    low, high = measured - half, measured + half
    if _is_correlation(claim["value"]):
        low, high = np.clip([low, high], -1, 1)
    margin = _margin(place, claim["holds"], measured, published)
    best = margin
    if len(replicates):
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
        "expected": _words(claim["holds"], published),
        "margin": margin,
        "verdict": verdict,
    }


def _is_correlation(spec: Mapping) -> bool:
    """Say whether a number is a correlation, which lies between -1 and 1."""
    return "minus" not in spec and (spec.get("reduce") == "trend" or spec["table"] in CORRELATIONS)


def _margin(place: str, holds: Mapping, value: float, published: float | None) -> float:
    """Return how far a value is on the right side of the claim's bound."""
    predicate, bound = _predicate(place, holds)
    if predicate == "near":
        if published is None:
            raise AssayerError(f"{place}: `near` needs the published value of each dataset.")
        allowed = bound * abs(published) if holds.get("relative") else bound
        # What was printed is rounded: a difference in the last bits is none.
        return allowed - abs(value - published) + 1e-9
    return value - bound if predicate in ("above", "at_least") else bound - value


def _predicate(place: str, holds: Mapping) -> tuple[str, float]:
    found = [name for name in holds if name != "relative"]
    if len(found) != 1:
        raise AssayerError(
            f"{place}.holds: expected one of {', '.join(PREDICATES)}, found {dict(holds)}."
        )
    one_of(f"predicate in {place}", found[0], PREDICATES)
    return found[0], float(holds[found[0]])


def _words(holds: Mapping, published: float | None) -> str:
    """Return what must hold, in words."""
    predicate, bound = _predicate("claim", holds)
    if predicate != "near":
        return f"{predicate.replace('_', ' ')} {bound:g}"
    allowed = f"{100 * bound:g}%" if holds.get("relative") else f"{bound:g}"
    return f"{published:g} within {allowed}" if bound else f"{published:g}"


def _published(datasets: list | Mapping, value) -> list | Mapping:
    """Return the published numbers of one of the values that a claim is for."""
    if isinstance(datasets, list):
        return datasets
    return {
        dataset: published[value] if isinstance(published, Mapping) else published
        for dataset, published in datasets.items()
    }


def _filled(part, name: str, value):
    """Return a part of a claim with {name} replaced; a text that is {name} becomes the value."""
    if isinstance(part, dict):
        return {key: _filled(inner, name, value) for key, inner in part.items()}
    if isinstance(part, list):
        return [_filled(inner, name, value) for inner in part]
    if part == f"{{{name}}}":
        return value
    return re.sub(rf"\{{{name}\}}", str(value), part) if isinstance(part, str) else part
