"""The guide: the tree, the page that shows it, and the command."""

import io
import itertools
import re
from pathlib import Path

import pandas as pd
import pytest

from rankassay.artifacts.files import write_json
from rankassay.artifacts.tables import write_table
from rankassay.cli.main import main as cli
from rankassay.errors import RankassayError
from rankassay.guide import measured
from rankassay.guide import questions as guide
from rankassay.metrics.catalogue import METRICS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/guide.md").read_text()
LIST = ["--rated", "no", "--list", "limited", "--order", "yes"]


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())


class Terminal(io.StringIO):
    """Somebody who types."""

    def isatty(self):
        return True


@pytest.fixture
def results(tmp_path):
    """Return a folder of results, in which nDCG was measured on real data and on synthetic data."""
    rows = [
        {"metric": metric, "cutoff": cutoff, "criterion": criterion, "value": value}
        | {"rank": rank, "cutoff_rank": 1 if cutoff == 100 else 2}
        | {"cutoff_apart": cutoff != 100, "systems": 21}
        for metric, rank in (("nDCG", 1), ("P", 2))
        for cutoff in (5, 100)
        for criterion, value in (
            *(("sparsity", 0.91), ("popularity", 0.5)),
            *(("power", 1.25 + cutoff), ("overall", 1.5)),
        )
    ]
    for name in ("mine", "toy"):
        write_table(pd.DataFrame(rows), tmp_path / f"results/{name}/robustness/summary.csv")
        (tmp_path / f"data/processed/{name}").mkdir(parents=True)
    (tmp_path / "data/processed/mine/source.json").touch()
    (tmp_path / "results/tables/robustness").mkdir(parents=True)
    (tmp_path / "results/tables/robustness/summary.csv").touch()
    return tmp_path / "results"


def test_the_page_is_in_step_with_the_tree():
    assert guide.page() in PAGE


def test_every_way_through_the_tree_ends_at_a_goal():
    reached = set()
    for answers in itertools.product(*(q.answers for q in guide.FLAGS.values())):
        path, goal = guide.decide(guide.from_flags(dict(zip(guide.FLAGS, answers, strict=True))))
        assert 2 < len(path) < 7
        reached.add(goal.text)
    assert reached == {goal.text for goal in guide.GOALS.values()}


def test_every_metric_is_one_that_there_is():
    assert {metric for goal in guide.GOALS.values() for metric in goal.metrics} <= set(METRICS)


@pytest.mark.parametrize(
    ("answers", "metrics"),
    [
        ({"rated": "yes", "scale": "numbers", "wanted": "predictions"}, ("MAE", "RMSE", "NMAE")),
        ({"rated": "no", "list": "limited", "order": "no"}, ("Informedness", "Markedness", "MCC")),
        ({"rated": "no", "list": "limited", "order": "yes", "interest": "fast"}, ("AP",)),
        ({"rated": "no", "list": "limited", "order": "yes", "interest": "evenly"}, ("LAUC",)),
        ({"rated": "no", "list": "whole", "interest": "evenly"}, ("AUC",)),
    ],
)
def test_what_the_paper_recommends(answers, metrics):
    assert guide.decide(guide.from_flags(answers))[1].metrics == metrics


def test_the_tree_names_every_question_and_every_goal():
    for node in (*guide.QUESTIONS.values(), *guide.GOALS.values()):
        assert node.text in guide.text()


def test_without_a_terminal_it_says_which_flag_is_missing(capsys):
    assert cli(["guide", "--rated", "no"]) == 1
    said = capsys.readouterr().err
    assert "Give --list limited or whole" in said
    assert "Traceback" not in said


def test_an_answer_that_is_none_names_the_nearest():
    with pytest.raises(RankassayError, match=r"--list 'limitde'; did you mean 'limited'"):
        guide.decide(guide.from_flags({"rated": "no", "list": "limitde"}))


def test_no_answer_is_suggested_where_none_is_near():
    with pytest.raises(RankassayError, match=r"--rated 'maybe'\. Known: yes, no\."):
        guide.decide(guide.from_flags({"rated": "maybe"}))


def test_it_says_what_was_measured(results, capsys):
    flags = [*LIST, "--interest", "slowly", "--length", "10", "--results", str(results)]
    assert cli(["guide", *flags]) == 0
    said = capsys.readouterr().out
    assert "nDCG@10" in said
    assert re.search(
        r"nDCG@5 +0\.910 +0\.500 +6\.250 +1 of 2 +@100 +not computed +robustness", said
    )
    assert "Measured on mine\n" in said
    assert "Measured on toy (synthetic)\n" in said
    assert "tables" not in said
    assert cli(["guide", *flags, "--dataset", "mine"]) == 0
    assert "toy" not in capsys.readouterr().out
    assert cli(["guide", *flags, "--dataset", "other"]) == 1
    assert "found: mine, toy" in capsys.readouterr().err


def test_it_does_not_say_what_the_manifest_contradicts(results, capsys):
    known = {"artifacts": {"results/mine/robustness/summary.csv": "0" * 64}}
    write_json(known, results / "manifest.json")
    assert cli(["guide", *LIST, "--interest", "slowly", "--results", str(results)]) == 1
    error = capsys.readouterr().err
    assert "summary.csv: expected the bytes that results/manifest.json names" in error
    assert len(error.splitlines()) == 1


