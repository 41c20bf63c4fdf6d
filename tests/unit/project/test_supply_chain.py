"""What is installed may be used, and no file that is read can run code."""

import ast
import io
import json
import pickle
import re
import runpy
import zipfile
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from snakemake.common.configfile import load_configfile
from snakemake_interface_common.exceptions import WorkflowError

from rankassay.artifacts.arrays import Ratings, read_matrix
from rankassay.artifacts.mapped import map_matrix
from rankassay.artifacts.models import read_model
from rankassay.errors import RankassayError

ROOT = Path(__file__).parents[3]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
PICKLES = {"pickle", "cPickle", "dill", "cloudpickle", "shelve", "marshal", "joblib", "jsonpickle"}
FORBIDDEN = {"eval", "exec", "compile", "os.system", "yaml.load", "yaml.unsafe_load"}


def program(name):
    """Return what a program in the folder of the tests of dependability defines."""
    return runpy.run_path(str(ROOT / f"tests/dependability/{name}.py"), run_name=name)


@pytest.fixture(scope="module")
def licences():
    """Return what writes the page of licences."""
    return program("licences")


def test_the_page_of_licences_is_that_of_the_lock_and_of_what_is_installed(licences):
    page = (ROOT / "docs/developers/licences.md").read_text(encoding="utf-8")
    table = page.partition("|---|---|\n")[2]
    listed = dict(re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.MULTILINE))
    locked = licences["locked"]()
    assert list(listed) == list(locked)
    # Another version, of another Python, may say it in other words.
    one = [name for name, versions in locked.items() if len(versions) == 1]
    assert len(one) > len(listed) - 10
    found = {name: licences["licence"](name) for name in one}
    assert {name: said for name, said in found.items() if said} == {
        name: listed[name] for name in one if found[name]
    }
    assert "not stated" not in listed.values()


def test_no_package_is_under_a_licence_that_binds_its_users(licences):
    binding = re.compile(r"(?i)(?<!L)GPL|Affero|SSPL|Non-?commercial|Proprietary|BUSL|CC-BY-N")
    found = {name: licences["licence"](name) or "" for name in licences["locked"]()}
    # See the page.
    assert [name for name, said in found.items() if binding.search(said)] == ["docutils"]


def test_the_lock_of_the_docs_installs_alone_and_beside_the_other():
    def versions(name):
        text = (ROOT / name).read_text(encoding="utf-8")
        return set(re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE))

    docs, whole = versions("requirements-docs.lock"), versions("requirements.lock")
    names = {name for name, _ in docs}
    # With --require-hashes pip refuses to install what is needed and not in the lock.
    assert {"docutils", "jinja2", "pygments", "pyyaml", "requests"} <= names
    shared = {(name, version) for name, version in docs if name in dict(whole)}
    assert len(shared) > 10
    assert shared <= whole


