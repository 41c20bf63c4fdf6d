"""Sentences from templates: numbers with what they count, one or several, and names in a row."""

import re
import string
from collections.abc import Mapping
from typing import Any

from rankassay.errors import listed, number_of

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
COUNTED, IN_WORDS = "n ", "words "  # before the noun that a number counts


class _Forms(string.Formatter):
    """The forms of values in templates: those of Python, and those of `fill`."""

    def format_field(self, value: Any, format_spec: str) -> str:
        one, either, several = format_spec.partition("|")
        if either:
            n = len(value) if isinstance(value, list | tuple) else value
            return one if n == 1 else several
        if format_spec.startswith(COUNTED):
            return number_of(value, format_spec.removeprefix(COUNTED))
        if format_spec.startswith(IN_WORDS):
            return count(value, format_spec.removeprefix(IN_WORDS))
        if isinstance(value, list | tuple):
            return listed([*map(str, value)])
        return super().format_field(value, format_spec)


_FORMS = _Forms()


def fill(template: str, values: Mapping[str, Any] | None = None, **more: Any) -> str:
    """Return a template with values in it: those of a mapping, such as a row, and named ones.

    Next to Python's forms, `{users:n user}` is a number with what it counts, `{users:words user}`
    the same in words, `{users:has|have}` the first word for one (or a list of one) and the second
    for others, and a list is named in a row.

    >>> fill("{users:n user} {users:has|have} {names:a|} list by {names}.", users=1, names=["P"])
    '1 user has a list by P.'
    >>> fill("{names} {names:is|are} tied ({tau:.2f}).", {"tau": 0.5}, names=["P", "MAP"])
    'P and MAP are tied (0.50).'
    """
    return _FORMS.vformat(template, (), {**({} if values is None else values), **more})


# A metric with parameters, such as RPP(weights='inverse')@100.
_WITH = re.compile(r"([\w-]+)\((\w+=[^()]*)\)(@\d+)?")


def plain(text: str) -> str:
    """Return a text that has the parameters of metrics in words behind their names.

    >>> plain("RPP(weights='inverse')@100 ties (with MAP).")
    'RPP@100 with inverse weights ties (with MAP).'
    >>> plain("nDCG(gain='exp', log_base=2)@10"), plain("P@10")
    ('nDCG@10 with exp gain and log base = 2', 'P@10')
    """

    def spoken(found: re.Match[str]) -> str:
        name, given, cutoff = found.groups()
        pairs = [each.strip().split("=", 1) for each in given.split(",") if "=" in each]
        words = [
            f"{value[1:-1]} {key}" if value.startswith("'") else f"{key} = {value}"
            for key, value in ((key.replace("_", " "), value) for key, value in pairs)
        ]
        return f"{name}{cutoff or ''} with {listed(words)}"

    return _WITH.sub(spoken, text)


def count(number: float, noun: str) -> str:
    """Return a number in words up to ten, with its noun.

    >>> count(3, "run"), count(1, "pair"), count(210, "pair"), count(0, "run")
    ('three runs', 'one pair', '210 pairs', 'no runs')
    """
    said = NUMBERS[int(number)] if number < len(NUMBERS) else f"{number:,.0f}"
    return f"{said} {noun}{'' if number == 1 else 's'}"
