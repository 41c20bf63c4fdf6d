"""By which definitions results were made: what others need to make them again."""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from assayer import __version__
from assayer.metrics.evaluate import Measure, drops_without_relevant, resolve

ATTRIBUTE = "definitions"  # of the `attrs` of frames and series


def definitions(
    metrics: Sequence[str], profile: str, without_relevant: str | None, **choices: Any
) -> dict[str, Any]:
    """Return the definitions as plain values, with all that profiles and defaults leave unsaid.

    The keys are assayer, the version; profile; metrics, which has by each name the metric, its
    cut-off (None is the whole list) and all its parameters; without_relevant; and `choices`.
    """
    dropped = drops_without_relevant(profile, without_relevant)
    return {
        "assayer": __version__,
        "profile": profile,
        "metrics": {name: _defined(name, profile) for name in metrics},
        "without_relevant": "nan" if dropped else "value",
    } | choices


def merged(by_run: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the definitions of several runs as those of one result.

    Runs that were read from files have another rule of ties than others, unless one was given: the
    rules then stand by the names of the runs.
    """
    first = next(iter(by_run.values()))
    ties = {name: each["ties"] for name, each in by_run.items()}
    return first if len({*ties.values()}) == 1 else first | {"ties": ties}


def _defined(name: str, profile: str) -> dict[str, Any]:
    """Return what a metric's name stands for under a profile."""
    measure = Measure.parse(name)
    function, given = resolve(measure.metric, measure.parameters, profile)
    stated = inspect.signature(function).parameters.values()
    defaults = {p.name: p.default for p in stated if p.default is not p.empty}
    return {"metric": measure.metric, "cutoff": measure.cutoff} | defaults | given
