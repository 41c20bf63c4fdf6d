"""Groups of items or of users, by an attribute."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from rankassay.errors import RankassayError
from rankassay.types import Integers, Integers32, Texts

CLASSES = ("head", "middle", "tail")
HAIR = 1e-9  # of rounding, in shares


@dataclass(frozen=True)
class Groups:
    """Which group each item or user is of.

    Attributes
    ----------
    names : tuple of str
        Two or more.
    group : int32 (n,)
        The place of the group in `names`; -1 where it is not known.

    Raises
    ------
    RankassayError
        With fewer than two groups, and for groups that have no name.
    """

    names: tuple[str, ...]
    group: Integers32

    def __post_init__(self) -> None:
        if len(self.names) < 2:
            raise RankassayError(
                f"groups: expected two or more to compare, found {', '.join(self.names) or 'none'}."
            )
        if len(self.group) and not (-1 <= self.group.min() <= self.group.max() < len(self.names)):
            raise RankassayError(
                f"groups: expected numbers from -1 to {len(self.names) - 1}, found "
                f"{self.group.min()} to {self.group.max()}."
            )

    @classmethod
    def of(cls, values: Texts) -> Self:
        """Return the groups of equal values, str (n,), by name; "" is not known.

        A group may have one member.
        """
        names, group = np.unique(values, return_inverse=True)
        unknown = int(len(names) > 0 and names[0] == "")
        return cls(tuple(names[unknown:].tolist()), (group - unknown).astype(np.int32))

    @property
    def n_groups(self) -> int:
        """The number of groups."""
        return len(self.names)


def popularity_classes(popularity: Integers, head: float = 0.2, tail: float = 0.2) -> Groups:
    """Return three classes of items by their shares of the training ratings.

    ::

        head = the most popular items that together have at least the share `head` of the ratings
        tail = the least popular items that together have at most the share `tail` of them

    with the fewest items in the head and the most in the tail, and all others in the middle. Of
    equally popular items the one with the smaller number is more popular; items without ratings are
    of the tail.

    Parameters
    ----------
    popularity : int64 (n_items,)
        The number of training ratings of each item.
    head, tail : float
        Shares between 0 and 1, of which the sum is below 1.

    Raises
    ------
    RankassayError
        For other shares, and where a class stays empty, as with too few items.

    References
    ----------
    Abdollahpouri, Mansoury, Burke, Mobasher and Malthouse, UMAP 2021, section 3, with a fifth each.
    """
    if not (0 < head < 1 and 0 < tail < 1 and head + tail < 1):
        raise RankassayError(
            "popularity classes: expected shares of head and tail above 0 whose sum is below 1, "
            f"found {head!r} and {tail!r}."
        )
    order = np.argsort(-popularity, kind="stable")
    ratings = popularity[order].astype(np.float64)
    total = max(float(ratings.sum()), 1.0)
    before = (np.cumsum(ratings) - ratings) / total
    left = np.cumsum(ratings[::-1])[::-1] / total
    rank = np.ones(len(order), dtype=np.int32)
    rank[left <= tail + HAIR] = 2
    rank[before < head - HAIR] = 0
    group = np.empty(len(order), dtype=np.int32)
    group[order] = rank
    sizes = np.bincount(group, minlength=len(CLASSES))
    if not sizes.all():
        raise RankassayError(
            "popularity classes: expected items in each, found "
            f"{', '.join(f'{n} in the {name}' for name, n in zip(CLASSES, sizes, strict=True))}; "
            "choose other groups."
        )
    return Groups(CLASSES, group)
