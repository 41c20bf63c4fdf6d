"""The workflow on a real SLURM: the same bytes as on one machine, and nothing lost on the way.

Not among the ordinary tests, because it takes minutes: `pytest tests/cluster/check_slurm.py`. It
needs Debian's packages slurm-wlm and munge, and what requirements-cluster.lock names.

SLURM looks at memory once a second here, and at each step of a job by itself, where cgroups would
bound the job as a whole. It kills the step, whose Snakemake then ends the job: the job's state is
FAILED, with cgroups it would be OUT_OF_MEMORY. Time limits are those of SLURM, but are brought near
once a job runs, because the shortest is a minute.
"""

import hashlib
import importlib.util
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(Path(__file__).parent))

import scheduler  # noqa: E402 (the module next to this file)

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
# For either dataset: prepare and split; recommend three systems and one; score and analyse.
JOBS, SUBMISSIONS = 16, 8
# Submissions of one group have one comment, by which tests find those that they disturb. For these
# all recommenders go together.
FEWER = 6
TOGETHER = ["--group-components", "recommend_{dataset}=7", "analyse_{dataset}=100"]
SNAKEMAKE = [sys.executable, "-m", "snakemake", "--snakefile", ROOT / "workflow/Snakefile"]
FOLDER = ROOT / "workflow/profiles/slurm"
PROFILE = [
    *("--workflow-profile", FOLDER),
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
    # Shell commands are shown, and with them all that Snakemake says.
    study = ["--printshellcmds", "--configfile", ROOT / "config/test.yaml", "--", *TARGETS]
    return subprocess.Popen(
        [*SNAKEMAKE, "--directory", folder, *options, *study],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | environment | {"PATH": path},
    )


def on_cluster(folder, cluster, meanwhile=lambda: None, options=()):
    """Run the workflow on the cluster, do something meanwhile, and return what it printed."""
    environment = scheduler.environment(cluster)
    environment["PATH"] = os.pathsep.join([str(FOLDER), environment["PATH"]])
    process = start(folder, [*PROFILE, *options], environment)
    disturbance = threading.Thread(target=meanwhile)
    disturbance.start()
    try:
        output, _ = process.communicate(timeout=900)
    finally:
        process.kill()
    disturbance.join()
    assert process.returncode == 0, output
    return output


def disturbed(folder, cluster, meanwhile, options=()):
    """Do the same with all recommenders of a dataset together."""
    return on_cluster(folder, cluster, meanwhile, [*TOGETHER, *options])


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


def state(cluster, number):
    """Return the state of a SLURM job."""
    return described(cluster, number)["JobState"]


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


def attempts(cluster, output, number):
    """Return what SLURM says of a job, and of those submitted in its place, in their order."""
    jobs = [described(cluster, job) for job in submissions(output)]
    return [job for job in jobs if job["Comment"] == described(cluster, number)["Comment"]]


def minutes(job):
    """Return the time limit of a job in minutes."""
    hours, rest, _ = map(int, job["TimeLimit"].split(":"))
    return 60 * hours + rest


def memory(job):
    """Return the memory that a job asked for, in MB."""
    return int(job["MinMemoryNode"].rstrip("M"))


def log(folder, number):
    """Return the log of a submission."""
    return next((folder / ".snakemake/slurm_logs").rglob(f"{number}.log")).read_text()


def hold(cluster, number):
    """Stop the processes of a job in the middle of a step."""
    step = re.compile(rf"^\s*{number}\.\d", re.MULTILINE)  # any: a first one may be over
    scheduler.wait(lambda: step.search(scheduler.run(cluster, "squeue", "-s", "-h")))
    scheduler.run(cluster, "scancel", "--full", "--signal", "STOP", number)


def is_asked(cluster):
    """Return whether Snakemake is asking the controller for something at this moment."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            asks = (process / "cmdline").read_bytes() == b"scontrol\0show\0config\0"
            if asks and bytes(cluster) in (process / "environ").read_bytes():
                return True
        except OSError:  # it has ended
            continue
    return False


def take_away(cluster):
    """End the controller, and start it again when Snakemake has asked it in vain."""
    time.sleep(6)  # until the controller has saved what it was told last
    os.kill(int((cluster / "slurmctld.pid").read_text()), signal.SIGKILL)
    scheduler.wait(lambda: is_asked(cluster))
    time.sleep(15)  # they give up after 9 s
    scheduler.run(cluster, "slurmctld")


@pytest.mark.parametrize("shards", [1, 7])
def test_every_study_can_be_submitted(tmp_path, shards):
    """No group may wait for a job outside it that waits for the group."""
    process = subprocess.run(
        [
            *map(str, [*SNAKEMAKE, "--directory", tmp_path, *PROFILE[:3], "--dry-run", "--quiet"]),
            *("--config", f"shards={shards}", "--configfile", str(ROOT / "config/demo.yaml")),
            *("--", "all"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stdout + process.stderr


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

    output = disturbed(tmp_path, cluster, disturb)
    assert contents(tmp_path) == local
    assert seen["killed"] in submissions(output)
    assert "Trying to restart job" in output
    first, second = attempts(cluster, output, seen["killed"])
    assert memory(second) == 2 * memory(first)
    assert len(submissions(output)) > FEWER
    moved = described(cluster, seen["moved"])
    assert moved["NodeList"] != seen["node"]
    assert moved["Restarts"] == "1"


def test_too_little_time_and_too_little_memory_are_more_the_next_time(cluster, local, tmp_path):
    seen = {}

    def disturb():
        seen["late"], _ = running(cluster, "recommend_tiny")
        seen["asked"] = minutes(described(cluster, seen["late"]))
        hold(cluster, seen["late"])
        scheduler.run(cluster, "scontrol", "update", f"JobId={seen['late']}", "EndTime=now+2")
        seen["big"], _ = running(cluster, "analyse_other")

    # Less than Python alone takes: SLURM looks once a second, longer than the analysis takes.
    little = "robustness_sparsity:mem_mb=40*15**(attempt-1)"
    output = disturbed(tmp_path, cluster, disturb, ["--set-resources", little])
    assert contents(tmp_path) == local
    late, longer = attempts(cluster, output, seen["late"])
    assert (late["JobState"], longer["JobState"]) == ("TIMEOUT", "COMPLETED")
    assert minutes(longer) == 2 * seen["asked"]
    big, bigger = attempts(cluster, output, seen["big"])
    assert (big["JobState"], bigger["JobState"]) == ("FAILED", "COMPLETED")
    assert (memory(big), memory(bigger)) == (40, 600)
    assert re.search(
        rf"StepId={big['JobId']}\.\S+ exceeded memory limit", log(tmp_path, big["JobId"])
    )
    assert "exceeded memory limit" not in log(tmp_path, late["JobId"])
    assert len(submissions(output)) == FEWER + 2


def test_a_lost_controller_and_an_urgent_job_lose_nothing(cluster, local, tmp_path):
    seen = {}

    def disturb():
        running(cluster, "recommend_tiny")
        seen["held"], _ = running(cluster, "recommend_other")
        hold(cluster, seen["held"])
        take_away(cluster)
        scheduler.run(cluster, "scancel", "--full", "--signal", "CONT", seen["held"])
        # An urgent job takes the whole node: this one must not be there any more.
        scheduler.wait(lambda: state(cluster, seen["held"]) == "COMPLETED", seconds=300)
        seen["moved"], node = running(cluster, "analyse")
        urgent = ["--partition", "urgent", "--nodelist", node, "--exclusive", "--wrap", "sleep 5"]
        quiet = ["--parsable", "--output", "/dev/null"]
        seen["urgent"] = scheduler.run(cluster, "sbatch", *quiet, *urgent).strip()

    output = disturbed(tmp_path, cluster, disturb)
    assert contents(tmp_path) == local
    assert "(MinJobAge=None;" in output  # it was asked in vain
    assert len(attempts(cluster, output, seen["held"])) == 1
    assert described(cluster, seen["held"])["Restarts"] == "0"
    assert len({described(cluster, job)["Comment"] for job in submissions(output)}) == FEWER
    for number in submissions(output):
        *failed, last = attempts(cluster, output, number)
        assert last["JobState"] == "COMPLETED"
        # Only a job that began a step in the meantime runs twice.
        for job in failed:
            assert "Unable to contact slurm controller" in log(tmp_path, job["JobId"])
    assert described(cluster, seen["moved"])["Restarts"] == "1"
    assert described(cluster, seen["urgent"])["JobState"] == "COMPLETED"


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
