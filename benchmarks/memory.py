"""Peak memory of the pipeline's jobs as the number of users grows, each job as it is run.

    ./run python benchmarks/memory.py --users 10000 100000 1000000

Made-up data in a scratch folder: 20 ratings a user on average, of 20,000 items half of which nobody
rated, and the lists of 21 systems that find more or fewer of the test items, in the files that the
pipeline writes. Each job is `python -m rankassay job`, a process of its own with one thread,
and the peak is what the system says of it when it ends. Seven metrics at eleven cut-offs are
computed, or at those that are given; permutations, samples and levels are few, because memory does
not depend on their number. A job that asks for more than `--limit` GB is ended, and the machine
lives on.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp
from scaling import ratings

from rankassay.artifacts.arrays import (
    Attributes,
    Rankings,
    Ratings,
    together,
    write_arrays,
    write_matrix,
)
from rankassay.artifacts.tables import write_table
from rankassay.data.parts import split
from rankassay.jobs.split import counted
from rankassay.metrics.evaluate import grid
from rankassay.studies import ANALYSES as ENTRIES

SYSTEMS, DEPTH, ITEMS, MEAN = 21, 100, 20_000, 20
NAMES = [f"system-{number:02}" for number in range(1, SYSTEMS + 1)]
METRICS = ["P", "R", "AP", "nDCG", "RR", "Bpref", "infAP"]
EVALUATION = {
    "threshold": 4,
    "profile": "paper",
    "without_relevant": None,
    "aggregate": "mean",
    "metrics": METRICS,
    "families": {name: f"family {number // 3}" for number, name in enumerate(NAMES)},
}
SUMMARY = {"sparsity": "robustness/sparsity", "popularity": "robustness/popularity"}
SUMMARY |= {"discriminative_power": "robustness/discriminative-power", "split": "split/summary"}
RANKINGS = {name: f"rankings/{name}.npz" for name in NAMES}
MATRICES = {name: f"{name}.npz" for name in ("train", "test")}
SCORES = {"scores": "scores.npz"}
TEST = {"test": "test.npz"}
DESCRIBED = {"aspects": "ratings.npz", "attributes": "attributes.npz", **MATRICES}
TESTED = SCORES | {"p_values": "robustness/p-values.csv"}
# The settings of others that are made without each family of the systems.
BORROWED = {
    "cutoff_correlation": {},
    "metric_correlation": {},
    "gains": {},
    "sparsity": {"levels": [100, 50], "samples": 1},
    "popularity": {"percentages": [100, 90]},
}
# What each analysis reads, and its settings where they are not the configured ones.
ANALYSES = {
    "robustness/judgements": (MATRICES, {}),
    "robustness/cutoff-correlation": (SCORES, {}),
    "robustness/metric-correlation": (SCORES, {}),
    "robustness/sparsity": (TEST, {"levels": [100, 50], "samples": 1}),
    "robustness/popularity": (MATRICES, {"percentages": [100, 90]}),
    "robustness/unjudged-users": (TEST, {"levels": [50], "samples": 1}),
    "robustness/identical": (SCORES, {}),
    "robustness/p-values": (SCORES, {"samples": 1000}),
    "robustness/discriminative-power": (TESTED, {}),
    "robustness/power-differences": (TESTED, {}),
    "robustness/as-run-p-values": (TEST, {"samples": 1000}),
    "robustness/as-run": (TEST | {"p_values": "robustness/as-run-p-values.csv"}, {}),
    "robustness/families": (TESTED | MATRICES, BORROWED),
    "robustness/summary": ({key: f"{path}.csv" for key, path in SUMMARY.items()}, {}),
    "reliability/generalizability": (SCORES, {}),
    "reliability/split-half": (SCORES, {"repetitions": 10}),
    "reliability/swap-rates": (SCORES, {"repetitions": 10}),
    "reliability/required-users": (SCORES, {"samples": 100}),
    "reliability/power": (SCORES, {}),
    "reliability/type-errors": (
        SCORES,
        {"trials": 10, "samples": 19, "metrics": ["AP", "nDCG"]},
    ),
    "aggregation/groups": (
        MATRICES,
        {"samples": 2, "levels": [50], "percentages": [90], "tests": 9},
    ),
    "beyond/values": (DESCRIBED, {}),
    "beyond/redundancy": (DESCRIBED, {}),
    "beyond/robustness": (DESCRIBED, {"samples": 2}),
    "beyond/power": (DESCRIBED, {"samples": 70}),
    "definitions/choices": (TEST, {"samples": 2}),
    "definitions/discrepancies": (TEST, {}),
    "diversity/metric-correlation": ({"aspects": "ratings.npz", **MATRICES}, {}),
    "diversity/sparsity": ({"aspects": "ratings.npz", **MATRICES}, {"samples": 1, "levels": [50]}),
    "diversity/p-values": ({"aspects": "ratings.npz", **MATRICES}, {"samples": 100}),
    "goals/metric-correlation": (TEST, {}),
    "goals/discriminative-power": (TEST, {"samples": 2}),
    "preferences/aggregation": (TEST, {}),
    "preferences/orders": (TEST, {}),
    "preferences/popularity": (MATRICES, {"percentages": [90]}),
    "preferences/sparsity": (TEST, {"samples": 1, "levels": [50]}),
    "preferences/power": (TEST, {"samples": 100}),
    # By popularity, lists of items that nobody rated are refused.
    "sampling/systems": (MATRICES, {"samples": 2, "sizes": [100], "samplers": ["uniform"]}),
    "sampling/values": (MATRICES, {"sizes": [100], "samplers": ["uniform"]}),
    "sampling/corrections": (TEST, {"sizes": [10]}),
    "sampling/robustness": (TEST, {"samples": 2, "levels": [50], "sizes": [100]}),
    "unjudged/bounds": (TEST, {}),
    "unjudged/orders": (TEST, {}),
    "unjudged/pairs": ({"bounds": "unjudged/bounds.csv"} | TEST, {}),
    "validity/estimators": ({"propensities": "propensities.npz"} | TEST, {"samples": 100}),
}


def make(users: int, folder: Path) -> None:
    """Write a training and a test matrix, and the systems' rankings."""
    rated = ratings(users, ITEMS // 2, MEAN)
    rated.resize(users, ITEMS)
    train, test = split(rated, 0.2, "floor", 1)
    write_matrix(train, folder / "train.npz")
    write_matrix(test, folder / "test.npz")
    chances = test.astype(np.float64)
    chances.data = np.random.default_rng(0).uniform(0.05, 1, test.nnz)
    write_matrix(chances, folder / "propensities.npz")
    describe(together(train, test), folder)
    sizes = [counted("train", train), counted("test", test)]
    write_table(pd.DataFrame(sizes), folder / "split/summary.csv")
    start = test.indptr.astype(np.int64)
    user = np.repeat(np.arange(users), np.diff(start))
    place = np.arange(test.nnz) - start[user]
    for system, name in enumerate(NAMES):
        path, rng = folder / f"rankings/{name}.npz", np.random.default_rng(system)
        # Places that differ within a user, as nobody has as many as 100 test ratings.
        ranks = (rng.integers(0, DEPTH, users)[user] + 7 * place) % DEPTH + 1
        found = rng.random(test.nnz) < 0.2 + 0.02 * system
        items = rng.integers(ITEMS // 2, ITEMS - DEPTH, users, dtype=np.int32)[:, None]
        items = items + np.arange(DEPTH, dtype=np.int32)
        items[user[found], ranks[found] - 1] = test.indices[found]
        ranks = np.where(found, ranks, ranks + DEPTH).astype(np.int32)
        full = np.full(users, ITEMS // 2, dtype=np.int32)
        made = Rankings(items, ranks, full, full)
        # Not compressed, which would take longer than most of the jobs.
        write_arrays(((f.name, getattr(made, f.name)) for f in fields(made)), path, False)


def describe(rated: sp.csr_matrix, folder: Path) -> None:
    """Write the ratings with aspects of the items, and attributes of users and items."""
    rng, (users, n_items) = np.random.default_rng(0), rated.shape
    user = np.repeat(np.arange(users, dtype=np.int32), np.diff(rated.indptr))
    ids = (np.arange(n).astype(str) for n in (users, n_items))
    has, aspects = rng.random((n_items, 18)) < 0.12, np.arange(18).astype(str)
    whole = Ratings(user, rated.indices, rated.data, *ids, None, has, aspects)
    whole.save(folder / "ratings.npz")
    gender, year = rng.integers(0, 2, (users, 1)), rng.integers(1990, 2000, (n_items, 1))
    names = np.array(["gender"]), np.array(["year"])
    Attributes(gender.astype(str), year.astype(str), *names).save(folder / "attributes.npz")


def jobs(cutoffs: list[int]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name of each job, and the job as it is asked for."""
    evaluation = EVALUATION | {"measures": grid(METRICS, cutoffs), "cutoffs": cutoffs}
    fitted = {"method": "popularity", "settings": {}, "depth": DEPTH, "candidates": "test_items"}
    yield "recommend", {"recommend": MATRICES | fitted | {"seed": 1, "output": "ranked.npz"}}
    given = {"rankings": RANKINGS, "evaluation": evaluation, "output": "scores.npz"}
    yield "score", {"score": TEST | given}
    yield "means", {"means": SCORES | {"aggregate": "mean", "output": "means.csv"}}
    for name, (inputs, settings) in ANALYSES.items():
        given = {"name": name, "dataset": "made-up", "evaluation": evaluation, "seed": 1}
        if name == "robustness/summary":
            inputs = inputs | {
                f"{key}_replicates": f"{SUMMARY[key]}.npz" for key in SUMMARY if key != "split"
            }
        if "rankings" in ENTRIES[name].inputs.values():
            given["rankings"] = RANKINGS
        output = [f"{name}.csv", f"{name}.npz"][: 2 if ENTRIES[name].replicated else 1]
        yield name, {"analyse": given | {"inputs": inputs, "settings": settings, "output": output}}


def measure(job: dict[str, Any], folder: Path, limit: int) -> dict:
    """Run a job, and return its seconds and its peak in MB, which is NaN beyond the limit."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit * 10**9,) * 2)

    command = [sys.executable, "-m", "rankassay", "job"]
    began = time.perf_counter()
    (folder / "job.json").write_text(json.dumps(job))
    with (folder / "job.log").open("w") as log, (folder / "job.json").open() as given:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | threads,
            stdin=given,
            stderr=log,
            preexec_fn=bounded,
        )
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    said = (folder / "job.log").read_text()
    if process.returncode and "allocate" not in said and "MemoryError" not in said:
        raise SystemExit(f"{next(iter(job))}: failed with {process.returncode}:\n{said[-2000:]}")
    return {
        "seconds": time.perf_counter() - began,
        "cpu": used.ru_utime + used.ru_stime,
        # In kilobytes on Linux.
        "peak_mb": np.nan if process.returncode else used.ru_maxrss / 1024,
    }


def main() -> None:
    """Measure, and print a row a job and number of users."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--users", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--cutoffs", type=int, nargs="+", default=[5, *range(10, 101, 10)])
    parser.add_argument("--only", nargs="+", metavar="JOB", help="jobs whose inputs are there")
    parser.add_argument("--folder", help="where to keep the files; a temporary one if not given")
    parser.add_argument("--limit", type=int, default=12, help="GB that a job may ask for")
    options = parser.parse_args()
    print("users,job,seconds,cpu,peak_mb", flush=True)
    for users in options.users:
        folder = Path(options.folder or tempfile.mkdtemp(), str(users))
        if not (folder / f"rankings/{NAMES[-1]}.npz").exists():
            make(users, folder)
        for name, job in jobs(options.cutoffs):
            if options.only and name not in options.only:
                continue
            row = measure(job, folder, options.limit)
            numbers = ",".join(f"{value:.1f}" for value in row.values())
            print(f"{users},{name},{numbers}", flush=True)
        if not options.folder:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
