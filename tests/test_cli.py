"""The command line, above all how it tells of mistakes."""

import argparse
import functools
import importlib
import inspect
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from called import called

from rankassay.cli.arguments import Given, extend
from rankassay.cli.main import COMMANDS
from rankassay.data import reading
from rankassay.data.download import fetch
from rankassay.data.entries import BESIDE
from rankassay.errors import RankassayError
from rankassay.jobs import companions, prepare

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.fixture
def rankassay(tmp_path):
    """Return a function that runs `python -m rankassay` in an empty folder."""
    return functools.partial(called, tmp_path)


def one_line(process):
    """Return the one line that a failed call printed."""
    assert process.returncode == 1, process.stderr
    lines = [line for line in process.stderr.splitlines() if line.startswith("rankassay ")]
    assert "Traceback" not in process.stderr
    assert len(lines) == 1
    return lines[0]


def test_help_lists_the_stages(rankassay):
    process = rankassay("--help")
    assert process.returncode == 0
    for job in ("fetch", "prepare", "split", "recommend", "evaluate", "analyse", "figure"):
        assert job in process.stdout


@pytest.mark.parametrize("command", ["job", "evaluate"])
def test_every_command_explains_itself(rankassay, command):
    process = rankassay(command, "--help")
    assert process.returncode == 0
    assert f"python -m rankassay {command}" in process.stdout


JOIN = {"kind": "table", "parts": ["part.csv"]}


@pytest.fixture
def job(rankassay):
    """Return a function that has jobs done by `rankassay job`."""
    return lambda *jobs, words=(): rankassay("job", *words, given=json.dumps([*jobs]))


def test_one_process_does_jobs_one_after_another_until_one_fails(job, tmp_path):
    (tmp_path / "part.csv").write_text("a\n1\n")
    several = [{"join": JOIN | {"output": f"{name}.csv"}} for name in ("first", "second", "third")]
    process = job(*several[:2], words=["--log", "logs/a/b.c.log"])
    assert process.returncode == 0, process.stderr
    for name in ("first", "second"):
        assert (tmp_path / f"{name}.csv").read_text() == "a\n1\n"
    assert (tmp_path / "results/benchmarks/a/b.c.tsv").exists()
    figure = {"figure": {"name": "a/b", "tables": {"c": "first.csv"}, "panels": [], "output": "x"}}
    last = {"join": JOIN | {"output": "4.csv"}}
    said = one_line(job(several[2], figure, last))
    assert said.startswith("rankassay figure a/b: unknown figure 'a/b'")
    assert (tmp_path / "third.csv").exists()
    assert not (tmp_path / "4.csv").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "job: expected a job on standard input, as .*found ''"),
        ('{"join": {}} 3', "job: expected a job on standard input"),
        ('{"join": 3}', "job: expected a job on standard input"),
        ("{}", "job: expected a job on standard input"),
        ("[]", "job: expected a job on standard input"),
        ('{"jion": {}}', "jion: unknown job 'jion'; did you mean 'join'"),
        ('{"join": {"kinds": 1}}', "unknown argument of join 'kinds'; did you mean 'kind'"),
        ('{"join": {"kind": "table"}} {"output": "x"}', "expected the argument 'parts' of join"),
    ],
)
def test_what_is_no_job_is_told_in_one_line(rankassay, given, said):
    assert re.search(said, one_line(rankassay("job", given=given)))


def test_an_unknown_stage_lists_the_known_ones(rankassay):
    process = rankassay("evalute")
    assert process.returncode == 2
    assert "unknown command 'evalute'; did you mean 'evaluate'?" in process.stderr


def test_no_command_at_all_says_where_they_are(rankassay):
    process = rankassay()
    assert process.returncode == 2
    assert "name a command. 'python -m rankassay --help'" in process.stderr


METHOD = {"method": "random", "test_fraction": 0.2, "rounding": "floor"}
SPLIT = {"split": METHOD, "fold": 1, "seed": 1, "train": "train.npz", "test": "test.npz"}
SPLIT |= {"summary": "summary.csv", "leakage": "leakage.csv", "removed": "filter.csv"}


def test_a_missing_file_is_named(job):
    assert "nowhere.npz" in one_line(job({"split": SPLIT | {"ratings": "nowhere.npz"}}))


@pytest.mark.parametrize("content", [b"", b"half a file", b"PK\x03\x04 cut off"])
def test_a_file_that_is_no_artifact_is_refused(job, tmp_path, content):
    (tmp_path / "bad.npz").write_bytes(content)
    line = one_line(job({"split": SPLIT | {"ratings": "bad.npz"}}))
    assert "bad.npz: expected an artifact of the kind Ratings" in line
    assert not (tmp_path / "train.npz").exists()


