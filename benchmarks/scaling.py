"""How time and memory grow with the number of users, and the exponents of that growth.

    ./run python benchmarks/scaling.py --output benchmarks/scaling.csv
    ./run python benchmarks/scaling.py --draw benchmarks/scaling.csv docs/images/scaling.png

Made-up data: users with 10 to 100 ratings (40 on average), 10,000 items drawn by a power law. Every
row is a process of its own with one thread; compiling is no part of the times. A recommender is
fitted on all users and ranks 2,000 of them, which is scaled to all: ranking a user does not depend
on how many others there are. The analyses take seven metrics at one cut-off of ten systems, whose
lists are made up. The seconds are those of the CPU, the memory is the largest of the process.
"""

import argparse
import multiprocessing
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp
import yaml

from assayer.analysis.permutation import permutation_test
from assayer.analysis.resampling import TestSet, random_part
from assayer.artifacts import write_table
from assayer.data.split import split
from assayer.metrics.evaluate import evaluate, grid
from assayer.metrics.judgements import Judgements, Lists
from assayer.rankings import rank
from assayer.registry import RECOMMENDERS, load

ROOT = Path(__file__).parents[1]
ITEMS, DEPTH, SYSTEMS, RANKED = 10_000, 100, 10, 2_000
METRICS = ["P", "R", "AP", "nDCG", "RR", "Bpref", "infAP"]
SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
# By what is measured, the largest number of users that is worth the time.
LARGEST = {
    "popularity": 1_000_000,
    "puresvd": 1_000_000,
    "item-knn-tfidf": 300_000,
    "slim": 300_000,
    "ease": 300_000,
    "wrmf": 100_000,
    "evaluate": 1_000_000,
    "resample": 1_000_000,
    "permutation": 1_000_000,
}


