"""Artifacts whose arrays are read from the file when they are used, for jobs that need a part."""

import os
import zipfile
from collections.abc import Iterator
from functools import cached_property
from typing import IO, Self

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings, Scores, sound
from rankassay.artifacts.files import Pathlike, reading, recorded
from rankassay.artifacts.shards import WHOLE, Shard, successive
from rankassay.types import Floats, Integers32


def map_matrix(path: Pathlike) -> sp.csr_matrix:
    """Read a matrix like `read_matrix`, but its rows only when they are used."""
    with reading(path, "a sparse matrix"):
        parts = map_arrays(path)
        content = parts["data"], parts["indices"], parts["indptr"]
        return sound(sp.csr_matrix(content, shape=tuple(parts["shape"]), copy=False))


def map_arrays(path: Pathlike) -> dict[str, np.ndarray]:
    """Return the arrays of an npz file that is not compressed, mapped into memory.

    The checksums within are looked at only if the file has no record. Arrays count as writable, for
    which alone kernels are compiled; what is written stays in this process.
    """
    arrays = {}
    with zipfile.ZipFile(path) as archive, open(path, "rb") as file:
        if recorded(path) is None and (damaged := archive.testzip()):
            raise ValueError(f"{damaged} has another checksum than it says")
        for member in archive.infolist():
            if member.compress_type != zipfile.ZIP_STORED:
                raise ValueError("its arrays are compressed")
            # A member's header: 30 bytes, the last of which are the lengths of a name and of more.
            file.seek(member.header_offset + 26)
            name, more = (int.from_bytes(file.read(2), "little") for _ in range(2))
            file.seek(name + more, os.SEEK_CUR)
            shape, fortran, dtype = _header(file)
            order = "F" if fortran else "C"
            if dtype.hasobject:
                raise ValueError("its arrays are Python objects")
            arrays[member.filename.removesuffix(".npy")] = (
                np.memmap(path, dtype, "c", file.tell(), shape, order)
                if np.prod(shape)
                else np.empty(shape, dtype)  # no file can be mapped from nothing on
            )
    return arrays


def _header(file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Return the shape of an array in a file, whether it is in Fortran's order, and its dtype."""
    version = np.lib.format.read_magic(file)
    return getattr(np.lib.format, "read_array_header_{}_{}".format(*version))(file)


class StoredRankings(Rankings):
    """Rankings in a file, whose lists are read, and checked, each time that they are asked for.

    The lists take most of the memory, and judged items need their ranks alone.
    """

    path: Pathlike

    @classmethod
    def load(cls, path: Pathlike) -> Self:
        """Read all but the lists; raises RankassayError when the file is none of this kind."""
        found = cls.__new__(cls)
        with reading(path, "Rankings"), np.load(path, allow_pickle=False) as file:
            names = {"ranks", "n_ranked", "n_candidates"} & {*file.files}
            own = {"n_candidates": None} | {name: file[name] for name in names}
            with file.zip.open("items.npy") as member:
                shape, _, _ = _header(member)
            if len(shape) != 2:
                raise ValueError("its arrays do not belong together")
            # Of the lists only the shape is known: an empty one for each user replaces them.
            empty = np.empty((shape[0], 0), dtype=np.int32)
            if {*file.files} - names != {"items"} or not Rankings(empty, **own)._sound():
                raise ValueError("its arrays do not belong together")
        # What `__init__` would set, but for the lists.
        vars(found).update(own, path=path, shape=shape)
        return found

    @property
    def items(self) -> Integers32:  # type: ignore[override]
        """See `Rankings`; raises RankassayError when the file is none of this kind."""
        return Rankings.load(self.path).items


class StoredScores(Scores):
    """Scores in a file, whose values are read when they are first asked for, or part by part."""

    path: Pathlike
    first: int  # the place of its first measure in the file

    @classmethod
    def load(cls, path: Pathlike, shard: Shard = WHOLE) -> Self:
        """Read all but the values; of a shard, only its share of the measures is there."""
        users, systems, measures = Scores.heads(path)
        own = shard.of(len(measures))
        found = cls.__new__(cls)
        vars(found).update(users=users, systems=systems, path=path)
        vars(found).update(measures=measures[own.start : own.stop], first=own.start)
        return found

    @cached_property
    def values(self) -> Floats:  # type: ignore[override]
        """See `Scores`; raises RankassayError when the file is none of this kind."""
        with reading(self.path, "Scores"), np.load(self.path, allow_pickle=False) as file:
            return self._within(file, slice(0, len(self.measures))).values

    def parts(self) -> Iterator[Scores]:
        """Read and yield the scores by successive measures; see `successive`."""
        with reading(self.path, "Scores"), np.load(self.path, allow_pickle=False) as file:
            for chosen in successive(self.measures, len(self.users) * len(self.systems)):
                yield self._within(file, chosen)

    def _within(self, file: np.lib.npyio.NpzFile, chosen: slice) -> Scores:
        """Return some of its measures, of the open file."""
        return Scores.within(file, self.users, self.systems, self.measures, chosen, self.first)
