"""Which unit tests belong to a module: those that import it, the nearest ones first.

The test files that import the module themselves or by way of a helper of the tests, or name it in
a text such as "rankassay.answers.words:answer", make the first two stages: at first `FEW` of them,
the one that is called as the module, then those in the folder of its package, the shortest first.
The third stage is the test files that import an importer of the module, those in a folder of the
first stage before others; no more than `MOST`, as the number of files grows faster with the
distance than the chance that they notice. Modules that draw have the contract of all figures, too.
"""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
FEW, MOST = 4, 5
FIGURES = ROOT / "tests/unit/drawing/test_axes.py"  # draws those of all studies
NAMED = re.compile(r"([a-z_.]+):\w+")


@cache
def imports(path: Path) -> frozenset[Path]:
    """Return the files of the package and of the tests that a file imports or names in a text."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Constant) and (place := NAMED.fullmatch(str(node.value))):
            # A study names its own modules without the packages.
            folders = path.relative_to(ROOT).parent.parts[1:]
            names |= {place[1], ".".join((*folders, place[1]))}
    files = {name.replace(".", "/") + ".py" for name in names if name}
    folders = (ROOT / "src", ROOT / "tests", path.parent)
    return frozenset(
        folder / file for folder in folders for file in files if (folder / file).is_file()
    )


@cache
def importers(path: Path) -> frozenset[Path]:
    """Return the files of the package that import a module."""
    modules = (ROOT / "src/rankassay").rglob("*.py")
    return frozenset(other for other in modules if path in imports(other))


@cache
def tests_of(file: str) -> list[list[str]]:
    """Return the test files of a module, stage by stage."""
    path, seen = ROOT / file, _seen_by_tests()
    tests = list(seen)
    first = [test for test in tests if path in seen[test]]
    order = {
        test: (path.stem not in test.stem, *_away(test, path), test.stat().st_size)
        for test in tests
    }
    first.sort(key=order.__getitem__)
    near = {test.parent for test in first[:FEW]}
    second = [test for test in tests if test not in first and seen[test] & importers(path)]
    second.sort(key=lambda test: (test.parent not in near, *order[test]))
    drawn = [FIGURES] if "figure" in path.stem or path.parent.name == "drawing" else []
    stages = [
        first[:FEW],
        first[FEW:],
        drawn,
        [test for test in second if test not in drawn][:MOST],
    ]
    return [[str(test.relative_to(ROOT)) for test in stage] for stage in stages if stage]


def _away(test: Path, path: Path) -> tuple[bool, bool]:
    """Whether a test file is not in the folder of a module's package, or of the one above."""
    package = path.relative_to(ROOT / "src/rankassay").parent
    folder = test.relative_to(ROOT / "tests/unit").parent
    return folder != package, folder not in {package, package.parent}


@cache
def _seen_by_tests() -> dict[Path, frozenset[Path]]:
    """Return what each test file imports; see `_seen`."""
    tests = sorted((ROOT / "tests/unit").rglob("test_*.py"))
    return {test: _seen(test) for test in tests}


def _seen(test: Path) -> frozenset[Path]:
    """Return what a test file imports, and what the helpers that it imports do."""
    own = imports(test)
    return own.union(*(imports(other) for other in own if ROOT / "tests" in other.parents))
