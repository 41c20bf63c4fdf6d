"""The sign of any metric as a preference."""

import numpy as np

from assayer.types import Booleans, Floats

# The share of the larger value below which the difference of two may be rounding alone: 2^-44.
HAIR = 2.0**-44


def signs(values: Floats) -> Floats:
    """Return which of two systems a metric prefers for each user, whatever by how much.

    ::

        S_u(a, b) = sgn(m_u(a) - m_u(b))

    Values that differ by no more than rounding can, 2^-44 of the larger one, are a tie.

    Parameters
    ----------
    values : float64 (n_users, n_systems)
        Of a metric of which more is better; NaN for users without a value.

    Returns
    -------
    float64 (n_users, n_pairs)
        Of the pairs i < j of systems: 1, 0 or -1, NaN where either value is.
    """
    difference, tied = differences(values)
    return np.where(tied, 0.0, np.sign(difference))


def differences(values: Floats) -> tuple[Floats, Booleans]:
    """Return the differences m_u(a) - m_u(b) of the pairs i < j, and which of them are ties."""
    first, second = np.triu_indices(values.shape[1], k=1)
    a, b = values[:, first], values[:, second]
    return a - b, np.abs(a - b) <= HAIR * np.maximum(np.abs(a), np.abs(b))
