"""Summaries over kinds of simulated worlds: measures, strategies, and bounds of weights.

The rows of `rankassay.studies.validity.kinds_worlds.run` are of worlds. Two kinds share what users
think in the world of one number, so that the sample behind an interval is always the worlds'
numbers, whether it is about one kind or about all.
"""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd
import scipy  # its parts are imported on use: scipy.stats takes half a second

from rankassay.statistics.incomplete import mean_of_defined
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.replicated import LEVEL
from rankassay.studies.validity.kinds_worlds import BOUNDS, PAPER, at
from rankassay.studies.validity.names import ALL, ALWAYS, APART, HALVES, MEAN_RANK
from rankassay.types import Floats

MEASURE = ["metric", "cutoff"]
WORLD = ["half", "world"]
FIXED = ("nDCG", 10)  # which strategies are compared with
# By strategy: the column by which it chooses, and whether more is better.
CRITERIA = {"power": ("power", -1), "sparsity": ("sparsity", 1), "popularity": ("popularity", 1)}
SEVEN, EVERY = "the seven metrics", "all measures"
PERCENTILES = (50, 90, 95, 99)


def kinds(worlds: pd.DataFrame) -> pd.DataFrame:
    """Return how valid each measure is in each kind of worlds.

    Of each half, the regret of a measure in a kind is the mean tau of the kind's best measure, less
    its own; the best measure is the one that has the greatest mean tau in the half `choose`. Of all
    kinds together it is the greatest regret in any of them, and the chosen measure is the one whose
    greatest regret in the half `choose` is least.

    Parameters
    ----------
    worlds : DataFrame
        As `rankassay.studies.validity.kinds_worlds.run` returns it.

    Returns
    -------
    DataFrame
        Columns kind (and `all`, without those of `rankassay.studies.validity.names.APART`),
        half, metric, cutoff, worlds (in which tau is defined), tau (the mean of Kendall's tau-b of
        the systems' observed and true order), tau_low and tau_high (its 95 % interval over worlds
        by Student's t), loss (of utility by the observed winner, the mean) with loss_low and
        loss_high, regret, chosen (whether the measure was chosen), and no_judged (the mean share of
        lists without a judged item; empty but for judged-only precision).
    """
    rows = worlds[worlds["of"] == "measure"]
    keys = ["kind", "half", *MEASURE]
    means = pd.concat([rows, _over_kinds(rows)])
    table = means.groupby(keys, sort=False)[["tau", "loss", "no_judged"]].apply(_with_intervals)
    table = table.reset_index(level=keys).reset_index(drop=True)
    regret, chosen = _regrets(table)
    table["regret"], table["chosen"] = regret, chosen
    table = table.astype({"cutoff": "Int64", "worlds": "Int64"})
    columns = ["worlds", "tau", "tau_low", "tau_high", "loss", "loss_low", "loss_high"]
    return table[[*keys, *columns, "regret", "chosen", "no_judged"]]


def _over_kinds(rows: pd.DataFrame) -> pd.DataFrame:
    """Return means over the kinds of each world's number, as rows of the kind `all`."""
    own = rows[~rows["kind"].isin(APART)]
    means = own.groupby([*WORLD, *MEASURE], sort=False)[["tau", "loss", "no_judged"]].mean()
    return means.reset_index().assign(kind=ALL)


def _with_intervals(own: pd.DataFrame) -> pd.Series:
    """Return the means of tau and loss over worlds, each with an interval."""
    found: dict[str, float] = {"worlds": int(own["tau"].notna().sum())}
    for name in ("tau", "loss"):
        low, high = (-1, 1) if name == "tau" else (0, 1)
        found |= interval(own[name].dropna().to_numpy(), name, low, high)
    return pd.Series(found | {"no_judged": own["no_judged"].mean()})


def interval(values: Floats, name: str, low: float, high: float) -> dict[str, float]:
    """Return the mean of values and its 95 % interval by Student's t, within the bounds.

    The interval is NaN for fewer than two values.
    """
    n = len(values)
    mean = float(values.mean()) if n else np.nan
    half = np.nan
    if n > 1:
        half = scipy.stats.t.ppf((1 + LEVEL) / 2, n - 1) * values.std(ddof=1) / np.sqrt(n)
    return {
        name: mean,
        f"{name}_low": float(np.clip(mean - half, low, high)),
        f"{name}_high": float(np.clip(mean + half, low, high)),
    }


