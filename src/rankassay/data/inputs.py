"""Arguments of public functions: one strict layer before all computation.

Objects of other libraries are opened, known by where their classes are defined: none is imported.
A value of another type, out of range or not finite ends in one line with the parameter's name, what
was expected and what was found; nothing is rounded, cut off or turned into something else.
"""

import math
import os
import resource
import sys
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from rankassay.data.numbers import exactly, is_held
from rankassay.errors import RankassayError, has_code, shortened, written
from rankassay.metrics.names import named_by
from rankassay.types import Floats

EXACT = 2**53  # float64 holds all whole numbers up to here


def opened(source: object) -> object:
    """Return the content of other libraries' objects, and anything else as it is.

    Frames of Polars become those of pandas, which lose their `attrs`: operations would copy them.
    """
    library = type(source).__module__.partition(".")[0]
    if library not in _INSIDE:
        return source
    try:
        return _INSIDE[library](source)
    except Exception as error:  # anything, as for a lazy frame that cannot be made
        found = (str(error).splitlines() or [""])[0]
        raise RankassayError(
            f"expected what {library} can read, found a {type(source).__name__} that it cannot "
            f"({type(error).__name__}: {found}); look at it with {library} first."
        ) from error


def _of_pandas(thing: Any) -> Any:
    kind = next((kind for kind in (pd.DataFrame, pd.Series) if isinstance(thing, kind)), None)
    return kind(thing) if kind and thing.attrs else thing


def _of_polars(frame: Any) -> Any:
    frame = frame.collect() if hasattr(frame, "collect") else frame
    if not hasattr(frame, "columns"):
        return frame
    # Polars' own way to pandas needs pyarrow.
    return pd.DataFrame({name: _column(frame[name]) for name in frame.columns})


def _column(own: Any) -> Any:
    """Return a column of Polars: single precision stays, and whole numbers are not rounded."""
    values = own.to_list()
    if str(getattr(own, "dtype", "")) == "Float32":
        return np.array(values, dtype=np.float32)
    large = any(isinstance(each, int) and abs(each) > EXACT for each in values)
    return pd.Series(values, dtype=object if large else None)


def _of_ranx(source: Any) -> Any:
    nested = getattr(source, "run", getattr(source, "qrels", None))
    return source if nested is None else {user: {**items} for user, items in nested.items()}


GREATEST = sys.float_info.max
LEVEL = 1 - 2**-52  # above, 1 less half of the rest is 1
DIMENSIONS = 8  # of lists in lists; no function takes more than three
LONGEST_PATH = 3840  # bytes, of the 4096 of Linux: a folder has room for names of results
MOST = 2**31 - 1  # what arrays hold lengths and numbers of items in


def whole(name: str, value: object, least: int = 0, most: int = MOST) -> int:
    """Return a whole number in a range, such as 3 or 1e5; raises RankassayError for another."""
    value = _plain(value)
    # Compared first: NaN and infinity are out of range, and no float holds the largest integers.
    if _is_number(value) and least <= value <= most and value == int(value):
        return int(value)
    raise _unexpected(name, f"a whole number from {least} to {most}", value)


def number(name: str, value: object, low: float = -math.inf, high: float = math.inf) -> float:
    """Return a finite number, strictly between the bounds if any, that float64 holds."""
    value = _plain(value)
    most = EXACT if isinstance(value, Integral) else GREATEST
    between = "" if math.isinf(low) else f" between {low} and {high}"
    if _is_number(value) and -most <= value <= most and low < value < high:
        found = float(value)
        if low < found < high and is_held(exactly(value), found):
            return found
        between += f" that float64 can tell from {found}"
    raise _unexpected(name, f"a finite number{between}", value)


def level(name: str, value: object) -> float:
    """Return the level of an interval or a test, with tails that float64 tells from none."""
    found = number(name, value, 0, 1)
    if not 1 - LEVEL <= found <= LEVEL:
        raise _unexpected(name, f"a level between 0 and 1, from {1 - LEVEL} to {LEVEL}", value)
    return found


def check_memory(name: str, count: int, size: int) -> None:
    """Raise RankassayError if `n` things of this number of bytes each do not fit into memory."""
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    there = there if limit == resource.RLIM_INFINITY else min(there, limit)
    if count * size > there:
        raise RankassayError(
            f"{name}: {count} would take {count * size / 1e9:.1f} GB of memory, of "
            f"{there / 1e9:.1f} GB here; give fewer."
        )


def flag(name: str, value: object) -> bool:
    """Return a truth value."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise _unexpected(name, "True or False", value)


def names(name: str, value: object) -> list[str]:
    """Return names; one may stand alone. Raises RankassayError for none."""
    value = named_by(value)
    found = _listed([value] if isinstance(value, str) else value, _is_name)
    if found:
        return [str(named_by(each)) for each in found]
    raise _unexpected(name, "one or more names as strings", value)


def percentages(name: str, value: object) -> list[float]:
    """Return percentages from 1 to 100; 0.5 is one half, and not half a percent."""
    check_memory(name, _length(value), 8)
    levels = [*map(_plain, _listed(value, _is_percentage))]
    if not levels:
        raise _unexpected(name, "percentages from 1 to 100, such as [100, 50]", value)
    return [each if isinstance(each, int | float) else number(name, each) for each in levels]


def path(name: str, value: object) -> str:
    """Return a path as text."""
    if isinstance(value, str | os.PathLike):
        found = os.fspath(value)
        if isinstance(found, str) and found and "\0" not in found and _is_short(found):
            return found
    raise _unexpected(name, "the path of a file", value)


def _is_short(path: str) -> bool:
    """Whether a system's calls take a path, and each part of up to 255 bytes."""
    try:
        parts = [len(os.fsencode(part)) for part in path.split(os.sep)]
        return max(parts) <= 255 and sum(parts) + len(parts) <= LONGEST_PATH
    except UnicodeEncodeError:
        return False


