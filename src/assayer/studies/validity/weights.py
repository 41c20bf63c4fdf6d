"""How likely a pair is to be in the truth, among those that a list can hold; and its weight.

A user's list holds candidates: pairs of the user and an item that do not train. Let users judge a
random part of the items, of which a share a of those that can be observed is set aside as the
truth, the rest is what is observed, and of that a share r trains. With j the probability that a
pair is judged,

::

    P(in the truth | candidate) = j                             a pair that cannot be observed
    P(in the truth | candidate) = j a / (1 - j (1 - a) r)       one that can

as all judged pairs of the first kind are in the truth, and a pair of the second is a candidate
unless it is judged, not set aside, and trains. A truth that is a file of its own is the case a = 1:
whatever trains says nothing of who was judged. To weigh by 1 / j alone would count the pairs that
can be observed (what users know, mostly popular items) for too little, by 1 / a about.

What is exact
-------------
Let pairs be judged, set aside and trained on independently of each other (Bernoulli). Given all
that trains, and so given the lists, each candidate is in the truth with just this probability: sums
of weighed judgements over lists are unbiased, for users who are chosen by what trains, or all
(enumerated in `tests/unit/studies/test_validity_weights.py`). Three things are of second order:

- Lists are made for users with test ratings. A pair that was set aside is no test rating, so that
  among these users a pair that can be observed is a little less often in the truth: by a share of
  1 / K at most, with K such pairs of a user. With each user's own r in place of the mean it is some
  (1 - r) / K; that is why r is the user's.
- A fixed number of judged items a user (j = J_u / n_items) ties a user's pairs to each other: who
  has more training ratings by chance has fewer judgements left, a share of about 1 / J_u. It is
  bias only as far as a list is better or worse than others' because of such chance.
- The same is so of training parts that are a fixed share of a user's ratings.
"""

import numpy as np

from assayer.errors import AssayerError, number_of
from assayer.types import Booleans, Floats, Integers

FEW = 3  # items that a message names


def candidate_share(aside: float, trains: Floats | float, judged: Floats) -> Floats:
    """Return the weight of an observable pair relative to one that is not: (1 - j(1-a)r) / a.

    `aside` is a, `trains` r and `judged` j, of each pair.
    """
    return (1 - judged * (1 - aside) * trains) / aside


def by_design(
    row: Integers,
    observable: Booleans | None,
    judged: Integers,
    n_items: int,
    aside: float,
    trains: Floats,
) -> Floats:
    """Return 1 / P(in the truth | candidate) of each pair of the truth, float64 (n_pairs,).

    ::

        1 / j_u                               a pair that cannot be observed
        (1 - j_u (1 - a) r_u) / (j_u a)       one that can,      j_u = J_u / n_items

    It holds where the judged items are a random part of the catalogue, whatever users like and
    know.

    Parameters
    ----------
    row : int (n_pairs,)
        The user of each pair.
    observable : bool (n_pairs,) or None
        Whether the pair could have been observed (the user knew the item); None where any can.
    judged : int (n_users,)
        J_u, the items of the catalogue that each user judged, in the truth or not.
    n_items : int
        Items of the catalogue.
    aside : float
        a, the share of the observable judged pairs that is in the truth; 1 for a file of its own.
    trains : float64 (n_users,)
        r_u, the share of each user's observed pairs that trains.
    """
    j = judged[row] / n_items
    weight = candidate_share(aside, trains[row], j)
    return (weight if observable is None else np.where(observable, weight, 1.0)) / j


def by_counts(
    row: Integers,
    item: Integers,
    observable: Booleans | None,
    candidates: Integers,
    aside: float,
    trains: Floats,
) -> Floats:
    """Return the weights where some items are judged more often than others, float64 (n_pairs,).

    In place of j_u stands the share of an item's candidates that is judged, from the pairs in the
    truth alone: of U_i that cannot be observed and K_i that can, among C_i users for whom the item
    is a candidate, it is the j_i that solves

    ::

        j_i C_i = U_i + K_i (1 - j_i (1 - a) r) / a,
        j_i = (U_i + K_i / a) / (C_i + K_i (1 - a) r / a)

    with r the mean of the users' shares. Pairs that train are not counted: they chose the lists. It
    holds where who judges an item depends on the item alone.

    Parameters
    ----------
    row, item : int (n_pairs,)
    observable : bool (n_pairs,) or None
    candidates : int (n_items,)
        C_i, the users with lists for whom each item is a candidate.
    aside, trains
        As in `by_design`; `trains` of the users who have lists are not NaN.
    """
    known = np.ones(len(row), dtype=bool) if observable is None else observable
    n_items = len(candidates)
    can, cannot = (np.bincount(item[of], minlength=n_items) for of in (known, ~known))
    back = (1 - aside) * np.nanmean(trains) / aside
    j = (cannot + can / aside) / np.maximum(candidates + can * back, 1)
    weight = np.where(known, candidate_share(aside, np.nanmean(trains), j[item]), 1.0)
    return weight / j[item]


def check_listed(items: Integers, in_truth: Integers) -> None:
    """Raise AssayerError for listed items that no pair of the truth stands for.

    `items` are those of all lists, int (n,), and `in_truth` each item's pairs in the truth: where
    probabilities are counted, theirs is 0, and no weight makes up for it.
    """
    none = items[in_truth[items] == 0]
    if not len(none):
        return
    number, share = np.bincount(none), len(none) / len(items)
    most = np.argsort(-number, kind="stable")[:FEW]
    named = ", ".join(str(i) for i in most if number[i])
    raise AssayerError(
        "the truth: expected judgements of every listed item, as probabilities are counted by item "
        f"(inclusion: counts), found none of {number_of((number > 0).sum(), 'item')}, on "
        f"{share:.1%} of the lists' places (items by their place in the dataset: {named}); take "
        "inclusion: design, or more judgements."
    )
