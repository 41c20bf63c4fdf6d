"""Shards: parts of one job's result, made by several jobs; and parts that fit into memory.

Rankings are split by users. Scores, and analyses whose rows are about single measures, are split
by measures, other analyses by the entries of their settings: nothing but rows has to be joined, no
part knows of the others, and each needs less memory.
"""

import csv
import io
import lzma
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rankassay.artifacts.files import Pathlike, atomic, read_text, reading
from rankassay.errors import one_of


@dataclass(frozen=True)
class Shard:
    """Part `number` of `count` of what can be split; numbers start at 1."""

    number: int
    count: int

    def of(self, n: int) -> range:
        """Return the part's share of n things, in order; shares differ by one at most."""
        return range(n * (self.number - 1) // self.count, n * self.number // self.count)


WHOLE = Shard(1, 1)
TEXT = {"encoding": "utf-8", "newline": ""}
AT_ONCE = 2**29  # bytes of values that are looked at together: all of 30,000 users and 21 systems


def join_tables(paths: Sequence[Pathlike], path: Pathlike, within: Sequence[str] = ()) -> list[int]:
    """Write the rows of tables with the same columns as one table, grouped by the columns `within`.

    Returns which rows follow each other, by their places in the tables, which may be packed.
    """
    csv.field_size_limit(2**31 - 1)
    tables = [*map(_lines, paths)]
    header, rows = tables[0][0], [row for _, *own in tables for row in own]
    for name in within:
        one_of("column", name, header)
    columns = [header.index(name) for name in within]
    order = grouped([tuple(row[column] for column in columns) for row in rows])
    with atomic(path, "w") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *(rows[at] for at in order)])
    return order


def pack(path: Pathlike, packed: Pathlike) -> None:
    """Pack a table as `join_tables` reads it, by xz: a line has a column, which packs to a half."""
    columns = zip(*_lines(path), strict=True)
    with atomic(packed, record=False) as raw, lzma.open(raw, "wt", preset=9, **TEXT) as file:
        csv.writer(file, lineterminator="\n").writerows(columns)


def _lines(path: Pathlike) -> list[Sequence[str]]:
    """Return the fields of a table, line by line, the names of the columns first."""
    if Path(path).suffix != ".xz":
        return [*csv.reader(io.StringIO(read_text(path), newline=""))]
    with reading(path, "a packed table"), lzma.open(path, "rt", **TEXT) as file:
        return [*zip(*csv.reader(file), strict=True)]


def grouped(keys: Sequence[Hashable]) -> list[int]:
    """Return the places of keys such that equal ones follow each other, each where it came first.

    >>> grouped("abab")
    [0, 2, 1, 3]
    """
    first: dict[Hashable, int] = {}
    for key in keys:
        first.setdefault(key, len(first))
    return sorted(range(len(keys)), key=lambda at: first[keys[at]])


def successive(measures: Sequence, each: int) -> Iterator[slice]:
    """Yield the places of successive measures, of `each` values, that take `AT_ONCE` bytes."""
    n = max(1, AT_ONCE // max(8 * each, 1))
    for first in range(0, len(measures), n):
        yield slice(first, first + n)
