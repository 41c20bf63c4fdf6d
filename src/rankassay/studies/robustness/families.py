"""The results of the study without one family of the systems: would others say the same?

Each result is made as its own analysis makes it. What is computed of systems one by one, or of
pairs of them, is computed once; what compares all of them, once a family.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings, Scores
from rankassay.declared.correlations import of_each
from rankassay.errors import RankassayError
from rankassay.statistics import correlation
from rankassay.statistics.families import Families
from rankassay.statistics.identical import placed, same_lists
from rankassay.statistics.incomplete import popularity_bias as without_popular_items
from rankassay.statistics.incomplete import sparsity_bias as with_missing_ratings
from rankassay.statistics.replicated import Replicated
from rankassay.studies.robustness.as_run import by_pair
from rankassay.studies.robustness.procedure import gains as with_gains
from rankassay.types import Booleans, Floats

# The columns that identify the rows of each table.
KEYS = {
    "cutoff-correlation": ("metric", "cutoff_a", "cutoff_b"),
    "metric-correlation": ("cutoff", "metric_a", "metric_b"),
    "gains": ("cutoff", "gain_a", "gain_b"),
    "sparsity": ("metric", "cutoff", "level"),
    "popularity": ("metric", "cutoff", "percentage"),
    "discriminative-power": ("metric", "cutoff"),
    "as-run": ("metric", "cutoff"),
}
SEVERAL = "correlation"  # identifies rows, too, in a table with several values of it
NUMBERS = ("cutoff", "cutoff_a", "cutoff_b", "level", "percentage")
COLUMNS = ["table", "metric", "metric_a", "metric_b", "gain_a", "gain_b", *NUMBERS, "value"]
COLUMNS += ["families"]


def run(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    scores: Scores,
    evaluation: dict,
    seed: int,
    cutoff_correlation: dict | None,
    metric_correlation: dict | None,
    gains: dict | None,
    sparsity: dict | None,
    popularity: dict | None,
    train: sp.csr_matrix | None = None,
    p_values: pd.DataFrame | None = None,
    as_run_p_values: pd.DataFrame | None = None,
    identical: pd.DataFrame | None = None,
) -> Replicated:
    """Compute each analysis's measurements on all systems and without each family of them.

    The dictionaries are the settings of the analyses of these names; one that is skipped, None, has
    no rows, nor has popularity where it is by training ratings and there are none.

    Each number is what the analysis gives for the systems that are left alone, but for the last
    bits of overlaps, and unless some of the others end their lists earlier: all lists are cut at
    the shortest. DP is scaled to all pairs: the sum over the pairs that are left, times the number
    of all pairs divided by theirs.

    Returns
    -------
    Replicated
        Columns table (the name of the analysis), metric, metric_a, metric_b, gain_a, gain_b,
        cutoff, cutoff_a, cutoff_b, level, percentage (those that identify the rows of a table; the
        others are empty), value (tau or dp of all systems; a replicate is that without a family),
        families (their names, a list in JSON), and correlation if some table has
        several. It has no rows of fewer than 5 families.
    """
    if [*rankings] != [*map(str, scores.systems)]:
        raise RankassayError(
            f"families: expected values of the systems whose lists there are, {[*rankings]}, found "
            f"values of {[*map(str, scores.systems)]}; make the values again from the same lists."
        )
    families = Families.of([*rankings], evaluation["families"])
    if not len(families):
        return Replicated(pd.DataFrame(columns=COLUMNS), "value", np.empty((0, 0)))
    found: dict[str, Replicated] = {}
    given = {"evaluation": evaluation, "seed": seed, "families": families}
    lists = {"test": test, "rankings": rankings}
    if cutoff_correlation:
        of = correlation.cutoff_correlation
        found["cutoff-correlation"] = of(scores, **given, **cutoff_correlation)
    if metric_correlation:
        of = correlation.metric_correlation
        found["metric-correlation"] = of(scores, **given, **metric_correlation)
    if gains:
        found["gains"] = with_gains(**lists, **given, **gains)
    if sparsity:
        found["sparsity"] = with_missing_ratings(**lists, **given, **sparsity)
    if popularity and (train is not None or popularity["count"] == "test"):
        found["popularity"] = without_popular_items(train, **lists, **given, **popularity)
    same = same_lists(rankings) if identical is None else placed(rankings, identical)
    if p_values is not None:
        p = p_values["p_value"].to_numpy(np.float64).reshape(len(scores.measures), 1, -1)
        found["discriminative-power"] = _power(p_values, p, same, families)
    if as_run_p_values is not None:
        p = by_pair(as_run_p_values, len(rankings))
        found["as-run"] = _power(as_run_p_values, p, same, families)
    return _together([_long(name, own) for name, own in found.items()], families)


def _power(p_values: pd.DataFrame, p: Floats, same: Booleans, families: Families) -> Replicated:
    """Return DP, from p-values (n_measures, orders of a pair, n_pairs) in the order of a table.

    Pairs that are the `same`, bool (n_pairs,), are excluded. Sums are scaled to the number of all
    pairs, of which a published number is.
    """
    table = p_values[["metric", "cutoff"]].drop_duplicates()
    p = np.where(same, np.nan, p)
    rows = [_sums(p), *(_sums(p[..., own]) for own in families.pairs())]
    pairs = [_pairs(p), *(_pairs(p[..., own]) for own in families.pairs())]
    return Replicated.of(table, "dp", np.transpose(np.array(rows) * (pairs[0] / np.array(pairs))))


def _pairs(p: Floats) -> Floats:
    """Return the number of pairs with a p-value, (n_measures,); NaN for none."""
    known = (~np.isnan(p)).any(axis=1).sum(axis=1)
    return np.where(known > 0, known, np.nan)


def _sums(p: Floats) -> Floats:
    """Return sums over pairs and their orders, (n_measures,); NaN where no pair has a p-value."""
    unknown = np.isnan(p).all(axis=(1, 2))
    total = np.nansum(np.ascontiguousarray(p), axis=2).sum(axis=1)
    return np.where(unknown, np.nan, total)


def _long(name: str, found: Replicated) -> Replicated:
    """Return a table's rows: the columns that identify them, and the measurement as value."""
    value = found.table[found.column].to_numpy(np.float64)
    several = len(of_each(found.table)) > 1
    table = found.table[[*KEYS[name], *([SEVERAL] if several else [])]]
    table = table.assign(table=name, value=value)
    return Replicated(table.reindex(columns=[*COLUMNS[:-1], SEVERAL]), "value", found.replicates)


def _together(parts: Sequence[Replicated], families: Families) -> Replicated:
    """Return the rows of all tables; whole numbers stay whole where others have none."""
    found = Replicated.joined(parts).assign(families=json.dumps(families.names))
    if found.table[SEVERAL].isna().all():
        found = replace(found, table=found.table.drop(columns=SEVERAL))
    table = found.table
    for column in NUMBERS:
        numbers = pd.to_numeric(table[column])
        whole = (numbers.dropna() % 1 == 0).all()
        table[column] = numbers.astype("Int64" if whole else "float64")
    return found
