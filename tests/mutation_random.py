"""Faults at random: `python tests/mutation.py --random 300 --seed 1 [--jobs N] [FILE ...]`.

Draws places by the seed from all those of the modules in `MODULES`, or of FILE (any module), where
an operator of `mutation_sites` fits, and one change for each; puts each into a copy of the package;
and runs the unit tests that belong to the module (`mutation_tests`), the nearest first. A test that
fails counts only if its file passes without the change; files that do not are left out, and named.
Each change has a process that is forked from one which has imported the libraries, so that it takes
a second and not five.

What survives is listed, with the reason of tests/mutation/survivors.yaml where that has one: that
the change makes no difference, and why. The share that is caught is given of all changes and of
those without such a reason. Exits with 1 if the latter is less than 95%.
"""

import contextlib
import importlib
import itertools
import multiprocessing.util
import os
import pickle
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mutation_sites import Change, changes, sound
from mutation_tests import ROOT, importers, tests_of

from rankassay.artifacts.yaml_files import read

PACKAGE = "src/rankassay"
MODULES = [
    *("answers/*.py", "claims/*.py", "statistics/*.py", "studies/*/claims*.py"),
    *("studies/*/words*.py", "studies/*/*answers*.py", "studies/robustness/published.py"),
]
LIBRARIES = [
    *("pytest", "numba", "numpy", "pandas", "scipy.optimize", "scipy.sparse", "scipy.stats"),
    *("matplotlib.pyplot", "matplotlib.backends.backend_agg"),
]
SURVIVORS = ROOT / "tests/mutation/survivors.yaml"
SHARE = 0.95  # that must be caught
HANGS = 40  # seconds of a processor, after which a test is taken to hang
MEMORY = 6 * 2**30  # bytes that a process may ask for: a changed size can be any number
PYTEST = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-o", "addopts=", "-o", "pythonpath="]


@dataclass(frozen=True)
class Result:
    """What became of a change: "caught" or "survived"; by which test, in how long."""

    change: Change
    verdict: str
    by: str
    seconds: float


def modules(patterns: list[str] | None = None) -> list[str]:
    """Return the modules that are changed, from the project's folder on: those of patterns."""
    wanted = [pattern.removeprefix(PACKAGE + "/") for pattern in patterns or MODULES]
    paths = {path for pattern in wanted for path in (ROOT / PACKAGE).glob(pattern)}
    return sorted(path.relative_to(ROOT).as_posix() for path in paths if path.suffix == ".py")


def drawn(number: int, seed: int, patterns: list[str] | None = None) -> list[Change]:
    """Return changes at random: places without replacement, and one change for each.

    They are in the order of drawing, so that the first ones are a random sample, too.
    """
    places = [place for name in modules(patterns) for place in changes(name, _code(name))]
    rng = random.Random(seed)
    rng.shuffle(places)
    chosen = (rng.choice(place) for place in places)
    fitting = (change for change in chosen if sound(change, _code(change.file)))
    return [*itertools.islice(fitting, number)]


@cache
def reasons() -> dict[tuple[str, str, str], str]:
    """Return why changes survive, by module, line, and changed line."""
    return {
        (f"{PACKAGE}/{entry['file']}", entry["line"], entry["changed"]): entry["why"]
        for entry in read(SURVIVORS)
    }


def main(number: int, seed: int, jobs: int, patterns: list[str]) -> int:
    """Try changes at random, and print what becomes of them; return the exit code."""
    began = time.monotonic()
    listed = drawn(number, seed, patterns)
    if not listed:
        raise SystemExit("no change fits into these files")
    _import_libraries()
    with multiprocessing.get_context("fork").Pool(jobs, _begin) as pool:
        results = list(pool.imap_unordered(_tried, listed))
    caught = sum(result.verdict == "caught" for result in results)
    alike = sum(result.verdict == "survived" and bool(_reason(result.change)) for result in results)
    for result in sorted(results, key=lambda result: (result.change.file, result.change.start)):
        if result.verdict == "survived":
            print(f"\n{_survivor(result.change)}")
    kinds = Counter(result.change.kind for result in results)
    print(f"\n{'kind':12} changes caught")
    for kind, of_kind in sorted(kinds.items()):
        own = [result for result in results if result.change.kind == kind]
        print(f"{kind:12} {of_kind:7} {sum(result.verdict == 'caught' for result in own):6}")
    print(f"\nseed {seed}, {time.monotonic() - began:.0f} s\n{told(len(results), caught, alike)}")
    return 0 if caught >= SHARE * (len(results) - alike) else 1


