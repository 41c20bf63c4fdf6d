"""Coverage: which items the lists of all users show, and which users get a list."""

from functools import partial
from typing import Annotated, Literal

import numpy as np

from rankassay.errors import RankassayError
from rankassay.metrics.beyond.lists import Shown
from rankassay.metrics.beyond.sums import Sums
from rankassay.metrics.parameters import Range
from rankassay.types import Floats, Integers

Of = Literal["catalogue", "trained"]


def coverage(lists: Shown, cutoffs: Integers, *, of: Of = "catalogue") -> list[Sums]:
    """Item coverage: the share of the items that some user is shown.

    ::

        Coverage@n = |union_u {i in L_u^n}| / |I|

    Range [0, 1].

    Parameters
    ----------
    of : {"catalogue", "trained"}
        I: all items of the dataset (RecBole; Elliot, which gives the number and not the share), or
        those with training ratings (Microsoft's recommenders); only these then count as shown.

    References
    ----------
    Ge, Delgado-Battenfeld and Jannach, RecSys 2010, section 3.2, catalogue coverage.
    """
    counted = possible(lists, of)
    return [
        Sums(lists.exposure(np.ones(lists.depth), n), partial(_covered, counted))
        for n in map(int, cutoffs)
    ]


def _covered(counted: Floats, totals: Floats, n_users: Floats) -> Floats:
    """Return the share of the counted items with any exposure; NaN without users."""
    share = ((totals > 0) & counted).sum(axis=1) / counted.sum()
    return np.where(n_users > 0, share, np.nan)


def possible(lists: Shown, of: Of):
    """Return which items count, bool (n_items,); raises RankassayError if none do."""
    popularity = lists.catalogue.popularity
    counted = popularity > 0 if of == "trained" else np.ones(len(popularity), dtype=bool)
    if not counted.any():
        raise RankassayError(
            "of='trained': expected items with training ratings, found none; use of='catalogue'."
        )
    return counted


def user_coverage(
    lists: Shown, cutoffs: Integers, *, least: Annotated[int, Range(1)] = 1
) -> Floats:
    """User coverage: the share of the users who are shown an item.

    ::

        UserCoverage_u@n = 1 if min(|L_u|, n) >= least, else 0

    Range [0, 1].

    Parameters
    ----------
    least : int
        How many items a list must have to count, at least 1.

    References
    ----------
    Herlocker, Konstan, Terveen and Riedl, TOIS 2004, section 4.2; Elliot's UserCoverage, which
    counts users with at least one item.
    """
    return (np.minimum(lists.length[:, None], cutoffs) >= least).astype(np.float64)


def prediction_coverage(lists: Shown, cutoffs: Integers) -> Floats:
    """Prediction coverage: the share of the candidate items that the system can score.

    ::

        PredictionCoverage_u = |{i in C_u: the system has a score of i for u}| / |C_u|

    Range [0, 1], the same at every cut-off; NaN where the candidates are not known, as in lists
    that end, and for a user without candidates.

    References
    ----------
    Herlocker et al., TOIS 2004, section 4.2; Ge et al., RecSys 2010, section 3.1.
    """
    scored = np.full(len(lists.items), np.nan) if lists.scored is None else lists.scored
    return np.repeat(scored[:, None], len(cutoffs), axis=1)
