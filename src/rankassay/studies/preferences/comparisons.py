"""Preferences between lists, compared: power, the metrics' power, and rankings of systems."""

import itertools
from collections.abc import Iterator
from functools import partial
from typing import Unpack

import numpy as np
import pandas as pd

from rankassay.artifacts.shards import successive
from rankassay.metrics.aggregate import whole_unit
from rankassay.metrics.catalogue import KNOWN, bare
from rankassay.metrics.totals import grouped_sums
from rankassay.statistics.bootstrap import Sums
from rankassay.statistics.discriminative_power import normal_p, replicated_power, summed_up
from rankassay.statistics.draws import Draws, members
from rankassay.statistics.identical import same_lists
from rankassay.statistics.pairwise_orders import ORDERS, circular_triads, order
from rankassay.statistics.permutation import TEST_COPIES, number_of_permutations, permutation_test
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.replicated import Replicated
from rankassay.statistics.significance import permuted
from rankassay.studies.preferences.systems import Asked, Compared
from rankassay.types import Booleans, Floats


def is_metric(name: str) -> bool:
    """Return whether a name is that of a metric and not of a preference."""
    return ":" in name or bare(name) in KNOWN


COLUMNS = ["metric", "cutoff", "method", "tau", "winner", "circular"]


def aggregation(evaluation: dict, **asked: Unpack[Asked]) -> pd.DataFrame:
    """Correlate the rankings of `rankassay.statistics.pairwise_orders` with that by means.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, method (one of `rankassay.statistics.pairwise_orders.ORDERS`), tau
        (Kendall's tau-b with the order by mean preferences, NaN where one side ties all systems),
        winner (the systems that come first, between commas), circular (triples of systems each of
        which most users prefer to the next; the same for all methods) and systems (how many there
        are). No row without users.
    """
    systems = Compared.of(evaluation, **asked)
    titles = np.array([*asked["rankings"]])
    rows = []
    ordered = itertools.starmap(_ordered, systems.pairs())
    for (metric, cutoff), (scores, circular) in zip(systems.names, ordered, strict=True):
        for how, found in scores.items():
            tau = float(tau_b(found, scores["mean"]))
            best = ", ".join(titles[found == found.max()])
            rows.append(
                {"metric": metric, "cutoff": cutoff, "method": how, "tau": tau}
                | {"winner": best, "circular": circular}
            )
    return pd.DataFrame(rows, columns=COLUMNS).assign(systems=len(titles))


def _ordered(preferences: Floats, tied: Booleans) -> tuple[dict[str, Floats], int]:
    """Return the systems' scores by each method, none without users, and `circular_triads`.

    The preferences, (n_users, n_pairs), are written to: ties are 0.
    """
    if np.isnan(preferences).all():
        return {}, 0
    preferences[tied] = 0.0
    return {how: order(preferences, how) for how in ORDERS}, circular_triads(preferences)


def power_differences(power: Replicated) -> pd.DataFrame:
    """Compare DP by every preference with DP by every metric at the same cut-off.

    Both sums are of the same resamples of the users, and over the same number of pairs of systems;
    others are not compared.

    Returns
    -------
    DataFrame
        Columns cutoff, metric_a (a preference), metric_b (a metric), pairs, dp_a, dp_b, difference
        (of DP, a minus b: below 0, the preference is more discriminative), low and high (the
        interval of the paired differences, not corrected for the number of comparisons: resamples
        are too few for that).
    """
    numbers = power.numbers
    rows, differences = [], []
    known = power.table.assign(row=range(len(power.table))).dropna(subset="dp")
    for cutoff, own in known.groupby("cutoff", sort=False):
        of_metric = own["metric"].map(is_metric).astype(bool)
        for a in own[~of_metric].itertuples():
            for b in own[of_metric & (own["pairs"] == a.pairs)].itertuples():
                rows.append((cutoff, a.metric, b.metric, a.pairs, a.dp, b.dp))
                differences.append(numbers[a.row] - numbers[b.row])
    columns = ["cutoff", "metric_a", "metric_b", "pairs", "dp_a", "dp_b"]
    table = pd.DataFrame(rows, columns=columns)
    return Replicated.of(table, "difference", differences).with_interval().table


ROUNDING = 1e-12
# The probability that some permutation which is not drawn would be as extreme as a pair.
CHANCE = 1e-9


def power(
    evaluation: dict, seed: int, *, samples: int, resamples: int, **asked: Unpack[Asked]
) -> Replicated:
    """Test all pairs of systems by every preference, and by metrics for comparison.

    Under the null
    hypothesis a user's preference may have the other sign, which is the same as to exchange the two
    lists. By a metric it is the paired permutation test of the study of robustness
    (`rankassay.statistics.significance.permutation`), and with the same settings its p-values have
    the same bits. No p-value is corrected for the number of pairs.

    Returns
    -------
    Replicated
        Columns metric, cutoff, permutations (how many there were), pairs (of different systems,
        with a p-value), identical (pairs that recommend the same lists), dp (the sum of the
        p-values over `pairs`, which is replicated as in
        `rankassay.statistics.discriminative_power`: low is good, NaN without any), dp_all (with the
        identical pairs), low and high (the interval of dp), significant_05 and significant_01
        (pairs with p below 0.05 and 0.01), users (with a preference between some pair), tied (the
        share of their preferences that are none) and undecided (pairs between which the mean
        preference is a tie: different systems, which count with p = 1).
    """
    systems = Compared.of(evaluation, **asked)
    same = same_lists(asked["rankings"])
    how = {"same": same, "samples": samples, "resamples": resamples, "seed": seed}
    tested = partial(_tested, **how)
    of_metrics = _of_metrics(systems, **how)
    # Not by `zip`, which keeps its last values until it has the next.
    found = map(tested, systems.pairs(), itertools.chain(of_metrics, itertools.repeat(None)))
    p, rows, replicates = zip(*found, strict=True)
    drawn, _ = number_of_permutations(systems.judgements.n_users, samples)
    columns = summed_up(np.array(p), same)
    table = pd.DataFrame(systems.measures).assign(permutations=drawn, **columns)
    numbers = np.column_stack([columns["dp"], *np.array(replicates).T])
    return Replicated.of(table.join(pd.DataFrame(rows)), "dp", numbers).with_interval()


