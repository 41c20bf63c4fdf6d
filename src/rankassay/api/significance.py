"""Significance for users of Python: arrays of values in, p-values out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from rankassay.data import inputs
from rankassay.data.columns import of_values
from rankassay.data.inputs import opened
from rankassay.errors import RankassayError
from rankassay.statistics.discriminative_power import power_table
from rankassay.statistics.identical import same_values
from rankassay.statistics.paired import scaled
from rankassay.statistics.significance import permuted
from rankassay.statistics.small_differences import EQUAL, ROUNDED
from rankassay.types import Floats, Shown

Table = TypeVar("Table", Floats, pd.DataFrame)


@dataclass(frozen=True, repr=False)
class PermutationTest(Shown, Generic[Table]):
    """The result of `permutation_test`.

    Attributes
    ----------
    p_values : float64 (n_systems, n_systems), or (n_systems, n_systems, n_measures)
        Of a frame of values: a frame with its systems as rows and columns. Two-sided: symmetric.
        "greater": of the row's mean being greater than the column's; "less": smaller. 1 on the
        diagonal.
    adjusted : float64, of the same shape, or None
        Two-sided p-values that hold for all pairs of systems at once; None for the other
        alternatives, and NaN for a measure by which different users have values in different
        systems.
    n_permutations : int
    exact : bool
        Whether these were all possible permutations.
    """

    p_values: Table
    adjusted: Table | None
    n_permutations: int
    exact: bool


def permutation_test(
    values: npt.ArrayLike,
    n_permutations: int = 100_000,
    seed: int = 0,
    alternative: str = "two-sided",
    add_one: bool = True,
) -> PermutationTest:
    """Test the difference in means of all pairs of systems by paired permutations.

    Under the null hypothesis, a user's values by two systems may be exchanged. The p-value is the
    share of such permutations with a difference at least as extreme as the one observed (Fisher's
    randomisation test). All pairs and measures share the permutations.

    Parameters
    ----------
    values : array_like (n_users, n_systems), or (n_users, n_systems, n_measures)
        A user without a value (NaN) is left out of the tests by that measure, or only of the pairs
        that lack a value if just some systems lack one. The columns of a frame are systems.
    n_permutations : int
        B. If there are no more than B, 2^n_users in all, they are enumerated and the test is exact.
    seed : int
    alternative : {"two-sided", "greater", "less"}
    add_one : bool
        p = (c + 1) / (B + 1), a valid p-value that is never 0 (Phipson and Smyth, 2010), rather
        than c / B; an exact test is c / B either way.

    Returns
    -------
    PermutationTest
        Its `adjusted` p-values are those of the largest standardised difference of any pair
        (single-step max-T; Westfall and Young, 1993). Whole numbers (of an integer type) are exact.
        Otherwise two values of a user are equal if they differ by no more than rounding, 2^-44 of
        the larger one; of a pair in which all are, p is 1. p-values are NaN where no user has both
        values. Adjusted ones are NaN under a measure where two of three systems or more differ, but
        for each user by less than 2^-20 of the largest value.

    Examples
    --------
    Ten users, each better off with the second system: only 2 of 2^10 permutations are as extreme.

    >>> import rankassay, numpy as np
    >>> first = np.arange(10.0)
    >>> result = rankassay.permutation_test(np.column_stack([first, first + 1]))
    >>> result.exact, result.n_permutations
    (True, 1024)
    >>> print(result.p_values)
    [[1.         0.00195312]
     [0.00195312 1.        ]]

    The p-value that the second system is better, and of the pair if there were more of them:

    >>> pair = np.column_stack([first, first + 1])
    >>> greater = rankassay.permutation_test(pair, alternative="less")
    >>> float(greater.p_values[0, 1])
    0.0009765625

    A frame keeps its labels:

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"ours": first + 1, "theirs": first})
    >>> rankassay.permutation_test(frame).p_values.round(4)
             ours  theirs
    ours    1.000   0.002
    theirs  0.002   1.000
    """
    values = opened(values)
    array = _checked(values)
    add_one = inputs.flag("add_one", add_one)
    how = inputs.whole("n_permutations", n_permutations, 1), inputs.whole("seed", seed), add_one
    result = permuted(scaled(_deep(array))[0], *how, alternative)

    def shaped(p: Floats) -> Floats | pd.DataFrame:
        if isinstance(values, pd.DataFrame):
            return pd.DataFrame(p[0], values.columns, values.columns)
        return np.moveaxis(p, 0, 2) if array.ndim == 3 else p[0]

    adjusted = None if result.adjusted is None else shaped(result.adjusted)
    return PermutationTest(shaped(result.p_values), adjusted, result.n_permutations, result.exact)


def discriminative_power(
    values: npt.ArrayLike,
    measures: Sequence[str] | None = None,
    n_permutations: int = 100_000,
    seed: int = 0,
    add_one: bool = True,
    replicates: int = 1000,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Return each measure's discriminative power: the sum of the p-values of all pairs of systems.

    Parameters
    ----------
    values, n_permutations, seed, add_one
        As in `permutation_test`.
    measures : sequence of str or None
        Names for the rows of the result; None numbers them.
    replicates, confidence
        Resamples of the users, and the level of the interval for dp that they give.

    Returns
    -------
    DataFrame
        One row per measure. The column dp is the sum, where lower is better (Valcarce et al.,
        RecSys 2018); low and high are its interval. Pairs of identical systems, with the same value
        for every user under every measure, are excluded: `identical` counts them, and dp_all is the
        sum with them, to which each adds 1. See
        `rankassay.statistics.discriminative_power.power_table` for the other columns.

    Examples
    --------
    Two measures of the same three systems, of which the second is the noisier one.

    >>> import rankassay, numpy as np
    >>> rng = np.random.default_rng(0)
    >>> skill = np.array([0.0, 0.2, 0.4])[:, None]
    >>> values = skill + rng.normal(size=(200, 3, 2)) * [0.5, 2.0]
    >>> table = rankassay.discriminative_power(values, ["sharp", "noisy"], n_permutations=5000)
    >>> print(table[["pairs", "dp", "significant_05_holm"]].round(2))
           pairs    dp  significant_05_holm
    sharp      3  0.01                    3
    noisy      3  0.48                    2
    """
    array = _deep(_checked(values))
    if len(array) < 2:
        raise RankassayError(
            "values: expected two users or more, found one: no difference can be tested."
        )
    measures = range(array.shape[2]) if measures is None else inputs.names("measures", measures)
    if len(measures) != array.shape[2]:
        raise RankassayError(
            f"measures: expected {array.shape[2]} names, one each, found {len(measures)}."
        )
    replicates = inputs.whole("replicates", replicates)
    inputs.check_memory("replicates", replicates, 8 * (len(array) + 4 * array.shape[2]))
    confidence = inputs.level("confidence", confidence)
    seed = inputs.whole("seed", seed)
    how = inputs.whole("n_permutations", n_permutations, 1), seed, inputs.flag("add_one", add_one)
    small, exponent = scaled(array)
    result = permuted(small, *how)
    first, second = np.triu_indices(array.shape[1], k=1)
    p, adjusted = (p[:, first, second] for p in (result.p_values, result.adjusted))
    rows = [{} for _ in measures]  # the index identifies the measures
    same = same_values([small])
    table = power_table(small, rows, p, adjusted, same, seed, replicates, confidence).table
    for column in ("required_largest", "required_median"):
        table[column] = np.ldexp(table[column], exponent)
    return table.set_axis([*measures])