def test_it_warns_of_definitions_and_names_metrics_that_say_the_same(results, capsys):
    order = {"metric": "nDCG", "cutoff": 10, "definition_a": "one", "definition_b": "two"}
    table = pd.DataFrame([order | {"turned_significantly": 3, "pairs": 210}])
    write_table(table, results / "mine/definitions/orders.csv")
    alike = pd.DataFrame(
        [("nDCG", "P", 10, 1.0), ("nDCG", "RR", 10, 0.995), ("nDCG", "AP", 10, 0.9)],
        columns=["metric_a", "metric_b", "cutoff", "tau"],
    )
    write_table(alike, results / "mine/goals/metric-correlation.csv")
    flags = [*LIST, "--interest", "slowly", "--results", str(results), "--dataset", "mine"]
    assert cli(["guide", *flags]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "one and two contradict each other on 3 of 210 pairs" in said
    assert "under nDCG agrees with P and RR (tau" in said


def test_of_whole_rankings_it_says_what_was_measured_deepest(results, capsys):
    path = results / "mine/robustness/summary.csv"
    table = pd.read_csv(path)
    auc = table[(table["metric"] == "P") & (table["cutoff"] == 5)]
    write_table(pd.concat([table, auc.assign(metric="AUC", cutoff=None)]), path)
    alike = [("AUC", "MPR", None, 1.0), ("nDCG", "P", 5, 1.0), ("nDCG", "RR", 100, 1.0)]
    columns = ["metric_a", "metric_b", "cutoff", "tau"]
    write_table(pd.DataFrame(alike, columns=columns), results / "mine/goals/metric-correlation.csv")
    flags = ["--rated", "no", "--list", "whole", "--results", str(results), "--dataset", "mine"]
    for interest, row, same in (("evenly", "AUC ", "MPR"), ("slowly", "nDCG@100 ", "RR")):
        assert cli(["guide", *flags, "--interest", interest]) == 0
        said = capsys.readouterr().out
        assert row in said
        assert f"agrees with {same} (tau" in said


def test_a_deeper_cut_off_is_named_only_where_it_was_measured_to_have_more_power(results, capsys):
    path = results / "mine/robustness/summary.csv"
    table = pd.read_csv(path)
    table.loc[table["criterion"] == "power", "value"] = 5.0 / table["cutoff"]
    flags = [*LIST, "--interest", "slowly", "--length", "5", "--results", str(results)]
    for apart, named in ((True, True), (False, False), (None, False)):
        later = table.assign(cutoff_apart=[apart if cut == 5 else False for cut in table["cutoff"]])
        write_table(later, path)
        write_table(later, results / "mine/goals/summary.csv")  # which says it, too
        assert cli(["guide", *flags, "--dataset", "mine"]) == 0
        said = " ".join(capsys.readouterr().out.split())
        sentence = (
            "nDCG@100 has more discriminative power than nDCG@5 (DP 0.050 against 1.00): look at "
            "it as well."
        )
        assert said.count(sentence) == named
        assert ("look at" in said) == named
    # One that is not as deep is no answer to that.
    above = table.assign(
        cutoff_rank=[1 if cut == 5 else 2 for cut in table["cutoff"]],
        cutoff_apart=[cut == 100 for cut in table["cutoff"]],
    )
    write_table(above, path)
    write_table(above, results / "mine/goals/summary.csv")
    assert cli(["guide", *flags[:-4], "--length", "100", *flags[-2:]]) == 0
    assert "look at" not in capsys.readouterr().out


def test_without_studies_it_says_how_to_measure(tmp_path, capsys):
    flags = [*LIST, "--interest", "fast", "--results", str(tmp_path)]
    assert cli(["guide", *flags]) == 0
    assert "No finished study in" in capsys.readouterr().out


def test_in_a_terminal_it_asks_what_the_flags_leave_open(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("sys.stdin", Terminal("what\nli\nn\n"))
    assert cli(["guide", "--rated", "no", "--results", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "expected limited or whole" in said
    assert "Informedness@10, Markedness@10, MCC@10" in said
    assert "Cut-off: 10, as in all commands; --length gives" in said
    assert "look at it as well" not in said  # nothing was measured


def test_leaving_before_the_end_is_no_traceback(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("sys.stdin", Terminal(""))
    assert cli(["guide", "--results", str(tmp_path)]) == 1
    assert "stopped before the last question" in capsys.readouterr().err


def test_the_tree_can_be_printed(capsys):
    assert cli(["guide", "--tree"]) == 0
    assert capsys.readouterr().out.strip() == guide.text()


def test_the_length_must_be_one_at_least(capsys):
    assert cli(["guide", *LIST, "--length", "0"]) == 1
    assert "--length of at least 1" in capsys.readouterr().err


def test_the_nearest_cutoff_is_that_of_the_length():
    cutoffs = pd.Series([5, 10, 100, None])
    assert [measured.nearest(cutoffs, k) for k in (7, 8, 99, None)] == [5, 10, 100, 100]
