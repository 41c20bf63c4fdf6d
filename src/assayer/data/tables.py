"""Judgements and runs as tables: their columns' names in other libraries, and files of all formats.

A file is one of TREC's, or has three columns (user, item, number), or says in its first line what
its columns are. So those of Elliot, RecBole, LensKit, BEIR and PyTerrier are read as they are.
"""

import contextlib
import csv
import io
import re
import warnings

import numpy as np
import pandas as pd

from assayer.data import decimals
from assayer.data.opening import Source, holds, not_utf8, open_bytes, runs_on
from assayer.data.trec import read_qrels, read_run
from assayer.errors import AssayerError, number_of

# What libraries call the columns, in lower case; of several that a table has, the first counts.
# PyTerrier's qid and docno are ids; its query and docid are a text and an internal number.
COLUMNS = {
    "user": ("user", "user_id", "userid", "uid", "qid", "q_id", "query_id", "query"),
    "item": ("item", "item_id", "itemid", "iid", "docno", "doc_id", "corpus_id", "docid"),
    "rating": ("rating", "label", "relevance", "rel", "score"),
    "score": ("score", "prediction"),
    "rank": ("rank",),
}
SEPARATORS = ("\t", ",")


def named(frame: pd.DataFrame, value: str) -> pd.DataFrame:
    """Return a frame whose columns have our names, where they have those of another library.

    PyTerrier's are qid, docno, score, rank and label; those of ir_measures query_id, doc_id, score
    and relevance; LensKit's user_id, item_id, score and rank; RecBole's user_id:token,
    item_id:token, score:float and rating:float. A column that has our name already counts first.
    """
    columns = _roles([*frame.columns], value)
    renamed = {theirs: role for role, theirs in columns.items() if role != theirs}
    return frame[[*columns.values()]].rename(columns=renamed) if renamed else frame


def read(path: Source, value: str) -> pd.DataFrame:
    """Read a file of judgements (`value` is rating) or of a run (score) as a frame.

    The formats are

    - TREC's, see `assayer.data.trec`;
    - columns separated by tabs or commas under a line with their names, see `named`;
    - three columns, user, item and number, separated by tabs or commas, as Elliot writes them.

    Ids are text. Raises AssayerError, naming file and line, for lines that are not as expected.
    """
    first = _first_line(path)
    for separator in SEPARATORS:
        fields = next(csv.reader([first], delimiter=separator))
        columns = _roles(fields, value)
        if {"user", "item"} <= columns.keys() and len(columns) > 2:
            return _table(path, separator, fields, columns, value)
        if len(fields) == 3:
            roles = ("user", "item", value)
            return _table(path, separator, None, dict(zip(roles, roles, strict=True)), value)
    return read_qrels(path) if value == "rating" else read_run(path)


def _roles(names: list, value: str) -> dict[str, object]:
    """Return which of the names stands for user, item and number, by our name for it."""
    known = {_plain(name): name for name in reversed(names)} | {name: name for name in names}
    wanted = ("user", "item", "rating") if value == "rating" else ("user", "item", "score", "rank")
    found = {role: next((n for n in COLUMNS[role] if n in known), None) for role in wanted}
    return {role: known[name] for role, name in found.items() if name is not None}


def _plain(name: object) -> str:
    """Return a column's name in lower case, without RecBole's type and with underscores."""
    return re.sub(r":\w+$", "", str(name).strip().lower()).replace("-", "_")


def _first_line(path: Source) -> str:
    with io.TextIOWrapper(open_bytes(path), encoding="utf-8-sig", errors="replace") as file:
        return next((line.strip("\r\n") for line in file if line.strip()), "")


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
        with open_bytes(path) as file, warnings.catch_warnings():
            # Where each line is longer than the header, pandas cuts it and only warns.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            table = pd.read_csv(
                file,
                sep=separator,
                header=0 if header else None,
                names=header or [*columns],
                dtype="str",
                encoding="utf-8-sig",
                na_filter=False,
                index_col=False,
                quoting=csv.QUOTE_NONE if separator == "\t" else csv.QUOTE_MINIMAL,
            )
    except UnicodeDecodeError:
        raise not_utf8(path) from None
    except (ValueError, pd.errors.ParserWarning) as error:
        if longer := _longer(path, separator, width):
            line, found = longer
            raise AssayerError(
                f"{path}, line {line}: expected at most {number_of(width, 'field')} as in the "
                f"first line, found {found}; correct the line."
            ) from None
        raise AssayerError(
            f"{path}: cannot be read as a table ({' '.join(str(error).split())}); correct the file."
        ) from error
    if separator != "\t" and (line := _of_several_lines(path, separator)):
        raise runs_on(path, line)
    table = table[[*columns.values()]].set_axis([*columns], axis=1)
    for role in table:
        if role == "rank" and "score" in columns:
            continue  # not used but compared, see `assayer.data.ranks`
        codes, texts = pd.factorize(table[role].fillna(""))
        if role in ("user", "item"):
            wrong = ["" if text.strip() else f"an id as {role}, found none" for text in texts]
        else:
            found = decimals.fields(texts.tolist(), role)
            wrong = []
            if str in {*map(type, found)}:
                wrong = [
                    f"{each}, found '{text[:80]}'" if isinstance(each, str) else ""
                    for each, text in zip(found, texts, strict=True)
                ]
        if any(wrong):
            row = int(np.argmax(np.array(wrong, dtype=bool)[codes]))
            line = _line(path, row, header is not None)
            raise AssayerError(
                f"{path}, line {line}: expected {wrong[codes[row]]}; correct the line."
            )
        if role not in ("user", "item"):
            table[role] = np.array(found, dtype=np.float64)[codes]
    return table


def _longer(path: Source, separator: str, width: int) -> tuple[int, int] | None:
    """Return the number and the width of the first line with more fields than the first one."""
    quoting = csv.QUOTE_NONE if separator == "\t" else csv.QUOTE_MINIMAL
    with io.TextIOWrapper(open_bytes(path), encoding="utf-8", errors="replace") as file:
        rows, line = csv.reader(file, delimiter=separator, quoting=quoting), 1
        with contextlib.suppress(csv.Error):
            for fields in rows:
                if len(fields) > width:
                    return line, len(fields)
                line = rows.line_num + 1
    return None


def _of_several_lines(path: Source, separator: str) -> int:
    """Return the number of the first line whose row goes on in the next; 0 if there is none.

    A quote that is not closed takes the rows that follow into its own; where there are no quotes,
    rows are lines.
    """
    if not holds(path, b'"'):
        return 0
    with io.TextIOWrapper(open_bytes(path), encoding="utf-8", errors="replace") as file:
        rows, before = csv.reader(file, delimiter=separator), 0
        for _ in rows:
            if rows.line_num > before + 1:
                return before + 1
            before = rows.line_num
    return 0


def _line(path: Source, row: int, header: bool) -> int:
    """Return the number of the line that holds a row: empty lines hold none."""
    with io.TextIOWrapper(open_bytes(path), encoding="utf-8", errors="replace") as file:
        numbers = (number for number, line in enumerate(file, start=1) if line.strip("\r\n"))
        return next(number for i, number in enumerate(numbers) if i == row + header)
