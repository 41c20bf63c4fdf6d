"""Claims of a paper as rows: a number measured, the paper's statement, and both verdicts.

A claim names rows of the result tables, what one number to make of them
(`rankassay.claims.measure`), and what must hold for it (`rankassay.claims.conditions`).

One sentence of a paper ("deeper cut-offs are better, by all metrics and on all criteria") makes
many rows. A conjunction of 42 rows, each of which is true and found so in 95 of 100 cases, is found
in 12 of 100: so it is no row by row verdict that decides, but one number with its own interval, in
a row of its own.

- share: the share of the rows that hold. All of them hold if nine of ten do, as a row near its
  bound may fall on either side; with fewer than eight of ten they do not.
- least: the least lead of the rows, how far each is on the right side of its bound, in margins.
- distance: the mean distance of the rows from the published numbers, in margins; it holds within
  one of them.

Rows that are undefined, or were not asked, do not count.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from rankassay.claims.conditions import MARK, NOT_ASKED, OURS, UNDEFINED, Condition
from rankassay.claims.lists import DISTANCE, HEAD, LEAST, SHARE, STATISTICS, head, places, specs
from rankassay.claims.measure import (
    Column,
    Cube,
    NotComputed,
    Tables,
    bounds,
    cubes,
    is_exact,
    measure,
)
from rankassay.claims.verdicts import COLUMNS as VERDICTS
from rankassay.claims.verdicts import judged
from rankassay.statistics.families import FEWEST_FAMILIES, jackknife_error
from rankassay.statistics.replicated import KNOWN, Replicated
from rankassay.types import Floats

CONDITIONS = {
    SHARE: Condition("at_least", 0.9, 0.1),
    LEAST: Condition("above", 0.0, 1.0),
    DISTANCE: Condition("at_most", 1.0, 0.0),
}
BOUNDS = {SHARE: (0.0, 1.0), LEAST: (-np.inf, np.inf), DISTANCE: (0.0, np.inf)}
SAID = {
    SHARE: "The share of its {} rows that hold.",
    LEAST: "The least lead of its {} rows, how far one is on the right side, in margins.",
    DISTANCE: "The mean distance of its {} rows from the published numbers, in margins.",
}
TOO_FEW = f"general is not asked: it takes {FEWEST_FAMILIES} families of systems or more"
DRAWS = 400  # of resampled users that are kept with the claims: enough for a covariance
FAMILIES = "families"  # the result that has the numbers without each family of the systems
COLUMNS = [*HEAD, "decides", "calibrated", "dataset", "published", "measured", "expected"]
COLUMNS += ["predicate", "bound", "margin", "holds", "exact", "least", "greatest"]
COLUMNS += ["mean", "splits", "users", "resamples"]
COLUMNS += [FAMILIES, "error_users", "error_splits", "error_systems", "undefined", *VERDICTS]
COLUMNS += ["reason", "without"]
COUNTS = ("splits", "resamples", FAMILIES, "undefined")


def statistic(name: str, conditions: Sequence[Condition], values: Sequence[Floats]) -> Floats:
    """Return the number that decides a sentence, measured and in each replicate, float64 (n,).

    `values` are those of each row, float64 (1 + n_replicates,), as
    `rankassay.claims.measure.measure` returns them; as many replicates count as all rows have.
    Undefined values do not hold, and leave leads and distances undefined.
    """
    n = min(map(len, values))
    rows = [(condition, own[:n]) for condition, own in zip(conditions, values, strict=True)]
    if name == SHARE:
        return np.mean([condition.holds(own) for condition, own in rows], axis=0)
    leads = np.array([condition.lead(own) / condition.margin for condition, own in rows])
    return leads.min(axis=0) if name == LEAST else (1 - leads).mean(axis=0)


@dataclass(frozen=True)
class _Measured:
    """A claim's condition, and its number with resampled users and without each family.

    `within` is float64 (1 + n_resamples,), and `without` float64 (n_families,), which may be empty.
    """

    condition: Condition
    within: Floats
    without: Floats
    exact: bool
    bounds: tuple[float, float]


def judging(columns: Mapping[str, Column]) -> Callable[..., pd.DataFrame]:
    """Return the analysis that judges a study's claims about one dataset.

    It takes the results that the study's entry declares, by their names; None is one that the
    configuration leaves out. For `columns` see `rankassay.claims.measure.cubes`.
    """

    def run(
        claims: list[dict], dataset: str, **results: Replicated | pd.DataFrame | None
    ) -> pd.DataFrame:
        """Measure the claims about one dataset and return both verdicts on each.

        Parameters
        ----------
        claims : list of dict
            As `rankassay.claims.lists` reads them; those about other datasets are passed over.
        dataset : str
        results : Replicated or DataFrame
            By name. That of the name `families`, if there is one, has the numbers without each
            family of the systems.

        Returns
        -------
        DataFrame
            The columns of `COLUMNS`: what the claim says of itself; decides, whether this row
            decides its sentence; published (empty where the paper gives no number); measured;
            expected (in words), and its predicate, bound and margin; holds, whether the claim does
            for the measured number; exact, whether the number depends on no sample; least and
            greatest, between which it must lie; mean and splits, of this run the measured number
            and 1; the standard errors over resampled users and over families of systems, and how
            many there are of each; undefined, the resamples without a value; the verdicts of
            `rankassay.claims.verdicts.judged`; reason, where a verdict needs one; and without, the
            numbers without each family, by name (JSON; empty where there are none). The rows that
            decide a sentence of several have the id of the sentence, a colon, and the name of the
            statistic.
        """
        return replicated(columns, claims, dataset, **results).table

    return run


def replicated(
    columns: Mapping[str, Column],
    claims: list[dict],
    dataset: str,
    **results: Replicated | pd.DataFrame | None,
) -> Replicated:
    """Return what `judging` does, with the numbers that were measured of resampled users.

    All numbers have as many as that with the fewest that has any, of at most `DRAWS`.
    """
    without = results.pop(FAMILIES, None)
    tables = cubes(columns, results)
    others, names = None, []
    if isinstance(without, Replicated) and len(without.table):
        others, names = of_families(tables, without), json.loads(without.table[FAMILIES].iloc[0])
    table, numbers = _judged(claims, tables, dataset, others, names)
    if isinstance(without, Replicated) and not names:
        open_ = table["reason"].isna() & table["error_users"].notna() & ~table["exact"]
        table["reason"] = table["reason"].astype(object).mask(open_, TOO_FEW)
    n = min([len(own) for own in numbers if len(own) > 1], default=1)
    drawn = [own[1:n] if len(own) >= n else np.full(n - 1, np.nan) for own in numbers]
    return Replicated(table, "measured", np.array(drawn).reshape(len(table), n - 1)[:, :DRAWS])


# Of a study whose claims ask for results with replicates only.
claims = judging({})


def _named(names: Sequence[str], without: Floats) -> str:
    """Return numbers without each family by its name, in JSON; empty where they are not known."""
    known = len(without) == len(names) > 0
    return json.dumps(dict(zip(names, without.tolist(), strict=True))) if known else ""


def of_families(tables: Tables, without: Replicated) -> Tables:
    """Return the tables without each family of the systems, whose replicates are these.

    `without` has the column table, the keys of its rows, which are empty in those of other tables,
    and the measured value. What is exact depends on no systems, and is taken from `tables`.
    """
    found = {name: cube for name, cube in tables.items() if isinstance(cube, Cube) and cube.exact}
    keys = without.table.drop(columns=[without.column, FAMILIES], errors="ignore")
    numbers = without.numbers
    for name, own in keys.groupby("table", sort=False):
        known = own.drop(columns="table").dropna(axis="columns", how="all")
        place = keys.index.get_indexer(own.index)
        found[str(name)] = Cube(known.reset_index(drop=True), numbers[place])
    return found


def _judged(
    claims: list[dict],
    tables: Tables,
    dataset: str,
    families: Tables | None,
    names: Sequence[str],
) -> tuple[pd.DataFrame, list[Floats]]:
    """Return the rows of claims, and the numbers of each, measured and of resampled users."""
    rows, known = [], {}
    own = [claim for claim in claims if dataset in claim["datasets"]]
    for claim in own:
        row, measured = _row(claim, tables, dataset, families or {})
        rows.append(row)
        if measured is not None:
            known[claim["id"]] = measured
    rows += _deciding(own, rows, known)
    # After the rows of its sentence.
    order = places(own)
    rows.sort(key=lambda row: order[row["sentence"]])
    table = judged(pd.DataFrame(rows).reindex(columns=[*COLUMNS, "verdict"]))
    kinds = dict.fromkeys(COUNTS, "Int64") | {"holds": "boolean"}
    kinds |= dict.fromkeys(("decides", "calibrated", "exact"), "bool")
    table["without"] = [
        _named(names, known[row["id"]].without) if row["id"] in known else "" for row in rows
    ]
    numbers = [known[row["id"]].within if row["id"] in known else np.empty(0) for row in rows]
    return table.drop(columns="verdict").astype(kinds), numbers


def _row(
    claim: Mapping, tables: Tables, dataset: str, families: Tables
) -> tuple[dict, _Measured | None]:
    """Return the row of a claim, and its numbers unless the run did not compute them."""
    place, found = f"claim {claim['id']}", head(claim, dataset)
    found |= {"calibrated": claim.get("calibrated", False), "decides": False, "exact": False}
    try:
        within = measure(place, claim["value"], tables)
    except NotComputed as error:
        unasked = {"undefined": 0, "verdict": NOT_ASKED, "reason": f"not computed: {error}"}
        return found | unasked, None
    measured = _Measured(
        Condition.of(place, claim["holds"], claim["datasets"][dataset]),
        within,
        _without(claim, families),
        claim["kind"] == "fact" or is_exact(claim["value"], tables),
        bounds(claim["value"], tables),
    )
    return found | _numbers(measured), measured


def _without(claim: Mapping, families: Tables) -> Floats:
    """Return a claim's number without each family; none where its tables have none."""
    if not {spec["table"] for spec in specs(claim["value"])} <= {*families}:
        return np.empty(0)
    try:
        return measure(f"claim {claim['id']}, without families", claim["value"], families)[1:]
    except NotComputed:
        return np.empty(0)


