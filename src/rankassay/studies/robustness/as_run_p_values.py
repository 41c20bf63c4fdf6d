"""The p-values of all ordered pairs of systems, as the authors of Valcarce et al. computed them.

See `rankassay.studies.robustness.as_run`, which sums them.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.metrics.catalogue import bare
from rankassay.metrics.evaluate import grid
from rankassay.seeds import derive
from rankassay.statistics.judged_systems import evaluated_parts
from rankassay.statistics.significance import permuted
from rankassay.types import Floats


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
    share their signs, while the authors drew signs for each; the expected p-value is the same.

    The settings are those of `rankassay.studies.robustness.study.AsRunPValues`. The metrics of
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
    names = evaluation["metrics"]
    parts = evaluated_parts(test, rankings, evaluation | {"profile": profile}, names, depth)
    heads = [{"metric": metric, "cutoff": depth} for metric in names]
    return _tested(parts, heads, [*rankings], seed, samples, add_one).assign(profile=profile)


def as_run_cutoffs(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    seed: int,
    metric: str,
    profile: str,
    samples: int,
    add_one: bool,
) -> pd.DataFrame:
    """Test both orders of each pair of systems by one metric at each cut-off, for figure 4.

    The authors' figure 4 shows trec_eval's `ndcg_cut`, whose ideal list ends at the cut-off as the
    list does. The settings are those of `rankassay.studies.robustness.study.AsRunCutoffs`, the
    cut-offs those configured for metrics.

    Returns
    -------
    DataFrame
        As `run` returns it, of the metric's name without parameters at each cut-off.
    """
    cutoffs = evaluation["cutoffs"]
    measures = grid([metric], cutoffs)
    parts = evaluated_parts(test, rankings, evaluation | {"profile": profile}, measures)
    heads = [{"metric": bare(metric), "cutoff": cutoff} for cutoff in cutoffs]
    return _tested(parts, heads, [*rankings], seed, samples, add_one).assign(profile=profile)


def _tested(
    parts: Iterable[Floats],
    heads: Sequence[dict],
    systems: Sequence[str],
    seed: int,
    samples: int,
    add_one: bool,
) -> pd.DataFrame:
    """Return the p-values of all ordered pairs by the measures of parts, with their columns.

    `parts` are float64 (n_users, n_systems, n_measures): part by part, as the values of all
    measures take more memory than all else.
    """
    first, second = np.triu_indices(len(systems), k=1)
    seeds = [derive(seed, "as-run", order) for order in ("i < j", "i > j")]
    p = [
        np.hstack(
            [permuted(values, samples, own, add_one).p_values[:, first, second] for own in seeds]
        )
        for values in parts
    ]
    named = np.array(systems, dtype=object)
    pairs = {
        "system_a": named[np.concatenate([first, second])],
        "system_b": named[np.concatenate([second, first])],
    }
    tables = [
        pd.DataFrame(head | pairs | {"p_value": own})
        for head, own in zip(heads, np.concatenate(p), strict=True)
    ]
    return pd.concat(tables)


def by_pair(p_values: pd.DataFrame, systems: int) -> Floats:
    """Return the p-values of such a table, float64 (n_metrics, 2, n_pairs): pairs i < j, i > j."""
    n_pairs = systems * (systems - 1) // 2
    return p_values["p_value"].to_numpy(np.float64).reshape(-1, 2, n_pairs)
