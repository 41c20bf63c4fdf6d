"""The two verdicts on claims: is each reproduced, and is it general?

A claim is a condition on a number that would have come out otherwise with other users, another
split of their ratings, or other systems. Two questions are asked of it:

- reproduced: with the same systems, where users and splits are drawn anew
- general: with systems drawn anew, too, a family at a time

Both are answered by an interval of the number's expectation, in one of `VERDICTS`
(`rankassay.claims.conditions`): it holds, it does not hold, or the data allow both. Of several
splits of the same data, with the same settings of the systems, the number is the mean over them,
and their scatter is one more source of its error.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy.stats

from rankassay.claims.conditions import GENERAL, QUESTIONS, REPRODUCED, Condition
from rankassay.statistics.families import FEWEST_FAMILIES, jackknife_error
from rankassay.statistics.replicated import LEVEL
from rankassay.types import Floats

# The columns of the verdicts: the interval of each question, and its answer.
COLUMNS = ["low", "high", REPRODUCED, "general_low", "general_high", GENERAL]
FEWEST = 40  # resamples that all splits must have for a covariance


def interval(
    value: float, errors: Sequence[tuple[float, float]], bounds: tuple[float, float]
) -> tuple[float, float]:
    """Return the interval of 95% of an expectation whose estimate has independent errors.

    It is value ± t s with s² the sum of their squares, and t the quantile of Student's t with the
    degrees of freedom of Welch and Satterthwaite (Satterthwaite, 1946) ::

        s^4 / sum_i (s_i^4 / df_i)

    `errors` are pairs of a standard error and its degrees of freedom; without one that is known
    (NaN) there is no interval. `bounds` are those of the number, such as -1 and 1 of a correlation.
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
    """Return claims with both verdicts, the columns `COLUMNS`.

    Reproduced is over users (error_users), and over splits where there are several (error_splits);
    general is over systems as well (error_systems), and empty where the numbers without each family
    are not known, as of what is exact. What has no resampled users has no interval, and is
    inconclusive. Where nothing was measured, verdict is a word of `WITHOUT`.
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


@dataclass(frozen=True)
class Run:
    """A dataset or variant: the data that it is of, its settings, and whether its split is another.

    `settings` is the name of the dataset or variant whose settings its systems have.
    """

    data: str
    settings: str
    split: bool

    @classmethod
    def of(cls, name: str, variants: Mapping[str, Mapping]) -> "Run":
        """Return the run of a name; variants have of, settings and split, others are data."""
        own = variants.get(name)
        if own is None:
            return cls(name, name, False)
        return cls(own["of"], own["settings"], own["split"])


def over_splits(claims: pd.DataFrame, variants: Mapping[str, Mapping]) -> pd.DataFrame:
    """Return the claims about each dataset with the verdicts over all of its splits.

    A resample of users has two parts: who they are, which all splits have in common, and which of
    their ratings are tested, which is a part of the scatter of the splits, too. The first alone is
    the users' error of a mean over splits: it is what resamples of the same users have in common,
    their covariance between splits. Without the column draws (numbers of resampled users) of the
    same users it is the root of their mean variance, an upper bound. Exact numbers stay as they
    are.

    `variants` are the datasets that are another one in a different form: of, the dataset whose data
    it is; settings, whose settings the systems have; and split, whether it is split otherwise.
    """
    claims = claims.reset_index(drop=True)  # of several tables: a number may be there twice
    runs = {name: Run.of(name, variants) for name in claims["dataset"].unique()}
    settings = claims["dataset"].map({name: run.settings for name, run in runs.items()})
    further = claims["dataset"].map({name: run.split for name, run in runs.items()}).astype(bool)
    found = claims[~further].copy()
    changed = {}
    for _, own in claims[claims["measured"].notna() & ~claims["exact"].astype(bool)].groupby(
        [claims["id"], settings], sort=False
    ):
        usual = own.index[~further[own.index]]
        if len(own) > 1 and len(usual):
            changed[usual[0]] = _mean_of(own, found.loc[usual[0]])
    if changed:
        numbers = pd.DataFrame.from_dict(changed, orient="index")
        found.loc[numbers.index, [*numbers]] = numbers
        rows = found.loc[numbers.index].assign(verdict="")
        # Of a table that was read, a question that no row answers is a column of numbers.
        found = found.astype(dict.fromkeys(QUESTIONS, object))
        found.loc[numbers.index] = judged(rows).drop(columns="verdict")
    return found.drop(columns="draws", errors="ignore").reset_index(drop=True)


def _mean_of(splits: pd.DataFrame, row: pd.Series) -> dict[str, object]:
    """Return the mean of a claim's number over splits, with its errors, in place of those of a row.

    The error of users is that which splits have in common: NaN where that of some is not known.
    """
    mean, n = splits["measured"].mean(), len(splits)
    error = np.sqrt((splits["error_users"].astype(float) ** 2).mean(skipna=False))
    if "draws" in splits and splits["users"].notna().all() and splits["users"].nunique() == 1:
        error = np.minimum(common([*splits["draws"]]), error)
    of_systems, families = without_families(splits["without"])
    condition = Condition(row["predicate"], row["bound"], row["margin"])
    return {
        "mean": mean,
        "splits": n,
        "holds": bool(condition.holds(np.array(mean))),
        "error_splits": splits["measured"].std(ddof=1) / np.sqrt(n),
        "error_users": error,
        "error_systems": of_systems,
        "families": families,
    }


def without_families(
    without: Sequence[str], weights: Sequence[float] | None = None
) -> tuple[float, int]:
    """Return the error over families of systems of a mean of numbers, and the number of families.

    `without` has of each the numbers without each family, by name (JSON). A family counts that all
    have; with fewer than five of these, the error is NaN. `weights` are those of the mean.
    """
    known = [json.loads(text) for text in without if isinstance(text, str) and text]
    if len(known) < len(without) or not known:
        return np.nan, 0
    names = [name for name in known[0] if all(name in own for own in known)]
    if len(names) < FEWEST_FAMILIES:
        return np.nan, 0
    table = np.array([[own[name] for name in names] for own in known]).reshape(len(known), -1)
    return float(jackknife_error(np.average(table, axis=0, weights=weights))), len(names)


def common(draws: Sequence[Floats]) -> float:
    """Return the error of users that all splits have in common, of a mean over the splits.

    It is the root of the mean covariance of two splits over resamples of the same users ::

        (K var(mean over splits) - mean of the K variances) / (K - 1)

    and 0 where that is negative; infinite where fewer than 40 resamples are known of all splits.
    """
    if any(own is None or np.ndim(own) == 0 for own in draws):
        return np.inf
    n, drawn = len(draws), min(map(len, draws))
    table = np.array([own[:drawn] for own in draws])
    known = table[:, ~np.isnan(table).any(axis=0)]
    if known.shape[1] < FEWEST:
        return np.inf
    of_mean, own = known.mean(axis=0).var(ddof=1), known.var(axis=1, ddof=1).mean()
    return float(np.sqrt(max((n * of_mean - own) / (n - 1), 0.0)))
