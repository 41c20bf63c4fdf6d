"""Analysis: do condensed lists, infAP and bpref agree with usual lists in the ranking?"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.metrics.evaluate import grid
from rankassay.metrics.judgements import Lists
from rankassay.metrics.unjudged import condensed
from rankassay.statistics.correlation import between_metrics
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import TestSet, names_of
from rankassay.statistics.replicated import Replicated
from rankassay.studies.unjudged.systems import lists_of
from rankassay.studies.unjudged.words import condensed_name


def orders(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    seed: int,
    *,
    metrics: Sequence[str],
    without_unjudged: Sequence[str],
    cutoffs: Sequence[int],
    resamples: int,
) -> Replicated:
    """Correlate the rankings of systems under all pairs of metrics at the same cut-off.

    The settings are those of `rankassay.studies.unjudged.study.Orders`. Metrics of condensed
    lists have "condensed" before their name.

    Returns
    -------
    Replicated
        The columns of `rankassay.statistics.correlation.metric_correlation`, low, high and
        systems (how many there are).
    """
    judgements, lists = lists_of(test, rankings, evaluation["threshold"])
    draws = Draws.of(judgements.n_users, resamples, seed)
    sides: list[tuple[Sequence[str], Iterable[Lists], Callable[[str], str]]] = [
        ([*metrics, *without_unjudged], lists.values(), str),
        (metrics, (condensed(judgements, own) for own in lists.values()), condensed_name),
    ]
    means, names = [], []
    for wanted, own, name in sides:
        measures = grid(wanted, cutoffs)
        spec = evaluation | {"measures": measures, "aggregate": "mean"}
        # No name is given to the judged lists of one side: they go before the next ones are made.
        means.append(TestSet.of_lists(judgements, test.indices, own, spec).means(draws=draws))
        names += [(name(metric), cutoff) for metric, cutoff in names_of(measures)]
    found = between_metrics(np.concatenate(means, axis=1), names)
    found = found.assign(correlation="tau_b", systems=len(lists))
    return found.with_interval()
