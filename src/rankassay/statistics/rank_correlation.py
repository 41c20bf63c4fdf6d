"""Rank correlations of two rankings of the same systems.

All take valuations of the same systems, float64 (..., n_systems), which are broadcast against each
other and must not hold NaN, the higher the better, and return float64 (...). All are NaN where one
side ties all systems: it has no order to compare.
"""

from collections.abc import Callable

import numpy as np
import scipy  # its parts are imported on use: scipy.stats takes half a second

from rankassay.declared.correlations import CORRELATIONS, PERSISTENCE
from rankassay.errors import RankassayError, one_of
from rankassay.kernels import kernel
from rankassay.lookup import load
from rankassay.types import Booleans, Floats, Integers


def correlation(name: str, persistence: float = PERSISTENCE) -> Callable[[Floats, Floats], Floats]:
    """Return the correlation of a name, a function of a valuation and the reference.

    `persistence` is the p of rank-biased overlap; the others do not read it.
    """
    one_of("rank correlation", name, CORRELATIONS)
    if not 0 < persistence < 1:
        raise RankassayError(
            f"the persistence of rbo must be between 0 and 1, found {persistence}."
        )
    function = load(f"{__name__}:{name}")
    if CORRELATIONS[name].overlap:
        return lambda x, reference: function(x, reference, persistence)
    return function


def tau_b(x: Floats, reference: Floats) -> Floats:
    """Kendall's tau-b, which is symmetric.

    ::

        tau_b = (C - D) / sqrt((P - T_x) (P - T_y))

    with C and D the concordant and discordant pairs of systems, P all pairs, and T_x and T_y the
    pairs tied in x and in the reference. Range [-1, 1].

    References
    ----------
    Kendall, Biometrika 33, 1945. The authors of Valcarce et al., RecSys 2018, used pandas'
    `corr(method="kendall")`, which is tau-b.
    """
    shape = np.broadcast_shapes(x.shape, reference.shape)
    sides = (
        side if side.shape == shape else np.broadcast_to(side, shape) for side in (x, reference)
    )
    # Writable arrays, as numba compiles a loop again for read-only ones.
    a, b = (np.require(side, np.float64, "CW").reshape(-1, shape[-1]) for side in sides)
    return _tau_b(a, b).reshape(shape[:-1])


@kernel(steps=lambda x, y: x.size * x.shape[-1])
def _tau_b(x, y):
    """Return tau-b of each row of x with that of y; NaN where one of them ties all."""
    found = np.full(len(x), np.nan)
    for r in range(len(x)):
        agreement, untied_x, untied_y = 0, 0, 0
        for i in range(x.shape[1]):
            for j in range(i):
                a = int(x[r, i] > x[r, j]) - int(x[r, i] < x[r, j])
                b = int(y[r, i] > y[r, j]) - int(y[r, i] < y[r, j])
                agreement += a * b
                untied_x += a * a
                untied_y += b * b
        if untied_x > 0 and untied_y > 0:
            found[r] = agreement / np.sqrt(float(untied_x) * float(untied_y))
    return found


def tau_ap(x: Floats, reference: Floats) -> Floats:
    """AP correlation: a tau that weighs errors at the top most. It is not symmetric.

    ::

        tau_AP = 2 / (n - 1) sum_{i=2}^n C(i) / (i - 1) - 1

    with C(i) the systems above place i of x that the reference puts above that system, too. Range
    [-1, 1]. Ties are averages over all orders of the tied systems: those of x make tau_AP,a, and a
    pair tied in the reference counts half. So equal valuations with ties correlate a little below
    1; see `tau_ap_b`.

    References
    ----------
    Yilmaz, Aslam and Robertson, SIGIR 2008, equation (3). Ties of x: Urbano and Marrero, ICTIR
    2017, tau_AP,a, whose reference has none.
    """
    above = _above(x)
    n, n_above = x.shape[-1], above.sum(axis=-1)
    n_tied = n - n_above - _above(-x).sum(axis=-1)
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
    above = _above(x)
    n_above = above.sum(axis=-1)
    agreeing = (above & _above(reference)).sum(axis=-1)
    places = np.maximum((n_above > 0).sum(axis=-1), 1)
    value = 2 * (agreeing / np.maximum(n_above, 1)).sum(axis=-1) / places - 1
    return np.where(_ordered(x) & _ordered(reference), value, np.nan)


