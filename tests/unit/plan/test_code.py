"""Jobs run again when their code changes, by any form of import, and for nothing else."""

import os
import re
import shutil
import time
import zipfile
from pathlib import Path

import pytest

from rankassay.errors import RankassayError
from rankassay.lookup import is_of_library, module_of
from rankassay.plan import code as code_of
from rankassay.plan.code import Code, imports_of
from rankassay.plan.rules import stamp
from rankassay.studies import ANALYSES

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "src/rankassay"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return an empty folder of a run, in which nothing is remembered of files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(code_of, "content_of", code_of.content_of.__wrapped__)
    return tmp_path


def written(folder, files):
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def names(code, *modules):
    return {Path(path).resolve().relative_to(PACKAGE).as_posix() for path in code.of(*modules)}


def test_code_is_that_of_a_job_of_its_objects_and_of_all_they_import():
    code = Code(ROOT)
    found = names(code, "rankassay.jobs.analyse", "rankassay.studies.robustness.procedure")
    assert {"jobs/analyse.py", "studies/robustness/procedure.py", "errors.py"} <= found
    assert not [name for name in found if name.startswith(("drawing/", "studies/goals"))]
    figure = names(code, "rankassay.jobs.shown", "rankassay.studies.robustness.views")
    # Colours and labels are in the catalogue.
    assert {"metrics/catalogue.py", "drawing/style.py"} <= figure


@pytest.mark.slow
def test_how_claims_are_read_is_code_of_the_analyses_that_judge_them_alone():
    code = Code(ROOT)
    for name, entry in ANALYSES.items():
        modules = map(module_of, (entry.function,))
        found = names(code, "rankassay.jobs.analyse", *modules)
        assert ("claims/lists.py" in found) == entry.judges, name


@pytest.mark.slow
def test_imports_of_the_package_are_found_as_python_finds_them():
    """The pattern is compared with a parser, on all modules of the package."""
    code = Code(ROOT)
    for path in PACKAGE.rglob("*.py"):
        module = path.relative_to(ROOT / "src").with_suffix("").as_posix().replace("/", ".")
        text = path.read_text(encoding="utf-8")
        parsed = {*code_of._imports_of_user(path.read_bytes(), module, path.stem == "__init__")}
        parsed -= {*code_of.PUBLIC.values()}  # what users mean by the package is not imported there
        missed = {name for name in parsed - {*imports_of(text)} if code.file(name)}
        assert not missed, (module, missed)


RELATIVE = {"mypkg/__init__.py": "", "mypkg/rec.py": "from .helper import POWER"}
LAYOUTS = {
    "beside": ("mine", {"mine.py": "from helper import x", "helper.py": "x = 1"}, "helper.py"),
    "relative": ("mypkg.rec", RELATIVE | {"mypkg/helper.py": "POWER = 1"}, "mypkg/helper.py"),
    "in the package": (
        "mypkg",
        {"mypkg/__init__.py": "from .rec import Damped", "mypkg/rec.py": "Damped = 1"},
        "mypkg/rec.py",
    ),
    "the package itself": ("mypkg.rec", RELATIVE | {"mypkg/helper.py": ""}, "mypkg/__init__.py"),
    "two dots": (
        "a.b.c",
        {"a/__init__.py": "", "a/d.py": "", "a/b/__init__.py": "", "a/b/c.py": "from ..d import e"},
        "a/d.py",
    ),
}
IMPORTS = {
    "comments": "from pkg import (  # mine\n    helper,\n)",
    "semicolons": "import os; from pkg.helper import x",
    "tabs": "try:\n\tfrom pkg import helper\nexcept ImportError:\n\tpass",
    "one line": "if True: from pkg.helper import x",
    "in a function": "def f():\n  import pkg.helper as h",
}
LAYOUTS |= {
    name: ("mine", {"mine.py": text, "pkg/helper.py": ""}, "pkg/helper.py")
    for name, text in IMPORTS.items()
}


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("elsewhere", [False, True])
def test_what_the_users_own_code_imports_counts(folder, monkeypatch, layout, elsewhere):
    """In the folder of the run, and in another where Python finds modules."""
    target, files, changed = LAYOUTS[layout]
    place = folder / "lib" if elsewhere else folder
    written(place, files)
    monkeypatch.syspath_prepend(str(place))
    before = Code(ROOT).of_job("recommend", f"{target}:Model")
    assert Code(ROOT).of_job("recommend", f"{target}:Model") == before
    with open(place / changed, "a") as file:
        file.write("\nmore = 1\n")
    assert Code(ROOT).of_job("recommend", f"{target}:Model") != before
    assert target.partition(".")[0] not in __import__("sys").modules  # nothing is run


