"""Yardsticks: the true utility of lists, estimated from judgements of random items.

The estimand of a yardstick is the mean, over the users who have lists (those with test ratings) and
who judged random items, of the utility of a user's list of all candidates: the ranked items that
the user did not rate in training, known to the user or not. With the gain g_ui of the item at place
r and lists that end before place k filled with gains of 0,

::

    P       (1/k) sum_{r <= k} g_ui                   g = 1 for a liked item, else 0
    DCG     sum_{r <= k} g_ui / log2(r + 1)           the same
    rating  low + (1/k) sum_{r <= k} g_ui             g = the rating less low, the scale's lowest

Under `liked` every candidate counts; under `new` the gain of an item that the user knew before is 0
(and what a user had not known can be liked, too: the judgement came later). All are linear in the
judgements, and so have unbiased estimates from a sample of them. RR, AP, nDCG's ideal or Recall's
denominator are not: on 9% of the judgements they are other quantities than on all.

Estimators, of the judged pairs of the sample that the lists hold, with w = 1 / P(in the truth |
candidate) of `rankassay.studies.validity.weights` and the discount c of the place:

- `HT` (Horvitz and Thompson, JASA 47, 1952): the mean over users of sum w c g. Unbiased where the
  weights are right, for any tastes and knowledge of users.
- `Hajek`: the same sum, of all users, divided by sum w c, times the users' mean sum of c over the
  places that are filled. A ratio: biased by the order of 1 / (judged pairs listed), of less
  variance where g varies little, and undefined where no judged pair is listed.
- `DR`, doubly robust (Dudík, Langford and Li, ICML 2011): the mean of sum c m_ui over all places,
  plus sum w c (g - m). m is the weighted mean gain of the item among the users of other folds,
  shrunk to that of all items: a user's judgements do not enter the user's own model, so that it is
  unbiased for any model, if the weights are right; and if they are wrong, as far as the model is
  right. Of its two halves only the weights come from the design.
- `plain`: w = 1, unjudged items are not liked. It is P(in the truth | candidate) times the utility
  where that is the same for all pairs; else it is biased against lists of pairs that train often.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings, Truth
from rankassay.data.truth import shared
from rankassay.errors import RankassayError, one_of
from rankassay.metrics.judgements import as_exact
from rankassay.seeds import generator
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import means_of_values
from rankassay.statistics.orders import settled
from rankassay.studies.validity import weights
from rankassay.studies.validity.names import AS_PUBLISHED, COMPLETE, LIKED, NEW
from rankassay.types import Booleans, Floats, Integers, Integers32, Texts

UTILITIES = ("P", "DCG", "rating")
ESTIMATORS = ("HT", "Hajek", "DR", "plain")
FOLDS = 5  # of the users, for DR
PRIOR = 5.0  # judgements' worth of the mean of all items, to which DR's model shrinks an item's


class Yardstick(NamedTuple):
    """The estimand of a truth; an own truth follows the metric's cut-off and has none."""

    yardstick: str  # liked, new, or own: each metric by itself
    utility: str  # P, DCG or rating; that of own is "metric"
    yardstick_cutoff: int | None
    estimator: str  # of `ESTIMATORS`, "as published", or "complete"


@dataclass(frozen=True)
class Sample:
    """The judgements that are the truth of lists, and the weight of each."""

    users: Integers  # over whom yardsticks are averaged, by their place in the dataset, increasing
    row: Integers  # (n_pairs,), the user of each pair, by the place in `users`
    item: Integers  # (n_pairs,)
    rating: Floats  # (n_pairs,)
    known: Booleans | None  # (n_pairs,), whether the user knew the item before
    weight: Floats  # (n_pairs,), 1 / P(in the truth | candidate)
    threshold: float  # ratings from here on are liked
    low: float  # the lowest rating of the scale

    def gain(self, yardstick: str, utility: str) -> Floats:
        """Return the gain of each pair at any place, float64 (n_pairs,)."""
        one_of("yardstick", yardstick, (LIKED, NEW))
        one_of("utility", utility, UTILITIES)
        gain = self.rating - self.low if utility == "rating" else self.rating >= self.threshold
        if yardstick == NEW:
            if self.known is None:
                raise RankassayError(
                    "the yardstick new: expected flags of what users knew before, found none; "
                    "leave it out, or name the flags' column as truth.known."
                )
            gain = np.where(self.known, 0.0, gain)
        return np.asarray(gain, dtype=np.float64)


