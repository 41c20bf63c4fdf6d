"""The command `bounds` prints what `rankassay.bounds` returns."""

import csv
import io
import json

import pytest

import rankassay
from rankassay.cli.main import main

QRELS = "ann 0 film 5\nann 0 book 1\nbob 0 song 4\n"
RUNS = {
    "a": "ann Q0 film 1 2 a\nann Q0 game 2 1 a\nbob Q0 song 1 1 a\n",
    "b": "ann Q0 book 1 2 b\nann Q0 play 2 1 b\n",
}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels").write_text(QRELS)
    for name, lines in RUNS.items():
        (tmp_path / f"{name}.run").write_text(lines)
    return [str(tmp_path / name) for name in ("qrels", "a.run", "b.run")]


@pytest.mark.slow
def test_the_table_is_that_of_the_function(files, capsys):
    expected = rankassay.bounds(files[0], dict(zip("ab", files[1:], strict=True)), "P@2")
    assert main(["bounds", *files, "-m", "P@2", "--csv"]) == 0
    rows = [*csv.DictReader(io.StringIO(capsys.readouterr().out))]
    assert [(row["run"], row["metric"]) for row in rows] == [*expected.index]
    for name in ("value", "least", "greatest"):
        assert [float(row[name]) for row in rows] == expected[name].to_list()
    assert main(["bounds", *files, "-m", "P@2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["run", "metric", "value", "least", "greatest", "overlaps"]
    assert lines[1].split() == ["a", "P@2", "0.5000", "0.5000", "0.7500"]
    assert "judging the missing items could" in lines[-1]


def test_deeper_than_a_run_only_on_request(files, capsys, caplog):
    with open(files[2], "a") as file:
        file.write("ann Q0 opera 3 .5 b\n")
    for more, metric in (([], "P@2"), (["--unequal-depths"], "P@3")):
        assert main(["bounds", *files, "-m", "P@3", *more, "--json"]) == 0
        assert {row["metric"] for row in json.loads(capsys.readouterr().out)} == {metric}
        assert ("a at 2; b at 3" in caplog.text) == (not more)
        caplog.clear()