def test_an_older_file_counts_and_a_later_time_does_not(folder):
    written(folder, {"mine.py": "x = 1", "other.py": "x = 2"})
    before = Code(ROOT).of_job("recommend", "mine:Model")
    os.utime("mine.py", (2e9, 2e9))
    assert Code(ROOT).of_job("recommend", "mine:Model") == before
    os.utime("other.py", (1e9, 1e9))
    os.replace("other.py", "mine.py")
    assert Code(ROOT).of_job("recommend", "mine:Model") != before


def test_where_a_folder_lies_makes_no_difference(folder, monkeypatch):
    written(folder, {"mine.py": "x = 1", "deep/er/mine.py": "x = 1"})
    before = Code(ROOT).of_job("recommend", "mine:Model")
    monkeypatch.chdir(folder / "deep/er")
    assert Code(ROOT).of_job("recommend", "mine:Model") == before


def test_code_that_cannot_be_parsed_is_no_code_of_others(folder):
    written(folder, {"mine.py": "from helper import ("})
    assert Code(ROOT).of("mine") == ["mine.py"]


def test_marks_of_an_encoding_and_the_public_functions_hide_nothing(folder):
    written(folder, {"helper.py": "x = 1"})
    (folder / "mine.py").write_bytes(b"\xef\xbb\xbfimport helper\n")
    assert Code(ROOT).of("mine") == ["helper.py", "mine.py"]
    written(
        folder, {"one.py": "from rankassay import rank_correlation", "all.py": "import rankassay"}
    )
    for module, part in (("one", "api/rankings.py"), ("all", "api/judge.py")):
        assert any(path.endswith(part) for path in Code(ROOT).of(module)), module


def test_a_module_in_an_archive_is_left_to_its_job(folder, monkeypatch):
    with zipfile.ZipFile("lib.zip", "w") as archive:
        archive.writestr("packed.py", "import os")
    monkeypatch.syspath_prepend(str(folder / "lib.zip"))
    assert Code(ROOT).of("packed") == []


def test_libraries_are_no_code_of_a_job(folder):
    written(folder, {"mine.py": "import os, json, numpy, sys\nfrom scipy import sparse"})
    assert Code(ROOT).of("mine") == ["mine.py"]
    assert is_of_library(os.__file__)
    assert is_of_library(pytest.__file__)
    assert not is_of_library(str(folder / "mine.py"))


def test_packages_beside_an_installed_one_are_no_code_of_a_job(folder):
    site = folder / "env/site-packages"
    files = {
        "rankassay/pipeline/Snakefile": "",
        "rankassay/jobs/__init__.py": "",
        "rankassay/jobs/score.py": "import numpy as np\nfrom rankassay.jobs import means",
        "rankassay/jobs/means.py": "import rankassay.jobs",
        "numpy/__init__.py": "from . import core",
    }
    written(site, files)
    code = Code(site / "rankassay/pipeline")
    found = code.of("rankassay.jobs.score")
    assert {Path(path).name for path in found} == {"__init__.py", "score.py", "means.py"}
    shutil.rmtree(site / "numpy")
    assert Code(site / "rankassay/pipeline").of_job("score") == code.of_job("score")


def test_a_file_that_is_dated_in_the_future_is_refused_before_any_job(folder):
    path = folder / "my ratings.csv"
    path.write_text("")
    for ahead in (-10, 60):  # clocks of file servers differ
        os.utime(path, (0, time.time() + ahead))
        stamp([path.name])
    os.utime(path, (0, time.time() + 7200))
    with pytest.raises(RankassayError, match=r"future, found 2.*touch 'my ratings\.csv'"):
        stamp([path.name])


def test_a_file_that_another_takes_the_place_of_has_another_stamp(folder):
    written(folder, {"good.run": "a" * 9, "poor.run": "b" * 9})
    os.utime("poor.run", (1e9, 1e9))
    before = stamp(["good.run"])
    assert stamp(["good.run"]) == before
    os.replace("poor.run", "good.run")
    after = stamp(["good.run"])
    assert after != before
    assert stamp(["missing.run"]) not in (before, after)
    assert stamp([]) == stamp(["missing.run"])  # that it is missing, the job says


def test_no_two_parameters_of_a_rule_can_trade_values():
    """Snakemake compares the set of values: a 2 and a 3 are the same as a 3 and a 2."""
    # Of which no two are alike, nor like what `plan.job` returns; two are arguments of that.
    forms = {"stamp", "table", "contents", "code", "unseen"}
    for path in (ROOT / "workflow/rules").glob("*.smk"):
        text = path.read_text(encoding="utf-8")
        blocks = re.findall(r"^ +params:\n((?: {8,}.*\n)+)", text, re.MULTILINE)
        assert {*re.findall(r"^ {8,12}(\w+)=\w", "".join(blocks), re.MULTILINE)} <= forms, path.name
