"""Do the tests catch faults? `./run python tests/mutation.py --number 300 --seed 1 --out FILE`.

Draws faults from the modules of a checkout (`--source`, this one if not given), or takes those of
a list (`--named`: entries with `why`, `old` and `new`). Each is put into a copy, and the tests
nearest to its module run there: those that import it, are named like it, or stand in its folder.
FILE (csv) has a row for each fault, and a run goes on with those that have none; whether a survivor
makes a difference is for its reader. At the end, the tests that caught one run without it, and
those that fail then are printed.
"""

import argparse
import ast
import copy
import csv
import importlib
import itertools
import os
import random
import re
import resource
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import yaml

NEAR, FAR = 3, 7  # test files that run first, and those that run if they pass
LIMIT = 30  # CPU seconds of each of the two
MEMORY = 4 * 2**30  # bytes of a process: a changed size can be any number
COMPARISONS = {
    **{ast.Lt: (ast.LtE, ast.Gt), ast.Gt: (ast.GtE, ast.Lt), ast.LtE: (ast.Lt,)},
    **{ast.GtE: (ast.Gt,), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,)},
    **{ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,)},
}
ARITHMETIC = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult},
    **{ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd},
}
LIBRARIES = [
    *("numba", "numpy", "pandas", "scipy.sparse", "scipy.stats", "scipy.optimize"),
    "matplotlib.pyplot",
]
SIZES = {"arithmetic", "boundary", "constant"}  # in modules that draw: what stands where on paper
TEXTS = ast.JoinedStr, ast.List, ast.Tuple, ast.Dict, ast.ListComp
SILENT = ast.Import, ast.ImportFrom, ast.JoinedStr, ast.Assert
PYTEST = ["-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts="]


def variants(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield kinds of faults at a node of the syntax tree, each with the node that has it."""
    if isinstance(node, ast.Compare):
        for k, operator in enumerate(node.ops):
            for other in COMPARISONS[type(operator)]:
                changed = copy.deepcopy(node)
                changed.ops[k] = other()
                yield "comparison", changed
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in ARITHMETIC:
        sides = [getattr(node, side, None) for side in ("left", "right", "value")]
        if not any(isinstance(x, TEXTS) or isinstance(_value(x), str) for x in sides):
            changed = copy.copy(node)
            changed.op = ARITHMETIC[type(node.op)]()
            yield "arithmetic", changed
    elif isinstance(node, ast.BoolOp):
        other = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield "boolean", ast.BoolOp(other(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield "boolean" if isinstance(node.op, ast.Not) else "arithmetic", node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "boolean", ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        for other in {1 - node.value} if node.value in (0, 1) else {node.value - 1, node.value + 1}:
            yield "constant", ast.Constant(other)
    elif isinstance(node, ast.Constant) and isinstance(node.value, float):
        yield "constant", ast.Constant(node.value * 1.1 if node.value else 1.0)
    elif isinstance(node, ast.Slice):
        for side in ("lower", "upper"):
            if (end := getattr(node, side)) is not None:
                changed = copy.copy(node)
                setattr(changed, side, ast.BinOp(end, ast.Add(), ast.Constant(1)))
                yield "boundary", changed
    elif isinstance(node, ast.Call) and _swappable(node.args):
        yield "arguments", ast.Call(node.func, node.args[1::-1] + node.args[2:], node.keywords)
    elif isinstance(node, ast.Return) and _value(node.value) is not None:
        yield "return", ast.Return(ast.Constant(None))
    if isinstance(node, ast.AugAssign | ast.Raise) or _acts(node):
        yield "statement", ast.Pass()


def _value(node):
    return getattr(node, "value", None) if isinstance(node, ast.Constant) else node


def _swappable(arguments: list) -> bool:
    plain = ast.Name | ast.Attribute | ast.Subscript | ast.Call
    first = arguments[:2]
    return len({*map(ast.dump, first)}) == 2 and all(isinstance(x, plain) for x in first)


def _acts(node: ast.AST) -> bool:
    """Whether a statement does something other than to name a value or to log."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return not ast.unparse(node.value).startswith("log.")
    return isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Name | ast.Tuple)


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a tree that compute: no annotations, decorators, imports and messages."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "exc"} or isinstance(node, SILENT):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and getattr(child, "arg", "") != "strict":
                yield from walk(child)


