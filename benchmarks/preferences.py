"""Preferences between the lists of 21 systems, all 210 pairs, against plain Python on three.

    ./run python benchmarks/preferences.py [--users 6040]

Judgements of the size of MovieLens 1M's test set are simulated: 33 test ratings a user, 19 of them
relevant, at places drawn from 1 to 3,000 of which those beyond 100 are not listed. Kernels are
compiled. One thread, CPU seconds, the median of five after one warm-up.
"""

import argparse
import time

import numpy as np

from rankassay.metrics.catalogue import PREFERENCE
from rankassay.metrics.evaluate import computed
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.metrics.preferences import Places
from rankassay.seeds import generator
from rankassay.types import Floats

N_SYSTEMS, N_TEST, N_RELEVANT, N_PLACES, DEPTH = 21, 33, 19, 3000, 100
KINDS = ("RPP", "RPP(weights='log')", "RPP(graded=True)", "lexirecall", "lexiprecision")
REPEATS = 5


def main() -> None:
    """Print the times as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--users", type=int, default=6040)
    judgements, systems = made_up(parser.parse_args().users)
    floor = timed(lambda: swept(judgements, systems))
    print(
        f"| {judgements.n_users:,} users, {N_SYSTEMS * (N_SYSTEMS - 1) // 2} pairs | ms | floors |"
    )
    print("| --- | ---: | ---: |")
    for kind in KINDS:
        seconds = timed(lambda kind=kind: preferences(judgements, systems, kind))
        print(f"| {kind} | {1000 * seconds:.0f} | {seconds / floor:.1f} |")
    print(
        f"| one comparison of each level and pair in numpy (the floor) | {1000 * floor:.0f} | 1 |"
    )
    few = timed(lambda: plain(judgements, systems[:3]))
    ours = timed(lambda: preferences(judgements, systems[:3], "RPP"))
    print(
        f"\nRPP of 3 pairs: plain Python {few:.2f} s, ours {1000 * ours:.1f} ms, "
        f"1 / {few / ours:.0f}."
    )


def made_up(n_users: int) -> tuple[Judgements, list[Lists]]:
    """Return judgements, and the ranks that systems of several strengths give the judged items."""
    random = generator(1, "benchmark of preferences")
    start = np.arange(0, n_users * N_TEST + 1, N_TEST)
    rating = random.integers(4, 6, (n_users, N_TEST)).astype(np.float64)
    rating[:, N_RELEVANT:] = 2.0
    judgements = Judgements(np.arange(n_users, dtype=np.int32), start, rating.ravel(), 4.0)
    length = np.full(n_users, N_PLACES, dtype=np.int32)
    systems = []
    for strength in np.linspace(0.5, 3, N_SYSTEMS):
        score = random.random((n_users, N_PLACES))
        score[:, :N_RELEVANT] **= 1 / strength
        rank = np.argsort(np.argsort(-score, axis=1), axis=1)[:, :N_TEST] + 1
        systems.append(Lists(rank.ravel().astype(np.int32), length))
    return judgements, systems


def preferences(judgements: Judgements, systems: list[Lists], kind: str) -> Floats:
    """Return one kind of preferences."""
    return computed(kind, PREFERENCE, Places.of(judgements, systems, DEPTH))


def swept(judgements: Judgements, systems: list[Lists]) -> int:
    """Compare the places of all levels, pair by pair, as whole arrays."""
    places = Places.of(judgements, systems, DEPTH)
    first, second = places.pairs()
    return sum(
        int((places.places[a] < places.places[b]).sum()) for a, b in zip(first, second, strict=True)
    )


def plain(judgements: Judgements, systems: list[Lists]) -> list[float]:
    """Return the mean RPP of each pair by the definition."""
    relevant = (judgements.rating >= judgements.threshold).reshape(-1, N_TEST)
    places = [
        [
            sorted(
                r if r <= DEPTH else DEPTH + 1 for r, liked in zip(row, own, strict=True) if liked
            )
            for row, own in zip(ranks.ranks.reshape(-1, N_TEST).tolist(), relevant, strict=True)
        ]
        for ranks in systems
    ]
    means = []
    for a in range(len(systems)):
        for b in range(a + 1, len(systems)):
            total = 0.0
            for x, y in zip(places[a], places[b], strict=True):
                total += sum((p < q) - (p > q) for p, q in zip(x, y, strict=True)) / len(x)
            means.append(total / len(places[a]))
    return means


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
