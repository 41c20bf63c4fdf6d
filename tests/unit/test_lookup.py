"""Objects are found by name, and parameters of recommenders without importing them."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from each import each

import rankassay
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


@each("name", ANALYSES)
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


# What a command or a library imports on use, and some that were imported before.
OTHERS = ("random", "statistics", "numpy", "pandas", "yaml", "scipy", "json", "rankassay", "tqdm")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder whose modules raise, all but the user's own, of which two go by one name."""
    for name in OTHERS:
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('{name} of the folder')")
    (tmp_path / "mine.py").write_text("import random, numpy, yaml, my_part\nP = my_part.P\n")
    (tmp_path / "my_part.py").write_text(
        "def P(judged, cutoffs): return judged.n_relevant * 0 + cutoffs"
    )
    (tmp_path / "my_package/inner").mkdir(parents=True)
    (tmp_path / "my_package/__init__.py").write_text("")
    (tmp_path / "my_package/inner/mine.py").write_text("from ..other import P\n")
    (tmp_path / "my_package/other.py").write_text("import statistics\nfrom my_part import P\n")
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain/mine.py").write_text("from my_part import P\n")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/mine.py").write_text("P = None")
    monkeypatch.chdir(tmp_path)
    return tmp_path


SCRIPT = """
import sys
from rankassay.lookup import file_of, load
found = load(sys.argv[1])
assert found.__module__ == "my_part" and callable(found), found
assert sys.path.index(sys.argv[2]) == len(sys.path) - 1, sys.path
import rankassay, random, statistics, yaml
print(rankassay.evaluate({"a": {"x": 1}}, {"a": {"x": 1}}, [f"{sys.argv[1]}@3"]).iloc[0])
"""


@pytest.mark.parametrize("target", ["mine:P", "my_package.inner.mine:P", "plain.mine:P"])
def test_own_code_is_found_in_the_folder_of_the_run_and_nothing_else_is(folder, target):
    source = str(Path(rankassay.__file__).parents[1])
    command = [sys.executable, "-P", "-c", SCRIPT, target, str(folder)]
    environment = {"PYTHONPATH": f"{source}:{folder / 'elsewhere'}"}
    process = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (process.returncode, process.stdout) == (0, "3.0\n"), process.stderr


@pytest.mark.parametrize("target", ["random:P", "statistics:P", "numpy:P", "json:P"])
def test_own_code_cannot_take_the_name_of_a_module_of_python_or_one_in_use(folder, target):
    with pytest.raises(RankassayError, match=f"cannot load '{target}': .*no attribute 'P' \\(/"):
        load(target)


def test_own_code_that_fails_is_named_and_is_not_kept_half_loaded(folder):
    (folder / "my_broken.py").write_text("X = 1\nraise ValueError('no')\n")
    for _ in range(2):
        with pytest.raises(RankassayError, match=r"ValueError: no \(.*my_broken.py, line 2\)"):
            load("my_broken:X")


def test_own_code_of_another_folder_is_not_taken_for_that_of_this_one(folder, monkeypatch):
    for name, value in (("first", 1), ("second", 2)):
        (folder / name).mkdir()
        (folder / name / "my_same.py").write_text(f"X = {value}\n")
    (folder / "third").mkdir()
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(folder / "first")
    assert load("my_same:X") == 1
    monkeypatch.chdir(folder / "third")  # which has none of that name
    assert load("my_same:X") == 1
    monkeypatch.chdir(folder / "second")
    with pytest.raises(RankassayError, match=r"has loaded .*first/my_same.py, and the folder of"):
        load("my_same:X")
    monkeypatch.chdir(folder / "first")
    assert load("my_same:X") == 1
