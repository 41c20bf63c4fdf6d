"""What a finished run's length is set by, from the job times that Snakemake records itself.

    ./run python benchmarks/critical_path.py FOLDER

FOLDER is that of the run. Prints how long it took and how long all of its jobs took, the jobs that
took longest with their share of that, and the critical path: of the chains of jobs each of which
reads what the one before wrote, the one that takes longest. No number of cores makes the run
shorter than it. The times are from the start of a job to its end, those of starting Python among
them. What was up to date before is not in them, and what was made again counts once, the last time.
"""

import argparse
import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Job:
    """One job: when it ran, and which files it read and wrote."""

    name: str
    start: float
    end: float
    inputs: set[str] = field(default_factory=set)
    outputs: set[str] = field(default_factory=set)

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.end - self.start


def jobs_of(folder: Path) -> list[Job]:
    """Return the jobs of which Snakemake keeps records, one record a file."""
    records = folder / ".snakemake/metadata"
    jobs: dict[tuple, Job] = {}
    for path in sorted(records.rglob("*")):
        if path.is_dir():
            continue
        record = json.loads(path.read_text())
        if not record.get("starttime") or not record.get("endtime"):
            continue
        # The file's name in base64, in pieces where it is too long for one name.
        encoded = "".join(part.removeprefix("@") for part in path.relative_to(records).parts)
        output = base64.b64decode(encoded).decode()
        key = (record["rule"], *record["log"])  # which no two jobs share
        name = f"{record['rule']} {' '.join(record['log']).removeprefix('logs/')}"
        job = jobs.setdefault(key, Job(name, record["starttime"], record["endtime"]))
        job.inputs |= {*record["input"]}
        job.outputs.add(output)
    return [*jobs.values()]


def before(jobs: list[Job]) -> dict[int, set[int]]:
    """Return for each job those that wrote what it read, by their places."""
    writer = {path: place for place, job in enumerate(jobs) for path in job.outputs}
    return {
        place: {writer[path] for path in job.inputs if path in writer} - {place}
        for place, job in enumerate(jobs)
    }


def critical_path(seconds: list[float], earlier: Mapping[int, set[int]]) -> list[int]:
    """Return the chain that takes longest, first job first.

    Parameters
    ----------
    seconds : list
        What each job takes.
    earlier : mapping
        The jobs that must end before each starts; there are no circles.
    """
    ends: dict[int, float] = {}
    last: dict[int, int | None] = {}
    waiting = [*range(len(seconds))]
    while waiting:
        job = waiting[-1]
        missing = [other for other in earlier[job] if other not in ends]
        if missing:
            waiting += missing
            continue
        waiting.pop()
        last[job] = max(earlier[job], key=lambda other: (ends[other], -other), default=None)
        ends[job] = seconds[job] + (0.0 if last[job] is None else ends[last[job]])
    path: list[int] = []
    job = max(ends, key=lambda other: (ends[other], -other), default=None)
    while job is not None:
        path.insert(0, job)
        job = last[job]
    return path


def main() -> None:
    """Print what is said above."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--longest", type=int, default=15, metavar="N")
    options = parser.parse_args()
    jobs = jobs_of(options.folder)
    if not jobs:
        parser.error(f"{options.folder}: expected the records of a run, found none.")
    seconds = [job.seconds for job in jobs]
    total = sum(seconds)
    whole = max(job.end for job in jobs) - min(job.start for job in jobs)
    print(f"{len(jobs)} jobs took {total:.0f} s, and the run {whole:.0f} s: ", end="")
    print(f"{total / whole:.2f} jobs at a time. The longest:\n")
    for job in sorted(jobs, key=lambda job: -job.seconds)[: options.longest]:
        print(f"{job.seconds:8.1f} s {job.seconds / total:6.1%}  {job.name}")
    path = critical_path(seconds, before(jobs))
    print(f"\nThe critical path takes {sum(seconds[job] for job in path):.0f} s:\n")
    for job in path:
        print(f"{jobs[job].seconds:8.1f} s  {jobs[job].name}")


if __name__ == "__main__":
    main()
