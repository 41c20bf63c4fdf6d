"""What a job took is written and read; a file that does not say it is no error."""

import math

import pytest

from rankassay.artifacts import usage


def test_what_is_written_is_read(tmp_path):
    usage.write(tmp_path / "job.tsv", 1.25)
    found = usage.read(tmp_path / "job.tsv")
    assert found["s"] == 1.25
    assert 10 < found["max_rss"] < 100_000


def test_the_last_try_counts_and_memory_may_be_unknown(tmp_path):
    (tmp_path / "job.tsv").write_text("s\tmax_rss\n9\t8\n1.5\t-\n")
    found = usage.read(tmp_path / "job.tsv")
    assert found["s"] == 1.5
    assert math.isnan(found["max_rss"])


@pytest.mark.parametrize(
    "content", [b"", b"s\tmax", b"s\tmax_rss\n1", b"\xff\xfe\n1\t2\n", b"a\n1\n"]
)
def test_a_damaged_file_says_nothing(tmp_path, content):
    (tmp_path / "job.tsv").write_bytes(content)
    assert usage.read(tmp_path / "job.tsv") is None
    assert usage.read(tmp_path / "none.tsv") is None
