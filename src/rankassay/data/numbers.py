"""Numbers of judgements and runs, of any type; none is taken for another one.

float64 has gaps: between whole numbers from 2^53 on, and around most decimals. Numbers that fall
into one keep their order in lists, and are refused as ratings.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Rational

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api.types import (
    infer_dtype,
    is_any_real_numeric_dtype,
    is_bool_dtype,
    is_object_dtype,
    is_string_dtype,
)

from rankassay.errors import RankassayError, written
from rankassay.types import Floats

Exact = int | float | Decimal | Fraction

SAFE = 2**53  # float64 holds each whole number below
PLAIN = {int, float, np.float64, type(None)}
# What others than Python take for a number, too.
TEXT = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,9})?\s*", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True)
class Numbers:
    """A column of numbers."""

    what: str  # what the column is part of, for messages
    name: str
    floats: Floats  # float64 (n_rows,), NaN where there is none
    kind: npt.DTypeLike = np.float64  # the type that they came in, if that is a floating-point one
    exact: list[Exact] | None = None  # themselves, where float64 does not hold them all

    @classmethod
    def of(cls, what: str, name: str, column: pd.Series) -> "Numbers":
        """Return the numbers of a column, in which ratings may all be True or False."""
        if isinstance(column.dtype, pd.SparseDtype):
            column = column.sparse.to_dense()
        if name == "rating" and _are_flags(column):
            column = column.astype("boolean").astype("Float64")
        kind = getattr(column.dtype, "numpy_dtype", column.dtype)
        if is_any_real_numeric_dtype(kind):
            floats = column.to_numpy(np.float64, na_value=np.nan)
            if kind.kind == "f" and kind.itemsize <= 8:
                return cls(what, name, floats, kind)
            if kind.kind in "iu" and not (np.abs(floats) >= SAFE).any():
                return cls(what, name, floats)
        elif not (is_object_dtype(kind) or is_string_dtype(kind)):
            raise RankassayError(f"{what}: expected numbers in the column {name}, found {kind}.")
        return cls._of_objects(what, name, column.tolist())

    @classmethod
    def _of_objects(cls, what: str, name: str, values: list) -> "Numbers":
        try:
            exact = values
            if not {*map(type, values)} <= PLAIN:
                exact = [exactly(value) for value in values]
            floats = np.array([*map(_float, exact)], dtype=np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            row = next(row for row, value in enumerate(values) if not _is_one(value))
            raise RankassayError(
                f"{what}: expected numbers in the column {name}; {error} in row {row}."
            ) from None
        lossy = any(
            number != own
            for number, own in zip(floats.tolist(), exact, strict=True)
            if own is not None and own == own
        )
        return cls(what, name, floats, np.float64, exact if lossy else None)

    @property
    def order(self) -> Floats:
        """Numbers of the same order, float64 (n_rows,); NaN where there is none."""
        if self.exact is None:
            return self.floats
        there = ~np.isnan(self.floats)
        known = [own for own, is_there in zip(self.exact, there, strict=True) if is_there]
        place = {own: place for place, own in enumerate(sorted({*known}))}
        order = np.full(len(self.exact), np.nan)
        order[there] = [place[own] for own in known]
        return order

    def held(self) -> Floats:
        """Return the numbers; raises RankassayError for one that float64 takes for another.

        3.6 as a decimal is what float64 writes as 3.6, and 3.99999999999999999999 is not.
        """
        for row, own in enumerate(self.exact or ()):
            number = float(self.floats[row])
            if not math.isnan(number) and not is_held(own, number):
                raise RankassayError(
                    f"{self.what}: expected a {self.name} that float64 can tell from {number!r} in "
                    f"row {row}, found {_shown(own)}; round it."
                )
        return self.floats


def is_held(own: Exact, number: float) -> bool:
    """Whether a number is equal to its float64, or to the text of that."""
    if own == number or math.isinf(number):
        return own == number
    text = Decimal(repr(number))
    return own == (Fraction(text) if isinstance(own, Fraction) else text)


def _are_flags(column: pd.Series) -> bool:
    kind = column.dtype
    return is_bool_dtype(kind) or (is_object_dtype(kind) and infer_dtype(column) == "boolean")


def column_of(values: Sequence | pd.Index) -> pd.Series:
    """Return values as a column, in which those of several types keep their types."""
    if isinstance(values, pd.Index):
        return pd.Series(values.to_numpy(), dtype=values.dtype)
    kinds = {*map(type, values)}
    if not kinds:
        return pd.Series(np.empty(0))
    if len(kinds) == 1 and issubclass(*kinds, np.floating):
        return pd.Series(np.array(values))
    # pandas would encode text, which may be none that has a code.
    return pd.Series(values, dtype=None if len(kinds) == 1 and str not in kinds else object)


def _float(value: Exact | None) -> float:
    number = math.nan if value is None else float(value)
    if math.isinf(number) and not isinstance(value, float):
        raise OverflowError(f"float64 does not hold {_shown(value)}")
    return number


def _is_one(value: object) -> bool:
    try:
        return _float(exactly(value)) is not None
    except (TypeError, ValueError, OverflowError):
        return False


def exactly(value: object) -> Exact:
    """Return a number of Python's; raises ValueError for anything else."""
    if value is None or value is pd.NA or value is pd.NaT:
        return math.nan
    if isinstance(value, str) and TEXT.fullmatch(value):
        return Decimal(value.strip())
    if isinstance(value, Decimal) and not value.is_finite():
        return math.nan if value.is_nan() else float(value)
    if isinstance(value, np.floating) and value.dtype.itemsize > 8 and np.isfinite(value):
        return Fraction(*value.as_integer_ratio())
    if isinstance(value, float | np.floating):
        return float(value)
    if isinstance(value, Rational) and not isinstance(value, bool):
        return int(value) if isinstance(value, int | np.integer) else Fraction(value)
    if isinstance(value, Decimal):
        return value
    raise ValueError(f"found {_shown(value)} ({type(value).__name__})")


def _shown(value: object) -> str:
    """Return a value as a message shows it."""
    text = written(value, repr)
    return text if len(text) <= 60 else f"{text[:60]}..."
