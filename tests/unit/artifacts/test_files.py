"""An artifact that was altered after it was written is not read."""

import os

import pandas as pd
import pytest

from rankassay.artifacts.files import (
    atomic,
    checked,
    checksum,
    read_json,
    read_text,
    record_of,
    recorded,
    write_json,
)
from rankassay.artifacts.shards import join_tables
from rankassay.artifacts.tables import read_table, write_table
from rankassay.errors import RankassayError

TABLE = pd.DataFrame({"metric": ["P", "RR"], "tau": [0.25, 0.5]})


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "results/table.csv"
    write_table(TABLE, path)
    return path


def test_what_is_written_is_recorded(table):
    assert recorded(table) == [checksum(table)]
    write_table(TABLE.head(1), table)
    assert recorded(table) == [checksum(table)]
    assert {path.name for path in table.parent.iterdir()} == {"table.csv", ".table.csv.sha256"}


def test_one_digit_is_enough_and_the_time_of_the_file_does_not_matter(table):
    times = table.stat()
    table.write_text(table.read_text().replace("0.25", "0.26"))
    os.utime(table, ns=(times.st_atime_ns, times.st_mtime_ns))
    for read in (read_table, read_text, lambda path: join_tables([path], path.with_name("j.csv"))):
        with pytest.raises(
            RankassayError, match=r"table.csv: expected the bytes that were written"
        ):
            read(table)


def test_a_record_that_was_altered_is_no_proof(table):
    for text in ("", "0" * 64, checksum(table)[:-1]):
        record_of(table).write_text(text)
        with pytest.raises(RankassayError, match="or its record"):
            read_table(table)


def test_a_file_without_a_record_is_taken_as_it_is(table):
    record_of(table).unlink()
    pd.testing.assert_frame_equal(read_table(table), TABLE)


def test_a_record_that_cannot_be_read_is_no_proof(table):
    record_of(table).unlink()
    record_of(table).mkdir()
    with pytest.raises(RankassayError, match=r"or its record \.table\.csv\.sha256 was"):
        read_table(table)


def test_a_name_that_leaves_no_room_for_its_record_is_refused(tmp_path):
    write_table(TABLE, tmp_path / f"{'x' * 226}.csv")
    assert len(read_table(tmp_path / f"{'x' * 226}.csv")) == 2
    with pytest.raises(RankassayError, match="at most 230 bytes, found one of 244: 'ééé") as error:
        write_table(TABLE, tmp_path / f"{'é' * 120}.csv")
    assert len(str(error.value).splitlines()) == 1
    # That of another program may have such a name.
    (tmp_path / f"{'x' * 246}.csv").write_text("a\n1\n")
    assert len(read_table(tmp_path / f"{'x' * 246}.csv")) == 1


def test_a_file_in_the_place_of_another_is_refused(table):
    other = table.with_name("other.csv")
    write_table(TABLE.head(1), other)
    os.replace(other, table)
    with pytest.raises(RankassayError, match="expected the bytes that were written"):
        read_table(table)


def test_a_kill_between_record_and_file_leaves_a_file_that_is_right(table, monkeypatch):
    def killed(source, target):
        if os.fspath(target) == os.fspath(table):
            raise KeyboardInterrupt
        replace(source, target)

    replace = os.replace
    before = checksum(table)
    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        write_table(TABLE.head(1), table)
    monkeypatch.undo()
    assert len(recorded(table)) == 2
    assert checksum(checked(table)) == before
    write_table(TABLE.head(1), table)
    assert recorded(table) == [checksum(table)] != [before]


def test_what_is_no_artifact_has_no_record(tmp_path):
    with atomic(tmp_path / "mine.run", "w", record=False) as file:
        file.write("u Q0 i 1 0.5 tag\n")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.run"]


@pytest.mark.parametrize("text", ["{", "[1,", "", "\0", '{"a": NaNa}'])
def test_other_text_is_an_error_of_one_line(tmp_path, text):
    write_json({"a": 1}, tmp_path / "a.json")
    record_of(tmp_path / "a.json").unlink()
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(
        RankassayError, match=r"a.json: expected an artifact of the kind a JSON obj"
    ):
        read_json(tmp_path / "a.json")
