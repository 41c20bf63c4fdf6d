"""What docstrings, comments and pages refer to as `rankassay.…` is there."""

import importlib
import re
from pathlib import Path

import pytest
from each import each
from pages import read

ROOT = Path(__file__).parents[3]
PLACES = [
    *ROOT.glob("src/rankassay/**/*.py"),
    *ROOT.glob("src/rankassay/**/*.md"),
    *ROOT.glob("docs/*.md"),
    *ROOT.glob("config/*"),
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
]
REFERENCES = {
    reference: path.relative_to(ROOT).as_posix()
    for path in PLACES
    if path.is_file()
    for reference in re.findall(r"`(rankassay(?:\.\w+)+)", read(path))
}


@pytest.mark.slow
@each("reference", sorted(REFERENCES))
def test_what_is_referred_to_is_there(reference):
    parts = reference.split(".")
    for n in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:n]))
        except ModuleNotFoundError:
            continue
        break
    for name in parts[n:]:
        found = getattr(found, name, None)
        assert found is not None, f"{REFERENCES[reference]}: `{reference}` is not there"
