"""Types of arrays, and of results, which a console of Python shows on one screen."""

from dataclasses import fields

import numpy as np
import numpy.typing as npt

from rankassay.errors import number_of

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]
Integers32 = npt.NDArray[np.int32]
Booleans = npt.NDArray[np.bool_]
Texts = npt.NDArray[np.str_]

WIDTH, HEIGHT = 100, 24


def on_screen(text: str) -> str:
    r"""Return a text, of which the first lines if it is more than a screen, and how many more.

    >>> print(on_screen("a\n" * 30).splitlines()[-1])
    … and 8 more lines: print() shows all
    """
    lines = text.split("\n")
    rows = [max(1, -(-len(line) // WIDTH)) for line in lines]
    if sum(rows) <= HEIGHT:
        return text
    kept = next(n for n in range(len(rows)) if sum(rows[: n + 1]) >= HEIGHT)
    more = number_of(len(lines) - kept, "more line")
    return "\n".join([*lines[:kept], f"… and {more}: print() shows all"])


class Shown:
    """A dataclass whose `repr` is its text on a screen: by default its fields, short ones first.

    It takes `@dataclass(repr=False)`: else that writes all of it on one line.
    """

    def __str__(self) -> str:
        """Return the fields, a line or more each."""
        parts = [part.name for part in fields(self) if part.repr]  # type: ignore[arg-type]
        own = {name: repr(getattr(self, name)) for name in parts}
        short = [f"{name}: {text}" for name, text in own.items() if "\n" not in text]
        return "\n".join([*short, *(f"{n}:\n{text}" for n, text in own.items() if "\n" in text)])

    def __repr__(self) -> str:
        """Return the text as far as it fits on a screen, as a console shows it."""
        return on_screen(str(self))
