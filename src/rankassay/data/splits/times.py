"""The times of ratings, for splits that need them: whether there are any, and of one unit."""

import datetime

import numpy as np

from rankassay.artifacts.arrays import Ratings
from rankassay.errors import RankassayError, number_of
from rankassay.types import Integers

# March 1973 in seconds: a later time is one since 1970, and no count from another start.
SINCE_1970 = 10**8
# From then to 2286, seconds grow by less than this; milliseconds are 1000 times as many.
FACTOR = 100
LATEST = 10**11  # the year 5138 in seconds, and 1973 in milliseconds


def times(ratings: Ratings, needed_by: str) -> Integers:
    """Return the ratings' timestamps, int64 (n_ratings,)."""
    time = ratings.timestamp
    if time is None:
        raise RankassayError(
            f"{needed_by} needs timestamps, which the ratings are without; give "
            "columns.timestamp in the dataset's entry, or take another split."
        )
    ordered = np.sort(time)
    if not len(ordered) or ordered[0] == ordered[-1]:
        found = "none"
        if len(ordered):
            found = f"that of {number_of(len(ordered), 'rating')} is {ordered[0]}"
        raise RankassayError(
            f"{needed_by} needs ratings of different times, found one: {found}; take another split."
        )
    none = int(np.searchsorted(ordered, 0, side="right"))
    if 0 < none < len(ordered) and ordered[none] >= SINCE_1970:
        raise RankassayError(
            f"{needed_by} needs the time of every rating, found {none} of {len(ordered)} "
            f"timestamps that are 0 or less (the others are {ordered[none]} to {ordered[-1]}); "
            "leave these ratings out of the file, or take another split."
        )
    ordered = ordered[np.searchsorted(ordered, SINCE_1970) :]
    leaps = np.flatnonzero(ordered[1:] // FACTOR > ordered[:-1])
    if len(leaps):
        place = int(leaps[0])
        raise RankassayError(
            f"{needed_by} needs timestamps of one unit, found {place + 1} from {ordered[0]} to "
            f"{ordered[place]} and {len(ordered) - place - 1} from {ordered[place + 1]} to "
            f"{ordered[-1]}, as of seconds and milliseconds; write all of them in seconds."
        )
    if time.max() > LATEST:
        raise RankassayError(
            f"{needed_by} needs times in seconds since 1970, found {time.max()}, as of "
            "milliseconds or less; write timestamp_format: ms (or us, ns) in the dataset's entry."
        )
    return time


def date(seconds: int) -> str:
    """Return a time with its date, for readers; without one where no calendar has it."""
    try:
        day = datetime.datetime.fromtimestamp(int(seconds), datetime.UTC)
    except (OverflowError, ValueError, OSError):
        return str(seconds)
    return f"{seconds} ({day:%Y-%m-%d %H:%M})"
