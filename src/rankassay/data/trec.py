"""TREC files: judgements (qrels) and runs, the formats of trec_eval.

    qrels   user iter item rating
    run     user Q0 item rank score tag

Columns are separated by any number of spaces or tabs; iter, Q0, rank, tag and what stands behind it
are not used. Lines that begin with # are comments. Files may be packed by gzip, xz or zstd. They do
not say how items with equal scores are ordered: see `ties` of `rankassay.evaluate`.
"""

import re
from collections.abc import Iterable

import numpy as np
import pandas as pd

from rankassay.artifacts.files import Pathlike
from rankassay.data import doubts, inputs, writing
from rankassay.data.opening import Source, once
from rankassay.errors import RankassayError


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
    return _texts(doubts.four(once(path))[0], path)


def read_run(path: Source) -> pd.DataFrame:
    """Read a TREC run file as a frame: user (str), item (str), score (float64).

    Scores are decimals (`decimal.Decimal`) in a file in which float64 would take two different ones
    for one. The rows stand as in the file; the rank column is ignored, as in trec_eval, and the log
    says so where it contradicts the scores, and where tags differ. Raises RankassayError, naming
    file and line, for lines without six columns, scores that are not numbers, and an item that
    stands twice in a list.

    Examples
    --------
    See `write_run`.
    """
    return _texts(doubts.six(once(path))[0], path)


def _texts(frame: pd.DataFrame, path: Source) -> pd.DataFrame:
    doubts.check_means(path, frame["user"].cat.categories)
    return frame.astype({"user": "str", "item": "str"})


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
