"""What the order of systems depends on: components of its variance, agreement and winners.

Shares of the variance of rankings are due to the system, the protocol, the seed and the fold.
The model of x_pr(s), what a system s gets in the replicate r (a seed or fold) of a protocol p::

    x_pr(s) = mu_pr + s + (sp) + (s r:p)

with random effects of the system, of system and protocol, and of system and replicate; what all
systems have in common in a replicate changes no order. With c the mean of Cov_s(x_i, x_j) over the
replicates i and j of two protocols, g that of 1/2 Var_s(x_i - x_j), and w_p the same g of two
replicates of p, the components are estimated by::

    sigma^2_s = mean of c,  sigma^2_sp = mean of g - (w_p + w_q) / 2,  sigma^2_sr:p = mean of w

each over all pairs of protocols, or all protocols. In a balanced design these are the estimates of
the analysis of variance (Searle, Casella and McCulloch, Variance Components, 1992, chapter 4;
Brennan, Generalizability Theory, 2001, chapter 3: systems crossed with protocols, replicates nested
in them), and without balance they weight each protocol alike. Over the pairs of protocols with the
same filter sigma^2_sp is the component of the split, over those with the same split it is that of
the filter.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from rankassay.artifacts.replicate import ALL, Replicate
from rankassay.errors import one_of
from rankassay.statistics.incomplete import mean_of_defined
from rankassay.statistics.orders import settled
from rankassay.statistics.rank_correlation import correlation as correlation_of
from rankassay.statistics.replicated import Replicated, interval
from rankassay.studies.protocols.replicates import ReplicateMeans
from rankassay.types import Booleans, Floats

VALUES = ("ranks", "standard", "means")
BLOCK = 20  # draws at a time
SURE = 0.95  # the share of resamples in which the reference's winner must lose


def components(
    replicates: list[Replicate],
    evaluation: dict,
    seed: int,
    *,
    values: str,
    resamples: int,
) -> Replicated:
    """Return the components of the variance of each measure, and their shares.

    Equal means share the mean rank in a replicate.

    Returns
    -------
    Replicated
        The columns metric, cutoff, factor (system; protocol, that is, any change of it; split;
        filter; seed; fold), protocol ("*" but for rows about the replicates of one), pairs (of
        protocols, or of replicates, behind the number; of the system, of protocols), variance (an
        estimate may be below 0), low, high (its interval), and share (replicated): of the mean
        variance of the systems in a replicate, the variance of system and protocol and replicate
        together. Shares of system, protocol, and the mean of the replicates' add to 1 where all
        protocols have the same number of replicates of one kind. With one replicate of each
        protocol, chance is a part of the protocol's component, and has no row.
    """
    found = ReplicateMeans.of(replicates, evaluation["aggregate"], resamples, seed)
    factors = _factors(found)
    numbers = np.concatenate(
        [
            estimates(_transformed(found.values[first : first + BLOCK], values), found, factors)
            for first in range(0, len(found.values), BLOCK)
        ]
    )
    variance, total = numbers[..., :-1], numbers[..., -1:]
    share = np.divide(variance, total, out=np.full(variance.shape, np.nan), where=total > 0)
    variance, share = (np.moveaxis(x, 0, -1).reshape(-1, len(numbers)) for x in (variance, share))
    low, high = interval(variance[:, 0], variance[:, 1:])
    rows = [
        (metric, cutoff, factor, protocol, len(pairs))
        for metric, cutoff in found.names
        for factor, protocol, pairs in factors
    ]
    table = pd.DataFrame(rows, columns=["metric", "cutoff", "factor", "protocol", "pairs"])
    table = table.assign(variance=variance[:, 0], low=low, high=high)
    return Replicated.of(table, "share", list(share))


Factors = Sequence[tuple[str, str, Sequence[tuple[int, int]]]]


def _factors(found: ReplicateMeans) -> Factors:
    """Return the rows of each measure: factor, protocol, and the pairs that estimate it."""
    across = [(a, b) for a, b in found.pairs() if a != b]
    same = {
        key: [(a, b) for a, b in across if _value(found, a, key) == _value(found, b, key)]
        for key in ("split", "filter")
    }
    rows = [("system", ALL, across), ("protocol", ALL, across)]
    rows += [("split", ALL, same["filter"])] if same["filter"] else []
    rows += [("filter", ALL, same["split"])] if same["split"] else []
    several = [p for p, members in enumerate(found.members) if len(members) > 1]
    for kind in ("seed", "fold"):
        own = [p for p in several if found.protocols[p].kind == kind]
        rows += [(kind, ALL, [(p, p) for p in own])] if own else []
        rows += [(kind, found.protocols[p].protocol, [(p, p)]) for p in own]
    return rows


def _value(found: ReplicateMeans, protocol: int, key: str) -> str:
    return getattr(found.protocols[protocol], key)


def _transformed(means: Floats, values: str) -> Floats:
    """Return the systems' means, ranks or z-scores, (..., n_systems); NaN without a spread."""
    one_of("choice of what systems get", values, VALUES)
    if values == "means":
        return means
    spread = means.std(axis=-1, ddof=1, keepdims=True)
    if values == "ranks":
        return np.where(spread > 0, rankdata(means, axis=-1), np.nan)
    centred = means - means.mean(axis=-1, keepdims=True)
    return np.divide(centred, spread, out=np.full(means.shape, np.nan), where=spread > 0)


