"""What was altered since a run is named before the next one begins, and is never certified."""

import os

import pandas as pd
import pytest

from assayer.artifacts import manifest
from assayer.artifacts.checksums import record_of
from assayer.artifacts.files import write_table
from assayer.errors import AssayerError

TABLE = pd.DataFrame({"metric": ["P", "RR"], "tau": [0.25, 0.5]})


@pytest.fixture
def folder(tmp_path):
    """Return a folder with the artifacts of a run and its manifest."""
    for name in ("one", "two"):
        write_table(TABLE, tmp_path / f"results/tiny/{name}.csv")
    (tmp_path / "project").mkdir()
    manifest.write(tmp_path, {"seed": 1}, tmp_path / "project")
    return tmp_path


def alter(path):
    """Change one digit, and leave the time as it was."""
    times = path.stat()
    path.write_text(path.read_text(encoding="utf-8").replace("1", "2").replace("0.25", "0.26"))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def test_what_a_run_left_is_as_it_left_it(folder):
    manifest.check(folder)
    assert manifest.stale(folder) == []


@pytest.mark.parametrize("name", ["results/tiny/two.csv", "results/manifest.json"])
def test_what_was_altered_is_named(folder, name):
    alter(folder / name)
    with pytest.raises(AssayerError, match=f"1 artifact is not what the run wrote: {name}. Delete"):
        manifest.check(folder)


def test_what_was_altered_is_not_certified(folder):
    before = (folder / manifest.PLACE).read_bytes()
    for name in ("one", "two"):
        alter(folder / f"results/tiny/{name}.csv")
    with pytest.raises(AssayerError, match="2 artifacts are not what the run wrote"):
        manifest.write(folder, {"seed": 1}, folder / "project")
    assert (folder / manifest.PLACE).read_bytes() == before
    assert manifest.stale(folder) == ["results/tiny/one.csv", "results/tiny/two.csv"]


def test_an_older_file_is_found_though_it_brings_its_record(folder):
    path = folder / "results/tiny/one.csv"
    write_table(TABLE.head(1), path)
    # A later run that failed may have made it.
    manifest.check(folder)
    # A backup from before the run cannot be of a later one.
    os.utime(path, ns=(1, 1))
    with pytest.raises(AssayerError, match=r"one\.csv"):
        manifest.check(folder)


def test_without_a_record_the_manifest_tells(folder):
    path = folder / "results/tiny/one.csv"
    record_of(path).unlink()
    manifest.check(folder)
    alter(path)
    with pytest.raises(AssayerError, match=r"one\.csv"):
        manifest.check(folder)
