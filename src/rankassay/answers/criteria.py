"""Which metric, at which cut-off, can be trusted: three criteria side by side, and a fourth.

Robustness to sparsity and to popularity are each one number here, the mean correlation over all
parts of the test set; discriminative power is one already. Metrics are ranked by each criterion,
and by the average rank, in which the three criteria weigh the same. A rank is no evidence: the
differences of paired replicates show which metrics differ significantly from the best.

Validity, the agreement with the true ranking, is the fourth: by what users like and, where the data
say who knew what, by what they like and had not known, which is a criterion of its own. Few
datasets have a truth: where there is none, the table has in its place what selection would change
the winner, and what simulated worlds of a like bias say. Validity takes no part in the overall
ranks, which so mean the same on all data.

Cut-offs deeper than all lists have the values of the deepest place that some list has, and are not
different cut-offs: they are not ranked among those of their metric.

A metric that reads no test ratings is trivially robust to missing ones: its values are given, but
it is not ranked. With few systems there are no ranks at all.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from rankassay.answers.findings import (
    ALL_ITEMS,
    ENOUGH,
    NO_WARNING,
    OVERALL,
    SENSITIVITY,
    VALIDITY,
    YARDSTICKS,
)
from rankassay.answers.identical import in_short
from rankassay.declared.columns import CORRELATION, POWER
from rankassay.declared.columns import bounds as bounds_of
from rankassay.declared.correlations import of_each
from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import entry
from rankassay.statistics.replicated import Replicated, interval
from rankassay.types import Booleans, Floats, Integers

MEASURE = ["metric", "cutoff"]
WHOLE = 100  # percent: nothing is removed, so that the correlation is 1 under every metric
DECIMALS = 9  # of values that are ranked: differences below are rounding errors


def summary(
    sparsity: Replicated,
    popularity: Replicated,
    discriminative_power: Replicated,
    split: pd.DataFrame,
    validity: Replicated | None = None,
    like: pd.DataFrame | None = None,
    diagnostics: pd.DataFrame | None = None,
    sensitivity: pd.DataFrame | None = None,
    identical: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return every measure's values by the criteria, its ranks, and whether the best differs.

    Parameters
    ----------
    sparsity : Replicated
        Columns metric, cutoff, level, tau, correlation.
    popularity : Replicated
        Columns metric, cutoff, percentage, tau, correlation.
    discriminative_power : Replicated
        Columns metric, cutoff, dp, pairs, those of different systems with a p-value, and identical,
        those of identical ones.
    split : DataFrame
        Columns part, users and ratings_median; one part is test.
    validity : Replicated or None
        Columns yardstick, utility, yardstick_cutoff, estimator, metric, cutoff, candidates,
        truth_users, judged, design and tau, of the observed order with the true one; None where
        there is no truth. The first row of a yardstick, of those by P if there are any, says by
        which utility, cut-off and estimator the rows are chosen.
    like : DataFrame or None
        Columns metric, cutoff, bias, world_gini, gini and tau, of simulated worlds that are alike,
        if any are; None where the study of validity did not look.
    diagnostics : DataFrame or None
        Column warning, a sentence or empty, of what may be wrong with the truth; None where
        diagnostics were not run.
    sensitivity : DataFrame or None
        Columns metric, cutoff, and the others of `rankassay.statistics.sensitivity.winners`.
    identical : DataFrame or None
        Columns system_a and system_b, the pairs of identical systems; None where they are not
        known.

    Returns
    -------
    DataFrame
        Columns

        - metric, cutoff
        - criterion: sparsity, popularity, power, overall, and if it is given validity, by liked
          items, and validity-new, by those that are new to the user as well
        - value: the mean correlation over levels or percentages below 100, where an undefined one
          counts as 0, since a metric that ties all systems does not rank them; the discriminative
          power; overall the average rank; and the correlation with the true ranking, likewise 0
          where undefined
        - low, high: its interval over resampled users, see
          `rankassay.statistics.replicated.interval`
        - undefined: levels or percentages whose correlation is undefined
        - rank: among the metrics at the same cut-off, 1 is the best, equals share the lower
        - behind, behind_low, behind_high: how much worse the value is than that of the best metric
          at the same cut-off, and the interval of that, from paired replicates
        - apart: whether that interval is above 0, and the metric so significantly worse than the
          best; empty without replicates
        - cutoff_rank, cutoff_behind, ..., cutoff_apart: the same among the cut-offs of one metric;
          overall, by the average of the three cut-off ranks. A cut-off whose resampled powers vary
          and are those of the next lower one has none: the lists end before
        - correlation: its name, of the robustness
        - systems, test_users, ratings_median: how many systems were compared, how many users have
          test ratings, and the median number that these have
        - identical: the names of identical systems, or how many these are; empty without any
        - of validity: utility, yardstick_cutoff, estimator, truth_users, judged and design, which
          say how the true ranking was estimated; and warnings, those of all diagnostics in one text
          ("none" without any, empty where diagnostics were not run)
        - of validity without a truth, or where agreement with it was not configured (then there are
          warnings), whose value is empty: sensitivity_leader and all other columns of the
          sensitivity after this prefix; like_gini and like_low, like_high, the least and the
          greatest correlation with the true order in simulated worlds with a similar Gini
          coefficient of the items' numbers of ratings; like_low_bias and like_high_bias, the biases
          of these; and like_low_gini, like_high_gini, their coefficients

        A metric that reads no test ratings has a value and no rank, nor is it behind or apart; nor
        is any with fewer than `rankassay.answers.findings.ENOUGH` systems.
    """
    parts = {
        "sparsity": averaged(sparsity, "level"),
        "popularity": averaged(popularity, "percentage"),
        "power": _power(discriminative_power),
    }
    keys = _common([table for table, _ in parts.values()])
    power = discriminative_power.table
    data = _data(power, split) | {"identical": in_short(identical, int(power["identical"].max()))}
    most = {name: power[name].max() for name in ("pairs", "identical")}
    without = without_rank(keys.assign(**most))
    # The criteria that the overall ranks are made of have the first replicates in common.
    n = min(numbers.shape[1] for _, numbers in parts.values())
    repeated = _repeated(keys, _ordered_as(keys, *parts["power"])[1])
    ranks: dict[str, list[Floats]] = {"cutoff": [], "metric": []}
    tables = []
    for criterion, (table, numbers) in parts.items():
        table, numbers = _ordered_as(keys, table, numbers)
        # Of two correlations the higher is the better, of two powers the lower.
        worse = -(POWER if criterion == "power" else CORRELATION).better * numbers
        worse[without] = np.nan
        distinct = np.where(repeated[:, None], np.nan, worse)
        tables.append(_compared(table.assign(criterion=criterion), numbers, worse, distinct))
        for by, own in (("cutoff", worse), ("metric", distinct)):
            ranks[by].append(_ranks(own[:, :n], _codes(keys[by])))
    overall = {by: np.mean(found, axis=0) for by, found in ranks.items()}
    table = keys.assign(criterion=OVERALL)
    tables.append(_compared(table, overall["cutoff"], overall["cutoff"], overall["metric"]))
    whole = dict.fromkeys(["undefined", "rank", "cutoff_rank"], "Int64")
    columns = [*MEASURE, "criterion", "value", "low", "high", "undefined", *COMPARED]
    columns += [f"cutoff_{name}" for name in COMPARED] + ["correlation"]
    if validity is not None:
        for criterion, (table, numbers) in _validities(validity):
            table, numbers = _ordered_as(keys, table, numbers)
            table = table.assign(criterion=criterion, warnings=_warnings(diagnostics))
            worse = np.where(without[:, None], np.nan, -numbers)
            distinct = np.where(repeated[:, None], np.nan, worse)
            tables.append(_compared(table, numbers, worse, distinct))
        columns += [*ESTIMATED, "warnings"]
    elif like is not None or sensitivity is not None:
        table = keys.assign(criterion=VALIDITY)
        parts = [] if like is None else [_like(keys, like)]
        parts += [] if sensitivity is None else [_sensitivity(keys, sensitivity)]
        for own in parts:
            table = table.join(own.drop(columns=MEASURE))
        if diagnostics is not None:  # there is a truth, but agreement with it is not configured
            table, columns = table.assign(warnings=_warnings(diagnostics)), [*columns, "warnings"]
        tables.append(table)
        columns += [name for name in table if name.startswith(("like_", SENSITIVITY))]
    found = pd.concat(tables, ignore_index=True).reindex(columns=columns).astype(whole)
    return found.assign(**data)


