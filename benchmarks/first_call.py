"""Time of a first call: a new process, on a machine where nothing was compiled and where it was.

    ./run python benchmarks/first_call.py

Each row is a call of the library in a process of its own, with its imports. On a new machine, numba
finds an empty folder in place of its cache. Prints rows as Markdown: medians of seconds, of wall
clock and of CPU, of five processes. To compare with other code: PYTHONPATH=.../src.
"""

import os
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 5
DATA = """
import sys, time
import numpy as np, pandas as pd
rng = np.random.default_rng(0)
def rows(n_users, length, column):
    items = np.concatenate([rng.choice(1700, length, replace=False) for _ in range(n_users)])
    values = rng.integers(1, 6, len(items)) if column == "rating" else rng.random(len(items))
    return pd.DataFrame(
        {{"user": np.repeat(np.arange(n_users), length), "item": items, column: values}}
    )
qrels, runs = rows({users}, {judged}, "rating"), [rows({users}, {listed}, "score") for _ in "abcde"]
metrics = ["P@10", "R@10", "AP@10", "nDCG@10", "RR@10", "Bpref@10"]
began, used = time.perf_counter(), time.process_time()
import rankassay
{call}
print(time.perf_counter() - began, time.process_time() - used)
"""
EVALUATE = "rankassay.evaluate(qrels, runs[0], metrics)"
COMPARED = """
users = [rankassay.evaluate(qrels, run, metrics, per_user=True)[metrics] for run in runs]
rankassay.permutation_test(np.stack(users, axis=1), 10_000)"""
ROBUST = 'rankassay.robustness(qrels, dict(zip("abcde", runs)), metrics, [50], 10)'
CALLS = {
    "evaluate, 3 users, lists of 10": (EVALUATE, 3, 5, 10),
    "evaluate, 943 users, lists of 100": (EVALUATE, 943, 20, 100),
    "evaluate, 6,040 users, lists of 100": (EVALUATE, 6040, 33, 100),
    "permutation_test, 5 systems, 50 users": (COMPARED, 50, 20, 50),
    "robustness, 5 systems, 50 users": (ROBUST, 50, 20, 50),
}


def measure(code: str, cache: str) -> list[float]:
    """Return the seconds of a call in a new process, of wall clock and of CPU."""
    process = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"NUMBA_CACHE_DIR": cache},
    )
    return [*map(float, process.stdout.split())]


def row(what: str, code: str) -> str:
    """Return a row of the table: seconds on a new machine, and later."""
    new, later = [], []
    with tempfile.TemporaryDirectory() as kept:
        measure(code, kept)
        for _ in range(ROUNDS):
            with tempfile.TemporaryDirectory() as empty:
                new.append(measure(code, empty))
            later.append(measure(code, kept))
    columns = [statistics.median(s) for times in (new, later) for s in zip(*times, strict=True)]
    return f"| {what} | " + " | ".join(f"{seconds:.1f}" for seconds in columns) + " |"


if __name__ == "__main__":
    print(
        "| what | new: s | CPU s | later: s | CPU s |",
        "| --- | ---: | ---: | ---: | ---: |",
        sep="\n",
    )
    for what, (call, users, judged, listed) in CALLS.items():
        code = DATA.format(call=call, users=users, judged=judged, listed=listed)
        print(row(what, code), flush=True)
