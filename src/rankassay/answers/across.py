"""Is a system, or a metric, better than another across datasets?

Metrics are compared by the criteria of the study of robustness: each has a value on each dataset,
and across datasets their order is tested as that of systems is. Systems and metrics that are not on
all datasets are excluded, and named; a dataset that shares no two systems or metrics with any other
does not count.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from rankassay.answers.criteria import DECIMALS, without_rank
from rankassay.answers.validity import SENSITIVITY, VALIDITY
from rankassay.answers.words import ACROSS, SELECTION
from rankassay.metrics.names import direction
from rankassay.statistics.across_datasets import compared
from rankassay.statistics.region import Region

PAIRS = [
    *("rank_a", "rank_b", "wins", "losses", "ties", "p_nemenyi", "probably_a"),
    *("probably_equivalent", "probably_b", "apart", "datasets", "p_friedman"),
    *("critical_difference", "left_out", "alpha"),
]
POWER = "power"  # the criterion where lower is better


def systems_across(
    means: pd.DataFrame,
    seed: int,
    *,
    alpha: float,
    equivalence: float | str,
    samples: int,
) -> pd.DataFrame:
    """Compare the systems across datasets, by their means by each measure.

    Parameters
    ----------
    means : DataFrame
        Columns dataset, system, metric, cutoff and mean.
    seed, alpha, equivalence, samples
        Those of `rankassay.studies.settings.Across`.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, those of `rankassay.statistics.across_datasets.compared`, left_out
        (the systems that are not on all datasets), and alpha. Measures that fewer than two datasets
        have, or by which fewer than two systems are on all of them, are not there.
    """
    how = (alpha, equivalence, samples, seed)
    measures = means.groupby(["metric", "cutoff"], sort=False, dropna=False)
    return _stacked(
        ["metric", "cutoff", "system_a", "system_b"],
        (
            (
                {"metric": metric, "cutoff": cutoff},
                _across(own.assign(value=direction(metric) * own["mean"]), "system", *how),
            )
            for (metric, cutoff), own in measures
        ),
    )


def metrics_across(
    discriminative_power: pd.DataFrame,
    seed: int,
    *,
    alpha: float,
    equivalence: float | str,
    samples: int,
    summary: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Compare the metrics across datasets, by robustness, discriminative power and validity.

    Datasets without a truth say how much selection it takes to change the winner under a metric:
    the least Γ, of which more is better. Metrics of which it is another measure's take no part.

    Parameters
    ----------
    discriminative_power : DataFrame
        Columns dataset, metric, cutoff, dp, and pairs and identical, those of systems with a
        p-value. Values without lists have that much, too.
    summary : DataFrame or None
        Columns dataset, and those of `rankassay.answers.criteria.summary`, of the datasets that
        have one. A metric that has no rank there takes no part.
    seed, alpha, equivalence, samples
        As in `systems_across`; measures without a cut-off take part at each one.

    Returns
    -------
    DataFrame
        Columns criterion, cutoff, and those of `systems_across`, with metric_a and metric_b in
        place of systems. Where all measures are of whole lists, so is the cut-off. A
        criterion that fewer than two datasets have is not there.
    """
    how = (alpha, equivalence, samples, seed)
    known = _powers(discriminative_power)
    if summary is not None:
        others = summary[summary["criterion"] != POWER].dropna(subset=["rank", "value"])
        parts = [known, others[[*known]], _selection(summary)]
        known = pd.concat([part for part in parts if len(part)] or [known], ignore_index=True)
    cutoffs = sorted(known["cutoff"].dropna().astype(int).unique()) or [None]
    return _stacked(
        ["criterion", "cutoff", "metric_a", "metric_b"],
        (
            (
                {"criterion": criterion, "cutoff": cutoff},
                _across(_at(known[known["criterion"] == criterion], cutoff), "metric", *how),
            )
            for criterion in ACROSS
            for cutoff in cutoffs
        ),
    )


def _powers(table: pd.DataFrame) -> pd.DataFrame:
    """Return discriminative power as a criterion: negated, for the lower of two is the better."""
    parts = [own[~without_rank(own)] for _, own in table.groupby("dataset", sort=False)]
    known = pd.concat(parts, ignore_index=True) if parts else table
    known = known.assign(criterion=POWER, value=-known["dp"]).dropna(subset="value")
    return known[["dataset", "metric", "cutoff", "criterion", "value"]]


def _selection(summary: pd.DataFrame) -> pd.DataFrame:
    """Return robustness to selection as a criterion: 1 - 1 / Γ, which is 1 where Γ is infinite."""
    columns = ["dataset", "metric", "cutoff", "criterion", "value"]
    gamma, measure = f"{SENSITIVITY}gamma", f"{SENSITIVITY}measure"
    if gamma not in summary:
        return pd.DataFrame(columns=columns)
    rows = summary[(summary["criterion"] == VALIDITY) & summary[gamma].notna()]
    rows = rows.dropna(subset=["cutoff"])
    own = rows["metric"] + "@" + rows["cutoff"].astype(int).astype(str)
    rows = rows[rows[measure] == own]
    return rows.assign(criterion=SELECTION, value=1 - 1 / rows[gamma].astype(float))[columns]


def _at(table: pd.DataFrame, cutoff: int) -> pd.DataFrame:
    """Return the rows at a cut-off, and those of metrics that have none."""
    rows = table[(table["cutoff"] == cutoff) | table["cutoff"].isna()]
    return rows[~rows.sort_values("cutoff").duplicated(["dataset", "metric"]).reindex(rows.index)]


def _across(
    rows: pd.DataFrame, name: str, alpha: float, equivalence: float | str, samples: int, seed: int
) -> pd.DataFrame:
    """Return the pairs of names across datasets; no rows where there are not two of both."""
    table = rows.pivot(index="dataset", columns=name, values="value").round(DECIMALS)
    # In the order of the first dataset, as everywhere else.
    table = table[[*dict.fromkeys(rows[name])]].dropna(how="all").dropna(axis=1, how="all")
    table = _comparable(table)
    missing = table.columns[table.isna().any()]
    table = table.drop(columns=missing)
    if min(table.shape) < 2:
        return pd.DataFrame()
    how = (Region.of(equivalence), alpha, samples, seed, name)
    pairs = compared(table.to_numpy(np.float64), [*map(str, table.columns)], *how)
    return pairs.assign(left_out=", ".join(map(str, missing)), alpha=alpha)


def _comparable(table: pd.DataFrame) -> pd.DataFrame:
    """Exclude datasets that share fewer than two names with any other, and names only they have.

    Values that others computed have other systems, which must not exclude those that all other
    datasets share.
    """
    there = table.notna().to_numpy(np.int64)
    shared = there @ there.T
    np.fill_diagonal(shared, 0)
    return table[(shared > 1).any(axis=1)].dropna(axis=1, how="all")


def _stacked(
    heads: Sequence[str], tables: Iterable[tuple[dict[str, object], pd.DataFrame]]
) -> pd.DataFrame:
    """Return tables, which may all be empty, as one with the columns that identify them."""
    parts = [pd.DataFrame(head, index=own.index).join(own) for head, own in tables if len(own)]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=[*heads, *PAIRS])
