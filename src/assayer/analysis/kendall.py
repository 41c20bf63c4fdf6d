"""Kendall's rank correlation of systems."""

import numpy as np
import numpy.typing as npt

from assayer.metrics.aggregate import aggregate


def tau_b(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Kendall's tau-b between two valuations of the same systems.

    tau_b = (C - D) / sqrt((P - T_x) (P - T_y))

    with C and D the concordant and discordant pairs of systems, P all pairs, and T_x and T_y the
    pairs tied in x and in y. NaN where one side ties all systems: the correlation is undefined.

    Parameters
    ----------
    x, y : float64 (..., n_systems)
        Broadcast against each other; NaN is not allowed.

    Returns
    -------
    float64 (...)

    References
    ----------
    Kendall, Biometrika 33, 1945. The paper's authors used pandas' `corr(method="kendall")`, which
    is tau-b.
    """
    first, second = np.triu_indices(x.shape[-1], k=1)
    sign_x = np.sign(x[..., first] - x[..., second])
    sign_y = np.sign(y[..., first] - y[..., second])
    agreement = (sign_x * sign_y).sum(axis=-1)
    untied = (sign_x != 0).sum(axis=-1).astype(np.float64) * (sign_y != 0).sum(axis=-1)
    result = np.full(np.broadcast_shapes(agreement.shape, untied.shape), np.nan)
    return np.divide(agreement, np.sqrt(untied), out=result, where=untied > 0)


def system_values(
    values: npt.NDArray[np.float64], how: str = "mean", decimals: int | None = None
) -> npt.NDArray[np.float64]:
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


def rounded(means: npt.NDArray[np.float64], decimals: int | None) -> npt.NDArray[np.float64]:
    """Round means to so many decimals, which makes near ties into ties; None keeps every digit.

    The files of the authors of Valcarce et al., RecSys 2018, hold four decimals.
    """
    return means if decimals is None else np.round(means, decimals)
