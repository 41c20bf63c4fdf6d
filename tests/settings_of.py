"""Analyses and their settings, with changes: a default stands in their classes alone."""

from rankassay.jobs.analyse import function_of
from rankassay.studies import ANALYSES, STUDIES


def settings_of(name, **changes):
    """Return all settings of an analysis as its function takes them, as in diversity/sparsity."""
    entry, study = ANALYSES[name], STUDIES[name.partition("/")[0]]
    of_study = {key: value for key, value in changes.items() if key in entry.common}
    own = {key: value for key, value in changes.items() if key not in entry.common}
    shared = study.model(**of_study).model_dump()
    return entry.model(**own).model_dump() | {key: shared[key] for key in entry.common}


def analysis(name):
    """Return what an analysis does, as in preferences/orders, of what it reads and its settings."""
    return function_of(ANALYSES[name])[0]
