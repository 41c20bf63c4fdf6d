"""The result tables that a page holds: each once, whoever shows it."""

import io
from collections.abc import Callable
from dataclasses import dataclass, field

import pandas as pd

from rankassay.artifacts.tables import parsed

WHOLE = 256 * 1024  # characters: of longer tables the page holds the first rows only
HEAD = 100  # rows


@dataclass(frozen=True)
class Held:
    """A table in the page: where it came from, its text (or its beginning), and all its rows."""

    path: str
    text: str
    rows: int
    whole: bool


@dataclass
class Shelf:
    """The tables of a page by the keys under which its script finds them."""

    read: Callable[[str], str]
    held: dict[str, Held] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)

    def key(self, path: str, whole: bool = False) -> str:
        """Return the key of a table, which is put on the shelf if it is not there.

        A long one is shortened, unless it must be `whole` because a chart is drawn from it.
        """
        key = self.keys.setdefault(path, f"table-{len(self.keys) + 1}")
        if key not in self.held or (whole and not self.held[key].whole):
            self.held[key] = held(path, self.read(path), whole)
        return key

    def frame(self, path: str) -> pd.DataFrame:
        """Return a table, all of it."""
        return parsed(io.StringIO(self.read(path)))


def held(path: str, text: str, whole: bool = False) -> Held:
    """Return a table as the page holds it."""
    rows = text.count("\n") - 1
    if whole or len(text) <= WHOLE:
        return Held(path, text, rows, True)
    return Held(path, "".join(text.splitlines(keepends=True)[: HEAD + 1]), rows, False)
