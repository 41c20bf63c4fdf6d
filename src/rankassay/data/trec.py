"""TREC files: judgements (qrels) and runs, the formats of trec_eval.

    qrels   user iter item rating
    run     user Q0 item rank score tag

Columns are separated by any number of spaces or tabs; iter, Q0 and rank are not used. Files may be
packed by gzip. They do not say how items with equal scores are ordered: see `ties` of
`rankassay.evaluate`.
"""

import csv
import io
import logging
import re
import warnings
from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from rankassay.artifacts.files import Pathlike
from rankassay.data import decimals, doubts, inputs, writing
from rankassay.data.numbers import Numbers
from rankassay.data.opening import MARK, Source, holds, not_utf8, once, open_bytes
from rankassay.data.ranks import compare_ranks
from rankassay.errors import RankassayError

log = logging.getLogger(__name__)

QRELS = ("user", "iter", "item", "rating")
RUN = ("user", "Q0", "item", "rank", "score", "tag")


def read_qrels(path: Source) -> pd.DataFrame:
    """Read a TREC qrels file as a frame: user (str), item (str), rating (float64).

    Where the second column is none of iterations and the last one has times, the columns are read
    as user, item, rating and timestamp, and the log says so (`rankassay.data.doubts`). Raises
    RankassayError, naming file and line, for lines without four columns, ratings that are not
    finite numbers, and a user's second rating of an item.

    Examples
    --------
    See `write_qrels`.
    """
    path = once(path)
    frame = _read(path, QRELS, "rating")
    if not doubts.NO_ITERATION.issuperset(map(str, frame["iter"].cat.categories)):
        frame = _read(path, QRELS, "rating", "iter")  # which may be ids
    return settled(frame, path)


def settled(frame: pd.DataFrame, path: Source) -> pd.DataFrame:
    """Return user, item and rating of four columns, named as in qrels, which may be of a log."""
    if doubts.is_a_log(path, frame):
        log.warning(
            "%s: the last column has times, and the columns were read as user, item, rating and "
            "timestamp; if these are qrels, write 0 as iter",
            path,
        )
        codes, texts = pd.factorize(frame["item"])
        found = decimals.fields(texts.tolist(), "rating")
        for row in np.flatnonzero(np.array([isinstance(each, str) for each in found])[codes]):
            problem = f"expected {found[codes[row]]}, found '{texts[codes[row]][:80]}'"
            _fail(path, line_number(path, row), problem, "correct the line")
        rating = np.array(found, dtype=np.float64)[codes]
        frame = frame.assign(item=frame["iter"], rating=rating)
    _check_unique(frame, path)
    return frame[["user", "item", "rating"]]


def read_run(path: Source) -> pd.DataFrame:
    """Read a TREC run file as a frame: user (str), item (str), score (float64).

    Scores are decimals (`decimal.Decimal`) in a file in which float64 would take two different ones
    for one. The rows stand as in the file; the rank column is ignored, as in trec_eval, and the log
    says so where it contradicts the scores. Raises RankassayError, naming file and line, for lines
    without six columns, scores that are not numbers, an item that stands twice in a list, and a
    second tag: a file is one system's.

    Examples
    --------
    See `write_run`.
    """
    path = once(path)
    frame = _read(path, RUN, "score")
    _check_unique(frame, path)
    tags = frame["tag"].to_numpy(object)
    if (tags != tags[0]).any():
        other = int(np.argmax(tags != tags[0]))
        problem = f"expected the tag '{tags[0]}' as above, found '{tags[other]}'"
        remedy = "write the lists of each system to a file of its own"
        _fail(path, line_number(path, other), problem, remedy)
    ranks = frame["rank"].cat
    numbers = pd.to_numeric(pd.Series(ranks.categories), errors="coerce").to_numpy(np.float64)
    compare_ranks(
        pd.factorize(frame["user"])[0],
        pd.Series(numbers[ranks.codes]),
        Numbers.of(str(path), "score", frame["score"]).order,
        lambda row: f"{path}, line {line_number(path, row)}",
    )
    return frame[["user", "item", "score"]]


