"""The properties of a metric besides the function that computes it.

The entries are in `rankassay.metrics.entries`. Nothing here or there imports a metric: planning a
run reads the entries, and compiled code takes seconds to import.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

SHARE, CORRELATION, SUM = (0.0, 1.0), (-1.0, 1.0), (0.0, math.inf)
ANY = (-math.inf, math.inf)


class Names(NamedTuple):
    """The names of a metric in papers and in other libraries, by comma; _k stands for a cut-off.

    A name is here only if the source means this definition by it, so that the word is unambiguous;
    see `rankassay.metrics.names.DIFFERENT` for the others. The first one of papers with @k is what
    answers and figures print, with the cut-off in its place.
    """

    papers: str = ""
    trec_eval: str = ""
    ranx: str = ""
    RecBole: str = ""
    ir_measures: str = ""


class When(NamedTuple):
    """The properties of a metric that change where a parameter has one of some values, as written.

    `changes` are attributes of `Metric`, or functions of those that hold otherwise.
    """

    parameter: str
    values: tuple[str, ...]
    changes: Mapping[str, Any]

    def holds(self, measure: str) -> bool:
        """Return whether it holds for a measure.

        >>> When("compared", ("ratio", "worst"), {}).holds("UserGroups(compared='worst')@10")
        True
        """
        values = "|".join(map(re.escape, self.values))
        return bool(re.search(rf"\b{self.parameter} *= *(['\"]?)({values})\1(?![\w.])", measure))


@dataclass(frozen=True)
class Metric:
    """A metric's properties. Its formula, parameters and source are in its function's docstring."""

    computed_by: str  # its function, as "module:function" below `rankassay.metrics`
    bounds: tuple[float, float]  # no value is below or above these, by any definition
    label: str | None = None  # the name that the field uses, if that is not its name here
    names: Names = Names()  # noqa: RUF009 - a tuple  # what it is called elsewhere
    # by parameters, what it is called with these
    names_with: Mapping[str, Names] = field(default_factory=dict)
    # what it reads besides lists; "items" is how many could have been listed
    needs: tuple[str, ...] = ("judgements",)
    lower_is_better: bool = False  # whether the lowest value is the best one
    opposite: bool = False  # whether its name is like that of a metric with the opposite meaning
    cut: bool = True  # whether a cut-off changes it
    # what a relevant item contributes, of `part_sums.FORMS`, and the definition that has it
    form: tuple[str, Mapping[str, str]] | None = None
    # how its bounds over the judgements of unjudged items are found: one more relevant item
    # never lowers the value, and the ratings of others make no difference, or may; or by a sweep
    unjudged: Literal["binary", "rising", "swept"] | None = None
    # parameters with which it keeps its label and, in figures, its look
    variants: tuple[str, ...] = ()
    when: tuple[When, ...] = ()  # what of this is otherwise with some parameters

    @property
    def function(self) -> str:
        """The function as `rankassay.lookup.load` takes it."""
        return f"rankassay.metrics.{self.computed_by}"
