"""Artifacts that are arrays, and their files: npz without pickles."""

import itertools
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Self

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.files import Pathlike, atomic, reading
from rankassay.artifacts.shards import successive
from rankassay.types import Booleans, Floats, Floats32, Integers, Integers32, Texts

LEVEL = 4  # of zlib: to write takes a third of the time of the default, and a file 3% more space


def write_matrix(matrix: sp.csr_matrix, path: Pathlike, held_out: Booleans | None = None) -> None:
    """Write a sparse matrix as `scipy.sparse.save_npz`, and users of whom no model learns."""
    with atomic(path) as file:
        if held_out is None:
            sp.save_npz(file, matrix, compressed=False)
        else:
            np.savez(
                file,
                indices=matrix.indices,
                indptr=matrix.indptr,
                format=np.array(b"csr"),
                shape=matrix.shape,
                data=matrix.data,
                held_out=held_out,
            )


def read_held_out(path: Pathlike) -> Booleans | None:
    """Return the users of a training matrix of whom no model learns, bool (n_users,), or None."""
    with reading(path, "a sparse matrix"), np.load(path, allow_pickle=False) as file:
        if "held_out" not in file.files:
            return None
        held_out = file["held_out"]
        if held_out.dtype != bool or held_out.shape != (int(file["shape"][0]),):
            raise ValueError("its arrays do not belong together")
        return held_out


def read_matrix(path: Pathlike) -> sp.csr_matrix:
    """Read a sparse matrix that `write_matrix` wrote; raises RankassayError for anything else."""
    with reading(path, "a sparse matrix"):
        return sound(sp.csr_matrix(sp.load_npz(path)))


def sound(matrix: sp.csr_matrix) -> sp.csr_matrix:
    """Return a matrix from a file; raises ValueError where its indices lie outside of it."""
    start, indices = matrix.indptr, matrix.indices
    whole = start[0] == 0 and start[-1] == len(indices) == len(matrix.data)
    if not (whole and (np.diff(start) >= 0).all() and _within(indices, matrix.shape[1])):
        raise ValueError("its indices lie outside of it")
    if not np.isfinite(matrix.data).all():
        raise ValueError("not all of its numbers are finite")
    return matrix


def together(first: sp.csr_matrix, second: sp.csr_matrix) -> sp.csr_matrix:
    """Return two matrices that share no cell as one, with entries of 0, which a sum leaves out."""
    parts = first.tocoo(), second.tocoo()
    row, column, rating = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("row", "col", "data")
    )
    return sp.csr_matrix((rating, (row, column)), shape=first.shape)


def _within(indices: np.ndarray, n: int) -> bool:
    """Return whether all indices are at least 0 and below n."""
    return not len(indices) or bool(indices.min() >= 0 and indices.max() < n)


def write_arrays(
    arrays: Iterable[tuple[str, np.ndarray]], path: Pathlike, compressed: bool = True
) -> None:
    """Write named arrays as npz, one after the other as they come; see `numpy.savez`."""
    kind = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with atomic(path) as target, zipfile.ZipFile(target, "w", kind, compresslevel=LEVEL) as archive:
        for name, array in arrays:
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, array, allow_pickle=False)


