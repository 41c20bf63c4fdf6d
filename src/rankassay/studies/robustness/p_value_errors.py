"""How exact is a p-value that is estimated from random permutations?

Valcarce et al., RecSys 2018, section 4: "with 100,000 samples, we can compute a two-sided p-value
of 0.05 with an estimated error of +-0.001 and a p-value of 0.01 with an error of +-0.00045".
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd


def run(p_values: Sequence[float], samples: int) -> pd.DataFrame:
    """Return the standard error of a two-sided p-value p from B random permutations.

    ::

        both:     sqrt(p (1 - p) / B)
        doubled:  2 sqrt((p / 2) (1 - p / 2) / B)

    `both` is of a test that counts the permutations beyond the observed difference on either side,
    as this project does; `doubled` is of one that counts those on one side, a share of p / 2, and
    doubles it. The settings are those of `rankassay.studies.robustness.study.PValueErrors`.

    Returns
    -------
    DataFrame
        Columns p_value, samples, tails (both or doubled) and standard_error.

    References
    ----------
    The binomial error of an achieved significance level: Efron and Tibshirani, 1993 ("An
    introduction to the bootstrap"), chapter 15. The paper does not say which of the two its
    numbers are of; they are those of `doubled`.
    """
    p = np.array(p_values, dtype=np.float64)
    errors = {"both": _error(p, samples), "doubled": 2 * _error(p / 2, samples)}
    columns = ["p_value", "samples", "tails", "standard_error"]
    tables = [
        pd.DataFrame({"p_value": p, "samples": samples, "tails": tails, "standard_error": error})
        for tails, error in errors.items()
    ]
    return pd.concat(tables, ignore_index=True)[columns]


def _error(share: np.ndarray, samples: int) -> np.ndarray:
    """Return the standard error of a share of random samples."""
    return np.sqrt(share * (1 - share) / samples)
