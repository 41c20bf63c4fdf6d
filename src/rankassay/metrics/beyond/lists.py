"""What metrics beyond accuracy read, lists, training ratings and groups, and sums over users."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.metrics.diversity.lists import Aspects, looked_up
from rankassay.types import Booleans, Floats, Integers, Integers32, Texts

CLASSES = ("head", "middle", "tail")
FIFTH = 0.2  # of the ratings, which head and tail have
HAIR = 1e-9  # of rounding, in shares


@dataclass(frozen=True)
class Groups:
    """Which group each item or user is of, of two or more."""

    names: tuple[str, ...]
    group: Integers32  # int32 (n,), the place of the group in `names`; -1 where it is not known

    def __post_init__(self) -> None:
        if len(self.names) < 2:
            raise RankassayError(
                f"groups: expected two or more to compare, found {', '.join(self.names) or 'none'}."
            )
        if len(self.group) and not (-1 <= self.group.min() <= self.group.max() < len(self.names)):
            raise RankassayError(
                f"groups: expected numbers from -1 to {len(self.names) - 1}, found "
                f"{self.group.min()} to {self.group.max()}."
            )

    @classmethod
    def of(cls, values: Texts) -> Self:
        """Return the groups of equal values, str (n,), by name; "" is not known.

        A group may have one member.
        """
        names, group = np.unique(values, return_inverse=True)
        unknown = int(len(names) > 0 and names[0] == "")
        return cls(tuple(names[unknown:].tolist()), (group - unknown).astype(np.int32))

    @property
    def n_groups(self) -> int:
        """The number of groups."""
        return len(self.names)


def popularity_classes(popularity: Integers) -> Groups:
    """Return three classes of items by their shares of the training ratings.

    ::

        head = the most popular items that together have at least a fifth of the ratings
        tail = the least popular items that together have at most a fifth of them

    with the fewest items in the head and the most in the tail, and all others in the middle. Of
    equally popular items the one with the smaller number is more popular; items without ratings are
    of the tail. Raises RankassayError where a class stays empty. (Abdollahpouri et al., UMAP 2021,
    section 3.)
    """
    order = np.argsort(-popularity, kind="stable")
    ratings = popularity[order].astype(np.float64)
    total = max(float(ratings.sum()), 1.0)
    before = (np.cumsum(ratings) - ratings) / total
    left = np.cumsum(ratings[::-1])[::-1] / total
    rank = np.ones(len(order), dtype=np.int32)
    rank[left <= FIFTH + HAIR] = 2
    rank[before < FIFTH - HAIR] = 0
    group = np.empty(len(order), dtype=np.int32)
    group[order] = rank
    sizes = np.bincount(group, minlength=len(CLASSES))
    if not sizes.all():
        raise RankassayError(
            "popularity classes: expected items in each, found "
            f"{', '.join(f'{n} in the {name}' for name, n in zip(CLASSES, sizes, strict=True))}; "
            "choose other groups."
        )
    return Groups(CLASSES, group)


@dataclass(frozen=True)
class Catalogue:
    """All items, with the values computed from training ratings before any list."""

    train: sp.csr_matrix  # csr float64 (n_users, n_items); an entry is a rating even if it is 0
    aspects: Aspects | None = None
    item_groups: Groups | None = None
    user_groups: Groups | None = None

    def __post_init__(self) -> None:
        if 0 in self.train.shape:
            raise RankassayError(
                "training ratings: expected at least one user and one item, found "
                f"{self.train.shape[0]} users and {self.train.shape[1]} items."
            )
        own = {"users": self.train.shape[0], "items": self.train.shape[1]}
        given = {
            ("aspects", "items"): None if self.aspects is None else len(self.aspects.start) - 1,
            ("groups", "items"): None if self.item_groups is None else len(self.item_groups.group),
            ("groups", "users"): None if self.user_groups is None else len(self.user_groups.group),
        }
        for (what, kind), found in given.items():
            if found not in (None, own[kind]):
                raise RankassayError(
                    f"the {what} of {kind}: expected those of the {own[kind]} {kind} with training "
                    f"ratings, found those of {found}; make them for the same {kind}."
                )

    @property
    def n_items(self) -> int:
        """|I|."""
        return self.train.shape[1]

    @cached_property
    def popularity(self) -> Integers:
        """The number of training ratings of each item, int64 (n_items,)."""
        return np.bincount(self.train.indices, minlength=self.n_items).astype(np.int64)

    @cached_property
    def by_popularity(self) -> Integers:
        """All items, the most popular first and equal ones by their number, int64 (n_items,)."""
        return np.argsort(-self.popularity, kind="stable")

    @cached_property
    def place(self) -> Integers:
        """The place of each item in that order, from 0, int64 (n_items,)."""
        place = np.empty(self.n_items, dtype=np.int64)
        place[self.by_popularity] = np.arange(self.n_items)
        return place

    @cached_property
    def places_by_user(self) -> Integers:
        """The places of each user's items, sorted, one user behind another, int64 (n_ratings,)."""
        row = np.repeat(np.arange(self.train.shape[0]), np.diff(self.train.indptr))
        whole = row * self.n_items + self.place[self.train.indices]
        return np.sort(whole) - row * self.n_items

    @cached_property
    def n_raters(self) -> int:
        """The number of users with training ratings."""
        return int((np.diff(self.train.indptr) > 0).sum())

    @cached_property
    def raters(self) -> sp.csr_matrix:
        """Who rated each item, ones, float64 (n_items, n_users)."""
        ones = np.ones(self.train.nnz)
        entries = (ones, self.train.indices, self.train.indptr)
        return sp.csr_matrix(entries, shape=self.train.shape).T.tocsr()


