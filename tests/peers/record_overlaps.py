"""Record other tools' values of the rank-biased overlap of simulated rankings.

    PYTHON tests/peers/record_overlaps.py ties FILE > tests/peers/overlaps/ties.csv
    PYTHON tests/peers/record_overlaps.py rbo > tests/peers/overlaps/rbo.csv

PYTHON is that of an environment with numpy below 2.4 and, for the second, with rbo (`pip install
rbo`); FILE is rbo/Python/rbo.py of github.com/julian-urbano/sigir2024-rbo (Corsi and Urbano, SIGIR
2024), which has no version: its SHA-256 stands in its place.
tests/unit/statistics/test_rank_biased_overlap.py reads the rankings from the files: groups of tied
items, best first.
"""

import argparse
import csv
import hashlib
import importlib.metadata
import runpy
import sys
from pathlib import Path

import numpy as np

N_PAIRS = 40
FIELDS = ("peer", "version", "x", "y", "p", "kind", "part", "value")
PARTS = {"ext": "extrapolated", "min": "least", "max": "greatest"}


def made_up(longest_tie):
    """Yield two rankings as lists of groups of items, and p: lengths and items differ."""
    state = np.random.RandomState(3)  # whose numbers are the same in all versions of numpy
    for number in range(N_PAIRS):
        rankings = []
        for _ in range(2):
            items = [f"i{i}" for i in state.permutation(12)[: state.randint(1, 13)]]
            groups = []
            while items:
                size = state.randint(1, longest_tie + 1)
                groups.append(items[:size])
                items = items[size:]
            rankings.append(groups)
        if number % 4 == 0:  # the same items on both sides
            own = [item for group in rankings[0] for item in group]
            rankings[1] = [[item] for item in state.permutation(own)]
        yield *rankings, round(float(state.uniform(0.5, 0.98)), 3)


def ties(path):
    peer = runpy.run_path(str(path))["rbo"]
    for x, y, p in made_up(4):
        sides = [[{*group} if len(group) > 1 else group[0] for group in own] for own in (x, y)]
        for letter, kind in {"w": "rbo", "a": "rbo_a", "b": "rbo_b"}.items():
            for part, value in peer(*sides, p, ties=letter).items():
                if part in PARTS:
                    yield x, y, p, kind, PARTS[part], value


def rbo(path):
    import rbo as peer

    for x, y, p in made_up(1):
        sides = [[item for (item,) in own] for own in (x, y)]
        value = peer.RankingSimilarity(*sides).rbo_ext(p=p)
        yield x, y, p, "rbo", "extrapolated", value


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("peer", choices=["ties", "rbo"])
    parser.add_argument("path", type=Path, nargs="?")
    given = parser.parse_args()
    if given.path:
        version = hashlib.sha256(given.path.read_bytes()).hexdigest()[:12]
    else:
        version = importlib.metadata.version(given.peer)
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(FIELDS)
    for x, y, p, kind, part, value in {"ties": ties, "rbo": rbo}[given.peer](given.path):
        sides = ["|".join(" ".join(group) for group in own) for own in (x, y)]
        rows.writerow((given.peer, version, *sides, p, kind, part, f"{value:.12g}"))


if __name__ == "__main__":
    main()
