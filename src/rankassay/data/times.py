"""Times as files have them, in whole seconds since 1970-01-01 00:00 UTC."""

import re
from datetime import UTC, datetime, timedelta
from decimal import ROUND_FLOOR, Decimal

from rankassay.data import decimals

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
        if not abs(decimals.number(text)) <= LATEST * UNITS[form]:
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


def words(form: str) -> str:
    """Return the expectation of a time, for messages."""
    if form in UNITS:
        return f"a timestamp in {_NAMES[form]}"
    return "a time such as 2012-04-03T18:00:09Z" if form == ISO else f"a time of the form {form}"


def check(form: str) -> str:
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
