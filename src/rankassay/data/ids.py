"""Ids of users and items, which are text or whole numbers, as indices.

They are looked up once for each column; all else works on indices.
"""

import logging
from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api.types import (
    infer_dtype,
    is_any_real_numeric_dtype,
    is_object_dtype,
    is_string_dtype,
)

from rankassay.data.numbers import column_of
from rankassay.data.stored import BLANKS, noted_blanks
from rankassay.data.validation import ASCII, no_ids
from rankassay.errors import RankassayError, written
from rankassay.types import Integers

log = logging.getLogger(__name__)

FLOATS = (float, np.floating)
# bool is an int in Python.
KINDS = ((bool, None), ((int, np.integer, *FLOATS), "number"), (str, "str"))
MISSING = {type(None), type(pd.NA), type(pd.NaT)}


def texts(ids: pd.Index) -> list[str]:
    """Return ids as text: a whole number is the same in every type."""
    if is_any_real_numeric_dtype(ids.dtype):
        ids = ids.astype(np.int64) if ids.dtype.kind == "f" else ids
        return [*map(str, ids.to_list())]
    return [own if isinstance(own, str) else written(int(own)) for own in ids.to_list()]


def ids(
    what: str,
    name: str,
    column: pd.Series,
    grouped: bool = False,
    where: Callable[[int], str] = lambda row: f"row {row}",
    kept: bool = False,
) -> tuple[Integers, pd.Index]:
    """Return the index of each id, -1 if it is missing, and the ids in order of appearance.

    With `grouped`, neighbouring rows are looked up once. Blanks around ids are left out unless
    `kept`. Ids that could be taken for each other, or would never match, are refused; `where` names
    a row.
    """
    _check_types(what, name, column)
    try:
        codes, unique = _indices(column, grouped)
    except (TypeError, ValueError, NotImplementedError) as error:
        raise RankassayError(f"{what}: the {name} ids cannot be distinguished ({error}).") from None
    _check_floats(what, name, unique.to_numpy() if unique.dtype.kind == "f" else ())
    texts = [] if unique.dtype.kind in "iuf" else unique.tolist()
    text = bool(texts) and isinstance(texts[0], str)
    if text and not kept and (noted := noted_blanks(texts)):
        log.info("%s: %s", what, noted)
        own, unique = pd.factorize(np.array([one.strip(BLANKS) for one in texts], dtype=object))
        codes, unique, texts = np.append(own, -1)[codes], _index(unique), unique.tolist()
    if text and (wrong := no_ids(texts, name, blanks=ASCII)):
        code, (expected, found) = next(iter(wrong.items()))
        place = where(int(np.argmax(codes == code)))
        raise RankassayError(f"{what}, {place}: expected {expected}, found {found}; correct it.")
    return codes, unique


def by_id(
    what: str, kind: str, keys: pd.Series, numbers: npt.NDArray, wanted: pd.Index
) -> npt.NDArray:
    """Return the number that each wanted id has, NaN for none."""
    codes, known = ids(what, kind, keys)
    if len(known) < len(codes) or (codes < 0).any():
        raise RankassayError(
            f"{what}: expected each {kind} once, found some twice or without an id."
        )
    return np.append(numbers, np.nan)[places(known, wanted)]  # the last, -1, of those not there


def _check_types(what: str, name: str, column: pd.Series) -> None:
    """Raise RankassayError for ids that are neither text nor whole numbers, or some of each."""
    kind = column.dtype
    if isinstance(kind, pd.CategoricalDtype):
        column = column_of(column.cat.categories)
        kind = column.dtype
    if not is_object_dtype(kind):
        if not (is_string_dtype(kind) or is_any_real_numeric_dtype(kind)):
            raise _unexpected(what, name, f"found {kind}")
        return
    found: dict[str, object] = {}
    values = column.to_numpy()
    if infer_dtype(values, skipna=True) in ("string", "integer"):  # as most; bools are no integers
        return
    kinds = {*map(type, values)} - MISSING  # True and 1 are equal in Python, but not as ids
    for own in kinds:
        word = next((word for known, word in KINDS if issubclass(own, known)), None)
        first = next(each for each in values if type(each) is own)
        if word is None:
            raise _unexpected(what, name, f"found {written(first, repr)} ({own.__name__})")
        found.setdefault(word, first)
    if len(found) > 1:
        raise RankassayError(
            f"{what}: expected {name} ids of one type, found {written(found['number'])} (number) "
            f"and {found['str']!r} (str), which never match; make them all strings or all numbers."
        )
    if any(issubclass(own, FLOATS) for own in kinds):
        _check_floats(what, name, [each for each in values if isinstance(each, FLOATS)])


def _check_floats(what: str, name: str, numbers: Iterable) -> None:
    """Raise RankassayError for numbers that have lost digits; NaN is none."""
    for array in [numbers] if isinstance(numbers, np.ndarray) else map(np.atleast_1d, numbers):
        digits = min(np.finfo(array.dtype).nmant + 1, 53)  # whole numbers below 2^digits are held
        if (np.abs(array) >= 2**digits).any():
            raise RankassayError(
                f"{what}: found {name} ids beyond 2^{digits} as floating-point numbers, in which "
                "several are the same; give them as whole numbers or strings."
            )
        broken = array[(array != np.floor(array)) & ~np.isnan(array)]
        if len(broken):
            raise _unexpected(what, name, f"found {broken[0]}")


def _unexpected(what: str, name: str, found: str) -> RankassayError:
    return RankassayError(
        f"{what}: expected {name} ids that are text or whole numbers, {found}; write each as text."
    )


def _indices(column: pd.Series, grouped: bool) -> tuple[Integers, pd.Index]:
    if isinstance(column.dtype, pd.StringDtype) and column.dtype.storage == "python":
        column = column.to_numpy(object)  # shares the strings
    if (
        isinstance(column.dtype, np.dtype) and not column.dtype.isnative
    ):  # another machine's order of bytes
        column = column.to_numpy(column.dtype.newbyteorder("="))
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
    one = ids[i : i + 1].tolist()[0]
    return written(one.item() if isinstance(one, np.generic) else one, repr)


def flat(ids) -> npt.NDArray[np.object_]:
    """Return ids as a flat array, even where they are tuples."""
    ids = list(ids)
    array = np.empty(len(ids), dtype=object)
    array[:] = ids
    return array


def places(known: pd.Index, wanted: pd.Index) -> Integers:
    """Return the place of each wanted id among the known ones, -1 if it is none of them."""
    if known.dtype != wanted.dtype and known.dtype.kind + wanted.dtype.kind != "OO":
        # Pandas would compare numbers of two kinds as floats, after rounding.
        known, wanted = known.astype(object), wanted.astype(object)
    return known.get_indexer(wanted)
