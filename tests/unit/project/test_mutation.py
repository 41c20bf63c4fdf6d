"""Faults drawn at random (tests/mutation.py): where they are, and which tests try them."""

import ast
import shutil
from pathlib import Path

import mutation
import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("x = a < b", {"x = (a <= b)", "x = (a > b)"}),
        ("x = a - b", {"x = (a + b)"}),
        ("x = 7", {"x = 6", "x = 8"}),
        ("x = 0.5", {"x = 0.55"}),
        ("x = a and not b", {"x = (a or not b)", "x = a and (b)"}),
        ("x = a[b:c]", {"x = a[b + 1:c]", "x = a[b:c + 1]"}),
        ("x = f(a, b, c=d)", {"x = f(b, a, c=d)"}),
        ("def f(a): return a", {"def f(a): return None"}),
        ("x += a", {"x -= a", "pass"}),
        ("a.sort()", {"pass"}),
        ('raise ValueError(f"{a + 1}")', {"pass"}),
        ('"""Of 1."""\nfrom a import b\nx: Literal[1] = "τ" + a\nlog.info(a)', set()),
    ],
)
def test_the_faults_of_a_statement(code, changed, tmp_path):
    file = tmp_path / "module.py"
    file.write_text(code, encoding="utf-8")
    assert {fault.put_into(code) for fault in mutation.faults(file)} == changed


def test_faults_are_drawn_by_the_seed_and_are_code(tmp_path):
    shutil.copytree(ROOT / "src/rankassay/claims", tmp_path / "src/rankassay/claims")
    first = mutation.drawn(tmp_path, 40, 1)
    assert first == mutation.drawn(tmp_path, 40, 1)
    assert first[:5] != mutation.drawn(tmp_path, 5, 2)
    for fault in first:
        code = fault.file.read_text(encoding="utf-8")
        assert ast.dump(ast.parse(fault.put_into(code))) != ast.dump(ast.parse(code))


def test_the_nearest_tests_come_first():
    tests = mutation.tests_of(ROOT / "src/rankassay/statistics/draws.py", ROOT)
    assert "tests/unit/statistics/test_draws.py" in tests[: mutation.NEAR]
