"""What ids, numbers and times are: whole columns are validated, by their distinct values.

One place for all sources. Only for a value that is wrong is the first row looked for that has it.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from rankassay.data import numerals
from rankassay.data.entries import IMPLICIT
from rankassay.data.opening import MARK
from rankassay.data.stored import KEEP, SOURCES, Column, Stored, stripped
from rankassay.errors import Place, RankassayError
from rankassay.types import Booleans

IDS = ("user", "item", "system")
UNUSED = ("iter", "tag")  # texts of TREC files
OPTIONAL = ("error",)  # numbers that some rows may lack
# Ratings and flags of tables, if all are these.
FLAGS = {"True": "1", "False": "0", "true": "1", "false": "0"}
ANONYMOUS = "(anonymous)"
ABOVE_0 = math.ulp(0.0)  # the least count
UNRATED = "1"  # the rating of each line where there are none
LONGEST = 1000  # characters of an id; the ids of a dataset all take the space of the longest
NULL = "null"
ASCII = " \t\n\r\v\f"  # the blanks that no id of a TREC file can be
# Arrays of text would take an id that ends in a zero byte for the same without.
STRANGE = {
    "\0": "a zero byte in it",
    MARK: "a byte order mark in it",
    "\n": "a line break in it, as of a quote that is not closed",
}
STRANGE["\r"] = STRANGE["\n"]
FLOATS = re.compile(r"-?(0|[1-9][0-9]{0,14})\.0")  # as pandas writes whole numbers next to a gap
_STRANGE = re.compile(f"[{''.join(STRANGE)}]")
# With pyarrow, pandas keeps texts as UTF-8, which has no half of a pair that JSON's escapes can be.
TEXT = pd.StringDtype("python", na_value=np.nan)
_BITS = {"float16": 11, "float32": 24, "float64": 53}  # each whole number below 2 to these is held

Wrong = tuple[str, str]  # what was expected and what was found


@dataclass(frozen=True)
class Rules:
    """The rules for the ratings of a dataset."""

    divisor: float = 1  # of the numbers in the file
    low: float = -math.inf  # the least rating after that
    high: float = math.inf
    # `skip` leaves such lines out, `one-user` makes one more user of all.
    missing_user: str = "error"
    decimals: int | None = None  # to how many ratings are rounded, if they are
    times: str | None = None  # see `rankassay.data.numerals.seconds`; None if nothing says it
    meaning: str | None = None  # what numbers are that are no ratings, such as flags
    # Whether fields stand between the blanks of ASCII, so that others are ids; None of a dataset.
    # In other tables, true and false are 1 and 0 where all are these.
    trec: bool | None = None
    kept: bool = False  # whether blanks around ids belong to them

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> "Rules":
        """Return the rules of a catalogue entry."""
        low, high = entry.get("scale", (-math.inf, math.inf))
        if entry.get("feedback") == IMPLICIT:
            low = ABOVE_0
        return cls(
            entry.get("rating_divisor", 1),
            low,
            high,
            entry.get("missing_user", "error"),
            entry.get("decimals"),
            entry.get("timestamp_format"),
            entry.get("meaning"),
            kept=entry.get("blanks") == KEEP,
        )

    def rating(self, value: str) -> float:
        """Return a rating; raises ValueError saying what was expected."""
        if self.meaning:
            try:
                number = numerals.number(value)
            except ValueError:
                raise ValueError(self.meaning) from None
            if math.isfinite(self.low) and not self.low <= number <= self.high:
                raise ValueError(self.meaning)
            return number
        number = numerals.rating(value, self.divisor, self.decimals)
        if not self.low <= number <= self.high:
            if self.low == ABOVE_0:
                raise ValueError("a count above 0")
            divided = "" if self.divisor == 1 else f" once divided by {self.divisor:g}"
            raise ValueError(f"a rating from {self.low:g} to {self.high:g}{divided}")
        return number


class Checked(NamedTuple):
    """A validated column: its values by row, which rows are wrong, if any, and why a row is."""

    values: Any
    wrong: Booleans | None = None
    why: Callable[[int], Wrong] = lambda row: ("", "")


def ratings(stored: Stored, entry: Mapping[str, Any]) -> tuple[pd.DataFrame, Place]:
    """Return the ratings of a source by the rules of its catalogue entry, and errors for rows.

    `user` and `item` are categories, `rating` float64 and `timestamp`, where all have it, int64
    seconds. `attrs` counts lines without user (`without_user`) and those left out (`bad_lines`).
    """
    rules = Rules.of(entry)
    stored, found, kept, left_out = _sound(stored, rules, entry.get("bad_lines", 0))
    table = pd.DataFrame({role: found[role].values for role in ("user", "item")})
    table["rating"] = found["rating"].values if "rating" in found else rules.rating(UNRATED)
    if "timestamp" in found:
        table["timestamp"] = found["timestamp"].values
    blank = _blank(stored.columns["user"])
    if kept is not None:
        blank &= kept
    if rules.missing_user == "skip" and blank.any():
        kept = ~blank if kept is None else kept & ~blank
    counted = {"without_user": int(blank.sum()), "bad_lines": left_out}
    rows = None if kept is None else np.flatnonzero(kept)
    if rows is not None:
        table = table.take(rows).reset_index(drop=True)
        for role in ("user", "item"):
            table[role] = table[role].cat.remove_unused_categories()
    if "timestamp" in table and (table["timestamp"] == numerals.MISSING).any():
        SOURCES.info("%s: no timestamps (not every line has one)", stored.what)
        table = table.drop(columns="timestamp")
    if table.empty:
        only = "lines without user" if blank.any() else "bad lines" if left_out else ""
        raise RankassayError(
            f"{stored.what}: expected ratings, found {f'only {only}' if only else 'none'}; replace "
            "the file."
        )
    table.attrs |= counted
    return table, lambda row, *wrong: stored.error(row if rows is None else int(rows[row]), *wrong)


def table(stored: Stored, trec: bool = False) -> tuple[pd.DataFrame, Callable[[int], str]]:
    """Return columns by their roles, and a function to the place of a row in words.

    Ids and other texts are categories, the rest float64 or decimals
    (`rankassay.data.numerals.column`).
    """
    found = _sound(stored, Rules(trec=trec)).columns
    frame = pd.DataFrame({role: own.values for role, own in found.items()})
    if {"user", "item"} <= found.keys() and (row := second(frame)) >= 0:
        user, item = frame.loc[row, ["user", "item"]]
        raise RankassayError(
            f"{stored.what}, {stored.where(row)}: user '{user}' has item '{item}' already, further "
            "above; make one line of the two, such as of their mean or the later one."
        )
    return frame, lambda row: f"{stored.what}, {stored.where(row)}"


def second(frame: pd.DataFrame) -> int:
    """Return the first row whose user and item stand in an earlier one, too; -1 for none."""
    again = frame.duplicated(["user", "item"]).to_numpy()
    return int(again.argmax()) if again.any() else -1


class _Sound(NamedTuple):
    """Validated columns, which rows stand (None for all), and how many were left out."""

    stored: Stored
    columns: dict[str, Checked]
    kept: Booleans | None
    left_out: int


def _sound(stored: Stored, rules: Rules, allowed: int = 0) -> _Sound:
    """Return the columns of a source, in which some rows are allowed to be wrong."""
    stored = stored if rules.kept else stripped(stored)
    found = _checked(stored, rules)
    wrong = _wrong(found)
    problem = stored.problem
    if stored.again and len(wrong):
        # Line by line, fields that are missing show, and the lines of rows are known.
        problem = " and ".join(_why(found, int(wrong[0])))
        stored = stored.again(None if allowed else int(wrong[0]) + 1)
        stored = stored if rules.kept else stripped(stored)
        found = _checked(stored, rules)
        wrong = _wrong(found)
    rows = [(own.before, 0, own) for own in stored.broken] + [(int(row), 1, None) for row in wrong]
    for count, (row, _, broken) in enumerate(sorted(rows, key=lambda own: own[:2]), 1):
        if broken:
            error = stored.refused(broken.place, broken.expected, broken.found)
        else:
            error = stored.error(row, *_why(found, row, stored.says))
        if count > allowed and allowed:
            error = RankassayError(f"{error} It is one bad line more than bad_lines allows.")
        if count > allowed or (broken and broken.final):
            raise error
        SOURCES.warning("left out: %s", error)
    if problem and not rows:
        raise RankassayError(
            f"{stored.what}: expected lines in columns, found {' '.join(problem.split())}; "
            f"{stored.cure}."
        )
    kept = None
    if len(wrong):
        kept = np.ones(len(next(iter(found.values())).values), dtype=bool)
        kept[wrong] = False
    if stored.note:
        SOURCES.info("%s: %s", stored.what, stored.note)
    own = [role for role in ("user", "item") if role in stored.columns]
    if floats := [role for role in own if are_floats(stored.columns[role].values)]:
        tell_whole(stored.what, floats, stored.columns[floats[0]].values)
    return _Sound(stored, found, kept, len(rows))


def _wrong(found: Mapping[str, Checked]) -> npt.NDArray:
    """Return the rows in which any column is wrong."""
    masks = [own.wrong for own in found.values() if own.wrong is not None]
    return np.flatnonzero(np.logical_or.reduce(masks)) if masks else np.empty(0, dtype=np.int64)


def _why(
    found: Mapping[str, Checked], row: int, says: Callable[[str, int], str] = lambda *_: ""
) -> Wrong:
    """Return what the first column that is wrong in a row should have had, and what it has."""
    role = next(role for role, own in found.items() if own.wrong is not None and own.wrong[row])
    expected, shown = found[role].why(row)
    return expected + says(role, row), shown


def _checked(stored: Stored, rules: Rules) -> dict[str, Checked]:
    """Return the columns of a source, each validated as its role asks."""
    found = {}
    for role, column in stored.columns.items():
        if role in IDS:
            anonymous = role == "user" and rules.missing_user != "error"
            longest = LONGEST if rules.trec is None else math.inf
            if role != "system" and are_floats(column.values):
                column = Column(column.codes, pd.Index(without_zeros(column.values), dtype=TEXT))
            found[role] = ids(column, role, anonymous, ASCII if rules.trec else None, longest)
        elif role == "timestamp":
            found[role] = timestamps(column, rules.times, role in stored.optional)
        elif role in UNUSED or (role == "rank" and "score" in stored.columns):
            found[role] = Checked(_texts(column))  # ranks next to scores are only compared
        else:
            found[role] = numbers(column, role, rules)
    return found


def ids(column: Column, role: str, blank: bool, blanks: str | None, longest: float) -> Checked:
    """Return ids as categories of text; they are texts or whole numbers: see `no_ids`."""
    texts, wrong = _id_texts(column.values, role)
    if not blank:
        wrong |= {-1: (f"an id of the {role}", NULL)}
    wrong |= no_ids(texts, role, blank, blanks, longest)
    codes, names = column.codes, column.values if isinstance(column.values, pd.Index) else texts
    if blank and (not all(map(str.strip, texts)) or (codes < 0).any()):
        named = [text if text.strip() else ANONYMOUS for text in texts] + [ANONYMOUS]
        places, names = pd.factorize(np.array(named, dtype=object))
        codes = places[codes]
    if not isinstance(names, pd.Index):
        names = pd.Index(names, dtype=TEXT)
        if not names.is_unique:  # as of 1 and 1.0
            places, names = pd.factorize(names)
            codes = np.where(codes < 0, -1, places[codes])
    return _by_code(pd.Categorical.from_codes(codes, names), column.codes, wrong, len(texts))


def no_ids(
    texts: Sequence[str],
    role: str,
    blank: bool = False,
    blanks: str | None = None,
    longest: float = math.inf,
) -> dict[int, Wrong]:
    """Return which texts are no ids, unless they may be `blank`, by their place, and why."""
    marked = _STRANGE.search("".join(texts)) or max(map(len, texts), default=0) > longest
    if not marked and (blank or all(map(str.strip, texts))):
        return {}
    wrong = {}
    for code, text in enumerate(texts):
        if found := next((STRANGE[mark] for mark in STRANGE if mark in text), ""):
            wrong[code] = (f"an id of the {role}", found)
        elif len(text) > longest:
            wrong[code] = (f"at most {longest} characters as id of the {role}", f"{len(text)}")
        elif not (blank or text.strip(blanks)):
            wrong[code] = (f"an id of the {role}", "an empty field")
    return wrong


def are_floats(values: Sequence) -> bool:
    """Whether all ids are texts such as 7.0; a blank is none."""
    fits = (FLOATS.fullmatch(own) if isinstance(own, str) else None for own in values if own != "")
    return all(fits) and any(own != "" for own in values)


def without_zeros(values: Iterable[str]) -> list[str]:
    """Return ids such as 7.0 as whole numbers."""
    return [str(text).removesuffix(".0") for text in values]


def tell_whole(what: object, kinds: Sequence[str], values: Iterable[str]) -> None:
    """Log that ids such as 7.0 were read as whole numbers."""
    SOURCES.warning(
        "%s: the ids of the %s, such as %r, were read as whole numbers",
        *(what, " and the ".join(f"{kind}s" for kind in kinds)),
        next(filter(None, map(str.strip, values))),
    )


def _id_texts(values: Sequence, role: str) -> tuple[list[str], dict[int, Wrong]]:
    """Return ids as texts, and which numbers are none: that are not whole, or lost digits."""
    if isinstance(values, pd.Index):
        return values.tolist(), {}
    if all(isinstance(value, str) for value in values):
        return list(values), {}
    texts, wrong = [], {}
    for code, value in enumerate(values):
        if isinstance(value, float | np.floating):
            bits = _BITS[getattr(value, "dtype", np.dtype("float64")).name]
            if value % 1 or not abs(value) < 2**bits:
                expected = f"a text or a whole number that is not rounded as id of the {role}"
                wrong[code] = (expected, shown(value))
            else:
                value = int(value)
        texts.append(str(value))
    return texts, wrong


def numbers(column: Column | npt.NDArray, role: str, rules: Rules) -> Checked:
    """Return ratings, scores or other numbers: float64, or decimals."""
    if isinstance(column, np.ndarray):
        wrong = (
            np.isnan(column) if role not in OPTIONAL and np.isnan(column.min(initial=0)) else None
        )
        return Checked(column, wrong, lambda row: (f"a number as {role}", "none"))
    given = column.values.tolist() if isinstance(column.values, pd.Index) else column.values
    texts = given if given is not column.values else [*map(_as_text, given)]
    if rules.trec is False and role in ("rating", "known") and texts and {*texts} <= FLAGS.keys():
        texts = [FLAGS[text] for text in texts]
    wrong = {} if role in OPTIONAL else {-1: (f"a number as {role}", NULL)}
    blank: list[int] = []
    if role in OPTIONAL:
        blank = [code for code, text in enumerate(texts) if not text.strip()]
        texts = [text if text.strip() else "0" for text in texts]
    if role == "rating":
        found = [_or_why(rules.rating, text) for text in texts]
    else:
        found = numerals.fields(texts, role)
    if str in {*map(type, found)}:
        wrong |= {
            code: (own, shown(value))
            for code, (own, value) in enumerate(zip(found, given, strict=True))
            if isinstance(own, str)
        }
        values = np.array([math.nan if isinstance(own, str) else own for own in found])
    else:
        values = numerals.column(texts, found, role)
        values[blank] = math.nan
    return _by_code(np.append(values, math.nan)[column.codes], column.codes, wrong, len(texts))


def timestamps(column: Column | npt.NDArray, form: str | None, optional: bool = False) -> Checked:
    """Return times in whole seconds since 1970, int64; rows may have none (MISSING) if optional."""
    if isinstance(column, np.ndarray) and column.dtype.kind == "M":
        form, column = np.datetime_data(column.dtype)[0], column.astype(np.int64)
    expected = numerals.time_words(form or "s")
    if isinstance(column, np.ndarray):
        if (form or "s") in numerals.UNITS:
            return _seconds(column, form or "s", expected)
        codes, values = pd.factorize(column)
        column = Column(codes, values.tolist())
    wrong: dict[int, Wrong] = {} if optional else {-1: (expected, NULL)}
    found = []
    for code, value in enumerate(column.values):
        found.append(0)
        unit = numerals.UNITS.get(form or "s")
        if unit and isinstance(value, float | np.floating) and np.spacing(abs(value)) > unit:
            rounds = f"{expected}, to the second, which its type ({value.dtype.name}) rounds"
            wrong[code] = (rounds, shown(value))
            continue
        try:
            found[-1] = numerals.seconds(_as_text(value), form or "s")
        except ValueError:
            wrong[code] = (expected, shown(value))
    values = np.array([*found, numerals.MISSING], dtype=np.int64)[column.codes]
    return _by_code(values, column.codes, wrong, len(found))


def _seconds(column: npt.NDArray, unit: str, expected: str) -> Checked:
    """Return whole numbers of a unit as seconds."""
    # The smallest types have no room for the unit; the largest is the only one above int64.
    wide = column if column.dtype == np.uint64 else column.astype(np.int64, copy=False)
    seconds = wide if unit == "s" else wide // numerals.UNITS[unit]
    wrong = None
    if len(seconds) and (seconds.max() > numerals.LATEST or seconds.min() < -numerals.LATEST):
        wrong = (seconds > numerals.LATEST) | (seconds < -numerals.LATEST)
    return Checked(
        seconds.astype(np.int64, copy=False), wrong, lambda row: (expected, shown(column[row]))
    )


def _by_code(values: Any, codes: npt.NDArray, wrong: Mapping[int, Wrong], count: int) -> Checked:
    """Return a column some of whose distinct values, by code, are wrong."""
    if not wrong or (wrong.keys() == {-1} and not (codes < 0).any()):
        return Checked(values)
    marked = np.zeros(count + 1, dtype=bool)
    marked[[*wrong]] = True
    return Checked(values, marked[codes], lambda row: wrong[int(codes[row])])


def _blank(column: Column) -> Booleans:
    """Return which rows have no id, or a blank one."""
    values = column.values.tolist() if isinstance(column.values, pd.Index) else column.values
    blank = [not str(value).strip() for value in values]
    return np.array([*blank, True])[column.codes]


def _texts(column: Column | npt.NDArray) -> Any:
    if isinstance(column, np.ndarray):
        return column
    return pd.Categorical.from_codes(column.codes, pd.Index(column.values))


def _or_why(read: Callable[[str], float], text: str) -> float | str:
    try:
        return read(text)
    except ValueError as error:
        return str(error)


def _as_text(value: object) -> str:
    """Return a number as text, whole ones without a decimal point; those in text as they stand."""
    whole = isinstance(value, float) and value.is_integer()
    return value if isinstance(value, str) else str(int(value) if whole else value)


def shown(value: object) -> str:
    """Return a value, which may be a very long text, as a message shows it."""
    value = value.item() if isinstance(value, np.generic) else value
    return repr(value[:60] + "..." if isinstance(value, str) and len(value) > 60 else value)