def calls(tree):
    """Yield the name, with its dots, and the node of every call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


@pytest.mark.slow
def test_no_code_is_loaded_from_files():
    """But for numba's own cache of what it compiled, in __pycache__ next to the code."""
    found = []
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            if PICKLES & {name.partition(".")[0] for name in names}:
                found.append((path, ast.unparse(node)))
        for name, node in calls(tree):
            what = ast.unparse(node)
            loads = name in ("np.load", "numpy.load") and "allow_pickle=False" not in what
            if loads or name in FORBIDDEN or name.endswith((".read_pickle", ".to_pickle")):
                found.append((path, what))
    assert found == []
    assert len(SOURCES) > 100
    for path in (ROOT / "workflow").rglob("*.smk"):  # Snakemake's own language
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\b(pickle|joblib|eval\(|exec\(|os\.system|yaml\.load)", text), path


class Harmful:
    """Leaves a file behind when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


@pytest.mark.parametrize("load", [Ratings.load, read_matrix, map_matrix, read_model])
def test_a_pickle_in_an_artifact_is_refused_and_not_run(tmp_path, load):
    harm, path = tmp_path / "harm", tmp_path / "artifact.npz"
    array = np.array([Harmful(harm)], dtype=object)
    names = ("format", "shape", "data", "indices", "indptr", "user", "user_ids", "outline")
    np.savez(path, **dict.fromkeys(names, array))
    with pytest.raises(RankassayError, match="expected an artifact of the kind"):
        load(path)
    with zipfile.ZipFile(path, "w") as file:
        for name in names:
            file.writestr(f"{name}.npy", pickle.dumps(Harmful(harm)))
    with pytest.raises(RankassayError, match="expected an artifact of the kind"):
        load(path)
    assert not harm.exists()
    pickle.load(io.BytesIO(pickle.dumps(Harmful(harm)))).close()
    assert harm.exists()  # so the pickles were real


def test_what_a_configuration_can_run_is_what_the_documentation_says(tmp_path):
    """No Python object of YAML, but a template that says it is one (docs/dependability.md)."""
    harm, path = tmp_path / "harm", tmp_path / "config.yaml"
    path.write_text(f"seed: !!python/object/apply:os.mkdir ['{harm}']\n")
    with pytest.raises(WorkflowError, match="not valid JSON or YAML"):
        load_configfile(path)
    code = f"- import os\n  - os.mkdir('{harm}')\n"
    path.write_text(f"__definitions__:\n  {code}seed: 1\n")
    load_configfile(path)
    assert not harm.exists()
    path.write_text("__use_yte__: true\n" + path.read_text())
    assert load_configfile(path) == {"seed": 1}
    assert harm.exists()


def spans(*events):
    """Return a part of an advisory with one range of versions."""
    return {"ranges": [{"type": "ECOSYSTEM", "events": [dict([event]) for event in events]}]}


@pytest.mark.parametrize(
    ("part", "version", "affected"),
    [
        (spans(("introduced", "0"), ("fixed", "2.3.0")), "2.2.9", True),
        (spans(("introduced", "0"), ("fixed", "2.3.0")), "2.3.0", False),
        (spans(("introduced", "0"), ("fixed", "2.3.0")), "2.10.0", False),
        (spans(("introduced", "0"), ("fixed", "2.3.0")), "2.3.0rc1", True),
        (spans(("introduced", "1.5"), ("last_affected", "2.0")), "2.0", True),
        (spans(("introduced", "1.5"), ("last_affected", "2.0")), "2.0.1", False),
        (spans(("introduced", "1.5")), "1.4", False),
        (spans(("introduced", "1.5")), "99", True),
        (spans(("introduced", "1"), ("fixed", "2"), ("introduced", "3")), "2.5", False),
        (spans(("introduced", "1"), ("fixed", "2"), ("introduced", "3")), "3.5", True),
        ({"versions": ["1.0"], "ranges": [{"type": "GIT", "events": []}]}, "1.0", True),
        ({"versions": ["1.0"]}, "1.1", False),
    ],
)
def test_a_version_is_looked_up_in_an_advisory(part, version, affected):
    assert program("supply_chain")["affects"](part, version) is affected


def test_what_is_known_to_be_vulnerable_is_said_with_the_age_of_the_knowledge(tmp_path):
    audit = program("supply_chain")
    (tmp_path / "vulns/numpy").mkdir(parents=True)
    advisory = {"id": "MADE-UP-1", "modified": "2026-01-05T10:00:00Z", "affected": []}
    advisory["affected"] = [spans(("introduced", "2.5"))]
    (tmp_path / "vulns/numpy/MADE-UP-1.yaml").write_text(json.dumps(advisory))
    older, newer = (pin for pin in audit["pins"]() if pin.startswith("numpy=="))
    scipy, *_ = (pin for pin in audit["pins"]() if pin.startswith("scipy=="))
    days = {older: "2026-01-05", scipy: "2026-01-06"}
    record = audit["looked_up"](tmp_path, days)
    assert record["found"] == {newer: ["MADE-UP-1"]}
    assert record["none known"] == {older: "2026-01-05"}  # it may be in what was known that day
    assert record["unknown"][scipy] == "2026-01-06"
    assert len(record["unknown"]) == len(audit["pins"]()) - 2
    lines = [*audit["report"](record, date(2026, 1, 15))]
    assert "knew of none in 1 of " in lines[0]
    assert "on 2026-01-05, 10 days ago" in lines[0]
    assert f"unknown for {len(record['unknown'])} pins" in lines[1]
    assert lines[2:] == [f"vulnerabilities: {newer} has MADE-UP-1"]
    del record["none known"][older]
    assert f", {older}, " in [*audit["report"](record, date.today())][1]


def test_the_record_of_the_last_comparison_speaks_of_no_pin_that_is_younger():
    record = json.loads((ROOT / "docs/advisories.json").read_text(encoding="utf-8"))
    until = record["known_until"]
    assert record["found"] == {}
    assert date.fromisoformat(until) <= date.today()
    assert record["advisories"] > 100
    known, unknown = record["none known"], record["unknown"]
    assert sorted(known | unknown) == program("supply_chain")["pins"]()
    assert all(day <= until for day in known.values())
    assert all(day is None or day > until for day in unknown.values())
    page = " ".join((ROOT / "docs/dependability.md").read_text(encoding="utf-8").split())
    n_pins = len(known | unknown)
    assert f"The {n_pins} pinned versions hold {len(known)} that were released before" in page
    assert f"of the other {len(unknown)} it can say nothing" in page
