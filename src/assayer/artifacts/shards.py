"""Parts of what one job would make, when several jobs share the work.

Rankings are split by users. Scores, and analyses whose rows are about single measures, are split
by measures: nothing but rows has to be joined, no part knows of the others, and each needs less
memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from assayer.artifacts.files import Pathlike, atomic, read_text


@dataclass(frozen=True)
class Shard:
    """Part `number` of `count` of what can be split; numbers start at 1."""

    number: int
    count: int

    def of(self, n: int) -> range:
        """Return the part's share of n things, in order; shares differ by one at most."""
        return range(n * (self.number - 1) // self.count, n * self.number // self.count)


WHOLE = Shard(1, 1)


def join_tables(paths: Sequence[Pathlike], path: Pathlike) -> None:
    """Write the rows of tables with the same columns as one table."""
    with atomic(path, "w") as file:
        for number, part in enumerate(paths):
            header, _, rows = read_text(part).partition("\n")
            file.write(rows if number else f"{header}\n{rows}")