def told(drawn: int, caught: int, alike: int) -> str:
    """Print how many changes are caught, of all and of those that make a difference."""
    left = drawn - alike
    return (
        f"{caught} of {drawn} caught ({caught / drawn:.1%}), {drawn - caught} survived, of which "
        f"{alike} make no difference: {caught} of {left} that may ({caught / max(left, 1):.1%})"
    )


def _reason(change: Change) -> str:
    """Return why a change makes no difference, nothing where no reason is listed."""
    return reasons().get((change.file, *change.shown(_code(change.file))), "")


def _survivor(change: Change) -> str:
    """Return what there is to know of a change that survived."""
    code = _code(change.file)
    line, changed = change.shown(code)
    why = _reason(change) or "no reason is given"
    place = f"{change.file}:{change.line(code)} ({change.kind})"
    return f"survived: {place}\n  - {line}\n  + {changed}\n  {why}"


class Watch:
    """What pytest tells of a run: the first test that fails; and the end of those that hang."""

    def __init__(self, source: Path) -> None:
        self.source, self.failed = source, ""

    def pytest_runtest_setup(self) -> None:
        """Let the process be killed if this test takes too long."""
        signal.setitimer(signal.ITIMER_PROF, HANGS)

    def pytest_runtest_logreport(self, report) -> None:
        """Note a test that failed."""
        if report.failed:
            self.failed = self.failed or report.nodeid

    def pytest_collectreport(self, report) -> None:
        """Note a file that could not be imported."""
        if report.failed:
            self.failed = self.failed or report.nodeid

    def strangers(self) -> list[str]:
        """Return the modules of the package that are not those of the copy."""
        own = {n: m for n, m in sys.modules.items() if n.split(".")[0] == "rankassay"}
        return [n for n, m in own.items() if not (m.__file__ or "").startswith(str(self.source))]


