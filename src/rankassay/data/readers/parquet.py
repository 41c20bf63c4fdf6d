"""The columns of a parquet file, as pyarrow reads them."""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankassay.artifacts.files import Pathlike
from rankassay.data.opening import ENTRY, UNPACKED, Lines, Source, check_form, open_bytes
from rankassay.data.stored import Column, Stored
from rankassay.errors import RankassayError, not_installed, unknown

try:
    import pyarrow as pa  # pandas has loaded it, where it is installed
except ImportError:
    pa = None  # which `_opened` reports
if TYPE_CHECKING:
    import pyarrow.parquet as pq

IDS = ("user", "item", "system")
FLAGS = ("rating", "known")  # of tables, in which true and false are 1 and 0
NARROW = {"halffloat": np.float16, "float": np.float32, "double": np.float64}


def read(path: Source, described: Mapping[str, Any]) -> Stored:
    """Read columns by name, a row per row of the file.

    A number is the same id as its digits in text; a float32 counts as its shortest decimal. Times
    without a zone are in UTC.
    """
    columns = {role: name for role, name in described["columns"].items() if name is not None}
    with _opened(path) as file:
        schema = file.schema_arrow
        for name in columns.values():
            _check_column(path, schema, name, name == columns.get("rating"))
        found = {}
        for role, name in columns.items():  # one at a time, to save memory
            content = file.read(columns=[name])
            content.validate(full=True)
            if len(content) != file.metadata.num_rows:
                raise ValueError(f"{len(content)} of {file.metadata.num_rows} rows in '{name}'")
            kind = schema.field(name).type
            kind = kind.value_type if pa.types.is_dictionary(kind) else kind
            try:
                found[role] = _stored(role, content.column(0).cast(kind), kind, described)
            except _Unexpected as error:
                raise _of_type(path, name, str(error), kind) from None
    return Stored(
        path,
        found,
        lambda row: f"row {row + 1}",
        says=lambda role, row: f" in the column '{columns[role]}'",
        cure=described.get("cure", ENTRY),
    )


def names(path: Source) -> list[str]:
    """Return the names of a file's columns."""
    with _opened(path) as file:
        return file.schema_arrow.names


class _Unexpected(Exception):
    """What was expected of a column of another type."""


def _stored(
    role: str, values: "pa.ChunkedArray", kind: "pa.DataType", described: Mapping[str, Any]
) -> Column | npt.NDArray:
    """Return a column as its role asks: by its distinct values, or as numbers or times."""
    whole, real = pa.types.is_integer(kind), pa.types.is_floating(kind)
    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    text = any(is_text(kind) for is_text in texts)
    decimal = pa.types.is_decimal(kind)
    if role in FLAGS and "strict" in described and pa.types.is_boolean(kind):
        values, whole = values.cast(pa.int8()), True
    if role == "timestamp":
        if not (own := pa.types.is_timestamp(kind) or pa.types.is_date(kind)):
            if whole and not values.null_count:
                return values.to_numpy()
        elif described.get("timestamp_format"):
            raise _Unexpected(
                "no times that say their own unit (or remove 'timestamp_format' from the entry)"
            )
        elif not values.null_count:
            if pa.types.is_date(kind):
                values = values.cast(pa.date32()).cast(pa.timestamp("s"))
            return values.to_numpy()
        else:
            values, whole = values.cast(pa.timestamp("s"), safe=False).cast(pa.int64()), True
        expected, sound = "times", own or text or whole or real
    elif role in IDS:
        expected, sound = f"ids of the {role}, texts or whole numbers", text or whole or real
        if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
            try:  # as old writers mark no text as such
                values, sound = values.cast(pa.string()), True
            except pa.ArrowException:
                raise _Unexpected(f"{expected}, in utf-8") from None
    elif role == "rating":
        expected, sound = "numbers as ratings", text or whole or real or decimal
    else:
        expected, sound = f"numbers as {role}", whole or real or decimal
        if whole or real:  # but for whole numbers that float64 would round
            with contextlib.suppress(pa.ArrowInvalid):
                return values.cast(pa.float64()).to_numpy()
    if not sound:
        raise _Unexpected(expected)
    return _coded(values)


def _coded(values: "pa.ChunkedArray") -> Column:
    """Return a column by its distinct values, numbers of less precision as such."""
    if pa.types.is_string_view(values.type):  # which pyarrow does not encode
        values = values.cast(pa.large_string())
    encoded = values.combine_chunks().dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    narrow = NARROW.get(str(encoded.dictionary.type))
    distinct = encoded.dictionary.to_pylist()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return Column(codes, [*map(narrow, distinct)] if narrow else distinct)


def _of_type(path: Source, name: str, expected: str, found: object) -> RankassayError:
    """Return the error for a column of another type."""
    return RankassayError(
        f"{path}: expected {expected} in the column '{name}', found the type {str(found)[:80]}; "
        "correct the file, or what the dataset's entry says of it."
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
            with open_bytes(path, text=False) as content:
                source = pa.BufferReader(content.read())
        # pyarrow's own unit of the old timestamps of 96 bits overflows where seconds do not.
        with pq.ParquetFile(source, coerce_int96_timestamp_unit="us") as file:
            yield file
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        check_form(path, "a parquet file")
        problem = " ".join(str(error).split())[:200]
        raise RankassayError(
            f"{path}: expected a whole parquet file, found another or a damaged one ({problem}); "
            "replace it, or correct 'format' in the dataset's entry."
        ) from error


def _is_packed(path: Pathlike) -> bool:
    with Path(path).open("rb") as file:
        return file.read(max(map(len, UNPACKED))).startswith((*UNPACKED,))


def _check_column(path: Source, schema: "pa.Schema", name: str, rating: bool) -> None:
    """Raise RankassayError for a column that is not there once, or has no plain values."""
    if name not in schema.names:
        hint = " Of plays and clicks, the entry says columns: {rating: null}." if rating else ""
        raise RankassayError(f"{path}: {unknown('column', name, schema.names)}{hint}")
    if (times_there := schema.names.count(name)) > 1:
        raise RankassayError(
            f"{path}: expected one column '{name}', found {times_there}; rename the others."
        )
    kind = schema.field(name).type
    if pa.types.is_nested(kind) or isinstance(kind, pa.BaseExtensionType):
        raise _of_type(path, name, "plain values", kind)
