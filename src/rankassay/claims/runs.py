"""Claims over all splits of the same data, with the same settings of the systems.

What one run says rests on one split of the ratings. Of several, the number is the mean over them,
and their scatter is one more source of its error.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from rankassay.claims.verdicts import QUESTIONS, judged

POOLED = ("error_users", "error_systems")  # those of one run: their mean squares over the splits


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

    Parameters
    ----------
    claims : DataFrame
        The rows of `rankassay.claims.judge.judge` on several datasets.
    variants : mapping
        By name of a dataset that is another one in a different form: of, the dataset whose data it
        is; settings, the name of the dataset or variant whose settings the systems have; and split,
        whether it is split otherwise.

    Returns
    -------
    DataFrame
        The same rows without those of further splits. Where a dataset, or a variant with other
        settings, has these, mean is over all splits, splits is their number, error_splits the
        standard error of the mean, and the other errors are root mean squares; the verdicts are by
        these (`rankassay.claims.verdicts.judged`). Exact numbers stay as they are.
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
        found.loc[usual[0], ["mean", "splits"]] = own["measured"].mean(), n
        found.loc[usual[0], "error_splits"] = own["measured"].std(ddof=1) / np.sqrt(n)
        for name in POOLED:
            found.loc[usual[0], name] = np.sqrt((own[name].astype(float) ** 2).mean(skipna=False))
    if changed:
        rows = found.loc[changed].assign(verdict="")
        # Of a table that was read, a question that no row answers is a column of numbers.
        found = found.astype(dict.fromkeys(QUESTIONS, object))
        found.loc[changed] = judged(rows).drop(columns="verdict")
    return found.reset_index(drop=True)