def rbo(x: Floats, reference: Floats, persistence: float = PERSISTENCE) -> Floats:
    """Rank-biased overlap, extrapolated: how much the tops share, at all depths. It is symmetric.

    ::

        RBO_ext = p^n + (1 - p) sum_{d=1}^n p^(d-1) A_d,  A_d = 2 |X_d ∩ Y_d| / (|X_d| + |Y_d|)

    with X_d the systems in the first d places. Both sides hold the same n systems, so that all
    depths beyond n agree: the first term. Range [0, 1]; it is not 0 for unrelated orders. Tied
    systems stand together at the first place of their group, as in the source: they are equal. The
    lower p, the `persistence`, the more the top counts. See `rbo_a` and `rbo_b` for ties that hide
    an order, and `rankassay.statistics.rank_biased_overlap` for sides with different systems.

    References
    ----------
    Webber, Moffat and Zobel, TOIS 28, 2010, equations (30) and (the ties) section 4.5; RBO^w of
    Corsi and Urbano, SIGIR 2024.
    """
    return _overlap(x, reference, persistence, "rbo")


def rbo_a(x: Floats, reference: Floats, persistence: float = PERSISTENCE) -> Floats:
    """Rank-biased overlap, the mean over all orders of tied systems, RBO^a. It is symmetric.

    ::

        A_d = sum_i c_i(d) c'_i(d) / d,  c_i(d) = min(max((d - first_i + 1) / t_i, 0), 1)

    in place of the A_d of `rbo`: c_i(d) is the share of orders in which the system i, one of t_i
    that are tied from the place first_i on, stands in the first d places. Range [0, 1]. Equal
    valuations with ties have less than 1, as their orders may differ; see `rbo_b`.

    References
    ----------
    Corsi and Urbano, SIGIR 2024, RBO^a.
    """
    return _overlap(x, reference, persistence, "rbo_a")


def rbo_b(x: Floats, reference: Floats, persistence: float = PERSISTENCE) -> Floats:
    """Rank-biased overlap, corrected for ties, RBO^b. It is symmetric.

    ::

        A_d = sum_i c_i(d) c'_i(d) / sqrt(sum_i c_i(d)^2 sum_i c'_i(d)^2)

    with the c of `rbo_a`: RBO^b is to RBO^a what tau_b is to tau_a. Range [0, 1], and 1 for equal
    valuations with ties.

    References
    ----------
    Corsi and Urbano, SIGIR 2024, RBO^b.
    """
    return _overlap(x, reference, persistence, "rbo_b")


# A_d, of the sums over systems of c c', c^2 and c'^2, and the depths.
AGREEMENTS: dict[str, Callable[[Floats, Floats, Floats, Floats], Floats]] = {
    "rbo": lambda both, own, other, depth: 2 * both / (own + other),
    "rbo_a": lambda both, own, other, depth: both / depth,
    "rbo_b": lambda both, own, other, depth: both / np.sqrt(own * other),
}


def _overlap(x: Floats, reference: Floats, persistence: float, kind: str) -> Floats:
    """Return the overlap of a kind, over all depths."""
    depth = np.arange(1.0, x.shape[-1] + 1)
    own, other = (shares(side, depth, kind) for side in (x, reference))
    sums = (own * other).sum(axis=-1), (own**2).sum(axis=-1), (other**2).sum(axis=-1)
    weighted = (persistence ** (depth - 1) * AGREEMENTS[kind](*sums, depth)).sum(axis=-1)
    value = persistence ** len(depth) + (1 - persistence) * weighted
    return np.where(_ordered(x) & _ordered(reference), value, np.nan)


