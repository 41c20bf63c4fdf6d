"""Judgements and runs in the forms that people have them in; each form is read in one place.

All public functions read their inputs with `rows_of`.
"""

import itertools
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from numbers import Real
from typing import Any, Protocol, TypeGuard

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp

from rankassay.data import inputs, tables
from rankassay.data.columns import check_users, named
from rankassay.data.entries import named_runs
from rankassay.data.frames import Rows
from rankassay.data.ids import flat
from rankassay.data.inputs import EXACT, opened
from rankassay.data.numbers import column_of
from rankassay.data.opening import Lines, once
from rankassay.data.readers.npz import entries
from rankassay.data.tables import Table, check_parts, is_trec
from rankassay.errors import RankassayError, has_code, shortened, written
from rankassay.types import Booleans


class _Matrix(Protocol):
    def tocoo(self) -> Any: ...


class _Polars(Protocol):
    def get_columns(self) -> Any: ...


class _Lists(Protocol):
    def to_df(self) -> Any: ...


# What type checkers accept as judgements and as one run; what is sound is checked when it is read.
QrelsSource = (
    pd.DataFrame
    | pd.Series
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
Paths = Sequence[str | os.PathLike[str]]  # of runs, whose names are those of the files

FORMS = {
    "rating": "a frame with the columns user, item, rating, a dict {user: {item: rating}}, the "
    "path of a file, its lines, triples (user, item, rating) or a sparse matrix",
    "score": "a frame with the columns user, item, score, a dict {user: {item: score}}, the path "
    "of a file, its lines, triples (user, item, score), a sparse matrix, or an array of each "
    "user's items, best first",
}


LINE = re.compile(r"[\s,;:|{\[]")  # what a line of a file has between columns


def rows_of(source: object, what: str, value: str) -> Rows:
    """Return the rows of judgements (`value` is rating) or of a run (score), in any supported form.

    The forms are

    - a frame of pandas or Polars, with the columns that `rankassay.data.columns.named` knows;
    - a Series of numbers whose index has two levels, user and item;
    - a dict or Series {user: {item: number}} or {user: pairs of item and number}, and for a run
      {user: items, best first};
    - the path of a file that `rankassay.data.tables.read` reads, or the lines of one;
    - triples of user, item and number;
    - a scipy matrix of users by items, whose stored entries count even where they are 0 (not those
      that fill diagonals and blocks, in the formats dia and bsr);
    - for a run, an array (n_users, k) of items, best first;
    - what a library has them in: ranx' Qrels and Run, LensKit's ItemListCollection, RecPack's
      InteractionMatrix, and tensors of PyTorch.

    Users of matrices and arrays, and items of matrices, are row and column numbers. Where items
    stand best first, negative whole numbers of any type are no items, but the end of a short list.
    Ratings may be True and False, which are 1 and 0, if all of them are. `what` names the rows in
    messages.
    """
    if isinstance(source, Rows):  # that were read before
        return source
    source = opened(source)
    if table := table_of(source, what, value):
        what = what if isinstance(source, pd.DataFrame) else str(source)
        return Rows.of_frame(table[0], what, value)
    if sp.issparse(source):  # before mappings, one of which is that of dok
        return _of_columns(entries(source, what), what, value)
    if isinstance(source, pd.Series):
        return _of_series(source, what, value)
    if isinstance(source, Mapping):
        return _of_mapping(source, what, value)
    table = isinstance(source, np.ndarray) and source.ndim == 2 and source.dtype.kind not in "VMm"
    if value == "score" and table:
        return _of_array(source, what)
    if isinstance(source, Iterable) and not isinstance(source, np.ndarray | bytes | Set):
        return _of_iterable(iter(source), what, value)
    found = type(source).__name__
    raise RankassayError(f"{what}: expected {FORMS[value]}; found {found}.")


def table_of(source: object, what: str, value: str) -> Table | None:
    """Return a frame or a file with our names of columns, and the place of a row, or None."""
    if isinstance(source, pd.DataFrame):
        return named(source, value), lambda row: f"{what}, row {row}"
    if not isinstance(source, str | os.PathLike | Lines):
        return None
    try:
        return tables.opened(source, value)
    except OSError as error:
        raise RankassayError(f"{what}: no TREC file can be read at {source} ({error}).") from None


def by_name(source: Any) -> Any:
    """Return the paths of runs in a list by the names of the files; anything else as it is."""
    if not isinstance(source, list | tuple) or not source:
        return source
    first = opened(source[0])
    if _is_path(first):
        return named_runs([inputs.path("runs", path) for path in source])
    if not isinstance(first, str) and not _is_empty(first) and _is_run(first):
        raise RankassayError(
            f"runs: expected runs by their names, found a list of {len(source)} without names "
            f"({type(source[0]).__name__}); give {{name: run, ...}}."
        )
    return source


def _is_path(first: object) -> bool:
    """Whether this is the path of a file, and no line of one: those have several columns."""
    if not isinstance(first, str):
        return isinstance(first, os.PathLike)
    return os.path.isfile(first) or (LINE.search(first) is None and "." in first)


def several(source: object) -> bool:
    """Whether this is a mapping from names to runs, and not one run: from users to items."""
    if is_dictionary(source):
        for each in map(opened, source.values()):
            # Empty ones do not decide.
            if not ((is_dictionary(each) or isinstance(each, list | tuple)) and not each):
                if _is_run(each):
                    _check_names(source)
                    return True
                return False
    return False


def check_several(runs: Any, why: str = "") -> Mapping[Any, Any]:
    """Return two runs or more by their names, or of paths; an error for others says `why`."""
    runs = by_name(runs)
    number = len(runs) if is_dictionary(runs) and several(runs) else 0
    if number > 1:
        return runs
    found = "1 run" if number else f"one without a name ({type(runs).__name__})"
    raise RankassayError(
        f"runs: expected two runs or more, found {found}{f'; {why}' if why else ''}."
    )


def lasting(source: Any, what: str) -> Any:
    """Return a source that `rows_of` can read twice: a stream, and an iterator, it could once."""
    if isinstance(source, str | os.PathLike):
        return once(source)
    if not isinstance(source, Iterator):
        return source
    entries = [*source]
    return _text(entries, what) if entries and isinstance(entries[0], str) else entries


def _check_names(runs: Mapping[Any, Any]) -> None:
    known: dict[str, object] = {}
    for name in runs:
        number = isinstance(name, int | float | np.number) and not isinstance(name, bool)
        if not (has_code(name) if isinstance(name, str) else number and abs(name) < EXACT):
            raise RankassayError(
                "runs: expected names that are text or numbers, found "
                f"{shortened(name)} ({type(name).__name__}); rename it."
            )
        if str(name) in known:
            raise RankassayError(
                f"runs: expected names that differ as text, found {known[str(name)]!r} and "
                f"{name!r}; rename one of them."
            )
        known[str(name)] = name


_ORDERED = list | tuple | np.ndarray


def is_dictionary(source: object) -> TypeGuard[Mapping[Any, Any]]:
    """Whether this is a mapping, and no matrix that scipy keeps as one."""
    return isinstance(source, Mapping) and not sp.issparse(source)


def _is_run(each: object) -> bool:
    """Whether a value of a mapping is a run, and not the items of a user."""
    if is_dictionary(each):
        return isinstance(next(iter(each.values())), Mapping | _ORDERED)
    if isinstance(each, np.ndarray):
        return each.ndim > 1
    if isinstance(each, list | tuple) and isinstance(each[0], str):
        return is_trec(each[0].split(), "score")  # the lines of a file
    if isinstance(each, list | tuple):
        return isinstance(each[0], tuple | list) and len(each[0]) == 3
    return not isinstance(each, float | int | np.generic | None)


def _of_columns(columns: tuple[Any, Any, Any], what: str, value: str) -> Rows:
    """Return the rows of a column of users, one of items and one of numbers."""
    columns = tuple(column_of(each) if isinstance(each, list) else each for each in columns)
    frame = pd.DataFrame(dict(zip(("user", "item", value), columns, strict=True)))
    return Rows.of_frame(frame, what, value)


def _of_series(source: pd.Series, what: str, value: str) -> Rows:
    """Return the rows of a Series by user and item, or by user with a dict of items each."""
    if source.index.nlevels == 2:
        columns = (*map(source.index.get_level_values, range(2)), source.array)
        return _of_columns(columns, what, value)
    if source.index.nlevels == 1 and source.index.is_unique:
        nested = dict(zip(source.index.tolist(), source.tolist(), strict=True))
        if all(isinstance(each, Mapping | _ORDERED) for each in nested.values()):
            return _of_mapping(nested, what, value)
    raise RankassayError(
        f"{what}: expected a Series with the levels user and item, or of a dict or list for each "
        f"user; found one of {source.dtype} with {source.index.nlevels} level(s); give the items "
        "of one user as a list (.to_list()), or with their numbers as a dict (.to_dict())."
    )


def _of_mapping(nested: Mapping[Any, Any], what: str, value: str) -> Rows:
    """Return the rows of {user: {item: number}}, of pairs in its place, or of lists of items."""
    check_users(what, [*nested], value)
    nested = {user: {} if _is_empty(own) else own for user, own in nested.items()}
    first = next((own for own in nested.values() if not _is_empty(own)), {})
    if isinstance(first, list | tuple) and _is_pair(first[0]):
        return _of_pairs(nested, what, value)
    if value == "score" and isinstance(first, _ORDERED):
        return _of_lists(nested, what)
    return Rows.of_dictionary(nested, what, value)


def _is_empty(own: object) -> bool:
    if isinstance(own, np.ndarray):
        return own.size == 0
    return isinstance(own, Mapping | list | tuple) and not own


def _is_pair(each: object) -> bool:
    return isinstance(each, tuple | list) and len(each) == 2


def _of_pairs(nested: Mapping[Any, Any], what: str, value: str) -> Rows:
    """Return the rows of {user: pairs of item and number}."""
    for user, own in nested.items():
        listed = isinstance(own, list | tuple) and all(map(_is_pair, own))
        if not _is_empty(own) and not listed:
            raise RankassayError(
                f"{what}: expected pairs (item, {value}) of user {written(user, repr)}, as of the "
                f"others, found {_shown(own)}."
            )
    pairs = [*itertools.chain.from_iterable(nested.values())]
    lengths = [*map(len, nested.values())]
    items, numbers = flat(item for item, _ in pairs), [number for _, number in pairs]
    return Rows.of_users(flat(nested), lengths, items, column_of(numbers), what, value)


def _of_array(items: npt.NDArray[Any], what: str) -> Rows:
    """Return the rows of an array (n_users, k) of items, best first."""
    _refuse_mask(items, what)
    inputs.check_memory(f"{what}, items", items.size, 8)
    items = np.asarray(items)  # and no matrix, whose rows have two dimensions
    listed = _listed(items)
    rank = pd.Series(np.nonzero(listed)[1])
    users, lengths = np.arange(len(items)), listed.sum(axis=1)
    return Rows.of_users(users, lengths, items[listed], rank, what, "rank")


def _of_lists(nested: Mapping[Any, Any], what: str) -> Rows:
    """Return the rows of {user: items, best first}; they have places, and no scores."""
    for user, items in nested.items():
        _refuse_mask(items, what)
        if not _is_empty(items) and (
            not isinstance(items, _ORDERED) or getattr(items, "ndim", 1) != 1
        ):
            raise RankassayError(
                f"{what}: expected the items of user {written(user, repr)} as a list, best first, "
                f"found {_shown(items)}."
            )
    lengths = np.array([*map(len, nested.values())], dtype=np.int64)
    every = flat(itertools.chain.from_iterable(map(_plain, nested.values())))
    rank = np.arange(len(every)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    listed = _listed(every)
    user = np.repeat(np.arange(len(lengths)), lengths)[listed]
    lengths = np.bincount(user, minlength=len(lengths))
    rank = pd.Series(rank[listed])
    return Rows.of_users(flat(nested), lengths, every[listed], rank, what, "rank")


def _plain(items: Any) -> Any:
    """Return the items of an array as Python has them, unless they are of less precision."""
    exact = isinstance(items, np.ndarray) and (items.dtype.kind != "f" or items.dtype == np.float64)
    return items.tolist() if exact else items


def _listed(items: npt.NDArray[Any]) -> Booleans:
    """Return which entries are items, and not the negative integers that fill short lists."""
    if items.dtype.kind in "iuf":
        return ~((items < 0) & (items == np.floor(items)) & np.isfinite(items))
    if items.dtype.kind != "O":
        return np.full(items.shape, True)
    numbers = tuple(kind for kind in {*map(type, items.ravel())} if issubclass(kind, Real))
    filled = [isinstance(i, numbers) and i < 0 and i % 1 == 0 for i in items.ravel()]
    return ~np.array(filled, dtype=bool).reshape(items.shape)


def _refuse_mask(items: object, what: str) -> None:
    if isinstance(items, np.ma.MaskedArray):
        raise RankassayError(
            f"{what}: expected items in an array without a mask, found a masked one; put -1 where "
            "there is none, as with items.filled(-1)."
        )


def _shown(found: object) -> str:
    return f"{shortened(found)} ({type(found).__name__})"


def _of_iterable(entries: Iterator[Any], what: str, value: str) -> Rows:
    """Return the rows of the lines of a file, or of triples."""
    first = next(entries, None)
    entries = iter([]) if first is None else itertools.chain([first], entries)
    if isinstance(first, str):
        return Rows.of_frame(tables.read(_text(entries, what), value), what, value)
    triples: list[Any] = []
    for number, triple in enumerate(entries):
        # The judgements of ir_measures have a fourth part, the iteration, which says nothing.
        if not isinstance(triple, tuple | list) or len(triple) not in (3, 4):
            raise RankassayError(
                f"{what}: expected {FORMS[value]}; found {_shown(triple)} at place {number}."
            )
        triples.append(triple)
    if value == "rating":
        check_parts(what, triples)
    return _of_columns(tuple([t[i] for t in triples] for i in range(3)), what, value)


def _text(entries: Iterable[Any], what: str) -> Lines:
    """Return lines as the content of a file; raises RankassayError for anything but text."""
    lines = []
    for number, line in enumerate(entries, start=1):
        if not isinstance(line, str):
            raise RankassayError(f"{what}, line {number}: expected text, found {_shown(line)}.")
        if not has_code(line):
            raise RankassayError(f"{what}, line {number}: expected text of UTF-8, found {line!r}.")
        lines.append(line.rstrip("\r\n"))
    return Lines(what, "\n".join(lines).encode())
