"""Target items: the effect on the ranking of systems when they rank fewer items.

Cañamares and Castells, RecSys 2020 ("On target item sampling in offline recommender system
evaluation"); for the protocol see `rankassay.studies.validity.target_folds`.
"""

import numpy as np
import pandas as pd

from rankassay.statistics.paired_tests import t_of_moments
from rankassay.statistics.replicated import Replicated
from rankassay.studies.validity.target_folds import KEYS as TOTALLED
from rankassay.studies.validity.target_folds import SQUARED, USERS
from rankassay.types import Floats

KEYS = ["statistic", "system", "metric", "cutoff", "size", "pairs"]
ALL_PAIRS = "all pairs"  # in place of a system
TESTS = "p-values"


def run(target_folds: Replicated, published: pd.DataFrame, dataset: str) -> Replicated:
    """Evaluate systems on target items of every size, and test which pairs differ significantly.

    Parameters
    ----------
    target_folds : Replicated
        The totals of all folds (`rankassay.studies.validity.target_folds.run`).
    published : pandas.DataFrame
        Columns figure, dataset, published and those of `KEYS`.
    dataset : str
        Its configured name.

    Returns
    -------
    Replicated
        Columns statistic, system, metric, cutoff, size, pairs (of systems, which the number is
        over; 0 for one of a single system), published (empty where nothing was) and value, which
        has replicates: means over resampled users, each with all folds. The statistics are

        - mean: a metric's mean over the users of all folds, 0 for those without relevant test
          items, who count (figures 1 and 3);
        - coverage: the share of the places up to the cut-off that a system fills itself (figure 5);
        - ties, ties at zero: the share of users for whom two systems have equal values, and that
          for whom both have 0; means over all pairs of systems (figure 4);
        - p-values: the sum of the p-values of Student's paired t-tests of all pairs of systems, the
          users of all folds together (figure 4, of 78 systems); it has no replicates;
        - intersection: the mean over users of min(n, cut-off) / n for n targets, which is the share
          that the top of two random lists have in common (figure 4).
    """
    table, folds = target_folds.table.fillna(""), target_folds.table["fold"].nunique()
    keys = table.loc[: len(table) // folds - 1, TOTALLED]
    totals = target_folds.numbers.reshape(folds, len(keys), -1).sum(axis=0)
    users = totals[keys["statistic"] == USERS]
    averaged = ~keys["statistic"].isin([USERS, SQUARED]).to_numpy()
    of_pairs = keys["statistic"].str.startswith("ties")
    pairs = len(keys.query("statistic == @SQUARED").groupby(["system_a", "system_b"]))
    means = keys[averaged].assign(pairs=np.where(of_pairs, pairs, 0)[averaged])
    means["system"] = means["system_a"].mask(of_pairs, ALL_PAIRS)
    tests = _p_values(keys, totals[:, 0], users[0, 0]).assign(pairs=pairs)
    unknown = np.full((len(tests), totals.shape[1]), np.nan)
    unknown[:, 0] = tests["p"]
    found = pd.concat([means, tests], ignore_index=True)[KEYS]
    known = published[published["dataset"] == dataset].fillna({"system": "", "metric": ""})
    known = known.drop_duplicates(KEYS)  # figure 1 repeats figure 3
    found = found.merge(known[[*KEYS, "published"]], how="left", on=KEYS, validate="1:1")
    return Replicated.of(found, "value", [*np.vstack([totals[averaged] / users, unknown])])


def _p_values(keys: pd.DataFrame, total: Floats, n_users: float) -> pd.DataFrame:
    """Return the sums of the p-values of all pairs, by size, metric and cut-off."""
    rows = keys.assign(total=total)
    case = ["size", "metric", "cutoff"]
    sums = rows[rows["statistic"] == "mean"].set_index(["system_a", *case])["total"]
    tests = rows[rows["statistic"] == SQUARED]
    a, b = (
        sums.loc[pd.MultiIndex.from_frame(tests[[name, *case]])].to_numpy()
        for name in ("system_a", "system_b")
    )
    squared = tests["total"].to_numpy()
    mean = np.where(squared > 0, a - b, 0.0) / n_users  # what rounding leaves is no difference
    variance = np.maximum(squared - n_users * mean**2, 0.0) / max(n_users - 1, 1)
    tests = tests.assign(p=t_of_moments(n_users, mean, variance))
    found = tests.groupby(case, sort=False, as_index=False)["p"].sum()
    return found.assign(statistic=TESTS, system=ALL_PAIRS)
