"""Numbers as texts in files: those that all readers take for the same."""

import contextlib
import math
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

import numpy as np
import numpy.typing as npt

GREATEST = float(np.finfo(np.float32).max)  # ratings are stored as float32
DECIMALS = 5  # of ratings, as people give them
NOISE = 1e-12  # what a division may leave of it


def number(text: str) -> float:
    """Return the number of a text; raises ValueError for forms that only Python accepts."""
    if "_" in text or not text.isascii():
        raise ValueError
    return float(text)


def rating(text: str, divisor: float = 1, places: int | None = None) -> float:
    """Return a rating, divided; raises ValueError saying what was expected.

    A rating is refused that is not, but would be taken for, a shorter one with which it could be
    compared (4 for 3.9999999999). The text counts as it is written, since float64 already makes 4
    of 3.99999999999999999999; but a division, and a float64 that is written with all its digits,
    may leave noise. With `places`, it is rounded to that number of decimals instead.
    """
    try:
        whole = number(text)
    except ValueError:
        whole = math.nan
    found = whole / divisor
    if math.isinf(whole):
        raise ValueError("a finite rating")
    if not abs(found) <= GREATEST:
        raise ValueError("a number as rating")
    if places is not None:
        return round(found, places)
    near = round(found, DECIMALS)
    far = abs(found - near) > NOISE * abs(near) or not _is_float64(text, whole)
    if far and np.float32(found) == np.float32(near):
        raise ValueError(f"a rating that float32 can tell from {near:g}")
    return found


def field(text: str, kind: str) -> float | str:
    """Return the rating or score of a text, or the expectation that it does not meet."""
    if kind == "rating":
        try:
            return rating(text)
        except ValueError as error:
            return str(error)
    try:
        found = number(text)
    except ValueError:
        found = math.nan
    return f"a number as {kind}" if math.isnan(found) else found


def fields(texts: Sequence[str], kind: str) -> list[float | str]:
    """Return `field` of each text; plain scores, of which there may be millions, at once."""
    if kind != "rating" and (together := "".join(texts)).isascii() and "_" not in together:
        with contextlib.suppress(ValueError):
            found = [*map(float, texts)]
            if not any(map(math.isnan, found)):
                return found
    return [field(text, kind) for text in texts]


def column(texts: Sequence[str], found: Sequence[float | str], kind: str) -> npt.NDArray:
    """Return the numbers of different texts, float64 (n_texts,).

    Scores are decimals where float64 has one number for two of them, as for 2^53 and 2^53 + 1:
    lists would have ties that are not in the file. `found` is what `fields` returns, without a
    refusal.
    """
    numbers = np.array(found, dtype=np.float64)
    order = np.argsort(numbers, kind="stable")
    same = np.flatnonzero(numbers[order[1:]] == numbers[order[:-1]])
    if kind == "rating" or all(
        Decimal(texts[order[i]]) == Decimal(texts[order[i + 1]]) for i in same
    ):
        return numbers  # as 1 and 1.0
    return np.array([*map(Decimal, texts)], dtype=object)


def _is_float64(text: str, value: float) -> bool:
    """Return whether a text is a float64, as Python (3.3) or C (3.2999999999999998) writes it."""
    try:
        exact = Decimal(text)
    except InvalidOperation:
        return False
    return exact in (Decimal(repr(value)), Decimal(f"{value:.17g}"))