def test_an_artifact_of_another_kind_is_refused(job, tmp_path):
    np.savez(tmp_path / "other.npz", something=np.arange(3))
    line = one_line(job({"split": SPLIT | {"ratings": "other.npz"}}))
    assert "expected an artifact of the kind Ratings" in line


def test_a_raw_file_that_was_altered_since_it_was_fetched_is_refused(tmp_path):
    """Whatever files a source has: else one would be certified under the checksum of another."""
    for key in ("ratings", *BESIDE, "train"):
        path = tmp_path / key
        path.write_text("1,10,5\n")
        record = {key: fetch("mine", {"path": str(path)}, tmp_path / "raw")["ratings"]}
        assert reading.fetched(record, key) == str(path)
        path.write_text("1,10,4\n")
        with pytest.raises(
            RankassayError, match=f"{key}: expected the file that was fetched"
        ) as error:
            reading.fetched(record, key)
        assert len(str(error.value).splitlines()) == 1
    source = "".join(map(inspect.getsource, (prepare, companions, reading)))
    assert source.count('["path"]') == 1  # no file is read in another way


def test_a_bad_line_of_a_ratings_file_is_named(job, tmp_path):
    (tmp_path / "ratings.csv").write_text("1,10,5\n1,11,4\n2,10,five\n")
    source = {"kind": "file", "path": "ratings.csv", "format": "delimited", "separator": ","}
    source |= {"columns": {"user": 0, "item": 1, "rating": 2}, "duplicates": "error"}
    given = {"dataset": "mine", "source": source}
    fetched = job({"fetch": given | {"raw_dir": "raw", "output": "s.json"}})
    assert fetched.returncode == 0, fetched.stderr
    files = {"record": "s.json", "ratings": "r.npz", "statistics": "s.csv"}
    line = one_line(job({"prepare": given | files | {"seed": 1}}))
    assert "ratings.csv, line 3" in line
    assert "five" in line
    assert not (tmp_path / "r.npz").exists()


def test_run_is_a_call_of_snakemake(rankassay):
    process = rankassay(
        *("run", "robustness", "--configfile", "demo", "--datasets", "demo", "--set", "seed=3"),
        *("--cores", 2, "--show", "--", "--keep-going"),
    )
    assert process.returncode == 0, process.stderr
    words = shlex.split(process.stdout)
    assert words[1:6] == ["-P", "-m", "snakemake", "--snakefile", str(ROOT / "workflow/Snakefile")]
    assert words[6:] == [
        *("--workflow-profile", str(ROOT / "workflow/profiles/default")),
        *("--logger", "rankassay", "--logger-rankassay-lines", "studies"),
        *("--configfile", str(ROOT / "config/demo.yaml")),
        *("--config", 'datasets=["demo"]', "seed=3", "--cores", "2", "robustness", "--keep-going"),
    ]


def test_a_lock_is_removed_by_the_same_command(rankassay):
    assert "--unlock" in shlex.split(rankassay("run", "--unlock", "--show").stdout)


@pytest.mark.parametrize("command", ["evaluate", "compare", "plan"])
def test_a_metric_is_asked_for_once(rankassay, command):
    process = rankassay(command, "qrels.txt", "a.run", "-m", "P@10", "R@10", "P@10")
    assert process.returncode == 2
    assert process.stderr.endswith("-m/--metrics: expected each name once, found 'P@10' twice\n")
    process = rankassay(command, "qrels.txt", "a.run", "-m", "P@10", "-m", "R@10", "-m", "P@10")
    assert process.stderr.endswith("-m/--metrics: expected each name once, found 'P@10' twice\n")


