"""The answer in one command: the time and memory of `rankassay judge`, files and imports included.

    ./run python benchmarks/judge.py
    ./run python benchmarks/judge.py --many

Two sizes, of simulated data written as TREC files, with training ratings as a table:

- that of MovieLens 1M: 21 runs of 6,040 users, lists of 100, a fifth of a million ratings
  judged, the others training ratings, with reference systems fitted to them
- little data: 5 runs of 200 users, without and with training ratings

and with `--many`, 5 runs of 100,000 users, lists of 50, without training ratings, called twice.

Each call is a process of its own. The first of a case finds an empty folder in place of numba's
cache, as on a new machine; of the others, which find what it compiled, the median is given. Where
other work keeps the cores busy, CPU seconds are what to read: the call waits for nothing, so that
they bound what it takes on idle cores. The floor is to read the files and count their lines.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rankassay.data.synthetic import generate
from rankassay.seeds import generator

GINI = 0.634
CELLS = 2**22  # scores that are made at a time
LATER = 3  # calls after the first


@dataclass(frozen=True)
class Case:
    """The size of simulated data."""

    users: int
    items: int
    ratings: int
    runs: int
    depth: int


LARGE = Case(6040, 3706, 1_000_209, 21, 100)
SMALL = Case(200, 500, 8_000, 5, 50)
MANY = Case(100_000, 20_000, 1_000_000, 5, 50)


def main() -> None:
    """Print the times as Markdown."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--many", action="store_true", help="only the case of many users")
    many = parser.parse_args().many
    print("| what | new: s | CPU s | later: s | CPU s | MB | floor: s |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    if many:
        with tempfile.TemporaryDirectory() as folder:
            write_many(MANY, Path(folder))
            print(row("5 runs of 100,000 users", folder, [], later=1))
        return
    train = ["--train", "train.csv"]
    for what, case, options in (
        ("5 runs of 200 users", SMALL, []),
        ("the same with training ratings", SMALL, train),
        ("21 runs of 6,040 users, with reference systems", LARGE, [*train, "--references"]),
    ):
        with tempfile.TemporaryDirectory() as folder:
            write(case, Path(folder))
            print(row(what, folder, options), flush=True)


def row(what: str, folder: str, options: Sequence[str], later: int = LATER) -> str:
    """Return the row of a case: seconds on a new machine, and medians of later calls."""
    files = ["qrels.txt", *sorted(path.name for path in Path(folder).glob("*.run"))]
    with tempfile.TemporaryDirectory() as cache:
        new, *others = (called([*files, *options], folder, cache) for _ in range(1 + later))
    wall, used, memory = (statistics.median(column) for column in zip(*others, strict=True))
    floor = statistics.median(lines(folder, [*files, *options[1:2]]) for _ in range(LATER))
    seconds = " | ".join(f"{own:.1f}" for own in (*new[:2], wall, used))
    return f"| {what} | {seconds} | {memory:,.0f} | {floor:.2f} |"


def called(arguments: Sequence[str], folder: str, cache: str) -> tuple[float, float, float]:
    """Return the seconds of wall clock and CPU, and the peak memory in MB, of one call."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "rankassay", "judge", *arguments],
        cwd=folder,
        env=os.environ | {"NUMBA_CACHE_DIR": cache},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    if status:
        raise SystemExit(f"rankassay judge {' '.join(arguments)}: failed")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def lines(folder: str, names: Sequence[str]) -> float:
    """Return the seconds that it takes to read files and count their lines."""
    began = time.perf_counter()
    for name in names:
        Path(folder, name).read_bytes().count(b"\n")
    return time.perf_counter() - began


def write(case: Case, folder: Path) -> None:
    """Write judgements, training ratings and runs of a simulated dataset."""
    ratings = generate(case.users, case.items, case.ratings, GINI, seed=1)
    random = generator(1, "benchmark of the judge")
    liked = random.random(len(ratings.rating)) < 0.6
    stars = np.where(liked, random.integers(4, 6, len(liked)), random.integers(1, 4, len(liked)))
    tested = random.random(len(liked)) < 0.2
    own = (ratings.user, ratings.item, stars)
    user, item, rating = (column[tested] for column in own)
    with open(folder / "qrels.txt", "w") as file:
        file.writelines(f"u{u} 0 i{i} {r}\n" for u, i, r in zip(user, item, rating, strict=True))
    with open(folder / "train.csv", "w") as file:
        file.write("user,item,rating\n")
        rest = zip(*(column[~tested] for column in own), strict=True)
        file.writelines(f"u{u},i{i},{r}\n" for u, i, r in rest)
    number = np.bincount(ratings.item[~tested], minlength=case.items)
    taste = np.zeros((case.users, case.items), dtype=np.float32)
    taste[user, item] = np.where(rating >= 4, 1.0, 0.3)
    trained = np.zeros((case.users, case.items), dtype=bool)
    trained[ratings.user[~tested], ratings.item[~tested]] = True
    for n in range(case.runs):
        path = folder / f"system-{n}.run"
        path.write_text(listed(case, n, taste, np.log1p(number), trained))


def listed(case: Case, n: int, taste, popular, trained) -> str:
    """Return the lists of a system as a TREC run: it knows the taste a little, and what is popular.

    Systems differ in how much they know, and in how far they lean to popular items.
    """
    random = generator(1, "system of the benchmark", n)
    strength, leaning = 0.5 + 0.1 * n, 0.3 * (n % 4)
    found = []
    for first in range(0, case.users, step := max(1, CELLS // case.items)):
        some = slice(first, first + step)
        score = random.standard_normal(taste[some].shape, dtype=np.float32)
        score += strength * taste[some] + leaning * popular.astype(np.float32)
        score[trained[some]] = -np.inf
        best = np.argsort(-score, axis=1)[:, : case.depth]
        for user, items in enumerate(best, start=first):
            found += [f"u{user} Q0 i{i} {k} {1000 - k} s{n}\n" for k, i in enumerate(items, 1)]
    return "".join(found)


def write_many(case: Case, folder: Path) -> None:
    """Write judgements and runs of many users, each drawn by popularity, with no matrix of scores.

    Systems differ in the share of the judged items that they list.
    """
    random = generator(1, "benchmark of many users")
    popular = np.cumsum(1 / np.arange(1, case.items + 1) ** 0.8)

    def drawn(n: int) -> np.ndarray:
        return np.minimum(np.searchsorted(popular, random.random(n) * popular[-1]), case.items - 1)

    judged = [np.unique(drawn(case.ratings // case.users)) for _ in range(case.users)]
    with open(folder / "qrels.txt", "w") as file:
        for user, items in enumerate(judged):
            rating = random.integers(1, 6, len(items))
            pairs = zip(items, rating, strict=True)
            file.writelines(f"u{user} 0 i{item} {stars}\n" for item, stars in pairs)
    for n in range(case.runs):
        with open(folder / f"system-{n}.run", "w") as file:
            for user, items in enumerate(judged):
                known = items[random.random(len(items)) < 0.1 + 0.05 * n]
                some = random.permutation(np.unique([*known, *drawn(3 * case.depth)]))[: case.depth]
                places = enumerate(some, 1)
                file.writelines(f"u{user} Q0 i{i} {k} {1000 - k} s{n}\n" for k, i in places)


if __name__ == "__main__":
    main()
