"""Which systems are better across datasets, and do metrics differ?

Metrics are compared by the criteria of the study of robustness: each has a value on each dataset.
Datasets of one source resemble one another and count as one, whose values are the means over them.
Systems and metrics that are not on all datasets are excluded, and named; a dataset that shares no
two systems or metrics with any other does not count.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from rankassay.answers.criteria import DECIMALS, without_rank
from rankassay.answers.findings import ACROSS, SELECTION, SENSITIVITY, VALIDITY
from rankassay.metrics.names import direction
from rankassay.statistics.across_datasets import compared, friedman, mixed_model
from rankassay.statistics.region import Region

ABOUT = ["datasets", "sources", "left_out", "alpha"]
ALPHA = 0.05  # the level of tests of all metrics, where no other is configured
PAIRS = [
    *("metric", "cutoff", "system_a", "system_b", "rank_a", "rank_b", "wins", "losses", "ties"),
    *("p_nemenyi", "probably_a", "probably_equivalent", "probably_b", "apart", "p_friedman"),
    *("critical_difference", *ABOUT),
]
RANKS = ["criterion", "cutoff", "metric", "rank", "p_friedman", "p_mixed", "p_without", "without"]
POWER = "power"  # the criterion where lower is better
Runs = Mapping[str, Mapping[str, Any]]


def systems_across(
    means: pd.DataFrame,
    runs: Runs,
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
    runs : mapping
        The source of each dataset, by the dataset and `source`.
    alpha, equivalence, samples
        Of Friedman's and Nemenyi's tests, the region of equivalence, and the draws of the Bayesian
        signed-rank test.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, those of `rankassay.statistics.across_datasets.compared` over
        sources, datasets, sources, left_out (the systems that are not on all datasets), and alpha.
        Measures that fewer than two sources have, or by which fewer than two systems are on all
        datasets, are not there.
    """
    how = (Region.of(equivalence), alpha, samples, seed)
    tables = []
    for (metric, cutoff), own in means.groupby(["metric", "cutoff"], sort=False, dropna=False):
        values = own.assign(value=direction(metric) * own["mean"])
        if found := _across(values, "system", runs):
            _, of_sources, about = found
            pairs = compared(of_sources.to_numpy(np.float64), [*map(str, of_sources)], *how)
            tables.append(pairs.assign(metric=metric, cutoff=cutoff, alpha=alpha, **about))
    return _stacked(tables, PAIRS)


def metrics_across(
    discriminative_power: pd.DataFrame,
    runs: Runs,
    *,
    alpha: float = ALPHA,
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
    runs : mapping
        The source of each dataset, as in `systems_across`.
    summary : DataFrame or None
        Columns dataset, and those of `rankassay.answers.criteria.summary`, of the datasets that
        have one. A metric that has no rank there takes no part.
    alpha : float
        The level of the tests. Measures without a cut-off take part at each one.

    Returns
    -------
    DataFrame
        A row for each metric, the best of a criterion first. Columns criterion, cutoff, metric,
        rank (the average one over sources, 1 is the best); p_friedman (of Iman and Davenport, over
        sources: are all metrics alike?), p_mixed (the same by
        `rankassay.statistics.across_datasets.mixed_model`, on all datasets), p_without (the highest
        p_friedman where one source is left out) and without (that source); datasets, sources,
        left_out (the metrics that are not on all datasets) and alpha. Where all measures are of
        whole lists, so is the cut-off. A criterion that fewer than two sources have is not there.
    """
    known = _powers(discriminative_power)
    if summary is not None:
        others = summary[summary["criterion"] != POWER].dropna(subset=["rank", "value"])
        parts = [known, others[[*known]], _selection(summary)]
        known = pd.concat([part for part in parts if len(part)] or [known], ignore_index=True)
    cutoffs = sorted(known["cutoff"].dropna().astype(int).unique()) or [None]
    tables = []
    for criterion, cutoff in itertools.product(ACROSS, cutoffs):
        own = _at(known[known["criterion"] == criterion], cutoff)
        if found := _across(own, "metric", runs):
            tables.append(_ranked(*found).assign(criterion=criterion, cutoff=cutoff, alpha=alpha))
    return _stacked(tables, [*RANKS, *ABOUT])


def _ranked(values: pd.DataFrame, means: pd.DataFrame, about: Mapping[str, object]) -> pd.DataFrame:
    """Return the average ranks of metrics, the best first, and the tests of all of them."""
    test = friedman(means.to_numpy(np.float64))
    alone = {source: friedman(means.drop(source).to_numpy(np.float64)).p for source in means.index}
    without = max(alone, key=alone.__getitem__)
    mixed = mixed_model(values.to_numpy(np.float64), means.index.get_indexer(values.index))
    tests = {"p_friedman": test.p, "p_mixed": mixed.p, "p_without": alone[without]}
    ranks = pd.DataFrame({"metric": means.columns, "rank": test.ranks})
    return ranks.sort_values("rank", kind="stable").assign(**tests, without=without, **about)


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
    rows: pd.DataFrame, name: str, runs: Runs
) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, object]] | None:
    """Return the values on datasets by source, their means over these, and what they are of.

    None where there are not two names and two sources.
    """
    table = rows.pivot(index="dataset", columns=name, values="value").round(DECIMALS)
    # In the order of the first dataset, as everywhere else.
    table = table[[*dict.fromkeys(rows[name])]].dropna(how="all").dropna(axis=1, how="all")
    table = _comparable(table)
    missing = table.columns[table.isna().any()]
    table = table.drop(columns=missing).rename(index=lambda dataset: runs[dataset]["source"])
    means = table.groupby(level=0, sort=False).mean().round(DECIMALS)
    left_out = ", ".join(map(str, missing))
    about = {"datasets": len(table), "sources": len(means), "left_out": left_out}
    return (table, means, about) if min(means.shape) > 1 else None


def _comparable(table: pd.DataFrame) -> pd.DataFrame:
    """Exclude datasets that share fewer than two names with any other, and names only they have.

    Values that others computed have other systems, which must not exclude those that all other
    datasets share.
    """
    there = table.notna().to_numpy(np.int64)
    shared = there @ there.T
    np.fill_diagonal(shared, 0)
    return table[(shared > 1).any(axis=1)].dropna(axis=1, how="all")


def _stacked(tables: Sequence[pd.DataFrame], columns: Sequence[str]) -> pd.DataFrame:
    """Return tables as one, which has the columns also without any."""
    return (
        pd.concat(tables, ignore_index=True)[columns] if tables else pd.DataFrame(columns=columns)
    )