def sample(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    truth: Truth,
    threshold: float,
    inclusion: str = "design",
) -> Sample:
    """Return the judgements of candidates, weighted.

    A pair of the training set is no candidate. Users without test ratings have no lists, and of
    those who judged nothing, or so little that all of it is observed where they have test ratings,
    there is no truth. With `inclusion` the weights are "design", those of
    the truth's design (or its own probabilities, where the source said them), or "counts", those of
    the items' pairs in the truth.

    Raises RankassayError if no candidate was judged.
    """
    one_of("choice of inclusion", inclusion, ("design", "counts"))
    matrix, n_items = truth.matrix, truth.matrix.shape[1]
    tested, aside = np.diff(test.indptr), float(truth.aside)
    # What was judged, is an item of the catalogue, and not set aside, was observed.
    observed = truth.judged - np.diff(matrix.indptr)
    division = weights.Division.of(np.diff(train.indptr), tested, observed)
    least = division.critical if aside < 1 else 0
    users = np.flatnonzero((tested > 0) & (truth.judged > least))
    user = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    keep = np.isin(user, users) & ~shared(matrix, train)
    if not keep.any():
        raise RankassayError(
            "the truth: expected judgements of items that a user with test ratings did not rate in "
            f"training, found none among {matrix.nnz}; give others, or leave the study out."
        )
    user, item = user[keep], matrix.indices[keep].astype(np.int64)
    known = None if truth.flags is None else truth.flags[keep]
    if inclusion == "counts":
        out = np.bincount(train[users].indices, minlength=n_items)
        weight = weights.by_counts(user, item, known, len(users) - out, aside, division)
    elif len(truth.inclusion):
        weight = 1 / truth.inclusion[keep]
    else:
        weight = weights.by_design(user, known, truth.judged, n_items, aside, division)
    row = np.searchsorted(users, user)
    rating = matrix.data[keep].astype(np.float64)
    threshold = as_exact(threshold, matrix.dtype)
    return Sample(users, row, item, rating, known, weight, threshold, float(truth.low))


def as_published(
    train: sp.csr_matrix, test: sp.csr_matrix, truth: Truth, threshold: float
) -> Sample:
    """Return all judged pairs that do not train, unweighted: the truth of the SIGIR 2018 paper.

    It holds the observed test ratings as well, so that these are a part of it (of a pair in both,
    the truth's judgement counts); an unjudged item is not liked. Users are those of `sample`. See
    Cañamares and Castells, SIGIR 2018, section 6.
    """
    own = sample(train, test, truth, threshold)
    users = np.repeat(np.arange(test.shape[0]), np.diff(test.indptr))
    keep = np.isin(users, own.users) & ~shared(test, truth.matrix)
    row = np.concatenate([own.row, np.searchsorted(own.users, users[keep])])
    item = np.concatenate([own.item, test.indices[keep]])
    rating = np.concatenate([own.rating, test.data[keep].astype(np.float64)])
    known = None if own.known is None else np.append(own.known, np.ones(keep.sum(), dtype=bool))
    return Sample(own.users, row, item, rating, known, np.ones(len(row)), own.threshold, own.low)


def is_complete(own: Sample, train: sp.csr_matrix) -> bool:
    """Whether a sample holds every candidate of its users."""
    candidates = train.shape[1] - np.diff(train.indptr)[own.users]
    return bool((np.bincount(own.row, minlength=len(own.users)) == candidates).all())


