"""Values of metrics that others computed: tables, one table, and files of trec_eval."""

import re
from pathlib import Path

import numpy as np
import pytest
import yaml

from rankassay.artifacts.arrays import Scores
from rankassay.artifacts.files import write_json
from rankassay.cli.job import do
from rankassay.data.download import fetch
from rankassay.data.entries import completed
from rankassay.data.scores import read
from rankassay.errors import RankassayError

AP = "topic,x,y,z\n401,0.5,0.25,1\n402,0.125,,0\n403,1e-3,0.5,nan\n"
P10 = "topic,z,y,x\n403,0.3,0.2,0.1\n401,0.6,0.5,0.4\n402,0.9,0.8,0.7\n"
TABLES = {"kind": "scores", "users": "topic", "tables": {"map": "ap.csv", "P_10": "p10.csv"}}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the folder of a test, in which it runs, with two sound tables."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ap.csv").write_text(AP)
    (tmp_path / "p10.csv").write_text(P10)
    return tmp_path


def scores(entry):
    """Return the values of a dataset as its jobs read them."""
    entry = completed("mine", entry)
    return read(fetch("mine", entry, "raw"), entry)


def refusal(entry):
    """Return the message for a dataset that cannot be read."""
    with pytest.raises(RankassayError) as error:
        scores(entry)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_tables_are_brought_to_the_order_of_the_first(folder):
    found = scores(TABLES)
    nan = np.nan
    np.testing.assert_array_equal(
        found.values[:, :, 0], [[0.5, 0.25, 1], [0.125, nan, 0], [1e-3, 0.5, nan]]
    )
    np.testing.assert_array_equal(
        found.values[:, :, 1], [[0.4, 0.5, 0.6], [0.7, 0.8, 0.9], [0.1, 0.2, 0.3]]
    )
    assert [*found.systems] == ["x", "y", "z"]
    assert [*found.measures] == ["AP", "P@10"]
    assert found.users.tolist() == [0, 1, 2]


def test_ids_such_as_7_0_are_whole_numbers_in_all_forms(folder):
    Path("1.csv").write_text("user,A,B\n7.0,0.5,0.25\n8.0,1,0\n")
    Path("2.csv").write_text("user,A,B\n7,0.5,0.25\n8,1,0\n")
    both = {"RR": "1.csv", "AP": "2.csv"}
    tables = scores({"kind": "scores", "users": "user", "tables": both})
    assert (tables.values[:, :, 0] == tables.values[:, :, 1]).all()
    for system, users in (("a", ("7.0", "8.0")), ("b", ("7", "8"))):
        lines = (f"map\t{user}\t0.5\n" for user in users)
        Path(f"{system}.txt").write_text("".join(lines))
    entry = {"kind": "scores", "results": "[ab].txt", "measures": ["AP"]}
    assert scores(entry).values.shape == (2, 2, 1)


def test_rows_without_names_are_users_in_their_order(folder):
    (folder / "rr.tsv").write_text("x\ty\n1\t0\n0.5\tNA\n")
    found = scores({"kind": "scores", "tables": {"RR": "rr.tsv"}})
    np.testing.assert_array_equal(found.values[:, :, 0], [[1, 0], [0.5, np.nan]])


def test_one_table_of_all_metrics_says_the_same(folder):
    lines = ["note,value,metric,system,user", ",9,bpref,x,401", ",,bpref,x,402"]
    for metric, text in (("AP", AP), ("P@10", P10)):
        head, *rows = (line.split(",") for line in text.splitlines())
        for user, *values in rows:
            pairs = zip(head[1:], values, strict=True)
            lines += [f"a note,{value},{metric},{system},{user}" for system, value in pairs]
    (folder / "all.csv").write_text("\n".join(lines) + "\n")
    found = scores({"kind": "scores", "table": "all.csv", "measures": ["map", "Precision@10"]})
    expected = scores(TABLES)
    np.testing.assert_array_equal(found.values, expected.values)
    assert [*found.systems] == [*expected.systems]
    assert [*found.measures] == [*expected.measures]


def results(folder, values):
    """Write what trec_eval -q would write of each run: values by run and topic."""
    for run, topics in values.items():
        lines = [f"map                   \t{topic}\t{v:.4f}" for topic, v in topics.items()]
        lines += [f"recip_rank            \t{topic}\t{v / 2:.4f}" for topic, v in topics.items()]
        lines += ["runid                 \tall\tmine", "map                   \tall\t0.9999"]
        (folder / f"{run}.eval").write_text("\n".join(lines) + "\n")


TREC = {"kind": "scores", "results": "*.eval", "measures": ["recip_rank", "map"]}