def _checked(values: npt.ArrayLike) -> Floats:
    """Return values as an array; raises RankassayError for what cannot be tested."""
    array = of_values("values", values)
    if array.ndim not in (2, 3) or array.shape[1] < 2 or 0 in array.shape:
        raise RankassayError(
            "values: expected users by systems, or users by systems by measures, with two systems "
            f"or more; found the shape {array.shape}."
        )
    inputs.check_memory("the pairs of systems", array.shape[1] ** 2 * _deep(array).shape[2], 6 * 8)
    return _less_shared(array) if inputs.is_whole(values) else array


def _less_shared(array: Floats) -> Floats:
    """Return whole numbers less what a user's share: then none is taken for another one."""
    own = array - np.fmin.reduce(array, axis=1, keepdims=True)
    largest = np.nan_to_num(np.fmax.reduce(own, axis=1))
    if (largest * EQUAL >= 1).any() or (largest.sum(axis=0) * ROUNDED >= 1).any():
        raise RankassayError(
            "values: expected whole numbers of a user less than 2^44 apart, and of all users 2^49, "
            f"found {largest.max():.0f}; give floating-point numbers, whose last digits count as "
            "rounding."
        )
    return own


def _deep(array: Floats) -> Floats:
    """Return values with an axis of measures."""
    return array if array.ndim == 3 else array[:, :, None]
