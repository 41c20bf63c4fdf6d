"""Objects are found by name, and parameters of recommenders without importing them."""

import inspect

import pytest

from assayer.lookup import load, parameters
from assayer.recommenders.catalogue import RECOMMENDERS


@pytest.mark.parametrize("name", RECOMMENDERS)
def test_parameters_are_read_from_the_source_as_python_finds_them(name):
    found = inspect.signature(load(RECOMMENDERS[name])).parameters.values()
    assert parameters(RECOMMENDERS[name]) == {p.name: p.default is p.empty for p in found}


def test_parameters_of_a_users_own_class_are_those_of_its_constructor(tmp_path, monkeypatch):
    (tmp_path / "my_own.py").write_text("class Mine:\n    def __init__(self, a, b=1): ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert parameters("my_own:Mine") == {"a": True, "b": False}
