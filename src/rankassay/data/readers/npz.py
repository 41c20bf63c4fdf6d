"""A sparse matrix of users by items, as `scipy.sparse.save_npz` writes it."""

import io
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from rankassay.data import archives
from rankassay.data.matrices import entries
from rankassay.data.opening import ENTRY, FLOOR, MOST_PACKED, Source, open_bytes
from rankassay.data.stored import Column, Stored
from rankassay.errors import RankassayError

DAMAGED = (*archives.DAMAGED, KeyError, TypeError, AttributeError, OSError, MemoryError)


def read(path: Source, described: Mapping[str, Any]) -> Stored:
    """Read a row for each entry; users and items have the numbers of rows and columns from 0."""
    row, column, numbers = entries(_loaded(path), str(path))
    if numbers.dtype.kind not in "iufb":
        raise RankassayError(
            f"{path}: expected a matrix of numbers, found one of the type {numbers.dtype}; "
            "correct the file."
        )
    numbers = numbers.astype(np.int8) if numbers.dtype.kind == "b" else numbers
    found: dict[str, Column | npt.NDArray] = {"user": _coded(row), "item": _coded(column)}
    for role in described["columns"].keys() - found.keys():
        found[role] = _coded(numbers) if role == "rating" else numbers.astype(np.float64)
    return Stored(
        path,
        found,
        lambda at: f"row {row[at]}, column {column[at]}",
        cure=described.get("cure", ENTRY),
    )


def names(path: Source) -> list[str]:
    """Return what columns the entries are, in judgements and in runs."""
    return ["user", "item", "rating", "score"]


def _coded(values: npt.NDArray) -> Column:
    """Return a column by its distinct values, numbers of less precision as such."""
    distinct, codes = np.unique(values, return_inverse=True)
    narrow = distinct.dtype in (np.float16, np.float32)
    return Column(codes, [*distinct] if narrow else distinct.tolist())


def _loaded(path: Source) -> Any:
    """Return the matrix; nothing in it is run, and it unpacks to what a file may."""
    try:
        with open_bytes(path, text=False) as file:
            content = io.BytesIO(file.read())
        with zipfile.ZipFile(content) as archive:
            if "format.npy" not in archive.namelist():
                raise ValueError("it holds other arrays")
            size = sum(info.file_size for info in archive.infolist())
        if size > max(FLOOR, MOST_PACKED * content.getbuffer().nbytes):
            raise ValueError(f"{size / 1e6:.0f} MB unpacked, more than {MOST_PACKED:,}-fold")
        return sp.load_npz(content)
    except DAMAGED as error:
        problem = " ".join(str(error).split())[:200]
        raise RankassayError(
            f"{path}: expected a sparse matrix as scipy.sparse.save_npz writes it, found another "
            f"file or a damaged one ({problem}); write it anew."
        ) from error
