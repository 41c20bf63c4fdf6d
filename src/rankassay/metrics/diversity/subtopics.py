"""Coverage of aspects: subtopic recall and subtopic reciprocal rank."""

from typing import Annotated, Literal

import numpy as np

from rankassay.metrics.diversity.lists import AspectLists, Interests
from rankassay.metrics.parameters import Range
from rankassay.metrics.totals import ratio
from rankassay.types import Floats, Integers

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
    first, possible = _first_shown(lists, aspects, relevant_only)
    # Those beyond the end of the lists are not shown, at any cut-off.
    ends = np.minimum(cutoffs, lists.items.shape[1])
    return ratio(np.stack([(first < end).sum(axis=1) for end in ends], axis=1), possible[:, None])


def s_rr(
    lists: AspectLists,
    cutoffs: Integers,
    *,
    share: Annotated[float, Range(0, 1, above=True)] = 1.0,
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
    first, possible = _first_shown(lists, aspects, relevant_only)
    wanted = np.ceil(possible * share - 1e-9)
    depth = lists.items.shape[1]
    # The place at which the last of the wanted ones is shown; behind all, one that never is.
    places = np.pad(np.sort(first, axis=1), ((0, 0), (0, 1)), constant_values=depth)
    last = np.maximum(wanted.astype(np.int64) - 1, 0)[:, None]
    place = np.take_along_axis(places, last, axis=1) + 1
    shown = (place <= np.minimum(cutoffs, depth)) & (possible[:, None] > 0)
    return np.where(shown, 1 / place, 0.0)


def _first_shown(lists: AspectLists, of: Of, relevant_only: bool) -> tuple[Integers, Integers]:
    """Return where each aspect is shown first, and the number of those that could be shown.

    The former is `AspectLists.first_shown`, with a place beyond the list for others.
    """
    interests, first = lists.interests, lists.first_shown
    possible = possible_aspects(interests, of)
    if relevant_only:
        relevant = np.append(interests.rating >= interests.threshold, False)  # -1: not judged
        first = lists.first_among(np.where(relevant[lists.judgement], lists.items, -1))
    return np.where(possible, first, lists.items.shape[1]), possible.sum(axis=1)


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
