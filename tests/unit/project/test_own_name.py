"""The project goes by one name, and nothing installs another program that has its former one."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NAME = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["name"]
FORMER = NAME.removeprefix("rank")
# What git does not track, and what has to keep the former name.
APART = {"_build", "_project", "results", "figures", "raw", "processed", "logs", "__pycache__"}
HIDDEN = {".ci", ".github"}  # the only hidden folders that are tracked
KEPT = {"CHANGELOG.md": 1, "src/rankassay/drawing/style.py": 1}  # the entry; svg.hashsalt


def texts():
    """Yield the path and the text of each file of the project."""
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        hidden = {part for part in parts[:-1] if part.startswith(".")} - HIDDEN
        if path.is_file() and not hidden and not APART & {*parts}:
            yield "/".join(parts), path.read_bytes().decode("utf-8", "replace")


def named(text):
    """Return where a text has the former name, which is the end of the present one."""
    return re.findall(rf"(?<!rank){FORMER}", text, re.IGNORECASE)


def test_the_former_name_stands_in_the_changelog_alone():
    assert FORMER != NAME
    found = {path: len(named(path) + named(text)) for path, text in texts()}
    assert {path: number for path, number in found.items() if number} == KEPT


def by_name(text):
    """Return the commands that install the package, or an extra of it, from an index."""
    return re.findall(rf"""pip install [^\n`#]*?(?<![\w/.]){NAME}(?:\[\w+\])?(?=["'`\s]|$)""", text)


def test_until_it_is_on_an_index_the_package_is_installed_from_a_checkout():
    found = {
        path: by_name(text) for path, text in texts() if Path(path).name != Path(__file__).name
    }
    assert {path for path, own in found.items() if own} == set()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    installed = re.findall(r"pip install '?\.(?:\[(\w+)\])?", readme)
    assert {*installed} - {""} <= {*extras["optional-dependencies"]}
    assert installed


@pytest.mark.parametrize("line", [f"pip install {NAME}", f"pip install -q '{NAME}[report]'"])
def test_an_install_from_an_index_is_found(line):
    assert by_name(line)
