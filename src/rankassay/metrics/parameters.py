"""The parameters of metrics: how they are written, of what kind they are, and in which range."""

import ast
import functools
import math
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from rankassay.errors import LONGEST, RankassayError, one_of, unknown
from rankassay.metrics.catalogue import label
from rankassay.metrics.names import ARGUMENTS, SPELLINGS, parts

GREATEST = 1e12  # size of a parameter, which powers and sums of many must not carry to infinity
UNIONS = (typing.Union, types.UnionType)


@dataclass(frozen=True)
class Range:
    """The numbers that a parameter may be, with both ends unless declared otherwise.

    It stands in the annotation, so that a configuration is checked before anything is computed.

    >>> str(Range(0, above=True)), str(Range(0.5, 1)), 0.5 in Range(0.5, 1)
    ('above 0', 'of at least 0.5 and at most 1', True)
    """

    low: float
    high: float = math.inf
    above: bool = False  # the low end is none of them
    below: bool = False

    def __contains__(self, value: float) -> bool:
        """Return whether a number is one of them."""
        low = value > self.low if self.above else value >= self.low
        return low and (value < self.high if self.below else value <= self.high)

    def __str__(self) -> str:
        """Return it as a message has it."""
        found = f"above {self.low:g}" if self.above else f"of at least {self.low:g}"
        if self.high == math.inf:
            return found
        return f"{found} and {'below' if self.below else 'at most'} {self.high:g}"


Unit = Annotated[float, Range(0, 1)]
Between = Annotated[float, Range(0, 1, above=True, below=True)]  # 0 and 1
Positive = Annotated[float, Range(0, above=True)]
NotNegative = Annotated[float, Range(0)]
Base = Annotated[float, Range(1, above=True)]  # of logarithms


def parameters_of(text: str, parameters: str | None) -> dict[str, object]:
    """Return the parameters that stand in the parentheses of the name `text`, hashable values."""
    try:
        call = ast.parse(f"f({parameters or ''})", mode="eval").body
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)) or call.args:
            raise ValueError
        values = {k.arg: _frozen(ast.literal_eval(k.value)) for k in call.keywords}
        if None in values or len(values) < len(call.keywords):
            raise ValueError
        hash(tuple(values.values()))
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        raise RankassayError(
            f"cannot read the parameters of '{text[:LONGEST]}'; expected a form like name=value, "
            "with texts in quotes: name='value'."
        ) from None
    return values


def as_text(metric: str, parameters: Iterable[tuple[str, object]]) -> str:
    """Return a metric with its parameters, as `parameters_of` reads them."""
    arguments = ", ".join(f"{name}={value!r}" for name, value in parameters)
    return f"{metric}({arguments})" if arguments else metric


def readers_name(measure: str, weights: str = "popularity") -> str:
    """Return the name by which answers and figures print a measure, which can be typed as well.

    It is the measure itself where there is no better one.

    Parameters
    ----------
    measure : str
    weights : str
        What weighted measures divide by: "popularity", or else propensities that are given.

    >>> readers_name("P(denominator='judged')@50"), readers_name("R@10"), readers_name("AP")
    ('P@50 of judged items', 'Recall@10', 'MAP')
    >>> readers_name("IPS(gain='P')@10", "given"), readers_name("IPS(gain='P', power=0.3)@10")
    ('P@10 by 1/propensity', "IPS(gain='P', power=0.3)@10")
    """
    found = parts(measure)
    if found is None:
        return measure
    metric, written, cutoff = found
    parameters = tuple(sorted(parameters_of(measure, written).items()))
    at = f"@{cutoff}" if cutoff else ""
    if printed := _printed().get((metric, parameters)):
        return printed[len(printed) > 1 and weights != "popularity"].replace("@k", at)
    own = as_text(metric, parameters)
    return (own if ":" in metric else label(own)) + at


@functools.cache
def _printed() -> dict[tuple, list[str]]:
    """Return the names with @k of each measure that has some."""
    found = {}
    for measure, names in SPELLINGS.items():
        metric, written, _ = parts(measure) or (measure, None, None)
        own = [name for name in names.papers.split(", ") if "@k" in name]
        if own:
            found[metric, tuple(sorted(parameters_of(measure, written).items()))] = own
    return found


@functools.cache  # studies ask for it once a metric and part
def kinds_of(function: Callable) -> dict[str, object]:
    """Return the kinds of a function's keyword parameters, by their annotations."""
    kinds = typing.get_type_hints(function, include_extras=True)
    return {key: kinds[key] for key in function.__kwdefaults__ or {}}


def check_parameters(metric: str, given: Mapping[str, object], kinds: Mapping[str, object]) -> None:
    """Raise RankassayError for parameters that a metric does not know, or of other kinds."""
    for name, value in given.items():
        if name in ARGUMENTS and name not in kinds:
            raise RankassayError(
                f"{metric}'s parameter {name}: expected none of this name, found {value!r}; give "
                f"{ARGUMENTS[name]} instead."
            )
        if name not in kinds:
            raise unknown(f"parameter of {metric}", name, kinds or ["none"])
        check_kind(f"{metric}'s parameter {name}", value, kinds[name])


def check_kind(what: str, value, kind) -> None:
    """Raise RankassayError unless the value is of the kind, and in its range.

    A kind is a class, one with a `Range`, a Literal or a union of such.
    """
    kinds = typing.get_args(kind) if typing.get_origin(kind) in UNIONS else [kind]
    kinds, ranges = zip(*map(_with_range, kinds), strict=True)
    names = [name for k in kinds if typing.get_origin(k) is Literal for name in typing.get_args(k)]
    others = [k for k in kinds if typing.get_origin(k) is not Literal]
    if isinstance(value, str) and names:
        one_of(f"value of {what}", value, names)
    elif not any(_is(value, k) for k in others):
        expected = [*names, *(k.__name__ if isinstance(k, type) else str(k) for k in others)]
        far = isinstance(value, int | float) and abs(value) > GREATEST
        size = f" of at most {GREATEST:g}" if far else ""
        raise RankassayError(f"{what}: expected {' or '.join(expected)}{size}, found {value!r}.")
    elif isinstance(value, int | float) and (wrong := [r for r in ranges if r and value not in r]):
        raise RankassayError(f"{what}: expected a number {wrong[0]}, found {value!r}.")


def _with_range(kind) -> tuple[object, Range | None]:
    """Return a kind without its range, and the range."""
    if typing.get_origin(kind) is not Annotated:
        return kind, None
    plain, *said = typing.get_args(kind)
    return plain, next((each for each in said if isinstance(each, Range)), None)


def _is(value, kind) -> bool:
    """Return whether a value is of a class, or of one in a tuple; see `GREATEST` for numbers."""
    if typing.get_origin(kind) is tuple:
        kinds = typing.get_args(kind)
        if kinds[-1] is Ellipsis:
            return isinstance(value, tuple) and all(_is(each, kinds[0]) for each in value)
        return isinstance(value, tuple) and len(value) == len(kinds) and all(map(_is, value, kinds))
    if isinstance(value, bool):
        return kind in (bool, object)
    if isinstance(value, int | float) and not abs(value) <= GREATEST:
        return False
    return isinstance(value, int | float if kind is float else kind)


def _frozen(value):
    """Return a value that can be hashed: a tuple of what was a list, or of a dict's pairs."""
    if isinstance(value, dict):
        value = sorted(value.items())
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value
