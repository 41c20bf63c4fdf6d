"""Drawing does not decide: by their imports, figures and tables only show what analyses found."""

import ast
import functools
from pathlib import Path

import pytest
from each import each

import rankassay

PACKAGE = Path(rankassay.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
}
NAMES = {
    name: name.rpartition(".")[2] for name in MODULES if not name.startswith("rankassay.jobs.")
}
DRAWING = [name for name in MODULES if name.startswith("rankassay.drawing.")]
FIGURES = [name for name, last in NAMES.items() if last.startswith("figure")]
VIEWS = [name for name, last in NAMES.items() if last == "views"]  # tables say what was tested, too
TABLES = [name for name, last in NAMES.items() if last.startswith("table")]
DECIDING = (
    "rankassay.statistics",
    "rankassay.claims.judge",
    "rankassay.claims.measure",
    "rankassay.jobs",
)


@functools.cache
def imported(name):
    """Return the modules of the package that a module imports, wherever in its code."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found & MODULES.keys()


def reached(name):
    """Return the modules that a module imports, and those that these import, and so on."""
    found, left = set(), {name}
    while left:
        found |= left
        left = set().union(*map(imported, left)) - found
    return found - {name}


def test_there_are_figures_and_tables():
    assert min(map(len, (DRAWING, VIEWS))) >= 8
    assert FIGURES
    assert TABLES


@each("name", VIEWS)
def test_what_shows_reaches_no_job_and_judges_nothing(name):
    others = [other for other in sorted(reached(name)) if other.startswith(DECIDING[1:])]
    assert others == []


@pytest.mark.slow
@each("name", sorted({*DRAWING, *FIGURES, "rankassay.answers.words"}))
def test_what_draws_reaches_nothing_that_decides(name):
    assert [other for other in sorted(reached(name)) if other.startswith(DECIDING)] == []


@pytest.mark.slow
@each("name", TABLES)
def test_tables_reach_no_figures_and_no_looks(name):
    others = {"rankassay.drawing.style", "rankassay.drawing.layout", *FIGURES}
    assert reached(name) & others == set()
