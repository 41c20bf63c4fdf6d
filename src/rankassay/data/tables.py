"""Judgements and runs as tables, from files of all formats.

A file is one of TREC's, or has three columns (user, item, number), or says in its first line what
its columns are; or it is JSON or parquet. So those of Elliot, RecBole, LensKit, BEIR, PyTerrier,
ranx and MovieLens are read as they are.
"""

import contextlib
import csv
import io
import logging
import re
import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd

from rankassay.data import decimals, doubts
from rankassay.data.columns import ALIKE, WANTED, are_whole, check_users, listed, roles, roles_in
from rankassay.data.opening import MARK, Source, holds, not_utf8, once, open_bytes, runs_on
from rankassay.data.readers import nested, parquet
from rankassay.data.readers.delimited import QUOTED, UNIT_SEPARATOR, WHITESPACE, split
from rankassay.data.trec import QRELS, RUN, line_number, read_qrels, read_run, settled
from rankassay.errors import RankassayError, number_of

log = logging.getLogger(__name__)

SYNTHETIC = "synthetic-"  # what the ids of `rankassay demo-data` begin with
LONG = "::"  # as MovieLens has it
# Tried in this order: blanks and bars stand in ids more often than tabs do.
SEPARATORS = ("\t", ",", ";", LONG, "|", WHITESPACE)
TREC = {"rating": QRELS, "score": RUN}
JSON = re.compile(r'\s*(\{\s*("|$)|\{\}|\[\s*(\{|\]|$))')  # how its first line begins
IDS = ("user", "item", "system")
STRANGE = {"\0": "a zero byte", MARK: "a byte order mark"}
NUMBERS = ("rating", "score", "rank", "known", "inclusion", "propensity", "value", "error")
OPTIONAL = ("error",)  # numbers that some rows may lack
# Ratings and flags, if all are these.
FLAGS = {"True": "1", "False": "0", "true": "1", "false": "0"}


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

    The columns assumed for a table without names are logged. Ids are text. Raises RankassayError,
    naming file and line, for lines that are not as expected, and for tables without names that may
    be another thing.
    """
    path = once(path)
    with open_bytes(path) as file:
        begin = file.read(len(parquet.MAGIC))
    if begin == parquet.MAGIC:
        return parquet.table(path, roles_in(path, parquet.names(path), value))
    first = _first_line(path)
    if JSON.match(first):
        table, place = _of_json(path, value)
        if "user" in table:
            check_users(path, table["user"].unique().tolist(), value)
        return checked(table, place)
    fields = {separator: _fields(first, separator) for separator in SEPARATORS}
    for separator, names in fields.items():
        columns = roles(names, value)
        if are_whole(columns, value):
            return _table(path, separator, names, columns, value)
    if value == "outcome":
        roles_in(path, max(fields.values(), key=len), value)
    return _unnamed(path, fields, value)


def _of_json(path: Source, value: str) -> tuple[pd.DataFrame, Callable[[int], str]]:
    """Return the rows of a file of JSON, and a function to the place of one."""
    form = ALIKE.get(value, value)
    return nested.read(path, form, lambda names: roles_in(path, names, value))


def place(path: Source, row: int, value: str) -> str:
    """Return the place of a row of `read`, in words."""
    with open_bytes(path) as file:
        if file.read(len(parquet.MAGIC)) == parquet.MAGIC:
            return f"{path}, row {row + 1}"
    first = _first_line(path)
    if JSON.match(first):
        return _of_json(path, value)[1](row)
    if any(are_whole(roles(_fields(first, each), value), value) for each in SEPARATORS):
        return f"{path}, line {_line(path, row, True)}"
    value = ALIKE.get(value, value)
    blank = len(_fields(first, WHITESPACE)) == len(TREC[value])
    return f"{path}, line {line_number(path, row) if blank else _line(path, row, False)}"


def _unnamed(path: Source, fields: dict[str, list[str]], value: str) -> pd.DataFrame:
    """Read a table whose first line, in its fields by separator, names no columns."""
    wanted, value = WANTED[value], ALIKE.get(value, value)
    blank = fields[WHITESPACE]
    fits = len(blank) == len(TREC[value])
    sure = fits and blank[1] in doubts.NO_ITERATION and _is_number(blank[TREC[value].index(value)])
    separated = [each for each in SEPARATORS[:-1] if len(fields[each]) > 1]
    for separator in separated:
        if len(fields[separator]) == 3 and _is_number(fields[separator][2]) and not sure:
            return _three(path, separator, value)
    widest = max(SEPARATORS, key=lambda separator: len(fields[separator]))
    names = fields[widest]
    blanks = widest == WHITESPACE and any(map(_is_number, names))
    if fits or blanks or not "".join(names).strip():
        return read_qrels(path) if value == "rating" else read_run(path)
    if value == "rating" and len(names) == 4 and _is_number(names[3]):
        return settled(_table(path, widest, None, {name: name for name in QRELS}, value), path)
    raise RankassayError(
        f"{path}, line {_line(path, 0, False)}: expected the names of the columns "
        f"{wanted}, or three columns with a number as {value}, found '{names[-1][:80]}' as "
        f"the last of {number_of(len(names), 'column')} ({listed(names)}); rename them, or "
        f"{doubts.NAMED}."
    )


def _three(path: Source, separator: str, value: str) -> pd.DataFrame:
    """Read three columns without names: user, item and number."""
    named = {role: role for role in ("user", "item", value)}
    table = _table(path, separator, None, named, value)
    number = table[value].to_numpy()
    if value == "rating":
        doubts.check_ratings(path, number)
    elif doubts.is_ranked(path, table["user"], number):
        log.warning(
            "%s: the third column counts the places of each list, and was read as ranks, 1 being "
            "the best; if it has scores, %s: user, item and score",
            *(path, doubts.NAMED),
        )
        return table.rename(columns={"score": "rank"})
    return table


def _first_line(path: Source) -> str:
    with io.TextIOWrapper(open_bytes(path), encoding="utf-8-sig", errors="replace") as file:
        return next((line.strip("\r\n") for line in file if line.strip()), "")


def _fields(line: str, separator: str) -> list[str]:
    """Return the fields of a line; none if its quotes do not close."""
    if len(separator) > 1:
        return line.split(None if separator == WHITESPACE else separator)
    with contextlib.suppress(csv.Error):
        return next(csv.reader([line], delimiter=separator), [])
    return []


def _is_number(text: str) -> bool:
    with contextlib.suppress(ValueError):
        decimals.number(text)
        return True
    return False


def _table(
    path: Source,
    separator: str,
    header: list[str] | None,
    columns: dict[str, object],
    value: str,
) -> pd.DataFrame:
    """Return the columns of a delimited file by their roles: ids as text, numbers as float64."""
    width = len(header or columns)
    try:
        with warnings.catch_warnings():
            # Where each line is longer than the header, pandas cuts it and only warns.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            table = _parsed(path, separator, header, columns)
    except UnicodeDecodeError:
        raise not_utf8(path) from None
    except (ValueError, pd.errors.ParserWarning) as error:
        if longer := _longer(path, separator, width):
            line, found = longer
            raise RankassayError(
                f"{path}, line {line}: expected at most {number_of(width, 'field')} as in the "
                f"first line, found {found}; correct the line."
            ) from None
        raise RankassayError(
            f"{path}: cannot be read as a table ({' '.join(str(error).split())}); correct the file."
        ) from error
    if separator in QUOTED and (line := _of_several_lines(path, separator)):
        raise runs_on(path, line)
    table = table[[*columns.values()]].set_axis([*columns], axis=1)
    return checked(table, lambda row: f"{path}, line {_line(path, row, header is not None)}")


def _parsed(
    path: Source, separator: str, header: list[str] | None, columns: dict[str, object]
) -> pd.DataFrame:
    """Return a delimited file as texts, by the names of its header or else by their roles."""
    with open_bytes(path) as file:
        parsed = r"\s+" if separator == WHITESPACE else separator
        if separator == LONG:  # pandas takes one character, or is slow
            file, parsed = io.BytesIO(file.read().replace(b"::", b"\x1f")), UNIT_SEPARATOR
        return pd.read_csv(
            file,
            sep=parsed,
            header=0 if header else None,
            names=header or [*columns],
            dtype="str",
            encoding="utf-8-sig",
            na_filter=False,
            index_col=False,
            quoting=csv.QUOTE_MINIMAL if separator in QUOTED else csv.QUOTE_NONE,
        )


def checked(table: pd.DataFrame, place: Callable[[int], str]) -> pd.DataFrame:
    """Return texts by their roles as ids and numbers (float64).

    Raises RankassayError for the first that is none, with the `place` of its row.
    """
    for role in table:
        if role not in (*IDS, *NUMBERS) or (role == "rank" and "score" in table):
            continue  # ranks next to scores are only compared, see `rankassay.data.ranks`
        codes, texts = pd.factorize(table[role].fillna(""))
        if role in ("rating", "known") and {*texts} <= FLAGS.keys():
            texts = texts.map(FLAGS)
        blank = np.array([role in OPTIONAL and not text.strip() for text in texts], dtype=bool)
        texts = texts.where(~blank, "0")
        found, wrong = [], []
        if role in IDS:
            wrong = [_wrong_id(role, text) for text in texts]
        else:
            found = decimals.fields(texts.tolist(), role)
            if str in {*map(type, found)}:
                wrong = [
                    f"{each}, found '{text[:80]}'" if isinstance(each, str) else ""
                    for each, text in zip(found, texts, strict=True)
                ]
        if any(wrong):
            row = int(np.argmax(np.array(wrong, dtype=bool)[codes]))
            raise RankassayError(f"{place(row)}: expected {wrong[codes[row]]}; correct the line.")
        if role in NUMBERS:
            table[role] = decimals.column(texts, found, role)[codes]
            if blank.any():
                table[role] = table[role].mask(blank[codes])
    return table


def _wrong_id(role: str, text: str) -> str:
    """Return what was expected and found in place of an id; nothing if it is one."""
    if not text.strip():
        return f"an id as {role}, found none"
    # Arrays of text would take an id and the same with a zero byte for one.
    strange = next((name for mark, name in STRANGE.items() if mark in text), "")
    return f"text as {role}, found {strange} in it" if strange else ""


def _longer(path: Source, separator: str, width: int) -> tuple[int, int] | None:
    """Return the number and the width of the first line with more fields than the first one."""
    with _text(path) as file:
        lines = split(file, separator)
        return next(((line, len(f)) for line, f in lines if len(f) > width), None)


def _of_several_lines(path: Source, separator: str) -> int:
    """Return the number of the first line whose row goes on in the next; 0 if there is none.

    A quote that is not closed takes the rows that follow into its own; where there are no quotes,
    rows are lines.
    """
    if not holds(path, b'"'):
        return 0
    with _text(path) as file:
        rows, before = csv.reader(file, delimiter=separator), 0
        for _ in rows:
            if rows.line_num > before + 1:
                return before + 1
            before = rows.line_num
    return 0


def _line(path: Source, row: int, header: bool) -> int:
    """Return the number of the line that holds a row: empty lines hold none."""
    with _text(path) as file:
        numbers = (number for number, line in enumerate(file, start=1) if line.strip("\r\n"))
        return next(number for i, number in enumerate(numbers) if i == row + header)


def _text(path: Source) -> io.TextIOWrapper:
    return io.TextIOWrapper(open_bytes(path), encoding="utf-8", errors="replace")
