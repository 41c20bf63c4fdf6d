"""Claims of a paper as rows: a number measured, the paper's statement, and a verdict.

A claim names rows of the result tables, what one number to make of them
(`rankassay.claims.measure`), and what must hold for it.
"""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from rankassay.claims.lists import HEAD, SAID, head, predicate, specs
from rankassay.claims.measure import (
    DECIMALS,
    Column,
    Cube,
    NotComputed,
    Tables,
    bounds,
    cubes,
    is_exact,
    measure,
)
from rankassay.claims.verdicts import (
    ALL,
    ANSWERS,
    NONE,
    NOT_ASKED,
    OURS,
    SOME,
    UNDEFINED,
    state,
    verdict,
)
from rankassay.errors import RankassayError
from rankassay.statistics.replicated import KNOWN, MONTE_CARLO, Replicated, interval
from rankassay.types import Floats

SUBSETS = "subsets"  # the result that has the numbers for random subsets of the systems
UNSETTLED = "an end of the interval lies within its Monte Carlo error of the bound"
COLUMNS = [*HEAD, *SAID, "dataset", "published", "measured", "low", "high", "undefined"]
COLUMNS += ["expected", "margin", "holds", "users", "subsets", "subsets_hold", "systems"]
COLUMNS += ["verdict", "reason"]


def judging(columns: Mapping[str, Column]) -> Callable[..., pd.DataFrame]:
    """Return the analysis that judges a study's claims about one dataset.

    It takes what `judge` does, but for the tables all results that the study's entry declares, by
    their names; None is one that the configuration leaves out. That of the name `subsets`, if there
    is one, has the numbers for subsets of the systems. For `columns` see
    `rankassay.claims.measure.cubes`.
    """

    def run(
        claims: list[dict], dataset: str, **results: Replicated | pd.DataFrame | None
    ) -> pd.DataFrame:
        """Judge the study's claims by its results, see `rankassay.claims.judge.judge`."""
        subsets = results.pop(SUBSETS, None)
        tables = cubes(columns, results)
        others = of_subsets(tables, subsets) if isinstance(subsets, Replicated) else None
        return judge(claims, tables, dataset, others)

    return run


# Of a study whose claims ask for results with replicates only.
claims = judging({})


def of_subsets(tables: Tables, subsets: Replicated) -> Tables:
    """Return the tables for subsets of the systems, whose replicates are these.

    Parameters
    ----------
    tables : mapping from names of result tables to Cube
        Those for all systems. What is exact depends on no systems, and is taken from here.
    subsets : Replicated
        Column table, the name of a result table; the columns that identify its rows, which are
        empty in those of other tables; and the measured value, whose replicates are the subsets.
    """
    found = {name: cube for name, cube in tables.items() if isinstance(cube, Cube) and cube.exact}
    keys, numbers = subsets.table.drop(columns=subsets.column), subsets.numbers
    for name, own in keys.groupby("table", sort=False):
        known = own.drop(columns="table").dropna(axis="columns", how="all")
        place = keys.index.get_indexer(own.index)
        found[str(name)] = Cube(known.reset_index(drop=True), numbers[place])
    return found


def judge(
    claims: list[dict], tables: Tables, dataset: str, subsets: Tables | None = None
) -> pd.DataFrame:
    """Measure the claims about one dataset and return a verdict for each.

    Parameters
    ----------
    claims : list of dict
        As `rankassay.claims.lists` reads them; those about other datasets are passed over.
    tables : mapping from names of result tables to Cube
        See `rankassay.claims.measure.cubes`.
    dataset : str
    subsets : mapping from names of result tables to Cube, or None
        The same for subsets of the systems, see `of_subsets`; None if there are none. Claims about
        other tables are judged by the users alone.

    Returns
    -------
    DataFrame
        The columns of `COLUMNS`: what the claim says of itself; published (empty where the paper
        gives no number); measured; low and high, its interval over resampled users (see
        `rankassay.statistics.replicated.interval`; of what depends on no users the number itself;
        empty where there are no replicates); undefined, the replicates without a value; expected
        (in words); margin (how far on the right side of the bound; negative is the wrong side);
        holds, whether the claim does for the measured number; users and systems, its state under
        these two sources of luck: holds if it does for the whole interval, mixed for a part of it,
        fails for none of it, with the ends of the interval moved outwards by their Monte Carlo
        error (`rankassay.statistics.replicated.MONTE_CARLO`), and for random subsets of the systems
        by `rankassay.claims.verdicts.state` with the same error; subsets and subsets_hold, how many
        of these have a value, and in how many the claim holds; verdict; and reason, where the
        verdict needs one. A verdict is

        - reproduced: it holds for the measured number, and under all sources
        - reproduced, uncertain: for the measured number, but not under all sources
        - not shown: not for the measured number, but it could under some source
        - contradicted: not for the measured number, and under no source
        - undefined: the measured number is undefined
        - not asked: the run did not compute what the claim is about; the reason says what

        Without any source nothing is certain: a claim is reproduced, uncertain, or not shown. Facts
        are judged by their number alone. The verdict on a question of ours is its answer, by
        `rankassay.claims.verdicts.ANSWERS`.
    """
    rows = [
        _row(claim, tables, dataset, subsets or {})
        for claim in claims
        if dataset in claim["datasets"]
    ]
    table = pd.DataFrame(rows, columns=COLUMNS)
    whole = dict.fromkeys(["subsets", "subsets_hold"], "Int64") | {"holds": "boolean"}
    texts = {name: table[name].astype(object).fillna("") for name in ("users", "systems")}
    return table.assign(**texts).astype(whole)