def write_qrels(qrels: pd.DataFrame, path: Pathlike) -> None:
    """Write a frame with the columns user, item and rating as a TREC qrels file.

    Whole numbers are written as such, others with all their digits; a file whose name ends in .gz
    is packed. A file that is there keeps its mode, links lead to it as before, and a pipe or a
    device is written to. What is written is read back as it was (ids as text). Raises
    RankassayError for what would not be: ids that are missing, empty, hold blanks or are of several
    types, numbers that `read_qrels` refuses, an item twice, and no rows.

    Examples
    --------
    >>> import rankassay, pandas as pd, pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "qrels.txt")
    >>> qrels = pd.DataFrame({"user": ["ann", "ann"], "item": ["film", "book"], "rating": [5, 2]})
    >>> rankassay.write_qrels(qrels, path)
    >>> print(path.read_text().strip())
    ann 0 film 5
    ann 0 book 2
    >>> rankassay.read_qrels(path)
      user  item  rating
    0  ann  film     5.0
    1  ann  book     2.0
    >>> folder.cleanup()
    """
    qrels = inputs.frame("qrels", qrels, "user", "item", "rating")
    rating = writing.values("qrels", qrels, "rating")
    whole = (rating == np.floor(rating)).all() and (np.abs(rating) < 2**53).all()
    written = writing.texts("qrels", "rating", rating.astype(np.int64) if whole else rating)
    writing.write("qrels", qrels, "0", [written], path)


def write_run(run: pd.DataFrame, path: Pathlike, tag: str) -> None:
    """Write a frame with the columns user, item, rank and score as a TREC run file.

    What is written is read back as it was, and what would not be is refused, as by `write_qrels`;
    so are ranks that are not whole numbers, and tags that hold blanks.

    Examples
    --------
    >>> import rankassay, pandas as pd, pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "mine.run")
    >>> columns = {"user": "ann", "item": ["film", "game"], "rank": [1, 2], "score": [0.9, 0.8]}
    >>> rankassay.write_run(pd.DataFrame(columns), path, tag="mine")
    >>> print(path.read_text().strip())
    ann Q0 film 1 0.9 mine
    ann Q0 game 2 0.8 mine
    >>> rankassay.read_run(path)
      user  item  score
    0  ann  film    0.9
    1  ann  game    0.8
    >>> folder.cleanup()
    """
    run = inputs.frame("run", run, "user", "item", "rank", "score")
    tag = writing.text("tag", inputs.text("tag", tag))
    score, rank = writing.values("run", run, "score"), writing.values("run", run, "rank")
    if (rank != np.floor(rank)).any() or (np.abs(rank) >= 2**53).any():
        raise RankassayError("run, column rank: expected whole numbers, found others.")
    if run["score"].dtype.kind in "iu" and (np.abs(score) < 2**53).all():
        score = score.astype(np.int64)
    written = writing.texts("run", "score", score)
    ranks = writing.texts("run", "rank", rank.astype(np.int64))
    writing.write("run", run, "Q0", [ranks, written, [tag] * len(run)], path)


def escaped(name: str) -> str:
    """Return an id as it can stand in a TREC file: blanks and % as in web addresses.

    >>> escaped("Pale Ale 5%")
    'Pale%20Ale%205%25'
    """
    return re.sub(r"[\s%]", lambda blank: "".join(f"%{b:02X}" for b in blank[0].encode()), name)


def escaped_ids(ids: Iterable) -> list[str]:
    """Return the ids of a dataset as they can stand in a TREC file."""
    return [escaped(str(name)) for name in ids]


