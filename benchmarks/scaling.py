"""How time and memory grow with the numbers of users and of items, and the exponents of that.

    ./run python benchmarks/scaling.py --output benchmarks/scaling.csv
    ./run python docs/render.py    # draws docs/images/scaling.png from it

Simulated data: users with 10 to 100 ratings (40 on average), of items drawn by a power law; growth
in users with 10,000 items, growth in items with 30,000 users. Every row is a process of its own
with one thread, which reads its matrices from files; compiling is no part of the times. A
recommender is fitted on all users and ranks 2,000 of them, as one of the shards that all users
would be, by whose number the time is multiplied. The analyses take seven metrics at one cut-off of
ten systems, whose lists are simulated. The seconds are those of the CPU, the memory is the largest
of the process.
"""

import argparse
import itertools
import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp
import yaml
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from rankassay.artifacts.arrays import read_matrix, write_matrix
from rankassay.artifacts.shards import Shard
from rankassay.artifacts.tables import write_table
from rankassay.data.parts import split
from rankassay.drawing import style
from rankassay.lookup import load
from rankassay.metrics.evaluate import evaluate, grid
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.recommenders.catalogue import RECOMMENDERS
from rankassay.recommenders.rank import rank
from rankassay.statistics.incomplete import random_part
from rankassay.statistics.judged_systems import TestSet
from rankassay.statistics.permutation import permutation_test

ROOT = Path(__file__).parents[1]
DEPTH, SYSTEMS, RANKED = 100, 10, 2_000
METRICS = ["P", "R", "AP", "nDCG", "RR", "Bpref", "infAP"]
ITEMS, USERS = 10_000, 30_000
# What has ticks within each power of ten.
STEPS = {"seconds": (1,), "ranking": (1,), "peak_mb": (1, 2, 5)}
# By what grows, the numbers of users and of items.
SIZES = {
    "users": [(n, ITEMS) for n in (10_000, 30_000, 100_000, 300_000, 1_000_000)],
    "items": [(USERS, n) for n in (3_000, 10_000, 30_000, 100_000)],
}
ANALYSES = ("evaluate", "resample", "permutation")
TASKS = ("popularity", "puresvd", "wrmf", "item-knn-tfidf", "slim", "ease", *ANALYSES)
MOST_ITEMS = {"ease": 10_000}  # a dense matrix of items by items, three times