def estimates(x: Floats, found: ReplicateMeans, factors: Factors) -> Floats:
    """Return the components of each factor, and last the mean variance of the systems.

    Of x, float64 (..., n_replicates, n_systems), float64 (..., n_factors + 1).
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    covariance = centred @ centred.swapaxes(-1, -2) / (x.shape[-1] - 1)
    variance = np.diagonal(covariance, axis1=-2, axis2=-1)
    half = (variance[..., :, None] + variance[..., None, :]) / 2 - covariance
    cov, gap = {}, {}
    for pair in found.pairs():
        i, j = found.between(*pair)
        if len(i):
            cov[pair], gap[pair] = (m[..., i, j].mean(axis=-1) for m in (covariance, half))
    luck = [gap.get((p, p), np.zeros(x.shape[:-2])) for p in range(len(found.members))]

    def of(factor: str, a: int, b: int) -> Floats:
        if factor == "system":
            return cov[a, b]
        return gap[a, b] if a == b else gap[a, b] - (luck[a] + luck[b]) / 2

    rows = [np.mean([of(factor, *pair) for pair in pairs], axis=0) for factor, _, pairs in factors]
    by_protocol = [variance[..., members].mean(axis=-1) for members in found.members]
    return np.stack([*rows, np.mean(by_protocol, axis=0)], axis=-1)


def agreement(
    replicates: list[Replicate],
    evaluation: dict,
    seed: int,
    *,
    correlation: str,
    persistence: float,
    resamples: int,
) -> Replicated:
    """Correlate the rankings of systems under each pair of protocols, and within each.

    A number is the mean over all pairs of a replicate of one protocol and a replicate of the other;
    within a protocol, over all pairs of two of its replicates, which differ by chance alone: by the
    seed or the fold. So protocols with the same ranking of systems agree as well as their own
    replicates do.

    Returns
    -------
    Replicated
        The columns metric, cutoff, protocol_a, protocol_b (the same in rows within a protocol),
        pairs (of replicates), tau (replicated; empty where all pairs have a side that ties all
        systems), low, high, correlation (its name), within (the mean of what the two have within
        themselves; empty if one has a single replicate), shortfall (within less tau),
        shortfall_low, shortfall_high, lowest and highest (of the single pairs of replicates) and
        systems (how many there are).
    """
    found = ReplicateMeans.of(replicates, evaluation["aggregate"], resamples, seed)
    correlate = correlation_of(correlation, persistence)
    taus: dict[tuple[int, int], Floats] = {}  # (1 + n_resamples, n_measures)
    ends: dict[tuple[int, int], tuple[Floats, Floats]] = {}
    pairs = [pair for pair in found.pairs() if len(found.between(*pair)[0])]
    for pair in pairs:
        single = _single(found, pair, correlate)
        taus[pair] = mean_of_defined(single, axis=-1)
        known = single[0]
        some = ~np.isnan(known).all(axis=-1)
        ends[pair] = (
            np.where(some, np.nan_to_num(known, nan=np.inf).min(axis=-1), np.nan),
            np.where(some, np.nan_to_num(known, nan=-np.inf).max(axis=-1), np.nan),
        )
    none = np.full(found.values.shape[:2], np.nan)
    rows, numbers, shortfalls = [], [], []
    for m, (metric, cutoff) in enumerate(found.names):
        for a, b in pairs:
            names = (found.protocols[p].protocol for p in (a, b))
            tau = taus[a, b][:, m]
            within = (taus.get((a, a), none)[:, m] + taus.get((b, b), none)[:, m]) / 2
            one = [end[m] for end in ends[a, b]]
            rows.append((metric, cutoff, *names, len(found.between(a, b)[0]), within[0], *one))
            numbers.append(tau)
            shortfalls.append(within - tau)
    columns = ["metric", "cutoff", "protocol_a", "protocol_b", "pairs", "within"]
    table = pd.DataFrame(rows, columns=[*columns, "lowest", "highest"])
    shortfall = np.array(shortfalls)
    low, high = interval(shortfall[:, 0], shortfall[:, 1:], bounds=(-2.0, 2.0))
    table = table.assign(
        correlation=correlation,
        shortfall=shortfall[:, 0],
        shortfall_low=low,
        shortfall_high=high,
        systems=len(found.systems),
    )
    return Replicated.of(table, "tau", numbers).with_interval()


def _single(found: ReplicateMeans, pair: tuple[int, int], correlate: Callable) -> Floats:
    """Return the correlation of each pair of replicates, (1 + n_resamples, n_measures, n_pairs)."""
    i, j = found.between(*pair)
    values = found.better  # the top weighs most in some correlations
    first, second = (
        np.ascontiguousarray(values[:, :, own]).reshape(-1, values.shape[-1]) for own in (i, j)
    )
    return correlate(first, second).reshape(*values.shape[:2], len(i))


def winners(
    replicates: list[Replicate], evaluation: dict, seed: int, *, resamples: int
) -> pd.DataFrame:
    """Return the winner under each protocol by each measure.

    Systems are compared by their means over the replicates of a protocol; under metrics where lower
    is better, the lowest mean wins. The reference is the first protocol.

    Returns
    -------
    DataFrame
        The columns metric, cutoff, protocol; winner, all with the highest mean, joined by ", ";
        second, those with the next mean, empty if all are winners; in_replicates, in what share of
        the replicates one of the winners has the highest mean; in_resamples, the same of resamples
        of the users (empty without any); reference_winner, the one under the reference; its place
        here (the best one's, from 1); changed, whether none of the winners is a winner under the
        reference; behind, in what share of the resamples all winners under the reference are below
        the best here; beyond_luck, whether it changed and that share is at least .95.
    """
    found = ReplicateMeans.of(replicates, evaluation["aggregate"], resamples, seed)
    n_users = max(len(own.user_ids) for own in replicates)
    values = found.better
    systems = np.array(found.systems)
    rows = []
    # By protocol, float64 (1 + n_resamples, n_measures, n_systems).
    over = [settled(values[:, :, own].mean(axis=2), n_users) for own in found.members]
    wins = [*map(_wins, over)]
    for m, (metric, cutoff) in enumerate(found.names):
        reference = wins[0][0, m]
        for p, own in enumerate(found.members):
            means, best, drawn = over[p][0, m], wins[p][0, m], wins[p][1:, m]
            below = means[~best]
            second = means == below.max() if len(below) else np.zeros(len(means), bool)
            changed = not (best & reference).any()
            behind = float((~(drawn & reference).any(axis=1)).mean()) if resamples else np.nan
            rows.append(
                {
                    "metric": metric,
                    "cutoff": cutoff,
                    "protocol": found.protocols[p].protocol,
                    "winner": ", ".join(systems[best]),
                    "second": ", ".join(systems[second]),
                    "in_replicates": (_wins(values[0, m, own]) & best).any(axis=1).mean(),
                    "in_resamples": (drawn & best).any(axis=1).mean() if resamples else np.nan,
                    "reference_winner": ", ".join(systems[reference]),
                    "place": 1 + int((means > means[reference].max()).sum()),
                    "changed": changed,
                    "behind": behind,
                    "beyond_luck": changed and behind >= SURE,
                }
            )
    return pd.DataFrame(rows)


def _wins(means: np.ndarray) -> Booleans:
    """Return which systems have the highest mean, bool (..., n_systems)."""
    return means == means.max(axis=-1, keepdims=True)
