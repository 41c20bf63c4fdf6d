"""Units and bounds of the columns of result tables.

A column has one meaning in all tables. Those that several studies have stand here; each study
declares its own, as `columns` of `rankassay.studies.entries.Study`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankassay.declared.correlations import CORRELATIONS

if TYPE_CHECKING:
    import pandas as pd

    from rankassay.types import Floats

ENDS = ("_low", "_high", "_a", "_b")  # of an interval, and of two that are compared


@dataclass(frozen=True)
class Column:
    """What a column holds.

    Parameters
    ----------
    unit : str
    least, greatest : float or str
        Between which its values lie; a column of the same table if it is a name.
    better : int
        1 if more is better, -1 if less is, 0 if neither.
    digits : int
        The decimals with which sentences say it.
    """

    unit: str
    least: float = -math.inf
    greatest: float | str = math.inf
    better: int = 0
    digits: int = 3

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds that do not depend on a table."""
        return self.least, math.inf if isinstance(self.greatest, str) else self.greatest


def columns(column: Column, names: str) -> dict[str, Column]:
    """Return the same of several columns, whose names spaces divide."""
    return dict.fromkeys(names.split(), column)


KEY = Column("key")  # a name, or a number that says what the row is about
COUNT = Column("count", 0)
OF_PAIRS = Column("count", 0, "pairs")
SHARE = Column("share", 0, 1)
PERCENT = Column("percent", 0, 100)
FLAG = Column("flag", 0, 1)
RANK = Column("rank", 1, better=-1, digits=1)
P_VALUE = Column("p-value", 0, 1)
CORRELATION = Column("correlation", -1, 1, better=1)
POWER = Column("sum of p-values", 0, "pairs", better=-1, digits=1)
SIZE = Column("size", 0)  # of a difference or an error, in the unit of its column
GAMMA = Column("sensitivity", 1, better=1)  # by how much a hidden bias may change odds
NUMBER = Column("number")  # a metric's value or a difference, in the unit of its row

COLUMNS = {
    **columns(KEY, "metric cutoff system measure definition test correction equivalence profile"),
    **columns(KEY, "criterion yardstick yardstick_cutoff utility estimator candidates design kind"),
    **columns(KEY, "bias world scenario step statistic section group ranking m left_out half"),
    **columns(KEY, "without"),
    **columns(COUNT, "users n_users test_users truth_users judged systems items pairs datasets"),
    **columns(COUNT, "samples permutations ratings ratings_median instances worlds undefined"),
    **columns(COUNT, "identical undecided tied ties wins losses cases length sources"),
    **columns(OF_PAIRS, "significant_05 significant_05_holm significant_05_bh"),
    **columns(OF_PAIRS, "significant_01 significant_01_holm significant_01_bh"),
    **columns(OF_PAIRS, "significant_05_max_t significant_01_max_t"),
    **columns(SHARE, "superiority gini alpha"),
    **columns(PERCENT, "level percentage"),
    **columns(FLAG, "apart cutoff_apart holds"),
    **columns(RANK, "rank cutoff_rank place"),
    **columns(P_VALUE, "p_value p_holm p_equivalence adjusted median_p normal_error"),
    **columns(P_VALUE, "p_friedman p_mixed p_without"),
    **columns(CORRELATION, "tau tau_ap correlation"),
    **columns(POWER, "dp dp_normal"),
    **columns(SIZE, "strength dp_all standard_error deviation required_largest required_median"),
    **columns(NUMBER, "value mean low high difference behind cutoff_behind d_z published measured"),
}


def column(name: str, own: Mapping[str, Column] | None = None) -> Column | None:
    """Return the declaration of a column, or None; `own` are those that a study declares.

    Ends of intervals, and columns of the two that are compared, are as the column whose name theirs
    begins with.
    """
    known = COLUMNS | dict(own or {})
    ends = [name.removesuffix(end) for end in ENDS if name.endswith(end)]
    return next((known[each] for each in (name, *ends) if each in known), None)


def bounds(
    name: str, table: "pd.DataFrame", own: Mapping[str, Column] | None = None
) -> tuple[float, "float | Floats"]:
    """Return the bounds of a column of a table, float64 (n_rows,) where another column has them.

    An undeclared column has none. A correlation has those of the coefficients that the table names.
    """
    found = column(name, own) or NUMBER
    least, greatest = found.least, found.greatest
    if found.unit == CORRELATION.unit and "correlation" in table:
        named = {*table["correlation"]} & {*CORRELATIONS}  # of some tables these are numbers
        least = min((CORRELATIONS[each].least for each in named), default=least)
    if isinstance(greatest, str):
        return least, table[greatest].to_numpy(float) if greatest in table else math.inf
    return least, greatest
