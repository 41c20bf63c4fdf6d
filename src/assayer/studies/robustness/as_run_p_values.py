"""The p-values of all ordered pairs of systems, as the authors of Valcarce et al. computed them.

See `assayer.studies.robustness.as_run`, which sums them.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import scipy.sparse as sp

from assayer.artifacts.arrays import Rankings
from assayer.seeds import derive
from assayer.statistics.significance import permuted
from assayer.statistics.user_values import evaluated_parts
from assayer.types import Floats


def run(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    seed: int,
    profile: str,
    samples: int,
    add_one: bool,
    cutoff: int | None,
) -> pd.DataFrame:
    """Test both orders of each pair of systems by each metric of whole lists.

    ::

        p_ij = #{b: |sum_u s_bu d_u| >= |sum_u d_u|} / B

    with the signs s of the pairs i < j drawn apart from those of i > j. Within an order all pairs
    share their signs, where the authors drew anew for each; the expected p-value is the same.

    The settings are those of `assayer.studies.robustness.settings.AsRunPValues`. The metrics of
    `evaluation` are computed without cut-offs.

    Returns
    -------
    DataFrame
        Columns metric, cutoff (the lists' length), system_a, system_b, p_value and profile (the
        definitions of the metrics); by metric the pairs i < j, and then the same with the systems
        in the other order.
    """
    depth = min(ranking.depth for ranking in rankings.values())
    depth = min(depth, cutoff or depth)
    given = (test, rankings, evaluation | {"profile": profile}, evaluation["metrics"], depth)
    seeds = [derive(seed, "as-run", order) for order in ("i < j", "i > j")]
    first, second = np.triu_indices(len(rankings), k=1)
    # Part by part, as the values of all metrics take more memory than all else.
    p = np.concatenate(
        [
            np.hstack(
                [
                    permuted(values, samples, own, add_one).p_values[:, first, second]
                    for own in seeds
                ]
            )
            for values in evaluated_parts(*given)
        ]
    )
    systems = np.array([*rankings], dtype=object)
    names = {
        "system_a": systems[np.concatenate([first, second])],
        "system_b": systems[np.concatenate([second, first])],
    }
    return pd.concat(
        pd.DataFrame({"metric": metric, "cutoff": depth, **names, "p_value": own})
        for metric, own in zip(evaluation["metrics"], p, strict=True)
    ).assign(profile=profile)


def by_pair(p_values: pd.DataFrame, systems: int) -> Floats:
    """Return the p-values of such a table, float64 (n_metrics, 2, n_pairs): pairs i < j, i > j."""
    n_pairs = systems * (systems - 1) // 2
    return p_values["p_value"].to_numpy(np.float64).reshape(-1, 2, n_pairs)