def _regrets(table: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return the regret of each row of `kinds`, and whether its measure was chosen."""
    names = pd.Series([*zip(table["metric"], table["cutoff"], strict=True)], index=table.index)
    regret, chosen = pd.Series(np.nan, table.index), pd.Series(False, table.index)
    single, choosing = table["kind"] != ALL, table["half"] == HALVES[0]
    for _, own in table[single].groupby("kind", sort=False):
        best = names[own.loc[own["half"] == HALVES[0], "tau"].idxmax()]
        chosen[own.index] = names[own.index] == best
        for _, half in own.groupby("half", sort=False):
            regret[half.index] = half["tau"][chosen].iloc[0] - half["tau"]
    worst = (
        regret.where(table["tau"].notna(), np.inf)[single & ~table["kind"].isin(APART)]
        .groupby([table["half"], names], sort=False)
        .max()
    )
    together = table.index[~single]
    regret[together] = [worst[table["half"][row], names[row]] for row in together]
    least = names[regret[together[choosing[together]]].idxmin()]
    chosen[together] = names[together] == least
    return regret, chosen


def strategies(worlds: pd.DataFrame) -> pd.DataFrame:
    """Return whether a criterion that needs no truth leads to a valid measure, by kind of worlds.

    In each world, a strategy takes the measure that is best by its criterion: the one with the
    best discriminative power (lowest DP), the most robust to sparsity, the most robust to
    popularity, the one with the best average rank under the three, or always nDCG@10. Measures that
    tie are averaged.

    Parameters
    ----------
    worlds : DataFrame
        As `rankassay.studies.validity.kinds_worlds.run` returns it; both halves count, as nothing
        is chosen from one world for another.

    Returns
    -------
    DataFrame
        Columns kind (and `all`), among (the seven metrics of the paper, or all measures), strategy,
        measures (how many compete), worlds, correlation (the mean over worlds of Kendall's tau-b,
        over the measures, of the criterion and of the measure's tau with the truth; empty for
        nDCG@10) with correlation_low and correlation_high, tau (the mean of the chosen measures'
        tau with the truth) with tau_low and tau_high, and loss with loss_low and loss_high.
    """
    rows = worlds[worlds["of"] == "measure"]
    found = pd.DataFrame(
        {"kind": kind, "half": half, "world": world} | said
        for (kind, half, world), own in rows.groupby(["kind", *WORLD], sort=False)
        for said in _strategies_in(own)
    )
    numbers = ["correlation", "tau", "loss"]
    keys = ["among", "strategy"]
    together = found[~found["kind"].isin(APART)]
    means = together.groupby([*WORLD, *keys], sort=False)[["measures", *numbers]].mean()
    everything = pd.concat([found, means.reset_index().assign(kind=ALL)])
    table = []
    for (kind, among, strategy), own in everything.groupby(["kind", *keys], sort=False):
        said = {"kind": kind, "among": among, "strategy": strategy}
        said |= {"measures": int(own["measures"].max()), "worlds": len(own)}
        for name in numbers:
            low = 0 if name == "loss" else -1
            said |= interval(own[name].dropna().to_numpy(), name, low, 1)
        table.append(said)
    return pd.DataFrame(table)


def _strategies_in(own: pd.DataFrame) -> Iterator[Mapping[str, object]]:
    """Yield the measure that each strategy chooses in one world, and its validity."""
    own = own.dropna(subset=["tau", "power", "sparsity", "popularity"])
    for among, some in ((SEVEN, own[own["metric"].isin(PAPER)]), (EVERY, own)):
        tau, loss = some["tau"].to_numpy(), some["loss"].to_numpy()
        scores = {name: sign * some[of].to_numpy() for name, (of, sign) in CRITERIA.items()}
        scores[MEAN_RANK] = -np.mean(
            [scipy.stats.rankdata(-score) for score in scores.values()], axis=0
        )
        fixed = ((some["metric"] == FIXED[0]) & (some["cutoff"] == FIXED[1])).to_numpy()
        for strategy, score in (scores | {ALWAYS: fixed.astype(float)}).items():
            best = score == score.max() if len(score) else fixed
            goes = tau_b(score, tau) if strategy != ALWAYS and len(score) > 1 else np.nan
            yield {
                "among": among,
                "strategy": strategy,
                "measures": len(some),
                "correlation": float(goes),
                "tau": float(mean_of_defined(tau[best])),
                "loss": float(mean_of_defined(loss[best])),
            }


def gamma(worlds: pd.DataFrame) -> pd.DataFrame:
    """Return how often pairs of systems have the wrong sign that are significant at a bound Gamma.

    Parameters
    ----------
    worlds : DataFrame
        As `rankassay.studies.validity.kinds_worlds.run` returns it.

    Returns
    -------
    DataFrame
        Columns kind (and `all`), half (choose, report, and `all`), gamma (1 is without weights),
        worlds, pairs (whose observed values differ), significant (of these, at Gamma), wrong (the
        share of the significant ones whose true values differ in the other direction; empty where
        there are none), low and high (its 95 % interval over worlds: of a ratio of sums, by the
        linearised residuals and Student's t), and ratio_50 to ratio_99, percentiles of the true
        ratio of weights over the pairs, at any Gamma.
    """
    rows = worlds[worlds["of"] == "pair"]
    together = rows[~rows["kind"].isin(APART)].assign(kind=ALL)
    table = []
    for kind, of_kind in pd.concat([rows, together]).groupby("kind", sort=False):
        for half in (*HALVES, ALL):
            own = of_kind if half == ALL else of_kind[of_kind["half"] == half]
            ratios = own["ratio"].astype(np.float64).dropna()
            known = {f"ratio_{p}": _percentile(ratios, p) for p in PERCENTILES}
            for bound in BOUNDS:
                said = {"kind": kind, "half": half, "gamma": bound}
                table.append(said | _wrong(own, own[at(bound)].astype(bool)) | known)
    return pd.DataFrame(table)


def _percentile(values: pd.Series, percent: float) -> float:
    return float(np.percentile(values, percent)) if len(values) else np.nan


def _wrong(own: pd.DataFrame, significant: pd.Series) -> dict[str, float]:
    """Return the numbers of pairs, and the share of the wrong ones with its interval."""
    counted = own.assign(some=significant, wrong=significant & (own["right"] < 0))
    sums = counted.groupby(WORLD, sort=False)[["some", "wrong"]].sum().to_numpy(np.float64)
    n, (total, wrong) = len(sums), sums.sum(axis=0) if len(sums) else (0.0, 0.0)
    found = {"worlds": n, "pairs": len(own), "significant": int(total), "wrong": np.nan}
    found |= {"low": np.nan, "high": np.nan}
    if not total:
        return found
    share = wrong / total
    found["wrong"] = float(share)
    if n > 1:
        residuals = sums[:, 1] - share * sums[:, 0]
        error = np.sqrt(n / (n - 1) * (residuals**2).sum()) / total
        half = scipy.stats.t.ppf((1 + LEVEL) / 2, n - 1) * error
        found |= {"low": float(max(share - half, 0)), "high": float(min(share + half, 1))}
    return found


def default_gamma(
    table: pd.DataFrame, together: float = 0.05, worst: float = 0.10
) -> tuple[float, bool]:
    """Return the default bound of weights, and whether it keeps to the shares.

    It is the least Gamma of 1.5, 2, 3 and 4 at which, in both halves, at most `together` of the
    significant pairs of all kinds have the wrong sign, and at most `worst` of those of any kind. If
    there is none, it is the greatest.

    Parameters
    ----------
    table : DataFrame
        As `gamma` returns it.
    """
    bounds = sorted(bound for bound in table["gamma"].unique() if bound > 1)
    own = table[table["half"].isin(HALVES) & ~table["kind"].isin(APART)]
    limits = np.where(own["kind"] == ALL, together, worst)
    for bound in bounds:
        at_bound = (own["gamma"] == bound).to_numpy()
        if not (own["wrong"].to_numpy() > limits)[at_bound].any():
            return float(bound), True
    return float(bounds[-1]), False
