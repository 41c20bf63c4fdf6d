"""Analysis: do metrics beyond accuracy agree with accuracy metrics in the ranking of systems?"""

from typing import Unpack

from rankassay.artifacts.shards import WHOLE, Shard
from rankassay.statistics.correlation import agreement
from rankassay.statistics.replicated import Replicated
from rankassay.studies.beyond.systems import Asked, Systems


def redundancy(
    evaluation: dict, seed: int, *, resamples: int, shard: Shard = WHOLE, **asked: Unpack[Asked]
) -> Replicated:
    """Correlate the rankings of systems under all pairs of metrics at the same cut-off.

    The settings are those of `rankassay.studies.beyond.study.Redundancy`. The best system comes
    first, by the lowest value where lower is better. Of jobs that share the cut-offs, the last one
    has the pairs of metrics of whole lists alone.

    Returns
    -------
    Replicated
        The columns of `rankassay.statistics.correlation.metric_correlation`, low, high and
        systems (how many there are).
    """
    own = shard.of(len(asked["cutoffs"]))
    asked["cutoffs"] = asked["cutoffs"][own.start : own.stop]
    found = agreement(Systems.of(evaluation, **asked), seed, resamples)
    if shard.number < shard.count:
        found = found.of_rows(found.table["cutoff"].notna())
    return found
