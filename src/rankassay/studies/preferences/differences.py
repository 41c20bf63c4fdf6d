"""Analysis: is a preference more discriminative than a metric, or could that be luck of users?"""

import pandas as pd

from rankassay.statistics.replicated import Replicated
from rankassay.studies.preferences.words import is_metric


def power_differences(power: Replicated) -> pd.DataFrame:
    """Compare DP by every preference with DP by every metric at the same cut-off.

    `power` is what `rankassay.studies.preferences.power.power` returns. Both sums are of the same
    resamples of the users, and over the same number of pairs of systems; others are not compared.

    Returns
    -------
    DataFrame
        Columns cutoff, metric_a (a preference), metric_b (a metric), pairs, dp_a, dp_b, difference
        (of DP, a minus b: below 0, the preference is more discriminative), low and high (the
        interval of the paired differences, not corrected for the number of comparisons: resamples
        are too few for that).
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
    return Replicated.of(table, "difference", differences).with_interval().table
