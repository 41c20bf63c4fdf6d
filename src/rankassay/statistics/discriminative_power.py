"""Discriminative power: one number a measure from the p-values of all pairs of systems.

::

    DP = sum_{i < j} p_ij

approximates the area under the curve of p-values; the lower, the higher a measure's discriminative
power. It compares measures on the same systems and dataset only (Valcarce et al., RecSys 2018,
section 4; the share of significant pairs in its place: Sakai, SIGIR 2006). Pairs of identical
systems (`rankassay.statistics.identical`) add 1 each under every metric and are excluded here,
unlike in the published protocol, whose sum is given as dp_all.

How much DP depends on which users there are is measured by resampling users. A permutation test in
every resample would take days, so there ::

    p_ij = 2 Phi(-|sum_u d_u| / sqrt(sum_u d_u^2)),

the normal approximation of the permutation test, whose statistic sum_u s_u d_u has the mean 0 and
the variance sum_u d_u^2 and tends to normal by the central limit theorem.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import scipy.special

from rankassay.artifacts.arrays import Rankings, Scores
from rankassay.errors import RankassayError
from rankassay.statistics import significance
from rankassay.statistics.bootstrap import Pairs, Sums
from rankassay.statistics.corrections import benjamini_hochberg, holm
from rankassay.statistics.draws import Draws
from rankassay.statistics.identical import same_lists
from rankassay.statistics.judged_systems import as_columns, compared, names_of
from rankassay.statistics.replicated import LEVEL, REPLICATES, Replicated, sign_p
from rankassay.statistics.valuation import UsersValues
from rankassay.types import Booleans, Floats

LEVELS = {"05": 0.05, "01": 0.01}
OF_LEVELS = [f"significant_{name}" for name in LEVELS]


def run(
    scores: Scores, p_values: pd.DataFrame, seed: int, replicates: int, level: float
) -> Replicated:
    """Sum the p-values up, by measure.

    `p_values` are those that `rankassay.statistics.significance.p_values` made of the scores.

    Returns
    -------
    Replicated
        Columns metric, cutoff, and those of `power_table`.
    """
    p, adjusted, same = _arrays(scores, p_values)
    measures, test = as_columns(scores.measures), tested_by(p_values)
    return power_table(scores.columns(), measures, p, adjusted, same, seed, replicates, level, test)


def tested_by(p_values: pd.DataFrame) -> str:
    """Return the test that made p-values."""
    return str(p_values["test"].iloc[0]) if len(p_values) else "permutation"


def analysis(
    valuation: UsersValues,
    rankings: Mapping[str, Rankings],
    seed: int,
    level: float = LEVEL,
    samples: int | None = None,
    p_values: pd.DataFrame | None = None,
) -> Replicated:
    """As `run`, for any valuation of the systems with these rankings.

    The p-values are those of `rankassay.statistics.significance.analysis`, made with `samples`
    where they are not given.

    Raises
    ------
    RankassayError
        A measure is not among the p-values that are given, or neither they nor samples are.
    """
    if p_values is None:
        if samples is None:
            raise RankassayError(
                "expected p-values, or the number of samples to make them; give one"
            )
        p_values = significance.analysis(valuation, rankings, samples, seed, None)
    table = p_values.fillna({"cutoff": 0})
    groups = table.groupby(["metric", "cutoff"], sort=False)
    found = {key: own[["p_value", "adjusted"]].to_numpy(float).T for key, own in groups}
    measures = valuation.measures
    keys = [(own["metric"], own["cutoff"] or 0) for own in measures]
    if len(rankings) < 2:  # no pair, and no p-value
        found = dict.fromkeys(keys, np.empty((2, 0)))
    # A measure that was not tested is a mistake in the configuration of one of the two analyses.
    missing = [f"{metric}@{cutoff}" for metric, cutoff in keys if (metric, cutoff) not in found]
    if missing:
        raise RankassayError(
            f"expected p-values by {missing[0].removesuffix('@0')}, found none; give p-values and "
            "discriminative-power the same metrics and cut-offs."
        )
    p, adjusted = np.stack([found[key] for key in keys], axis=1)
    same = same_lists(rankings)
    return power_table(valuation.values(), measures, p, adjusted, same, seed, level=level)


def power_differences(
    scores: Scores, p_values: pd.DataFrame, seed: int, replicates: int, level: float
) -> pd.DataFrame:
    """Compare the discriminative power of two metrics at the same cut-off.

    Parameters are those of `run`; the same resamples of users serve both metrics.

    Returns
    -------
    DataFrame
        Columns cutoff, metric_a, metric_b, difference (of DP, a minus b), low and high (the
        interval of the paired differences, see `rankassay.statistics.replicated.interval`), p_value
        (see `rankassay.statistics.replicated.sign_p`) and p_holm (Holm's correction for the pairs
        of metrics at a cut-off).
    """
    p, _, same = _arrays(scores, p_values)
    dp = _of_known(np.nansum, np.where(same, np.nan, p))
    _, drawn = _replicated(scores.columns(), dp, replicates, seed, tested_by(p_values), same)
    names = names_of(scores.measures)
    pairs = [pair for pair in compared(names) if pair[0] < pair[1]]
    rows = [(cutoff, names[a][0], names[b][0]) for a, b, cutoff in pairs]
    table = pd.DataFrame(rows, columns=["cutoff", "metric_a", "metric_b"])
    numbers = [[dp[a] - dp[b], *(drawn[:, a] - drawn[:, b])] for a, b, _ in pairs]
    found = Replicated.of(table, "difference", numbers)
    p_value = sign_p(found.table["difference"].to_numpy(np.float64), found.replicates)
    # In each cut-off's family of pairs.
    families = table["cutoff"].fillna(0).to_numpy()
    adjusted = np.empty(len(table))
    for family in np.unique(families):
        adjusted[families == family] = holm(p_value[families == family])
    return found.with_interval(level).table.assign(p_value=p_value, p_holm=adjusted)


def power_table(
    values: Floats | Iterable[Floats],
    measures: Sequence[dict[str, object]],
    p: Floats,
    adjusted: Floats,
    same: Booleans,
    seed: int,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    test: str = "permutation",
) -> Replicated:
    """Return each measure's sum of p-values over all pairs of different systems.

    `values` are float64 (n_users, n_systems, n_measures), or each measure's (n_users, n_systems);
    `measures` the first columns of each row; `p` and `adjusted` the p-values of pairs i < j, and
    those that hold for all pairs at once (NaN if unknown), (n_measures, n_pairs); and `same`, bool
    (n_pairs,), which pairs are of identical systems: these are excluded from all columns but
    `identical` and `dp_all`, and from the corrections. For the others see `replicated_power`. One
    row per measure, with

    - pairs: those with a p-value; the rest is NaN or empty if there are none
    - identical: pairs of identical systems with a p-value, which is 1
    - dp: the sum of the p-values, which is replicated
    - dp_all: the sum with the identical pairs, as in the published protocol; dp + identical
    - low, high: the interval of dp over users, between 0 and the number of pairs; see
      `rankassay.statistics.replicated.interval`, which has the coverage of such intervals. NaN
      if some pair has a single user with both values
    - dp_normal: dp by the normal approximation
    - normal_error: the largest difference between the approximation and a pair's p-value
    - median_p: the median of the p-values (Lu, Moffat and Culpepper, Information Retrieval
      Journal 19, 2016)
    - significant_05, significant_01: pairs with p < 0.05 and p < 0.01; then, with the suffixes
      holm, bh and max_t, after the corrections `holm` and `benjamini_hochberg`, and by the
      adjusted p-values
    - required_largest, required_median: the difference in means that is significant at 0.05 for
      every pair, and for half of them. A pair requires sqrt(sum_u d_u^2) / n times the 97.5 %
      quantile of the normal distribution, which replaces the bootstrap distribution of Sakai,
      SIGIR 2006, section 3.
    """
    columns = summed_up(p, same)
    p, adjusted = (np.where(same, np.nan, own) for own in (p, adjusted))
    observed, drawn = _replicated(values, columns["dp"], replicates, seed, test, same)
    normal = np.where(np.isnan(p), np.nan, np.concatenate([normal_p(sums) for sums in observed]))
    required = np.concatenate([_required(sums) for sums in observed])
    required[:, same] = np.nan
    columns |= {
        "dp_normal": _of_known(np.nansum, normal),
        "normal_error": _of_known(np.nanmax, np.abs(normal - p)),
        "median_p": _of_known(np.nanmedian, p),
    }
    columns |= {name: columns.pop(name) for name in OF_LEVELS}
    columns |= _significant("_holm", holm(p))
    columns |= _significant("_bh", benjamini_hochberg(p)) | _significant("_max_t", adjusted)
    columns["required_largest"] = _of_known(np.nanmax, required)
    columns["required_median"] = _of_known(np.nanmedian, required)
    table = pd.DataFrame([*measures]).join(pd.DataFrame(columns))
    return Replicated(table, "dp", drawn.T).with_interval(level)


def summed_up(p: Floats, same: Booleans) -> dict[str, Any]:
    """Return the sums of p-values (n_measures, n_pairs): the columns that need no users' values."""
    different = np.where(same, np.nan, p)
    return {
        "pairs": (~np.isnan(different)).sum(axis=1),
        "identical": (same & ~np.isnan(p)).sum(axis=1),
        "dp": _of_known(np.nansum, different),
        "dp_all": _of_known(np.nansum, p),
        "low": np.nan,
        "high": np.nan,
    } | _significant("", different)


