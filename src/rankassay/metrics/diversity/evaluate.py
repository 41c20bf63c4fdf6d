"""Diversity metrics by name."""

from collections.abc import Sequence

import numpy as np

from rankassay.lookup import load
from rankassay.metrics.catalogue import DIVERSITY_METRICS
from rankassay.metrics.diversity.lists import AspectLists
from rankassay.metrics.parameters import named
from rankassay.types import Floats


def parse(text: str) -> tuple[str, dict]:
    """Return the metric that a text names, and its parameters, as in alpha_beta_nDCG(beta=0.1).

    Raises RankassayError as `rankassay.metrics.parameters.named` does.
    """
    return named(text, DIVERSITY_METRICS, "diversity metric", "NRBP(beta=0.8)")


def diversity_values(lists: AspectLists, metrics: Sequence[str], cutoffs: Sequence[int]) -> Floats:
    """Return every metric at every cut-off, float64 (n_users, n_metrics, n_cutoffs).

    Metrics are written as `parse` reads them, and cut-offs are at least 1.
    """
    depths = np.array(cutoffs, dtype=np.int64)
    values = np.empty((lists.interests.n_users, len(metrics), len(depths)))
    for column, text in enumerate(metrics):
        name, parameters = parse(text)
        values[:, column] = load(DIVERSITY_METRICS[name].function)(lists, depths, **parameters)
    return values
