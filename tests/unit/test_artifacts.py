"""A file that has the name of an artifact is whole, whatever happens while it is written."""

import errno
import os
import stat

import pytest

from assayer.artifacts import atomic


@pytest.fixture
def synced(monkeypatch):
    """Return the list of what is synced, in order: files and folders."""
    found = []

    def fsync(handle):
        found.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")

    monkeypatch.setattr(os, "fsync", fsync)
    return found


def test_the_file_and_then_its_folder_are_synced(tmp_path, synced):
    with atomic(tmp_path / "deep/table.csv", "w") as file:
        file.write("new\n")
        assert not (tmp_path / "deep/table.csv").exists()
        assert synced == []
    assert (tmp_path / "deep/table.csv").read_bytes() == b"new\n"
    assert synced == ["file", "folder"]
    assert os.listdir(tmp_path / "deep") == ["table.csv"]


def write(path, error):
    """Write half a file, and then fail."""
    with atomic(path, "w") as file:
        file.write("half a")
        raise error


@pytest.mark.parametrize("error", [ValueError("x"), KeyboardInterrupt(), OSError(errno.EIO, "x")])
def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "table.csv"
    path.write_text("old\n")
    with pytest.raises(type(error)):
        write(path, error)
    assert path.read_text() == "old\n"
    assert os.listdir(tmp_path) == ["table.csv"]


def test_a_full_disk_names_the_file(tmp_path):
    with pytest.raises(OSError, match="No space left") as full:
        write(tmp_path / "table.csv", OSError(errno.ENOSPC, "No space left on device"))
    assert full.value.filename == str(tmp_path / "table.csv")
    assert os.listdir(tmp_path) == []


def test_what_a_killed_process_left_is_not_in_the_way(tmp_path):
    (tmp_path / f".table.csv.{os.getpid()}.tmp").write_text("left by another of the same number")
    with atomic(tmp_path / "table.csv", "w") as file:
        file.write("new\n")
    assert (tmp_path / "table.csv").read_text() == "new\n"
