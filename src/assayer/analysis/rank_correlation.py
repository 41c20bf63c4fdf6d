"""How far two valuations order the same systems alike, by several rank correlations.

All take valuations of the same systems, float64 (..., n_systems), which are broadcast against each
other and must not hold NaN, the higher the better, and return float64 (...). All are NaN where one
side ties all systems: it has no order to compare.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import scipy  # its parts are imported on use: scipy.stats takes half a second

from assayer.errors import AssayerError, one_of
from assayer.metrics.aggregate import aggregate

Floats = npt.NDArray[np.float64]

PERSISTENCE = 0.9  # the default p of `rbo`: the first 10 systems have 86% of the weight


def correlation(name: str, persistence: float = PERSISTENCE) -> Callable[[Floats, Floats], Floats]:
    """Return the correlation of a name, a function of a valuation and the reference.

    Parameters
    ----------
    name : {"tau_b", "tau_ap", "tau_ap_b", "rbo"}
    persistence : float
        The p of `rbo`; the others do not read it.
    """
    one_of("rank correlation", name, CORRELATIONS)
    if not 0 < persistence < 1:
        raise AssayerError(f"the persistence of rbo must be between 0 and 1, found {persistence}.")
    if name == "rbo":
        return lambda x, reference: rbo(x, reference, persistence)
    return CORRELATIONS[name]


def tau_b(x: Floats, reference: Floats) -> Floats:
    """Kendall's tau-b, which is symmetric.

    tau_b = (C - D) / sqrt((P - T_x) (P - T_y))

    with C and D the concordant and discordant pairs of systems, P all pairs, and T_x and T_y the
    pairs tied in x and in the reference. Range [-1, 1].

    References
    ----------
    Kendall, Biometrika 33, 1945. The authors of Valcarce et al., RecSys 2018, used pandas'
    `corr(method="kendall")`, which is tau-b.
    """
    first, second = np.triu_indices(x.shape[-1], k=1)
    sign_x = np.sign(x[..., first] - x[..., second])
    sign_y = np.sign(reference[..., first] - reference[..., second])
    agreement = (sign_x * sign_y).sum(axis=-1)
    untied = (sign_x != 0).sum(axis=-1).astype(np.float64) * (sign_y != 0).sum(axis=-1)
    result = np.full(np.broadcast_shapes(agreement.shape, untied.shape), np.nan)
    return np.divide(agreement, np.sqrt(untied), out=result, where=untied > 0)


def tau_ap(x: Floats, reference: Floats) -> Floats:
    """AP correlation: a tau that weighs errors at the top most. It is not symmetric.

    tau_AP = 2 / (n - 1) sum_{i=2}^n C(i) / (i - 1) - 1

    with C(i) the systems above place i of x that the reference puts above that system, too. Range
    [-1, 1]. Ties stand for their average over all orders of the tied systems: those of x make
    tau_AP,a, and a pair tied in the reference counts half. So equal valuations with ties correlate
    a little below 1; see `tau_ap_b`.

    References
    ----------
    Yilmaz, Aslam and Robertson, SIGIR 2008, equation (3). Ties of x: Urbano and Marrero, ICTIR
    2017, tau_AP,a, whose reference has none.
    """
    above = x[..., None, :] > x[..., :, None]
    n, n_above = x.shape[-1], above.sum(axis=-1)
    n_tied = n - n_above - (x[..., None, :] < x[..., :, None]).sum(axis=-1)
    agreeing = (1 + np.sign(reference[..., None, :] - reference[..., :, None])) / 2
    harmonic = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, n + 1))))
    last = harmonic[n_above + n_tied - 1]
    # The mean of 1 / (i - 1) over the places that a group takes; nothing is above the first group.
    share = (last - harmonic[np.maximum(n_above - 1, 0)]) / n_tied
    between = ((above * agreeing).sum(axis=-1) * share).sum(axis=-1)
    within = (n_tied - 1 - n_above * (last - harmonic[n_above])) / (2 * n_tied)
    value = 2 / max(n - 1, 1) * (between + within.sum(axis=-1)) - 1
    return np.where(_ordered(x) & _ordered(reference), value, np.nan)


def tau_ap_b(x: Floats, reference: Floats) -> Floats:
    """AP correlation with ties on both sides, the mean of its two directions: it is symmetric.

    Of each direction, systems tied at the top have no place i, other tied systems only what stands
    above their group as C(i) and as i - 1, and pairs tied on the other side do not agree. Range
    [-1, 1], and 1 for equal valuations with ties.

    References
    ----------
    Urbano and Marrero, ICTIR 2017, tau_AP,b.
    """
    return (_tau_ap_of_groups(x, reference) + _tau_ap_of_groups(reference, x)) / 2


def _tau_ap_of_groups(x: Floats, reference: Floats) -> Floats:
    """Return one direction of tau_AP,b: the places are those of x."""
    above = x[..., None, :] > x[..., :, None]
    n_above = above.sum(axis=-1)
    agreeing = (above & (reference[..., None, :] > reference[..., :, None])).sum(axis=-1)
    places = np.maximum((n_above > 0).sum(axis=-1), 1)
    value = 2 * (agreeing / np.maximum(n_above, 1)).sum(axis=-1) / places - 1
    return np.where(_ordered(x) & _ordered(reference), value, np.nan)


def rbo(x: Floats, reference: Floats, persistence: float = PERSISTENCE) -> Floats:
    """Rank-biased overlap, extrapolated: how much the tops share, at all depths. It is symmetric.

    RBO_ext = p^n + (1 - p) sum_{d=1}^n p^(d-1) A_d,  A_d = 2 |X_d ∩ Y_d| / (|X_d| + |Y_d|)

    with X_d the systems in the first d places. Both sides hold the same n systems, so that all
    depths beyond n agree: the first term. Range [0, 1]; it is not 0 for unrelated orders. Tied
    systems stand together at the first place of their group, as in the source.

    Parameters
    ----------
    x, reference : float64 (..., n_systems)
    persistence : float
        p, between 0 and 1: the lower, the more the top counts.

    References
    ----------
    Webber, Moffat and Zobel, TOIS 28, 2010, equations (30) and (the ties) section 4.5.
    """
    depth = np.arange(1, x.shape[-1] + 1)
    first = _n_above(x)[..., None, :] < depth[:, None]
    second = _n_above(reference)[..., None, :] < depth[:, None]
    overlap = 2 * (first & second).sum(axis=-1) / (first.sum(axis=-1) + second.sum(axis=-1))
    weighted = (persistence ** (depth - 1) * overlap).sum(axis=-1)
    value = persistence ** len(depth) + (1 - persistence) * weighted
    return np.where(_ordered(x) & _ordered(reference), value, np.nan)


def spearman(x: Floats, reference: Floats) -> Floats:
    """Spearman's rho, the correlation of the places, tied ones sharing theirs. Range [-1, 1]."""
    a, b = (scipy.stats.rankdata(side, axis=-1) for side in (x, reference))
    a, b = (side - side.mean(axis=-1, keepdims=True) for side in (a, b))
    size = np.sqrt((a**2).sum(axis=-1) * (b**2).sum(axis=-1))
    return np.divide((a * b).sum(axis=-1), size, out=np.full(size.shape, np.nan), where=size > 0)


