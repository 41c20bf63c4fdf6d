"""Metrics beyond accuracy by name."""

import functools
import typing
from collections.abc import Sequence

import numpy as np

from assayer.errors import AssayerError, unknown
from assayer.lookup import load
from assayer.metrics.beyond.lists import Shown
from assayer.metrics.beyond.sums import Sums
from assayer.metrics.catalogue import BEYOND_METRICS
from assayer.metrics.evaluate import check_kind, parameters_of
from assayer.metrics.names import parts, unknown_metric
from assayer.types import Floats


def parse(text: str) -> tuple[str, dict]:
    """Return the metric that a text names, and its parameters, as in Gini(weights='log').

    Raises AssayerError for an unknown metric or parameter, with the nearest known one, and for a
    value that is not of the kind that the parameter's annotation says.
    """
    found = parts(text)
    if found is None or found[2] or ":" in found[0]:
        raise AssayerError(f"cannot read the metric '{text}'; expected a form like EPC.")
    name, arguments, _ = found
    if name not in BEYOND_METRICS:
        raise unknown_metric(name, BEYOND_METRICS, "metric beyond accuracy")
    parameters = parameters_of(text, arguments)
    kinds = _kinds(name)
    for parameter, value in parameters.items():
        if parameter not in kinds:
            raise unknown(f"parameter of {name}", parameter, kinds)
        check_kind(f"{name}'s parameter {parameter}", value, kinds[parameter])
    return name, parameters


@functools.cache
def _kinds(name: str) -> dict[str, object]:
    """Return the kinds of a metric's parameters."""
    function = load(BEYOND_METRICS[name].function)
    kinds = typing.get_type_hints(function)
    return {key: kinds[key] for key in function.__kwdefaults__ or {}}


def computed(lists: Shown, metric: str, cutoffs: Sequence[int]) -> Floats | list[Sums]:
    """Return what one metric makes of the lists: users' values, or sums, one for each cut-off.

    `metric` is written as `parse` reads it, and cut-offs are at least 1. Users' values are float64
    (n_users, n_cutoffs).
    """
    name, parameters = parse(metric)
    if not len(cutoffs) or min(cutoffs) < 1:
        raise AssayerError(f"cut-offs: expected numbers from 1 on, found {[*cutoffs]}.")
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
