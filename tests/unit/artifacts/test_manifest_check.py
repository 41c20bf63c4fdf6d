"""What was altered since a run is named before the next one begins, and is never certified."""

import os
import re
import shutil
from pathlib import Path

import pandas as pd
import pytest

from rankassay.artifacts import manifest
from rankassay.artifacts.files import certified, record_of
from rankassay.artifacts.tables import read_table, write_table
from rankassay.errors import RankassayError

TABLE = pd.DataFrame({"metric": ["P", "RR"], "tau": [0.25, 0.5]})


@pytest.fixture
def folder(tmp_path):
    """Return a folder with the artifacts of a run and its manifest."""
    for name in ("one", "two"):
        write_table(TABLE, tmp_path / f"results/tiny/{name}.csv")
    (tmp_path / "project").mkdir()
    manifest.write(tmp_path, {"seed": 1}, tmp_path / "project", ())
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
    with pytest.raises(
        RankassayError, match=f"1 artifact is not what the run wrote: {name}. Delete"
    ):
        manifest.check(folder)


def test_what_was_altered_is_not_certified(folder):
    before = (folder / manifest.MANIFEST).read_bytes()
    for name in ("one", "two"):
        alter(folder / f"results/tiny/{name}.csv")
    with pytest.raises(RankassayError, match="2 artifacts are not what the run wrote"):
        manifest.write(folder, {"seed": 1}, folder / "project", ())
    assert (folder / manifest.MANIFEST).read_bytes() == before
    assert manifest.stale(folder) == ["results/tiny/one.csv", "results/tiny/two.csv"]


def test_an_older_file_is_found_though_it_brings_its_record(folder):
    path = folder / "results/tiny/one.csv"
    write_table(TABLE.head(1), path)
    # A later run that failed may have made it.
    manifest.check(folder)
    # A backup from before the run cannot be of a later one.
    os.utime(path, ns=(1, 1))
    with pytest.raises(RankassayError, match=r"one\.csv"):
        manifest.check(folder)


def test_without_a_record_the_manifest_tells(folder):
    path = folder / "results/tiny/one.csv"
    record_of(path).unlink()
    manifest.check(folder)
    alter(path)
    with pytest.raises(RankassayError, match=r"one\.csv"):
        manifest.check(folder)


def test_a_folder_that_is_a_link_is_looked_into(folder, tmp_path_factory):
    disk = tmp_path_factory.mktemp("disk")
    shutil.move(folder / "results/tiny", disk / "tiny")
    (folder / "results/tiny").symlink_to(disk / "tiny")
    (disk / "tiny/back").symlink_to(folder / "results")  # and so on without end
    (disk / "tiny/self").symlink_to("self")
    assert manifest.stale(folder) == []
    (disk / "tiny/.gone.csv.sha256").write_text("0")
    assert manifest.write(folder, {"seed": 1}, folder / "project", ()) == []
    assert not (disk / "tiny/.gone.csv.sha256").exists()
    alter(disk / "tiny/two.csv")
    for check in (manifest.check, lambda of: manifest.write(of, {"seed": 1}, of / "project", ())):
        with pytest.raises(
            RankassayError, match=r"1 artifact is .*: results/tiny/two\.csv\. Delete"
        ):
            check(folder)


def test_a_manifest_does_not_shrink_without_a_word(folder):
    assert manifest.write(folder, {"seed": 1}, folder / "project", ()) == []
    (folder / "results/tiny/one.csv").unlink()
    assert manifest.stale(folder) == ["results/tiny/one.csv"]
    assert manifest.write(folder, {"seed": 1}, folder / "project", ()) == ["results/tiny/one.csv"]
    assert manifest.write(folder, {"seed": 1}, folder / "project", ()) == []


@pytest.mark.parametrize("name", ["benchmarks", "tables"])
def test_nothing_is_left_out_for_the_name_of_a_folder_further_down(folder, name):
    path = folder / f"results/tiny/{name}/one.csv"
    write_table(TABLE, path)
    assert manifest.stale(folder) == [f"results/tiny/{name}/one.csv"]


def test_the_report_is_what_was_written_though_no_manifest_holds_its_checksum(folder):
    report = folder / manifest.REPORT
    write_table(TABLE, report)
    before = (folder / manifest.MANIFEST).read_bytes()
    manifest.write(folder, {"seed": 1}, folder / "project", ())
    after = (folder / manifest.MANIFEST).read_bytes()
    assert b'"timed": [\n    "results/report.html"\n  ]' in after
    assert b'"timed": []' in before
    assert manifest.stale(folder) == []
    alter(report)
    assert manifest.stale(folder) == ["results/report.html"]
    record_of(report).unlink()  # nothing else knows its bytes
    assert manifest.stale(folder) == ["results/report.html"]
    with pytest.raises(RankassayError, match=r"results/report\.html\. Delete"):
        manifest.check(folder)
    report.unlink()
    assert manifest.stale(folder) == ["results/report.html"]
    assert manifest.write(folder, {"seed": 1}, folder / "project", ()) == ["results/report.html"]


def test_without_a_record_a_table_that_the_manifest_contradicts_is_not_read(folder, monkeypatch):
    path = folder / "results/tiny/one.csv"
    record_of(path).unlink()
    assert len(read_table(path)) == 2
    alter(path)
    monkeypatch.chdir(folder)
    for place in (path, "results/tiny/one.csv"):
        with pytest.raises(RankassayError, match=r"others: .* altered since, or the manifest was"):
            read_table(place)


NONE = [
    "{}",
    "[]",
    "5",
    "{",
    '{"artifacts": 5}',
    '{"artifacts": []}',
    "null",
    '{"artifacts": null}',
]


@pytest.mark.parametrize("text", [*NONE, '{"artifacts": {"results/tiny/one.csv": []}}', "a pipe"])
def test_what_is_no_manifest_vouches_for_nothing(folder, text):
    place, one = folder / manifest.MANIFEST, folder / "results/tiny/one.csv"
    place.unlink()
    if text == "a pipe":
        os.mkfifo(place)
    else:
        place.write_text(text)
    record_of(place).unlink()
    record_of(one).unlink()
    for asked in (
        manifest.check,
        manifest.stale,
        lambda _: read_table(one),
        lambda _: certified(one),
    ):
        with pytest.raises(
            RankassayError, match=r"(manifest\.json|one\.csv\b.*): expected|not what"
        ):
            asked(folder)
    other = folder / "mine/table.csv"  # whose folder lies next to results of another kind
    write_table(read_table(folder / "results/tiny/two.csv"), other)
    record_of(other).unlink()
    assert len(read_table(certified(other)))


@pytest.mark.parametrize(
    "name",
    ["one.csv", ".one.csv.sha256", "two.csv", "../manifest.json", "../.manifest.json.sha256"],
)
@pytest.mark.parametrize("kind", ["a pipe", "a device"])
def test_a_pipe_or_a_device_among_artifacts_is_refused_and_not_read(folder, name, kind):
    path = folder / "results/tiny" / name
    path.unlink(missing_ok=True)
    if kind == "a pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    named = re.escape(Path(name).name)
    doors = [manifest.check, manifest.stale, manifest.read]
    if "one.csv" in name:
        doors += [lambda _: read_table(folder / "results/tiny/one.csv")]
    if name == "one.csv":
        doors += [lambda _: certified(path)]
    for asked in doors:
        with pytest.raises(
            RankassayError, match=f"{named}: expected a file, found a pipe or a dev"
        ):
            asked(folder)
