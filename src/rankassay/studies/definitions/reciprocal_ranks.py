"""The mean reciprocal rank that a blog post calls wrong, compared with the usual one.

"Evaluation metrics for recommender systems", a blog post of 2017, section 5.3: the formula of MRR
over queries was taken for one over the relevant items of a single user, "and the resulting quantity
would then need to be averaged again over all the users".
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.evaluate import grid
from rankassay.metrics.judged import Judged
from rankassay.metrics.totals import Total
from rankassay.statistics.judged_systems import evaluated
from rankassay.studies.definitions.discrepancies import changes_of_order
from rankassay.types import Integers

OF_ALL = f"{__name__}:of_all_relevant"


def of_all_relevant(judged: Judged, cutoffs: Integers) -> Total:
    """Mean of one over the place of each relevant item, 0 for one that is not in the list.

    ::

        (1 / |R_u|) sum_{k <= n} rel(L_u[k]) / k

    The post does not give the divisor of the sum; the formula of MRR divides by the number of
    summands. Range [0, 1]; 0 for a user without relevant items.
    """
    return judged.hits.total(1 / judged.hits.rank, cutoffs, judged.n_relevant)


def run(test: sp.csr_matrix, rankings: Mapping[str, Rankings], evaluation: dict) -> pd.DataFrame:
    """Evaluate the systems by both means of reciprocal ranks, at the cut-offs of the metrics.

    Returns
    -------
    DataFrame
        A row for each cut-off and system, with first (MRR: of the first relevant item), all (of all
        relevant items), place_first and place_all (1 is the best), tau (Kendall's tau-b of the two
        orders of the systems) and reordered (pairs of systems that are reversed).
    """
    cutoffs = evaluation["cutoffs"]
    _, values = evaluated(test, rankings, evaluation, grid(["RR", OF_ALL], cutoffs))
    means = aggregate(values, evaluation["aggregate"]).T.reshape(2, len(cutoffs), len(rankings))
    first, every = np.round(means, 12)  # values that are equal to 12 decimals tie
    tau, reordered = changes_of_order(every, first)
    tables = [
        pd.DataFrame({"cutoff": cutoff, "system": [*rankings], "first": first[c], "all": every[c]})
        .assign(
            place_first=lambda own: _places(own["first"]),
            place_all=lambda own: _places(own["all"]),
        )
        .assign(tau=tau[c], reordered=reordered[c])
        for c, cutoff in enumerate(cutoffs)
    ]
    return pd.concat(tables, ignore_index=True)


def _places(means: pd.Series) -> pd.Series:
    """Return the places of the systems, the highest mean first; systems that tie share theirs."""
    return means.rank(method="min", ascending=False).astype("Int64")
