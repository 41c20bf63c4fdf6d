"""Do diversity metrics tell systems apart? p-values of all pairs, and what they add up to."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import scipy.sparse as sp

from assayer.artifacts.arrays import Rankings, Ratings
from assayer.errors import AssayerError
from assayer.statistics.discriminative_power import power_table
from assayer.statistics.replicated import Replicated
from assayer.statistics.significance import pairs_table, permutation
from assayer.studies.diversity.systems import Systems


def p_values(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    aspects: Ratings,
    evaluation: dict,
    seed: int,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    samples: int,
) -> pd.DataFrame:
    """Test the difference of all pairs of systems by every measure.

    Parameters
    ----------
    train, test, rankings, aspects, evaluation, metrics, cutoffs
        As in `assayer.studies.diversity.systems.metric_correlation`.
    seed : int
    samples : int
        Permutations; see `assayer.statistics.permutation.permutation_test`.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, system_a, system_b, difference (of the means, a minus b), p_value,
        adjusted, as `assayer.statistics.significance.p_values` has them; each pair once.
    """
    systems = Systems.of(train, test, rankings, aspects, evaluation, metrics, cutoffs)
    values = systems.values()
    p, adjusted = permutation(values, samples, seed)
    return pairs_table(values, systems.names, np.array([*systems.lists]), p, adjusted)


def discriminative_power(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    aspects: Ratings,
    evaluation: dict,
    p_values: pd.DataFrame,
    seed: int,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    replicates: int = 1000,
    level: float = 0.95,
) -> Replicated:
    """Return the discriminative power of every measure.

    Parameters
    ----------
    train, test, rankings, aspects, evaluation, metrics, cutoffs
        As in `assayer.studies.diversity.systems.metric_correlation`, and as they were for
        `p_values`.
    p_values : DataFrame
        What the function of this name returned.
    seed, replicates, level
        As in `assayer.statistics.discriminative_power.power_table`.

    Returns
    -------
    Replicated
        Columns metric, cutoff, and those of `power_table`.
    """
    systems = Systems.of(train, test, rankings, aspects, evaluation, metrics, cutoffs)
    groups = p_values.groupby(["metric", "cutoff"], sort=False)
    found = {key: own[["p_value", "adjusted"]].to_numpy(float).T for key, own in groups}
    # A measure that was not tested is a mistake in the configuration of one of the two analyses.
    missing = [key for key in systems.names if key not in found]
    if missing:
        raise AssayerError(
            f"expected p-values by {missing[0][0]}@{missing[0][1]}, found none; give p-values and "
            "discriminative-power the same metrics and cut-offs."
        )
    p, adjusted = np.stack([found[key] for key in systems.names], axis=1)
    columns = [{"metric": metric, "cutoff": cutoff} for metric, cutoff in systems.names]
    return power_table(systems.values(), columns, p, adjusted, seed, replicates, level)