def as_escaped(column: pd.Series, names: Iterable) -> pd.Series:
    """Return the ids of a table, which may also stand there as a dataset has them, as escaped."""
    written = {name: escaped(name) for name in map(str, names)}
    plain = {name: other for name, other in written.items() if name != other}
    for name in {*written.values()} & plain.keys():
        del plain[name]
    return column.map(lambda name: plain.get(name, name)) if plain else column


def _read(path: Source, columns: tuple[str, ...], number: str, *texts: str) -> pd.DataFrame:
    """Return all columns of a file: ids, tags and `texts` as str, the `number` as float64."""
    names = [*columns, "more"]
    # What is not used is read fastest as categories; ids must not be, for "07" would become 7, nor
    # numbers be parsed by pandas, which takes TRUE for 1.
    kinds = dict.fromkeys(names, "category")
    kinds |= {name: "str" for name in ("user", "item", "tag", number, *texts) if name in columns}
    try:
        with open_bytes(path) as file, warnings.catch_warnings():
            # Of a line that is too long, only enough is read to notice it.
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
            )
    except UnicodeDecodeError:
        raise not_utf8(path) from None
    except ValueError as error:
        _check_lines(path, columns, number)
        raise RankassayError(f"{path}: cannot be read as a TREC file ({error}).") from error
    if not len(frame):
        raise RankassayError(f"{path}: expected lines '{' '.join(columns)}', found none.")
    if (frame[columns[-1]] == "").any() or (frame["more"] != "").any():
        _check_lines(path, columns, number)
    codes, written = pd.factorize(frame[number])
    found = decimals.fields(written.tolist(), number)
    ids = (frame[name].drop_duplicates() for name in ("user", "item"))
    marked = any(own.str.contains(MARK, regex=False).any() for own in ids)
    # Arrays of text would take an id and the same with a zero byte for one.
    if str in {*map(type, found)} or marked or holds(path, b"\0"):
        _check_lines(path, columns, number)
    return frame.assign(**{number: decimals.column(written, found, number)[codes]})


def _check_lines(path: Source, columns: tuple[str, ...], number: str) -> None:
    """Raise RankassayError for the first line that is not as the format has it."""
    for line, fields in _lines(path):
        if len(fields) != len(columns):
            expected = f"expected {len(columns)} columns ({' '.join(columns)})"
            remedy = "ids must not hold blanks"
            if len(fields) < len(columns):
                remedy = "add what is missing; blanks separate columns"
            _fail(path, line, f"{expected}, found {len(fields)}", remedy)
        if any("\0" in field for field in fields):
            _fail(path, line, "expected text, found a zero byte", "correct the line")
        if any(MARK in field for field in fields):
            _fail(path, line, "expected text, found a byte order mark", "remove it")
        value = fields[columns.index(number)]
        if isinstance(wrong := decimals.field(value, number), str):
            _fail(path, line, f"expected {wrong}, found '{value[:80]}'", "correct the line")


def _check_unique(frame: pd.DataFrame, path: Source) -> None:
    """Raise RankassayError for the first line whose user and item stand in an earlier one."""
    again = frame.duplicated(["user", "item"])
    if again.any():
        row = int(again.idxmax())
        user, item = frame.loc[row, ["user", "item"]]
        problem = f"user '{user}' has item '{item}' already, further above"
        remedy = "make one line of the two, such as of their mean or the later one"
        _fail(path, line_number(path, row), problem, remedy)


def _fail(path: Source, line: int, problem: str, remedy: str) -> None:
    raise RankassayError(f"{path}, line {line}: {problem}; {remedy}.")


def line_number(path: Source, row: int) -> int:
    """Return the number of the line that holds a row: empty lines hold none."""
    return next(line for i, (line, _) in enumerate(_lines(path)) if i == row)


def _lines(path: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the columns of each line that is not empty, as pandas finds them."""
    with io.TextIOWrapper(open_bytes(path), encoding="utf-8-sig", errors="replace") as file:
        for number, line in enumerate(file, start=1):
            if text := line.strip(" \t\n"):
                yield number, re.split("[ \t]+", text)
