"""The command `judge` prints what `rankassay.judge` returns."""

import csv
import gzip
import io
import json
import shlex
import sys
from pathlib import Path

import judged_made_up as made
import pytest

import rankassay
from rankassay.advice.findings import MEASURES, PAIRS
from rankassay.cli import judge as command
from rankassay.cli.main import main
from rankassay.types import HEIGHT, WIDTH

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    made.write(folder)
    return folder


@pytest.fixture(scope="module")
def files(folder):
    return [str(folder / name) for name in ("qrels.txt", "noise-1.run", "noise-2.run")]


@pytest.fixture(scope="module")
def advice(files):
    runs = dict(zip(("noise-1", "noise-2"), files[1:], strict=True))
    return rankassay.judge(files[0], runs)


def said(capsys, *words):
    """Return what a call that succeeds writes to standard output."""
    assert main(["judge", *map(str, words)]) == 0
    return capsys.readouterr().out


def one_line(capsys, *words):
    """Return the line of a call that fails."""
    assert main(["judge", *map(str, words)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines() if line.startswith("rankassay judge: ")]
    assert len(lines) == 1
    assert "Traceback" not in err
    return lines[0]


def test_the_answer_is_that_of_the_function(files, advice, capsys):
    text = said(capsys, *files)
    assert text == f"{advice}\n"
    assert len(text.splitlines()) <= HEIGHT
    assert max(map(len, text.splitlines())) <= WIDTH
    assert "\033" not in text


def test_json_is_the_whole_object(files, advice, capsys):
    assert json.loads(said(capsys, *files, "--json")) == advice.to_dict()


def test_csv_has_the_measures_or_the_pairs(files, advice, capsys):
    rows = [*csv.DictReader(io.StringIO(said(capsys, *files, "--csv")))]
    assert [*rows[0]] == [*MEASURES]
    assert [row["measure"] for row in rows] == [*advice.table.index]
    [row] = csv.DictReader(io.StringIO(said(capsys, *files, "--csv", "--pairs")))
    assert [*row] == [*PAIRS]
    assert float(row["difference"]) == advice.pairs["difference"].iloc[0]


def test_pairs_and_evidence_are_printed_where_asked(files, advice, capsys):
    pairs = said(capsys, *files, "--pairs").splitlines()
    assert pairs[0].startswith("better")
    assert len(pairs) == 2
    text = said(capsys, *files, "--explain")
    assert text.startswith(str(advice))
    assert text.endswith(f"{advice.explain()}\n")


def test_packed_files_and_standard_input_are_read(files, folder, advice, capsys, monkeypatch):
    (folder / "packed").mkdir()
    packed = folder / "packed/noise-1.run.gz"
    packed.write_bytes(gzip.compress(Path(files[1]).read_bytes()))
    other = f"{advice}\n"
    assert said(capsys, files[0], packed, files[2]) == other
    with open(files[0]) as qrels:
        monkeypatch.setattr(sys, "stdin", qrels)
        assert said(capsys, "-", *files[1:]) == other


def test_outcomes_and_a_truth_are_files(files, folder, capsys):
    (folder / "online.csv").write_text("system,value,error\nnoise-1,3,.1\nnoise-2,2,.1\n")
    found = json.loads(said(capsys, *files, "--outcomes", folder / "online.csv", "--json"))
    assert any(row["outcomes"] is not None for row in found["measures"])
    rows = [
        f"u{u},i{i},{r}\n"
        for u, own in enumerate(made.RATINGS.tolist())
        for i, r in enumerate(own)
        if i >= made.TESTED
    ]
    (folder / "truth.csv").write_text("".join(["user,item,rating\n", *rows]))
    found = json.loads(said(capsys, *files, "--truth", folder / "truth.csv", "--json"))
    assert any(row["truth_liked"] is not None for row in found["measures"])


def test_the_page_names_its_command(files, folder, capsys, monkeypatch):
    pytest.importorskip("jinja2")
    monkeypatch.setattr(sys, "argv", ["rankassay", "judge", *files])
    assert main(["judge", *files, "--out", str(folder / "page.html")]) == 0
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert f"rankassay judge {files[0]}" in page
    assert f"page: {folder / 'page.html'}" in capsys.readouterr().err


def test_a_page_needs_an_extra_and_says_so_before_any_work(files, capsys, monkeypatch):
    def missing(target):
        raise rankassay.RankassayError(
            "expected the package jinja2, found none; in a checkout of rankassay, "
            "pip install '.[report]'"
        )

    monkeypatch.setattr(command, "load", missing)
    monkeypatch.setattr(command, "judge", None)  # would fail if it was called
    line = one_line(capsys, *files, "--out", "page.html")
    assert line.endswith("pip install '.[report]'")
    assert "cannot be written" in one_line_of_folder(files, capsys, monkeypatch)


def one_line_of_folder(files, capsys, monkeypatch):
    """Return the line for a page in a folder that is not there."""
    monkeypatch.setattr(command, "load", lambda target: None)
    return one_line(capsys, *files, "--out", "/nowhere/at/all/page.html")


def test_colour_is_for_terminals_that_want_it(files, capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(command, "_columns", lambda: 80)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    text = said(capsys, *files)
    assert "\033[1mREPORT\033[0m" in text
    monkeypatch.setenv("NO_COLOR", "1")
    plain = said(capsys, *files)
    assert "\033" not in plain
    assert max(map(len, plain.splitlines())) <= 80


# What is wrong is one line, on standard error.


def test_bad_files_are_one_line(files, folder, capsys):
    (folder / "empty.run").write_text("")
    line = one_line(capsys, *files, folder / "empty.run")
    assert "empty.run: expected lines 'user Q0 item rank score tag', found an empty file" in line
    (folder / "empty.txt").write_text("")
    assert "empty.txt" in one_line(capsys, folder / "empty.txt", *files[1:])
    line = one_line(capsys, *files, files[1])
    assert "expected different runs, found" in line
    assert "nowhere.run" in one_line(capsys, files[0], folder / "nowhere.run")
    (folder / "nan.run").write_text("u1 Q0 i1 1 nan x\n")
    assert "nan.run, line 1" in one_line(capsys, files[0], folder / "nan.run")
    (folder / "others.run").write_text("x1 Q0 i1 1 1 x\n")
    assert "no user of it has judgements" in one_line(capsys, *files, folder / "others.run")
    (folder / "others.csv").write_text("user,item,rating\nu1,x1,4\n")
    line = one_line(capsys, *files, "--train", folder / "others.csv")
    assert "no judged item has a training rating" in line


def test_what_cannot_be_told_is_an_answer(files, folder, capsys):
    assert "one run leaves nothing to rank" in said(capsys, *files[:2])
    same = folder / "same.run"
    same.write_text(Path(files[1]).read_text())
    assert "all runs have the same hits" in said(capsys, *files[:2], same)
    assert "no judged item is relevant" in said(capsys, *files, "--threshold", 6)


@pytest.mark.slow
def test_the_step_that_computes_the_measure_gives_the_numbers_of_the_answer(
    folder, tmp_path, capsys
):
    """With a threshold of one's own, too, which `evaluate` would not guess."""
    train, qrels = folder / "like-minded.csv", folder / "qrels.txt"
    rows = [f"{u},{i},{r}\n" for u, own in made.like_minded().items() for i, r in own.items()]
    train.write_text("".join(["user,item,rating\n", *rows]))
    runs = [folder / "noise-1.run", folder / "noise-2.run"]
    told = ["--train", train, "--threshold", 3]
    found = json.loads(said(capsys, qrels, *runs, *told, "--json"))
    [command] = [step["command"] for step in found["next"] if step["kind"] == "evaluate"]
    words = shlex.split(command.replace("TRAIN", str(train)))
    assert words[:4] == ["rankassay", "evaluate", "QRELS", "RUN"]
    assert main(["evaluate", str(qrels), *map(str, runs), *words[4:], "--json"]) == 0
    name = words[words.index("-m") + 1]
    means = {row["run"]: row[name] for row in json.loads(capsys.readouterr().out)}
    runs = [row for row in found["systems"] if not row["reference"]]
    assert means == pytest.approx({row["system"]: row["mean"] for row in runs})


@pytest.mark.slow
def test_propensities_are_written_for_evaluate(files, folder, capsys):
    path, train = folder / "propensities.csv", folder / "train.csv"
    assert main(["judge", *files, "--train", str(train), "--write-propensities", str(path)]) == 0
    capsys.readouterr()
    runs = dict(zip(("noise-1", "noise-2"), files[1:], strict=True))
    given = rankassay.judge(files[0], runs, train).propensities
    measure = "IPS(gain='P')@5"
    expected = rankassay.evaluate(files[0], runs, measure, propensities=given)
    assert rankassay.evaluate(files[0], runs, measure, propensities=path).equals(expected)
    assert main(["judge", *files, "--write-propensities", str(path)]) == 1
    assert "give --train" in capsys.readouterr().err
