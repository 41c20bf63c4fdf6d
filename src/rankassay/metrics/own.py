"""The user's own metrics: functions in files outside the package, named as "module:function".

Such a function takes what all metrics take, a `Judged` and cut-offs, and keyword parameters with
defaults; it returns a float64 array (n_users, n_cutoffs). Its module is in the folder of the run,
or wherever Python finds it (`rankassay.lookup.load`).
"""

import functools
import inspect
import typing
from collections.abc import Callable

import numpy as np

from rankassay.errors import RankassayError
from rankassay.lookup import blamed, load, place_of
from rankassay.metrics.judged import Judged
from rankassay.metrics.totals import Total
from rankassay.types import Floats, Integers


def metric(name: str) -> tuple[Callable, dict[str, object]]:
    """Return the function of a name, whose results are checked, and its parameters.

    These are with the kinds of their values; one without annotation may be anything. Raises
    RankassayError, naming the file, for what cannot be loaded or called as a metric is.
    """
    function = load(name)
    try:
        signature = inspect.signature(function)
        signature.bind(None, None)
    except (TypeError, ValueError):
        raise RankassayError(
            f"{place_of(name)}: expected {_attribute(name)} to be a function of (judged, cutoffs) "
            f"and parameters with defaults, found {function!r:.80}."
        ) from None
    named = [p.name for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD][2:]
    try:
        kinds = typing.get_type_hints(function)
    except (NameError, TypeError):
        kinds = {}

    @functools.wraps(function)
    def checked(judged: Judged, cutoffs: Integers, **parameters) -> Total | Floats:
        with blamed(name):
            values = function(judged, cutoffs, **parameters)
        return values if isinstance(values, Total) else _checked(name, values, judged, cutoffs)

    return checked, {key: kinds.get(key, object) for key in named}


def _checked(name: str, values, judged: Judged, cutoffs: Integers) -> Floats:
    """Return the values; raises RankassayError when their type or shape is not that of a metric."""
    expected = (judged.judgements.n_users, len(cutoffs))
    found = getattr(values, "shape", None)
    if found != expected or values.dtype.kind not in "fiub":
        what = f"{values.dtype} of shape {found}" if found is not None else type(values).__name__
        raise RankassayError(
            f"{place_of(name)}: expected {_attribute(name)} to return numbers of shape {expected}, "
            f"one row per user and one column per cut-off, found {what}; correct it."
        )
    values = np.asarray(values, dtype=np.float64)
    if np.isinf(values).any():
        user = judged.judgements.users[np.argwhere(np.isinf(values))[0, 0]]
        raise RankassayError(
            f"{place_of(name)}: expected {_attribute(name)} to return finite numbers, or NaN for a "
            f"user without a value, found an infinite one for the user of row {user} (from 0) of "
            "the judgements; correct it."
        )
    return values


def _attribute(name: str) -> str:
    return name.partition(":")[2]
