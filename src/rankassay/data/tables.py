"""Judgements and runs as tables, from files of all formats.

A file is one of TREC's, or has three columns (user, item, number), or says in its first line what
its columns are; or it is JSON, parquet or a matrix. So those of Elliot, RecBole, LensKit, BEIR,
PyTerrier, ranx and MovieLens are read as they are.

A table without names and three columns has a rank or a score in the third; one of four is TREC
qrels (user, iter, item, rating) or a log of ratings (user, item, rating, timestamp). Read as the
other, every list would stand upside down, or the times be relevances. A table of six is a TREC run.
What is assumed is logged; what nothing settles is refused, with the option that does.
"""

import contextlib
import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

import numpy as np
import pandas as pd

from rankassay.data import numerals
from rankassay.data.columns import (
    ALIKE,
    BY_ID,
    WANTED,
    are_whole,
    check_means,
    check_users,
    compare_ranks,
    listed,
    rename,
    roles,
    roles_in,
)
from rankassay.data.numbers import Numbers
from rankassay.data.opening import Source, once, open_bytes
from rankassay.data.readers import FORMS, READERS, nested
from rankassay.data.readers.delimited import COMMENT, plain
from rankassay.data.readers.lines import QUOTED, WHITESPACE
from rankassay.data.stored import SOURCES, STRICT, Stored, stripped
from rankassay.data.validation import table
from rankassay.errors import RankassayError, number_of, written
from rankassay.types import Floats

SYNTHETIC = "synthetic-"  # what the ids of `rankassay demo-data` begin with
LONG = "::"  # as MovieLens has it
# Tried in this order: blanks and bars stand in ids more often than tabs do.
SEPARATORS = ("\t", ",", ";", LONG, "|", WHITESPACE)
LONGEST = 64  # bytes by which a form is known
# How its first line begins; ids may begin with {}, [] and [{.
JSON = re.compile(r'\s*(\{\s*("|\}?\s*$)|\[\s*(\{\s*("|\}?[\s,\]]*$)|\]?\s*$))')
QUOTES = re.compile('"([^"]*)"')  # around a name, as R writes them between tabs
Table = tuple[pd.DataFrame, Callable[[int], str]]  # and the place of a row, in words

QRELS = ("user", "iter", "item", "rating")
RUN = ("user", "Q0", "item", "rank", "score", "tag")
TREC = {"rating": QRELS, "score": RUN}
TIMES = 1e8  # from March 1973 on, in seconds since 1970; no rating is so large
LATEST = 1e14  # in milliseconds, in the year 5138
NO_ITERATION = {"0", "Q0"}
NAMED = "name the columns in a first line"


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
    return unnamed(path, line, fields, value)


def _first_line(path: Source, value: str) -> tuple[int, str]:
    """Return the number and the text of the first line that is not blank, nor a comment of TREC."""
    with io.TextIOWrapper(open_bytes(path), encoding="utf-8-sig", errors="replace") as file:
        lines = enumerate((line.strip("\r\n") for line in file), 1)
        found = ((number, line) for number, line in lines if line.strip())
        first = next(found, (1, ""))
        if first[1].lstrip().startswith(COMMENT):
            rest = next((own for own in found if not own[1].lstrip().startswith(COMMENT)), first)
            return rest if is_trec(rest[1].split(), value) else first
        return first


def _fields(line: str, separator: str) -> list[str]:
    """Return the fields of a line; none if its quotes do not close."""
    if separator not in QUOTED:
        fields = line.split(None if separator == WHITESPACE else separator)
        return [QUOTES.sub(r"\1", own) if QUOTES.fullmatch(own) else own for own in fields]
    with contextlib.suppress(csv.Error):
        return next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    return []


