"""The test ratings as relevance judgements, and a system's lists in terms of these."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Self, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.errors import RankassayError
from rankassay.kernels import kernel
from rankassay.selection import sort_by
from rankassay.types import Booleans, Floats, Integers, Integers32

if TYPE_CHECKING:  # planning a run imports this module, and pandas would take its time
    import pandas as pd

Ids: TypeAlias = "npt.NDArray | pd.Index"
# What a message begins with about lists that were made for other judgements.
OTHER = "the lists and the judgements are not of the same test set;"
GREATEST = 1e300  # size of a rating: the sums of a hundred million are still finite
WHOLE_LIST = np.iinfo(np.int32).max


class ByUser:
    """Judgements user by user: those of user row `u` are the entries `start[u]:start[u + 1]`."""

    start: Integers

    @property
    def n_users(self) -> int:
        """The number of users."""
        return len(self.start) - 1

    @cached_property
    def row(self) -> Integers:
        """The user row of each judgement, int64 (n_judged,)."""
        return np.repeat(np.arange(self.n_users), np.diff(self.start))

    @cached_property
    def _remembered(self) -> dict:
        return {}

    def remember(self, key: tuple, work: Callable[[], Floats]) -> Floats:
        """Return the result of `work` on these judgements, computed once for all systems."""
        if key not in self._remembered:
            self._remembered[key] = work()
        return self._remembered[key]


@dataclass(frozen=True)
class Judgements(ByUser):
    """The test ratings as relevance judgements, for the users who have any.

    Items rated at least as high as the threshold are relevant, the other judged ones non-relevant
    (Valcarce et al., RecSys 2018, section 5: 4 on a scale from 1 to 5).
    """

    users: Integers32  # indices of the judged users in the dataset, increasing
    start: Integers  # int64 (n_users + 1,)
    rating: Floats  # float64 (n_judged,)
    threshold: float
    # `ideal_rating`, where it is known already and need not be sorted for
    known_ideal: Floats | None = field(default=None, repr=False)
    # `scale`, where it is that of more users than these
    known_scale: tuple[float, float] | None = field(default=None, repr=False)
    # `share`, where it is that of more users than these
    known_share: float | None = field(default=None, repr=False)
    # float64 (n_judged,), the probability that each rating is observed, in (0, 1]
    propensity: Floats | None = field(default=None, repr=False)

    @classmethod
    def of(
        cls, test: sp.csr_matrix, threshold: float, propensities: sp.csr_matrix | None = None
    ) -> Self:
        """Return the judgements that the ratings of a test matrix make.

        `propensities` are those of the same ratings, a matrix with the same entries.
        """
        count = np.diff(test.indptr)
        users = np.flatnonzero(count).astype(np.int32)
        start = np.concatenate(([0], np.cumsum(count[users]))).astype(np.int64)
        exact = test.dtype if test.dtype.kind == "f" else np.float64
        rating, threshold = test.data.astype(np.float64), as_exact(threshold, exact)
        if propensities is None:
            return cls(users, start, rating, threshold)
        same = (
            propensities.shape == test.shape
            and np.array_equal(propensities.indptr, test.indptr)
            and np.array_equal(propensities.indices, test.indices)
        )
        if not same:
            raise RankassayError(
                "the propensities: expected one for each rating of the test set, in its order, "
                "found others; make them again for this test set."
            )
        judgements = cls(
            users, start, rating, threshold, propensity=propensities.data.astype(np.float64)
        )
        judgements.check_propensity(users)
        return judgements

    def check(self) -> None:
        """Raise RankassayError unless kernels can take these as they are.

        It takes a few looks at every rating, some 1 ms a million. What the pipeline makes is sound.
        """
        users, start, rating, ideal = self.users, self.start, self.rating, self.known_ideal
        sound = (
            are_whole(users, start)
            and start.shape == (len(users) + 1,)
            and _is_numeric(rating)
            # Compared, not subtracted: the differences of unsigned numbers are never negative.
            and start[0] == 0
            and start[-1] == len(rating)
            and (start[1:] >= start[:-1]).all()
            and users.min(initial=0) >= 0
            and (users[1:] > users[:-1]).all()
            and (np.abs(rating) <= GREATEST).all()
            and isinstance(self.threshold, float | int)  # no kernel takes another
            and abs(self.threshold) <= (GREATEST if isinstance(self.threshold, float) else 2**53)
        )
        if not sound:
            raise RankassayError(
                "the judgements: expected increasing users, the places where their ratings start, "
                "and finite ratings, as arrays int32, int64 and float64, and a finite threshold; "
                "found others."
            )
        same = _is_numeric(ideal) and np.array_equal(ideal, rating[self.best_first])
        if not (ideal is None or same):
            raise RankassayError(
                "the judgements: expected known_ideal to be each user's ratings, highest first, "
                "found others; leave it out."
            )
        if self.known_scale is not None and not self._within(self.known_scale):
            raise RankassayError(
                "the judgements: expected known_scale to hold all ratings, found another; leave it "
                "out."
            )
        self.check_propensity(users)

    def check_relevant(self) -> None:
        """Raise RankassayError where nothing is relevant: most metrics are undefined then."""
        if not self.relevant.any():
            found = f", the highest is {self.scale[1]:g}" if len(self.rating) else ""
            raise RankassayError(
                f"no test rating reaches the threshold {self.threshold:g}{found}: nothing is "
                "relevant; lower the threshold of the dataset."
            )

    def check_propensity(self, ids: Ids) -> None:
        """Raise RankassayError, which names a user by `ids`, for propensities that are none."""
        if self.propensity is None:
            return
        if not (_is_numeric(self.propensity) and self.propensity.shape == self.rating.shape):
            raise RankassayError(
                "the judgements: expected a propensity of each rating, as an array float64, found "
                "others."
            )
        wrong = ~((self.propensity > 0) & (self.propensity <= 1))
        if wrong.any():
            j = int(np.argmax(wrong))
            row = self.row[j]
            raise RankassayError(
                "the propensities: expected probabilities above 0 and at most 1, found "
                f"{self.propensity[j]:g} for a rating of user {ids[row : row + 1].tolist()[0]!r}; "
                "correct it."
            )

    def _within(self, scale: object) -> bool:
        sound = isinstance(scale, tuple) and [isinstance(end, float) for end in scale] == [True] * 2
        return sound and bool((self.rating >= scale[0]).all() and (self.rating <= scale[1]).all())

    @cached_property
    def relevant(self) -> Booleans:
        """Whether each judged item is relevant, bool (n_judged,)."""
        return self.rating >= self.threshold

    @cached_property
    def n_relevant(self) -> Floats:
        """|R_u|, the number of relevant items of each user, float64 (n_users,)."""
        up_to = np.concatenate(([0], np.cumsum(self.relevant)))
        return np.diff(up_to[self.start]).astype(np.float64)

    @cached_property
    def n_nonrelevant(self) -> Floats:
        """|N_u|, the number of judged non-relevant items of each user, float64 (n_users,)."""
        return np.diff(self.start) - self.n_relevant

    @cached_property
    def scale(self) -> tuple[float, float]:
        """The lowest and the highest rating of all, also where this is a part of them."""
        if self.known_scale is not None:
            return self.known_scale
        return self.rating.min(initial=np.inf), self.rating.max(initial=-np.inf)

    @cached_property
    def share(self) -> float:
        """The share of relevant items among all judged ones, 0 of none; that of a sample is its."""
        if self.known_share is not None:
            return self.known_share
        return int((self.rating >= self.threshold).sum()) / max(len(self.rating), 1)

    @cached_property
    def best_first(self) -> Integers:
        """The judgements in the order of the best possible lists, int64 (n_judged,)."""
        return _best_first(self.start, self.rating)

    @cached_property
    def ideal_rating(self) -> Floats:
        """The ratings at each place of the best possible lists, float64 (n_judged,)."""
        return self.rating[self.best_first] if self.known_ideal is None else self.known_ideal

    def sample(self, keep: Booleans, unjudged_users: str = "drop") -> "Judgements":
        """Return the judgements that a mask over them keeps.

        Users who keep none leave the means, as topics that are missing from the judgements do in
        trec_eval ("drop"), or stay and score 0 ("zero").
        """
        # A part of sorted judgements is sorted: nothing is sorted again.
        count, rating, ideal_rating = _sampled(self.start, self.rating, self.best_first, keep)
        stay = count > 0 if unjudged_users == "drop" else np.ones(self.n_users, dtype=bool)
        start = np.concatenate(([0], np.cumsum(count[stay])))
        propensity = None if self.propensity is None else self.propensity[keep]
        return Judgements(
            self.users[stay],
            start,
            rating,
            self.threshold,
            ideal_rating,
            # The scale is that of all ratings, whichever are left: see `scale`.
            known_scale=self.scale,
            propensity=propensity,
        )

    def block(self, first: int, last: int) -> "Judgements":
        """Return the judgements of the user rows `first:last`; they share the arrays."""
        start = self.start[first : last + 1]
        return Judgements(
            self.users[first:last],
            start - start[0],
            self.rating[start[0] : start[-1]],
            self.threshold,
            known_scale=self.scale,
            known_share=self.share,
            propensity=None if self.propensity is None else self.propensity[start[0] : start[-1]],
        )


@dataclass(frozen=True)
class Lists:
    """One system's lists, in terms of the judgements."""

    ranks: Integers32  # int32 (n_judged,), from 1; 0 for an item that is not listed
    length: Integers32  # int32 (n_users,): how many items each list holds
    n_candidates: Integers32 | None = None  # int32 (n_users,): how many could have been listed
    predictions: Floats | None = None  # float64 (n_judged,): the predicted ratings

    @classmethod
    def of(cls, rankings: Rankings, judgements: Judgements) -> Self:
        """Return the lists of a system whose rankings were made for the same test matrix.

        Raises RankassayError for rankings of another one: kernels index one by the other.
        """
        users, n_ranked, n_candidates = judgements.users, rankings.n_ranked, rankings.n_candidates
        shape = rankings.shape
        sound = (
            are_whole(n_ranked, n_ranked if n_candidates is None else n_candidates)
            and len(shape) == 2
            and shape[0] == len(n_ranked) > users.max(initial=-1)
            and (n_candidates is None or len(n_candidates) == len(n_ranked))
        )
        if not sound:
            raise RankassayError(f"{OTHER} rank again.")
        n_candidates = None if n_candidates is None else n_candidates[users]
        lists = cls(rankings.ranks, n_ranked[users], n_candidates)
        if not lists._fit(judgements):
            raise RankassayError(f"{OTHER} make them again for this one.")
        return lists

    def part(self, keep: Booleans, rows: Integers) -> Self:
        """Return the lists of some users, for the judgements that `keep`, (n_judged,), keeps.

        `rows`, int (n,), are the rows of the users who have some of these.
        """
        of_users = None if self.n_candidates is None else self.n_candidates[rows]
        predicted = None if self.predictions is None else self.predictions[keep]
        return type(self)(self.ranks[keep], self.length[rows], of_users, predicted)

    def check(self, judgements: Judgements) -> None:
        """Raise RankassayError unless these are sound lists for judgements, which are sound.

        Kernels index one by the other without asking again. It takes one look at every rank, and
        puts each user's in order: some 40 ms a million.
        """
        if not self._fit(judgements):
            raise RankassayError(f"{OTHER} make them again for this one.")
        ranks, length, row = self.ranks, self.length, judgements.row
        wrong = (ranks > length[row]) | _rank_is_repeated(judgements.start, ranks)
        if wrong.any():
            j = int(np.argmax(wrong))
            raise RankassayError(
                f"the lists: expected different ranks up to the list's length, {length[row[j]]}, "
                f"for user {judgements.users[row[j]]}, found {ranks[j]}; make them again."
            )
        if self.n_candidates is not None:
            self.check_candidates(judgements, self.n_candidates, judgements.users)

    def check_candidates(self, judgements: Judgements, numbers: npt.NDArray, ids: Ids) -> None:
        """Raise RankassayError for numbers of items that could be listed that are none.

        An item that is listed or judged could be: with fewer, shares of the rest are not in [0, 1].
        """
        unlisted = np.bincount(judgements.row, self.ranks == 0, judgements.n_users)
        known = np.maximum(self.length + unlisted, 1)
        wrong = ~((numbers >= known) & (numbers == np.floor(numbers)) & (numbers <= WHOLE_LIST))
        if wrong.any():
            u = int(np.argmax(wrong))
            user = ids[u : u + 1].tolist()[0]  # as Python's own number
            raise RankassayError(
                f"n_items: user {user!r} has {known[u]:.0f} items listed or judged, but "
                f"{numbers[u]:g} could be; give the number of all items that could be listed, up "
                f"to {WHOLE_LIST}."
            )

    def _fit(self, judgements: Judgements) -> bool:
        """Return whether the shapes are those of the judgements, and all values in range."""
        n, length = len(judgements.rating), self.length
        candidates = length if self.n_candidates is None else self.n_candidates
        predictions = judgements.rating if self.predictions is None else self.predictions
        return bool(
            are_whole(self.ranks, length, candidates)
            and _is_numeric(predictions)
            and length.shape == candidates.shape == judgements.users.shape
            and self.ranks.shape == predictions.shape == (n,)
            and all(array.min(initial=0) >= 0 for array in (self.ranks, length, candidates))
            and all(array.max(initial=0) <= WHOLE_LIST for array in (length, candidates))
        )

    def block(self, judgements: Judgements, first: int, last: int) -> "Lists":
        """Return the lists of the user rows `first:last`; they share the arrays."""
        users, entries = slice(first, last), slice(*judgements.start[[first, last]])
        return Lists(
            self.ranks[entries],
            self.length[users],
            None if self.n_candidates is None else self.n_candidates[users],
            None if self.predictions is None else self.predictions[entries],
        )


