"""Judgements and runs in the forms that people have them in; each form is read in one place.

All public functions read what they are given by `rows_of`. The objects of other libraries are known
by where their classes are defined, so that none of these libraries is imported here.
"""

import itertools
import os
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp

from assayer.data.frames import Rows
from assayer.data.ids import flat
from assayer.data.numbers import column_of
from assayer.data.opening import Lines, Source
from assayer.data.tables import named, read
from assayer.errors import AssayerError


class _Matrix(Protocol):
    def tocoo(self) -> Any: ...


class _Polars(Protocol):
    def get_columns(self) -> Any: ...


class _Lists(Protocol):
    def to_df(self) -> Any: ...


# What type checkers accept as judgements and as one run; what is sound is checked when it is read.
QrelsSource = (
    pd.DataFrame
    | Mapping[Any, Mapping[Any, float]]
    | str
    | os.PathLike[str]
    | Sequence[Any]
    | Iterator[Any]
    | _Matrix
    | _Polars
    | _Lists
)
RunSource = QrelsSource | Mapping[Any, Sequence[Any]] | npt.NDArray[Any]

FORMS = {
    "rating": "a frame with the columns user, item, rating, a dict {user: {item: rating}}, the "
    "path of a file, its lines, triples (user, item, rating) or a sparse matrix",
    "score": "a frame with the columns user, item, score, a dict {user: {item: score}}, the path "
    "of a file, its lines, triples (user, item, score), a sparse matrix, or an array of each "
    "user's items, best first",
}


def rows_of(source: object, what: str, value: str) -> Rows:
    """Return the rows of judgements or of a run, whatever form they have.

    The forms are

    - a frame of pandas or Polars, with the columns that `assayer.data.tables.named` knows;
    - a dict {user: {item: number}}, and for a run {user: items, best first};
    - the path of a file that `assayer.data.tables.read` reads, or the lines of one;
    - triples of user, item and number;
    - a scipy matrix of users by items, whose stored entries count even where they are 0;
    - for a run, an array (n_users, k) of items, best first, where negative numbers are no items;
    - what a library has them in: ranx' Qrels and Run, LensKit's ItemListCollection, RecPack's
      InteractionMatrix, and tensors of PyTorch.

    Users of matrices and arrays, and items of matrices, are row and column numbers.

    Parameters
    ----------
    source : object
    what : str
        What the rows are, for messages.
    value : {"rating", "score"}
        What stands beside user and item: judgements have ratings, and runs have scores.

    Raises
    ------
    AssayerError
        For what has none of these forms, and for rows that are not sound.
    """
    source = opened(source)
    if isinstance(source, str | os.PathLike):
        try:
            return _of_file(source, str(source), value)
        except OSError as error:
            raise AssayerError(f"{what}: no TREC file can be read at {source} ({error}).") from None
    if isinstance(source, pd.DataFrame):
        return Rows.of_frame(named(source, value), what, value)
    if isinstance(source, Mapping):
        if value == "score" and isinstance(next(iter(source.values()), None), _ORDERED):
            return _of_lists(source, what)
        return Rows.of_dictionary(source, what, value)
    if sp.issparse(source):
        entries = sp.coo_array(source)
        return _of_columns((entries.row, entries.col, entries.data), what, value)
    if value == "score" and isinstance(source, np.ndarray) and source.ndim == 2:
        return _of_array(source, what)
    if isinstance(source, Iterable) and not isinstance(source, np.ndarray | bytes | Set):
        return _of_iterable(iter(source), what, value)
    raise _unexpected(what, value, source)


def several(source: object) -> bool:
    """Say whether this is a mapping from names to runs, and not one run: from users to items."""
    if isinstance(source, Mapping):
        for each in map(opened, source.values()):
            if not (isinstance(each, Mapping | list | tuple) and not each):  # these tell nothing
                return _is_run(each)
    return False


def opened(source: object) -> object:
    """Return what is inside the objects of other libraries, and anything else as it is."""
    library = type(source).__module__.partition(".")[0]
    return _INSIDE[library](source) if library in _INSIDE else source


_ORDERED = list | tuple | np.ndarray


def _of_polars(frame: Any) -> Any:
    frame = frame.collect() if hasattr(frame, "collect") else frame
    if not hasattr(frame, "columns"):
        return frame
    # Polars' own way to pandas needs pyarrow.
    return pd.DataFrame({name: frame[name].to_list() for name in frame.columns})


