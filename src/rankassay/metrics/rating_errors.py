"""The errors of predicted ratings.

Schröder, Thiele and Lehner, UCERSTI 2011, section 4.1, after Herlocker et al., TOIS 2004. They are
taken over the judged items in the first n places of the list, or in all of it, with p the predicted
and r the given rating. It is undefined for a user with no such item. Lower is better. These are the
users' errors, to be averaged; an error over all ratings at once weighs users by how much they
rated.
"""

import numpy as np

from rankassay.errors import RankassayError
from rankassay.metrics.judged import Judged
from rankassay.types import Floats, Integers


def mean_absolute_error(judged: Judged, cutoffs: Integers) -> Floats:
    """Mean absolute error: the mean of `|p - r|`, in units of the ratings. Range [0, inf)."""
    return _mean(judged, np.abs(_differences(judged, "MAE")), cutoffs)


def mean_squared_error(judged: Judged, cutoffs: Integers) -> Floats:
    """Mean squared error: the mean of (p - r)^2, in squared units. Range [0, inf)."""
    return _mean(judged, _differences(judged, "MSE") ** 2, cutoffs)


def root_mean_squared_error(judged: Judged, cutoffs: Integers) -> Floats:
    """Root mean squared error: the root of the mean of (p - r)^2. Range [0, inf)."""
    return np.sqrt(_mean(judged, _differences(judged, "RMSE") ** 2, cutoffs))


def normalised_mean_absolute_error(
    judged: Judged, cutoffs: Integers, *, scale: tuple[float, float] | None = None
) -> Floats:
    """Normalised mean absolute error: the mean of `|p - r|` as a share of the rating scale.

    Range [0, inf); at most 1 where predictions keep to the scale.

    Parameters
    ----------
    scale : (float, float) or None
        The lowest and highest rating; None takes those of the judgements.

    References
    ----------
    Goldberg, Roeder, Gupta and Perkins, 2001 (Eigentaste).
    """
    low, high = judged.judgements.scale if scale is None else scale
    if not high > low:
        raise RankassayError(
            f"the metric NMAE needs a scale with two ends, found {low:g} to {high:g}; give "
            "NMAE(scale=(1, 5)) or your scale."
        )
    return _mean(judged, np.abs(_differences(judged, "NMAE")) / (high - low), cutoffs)


def _differences(judged: Judged, metric: str) -> Floats:
    if judged.lists.predictions is None:
        raise RankassayError(
            f"the metric {metric} needs predicted ratings; rankings alone hold none."
        )
    return judged.lists.predictions[judged.items.judgement] - judged.items.rating


def _mean(judged: Judged, errors: Floats, cutoffs: Integers) -> Floats:
    count = judged.items.total(1.0, cutoffs).values()
    means = judged.items.total(errors, cutoffs, count).values()
    return np.where(count > 0, means, np.nan)
