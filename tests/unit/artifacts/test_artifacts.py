"""A file that has the name of an artifact is whole, even if writing it is interrupted."""

import errno
import fcntl
import os
import re
import signal
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import rankassay
from rankassay.artifacts.arrays import read_matrix, write_arrays, write_matrix
from rankassay.artifacts.files import (
    atomic,
    checksum,
    locked,
    record_of,
    recorded,
    rewriting,
    write_json,
)
from rankassay.artifacts.mapped import map_arrays, map_matrix
from rankassay.artifacts.tables import read_table, write_table
from rankassay.errors import RankassayError


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
    assert synced == ["file", "file", "folder"]  # that of its checksum is the first
    assert sorted(os.listdir(tmp_path / "deep")) == [".table.csv.sha256", "table.csv"]


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


def named_by(monkeypatch, *tokens):
    """Have temporary names hold these tokens, one after the other."""
    left = iter(tokens)
    monkeypatch.setattr("secrets.token_hex", lambda n: next(left))


@pytest.mark.parametrize("there", ["a file", "a link", "a link that leads nowhere", "a pipe"])
def test_what_lies_at_a_temporary_name_is_not_in_the_way(tmp_path, monkeypatch, there):
    own, other = tmp_path / ".table.csv.aa.tmp", tmp_path / "other"
    other.write_text("another's")
    match there:
        case "a file":
            own.write_text("left by another")
        case "a pipe":
            os.mkfifo(own)
        case _:
            own.symlink_to(other if there == "a link" else tmp_path / "none")
    before = own.lstat()
    named_by(monkeypatch, "aa", "bb", "cc")
    with atomic(tmp_path / "table.csv", "w", record=False) as file:
        file.write("new\n")
    assert (tmp_path / "table.csv").read_text() == "new\n"
    assert (own.lstat(), other.read_text()) == (before, "another's")
    assert sorted(os.listdir(tmp_path)) == [own.name, "other", "table.csv"]


def test_what_a_killed_writer_left_goes_with_the_next_writer_and_no_living_ones(tmp_path):
    path = tmp_path / "table[1].csv"
    killed = os.fork()
    if not killed:
        with atomic(path) as file:
            file.write(b"half")
            file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(killed, 0)
    (left,) = os.listdir(tmp_path)
    others = (".table[1].csv.backup.tmp", ".table1.csv.01234567.tmp")
    for other in others:
        (tmp_path / other).write_text("another's")
    with atomic(path, record=False) as living:
        living.write(b"older")
        assert not (tmp_path / left).exists()
        with atomic(path, record=False) as file:
            file.write(b"newer")
        assert len(os.listdir(tmp_path)) == 2 + len(others)
    assert path.read_bytes() == b"older"
    assert sorted(os.listdir(tmp_path)) == sorted([*others, path.name])


def test_a_writer_whose_new_file_was_taken_for_a_killed_ones_takes_another(tmp_path, monkeypatch):
    real, cleared = fcntl.flock, []

    def flock(file, operation):
        if operation == fcntl.LOCK_EX and not cleared:
            cleared.extend(tmp_path.glob(".*.tmp"))
            cleared[0].unlink()
        real(file, operation)

    monkeypatch.setattr(fcntl, "flock", flock)
    with atomic(tmp_path / "table.csv", record=False) as file:
        file.write(b"whole")
    assert (len(cleared), os.listdir(tmp_path)) == (1, ["table.csv"])
    assert (tmp_path / "table.csv").read_bytes() == b"whole"


def test_two_writers_of_a_path_leave_the_file_of_one_and_its_checksum(tmp_path):
    path, rounds = tmp_path / "table.csv", 30
    together = threading.Barrier(2)

    def writer(own):
        for n in range(rounds):
            together.wait(60)
            with atomic(path, "w") as file:
                for _ in range(50):
                    file.write(f"{own} {n}\n" * (200 + 100 * (own == "a")))
                    file.flush()
            together.wait(60)
            lines = path.read_text().splitlines()
            assert [*{*lines}] in ([f"a {n}"], [f"b {n}"])
            assert len(lines) == {"a": 15_000, "b": 10_000}[lines[0][0]]
            assert recorded(path) == [checksum(path)]

    with ThreadPoolExecutor(2) as pool:
        for found in [pool.submit(writer, own) for own in "ab"]:
            found.result()
    assert sorted(os.listdir(tmp_path)) == [".table.csv.sha256", "table.csv"]


def test_a_lock_that_a_forked_process_has_as_well_ends_with_the_writer(tmp_path):
    with locked(tmp_path):
        child = os.fork()
        if not child:
            signal.pause()
    pool = ThreadPoolExecutor(1)
    try:
        pool.submit(write_json, {}, tmp_path / "table.json").result(10)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444])
def test_a_file_keeps_its_mode_and_the_users_links_lead_to_it(tmp_path, mode):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "table.csv", tmp_path / "link"
    target.write_text("old\n")
    target.chmod(mode)
    with atomic(target, "w", record=False) as file:
        file.write("new\n")
    assert stat.S_IMODE(target.stat().st_mode) == mode
    (tmp_path / "inner").symlink_to(target)
    link.symlink_to(tmp_path / "inner")
    with rewriting(link) as file:
        file.write(b"newer\n")
    assert target.read_text() == "newer\n"
    assert stat.S_IMODE(target.stat().st_mode) == mode
    assert link.readlink() == tmp_path / "inner"
    assert os.listdir(target.parent) == ["table.csv"]
    with atomic(link, "w", record=False) as file:  # is not the user's, and follows nothing
        file.write("other\n")
    assert (link.read_text(), target.read_text()) == ("other\n", "newer\n")