def text(name: str, value: object) -> str:
    """Return a text that is not empty."""
    if isinstance(value, str) and value:
        return str(value)
    raise _unexpected(name, "a text", value)


def frame(name: str, value: object, *columns: str) -> pd.DataFrame:
    """Return a frame of pandas or Polars that has each of some columns once."""
    value = opened(value)
    if not isinstance(value, pd.DataFrame):
        wanted = f" with the columns {', '.join(columns)}" if columns else ""
        raise _unexpected(name, f"a frame{wanted}", value)
    found = [*map(written, value.columns)]
    if value.columns.nlevels > 1 or any([*value.columns].count(column) != 1 for column in columns):
        raise RankassayError(
            f"{name}: expected each of the columns {', '.join(columns)} once, found "
            f"{', '.join(found) or 'none'}; rename, add or drop some."
        )
    return value


def array(name: str, value: object) -> Floats:
    """Return an array of numbers, float64; NaN stands for none, and infinity is refused."""
    value = opened(value)
    _check_lists(name, value)
    try:
        check_memory(name, _length(value), 8)
        given = np.asarray(value)
        check_memory(name, given.size, 8)
        if given.dtype == np.float64 and (np.abs(given) >= EXACT).any():
            given = _unmixed(value)
        if given.dtype == object:
            sound = all(map(_is_number, given.ravel()))
        else:
            sound = given.dtype.kind in "iuf"
        with np.errstate(over="ignore"):  # numbers that are then infinite are refused
            found = given.astype(np.float64) if sound else None
    except (TypeError, ValueError, OverflowError):
        found = None
    if found is None:
        raise _unexpected(name, "an array of numbers", value)
    _check_held(name, given, found)
    if np.isinf(found).any():
        raise RankassayError(f"{name}: expected finite numbers, or NaN for none; found infinity.")
    return found


def is_whole(value: object) -> bool:
    """Whether all numbers of an array are whole by their type, so that none was rounded."""
    own = _unmixed(opened(value))
    if own.dtype != object:
        return own.dtype.kind in "iu"
    return all(isinstance(each, Integral) or each != each for each in own.ravel())


def _unmixed(value: object) -> npt.NDArray:
    """Return numbers unchanged: numpy would turn several types into floating-point numbers."""
    if isinstance(value, pd.DataFrame) and value.dtypes.nunique() > 1:
        return value.astype(object).to_numpy()
    return np.asarray(value, dtype=None if hasattr(value, "__array__") else object)


def _check_held(name: str, given: npt.NDArray, found: Floats) -> None:
    """Raise RankassayError for a number that float64 takes for another."""
    own, floats = given.ravel(), found.ravel()
    doubtful = ~np.isnan(floats)
    if given.dtype != object:
        doubtful &= np.abs(floats) >= EXACT if given.dtype.kind in "iu" else own != floats
    for each, number in zip(own[doubtful], floats[doubtful], strict=True):
        if not is_held(exactly(_plain(each)), float(number)):
            raise RankassayError(
                f"{name}: expected numbers that float64 holds, found {_plain(each)!r}; round it "
                "or subtract what all have in common."
            )


def _check_lists(name: str, value: object) -> None:
    """Raise RankassayError for masked arrays, alone or in lists, and for lists without an end."""
    inner = [value]
    for _ in range(DIMENSIONS):
        if any(isinstance(each, np.ma.MaskedArray) for each in inner):
            raise RankassayError(
                f"{name}: expected an array without a mask, found a masked one; put NaN where "
                "a value is missing, as with values.filled(numpy.nan)."
            )
        lists = {id(each): each for each in inner if isinstance(each, list | tuple)}
        inner = [each for own in lists.values() for each in own]
    if inner:
        raise _unexpected(name, "an array of numbers", value)


def _length(value: object) -> int:
    try:
        return len(value)  # type: ignore[arg-type]
    except (TypeError, OverflowError):  # scipy's matrices have none
        return 0


def _listed(value: object, is_sound: Callable[[object], bool]) -> list:
    """Return an iterable as a list, and an empty one if any element is not sound."""
    found: list = []
    try:
        for each in () if isinstance(value, str | bytes) else value:  # type: ignore[attr-defined]
            if not is_sound(each):  # no more is looked at: there may be no end
                return []
            found.append(each)
    except TypeError:
        return []
    return found


def _is_name(value: object) -> bool:
    value = named_by(value)
    return isinstance(value, str) and has_code(value)


def _is_percentage(value: object) -> bool:
    value = _plain(value)
    return _is_number(value) and 1 <= value <= 100


def _plain(value: object) -> object:
    """Return a number of numpy's as Python's: numpy would round what it is compared with."""
    return value.item() if isinstance(value, np.generic) else value


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def _unexpected(name: str, expected: str, value: object) -> RankassayError:
    found = f"{shortened(value)} ({type(value).__name__})"
    return RankassayError(f"{name}: expected {expected}, found {found}.")


_INSIDE: dict[str, Callable[[Any], Any]] = {
    "lenskit": lambda lists: lists.to_df() if hasattr(lists, "to_df") else lists,
    "pandas": _of_pandas,
    "polars": _of_polars,
    "ranx": _of_ranx,
    "recpack": lambda matrix: getattr(matrix, "values", matrix),
    "torch": lambda tensor: tensor.numpy(force=True) if hasattr(tensor, "numpy") else tensor,
}
