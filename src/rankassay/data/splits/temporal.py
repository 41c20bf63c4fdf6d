"""The last part of each user's ratings is tested."""

from rankassay.artifacts.arrays import Ratings
from rankassay.data.splits.parts import Parts, counts_of, last, whole
from rankassay.data.splits.times import times


def temporal_share(ratings: Ratings, test_fraction: float, rounding: str) -> Parts:
    """Test the last t of each user's n ratings, as many as a random split would test."""
    time = times(ratings, "the split temporal_share")
    test = last(ratings, time, whole(test_fraction, counts_of(ratings), rounding))
    return Parts(~test, test)
