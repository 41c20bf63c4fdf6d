"""The stub of the package says what the package is; tests/typing asks mypy."""

import ast
import inspect
import runpy
from pathlib import Path

import pytest

import rankassay

ROOT = Path(__file__).parents[3]
STUB = ROOT / "src/rankassay/__init__.pyi"
TREE = ast.parse(STUB.read_text(encoding="utf-8"))
FUNCTIONS = [node for node in TREE.body if isinstance(node, ast.FunctionDef)]


def test_the_stub_has_the_public_names_and_where_they_come_from():
    found = {node.name: None for node in FUNCTIONS}
    for node in TREE.body:
        if isinstance(node, ast.ImportFrom):
            # Of a stub, only what is imported under its own name once more is public.
            found |= {alias.name: node.module for alias in node.names if alias.asname}
    assert {*found} == {*rankassay.__all__}
    for name, module in found.items():
        assert module in (None, rankassay._PUBLIC[name]), name


@pytest.mark.parametrize("node", FUNCTIONS, ids=lambda node: f"{node.name}-{node.lineno}")
def test_overloads_have_the_parameters_of_the_function(node):
    stated = inspect.signature(getattr(rankassay, node.name)).parameters
    own = node.args
    assert [a.arg for a in own.args] == [n for n, p in stated.items() if p.kind < p.KEYWORD_ONLY]
    assert [a.arg for a in own.kwonlyargs] == [
        n for n, p in stated.items() if p.kind == p.KEYWORD_ONLY
    ]
    required = len(own.args) - len(own.defaults)
    assert required == sum(p.default is p.empty for p in stated.values())


@pytest.mark.slow
def test_what_mypy_is_shown_runs(capsys):
    runpy.run_path(str(ROOT / "tests/typing/user.py"))
    assert "did you mean 'nDCG'" in capsys.readouterr().out


def test_the_types_are_a_part_of_the_package():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'packages = ["src/rankassay", ' in text
    assert (STUB.parent / "py.typed").is_file()
