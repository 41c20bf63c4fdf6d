"""Analysis: is a preference more discriminative than a metric, or could users turn that round?"""

import numpy as np
import pandas as pd

from assayer.statistics.corrections import holm
from assayer.statistics.replicated import Replicated, sign_p
from assayer.studies.preferences.words import is_metric


def power_differences(power: Replicated) -> pd.DataFrame:
    """Compare DP by every preference with DP by every metric at the same cut-off.

    `power` is what `assayer.studies.preferences.power.power` returns. Both sums are of the same
    resamples of the users, and over as many pairs of systems; others are not compared.

    Returns
    -------
    DataFrame
        Columns cutoff, metric_a (a preference), metric_b (a metric), pairs, dp_a, dp_b, difference
        (of DP, a minus b: below 0, the preference is more discriminative), low and high (the
        interval of the paired differences), p_value (see `assayer.statistics.replicated.sign_p`)
        and p_holm (Holm's correction for the comparisons at a cut-off).
    """
    numbers = power.numbers
    rows, differences = [], []
    known = power.table.assign(row=range(len(power.table))).dropna(subset="dp")
    for cutoff, own in known.groupby("cutoff", sort=False):
        of_metric = own["metric"].map(is_metric).astype(bool)
        for a in own[~of_metric].itertuples():
            for b in own[of_metric & (own["pairs"] == a.pairs)].itertuples():
                rows.append((cutoff, a.metric, b.metric, a.pairs, a.dp, b.dp))
                differences.append(numbers[a.row] - numbers[b.row])
    columns = ["cutoff", "metric_a", "metric_b", "pairs", "dp_a", "dp_b"]
    table = pd.DataFrame(rows, columns=columns)
    found = Replicated.of(table, "difference", differences)
    p_value = sign_p(found.table["difference"].to_numpy(np.float64), found.replicates)
    adjusted = np.full(len(table), np.nan)
    for cutoff in table["cutoff"].unique():
        family = (table["cutoff"] == cutoff).to_numpy()
        adjusted[family] = holm(p_value[family])
    return found.with_interval().assign(p_value=p_value, p_holm=adjusted)
