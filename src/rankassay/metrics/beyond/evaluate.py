"""Metrics beyond accuracy by name."""

from collections.abc import Sequence

import numpy as np

from rankassay.errors import RankassayError
from rankassay.lookup import load
from rankassay.metrics.beyond.lists import Shown, Sums
from rankassay.metrics.catalogue import BEYOND_METRICS
from rankassay.metrics.parameters import named
from rankassay.types import Floats


def parse(text: str) -> tuple[str, dict]:
    """Return the metric that a text names, and its parameters, as in Gini(weights='log').

    Raises RankassayError as `rankassay.metrics.parameters.named` does.
    """
    return named(text, BEYOND_METRICS, "metric beyond accuracy", "EPC")


def computed(lists: Shown, metric: str, cutoffs: Sequence[int]) -> Floats | list[Sums]:
    """Return one metric of the lists: users' values, or sums, one for each cut-off.

    `metric` is written as `parse` reads it, and cut-offs are at least 1. Users' values are float64
    (n_users, n_cutoffs).
    """
    name, parameters = parse(metric)
    if not len(cutoffs) or min(cutoffs) < 1:
        raise RankassayError(f"cut-offs: expected numbers from 1 on, found {[*cutoffs]}.")
    depths = np.array(cutoffs, dtype=np.int64)
    return load(BEYOND_METRICS[name].function)(lists, depths, **parameters)


def means(lists: Shown, metric: str, cutoffs: Sequence[int]) -> Floats:
    """Return one metric of all users at each cut-off, float64 (n_cutoffs,).

    Of a mean over users, those without a value (NaN) do not count.
    """
    found = computed(lists, metric, cutoffs)
    if isinstance(found, list):
        return np.array([each.of_all() for each in found])
    known = ~np.isnan(found)
    count = known.sum(axis=0)
    sums = np.where(known, found, 0.0).sum(axis=0)
    return np.divide(sums, count, out=np.full(len(count), np.nan), where=count > 0)