def unnamed(path: Source, first: int, fields: Mapping[str, Sequence[str]], value: str) -> Table:
    """Read a table whose first line, in its fields by separator, names no columns."""
    wanted, asked, value = WANTED[value], value, ALIKE.get(value, value)
    blank = fields[WHITESPACE]
    fits = len(blank) == len(TREC[value])
    sure = fits and blank[1] in NO_ITERATION and _is_number(blank[TREC[value].index(value)])
    for separator, names in fields.items():
        three = separator != WHITESPACE and len(names) == 3 and _is_number(names[2])
        if three and not sure:
            return _three(path, separator, value)
    widest = max(fields, key=lambda separator: len(fields[separator]))
    names = fields[widest]
    blanks = widest == WHITESPACE and len(names) > 2 and any(map(_is_number, names))
    if fits or blanks or not "".join(names).strip():
        return four(path) if value == "rating" else six(path)
    if value == "rating" and len(names) == 4 and _is_number(names[3]):
        return four(path, widest)
    cure = rename(names, asked, f"rename them, or {NAMED}")
    raise RankassayError(
        f"{path}, line {first}: expected the names of the columns {wanted}, or three columns with "
        f"a number as {value}, found '{names[-1][:80]}' as the last of "
        f"{number_of(len(names), 'column')} ({listed(names)}); {cure}."
    )


def is_trec(fields: Sequence[str], value: str) -> bool:
    """Whether these are the fields of a line of TREC qrels (`value` is rating) or of a run."""
    names = TREC.get(ALIKE.get(value, value), ())
    return len(fields) >= len(names) > 0 and _is_number(
        fields[names.index(ALIKE.get(value, value))]
    )


def _is_number(text: str) -> bool:
    with contextlib.suppress(ValueError):
        numerals.number(text)
        return True
    return False


def _three(path: Source, separator: str, value: str) -> Table:
    """Read user, item and number."""
    frame, place = table(plain(path, separator, {"user": 0, "item": 1, value: 2}))
    number = frame[value].to_numpy()
    if value == "rating":
        check_ratings(path, number)
    elif is_ranked(path, frame["user"], number):
        SOURCES.warning(
            "%s: the third column counts the places of each list, and was read as ranks, 1 being "
            "the best; if it has scores, %s: user, item and score",
            *(path, NAMED),
        )
        return frame.rename(columns={"score": "rank"}), place
    return frame, place


def four(path: Source, separator: str = WHITESPACE) -> Table:
    """Read user, item and rating from TREC qrels, or from a log of ratings without names."""
    described = {"exactly": QRELS, "wanted": f"lines '{' '.join(QRELS)}'"}
    stored = stripped(
        plain(path, separator, {name: i for i, name in enumerate(QRELS)}, **described)
    )
    sure = stored.broken or NO_ITERATION.issuperset(stored.columns["iter"].values)
    if not sure and is_a_log(path, stored):
        SOURCES.warning(
            "%s: the last column has times, and the columns were read as user, item, rating and "
            "timestamp; if these are qrels, write 0 as iter",
            path,
        )
        stored = plain(path, separator, {"user": 0, "item": 1, "rating": 2}, **described)
    frame, place = table(stored, trec=separator == WHITESPACE)
    return frame[["user", "item", "rating"]], place


def six(path: Source) -> Table:
    """Read user, item and score from a TREC run, in which tags do not count, as in trec_eval."""
    described = {"exactly": RUN, "wanted": f"lines '{' '.join(RUN)}'", "behind": _has_a_tag}
    used = {name: i for i, name in enumerate(RUN) if name != "Q0"}
    frame, place = table(plain(path, WHITESPACE, used, **described), trec=True)
    tag = frame["tag"].cat.codes.to_numpy()
    if (others := tag != tag[0]).any():
        SOURCES.warning(
            "%s: the tag is '%s', above '%s'; tags do not count, as in trec_eval; if these are of "
            "several systems, write the lists of each to a file of its own",
            *(place(other := int(np.argmax(others))), frame["tag"][other], frame["tag"][0]),
        )
    order = Numbers.of(str(path), "score", frame["score"]).order
    compare_ranks(frame["user"].cat.codes.to_numpy(), frame["rank"], order, place)
    return frame[["user", "item", "score"]], place


def _has_a_tag(fields: list[str]) -> bool:
    """Whether text stands behind the tag of a line, and no id has a blank in it."""
    rank, score, tag = map(_is_number, fields[3:6])
    return rank and score and not tag


