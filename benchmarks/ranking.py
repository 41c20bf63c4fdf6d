"""Ranking against its floor, one pass over the scores, and against numpy's partition.

    ./run python benchmarks/ranking.py

Simulated scores of factor models for 2,000 users. All run in turn, five times; CPU seconds are
their medians. `both` is scoring all items and ranking those of the test set, and `among` the same
of a model that scores these alone; `alone` is the same less the time of these scores.
"""

import time

import numpy as np
import scipy.sparse as sp
from numba import njit

from rankassay.recommenders.rank import BLOCK_CELLS, candidate_items, rank

N_USERS, DEPTH, FACTORS, ROUNDS = 2000, 100, 8, 5
SHAPES = {
    "MovieLens 1M": (3_706, 165),
    "BeerAdvocate": (66_055, 47),
    "MovieLens 25M": (59_047, 154),
}


class Factors:
    """A factor model as it is fitted, which scores all items."""

    def __init__(self, n_items: int) -> None:
        rng = np.random.default_rng(n_items)
        self.users = rng.normal(size=(N_USERS, FACTORS))
        self.items = rng.normal(size=(FACTORS, n_items))

    def score(self, users):
        """Return the scores of all items."""
        return self.users[users] @ self.items


class Some(Factors):
    """One that can score some of the items, and notes how long it takes."""

    spent = 0.0

    def score(self, users):
        """Return the scores."""
        begun = time.process_time()
        scores = super().score(users)
        Some.spent += time.process_time() - begun
        return scores

    def among(self, items):
        """Return a model of some items."""
        other = Some.__new__(Some)
        other.users, other.items = self.users, np.ascontiguousarray(self.items[:, items])
        return other


def split(n_items: int, per_user: int) -> list[sp.csr_matrix]:
    """Return training and test ratings of items of which few are rated often."""
    rng = np.random.default_rng(per_user)
    chance = 1 / np.arange(10, n_items + 10) ** 0.8
    n = N_USERS * per_user
    items = rng.choice(n_items, n, p=chance / chance.sum())
    cells = np.unique(np.repeat(np.arange(N_USERS), per_user) * n_items + items)
    of_test = rng.random(len(cells)) < 0.2
    shape = N_USERS, n_items
    return [
        sp.csr_matrix((np.full(len(own), 4, np.float32), np.divmod(own, n_items)), shape=shape)
        for own in (cells[~of_test], cells[of_test])
    ]


@njit(cache=True)
def one_pass(scores):
    """Read every score once."""
    above = 0
    for u in range(scores.shape[0]):
        for i in range(scores.shape[1]):
            above += scores[u, i] > 0.5
    return above


def partitioned(scores, train, test, pool) -> None:
    """Do the same as `rank` with numpy."""
    for u, own in enumerate(scores):
        own[train[u].indices] = -np.inf
        own[~pool] = -np.inf
        best = np.argpartition(-own, DEPTH)[:DEPTH]
        best[np.argsort(-own[best], kind="stable")]
        for item in test[u].indices:
            np.count_nonzero(own > own[item]) + np.count_nonzero(own[:item] == own[item]) + 1


def blocks(n_items: int):
    """Yield the users of each block."""
    size = max(32, BLOCK_CELLS // n_items // 128 * 128)
    return (np.arange(first, min(first + size, N_USERS)) for first in range(0, N_USERS, size))


def seconds(work) -> float:
    """Return the CPU seconds of some work."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def measured(n_items: int, per_user: int) -> dict[str, float]:
    """Return the CPU seconds of each, medians."""
    model, some, (train, test) = Factors(n_items), Some(n_items), split(n_items, per_user)
    for pool in ("all_items", "test_items"):
        rank(model, train, test, DEPTH, pool)
    one_pass(np.zeros((2, 2)))
    mask = candidate_items(train, test, "all_items")
    found: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        spent = {"pass": 0.0, "scores": 0.0, "numpy": 0.0}
        for users in blocks(n_items):
            begun = time.process_time()
            scores = model.score(users)
            spent["scores"] += time.process_time() - begun
            spent["pass"] += seconds(lambda scores=scores: one_pass(scores))
            parts = train[users], test[users], mask
            spent["numpy"] += seconds(
                lambda scores=scores, parts=parts: partitioned(scores, *parts)
            )
        for pool in ("all_items", "test_items"):
            whole = seconds(lambda pool=pool: rank(model, train, test, DEPTH, pool))
            spent[pool] = whole - spent["scores"]
        spent["both"] = whole
        Some.spent = 0.0
        spent["among"] = seconds(lambda: rank(some, train, test, DEPTH, "test_items"))
        spent["alone"] = spent["among"] - Some.spent
        for name, own in spent.items():
            found.setdefault(name, []).append(own)
    return {name: float(np.median(own)) for name, own in found.items()}


def main() -> None:
    """Print a table in Markdown, of which all but the seconds of a pass are multiples of it."""
    names = "scores", "all_items", "test_items", "both", "among", "alone", "numpy"
    print("| shape | items | in the test set | pass s |", " | ".join(names), "|")
    print("| --- |" + " ---: |" * (3 + len(names)))
    for name, (n_items, per_user) in SHAPES.items():
        own = measured(n_items, per_user)
        pool = int(candidate_items(*split(n_items, per_user), "test_items").sum())
        ratios = (own[key] / own["pass"] for key in names)
        print(f"| {name} | {n_items:,} | {pool:,} | {own['pass']:.3f} | ", end="")
        print(" | ".join(f"{ratio:.1f}" for ratio in ratios) + " |")


if __name__ == "__main__":
    main()
