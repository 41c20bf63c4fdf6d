"""The audit's tests against scipy's, its 45 cells, and an analysis of variance of a whole run.

    ./run python benchmarks/reliability.py [TREC_SCORES]

TREC_SCORES is the folder with the tables of config/trec.yaml; without it, four tracks are
simulated: 50 topics, 60 to 130 systems. One thread; medians of three after a warm-up, in seconds of
CPU time. The floor of the permutation test and the bootstrap is the bare float64 matrix product of
the same shape. scipy's tests that take one sample at a time are run on a part and scaled, as the
table says.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.stats
from threadpoolctl import threadpool_limits

from rankassay.statistics import paired_tests
from rankassay.statistics.generalizability import Components
from rankassay.studies.reliability.paired_simulation import Observed
from rankassay.studies.reliability.type_errors import SIMULATION, Trials, rates

TRIALS, TOPICS, SAMPLES = 10_000, 50, 1_000
FEW = 100  # samples of a peer that takes one at a time
TRACKS = {"5": 61, "6": 74, "7": 103, "8": 129}


def main() -> None:
    """Print the comparisons as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", help="folder with adhoc5_ap.csv and so on")
    folder = parser.parse_args().folder
    with threadpool_limits(1):
        tests()
        print(f"\n45 cells of type I, {TRIALS:,} trials each: {cells(folder):.1f} s")
        values = np.random.default_rng(0).random((6040, 21, 77))
        seconds = median(lambda: Components.of(values))
        floor = median(lambda: values.sum())
        print(
            f"\nAnalysis of variance, 6,040 users, 21 systems, 77 measures: {seconds:.2f} s, "
            f"{seconds / floor:.0f} times the sum of all values"
        )


def tests() -> None:
    """Print our seconds for each test of the audit, and scipy's."""
    rng = np.random.default_rng(0)
    d = rng.choice([0, 0, 0.1, 0.2, 0.3, 0.5], (TOPICS, TRIALS)) - rng.random((TOPICS, TRIALS)) / 2
    weights = rng.choice([-1.0, 1.0], (SAMPLES, TOPICS))
    product = median(lambda: weights @ d)
    few = d[:, :FEW]

    def signs() -> None:
        for own in few.T:
            scipy.stats.binomtest(int((own > 0).sum()), int((own != 0).sum()))

    def resampled(test: Callable) -> Callable:
        def work() -> None:
            for own in few.T:
                test(own)

        return work

    def permuted(own: np.ndarray) -> None:
        how = {"permutation_type": "samples", "vectorized": True, "n_resamples": SAMPLES}
        scipy.stats.permutation_test((own,), lambda x, axis: x.mean(axis), rng=1, **how)

    def bootstrapped(own: np.ndarray) -> None:
        shifted = (own - own.mean(),)
        scipy.stats.bootstrap(shifted, np.mean, n_resamples=SAMPLES, rng=1, method="percentile")

    whole, part = 1, TRIALS / FEW
    table = {
        "t": (lambda: paired_tests.t(d), lambda: scipy.stats.ttest_1samp(d, 0), whole),
        "Wilcoxon": (
            lambda: paired_tests.signed_rank(d),
            lambda: scipy.stats.wilcoxon(d, correction=True, method="asymptotic"),
            whole,
        ),
        "sign": (lambda: paired_tests.sign(d), signs, part),
        "permutation": (
            lambda: paired_tests.permutation(d, SAMPLES, 1),
            resampled(permuted),
            part,
        ),
        "bootstrap": (
            lambda: paired_tests.bootstrap(d, SAMPLES, 1),
            resampled(bootstrapped),
            part,
        ),
    }
    print(f"| {TRIALS:,} tests of {TOPICS} topics | ours (s) | scipy (s) | scipy / ours | floor |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, (ours, theirs, scale) in table.items():
        seconds, peer = median(ours), scale * median(theirs)
        floor = f"{seconds / product:.1f} times" if name in ("permutation", "bootstrap") else ""
        scaled = " (scaled)" if scale != 1 else ""
        row = (name, f"{seconds:.3f}", f"{peer:.2f}{scaled}", f"{peer / seconds:.1f}", floor)
        print(f"| {' | '.join(row)} |")


def cells(folder: str | None) -> float:
    """Return the seconds for all 45 cells: five tests, three metrics, three numbers of topics."""
    rng = np.random.default_rng(0)
    began = time.process_time()
    trials = Trials([0.05], TRIALS // len(TRACKS), SAMPLES, 0.01)
    for track, systems in TRACKS.items():
        for metric in ("ap", "p10", "rr"):
            if folder:
                path = Path(folder) / f"adhoc{track}_{metric}.csv"
                values = pd.read_csv(path).to_numpy(np.float64)
            else:
                values = rng.beta(1, 3, (TOPICS, systems)).round(1 if metric == "p10" else 4)
            observed = Observed(values)
            for n in (25, 50, 100):
                rates(observed, n, 0.0, SIMULATION, trials, 1)
    return time.process_time() - began


def median(work: Callable[[], object]) -> float:
    """Return the median seconds of CPU time of three runs, after one to warm up."""
    work()
    found = []
    for _ in range(3):
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return float(np.median(found))


if __name__ == "__main__":
    main()
