"""Sensitivity of 210 pairs of systems to selection, by 77 measures, at the size of MovieLens 1M.

    ./run python benchmarks/sensitivity.py [--results results/ml-1m]

Judgements and lists are simulated: a fifth of a million ratings of 6,040 users, of which 60 % are
relevant, at the places of 21 systems of several strengths and leanings to popularity. Or they are
those of a run, whose folder of a dataset has `split` and `rankings`. Kernels are compiled. One
thread, CPU seconds, the median of three after one warm-up.

The floor is one subtraction and one addition of numbers in the cache for each judged item that some
system lists, each pair of systems, and each distinct linear measure.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from rankassay.artifacts.arrays import Rankings, read_matrix
from rankassay.data.synthetic import generate
from rankassay.metrics.evaluate import grid
from rankassay.metrics.judged import Judged, judge
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.seeds import generator
from rankassay.statistics.incomplete import popularity
from rankassay.statistics.sensitivity import pairs, winners

USERS, ITEMS, RATINGS, GINI, SYSTEMS, PLACES, DEPTH = 6040, 3706, 1_000_209, 0.634, 21, 3500, 100
MEASURES = grid(
    ("P", "R", "AP", "nDCG", "RR", "Bpref", "infAP"), (5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
)
EVALUATION = {"measures": MEASURES, "profile": "paper", "without_relevant": None}
REPEATS = 3


def main() -> None:
    """Print the times as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--results", type=Path, help="the folder of a dataset of a run")
    folder = parser.parse_args().results
    judgements, item, systems, number = of_run(folder) if folder else made_up()
    seconds = timed(lambda: pairs(judgements, item, systems, EVALUATION, number))
    table = pairs(judgements, item, systems, EVALUATION, number)
    operations = 3 * n_listed(systems) * (len(systems) * (len(systems) - 1) // 2)
    floor = timed(lambda: swept(operations))
    print(f"| {len(table):,} rows | CPU s | floors |\n| --- | ---: | ---: |")
    print(f"| sensitivity | {seconds:.2f} | {seconds / floor:.1f} |")
    print(f"| the floor: {operations / 1e6:,.0f} million operations | {floor:.2f} | 1 |")
    print(winners(table).query("cutoff == 10").to_string())


def timed(work: Callable[[], object]) -> float:
    """Return the median of the CPU seconds that some work takes, after a warm-up."""
    work()
    taken = []
    for _ in range(REPEATS):
        before = time.process_time()
        work()
        taken.append(time.process_time() - before)
    return float(np.median(taken))


def made_up() -> tuple[Judgements, np.ndarray, dict[str, Judged], np.ndarray]:
    """Return judgements, their items, systems that are judged by them, and training ratings."""
    ratings = generate(USERS, ITEMS, RATINGS, GINI, seed=1)
    random = generator(1, "benchmark of sensitivity")
    tested = random.random(len(ratings.rating)) < 0.2
    order = np.lexsort((ratings.item[tested], ratings.user[tested]))
    user, item = ratings.user[tested][order], ratings.item[tested][order]
    relevant = random.random(len(user)) < 0.6
    rating = np.where(relevant, random.integers(4, 6, len(user)), random.integers(1, 4, len(user)))
    users, start = np.unique(user, return_index=True)
    start = np.append(start, len(user)).astype(np.int64)
    judgements = Judgements(users.astype(np.int32), start, rating.astype(np.float64), 4.0)
    number = np.bincount(ratings.item[~tested], minlength=ITEMS)
    length = np.full(len(users), PLACES, dtype=np.int32)
    systems = {}
    for s in range(SYSTEMS):
        strength, leaning = 0.3 + 0.05 * s, 0.2 * (s % 5)
        score = (
            strength * relevant + leaning * np.log1p(number[item]) + random.normal(size=len(user))
        )
        order = np.lexsort((-score, user))
        places = np.ceil(PLACES * random.random(len(user)) ** 3).astype(np.int64)
        places = places[np.lexsort((places, user))]
        # Of equal places, each one is behind the one before.
        offset = np.arange(len(user)) - start[:-1].repeat(np.diff(start))
        rank = np.empty(len(user), dtype=np.int32)
        rank[order] = places + offset
        systems[f"system {s}"] = judge(judgements, Lists(rank, length + 400), DEPTH)
    return judgements, item, systems, number


def of_run(folder: Path) -> tuple[Judgements, np.ndarray, dict[str, Judged], np.ndarray]:
    """Return the same of a run."""
    train, test = (read_matrix(folder / f"split/{name}.npz") for name in ("train", "test"))
    judgements = Judgements.of(test, 4.0)
    systems = {
        path.stem: judge(judgements, Lists.of(Rankings.load(path), judgements), DEPTH)
        for path in sorted((folder / "rankings").glob("*.npz"))
    }
    return judgements, test.indices, systems, popularity(train)


def n_listed(systems: dict[str, Judged]) -> int:
    """Return how many judged items some system lists, over the cut-offs together."""
    least = np.full(len(next(iter(systems.values())).lists.ranks), DEPTH + 1)
    for own in systems.values():
        ranks = own.lists.ranks
        least = np.where(ranks > 0, np.minimum(least, ranks), least)
    cutoffs = sorted({int(name.partition("@")[2]) for name in MEASURES})
    return int(sum((least <= cutoff).sum() for cutoff in cutoffs))


def swept(operations: int) -> float:
    """Subtract and add a number of numbers, some in the cache at a time."""
    x, y, total = (np.ones(4096) for _ in range(3))
    difference = np.empty_like(x)
    for _ in range(operations // len(x)):
        np.subtract(x, y, out=difference)
        np.add(total, difference, out=total)
    return total.sum()


if __name__ == "__main__":
    main()
