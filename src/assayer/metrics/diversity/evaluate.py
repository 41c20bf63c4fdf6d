"""Diversity metrics by name."""

from collections.abc import Sequence

import numpy as np

from assayer.errors import AssayerError, unknown
from assayer.lookup import load
from assayer.metrics.catalogue import DIVERSITY_METRICS
from assayer.metrics.diversity.lists import AspectLists
from assayer.metrics.evaluate import parameters_of
from assayer.metrics.names import parts, unknown_metric
from assayer.types import Floats


def parse(text: str) -> tuple[str, dict]:
    """Return the metric that a text names, and its parameters, as in alpha_beta_nDCG(beta=0.1).

    Raises AssayerError for an unknown metric or parameter, with the nearest known one.
    """
    found = parts(text)
    if found is None or found[2] or ":" in found[0]:
        raise AssayerError(f"cannot read the metric '{text}'; expected a form like NRBP(beta=0.8).")
    name, arguments, _ = found
    if name not in DIVERSITY_METRICS:
        raise unknown_metric(name, DIVERSITY_METRICS, "diversity metric")
    parameters = parameters_of(text, arguments)
    known = load(DIVERSITY_METRICS[name].function).__kwdefaults__
    for parameter in parameters:
        if parameter not in known:
            raise unknown(f"parameter of {name}", parameter, known)
    return name, parameters


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