def _of_metrics(
    systems: Compared, same: Booleans, samples: int, resamples: int, seed: int
) -> Iterator[tuple[Floats, Floats]]:
    """Yield the p-values of the pairs of systems by each metric, and the replicates of DP."""
    upper = np.triu_indices(len(systems.lists), k=1)
    for values in systems.by_metric():
        p = permuted(values[:, :, None], samples, seed).p_values[0][upper]
        dp = summed_up(p[None], same)["dp"]
        yield p, replicated_power(values[:, :, None], dp, resamples, seed, same=same)[:, 0]


def _tested(
    preferred: tuple[Floats, Booleans],
    known: tuple[Floats, Floats] | None,
    same: Booleans,
    samples: int,
    resamples: int,
    seed: int,
) -> tuple[Floats, dict, Floats]:
    """Return one measure's p-values of pairs, the shares of ties, and the replicates of DP.

    `preferred` is what users prefer, and which of it are ties, (n_users, n_pairs) both; `known` are
    the p-values and the replicates of their sum, None of preferences, which are tested here.
    """
    own, tied = preferred
    p, drawn = known or _of_preferences(own, same, samples, resamples, seed)
    row = {"users": len(own) - int(np.isnan(own).all(axis=1).sum())}
    (sums,), (count,) = grouped_sums(own, np.zeros(len(own), dtype=np.int64), 1)
    row["tied"] = tied.sum() / count.sum() if count.any() else np.nan
    means = (sums / np.maximum(count, 1))[~same & ~np.isnan(p)]
    row["undecided"] = int((np.abs(means) < ROUNDING).sum())
    return p, row, drawn


def _of_preferences(
    own: Floats, same: Booleans, samples: int, resamples: int, seed: int
) -> tuple[Floats, Floats]:
    """Return the p-values of the pairs of systems by a preference, and the replicates of DP."""
    p = p_values(own, samples, seed)
    draws = Draws.of(len(own), resamples, seed)
    normal = normal_p(_resampled(own, draws))
    single = (~np.isnan(own)).sum(axis=0) == 1
    # As `replicated_power`, whose pairs are those of systems with values.
    drawn = normal[1:] + np.where(single, np.nan, p - normal[0])
    return p, np.compress(~same, drawn, axis=1).sum(axis=1)


def _resampled(own: Floats, draws: Draws) -> Sums:
    """Return the sums of each pair's preferences, (1 + n_resamples, n_pairs).

    Sums of whole numbers are exact, so that it does not matter in which order they are made.
    """
    member, known = members(draws.group, draws.n_groups), ~np.isnan(own)
    d = np.where(known, own, 0.0)

    def sums(x: Floats) -> Floats:
        unit = whole_unit(np.abs(x).max(axis=0, initial=0.0), len(x))
        return draws.times @ (member @ np.rint(x / unit)) * unit

    return Sums(draws.times @ (member @ known.astype(np.float64)), sums(d), sums(d**2))


def p_values(preferences: Floats, samples: int, seed: int) -> Floats:
    """Return the two-sided p-value of each pair of systems, float64 (n_pairs,).

    `preferences` are float64 (n_users, n_pairs), NaN for users who have none. Where they are so
    clear that hardly any permutation would be as extreme (see `_is_clear`), none is drawn, and p is
    1 / (B + 1).
    """
    n_users, n_pairs = preferences.shape
    p = np.full(n_pairs, 1 / (samples + 1))
    drawn = np.flatnonzero(~_is_clear(preferences, samples))
    for some in successive(drawn, 2 * TEST_COPIES * n_users):
        own = preferences[:, drawn[some]]
        # As a measure by which one list has the preference, and the other has 0.
        against_nothing = np.stack([own, own * 0.0], axis=1)
        p[drawn[some]] = permutation_test(against_nothing, samples, seed).p_values[:, 0, 1]
    return p


def _is_clear(preferences: Floats, samples: int) -> Booleans:
    """Return whether no permutation can be expected to be as extreme as each pair, (n_pairs,).

    A sum of s_u d_u with random signs is at least t with a chance of at most
    2 exp(-t^2 / (2 sum_u d_u^2)) (Hoeffding, JASA 58, 1963, theorem 2), and there are B of them.
    With all 2^n permutations of n users none is clear, as t^2 is at most n times the squares.
    """
    total, _ = number_of_permutations(len(preferences), samples)
    d = np.nan_to_num(preferences)
    squares = (d**2).sum(axis=0)
    z2 = np.divide(d.sum(axis=0) ** 2, squares, out=np.zeros_like(squares), where=squares > 0)
    return total * 2 * np.exp(-z2 / 2) < CHANCE
