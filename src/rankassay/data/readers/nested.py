"""Judgements and runs in JSON: {user: {item: number}}, a list of objects, or an object a line.

The first is what ranx and pytrec_eval keep; a user may also have pairs of item and number, and in a
run a list of items, best first, in which negative whole numbers are none. What has one number a
key, as {item: propensity}, may be an object. Objects have keys as
tables have columns (BEIR's query-id, corpus-id and score). True and false among the numbers become
texts, as tables have them.
"""

import json
from collections.abc import Callable, Iterable
from typing import Any

from rankassay.data.opening import Source, open_text
from rankassay.data.stored import LINE, Coded, Stored
from rankassay.errors import RankassayError

Roles = Callable[[list[str]], dict[str, str]]


class _Number(str):
    """A number as it is written."""


def read(path: Source, value: str, roles: Roles, by_id: tuple[str, str] | None = None) -> Stored:
    """Return the rows of a file as texts, of objects by the `roles` of their keys.

    `by_id` are the roles of a key and its number, where one object may have all ({item:
    propensity}).
    """
    with open_text(path) as file:
        content, lines = _parsed(path, file.read())
    numbers = isinstance(content, dict) and all(isinstance(n, _Number) for n in content.values())
    if by_id and numbers and content.keys().isdisjoint(by_id):
        names = [*content]
        own = dict(zip(by_id, (names, content.values()), strict=True))
        return _stored(path, own, lambda row: f"{by_id[0]} '{names[row]}'")
    if isinstance(content, dict) and all(isinstance(own, dict | list) for own in content.values()):
        listed = {user: _is_list(own) for user, own in content.items() if own}
        if value == "score" and len({*listed.values()}) > 1:
            raise RankassayError(
                f"{path}: expected items with scores of all users, or of all a list of items, best "
                f"first, found a list of user '{max(listed, key=listed.__getitem__)}' and scores "
                "of others; make one of the two."
            )
        number = "rank" if value == "score" and any(listed.values()) else value
        rows = [row for user, own in content.items() for row in _of_user(path, user, own, value)]
        columns = dict(
            zip(("user", "item", number), [*zip(*rows, strict=True)] or 3 * [()], strict=True)
        )
        return _stored(path, columns, lambda row: f"user '{rows[row][0]}', item '{rows[row][1]}'")
    records = content if isinstance(content, list) else [content]
    if not records:
        raise RankassayError(f"{path}: expected objects of user, item and {value}, found none.")

    def where(row: int) -> str:
        return f"line {lines[row]}" if lines else f"object {row + 1}"

    keys: dict[str, str] = {}
    for row, record in enumerate(records):
        if not isinstance(record, dict):
            raise RankassayError(
                f"{path}, {where(row)}: expected an object with keys, found {record!r:.80}."
            )
        keys = keys or roles([*record])
        for role, key in keys.items():
            if role in ("rating", "known") and isinstance(record.get(key), bool):
                record[key] = str(record[key])
            if not isinstance(record.get(key), str):
                raise RankassayError(
                    f"{path}, {where(row)}: expected a text or a number as '{key}', found "
                    f"{record.get(key)!r:.80}; correct the object."
                )
    texts = {role: [record[key] for record in records] for role, key in keys.items()}
    return _stored(path, texts, where)


def _stored(path: Source, columns: dict[str, Iterable[str]], where: Callable[[int], str]) -> Stored:
    """Return columns; raises RankassayError for half a pair, which JSON's escapes can be."""
    found = {}
    for role, texts in columns.items():
        own = Coded()
        for text in texts:
            own.add(text)
        found[role] = own.column()
        try:
            "".join(found[role].values).encode()
        except UnicodeEncodeError as error:
            half = error.object[error.start].encode("unicode_escape").decode()
            raise RankassayError(
                f"{path}: expected text, found {half} in it; correct it."
            ) from None
    return Stored(path, found, where, cure=LINE)


def _is_list(own: Any) -> bool:
    """Whether these are items, best first, and not items with their numbers."""
    return isinstance(own, list) and not all(isinstance(each, list) for each in own)


def _of_user(path: Source, user: str, own: Any, value: str) -> list[tuple[str, str, str]]:
    """Return the rows of a user's items, which have numbers, or stand in a list of a run."""
    if _is_list(own) and value == "score":
        rows = [(user, item, str(place)) for place, item in enumerate(own) if not _is_none(item)]
    elif isinstance(own, dict | list) and not _is_list(own):
        entries = own.items() if isinstance(own, dict) else own
        rows = [(user, *entry) for entry in entries]
        if value == "rating":
            rows = [(*ids, str(last) if isinstance(last, bool) else last) for *ids, last in rows]
    else:
        rows = [(user, own)]
    if all(
        len(row) == 3 and isinstance(row[1], str) and isinstance(row[2], str | None) for row in rows
    ):
        return rows
    listed = ", or its items, best first" if value == "score" else ""
    raise RankassayError(
        f"{path}: expected of user '{user}' an object {{item: {value}}}{listed}, found "
        f"{own!r:.80}; correct it."
    )


def _is_none(item: Any) -> bool:
    """Whether this fills a short list, as -1 does."""
    return isinstance(item, _Number) and float(item) < 0 and float(item) % 1 == 0


def _parsed(path: Source, text: str) -> tuple[Any, list[int]]:
    """Return the content of a JSON text, numbers as texts, and the lines of objects, if any."""
    try:
        return _load(text), []
    except ValueError as error:
        if "Extra data" not in str(error):
            raise _broken(path, 0, error) from None
    found, lines = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                found.append(_load(line))
            except ValueError as error:
                raise _broken(path, number, error) from None
            lines.append(number)
    return found, lines


def _load(text: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> Any:
        found = dict(pairs)
        if len(found) < len(pairs):
            if all(isinstance(own, _Number) for own in found.values()):
                return [*map(list, pairs)]  # an item twice, which is refused with its user
            keys = [key for key, _ in pairs]
            again = next(key for place, key in enumerate(keys) if key in keys[:place])
            raise ValueError(f"the key '{again}' stands there twice")
        return found

    try:
        return json.loads(
            text,
            object_pairs_hook=once,
            parse_int=_Number,
            parse_float=_Number,
            parse_constant=_Number,
        )
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _broken(path: Source, line: int, error: ValueError) -> RankassayError:
    at = getattr(error, "lineno", 1) - 1 + max(line, 1)
    reason = getattr(error, "msg", str(error))
    return RankassayError(
        f"{path}, line {at}: expected JSON, found what is none ({reason}); correct the file."
    )
