"""Fields of files as numbers and times, which all readers take for the same; ids in their order."""

import contextlib
import math
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import ROUND_FLOOR, Decimal, InvalidOperation

import numpy as np
import numpy.typing as npt

from rankassay.types import Integers

GREATEST = float(np.finfo(np.float32).max)  # ratings are stored as float32
DECIMALS = 5  # of ratings, as people give them
NOISE = 1e-12  # what a division may leave of it
LATEST = 2**53 - 1  # of seconds; below, float64 holds each whole number
MISSING = -(2**63)  # of a row that has no time
UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}  # how many are a second
_NAMES = {"s": "seconds", "ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds"}
ISO = "iso"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)
# fromisoformat also takes other characters for the T, and dates without hyphens, which are numbers.
_ISO = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?)?", re.A)
_PROBE = datetime(2013, 11, 28, 21, 43, 52, tzinfo=UTC)
WHOLE = re.compile("-?[0-9]{1,4000}")  # Python reads no number of more digits


def number(text: str) -> float:
    """Return the number of a text; raises ValueError for forms that only Python accepts."""
    if "_" in text or not text.isascii():
        raise ValueError
    return float(text)


def rating(text: str, divisor: float = 1, places: int | None = None) -> float:
    """Return a rating, divided; raises ValueError saying what was expected.

    One that float32 would take for a shorter one (3.9999999999) is refused, unless a division or
    all digits of a float64 leave such noise; with `places`, it is rounded to them instead.
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
    """Return the numbers of different texts, `found` by `fields`, float64 (n_texts,).

    Scores are decimals where float64 has one number for two of them (2^53 and 2^53 + 1).
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


def seconds(text: str, form: str = "s") -> int:
    """Return the whole seconds since 1970 of a field; raises ValueError for an invalid one.

    The form is the unit of a number (s, ms, us, ns), `iso`, or a pattern of strptime. What lies
    between two seconds belongs to the earlier one. Times without a zone are in UTC.

    >>> seconds("978300760"), seconds("978300760999", "ms"), seconds("2001-01-01T01:00+01", "iso")
    (978300760, 978300760, 978307200)
    >>> seconds("Tue Apr 03 18:00:09 +0000 2012", "%a %b %d %H:%M:%S %z %Y")
    1333476009
    """
    if form in UNITS:
        if not abs(number(text)) <= LATEST * UNITS[form]:
            raise ValueError
        # A float64 would not hold the nanoseconds of our days.
        whole = int(Decimal(text.strip()).to_integral_value(ROUND_FLOOR))
        return whole // UNITS[form]
    text = text.strip()
    if form == ISO:
        if not _ISO.fullmatch(text):
            raise ValueError
        moment = datetime.fromisoformat(text)
    else:
        moment = datetime.strptime(text, form)
    return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - EPOCH) // SECOND


def time_words(form: str) -> str:
    """Return the expectation of a time, for messages."""
    if form in UNITS:
        return f"a timestamp in {_NAMES[form]}"
    return "a time such as 2012-04-03T18:00:09Z" if form == ISO else f"a time of the form {form}"


def check_time_form(form: str) -> str:
    """Return a format of times; raises ValueError, saying why, for an invalid one."""
    if form in UNITS or form == ISO:
        return form
    known = f"expected {', '.join(UNITS)}, {ISO} or a pattern such as %Y-%m-%d %H:%M:%S"
    if "%" not in form:
        raise ValueError(f"{known}, found '{form}'")
    if "%Z" in form.replace("%%", ""):
        raise ValueError(
            "%Z knows other names of time zones on each machine; write %z for a number such as "
            "+0100, or the name itself, as in %H:%M:%S UTC"
        )
    try:
        found = datetime.strptime(_PROBE.strftime(form), form)
    except ValueError as error:
        raise ValueError(f"{known}, found '{form}' ({error})") from None
    if found.date() != _PROBE.date() or found.hour not in (0, _PROBE.hour):
        raise ValueError(f"{known}, found '{form}', which does not tell year, month, day and hour")
    return form


def order_by_size(names: Sequence[str]) -> Integers:
    """Return the places of ids from the smallest on, int64 (n_ids,).

    Whole numbers come first, by their value, and then text by its characters.

    >>> order_by_size(["b", "10", "9", "-1", "a"]).tolist(), order_by_size(["7", "007"]).tolist()
    ([3, 2, 1, 4, 0], [1, 0])
    """
    whole = [*map(bool, map(WHOLE.fullmatch, names))]
    numbers = [n for n, own in enumerate(whole) if own]
    rest = [n for n, own in enumerate(whole) if not own]
    values = [int(names[n]) for n in numbers]
    if len({*values}) < len(values):  # the name decides between ids such as 7 and 007
        order = sorted(range(len(values)), key=lambda n: (values[n], names[numbers[n]]))
    else:
        small = max(map(abs, values), default=0) < 2**63
        order = np.argsort(np.array(values, dtype=np.int64 if small else object)).tolist()
    rest.sort(key=names.__getitem__)
    return np.array([*map(numbers.__getitem__, order), *rest], dtype=np.int64)


def natural_order(names: Sequence[str]) -> Integers:
    """Return the places of ids from the first one to the last, int64 (n_ids,).

    Whole numbers are ordered by their value if all ids are some, and else all as text.

    >>> natural_order(["10", "9", "009"]).tolist(), natural_order(["10", "9", "b"]).tolist()
    ([2, 1, 0], [0, 1, 2])
    """
    if all(map(WHOLE.fullmatch, names)):
        return order_by_size(names)
    return np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)
