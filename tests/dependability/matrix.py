"""Every fault on every kind of artifact at every moment.

    ./run python tests/dependability/matrix.py [CELLS] [SEED] [FAULT ...] [--write]

A small part of the study runs once undisturbed. A cell of the matrix then makes one artifact once
more, and while that happens, or before, or after it, a fault hits the artifact. A cell is sound if
the run ends with the bytes of the undisturbed one, or fails with a message that names the file (or
the lock, or the disk), after which the advice that it gives leads to those bytes. Nothing that was
altered may be certified.

Without CELLS all are run, two at a time; with it, that number of them at random; with names of
faults, only theirs. `--write` puts the table into docs/developers/dependability-tests.md. Disks
need the right to mount; without it their cells are skipped, and the table says so.
"""

import contextlib
import functools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from crash import ENVIRONMENT, ROOT, can_mount, kill, mounted

PAGE = ROOT / "docs/developers/dependability-tests.md"
MOMENTS = ("before", "during", "after")
CONFIG = [
    *("--configfile", str(ROOT / "config/test.yaml")),
    *("--config", 'datasets=["tiny"]', 'recommenders=["random","popularity"]'),
    *('studies=["aggregation"]', "shards=2"),
]
TINY = "results/tiny"
SHOWN = ("figures", "results/tables", "results/report.html", "results/report.json")
# The study of aggregation, and an analysis that reads scores.
TARGETS = ("all", f"{TINY}/robustness/cutoff-correlation.csv")
LATER = (
    *SHOWN,
    f"{TINY}/aggregation",
    f"{TINY}/robustness",
    "results/claims.csv",
    "results/claims-totals.csv",
    "results/claims-sentences.csv",
)


@dataclass(frozen=True)
class Kind:
    """A kind of artifact: one of it, and what is made from it."""

    path: str
    later: tuple[str, ...] = ()


KINDS = {
    "ratings (npz)": Kind("data/processed/tiny/ratings.npz", (TINY, *LATER)),
    "split (mapped npz)": Kind(f"{TINY}/split/train.npz", (f"{TINY}/rankings", *LATER)),
    "lists (npz)": Kind(
        f"{TINY}/rankings/popularity.npz", (f"{TINY}/scores.npz", f"{TINY}/advice.json", *LATER)
    ),
    "scores (npz)": Kind(f"{TINY}/scores.npz", LATER),
    "replicates (npz)": Kind(
        f"{TINY}/aggregation/groups.npz", (f"{TINY}/aggregation/groups.csv", *SHOWN)
    ),
    "table (csv)": Kind(f"{TINY}/aggregation/groups.csv", SHOWN),
    "contents (json)": Kind("results/report.json", ("results/report.html",)),
    "figure (svg)": Kind("figures/aggregation/tiny/groups.svg", ("results/report.html",)),
    "figure (png)": Kind("figures/aggregation/tiny/groups.png", ("results/report.html",)),
    "table (md)": Kind("results/tables/aggregation/groups.md", ("results/report.html",)),
    "report (html)": Kind("results/report.html"),
    "manifest (json)": Kind("results/manifest.json", ("results/report.html",)),
}


class Cell:
    """One fault on one kind of artifact at one moment, in a folder of its own."""

    def __init__(self, folder, work, kind, moment):
        self.folder, self.work, self.kind, self.moment = folder, work, kind, moment
        self.path = folder / kind.path
        self.lines = []  # what all runs printed

    def start(self, *options):
        """Start a run."""
        command = [sys.executable, "-m", "snakemake", "--directory", str(self.folder)]
        command += ["--snakefile", str(ROOT / "workflow/Snakefile"), "--cores", "1"]
        command += ["--latency-wait", "1", *TARGETS, *CONFIG, *options]
        with open(self.folder.with_suffix(".log"), "wb") as log:
            return subprocess.Popen(
                command,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                cwd=self.folder,
                env=ENVIRONMENT,
            )

    def ended(self, process):
        """Wait for a run; return whether it succeeded, and what it printed."""
        status = process.wait(timeout=300)
        said = self.folder.with_suffix(".log").read_text(errors="replace")
        assert "Traceback" not in said, said
        self.lines += said.splitlines()
        return status == 0, said

    def run(self):
        """Run to the end."""
        return self.ended(self.start())

    def remove(self, *places):
        """Remove what is made from the artifact, or other places, with all records."""
        for place in places or self.kind.later:
            path = self.folder / place
            if path.is_dir():
                shutil.rmtree(path)
            for own in (path, path.with_name(f".{path.name}.sha256")):
                own.unlink(missing_ok=True)

    def wait_for_it(self, process):
        """Wait until the artifact is about to be written, or was."""
        while process.poll() is None and not (
            self.path.exists() or [*self.path.parent.glob(f".{self.path.name}.*")]
        ):
            time.sleep(0.001)

    def same(self, reference):
        """Raise AssertionError unless the artifacts are those of the undisturbed run."""
        # Parts that Snakemake could not remove when it meant to are left, and certified.
        found = {name: k for name, k in checksums(self.folder).items() if "/shards/" not in name}
        differ = [name for name in {*found, *reference} if found.get(name) != reference.get(name)]
        assert not differ, f"not as the undisturbed run left them: {sorted(differ)}"


