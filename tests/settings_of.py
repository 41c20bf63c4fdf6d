"""The settings of analyses, with changes: a default stands in their classes alone."""

from assayer.studies import ANALYSES


def settings_of(name, **changes):
    """Return all settings of an analysis as its function takes them, as in diversity/sparsity."""
    return ANALYSES[name].model(**changes).model_dump()