def replicated_power(
    values: Floats | Iterable[Floats],
    dp: Floats,
    replicates: int,
    seed: int,
    same: Booleans | None = None,
) -> Floats:
    """Return DP for resampled users, float64 (replicates, n_measures).

    Each is the normal approximation, plus by how much `dp`, the measured sum, exceeds that over all
    users. That serves the tests of a difference of means; those of ranks and signs have no
    replicates. Nor (NaN) has a measure by which two systems share a single user, who shows nothing
    of others.
    """
    return _replicated(values, dp, replicates, seed, "permutation", same)[1]


def _replicated(
    values: Floats | Iterable[Floats],
    dp: Floats,
    replicates: int,
    seed: int,
    test: str,
    same: Booleans | None,
) -> tuple[list[Sums], Floats]:
    """Return the sums over the users as they are by each measure, and `replicated_power`."""
    if test in ("wilcoxon", "sign"):
        replicates = 0
    observed, power = _resampled(values, replicates, seed, same)
    normal = np.array([_different(normal_p(sums), same).sum() for sums in observed])
    single = np.array([(_different(sums.count, same) == 1).any() for sums in observed])
    return observed, power + np.where(single, np.nan, dp - normal)


def resampled_power(values: Floats, replicates: int, seed: int) -> Floats:
    """Return DP by the normal approximation in resamples, float64 (replicates, n_measures)."""
    return _resampled(values, replicates, seed)[1]


