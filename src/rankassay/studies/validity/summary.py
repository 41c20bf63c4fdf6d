"""Summaries of simulated worlds: means, and whether a criterion predicts validity.

The worlds are drawn independently for each bias, so that they are the sample which intervals are
about; within one, the strengths of the bias share the truth.
"""

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy  # its parts are imported on use: scipy.stats takes half a second

from rankassay.seeds import generator
from rankassay.statistics.incomplete import mean_of_defined
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.replicated import LEVEL, Replicated
from rankassay.studies.validity.rows import of_metrics, on_all_items
from rankassay.types import Floats, Integers

MEASURE = ["metric", "cutoff", "candidates"]
YARDSTICK = "yardstick"
CASE = ["bias", "strength"]
SHARES = ["winner_agrees", "winner_loss", "popularity_observed", "popularity_true"]
MEANS = [*SHARES, "power", "robustness", "ratings", "gini", "relevant"]
ALL = "all"
WHOLE = 100  # percent: nothing is removed
CRITERIA = {"robustness": 1, "power": -1}  # the higher robustness, the lower DP, the better


def worlds(seed: int, *, world_resamples: int, **tables: pd.DataFrame) -> Replicated:
    """Return means over the worlds of each bias and strength, measure by measure.

    The tables are those of `rankassay.studies.validity.worlds.in_worlds`. The replicates are of
    worlds, drawn with replacement among those of the same bias.

    Returns
    -------
    Replicated
        Columns bias, strength, yardstick (liked: true P@10 for all metrics, or own: each metric by
        itself), metric, cutoff, candidates, worlds (in which tau has a value), tau
        (the mean, which is replicated), low and high (its interval over worlds by Student's t, at
        most 1 and at least -1; empty for fewer than two worlds), and means of winner_agrees,
        winner_loss, popularity_observed, popularity_true, power, robustness, ratings, gini and
        relevant.
    """
    cases = pd.concat(tables.values())
    keys = [*CASE, YARDSTICK, *MEASURE]
    groups = cases.groupby(keys, sort=False, dropna=False)
    found = groups.agg(
        worlds=("tau", "count"),
        tau=("tau", "mean"),
        spread=("tau", "std"),
        **{name: (name, "mean") for name in MEANS},
    ).reset_index()
    quantile = scipy.stats.t.ppf((1 + LEVEL) / 2, np.maximum(found["worlds"] - 1, 1))
    half = quantile * found.pop("spread") / np.sqrt(found["worlds"])
    found.insert(len(keys) + 2, "low", (found["tau"] - half).clip(-1, 1))
    found.insert(len(keys) + 3, "high", (found["tau"] + half).clip(-1, 1))
    times = _times(_drawn(cases, world_resamples, seed))
    bias, world, tau = (cases[name].to_numpy() for name in ("bias", "world", "tau"))
    number = groups.ngroup().to_numpy()
    own = np.split(np.argsort(number, kind="stable"), np.cumsum(np.bincount(number))[:-1])
    rows = [_mean(bias[rows], world[rows], tau[rows], times) for rows in own]
    return Replicated.of(found, "tau", rows)


def prediction(seed: int, *, world_resamples: int, **tables: pd.DataFrame) -> Replicated:
    """Correlate robustness to popularity, and power, with validity.

    Each criterion has two questions. Among `measures`: in one world, are the measures that are
    better by the criterion those whose order is nearer to the truth? The answer is Kendall's tau-b
    of the two over the measures, on average over the worlds. Among `worlds`: is one measure nearer
    to the truth in the worlds where it is better by the criterion? The answer is tau-b over the
    worlds and strengths, on average over the measures. The truth is true P@10 (the yardstick
    liked), or each measure by itself (own): by that, each measure has a different truth, and one
    that agrees with its own may disagree with users' liking.

    The tables are those of `rankassay.studies.validity.worlds.in_worlds`, one of each bias; of
    them, plain metrics on lists of all items count. The replicates are of worlds, drawn with
    replacement among those of the same bias.

    Returns
    -------
    Replicated
        Columns yardstick, criterion (robustness or power), among, bias (or all), strength (or
        empty for all), cases (how many taus are averaged), correlation (replicated), low and high
        (its interval).
    """
    cases = of_metrics(pd.concat(tables.values()))
    drawn = _drawn(cases, world_resamples, seed)
    heads: list[dict] = []
    numbers: list[Floats] = []
    for yardstick, own in cases.groupby(YARDSTICK, sort=False):
        for criterion, sign in CRITERIA.items():
            for head, found in _correlations_with_validity(own, criterion, sign, drawn):
                heads.append({YARDSTICK: yardstick, "criterion": criterion} | head)
                numbers.append(found)
    columns = [YARDSTICK, "criterion", "among", "bias", "strength", "cases"]
    table = pd.DataFrame(heads, columns=columns)
    return Replicated.of(table, "correlation", numbers).with_interval()


def _correlations_with_validity(
    cases: pd.DataFrame, criterion: str, sign: int, drawn: dict[str, Integers]
) -> Iterator[tuple[dict, Floats]]:
    """Yield the correlations of a criterion with validity, measured and in each resample."""
    times = _times(drawn)
    for head, own in _among_measures(cases, criterion, sign):
        yield {"among": "measures"} | head, _resampled(own, "correlation", times)
    for bias in (*_biases(cases), ALL):
        own = cases if bias == ALL else cases[cases["bias"] == bias]
        taus = _among_worlds(own, criterion, sign, drawn)
        head = {"bias": bias, "cases": int((~np.isnan(taus[:, 0])).sum())}
        yield {"among": "worlds"} | head, mean_of_defined(taus)


