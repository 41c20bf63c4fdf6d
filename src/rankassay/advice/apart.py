"""Separating judgements of items that users did not choose from the qrels.

The two sides share no pair:

- `separate`: a pair that is in both leaves the qrels. A pair of a user with J_u judged items is in
  the truth with probability j_u = J_u / n_items, or with the one that is given.
- `set aside`: where that would leave under half of the qrels, these are a part of the judgements.
  Then pairs that could not be observed (the user had not known the item) are the truth, and of the
  others each that does not train is, with probability a; the rest is the qrels. With r_u the share
  of the user's observable judgements that trains, ::

      P(in the truth | does not train) = j                            a pair that cannot be observed
      P(in the truth | does not train) = j (1 - r) a / (1 - j r)      one that can

  These are the weights of `rankassay.studies.validity.weights`, where a share A = (1 - r) a is set
  aside first and r / (1 - A) of the others train; `weights` says how users who would hardly be in
  the qrels are treated. Without flags of what was known the two kinds are mixed up, and there is no
  truth.
"""

import math
from dataclasses import dataclass

import numpy as np

from rankassay.data.entries import SHARES
from rankassay.data.set_aside import set_aside
from rankassay.studies.validity.weights import Division, candidate_share
from rankassay.types import Booleans, Floats, Integers

SHARE = SHARES[True]  # a, what is set aside of the judgements that could be observed
ENOUGH = 0.5  # of the qrels that are left for the judgements to count as a separate file
FEWEST_EXPECTED = -math.log(0.001)  # pairs in common
UNKNOWN_KNOWN = "unknown-known"  # why there is no truth: it is not said what users had known


@dataclass(frozen=True)
class Judged:
    """Judgements by the numbers of their users and items, each pair once."""

    user: Integers
    item: Integers
    rating: Floats
    known: Booleans | None = None  # whether the user had known the item
    inclusion: Floats | None = None  # the probability that the pair was judged

    def taken(self, rows: Integers | Booleans) -> "Judged":
        """Return some of the pairs."""
        parts = (self.known, self.inclusion)
        known, inclusion = (None if own is None else own[rows] for own in parts)
        return Judged(self.user[rows], self.item[rows], self.rating[rows], known, inclusion)

    def key(self, n_items: int) -> Integers:
        """Return a number of each pair, int64 (n_pairs,)."""
        return self.user * n_items + self.item


@dataclass(frozen=True)
class Apart:
    """Which pairs are observed, and which are the truth."""

    stay: Booleans  # bool (n_qrels,): which of the qrels stay there
    join: Judged  # the judgements that join them
    true: Judged  # the pairs that are the truth, by user and item
    weight: Floats  # 1 / P(in the truth | does not train) of each of these
    judged: Integers  # J_u, how many items each user judged
    both: int  # pairs that were in the qrels and among the judgements
    # a, where judgements are set aside; None where these are a separate file
    share: float | None = None
    why: str = ""  # why there is no truth: a key of words


def taken_apart(
    qrels: Judged, judged: Judged, train: Judged | None, n_users: int, n_items: int, seed: int
) -> Apart:
    """Separate the judgements that are the truth from the qrels, of users from 0 to n_users.

    `judged` are of items that these did not choose, whether or not they train; None as `train` is
    that training ratings are not known.
    """
    own, key = qrels.key(n_items), judged.key(n_items)
    trained = np.zeros(0, dtype=np.int64) if train is None else train.key(n_items)
    candidates = judged.taken(~np.isin(key, trained))
    stay = ~np.isin(own, candidates.key(n_items))
    both = int((~stay).sum())
    if stay.sum() >= ENOUGH * len(stay):
        number = np.bincount(judged.user, minlength=n_users)
        true = _sorted(candidates, n_items)
        weight = 1 / (number[true.user] / n_items if true.inclusion is None else true.inclusion)
        return Apart(stay, judged.taken([]), true, weight, number, both)
    if judged.known is None:
        everything = np.ones(len(stay), dtype=bool)
        none, number = judged.taken([]), np.zeros(n_users, dtype=np.int64)
        return Apart(everything, none, none, np.zeros(0), number, both, why=UNKNOWN_KNOWN)
    return _split(qrels, judged, candidates, train, n_users, n_items, seed)


