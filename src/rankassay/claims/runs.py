"""Claims over all splits of the same data, with the same settings of the systems.

What one run says rests on one split of the ratings. Of several, the number is the mean over them,
and their scatter is one more source of its error.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from rankassay.claims.conditions import Condition
from rankassay.claims.verdicts import judged
from rankassay.claims.vocabulary import QUESTIONS
from rankassay.statistics.families import FEWEST as FEWEST_FAMILIES
from rankassay.statistics.families import jackknife_error
from rankassay.types import Floats

FEWEST = 40  # resamples that all splits must have for a covariance


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
    their covariance between splits.

    Parameters
    ----------
    claims : DataFrame
        The rows of `rankassay.claims.judge.judge` on several datasets; and by choice the column
        draws, in each row the numbers of resampled users, float64 (n_resamples,). They are of the
        same resamples where splits have the same users.
    variants : mapping
        By name of a dataset that is another one in a different form: of, the dataset whose data it
        is; settings, the name of the dataset or variant whose settings the systems have; and split,
        whether it is split otherwise.

    Returns
    -------
    DataFrame
        The same rows without those of further splits. Where a dataset, or a variant with other
        settings, has these, mean is over all splits, holds is of it, splits is their number,
        error_splits the standard error of the mean, error_users the root of the mean covariance of
        two splits, or without draws of the same users that of their mean variance, which is an
        upper bound, and error_systems that of the mean; the verdicts are by these
        (`rankassay.claims.verdicts.judged`). Exact numbers stay as they are.
    """
    claims = claims.reset_index(drop=True)  # of several tables: a number may be there twice
    runs = {name: Run.of(name, variants) for name in claims["dataset"].unique()}
    settings = claims["dataset"].map({name: run.settings for name, run in runs.items()})
    further = claims["dataset"].map({name: run.split for name, run in runs.items()}).astype(bool)
    found = claims[~further].copy()
    changed = []
    for _, own in claims[claims["measured"].notna() & ~claims["exact"].astype(bool)].groupby(
        [claims["id"], settings], sort=False
    ):
        usual = own.index[~further[own.index]]
        n = len(own)
        if n < 2 or not len(usual):
            continue
        changed.append(usual[0])
        mean = own["measured"].mean()
        found.loc[usual[0], ["mean", "splits"]] = mean, n
        condition = Condition(*own.loc[usual[0], ["predicate", "bound", "margin"]])
        found.loc[usual[0], "holds"] = bool(condition.holds(np.array(mean)))
        found.loc[usual[0], "error_splits"] = own["measured"].std(ddof=1) / np.sqrt(n)
        of_users = np.sqrt((own["error_users"].astype(float) ** 2).mean(skipna=False))
        found.loc[usual[0], "error_users"] = of_users
        found.loc[usual[0], ["error_systems", "families"]] = without_families(own["without"])
        if "draws" in own and own["users"].notna().all() and own["users"].nunique() == 1:
            # NaN where that of some split is not known.
            error = np.minimum(common([*own["draws"]]), of_users)
            found.loc[usual[0], "error_users"] = error
    if changed:
        rows = found.loc[changed].assign(verdict="")
        # Of a table that was read, a question that no row answers is a column of numbers.
        found = found.astype(dict.fromkeys(QUESTIONS, object))
        found.loc[changed] = judged(rows).drop(columns="verdict")
    return found.drop(columns="draws", errors="ignore").reset_index(drop=True)


def without_families(
    without: Sequence[str], weights: Sequence[float] | None = None
) -> tuple[float, int]:
    """Return the error over families of systems of a mean of numbers, and the number of families.

    Parameters
    ----------
    without : sequence of str
        Of each the numbers without each family, by name (JSON), as `rankassay.claims.judge.judge`
        has them. A family counts that all have; with fewer than five of these, the error is NaN.
    weights : sequence of float, or None
        Of the numbers in their mean; all alike if not given.
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

    and 0 where that is negative. It is infinite where fewer than 40 resamples are known of all
    splits.

    Parameters
    ----------
    draws : sequence of float64 (n_resamples,)
        Of each split the numbers of resampled users; the first of all are of the same resample.
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
