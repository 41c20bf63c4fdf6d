"""How options take their values: a given value is never dropped."""

import argparse
import difflib
import re
from collections.abc import Sequence
from typing import Any

from rankassay.errors import LONGEST, unknown


class Given(argparse.Action):
    """Store a value: an option of several values extends those that it was given before.

    argparse itself keeps the last without a word. An option of one value is given once.
    """

    given = False

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Store the values; raises ArgumentError for a second one where there can be one."""
        if self.given and self.option_strings:
            before = getattr(namespace, self.dest)
            if not isinstance(values, list):
                found = f"found '{before}' and '{values}'"
                raise argparse.ArgumentError(self, f"expected it once, {found}; keep one")
            values = [*before, *values]
        self.given = True
        setattr(namespace, self.dest, values)


class Distinct(Given):
    """Store names that are given once each, as they become columns."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Store the names; an error names the first that is given again."""
        super().__call__(parser, namespace, values, option_string)
        names = getattr(namespace, self.dest)
        again = [name for place, name in enumerate(names) if name in names[:place]]
        if again:
            raise argparse.ArgumentError(self, f"expected each name once, found '{again[0]}' twice")


def check_options(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Exit with an error for the first option that a parser does not know, with the nearest one.

    argparse would look at what is missing first, and name no other.
    """
    known = [name for action in parser._actions for name in action.option_strings]
    for word in words:
        name = word.partition("=")[0]
        if not re.match(r"--?[A-Za-z]", word) or " " in name:
            continue
        start = name if name.startswith("--") else name[:2]  # as in -mP@10
        if not any(own.startswith(start) for own in known):
            options = {own[2:]: own for own in known if own.startswith("--")}
            # Dashes, which all have, make no two alike.
            alike = difflib.get_close_matches(name.lstrip("-")[:LONGEST], options, n=1)
            near = options[alike[0]] if alike else None
            parser.error(str(unknown("option", name, options.values(), near)))


def extend(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Return a parser whose options take their values so, unless they say otherwise."""
    parser.register("action", None, Given)
    return parser
