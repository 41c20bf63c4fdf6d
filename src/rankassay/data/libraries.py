"""The objects of other libraries, known by where their classes are defined: none is imported."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from rankassay.errors import RankassayError

EXACT = 2**53  # float64 holds all whole numbers up to here


def opened(source: object) -> object:
    """Return the content of other libraries' objects, and anything else as it is.

    Frames of Polars become those of pandas. Those of pandas lose their `attrs`, which any operation
    would copy or compare. Raises RankassayError where a library refuses.
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


_INSIDE: dict[str, Callable[[Any], Any]] = {
    "lenskit": lambda lists: lists.to_df() if hasattr(lists, "to_df") else lists,
    "pandas": _of_pandas,
    "polars": _of_polars,
    "ranx": _of_ranx,
    "recpack": lambda matrix: getattr(matrix, "values", matrix),
    "torch": lambda tensor: tensor.numpy(force=True) if hasattr(tensor, "numpy") else tensor,
}
