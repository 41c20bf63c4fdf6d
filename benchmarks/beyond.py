"""The metrics beyond accuracy, each for one system's lists, at one cut-off and at ten.

    ./run python benchmarks/beyond.py [--users 6040]

Ratings of the size of MovieLens 1M are simulated: 3,706 items, 132 training and 33 test ratings a
user, popular items more often, lists of 100. What a catalogue knows (popularity, raters) is known
before, and kernels are compiled, as for all systems of a study but the first. One thread, CPU
seconds, the median of five.
"""

import argparse
import time

import numpy as np
import scipy.sparse as sp

from rankassay.metrics.beyond.lists import Catalogue, Groups, Shown
from rankassay.metrics.catalogue import BEYOND, BEYOND_METRICS
from rankassay.metrics.diversity.lists import Aspects
from rankassay.metrics.evaluate import computed
from rankassay.seeds import generator

N_ITEMS, N_ASPECTS, N_TRAIN, N_TEST, DEPTH = 3706, 18, 132, 33, 100
REPEATS = 5
VARIANTS = (
    "Gini(weights='log')",
    "ILD(distance='jaccard')",
    "ILD(by='ratings')",
    "Serendipity(expected='similar')",
)


def main() -> None:
    """Print the times as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--users", type=int, default=6040)
    n_users = parser.parse_args().users
    lists = made_up(n_users)
    print(f"| {n_users:,} lists of {DEPTH} | at 100, ms | at 10, 20, ..., 100, ms |")
    print("| --- | ---: | ---: |")
    for metric in sorted((*BEYOND_METRICS, *VARIANTS), key=str.lower):
        one, all_depths = (
            timed(lambda metric=metric, cutoffs=cutoffs: computed(metric, BEYOND, lists, cutoffs))
            for cutoffs in (np.array([DEPTH]), np.arange(10, DEPTH + 1, 10))
        )
        print(f"| {metric} | {1000 * one:.1f} | {1000 * all_depths:.1f} |")


def made_up(n_users: int) -> Shown:
    """Return lists, a seventh of which is relevant, with all other inputs of the metrics."""
    random = generator(1, "benchmark of metrics beyond accuracy")
    log_chance = -0.9 * np.log(np.arange(10.0, N_ITEMS + 10))
    rated = drawn(random, log_chance, n_users, N_TRAIN + N_TEST)
    train, test = rated[:, :N_TRAIN], rated[:, N_TRAIN:]
    others = drawn(random, log_chance, n_users, DEPTH + N_TRAIN + N_TEST)
    items = np.empty((n_users, DEPTH), dtype=np.int32)
    for u in range(n_users):
        free = others[u][~np.isin(others[u], rated[u])][: DEPTH - 15]
        items[u] = random.permutation(np.concatenate([test[u, :15], free]))
    shown = random.random((N_ITEMS, N_ASPECTS)) < 1.7 / N_ASPECTS
    groups = (
        Groups(("a", "b"), random.integers(0, 2, n).astype(np.int32)) for n in (N_ITEMS, n_users)
    )
    catalogue = Catalogue(matrix(random, train), Aspects.of(shown), *groups)
    return Shown.of(items, np.arange(n_users), matrix(random, test), 1, catalogue)


def drawn(random: np.random.Generator, log_chance: np.ndarray, n_users: int, n: int) -> np.ndarray:
    """Return different items for each user, likelier ones more often, (n_users, n)."""
    rows = [log_chance + random.gumbel(size=N_ITEMS) for _ in range(n_users)]
    return np.array([random.permutation(np.argpartition(-row, n)[:n]) for row in rows])


def matrix(random: np.random.Generator, items: np.ndarray) -> sp.csr_matrix:
    """Return ratings of items, (n_users, n), as a matrix."""
    start = np.arange(0, items.size + 1, items.shape[1])
    rating = random.integers(1, 6, items.size).astype(np.float64)
    found = sp.csr_matrix((rating, items.ravel(), start), shape=(len(items), N_ITEMS))
    found.sort_indices()
    return found


def timed(work) -> float:
    """Return the median CPU seconds of a piece of work, after one warm-up."""
    seconds = []
    for _ in range(REPEATS + 1):
        began = time.process_time()
        work()
        seconds.append(time.process_time() - began)
    return float(np.median(seconds[1:]))


if __name__ == "__main__":
    main()