def test_a_link_to_a_file_that_is_not_there_makes_it_and_a_circle_is_an_error(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "table.csv")
    with rewriting(tmp_path / "link") as file:
        file.write(b"new\n")
    assert (tmp_path / "table.csv").read_text() == "new\n"
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="symbolic links"), rewriting(tmp_path / "a"):
        pass
    assert (tmp_path / "a").is_symlink()
    with pytest.raises(IsADirectoryError), rewriting(tmp_path):
        pass


def test_a_pipe_is_written_to_and_is_no_artifact(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for name in ("pipe", "link"):
        refused = pytest.raises(RankassayError, match="expected a file, or none, found a pipe")
        with refused, atomic(tmp_path / name, "w"):
            pass
        # Opened for both, a pipe needs nobody at its other end.
        reader = os.open(tmp_path / "pipe", os.O_RDWR)
        with rewriting(tmp_path / name) as file:
            file.write(b"new\n")
        assert os.read(reader, 9) == b"new\n"
        os.close(reader)
        assert (tmp_path / "pipe").is_fifo()
    assert sorted(os.listdir(tmp_path)) == ["link", "pipe"]


def test_a_mapped_matrix_is_the_one_that_was_written(tmp_path):
    dense = np.float32(np.arange(12).reshape(4, 3) % 5)
    for name, matrix in {"some": sp.csr_matrix(dense), "none": sp.csr_matrix((4, 3))}.items():
        write_matrix(matrix, tmp_path / f"{name}.npz")
        mapped = map_matrix(tmp_path / f"{name}.npz")
        assert (mapped != read_matrix(tmp_path / f"{name}.npz")).nnz == 0
        assert mapped.shape == (4, 3)
    assert isinstance(map_arrays(tmp_path / "some.npz")["data"], np.memmap)


def test_mapped_arrays_are_those_of_numpy_and_writing_to_them_leaves_the_file(tmp_path):
    arrays = {"a": np.asfortranarray(np.eye(3)), "b": np.array("text"), "c": np.zeros((0, 2))}
    write_arrays(arrays.items(), tmp_path / "some.npz", compressed=False)
    mapped = map_arrays(tmp_path / "some.npz")
    with np.load(tmp_path / "some.npz") as loaded:
        for name, array in arrays.items():
            np.testing.assert_array_equal(mapped[name], loaded[name])
            np.testing.assert_array_equal(mapped[name], array)
    mapped["a"][:] = 7
    np.testing.assert_array_equal(map_arrays(tmp_path / "some.npz")["a"], np.eye(3))


@pytest.mark.parametrize("harm", ["compressed", "cut", "overwritten"])
def test_a_file_that_cannot_be_mapped_is_refused(tmp_path, harm):
    path = tmp_path / "train.npz"
    write_matrix(sp.csr_matrix(np.eye(50)), path)
    record_of(path).unlink()
    if harm == "compressed":
        sp.save_npz(path, sp.csr_matrix(np.eye(50)))
    content = path.read_bytes()
    if harm == "cut":
        path.write_bytes(content[: len(content) // 2])
    if harm == "overwritten":
        path.write_bytes(b"\0" * 120 + content[120:])
    with pytest.raises(
        RankassayError, match=r"train.npz: expected .* sparse matrix.*delete the file"
    ):
        map_matrix(path)


def test_names_that_look_like_numbers_are_text(tmp_path):
    names = ["01", "1", "1e0"]
    columns = ["system", "system_b", "dataset", "metric", "user", "item", "recommender", "id"]
    for column in (*columns, "winner", "second", "reference_winner"):
        table = pd.DataFrame({column: names, "value": [0.5, 1.0, 2.0]})
        write_table(table, tmp_path / "table.csv")
        pd.testing.assert_frame_equal(read_table(tmp_path / "table.csv"), table)
        assert len(read_table(tmp_path / "table.csv").groupby(column)) == 3


def test_a_table_comes_back_with_its_texts_and_its_gaps(tmp_path):
    table = pd.DataFrame({"system": ["NA", "null", "nan"], "value": [0.1 + 0.2, np.nan, 1.0]})
    write_table(table, tmp_path / "table.csv")
    pd.testing.assert_frame_equal(read_table(tmp_path / "table.csv"), table, check_exact=True)


# What writes elsewhere than by `rankassay.artifacts.files`: downloads that are continued, into a
# file that is no link, and the device that loses all.
WRITERS = {"artifacts/files.py", "data/transfer.py", "cli/process.py"}
WRITES = re.compile(
    r"\.write_(text|bytes)\(|\bto_csv\((?!index=|sys\.stdout)|savetxt|savez\((?!\n)"
    r"|(?<!archive\.)\bopen\([^()]*, \"[wax]b?\"|\.open\(\"[wax]|NamedTemporary|mkstemp"
)


def test_all_files_are_written_in_one_way():
    source = Path(rankassay.__file__).parent
    found = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if WRITES.search(
            re.sub(r"^ *(>>>|\.\.\.) .*$|`.*?`", "", path.read_text("utf-8"), flags=re.M)
        )
    }
    assert found == WRITERS
