"""Ratings, or a log of interactions, in the columns of a parquet file, as pyarrow reads them."""

import contextlib
import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rankassay.artifacts.files import Pathlike
from rankassay.data import times
from rankassay.data.opening import GZIP, MARK, Lines, Source, open_bytes
from rankassay.data.readers.lines import ANONYMOUS, LONGEST, UNRATED, Rules
from rankassay.errors import RankassayError, not_installed, unknown

try:
    import pyarrow as pa  # pandas has loaded it, where it is installed
except ImportError:
    pa = None  # which `_opened` reports
if TYPE_CHECKING:
    import pyarrow.parquet as pq

log = logging.getLogger(__name__)

MAGIC = b"PAR1"  # how a file begins
BITS = {16: 11, 32: 24, 64: 53}  # floats hold each whole number below 2 to the power of these
DAY = 86_400


def read(path: Pathlike, entry: Mapping[str, Any]) -> pd.DataFrame:
    """Read ratings from a parquet file.

    Ids are text or whole numbers; a number is the same id as its digits in text. Times are
    parquet's own timestamps (those without a zone are in UTC) and dates, or numbers and texts as
    `timestamp_format` says. Ratings are numbers; a float32 counts as its shortest decimal.

    Raises RankassayError for a file that is none or not whole, for columns that are missing or of
    another type, and for the first value that is not right, with its row, from 1.

    Parameters
    ----------
    entry
        The catalogue entry: `columns`, `timestamp_format`, `rating_divisor`, `decimals`, `scale`
        and `missing_user` are used, as `rankassay.config.datasets` explains.

    Returns
    -------
    DataFrame
        As `rankassay.data.readers.delimited.read` returns it, a row per row of the file.
    """
    rules = Rules.of(entry)
    columns = {role: name for role, name in entry["columns"].items() if name is not None}
    found = _columns(path, columns)
    count = len(found["user"])
    if not count:
        raise RankassayError(f"{path}: expected ratings, found no row; replace the file.")
    table = pd.DataFrame(
        {role: _ids(found[role], _Column(path, columns[role], role), rules) for role in _IDS}
    )
    table["rating"] = (
        _ratings(found["rating"], _Column(path, columns["rating"], "rating"), rules)
        if "rating" in found
        else np.full(count, rules.rating(UNRATED))
    )
    if "timestamp" in found:
        column = _Column(path, columns["timestamp"], "timestamp")
        table["timestamp"] = _times(found["timestamp"], column, entry)
    blank = (table["user"] == ANONYMOUS).to_numpy() & _blank(found["user"])
    if rules.missing_user == "skip":
        table = table[~blank].reset_index(drop=True)
        table["user"] = table["user"].cat.remove_unused_categories()
    if table.empty:
        raise RankassayError(f"{path}: expected ratings, found only rows without user; replace it.")
    table.attrs |= {"without_user": int(blank.sum()), "bad_lines": 0}
    return table


def lines(path: Pathlike, entry: Mapping[str, Any]) -> Iterator[int]:
    """Yield the number of each row that `read` returns, from 1."""
    users = _columns(path, {"user": entry["columns"]["user"]})["user"]
    kept = ~_blank(users) if entry.get("missing_user") == "skip" else np.ones(len(users), bool)
    yield from (np.flatnonzero(kept) + 1).tolist()


def names(path: Source) -> list[str]:
    """Return the names of a file's columns."""
    with _opened(path) as file:
        return file.schema_arrow.names


def table(path: Source, columns: Mapping[str, str]) -> pd.DataFrame:
    """Return columns of judgements, a run or outcomes by their roles: ids as text, else float64.

    Ratings are as `read` has them, or true and false, which are 1 and 0; a score or rank that is
    null becomes NaN.
    """
    found = _columns(path, columns)
    own = {role: _Column(path, columns[role], role) for role in columns}
    rules = Rules.of({})
    ids = [role for role in columns if role in (*_IDS, "system")]
    frame = pd.DataFrame({role: _ids(found[role], own[role], rules).astype(str) for role in ids})
    for role in [role for role in columns if role not in ids]:
        if role == "rank" and "score" in columns:  # which is only compared
            frame[role] = found[role].to_pandas()
            continue
        if role in ("rating", "known") and str(found[role].type) == "bool":
            found[role] = found[role].cast("int8")
        number = _ratings if role == "rating" else _numbers
        frame[role] = number(found[role], own[role], rules)
    return frame


_IDS = ("user", "item")


class _Column:
    """A column of a file and its role, for error messages."""

    def __init__(self, path: Source, name: str, role: str) -> None:
        self.path, self.name, self.role = path, name, role

    def of_type(self, expected: str, found: object) -> RankassayError:
        """Return the error for a column of another type."""
        return RankassayError(
            f"{self.path}: expected {expected} in the column '{self.name}', found the type "
            f"{str(found)[:80]}; correct the file, or 'columns' of the dataset's entry."
        )

    def at(self, row: int, expected: str, found: object) -> RankassayError:
        """Return the error for a value, by the index of its row."""
        return RankassayError(
            f"{self.path}, row {row + 1}: expected {expected} in the column '{self.name}', found "
            f"{str(found)[:60]}; correct the file, or the dataset's entry if it describes another."
        )