def _common(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the measures that have all criteria, in the order of the first."""
    keys = tables[0][MEASURE].reset_index(drop=True)
    for table in tables[1:]:
        places = keys.reset_index(names="place").merge(table[MEASURE].drop_duplicates(), on=MEASURE)
        keys = keys.iloc[places["place"]].reset_index(drop=True)
    if keys.empty:
        raise RankassayError(
            "summary: expected metrics and cut-offs that sparsity, popularity and "
            "discriminative-power have in common, found none; give them the same."
        )
    return keys


CHOSEN = ["utility", "yardstick_cutoff", "estimator"]
ESTIMATED = ["utility", "yardstick_cutoff", "estimator", "truth_users", "judged", "design"]
COMPARED = ["rank", "behind", "behind_low", "behind_high", "apart"]


def without_rank(power: pd.DataFrame) -> Booleans:
    """Return which measures of a dataset are not ranked, bool (n_measures,).

    `power` has the columns metric, and pairs and identical, those of systems with a p-value.
    """
    few = _systems(power) < ENOUGH
    judged = power["metric"].map(lambda metric: "judgements" in entry(metric).needs)
    return few | ~judged.to_numpy(bool)


def _systems(power: pd.DataFrame) -> int:
    """Return the smallest number of systems with at least these pairs that have a p-value."""
    pairs = int((power["pairs"] + power["identical"]).max())
    return math.ceil((1 + math.sqrt(1 + 8 * pairs)) / 2) if pairs else 1


def _data(power: pd.DataFrame, split: pd.DataFrame) -> dict[str, float]:
    """Return the data of the comparison: numbers of systems, users and test ratings."""
    test = split.set_index("part").loc["test"]
    return {
        "systems": _systems(power),
        "test_users": int(test["users"]),
        "ratings_median": float(test["ratings_median"]),
    }


def _repeated(keys: pd.DataFrame, power: Floats) -> Booleans:
    """Return which measures have the powers of the next lower cut-off in all resamples.

    Powers that do not vary, as where all p-values are the least, may be equal by chance.
    """
    power = power.round(DECIMALS)
    repeated = np.zeros(len(keys), dtype=bool)
    known = keys.reset_index(drop=True).dropna()
    for _, own in known.groupby("metric", sort=False):
        rows = own.sort_values("cutoff").index.to_numpy()
        same = (power[rows[1:]] == power[rows[:-1]]).all(axis=1)
        repeated[rows[1:]] = same & (np.ptp(power[rows[1:]], axis=1) > 0)
    return repeated


def _compared(
    table: pd.DataFrame, numbers: Floats, by_cutoff: Floats, by_metric: Floats
) -> pd.DataFrame:
    """Return a criterion's table with intervals, each measure compared with the best one.

    `numbers` are float64 (n_measures, 1 + n_replicates), as what ranks the metrics at a cut-off,
    and the cut-offs of a metric: lower is better.
    """
    column = "dp" if (table["criterion"] == "power").all() else "tau"
    bounds = (1.0, np.inf) if (table["criterion"] == OVERALL).all() else bounds_of(column, table)
    low, high = interval(numbers[:, 0], numbers[:, 1:], bounds=bounds)
    table = table.assign(value=numbers[:, 0], low=low, high=high)
    for prefix, worse, column in (("", by_cutoff, "cutoff"), ("cutoff_", by_metric, "metric")):
        family = _codes(table[column])
        rank = _ranks(worse[:, :1], family)[:, 0]
        # Of several that are best the first counts; the others are compared with it.
        first = {own: i for i, own in reversed([*enumerate(family)]) if rank[i] == 1}
        best = [first.get(own, i) for i, own in enumerate(family)]
        behind = worse - worse[best]
        ends = interval(behind[:, 0], behind[:, 1:])
        apart = pd.array(ends[0] > 0, dtype="boolean")
        apart[np.isnan(ends[0])] = pd.NA
        found = dict(zip(COMPARED, (rank, behind[:, 0], *ends, apart), strict=True))
        table = table.assign(**{prefix + name: values for name, values in found.items()})
    return table


def _ranks(worse: Floats, family: Integers) -> Floats:
    """Return the ranks within families, 1 the lowest, equals sharing the lower: as `worse`.

    Rows of NaN have none.
    """
    ranks = np.full_like(worse, np.nan)
    for f in np.unique(family):
        own = (family == f) & ~np.isnan(worse[:, 0])
        ranks[own] = _lowest_ranks(worse[own].round(DECIMALS))
    return ranks


def _lowest_ranks(x: Floats) -> Floats:
    """Return the ranks in each column, from 1, equals sharing the lowest; all NaN for one."""
    ranks = pd.DataFrame(x).rank(method="min").to_numpy()
    return np.where(np.isnan(x).any(axis=0), np.nan, ranks)


def _codes(column: pd.Series) -> Integers:
    """Return a number for each distinct value; uncut measures have no cut-off, which is one."""
    return pd.factorize(column, use_na_sentinel=False)[0]


def averaged(result: Replicated, x: str) -> tuple[pd.DataFrame, Floats]:
    """Return the means of each measure's correlations over the values of `x`.

    Over all that remove something. The measures with their columns, and numbers (n_measures, 1 +
    n_replicates).
    """
    table = of_each(result.table.reset_index(drop=True))[0]
    rows = table[table[x] < WHOLE] if (table[x] < WHOLE).any() else table
    numbers = result.numbers
    heads, means = [], []
    # The metrics keep their order; uncut ones have no cut-off, and stay.
    for key, own in rows.groupby(MEASURE, sort=False, dropna=False):
        undefined = int(own["tau"].isna().sum())
        heads.append((*key, undefined, own["correlation"].iloc[0]))
        means.append(np.nan_to_num(numbers[own.index]).mean(axis=0))
    return pd.DataFrame(heads, columns=[*MEASURE, "undefined", "correlation"]), np.array(means)


def _validities(result: Replicated) -> Iterator[tuple[str, tuple[pd.DataFrame, Floats]]]:
    """Yield by criterion the correlations with the true order, as `averaged` does.

    Of lists of all items.
    """
    rows = result.table.reset_index(drop=True)
    rows = rows[rows["candidates"] == ALL_ITEMS]
    for yardstick, criterion in YARDSTICKS.items():
        own = rows[rows["yardstick"] == yardstick]
        if own.empty:
            continue
        own = own[own["utility"] == "P"] if (own["utility"] == "P").any() else own
        own = own[(own[CHOSEN] == own[CHOSEN].iloc[0]).all(axis=1)]
        undefined = own["tau"].isna().astype(np.int64)
        table = own[[*MEASURE, *ESTIMATED]].assign(undefined=undefined, correlation="tau_b")
        yield criterion, (table, np.nan_to_num(result.numbers[own.index]))


def _warnings(diagnostics: pd.DataFrame | None) -> str | float:
    """Return the warnings of diagnostics as one text, `NO_WARNING` without any; else NaN.

    An empty text would be none in a file.
    """
    if diagnostics is None:
        return np.nan
    return " ".join(dict.fromkeys(filter(None, diagnostics["warning"].dropna()))) or NO_WARNING


def _sensitivity(keys: pd.DataFrame, winners: pd.DataFrame) -> pd.DataFrame:
    """Return by measure how much selection it takes to change the winner."""
    own = winners.astype(keys.dtypes.to_dict())
    own = own.rename(columns={name: SENSITIVITY + name for name in own if name not in MEASURE})
    return keys.merge(own, on=MEASURE, how="left")


def _like(keys: pd.DataFrame, like: pd.DataFrame) -> pd.DataFrame:
    """Return by measure the least and the greatest correlation in simulated worlds."""
    known = like.dropna(subset="tau").sort_values("tau", kind="stable")
    groups = known.groupby(MEASURE, dropna=False)
    ends = {"low": groups.first(), "high": groups.last()}
    names = {"tau": "", "bias": "_bias", "world_gini": "_gini"}
    found = {
        f"like_{end}{suffix}": table[name]
        for end, table in ends.items()
        for name, suffix in names.items()
    }
    table = pd.DataFrame(found | {"like_gini": ends["low"]["gini"]}).reset_index()
    table = table.astype(keys.dtypes.to_dict())  # a file without rows has no types
    return keys.merge(table, on=MEASURE, how="left")


def _power(result: Replicated) -> tuple[pd.DataFrame, Floats]:
    """Return discriminative power, as `averaged` does robustness."""
    return result.table[MEASURE], result.numbers


def _ordered_as(
    keys: pd.DataFrame, table: pd.DataFrame, numbers: Floats
) -> tuple[pd.DataFrame, Floats]:
    """Return a criterion's rows in the order of the measures of another."""
    places = table[MEASURE].reset_index(drop=True).reset_index(names="place")
    order: Sequence[int] = keys.merge(places, on=MEASURE, how="left")["place"].to_numpy(np.int64)
    return table.iloc[order].reset_index(drop=True), numbers[order]