@dataclass(frozen=True)
class Shown:
    """One system's lists, for metrics beyond accuracy."""

    items: Integers32  # int32 (n_users, depth), best first, padded with -1
    users: Integers  # int64 (n_users,), the rows in the catalogue's training ratings
    relevant: Booleans  # bool (n_users, depth), as the test ratings say
    liked: sp.csr_matrix  # the items that are relevant to each user, ones, csr (n_users, n_items)
    catalogue: Catalogue
    # float64 (n_users,): the share of the candidates that have a score, if known
    scored: Floats | None = None

    @classmethod
    def of(
        cls,
        items: Integers32,
        users: Integers,
        test: sp.csr_matrix,
        threshold: float,
        catalogue: Catalogue,
        scored: Floats | None = None,
    ) -> Self:
        """Return lists with the items that test ratings of at least a threshold make relevant.

        `items` are the lists of `users`, rows of `test` (n_users, n_items) and of the training
        ratings. Raises RankassayError for lists without a place, and for items, users or ratings of
        another catalogue.
        """
        users = np.asarray(users, dtype=np.int64)
        items = checked(items, catalogue)
        shape = catalogue.train.shape
        if test.shape != shape:
            raise RankassayError(
                f"test ratings: expected those of the {shape[0]} users and {shape[1]} items with "
                f"training ratings, found {test.shape[0]} users and {test.shape[1]} items."
            )
        if users.shape != (len(items),) or not (
            0 <= users.min(initial=0) <= users.max(initial=0) < shape[0]
        ):
            raise RankassayError(
                f"users: expected a row from 0 to {shape[0] - 1} for each of the {len(items)} "
                f"lists, found {users.size} from {users.min(initial=0)} to {users.max(initial=0)}."
            )
        liked = sp.csr_matrix(test)[users]
        liked.data = (liked.data >= threshold).astype(np.float64)
        liked.eliminate_zeros()
        start = liked.indptr.astype(np.int64)
        relevant = looked_up(items, start, liked.indices, catalogue.n_items) >= 0
        return cls(items, users, relevant, liked, catalogue, scored)

    @cached_property
    def n_relevant(self) -> Floats:
        """|R_u|: how many items are relevant to each user, float64 (n_users,)."""
        return np.diff(self.liked.indptr).astype(np.float64)

    @property
    def depth(self) -> int:
        """The length at which the lists were cut."""
        return self.items.shape[1]

    @cached_property
    def listed(self) -> Booleans:
        """Whether there is an item at a place, bool (n_users, depth)."""
        return self.items >= 0

    @cached_property
    def length(self) -> Integers:
        """The number of items in each list, int64 (n_users,)."""
        return self.listed.sum(axis=1)

    def mean(self, values: Floats, cutoffs: Integers) -> Floats:
        """Return the mean of a value of each place over the items down to each cut-off.

        `values` are float64 (n_users, depth); an empty list has 0. The result is float64 (n_users,
        n_cutoffs).
        """
        places = np.minimum(cutoffs, self.depth)
        sums = sums_to(np.where(self.listed, values, 0.0), places)
        return sums / np.maximum(np.minimum(self.length[:, None], places), 1)

    def exposure(self, weights: Floats, cutoff: int) -> sp.csr_matrix:
        """Return the weight of the place of each item down to a cut-off, csr (n_users, n_items).

        Equal weights, float64 (depth,), give the same matrix, which is made once: float32 where
        that holds them exactly, which takes a third less memory. Products are made in float64.
        """
        places = min(cutoff, self.depth)
        key = tuple(weights[:places])
        if key not in self._exposures:
            self._exposures[key] = self._exposure(key)
        return self._exposures[key]

    @cached_property
    def _exposures(self) -> dict[tuple[float, ...], sp.csr_matrix]:
        return {}

    def _exposure(self, weights: Sequence[float]) -> sp.csr_matrix:
        """Return the weight of the place of each item, as far down as there are weights."""
        places = len(weights)
        kept = self.listed[:, :places]
        count = kept.sum(axis=1)
        start = np.concatenate(([0], np.cumsum(count)))
        exact, short = np.asarray(weights, dtype=np.float64), np.asarray(weights, dtype=np.float32)
        weight = np.broadcast_to(short if (short == exact).all() else exact, kept.shape)[kept]
        shape = (len(self.items), self.catalogue.n_items)
        return sp.csr_matrix((weight, self.items[:, :places][kept], start), shape=shape)


