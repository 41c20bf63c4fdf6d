"""Judgements and runs as tables, from files of all formats.

A file is one of TREC's, or has three columns (user, item, number), or says in its first line what
its columns are; or it is JSON, parquet or a matrix. So those of Elliot, RecBole, LensKit, BEIR,
PyTerrier, ranx and MovieLens are read as they are.
"""

import contextlib
import csv
import io
import re
from collections.abc import Callable
from importlib import import_module

import pandas as pd

from rankassay.data import doubts
from rankassay.data.columns import ALIKE, BY_ID, are_whole, check_users, roles, roles_in
from rankassay.data.opening import Source, once, open_bytes
from rankassay.data.readers import FORMS, READERS, nested
from rankassay.data.readers.delimited import COMMENT, QUOTED, WHITESPACE, plain
from rankassay.data.stored import STRICT
from rankassay.data.validation import table
from rankassay.errors import RankassayError

SYNTHETIC = "synthetic-"  # what the ids of `rankassay demo-data` begin with
LONG = "::"  # as MovieLens has it
# Tried in this order: blanks and bars stand in ids more often than tabs do.
SEPARATORS = ("\t", ",", ";", LONG, "|", WHITESPACE)
LONGEST = 64  # bytes by which a form is known
# How its first line begins; ids may begin with {}, [] and [{.
JSON = re.compile(r'\s*(\{\s*("|\}?\s*$)|\[\s*(\{\s*("|\}?[\s,\]]*$)|\]?\s*$))')
QUOTES = re.compile('"([^"]*)"')  # around a name, as R writes them between tabs


def read(path: Source, value: str) -> pd.DataFrame:
    """Read a file of judgements (`value` is rating) or of a run (score) as a frame.

    And of a truth (truth) or propensities (propensity), as of judgements; and of outcomes of
    systems (outcome), which have names in the first line, or are JSON or parquet.

    The formats are

    - TREC's, see `rankassay.data.trec`;
    - columns separated by tabs, commas, semicolons, `::`, bars or blanks under a line with their
      names, see `rankassay.data.columns.named`;
    - three such columns, user, item and number, as Elliot writes them. Numbers of a run that count
      1 to n in each list are ranks (MS MARCO);
    - four such columns, user, item, rating and timestamp, where the last are times (`u1.test`);
    - JSON, see `rankassay.data.readers.nested`, and parquet with named columns.

    The columns assumed for a table without names are logged. Ids are text, as categories; those
    of a column that are all such as 7.0 are whole numbers, which is logged. Raises
    RankassayError, naming file and line, for lines that are not as expected, for an item that a
    user has twice, and for tables without names that may be another thing.
    """
    return opened(path, value)[0]


def place(path: Source, row: int, value: str) -> str:
    """Return the place of a row of `read`, in words."""
    return opened(path, value)[1](row)


def opened(path: Source, value: str) -> tuple[pd.DataFrame, Callable[[int], str]]:
    """Return the frame of `read`, and a function to the place of a row, in words."""
    path = once(path)
    with open_bytes(path, text=False) as file:
        begin = file.read(LONGEST)
    for name, form in FORMS.items():
        if form.begins and re.match(form.begins, begin, re.DOTALL):
            reader = import_module(READERS[name])
            columns = roles_in(path, reader.names(path), value)
            return table(reader.read(path, {"columns": columns, **STRICT}))
    line, first = _first_line(path, value)
    if JSON.match(first):
        form = ALIKE.get(value, value)
        stored = nested.read(
            path, form, lambda names: roles_in(path, names, value), BY_ID.get(value)
        )
        if users := stored.columns.get("user"):
            check_users(path, [*users.values], value)
        return table(stored)
    fields = {separator: _fields(first, separator) for separator in SEPARATORS}
    for separator, names in fields.items():
        columns = roles(names, value)
        if are_whole(columns, value):
            if again := next((own for own in columns.values() if names.count(own) > 1), None):
                raise RankassayError(
                    f"{path}, line {line}: expected one column '{again}', found "
                    f"{names.count(again)}; rename the others."
                )
            at = {role: names.index(name) for role, name in columns.items()}
            return table(plain(path, separator, at, header=True))
    if value == "outcome":
        roles_in(path, max(fields.values(), key=len), value)
    return doubts.unnamed(path, line, fields, value)


def _first_line(path: Source, value: str) -> tuple[int, str]:
    """Return the number and the text of the first line that is not blank, nor a comment of TREC."""
    with io.TextIOWrapper(open_bytes(path), encoding="utf-8-sig", errors="replace") as file:
        lines = enumerate((line.strip("\r\n") for line in file), 1)
        found = ((number, line) for number, line in lines if line.strip())
        first = next(found, (1, ""))
        if first[1].lstrip().startswith(COMMENT):
            rest = next((own for own in found if not own[1].lstrip().startswith(COMMENT)), first)
            return rest if doubts.is_trec(rest[1].split(), value) else first
        return first


def _fields(line: str, separator: str) -> list[str]:
    """Return the fields of a line; none if its quotes do not close."""
    if separator not in QUOTED:
        fields = line.split(None if separator == WHITESPACE else separator)
        return [QUOTES.sub(r"\1", own) if QUOTES.fullmatch(own) else own for own in fields]
    with contextlib.suppress(csv.Error):
        return next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    return []
