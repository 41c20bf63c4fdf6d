"""TREC files: judgements (qrels) and runs, the formats of trec_eval.

    qrels   user iter item rating
    run     user Q0 item rank score tag

Columns are separated by any number of spaces or tabs; iter, Q0 and rank are not used. Files whose
name ends in .gz are compressed. These files do not say how items with equal scores are
ordered: see `ties` of `assayer.evaluate`.
"""

import csv
import io
import logging
import math
import re
import warnings
from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from assayer.artifacts.files import EXACT, Pathlike, atomic
from assayer.data import inputs
from assayer.data.opening import Source, open_bytes
from assayer.errors import AssayerError

log = logging.getLogger(__name__)

QRELS = ("user", "iter", "item", "rating")
RUN = ("user", "Q0", "item", "rank", "score", "tag")


def read_qrels(path: Source) -> pd.DataFrame:
    """Read a TREC qrels file as a frame: user (str), item (str), rating (float64).

    Raises AssayerError, naming file and line, for lines without four columns, ratings that are not
    finite numbers, and a user's second rating of an item.

    Examples
    --------
    See `write_qrels`.
    """
    frame = _read(path, QRELS, "rating")
    if np.isinf(frame["rating"].to_numpy()).any():
        row = int(np.argmax(np.isinf(frame["rating"].to_numpy())))
        _fail(path, line_number(path, row), "expected a finite rating", "correct the line")
    _check_unique(frame, path)
    return frame[["user", "item", "rating"]]


def read_run(path: Source) -> pd.DataFrame:
    """Read a TREC run file as a frame: user (str), item (str), score (float64).

    The rows stand as in the file; the rank column is ignored, as in trec_eval, and the log says so
    where it contradicts the scores. Raises AssayerError, naming file and line, for lines
    without six columns, scores that are not numbers, an item that stands twice in a list, and a
    second tag: a file is one system's.

    Examples
    --------
    See `write_run`.
    """
    frame = _read(path, RUN, "score")
    _check_unique(frame, path)
    tags = frame["tag"].to_numpy(object)
    if (tags != tags[0]).any():
        other = int(np.argmax(tags != tags[0]))
        problem = f"expected the tag '{tags[0]}' as above, found '{tags[other]}'"
        remedy = "write the lists of each system to a file of its own"
        _fail(path, line_number(path, other), problem, remedy)
    _compare_ranks(frame, path)
    return frame[["user", "item", "score"]]


def _compare_ranks(frame: pd.DataFrame, path: Source) -> None:
    """Say in the log if ranks that are not numbers, or not in the order of scores, are ignored."""
    ranks = frame["rank"].cat
    numbers = pd.to_numeric(pd.Series(ranks.categories), errors="coerce").to_numpy(np.float64)
    rank, score = numbers[ranks.codes], frame["score"].to_numpy()
    user = frame["user"].to_numpy(object)
    # Of neighbouring lines of a user, the one with the higher score should have the lower rank.
    falls = (score[1:] < score[:-1]) & ~(rank[1:] > rank[:-1])
    rises = (score[1:] > score[:-1]) & ~(rank[1:] < rank[:-1])
    wrong = (falls | rises) & (user[1:] == user[:-1])
    if wrong.any():
        row = int(np.argmax(wrong)) + 1
        log.warning(
            "%s, line %d: the ranks are not in the order of the scores (%d such lines); lists are "
            "in the order of the scores, as in trec_eval",
            path,
            line_number(path, row),
            int(wrong.sum()),
        )


def write_qrels(qrels: pd.DataFrame, path: Pathlike) -> None:
    """Write a frame with the columns user, item and rating as a TREC qrels file.

    Whole numbers are written as such, others with all their digits. Raises AssayerError for ids
    that are empty or hold blanks.

    Examples
    --------
    >>> import assayer, pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "qrels.txt")
    >>> qrels = pd.DataFrame({"user": ["ann", "ann"], "item": ["film", "book"], "rating": [5, 2]})
    >>> assayer.write_qrels(qrels, path)
    >>> print(path.read_text().strip())
    ann 0 film 5
    ann 0 book 2
    >>> assayer.read_qrels(path)
      user  item  rating
    0  ann  film     5.0
    1  ann  book     2.0
    >>> folder.cleanup()
    """
    inputs.frame("qrels", qrels, "user", "item", "rating")
    rating = inputs.array("qrels, column rating", qrels["rating"])
    if np.isnan(rating).any():
        raise AssayerError("qrels, column rating: expected numbers, found none in some row.")
    whole = (rating == np.floor(rating)).all() and (np.abs(rating) < 2**53).all()
    numbers = rating.astype(np.int64) if whole else rating
    columns = (_ids(qrels, "user"), "0", _ids(qrels, "item"), map(repr, numbers.tolist()))
    _write(columns, len(qrels), path)


def write_run(run: pd.DataFrame, path: Pathlike, tag: str) -> None:
    """Write a frame with the columns user, item, rank and score as a TREC run file.

    Raises AssayerError for ids and tags that are empty or hold blanks.

    Examples
    --------
    >>> import assayer, pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "mine.run")
    >>> columns = {"user": "ann", "item": ["film", "game"], "rank": [1, 2], "score": [0.9, 0.8]}
    >>> assayer.write_run(pd.DataFrame(columns), path, tag="mine")
    >>> print(path.read_text().strip())
    ann Q0 film 1 0.9 mine
    ann Q0 game 2 0.8 mine
    >>> assayer.read_run(path)
      user  item  score
    0  ann  film    0.9
    1  ann  game    0.8
    >>> folder.cleanup()
    """
    inputs.frame("run", run, "user", "item", "rank", "score")
    inputs.array("run, column score", run["score"])
    _ids(pd.DataFrame({"tag": [inputs.text("tag", tag)]}), "tag")
    rank, score = (map(repr, run[name].tolist()) for name in ("rank", "score"))
    columns = (_ids(run, "user"), "Q0", _ids(run, "item"), rank, score, tag)
    _write(columns, len(run), path)


