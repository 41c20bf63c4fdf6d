"""From which rating on an item is relevant where nobody says so."""

import numpy as np
import pytest

from rankassay.errors import RankassayError
from rankassay.metrics.relevance import usual_threshold


@pytest.mark.parametrize(
    ("levels", "threshold"),
    [
        ([0, 1], 1),
        ([1], 1),  # likes
        ([0], 1),
        ([0, 1, 2], 1),
        ([0, 4], 1),
        ([-1, 0, 1], 1),
        ([-2, 2, 4], 1),
        ([1, 2, 3, 4, 5], 4),
        ([0.5, 4.5, 5], 4),
        ([5], 4),
    ],
)
def test_the_usual_threshold_follows_the_scale(levels, threshold):
    assert usual_threshold(np.array(levels, dtype=float), "")[0] == threshold


@pytest.mark.parametrize(
    "levels",
    [
        *([1, 2], [4], [1, 2, 3, 4], [2.5]),  # grades, or stars without the best
        *([0, 5], [0, 0.5, 4], [1, 4.9, 5], [1, 10], [-5, 5], [-10, 3.2], [0.1, 0.9], [1, 300]),
    ],
)
def test_other_ratings_need_one(levels):
    with pytest.raises(
        RankassayError, match=r"the test: .*, found .*, by threshold= \(--threshold"
    ):
        usual_threshold(np.array(levels, dtype=float), "the test")