def _resampled(
    values: Floats | Iterable[Floats], replicates: int, seed: int, same: Booleans | None = None
) -> tuple[list[Sums], Floats]:
    """Return the sums over the users as they are, and `resampled_power`, measure by measure."""
    columns = np.moveaxis(values, 2, 0) if isinstance(values, np.ndarray) else values
    draws, observed, power = None, [], []
    for x in columns:
        draws = draws or Draws.of(len(x), replicates, seed)
        # The first of the draws is the users themselves.
        sums = Pairs.of(x).sums(draws.times, draws.group)
        observed.append(Sums(*(own[:1].copy() for own in (sums.count, sums.total, sums.squares))))
        power.append(_different(normal_p(sums)[1:], same).sum(axis=1))
    # Resample by resample: how sums over replicates round depends on how they lie in memory.
    return observed, np.ascontiguousarray(np.array(power).reshape(len(power), replicates).T)


def _different(x: Floats, same: Booleans | None) -> Floats:
    """Return the numbers of pairs (n, n_pairs) without those of identical systems."""
    return x if same is None else np.compress(~same, x, axis=1)


def normal_p(sums: Sums) -> Floats:
    """Return the normal approximation of the permutation test's p-values, of the shape of the sums.

    It is 1 for a pair without any difference.
    """
    root = np.sqrt(sums.squares)
    z = np.divide(np.abs(sums.total), root, out=np.zeros_like(root), where=root > 0)
    return 2 * scipy.special.ndtr(-z)


def _of_known(function: Callable[..., Floats], p: Floats) -> Floats:
    """Return a function of each row's numbers, NaN where there are none."""
    known = ~np.isnan(p).all(axis=1)
    found = np.full(len(p), np.nan)
    if known.any():
        found[known] = function(np.ascontiguousarray(p[known]), axis=1)
    return found


def row_sums(p: Floats) -> Floats:
    """Return the sums of p-values over pairs of systems, of (n_measures, n_pairs).

    Rows are made contiguous, as numpy adds up others in another order, to other last bits.
    """
    return np.ascontiguousarray(p).sum(axis=1)


def _required(sums: Sums) -> Floats:
    """Return the differences in means at which pairs become significant at 0.05."""
    root = np.where(sums.count > 0, np.sqrt(sums.squares), np.nan)
    return scipy.special.ndtri(0.975) * root / np.maximum(sums.count, 1)


def _significant(suffix: str, p: Floats) -> dict[str, list[int | None]]:
    """Return how many p-values are below each level; None where there are none."""
    known = (~np.isnan(p)).any(axis=1)
    return {
        f"significant_{name}{suffix}": pd.array(
            [int((row < alpha).sum()) if k else None for row, k in zip(p, known, strict=True)],
            dtype="Int64",
        )
        for name, alpha in LEVELS.items()
    }


def _arrays(scores: Scores, p_values: pd.DataFrame) -> tuple[Floats, Floats, Booleans]:
    """Return p-values, adjusted ones (n_measures, n_pairs), and which pairs are identical."""
    first, second = np.triu_indices(len(scores.systems), k=1)
    expected = [
        (metric, cutoff or 0, str(a), str(b))
        for metric, cutoff in names_of(scores.measures)
        for a, b in zip(scores.systems[first], scores.systems[second], strict=True)
    ]
    table = p_values.fillna({"cutoff": 0}).astype({"system_a": str, "system_b": str})
    found = table[["metric", "cutoff", "system_a", "system_b"]].itertuples(index=False, name=None)
    if expected != [*found]:
        raise RankassayError(
            "expected p-values of all pairs of the systems by the measures of the scores, found "
            "others; make the p-values again from the same scores."
        )
    p, adjusted = (
        table[name].to_numpy(np.float64).reshape(-1, len(first)) for name in ("p_value", "adjusted")
    )
    return p, adjusted, table["identical"].to_numpy(bool)[: len(first)]