def escaped(name: str) -> str:
    """Return an id as it can stand in a TREC file: blanks and % as in web addresses.

    >>> escaped("Pale Ale 5%")
    'Pale%20Ale%205%25'
    """
    return re.sub(r"[\s%]", lambda blank: "".join(f"%{b:02X}" for b in blank[0].encode()), name)


def escaped_ids(ids: Iterable) -> list[str]:
    """Return the ids of a dataset as they can stand in a TREC file."""
    return [escaped(str(name)) for name in ids]


def _read(path: Source, columns: tuple[str, ...], number: str) -> pd.DataFrame:
    """Return all columns of a file: ids and tags as str, the one called `number` as float64."""
    names = [*columns, "more"]
    # What is not used is read fastest as categories; ids must not be, for "07" would become 7.
    kinds = dict.fromkeys(names, "category") | {number: "float64"}
    kinds |= {name: "str" for name in ("user", "item", "tag") if name in columns}
    try:
        with open_bytes(path) as file, warnings.catch_warnings():
            # Of a line that is too long, only so much is read as shows that it is.
            warnings.simplefilter("ignore", pd.errors.ParserWarning)
            frame = pd.read_csv(
                file,
                sep=r"\s+",
                header=None,
                names=names,
                index_col=False,
                dtype=kinds,
                quoting=csv.QUOTE_NONE,
                na_filter=False,  # NA is an id like any other
                **EXACT,
            )
    except (ValueError, UnicodeDecodeError) as error:
        _check_lines(path, columns, number)
        raise AssayerError(f"{path}: cannot be read as a TREC file ({error}).") from error
    if not len(frame):
        raise AssayerError(f"{path}: expected lines '{' '.join(columns)}', found none.")
    if (frame[columns[-1]] == "").any() or (frame["more"] != "").any():
        _check_lines(path, columns, number)
    if np.isnan(frame[number].to_numpy()).any() or _has_zero_bytes(path):
        _check_lines(path, columns, number)
    return frame


def _has_zero_bytes(path: Source) -> bool:
    """Say whether there are any: arrays of text would take `a` and `a` with one for the same."""
    with open_bytes(path) as file:
        return any(b"\0" in block for block in iter(lambda: file.read(1 << 20), b""))


def _check_lines(path: Source, columns: tuple[str, ...], number: str) -> None:
    """Raise AssayerError for the first line that is not as the format has it."""
    for line, fields in _lines(path):
        if len(fields) != len(columns):
            expected = f"expected {len(columns)} columns ({' '.join(columns)})"
            _fail(path, line, f"{expected}, found {len(fields)}", "ids must not hold blanks")
        if any("\0" in field for field in fields):
            _fail(path, line, "expected text, found a zero byte", "correct the line")
        value = fields[columns.index(number)]
        try:
            sound = not math.isnan(float(value))
        except ValueError:
            sound = False
        if not sound:
            _fail(path, line, f"expected a number as {number}, found '{value}'", "correct the line")


def _check_unique(frame: pd.DataFrame, path: Source) -> None:
    """Raise AssayerError for the first line whose user and item stand in an earlier one."""
    again = frame.duplicated(["user", "item"])
    if again.any():
        row = int(again.idxmax())
        user, item = frame.loc[row, ["user", "item"]]
        problem = f"user '{user}' has item '{item}' already, further above"
        _fail(path, line_number(path, row), problem, "keep one of the lines")


def _fail(path: Source, line: int, problem: str, remedy: str) -> None:
    raise AssayerError(f"{path}, line {line}: {problem}; {remedy}.")


def line_number(path: Source, row: int) -> int:
    """Return the number of the line that holds a row: empty lines hold none."""
    return next(line for i, (line, _) in enumerate(_lines(path)) if i == row)


def _lines(path: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the columns of each line that is not empty, as pandas finds them."""
    with io.TextIOWrapper(open_bytes(path), encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, start=1):
            if text := line.strip(" \t\n"):
                yield number, re.split("[ \t]+", text)


def _ids(frame: pd.DataFrame, column: str) -> list[str]:
    """Return a column's ids as strings; raises AssayerError for one that no column can hold."""
    ids = [str(id_) for id_ in frame[column].tolist()]
    for id_ in dict.fromkeys(ids):
        if len(id_.split()) != 1 or id_.strip() != id_ or "\0" in id_:
            raise AssayerError(
                f"cannot write the {column} '{id_}' to a TREC file, whose columns are separated by "
                "blanks; rename it, for instance with assayer.data.trec.escaped."
            )
    return ids


def _write(columns: tuple, n_rows: int, path: Pathlike) -> None:
    """Write columns; those that are a string are the same in every row."""
    whole = [[column] * n_rows if isinstance(column, str) else column for column in columns]
    path = inputs.path("path", path)
    try:
        with atomic(path, "w", record=False) as file:
            file.writelines(f"{' '.join(row)}\n" for row in zip(*whole, strict=True))
    except (OSError, UnicodeEncodeError) as error:
        raise AssayerError(f"{path}: cannot be written ({error}).") from None