def test_files_of_trec_eval_are_systems_by_their_names(folder):
    results(folder, {"b": {"t2": 0.2, "t1": 0.4}, "a": {"t1": 0.6, "t2": 0.8}})
    found = scores(TREC)
    assert [*found.systems] == ["a", "b"]
    assert [*found.measures] == ["RR", "AP"]
    np.testing.assert_array_equal(found.values[:, :, 1], [[0.6, 0.4], [0.8, 0.2]])
    np.testing.assert_array_equal(found.values[:, :, 0], [[0.3, 0.2], [0.4, 0.1]])


def test_a_topic_that_a_run_lacks_is_an_error_nothing_or_zero(folder):
    results(folder, {"a": {"t1": 0.6, "t2": 0.8}, "b": {"t1": 0.4}})
    assert "systems with different users" in refusal(TREC)
    assert "none for 'b' and user 't2'" in refusal(TREC)
    assert np.isnan(scores(TREC | {"absent": "none"}).values[1, 1]).all()
    assert (scores(TREC | {"absent": "zero"}).values[1, 1] == 0).all()


def test_of_a_metric_of_ones_own_the_lower_value_may_be_the_better_one(folder):
    (folder / "wait.csv").write_text("x,y\n0,3\n2,\n")
    entry = {"kind": "scores", "tables": {"wait@5": "wait.csv"}}
    higher = scores(entry | {"own": {"wait": "higher"}})
    lower = scores(entry | {"own": {"wait": "lower"}})
    assert [*lower.measures] == ["own:wait@5"]
    np.testing.assert_array_equal(higher.values[:, :, 0], [[0, 3], [2, np.nan]])
    np.testing.assert_array_equal(lower.values, -higher.values)
    assert not np.signbit(lower.values[0, 0, 0])


def test_the_metric_of_ones_own_that_the_page_names_is_read(folder):
    page = (Path(__file__).parents[3] / "docs/own-runs.md").read_text()
    (text,) = re.findall(r"`own: (\{.+?\})`", page)
    ((name, _),) = yaml.safe_load(text).items()
    (folder / "own.csv").write_text("x,y\n0,3\n2,\n")
    entry = {"kind": "scores", "tables": {name: "own.csv"}, "own": yaml.safe_load(text)}
    assert [*scores(entry).measures] == [f"own:{name}"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("0.125", "much", "ap.csv, line 3, column x: expected a finite number"),
        ("0.125", "inf", "ap.csv, line 3, column x: expected a finite number"),
        ("0.125", "1_0", "found '1_0'"),
        ("403,", "401,", "line 4: expected each user once, found '401' again (first in line 2)"),
        (
            "403,",
            "404,",
            "found that user '404' is missing from p10.csv and user '403' is only in p10.csv; all",
        ),
        (
            "x,y,z",
            "x,y,w",
            "found that system 'w' is missing from p10.csv and system 'z' is only in p10.csv; ",
        ),
        ("x,y,z", "x,y,x", "ap.csv, line 1: expected each system once, found 'x' twice"),
        ("x,y,z", "x,y,", "line 1, column 4: expected the name of a system, found none"),
        ("402,0.125,,0", "402,0.125,0", "line 3: expected 4 fields as in the header, found 3"),
        ("topic,", "topics,", "unknown column 'topic'; did you mean 'topics'?"),
        (
            AP,
            "topic,x\n401,1\n402,0\n403,1\n",
            "the same systems as in ap.csv, found that systems 'z', 'y' are only in p10.csv; all",
        ),
        (AP, "\n", "ap.csv: expected a header with the systems' names, found none"),
        ("0.25,1\n402,0.125,,0\n403,1e-3,0.5,nan", ",1\n402,0,,0\n403,1,,1", "column y: expected"),
    ],
)
def test_a_mistake_in_a_table_is_one_line(folder, old, new, expected):
    assert old in AP
    (folder / "ap.csv").write_text(AP.replace(old, new))
    assert expected in refusal(TABLES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x\n1\n0\n", "expected at least 2 systems to compare, found 1"),
        ("x,y\n1,0\n", "expected at least 2 users to compare, found 1"),
        ("User,x,y\n1,2,3\n2,3,4\n", "write users: User"),
        ("id,x,y\n401,1,0\n402,0,1\n", "column id: expected a value from 0 to 1"),
        ("x,y\n50,100\n", "found 50; if it is a percentage, divide it by 100"),
        ("x,y\n0.5,-0.1\n", "line 2, column y: expected a value from 0 to 1"),
        ('x,"y\n1,0\n0,1\n', "close its quotes"),
        ("x,y\n" + "1" * 200_000 + ",0\n", "ap.csv"),  # csv has a limit that others may raise
        (
            b"x,y\n1,\xff\n",
            "ap.csv, line 2: expected text in UTF-8, found the byte 0xff at position 3",
        ),
        ("x;y\n1;0\n", """separated by ',', found one, 'x;y'; write separator: ";" in"""),
        ('x,y\n"1\n",0\n0,1\n', "line 2: expected a row on each line, found one that runs over"),
    ],
)
def test_a_table_with_too_little_is_refused(folder, text, expected):
    (folder / "ap.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert expected in refusal({"kind": "scores", "tables": {"AP": "ap.csv"}})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("map all 0.5\n", "call trec_eval with -q"),
        ("map t1\n", "a.eval, line 1: expected a metric, a topic and a value"),
        ("map t1 0.5\nmap t1 0.5\n", "line 2: expected each value once, found a second one of map"),
        ("map t1 high\n", "a.eval, line 1: expected a finite number"),
        ("P_5 t1 0.5\nrecip_rank t1 1\n", "expected a value of AP for every user"),
        ("P_5 t1 0.5\n", "a.eval: expected values of recip_rank, map, found none"),
        ("", "a.eval: expected what trec_eval -q writes, found an empty file"),
    ],
)
def test_a_mistake_in_a_file_of_trec_eval_is_one_line(folder, text, expected):
    results(folder, {"b": {"t1": 0.2}, "c": {"t1": 0.4}})
    (folder / "a.eval").write_text(text)
    assert expected in refusal(TREC)