def ratings(users: int) -> sp.csr_matrix:
    """Return made-up ratings from 1 to 5, float32 (users, ITEMS)."""
    rng = np.random.default_rng(users)
    count = np.minimum(rng.geometric(1 / 31, users) + 9, 100)
    row = np.repeat(np.arange(users), count)
    # A power law by inversion: item i has about the share 1 / (i + 20).
    low, high = np.log(20), np.log(ITEMS + 20)
    item = (np.exp(low + (high - low) * rng.random(len(row))) - 20).astype(np.int64)
    pairs = np.unique(row * ITEMS + item)  # an item that was drawn twice counts once
    values = rng.integers(1, 6, len(pairs)).astype(np.float32)
    return sp.csr_matrix((values, (pairs // ITEMS, pairs % ITEMS)), shape=(users, ITEMS))


def recommend(name: str, train: sp.csr_matrix, test: sp.csr_matrix) -> tuple[float, float]:
    """Return the seconds of fitting, and of ranking scaled to all users."""
    entry = yaml.safe_load((ROOT / "config/recommenders.yaml").read_text())
    entry = entry["recommender_catalogue"][name]
    method = load(RECOMMENDERS[entry["method"]])
    began = time.process_time()
    model = method(**entry.get("settings", {})).fit(train, seed=1)
    fitted = time.process_time()
    some = test[:RANKED].copy()
    some.resize(test.shape)
    rank(model, train, some, DEPTH, "all_items")
    ranked = time.process_time() - fitted
    return fitted - began, ranked * train.shape[0] / RANKED


def judgements_and_lists(test: sp.csr_matrix) -> tuple[Judgements, list[Lists]]:
    """Return the judgements of a test matrix, and systems that find more or fewer of the items."""
    judgements, rng = Judgements.of(test, 4), np.random.default_rng(0)
    length = np.full(judgements.n_users, DEPTH, dtype=np.int32)
    lists = []
    for system in range(SYSTEMS):
        listed = rng.random(len(judgements.rating)) < 0.2 + 0.02 * system
        # Ranks that differ within a user, in an order of their own.
        place = judgements.place + rng.integers(0, 3)
        ranks = np.where(listed & (place <= DEPTH), place, 0).astype(np.int32)
        lists.append(Lists(ranks, length))
    return judgements, lists


def analyse(name: str, test: sp.csr_matrix) -> tuple[float, float]:
    """Return the seconds of an analysis, and 0."""
    judgements, lists = judgements_and_lists(test)
    measures = grid(METRICS, [DEPTH])
    evaluation = {"measures": measures, "profile": "paper", "without_relevant": None}
    if name == "evaluate":
        return seconds(lambda: evaluate(judgements, lists, measures, depth=DEPTH)), 0.0
    if name == "resample":
        whole = TestSet.of_lists(judgements, lists, evaluation | {"aggregate": "mean"}, DEPTH)
        keep = random_part(judgements.start, 50, 0, 1)
        return seconds(lambda: whole.means(keep)), 0.0
    values = evaluate(judgements, lists, measures, depth=DEPTH)
    return seconds(lambda: permutation_test(values, 1_000, 1)), 0.0


def seconds(work: Callable) -> float:
    """Return the CPU seconds of some work."""
    began = time.process_time()
    work()
    return time.process_time() - began


def measure(task: tuple[str, int]) -> dict:
    """Return one row: the seconds and the memory of one task at one size."""
    name, users = task
    analyses = ("evaluate", "resample", "permutation")
    for size in (500, users):  # the first compiles
        train, test = split(ratings(size), 0.2, "floor", 1)
        times = analyse(name, test) if name in analyses else recommend(name, train, test)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    stored = train.nnz + test.nnz
    return {
        "task": name,
        "users": users,
        "ratings": stored,
        "seconds": times[0],
        "ranking": times[1],
        "peak_mb": peak,
    }


def exponents(table: pd.DataFrame) -> pd.DataFrame:
    """Return by task the exponent of seconds in ratings, a least-squares line of logarithms."""
    rows = []
    for task, own in table.groupby("task", sort=False):
        row = {"task": task, "largest": own["users"].max()}
        for column in ("seconds", "ranking", "peak_mb"):
            known = own[own[column] > 0.05]
            if len(known) > 2:
                logs = np.log(known[["ratings", column]].to_numpy())
                row[column] = np.polyfit(*logs.T, 1)[0]
        rows.append(row)
    return pd.DataFrame(rows)


def draw(table: pd.DataFrame, path: str) -> None:
    """Draw seconds and memory against the number of users, both on logarithmic scales."""
    from matplotlib.figure import Figure

    from assayer.figures import style

    with style.style():
        figure = Figure(figsize=(7.1, 2.8), layout="constrained")
        looks = style.cutoffs(range(len(LARGEST)))
        for axes, column, label in zip(
            figure.subplots(1, 3),
            ("seconds", "ranking", "peak_mb"),
            ("CPU seconds", "CPU seconds to rank all users", "Memory (MB)"),
            strict=True,
        ):
            for place, (task, own) in enumerate(table.groupby("task", sort=False)):
                known = own[own[column] > 0]
                look = looks[place]
                axes.plot(
                    *(known["users"], known[column], look.marker or "o"),
                    linestyle="-",
                    color=look.colour,
                    label=task,
                )
            axes.set(xscale="log", yscale="log", xlabel="Users", title=label)
            axes.grid()
        handles, labels = axes.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
        figure.savefig(path)


def main() -> None:
    """Measure, or draw what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", help="table to write (csv)")
    parser.add_argument("--draw", nargs=2, metavar=("TABLE", "PICTURE"))
    parser.add_argument("--largest", type=int, default=max(SIZES), help="number of users")
    parser.add_argument("--only", nargs="+", choices=LARGEST, default=[*LARGEST])
    options = parser.parse_args()
    if options.draw:
        table = pd.read_csv(options.draw[0])
        draw(table, options.draw[1])
        print(exponents(table).round(2).to_string(index=False))
        return
    rows = []
    for name in options.only:
        for users in SIZES:
            if users > min(LARGEST[name], options.largest):
                continue
            # A new process for each row: the largest memory is that of the row alone.
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                rows.append(pool.apply(measure, ((name, users),)))
            print(rows[-1], flush=True)
            write_table(pd.DataFrame(rows), options.output)
    print(exponents(pd.DataFrame(rows)).round(2).to_string(index=False))


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
