"""How options take their values: a given value is never dropped."""

import argparse
from typing import Any


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


def extend(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Return a parser whose options take their values so, unless they say otherwise."""
    parser.register("action", None, Given)
    return parser