def prediction_on_data(
    popularity: pd.DataFrame, discriminative_power: pd.DataFrame, agreement: pd.DataFrame
) -> pd.DataFrame:
    """Correlate robustness to popularity, and power, with validity on a dataset with a truth.

    It is the question of `prediction` among measures, of one dataset: there is no sample of worlds,
    and so no interval.

    Returns
    -------
    DataFrame
        Columns criterion (robustness or power), measures (that have a value of both), correlation.
    """
    keys = ["metric", "cutoff"]
    removed = popularity[popularity["percentage"] < WHOLE]
    robust = removed.groupby(keys, dropna=False)["tau"].mean().rename("robustness")
    power = discriminative_power.set_index(keys)["dp"].rename("power")
    reference = on_all_items(agreement).drop_duplicates(keys)  # by the first yardstick
    both = reference.set_index(keys)[["tau"]].join([robust, power])
    rows = []
    for criterion, sign in CRITERIA.items():
        known = both[[criterion, "tau"]].dropna().to_numpy(np.float64)
        found = tau_b(sign * known[:, 0], known[:, 1]) if len(known) > 1 else np.nan
        rows.append((criterion, len(known), float(found)))
    return pd.DataFrame(rows, columns=["criterion", "measures", "correlation"])


def _biases(cases: pd.DataFrame) -> list[str]:
    """Return the biases of the worlds, in their order."""
    return list(dict.fromkeys(cases["bias"]))


def _among_measures(
    cases: pd.DataFrame, criterion: str, sign: int
) -> Iterator[tuple[dict, pd.DataFrame]]:
    """Yield the correlations over measures, one a world and strength, of each bias and of all."""
    rows = []
    for key, own in cases.groupby([*CASE, "world"], sort=False):
        known = own[[criterion, "tau"]].dropna().to_numpy(np.float64)
        found = tau_b(sign * known[:, 0], known[:, 1]) if len(known) > 1 else np.nan
        rows.append((*key, float(found)))
    table = pd.DataFrame(rows, columns=[*CASE, "world", "correlation"])
    for keys, own in table.groupby(CASE, sort=False):
        yield dict(zip(CASE, keys, strict=True)) | {"cases": own["correlation"].count()}, own
    for bias in _biases(table):
        own = table[table["bias"] == bias]
        yield {"bias": bias, "cases": own["correlation"].count()}, own
    yield {"bias": ALL, "cases": table["correlation"].count()}, table


def _drawn(cases: pd.DataFrame, resamples: int, seed: int) -> dict[str, Integers]:
    """Draw worlds of each bias, int (resamples, n_worlds).

    Of one world all resamples are the same, which would pass for certainty: then there are none.
    """
    rng = generator(seed, "resampled-worlds")
    n_worlds = cases.groupby("bias", sort=False)["world"].max()
    resamples = resamples if n_worlds.min() > 1 else 0
    return {bias: rng.integers(0, n, (resamples, n)) for bias, n in n_worlds.items()}


def _resampled(own: pd.DataFrame, column: str, times: Mapping[str, Floats]) -> Floats:
    """Return the mean over the worlds, and over each resample of them."""
    found = (own[name].to_numpy() for name in ("bias", "world", column))
    return _mean(*found, times)


def _mean(
    biases: npt.NDArray[np.object_], worlds: Integers, values: Floats, times: Mapping[str, Floats]
) -> Floats:
    """Return the mean over the worlds that have a value, and over each resample of them."""
    sums, counts = 0.0, 0.0
    for bias in dict.fromkeys(biases):
        known = (biases == bias) & ~np.isnan(values)
        drawn = times[bias][:, worlds[known] - 1]
        sums = sums + drawn @ values[known]
        counts = counts + drawn.sum(axis=1)
    return np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0)


def _times(drawn: Mapping[str, Integers]) -> dict[str, Floats]:
    """Return how often each world of a bias counts, in the sample and in each resample."""
    found = {}
    for bias, own in drawn.items():
        n = own.shape[1]
        counts = [np.bincount(worlds, minlength=n) for worlds in own]
        found[bias] = np.array([np.ones(n), *counts], dtype=np.float64)
    return found


def _among_worlds(
    cases: pd.DataFrame, criterion: str, sign: int, drawn: dict[str, Integers]
) -> Floats:
    """Return the correlation over worlds of each measure, and over each resample of them.

    Measures that are undefined in one of the cases are excluded; NaN is one that is equal in all.
    """
    sides = [
        cases.pivot_table(name, [*CASE, "world"], MEASURE, sort=False, dropna=False)
        for name in (criterion, "tau")
    ]
    known = (sides[0].notna() & sides[1].notna()).all()
    x, y = (side.loc[:, known].to_numpy(np.float64) for side in sides)
    place = {key: n for n, key in enumerate(sides[0].index)}
    strengths = cases[CASE].drop_duplicates().itertuples(index=False, name=None)
    columns = []
    for bias, strength in strengths:
        n_worlds = drawn[bias].shape[1]
        rows = np.array([place[bias, strength, world + 1] for world in range(n_worlds)])
        columns.append(rows[np.vstack([np.arange(n_worlds), drawn[bias]])])
    chosen = np.hstack(columns)
    taus = [tau_b(sign * x[chosen, m], y[chosen, m]) for m in range(x.shape[1])]
    return np.array(taus, dtype=np.float64).reshape(-1, len(chosen))
