"""Claims of a paper as rows: a number measured, what the paper says of it, and a verdict.

A claim names rows of the result tables, what one number to make of them (`assayer.claims.measure`),
and what must hold for it.
"""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from assayer.claims.lists import HEAD, NOT_ASKED, NOT_TESTABLE, SAID, head, predicate
from assayer.claims.measure import (
    DECIMALS,
    Column,
    NotComputed,
    Tables,
    bounds,
    cubes,
    is_exact,
    measure,
)
from assayer.errors import AssayerError
from assayer.statistics.replicated import KNOWN, Replicated, interval
from assayer.types import Floats

# By whether the claim holds for what was measured, and for how much of the interval.
HOLDS = {"all": "reproduced", "some": "reproduced, uncertain"}
FAILS = {"some": "not shown", "none": "contradicted"}
UNDEFINED = "undefined"
VERDICTS = (*HOLDS.values(), *FAILS.values(), UNDEFINED, NOT_ASKED, NOT_TESTABLE)
FIRM = (HOLDS["all"], FAILS["none"])  # those that the interval leaves no doubt of

COLUMNS = [*HEAD, *SAID, "dataset", "published", "measured", "low", "high"]
COLUMNS += ["undefined", "expected", "margin", "verdict", "reason"]


def judging(columns: Mapping[str, Column]) -> Callable[..., pd.DataFrame]:
    """Return the analysis that judges a study's claims about one dataset.

    It takes what `judge` does, but for the tables all results that the study's entry declares, by
    their names; None is one that the configuration leaves out. For `columns` see
    `assayer.claims.measure.cubes`.
    """

    def run(
        claims: list[dict], dataset: str, **results: Replicated | pd.DataFrame | None
    ) -> pd.DataFrame:
        """Judge the study's claims by its results, see `assayer.claims.judge.judge`."""
        return judge(claims, cubes(columns, results), dataset)

    return run


# Of a study whose claims ask for results with replicates only.
claims = judging({})


def judge(claims: list[dict], tables: Tables, dataset: str) -> pd.DataFrame:
    """Measure the claims about one dataset and return a verdict for each.

    Parameters
    ----------
    claims : list of dict
        As `assayer.claims.lists` reads them; those about other datasets are passed over.
    tables : mapping from names of result tables to Cube
        See `assayer.claims.measure.cubes`.
    dataset : str

    Returns
    -------
    DataFrame
        The columns of `COLUMNS`: what the claim says of itself; published (empty where the paper
        gives no number); measured; low and high, its interval over resampled users (see
        `assayer.statistics.replicated.interval`; of what depends on no users the number itself;
        empty where there are no replicates); undefined, the replicates without a value; expected
        (in words); margin (how far on the right side of the bound; negative is the wrong side);
        verdict; reason, where the verdict needs one. A verdict is

        - reproduced: it holds for what was measured and for the whole interval
        - reproduced, uncertain: for what was measured, but not for the whole interval
        - not shown: not for what was measured, but for a part of the interval
        - contradicted: for nothing in the interval
        - undefined: what was measured has no value
        - not asked: the run did not compute what the claim is about; the reason says what

        Without an interval nothing is certain: a claim is reproduced, uncertain, or not shown.
    """
    rows = [_row(claim, tables, dataset) for claim in claims if dataset in claim["datasets"]]
    return pd.DataFrame(rows, columns=COLUMNS)


def _row(claim: dict, tables: Tables, dataset: str) -> dict:
    published, place, holds = claim["datasets"][dataset], f"claim {claim['id']}", claim["holds"]
    try:
        values = measure(place, claim["value"], tables)
    except NotComputed as error:
        unasked = {"undefined": 0, "verdict": NOT_ASKED, "reason": f"not computed: {error}"}
        return head(claim, dataset) | unasked
    measured, replicates = float(values[0]), values[1:]
    ends = interval(measured, replicates, bounds=bounds(claim["value"], tables))
    low, high = map(float, ends)
    if claim["kind"] == "fact" or is_exact(claim["value"], tables):
        low = high = measured
    margin = _margin(place, holds, measured, published)
    return head(claim, dataset) | {
        "measured": measured,
        "low": low,
        "high": high,
        "undefined": int(np.isnan(replicates).sum()),
        "margin": margin,
        "verdict": _verdict(place, holds, published, measured, low, high),
        "reason": _reason(measured, low, replicates),
    }


def _verdict(place, holds, published, measured, low, high) -> str:
    """Return the verdict on a number with its interval."""
    if np.isnan(measured):
        return UNDEFINED
    # The values for which a claim holds have no gap: the ends of the interval, and where it is
    # nearest to what was published, tell of all of it.
    nearest = np.clip(published, low, high) if "near" in holds else low
    at = [_holds(place, holds, float(end), published) for end in (low, high, nearest)]
    if np.isnan([low, high]).any():
        share = "some"
    else:
        share = "all" if at[0] and at[1] else "some" if any(at) else "none"
    return (HOLDS if _holds(place, holds, measured, published) else FAILS)[share]


def _reason(measured: float, low: float, replicates: Floats) -> str:
    """Return why a number, or its interval, has no value; nothing if both have one."""
    if not np.isnan(low):
        return ""
    if np.isnan(measured):
        return "what it is made of has no value, as a correlation of tied systems has none"
    unknown = int(np.isnan(replicates).sum())
    if 0 < unknown < len(replicates):
        return (
            f"{unknown} of {len(replicates)} replicates have no value, more than "
            f"{1 - KNOWN:.0%}: there is no interval"
        )
    return "no replicates are computed for this number: there is no interval"


def _holds(place: str, holds: Mapping, value: float, published: float | None) -> bool:
    """Return True if a claim holds for a value; for none it does not."""
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
