# What a job asks a scheduler for: memory in MB and time in minutes. The numbers are fitted to the
# benchmarks in tests/reference/benchmarks.csv; docs/cluster.md says how. What a dataset's size is
# read from may not be there when jobs are planned: it then counts as small, and Snakemake asks again
# before it starts the job.

import csv
import math

# A process that has only imported its packages.
BASE_MB = 250
# What the hungriest method holds for each million pairs of user and item, and of how many millions
# at most: scores are made for blocks of users.
PAIRS_MB = 32
MOST_PAIRS = 2**24 / 1e6
# What a method holds besides, for each million pairs: SLIM of items, as long as its matrix is dense
# (recommenders.slim.DENSE_BYTES), and EASE of its users or items, three matrices of the fewer.
SLIM_MB = 4.2
SLIM_PAIRS = 2**28
EASE_MB = 24

# Analyses that take so many times as long as the slowest of the others.
SLOW = {"diversity/incompleteness": 3}

# What reading a run holds for each MB of its file.
RUN_MB = 4


def megabytes(needed, attempt):
    """Return the memory to ask for: half as much again as needed, and double at each retry."""
    return math.ceil(1.5 * needed * 2 ** (attempt - 1) / 100) * 100


def minutes(seconds, attempt):
    """Return the time to ask for: three times as long as measured, and at least two minutes.

    Not more, because a group of jobs asks for the sum of their times.
    """
    return max(2, math.ceil(3 * seconds / 60)) * attempt


def source_megabytes(wildcards):
    """Return the size of a dataset's files, or what a synthetic one would take as a file."""
    dataset = data_of(wildcards.dataset)
    entry = dataset_entry(dataset)
    if entry["kind"] == "synthetic":
        return 20 * entry["parameters"]["ratings"] / 1e6
    record = Path(f"data/processed/{dataset}/source.json")
    if not record.exists():
        return 0
    return sum(file["size"] for file in json.loads(record.read_text()).values()) / 1e6


def dataset_size(wildcards):
    """Return the users, items and training ratings of a dataset; zeros before it is split."""
    summary = Path(f"results/{wildcards.dataset}/split/summary.csv")
    if not summary.exists():
        return 0, 0, 0
    with summary.open(encoding="utf-8") as file:
        train = next(csv.DictReader(file))
    users = int(train["users"]) + int(train["users_without"])
    items = int(train["items"]) + int(train["items_without"])
    return users, items, int(train["ratings"])


def prepare_memory(wildcards, attempt):
    """Return the memory for reading a dataset's files, and for splitting it."""
    return megabytes(BASE_MB + 20 * source_megabytes(wildcards), attempt)


def prepare_runtime(wildcards, attempt):
    """Return the time for reading a dataset's files, and for splitting it."""
    return minutes(0.5 * source_megabytes(wildcards), attempt)


def recommend_memory(wildcards, attempt):
    """Return the memory for fitting a recommender and ranking."""
    users, items, ratings = dataset_size(wildcards)
    method = config["recommender_catalogue"][wildcards.recommender]["method"]
    needed = BASE_MB + 100 * ratings / 1e6
    needed += PAIRS_MB * min(users * items / 1e6, MOST_PAIRS)
    if method == "slim":
        needed += SLIM_MB * min(items**2, SLIM_PAIRS) / 1e6
    elif method == "ease":
        needed += EASE_MB * min(users, items) ** 2 / 1e6
    return megabytes(needed, attempt)


def recommend_runtime(wildcards, attempt):
    """Return the time for fitting a recommender and ranking."""
    users, items, ratings = dataset_size(wildcards)
    return minutes((50 * ratings + 0.2 * users * items) / 1e6, attempt)


def adopt_memory(wildcards, input, attempt):
    """Return the memory for reading a run."""
    return megabytes(BASE_MB + RUN_MB * Path(input.run).stat().st_size / 1e6, attempt)


def adopt_runtime(wildcards, input, attempt):
    """Return the time for reading a run."""
    return minutes(Path(input.run).stat().st_size / 1e6, attempt)


def analyse_memory(wildcards, attempt):
    """Return the memory for what reads each user's value of every measure and system."""
    users, _, _ = dataset_size(wildcards)
    return megabytes(1.5 * BASE_MB + 0.003 * users * len(systems_of(wildcards.dataset)), attempt)


def analyse_runtime(wildcards, attempt):
    """Return the time for an analysis of one dataset."""
    _, _, ratings = dataset_size(wildcards)
    name = f"{getattr(wildcards, 'study', '')}/{getattr(wildcards, 'analysis', '')}"
    return minutes(100 * SLOW.get(name, 1) * ratings / 1e6, attempt)


def small_memory(wildcards, attempt):
    """Return the memory for a job whose tables are small, whatever the dataset."""
    return megabytes(BASE_MB, attempt)


def small_runtime(wildcards, attempt):
    """Return the time for such a job."""
    return minutes(0, attempt)
