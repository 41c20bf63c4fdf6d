"""Coverage of aspects: subtopic recall and subtopic reciprocal rank."""

from typing import Literal

import numpy as np

from assayer.errors import AssayerError, one_of
from assayer.kernels import kernel
from assayer.metrics.diversity.lists import AspectLists, Interests
from assayer.metrics.totals import ratio
from assayer.types import Floats, Integers

Of = Literal["catalogue", "judged", "relevant"]


def s_recall(
    lists: AspectLists, cutoffs: Integers, *, aspects: Of = "catalogue", relevant_only: bool = False
) -> Floats:
    """S-Recall: the share of the possible aspects that the list shows.

    ::

        S-Recall@n = |union_{k <= n} A(i_k)| / |A|

    Range [0, 1]; 0 for an empty list and where no aspect is possible.

    Parameters
    ----------
    aspects : {"catalogue", "judged", "relevant"}
        The aspects that are possible, and count: those of all items, of the items that the user
        judged, or of those relevant to the user (as in TREC's ndeval).
    relevant_only : bool
        Whether only relevant items can show an aspect (ndeval); in the papers all can.

    References
    ----------
    Zhai, Cohen and Lafferty, SIGIR 2003; Parapar and Radlinski, RecSys 2021, section 4.2.
    """
    covered, possible = _covered(lists, aspects, relevant_only)
    return ratio(covered[:, np.minimum(cutoffs, covered.shape[1]) - 1], possible[:, None])


def s_rr(
    lists: AspectLists,
    cutoffs: Integers,
    *,
    share: float = 1.0,
    aspects: Of = "catalogue",
    relevant_only: bool = False,
) -> Floats:
    """S-RR: the reciprocal of the place at which the list has shown enough aspects.

    ::

        S-RR@n = 1 / min{k: S-Recall@k >= share}, and 0 if that is beyond n

    Range [0, 1]; 0 where no aspect is possible.

    Parameters
    ----------
    aspects, relevant_only
        As in `s_recall`.
    share : float
        Above 0, at most 1: of the possible aspects; S-RR@100% of the papers is 1.

    References
    ----------
    As `s_recall`. The text of Parapar and Radlinski has the condition the wrong way round (0 unless
    the place is beyond n).
    """
    if not 0 < share <= 1:
        raise AssayerError(f"S_RR's parameter share must be above 0 and at most 1, found {share}.")
    covered, possible = _covered(lists, aspects, relevant_only)
    wanted = np.ceil(possible * share - 1e-9)
    enough = covered >= wanted[:, None]
    first = np.where(enough.any(axis=1) & (possible > 0), enough.argmax(axis=1) + 1, 0)[:, None]
    return np.where(first <= cutoffs, ratio(1.0, first), 0.0)


def _covered(lists: AspectLists, of: Of, relevant_only: bool) -> tuple[Integers, Integers]:
    """Return the number of aspects shown down to each place, and of those that could be shown."""
    one_of("choice of possible aspects", of, ("catalogue", "judged", "relevant"))
    interests = lists.interests
    possible = possible_aspects(interests, of)
    shows = lists.rating >= interests.threshold if relevant_only else lists.listed
    aspects = interests.aspects
    covered = _count(lists.items, shows, aspects.start, aspects.aspect, possible)
    return covered, possible.sum(axis=1)


def possible_aspects(interests: Interests, of: Of):
    """Return the aspects that count for each user, bool (n_users, n_aspects)."""
    n = interests.aspects.n_aspects
    if of == "catalogue":
        return np.ones((interests.n_users, n), dtype=bool)
    counts = interests.rating >= (interests.threshold if of == "relevant" else -np.inf)

    def compute():
        shown = interests.aspects.matrix[interests.item[counts]].tocoo()
        possible = np.zeros((interests.n_users, n), dtype=bool)
        possible[interests.row[counts][shown.row], shown.col] = True
        return possible

    return interests.remember(("possible aspects", of), compute)


@kernel
def _count(items, shows, aspect_start, aspect, possible):
    """Count the possible aspects that are shown down to each place."""
    covered = np.zeros(items.shape, dtype=np.int64)
    for u in range(len(items)):
        missing = possible[u].copy()
        n = 0
        for k in range(items.shape[1]):
            i = items[u, k]
            if i >= 0 and shows[u, k]:
                for q in range(aspect_start[i], aspect_start[i + 1]):  # a slice takes as long
                    n += missing[aspect[q]]
                    missing[aspect[q]] = False
            covered[u, k] = n
    return covered
