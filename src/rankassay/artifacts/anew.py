"""Values computed from each system's rankings: held in memory, or recomputed if too large."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from rankassay.artifacts.arrays import Rankings

HELD = 2**30  # bytes of all systems that are held
Made = TypeVar("Made")


@dataclass(frozen=True)
class Anew(Mapping[str, Made]):
    """Values computed from each system's rankings each time that they are read."""

    rankings: Mapping[str, Rankings]
    made: Callable[[Rankings], Made]

    def __getitem__(self, system: str) -> Made:
        return self.made(self.rankings[system])

    def __iter__(self) -> Iterator[str]:
        return iter(self.rankings)

    def __len__(self) -> int:
        return len(self.rankings)


def fits(n_bytes: int) -> bool:
    """Return whether this number of bytes, of all systems, may be held in memory."""
    return n_bytes <= HELD


def of_each(
    rankings: Mapping[str, Rankings], made: Callable[[Rankings], Made], n_bytes: int
) -> Mapping[str, Made]:
    """Return the values of each system's rankings: held, if `n_bytes`, of all of it, `fits`."""
    anew = Anew(rankings, made)
    return {**anew} if fits(n_bytes) else anew
