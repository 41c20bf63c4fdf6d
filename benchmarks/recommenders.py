"""Time and memory of the study's recommenders, at the settings of config/recommenders.yaml.

    ./run python benchmarks/recommenders.py data/processed/ml-1m/ratings.npz --dataset ml-1m
    ./run python benchmarks/recommenders.py beeradvocate --dataset beeradvocate

The first argument is a prepared dataset or one of the sizes of benchmarks/synthetic.py, whose
ratings are generated. Prints a row per recommender as Markdown. Each is fitted and ranks everything
in a process of its own, with one thread, as it does in a run; compiling is no part of the times.
CPU seconds are those of fitting and ranking: where they are fewer than the others together, the
machine was busy with something else. With --users, rankings are made for some users only, whose
time is scaled to all.
"""

import argparse
import multiprocessing
import os
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
import yaml
from synthetic import SIZES

from rankassay.artifacts.arrays import Ratings, read_matrix, write_matrix
from rankassay.artifacts.shards import Shard
from rankassay.data.parts import split
from rankassay.data.synthetic import generate
from rankassay.lookup import load
from rankassay.recommenders.catalogue import RECOMMENDERS
from rankassay.recommenders.rank import rank

ROOT = Path(__file__).parents[1]
SEED = 1
COLUMNS = ("recommender", "fit s", "rank s", "CPU s", "peak MB")


def prepare(source: str, folder: str) -> str:
    """Write a dataset's training and test matrices to the folder; return its size in words."""
    ratings = generate(*SIZES[source], seed=SEED) if source in SIZES else Ratings.load(source)
    for part, matrix in zip(
        ("train", "test"), split(ratings.matrix, 0.2, "floor", SEED), strict=True
    ):
        write_matrix(matrix, Path(folder, f"{part}.npz"))
    users, items = ratings.matrix.shape
    return f"{users} users, {items} items, {len(ratings.rating)} ratings"


def measure(entry: dict, dataset: str, folder: str, users: int | None) -> list[float]:
    """Fit one recommender and rank with it; return the numbers of its row."""
    settings = entry.get("settings", {}) | entry.get("datasets", {}).get(dataset, {})
    method = load(RECOMMENDERS[entry["method"]])
    # Compiling, or loading what was compiled before, is no part of the times.
    train, test = split(generate(60, 50, 900, 0.3, seed=0).matrix, 0.2, "floor", 0)
    rank(method(**settings).fit(train, SEED), train, test)
    train, test = (read_matrix(Path(folder, f"{part}.npz")) for part in ("train", "test"))
    times = [clocks()]
    model = method(**settings).fit(train, SEED)
    times.append(clocks())
    parts = max(1, train.shape[0] // users) if users else 1
    rank(model, train, test, shard=Shard(1, parts))
    times.append(clocks())
    scale = train.shape[0] / len(Shard(1, parts).of(train.shape[0]))
    fitting, ranking = np.diff(times, axis=0) * np.array([[1], [scale]])
    # The peak is in kilobytes on Linux.
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [fitting[0], ranking[0], fitting[1] + ranking[1], megabytes]


def clocks() -> tuple[float, float]:
    """Return the seconds on the wall and those of the CPU."""
    return time.perf_counter(), time.process_time()


def alone(function, *arguments):
    """Call a function in a process of its own: the peak of a process's memory never falls."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


def row(*cells: object) -> None:
    """Print a row of the table."""
    print("|", " | ".join(map(str, cells)), "|", flush=True)


def main() -> None:
    """Print the rows of all recommenders, and their sums."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ratings", help=f"ratings.npz of a run, or one of {', '.join(SIZES)}")
    parser.add_argument("--dataset", help="whose settings to take, where they differ")
    parser.add_argument("--only", nargs="+", help="recommenders; those of config.yaml if not given")
    parser.add_argument("--users", type=int, help="rank for about so many users, and scale")
    options = parser.parse_args()
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"
    catalogue = yaml.safe_load((ROOT / "config/recommenders.yaml").read_text(encoding="utf-8"))
    study = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    totals = [0.0, 0.0, 0.0]
    with tempfile.TemporaryDirectory() as folder:
        print(f"{alone(prepare, options.ratings, folder)}\n")
        row(*COLUMNS)
        row("---", *["---:"] * (len(COLUMNS) - 1))
        for name in options.only or study["recommenders"]:
            entry = catalogue["recommender_catalogue"][name]
            *seconds, megabytes = alone(measure, entry, options.dataset, folder, options.users)
            row(entry["label"], *(f"{s:.1f}" for s in seconds), f"{megabytes:.0f}")
            totals = [total + s for total, s in zip(totals, seconds, strict=True)]
    row("together", *(f"{total:.1f}" for total in totals), "")


if __name__ == "__main__":
    main()