def _numbers(own: _Measured) -> dict:
    """Return the columns of a number: its value, its errors, and whether the claim holds for it."""
    measured, replicates = float(own.within[0]), own.within[1:]
    known = replicates[~np.isnan(replicates)]
    enough = len(known) > 1 and len(known) >= KNOWN * len(replicates)
    found = {
        "measured": measured,
        "mean": measured,
        "splits": 1,
        "exact": own.exact,
        "least": own.bounds[0],
        "greatest": own.bounds[1],
        "resamples": len(replicates),
        FAMILIES: len(own.without),
        "undefined": len(replicates) - len(known),
        "error_users": float(known.std(ddof=1)) if enough else np.nan,
        "error_systems": float(jackknife_error(own.without)),
    }
    if np.isnan(measured):
        why = "what it is made of is undefined, as a correlation of tied systems is"
        return found | {"verdict": UNDEFINED, "reason": why}
    found["holds"] = bool(own.condition.holds(np.array(measured)))
    if not (own.exact or enough):
        undefined = f"{found['undefined']} of {len(replicates)} replicates are undefined, more than"
        why = f"{undefined} {1 - KNOWN:.0%}" if len(replicates) else "no replicates are computed"
        found["reason"] = f"{why}: there is no interval"
    return found


def _deciding(claims: list[dict], rows: list[dict], known: dict[str, _Measured]) -> list[dict]:
    """Mark the rows that decide their sentences, and return further ones of those with several.

    The numbers of these are added to the `known` ones.

    Facts count only where a sentence has no findings. Rows that were not asked do not count.
    """
    found = []
    by_id = {row["id"]: row for row in rows}
    groups: dict[tuple[str, bool], list[dict]] = {}
    for claim in claims:
        groups.setdefault((claim["sentence"], claim["source"] == OURS), []).append(claim)
    for (sentence, _), own in groups.items():
        counted = [c for c in own if c["kind"] == "finding"] or own
        asked = [c for c in counted if by_id[c["id"]].get("holds") is not None]
        name = own[0]["decided_by"]
        if len(asked) > 1 and name in STATISTICS:
            row = by_id[asked[0]["id"]]
            said, measured = _of_sentence(sentence, name, [known[c["id"]] for c in asked])
            known[said["id"]] = measured
            found.append(row | said)
        else:
            chosen = next((c for c in own if c["id"] == name), (asked or counted)[0])
            by_id[chosen["id"]]["decides"] = True
    return found


def _of_sentence(sentence: str, name: str, rows: list[_Measured]) -> tuple[dict, _Measured]:
    """Return the columns of the number that decides a sentence, in place of those of a row."""
    condition, conditions = CONDITIONS[name], [own.condition for own in rows]
    drawn = max((len(own.within) for own in rows if not own.exact), default=1)
    within = [np.repeat(own.within[:1], drawn) if own.exact else own.within for own in rows]
    left = max((len(own.without) for own in rows if not own.exact), default=0)
    without = [np.repeat(own.within[:1], left) if own.exact else own.without for own in rows]
    number = _Measured(
        condition,
        statistic(name, conditions, within),
        statistic(name, conditions, without) if all(map(len, without)) else np.empty(0),
        all(own.exact for own in rows),
        BOUNDS[name],
    )
    said = {"id": f"{sentence}{MARK}{name}", "claim": SAID[name].format(len(rows))}
    said |= {"why": "", "published": None, "expected": condition.words(), "decides": True}
    return said | {"reason": None} | asdict(condition) | _numbers(number), number
