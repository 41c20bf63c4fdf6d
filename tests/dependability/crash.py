"""Kill runs, fill disks and take files away: `python tests/dependability/crash.py [KILLS] [SEED]`.

A small part of the study runs once undisturbed. Then it is killed at random moments and started
again until it is done, over and over. Right after each kill every file that has the name of an
artifact must be whole, and every run that ends must end with the bytes of the undisturbed one.
Tests with disks of their own need to be allowed to mount; without it they are not run, and say so.
"""

import contextlib
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
KINDS = ("results", "figures", "data")
MANIFEST = {"results/manifest.json", "results/.manifest.json.sha256"}
TARGETS = [
    "figures/robustness/tiny/figure-1.png",
    "results/tables/robustness/power-differences.md",
]
CONFIG = [
    "--config",
    'datasets=["tiny"]',
    'recommenders=["random","popularity"]',
    "shards=2",  # some files are parts, which go when they are joined
    "--configfile",
    str(ROOT / "config/test.yaml"),
]
ENVIRONMENT = os.environ | {
    "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    "PYTHONPATH": str(ROOT / "src"),
}


def command(folder, *options):
    """Return the command that runs the part of the study in a folder."""
    start = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "workflow/Snakefile")]
    return [*start, "--directory", str(folder), "--cores", "2", *options, *TARGETS, *CONFIG]


def started(folder, *options):
    """Start the run in a process group of its own."""
    with open(folder.parent / f"{folder.name}.log", "wb") as log:
        return subprocess.Popen(
            command(folder, *options),
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            cwd=folder,
            env=ENVIRONMENT,
        )


def said(folder):
    """Return what the last run in a folder printed."""
    return (folder.parent / f"{folder.name}.log").read_text(errors="replace")


def finish(folder, *options):
    """Run to the end, and raise AssertionError with what was printed if that fails."""
    assert started(folder, *options).wait() == 0, said(folder)


def resume(folder):
    """Go on after a kill, by the two commands that the messages name."""
    assert started(folder, "--unlock").wait() == 0, said(folder)
    finish(folder)


def kill(process):
    """End a run and all its jobs at once, without a chance to tidy up."""
    with contextlib.suppress(psutil.NoSuchProcess):
        children = psutil.Process(process.pid).children(recursive=True)
        os.killpg(process.pid, signal.SIGKILL)
        for child in children:
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()
        psutil.wait_procs(children, timeout=10)
    process.wait()


