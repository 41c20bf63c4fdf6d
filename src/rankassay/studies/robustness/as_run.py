"""Discriminative power as the authors of Valcarce et al., RecSys 2018, computed it for Table 3.

Their companion data (`dvalcarce/evalMetrics` and `dvalcarce/rec_eval` on GitHub) differs from the
paper's text in these points:

- the measures are trec_eval's set_P, recall, map, ndcg, recip_rank, bpref and infAP2 of whole
  lists of 100 items: nDCG's ideal list holds all judged items, not the first 100 (the profile
  as-run);
- both orders of a pair of systems were tested, with separate permutations, and DP is the sum of all
  420 p-values, about twice that over 210 pairs; here that is dp_all, next to dp, which excludes
  pairs of identical systems, as everywhere in this project;
- the p-values are c / B, with exact zeros, and their spread fits B = 10,000.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.statistics.discriminative_power import replicated_power, row_sums
from rankassay.statistics.judged_systems import evaluated_parts
from rankassay.statistics.replicated import Replicated
from rankassay.statistics.significance import placed, same_lists
from rankassay.studies.robustness.as_run_p_values import by_pair


def run(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    p_values: pd.DataFrame,
    seed: int,
    replicates: int,
    identical: pd.DataFrame | None = None,
) -> Replicated:
    """Sum the p-values of the permutation test over ordered pairs of systems.

    ::

        DP = sum_{i != j} p_ij

    with the `p_values` of `rankassay.studies.robustness.as_run_p_values.run`.

    `identical` names pairs of identical systems, of which p is 1 in both orders; None looks for
    them in the lists. The settings are those of `rankassay.studies.robustness.study.AsRun`. The
    metrics of `evaluation` are computed without cut-offs. Each replicate is twice the sum over
    unordered pairs, see `rankassay.statistics.discriminative_power.replicated_power`.

    Returns
    -------
    Replicated
        Columns metric, cutoff (the lists' length), pairs (ordered ones, of different systems),
        identical (ordered pairs of identical systems), dp (the sum over `pairs`, which is
        replicated), dp_all (with the identical ones, as published), and low and high, the interval
        of dp, within 0 and pairs.
    """
    names = evaluation["metrics"]
    own = p_values[p_values["metric"].isin(names)]
    profile, depth = own["profile"].iloc[0], int(own["cutoff"].iloc[0])
    p = by_pair(own, len(rankings))
    same = same_lists(rankings) if identical is None else placed(rankings, identical)
    different = np.where(same, 0.0, p)
    dp, dp_all = (row_sums(x[:, 0]) + row_sums(x[:, 1]) for x in (different, p))
    counts = {"pairs": 2 * int((~same).sum()), "identical": 2 * int(same.sum())}
    columns = {"metric": names, "cutoff": depth, **counts, "dp": dp, "dp_all": dp_all}
    # Part by part, as the values of all metrics take more memory than all else.
    parts = evaluated_parts(test, rankings, evaluation | {"profile": profile}, names, depth)
    by_measure = (x for values in parts for x in np.moveaxis(values, 2, 0))
    drawn = 2 * replicated_power(by_measure, dp / 2, replicates, seed, same=same)
    return Replicated(pd.DataFrame(columns), "dp", drawn.T).with_interval()