def shares(x: Floats, depth: Floats, kind: str) -> Floats:
    """Return the share of orders in which each system is in the first places, (..., n_depths, n).

    `depth`, float64 (n_depths,), are the numbers of places. For `rbo`, any share counts as 1.
    """
    n_above = _above(x).sum(axis=-1)
    n_tied = x.shape[-1] - n_above - _above(-x).sum(axis=-1)
    found = (depth[:, None] - n_above[..., None, :]) / n_tied[..., None, :]
    return (found > 0).astype(np.float64) if kind == "rbo" else np.clip(found, 0.0, 1.0)


def spearman(x: Floats, reference: Floats) -> Floats:
    """Spearman's rho, the correlation of the places, which tied systems share. It is symmetric.

    Range [-1, 1].

    References
    ----------
    Spearman, American Journal of Psychology 15, 1904; with mid-ranks for ties, as in scipy.
    """
    a, b = (scipy.stats.rankdata(side, axis=-1) for side in (x, reference))
    a, b = (side - side.mean(axis=-1, keepdims=True) for side in (a, b))
    size = np.sqrt((a**2).sum(axis=-1) * (b**2).sum(axis=-1))
    return np.divide((a * b).sum(axis=-1), size, out=np.full(size.shape, np.nan), where=size > 0)


def resampled_spearman(x: Floats, reference: Floats, times: Floats, group: Integers) -> Floats:
    """Return Spearman's rho where each entry counts as often as its group, or not at all.

    Of x (n_rows, n), a reference (n,), times (n_resamples, n_groups) and the group of each entry
    (n,), the result (n_resamples, n_rows) is what `spearman` makes of each row and the reference
    with every entry repeated as often as its group; NaN where a side is constant, or an entry is
    NaN.
    """
    found = np.full((len(times), len(x)), np.nan)
    known = ~np.isnan(x).any(axis=1)
    if known.any() and not np.isnan(reference).any():
        order = np.argsort(x[known], axis=1, kind="stable")
        places = np.argsort(reference, kind="stable")
        found[:, known] = _resampled_spearman(x[known], order, reference, places, times, group)
    return found


@kernel(steps=lambda x, order, reference, places, times, group: len(times) * x.size)
def _resampled_spearman(x, order, reference, reference_order, times, group):
    """Return rho for each resample and row of x; `order` and `reference_order` sort them."""
    n_resamples, n = len(times), len(group)
    found = np.full((n_resamples, len(x)), np.nan)
    a, b = np.empty(n), np.empty(n)
    for r in range(n_resamples):
        own_times = times[r][group]
        total = own_times.sum()
        _places(reference, reference_order, own_times, b)
        for k in range(len(x)):
            _places(x[k], order[k], own_times, a)
            centre = (total + 1) / 2
            both, own, other = 0.0, 0.0, 0.0
            for i in range(n):
                u, v = a[i] - centre, b[i] - centre
                both += own_times[i] * u * v
                own += own_times[i] * u * u
                other += own_times[i] * v * v
            if own > 0 and other > 0:
                found[r, k] = both / np.sqrt(own * other)
    return found


@kernel
def _places(x, order, times, places):
    """Write the mean place of each entry among all that count, equal ones sharing theirs."""
    first, above = 0, 0.0
    while first < len(x):
        last, count = first, 0.0
        while last < len(x) and x[order[last]] == x[order[first]]:
            count += times[order[last]]
            last += 1
        for i in range(first, last):
            places[order[i]] = above + (count + 1) / 2
        above += count
        first = last


def _above(x: Floats) -> Booleans:
    """Return the pairs of systems of which the last is above the first, (..., n, n)."""
    return x[..., None, :] > x[..., :, None]


def _ordered(x: Floats) -> Booleans:
    """Return False where all systems are tied, bool (...)."""
    return (x != x[..., :1]).any(axis=-1)
