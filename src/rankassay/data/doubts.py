"""What the columns and rows of tables are, where names or numbers say it: doubted here alone.

A table of three columns has a rank or a score in the third; one of four is TREC qrels (user, iter,
item, rating) or a log of ratings (user, item, rating, timestamp). Read as the other, every list
would stand upside down, or the times be relevances. A table of six is a TREC run. What is assumed
is logged; what nothing settles is refused, with the option that does. Rows of means are no users,
and columns of users no systems.
"""

import contextlib
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import product

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api.types import is_any_real_numeric_dtype

from rankassay.data import decimals, inputs
from rankassay.data.columns import ALIKE, COLUMNS, WANTED, listed, rename
from rankassay.data.libraries import opened
from rankassay.data.numbers import Numbers
from rankassay.data.opening import Source
from rankassay.data.readers.delimited import WHITESPACE, plain
from rankassay.data.stored import SOURCES, Stored, stripped
from rankassay.data.validation import table
from rankassay.errors import RankassayError, number_of, written
from rankassay.types import Floats, Integers

Table = tuple[pd.DataFrame, Callable[[int], str]]  # and the place of a row, in words

QRELS = ("user", "iter", "item", "rating")
RUN = ("user", "Q0", "item", "rank", "score", "tag")
TREC = {"rating": QRELS, "score": RUN}
TIMES = 1e8  # from March 1973 on, in seconds since 1970; no rating is so large
LATEST = 1e14  # in milliseconds, in the year 5138
NO_ITERATION = {"0", "Q0"}
NAMED = "name the columns in a first line"
# What trec_eval and spreadsheets write in place of a user, before means, in any case.
MEANS = frozenset(
    "".join(letters)
    for name in ("all", "mean", "amean", "average", "avg", "avg.")
    for letters in product(*zip(name, name.upper(), strict=True))
)
USERS = (*COLUMNS["user"], "users", "topic", "topics")  # in small letters, no systems


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
        decimals.number(text)
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
    numbers = decimals.fields([*stored.columns["rating"].values], "score")
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
    """Raise RankassayError for rows in memory that are not user, item and rating.

    That is where the second part is the iteration of TREC qrels, and the third one a time.
    """
    if len(rows) > 1 and len(rows[0]) == 4 and NO_ITERATION.issuperset(str(row[1]) for row in rows):
        raise RankassayError(
            f"{what}: expected (user, item, rating), found {written(rows[0][1], repr)} as the item "
            "of all rows, as the iteration of TREC qrels is; leave it out."
        )
    numbers = (row[2] for row in rows if isinstance(row[2], int | float | np.integer))
    timed = [float(number) for number in numbers if TIMES <= number < LATEST]
    check_ratings(what, np.array(timed), "name the columns in a frame")


def check_means(what: object, users: pd.Index, said: bool = True) -> None:
    """Raise RankassayError where one of the users is what names the means of all.

    That is sure where all other ids have digits; else it is a user, and the log says so if `said`.
    """
    if users.dtype.kind in "iuf" or not (means := MEANS.intersection(users.tolist())):
        return
    others = [str(own) for own in users if own not in means]
    mean = min(means)
    if others and all(map(re.compile("[0-9]").search, others)):
        raise _mean(what, f"users such as '{others[0]}'", mean, "rows")
    if others and said:
        SOURCES.warning(
            "%s: '%s' was read as a user; if it names the means of all, remove its rows", what, mean
        )


def check_user(place: object, user: object, rows: str = "user") -> None:
    """Raise RankassayError for what names the means of all, in the place of a user of values."""
    if isinstance(user, str) and user in MEANS:
        raise _mean(place, f"a {rows}", user, "row")


def _mean(place: object, expected: str, found: str, rows: str) -> RankassayError:
    return RankassayError(
        f"{place}: expected {expected}, found '{found}', which names the means of all; remove the "
        f"{rows}, or rename '{found}'."
    )


def of_values(what: str, table: npt.ArrayLike, rows: str = "user") -> Floats:
    """Return a table of values, users (or other rows) by systems (by measures), as an array."""
    table = opened(table)
    names: Sequence[object] = ()
    if isinstance(table, pd.DataFrame):
        for user in sorted(MEANS.intersection(table.index.tolist())):
            check_user(what, user, rows)
        names = [*table.columns]
        for place, name in enumerate(names):
            column = table.iloc[:, place]
            if _names(name, rows) and not is_any_real_numeric_dtype(column.dtype):
                raise _no_system(what, name, rows, "texts")
    array = inputs.array(what, table)
    for values in np.moveaxis(array, 2, 0) if array.ndim == 3 else [array]:
        check_systems(what, names, values, rows)
    return array


def check_systems(
    what: object, names: Sequence[object], values: Floats, rows: str = "user", cure: str = ""
) -> None:
    """Raise RankassayError for a column of users among those of systems.

    It has whole numbers that are all different, and is called as users are, or all other values are
    between -1 and 1, as those of metrics are.
    """
    if values.ndim != 2 or len(values) < 2:
        return
    large = np.flatnonzero((values > 1).any(axis=0) | (values < -1).any(axis=0))
    called = [place for place, name in enumerate(names) if _names(name, rows)]
    for place in called or large[:1] if len(large) == 1 else called:
        column, others = values[:, place], np.delete(values, place, axis=1)
        if (column != np.floor(column)).any() or len(np.unique(column)) < len(column):
            continue
        counted = np.ptp(column) == len(column) - 1
        metric = counted or (others != np.floor(others))[~np.isnan(others)].any()
        if place in called or (len(column) > 2 and others.size and metric):
            name = names[place] if len(names) else int(place)
            raise _no_system(what, name, rows, "whole numbers, all different", cure)


def _names(column: object, rows: str) -> bool:
    return written(column).strip().lower() in (*USERS, rows, f"{rows}s")


def _no_system(what: object, name: object, rows: str, found: str, cure: str = "") -> RankassayError:
    named = f"make it the index (set_index({written(name, repr)}))"
    cure = cure.format(written(name)) or (named if isinstance(name, str) else "leave it out")
    return RankassayError(
        f"{what}: expected a column for each system, found the {rows}s in the column "
        f"{written(name, repr)} ({found}); {cure}."
    )


def compare_ranks(
    user: Integers, rank: pd.Series, score: Floats, where: Callable[[int], str]
) -> None:
    """Log where ranks are not numbers, or not in the order of the scores of a user.

    PyTerrier and trectools write rank 0 in every row, and re-ranking leaves old ranks behind.
    """
    if isinstance(rank.dtype, pd.CategoricalDtype):  # of which there are few
        numbers = pd.to_numeric(pd.Series(rank.cat.categories), errors="coerce").to_numpy(float)
        place = np.append(numbers, np.nan)[rank.cat.codes]
    else:
        place = pd.to_numeric(rank, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    same = user[1:] == user[:-1]
    falls, rises = score[1:] < score[:-1], place[1:] > place[:-1]
    level = (score[1:] == score[:-1]) & (place[1:] >= place[:-1])
    if np.where(same, (falls & rises) | level, user[1:] > user[:-1]).all():
        return  # in order as they stand
    order = np.lexsort((place, -score, user))
    before, row = order[:-1], order[1:]
    falls = (user[row] == user[before]) & (score[row] < score[before])
    wrong = row[falls & ~(place[row] > place[before])]
    if len(wrong):
        SOURCES.warning(
            "%s: the ranks are not in the order of the scores (%s); lists are in the order of the "
            "scores, as in trec_eval",
            where(int(wrong.min())),
            number_of(len(wrong), "such row"),
        )
