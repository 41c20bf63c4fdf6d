"""The resources that jobs request of a scheduler: memory in MB and time in minutes.

The numbers are fitted to the benchmarks in tests/reference/benchmarks.csv, as
docs/reference/resources.md says. The files with a dataset's size may not exist when jobs are
planned: it then counts as small, and Snakemake asks again before it starts the job.
"""

import csv
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rankassay.artifacts.shards import AT_ONCE
from rankassay.plan.analyses import of
from rankassay.plan.recommenders import Recommenders
from rankassay.plan.rules import Wildcards
from rankassay.plan.systems import Systems
from rankassay.studies import ANALYSES
from rankassay.studies.entries import ALL_VALUES, JUDGED_ITEMS

# A process that has only imported its packages.
BASE_MB = 250
# What the hungriest method holds for each million pairs of user and item, and of how many millions
# at most: scores are made for blocks of users.
PAIRS_MB = 32
MOST_PAIRS = 2**24 / 1e6
# What a method holds besides, for each million pairs: SLIM of items, as long as its matrix is dense
# (recommenders.slim.DENSE_BYTES); UIR-Item of items that share a user, which take no more up to
# MovieLens 25M's size; and EASE of its users or items, three matrices of the fewer.
OF_ITEMS_MB = 4.2
MOST_OF_ITEMS = 2**28
EASE_MB = 24
# Seconds that a method takes besides: BPRMF for each million ratings, as rows of its factors are no
# longer in the cache; HT for each million users and million ratings, as each user's walk sees all.
BPRMF_S = 75
HT_S = 1_500
# The further memory of an analysis that reads the values of some measures at a time: three times
# these values.
AT_ONCE_MB = ALL_VALUES * AT_ONCE / (77 * 8) / 1000
# What advice holds besides for each user and system, in kB: the values of some 30 measures twice;
# and how many analyses it takes as long as.
ADVISED, ADVISED_LIKE = 0.5, 3
# What reading a run holds for each MB of its file.
RUN_MB = 4
# What values of metrics hold for each MB of their files, where a number takes five bytes or more.
VALUES_MB = 20


def megabytes(needed: float, attempt: int) -> int:
    """Return the memory to ask for: half as much again as needed, and double at each retry."""
    return math.ceil(1.5 * needed * 2 ** (attempt - 1) / 100) * 100


def minutes(seconds: float, attempt: int) -> int:
    """Return the time to ask for: three times as long as measured, and at least two minutes.

    Not more, because a group of jobs asks for the sum of their times.
    """
    return max(2, math.ceil(3 * seconds / 60)) * attempt


