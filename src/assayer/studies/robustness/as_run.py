"""Discriminative power as the authors of Valcarce et al., RecSys 2018, computed it for Table 3.

Their companion data (`dvalcarce/evalMetrics` and `dvalcarce/rec_eval` on GitHub) differs from the
paper's text in these points:

- the measures are trec_eval's set_P, recall, map, ndcg, recip_rank, bpref and infAP2 of whole
  lists of 100 items: nDCG's ideal list holds all judged items, not the first 100 (the profile
  as-run);
- both orders of a pair of systems were tested, with permutations of their own, and DP is the sum
  of all 420 p-values, about twice that over 210 pairs;
- the p-values are c / B, with exact zeros, and their spread fits B = 10,000.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import scipy.sparse as sp

from assayer.artifacts.arrays import Rankings
from assayer.seeds import derive
from assayer.statistics.discriminative_power import replicated_power, row_sums
from assayer.statistics.replicated import Replicated
from assayer.statistics.significance import permuted
from assayer.statistics.user_values import evaluated_parts


def run(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    seed: int,
    profile: str,
    samples: int,
    add_one: bool,
    cutoff: int | None,
    replicates: int,
) -> Replicated:
    """Sum the p-values of the permutation test over ordered pairs of systems.

    ::

        DP = sum_{i != j} p_ij,   p_ij = #{b: |sum_u s_bu d_u| >= |sum_u d_u|} / B

    with the signs s of the pairs i < j drawn apart from those of i > j. Within an order all pairs
    share their signs, where the authors drew anew for each; the expected DP is the same.

    The settings are those of `assayer.studies.robustness.settings.AsRun`. The metrics of
    `evaluation` are computed without cut-offs. Each replicate is twice the sum over unordered
    pairs, see `assayer.statistics.discriminative_power.replicated_power`.

    Returns
    -------
    Replicated
        Columns metric, cutoff (the lists' length), pairs (ordered ones), dp (which is replicated),
        and low and high, its interval, within 0 and pairs.
    """
    depth = min(ranking.depth for ranking in rankings.values())
    depth = min(depth, cutoff or depth)
    names = evaluation["metrics"]
    parts = partial(
        *(evaluated_parts, test, rankings, evaluation | {"profile": profile}, names, depth)
    )
    seeds = [derive(seed, "as-run", order) for order in ("i < j", "i > j")]
    # Part by part, as the values of all metrics take more memory than all else; and twice, as they
    # are sooner made again than the permutations.
    p = [[permuted(values, samples, own, add_one).p_values for own in seeds] for values in parts()]
    first, second = np.triu_indices(len(rankings), k=1)
    dp = sum(
        row_sums(np.concatenate(of_order)[:, first, second]) for of_order in zip(*p, strict=True)
    )
    columns = {"metric": names, "cutoff": depth, "pairs": 2 * len(first), "dp": dp}
    by_measure = (x for values in parts() for x in np.moveaxis(values, 2, 0))
    drawn = 2 * replicated_power(by_measure, dp / 2, replicates, seed)
    found = Replicated(pd.DataFrame(columns), "dp", drawn.T)
    return replace(found, table=found.with_interval(bounds=(0.0, columns["pairs"])))
