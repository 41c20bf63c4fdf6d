"""How likely a pair is to be in the truth, among those that a list can hold; and its weight.

A user's list holds candidates: pairs of the user and an item that do not train. Let users judge a
random part of the items, of which a share a of those that can be observed is set aside as the
truth, the rest is observed, and of that a share r trains. With j the probability that a pair is
judged,

::

    P(in the truth | candidate) = j                             a pair that cannot be observed
    P(in the truth | candidate) = j a / (1 - j (1 - a) r)       one that can

as all judged pairs of the first kind are in the truth, and a pair of the second is a candidate
unless it is judged, not set aside, and trains. A truth in a separate file is the case a = 1: which
ratings train does not depend on who was judged. To weigh by 1 / j alone would count the pairs that
can be observed (what users know, mostly popular items) for too little, by 1 / a about.

What is exact
-------------
Let pairs be judged, set aside and trained on independently of each other (Bernoulli). Given the
training ratings, and so given the lists, each candidate is in the truth with just this probability:
sums of weighted judgements over lists are unbiased, for users who are chosen by what trains, or all
(enumerated in `tests/unit/studies/validity/test_validity_weights.py`).

Lists are made for users with test ratings, and a user judges a fixed number of items: what is in
the truth is no test rating, so that among these users the truth is a little too small. For users
who nearly have no list this can be corrected: let b_u ratings be critical, such that without any
one of them the user had no test rating. Then the weights are multiplied by

::

    1 + f b_u (1 - j) / (J_u - b_u)

with f the mean P(in the truth | judged, candidate) of all candidates, about a where all can be
observed (or 1 where each rating was drawn by itself, as users with more training ratings have fewer
judgements left), and (1 - a) / (a O_u) is added to that of an observable pair of a user with
critical ones, with the user's O_u observed ratings. (Had one more judgement taken the place of a
critical one, the user had no list: the J_u - b_u others represent it, which hold an observable item
a times as often as another.) Users with J_u <= b_u have nothing in the truth whenever they have a
list; no weight makes up for that, and they are excluded.

A user who judges 27 of 300 items and knows 50 has a bias of 1.5 to 3.3% without that, and of 0 to
.7% with it (summed up exactly in the test); one who judges 6 of 150, of which half are set aside,
of 8.6% and .3%; one who judges 94 of 1,000 and knows 110, of .1 to .8%, and of .1%. What is left
is of second order: who has more training ratings by chance has fewer judgements left. It is bias
only as far as a list is better or worse than others' because of such chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from rankassay.errors import RankassayError, number_of
from rankassay.types import Booleans, Floats, Integers

FEW = 3  # items that a message names


@dataclass(frozen=True)
class Division:
    """How the observed ratings of each user were divided into training and test."""

    trains: Floats  # r_u, the share that trains; NaN of users without test ratings
    observed: Integers  # O_u, the observed ratings
    critical: Integers  # b_u, those without any one of which the user had no test rating

    @classmethod
    def of(cls, trained: Integers, tested: Integers, observed: Integers | int = 0) -> Self:
        """Return the division that the users' numbers of ratings show, of int (n_users,) each.

        `observed` are all of their ratings, which are more where a filter or the split leaves some
        out: those do not train, and stay candidates that cannot be in the truth.

        Where users with equally many ratings have equally many for testing, the share is the
        user's, and the ratings of the users with the fewest of those who have a test rating are
        critical. Where each rating was drawn by itself, the share is that of all, and a single
        test rating is critical.
        """
        has = tested > 0
        observed = np.maximum(trained + tested, observed).astype(np.int64)
        numbers = {*zip(observed.tolist(), tested.tolist(), strict=True)}
        if len(numbers) == len({number for number, _ in numbers}):
            share = trained / np.maximum(observed, 1)
            fewest = observed[has].min() if has.any() else 0
            critical = np.where(has & (observed == fewest), fewest, 0)
        else:
            share = np.full(len(trained), trained.sum() / observed.sum())
            critical = (tested == 1).astype(np.int64)
        return cls(np.where(has, share, np.nan), observed, critical)


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
    division: Division,
) -> Floats:
    """Return 1 / P(in the truth | candidate) of each pair of the truth, float64 (n_pairs,).

    ::

        1 / j_u                               a pair that cannot be observed
        (1 - j_u (1 - a) r_u) / (j_u a)       one that can,      j_u = J_u / n_items

    and a little more for users with critical ratings. It holds where the judged items are a random
    part of the catalogue, for any tastes and knowledge of users.

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
        a, the share of the observable judged pairs that is in the truth; 1 for a separate file.
    division : Division
    """
    j = judged[row] / n_items
    can = candidate_share(aside, division.trains[row], j)
    one = np.ones(len(row))
    if aside < 1:  # else the observed ratings are not informative about the truth
        critical = division.critical[row]
        drawn = (critical > 0) & (division.observed[row] > critical)  # each rating by itself
        relative = can if observable is None else np.where(observable, can, one)
        mean = 1.0 if drawn.any() else len(row) / max(relative.sum(), 1)
        one += mean * critical * (1 - j) / np.maximum(judged[row] - critical, 1)
        alone = np.where(critical > 0, (1 - aside) * j / np.maximum(division.observed[row], 1), 0.0)
        can = can * one + alone / aside
    return (can if observable is None else np.where(observable, can, one)) / j


def by_counts(
    row: Integers,
    item: Integers,
    observable: Booleans | None,
    candidates: Integers,
    aside: float,
    division: Division,
) -> Floats:
    """Return the weights where some items are judged more often than others, float64 (n_pairs,).

    j_u is replaced by the share of an item's candidates that is judged, from the pairs in the truth
    alone: of U_i that cannot be observed and K_i that can, among C_i users for whom the item is a
    candidate, it is the j_i that solves

    ::

        j_i C_i = U_i + K_i (1 - j_i (1 - a) r) / a,
        j_i = (U_i + K_i / a) / (C_i + K_i (1 - a) r / a)

    with r the mean of the users' shares. Pairs that train are not counted: they chose the lists. It
    holds where who judges an item depends on the item alone, and an item has many pairs in the
    truth: 1 / j_i is too large by its relative variance, K_i / (a j_i C_i)^2 about. With 18 judged
    pairs an item that is up to 13% of a true value in the worlds of `benchmarks/truth.py`.

    Parameters
    ----------
    row, item : int (n_pairs,)
    observable : bool (n_pairs,) or None
    candidates : int (n_items,)
        C_i, the users with lists for whom each item is a candidate.
    aside, division
        As in `by_design`.
    """
    known = np.ones(len(row), dtype=bool) if observable is None else observable
    n_items = len(candidates)
    can, cannot = (np.bincount(item[of], minlength=n_items) for of in (known, ~known))
    trains = float(np.nanmean(division.trains))
    back = (1 - aside) * trains / aside
    j = (cannot + can / aside) / np.maximum(candidates + can * back, 1)
    weight = np.where(known, candidate_share(aside, trains, j[item]), 1.0)
    return weight / j[item]


def check_listed(items: Integers, in_truth: Integers, ids: Sequence) -> None:
    """Raise RankassayError for listed items that no pair of the truth represents.

    `items` are those of all lists, int (n,), `in_truth` each item's pairs in the truth, and `ids`
    what each is called: where probabilities are counted, theirs is 0, and no weight makes up for
    it.
    """
    none = items[in_truth[items] == 0]
    if not len(none):
        return
    number, share = np.bincount(none), len(none) / len(items)
    most = np.argsort(-number, kind="stable")[:FEW]
    named = ", ".join(f"'{ids[i]}'" for i in most if number[i])
    raise RankassayError(
        "the truth: expected judgements of every listed item, as probabilities are counted by item "
        f"(inclusion: counts), found none of {number_of((number > 0).sum(), 'item')}, on "
        f"{share:.1%} of the lists' places (most often {named}); take inclusion: design, or more "
        "judgements."
    )