def ratings(users: int, items: int, mean: int = 40) -> sp.csr_matrix:
    """Return simulated ratings from 1 to 5, float32 (users, items); `mean` of a user on average."""
    rng = np.random.default_rng(users)
    count = np.minimum(rng.geometric(1 / (mean - 9), users) + 9, 100)
    row = np.repeat(np.arange(users), count)
    # A power law by inversion: item i has about the share 1 / (i + 20).
    low, high = np.log(20), np.log(items + 20)
    item = (np.exp(low + (high - low) * rng.random(len(row))) - 20).astype(np.int64)
    pairs = np.unique(row * items + item)  # an item that was drawn twice counts once
    values = rng.integers(1, 6, len(pairs)).astype(np.float32)
    return sp.csr_matrix((values, (pairs // items, pairs % items)), shape=(users, items))


def make(size: tuple[int, int], folder: str) -> None:
    """Write the training and test matrices of a size, (users, items)."""
    parts = zip(("train", "test"), split(ratings(*size), 0.2, "floor", 1), strict=True)
    for name, matrix in parts:
        write_matrix(matrix, Path(folder, f"{name}.npz"))


def recommend(name: str, train: sp.csr_matrix, test: sp.csr_matrix) -> tuple[float, float]:
    """Return the seconds of fitting, and of ranking scaled to all users."""
    entry = yaml.safe_load((ROOT / "config/recommenders.yaml").read_text())
    entry = entry["recommender_catalogue"][name]
    method = load(RECOMMENDERS[entry["method"]])
    began = time.process_time()
    model = method(**entry.get("settings", {})).fit(train, seed=1)
    fitted = time.process_time()
    shard = Shard(1, max(1, train.shape[0] // RANKED))
    rank(model, train, test, DEPTH, "all_items", shard=shard)
    ranked = time.process_time() - fitted
    return fitted - began, ranked * shard.count


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
        whole = TestSet.of_lists(
            judgements, test.indices, lists, evaluation | {"aggregate": "mean"}, DEPTH
        )
        keep = random_part(judgements.start, 50, 0, 1)
        return seconds(lambda: whole.means(keep)), 0.0
    values = evaluate(judgements, lists, measures, depth=DEPTH)
    return seconds(lambda: permutation_test(values, 1_000, 1)), 0.0


def seconds(work: Callable) -> float:
    """Return the CPU seconds of some work."""
    began = time.process_time()
    work()
    return time.process_time() - began


def measure(name: str, folders: list[str]) -> dict:
    """Return the seconds and the memory of one task on the data of the last folder."""
    for folder in folders:  # the first, a small one, compiles
        train, test = (read_matrix(Path(folder, f"{part}.npz")) for part in ("train", "test"))
        times = analyse(name, test) if name in ANALYSES else recommend(name, train, test)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "ratings": train.nnz + test.nnz,
        "seconds": times[0],
        "ranking": times[1],
        "peak_mb": peak,
    }


def alone(work: Callable, *arguments) -> object:
    """Return what some work returns, done in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, arguments)


def measurements(growth: str, tasks: list[str], largest: int) -> Iterator[dict]:
    """Yield the rows of the growth in users or items."""
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder, "small"), Path(folder, "large")
        alone(make, (500, 300), str(small))
        for users, items in SIZES[growth]:
            if max(users, items) > largest:
                continue
            alone(make, (users, items), str(large))
            for task in tasks:
                if items <= MOST_ITEMS.get(task, items):
                    head = {"growth": growth, "task": task, "users": users, "items": items}
                    yield head | alone(measure, task, [str(small), str(large)])


def exponents(table: pd.DataFrame) -> pd.DataFrame:
    """Return the exponents of growth by task, the slopes of lines of logarithms.

    Of growth in users the exponents are in ratings, of growth in items in items.
    """
    rows = []
    for (growth, task), own in table.groupby(["growth", "task"], sort=False):
        row = {"growth": growth, "task": task, "largest": own[growth].max()}
        size = own["ratings" if growth == "users" else "items"]
        for column in ("seconds", "ranking", "peak_mb"):
            known = own[column] > 0.05
            if known.sum() > 2:
                row[column] = np.polyfit(np.log(size[known]), np.log(own.loc[known, column]), 1)[0]
        rows.append(row)
    return pd.DataFrame(rows)


def drawn(table: pd.DataFrame) -> Figure:
    """Draw seconds and memory against the numbers of users and items, on logarithmic scales."""
    columns = {
        "seconds": "CPU seconds",
        "ranking": "CPU seconds to rank all users",
        "peak_mb": "Memory (MB)",
    }
    with style.style():
        figure = Figure(figsize=(7.1, 4.6), layout="constrained")
        looks = dict(zip(TASKS, style.cutoffs(range(len(TASKS))).values(), strict=True))
        for axes, (growth, column) in zip(
            figure.subplots(2, 3).flat, itertools.product(SIZES, columns), strict=True
        ):
            for task, own in table[table["growth"] == growth].groupby("task", sort=False):
                known, look = own[own[column] > 0], looks[task]
                axes.plot(
                    *(known[growth], known[column], look.marker or "o"),
                    linestyle="-",
                    color=look.colour,
                    label=task,
                )
            fixed = f"{ITEMS:,} items" if growth == "users" else f"{USERS:,} users"
            axes.set(xscale="log", yscale="log", xlabel=f"{growth.capitalize()} ({fixed})")
            for axis, steps in ((axes.xaxis, (1,)), (axes.yaxis, STEPS[column])):
                axis.set_major_locator(LogLocator(subs=steps))
                axis.set_major_formatter("{x:,.10g}")  # matplotlib's own is a formula
                axis.set_minor_formatter(NullFormatter())
            axes.set_title(columns[column])
            axes.grid()
        handles, labels = figure.axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=5)
    return figure


def main() -> None:
    """Measure, and say how it grows."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", help="table to write (csv)")
    parser.add_argument("--growth", nargs="+", choices=SIZES, default=[*SIZES])
    parser.add_argument("--largest", type=int, default=10**9, help="number of users or items")
    parser.add_argument("--only", nargs="+", choices=TASKS, default=[*TASKS])
    options = parser.parse_args()
    rows = []
    for growth in options.growth:
        for row in measurements(growth, options.only, options.largest):
            rows.append(row)
            print(row, flush=True)
            write_table(pd.DataFrame(rows), options.output)
    print(exponents(pd.DataFrame(rows)).round(2).to_string(index=False))


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
