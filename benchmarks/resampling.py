"""The sparsity study against the same evaluations by pytrec_eval, and against its floor.

    ./run python benchmarks/resampling.py [RESULTS]

RESULTS is results/<dataset> of a run; without it, data of the size of MovieLens 1M and 21 systems
are simulated. The study is 20 levels (100, 95, ..., 5 percent of the test ratings), 50 samples
each, and 7 metrics at 11 cut-offs. Ours runs the whole of it, pytrec_eval one sample of a few
levels and a few systems, which is scaled. Both build what they need themselves: ours the judged
items of the lists, pytrec_eval its dicts. pytrec_eval computes less: RR, Bpref and infAP on whole
lists only; in a second row it gets these at the same cut-offs, by lists cut there. Seconds of CPU
time with one thread, the least of a few rounds; compiling is no part of any.
"""

import argparse
import os
import statistics
import time
from collections.abc import Mapping
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402
import pytrec_eval  # noqa: E402
import scipy.sparse as sp  # noqa: E402

from rankassay.artifacts.arrays import Rankings, read_matrix  # noqa: E402
from rankassay.data.synthetic import generate  # noqa: E402
from rankassay.metrics.evaluate import grid  # noqa: E402
from rankassay.recommenders.rank import rank  # noqa: E402
from rankassay.statistics.incomplete import random_part, without_ratings  # noqa: E402
from rankassay.statistics.judged_systems import TestSet  # noqa: E402

LEVELS, SAMPLES = tuple(range(100, 0, -5)), 50
CUTOFFS = (5, *range(10, 101, 10))
EVALUATION = {
    "threshold": 4,
    "measures": grid(["P", "R", "AP", "nDCG", "RR", "Bpref", "infAP"], CUTOFFS),
    "profile": "paper",
    "without_relevant": None,
    "aggregate": "mean",
}
ROUNDS = 2
PEER_LEVELS, PEER_SYSTEMS = (95, 50, 5), 3
BYTES = 8 + 1 + 4 + 8 + 1  # of a listed judgement: its index, whether kept, rank, rating, relevant
# Divisions that the definitions ask for at a hit: of R, AP, RR, Bpref and infAP; P has none.
DIVISIONS = 1 + 2 + 1 + 2 + 3

_cuts = ",".join(map(str, CUTOFFS))
TREC_EVAL = {f"{name}.{_cuts}" for name in ("P", "recall", "map_cut", "ndcg_cut")}
WITHOUT_CUTOFFS = {"recip_rank", "bpref", "infAP"}
TREC_EVAL |= WITHOUT_CUTOFFS


class Noisy:
    """A system that knows an item's popularity, and each user's taste with some noise."""

    def __init__(self, taste: np.ndarray, noise: float, seed: int) -> None:
        self.taste, self.noise, self.seed = taste, noise, seed

    def score(self, users: np.ndarray) -> np.ndarray:
        """Return scores of all items, (n_users, n_items)."""
        rng = np.random.default_rng([self.seed, users[0]])
        return self.taste + self.noise * rng.normal(size=(len(users), len(self.taste)))


def made_up() -> tuple[sp.csr_matrix, dict[str, Rankings]]:
    """Return a test matrix of the size of MovieLens 1M's, and the rankings of 21 systems."""
    data = generate(6040, 3706, 1_000_209, 0.634, seed=1)
    is_test = np.random.default_rng(1).random(len(data.user)) < 0.2
    train, test = (
        sp.csr_matrix((data.rating[own], (data.user[own], data.item[own])), shape=(6040, 3706))
        for own in (~is_test, is_test)
    )
    taste = np.log1p(np.bincount(train.indices, minlength=3706))
    systems = {f"noise {n}": rank(Noisy(taste, 0.2 * n, n), train, test) for n in range(21)}
    return test, systems


def read(results: Path) -> tuple[sp.csr_matrix, dict[str, Rankings]]:
    """Return the test matrix and the rankings of a run."""
    paths = sorted((results / "rankings").glob("*.npz"))
    return read_matrix(results / "split/test.npz"), {p.stem: Rankings.load(p) for p in paths}


def ours(test: sp.csr_matrix, rankings: Mapping[str, Rankings]) -> float:
    """Return the seconds of the whole study."""
    began = time.process_time()
    without_ratings(TestSet.of(test, rankings, EVALUATION), LEVELS[1:], SAMPLES, seed=1)
    return time.process_time() - began


