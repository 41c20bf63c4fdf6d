"""What a run on a cluster reserves, and what it uses of that, on the SLURM of the tests.

    PYTHONPATH=PLUGINS ./run python benchmarks/cluster.py FOLDER --raw-dir RAW

PLUGINS has the packages of requirements-cluster.lock; Debian's slurm-wlm and munge are needed. The
study `robustness` of a dataset, MovieLens 100K if not named, runs through workflow/profiles/slurm
in FOLDER, which must be empty or not there. The two nodes together have as many processors as
--processors says, by default those of this machine, so that no processor is promised twice.

SLURM says when each submission was submitted, started and ended and how many processors it had.
There is no accounting, so each Snakemake inside a submission writes down the CPU seconds that it
and its children used, and when it started its first job.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests/cluster"))

import scheduler  # noqa: E402 (not in a package)

# Python runs this at the start of each Snakemake; the jobs themselves have another path.
SITE = """
import atexit, json, os, resource, sys, time
jobs = []

def hook(event, arguments):
    if event == "subprocess.Popen" and "-m rankassay " in str(arguments[1]):
        jobs.append(time.time())

def used(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime

@atexit.register
def write():
    number = os.environ.get("SLURM_JOB_ID")
    if number and "snakemake" in sys.orig_argv:
        record = dict(submission=number, jobs=jobs, own=used(resource.RUSAGE_SELF),
                      children=used(resource.RUSAGE_CHILDREN), ended=time.time())
        with open(os.path.join({folder!r}, f"{{number}}-{{os.getpid()}}.json"), "w") as file:
            json.dump(record, file)

sys.addaudithook(hook)
"""


@dataclass
class Submission:
    """What SLURM and the Snakemakes inside say of a submission, in seconds."""

    name: str
    jobs: int
    waited: float
    elapsed: float
    processors: int
    used: float
    snakemake: float
    before: float

    @property
    def reserved(self) -> float:
        """The processors' time that nobody else could have."""
        return self.elapsed * self.processors


def study(folder: Path, cluster: Path, options: argparse.Namespace) -> str:
    """Run the study through the profile and return what Snakemake printed."""
    records = cluster / "records"
    records.mkdir()
    (records / "sitecustomize.py").write_text(SITE.format(folder=str(records)))
    profile = ROOT / "workflow/profiles/slurm"
    environment = os.environ | scheduler.environment(cluster)
    paths = [str(profile), str(Path(sys.executable).parent), environment["PATH"]]
    environment["PATH"] = os.pathsep.join(paths)
    environment["PYTHONPATH"] = os.pathsep.join([str(records), environment["PYTHONPATH"]])
    config = [f'datasets=["{options.dataset}"]', 'studies=["robustness"]']
    config += [f"raw_dir={options.raw_dir.resolve()}"] if options.raw_dir else []
    command = [sys.executable, "-m", "snakemake", "--snakefile", ROOT / "workflow/Snakefile"]
    command += ["--directory", folder, "--workflow-profile", profile]
    command += ["--slurm-no-account", "--slurm-status-command", "squeue"]
    command += ["--slurm-init-seconds-before-status-checks", "2", "--latency-wait", "10"]
    command += [*options.more, "--config", *config, "--", "robustness"]
    process = subprocess.run(
        [*map(str, command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        env=environment,
    )
    if process.returncode:
        sys.exit(process.stdout)
    return process.stdout


def submissions(output: str, cluster: Path) -> list[Submission]:
    """Return all submissions of a run."""
    found = []
    for number in re.findall(r"submitted with SLURM jobid (\d+)", output):
        words = scheduler.run(cluster, "scontrol", "show", "job", number).split()
        said = dict(word.split("=", 1) for word in words if "=" in word)
        submitted, start, end = (
            datetime.fromisoformat(said[f"{key}Time"]).timestamp()
            for key in ("Submit", "Start", "End")
        )
        records = [json.loads(path.read_text()) for path in cluster.glob(f"records/{number}-*")]
        begun = [begin for record in records for begin in record["jobs"]]
        found.append(
            Submission(
                said["Comment"],
                len(begun),
                start - submitted,
                end - start,
                int(said["NumCPUs"]),
                sum(record["own"] + record["children"] for record in records),
                sum(record["own"] for record in records),
                min(begun, default=end) - start,
            )
        )
    return found


def report(found: list[Submission], whole: float) -> None:
    """Print a row for each submission, and the sums."""
    print("| submission | jobs | waited s | elapsed s | processors | CPU s ", end="")
    print("| of it Snakemake | before the first job s | used / reserved |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for one in found:
        print(
            f"| {one.name} | {one.jobs} | {one.waited:.0f} | {one.elapsed:.0f} | {one.processors} "
            f"| {one.used:.1f} | {one.snakemake:.1f} | {one.before:.1f} "
            f"| {one.used / one.reserved:.2f} |"
        )
    used, reserved = sum(one.used for one in found), sum(one.reserved for one in found)
    print(
        f"\n{len(found)} submissions with {sum(one.jobs for one in found)} jobs in {whole:.0f} s. "
        f"CPU seconds used: {used:.0f}, of them Snakemake {sum(s.snakemake for s in found):.0f}; "
        f"reserved: {reserved:.0f}; used / reserved: {used / reserved:.2f}. They waited "
        f"{sum(one.waited for one in found):.0f} s in the queue."
    )


def main() -> None:
    """Run the study on a cluster, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--raw-dir", type=Path)
    parser.add_argument("--dataset", default="ml-100k")
    parser.add_argument("--processors", type=int, default=os.cpu_count())
    parser.add_argument("--more", nargs="*", default=[], help="options of Snakemake")
    options = parser.parse_args()
    folder = options.folder.resolve()
    if folder.exists() and any(folder.iterdir()):
        parser.error(f"{folder}: expected an empty folder, or none.")
    cluster = folder / "slurm"
    cluster.parent.mkdir(parents=True, exist_ok=True)
    cluster.mkdir()
    scheduler.up(cluster, processors=-(-options.processors // len(scheduler.NODES)))
    try:
        started = time.time()
        output = study(folder, cluster, options)
        report(submissions(output, cluster), time.time() - started)
    finally:
        scheduler.down(cluster)


if __name__ == "__main__":
    main()
