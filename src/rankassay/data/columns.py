"""What the columns of tables are called, here and by other libraries, and what they must not be.

Tables are judgements (rating) and runs (score); judgements that are a truth, with further columns,
propensities of ratings, and outcomes of systems. Rows of means are no users, and columns of users
no systems: what names or numbers say of that is doubted here.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import product

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api.types import is_any_real_numeric_dtype

from rankassay.data import inputs
from rankassay.data.inputs import opened
from rankassay.data.opening import Source
from rankassay.data.stored import SOURCES
from rankassay.errors import RankassayError, number_of, written
from rankassay.types import Floats, Integers

# What libraries call the columns, in lower case; of several that a table has, the first counts.
# PyTerrier's qid and docno are ids; its query and docid are a text and an internal number.
COLUMNS = {
    "user": ("user", "user_id", "userid", "uid", "qid", "q_id", "query_id", "query"),
    "item": (
        *("item", "item_id", "itemid", "iid", "docno", "doc_id", "corpus_id", "docid"),
        *("movie_id", "movieid", "passage_id", "pid"),
    ),
    "rating": ("rating", "label", "relevance", "rel", "score"),
    "score": ("score", "prediction"),
    "rank": ("rank",),
    # Beside the ratings of judgements that are a truth.
    "known": ("known", "is_known", "known_before"),
    "inclusion": ("inclusion", "inclusion_probability"),
    "propensity": ("propensity",),
    # Of a table by system.
    "system": ("system", "run", "name", "model", "recommender"),
    "value": ("value", "outcome", "mean"),
    "error": ("error", "se", "stderr", "std_error", "standard_error"),
}
MANY = 100  # more users than a table has columns
# A truth is judgements with further columns, and propensities are in the place of ratings: both are
# read as judgements are where columns have no names.
WANTED = {
    "rating": "user, item and rating",
    "score": "user, item and score (or rank)",
    "truth": "user, item and rating",
    "propensity": "user, item and propensity, or item and propensity",
    "outcome": "system and value",
}
BY_ID = {"propensity": ("item", "propensity"), "outcome": ("system", "value")}
ALIKE = {"truth": "rating", "propensity": "rating"}
LIKED = ("rating", "truth")
LIKES = "if these are likes, add a column rating of 1"
ROLES = {
    "rating": ("user", "item", "rating"),
    "score": ("user", "item", "score", "rank"),
    "truth": ("user", "item", "rating", "known", "inclusion"),
    "propensity": ("user", "item", "propensity", "rating"),
    "outcome": ("system", "value", "error"),
}
# What a table has at least, each of these or each of those.
LEAST = {
    "rating": ({"user", "item", "rating"},),
    "score": ({"user", "item", "score"}, {"user", "item", "rank"}),
    "truth": ({"user", "item", "rating"},),
    "propensity": ({"item", "propensity"}, {"user", "item", "rating"}),
    "outcome": ({"system", "value"},),
}
# What trec_eval and spreadsheets write in place of a user, before means, in any case.
MEANS = frozenset(
    "".join(letters)
    for name in ("all", "mean", "amean", "average", "avg", "avg.")
    for letters in product(*zip(name, name.upper(), strict=True))
)
USERS = (*COLUMNS["user"], "users", "topic", "topics")  # in small letters, no systems


def named(frame: pd.DataFrame, value: str) -> pd.DataFrame:
    """Return a frame whose columns have our names, where they have those of another library.

    PyTerrier's are qid, docno, score, rank and label; those of ir_measures query_id, doc_id, score
    and relevance; LensKit's user_id, item_id, score and rank; RecBole's user_id:token,
    item_id:token, score:float and rating:float. A column that has our name already counts first.
    """
    if not are_whole(columns := roles([*frame.columns], value), value):
        return frame  # whose refusal names all of them
    renamed = {theirs: role for role, theirs in columns.items() if role != theirs}
    return frame[[*columns.values()]].rename(columns=renamed) if renamed else frame


def roles(names: list, value: str) -> dict[str, object]:
    """Return the names of the columns of user, item and number, by role."""
    known = {_plain(name): name for name in reversed(names)} | {name: name for name in names}
    found = {role: next((n for n in COLUMNS[role] if n in known), None) for role in ROLES[value]}
    return {role: known[name] for role, name in found.items() if name is not None}


def are_whole(columns: Mapping[str, object], value: str) -> bool:
    """Whether columns suffice for a table, as user, item and a number."""
    return any(least <= columns.keys() for least in LEAST[value])


def check_users(what: object, users: list, value: str) -> None:
    """Raise RankassayError where the users are columns, as `to_dict` and `to_json` write them."""
    if len(users) < MANY and are_whole(roles(users, value), value):
        raise RankassayError(
            f"{what}: expected {{user: {{item: {value}}}}}, found the columns {listed(users)} of "
            "a table; give the frame itself, or write it with to_json(orient='records')."
        )


def roles_in(path: Source, names: list[str], value: str) -> dict[str, object]:
    """Return the roles of columns that have names; raises RankassayError if some are missing."""
    if are_whole(columns := roles(names, value), value):
        return columns
    raise RankassayError(
        f"{path}: expected the columns {WANTED[value]}, or what other libraries call them, found "
        f"{listed(names) or 'none'}; {rename(names, value)}."
    )


def rename(names: list, value: str, cure: str = "rename them") -> str:
    """Return what to do about a table of other columns, which may be of likes without a number."""
    named, two = {"user", "item"} <= roles(names, value).keys(), len(names) == 2
    if value not in LIKED or not (named or two):
        return cure
    return LIKES if named and two else f"{cure}; {LIKES}"


def listed(names: list[str]) -> str:
    """Return names as a message shows them."""
    return ", ".join(map(written, names))[:200]


def _plain(name: object) -> str:
    """Return a column's name in lower case, without a # before it or RecBole's type."""
    return re.sub(r":\w+$", "", written(name).strip(" \t#").lower()).replace("-", "_")


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