def test_options_that_are_repeated_extend(rankassay, tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text("seed: 1\n")
    process = rankassay(
        *("run", "--show", "--configfile", "a.yaml", "--configfile", "b.yaml", "--set", "seed=3"),
        *("--set", "robustness.cutoff=5", "--datasets", "x", "--datasets", "y", "z"),
    )
    assert shlex.split(process.stdout)[12:-2] == [
        *("--configfile", "a.yaml", "b.yaml", "--config", 'datasets=["x", "y", "z"]', "seed=3"),
        'robustness={"cutoff": 5}',
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_no_option_of_any_command_is_dropped(command):
    """What is given twice is there twice, or refused."""
    module = importlib.import_module(f"rankassay.cli.{command.replace('-', '_')}")
    parser = extend(argparse.ArgumentParser())
    module.add_arguments(parser)
    for action in parser._actions:
        if action.nargs == 0 or not action.option_strings:
            continue
        assert isinstance(action, Given), action.option_strings
        found = argparse.Namespace(**{action.dest: action.default})
        action(parser, found, ["a"] if action.nargs else "a")
        if action.nargs:
            action(parser, found, ["b", "c"])
            assert getattr(found, action.dest) == ["a", "b", "c"]
        else:
            with pytest.raises(argparse.ArgumentError, match="expected it once, found 'a' and 'b'"):
                action(parser, found, "b")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "expected a file after --configfile, found none at 'mine.yaml'"),
        ("seed: 1\nseed: 2\n", "mine.yaml, line 2: the key 'seed' stands there twice"),
        ("datasets: [a\nb: 1\n", "mine.yaml, line 2: expected YAML"),
        ("", "mine.yaml: expected keys and their values, found nothing"),
        ("- demo\n", "mine.yaml: expected keys and their values, found ['demo']"),
    ],
)
def test_a_configuration_with_a_mistake_is_one_line(rankassay, tmp_path, content, said):
    if content is not None:
        (tmp_path / "mine.yaml").write_text(content)
    assert said in one_line(rankassay("run", "--configfile", "mine.yaml"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--cores", "0"], "--cores: expected a number from 1 on, or all, found '0'"),
        (
            ["--set", "seed=1", "seed"],
            "--set: expected a key and its value, as in seed=3 or robustness.cutoff=5, found",
        ),
    ],
)
def test_words_that_snakemake_would_not_explain(rankassay, words, said):
    assert said in one_line(rankassay("run", "--configfile", "demo", *words))


def test_datasets_are_listed_with_where_their_files_are(rankassay, tmp_path):
    (tmp_path / "data/raw/ml-100k").mkdir(parents=True)
    (tmp_path / "data/raw/ml-100k.zip").write_bytes(b"")
    own = "{kind: file, path: ratings.csv, threshold: 4}"
    judged = "{kind: file, path: mine.yaml, separator: ',', truth_path: truth.csv, threshold: 4}"
    entries = f"dataset_catalogue:\n  mine: {own}\n  judged: {judged}\n"
    (tmp_path / "mine.yaml").write_text(entries)
    process = rankassay("datasets", "--configfile", "mine.yaml", "--json")
    assert process.returncode == 0, process.stderr
    found = {row["dataset"]: row for row in json.loads(process.stdout)}
    files = {name: row["files"] for name, row in found.items()}
    assert files["ml-100k"] == "here"
    assert files["ml-1m"] == "to be downloaded"
    assert files["synthetic-ml-1m"] == "simulated"
    assert files["mine"] == files["judged"] == "missing"
    assert files["coat"] == "to be had by hand"
    assert all(row["page"] for row in found.values() if row["files"] == files["coat"])
    keys = ("users", "items", "ratings", "feedback", "timestamps")
    assert [found["ml-100k"][key] for key in keys] == [943, 1682, 100000, "explicit", "yes"]
    assert [found["retailrocket"][key] for key in keys[2:]] == [2756101, "implicit", "yes"]
    assert found["lastfm-hetrec"]["feedback"] == "implicit"
    assert [found["ml-10m"][key] for key in keys[:3]] == [None, None, 10000054]
    assert "\nml-10m,MovieLens 10M,file,,,10000054," in rankassay("datasets", "--csv").stdout
    text = rankassay("datasets").stdout
    assert "\n  coat: https://www.cs.cornell.edu/~schnabts/mnar/\n" in text
    assert max(map(len, text.splitlines())) <= 110


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("3", "dataset_catalogue.mine"),
        ("{kind: file, path: a.csv, threshold: 4, columns: 3}", "dataset_catalogue.mine.columns"),
        ("{kind: file, path: a.csv, threshold: 4, timestamp_format: '%H'}", "timestamp_format"),
    ],
)
def test_datasets_that_cannot_be_listed(rankassay, tmp_path, entry, said):
    (tmp_path / "mine.yaml").write_text(f"dataset_catalogue: {{mine: {entry}}}\n")
    assert said in one_line(rankassay("datasets", "--configfile", "mine.yaml"))


def test_a_file_without_keys_lists_no_datasets(rankassay, tmp_path):
    (tmp_path / "mine.yaml").write_text("- mine\n")
    said = one_line(rankassay("datasets", "--configfile", "mine.yaml"))
    assert "mine.yaml: expected keys and their values, found ['mine']" in said