def checksums(folder):
    """Return the checksums of the artifacts in a folder, by their paths; reports hold times."""
    program = (
        "import json, pathlib; from rankassay.artifacts import manifest; "
        "print(json.dumps(manifest.artifacts(pathlib.Path())))"
    )
    command = [sys.executable, "-c", program]
    found = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, check=True)
    return json.loads(found.stdout)


def damage(change):
    """Return a fault that changes the artifact's bytes, and leaves its time as it was."""

    def fault(cell):
        with contextlib.suppress(FileNotFoundError):
            times = cell.path.stat()
            content = bytearray(cell.path.read_bytes())
            if content:
                cell.path.write_bytes(change(content))
                os.utime(cell.path, ns=(times.st_atime_ns, times.st_mtime_ns))

    return fault


def flipped(content):
    """Flip one bit in the middle."""
    content[len(content) // 2] ^= 4
    return bytes(content)


def deleted(cell):
    """Delete the artifact."""
    cell.path.unlink(missing_ok=True)


def swapped(cell):
    """Put another artifact with the same ending in its place."""
    if cell.path.exists():
        own, suffix = cell.path.read_bytes(), cell.path.suffix
        others = [path for path in (cell.work / "reference").glob("*/**/[!.]*") if path.is_file()]
        others.sort(key=lambda path: (path.suffix != suffix, path))
        shutil.copyfile(next(path for path in others if path.read_bytes() != own), cell.path)


def older(cell):
    """Put the artifact of an older run with another seed in its place, as a backup would."""
    if cell.path.exists():
        shutil.copy2(cell.work / "older" / cell.kind.path, cell.path)


def clock(cell):
    """Give the artifact a time ten years ahead."""
    if cell.path.exists():
        later = time.time() + 10 * 365 * 86400
        os.utime(cell.path, (later, later))


FILES = {
    "deleted": deleted,
    "truncated": damage(lambda content: bytes(content[: len(content) // 2])),
    "bit-flipped": damage(flipped),
    "swapped": swapped,
    "an older file": older,
    "clock": clock,
}


def hit_a_file(fault, cell):
    """Let a fault hit the artifact; return whether the run succeeded, and what it said."""
    if cell.moment == "before":
        cell.remove()
        fault(cell)
        return cell.run()
    if cell.moment == "during":
        cell.remove(cell.kind.path, *cell.kind.later)
        process = cell.start()
        cell.wait_for_it(process)
        while process.poll() is None and not cell.path.exists():
            time.sleep(0.001)
        fault(cell)
        return cell.ended(process)
    fault(cell)
    return cell.run()


def hit_by_kill(cell):
    """Kill the run and all its jobs, and go on by the two commands that the messages name."""
    cell.remove(cell.kind.path, *cell.kind.later)
    process = cell.start()
    if cell.moment == "before":
        lock = cell.folder / ".snakemake/locks/0.input.lock"
        while process.poll() is None and not lock.exists():
            time.sleep(0.001)
    else:
        cell.wait_for_it(process)
        while cell.moment == "after" and process.poll() is None and not cell.path.exists():
            time.sleep(0.001)
    kill(process)
    shutil.rmtree(cell.folder / ".snakemake/locks", ignore_errors=True)  # what --unlock does
    return cell.run()


def hit_by_another_run(cell):
    """Start a second run in the same folder."""
    cell.remove(cell.kind.path, *cell.kind.later)
    process = cell.start()
    if cell.moment == "during":
        cell.wait_for_it(process)
    elif cell.moment == "before":
        time.sleep(1)
    else:
        process.wait()
    log = cell.folder.with_suffix(".log")
    log.rename(log.with_suffix(".first"))  # still written to
    second, said = cell.run()
    first = process.wait() == 0
    heard = log.with_suffix(".first").read_text(errors="replace")
    # On a busy machine the second may be the one that gets the lock.
    assert first or second, heard + said
    assert second or "lock" in said, said
    assert first or "lock" in heard, heard
    return True, said


def hit_by_a_disk(options, cell):
    """Let the folder of the artifact be read-only or full, and mend that."""
    place = cell.path.parent
    cell.remove(cell.kind.path, *cell.kind.later)
    place.mkdir(parents=True, exist_ok=True)
    kept = cell.work / f"{cell.folder.name}-kept"
    shutil.copytree(place, kept)
    with mounted(place, "size=200m"):
        shutil.copytree(kept, place, dirs_exist_ok=True)
        (place / "lost+found").mkdir()  # as disks have; Snakemake removes folders that are empty
        disk = os.statvfs(place)
        used = (disk.f_blocks - disk.f_bfree) * disk.f_frsize
        limit = options.format(size=max(used, disk.f_frsize))
        process = None
        if cell.moment == "before":
            subprocess.run(["mount", "-o", f"remount,{limit}", place], check=True)
        process = cell.start()
        if cell.moment != "before":
            cell.wait_for_it(process)
            while cell.moment == "after" and process.poll() is None and not cell.path.exists():
                time.sleep(0.001)
            # It fails while the file is being written: then that goes well.
            subprocess.run(
                ["mount", "-o", f"remount,{limit}", place], check=False, capture_output=True
            )
        ended, said = cell.ended(process)
        subprocess.run(["mount", "-o", "remount,rw,size=200m", place], check=True)
        if not ended:
            assert re.search(
                "No space left|can be written to|Read-only file system|Write-protected", said
            ), said
            ended, said = cell.run()
        (place / "lost+found").rmdir()
        shutil.rmtree(kept)
        shutil.copytree(place, kept)
    shutil.copytree(kept, place, dirs_exist_ok=True)
    return ended, said


FAULTS = {name: functools.partial(hit_a_file, fault) for name, fault in FILES.items()} | {
    "kill": hit_by_kill,
    "a concurrent run": hit_by_another_run,
}
DISKS = {
    "a full disk": functools.partial(hit_by_a_disk, "size={size}"),
    "a read-only folder": functools.partial(hit_by_a_disk, "ro,size=200m"),
}


def sound(cell, fault, reference):
    """Raise AssertionError unless a cell ends well; return how it did."""
    ended, said = fault(cell)
    outcome = "the same bytes"
    if ended:
        # Where nothing is left to do, nothing is read: `verify` shows what was altered.
        command = [sys.executable, "-m", "rankassay", "verify", "."]
        done = subprocess.run(
            command, cwd=cell.folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
        )
        ended, said = done.returncode == 0, done.stdout + done.stderr
    if not ended:
        named = [line for line in said.splitlines() if cell.path.name in line]
        assert named or "lock" in said, said
        outcome = "named, and mended by its advice"
        cell.remove(cell.kind.path, *cell.kind.later)
        ended, said = cell.run()
        assert ended, said
    cell.same(reference)
    return outcome


def undisturbed(folder, *options):
    """Run once; return the checksums of the artifacts."""
    folder.mkdir()
    cell = Cell(folder, folder.parent, KINDS["report (html)"], "before")
    ended, said = cell.ended(cell.start(*options))
    assert ended, said
    return checksums(folder)


def one(work, reference, cell):
    """Run one cell; return how it ended, or the message of what was wrong."""
    number, (fault, kind, moment) = cell
    folder = work / f"cell-{number}"
    shutil.copytree(work / "reference", folder, symlinks=True)  # with the times of the files
    try:
        found = sound(Cell(folder, work, KINDS[kind], moment), (FAULTS | DISKS)[fault], reference)
    except (AssertionError, OSError, subprocess.SubprocessError, StopIteration) as error:
        found = f"FAILED: {str(error)[-1500:]}"
    print(f"{fault}, {kind}, {moment}: {found}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    return cell[1], found


def table(outcomes):
    """Return the matrix as a table: for each fault and kind, in how many moments it ended how."""
    lines = ["| fault | " + " | ".join(KINDS) + " |", "|---" * (len(KINDS) + 1) + "|"]
    for fault in dict.fromkeys(fault for (fault, _, _), _ in outcomes):
        cells = []
        for kind in KINDS:
            own = [found[0] for (f, k, _), found in outcomes if (f, k) == (fault, kind)]
            cells.append("".join({"t": "=", "n": "!", "F": "X"}[letter] for letter in own) or "–")
        lines.append(f"| {fault} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(count=None, seed=0, write=False, only=()):
    """Run the matrix, or `only` some faults; exit with status 1 if a cell is not sound."""
    faults = FAULTS | DISKS if can_mount() else FAULTS
    cells = [*product([fault for fault in faults if fault in (only or faults)], KINDS, MOMENTS)]
    if count:
        cells = random.Random(seed).sample(cells, count)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        reference = undisturbed(work / "reference")
        missing = [kind for kind in KINDS if not (work / "reference" / KINDS[kind].path).exists()]
        assert not missing, missing
        undisturbed(work / "older", "seed=1")
        with ThreadPoolExecutor(2) as pool:
            outcomes = [*pool.map(functools.partial(one, work, reference), enumerate(cells))]
    found = Counter(outcome if outcome[0] != "F" else "failed" for _, outcome in outcomes)
    minutes = (time.monotonic() - began) / 60
    summary = f"{len(cells)} cells in {minutes:.0f} minutes: " + ", ".join(
        f"{n} {outcome}" for outcome, n in sorted(found.items())
    )
    print(table(outcomes), summary, sep="\n\n")
    if write:
        text = PAGE.read_text(encoding="utf-8")
        start, end = "<!-- matrix -->\n", "<!-- end of the matrix -->"
        head, _, rest = text.partition(start)
        tail = rest.partition(end)[2]
        body = f"{start}{summary}.\n\n{table(outcomes)}\n\n{end}"
        PAGE.write_text(f"{head}{body}{tail}", encoding="utf-8")
    return int(bool(found["failed"]))


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--write"]
    numbers = [int(word) for word in words if word.isdecimal()]
    chosen = [word for word in words if not word.isdecimal()]
    sys.exit(main(*numbers, write="--write" in sys.argv, only=chosen))
