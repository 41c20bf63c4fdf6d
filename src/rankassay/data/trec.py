"""TREC files as they are written, and what of the pipeline is written to them.

    qrels   user iter item rating
    run     user Q0 item rank score tag

What would not be read back as it was is refused; `rankassay.data.tables` reads them.
"""

import re
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.artifacts.files import Pathlike, write_lines
from rankassay.data import inputs, numerals
from rankassay.data.ids import ids as indices
from rankassay.data.ids import texts as as_texts
from rankassay.data.opening import MARK
from rankassay.data.validation import are_floats, second
from rankassay.errors import RankassayError
from rankassay.types import Floats, Texts


def judgements(test: sp.csr_matrix, users: Texts, items: Texts) -> pd.DataFrame:
    """Return a test or training matrix as a frame: user, item, rating."""
    _check("matrix", test.shape, (len(users), len(items)))
    entries = test.tocoo()
    return pd.DataFrame(
        {"user": users[entries.row], "item": items[entries.col], "rating": entries.data}
    )


def lists(rankings: Rankings, users: Texts, items: Texts) -> pd.DataFrame:
    """Return rankings as a frame: user, item, rank, and score, which falls by 1 with each rank."""
    found = (len(rankings.items), max(len(items), 1 + int(rankings.items.max(initial=-1))))
    _check("rankings", found, (len(users), len(items)))
    user, place = np.nonzero(rankings.items >= 0)
    return pd.DataFrame(
        {
            "user": users[user],
            "item": items[rankings.items[user, place]],
            "rank": place + 1,
            "score": rankings.depth - 1 - place,
        }
    )


def _check(what: str, found: tuple[int, int], expected: tuple[int, int]) -> None:
    if found != expected:
        raise RankassayError(
            f"the {what}: expected {expected[0]} users and {expected[1]} items as in the ratings, "
            f"found {found[0]} and {found[1]}; give files of the same run."
        )


def write_qrels(qrels: pd.DataFrame, path: Pathlike) -> None:
    """Write a frame with the columns user, item and rating as a TREC qrels file.

    Whole numbers are written as such, others with all their digits; a file whose name ends in .gz
    or .xz is packed. A file that is there keeps its mode, links lead to it as before, and a pipe or
    a device is written to. What is written is read back as it was (ids as text). Raises
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
    rating = _values("qrels", qrels, "rating")
    whole = (rating == np.floor(rating)).all() and (np.abs(rating) < 2**53).all()
    written = _texts_of("qrels", "rating", rating.astype(np.int64) if whole else rating)
    _write("qrels", qrels, "0", [written], path)


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
    tag = _text("tag", inputs.text("tag", tag))
    score, rank = _values("run", run, "score"), _values("run", run, "rank")
    if (rank != np.floor(rank)).any() or (np.abs(rank) >= 2**53).any():
        raise RankassayError("run, column rank: expected whole numbers, found others.")
    if run["score"].dtype.kind in "iu" and (np.abs(score) < 2**53).all():
        score = score.astype(np.int64)
    written = _texts_of("run", "score", score)
    ranks = _texts_of("run", "rank", rank.astype(np.int64))
    _write("run", run, "Q0", [ranks, written, [tag] * len(run)], path)


def escaped(name: str) -> str:
    """Return an id as it can stand in a TREC file: blanks, % and a first # as in web addresses.

    >>> escaped("Pale Ale 5%")
    'Pale%20Ale%205%25'
    """
    return re.sub(r"[\s%]|^#", lambda blank: "".join(f"%{b:02X}" for b in blank[0].encode()), name)


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


def _values(what: str, frame: pd.DataFrame, column: str) -> Floats:
    """Return a column of numbers; raises RankassayError for those that float64 does not hold."""
    name = f"{what}, column {column}"
    found = inputs.array(name, frame[column])
    if np.isnan(found).any():
        raise RankassayError(f"{name}: expected numbers, found none in some row.")
    return found


def _texts_of(what: str, kind: str, values: npt.NDArray) -> list[str]:
    """Return numbers as texts; raises RankassayError for one that would be refused on reading."""
    texts = [*map(repr, values.tolist())]
    for text in dict.fromkeys(texts) if kind == "rating" else ():
        if isinstance(wrong := numerals.field(text, kind), str):
            raise RankassayError(f"{what}, column {kind}: expected {wrong}, found {text}.")
    return texts


def _names(what: str, frame: pd.DataFrame, column: str) -> list[str]:
    """Return a column's ids as strings; raises RankassayError for those that no file can hold."""
    codes, unique = indices(what, column, frame[column], kept=True)
    if (codes < 0).any():
        raise RankassayError(f"{what}, column {column}: expected an id in each row, found none.")
    texts = [_text(column, own) for own in as_texts(unique)]
    if are_floats(texts):
        raise RankassayError(
            f"{what}, column {column}: ids such as '{texts[0]}' would be read as whole numbers; "
            "write them as such."
        )
    if column == "user" and (comment := next((own for own in texts if own[0] == "#"), "")):
        raise RankassayError(
            f"cannot write the user '{comment}' to a TREC file, in which a line that begins with # "
            "is a comment; rename it, for instance with rankassay.data.trec.escaped."
        )
    if len(set(texts)) < len(texts):
        again = next(text for n, text in enumerate(texts) if text in texts[:n])
        raise RankassayError(
            f"{what}: several {column} ids would be written as '{again}'; make them all strings."
        )
    return np.array(texts, dtype=object)[codes].tolist()


def _text(column: str, text: str) -> str:
    """Return a text; raises RankassayError if no column of a file can hold it."""
    if len(text.split()) != 1 or text.strip() != text or "\0" in text or MARK in text:
        raise RankassayError(
            f"cannot write the {column} '{text}' to a TREC file, whose columns are "
            "separated by blanks; rename it, for instance with rankassay.data.trec.escaped."
        )
    return text


def _write(
    what: str, frame: pd.DataFrame, middle: str, rest: Sequence[list[str]], path: Pathlike
) -> None:
    """Write the users, the columns between users and items, the items, and the other columns."""
    path, n_rows = inputs.path("path", path), len(frame)
    if not n_rows:
        raise RankassayError(
            f"{what}: expected rows, found none, which no reader takes for a file."
        )
    written = {name: _names(what, frame, name) for name in ("user", "item")}
    pairs = pd.DataFrame(written)
    if (row := second(pairs)) >= 0:
        user, item = pairs.loc[row]
        raise RankassayError(
            f"{what}: expected an item once for each user, found '{item}' of user '{user}' twice; "
            "keep one of the rows."
        )
    constant = [middle] * n_rows
    rows = zip(written["user"], constant, written["item"], *rest, strict=True)
    lines = (f"{' '.join(row)}\n" for row in rows)
    try:
        write_lines(lines, path)
    except (OSError, UnicodeEncodeError) as error:
        raise RankassayError(f"{path}: cannot be written ({error}).") from None