CORRELATIONS = {"tau_b": tau_b, "tau_ap": tau_ap, "tau_ap_b": tau_ap_b, "rbo": rbo}


def _n_above(x: Floats) -> npt.NDArray[np.int64]:
    """Return how many systems stand above each, int64 (..., n_systems)."""
    return (x[..., None, :] > x[..., :, None]).sum(axis=-1)


def _ordered(x: Floats) -> npt.NDArray[np.bool_]:
    """Say whether not all systems are tied, bool (...)."""
    return (x != x[..., :1]).any(axis=-1)


def system_values(values: Floats, how: str = "mean", decimals: int | None = None) -> Floats:
    """Return the aggregate over users of every measure and system, by which systems are ordered.

    Parameters
    ----------
    values : float64 (n_users, n_systems, n_measures)
    how : str
        As `assayer.metrics.aggregate.aggregate` takes it.
    decimals : int or None
        As in `rounded`.

    Returns
    -------
    float64 (n_measures, n_systems)
        0 where no user has a value.
    """
    return rounded(np.nan_to_num(aggregate(values, how).T), decimals)


def rounded(means: Floats, decimals: int | None) -> Floats:
    """Round means to so many decimals, which makes near ties into ties; None keeps every digit.

    The files of the authors of Valcarce et al., RecSys 2018, hold four decimals.
    """
    return means if decimals is None else np.round(means, decimals)
