"""The answer in parts, each with the word that it begins with: what screen and page lay out."""

from dataclasses import dataclass

# The parts in their order; of "report" to "avoid" there may be several, one for each yardstick.
KINDS = (
    *("data", "runs", "report", "cannot tell", "avoid", "write", "not", "because", "one", "trust"),
    "next",
)


@dataclass(frozen=True)
class Entry:
    """One line of a part.

    Attributes
    ----------
    name : str
        What it is of, such as "bias"; a step to do next has none.
    text : str
        What it says.
    command : str or None
        What to type for it.
    """

    name: str
    text: str
    command: str | None = None


@dataclass(frozen=True)
class Passage:
    """A part of the answer.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    head : str
        What it begins with: "REPORT", or a heading such as "How far to trust it"; that of the data
        is empty.
    text : str
        What follows at once: the measures, or the pairs of runs.
    sentences : tuple of str
        Why, what the measure is bad at, and what else has to be said.
    entries : tuple of Entry
        The lines of trust, and the steps to do next.
    rows : tuple of tuple of str
        Of a table; the first has the heads.
    """

    kind: str
    head: str
    text: str = ""
    sentences: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
