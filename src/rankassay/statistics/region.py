"""Which differences between two systems are too small to matter: a region of equivalence."""

import math
import re
import sys
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from rankassay.errors import RankassayError, shortened
from rankassay.types import Floats

_PERCENT = re.compile(r"(\d+\.?\d*|\.\d+) ?%", re.ASCII)


@dataclass(frozen=True)
class Region:
    """A region of equivalence: differences between -e and e do not matter.

    `size` is e, or, if it is `relative`, its share of the better system's mean.
    """

    size: float
    relative: bool

    @classmethod
    def of(cls, value: Any) -> Self:
        """Read a region: a number above 0 is e itself, and text such as "1%" a share of the mean.

        Raises RankassayError for anything else.

        >>> Region.of("1%")
        Region(size=0.01, relative=True)
        """
        percent = _PERCENT.fullmatch(value) if isinstance(value, str) else None
        size = float(percent[1]) / 100 if percent else _number(value)
        if 0 < size < sys.float_info.max:
            return cls(size, percent is not None)
        raise RankassayError(
            "equivalence: expected a difference above 0, such as 0.01, or a percentage of the "
            f'better value, such as "1%"; found {shortened(value)}.'
        )

    def width(self, first: Floats, second: Floats, sign: int) -> Floats:
        """Return e for pairs of means, of which the higher (sign 1) or lower (-1) is better."""
        if not self.relative:
            return np.full(np.shape(first), self.size)
        return self.size * np.abs(np.where(sign * (first - second) >= 0, first, second))


def _number(value: Any) -> float:
    """Return a number as float64; NaN for anything else, or if float64 does not hold it."""
    from rankassay.data import (
        inputs,  # on use: it imports pandas, and planning a run needs "1%" only
    )

    try:
        return inputs.number("equivalence", value)
    except RankassayError:
        return math.nan
