"""What comes with ratings: attributes of users or items, and propensities of ratings."""

import logging
import math
import re
from bisect import bisect
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rankassay.artifacts.arrays import Ratings
from rankassay.artifacts.files import Pathlike
from rankassay.data.prepare import places_in
from rankassay.data.readers import delimited, matrix
from rankassay.data.readers.delimited import by_id
from rankassay.data.stored import bad_line
from rankassay.data.validation import ABOVE_0, LONGEST, second
from rankassay.data.validation import ratings as lines
from rankassay.errors import RankassayError, number_of
from rankassay.types import Floats, Texts

log = logging.getLogger(__name__)

Values = dict[str, dict[str, str]]
UNKNOWN = ""
OTHER = "other"
HAIR = 1e-6  # of a user: 0.29 of 100 is a little less than 29 in floating point
MEANING = "a propensity above 0 and at most 1"


def attributes(path: Pathlike, options: Mapping[str, Any], kind: str) -> Values:
    """Read the attributes of users or items (`kind`): of each the value of each id, empty for none.

    The options are those of `rankassay.config.dataset_files.Attributes`.
    """
    described = options["attributes"]
    found: Values = {name: {} for name in described}
    # No attribute can take the role of a column that a file of ratings may lack.
    roles = {name: f"attribute {name}" for name in described}
    columns = {"id": options["id"]}
    columns |= {roles[name]: own["column"] for name, own in described.items()}
    for number, fields in by_id(path, options, columns, kind, f"the attributes of {kind}s"):
        for name, own in described.items():
            try:
                found[name][fields["id"]] = _value(fields[roles[name]], own)
            except ValueError as error:
                expected, _, value = str(error).partition("|")
                raise bad_line(path, number, f"{expected} ({name})", value) from None
    return found


def _value(field: str, own: Mapping[str, Any]) -> str:
    """Return the value of a field; raises ValueError with "expected|found"."""
    if own.get("pattern"):
        fits = re.search(own["pattern"], field)
        field = (fits and fits[1]) or UNKNOWN
    field = field.strip()
    if field in (UNKNOWN, own.get("none")):
        return UNKNOWN
    if len(field) > LONGEST:
        raise ValueError(f"at most {LONGEST} characters|{len(field)}")
    if "\0" in field:
        raise ValueError("a value|a zero byte in it")
    if own.get("boundaries"):
        return _between(field, own["boundaries"])
    return field


def _between(field: str, boundaries: Sequence[float]) -> str:
    """Return the group of a number, in words."""
    try:
        number = float(field)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"a number|{field[:60]!r}")
    place = bisect(boundaries, number)
    if place == 0:
        return f"below {boundaries[0]:.12g}"
    if place == len(boundaries):
        return f"from {boundaries[-1]:.12g}"
    return f"{boundaries[place - 1]:.12g} to below {boundaries[place]:.12g}"


def values_of(
    values: Mapping[str, str],
    described: Mapping[str, Any],
    ids: Texts,
    what: tuple[str, str, str],
) -> Texts:
    """Return the value of one attribute for each user or item, str (n,), empty for none.

    `values` are by id. Groups below `min_size` are put together as "other"; more `missing` than
    allowed are an error. `what` has the file, whose ids they are, and the attribute, for messages.
    """
    path, kind, name = what
    found = [values.get(own, "") for own in ids.tolist()]
    missing = found.count("")
    allowed = described.get("missing", 0)
    if missing > allowed * len(found) + HAIR:
        without = ids[found.index("")]
        share = -(-(10**4) * missing // len(found)) / 1e4
        raise RankassayError(
            f"{path}: expected the {name} of all {number_of(len(found), kind)}"
            f"{f' but a share of {allowed:g}' if allowed else ''}, found that of "
            f"{len(found) - missing}; it is missing for '{without}', for instance. Complete the "
            f"file, or raise 'missing' of the attribute to {share:g}."
        )
    sizes = Counter(filter(None, found))
    small = {group for group, n in sizes.items() if n < described.get("min_size", 1)}
    found = [OTHER if group in small else group for group in found]
    groups = Counter(filter(None, found))
    if len(groups) < 2:
        raise RankassayError(
            f"{path}: expected two groups of {kind}s by {name}, or more, found "
            f"{', '.join(map(repr, groups)) or 'none'}; correct how the attribute is read, or "
            "remove it."
        )
    alone = [group for group, n in groups.items() if n == 1]
    log.info(
        "%s: %s of %ss, %d of them of one; %s of no group",
        *(name, number_of(len(groups), "group"), kind, len(alone), number_of(missing, kind)),
    )
    return np.array(found, dtype=np.str_)


def propensities(path: Pathlike, described: Mapping[str, Any], ratings: Ratings) -> Floats:
    """Read the propensities of observed ratings, float64 (n_ratings,), by a part of an entry."""
    if described["format"] == "matrix":
        stored = matrix.read(path, described, zeros=True)
    else:
        named = described["columns"]
        columns = {"user": named["user"], "item": named["item"], "rating": named["propensity"]}
        said = {"columns": columns, "wanted": "propensities", "meaning": MEANING}
        stored = delimited.read(path, {**described, **said})
    frame, error = lines(
        stored, {"meaning": MEANING, "scale": (ABOVE_0, 1), "blanks": described.get("blanks")}
    )
    number = frame["rating"].to_numpy()
    if (row := second(frame)) >= 0:
        own = frame.loc[row]
        before = number[np.argmax((frame["user"] == own.user) & (frame["item"] == own["item"]))]
        expected = f"one propensity of item '{own['item']}' for user '{own.user}', {before:g} above"
        raise error(row, expected, f"{own.rating:g}")
    user, item = places_in(ratings, frame)
    size = len(ratings.item_ids)
    known = np.flatnonzero((user >= 0) & (item >= 0))
    key = ratings.user.astype(np.int64) * size + ratings.item  # which rises
    wanted = user[known] * size + item[known]
    place = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
    there = key[place] == wanted
    found = np.full(len(key), np.nan)
    found[place[there]] = number[known[there]]
    if (without := np.isnan(found)).any():
        first = np.argmax(without)
        user, item = ratings.user_ids[ratings.user[first]], ratings.item_ids[ratings.item[first]]
        raise RankassayError(
            f"{path}: expected a propensity of each rating, found none of {without.sum()}, for "
            f"instance of that of item '{item}' by user '{user}'; add them."
        )
    return found
