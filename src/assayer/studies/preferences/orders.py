"""Analysis: do preferences order the systems as metrics do?"""

from typing import Unpack

from assayer.statistics.correlation import between_metrics
from assayer.statistics.draws import Draws
from assayer.statistics.replicated import Replicated
from assayer.studies.preferences.systems import Asked, Compared


def orders(evaluation: dict, seed: int, *, resamples: int, **asked: Unpack[Asked]) -> Replicated:
    """Correlate the orders of the systems by all pairs of preferences and metrics at a cut-off.

    The settings are those of `assayer.studies.preferences.settings.Orders`.

    Returns
    -------
    Replicated
        The columns of `assayer.statistics.correlation.metric_correlation`, low, high and
        systems (how many there are).
    """
    systems = Compared.of(evaluation, **asked)
    draws = Draws.of(systems.judgements.n_users, resamples, seed)
    found = between_metrics(systems.means(draws=draws), systems.names)
    found = found.assign(correlation="tau_b", systems=len(asked["rankings"]))
    return found.with_interval()