@dataclass(frozen=True)
class Estimates:
    """The utility of every user's list of every system, estimated from a sample of judgements."""

    sample: Sample
    items: Sequence[Integers32]  # of each system the lists of the sample's users, padded with -1
    n_items: int
    seed: int = 0  # of the folds of the users
    _models: dict = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, sample: Sample, rankings: Mapping[str, Rankings], n_items: int, seed: int = 0):
        """Return the estimates of systems' lists, cut where the shortest of them end."""
        depth = min(ranking.depth for ranking in rankings.values())
        lists = [ranking.items[sample.users, :depth] for ranking in rankings.values()]
        return cls(sample, lists, n_items, seed)

    @cached_property
    def ranks(self) -> list[Integers32]:
        """The place of every pair of the sample in the lists of each system, 0 for none."""
        return [places(items, self.sample.row, self.sample.item) for items in self.items]

    def means(self, by: Yardstick, draws: Draws | None = None) -> Floats:
        """Return the systems' estimates over the users and resamples of them.

        float64 (1 + n_resamples, 1, n_systems), as `Valuation.means`. Given the lists, users'
        judgements are independent of each other: what resampled users vary by has the variance
        of the judgements in it.

        Raises RankassayError for a yardstick that the sample cannot estimate, and a cut-off below
        the end of the lists.
        """
        n_users = len(self.sample.users)
        draws = Draws.none(n_users) if draws is None else draws.of_users(self.sample.users)
        sums = self.rows(by)
        totals = means_of_values(np.stack(sums, axis=2), draws)
        value = totals[:, 0]
        if len(sums) > 1:  # Hajek
            _, below, filled = np.swapaxes(totals, 0, 1)
            value = np.divide(value * filled, below, out=np.zeros_like(value), where=below > 0)
        low = self.sample.low if by.utility == "rating" else 0.0
        return settled(low + value, n_users)[:, None]

    def rows(self, by: Yardstick) -> list[Floats]:
        """Return each user's share of the estimates, float64 (n_users, n_systems).

        Of HT, DR and plain it is one array, whose mean over users is the estimate (`low` of
        ratings aside). Of Hajek there are three: its numerator, its denominator, and the sum of the
        discounts of the places that are filled.
        """
        one_of("estimator", by.estimator, (*ESTIMATORS, AS_PUBLISHED, COMPLETE))
        depth = self.items[0].shape[1]
        if by.yardstick_cutoff > depth:
            raise RankassayError(
                f"yardstick_cutoffs: expected at most the depth of the lists, {depth}, found "
                f"{by.yardstick_cutoff}; lower it, or raise depth."
            )
        gain = self.sample.gain(by.yardstick, by.utility)
        weighed = by.estimator in ("HT", "Hajek", "DR")
        weight = self.sample.weight if weighed else np.ones(len(gain))
        of = discounts(by.utility, by.yardstick_cutoff, depth)
        if by.estimator == "DR":
            fold, model = self._model(by, gain)
            residual = gain - model[fold[self.sample.row], self.sample.item]
            own = summed(self.sample, self.ranks, of, weight * residual)
            return [own + self._predicted(of, fold, model)]
        numerator = summed(self.sample, self.ranks, of, weight * gain)
        if by.estimator != "Hajek":
            return [numerator]
        filled = [np.where(items >= 0, of[1:], 0.0).sum(axis=1) for items in self.items]
        below = summed(self.sample, self.ranks, of, weight)
        return [numerator, below, np.stack(filled, axis=1)]

    def check_listed(self, cutoff: int, ids: Texts | None = None) -> None:
        """Raise RankassayError for items in the first places that are in no pair of the sample.

        `ids` are what all items are called; their numbers where they are not given.
        """
        listed = np.concatenate([items[:, :cutoff].ravel() for items in self.items])
        listed = listed[(listed >= 0) & (listed < self.n_items)]
        ids = np.arange(self.n_items) if ids is None else ids
        weights.check_listed(listed, np.bincount(self.sample.item, minlength=self.n_items), ids)

    def _model(self, by: Yardstick, gain: Floats) -> tuple[Integers, Floats]:
        """Return the fold of each user and the items' mean gains outside of each fold."""
        key = (by.yardstick, by.utility == "rating")
        if key not in self._models:
            sample, n_users = self.sample, len(self.sample.users)
            fold = generator(self.seed, "folds-of-the-truth").permutation(n_users) % FOLDS
            model = np.empty((FOLDS, self.n_items))
            for f in range(FOLDS):
                other = fold[sample.row] != f
                item, weight = sample.item[other], sample.weight[other]
                below = np.bincount(item, weight, minlength=self.n_items)
                above = np.bincount(item, weight * gain[other], minlength=self.n_items)
                worth = PRIOR * weight.mean() if len(weight) else 1.0
                mean = above.sum() / below.sum() if len(weight) else 0.0
                model[f] = (above + worth * mean) / (below + worth)
            self._models[key] = fold, model
        return self._models[key]

    def _predicted(self, of: Floats, fold: Integers, model: Floats) -> Floats:
        """Return each user's sums over all places of discounts times the model's gains.

        Items that the dataset does not have, of other libraries' lists, have a gain of 0.
        """
        found = np.zeros((len(self.sample.users), len(self.items)))
        for s, items in enumerate(self.items):
            own = (items >= 0) & (items < self.n_items)
            gains = np.where(own, model[fold[:, None], np.where(own, items, 0)], 0.0)
            for place in np.flatnonzero(of[1:]):
                found[:, s] += of[1 + place] * gains[:, place]
        return found


