"""Analyses and their settings, with changes: a default stands in their classes alone."""

from rankassay.jobs.analyse import function_of
from rankassay.studies import ANALYSES


def settings_of(name, **changes):
    """Return all settings of an analysis as its function takes them, as in diversity/sparsity."""
    return ANALYSES[name].settings(**changes).model_dump()


def analysis(name):
    """Return what an analysis does, as in preferences/orders, of what it reads and its settings."""
    return function_of(ANALYSES[name])[0]
