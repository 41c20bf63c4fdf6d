"""The workflow on a real SLURM: the same bytes as on one machine, and nothing lost on the way.

Not among the ordinary tests, because it takes minutes: `pytest tests/cluster/check_slurm.py`. It
needs Debian's packages slurm-wlm and munge, and what requirements-cluster.lock names.
"""

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(Path(__file__).parent))

import scheduler  # noqa: E402 (the module beside this file)

REASON = scheduler.missing()
if not importlib.util.find_spec("snakemake_executor_plugin_slurm"):
    REASON = REASON or "no SLURM plugin here; pip install -r requirements-cluster.lock"
pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON)

# Both datasets of the smallest study, all its systems, and analyses that follow one another.
TARGETS = [
    "results/tiny/robustness/sparsity.csv",
    "results/tiny/robustness/metric-correlation.csv",
    "results/other/robustness/sparsity.csv",
]
# prepare and split; recommend; score and analyse: each together, for either dataset.
JOBS, SUBMISSIONS = 16, 6
SNAKEMAKE = [sys.executable, "-m", "snakemake", "--snakefile", ROOT / "Snakefile"]
PROFILE = [
    *("--workflow-profile", ROOT / "workflow/profiles/slurm"),
    # This SLURM has no accounts and no accounting, and answers at once.
    *("--slurm-no-account", "--slurm-status-command", "squeue"),
    *("--slurm-init-seconds-before-status-checks", "2", "--latency-wait", "10"),
]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Return the folder of a running SLURM."""
    folder = tmp_path_factory.mktemp("slurm")
    scheduler.up(folder)
    yield folder
    scheduler.down(folder)


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """Return what a run on this machine makes."""
    folder = tmp_path_factory.mktemp("local")
    process = start(folder, ["--cores", "2"], os.environ)
    output, _ = process.communicate()
    assert process.returncode == 0, output
    return contents(folder)


def start(folder, options, environment):
    """Start the workflow in a folder and return its process."""
    path = os.pathsep.join([str(Path(sys.executable).parent), environment["PATH"]])
    study = ["--configfile", ROOT / "config/test.yaml", "--", *TARGETS]
    return subprocess.Popen(
        [*SNAKEMAKE, "--directory", folder, *options, *study],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | environment | {"PATH": path},
    )


def on_cluster(folder, cluster, meanwhile=lambda: None):
    """Run the workflow on the cluster, do something meanwhile, and return what it printed."""
    process = start(folder, PROFILE, scheduler.environment(cluster))
    disturbance = threading.Thread(target=meanwhile)
    disturbance.start()
    output, _ = process.communicate(timeout=1800)
    disturbance.join()
    assert process.returncode == 0, output
    return output


def contents(folder):
    """Return the checksum of every artifact, without the run times that Snakemake measures."""
    return {
        path.relative_to(folder): hashlib.sha256(path.read_bytes()).hexdigest()
        for kind in ("results", "data")
        for path in sorted((folder / kind).rglob("*"))
        if path.is_file() and "benchmarks" not in path.parts
    }


def submissions(output):
    """Return the SLURM jobs that a run submitted."""
    return re.findall(r"submitted with SLURM jobid (\d+)", output)


def described(cluster, number):
    """Return what SLURM says of a job, by key."""
    words = scheduler.run(cluster, "scontrol", "show", "job", number).split()
    return dict(word.split("=", 1) for word in words if "=" in word)


def running(cluster, rule):
    """Wait for a running SLURM job with a rule and return its number and node."""
    found = []

    def is_there():
        jobs = scheduler.run(cluster, "squeue", "-h", "-t", "running", "-o", "%i %N %k")
        found[:] = [line.split() for line in jobs.splitlines() if rule in line]
        return found

    scheduler.wait(is_there, seconds=600)
    time.sleep(2)  # it has begun its work
    return found[0][:2]


def test_a_cluster_gives_the_bytes_of_one_machine(cluster, local, tmp_path):
    output = on_cluster(tmp_path, cluster)
    assert contents(tmp_path) == local
    assert len(local) >= JOBS
    assert f"{JOBS} of {JOBS} steps" in output
    assert len(submissions(output)) == SUBMISSIONS


def test_what_is_killed_and_what_loses_its_node_runs_again(cluster, local, tmp_path):
    seen = {}

    def disturb():
        seen["killed"], _ = running(cluster, "recommend")
        scheduler.run(cluster, "scancel", seen["killed"])
        seen["moved"], seen["node"] = running(cluster, "analyse")
        node = f"NodeName={seen['node']}"
        scheduler.run(cluster, "scontrol", "update", node, "State=DOWN", "Reason=test")

    output = on_cluster(tmp_path, cluster, disturb)
    assert contents(tmp_path) == local
    assert seen["killed"] in submissions(output)
    assert "Trying to restart job" in output
    jobs = [described(cluster, number) for number in submissions(output)]
    again = [job for job in jobs if job["Comment"] == described(cluster, seen["killed"])["Comment"]]
    first, second = (int(job["MinMemoryNode"].rstrip("M")) for job in again)
    assert second == 2 * first
    assert len(submissions(output)) > SUBMISSIONS
    moved = described(cluster, seen["moved"])
    assert moved["NodeList"] != seen["node"]
    assert moved["Restarts"] == "1"


def test_the_profile_for_other_schedulers_runs_with_a_command_to_submit(cluster, local, tmp_path):
    options = [
        *("--workflow-profile", ROOT / "workflow/profiles/generic", "--latency-wait", "10"),
        "--cluster-generic-submit-cmd",
        "sbatch --parsable --mem {resources.mem_mb} --time {resources.runtime} --output /dev/null",
        *("--cluster-generic-cancel-cmd", "scancel"),
    ]
    process = start(tmp_path, options, scheduler.environment(cluster))
    output, _ = process.communicate(timeout=1800)
    assert process.returncode == 0, output
    assert contents(tmp_path) == local
    assert len(re.findall(r"external jobid '\d+'", output)) == SUBMISSIONS
