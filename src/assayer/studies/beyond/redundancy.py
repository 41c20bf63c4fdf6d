"""Analysis: do metrics beyond accuracy agree with accuracy metrics in the ranking of systems?"""

from typing import Unpack

from assayer.artifacts.shards import WHOLE, Shard
from assayer.statistics.correlation import agreement
from assayer.statistics.replicated import Replicated
from assayer.studies.beyond.systems import Asked, Systems


def redundancy(
    evaluation: dict, seed: int, *, resamples: int, shard: Shard = WHOLE, **asked: Unpack[Asked]
) -> Replicated:
    """Correlate the rankings of systems under all pairs of metrics at the same cut-off.

    The settings are those of `assayer.studies.beyond.settings.Redundancy`. The best system comes
    first, by the lowest value where lower is better. Of jobs that share the cut-offs, the last one
    has the pairs of metrics of whole lists alone.

    Returns
    -------
    Replicated
        The columns of `assayer.statistics.correlation.metric_correlation`, low, high and
        systems (how many there are).
    """
    own = shard.of(len(asked["cutoffs"]))
    asked["cutoffs"] = asked["cutoffs"][own.start : own.stop]
    found = agreement(Systems.of(evaluation, **asked), seed, resamples)
    if shard.number < shard.count:
        found = found.of_rows(found.table["cutoff"].notna())
    return found
