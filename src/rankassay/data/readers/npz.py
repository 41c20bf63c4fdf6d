"""Sparse matrices of scipy as rows, columns and numbers: in memory, and as `save_npz` writes them.

scipy checks that the arrays of a matrix fit each other when it is made, and not when it is used:
its compiled code would read beyond their ends. None of it is called here.
"""

import io
import zipfile
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from rankassay.data.opening import ENTRY, FLOOR, MOST_PACKED, Source, open_bytes
from rankassay.data.stored import Column, Stored
from rankassay.errors import RankassayError, number_of, written

Entries = tuple[npt.NDArray, npt.NDArray, npt.NDArray]


def entries(matrix: Any, what: str) -> Entries:
    """Return the row, column and number of each stored entry of a sparse matrix."""
    try:
        if matrix.ndim != 2:
            raise ValueError(f"the shape is {matrix.shape}")
        row, column, numbers = _READERS[matrix.format](matrix)
        for name, index, size in zip(("row", "column"), (row, column), matrix.shape, strict=True):
            _check_range(name, index, size)
        if isinstance(numbers, np.ma.MaskedArray):
            raise ValueError("data has a mask")
        return row, column, numbers
    except (TypeError, ValueError, AttributeError, IndexError, KeyError, OverflowError) as error:
        raise RankassayError(
            f"{what}: expected a sparse matrix of users by items whose arrays fit each other, "
            f"found one of the format {matrix.format} in which {written(error)}; make it again, "
            "for instance by scipy.sparse.coo_array((numbers, (rows, columns)))."
        ) from None


def _of_compressed(matrix: Any) -> Entries:
    """Return the entries of a CSR or CSC matrix."""
    by_column = matrix.format == "csc"
    major, minor, numbers = _pointed(matrix, matrix.shape[by_column], dimensions=1)
    return (minor, major, numbers) if by_column else (major, minor, numbers)


def _of_blocks(matrix: Any) -> Entries:
    """Return the entries of a BSR matrix, without zeros, which fill blocks."""
    height, width = matrix.blocksize
    if not height or not width:
        raise ValueError(f"blocks have the shape {(height, width)}")
    major, minor, blocks = _pointed(matrix, matrix.shape[0] // height, dimensions=3)
    row = (height * major)[:, None, None] + np.arange(height)[:, None]
    column = (width * minor.astype(np.int64))[:, None, None] + np.arange(width)
    there = np.nonzero(blocks)
    return *(np.broadcast_to(own, blocks.shape)[there] for own in (row, column)), blocks[there]


def _pointed(matrix: Any, n: int, dimensions: int) -> Entries:
    """Return the row of each entry, the indices and the numbers."""
    start, index = _whole("indptr", matrix.indptr), _whole("indices", matrix.indices)
    if len(start) != n + 1:
        raise ValueError(f"indptr has {number_of(len(start), 'number')} in place of {n + 1:,}")
    if start[0] != 0 or start[-1] > len(index) or (start[1:] < start[:-1]).any():
        raise ValueError(f"indptr does not rise from 0 to at most {len(index)}, the indices")
    _check_shape(matrix.data, dimensions, len(index))
    last = int(start[-1])  # there may be room for more
    count = np.diff(start)
    filled = np.flatnonzero(count)  # of many rows, few may be
    row = np.repeat(filled, count[filled].astype(np.int64))
    return row, index[:last], matrix.data[:last]


def _of_coordinates(matrix: Any) -> Entries:
    row, column = _whole("row", matrix.row), _whole("col", matrix.col)
    if len(row) != len(column):
        raise ValueError(f"row has {number_of(len(row), 'number')}, and col {len(column)}")
    _check_shape(matrix.data, 1, len(row))
    return row, column, matrix.data


def _of_lists(matrix: Any) -> Entries:
    """Return the entries of a LIL matrix."""
    lengths = [[len(own) for own in each] for each in (matrix.rows, matrix.data)]
    if len(lengths[0]) != matrix.shape[0] or lengths[0] != lengths[1]:
        raise ValueError("rows and data are not lists of the same lengths, one for each row")
    column, numbers = ([*chain.from_iterable(each)] for each in (matrix.rows, matrix.data))
    index = _whole("rows", np.array(column)) if column else np.empty(0, dtype=np.int64)
    numbers = np.array(numbers, dtype=matrix.dtype)
    _check_shape(numbers, 1, len(index))
    return np.repeat(np.arange(len(lengths[0])), lengths[0]), index, numbers


def _of_diagonals(matrix: Any) -> Entries:
    """Return the entries of a DIA matrix, without zeros, which stand where there is none."""
    offsets = _whole("offsets", matrix.offsets)
    _check_shape(matrix.data, 2, len(offsets))
    column = np.broadcast_to(np.arange(matrix.data.shape[1]), matrix.data.shape)
    row = column - offsets[:, None].astype(np.int64)
    there = (row >= 0) & (row < matrix.shape[0]) & (column < matrix.shape[1]) & (matrix.data != 0)
    return row[there], column[there], matrix.data[there]


def _whole(name: str, array: object) -> npt.NDArray:
    """Return a flat array of whole numbers without a mask; raises ValueError for another."""
    flat = isinstance(array, np.ndarray) and array.ndim == 1 and array.dtype.kind in "iu"
    if not flat or isinstance(array, np.ma.MaskedArray):
        raise ValueError(f"{name} is no flat array of whole numbers")
    return array


def _check_shape(data: npt.NDArray, dimensions: int, length: int) -> None:
    if data.ndim != dimensions or len(data) != length:
        raise ValueError(f"data has the shape {data.shape}, and there are {length} indices")


def _check_range(name: str, index: npt.NDArray, size: int) -> None:
    wrong = index[(index < 0) | (index >= size)]
    if len(wrong):
        raise ValueError(f"{name} {wrong[0]} is none of {size}, which are counted from 0")


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
    except RankassayError:
        raise
    except Exception as error:  # zipfile, its decompressors and numpy have many
        problem = " ".join(str(error).split())[:200]
        raise RankassayError(
            f"{path}: expected a sparse matrix as scipy.sparse.save_npz writes it, found another "
            f"file or a damaged one ({problem}); write it anew."
        ) from error


_READERS: dict[str, Callable[[Any], Entries]] = {
    "bsr": _of_blocks,
    "coo": _of_coordinates,
    "csc": _of_compressed,
    "csr": _of_compressed,
    "dia": _of_diagonals,
    "dok": lambda matrix: _of_coordinates(matrix.tocoo(copy=False)),  # keys of a dictionary
    "lil": _of_lists,
}