class _Arrays:
    """Base of the artifacts that are a set of named arrays: saving and loading as npz."""

    def save(self, path: Pathlike) -> None:
        """Write the arrays as npz; those that are None are left out."""
        arrays = [(field.name, getattr(self, field.name)) for field in fields(self)]
        # Row by row: equal arrays give the same bytes, however they were computed.
        found = [
            (name, np.asarray(array, order="C")) for name, array in arrays if array is not None
        ]
        write_arrays(found, path)

    @classmethod
    def load(cls, path: Pathlike) -> Self:
        """Read a file of `save`; raises RankassayError for a file of another kind."""
        with reading(path, cls.__name__), np.load(path, allow_pickle=False) as file:
            loaded = cls(**{name: file[name] for name in file.files})
            if not loaded._sound():
                raise ValueError("its arrays do not belong together")
            return loaded

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return successive parts, as of users or rows, as one; single values are alike in all."""
        found = [[getattr(part, field.name) for part in parts] for field in fields(cls)]
        return cls(*(np.concatenate(own) if np.ndim(own[0]) else own[0] for own in found))

    def _sound(self) -> bool:
        """Return whether the shapes agree and all indices are in range."""
        raise NotImplementedError


@dataclass(frozen=True)
class Ratings(_Arrays):
    """A dataset: one entry per user-item pair, sorted by user and then item."""

    user: Integers32  # (n_ratings,): indices into `user_ids`; each has a rating
    item: Integers32  # the same into `item_ids`
    rating: Floats32  # (n_ratings,)
    user_ids: Texts  # (n_users,): the source's, in natural order (numbers by their value)
    item_ids: Texts  # (n_items,)
    timestamp: Integers | None = None  # (n_ratings,): seconds since 1970
    aspects: Booleans | None = None  # (n_items, n_aspects), such as genres
    aspect_names: Texts | None = None  # (n_aspects,)
    tested: Booleans | None = None  # (n_ratings,): the test set, where the source comes split

    def _sound(self) -> bool:
        n = len(self.rating)
        ratings = (self.user, self.item, self.timestamp, self.tested)
        return (
            all(array is None or array.shape == (n,) for array in ratings)
            and _within(self.user, len(self.user_ids))
            and _within(self.item, len(self.item_ids))
            and bool(np.isfinite(self.rating).all())
            and (self.aspects is None) == (self.aspect_names is None)
            and (
                self.aspects is None
                or self.aspects.shape == (len(self.item_ids), len(self.aspect_names))
            )
        )

    @property
    def matrix(self) -> sp.csr_matrix:
        """The ratings as a matrix, float32 (n_users, n_items)."""
        return self.matrix_of(self.rating)

    def matrix_of(self, values: Floats) -> sp.csr_matrix:
        """Return a value of each rating, (n_ratings,), as a matrix (n_users, n_items)."""
        shape = (len(self.user_ids), len(self.item_ids))
        return sp.csr_matrix((values, (self.user, self.item)), shape=shape)


@dataclass(frozen=True)
class Truth(_Arrays):
    """The judgements of random items that count as the truth, and how they were drawn."""

    # A CSR matrix (n_users, n_items) of the users and items with observed ratings; indices are
    # sorted, and a judgement of 0 is an entry. See `matrix`.
    data: Floats32
    indices: Integers32
    indptr: Integers32
    shape: Integers
    # (n_judgements,): whether the user knew the item, or had discovered it; empty if not said.
    known: Booleans
    judged: Integers32  # (n_users,): how many items each user judged at random, set aside or not
    aside: Floats  # (): the share of observable pairs that was set aside; 1 of a separate file
    inclusion: Floats  # (n_judgements,): the probability that a pair is in the truth; or empty
    low: Floats  # (): the scale of the judgements
    high: Floats
    design: Texts  # (): how observed ratings and truth are kept apart: `rankassay.data.set_aside`

    @classmethod
    def of(
        cls,
        matrix: sp.csr_matrix,
        known: Booleans | None = None,
        judged: Integers32 | None = None,
        aside: float = 1.0,
        inclusion: Floats | None = None,
        scale: tuple[float, float] | None = None,
        design: str = "separate",
    ) -> Self:
        """Return the truth of a matrix of judgements, by default that of a separate file."""
        matrix = sp.csr_matrix(matrix, dtype=np.float32)
        counts = np.diff(matrix.indptr) if judged is None else judged
        low, high = scale or (matrix.data.min(initial=0), matrix.data.max(initial=0))
        return cls(
            *(matrix.data, matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)),
            shape=np.array(matrix.shape, dtype=np.int64),
            known=np.zeros(0, dtype=bool) if known is None else known,
            judged=counts.astype(np.int32),
            aside=np.array(aside, dtype=np.float64),
            inclusion=np.zeros(0) if inclusion is None else inclusion,
            low=np.array(low, dtype=np.float64),
            high=np.array(high, dtype=np.float64),
            design=np.array(design),
        )

    @cached_property
    def matrix(self) -> sp.csr_matrix:
        """The judgements, CSR float32 (n_users, n_items)."""
        n_users, n_items = self.shape.tolist()
        return sp.csr_matrix((self.data, self.indices, self.indptr), shape=(n_users, n_items))

    @property
    def flags(self) -> Booleans | None:
        """Whether the user knew the item of each judgement, bool (n_judgements,), if it is said."""
        return self.known if len(self.known) else None

    def _sound(self) -> bool:
        n, numbers = len(self.data), (self.aside, self.low, self.high)
        return (
            all(len(array) in (0, n) for array in (self.known, self.inclusion))
            and self.judged.shape == (sound(self.matrix).shape[0],)
            and all(np.isfinite(number) for number in numbers)
            and bool(0 < self.aside <= 1 and self.low <= self.high)
            and bool(((self.inclusion > 0) & (self.inclusion <= 1)).all())
        )


@dataclass(frozen=True)
class Attributes(_Arrays):
    """Attributes of users and items other than ratings, such as gender and year."""

    users: Texts  # (n_users, n_user_attributes): the values; empty where one is not known
    items: Texts  # (n_items, n_item_attributes)
    user_names: Texts  # (n_user_attributes,): the attributes
    item_names: Texts  # (n_item_attributes,)

    def _sound(self) -> bool:
        return all(
            values.ndim == 2 and names.shape == values.shape[1:]
            for values, names in ((self.users, self.user_names), (self.items, self.item_names))
        )


@dataclass(frozen=True)
class Rankings(_Arrays):
    """The lists of one system and the exact ranks of the test items."""

    # (n_users, depth): the first items of each user's ranking, best first, padded with -1. Those of
    # a run of another library that the dataset does not have are numbered from its n_items on.
    items: Integers32
    # (n_test,): of each test rating, in the order of the test matrix, the rank of its item among
    # all candidates that were scored for the user, from 1; 0 if it is none of them.
    ranks: Integers32
    n_ranked: Integers32  # (n_users,): candidates with a score; 0 is a user who gets no list
    n_candidates: Integers32 | None = None  # (n_users,); not known of some runs of others

    def _sound(self) -> bool:
        n_users, _ = self.items.shape
        users = (self.n_ranked, self.n_ranked if self.n_candidates is None else self.n_candidates)
        return (
            all(array.shape == (n_users,) and (array >= 0).all() for array in users)
            and self.ranks.ndim == 1
            and bool((self.ranks >= 0).all() and (self.items >= -1).all())
        )

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """That of the lists, (n_users, depth)."""
        return np.shape(self.items)

    @property
    def depth(self) -> int:
        """The length at which the lists were cut."""
        return self.shape[1]


@dataclass(frozen=True)
class Scores(_Arrays):
    """The value of every measure for every user and system."""

    values: Floats  # (n_users, n_systems, n_measures), of users with test ratings
    users: Integers32  # (n_users,): their indices in the dataset
    systems: Texts  # (n_systems,)
    measures: Texts  # (n_measures,), as nDCG@10: each an array in the file, to be read alone

    def save(self, path: Pathlike) -> None:
        """Write the scores as npz, measure by measure."""
        self.write([self], self.measures, path)

    @staticmethod
    def write(parts: Iterable["Scores"], measures: Texts, path: Pathlike) -> None:
        """Write the scores by successive measures, as `parts` yields them, as those of one file."""
        parts = iter(parts)
        first = next(parts)
        names = [("users", first.users), ("systems", first.systems), ("measures", measures)]
        columns = (
            own.values[:, :, m]
            for own in itertools.chain([first], parts)
            for m in range(len(own.measures))
        )
        values = ((_member(k), column.copy()) for k, column in enumerate(columns))
        write_arrays(itertools.chain(names, values), path)

    def parts(self) -> Iterator["Scores"]:
        """Yield the scores by successive measures; see `successive`."""
        for own in successive(self.measures, len(self.users) * len(self.systems)):
            values, measures = self.values[:, :, own], self.measures[own]
            yield Scores(values, self.users, self.systems, measures)

    def columns(self) -> Iterator[Floats]:
        """Yield the values by each measure, float64 (n_users, n_systems)."""
        for part in self.parts():
            yield from np.moveaxis(part.values, 2, 0)

    @classmethod
    def heads(cls, path: Pathlike) -> tuple[Integers32, Texts, Texts]:
        """Read users, systems and measures alone; raises RankassayError as `load` does."""
        with reading(path, cls.__name__), np.load(path, allow_pickle=False) as file:
            return file["users"], file["systems"], file["measures"]

    @classmethod
    def load(cls, path: Pathlike) -> Self:
        """Read a file of `save`; raises RankassayError for a file of another kind."""
        names = cls.heads(path)
        with reading(path, cls.__name__), np.load(path, allow_pickle=False) as file:
            return cls.within(file, *names, slice(None))

    @classmethod
    def within(
        cls,
        file: np.lib.npyio.NpzFile,
        users: Integers32,
        systems: Texts,
        measures: Texts,
        chosen: slice,
        start: int = 0,
    ) -> Self:
        """Return some of successive `measures` of an open file, the first of them at `start`."""
        places = range(len(measures))[chosen]
        values = np.empty((len(users), len(systems), len(places)))
        for column, m in enumerate(places):
            own = file[_member(start + m)]
            if own.shape != values.shape[:2]:
                raise ValueError("its arrays do not belong together")
            values[:, :, column] = own
        return cls(values, users, systems, measures[chosen])


@dataclass(frozen=True)
class Replicates(_Arrays):
    """The numbers of a result table for resampled users."""

    column: Texts  # (): the column of the table
    values: Floats  # (n_rows, n_resamples), in the order of the rows; NaN where undefined

    def _sound(self) -> bool:
        return self.column.shape == () and self.values.ndim == 2


def _member(measure: int) -> str:
    return f"values_{measure}"
