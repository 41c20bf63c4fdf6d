"""The settings of recommenders, checked against the parameters of their classes."""

from collections.abc import Iterable, Mapping
from typing import Any

from rankassay.errors import RankassayError, unknown
from rankassay.lookup import parameters, place_of

# The names of the types that are checked; parameters of other types, such as arrays, are not.
PLAIN = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "None": "null",
}


def check_settings(target: str, settings: Mapping[str, Any]) -> None:
    """Raise RankassayError unless a "module:class" takes these settings, and gets all it needs."""
    check_names(target, settings)
    for name, value in settings.items():
        check_type(target, name, value)


def check_names(target: str, names: Iterable[str]) -> None:
    """Raise RankassayError unless a class has parameters of these names, and needs no other."""
    known = parameters(target)
    of = "" if target.startswith("rankassay.") else f" of {place_of(target)}"
    for name in names:
        if name not in known:
            raise unknown(f"setting{of}", name, known or ["none"])
    for name, parameter in known.items():
        if parameter.required and name not in names:
            raise RankassayError(f"the setting '{name}'{of} is missing.")


def check_type(target: str, name: str, value: Any) -> None:
    """Raise RankassayError for a value of another type than the parameter's."""
    types = parameters(target)[name].type.split(" | ")
    if {*types} <= {*PLAIN} and not any(_is(kind, value) for kind in types):
        expected = " or ".join(PLAIN[kind] for kind in types)
        raise RankassayError(f"{name}: expected {expected}, found {value!r}.")


def _is(kind: str, value: Any) -> bool:
    """Return whether a value has a plain type; a whole number is a number, too."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return {
        "int": whole,
        "float": whole or isinstance(value, float),
        "str": isinstance(value, str),
        "bool": isinstance(value, bool),
        "None": value is None,
    }[kind]
