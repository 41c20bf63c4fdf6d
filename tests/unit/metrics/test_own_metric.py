"""Metrics of the user's own, in a file outside the package; and which metrics count items."""

import sys
from functools import partial

import pytest

import rankassay
from rankassay.drawing import style
from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import METRICS, entry, weighs
from rankassay.metrics.evaluate import Measure

QRELS = {"ann": {"film": 5, "book": 2, "game": 4}, "bob": {"song": 4}}
RUN = {"ann": {"film": 0.9, "game": 0.8}, "bob": {"film": 0.7, "song": 0.1}}
MODULE = """
from typing import Literal

import numpy as np


def hits(judged, cutoffs, *, at_least=1, kind: Literal["a", "b"] = "a"):
    return judged.hits.total(1.0, cutoffs).values() >= at_least


def shape(judged, cutoffs):
    return np.zeros(3)


def fails(judged, cutoffs):
    return judged.nothing


def alone(judged):
    return 1
"""


@pytest.fixture(scope="module", autouse=True)
def module(tmp_path_factory):
    """Put modules of a user where Python finds them."""
    folder = tmp_path_factory.mktemp("mine")
    (folder / "own_metrics.py").write_text(MODULE)
    (folder / "own_broken.py").write_text("def hits(:\n")
    (folder / "own_failing.py").write_text("\n1 / 0\n")
    (folder / "own_leaving.py").write_text("\n\nraise SystemExit(1)\n")
    (folder / "own_lacking.py").write_text("import math\nimport nunpy\n")
    (folder / "own_nested.py").write_text("import own_lacking\n")
    (folder / "own_number.py").write_text("import json\nloaded = json.loads('x')\n")
    (folder / "own_borrowed.py").write_text("from inspect import cleandoc\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield folder


def test_it_is_evaluated_like_any_other():
    names = ["own_metrics:hits@1", "own_metrics:hits(at_least=2)@2", "Success@1"]
    own, twice, success = rankassay.evaluate(QRELS, RUN, names)
    assert own == success == 0.5
    assert twice == 0.5
    assert str(Measure.parse("own_metrics:hits( at_least = 2)@2")) == names[1]
    assert style.metric("own_metrics:hits(at_least=2)").label == "hits(at_least=2)"


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("own_metrics:shape@1", r"own_metrics.py, line 11: expected shape to return numbers of s"),
        ("own_metrics:fails@1", r"own_metrics.py, line 16: fails failed with AttributeError: 'Jud"),
        (
            "own_metrics:alone@1",
            r"own_metrics.py, line 19: expected alone to be a function of \(judged, cut",
        ),
        (
            "own_metrics:hist@1",
            r"module 'own_metrics' has no attribute 'hist' \(/.*own_metrics.py\); expected module:",
        ),
        ("own_nothing:hits@1", "cannot load 'own_nothing:hits': No module named 'own_nothing'"),
        ("own_broken:hits@1", r"cannot load 'own_broken:hits': SyntaxError: .*own_broken.py, lin"),
        ("own_failing:hits@1", r"ZeroDivisionError: division by zero \(.*own_failing.py, line 2\)"),
        ("own_leaving:hits@1", r"SystemExit: 1 \(.*own_leaving.py, line 3\); mend it\."),
        ("own_lacking:hits@1", r"No module named 'nunpy' \(.*own_lacking.py, line 2\); install it"),
        ("own_nested:hits@1", r"No module named 'nunpy' \(.*own_lacking.py, line 2\); install it"),
        ("own_number:hits@1", r"JSONDecodeError: .* \(.*own_number.py, line 2\)"),
        ("own_borrowed:cleandoc@1", r"own_borrowed.py: expected cleandoc to be a function of"),
        ("os:path@1", r"os.py: expected path to be a function of"),
        ("own_metrics:hits(least=2)@1", "unknown parameter of own_metrics:hits 'least'; did you"),
        ("own_metrics:hits(kind='c')@1", "unknown value of own_metrics:hits's parameter kind 'c'"),
    ],
)
def test_mistakes_in_it_are_named_with_its_file(measure, message):
    with pytest.raises(RankassayError, match=message):
        rankassay.evaluate(QRELS, RUN, measure)


def test_the_metrics_that_count_all_items_are_known():
    counted = [name for name in METRICS if "items" in entry(name).needs]
    assert [*filter(needs("could be listed"), METRICS)] == counted


def needs(what):
    """Return a function that says if a metric cannot do without what a message names."""

    def asked(name):
        try:
            rankassay.evaluate(QRELS, RUN, f"{name}@1")
        except RankassayError as error:
            return what in str(error)
        return False

    return asked


def test_the_metrics_that_need_propensities_are_known():
    assert [*filter(needs("give propensities"), METRICS)] == [*filter(weighs, METRICS)]


@pytest.mark.parametrize("value", ["np.inf", "-np.inf"])
def test_infinite_values_are_refused(module, value):
    name = f"own_{value[-3:]}_{len(value)}"
    code = (
        f"import numpy as np\n\n\ndef made(judged, cutoffs):\n    return np.full((2, 1), {value})\n"
    )
    (module / f"{name}.py").write_text(code)
    said = f"{name}.py, line 4: expected made to return finite numbers, .* for the user of row 0"
    with pytest.raises(RankassayError, match=said):
        rankassay.evaluate(QRELS, RUN, f"{name}:made@1")


@pytest.mark.parametrize("kind", ["str", "object", "complex"])
def test_values_that_are_no_numbers_are_refused(module, kind):
    code = f"    return np.full((2, len(cutoffs)), 1, dtype={kind})\n"
    code = f"import numpy as np\n\n\ndef made(judged, cutoffs):\n{code}"
    (module / f"own_{kind}.py").write_text(code)
    with pytest.raises(
        RankassayError, match=rf"own_{kind}.py, line 4: expected made to return numbers of s"
    ):
        rankassay.evaluate(QRELS, RUN, f"own_{kind}:made@1")


def test_a_metric_of_another_folder_is_not_taken_for_that_of_this_one(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        text = "def m(judged, cutoffs):\n    return judged.hits.total(1.0, cutoffs).values()\n"
        (tmp_path / name / "alike_in_two.py").write_text(text)
    call = partial(rankassay.evaluate, {"u": {"a": 1}}, {"u": {"a": 1}}, ["alike_in_two:m@5"])
    monkeypatch.chdir(tmp_path / "one")
    assert call().item() == 1
    monkeypatch.chdir(tmp_path / "two")
    with pytest.raises(RankassayError, match="has another module 'alike_in_two'"):
        call()