def sums_to(values: Floats, cutoffs: Integers) -> Floats:
    """Return the sums of the values of places down to each cut-off, float64 (n_users, n_cutoffs).

    `values` are float64 (n_users, depth). All users are summed place by place, which takes a fifth
    of the time of `numpy.cumsum` along short rows, in the same order.
    """
    places = np.minimum(cutoffs, values.shape[1])
    found = np.zeros((len(values), len(places)))
    total = np.zeros(len(values))
    for k in range(places.max(initial=0)):
        total += values[:, k]
        found[:, places == k + 1] = total[:, None]
    return found


def checked(items: Integers32, catalogue: Catalogue) -> Integers32:
    """Return lists as int32; raises RankassayError for no place, and for unknown items."""
    items = np.ascontiguousarray(items, dtype=np.int32)
    if items.ndim != 2 or not items.shape[1]:
        raise RankassayError(
            "the lists: expected a row for each user and a column for each place, at least one, "
            f"found the shape {items.shape}; pad lists that end with -1."
        )
    if items.max(initial=-1) >= catalogue.n_items:
        raise RankassayError(
            f"the lists: expected items below {catalogue.n_items}, as the training ratings have, "
            f"found {items.max()}; leave out items that are not of the dataset "
            "(systems.not_candidates: drop)."
        )
    return items


@dataclass(frozen=True)
class Sums:
    """A measure of a set of lists at one cut-off: a function of sums over its users.

    ::

        M(w) = value(sum_u w_u contributions_u, sum_u w_u)

    with a weight of 1 for each user who counts once: so it is known for any part of the users, and
    for users that are drawn again.
    """

    # what a user adds to each sum, such as the exposure of each item, (n_users, n_columns)
    contributions: sp.csr_matrix
    # from totals (n, n_columns) and numbers of users (n,) to values (n,), NaN for nothing
    value: Callable[[Floats, Floats], Floats]

    def of(self, weights: Floats) -> Floats:
        """Return the measure for each weighting of the users, (n, n_users) to float64 (n,)."""
        weights = np.asarray(weights, dtype=np.float64)
        totals = np.asarray((self.contributions.T @ weights.T).T)
        return self.value(totals, weights.sum(axis=1))

    def of_all(self) -> float:
        """Return the measure of all users."""
        return float(self.of(np.ones((1, self.contributions.shape[0])))[0])
