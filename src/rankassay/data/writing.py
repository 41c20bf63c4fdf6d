"""Columns of TREC files as they are written: values that would not be read back are refused."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from rankassay.artifacts.files import Pathlike, write_lines
from rankassay.data import decimals, inputs
from rankassay.data.ids import ids as indices
from rankassay.data.ids import texts as as_texts
from rankassay.data.opening import MARK
from rankassay.data.validation import are_floats, second
from rankassay.errors import RankassayError
from rankassay.types import Floats


def values(what: str, frame: pd.DataFrame, column: str) -> Floats:
    """Return a column of numbers; raises RankassayError for those that float64 does not hold."""
    name = f"{what}, column {column}"
    found = inputs.array(name, frame[column])
    if np.isnan(found).any():
        raise RankassayError(f"{name}: expected numbers, found none in some row.")
    return found


def texts(what: str, kind: str, values: npt.NDArray) -> list[str]:
    """Return numbers as texts; raises RankassayError for one that would be refused on reading."""
    texts = [*map(repr, values.tolist())]
    for text in dict.fromkeys(texts) if kind == "rating" else ():
        if isinstance(wrong := decimals.field(text, kind), str):
            raise RankassayError(f"{what}, column {kind}: expected {wrong}, found {text}.")
    return texts


def names(what: str, frame: pd.DataFrame, column: str) -> list[str]:
    """Return a column's ids as strings; raises RankassayError for those that no file can hold."""
    codes, unique = indices(what, column, frame[column], kept=True)
    if (codes < 0).any():
        raise RankassayError(f"{what}, column {column}: expected an id in each row, found none.")
    texts = [text(column, own) for own in as_texts(unique)]
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


def text(column: str, text: str) -> str:
    """Return a text; raises RankassayError if no column of a file can hold it."""
    if len(text.split()) != 1 or text.strip() != text or "\0" in text or MARK in text:
        raise RankassayError(
            f"cannot write the {column} '{text}' to a TREC file, whose columns are "
            "separated by blanks; rename it, for instance with rankassay.data.trec.escaped."
        )
    return text


def write(
    what: str, frame: pd.DataFrame, middle: str, rest: Sequence[list[str]], path: Pathlike
) -> None:
    """Write the users, the columns between users and items, the items, and the other columns."""
    path, n_rows = inputs.path("path", path), len(frame)
    if not n_rows:
        raise RankassayError(
            f"{what}: expected rows, found none, which no reader takes for a file."
        )
    written = {name: names(what, frame, name) for name in ("user", "item")}
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
