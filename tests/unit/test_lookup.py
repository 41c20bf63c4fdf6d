"""Objects are found by name, and parameters of recommenders without importing them."""

import inspect
import sys

import pytest

from rankassay.errors import RankassayError
from rankassay.lookup import load, names_of_parameters, parameters
from rankassay.recommenders.catalogue import RECOMMENDERS
from rankassay.studies import ANALYSES


@pytest.mark.parametrize("name", RECOMMENDERS)
def test_parameters_are_read_from_the_source_as_python_finds_them(name):
    found = inspect.signature(load(RECOMMENDERS[name])).parameters.values()
    known = parameters(RECOMMENDERS[name])
    assert {key: own.required for key, own in known.items()} == {
        p.name: p.default is p.empty for p in found
    }
    assert [own.type for own in known.values()] == [
        p.annotation.__name__ if isinstance(p.annotation, type) else str(p.annotation)
        for p in found  # unions have a name, which is not what is written, from Python 3.14 on
    ]


@pytest.mark.parametrize("name", ANALYSES)
def test_the_parameters_of_an_analysis_are_found_whatever_its_others_are_called(name):
    function = load(ANALYSES[name].function)
    named = {
        p.name for p in inspect.signature(function).parameters.values() if p.kind != p.VAR_KEYWORD
    }
    assert names_of_parameters(function) >= named


def test_parameters_of_a_users_own_class_are_those_of_its_constructor(tmp_path, monkeypatch):
    (tmp_path / "my_own.py").write_text("class Mine:\n    def __init__(self, a, b: int = 1): ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    a, b = parameters("my_own:Mine").values()
    assert (a.required, b.required, b.type) == (True, False, "int")


def test_a_package_of_an_extra_is_asked_for_in_one_line(monkeypatch, tmp_path):
    (tmp_path / "with_plots.py").write_text("import matplotlib.nothing\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(RankassayError, match=r"found none; .* pip install '\.\[report\]'$"):
        load("with_plots:figure")


@pytest.mark.parametrize("target", ["math:pi", "math:sin", "os:path", "builtins:dict"])
def test_what_is_no_class_with_parameters_is_refused(target):
    with pytest.raises(RankassayError, match=f"cannot use '{target}': expected a class"):
        parameters(target)