def artifacts(folder):
    """Return the checksum of every file that has the name of an artifact."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for kind in KINDS
        for path in sorted((folder / kind).rglob("*"))
        if path.is_file() and "benchmarks" not in path.parts and not temporary(path)
    }


def temporary(path):
    """Return whether a file is one that was being written."""
    return path.name.startswith(".") and path.name.endswith((".tmp", ".snakemake_timestamp"))


def lasting(checksums):
    """Return those of files that stay: the parts of shared work are gone once they are joined."""
    return {name: checksum for name, checksum in checksums.items() if "/shards/" not in name}


def check_whole(folder, reference):
    """Raise AssertionError if a file is not as the undisturbed run wrote it."""
    for name, checksum in artifacts(folder).items():
        assert reference.get(name) == checksum, f"{name} is not what the undisturbed run wrote"


def check_same(folder, reference):
    """Raise AssertionError if the artifacts are not those of the undisturbed run."""
    found, reference = lasting(artifacts(folder)), lasting(reference)
    differ = [name for name in {*found, *reference} if found.get(name) != reference.get(name)]
    assert not differ, f"{folder.name}: {sorted(differ)} are not as the undisturbed run left them"


def kills(folder, reference, seconds, count, rng):
    """Kill runs at random moments; return how many ended, the last of them undisturbed."""
    killed, ended = 0, 0
    while killed < count:
        folder.mkdir(exist_ok=True)
        process = started(folder)
        moment = rng.uniform(0, seconds)
        try:
            assert process.wait(moment) == 0, said(folder)
        except subprocess.TimeoutExpired:
            kill(process)
            killed += 1
            check_whole(folder, reference)
            # What --unlock does, of which `a_stale_lock` is the test.
            shutil.rmtree(folder / ".snakemake/locks", ignore_errors=True)
            whole, left = len(artifacts(folder)), sum(1 for _ in folder.rglob(".*.tmp"))
            print(
                f"kill {killed} after {moment:.1f} s: {whole} whole, {left} unfinished", flush=True
            )
            if {*lasting(reference)} - {*artifacts(folder)} == MANIFEST:
                # After the last job, Snakemake finds nothing to do, and its end does not come.
                shutil.rmtree(folder)
        else:
            check_same(folder, reference)
            shutil.rmtree(folder)
            ended += 1
    folder.mkdir(exist_ok=True)
    finish(folder)
    check_same(folder, reference)
    return ended + 1


def a_stale_lock(folder, reference):
    """The message of a run that finds a lock names the command that clears it."""
    process = started(folder)
    # The last file of the lock, and written: a run killed before has locked nothing yet.
    wait_for(process, folder / ".snakemake/locks/0.output.lock", size=1)
    kill(process)
    assert started(folder).wait() != 0
    assert "--unlock" in said(folder), said(folder)
    assert "Traceback" not in said(folder)
    resume(folder)


def half_a_job(folder, reference):
    """A run that finds some files of a killed job makes it again, once the lock is gone."""
    process = started(folder)
    wait_for(process, folder / "results/tiny/split/train.npz")
    kill(process)
    check_whole(folder, reference)
    assert started(folder).wait() != 0
    assert "--unlock" in said(folder), said(folder)
    assert "Traceback" not in said(folder)
    resume(folder)


def a_signal(number, group):
    """Return a test that stops a run by a signal, in the middle, and goes on."""

    def test(folder, reference):
        process = started(folder)
        wait_for(process, folder / "results/tiny/split/test.npz")
        (os.killpg if group else os.kill)(process.pid, number)
        assert process.wait() != 0
        check_whole(folder, reference)
        # Snakemake has taken its lock away itself.
        finish(folder)

    return test


def a_missing_input(folder, reference):
    """A file that disappears while jobs run is made again by the next run."""
    process = started(folder)
    wait_for(process, folder / "results/tiny/split/train.npz")
    (folder / "results/tiny/split/train.npz").unlink()
    process.wait()
    check_whole(folder, reference)
    finish(folder)


def a_damaged_artifact(folder, reference):
    """A damaged file is named in one line, with what to do about it."""
    finish(folder)
    path = folder / "results/tiny/scores.npz"
    path.write_bytes(path.read_bytes()[:1000])
    # Snakemake makes nothing again that only lies on the way to files which are there.
    for later in ("figures", "results/tables", "results/tiny/robustness"):
        shutil.rmtree(folder / later)
    assert started(folder).wait() != 0
    assert "not what the run wrote: results/tiny/scores.npz" in said(folder), said(folder)
    assert "Delete what was altered since, and run again" in said(folder)
    path.unlink()
    finish(folder)


def a_full_disk(folder, reference):
    """A run on a disk that is too small names the problem, and goes on when there is room."""
    needed = sum(path.stat().st_size for path in (folder.parent / "reference").rglob("*.*"))
    with mounted(folder, f"size={needed * 6 // 10}"):
        assert started(folder).wait() != 0
        assert "No space left on device" in said(folder), said(folder)
        check_whole(folder, reference)
        subprocess.run(["mount", "-o", "remount,size=1g", folder], check=True)
        resume(folder)
        check_same(folder, reference)


def a_read_only_folder(folder, reference):
    """A folder of results that cannot be written to is named."""
    (folder / "results").mkdir()
    with mounted(folder / "results", "size=50m,ro"):
        assert started(folder).wait() != 0
        assert "expected a folder that can be written to" in said(folder), said(folder)
        subprocess.run(["mount", "-o", "remount,rw", folder / "results"], check=True)
        resume(folder)
        check_same(folder, reference)


@contextlib.contextmanager
def mounted(folder, options):
    """Give a folder a disk of its own, in memory."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def can_mount():
    """Return whether this process may mount a disk."""
    with tempfile.TemporaryDirectory() as folder:
        if os.geteuid() != 0:
            return False
        mount = ["mount", "-t", "tmpfs", "tmpfs", folder]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            return False
        subprocess.run(["umount", folder], check=True)
        return True


def wait_for(process, path, size=0):
    """Wait until a file has `size` bytes; raise AssertionError if the run ends first."""
    while not (path.exists() and path.stat().st_size >= size):
        assert process.poll() is None, f"the run ended before {path} was there"
        time.sleep(0.01)


FAULTS = {
    "a stale lock": a_stale_lock,
    "half a job": half_a_job,
    "SIGTERM": a_signal(signal.SIGTERM, group=False),
    "Ctrl-C": a_signal(signal.SIGINT, group=True),
    "a missing input": a_missing_input,
    "a damaged artifact": a_damaged_artifact,
}
DISKS = {"a full disk": a_full_disk, "a read-only folder": a_read_only_folder}


def main(count=5, seed=0):
    """Run everything; raise AssertionError for the first thing that is not as it should be."""
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / "reference"
        folder.mkdir()
        began = time.monotonic()
        finish(folder)
        seconds = time.monotonic() - began
        reference = artifacts(folder)
        print(f"undisturbed: {len(reference)} artifacts in {seconds:.0f} s", flush=True)
        keeping = Path(work) / "keeping-parts"
        keeping.mkdir()
        finish(keeping, "--notemp")
        parts = artifacts(keeping)
        reference |= {name: parts[name] for name in {*parts} - {*lasting(parts)}}
        assert len(reference) > len(lasting(reference))
        ended = kills(Path(work) / "killed", reference, seconds, count, random.Random(seed))
        print(f"{count} kills, {ended} runs ended with the same bytes", flush=True)
        for name, fault in (FAULTS | DISKS if can_mount() else FAULTS).items():
            folder = Path(work) / name.replace(" ", "-")
            folder.mkdir()
            fault(folder, reference)
            if name not in DISKS:
                check_same(folder, reference)
            print(f"{name}: the same bytes in the end", flush=True)
        if not can_mount():
            print(f"not run, as nothing can be mounted here: {', '.join(DISKS)}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
