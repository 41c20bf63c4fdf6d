"""Artifacts whose arrays are read from the file when they are used, for jobs that need a part."""

import os
import zipfile

import numpy as np
import scipy.sparse as sp

from assayer.artifacts.arrays import sound
from assayer.artifacts.checksums import recorded
from assayer.artifacts.files import Pathlike, reading


def map_matrix(path: Pathlike) -> sp.csr_matrix:
    """Read a matrix like `read_matrix`, but its rows only when they are used."""
    with reading(path, "a sparse matrix"):
        parts = map_arrays(path)
        content = parts["data"], parts["indices"], parts["indptr"]
        return sound(sp.csr_matrix(content, shape=tuple(parts["shape"]), copy=False))


def map_arrays(path: Pathlike) -> dict[str, np.ndarray]:
    """Return the arrays of an npz file that is not compressed, mapped into memory.

    For jobs that need a part of the rows. The checksum of the whole file is checked before
    (`assayer.artifacts.checksums`); only if it has no record, the checksums in the file are looked
    at. The arrays count as writable, for which alone kernels are compiled; what is written stays
    in this process.
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
            version = np.lib.format.read_magic(file)
            header = getattr(np.lib.format, "read_array_header_{}_{}".format(*version))
            shape, fortran, dtype = header(file)
            order = "F" if fortran else "C"
            if dtype.hasobject:
                raise ValueError("its arrays are Python objects")
            arrays[member.filename.removesuffix(".npy")] = (
                np.memmap(path, dtype, "c", file.tell(), shape, order)
                if np.prod(shape)
                else np.empty(shape, dtype)  # no file can be mapped from nothing on
            )
    return arrays
