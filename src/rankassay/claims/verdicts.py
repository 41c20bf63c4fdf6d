"""The two verdicts on a claim: is it reproduced, and is it general?

A claim is a condition on a number that would have come out otherwise with other users, another
split of their ratings, or other systems. Two questions are asked of it:

- reproduced: with the same systems, where users and splits are drawn anew
- general: with systems drawn anew, too, a family at a time

Both are answered by an interval of the number's expectation, in one of `VERDICTS`
(`rankassay.claims.conditions`): it holds, it does not hold, or the data allow both.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import scipy.stats

from rankassay.claims.conditions import Condition
from rankassay.claims.vocabulary import GENERAL, REPRODUCED
from rankassay.statistics.replicated import LEVEL

# The columns of the verdicts: the interval of each question, and its answer.
COLUMNS = ["low", "high", REPRODUCED, "general_low", "general_high", GENERAL]


def interval(
    value: float, errors: Sequence[tuple[float, float]], bounds: tuple[float, float]
) -> tuple[float, float]:
    """Return the interval of 95% of an expectation whose estimate has independent errors.

    It is value ± t s with s² the sum of their squares, and t the quantile of Student's t with the
    degrees of freedom of Welch and Satterthwaite (Satterthwaite, 1946) ::

        s^4 / sum_i (s_i^4 / df_i)

    Parameters
    ----------
    value : float
    errors : sequence of pairs of float
        Each source's standard error and its degrees of freedom. NaN is an error that is not known:
        then there is no interval, and both ends are NaN.
    bounds : pair of float
        Between which the number must lie, such as -1 and 1 of a correlation.
    """
    error, freedom = np.array(errors, dtype=np.float64).reshape(-1, 2).T
    total = float((error**2).sum())
    if not len(error) or np.isnan([value, total]).any():
        return np.nan, np.nan
    if total == 0:
        return value, value
    df = total**2 / float((error**4 / freedom).sum())
    reach = float(scipy.stats.t.ppf((1 + LEVEL) / 2, df)) * total**0.5
    return max(value - reach, bounds[0]), min(value + reach, bounds[1])


def judged(table: pd.DataFrame) -> pd.DataFrame:
    """Return claims with both verdicts.

    Parameters
    ----------
    table : DataFrame
        Columns predicate, bound and margin; mean, the number, over as many splits as `splits` says;
        least and greatest, between which it must lie; exact, whether it depends on no sample;
        error_users, its standard error over resampled users, with `resamples`; error_splits, that
        of the mean over splits; error_systems, that over families of systems, with `families`; and
        verdict, a word of `WITHOUT` where nothing was measured.

    Returns
    -------
    DataFrame
        With `COLUMNS`. Reproduced is over users, and over splits where there are several; general
        is over systems as well, and empty where the numbers without each family are not known, as
        of what is exact. What has no resampled users has no interval, and is inconclusive.
    """
    rows = [_verdicts(row) for row in table.to_dict("records")]
    return table.assign(**pd.DataFrame(rows, table.index, COLUMNS))


def _verdicts(row: dict) -> list:
    if isinstance(row["verdict"], str) and row["verdict"]:
        return [np.nan, np.nan, row["verdict"], np.nan, np.nan, ""]
    condition, mean = Condition(row["predicate"], row["bound"], row["margin"]), row["mean"]
    if row["exact"]:
        return [mean, mean, condition.verdict(mean, mean), np.nan, np.nan, ""]
    bounds = row["least"], row["greatest"]
    errors = [(row["error_users"], max(row["resamples"] - 1, 1))]
    if row["splits"] > 1:
        errors.append((row["error_splits"], row["splits"] - 1))
    within = interval(mean, errors, bounds)
    found = [*within, condition.verdict(*within)]
    if np.isnan(row["error_systems"]):
        return [*found, np.nan, np.nan, ""]
    errors.append((row["error_systems"], row["families"] - 1))
    beyond = interval(mean, errors, bounds)
    return [*found, *beyond, condition.verdict(*beyond)]
