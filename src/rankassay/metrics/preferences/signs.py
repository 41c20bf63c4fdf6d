"""The sign of any metric as a preference."""

import numpy as np

from rankassay.kernels import kernel
from rankassay.types import Booleans, Floats

# The share of the larger value below which the difference of two may be rounding alone: 2^-44.
HAIR = 2.0**-44


def signs(values: Floats) -> Floats:
    """Return which of two systems a metric prefers for each user, regardless of by how much.

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
    np.sign(difference, out=difference)
    difference[tied] = 0.0
    return difference


def differences(values: Floats) -> tuple[Floats, Booleans]:
    """Return the differences m_u(a) - m_u(b) of the pairs i < j, and which of them are ties."""
    return _differences(values)


@kernel(steps=lambda values: values.size * values.shape[1])
def _differences(values):
    """Compute `differences`, with a user's values at hand for all pairs."""
    n = values.shape[1]
    difference = np.empty((len(values), n * (n - 1) // 2))
    tied = np.empty(difference.shape, dtype=np.bool_)
    for u in range(len(values)):
        k = 0
        for i in range(n):
            for j in range(i + 1, n):
                a, b = values[u, i], values[u, j]
                difference[u, k] = a - b
                tied[u, k] = abs(a - b) <= HAIR * max(abs(a), abs(b))
                k += 1
    return difference, tied