def as_exact(threshold: float, kind: npt.DTypeLike) -> float:
    """Return a threshold that is as exact as ratings of a floating-point type.

    3.6 itself is above the number that single precision has for it. A threshold that the type does
    not hold is not converted: no rating of the type reaches it.
    """
    with np.errstate(over="ignore"):
        exact = float(np.asarray(threshold, dtype=kind))
    return exact if math.isfinite(exact) else float(threshold)


def blocks(n_users: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of successive blocks of users."""
    for first in range(0, n_users, size):
        yield first, min(first + size, n_users)


def are_whole(*arrays: object) -> bool:
    """Return whether all are flat arrays of signed integers, without a mask.

    Kernels would turn unsigned integers into floating-point numbers.
    """
    return all(_is_flat(array) and array.dtype.kind == "i" for array in arrays)


def _is_numeric(array: object) -> bool:
    """Return whether this is a flat array of floating-point numbers, without a mask."""
    return _is_flat(array) and array.dtype == np.float64


def _is_flat(array: object) -> TypeGuard[npt.NDArray]:
    flat = isinstance(array, np.ndarray) and array.ndim == 1
    return flat and not isinstance(array, np.ma.MaskedArray)


@kernel
def _rank_is_repeated(start, ranks):
    """Return whether each judged item has the rank of another one in the list, (n_judged,)."""
    taken, order = np.zeros(len(ranks), np.bool_), np.arange(len(ranks))
    space = np.empty_like(order)
    for u in range(len(start) - 1):
        own = order[start[u] : start[u + 1]]
        sort_by(ranks, own, space)
        for i in range(1, len(own)):
            taken[own[i]] = ranks[own[i]] == ranks[own[i - 1]] and ranks[own[i]] > 0
    return taken


@kernel
def _best_first(start, rating):
    """Return each user's judgements by decreasing rating; those of equal rating in their order."""
    keys, order = -rating, np.arange(len(rating))
    space = np.empty_like(order)
    for u in range(len(start) - 1):
        sort_by(keys, order[start[u] : start[u + 1]], space)
    return order


@kernel
def _sampled(start, rating, best_first, keep):
    """Return the number of judgements kept for each user, their ratings, and these best first."""
    count = np.zeros(len(start) - 1, dtype=np.int64)
    kept, kept_best = np.empty(len(rating) + 1), np.empty(len(rating) + 1)
    n, m = 0, 0
    for u in range(len(start) - 1):
        first = n
        for j in range(start[u], start[u + 1]):
            # Written always, and overwritten unless kept: cheaper than a branch at random.
            kept[n], kept_best[m] = rating[j], rating[best_first[j]]
            n += keep[j]
            m += keep[best_first[j]]
        count[u] = n - first
    return count, kept[:n].copy(), kept_best[:m].copy()