def peer(test: sp.csr_matrix, rankings: Mapping[str, Rankings], same: bool) -> float:
    """Return the seconds of the whole study by pytrec_eval, from one sample of a few levels.

    With `same`, lists are also cut at each cut-off, which is how it computes Bpref and infAP there.
    """
    names = [str(item) for item in range(test.shape[1])]
    chosen = [rankings[name] for name in [*rankings][:: len(rankings) // PEER_SYSTEMS]]
    depths = CUTOFFS[:-1] if same else ()
    began = time.process_time()
    runs = [run_of(ranking, names, ranking.depth) for ranking in chosen]
    cut = [run_of(ranking, names, depth) for ranking in chosen for depth in depths]
    building = (time.process_time() - began) / len(chosen) * len(rankings)
    start = test.indptr.astype(np.int64)
    seconds = []
    for level in PEER_LEVELS:
        began = time.process_time()
        qrels = qrels_of(test, random_part(start, level, 0, 1), names)
        full = pytrec_eval.RelevanceEvaluator(qrels, TREC_EVAL, relevance_level=4)
        few = pytrec_eval.RelevanceEvaluator(qrels, WITHOUT_CUTOFFS, relevance_level=4)
        data = time.process_time() - began
        began = time.process_time()
        for evaluator, run in [(full, run) for run in runs] + [(few, run) for run in cut]:
            values = [list(found.values()) for found in evaluator.evaluate(run).values()]
            np.mean(values, axis=0)
        each = (time.process_time() - began) / len(runs)
        seconds.append(data + each * len(rankings))
    return building + statistics.mean(seconds) * (len(LEVELS) - 1) * SAMPLES


def run_of(ranking: Rankings, names: list[str], depth: int) -> dict[str, dict[str, float]]:
    """Return one system's lists, cut at a depth, as pytrec_eval takes them."""
    return {
        str(u): {names[item]: float(depth - k) for k, item in enumerate(items) if item >= 0}
        for u, items in enumerate(ranking.items[:, :depth].tolist())
    }


def qrels_of(test: sp.csr_matrix, keep: np.ndarray, names: list[str]) -> dict[str, dict[str, int]]:
    """Return the kept judgements as pytrec_eval takes them."""
    rows = np.repeat(np.arange(test.shape[0]), np.diff(test.indptr))[keep]
    items, ratings = test.indices[keep].tolist(), test.data[keep].astype(int).tolist()
    qrels: dict[str, dict[str, int]] = {}
    for row, item, rating in zip(rows.tolist(), items, ratings, strict=True):
        qrels.setdefault(str(row), {})[names[item]] = rating
    return qrels


def copying(n_bytes: int) -> float:
    """Return the seconds that copying a number of bytes takes."""
    source = np.ones(n_bytes // 8)
    target = np.empty_like(source)
    seconds = []
    for _ in range(50):
        began = time.perf_counter()
        np.copyto(target, source)
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def divisions(whole: TestSet) -> float:
    """Return how many divisions an evaluation takes, on average over the levels.

    Those of hits, and of nDCG one for each cut-off and user whose list has a kept judgement.
    """
    found = []
    for level in LEVELS[1:]:
        keep = random_part(whole.judgements.start, level, 0, 1)
        part = whole.judgements.sample(keep)
        for judged in whole.systems:
            own = judged.sample(keep, part)
            users = np.count_nonzero(np.diff(own.items.start))
            found.append(DIVISIONS * len(own.hits.rank) + users * len(CUTOFFS))
    return float(np.mean(found))


def dividing(n: float) -> float:
    """Return the seconds that a number of divisions takes, of numbers that are in the cache."""
    above, below, target = np.ones((3, 2**10))
    seconds = []
    for _ in range(5):
        began = time.perf_counter()
        for _ in range(2000):
            np.divide(above, below, out=target)
        seconds.append((time.perf_counter() - began) / 2000 / len(above))
    return min(seconds) * n


def main() -> None:
    """Print the comparison as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("results", nargs="?", type=Path, help="results/<dataset> of a run")
    results = parser.parse_args().results
    test, rankings = read(results) if results else made_up()
    evaluations = ((len(LEVELS) - 1) * SAMPLES + 1) * len(rankings)
    whole = TestSet.of(test, rankings, EVALUATION)
    without_ratings(whole, [50], 1, seed=1)  # compiles
    found: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for name, same in (("pytrec_eval", False), ("pytrec_eval, the same cut-offs", True)):
            found.setdefault("ours", []).append(ours(test, rankings))
            found.setdefault(name, []).append(peer(test, rankings, same))
    entries = float(np.mean([len(judged.items.rank) for judged in whole.systems]))
    least = {name: min(seconds) for name, seconds in found.items()}
    divided = divisions(whole)
    least["floor: bytes"] = copying(int(entries * BYTES)) * evaluations
    least["floor: divisions"] = dividing(divided) * evaluations
    print("| the study | CPU s | ms an evaluation | / ours |")
    print("| --- | ---: | ---: | ---: |")
    for name, total in least.items():
        each = 1e3 * total / evaluations
        print(f"| {name} | {total:,.1f} | {each:.3g} | {total / least['ours']:.3g} |")
    print(
        f"\n{test.nnz:,} test ratings, {len(rankings)} systems, {evaluations:,} evaluations. The "
        f"floors are to copy {entries:,.0f} listed judgements x {BYTES} bytes once for each, and "
        f"{divided:,.0f} divisions."
    )


if __name__ == "__main__":
    main()
