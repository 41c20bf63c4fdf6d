"""Do diversity metrics tell systems apart? p-values of all pairs, and what they add up to.

The parameters are those of `assayer.studies.diversity.systems`.
"""

from collections.abc import Sequence
from typing import Unpack

import numpy as np
import pandas as pd

from assayer.errors import AssayerError
from assayer.statistics.discriminative_power import power_table
from assayer.statistics.identical import same_lists
from assayer.statistics.replicated import Replicated
from assayer.statistics.significance import pairs_table, permutation
from assayer.studies.diversity.systems import Data, Systems


def p_values(
    evaluation: dict,
    seed: int,
    *,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    samples: int,
    equivalence: float | str,
    **data: Unpack[Data],
) -> pd.DataFrame:
    """Test the difference of all pairs of systems by every measure.

    The settings are those of `assayer.studies.diversity.settings.PValues`.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, system_a, system_b, identical (whether the two recommend the same
        lists), difference (of the means, a minus b), p_value, adjusted and effect sizes, as
        `assayer.statistics.significance.p_values` has them; each pair once.
    """
    systems = Systems.of(evaluation, metrics, cutoffs, **data)
    values = systems.values()
    p, adjusted = permutation(values, samples, seed)
    names = np.array([*systems.lists])
    same = same_lists(data["rankings"])
    return pairs_table(values, systems.names, names, same, p, adjusted, equivalence=equivalence)


def discriminative_power(
    evaluation: dict,
    seed: int,
    p_values: pd.DataFrame,
    *,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    replicates: int,
    level: float,
    **data: Unpack[Data],
) -> Replicated:
    """Add up the p-values of every measure, which must be among those of `p_values`.

    The settings are those of `assayer.studies.diversity.settings.DiscriminativePower`.

    Returns
    -------
    Replicated
        Columns metric, cutoff, and those of `assayer.statistics.discriminative_power.power_table`.
    """
    systems = Systems.of(evaluation, metrics, cutoffs, **data)
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
    given = (systems.values(), systems.measures, p, adjusted, same_lists(data["rankings"]))
    return power_table(*given, seed, replicates=replicates, level=level)
