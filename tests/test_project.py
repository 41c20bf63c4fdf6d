"""The files that describe the project agree with one another."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

from rankassay import errors

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
LOCK = (ROOT / "requirements.lock").read_text()
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def others(texts):
    """Return requirements without those of extras of the package itself."""
    return [text for text in texts if not text.startswith("rankassay[")]


# What the workflow runs with: the lock's and conda's packages. It may need newer ones.
NEEDED = PROJECT["dependencies"] + others(EXTRAS["report"] + EXTRAS["pipeline"])
WHOLE = [*{Requirement(text).name: text for text in NEEDED}.values()]


def locked_versions(lock=LOCK):
    """Return the versions that a lock allows for each package."""
    versions = {}
    for name, version in re.findall(r"^([a-z0-9][a-z0-9._-]*)==([^ ;\\]+)", lock, re.MULTILINE):
        versions.setdefault(name, set()).add(Version(version))
    return versions


@pytest.mark.parametrize("text", WHOLE + EXTRAS["dev"])
def test_the_lock_meets_every_requirement(text):
    requirement = Requirement(text)
    versions = locked_versions()[requirement.name]
    assert all(requirement.specifier.contains(version) for version in versions)


def test_the_lock_is_hashed_and_names_no_address():
    packages = re.findall(r"^[a-z0-9][^\n]*(?:\n    --hash=sha256:[0-9a-f]{64}[^\n]*)+", LOCK, re.M)
    assert len(packages) == len(re.findall(r"^[a-z0-9]", LOCK, re.MULTILINE)) > 50
    assert "://" not in LOCK
    assert "index" not in re.sub(r"^[a-z0-9][^\n]*", "", LOCK, flags=re.MULTILINE)


def test_the_core_is_locked_alone_as_in_the_whole():
    core = locked_versions((ROOT / "requirements-core.lock").read_text())
    assert {Requirement(text).name for text in PROJECT["dependencies"]} <= {*core}
    assert len(core) <= 8
    assert all(versions <= locked_versions()[name] for name, versions in core.items())


def test_a_package_that_is_missing_is_named_with_its_extra():
    imported = {"markupsafe": "jinja2", "yaml": "pyyaml", "sklearn": "scikit-learn"}
    imported |= {"ir_measures": "ir-measures", "pytrec_eval": "pytrec-eval-terrier"}
    for module, extra in errors.EXTRAS.items():
        names = [Requirement(text).name for text in EXTRAS[extra]]
        assert imported.get(module, module) in names, module
    known = {imported.get(module, module) for module in errors.EXTRAS}
    core = {Requirement(text).name for text in PROJECT["dependencies"]}
    assert {Requirement(text).name for text in WHOLE} - known == core


@pytest.mark.slow
@pytest.mark.parametrize("extra", ["audit", "cluster", "docs", "package", "peers", "types"])
def test_what_an_extra_needs_is_locked_beside_the_lock(extra):
    text = (ROOT / f"requirements-{extra}.lock").read_text()
    names = re.findall(r"^([a-z0-9][a-z0-9._-]*)==([^ ;\\]+)", text, re.MULTILINE)
    packages = re.findall(r"^[a-z0-9][^\n]*(?:\n    --hash=sha256:[0-9a-f]{64}[^\n]*)+", text, re.M)
    assert len(packages) == len(names) == len(re.findall(r"^[a-z0-9]", text, re.MULTILINE))
    assert "://" not in text
    for requirement in map(Requirement, others(EXTRAS[extra])):
        versions = [version for name, version in names if name == requirement.name]
        versions = versions or locked_versions()[requirement.name]
        assert versions, requirement
        assert all(requirement.specifier.contains(version) for version in versions)
    again = {name: Version(version) for name, version in names if name in locked_versions()}
    if extra == "docs":  # installs alone, in the same versions
        assert all(version in locked_versions()[name] for name, version in again.items())
    else:
        assert {*again} <= {"colorama", "greenlet"}  # there on fewer platforms


def test_conda_installs_what_pip_installs():
    conda = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    assert sorted(conda) == sorted([*WHOLE, f"python{PROJECT['requires-python']}"])


def test_the_version_has_one_place_and_the_last_release_an_entry():
    """The package's is that of the last release, or of what is developed after it."""
    from rankassay import __version__

    released = re.findall(r"^## \[(\S+)\] - (\S+)$", CHANGELOG, re.MULTILINE)
    versions = [Version(version) for version, _ in released]
    assert versions == sorted(versions, reverse=True)
    assert "version" not in PROJECT
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (citation["version"], str(citation["date-released"])) == released[0]
    own = Version(__version__)
    assert own == versions[0] or (own.is_devrelease and own > versions[0])
    assert CHANGELOG.index("## [Unreleased]") < CHANGELOG.index(f"## [{versions[0]}]")


def test_licences_agree():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert PROJECT["license"] == citation["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text().startswith("MIT License")