@contextlib.contextmanager
def _opened(path: Source) -> "Iterator[pq.ParquetFile]":
    """Open a file; raises RankassayError for none, and where it is damaged, also later on."""
    try:
        import pyarrow.parquet as pq
    except ModuleNotFoundError as error:
        raise not_installed(error) or error from None
    if not isinstance(path, Lines):
        if Path(path).is_dir():  # as Spark and others write a file per part
            raise RankassayError(
                f"{path}: expected a parquet file, found a folder; name a file in it, or write all "
                "its parts to one."
            )
        if not Path(path).is_file():
            raise RankassayError(f"{path}: expected a file, found none; correct the path.")
    try:
        source = path
        if isinstance(path, Lines) or _is_packed(path):
            with open_bytes(path) as content:
                source = pa.BufferReader(content.read())
        # pyarrow's own unit of the old timestamps of 96 bits overflows where seconds do not.
        with pq.ParquetFile(source, coerce_int96_timestamp_unit="us") as file:
            yield file
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        problem = " ".join(str(error).split())[:200]
        raise RankassayError(
            f"{path}: expected a whole parquet file, found another or a damaged one ({problem}); "
            "replace it, or correct 'format' in the dataset's entry."
        ) from error


def _is_packed(path: Pathlike) -> bool:
    with Path(path).open("rb") as file:
        return file.read(len(GZIP)) == GZIP


def _columns(path: Source, columns: Mapping[str, str]) -> "dict[str, pa.ChunkedArray]":
    """Return the columns of a file, by role."""
    with _opened(path) as file:
        schema = file.schema_arrow
        for role, name in columns.items():
            _check_column(path, schema, name, role)
        found = file.read(columns=[*dict.fromkeys(columns.values())])
        found.validate(full=True)
    return {role: _plain(found.column(name)) for role, name in columns.items()}


def _check_column(path: Source, schema: "pa.Schema", name: str, role: str) -> None:
    """Raise RankassayError for a column that is not there once, or has no plain values."""
    if name not in schema.names:
        said = " Of plays and clicks, the entry says columns: {rating: null}."
        hint = said if role == "rating" else ""
        raise RankassayError(f"{path}: {unknown('column', name, schema.names)}{hint}")
    if (times_there := schema.names.count(name)) > 1:
        raise RankassayError(
            f"{path}: expected one column '{name}', found {times_there}; rename the others."
        )
    kind = schema.field(name).type
    if pa.types.is_nested(kind) or isinstance(kind, pa.BaseExtensionType):
        raise _Column(path, name, role).of_type("plain values", kind)


def _plain(values: "pa.ChunkedArray") -> "pa.ChunkedArray":
    """Return a column without its dictionary."""
    kind = values.type
    return values.cast(kind.value_type) if pa.types.is_dictionary(kind) else values


def _is_text(kind: "pa.DataType") -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or _is_view(kind)


def _is_view(kind: "pa.DataType") -> bool:
    return pa.types.is_string_view(kind)


def _distinct(values: "pa.ChunkedArray") -> "tuple[np.ndarray, pa.Array]":
    """Return the index of each value among the distinct ones, -1 for null, and these."""
    if _is_view(values.type):  # which pyarrow does not encode
        values = values.cast(pa.large_string())
    encoded = values.combine_chunks().dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    return encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False), encoded.dictionary


def _blank(values: "pa.ChunkedArray") -> np.ndarray:
    """Return which ids are null or blank, bool (n_rows,)."""
    codes, distinct = _distinct(values)
    blank = [str(value).strip() == "" for value in distinct.to_pylist()]
    return np.array([*blank, True])[codes]


