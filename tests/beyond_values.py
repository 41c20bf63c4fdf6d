"""Metrics beyond accuracy of lists, as tests compare them."""

import numpy as np

from rankassay.metrics.catalogue import BEYOND
from rankassay.metrics.evaluate import computed as of_kind
from rankassay.statistics.set_measures import of_values


def computed(lists, metric, cutoffs):
    """Return one metric at each cut-off: users' values, or sums."""
    return of_kind(metric, BEYOND, lists, np.array(cutoffs))


def means(lists, metric, cutoffs):
    """Return one metric of all users at each cut-off; those without a value do not count."""
    found = computed(lists, metric, cutoffs)
    sums = found if isinstance(found, list) else of_values(found)
    return np.array([each.of_all() for each in sums])
