"""Analysis: the values of the systems by every metric, with intervals over resampled users."""

from typing import Unpack

import numpy as np
import pandas as pd

from rankassay.metrics.catalogue import entry
from rankassay.statistics.draws import Draws
from rankassay.statistics.replicated import Replicated
from rankassay.statistics.set_measures import resampled
from rankassay.studies.beyond.systems import Asked, Systems


def values(evaluation: dict, seed: int, *, resamples: int, **asked: Unpack[Asked]) -> Replicated:
    """Measure the systems.

    The settings are those of `rankassay.studies.beyond.study.Values`; for the inputs see
    `rankassay.studies.beyond.systems.Asked`.

    Returns
    -------
    Replicated
        Columns metric, cutoff, system, value (which is replicated, NaN where there is none), low
        and high (its interval of 95 %).
    """
    systems = Systems.of(evaluation, **asked)
    draws = Draws.of(systems.n_users, resamples, seed)
    found = [[resampled(measure, draws) for measure in own] for own in systems.by_system()]
    rows = [
        {"metric": metric, "cutoff": cutoff, "system": system}
        for metric, cutoff in systems.names
        for system in systems.lists
    ]
    numbers = np.moveaxis(np.array(found), 0, 1).reshape(len(rows), -1)
    least, most = np.array([entry(row["metric"]).bounds for row in rows]).reshape(-1, 2).T
    found = Replicated.of(pd.DataFrame(rows), "value", [*numbers])
    return found.with_interval(bounds=(least, most))
