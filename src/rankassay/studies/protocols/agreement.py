"""Do two protocols agree in the ranking as well as two replicates of one do?"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from rankassay.artifacts.replicate import Replicate
from rankassay.statistics.incomplete import mean_of_defined
from rankassay.statistics.rank_correlation import correlation as correlation_of
from rankassay.statistics.replicated import Replicated, interval
from rankassay.studies.protocols.replicate_means import ReplicateMeans
from rankassay.types import Floats


def run(
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

    The settings are those of `rankassay.studies.protocols.study.Agreement`.

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