class Resources:
    """The memory and the time of each kind of job."""

    def __init__(self, systems: Systems, recommenders: Recommenders) -> None:
        self.systems, self.recommenders = systems, recommenders
        self.data = systems.data

    def of(self, kind: str) -> dict[str, Callable[..., int]]:
        """Return the resources of the rules of a kind of jobs."""
        memory, runtime = (getattr(self, f"{kind}_{what}") for what in ("memory", "runtime"))
        return {"mem_mb": memory, "runtime": runtime}

    def source_megabytes(self, wildcards: Wildcards) -> float:
        """Return the size of a dataset's files, or of the file that a synthetic one would be."""
        dataset = self.data.of(wildcards.dataset)
        entry = self.data.entry(dataset)
        if entry["kind"] == "synthetic":
            return 20 * entry["parameters"]["ratings"] / 1e6
        record = Path(f"data/processed/{dataset}/source.json")
        if not record.is_file():
            return 0
        return sum(file["size"] for file in json.loads(record.read_text()).values()) / 1e6

    def dataset_size(self, wildcards: Wildcards) -> tuple[int, int, int]:
        """Return the users, items and training ratings of a dataset; zeros before it is split."""
        summary = Path(f"results/{wildcards.dataset}/split/summary.csv")
        if not summary.is_file():
            return 0, 0, 0
        with summary.open(encoding="utf-8") as file:
            train = next(csv.DictReader(file))
        users = int(train["users"]) + int(train["users_without"])
        items = int(train["items"]) + int(train["items_without"])
        return users, items, int(train["ratings"])

    def prepare_memory(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the memory for reading a dataset's files, and for splitting it."""
        return megabytes(BASE_MB + 20 * self.source_megabytes(wildcards), attempt)

    def prepare_runtime(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the time for reading a dataset's files, and for splitting it."""
        return minutes(0.5 * self.source_megabytes(wildcards), attempt)

    def recommend_memory(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the memory for fitting a recommender and ranking."""
        users, items, ratings = self.dataset_size(wildcards)
        method = self.recommenders.method(wildcards)
        needed = BASE_MB + 100 * ratings / 1e6
        needed += PAIRS_MB * min(users * items / 1e6, MOST_PAIRS)
        if method in ("slim", "uir-item"):
            needed += OF_ITEMS_MB * min(items**2, MOST_OF_ITEMS) / 1e6
        elif method == "ease":
            needed += EASE_MB * min(users, items) ** 2 / 1e6
        return megabytes(needed, attempt)

    def recommend_runtime(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the time for fitting a recommender and ranking."""
        users, items, ratings = self.dataset_size(wildcards)
        method = self.recommenders.method(wildcards)
        seconds = (50 * ratings + 0.2 * users * items) / 1e6
        if method == "bprmf":
            seconds += BPRMF_S * ratings / 1e6
        elif method == "ht":
            seconds += HT_S * users * ratings / 1e12
        return minutes(seconds, attempt)

    def import_memory(self, wildcards: Wildcards, input: Any, attempt: int) -> int:
        """Return the memory for reading a run."""
        return megabytes(BASE_MB + RUN_MB * Path(input.run).stat().st_size / 1e6, attempt)

    def import_runtime(self, wildcards: Wildcards, input: Any, attempt: int) -> int:
        """Return the time for reading a run."""
        return minutes(Path(input.run).stat().st_size / 1e6, attempt)

    def analyse_memory(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the memory for a job that reads each user's value of all measures and systems."""
        users, _, _ = self.dataset_size(wildcards)
        systems = len(self.systems.of(wildcards.dataset))
        if not self.data.has_lists(wildcards.dataset):
            needed = VALUES_MB * self.source_megabytes(wildcards)
            return megabytes(1.5 * BASE_MB + needed, attempt)
        name = getattr(wildcards, "name", None)
        holds = ANALYSES[name].holds if name else JUDGED_ITEMS
        some, all_ = (own * users * systems / 1000 for own in (holds, ALL_VALUES))
        return megabytes(1.5 * BASE_MB + min(AT_ONCE_MB + some, all_), attempt)

    def analyse_runtime(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the time for an analysis of one dataset."""
        users, _, ratings = self.dataset_size(wildcards)
        name = getattr(wildcards, "name", None)
        slow = ANALYSES[name].slow if name else 1
        return minutes(slow * (100 * ratings + 1000 * users) / 1e6, attempt)

    def simulate_memory(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the memory of a simulation."""
        return self.analyse_memory(of("constructed", wildcards.simulation), attempt)

    def simulate_runtime(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the time of a simulation."""
        return self.analyse_runtime(of("constructed", wildcards.simulation), attempt)

    def advise_memory(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the memory for advice, which holds users' values of the measures that may win."""
        users, _, _ = self.dataset_size(wildcards)
        systems = len(self.systems.of(wildcards.dataset))
        needed = AT_ONCE_MB + (JUDGED_ITEMS + ADVISED) * users * systems / 1000
        return megabytes(1.5 * BASE_MB + needed, attempt)

    def advise_runtime(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the time for advice, which does the work of several analyses."""
        return ADVISED_LIKE * self.analyse_runtime(wildcards, attempt)

    def small_memory(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the memory for a job whose tables are small, for a dataset of any size."""
        return megabytes(BASE_MB, attempt)

    def small_runtime(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the time for a job whose tables are small."""
        return minutes(0, attempt)
