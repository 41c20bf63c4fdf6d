"""`mypy --strict` of what a user writes; needs the extra `types`, so it is run on its own:

PYTHONPATH=<folder of requirements-types.lock> ./run pytest -n 0 tests/typing/check_types.py
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src"

MISTAKES = {
    'rankassay.compare({}, {"a": {}}, seed="x")': 'Argument "seed" to "compare"',
    'rankassay.evaluate({}, {"u": {"i": 1.0}}, profil="trec")': "No overload variant",
    "rankassay.compair()": 'Module has no attribute "compair"',
    'rankassay.evaluate({"u": {"i": 5}}, 3)': "No overload variant",
    'rankassay.judged({"u": 5})': "Dict entry 0 has incompatible type",
}


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """Return a function that asks mypy, which finds the package as an installed one."""
    folder = tmp_path_factory.mktemp("mypy")
    places = [str(SOURCE), os.environ.get("PYTHONPATH", "")]

    def run(path):
        return subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder / "cache", path],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(places)},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_a_users_script_is_accepted(mypy):
    found = mypy(HERE / "user.py")
    assert found.returncode == 0, found.stdout + found.stderr


def test_mistakes_are_found(mypy, tmp_path):
    path = tmp_path / "mistakes.py"
    path.write_text("\n".join(["import rankassay", *MISTAKES]))
    found = mypy(path).stdout
    for number, message in enumerate(MISTAKES.values(), start=2):
        lines = [line for line in found.splitlines() if f"mistakes.py:{number}: error" in line]
        assert any(message in line for line in lines), found
