"""The relevance that ratings, and implicit feedback such as clicks and plays, stand for."""

from typing import TYPE_CHECKING

import numpy as np

from rankassay.errors import RankassayError

if TYPE_CHECKING:
    import scipy.sparse as sp

LIKED = 1.0  # the rating of relevant items, and the threshold


def binary(test: "sp.csr_matrix", threshold: float) -> "sp.csr_matrix":
    """Return test ratings of 1 for counts from the threshold on and of 0 for others.

    Counts say how often, not how good: a song of 500 plays would outweigh all others of a user.
    Those of 0 are kept, as they are judged.
    """
    highest = test.data.max(initial=0)
    relevant = test.data >= np.float32(threshold)
    if not relevant.any():
        raise RankassayError(
            f"no test interaction reaches the threshold {threshold:g}, the highest count is "
            f"{highest:g}: nothing is relevant; lower the threshold of the dataset."
        )
    found = test.copy()
    found.data = np.where(relevant, LIKED, 0).astype(test.dtype)
    return found


def check_reached(test: "sp.csr_matrix", threshold: float | None, dataset: str | None) -> None:
    """Raise RankassayError if no test rating reaches a dataset's threshold; without one, not."""
    if threshold is not None and not (test.data >= test.dtype.type(threshold)).any():
        raise RankassayError(
            f"dataset_catalogue.{dataset}.threshold: no test rating reaches the threshold "
            f"{threshold:g}, the highest is {test.data.max(initial=-np.inf):g}: nothing is "
            "relevant; lower the threshold."
        )