def test_means_and_users_without_a_name_are_no_users(folder):
    """What is made of all topics would count as one more of them."""
    for name, expected in (
        ("all", "'all', which names the means of all"),
        ("Mean", "'Mean', which"),
        ("", "none"),
    ):
        (folder / "ap.csv").write_text(f"topic,x,y\n1,0,1\n2,1,0\n{name},0.5,0.5\n")
        one = {"kind": "scores", "users": "topic", "tables": {"AP": "ap.csv"}}
        assert f"ap.csv, line 4: expected a user, found {expected}" in refusal(one)
        (folder / "all.csv").write_text(f"user,system,metric,value\n{name},x,AP,0.5\n")
        whole = {"kind": "scores", "table": "all.csv", "measures": ["AP"]}
        assert f"all.csv, line 2: expected a user, found {expected}" in refusal(whole)


@pytest.mark.parametrize("name", ["all", "ALL", "Avg", "mean", "amean"])
def test_what_trec_eval_says_of_all_topics_may_be_any_text(folder, name):
    results(folder, {"b": {"t1": 0.2, "t2": 0}, "c": {"t1": 0.4, "t2": 1}})
    expected = scores(TREC)
    with open("b.eval", "a") as file:
        file.write(f"runid {name} my best run\nmap {name} 0.1\n")
    np.testing.assert_array_equal(scores(TREC).values, expected.values)


def test_only_metrics_that_are_shares_lie_between_0_and_1(folder):
    (folder / "any.csv").write_text("x,y\n5,-2\n1.5,3\n")
    for name in ("DCG@5", "clicks", "RMSE"):
        entry = {"kind": "scores", "tables": {name: "any.csv"}, "own": {"clicks": "higher"}}
        assert scores(entry).values.max() == 5
    (folder / "any.csv").write_text("x,y\n1.0000001,0\n1,0.5\n")  # what rounding leaves
    assert scores({"kind": "scores", "tables": {"AP": "any.csv"}}).values.max() > 1


def test_a_table_of_all_metrics_needs_its_columns_and_the_metric_asked_for(folder):
    entry = {"kind": "scores", "table": "all.csv", "measures": ["AP"]}
    (folder / "all.csv").write_text("user,systems,metric,value\n")
    assert "unknown column 'system'; did you mean 'systems'?" in refusal(entry)
    (folder / "all.csv").write_text("user,system,metric,value\nu,s,P@10,1\n")
    assert "expected values of AP, found none" in refusal(entry)


def test_the_job_writes_what_analyses_read(folder):
    entry = completed("mine", TABLES)
    write_json(fetch("mine", entry, "raw"), folder / "source.json")
    given = {"record": "source.json", "source": entry, "output": "scores.npz"}
    do("import_scores", given)
    np.testing.assert_array_equal(Scores.load("scores.npz").values, scores(TABLES).values)
    (folder / "ap.csv").write_text(AP.replace("0.125", "0.5"))  # after it was fetched
    with pytest.raises(RankassayError, match="expected the file that was fetched"):
        do("import_scores", given)
