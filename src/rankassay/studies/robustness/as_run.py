"""Table 3 and figures 4, 5 and 8 as the authors of Valcarce et al., RecSys 2018, computed them.

Their companion data (`dvalcarce/evalMetrics` and `dvalcarce/rec_eval` on GitHub) differs from the
paper's text in these points:

- the measures are trec_eval's set_P, recall, map, ndcg, recip_rank, bpref and infAP2 of whole
  lists of 100 items: nDCG's ideal list holds all judged items, not the first 100, as equation (4)
  has it (the profile as-run);
- both orders of a pair of systems were tested, with separate permutations, and DP is the sum of all
  420 p-values, about twice that over 210 pairs; here that is dp_all, next to dp, which excludes
  pairs of identical systems, as everywhere in this project;
- the p-values are c / B, with exact zeros, and their spread fits B = 10,000.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.metrics.catalogue import bare
from rankassay.metrics.evaluate import grid
from rankassay.seeds import derive
from rankassay.statistics.correlation import between_metrics
from rankassay.statistics.discriminative_power import replicated_power, row_sums
from rankassay.statistics.draws import Draws
from rankassay.statistics.identical import placed, same_lists
from rankassay.statistics.judged_systems import evaluated_parts, means_of_values
from rankassay.statistics.replicated import Replicated
from rankassay.statistics.significance import permuted
from rankassay.types import Floats

PROFILE = "as-run"
DECIMALS = 4  # of the means that trec_eval prints
# Of figure 4: trec_eval's ndcg_cut, whose ideal list ends at the cut-off as the list does.
METRIC = "nDCG(truncate_ideal=True)"


def as_run_p_values(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    seed: int,
    samples: int,
) -> pd.DataFrame:
    """Test both orders of each pair of systems by each metric of whole lists.

    ::

        p_ij = #{b: |sum_u s_bu d_u| >= |sum_u d_u|} / B

    with the signs s of the pairs i < j drawn apart from those of i > j. Within an order all pairs
    share their signs, while the authors drew signs for each; the expected p-value is the same.

    Returns
    -------
    DataFrame
        Columns metric, cutoff (the lists' length), system_a, system_b, p_value and profile (the
        definitions of the metrics); by metric the pairs i < j, and then the same with the systems
        in the other order.
    """
    names, depth = evaluation["metrics"], _depth(rankings)
    parts = _evaluated(test, rankings, evaluation, names, depth)
    heads = [{"metric": metric, "cutoff": depth} for metric in names]
    return _tested(parts, heads, [*rankings], seed, samples)


def as_run_cutoffs(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    seed: int,
    samples: int,
) -> pd.DataFrame:
    """Test both orders of each pair of systems by nDCG at each configured cut-off, for figure 4.

    Returns
    -------
    DataFrame
        As `as_run_p_values` returns it, of nDCG at each cut-off, where its ideal list ends, too.
    """
    cutoffs = evaluation["cutoffs"]
    parts = _evaluated(test, rankings, evaluation, grid([METRIC], cutoffs))
    heads = [{"metric": bare(METRIC), "cutoff": cutoff} for cutoff in cutoffs]
    return _tested(parts, heads, [*rankings], seed, samples)


def as_run(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    p_values: pd.DataFrame,
    seed: int,
    replicates: int,
    identical: pd.DataFrame | None = None,
) -> Replicated:
    """Sum the p-values of `as_run_p_values` over ordered pairs of systems.

    ::

        DP = sum_{i != j} p_ij

    `identical` names pairs of identical systems, of which p is 1 in both orders; None looks for
    them in the lists. Each replicate is twice the sum over unordered pairs, see
    `rankassay.statistics.discriminative_power.replicated_power`.

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
    depth = int(own["cutoff"].iloc[0])
    p = by_pair(own, len(rankings))
    same = same_lists(rankings) if identical is None else placed(rankings, identical)
    different = np.where(same, 0.0, p)
    dp, dp_all = (row_sums(x[:, 0]) + row_sums(x[:, 1]) for x in (different, p))
    counts = {"pairs": 2 * int((~same).sum()), "identical": 2 * int(same.sum())}
    columns = {"metric": names, "cutoff": depth, **counts, "dp": dp, "dp_all": dp_all}
    parts = _evaluated(test, rankings, evaluation, names, depth)
    by_measure = (x for values in parts for x in np.moveaxis(values, 2, 0))
    drawn = 2 * replicated_power(by_measure, dp / 2, replicates, seed, same=same)
    return Replicated(pd.DataFrame(columns), "dp", drawn.T).with_interval()


def as_run_correlation(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    seed: int,
    resamples: int,
) -> Replicated:
    """Correlate the rankings of systems by rounded means of whole lists, for figure 5.

    Returns
    -------
    Replicated
        As of `rankassay.statistics.correlation.metric_correlation`, with the lists' length as the
        cut-off, and profile (the definitions of the metrics).
    """
    names, depth = evaluation["metrics"], _depth(rankings)
    parts = _evaluated(test, rankings, evaluation, names, depth)
    draws = Draws.of(np.count_nonzero(np.diff(test.indptr)), resamples, seed)
    how = (evaluation["aggregate"], DECIMALS)
    means = np.concatenate([means_of_values(values, draws, *how) for values in parts], axis=1)
    found = between_metrics(means, [(name, depth) for name in names])
    return found.assign(correlation="tau_b", profile=PROFILE)


def by_pair(p_values: pd.DataFrame, systems: int) -> Floats:
    """Return the p-values of such a table, float64 (n_metrics, 2, n_pairs): pairs i < j, i > j."""
    n_pairs = systems * (systems - 1) // 2
    return p_values["p_value"].to_numpy(np.float64).reshape(-1, 2, n_pairs)


def _depth(rankings: Mapping[str, Rankings]) -> int:
    """Return the length of the shortest list, where all end."""
    return min(ranking.depth for ranking in rankings.values())


def _evaluated(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    measures: Sequence[str],
    depth: int | None = None,
) -> Iterator[Floats]:
    """Yield users' values by the authors' definitions, (n_users, n_systems, n_measures).

    Part by part, as the values of all measures take more memory than all else.
    """
    own = evaluation | {"profile": PROFILE}
    yield from evaluated_parts(test, rankings, own, measures, depth)


def _tested(
    parts: Iterable[Floats],
    heads: Sequence[dict],
    systems: Sequence[str],
    seed: int,
    samples: int,
) -> pd.DataFrame:
    """Return the p-values of all ordered pairs by the measures of parts, with their columns."""
    first, second = np.triu_indices(len(systems), k=1)
    seeds = [derive(seed, "as-run", order) for order in ("i < j", "i > j")]
    p = [
        np.hstack(
            [permuted(values, samples, own, False).p_values[:, first, second] for own in seeds]
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
    return pd.concat(tables).assign(profile=PROFILE)
