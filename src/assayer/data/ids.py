"""Ids of users and items, of any kind, as indices: numbers, strings, tuples.

They are looked up once for each column; all else works on indices.
"""

from numbers import Number

import numpy as np
import numpy.typing as npt
import pandas as pd

from assayer.errors import AssayerError
from assayer.types import Integers


def ids(
    what: str, name: str, column: pd.Series, grouped: bool = False
) -> tuple[Integers, pd.Index]:
    """Return the index of each id, -1 if it is missing, and the ids in order of appearance.

    `grouped` says that the same id is likely to stand in neighbouring rows: only the first of them
    is then looked up. Raises AssayerError for ids that could be taken for each other or would never
    match.
    """
    try:
        codes, unique = _indices(column, grouped)
    except TypeError as error:
        raise AssayerError(f"{what}: the {name} ids cannot be told apart ({error}).") from None
    _check_ids(what, name, unique)
    return codes, unique


def _check_ids(what: str, name: str, unique: pd.Index) -> None:
    """Raise AssayerError for ids of several types, and for numbers that have lost digits."""
    if unique.dtype == object:
        kinds: dict[str, object] = {}
        for own in unique:
            kinds.setdefault(_kind(own), own)
        if len(kinds) > 1:
            (one, first), (other, second), *_ = kinds.items()
            raise AssayerError(
                f"{what}: expected {name} ids of one type, found {first!r} ({one}) and "
                f"{second!r} ({other}), which never match; make them all strings or all numbers."
            )
    if unique.dtype.kind == "f" and (np.abs(unique.to_numpy()) >= 2**53).any():
        raise AssayerError(
            f"{what}: found {name} ids beyond 2^53 as floating-point numbers, in which several are "
            "the same; give them as whole numbers or strings."
        )


def _kind(own: object) -> str:
    """Return the kind of an id in words; ids of two kinds are never equal."""
    for kind, word in ((Number, "number"), (str, "str")):
        if isinstance(own, kind):
            return word
    return type(own).__name__


def _indices(column: pd.Series, grouped: bool) -> tuple[Integers, pd.Index]:
    if isinstance(column.dtype, pd.StringDtype) and column.dtype.storage == "python":
        column = column.to_numpy(object)  # shares the strings
    if column.dtype == object and grouped and len(column):
        ids = np.asarray(column)
        first = np.flatnonzero(np.append(True, np.asarray(ids[1:] != ids[:-1], dtype=bool)))
        codes, unique = pd.factorize(ids[first])
        codes = np.repeat(codes, np.diff(np.append(first, len(ids))))
    else:
        codes, unique = pd.factorize(column)
    return codes.astype(np.int64, copy=False), _index(np.asarray(unique))


def _index(ids: npt.NDArray) -> pd.Index:
    return pd.Index(ids, tupleize_cols=False)


def shown(ids: pd.Index, i: int) -> str:
    """Return an id as it is written in Python, without numpy's type."""
    return repr(ids[i : i + 1].tolist()[0])


def flat(ids) -> npt.NDArray[np.object_]:
    """Return ids as a flat array, even where they are tuples."""
    ids = list(ids)
    array = np.empty(len(ids), dtype=object)
    array[:] = ids
    return array


def places(known: pd.Index, wanted: pd.Index) -> Integers:
    """Return the place of each wanted id among the known ones, -1 if it is none of them."""
    if known.dtype != wanted.dtype and known.dtype.kind + wanted.dtype.kind != "OO":
        # Of numbers of two kinds, pandas would compare what is left of them as floats.
        known, wanted = known.astype(object), wanted.astype(object)
    return known.get_indexer(wanted)
