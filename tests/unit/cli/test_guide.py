"""The guide: the tree, the page with its goals, and the command."""

import io
import itertools

import pytest

from rankassay.cli import guide
from rankassay.cli.main import main as cli
from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import METRICS

LIST = ["--rated", "no", "--list", "limited", "--order", "yes"]


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())


class Terminal(io.StringIO):
    """Somebody who types."""

    def isatty(self):
        return True


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


def test_the_tree_can_be_printed(capsys):
    assert cli(["guide", "--tree"]) == 0
    assert capsys.readouterr().out.strip() == guide.text()


def test_the_length_must_be_one_at_least(capsys):
    assert cli(["guide", *LIST, "--length", "0"]) == 1
    assert "--length of at least 1" in capsys.readouterr().err
