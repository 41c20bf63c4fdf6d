"""What readers call measures and kinds of simulated worlds, from the names that advice has."""

from assayer.metrics.catalogue import label
from assayer.studies.validity.words_kinds import kind_name as kind
from assayer.studies.validity.words_kinds import measure_name

__all__ = ["kind", "measure"]


def measure(name: str) -> str:
    """Return what readers call a measure, in few words.

    >>> measure("P(denominator='judged')@50"), measure("AP@10"), measure("Rprec")
    ('judged-only P@50', 'MAP@10', 'R-precision')
    """
    metric, at, cutoff = name.rpartition("@")
    return measure_name(metric, int(cutoff)) if at and cutoff.isdigit() else label(name)