def test_what_starts_a_run_loads_little(tmp_path):
    command = [sys.executable, "-X", "importtime", "-m", "rankassay", "run", "--help"]
    process = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    loaded = {line.split()[-1] for line in process.stderr.splitlines()}
    assert "rankassay.cli.arguments" in loaded
    assert {"pandas", "numba", "scipy"} & loaded == set()


@pytest.fixture(scope="module")
def completion(tmp_path_factory):
    """Return the script that completes words in bash."""
    return called(tmp_path_factory.mktemp("completion"), "completion", "bash").stdout


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["rankassay", "ev"], ["evaluate"]),
        (["rankassay", "run", "robu"], ["robustness"]),
        (["rankassay", "evaluate", "q", "--with"], ["--without-relevant"]),
        (["rankassay", "evaluate", "q", "-m", "P@1", "nD"], ["nDCG"]),
        (["rankassay", "evaluate", "q", "--profile", "t"], ["trec"]),
        (["rankassay", "evaluate", "qr"], ["qrels.txt"]),
    ],
)
def test_bash_completes(completion, tmp_path, typed, offered):
    (tmp_path / "qrels.txt").touch()
    words = " ".join(map(shlex.quote, typed))
    asked = f"COMP_WORDS=({words}); COMP_CWORD={len(typed) - 1}; _rankassay; echo ${{COMPREPLY[@]}}"
    process = subprocess.run(
        ["bash", "-c", f"{completion}\n{asked}"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert process.stdout.split() == offered


@pytest.mark.slow
@pytest.mark.parametrize("module", ["numpy", "pandas._libs.parsers"])
def test_an_interrupt_while_modules_are_imported_is_one_line(module, tmp_path):
    command = [sys.executable, "-X", "importtime", "-m", "rankassay", "evaluate", "none", "none"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    for line in process.stderr:
        if line.rstrip().endswith(f" {module}"):
            process.send_signal(signal.SIGINT)
            break
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert "rankassay: interrupted." in said
    assert "Traceback" not in said


@pytest.mark.slow
def test_an_interrupt_while_a_file_is_read_is_one_line(tmp_path):
    (tmp_path / "q").write_text("u 0 i 5\n")
    os.mkfifo(tmp_path / "run")
    command = [sys.executable, "-m", "rankassay", "evaluate", "q", "run"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    with open(tmp_path / "run", "w") as pipe:  # waits for the reader
        pipe.write("u Q0 i 1 0.5 tag\n")
        pipe.flush()
        time.sleep(0.2)  # until it waits for more
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
    assert (process.returncode, said) == (130, "rankassay: interrupted.\n")


@pytest.fixture
def unpacked(tmp_path):
    """Return a folder of judgements and runs whose modules say that they ran."""
    for name in (
        "random",
        "numpy",
        "yaml",
        "rankassay",
        "json",
        "socket",
        "contextlib",
        "snakemake",
    ):
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('{name} of the folder ran')\n")
    (tmp_path / "qrels.txt").write_text("ann 0 film 5\nbob 0 book 4\n")
    (tmp_path / "a.run").write_text("ann Q0 film 1 2 a\nann Q0 book 2 1 a\nbob Q0 film 1 1 a\n")
    (tmp_path / "b.run").write_text("ann Q0 book 1 2 b\nbob Q0 book 1 1 b\n")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["judge", "qrels.txt", "a.run", "b.run"],
        ["run", "robustness", "--configfile", "demo", "--dry-run"],
    ],
)
def test_modules_in_the_current_folder_do_not_run(unpacked, words):
    process = subprocess.run(
        [str(ROOT / "run"), "rankassay", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=unpacked,
    )
    assert process.returncode == 0, process.stderr
    assert "of the folder" not in process.stderr + process.stdout


def test_a_module_of_the_folder_does_not_run_where_python_is_called_without_an_option(unpacked):
    for name in ("rankassay", "contextlib"):  # which Python itself imports, to find the package
        (unpacked / f"{name}.py").unlink()
    process = subprocess.run(
        [sys.executable, "-m", "rankassay", "evaluate", "qrels.txt", "a.run"],
        capture_output=True,
        text=True,
        check=False,
        cwd=unpacked,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
    )
    assert process.returncode == 0, process.stderr


def test_all_commands_of_the_workflow_leave_out_the_current_folder():
    rules = "".join(path.read_text() for path in sorted(ROOT.glob("workflow/rules/*.smk")))
    assert (
        rules.count("python -P -m rankassay ") == len(re.findall(r"python\b[^\n]* -m ", rules)) > 0
    )