def _row(claim: dict, tables: Tables, dataset: str, subsets: Tables) -> dict:
    published, place, holds = claim["datasets"][dataset], f"claim {claim['id']}", claim["holds"]
    try:
        values = measure(place, claim["value"], tables)
    except NotComputed as error:
        unasked = {"undefined": 0, "verdict": NOT_ASKED, "reason": f"not computed: {error}"}
        return head(claim, dataset) | unasked
    measured, replicates = float(values[0]), values[1:]
    within = bounds(claim["value"], tables)
    low, high = map(float, interval(measured, replicates, bounds=within))
    # What is certain must be so for more resamples, too.
    settled = interval(measured, replicates, bounds=within, errors=MONTE_CARLO)
    alone = claim["kind"] == "fact" or is_exact(claim["value"], tables)
    if alone:
        low = high = measured
        settled = low, high
    row = head(claim, dataset) | {
        "measured": measured,
        "low": low,
        "high": high,
        "undefined": int(np.isnan(replicates).sum()),
        "margin": _margin(place, holds, measured, published),
        "verdict": UNDEFINED,
        "reason": _reason(measured, low, replicates),
    }
    if np.isnan(measured):
        return row
    row |= {"holds": _holds(place, holds, measured, published)}
    row |= {"users": _users(place, holds, published, *map(float, settled))}
    if row["users"] != _users(place, holds, published, low, high):
        row |= {"reason": UNSETTLED}
    if not alone:
        row |= _systems(claim, published, subsets)
    found = verdict(row["holds"], [row["users"], row.get("systems", "")])
    return row | {"verdict": ANSWERS[found] if claim["source"] == OURS else found}


def _users(place: str, holds: Mapping, published: float | None, low: float, high: float) -> str:
    """Return whether a claim holds for resampled users, by the interval; empty without one."""
    if np.isnan([low, high]).any():
        return ""
    # The values for which a claim holds have no gap: so the ends of the interval, and its point
    # nearest to the published number, decide for all of it.
    nearest = np.clip(published, low, high) if "near" in holds else low
    at = [_holds(place, holds, float(end), published) for end in (low, high, nearest)]
    return ALL if at[0] and at[1] else SOME if any(at) else NONE


def _systems(claim: Mapping, published: float | None, subsets: Tables) -> dict:
    """Return whether a claim holds for subsets of the systems; empty where its tables have none."""
    place = f"claim {claim['id']}, on subsets of the systems"
    if not {spec["table"] for spec in specs(claim["value"])} <= {*subsets}:
        return {}
    try:
        values = measure(place, claim["value"], subsets)[1:]
    except NotComputed:
        return {}
    known = values[~np.isnan(values)]
    hold = sum(_holds(place, claim["holds"], float(value), published) for value in known)
    found = {SUBSETS: len(known), "subsets_hold": hold}
    enough = len(known) >= KNOWN * len(values)
    return found | {"systems": state(hold, len(known), MONTE_CARLO) if enough else ""}


def _reason(measured: float, low: float, replicates: Floats) -> str:
    """Return why a number, or its interval, is undefined; empty if neither is."""
    if not np.isnan(low):
        return ""
    if np.isnan(measured):
        return "what it is made of is undefined, as a correlation of tied systems is"
    unknown = int(np.isnan(replicates).sum())
    if 0 < unknown < len(replicates):
        return (
            f"{unknown} of {len(replicates)} replicates are undefined, more than "
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
            raise RankassayError(f"{place}: `near` needs the published value of each dataset.")
        allowed = bound * abs(published) if holds.get("relative") else bound
        return allowed - abs(value - published)
    return value - bound if name in ("above", "at_least") else bound - value
