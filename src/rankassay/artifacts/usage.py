"""Time and memory of a job: a file of one line, in a folder with those of the run's other jobs."""

import csv
import sys

from rankassay.artifacts.files import Pathlike, atomic, regular
from rankassay.errors import RankassayError

# Snakemake's names of the same columns: seconds on the clock, MB at the peak, CPU seconds.
SECONDS, MEMORY, CPU = "s", "max_rss", "cpu_time"
PER_MB = 2**20 if sys.platform == "darwin" else 2**10  # the system counts bytes there, else kB


def write(path: Pathlike, seconds: float) -> None:
    """Write the seconds and the memory that this process has taken so far (tsv).

    The system has kept count: Snakemake's own benchmarks look at a job after 5, 15 and 30 seconds
    and then every half minute, and so miss most of a short one.
    """
    import resource  # on use: Windows has none

    used = resource.getrusage(resource.RUSAGE_SELF)
    taken = {
        SECONDS: f"{seconds:.4f}",
        MEMORY: f"{used.ru_maxrss / PER_MB:.2f}",
        CPU: f"{used.ru_utime + used.ru_stime:.2f}",
    }
    with atomic(path, "w", record=False) as file:
        file.write("\t".join(taken) + "\n" + "\t".join(taken.values()) + "\n")


def read(path: Pathlike) -> dict[str, float] | None:
    """Return a job's time and memory (NaN where not measured), or None for a file without them."""
    try:
        with open(regular(path), encoding="utf-8", newline="") as file:
            *_, last = csv.DictReader(file, delimiter="\t")  # of a job that was tried again
        memory = last[MEMORY]
        return {SECONDS: float(last[SECONDS]), MEMORY: float("nan" if memory == "-" else memory)}
    except (OSError, RankassayError, ValueError, KeyError, TypeError, csv.Error):
        return None
