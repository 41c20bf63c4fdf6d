"""The command `sensitivity` prints what `rankassay.sensitivity` returns."""

import csv
import io
import json
from pathlib import Path

import pytest

import rankassay
from rankassay.cli.main import main

USERS = range(8)


@pytest.fixture
def files(tmp_path):
    qrels = [f"u{n} 0 {item} 5\n" for n in USERS for item in ("film", "song")]
    runs = {
        "films": [f"u{n} Q0 film 1 1 x\n" for n in USERS],
        "songs": [f"u{n} Q0 {'song' if n < 2 else 'play'} 1 1 x\n" for n in USERS],
    }
    (tmp_path / "qrels").write_text("".join(qrels))
    (tmp_path / "train").write_text("".join(f"v{n} 0 film 4\n" for n in range(3)))
    for name, lines in runs.items():
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return [str(tmp_path / name) for name in ("qrels", "films.run", "songs.run")]


def test_the_table_is_that_of_the_function(files, capsys):
    runs = dict(zip(("films", "songs"), files[1:], strict=True))
    expected = rankassay.sensitivity(files[0], runs, "P@1", threshold=4)
    how = ["-m", "P@1", "--threshold", "4"]
    assert main(["sensitivity", *files, *how, "--csv"]) == 0
    [row] = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert float(row["gamma"]) == expected["gamma"].iloc[0] == 2
    assert main(["sensitivity", *files, *how]) == 0
    lines = capsys.readouterr().out.splitlines()
    heads = ["metric", "leader", "other", "difference", "gamma", "gamma_item", "stands_to"]
    assert lines[0].split() == heads
    assert lines[1].split() == ["P@1", "films", "songs", "0.7500", "2.00", "2.00", "1"]
    assert lines[-1] == (
        "films stays first under P@1 up to Γ = 2.00. Beyond, songs can overtake it. "
        "The difference is not significant at Γ = 4."
    )


def test_the_table_rounds_as_the_sentence_does(files, capsys):
    for run, likers in zip(files[1:], (19, 15), strict=True):  # √(19/15) = 1.1254...
        lines = [f"u{n} Q0 {'film' if n < likers else 'play'} 1 1 x\n" for n in range(20)]
        Path(run).write_text("".join(lines).replace("film", Path(run).stem[:-1]))
    Path(files[0]).write_text("".join(f"u{n} 0 film 5\nu{n} 0 song 5\n" for n in range(20)))
    assert main(["sensitivity", *files, "-m", "P@1"]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[1].split()[4] == "1.12"
    assert "up to Γ = 1.12." in shown


def test_a_row_names_the_measure_that_stands_in(files, capsys):
    assert main(["sensitivity", *files, "--threshold", "4", "-m", "Recall@1", "FP@1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("R@1 ")
    assert lines[2].startswith("FP@1 (by P@1)  films")


def test_an_infinite_gamma_is_json(files, capsys):
    with open(files[2], "w") as file:
        file.write("u0 Q0 play 1 1 x\n")
    assert main(["sensitivity", *files, "--threshold", "4", "-m", "P@1", "--json"]) == 0
    [row] = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert row["gamma"] == "Infinity"