def summed(own: Sample, ranks: Sequence[Integers], of: Floats, values: Floats) -> Floats:
    """Return each user's sums over the listed pairs of discounts times values.

    float64 (n_users, n_systems); `ranks` has the place of every pair in the lists of each system, 0
    for none, and `of` the discounts of the places, see `discounts`.
    """
    found = np.empty((len(own.users), len(ranks)))
    for s, places_of in enumerate(ranks):
        listed = np.flatnonzero((places_of > 0) & (places_of < len(of)))
        each = of[places_of[listed]] * values[listed]
        found[:, s] = np.bincount(own.row[listed], each, minlength=len(found))
    return found


def discounts(utility: str, cutoff: int, depth: int) -> Floats:
    """Return the contribution of a gain of 1 at each place, (1 + depth,); the first is of no place.

    >>> discounts("P", 2, 3).tolist(), discounts("DCG", 1, 2).tolist()
    ([0.0, 0.5, 0.5, 0.0], [0.0, 1.0, 0.0])
    """
    place = np.arange(1 + depth)
    known = (place > 0) & (place <= cutoff)
    value = 1 / np.log2(place + 1.0, where=known, out=np.ones(1 + depth))
    return np.where(known, value if utility == "DCG" else 1 / cutoff, 0.0)


def places(items: Integers, row: Integers, wanted: Integers) -> Integers32:
    """Return the rank of each wanted item in its user's list, int32 (n_judged,); 0 is not listed.

    `items` are the lists, (n_users, depth), padded with -1, and `row` the user of each.
    """
    n_users, depth = items.shape
    n_items = 1 + max(items.max(initial=0), wanted.max(initial=0))
    listed = sp.csr_matrix(
        (
            np.tile(np.arange(1, depth + 1, dtype=np.int32), n_users)[(items >= 0).ravel()],
            items[items >= 0],
            np.concatenate(([0], np.cumsum((items >= 0).sum(axis=1)))),
        ),
        shape=(n_users, n_items),
    )
    return np.asarray(listed[row, wanted]).ravel().astype(np.int32)
