r"""Shares of the variance of rankings due to the system, the protocol, the seed and the fold.

Of x_pr(s), what a system s gets in the replicate r (a seed or fold) of a protocol p, the model is

.. math:: x_{pr}(s) = \mu_{pr} + s + (sp) + (s r{:}p)

with random effects of the system, of system and protocol, and of system and replicate; what all
systems have in common in a replicate changes no order. With c the mean of Cov_s(x_i, x_j) over the
replicates i and j of two protocols, g that of 1/2 Var_s(x_i - x_j), and w_p the same g of two
replicates of p, the components are estimated by

.. math:: \sigma^2_s = \bar c, \quad \sigma^2_{sp} = \overline{g - (w_p + w_q) / 2}, \quad
          \sigma^2_{sr:p} = \bar w

each over all pairs of protocols, or all protocols. In a balanced design these are the estimates of
the analysis of variance (Searle, Casella and McCulloch, Variance Components, 1992, chapter 4;
Brennan, Generalizability Theory, 2001, chapter 3: systems crossed with protocols, replicates nested
in them), and without balance they weight each protocol alike. Over the pairs of protocols with the
same filter sigma^2_sp is the component of the split, over those with the same split it is that of
the filter.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from rankassay.artifacts.replicate import ALL, Replicate
from rankassay.errors import one_of
from rankassay.statistics.replicated import Replicated, interval
from rankassay.studies.protocols.replicate_means import ReplicateMeans
from rankassay.types import Floats

VALUES = ("ranks", "standard", "means")
BLOCK = 20  # draws at a time


def run(
    replicates: list[Replicate],
    evaluation: dict,
    seed: int,
    *,
    values: str,
    resamples: int,
) -> Replicated:
    """Return the components of the variance of each measure, and their shares.

    Parameters
    ----------
    replicates
        Of two protocols or more.
    evaluation
        Its `aggregate` makes one number of the users' values.
    values : {"ranks", "standard", "means"}
        The values of the systems: their ranks in a replicate (equal means share the mean rank),
        their means in units of their standard deviation, or the means themselves, whose size may
        differ among protocols.
    resamples
        Of the users, for intervals.

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
            components(_transformed(found.values[first : first + BLOCK], values), found, factors)
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


def components(x: Floats, found: ReplicateMeans, factors: Factors) -> Floats:
    """Return the components of each factor, and last the mean variance of the systems.

    Parameters
    ----------
    x : float64 (..., n_replicates, n_systems)
    found
        Whose protocols and replicates these are.
    factors
        Rows of factor, protocol, and pairs of protocols.

    Returns
    -------
    float64 (..., n_factors + 1)
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