def is_ranked(what: object, user: pd.Series, number: Floats) -> bool:
    """Whether the third column of a run counts the places of each user's list.

    That is where all lists hold the numbers 1 to n (or 0 to n - 1), in the order of the file.
    """
    if number.dtype == object:  # decimals, too many for places
        return False
    codes = pd.factorize(user)[0]
    listed = number[np.argsort(codes, kind="stable")]
    rising = number[np.lexsort((number, codes))]
    length = np.bincount(codes)
    start = np.repeat(np.cumsum(length) - length, length)
    place, first = np.arange(len(codes)) - start, rising[start]
    if length.max(initial=0) < 2:
        return False
    ordered = (listed == rising).all()
    if not np.isin(first, (0, 1)).all() or (rising != first + place).any():
        steps = np.diff(rising)[place[1:] > 0]
        whole = (rising >= 0).all() and (rising == np.floor(rising)).all()
        if ordered and whole and (steps > 0).all():
            raise _in_doubt(what, "whole numbers that rise in the list of each user")
        return False
    if ordered:
        return True
    if (listed == first + np.repeat(length, length) - 1 - place).all():
        return False
    raise _in_doubt(what, "the numbers 1 to n of each user in no order")


def _in_doubt(what: object, found: str) -> RankassayError:
    return RankassayError(
        f"{what}: expected a score in the third column, found {found}, which may be ranks; "
        f"{NAMED}: user, item and rank, or user, item and score."
    )


def is_a_log(what: object, stored: Stored) -> bool:
    """Whether four columns, named as in TREC qrels, are user, item, rating and timestamp."""
    iterations, items = ({*stored.columns[role].values} for role in ("iter", "item"))
    numbers = numerals.fields([*stored.columns["rating"].values], "score")
    timed = [number >= TIMES for number in numbers if not isinstance(number, str)]
    pairs = pd.DataFrame({role: stored.columns[role].codes for role in ("user", "iter")})
    apart = not pairs.duplicated().any() or len(iterations) > len(items)
    words = not all(map(_is_number, iterations))
    many = words or apart if len(iterations) > 1 else words and apart
    if len(timed) < len(numbers) or not (many or any(timed)):
        return False
    if all(timed) and all(map(_is_number, items)):
        return True
    found = f"{number_of(len(iterations), 'value')} of iter, as of items"
    if any(timed):
        found = f"the rating {max(numbers):.0f}, as a time is"
    raise RankassayError(
        f"{what}: expected TREC qrels (user iter item rating), found {found}; if these are other "
        f"columns, {NAMED}, such as 'user item rating timestamp', else write 0 as iter."
    )


def check_ratings(what: object, rating: Floats, cure: str = NAMED) -> None:
    """Raise RankassayError for ratings in a third column that are so large that they are times."""
    if len(rating) and (timed := rating >= TIMES).any():
        raise RankassayError(
            f"{what}: expected ratings in the third column, found {rating[timed][0]:.0f}, as a "
            f"time is; {cure}: user, item and rating."
        )


def check_parts(what: str, rows: Sequence[Sequence]) -> None:
    """Raise RankassayError for rows in memory of TREC's iterations, or of times as ratings."""
    if len(rows) > 1 and len(rows[0]) == 4 and NO_ITERATION.issuperset(str(row[1]) for row in rows):
        raise RankassayError(
            f"{what}: expected (user, item, rating), found {written(rows[0][1], repr)} as the item "
            "of all rows, as the iteration of TREC qrels is; leave it out."
        )
    numbers = (row[2] for row in rows if isinstance(row[2], int | float | np.integer))
    timed = [float(number) for number in numbers if TIMES <= number < LATEST]
    check_ratings(what, np.array(timed), "name the columns in a frame")


def read_qrels(path: Source) -> pd.DataFrame:
    """Read a TREC qrels file as a frame: user (str), item (str), rating (float64).

    Where the second column is none of iterations and the last one has times, the columns are read
    as user, item, rating and timestamp, and the log says so (`rankassay.data.tables`). Raises
    RankassayError, naming file and line, for lines without four columns, ratings that are not
    finite numbers, and a user's second rating of an item.

    Examples
    --------
    See `write_qrels`.
    """
    return _texts(four(once(path))[0], path)


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
    return _texts(six(once(path))[0], path)


def _texts(frame: pd.DataFrame, path: Source) -> pd.DataFrame:
    check_means(path, frame["user"].cat.categories)
    return frame.astype({"user": "str", "item": "str"})
