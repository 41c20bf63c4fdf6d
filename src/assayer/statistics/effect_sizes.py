"""Effect sizes: how large a difference is, in units of how much it varies from user to user."""

import numpy as np

from assayer.types import Floats


def cohens_d_z(differences: Floats) -> Floats:
    """Return Cohen's effect size of paired values.

    ::

        d_z = mean(d) / sd(d),  with n - 1 in the standard deviation

    so that Student's paired t is d_z sqrt(n).

    Parameters
    ----------
    differences : float64 (n_users, ...)
        NaN for a user who does not count.

    Returns
    -------
    float64 (...)
        0 where no user has a difference, infinite where all have the same one, and NaN where fewer
        than two users count.

    References
    ----------
    Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, section 2.3.5.
    """
    counted = ~np.isnan(differences)
    n = counted.sum(axis=0)
    mean = np.where(counted, differences, 0.0).sum(axis=0) / np.maximum(n, 1)
    squares = np.where(counted, (differences - mean) ** 2, 0.0).sum(axis=0)
    deviation = np.sqrt(squares / np.maximum(n - 1, 1))
    # What rounding leaves of equal differences is no deviation.
    same = deviation <= 1e-12 * np.abs(mean)
    infinite = np.where(mean == 0, 0.0, np.copysign(np.inf, mean))
    found = np.divide(mean, deviation, out=infinite, where=~same)
    return np.where(n > 1, found, np.nan)
