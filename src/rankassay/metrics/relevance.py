"""The lowest relevant rating, where no threshold is given."""

import numpy as np

from rankassay.errors import RankassayError
from rankassay.types import Floats


def usual_threshold(
    rating: Floats, what: str, option: str = "threshold= (--threshold)"
) -> tuple[float, str]:
    """Return the lowest relevant rating that is usual for a scale, and which scale that is.

    The highest of stars is 5, for 1 to 4 can be grades as well as stars; whole numbers up to 4 have
    a 0 or less, as in trec_eval. For all other scales, 1 to 10 say, the threshold has to be given,
    which the message says: `what` the ratings are, and which `option` sets it.

    >>> usual_threshold(np.array([0.0, 1.0]), "the judgements")
    (1.0, 'ratings of 0 and 1')
    >>> usual_threshold(np.array([4.5, 5.0]), "the judgements")
    (4.0, 'ratings of 1 to 5 stars')
    """
    low, high = rating.min(), rating.max()
    whole = bool((rating == np.floor(rating)).all())
    if whole and low >= 0 and high <= 1:
        return 1.0, "ratings of 0 and 1"
    if whole and low <= 0 and high <= 4:
        return 1.0, "whole ratings up to 4 with 0 or less, as in trec_eval"
    if low >= 0.5 and high == 5 and (2 * rating == np.floor(2 * rating)).all():
        return 4.0, "ratings of 1 to 5 stars"  # Valcarce et al., RecSys 2018
    raise RankassayError(
        f"{what}: expected ratings of 0 and 1, whole ones up to 4 with a 0, or 1 to 5 stars, found "
        f"{'whole ones' if whole else 'ones'} from {low:g} to {high:g}; say from which rating on "
        f"an item is relevant, by {option}."
    )