def _ids(values: "pa.ChunkedArray", column: _Column, rules: Rules) -> pd.Categorical:
    """Return a column of ids."""
    kind = values.type
    expected = f"ids of the {column.role}, texts or whole numbers,"
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        try:
            values = values.cast(pa.string())  # as old writers mark no text as such
        except pa.ArrowException:
            raise column.of_type(f"{expected} in utf-8", kind) from None
    elif not (_is_text(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise column.of_type(expected, kind)
    codes, distinct = _distinct(values)
    exact = 2 ** BITS[kind.bit_width] if pa.types.is_floating(kind) else 0
    texts = [_id(value, exact) for value in distinct.to_pylist()]
    texts.append("")  # that of null, which is -1
    allowed = column.role == "user" and rules.missing_user != "error"
    wrong = [_wrong(text, column.role, allowed) for text in texts]
    bad = np.array([problem != "" for problem in wrong])[codes]
    if bad.any():
        row = int(np.argmax(bad))
        raise column.at(row, wrong[codes[row]], repr(values[row].as_py()))
    texts = [text if text and text.strip() else ANONYMOUS for text in texts]
    names, places = np.unique(np.array(texts, dtype=object).astype(str), return_inverse=True)
    found = pd.Categorical.from_codes(places[codes], pd.Index(names, dtype="str"))
    return found.remove_unused_categories()


def _wrong(text: str | None, role: str, blank: bool) -> str:
    """Return the expectation that an id, which may be `blank`, does not meet; empty if it does."""
    if text is None:
        return "a text or a whole number that is not rounded"
    if not text.strip():
        return "" if blank else f"an id of the {role}"
    if "\0" in text or MARK in text or len(text) > LONGEST:
        return f"an id of at most {LONGEST} characters, without zero bytes and byte order marks"
    return ""


def _id(value: object, exact: int) -> str | None:
    """Return an id as text; None for a float that is not whole, or that others are rounded to."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < exact else None
    return str(value)


def _ratings(values: "pa.ChunkedArray", column: _Column, rules: Rules) -> np.ndarray:
    """Return a column of ratings, float64 (n_rows,)."""
    kind = values.type
    numbers = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    if not (numbers or _is_text(kind)):
        raise column.of_type("numbers as ratings", kind)
    codes, distinct = _distinct(values)
    narrow = {pa.float16(): np.float16, pa.float32(): np.float32}.get(kind, lambda value: value)
    found = []
    for place, value in enumerate(distinct.to_pylist()):
        try:
            found.append(rules.rating(str(narrow(value))))
        except ValueError as error:
            raise column.at(int(np.argmax(codes == place)), str(error), repr(value)) from None
    _no_null(codes, column)
    return np.array([*found, np.nan])[codes]


def _numbers(values: "pa.ChunkedArray", column: _Column, rules: Rules) -> np.ndarray:
    """Return a column of scores or ranks, float64 (n_rows,)."""
    kind = values.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        raise column.of_type(f"numbers as {column.role}", kind)
    try:
        return values.cast(pa.float64()).to_numpy()
    except pa.ArrowInvalid:
        raise column.of_type(f"numbers of 64 bits as {column.role}", kind) from None


def _times(values: "pa.ChunkedArray", column: _Column, entry: Mapping[str, Any]) -> np.ndarray:
    """Return a column of times, in seconds, int64 (n_rows,)."""
    kind, form = values.type, entry.get("timestamp_format")
    own = pa.types.is_timestamp(kind) or pa.types.is_date(kind)
    if own and form:
        raise RankassayError(
            f"{column.path}: the column '{column.name}' holds times that say their own unit "
            f"({kind}); remove 'timestamp_format' from the dataset's entry."
        )
    if values.null_count:
        _no_null(_distinct(values)[0], column)
    if own:
        if pa.types.is_date(kind):
            values = values.cast(pa.date32()).cast(pa.int32())
            return values.to_numpy().astype(np.int64) * DAY
        return _whole_seconds(values.cast(pa.int64()).to_numpy(), column, kind.unit)
    unit = times.UNITS.get(form or "s")
    if pa.types.is_integer(kind) and unit:
        return _whole_seconds(values.to_numpy(), column, form or "s")
    if not (_is_text(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise column.of_type("times", kind)
    codes, distinct = _distinct(values)
    if pa.types.is_floating(kind) and unit:
        steps = np.spacing(np.abs(distinct.to_numpy(zero_copy_only=False)))
        if (coarse := steps.astype(np.float64) > unit)[codes].any():
            row = int(np.argmax(coarse[codes]))
            expected = f"{times.words(form or 's')}, to the second, which its type ({kind}) rounds,"
            raise column.at(row, expected, distinct[codes[row]].as_py())
    found = []
    for place, value in enumerate(distinct.to_pylist()):
        try:
            found.append(times.seconds(str(value), form or "s"))
        except ValueError:
            expected = times.words(form or "s")
            raise column.at(int(np.argmax(codes == place)), expected, repr(value)) from None
    return np.array(found, dtype=np.int64)[codes]


def _whole_seconds(numbers: np.ndarray, column: _Column, form: str) -> np.ndarray:
    """Return whole numbers of a unit as seconds, int64 (n_rows,)."""
    # The smallest types have no room for the unit; the largest is the only one above int64.
    wide = numbers if numbers.dtype == np.uint64 else numbers.astype(np.int64)
    seconds = wide // times.UNITS[form]
    if len(wrong := np.flatnonzero((seconds > times.LATEST) | (seconds < -times.LATEST))):
        raise column.at(int(wrong[0]), times.words(form), numbers[wrong[0]])
    return seconds.astype(np.int64)


def _no_null(codes: np.ndarray, column: _Column) -> None:
    """Raise RankassayError for a null."""
    if (codes < 0).any():
        raise column.at(int(np.argmax(codes < 0)), f"a {column.role}", "null")
