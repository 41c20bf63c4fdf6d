"""Data without a truth: what unbiasedness costs, what reverses systems, which worlds are alike."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.artifacts.shards import successive
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.metrics.unbiased import MEANS
from rankassay.statistics import sensitivity as statistics
from rankassay.statistics.discriminative_power import power_table
from rankassay.statistics.identical import same_lists
from rankassay.statistics.incomplete import popularity
from rankassay.statistics.orders import settled
from rankassay.statistics.permutation import TEST_COPIES
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.significance import permuted
from rankassay.studies.validity.names import LIKED
from rankassay.studies.validity.rows import of_metrics, of_yardstick
from rankassay.types import Floats

PLAIN = "plain"
CLIP = 10.0  # the greatest weight of clipped IPS
POWER = ("dp", "dp_all", "low", "high", "significant_05", "pairs", "identical")


def estimators(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    propensities: sp.csr_matrix,
    evaluation: dict,
    seed: int,
    *,
    gains: Sequence[str],
    cutoffs: Sequence[int],
    samples: int,
) -> pd.DataFrame:
    """Compare propensity estimators with plain metrics on the same systems.

    The plain metric is IPS where every propensity is 1. Of gains that are means over relevant items
    (R, AUC), IPS is SNIPS, and is excluded.

    Parameters
    ----------
    test : (n_users, n_items)
    rankings : mapping from the systems' names to Rankings
    propensities : float64 (n_users, n_items)
        Of the test ratings, with the same entries.
    evaluation : dict
        threshold, profile and without_relevant, as `rankassay.metrics` takes them.

    Returns
    -------
    DataFrame
        A row for each gain, cut-off and estimator: columns gain, cutoff, estimator (plain, IPS,
        clipped IPS, SNIPS, stratified), measure (its name), value (the systems' mean over users, on
        average), variance (of a system's mean over users, on average over the systems),
        relative_error (the root of the mean of that variance divided by the square of the mean), dp
        with low and high, dp_all, significant_05, pairs and identical (see
        `rankassay.statistics.discriminative_power.power_table`), tau (Kendall's tau-b of the
        ranking of systems and that by the plain metric) and systems.
    """
    judgements = Judgements.of(test, evaluation["threshold"], propensities)
    lists = [Lists.of(ranking, judgements) for ranking in rankings.values()]
    depth = min(ranking.depth for ranking in rankings.values())
    choices = (evaluation["profile"], depth, evaluation["without_relevant"])
    measures = [
        {"gain": gain, "cutoff": cutoff, "estimator": estimator, "measure": f"{name}@{cutoff}"}
        for gain in gains
        for cutoff in cutoffs
        for estimator, name in _estimators_of(gain).items()
    ]
    names = np.array([measure["measure"] for measure in measures])
    plain = np.array([measure["estimator"] == PLAIN for measure in measures])
    alike = replace(judgements, propensity=np.ones(len(judgements.rating)))
    upper = (slice(None), *np.triu_indices(len(lists), k=1))
    same = same_lists(rankings)
    tables, means = [], []
    for some in successive(measures, TEST_COPIES * judgements.n_users * len(lists)):
        own, known = names[some], plain[some]
        values = np.empty((judgements.n_users, len(lists), len(own)))
        for whose, chosen in ((judgements, ~known), (alike, known)):
            values[:, :, chosen] = evaluate(whose, lists, [*own[chosen]], *choices)
        result = permuted(values, samples, seed)
        p = (result.p_values[upper], result.adjusted[upper])
        power = power_table(values, [{} for _ in own], *p, same, seed).table
        tables.append(spread(values).join(power[[*POWER]]))
        means.append(settled(np.nan_to_num(aggregate(values)).T, judgements.n_users))
    by_plain = np.maximum.accumulate(np.where(plain, np.arange(len(measures)), 0))
    ordered = np.concatenate(means)
    tau = tau_b(ordered, ordered[by_plain])
    table = pd.DataFrame(measures).join(pd.concat(tables, ignore_index=True))
    return table.assign(tau=tau, systems=len(lists))


def _estimators_of(gain: str) -> dict[str, str]:
    """Return the estimators of a gain, the plain one first, as metrics without cut-offs."""
    chosen = {
        PLAIN: f"IPS(gain={gain!r})",
        "IPS": f"IPS(gain={gain!r})",
        "clipped IPS": f"IPS(clip={CLIP!r}, gain={gain!r})",
        "SNIPS": f"SNIPS(gain={gain!r})",
        "stratified": f"Stratified(gain={gain!r})",
    }
    return {name: m for name, m in chosen.items() if not (name == "IPS" and gain in MEANS)}


def spread(values: Floats) -> pd.DataFrame:
    """Return value, variance and relative_error of `estimators`, a row for each measure.

    `values` are float64 (n_users, n_systems, n_measures); NaN is undefined.
    """
    count = (~np.isnan(values)).sum(axis=0)
    mean = np.nansum(values, axis=0) / np.maximum(count, 1)
    squares = np.nansum((values - mean) ** 2, axis=0)
    variance = squares / np.maximum(count - 1, 1) / np.maximum(count, 1)
    # Systems along the rows of memory, so that their sums do not depend on the neighbouring
    # columns.
    mean, variance = (np.ascontiguousarray(own.T) for own in (mean, variance))
    relative = np.divide(variance, mean**2, out=np.full(mean.shape, np.nan), where=mean > 0)
    some = (mean > 0).any(axis=1)
    error = np.full(len(mean), np.nan)
    error[some] = np.sqrt(np.nanmean(relative[some], axis=1))
    columns = {"value": mean.mean(axis=1), "variance": variance.mean(axis=1)}
    return pd.DataFrame(columns | {"relative_error": error})


def sensitivity(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
) -> pd.DataFrame:
    """Return how unequally judged items may count until two systems reverse, pair by pair.

    `evaluation` has measures, threshold, profile and without_relevant. Systems are compared by
    their means over users, even if another aggregate is configured. The result is that of
    `rankassay.statistics.sensitivity.pairs`; items are popular by their training ratings.
    """
    judgements = Judgements.of(test, evaluation["threshold"])
    depth = min(ranking.depth for ranking in rankings.values())
    systems = {
        name: judge(judgements, Lists.of(ranking, judgements), depth)
        for name, ranking in rankings.items()
    }
    return statistics.pairs(judgements, test.indices, systems, evaluation, popularity(train))


def sensitivity_winners(sensitivity: pd.DataFrame) -> pd.DataFrame:
    """Return how much selection it takes to change the winner, measure by measure.

    `sensitivity` is as `sensitivity` returns it; for the result see
    `rankassay.statistics.sensitivity.winners`.
    """
    return statistics.winners(sensitivity)


NEAR = 0.1  # Gini coefficients that differ by more are not similar


def like(statistics: pd.DataFrame, worlds: pd.DataFrame) -> pd.DataFrame:
    """Return the simulated worlds whose observed ratings are about as unequal as a dataset's.

    Of each bias, it is the strength at which the Gini coefficient of the items' numbers of observed
    ratings is nearest to the dataset's, if it is within `NEAR`. What drives the bias of the dataset
    is not known, so that the worlds show how much its validity may vary, and not what it is.

    Parameters
    ----------
    statistics : DataFrame
        Columns statistic (one is gini) and value.
    worlds : DataFrame
        As `rankassay.studies.validity.summary.worlds` returns it.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, bias, strength, world_gini, gini (the dataset's), tau (with the
        ranking of systems by true P@10), low, high. There are no rows if no world is similar.
    """
    own = float(statistics.set_index("statistic").loc["gini", "value"])
    rows = of_metrics(of_yardstick(worlds, LIKED)).rename(columns={"gini": "world_gini"})
    cases = rows.groupby(["bias", "strength"], sort=False)["world_gini"].mean().reset_index()
    cases["distance"] = (cases["world_gini"] - own).abs()
    nearest = cases.loc[cases.groupby("bias", sort=False)["distance"].idxmin()]
    alike = nearest.loc[nearest["distance"] <= NEAR, ["bias", "strength"]]
    chosen = rows.merge(alike, on=["bias", "strength"]).assign(gini=own)
    columns = ["metric", "cutoff", "bias", "strength", "world_gini", "gini", "tau", "low", "high"]
    return chosen[columns].sort_values(["metric", "cutoff"], kind="stable")
