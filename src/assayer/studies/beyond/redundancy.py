"""Analysis: do metrics beyond accuracy order the systems as accuracy metrics do?"""

from typing import Unpack

import numpy as np

from assayer.statistics.correlation import between_metrics
from assayer.statistics.draws import Draws
from assayer.statistics.replicated import CORRELATION, Replicated
from assayer.statistics.set_measures import resampled
from assayer.studies.beyond.systems import Asked, Systems, ordered


def redundancy(
    evaluation: dict, seed: int, *, resamples: int, **asked: Unpack[Asked]
) -> Replicated:
    """Correlate the orders of the systems by all pairs of metrics at the same cut-off.

    The settings are those of `assayer.studies.beyond.settings.Redundancy`. The best system comes
    first, by the lowest value where lower is better.

    Returns
    -------
    Replicated
        The columns of `assayer.statistics.correlation.metric_correlation`, low, high and
        systems (how many there are).
    """
    systems = Systems.of(evaluation, **asked)
    draws = Draws.of(systems.n_users, resamples, seed)
    values = [[resampled(measure, draws) for measure in own] for own in systems.by_system()]
    # First the draws, then measures and systems.
    means = ordered(np.array(values).T, systems.names, systems.n_users)
    found = between_metrics(means, systems.names).assign(correlation="tau_b")
    return found.assign(systems=len(asked["rankings"])).bounded(*CORRELATION)
