"""What the columns of a table without names are, where its numbers say it.

A table of three columns has a rank or a score in the third; one of four is TREC qrels (user, iter,
item, rating) or a log of ratings (user, item, rating, timestamp). Read as the other, every list
would stand upside down, or the times be relevances.
"""

import numpy as np
import pandas as pd

from rankassay.errors import RankassayError, number_of
from rankassay.types import Floats

TIMES = 1e8  # from March 1973 on, in seconds since 1970; no rating is so large
NO_ITERATION = {"0", "Q0"}
NAMED = "name the columns in a first line"


def is_ranked(what: object, user: pd.Series, number: Floats) -> bool:
    """Whether the third column of a run counts the places of each user's list.

    That is where all lists hold the numbers 1 to n (or 0 to n - 1), in the order of the file.
    Raises RankassayError where they do in an order that is neither that of ranks nor that of
    scores, and where other whole numbers only rise, as the ranks do of lists from which lines were
    taken.
    """
    if number.dtype == object:  # decimals, too many for places
        return False
    codes = pd.factorize(user)[0]
    listed = number[np.argsort(codes, kind="stable")]
    rising = number[np.lexsort((number, codes))]
    length = np.bincount(codes)
    start = np.repeat(np.cumsum(length) - length, length)
    place, first = np.arange(len(codes)) - start, rising[start]
    if length.max(initial=0) < 2:
        return False
    ordered = (listed == rising).all()
    if not np.isin(first, (0, 1)).all() or (rising != first + place).any():
        steps = np.diff(rising)[place[1:] > 0]
        whole = (rising >= 0).all() and (rising == np.floor(rising)).all()
        if ordered and whole and (steps > 0).all():
            raise _in_doubt(what, "whole numbers that rise in the list of each user")
        return False
    if ordered:
        return True
    if (listed == first + np.repeat(length, length) - 1 - place).all():
        return False
    raise _in_doubt(what, "the numbers 1 to n of each user in no order")


def _in_doubt(what: object, found: str) -> RankassayError:
    return RankassayError(
        f"{what}: expected a score in the third column, found {found}, which may be ranks; "
        f"{NAMED}: user, item and rank, or user, item and score."
    )


def is_a_log(what: object, table: pd.DataFrame) -> bool:
    """Whether four columns, named as in TREC qrels, are user, item, rating and timestamp.

    Raises RankassayError where they may be, and nothing settles it.

    Parameters
    ----------
    what : object
        The file, for the message.
    table : frame
        Columns user, iter, item and rating, the last as float64.
    """
    iterations = {*map(str, table["iter"].unique())}
    if iterations <= NO_ITERATION:
        return False
    timed = table["rating"].to_numpy() >= TIMES
    many = len(iterations) > 2 and (
        not table.duplicated(["user", "iter"]).any() or len(iterations) > table["item"].nunique()
    )
    if not (many or timed.any()):
        return False
    if timed.all() and pd.to_numeric(table["item"], errors="coerce").notna().all():
        return True
    found = f"{number_of(len(iterations), 'value')} of iter, as of items"
    if timed.any():
        found = f"the rating {table['rating'].max():.0f}, as a time is"
    raise RankassayError(
        f"{what}: expected TREC qrels (user iter item rating), found {found}; if these are other "
        f"columns, {NAMED}, such as 'user item rating timestamp', else write 0 as iter."
    )


def check_ratings(what: object, rating: Floats) -> None:
    """Raise RankassayError for ratings in a third column that are so large that they are times."""
    if len(rating) and (timed := rating >= TIMES).any():
        raise RankassayError(
            f"{what}: expected ratings in the third column, found {rating[timed][0]:.0f}, as a "
            f"time is; {NAMED}: user, item and rating."
        )