class Place:
    """A copy of the package for one process, in which one module at a time is changed."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp()).resolve()
        self.source = self.folder / "src"
        shutil.copytree(
            ROOT / PACKAGE, self.folder / PACKAGE, ignore=shutil.ignore_patterns("__pycache__")
        )
        self.compiled, self.own = self.folder / "compiled", self.folder / "compiled-with-change"
        self.compiled.mkdir()
        self.passes: dict[str, bool] = {}  # test files, without a change
        self.now = int(time.time())

    @contextlib.contextmanager
    def changed(self, change: Change):
        """Change a module for a while.

        Each change has a time of its own: Python and numba tell by time and size whether what they
        compiled is of this code.
        """
        path = self.folder / change.file
        code, then = path.read_text(encoding="utf-8"), path.stat()
        path.write_text(change.put_into(code), encoding="utf-8")
        self.now += 2
        os.utime(path, (self.now, self.now))
        try:
            yield
        finally:
            path.write_text(code, encoding="utf-8")
            os.utime(path, ns=(then.st_atime_ns, then.st_mtime_ns))

    def tried(self, change: Change) -> Result:
        """Return what becomes of a change."""
        began = time.monotonic()
        _link(self.compiled, self.own, change.file)
        try:
            for stage in tests_of(change.file):
                if failed := self.failing(change, stage):
                    return Result(change, "caught", failed, time.monotonic() - began)
        finally:
            _link(self.own, self.compiled, change.file)
            shutil.rmtree(self.own, ignore_errors=True)  # nothing was compiled, maybe
        return Result(change, "survived", "", time.monotonic() - began)

    def failing(self, change: Change, stage: list[str]) -> str:
        """Return what fails with a change, among the test files that pass without it."""
        tests = [name for name in stage if self.passes.get(name, True)]
        while tests:
            with self.changed(change):
                failed = self.run(tests, self.own)
            if not failed:
                return ""
            # Of a signal it is not known which file it was.
            blamed = [name for name in tests if name == failed.partition("::")[0]] or tests
            for name in blamed:
                if name not in self.passes:
                    self.passes[name] = not self.run([name], self.compiled)
            if all(self.passes[name] for name in blamed):
                return failed
            print(f"left out, as they fail without a change: {self.broken()}", flush=True)
            tests = [name for name in tests if self.passes.get(name, True)]
        return ""

    def broken(self) -> str:
        """Return the test files that are known to fail without a change."""
        return ", ".join(name for name, passes in self.passes.items() if not passes)

    def run(self, tests: list[str], compiled: Path) -> str:
        """Run tests in a process of its own; return what failed, nothing if nothing did."""
        ours, theirs = os.pipe()
        if not (pid := os.fork()):
            _inside(tests, self.source, compiled, theirs)
        os.close(theirs)
        with open(ours, "rb") as pipe:
            said = pipe.read()
        _, status = os.waitpid(pid, 0)
        if not said:  # a signal ended it: a test that hangs, or a kernel that wrote elsewhere
            return f"signal {os.waitstatus_to_exitcode(status)}"
        failed, code, strangers = pickle.loads(said)
        if strangers:
            raise RuntimeError(f"not those of the copy: {', '.join(strangers)}")
        return failed or ("" if code == 0 else f"exit code {code}")


PLACE: Place | None = None


def _begin() -> None:
    """Make the copy of a process."""
    global PLACE
    PLACE = Place()
    multiprocessing.util.Finalize(None, shutil.rmtree, (PLACE.folder,), exitpriority=1)


def _tried(change: Change) -> Result:
    """Try a change in the copy of this process, and say how it went."""
    result = PLACE.tried(change)
    place = f"{change.file.removeprefix(PACKAGE + '/')}:{change.line(_code(change.file))}"
    said = f"caught: {place} {result.by}" if result.by else _survivor(change)
    print(f"{result.seconds:5.1f} s  {said}", flush=True)
    return result


def _inside(tests: list[str], source: Path, compiled: Path, pipe: int) -> None:
    """Run tests on a copy of the package, and write what failed; never returns."""
    import numba
    import pytest

    code, watch = 70, Watch(source)
    try:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        os.chdir(ROOT)
        os.environ |= {"PYTHONPATH": str(source), "NUMBA_CACHE_DIR": str(compiled)}
        numba.config.CACHE_DIR = str(compiled)
        for name in [n for n in sys.modules if n.split(".")[0] == "rankassay"]:
            del sys.modules[name]
        sys.path[:] = [str(source), *(p for p in sys.path if Path(p) != ROOT / "src")]
        code = int(pytest.main([*PYTEST, *tests], plugins=[watch]))
    finally:
        os.write(pipe, pickle.dumps((watch.failed, code, watch.strangers())))
        os._exit(0)


@cache
def _kernels(file: str) -> frozenset[str]:
    """Return the names of the modules whose compiled code a change of a module makes stale.

    A compiled kernel holds those that it calls, and numba looks only at its own file.
    """
    found, code = {ROOT / file}, _code(file)
    if "njit" in code or "@kernel" in code:
        while more := set().union(*map(importers, found)) - found:
            found |= more
    return frozenset(path.stem for path in found)


def _link(source: Path, target: Path, file: str) -> None:
    """Link what numba compiled into another folder, but for what is stale if a module changes."""
    for path in source.rglob("*.nb?"):
        if path.name.partition(".")[0] not in _kernels(file):
            linked = target / path.relative_to(source)
            linked.parent.mkdir(parents=True, exist_ok=True)
            linked.unlink(missing_ok=True)
            linked.hardlink_to(path)


def _import_libraries() -> None:
    """Import what tests need of libraries, once for all processes."""
    for name in LIBRARIES:
        importlib.import_module(name)


@cache
def _code(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")