@dataclass(frozen=True)
class Fault:
    """A place of a module, in bytes, and what replaces it; `kind` is why that is wrong."""

    file: Path
    kind: str
    start: int
    end: int
    new: str

    def put_into(self, code: str) -> str:
        """Return the module's code with the fault."""
        data = code.encode()
        return (data[: self.start] + self.new.encode() + data[self.end :]).decode()


def faults(file: Path) -> Iterator[Fault]:
    """Yield the faults that can be put into a module."""
    code = file.read_text(encoding="utf-8")
    starts = [0]
    for line in code.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in walk(ast.parse(code)):
        for kind, other in variants(node):
            if kind in SIZES and "matplotlib" in code:
                continue
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            simple = isinstance(other, ast.stmt | ast.Slice | ast.Constant | ast.Call)
            new = ast.unparse(other) if simple else f"({ast.unparse(other)})"
            yield Fault(file, kind, start, end, new)


@cache
def imports(file: Path, root: Path) -> frozenset[Path]:
    """Return the files that a file imports, or names as "rankassay.answers.words:answer"."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Constant) and (
            place := re.match(r"[a-z_.]+(?=:\w+$)", str(node.value))
        ):
            names.add(place[0])
    paths = {f"{name.replace('.', '/')}.py" for name in names if name}
    folders = root / "src", root / "tests", file.parent, file.parents[1]
    return frozenset(
        folder / path for folder in folders for path in paths if (folder / path).is_file()
    )


def importers(file: Path, root: Path) -> set[Path]:
    """Return the modules that import a module."""
    return {other for other in (root / "src").rglob("*.py") if file in imports(other, root)}


def tests_of(file: Path, root: Path) -> list[str]:
    """Return the test files of a module, the nearest first."""
    mirror = root / "tests/unit" / file.relative_to(root / "src/rankassay").parent
    by = importers(file, root)
    near = {}
    for test in [*(root / "tests/unit").rglob("test_*.py"), *(root / "tests").glob("test_*.py")]:
        if "snakemake" in test.read_text(encoding="utf-8"):
            continue  # runs the workflow
        seen = imports(test, root)
        seen |= {
            x for helper in seen if root / "tests" in helper.parents for x in imports(helper, root)
        }
        score = 4 * (file in seen) + 2 * (file.stem in test.stem) + bool(seen & by)
        if score := score + (test.parent in {mirror, mirror.parent}):
            near[test] = -score, test.stat().st_size
    return [str(test.relative_to(root)) for test in sorted(near, key=near.__getitem__)]


class Trial:
    """A copy of a checkout, and next to it one with a fault."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.sound, self.faulty, self.log = folder / "sound", folder / "faulty", folder / "log"
        out = shutil.ignore_patterns(".git", ".venv", ".snakemake", "results", "logs")
        shutil.copytree(source, self.sound, symlinks=True, ignore=out)

    def put(self, fault: Fault) -> None:
        """Make the copy with a fault, without what numba compiled of the module and its callers."""
        file = fault.file
        code = fault.put_into(file.read_text(encoding="utf-8"))
        shutil.rmtree(self.faulty, ignore_errors=True)
        shutil.copytree(self.sound, self.faulty, symlinks=True, copy_function=os.link)
        path = self.faulty / file.relative_to(self.sound)
        path.unlink()
        path.write_text(code, encoding="utf-8")
        stale = {file} if re.search("@kernel|njit", code) else set()
        while more := {x for one in stale for x in importers(one, self.sound)} - stale:
            stale |= more
        for module in stale:
            folder = self.faulty / module.relative_to(self.sound).parent / "__pycache__"
            for compiled in folder.glob(f"{module.stem}.*.nb?"):
                compiled.unlink()

    def run(self, folder: Path, tests: list[str], *more: str) -> tuple[int, str]:
        """Run tests in a copy of this process, which has imported the libraries.

        Returns the exit code of pytest or, below 0, the signal that ended it, and what it printed.
        """
        if not (process := os.fork()):
            resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
            signal.alarm(10 * LIMIT)
            os.chdir(folder)
            os.environ["PYTHONPATH"] = str(folder / "src")
            for stream in (1, 2):
                os.dup2(os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
            try:
                os._exit(pytest.main([*PYTEST, *more, *tests], plugins=[Watch()]))
            finally:
                os._exit(1)
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        return code, self.log.read_text(errors="replace")

    def caught(self, tests: list[str]) -> str:
        """Return the test that fails or hangs because of the fault, or nothing."""
        if not tests:
            return ""
        code, said = self.run(self.faulty, tests, "-x")
        begun = re.findall(r"^@ (.*)$", said, re.MULTILINE) or tests[:1]
        slow = code < 0 and not self.run(self.faulty, begun[-1:])[0]
        return "" if code in (0, 5) or slow else begun[-1]


class Watch:
    """Prints each test as it begins."""

    def pytest_runtest_logstart(self, nodeid):
        """Print the name of a test."""
        print("\n@", nodeid, flush=True)


def drawn(root: Path, number: int, seed: int) -> list[Fault]:
    """Return faults at random: first of which kind, then where."""
    rng, kinds = random.Random(seed), {}
    for file in sorted((root / "src/rankassay").rglob("*.py")):
        for fault in faults(file):
            kinds.setdefault(fault.kind, []).append(fault)
    return [rng.choice(kinds[rng.choice(sorted(kinds))]) for _ in range(number)]


def named(root: Path, listed: Path) -> Iterator[Fault]:
    """Yield the faults of a list; the text of each stands once in the package."""
    for entry in yaml.safe_load(listed.read_text(encoding="utf-8")):
        old, new, why = (entry[key] for key in ("old", "new", "why"))
        texts = {x: x.read_text(encoding="utf-8") for x in (root / "src/rankassay").rglob("*.py")}
        files = [file for file, text in texts.items() for _ in range(text.count(old))]
        if len(files) == 1:
            start = len(texts[files[0]].partition(old)[0].encode())
            yield Fault(files[0], why, start, start + len(old.encode()), new)
        else:
            print(f"expected once in the package, found {len(files)} times: {old}")


def main() -> None:
    """Try what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--source", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--named", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    for name in LIBRARIES:
        importlib.import_module(name)
    catching = {}
    with tempfile.TemporaryDirectory() as work, given.out.open("a+", newline="") as out:
        trial = Trial(given.source.resolve(), Path(work).resolve())
        root, rows = trial.sound, csv.writer(out)
        out.seek(0)
        done = len([*csv.reader(out)])
        if not done:
            rows.writerow(["file", "kind", "line", "before", "after", "verdict", "by", "seconds"])
        listed = named(root, given.named) if given.named else drawn(root, given.number, given.seed)
        for fault in itertools.islice(listed, max(done - 1, 0), None):
            began, data = time.monotonic(), fault.file.read_bytes()
            trial.put(fault)
            tests = tests_of(fault.file, root)
            by = trial.caught(tests[:NEAR]) or trial.caught(tests[NEAR : NEAR + FAR])
            catching.setdefault(by.partition("::")[0], []).append(by)
            line, before = data[: fault.start].count(b"\n") + 1, data[fault.start : fault.end]
            place = fault.file.relative_to(root), fault.kind, line, before.decode(), fault.new
            verdict = "caught" if by else "survived"
            rows.writerow([*place, verdict, by, f"{time.monotonic() - began:.0f}"])
            out.flush()
        catching.pop("", None)
        for tests in catching.values():
            code, said = trial.run(root, tests, "-rfE")
            if code:
                print("not without the fault either:", tests, re.findall("FAILED.*|ERROR.*", said))


if __name__ == "__main__":
    main()
