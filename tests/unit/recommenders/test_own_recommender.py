"""What goes wrong in a recommender of the user's own is said in one line, with its file."""

import re
import sys

import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.lookup import blamed, load
from rankassay.recommenders.catalogue import recommender
from rankassay.recommenders.folding import fitted
from rankassay.recommenders.parameters import check_settings
from rankassay.recommenders.rank import rank

CODE = """
import sys

class Mine:
    def fit(self, train, seed):
        {fit}

    def score(self, users):
        {score}
"""
TRAIN = sp.csr_matrix(np.array([[5, 0, 1], [0, 4, 0]], dtype=np.float32))
TEST = sp.csr_matrix(np.array([[0, 5, 0], [4, 0, 0]], dtype=np.float32))
SCORES = "return [[1.0] * 3] * len(users)"


@pytest.mark.parametrize(
    ("fit", "score", "message"),
    [
        ("1 / 0", SCORES, r"line 6: Mine failed with ZeroDivisionError: division by zero"),
        ("return self", "return users[9]", r"line 9: Mine failed with IndexError"),
        ("sys.exit(3)", SCORES, r"line 6: Mine failed with SystemExit: 3"),
        ("pass", SCORES, r"Mine.fit: expected the recommender itself, found NoneType; end it"),
        ("return self", SCORES, r"Mine.score: expected an array of numbers of shape .*found list"),
    ],
)
def test_it_is_one_line(tmp_path, monkeypatch, fit, score, message):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "theirs_as_well.py").write_text(CODE.format(fit=fit, score=score))
    monkeypatch.delitem(sys.modules, "theirs_as_well", raising=False)
    name = "theirs_as_well:Mine"
    with pytest.raises(RankassayError, match=message) as error, blamed(name):
        rank(fitted(load(name)(), TRAIN, 0), TRAIN, TEST)
    assert "\n" not in str(error.value)
    if "line" in message:
        assert str(error.value).startswith(str(tmp_path / "theirs_as_well.py"))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"powr": 1}, "^unknown setting of {file}, line 2 'powr'; did you mean 'power'?"),
        ({}, "^the setting 'power' of {file}, line 2 is missing."),
    ],
)
def test_settings_that_it_does_not_have_are_named_with_its_file(
    tmp_path, monkeypatch, settings, message
):
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "theirs_with_settings.py"
    file.write_text("\nclass Mine:\n    def __init__(self, power):\n        self.power = power\n")
    monkeypatch.delitem(sys.modules, "theirs_with_settings", raising=False)
    with pytest.raises(RankassayError, match=message.format(file=re.escape(str(file)))):
        check_settings("theirs_with_settings:Mine", settings)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("fit = None", "Bad has no method fit; expected a recommender, with .*; add fit"),
        ("def fit(self, train, seed): return self", "Bad has no method score; .*; add score"),
        ("def __getattr__(self, name): return getattr(other, name)", ""),
    ],
)
def test_a_class_without_the_methods_of_a_recommender_is_refused_before_it_is_fitted(
    tmp_path, monkeypatch, body, message
):
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "theirs_without_score.py"
    file.write_text(f"\nclass Bad:\n    {body}\n")
    monkeypatch.delitem(sys.modules, "theirs_without_score", raising=False)
    name = "theirs_without_score:Bad"
    if not message:
        assert recommender(name) == name
        return
    with pytest.raises(RankassayError, match=f"^{re.escape(str(file))}, line 2: {message}"):
        recommender(name)


def test_the_message_of_one_without_score_that_was_fitted_is_true():
    class Bad:
        def fit(self, train, seed):
            return self

    with pytest.raises(RankassayError, match=r"^Bad: expected the method score, found none; add"):
        fitted(Bad(), TRAIN, 0)


def test_those_of_the_package_fail_as_they_do():
    with pytest.raises(ZeroDivisionError), blamed("popularity"):
        1 / 0  # noqa: B018
