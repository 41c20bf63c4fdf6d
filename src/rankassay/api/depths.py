"""Where runs end: what is compared goes no deeper than all of them do.

A run is as deep as its longest list: the program that wrote it stopped there, and shorter lists are
of users for whom it had fewer items. Below that place it has no chance of a hit, so a run of 50
items loses at place 100 to the same lists with 100.
"""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from rankassay.api.definitions import ATTRIBUTE
from rankassay.api.evaluate import checked, evaluate
from rankassay.data import inputs
from rankassay.data.listed import Told
from rankassay.data.sources import lasting
from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import Measure, reach

log = logging.getLogger(__name__)

ERRORS = ("MAE", "MSE", "RMSE", "NMAE")  # means over judged items, which no depth changes


def evaluated(
    qrels: Any,
    runs: Mapping[str, Any],
    metrics: Sequence[str],
    profile: str,
    threshold: float | None,
    *,
    depth: int | None = None,
    unequal_depths: bool = False,
    **choices: Any,
) -> tuple[pd.DataFrame, list[str]]:
    """Return the result of `evaluate` by user, and the metrics: at the depth that all runs have."""
    qrels = checked(qrels, threshold)
    choices |= {"profile": profile, "per_user": True}
    runs = {name: lasting(run, f"the run {name}") for name, run in runs.items()}
    found = evaluate(qrels, runs, metrics, depth=depth, **choices)
    counted = found.attrs[ATTRIBUTE]["counted"]
    ends = {name: counted[name]["longest"] for name in runs}
    measures, shared = common(metrics, ends, depth, unequal_depths)
    if (measures, shared) == ([*metrics], depth):
        return found, measures
    return evaluate(qrels, Told(runs), measures, depth=shared, **choices), measures


def common(
    metrics: Sequence[str],
    ends: Mapping[str, int],
    depth: int | None = None,
    unequal_depths: bool = False,
) -> tuple[list[str], int | None]:
    """Return the metrics with which runs can be compared, and the depth to cut their lists at.

    Where a metric reads further than the first run goes and others go on, lists are cut where the
    first one ends, and so are the cut-offs of metrics. A warning says which run ends where. Errors
    of predicted ratings are means over all listed items: next to these, only cut-offs are cut, and
    a metric without one raises RankassayError. `ends` has the length of the longest list by run,
    of a run without any item 0; `depth` is where all lists are cut, short ones too.
    """
    metrics = [*metrics]
    known = {name: min(end, depth or end) for name, end in ends.items() if end}
    first = min(known.values(), default=0)
    parsed = {metric: Measure.parse(metric) for metric in metrics}
    errors = [m for m, own in parsed.items() if own.cutoff is None and own.metric in ERRORS]
    read = reach([m for m in metrics if m not in errors], depth)
    if inputs.flag("unequal_depths", unequal_depths) or not first < min(
        read, max(known.values(), default=0)
    ):
        return metrics, depth
    measures = [*dict.fromkeys(_cut(metric, first) for metric in metrics)]
    whole = [m for m in measures if m not in errors and reach([m], depth) > first]
    if errors and whole:
        raise RankassayError(
            f"metrics: expected {errors[0]}, which is of all listed items, without {whole[0]}, for "
            f"which lists are cut to {first} items, where the first run ends; ask for each by "
            "itself, or give unequal_depths=True (--unequal-depths)."
        )
    log.warning("warning: %s", _note(known, first, [m for m in metrics if m not in measures]))
    return measures, depth if errors else first


def _cut(metric: str, first: int) -> str:
    """Return a metric with a cut-off of `first` at most, written as it was."""
    measure = Measure.parse(metric)
    if measure.cutoff is None or measure.cutoff <= first:
        return metric
    if "@" in metric:
        return re.sub(r"@[^@]*$", f"@{first}", metric)
    return str(replace(measure, cutoff=first))


def _note(known: Mapping[str, int], first: int, gone: Sequence[str]) -> str:
    """Return which run ends where, and what that changes."""
    by_end: dict[int, list[str]] = {}
    for name, end in known.items():
        by_end.setdefault(end, []).append(str(name))
    ends = "; ".join(f"{', '.join(names)} at {end}" for end, names in sorted(by_end.items()))
    deeper = f", and the deeper cut-offs of {', '.join(gone)} became this one" if gone else ""
    places = "place" if first == 1 else f"{first} places"
    return (
        f"the longest lists of the runs end at different places ({ends}). They are compared in the "
        f"first {places}, which all runs have{deeper}; unequal_depths=True "
        "(--unequal-depths) compares them as they are."
    )