def _split(
    qrels: Judged,
    judged: Judged,
    candidates: Judged,
    train: Judged | None,
    n_users: int,
    n_items: int,
    seed: int,
) -> Apart:
    """Divide judgements, of which the qrels are a part, at random; see `taken_apart`.

    A pair of the qrels is known. One that is not among the judgements counts as judged, unless
    these say their probabilities: then it stays where it is.
    """
    own, key = qrels.key(n_items), candidates.key(n_items)
    both = int(np.isin(own, key).sum())
    more = ~np.isin(own, key) & (candidates.inclusion is None)
    pairs = _sorted(_concatenated(candidates, qrels.taken(more)), n_items)
    in_qrels = np.isin(pairs.key(n_items), own)
    observable = pairs.known | in_qrels
    true = set_aside(observable, SHARE, seed)
    truth = Judged(
        *(pairs.user[true], pairs.item[true], pairs.rating[true], observable[true]),
        None if pairs.inclusion is None else pairs.inclusion[true],
    )
    trained = _trained(judged, train, n_users, n_items)
    number = trained + np.bincount(pairs.user, minlength=n_users)
    tested = np.bincount(pairs.user[observable], minlength=n_users)
    trains, critical = divided(trained, tested)
    told = truth.inclusion
    j = number[truth.user] / n_items if told is None else told
    weight = weights(truth.known, j, trains[truth.user], critical[truth.user] > 0)
    if told is None:
        swapped = (n_items - critical) / np.maximum(number - critical, 1)
        weight = np.where(truth.known, weight, swapped[truth.user])
    stay = ~np.isin(own, truth.key(n_items))
    # Without training ratings, what users knew beyond the qrels may have trained.
    join = pairs.taken(observable & ~true & ~in_qrels & (train is not None))
    return Apart(stay, join, truth, weight, number, both, SHARE)


def divided(trained: Integers, tested: Integers) -> tuple[Floats, Integers]:
    """Return r, the share that trains, and the critical ratings of each user, (n_users,).

    These are the observable ratings without any one of which the user would not be in the qrels:
    the only one that does not train, where each was drawn by itself; all ratings of the users with
    the fewest, where users with equally many have equally many in the qrels.
    """
    division = Division.of(trained, tested)
    observed, has = trained + tested, tested > 0
    shares = division.trains[has]
    if len(shares) and (shares == trained[has] / observed[has]).all():
        fewest, most = observed[has].min(), observed[has].max()
        critical = (tested == 1) & (observed == fewest) & (fewest < most)
        return division.trains, np.where(critical, observed, 0)
    critical = (tested == 1).astype(np.int64)
    # Users are known to have one rating that does not train: if it is the only one, it is no
    # evidence of how often others do not.
    own = has & (tested > 1)
    drawn = trained[has].sum() + tested[own].sum()
    return np.where(has, trained[has].sum() / max(drawn, 1), np.nan), critical


def weights(observable: Booleans, judged: Floats, trains: Floats, alone: Booleans) -> Floats:
    """Return 1 / P(in the truth | does not train) of divided judgements, float64 (n_pairs,).

    ::

        1 / j                          a pair that cannot be observed
        (1 - j r) / (j (1 - r) a)      one that can
        1 / a                          one that can, and that alone brings the user into the qrels

    with j `judged`, r `trains` and a `SHARE`. With the last, sums are unbiased over the users of
    the qrels, who are those with an observable rating that does not train: such a pair stands for
    itself, as no user is seen without it. For `alone` see `divided`.
    """
    first = (1 - trains) * SHARE  # set aside of all that are observable
    relative = candidate_share(first, trains / np.where(first < 1, 1 - first, 1), judged) / judged
    return np.where(observable, np.where(alone, 1 / SHARE, relative), 1 / judged)


def _trained(judged: Judged, train: Judged | None, n_users: int, n_items: int) -> Integers:
    """Return how many training ratings of each user are of the judged pairs, int64 (n_users,).

    They all are where a file of judgements holds none of them, as it then leaves them out: what was
    observed in the qrels is of the judged pairs, and so is what was observed before.
    """
    if train is None:
        return np.zeros(n_users, dtype=np.int64)
    among = np.isin(train.key(n_items), judged.key(n_items))
    counted = train.user[among] if among.any() else train.user
    return np.bincount(counted, minlength=n_users)


def _concatenated(first: Judged, second: Judged) -> Judged:
    """Return the pairs of both; those of the second are unknown and have no inclusion."""
    known = np.concatenate([first.known, np.zeros(len(second.user), dtype=bool)])
    ends = zip(
        (first.user, first.item, first.rating),
        (second.user, second.item, second.rating),
        strict=True,
    )
    return Judged(*(np.concatenate(both) for both in ends), known, first.inclusion)


def _sorted(pairs: Judged, n_items: int) -> Judged:
    return pairs.taken(np.argsort(pairs.key(n_items), kind="stable"))


def seems_taken_out(apart: Apart, expected: float) -> bool:
    """Whether the qrels share no pair with the judgements, though chance would make them.

    With this number of pairs expected, the chance of none is exp(-expected) (Poisson).
    """
    return apart.share is None and apart.both == 0 and expected > FEWEST_EXPECTED
