"""The definitions that results were made with: what others need to reproduce them."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from rankassay import __version__
from rankassay.data.frames import Qrels, Tied
from rankassay.data.listed import ONE
from rankassay.metrics.evaluate import Measure, drops_without_relevant, resolve
from rankassay.types import Integers

ATTRIBUTE = "definitions"  # of the `attrs` of frames and series


def definitions(
    metrics: Sequence[str], profile: str, without_relevant: str | None, **choices: Any
) -> dict[str, Any]:
    """Return the definitions as plain values, with all values of profiles and defaults.

    The keys are rankassay, the version; profile; metrics, which has by each name the metric, its
    cut-off (None is the whole list) and all its parameters; without_relevant; and `choices`. One
    of these is counted: by the name of each run, what `counted` returns, if it was.
    """
    dropped = drops_without_relevant(profile, without_relevant)
    return {
        "rankassay": __version__,
        "profile": profile,
        "metrics": {name: _defined(name, profile) for name in metrics},
        "without_relevant": "nan" if dropped else "value",
    } | choices


def defined(
    table: pd.DataFrame,
    qrels: Qrels,
    metrics: Sequence[str],
    profile: str,
    without_relevant: str | None,
    **choices: Any,
) -> pd.DataFrame:
    """Return a table with its definitions, where who was counted does not belong to them."""
    own = {"threshold": qrels.judgements.threshold, "scale": qrels.scale, "counted": {}} | choices
    table.attrs[ATTRIBUTE] = definitions(metrics, profile, without_relevant, **own)
    return table


def counted(
    names: Sequence[str],
    n_users: int,
    without_list: int,
    n_values: Integers,
    tied: Tied | None,
    **more: int | None,
) -> dict[str, Any]:
    """Return the numbers of users, values and ties of one run, as plain values.

    The keys are users, how many were counted; without_list, how many of them have none; values, by
    metric how many have a value; tied_users, tied_items, listed and ordered_by (score or rank) of
    `tied`, which are None for the pipeline's lists; and `more`, some of without_relevant, how many
    users have no relevant item; longest, the length of the longest list; and places, the first ones
    of which ties are counted, None for all.
    """
    values = dict(zip(names, map(int, n_values), strict=True))
    ties = {
        "tied_users": tied and tied.users,
        "tied_items": tied and tied.items,
        "listed": tied and tied.listed,
        "ordered_by": tied and tied.by,
    }
    return {"users": n_users, "without_list": without_list, "values": values} | ties | more


def merged(by_run: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the definitions of several runs, which differ in counts, as those of one result."""
    first = next(iter(by_run.values()))
    return first | {"counted": {name: each["counted"][ONE] for name, each in by_run.items()}}


def _defined(name: str, profile: str) -> dict[str, Any]:
    """Return the definition of a metric's name under a profile."""
    measure = Measure.parse(name)
    _, given = resolve(measure.metric, measure.parameters, profile)
    return {"metric": measure.metric, "cutoff": measure.cutoff} | given
