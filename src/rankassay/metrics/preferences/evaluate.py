"""Preferences between lists by name."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from rankassay.errors import LONGEST, RankassayError, one_of, unknown
from rankassay.metrics.judgements import WHOLE_LIST, Judgements, Lists
from rankassay.metrics.names import parts
from rankassay.metrics.parameters import parameters_of
from rankassay.metrics.preferences.lexicographic import lexiprecision, lexirecall
from rankassay.metrics.preferences.places import Places
from rankassay.metrics.preferences.rpp import recall_paired_preference
from rankassay.types import Booleans, Floats

Graded = Literal[False, True]
PREFERENCES: dict[str, Callable[..., Floats]] = {
    "RPP": recall_paired_preference,
    "lexirecall": lexirecall,
    "lexiprecision": lexiprecision,
}
GRADED = "graded"


def parse(text: str) -> tuple[str, dict]:
    """Return the preference that a text names, and its parameters, as in RPP(weights='log').

    Raises RankassayError for an unknown preference, parameter or choice, with the nearest known
    one.
    """
    found = parts(text)
    if found is None or found[2] or ":" in found[0]:
        raise RankassayError(
            f"cannot read the preference '{text[:LONGEST]}'; expected a form like RPP."
        )
    name, arguments, _ = found
    own = {known.lower(): known for known in PREFERENCES}.get(name.lower())
    if own is None:
        raise unknown("preference", name, PREFERENCES)
    given = parameters_of(text, arguments)
    known = inspect.get_annotations(PREFERENCES[own], eval_str=True)
    choices = {key: get_args(known[key]) for key in PREFERENCES[own].__kwdefaults__ or {}}
    choices |= {GRADED: get_args(Graded)} if own == "RPP" else {}
    for parameter, value in given.items():
        if parameter not in choices:
            raise unknown(f"parameter of {own}", parameter, choices)
        if choices[parameter] != get_args(Graded):
            one_of(f"{parameter} of {own}", str(value), choices[parameter])
        elif not isinstance(value, bool):
            raise RankassayError(f"{parameter} of {own}: expected True or False, found {value!r}.")
    return own, given


def named(text: str) -> str:
    """Return a preference by its own name, with its parameters."""
    name, given = parse(text)
    arguments = ", ".join(f"{key}={value!r}" for key, value in sorted(given.items()))
    return f"{name}({arguments})" if arguments else name


def preferences(
    judgements: Judgements,
    systems: Sequence[Lists],
    kind: str,
    depth: int = WHOLE_LIST,
    keep: Booleans | None = None,
    places: Places | None = None,
) -> Floats:
    """Return by how much each user's list of one system is better than that of another one.

    Parameters
    ----------
    judgements, systems, depth, keep
        As `rankassay.metrics.preferences.places.Places.of` takes them.
    places : Places or None
        What it makes of them, where that is known already.
    kind : str
        As `parse` reads it. RPP(graded=True) is a mean over grades: for each rating g that the user
        gave to relevant items there is an RPP of the items rated at least g, which has their number
        as its weight (Diaz and Ferraro, SIGIR 2022, on graded relevance). Their tool is meant to do
        the same, but keeps the items of the first grade for all others.

    Returns
    -------
    float64 (n_users, n_pairs)
        Of the pairs i < j of systems, in the order of `Places.pairs`: above 0 where the first one
        is better, NaN for users without relevant items.
    """
    name, given = parse(kind)
    of = PREFERENCES[name]
    relevant = judgements.rating >= judgements.threshold
    relevant = relevant if keep is None else relevant & keep
    if not given.pop(GRADED, False) or not relevant.any():
        return of(places or Places.of(judgements, systems, depth, keep), **given)
    n_users = judgements.n_users
    whole, sums = np.zeros((n_users, 1)), np.zeros((n_users, 1))
    for grade in np.unique(judgements.rating[relevant]):
        at_least = replace(judgements, threshold=float(grade))
        graded = Places.of(at_least, systems, depth, keep)
        own = np.bincount(judgements.row[relevant & (judgements.rating == grade)], None, n_users)
        n = np.where(own > 0, np.diff(graded.start), 0)[:, None]
        whole, sums = whole + n, sums + n * np.nan_to_num(of(graded, **given))
    return np.divide(sums, whole, out=np.full(np.shape(sums), np.nan), where=whole > 0)