def _of_ranx(source: Any) -> Any:
    nested = getattr(source, "run", getattr(source, "qrels", None))
    return source if nested is None else {user: {**items} for user, items in nested.items()}


_INSIDE: dict[str, Callable[[Any], Any]] = {
    "lenskit": lambda lists: lists.to_df() if hasattr(lists, "to_df") else lists,
    "polars": _of_polars,
    "ranx": _of_ranx,
    "recpack": lambda matrix: getattr(matrix, "values", matrix),
    "torch": lambda tensor: tensor.numpy(force=True) if hasattr(tensor, "numpy") else tensor,
}


def _is_run(each: object) -> bool:
    """Say whether this, which stands in a mapping, is a run, and not the items of a user."""
    if isinstance(each, Mapping):
        return isinstance(next(iter(each.values())), Mapping | _ORDERED)
    if isinstance(each, np.ndarray):
        return each.ndim > 1
    if isinstance(each, list | tuple):
        return isinstance(each[0], tuple) and len(each[0]) == 3
    return not isinstance(each, float | int | np.generic | None)


def _of_file(path: Source, what: str, value: str) -> Rows:
    return Rows.of_frame(read(path, value), what, value)


def _of_columns(columns: tuple[Any, Any, Any], what: str, value: str) -> Rows:
    """Return the rows of a column of users, one of items and one of numbers."""
    columns = tuple(column_of(each) if isinstance(each, list) else each for each in columns)
    frame = pd.DataFrame(dict(zip(("user", "item", value), columns, strict=True)))
    return Rows.of_frame(frame, what, value)


def _of_array(items: npt.NDArray[Any], what: str) -> Rows:
    """Return the rows of an array (n_users, k) of items, best first."""
    user, place = np.indices(items.shape)
    listed = items >= 0 if items.dtype.kind in "iu" else np.full(items.shape, True)
    frame = pd.DataFrame({"user": user[listed], "item": items[listed], "rank": place[listed]})
    return Rows.of_frame(frame, what, "score")


def _of_lists(nested: Mapping[Any, Any], what: str) -> Rows:
    """Return the rows of {user: items, best first}; they have places, and no scores."""
    for user, items in nested.items():
        if not isinstance(items, _ORDERED) or getattr(items, "ndim", 1) != 1:
            raise AssayerError(
                f"{what}: expected the items of user {user!r} as a list, best first, found "
                f"{reprlib.repr(items)} ({type(items).__name__})."
            )
    lists = [
        items.tolist() if isinstance(items, np.ndarray) else items for items in nested.values()
    ]
    lists = [[i for i in items if not (isinstance(i, int) and i < 0)] for items in lists]
    rank = itertools.chain.from_iterable(range(len(items)) for items in lists)
    columns = {
        "user": np.repeat(flat(nested), [len(items) for items in lists]),
        "item": flat(itertools.chain.from_iterable(lists)),
        "rank": np.fromiter(rank, dtype=np.int64),
    }
    return Rows.of_frame(pd.DataFrame(columns), what, "score")


def _of_iterable(entries: Iterator[Any], what: str, value: str) -> Rows:
    """Return the rows of the lines of a file, or of triples."""
    first = next(entries, None)
    entries = iter([]) if first is None else itertools.chain([first], entries)
    if isinstance(first, str):
        text = "\n".join(_lines(entries, what))
        return _of_file(Lines(what, text.encode()), what, value)
    triples = [*entries]
    for number, triple in enumerate(triples):
        # The judgements of ir_measures have a fourth part, the iteration, which says nothing.
        if not isinstance(triple, tuple | list) or len(triple) not in (3, 4):
            raise AssayerError(
                f"{what}: expected {FORMS[value]}; found {reprlib.repr(triple)} "
                f"({type(triple).__name__}) at place {number}."
            )
    return _of_columns(tuple([t[i] for t in triples] for i in range(3)), what, value)


def _lines(entries: Iterator[Any], what: str) -> Iterator[str]:
    """Yield lines without what ends them; raises AssayerError for what is no line of text."""
    for number, line in enumerate(entries, start=1):
        if not isinstance(line, str):
            raise AssayerError(
                f"{what}, line {number}: expected text, found {reprlib.repr(line)} "
                f"({type(line).__name__})."
            )
        yield line.rstrip("\r\n")


def _unexpected(what: str, value: str, source: object) -> AssayerError:
    found = type(source).__name__
    return AssayerError(f"{what}: expected {FORMS[value]}; found {found}.")
