"""The F-measure: the harmonic mean of precision and recall."""

from typing import Literal

from rankassay.metrics.judged import Judged
from rankassay.metrics.parameters import Positive
from rankassay.metrics.precision_recall import precision, recall
from rankassay.metrics.totals import ratio
from rankassay.types import Floats, Integers

Denominator = Literal["cutoff", "listed", "min_relevant"]


def f_measure(
    judged: Judged, cutoffs: Integers, *, beta: Positive = 1.0, denominator: Denominator = "cutoff"
) -> Floats:
    """F-measure: the harmonic mean of precision and recall.

    ::

        F_u@n = (1 + beta^2) P_u@n Recall_u@n / (beta^2 P_u@n + Recall_u@n)

    Range [0, 1]; 0 where both are 0.

    Parameters
    ----------
    beta : float
        How many times as much recall weighs as precision.
    denominator : {"cutoff", "listed", "min_relevant"}
        That of precision; "listed" makes trec_eval's `set_F`.

    References
    ----------
    Schröder, Thiele and Lehner, UCERSTI 2011, section 4.2, after van Rijsbergen, 1979.
    """
    p = precision(judged, cutoffs, denominator=denominator).values()
    r = recall(judged, cutoffs).values()
    return ratio((1 + beta**2) * p * r, beta**2 * p + r)


def f1(judged: Judged, cutoffs: Integers, *, denominator: Denominator = "cutoff") -> Floats:
    """F1: the F-measure with beta = 1, see `f_measure`. Range [0, 1]."""
    return f_measure(judged, cutoffs, denominator=denominator)
