"""What the columns of tables are called, here and by other libraries.

Tables are judgements (rating) and runs (score); judgements that are a truth, with further columns,
propensities of ratings, and outcomes of systems.
"""

import re
from collections.abc import Mapping

import pandas as pd

from rankassay.data.opening import Source
from rankassay.errors import RankassayError, written

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
