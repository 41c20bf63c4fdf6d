"""The last ratings of each user are tested."""

from rankassay.artifacts.arrays import Ratings
from rankassay.data.splits.parts import Parts, at_most, counts_of, last
from rankassay.data.splits.times import times


def leave_last(ratings: Ratings, n: int) -> Parts:
    """Test the last n ratings of each user; one with n or fewer keeps the first for training."""
    time = times(ratings, "the split leave_last")
    test = last(ratings, time, at_most(n, counts_of(ratings)))
    return Parts(~test, test)
