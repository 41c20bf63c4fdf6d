"""Which columns of a delimited file are those of the users, items, ratings and times."""

import logging
from collections.abc import Mapping

from rankassay.artifacts.files import Pathlike
from rankassay.data.stored import bad_line
from rankassay.errors import RankassayError, number_of, unknown

LIKES = "lays and clicks have none: then an entry of the kind file says columns: {rating: null}"

log = logging.getLogger(__name__)


def positions(
    path: Pathlike,
    first: tuple[int, list[str]],
    columns: Mapping[str, int | str | None],
    named: bool,
    optional: bool = True,
) -> dict[str, int]:
    """Return the position of each column, by the number and fields of the first line."""
    line, fields = first
    found = {}
    for role, column in columns.items():
        if column is None:  # of feedback without ratings
            continue
        if isinstance(column, str):
            names = [name.strip() for name in fields]
            if not named:
                raise RankassayError(
                    f"{path}: the column '{column}' is given by name, but the file has no header; "
                    "give its position from 0, or set 'header: true'."
                )
            if column not in names:
                raise _no_column(path, column, names, columns, role if optional else "")
            if names.count(column) > 1:
                raise RankassayError(
                    f"{path}, line {line}: expected one column '{column}', found "
                    f"{names.count(column)}; give its position from 0 in place of its name."
                )
            column = names.index(column)
        if column < len(fields):
            found[role] = column
        elif role == "timestamp":
            log.info("%s: no timestamps (the file has %s)", path, number_of(len(fields), "column"))
        else:
            given = [c for r, c in columns.items() if isinstance(c, int) and r != "timestamp"]
            hint = " (is it another separator?)" if len(fields) == 1 else ""
            if role == "rating" and optional and len(fields) > 1:
                hint = f" (p{LIKES})"
            raise bad_line(
                path, line, f"at least {number_of(max(given) + 1, 'field')}", f"{len(fields)}{hint}"
            )
    return found


def _no_column(
    path: Pathlike,
    column: str,
    names: list[str],
    columns: Mapping[str, int | str | None],
    role: str,
) -> RankassayError:
    """Return the error for a column that the header does not have, with what may be the reason."""
    if len(names) == 1:
        return RankassayError(
            f"{path}: expected several columns, found one, '{names[0][:80]}'; set 'separator' to "
            "what stands between columns."
        )
    if role == "rating":  # the columns before it were found
        return RankassayError(f"{path}: {unknown('column', column, names)} P{LIKES}.")
    hint = (
        ""
        if {*names} & {*columns.values()}
        else (
            " If that is no header, give positions, as in columns: {user: 0, item: 1, rating: 2}."
        )
    )
    return RankassayError(f"{path}: {unknown('column', column, names)}{hint}")
