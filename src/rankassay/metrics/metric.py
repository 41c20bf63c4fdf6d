"""The properties of a metric besides the function that computes it.

The entries are in `rankassay.metrics.catalogue`. Nothing here or there imports a metric: planning a
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
    """A metric's properties. Its formula, parameters and source are in its function's docstring.

    Parameters
    ----------
    computed_by : str
        Its function, as "module:function" below `rankassay.metrics`. The docstring has the formula
        and the source, and the keyword parameters have their types as annotations.
    bounds : (float, float)
        No value is below or above these, by any definition.
    label : str or None
        The name that the field uses, if that is not its name here.
    names : Names
        What it is called elsewhere.
    names_with : mapping of str to Names
        By parameters, what it is called with these.
    needs : tuple of str
        What it reads besides lists: judgements, the number of items that could have been listed
        (items), predictions, propensities; aspects of items, groups of items or users.
    lower_is_better : bool
        Whether the lowest value is the best one.
    opposite : bool
        Whether its name is like that of a metric with the opposite meaning.
    cut : bool
        Whether a cut-off changes it.
    form : (str, dict) or None
        What a relevant item contributes, one of `rankassay.metrics.part_sums.FORMS`, and the
        definition that has it.
    unjudged : {"binary", "rising", "swept"} or None
        How its bounds over the judgements of unjudged items are found: one more relevant item never
        lowers the value, and the ratings of others make no difference, or may; or by a sweep. See
        `rankassay.metrics.bounds`.
    variants : tuple of str
        Parameters with which it keeps its label and, in figures, its look.
    when : tuple of When
        What of this is otherwise with some parameters.
    """

    computed_by: str
    bounds: tuple[float, float]
    label: str | None = None
    names: Names = Names()  # noqa: RUF009 - a tuple
    names_with: Mapping[str, Names] = field(default_factory=dict)
    needs: tuple[str, ...] = ("judgements",)
    lower_is_better: bool = False
    opposite: bool = False
    cut: bool = True
    form: tuple[str, Mapping[str, str]] | None = None
    unjudged: Literal["binary", "rising", "swept"] | None = None
    variants: tuple[str, ...] = ()
    when: tuple[When, ...] = ()

    @property
    def function(self) -> str:
        """The function as `rankassay.lookup.load` takes it."""
        return f"rankassay.metrics.{self.computed_by}"
