"""Do the unit tests catch faults? `python tests/mutation.py [--group NAME] [--jobs N] [FILE ...]`.

The files of tests/mutation/ list deliberate faults, such as a person makes: a text of a module,
what stands there instead, and the tests that should fail then. Each fault is put into a copy of the
package, never into the package itself, and its tests run on the copy. Before, they must pass on the
copy without it. FILE is a pattern of modules, such as 'metrics/*.py'. Exits with 1 when less than
95% of a group's faults are caught, or one survives without a reason that stands in the list.

`--random 300 --seed 1` takes no list but draws changes at random: see tests/mutation_random.py.
"""

import argparse
import ast
import contextlib
import fnmatch
import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import mutation_random

from rankassay.artifacts.yaml_files import read

ROOT = Path(__file__).parents[1]
LISTS = ROOT / "tests/mutation"
PACKAGE = "src/rankassay"
SHARE = 0.95  # of a group's faults that must be caught
SLOWER = 3  # times as long as without the fault, and
PATIENCE = 60  # seconds more, after which the tests are taken to hang

# What runs pytest: the package must be the copy, even if something else puts folders into sys.path.
# If it is not, the exit code is 99; those of pytest are 0 for passed, 1 for failed, and 2 to 5 for
# not run.
INSIDE = """
import sys
import pytest
code = pytest.main(sys.argv[2:])
files = [
    m.__file__ for n, m in sys.modules.items() if n == "rankassay" or n.startswith("rankassay.")
]
copied = files and all(file and file.startswith(sys.argv[1]) for file in files)
sys.exit(code if copied or code > 1 else 99)
"""
PYTEST = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-o", "addopts=", "-o", "pythonpath="]


@dataclass(frozen=True)
class Fault:
    """A deliberate fault.

    Attributes
    ----------
    group : str
        The name of the list.
    file : str
        The module, from the project's folder on.
    old, new : str
        What stands there exactly once, and what replaces it.
    tests : str
        What pytest is to run.
    why : str
        What is wrong then.
    survives : str
        Why no test can or should catch it; empty for a fault that tests must catch.
    """

    group: str
    file: str
    old: str
    new: str
    tests: str
    why: str
    survives: str = ""

    def put_into(self, code: str) -> str:
        """Return the code with the fault; raises ValueError where its place is not clear."""
        if (count := code.count(self.old)) != 1:
            raise ValueError(f"{self.file}: {self.old!r} stands there {count} times, not once")
        return code.replace(self.old, self.new)


@dataclass(frozen=True)
class Result:
    """What became of a fault: "caught", "survived" or "error", in how long, and by which test."""

    fault: Fault
    verdict: str
    seconds: float
    said: str = ""

    @property
    def wrong(self) -> bool:
        """Return whether somebody has to do something about it."""
        return self.verdict != ("survived" if self.fault.survives else "caught")


def groups() -> list[str]:
    """Return the names of the lists that there are."""
    return sorted(path.stem for path in LISTS.glob("*.yaml") if path != mutation_random.SURVIVORS)


def faults(group: str) -> list[Fault]:
    """Return the faults of a list."""
    return [Fault(group, **entry) for entry in read(LISTS / f"{group}.yaml")]


