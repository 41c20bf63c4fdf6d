"""Streams are read once: FIFOs, what a shell writes for <(...), and standard input."""

import gzip
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import rankassay
from rankassay import RankassayError
from rankassay.data import tables
from rankassay.data.opening import open_text
from rankassay.data.tables import read_qrels, read_run

ROOT = Path(__file__).parents[3]
QRELS = b"u 0 a 5\nu 0 b 1\nv 0 a 4\n"
RUN = b"u Q0 b 1 0.9 t\nu Q0 a 2 0.5 t\nv Q0 a 1 0.1 t\n"
TABLE = b"user,item,score\nu,b,0.9\nu,a,0.5\nv,a,0.1\n"


@pytest.fixture
def fifo(tmp_path):
    """Return a function that returns a FIFO to which a content is written once."""
    writers = []

    def make(name, content):
        path = tmp_path / name
        os.mkfifo(path)
        writers.append(threading.Thread(target=path.write_bytes, args=(content,), daemon=True))
        writers[-1].start()
        return path

    yield make
    for writer in writers:
        writer.join(timeout=10)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("run", [RUN, TABLE, b'{"u": {"b": 0.9, "a": 0.5}, "v": {"a": 0.1}}'])
def test_streams_are_read_once_in_all_forms(fifo, pack, run):
    qrels, run = fifo("qrels", pack(QRELS)), fifo("run", pack(run))
    assert rankassay.evaluate(qrels, run, "RR")["RR"] == 0.75


def test_trec_files_may_be_streams(fifo):
    assert read_qrels(fifo("qrels", QRELS))["rating"].tolist() == [5, 1, 4]
    assert read_run(fifo("run", RUN))["score"].tolist() == [0.9, 0.5, 0.1]


def test_a_mistake_in_a_stream_is_named_with_its_line(fifo):
    with pytest.raises(RankassayError, match=r"qrels, line 2: expected a number as rating"):
        read_qrels(fifo("qrels", b"u 0 a 5\nu 0 b five\n"))
    with pytest.raises(
        RankassayError, match=r"table, line 3: expected an id of the item, found an empty"
    ):
        tables.read(fifo("table", b"user,item,score\nu,a,1\nu,,2\n"), "score")
    with pytest.raises(RankassayError, match=r"none: expected lines, found none; a stream can be"):
        tables.read(fifo("none", b""), "score")


def command(words, folder, **own):
    """Run a command by the shell in a folder, `rankassay` being that of this project."""
    return subprocess.run(
        ["bash", "-c", words.replace("rankassay", f"{sys.executable} -m rankassay")],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        check=False,
        timeout=60,
        **own,
    )


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "qrels.gz").write_bytes(gzip.compress(QRELS))
    (tmp_path / "run").write_bytes(RUN)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    "given",
    [
        "<(zcat qrels.gz) <(gzip -c run)",
        "/dev/stdin run < <(cat qrels.gz)",
        "qrels.gz - < run",
    ],
)
def test_the_command_takes_streams(folder, given):
    done = command(f"rankassay evaluate {given} -m RR --csv", folder)
    assert done.stdout.endswith(b",0.75\n"), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("- - < qrels.gz", b"a stream can be read once"),
        ("- run <&-", b"expected an open standard input, found it closed"),
    ],
)
def test_a_stream_that_is_not_there_is_told_in_one_line(folder, given, said):
    done = command(f"rankassay evaluate {given} -m RR", folder)
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(RankassayError, match=r"expected a file \(Is a directory\)"):
        read_qrels(tmp_path)


def test_an_id_is_no_tar_archive(tmp_path):
    """Whose mark stands far from the beginning, where text has had a line break."""
    text = f"user,item\n{'x' * 247}ustard,1\n"
    assert text[257:262] == "ustar"
    (tmp_path / "table").write_text(text)
    with open_text(tmp_path / "table") as file:
        assert file.read() == text
