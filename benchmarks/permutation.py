"""The permutation test against its floor, and against the tests that one would take instead.

    ./run python benchmarks/permutation.py [SCORES]

SCORES is results/<dataset>/scores.npz of a run; without it, scores of the size of MovieLens 1M are
simulated: 6,040 users, 21 systems, 7 metrics at 11 cut-offs. The floor is the bare float32 matrix
product of the same shape, in the same run. One thread; seconds of CPU time; what is slow is run on
a part and scaled, as the table says. ranx is no dependency: without it, its row is left out.
"""

import argparse
import resource
import time
from collections.abc import Callable

import numpy as np
import scipy.stats
from threadpoolctl import threadpool_limits

from rankassay.artifacts.arrays import Scores as ScoresFile
from rankassay.statistics.permutation import (
    BLOCK,
    Scores,
    count,
    permutation_test,
    random_bits,
    signs,
)

PERMUTATIONS = 100_000
PART = 10_000  # permutations of ours that are timed
FEW = 1_000  # and of the peers


def main() -> None:
    """Print the comparison as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("scores", nargs="?", help="scores.npz of a run")
    path = parser.parse_args().scores
    values = ScoresFile.load(path).values if path else made_up(6040, 21, 77)
    with threadpool_limits(1):
        permutation_test(values[:100, :, :12], FEW, seed=0)
        print("| what | seconds | beside ours |")
        print("| --- | ---: | ---: |")
        ours = report(values)
        peers(values, ours)
        large = made_up(33_388, 21, 77)
        seconds = timed(lambda: permutation_test(large, PART, seed=0))
        per_user = seconds / len(large) / (timed_ours(values, PART) / len(values))
        print(f"| 33,388 users, {PART:,} permutations | {seconds:.1f} | |")
        print(f"\nA user costs {per_user:.2f} times as much among 33,388 as among {len(values):,}.")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"The most memory, the scores included: {peak:.1f} GB.")


def made_up(n_users: int, n_systems: int, n_measures: int) -> np.ndarray:
    """Return scores that differ a little from system to system."""
    rng = np.random.default_rng(0)
    users = rng.beta(1, 3, (n_users, 1, n_measures))
    noise = rng.normal(0, 0.1, (n_users, n_systems, n_measures))
    noise += np.linspace(0, 0.01, n_systems)[:, None]
    return np.clip(users + noise, 0, 1)


def timed(work: Callable[[], object]) -> float:
    """Return the seconds of CPU time that a piece of work takes."""
    began = time.process_time()
    work()
    return time.process_time() - began


def timed_ours(values: np.ndarray, permutations: int) -> float:
    """Return the median seconds of three tests."""
    return float(
        np.median([timed(lambda: permutation_test(values, permutations, 0)) for _ in "abc"])
    )


def report(values: np.ndarray) -> float:
    """Print our time and its floor for all permutations; return ours."""
    scores = Scores.of(values)
    preparation = timed(lambda: Scores.of(values))
    blocks = range(PART // BLOCK)
    counting = float(
        np.median([timed(lambda: count(scores, blocks, PART, False, 0)) for _ in "abc"])
    )
    drawn = signs(random_bits(len(values), 0, 0))[:, : len(values)]
    drawn @ scores.columns
    product = float(np.median([timed(lambda: drawn @ scores.columns) for _ in range(9)]))
    ours = preparation + counting * PERMUTATIONS / PART
    floor = product * PERMUTATIONS / BLOCK
    n_systems, n_measures = values.shape[1:]
    tests = n_systems * (n_systems - 1) // 2 * n_measures
    print(f"| ours, {tests:,} tests, {PERMUTATIONS:,} permutations | {ours:.1f} | 1 |")
    print(f"| the bare float32 matrix product | {floor:.1f} | {floor / ours:.2f} |")
    return ours / tests


def peers(values: np.ndarray, ours: float) -> None:
    """Print what one test takes elsewhere, scaled from a few permutations."""
    x, y = values[:, 0, 0].copy(), values[:, 1, 0].copy()
    scale = PERMUTATIONS / FEW

    def scipys() -> object:
        return scipy.stats.permutation_test(
            (x, y),
            lambda a, b, axis: (a - b).mean(axis=axis),
            permutation_type="samples",
            n_resamples=FEW,
            batch=250,
            vectorized=True,
        )

    print(f"| ours, one of these tests | {ours:.2g} | 1 |")
    seconds = timed(scipys) * scale
    print(
        f"| scipy.stats.permutation_test, one test, scaled | {seconds:.1f} |"
        f" {seconds / ours:,.0f} |"
    )
    try:
        from ranx.statistical_tests import fisher_randomization_test
    except ImportError:
        print("| ranx (not installed) | | |")
        return
    fisher_randomization_test(x, y, 10)
    seconds = timed(lambda: fisher_randomization_test(x, y, FEW)) * scale
    print(f"| ranx's Fisher test, one test, scaled | {seconds:.1f} | {seconds / ours:,.0f} |")


if __name__ == "__main__":
    main()