class Copy:
    """A copy of the package, in which one file at a time is changed.

    What numba compiles is kept where the tests first ran without a fault. The tests of a fault have
    a folder of their own for it, which begins with the same files.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.source = folder, folder / "src"
        self.compiled, self.own = folder / "compiled", folder / "compiled-with-fault"
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / PACKAGE, folder / PACKAGE, ignore=ignore)
        self.compiled.mkdir()
        code = {path: path.read_text(encoding="utf-8") for path in self.source.rglob("*.py")}
        self.code = {path.relative_to(folder).as_posix(): text for path, text in code.items()}
        self.imports = {file: imported(text) for file, text in self.code.items()}

    def judge(self, tests: str, listed: list[Fault]) -> list[Result]:
        """Return what becomes of the faults that the same tests should catch."""
        code, seconds, said = self.run(tests, self.compiled, limit=None)
        if code != 0:
            said = f"the tests fail without the fault (exit code {code})\n{said}"
            return [shown(Result(fault, "error", seconds, said)) for fault in listed]
        return [shown(self.tried(fault, SLOWER * seconds + PATIENCE)) for fault in listed]

    def tried(self, fault: Fault, limit: float) -> Result:
        """Return what becomes of one fault."""
        if fault.file not in self.code:
            return Result(fault, "error", 0.0, f"there is no {fault.file}")
        try:
            changed = fault.put_into(self.code[fault.file])
        except ValueError as error:
            return Result(fault, "error", 0.0, str(error))
        shutil.copytree(
            self.compiled, self.own, copy_function=os.link, ignore=self.stale(fault.file)
        )
        with self.changed(fault.file, changed):
            code, seconds, said = self.run(fault.tests, self.own, limit)
        shutil.rmtree(self.own)
        # None: the time was over; below 0: a signal ended Python, for instance of a kernel's fault.
        verdict = "survived" if code == 0 else "caught" if code is None or code <= 1 else "error"
        return Result(fault, verdict, seconds, said if verdict == "error" else catcher(said))

    def stale(self, file: str):
        """Return what tells the compiled code that a change of a file makes stale.

        A compiled kernel holds those that it calls, and numba looks only at its own file.
        """
        compiled = "njit" in self.code[file] or "@kernel" in self.code[file]
        files = [file, *importers(file, self.imports)] if compiled else [file]
        return shutil.ignore_patterns(*(f"{Path(name).stem}.*" for name in files))

    @contextlib.contextmanager
    def changed(self, file: str, code: str):
        """Change a file for a while; afterwards it has its old time, too, by which Python goes."""
        path = self.folder / file
        then = path.stat()
        path.write_text(code, encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(self.code[file], encoding="utf-8")
            os.utime(path, ns=(then.st_atime_ns, then.st_mtime_ns))

    def run(self, tests: str, compiled: Path, limit: float | None) -> tuple[int | None, float, str]:
        """Run tests on the copy; return the exit code, None for none in time, and the rest."""
        environment = os.environ | {
            "PYTHONPATH": str(self.source),
            "NUMBA_CACHE_DIR": str(compiled),
        }
        began = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-c", INSIDE, str(self.source), *PYTEST, *shlex.split(tests)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            cwd=ROOT,
            env=environment,
            start_new_session=True,
        )
        try:
            said, _ = process.communicate(timeout=limit)
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said, code = process.communicate()[0], None
        return code, time.monotonic() - began, said[-3000:]


def imported(code: str) -> set[str]:
    """Return the modules that a module imports, as files."""
    names = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom):
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {f"src/{name.replace('.', '/')}.py" for name in names}


def importers(file: str, imports: dict[str, set[str]]) -> list[str]:
    """Return the modules that import a module, directly or by way of others."""
    found = {file}
    while more := {other for other, names in imports.items() if names & found} - found:
        found |= more
    return sorted(found - {file})


def catcher(said: str) -> str:
    """Return the test that failed, of what pytest said; nothing if none did."""
    failed = re.search(r"^(?:FAILED|ERROR) \S*?::(\S+)", said, re.MULTILINE)
    return failed[1] if failed else ""


def shown(result: Result) -> Result:
    """Print what became of a fault, and return it."""
    fault = result.fault
    place = f"{fault.group}: {fault.file.removeprefix(PACKAGE + '/')}"
    print(f"{result.verdict:8} {result.seconds:5.1f} s  {place}: {fault.why}", flush=True)
    if result.said:
        print("    " + result.said.strip().replace("\n", "\n    "), flush=True)
    return result


def measure(listed: list[Fault], jobs: int) -> list[Result]:
    """Return what becomes of the faults, those of the same tests one after the other."""
    by_tests: dict[str, list[Fault]] = {}
    for fault in listed:
        by_tests.setdefault(fault.tests, []).append(fault)
    copies: queue.SimpleQueue[Copy] = queue.SimpleQueue()

    def judged(tests: str) -> list[Result]:
        copy = copies.get()
        try:
            return copy.judge(tests, by_tests[tests])
        finally:
            copies.put(copy)

    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(jobs) as pool:
        for k in range(jobs):
            copies.put(Copy(Path(work).resolve() / str(k)))
        return [result for results in pool.map(judged, by_tests) for result in results]


def report(results: list[Result]) -> bool:
    """Print the table by group, and what is to be done; return whether all is well."""
    print(f"\n{'group':12} faults caught  share survived errors")
    well = True
    for group in sorted({result.fault.group for result in results}):
        own = [result for result in results if result.fault.group == group]
        count = Counter(result.verdict for result in own)
        share = count["caught"] / len(own)
        numbers = f"{len(own):6} {count['caught']:6} {share:6.1%}"
        print(f"{group:12} {numbers} {count['survived']:8} {count['error']:6}")
        well &= share >= SHARE and not any(result.wrong for result in own)
    for result in results:
        fault = result.fault
        if fault.survives or result.verdict != "caught":
            reason = fault.survives or "no reason to survive is given"
            reason = "" if result.verdict == "error" else f" ({reason})"
            print(f"{result.verdict}: {fault.file}: {fault.why}{reason}")
    return well


def main(arguments: list[str] | None = None) -> int:
    """Run what the command line asks for; return the exit code."""
    parser = argparse.ArgumentParser(description="Do the unit tests catch deliberate faults?")
    parser.add_argument("--group", choices=groups(), help="only this list")
    parser.add_argument("--jobs", type=int, default=1, help="how many tests run at a time")
    parser.add_argument("--random", type=int, metavar="N", help="draw this number of changes")
    parser.add_argument("--seed", type=int, default=1, help="of --random")
    parser.add_argument("files", nargs="*", default=["*"], help="patterns of modules")
    options = parser.parse_args(arguments)
    if options.random is not None:
        return mutation_random.main(options.random, options.seed, options.jobs, options.files)
    listed = [fault for group in groups() for fault in faults(group)]
    patterns = [f"{PACKAGE}/{file.removeprefix(PACKAGE + '/')}" for file in options.files]
    listed = [
        fault
        for fault in listed
        if options.group in (None, fault.group)
        and any(fnmatch.fnmatch(fault.file, pattern) for pattern in patterns)
    ]
    if not listed:
        parser.error("no fault is of this group and these files")
    began = time.monotonic()
    well = report(measure(listed, options.jobs))
    print(f"{time.monotonic() - began:.0f} s")
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
