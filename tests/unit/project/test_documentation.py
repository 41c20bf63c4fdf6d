"""What the site's reference says, before Sphinx reads the docstrings into it."""

import argparse
import doctest
import importlib
import pydoc
import re
import sys
from pathlib import Path

import pytest
import yaml

import rankassay
from rankassay.cli.main import COMMANDS
from rankassay.metrics.catalogue import BEYOND_METRICS, DIVERSITY_METRICS, METRICS
from rankassay.metrics.profiles import PROFILES
from rankassay.recommenders.catalogue import RECOMMENDERS
from rankassay.studies import ANALYSES

ROOT = Path(__file__).parents[3]
REFERENCE = ROOT / "docs/reference"
DIRECTIVE = re.compile(r"^\.\. auto(?:function|class|module):: (\S+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def catalogues():
    """Return the module of the folder docs that fills the pages in."""
    sys.path.insert(0, str(ROOT / "docs"))
    yield importlib.import_module("catalogues")
    sys.path.remove(str(ROOT / "docs"))


@pytest.fixture(scope="module")
def pages():
    """Return the pages as Sphinx gets them, by name."""
    return {path.stem: path.read_text(encoding="utf-8") for path in REFERENCE.glob("*.md")}


@pytest.mark.slow
def test_everything_that_has_a_name_has_a_section(pages):
    for page, names in (
        ("metrics", METRICS),
        ("diversity-metrics", DIVERSITY_METRICS),
        ("beyond-metrics", BEYOND_METRICS),
        ("recommenders", RECOMMENDERS),
        ("analyses", ANALYSES),
    ):
        parts = re.split(r"^##+ (.*)$", pages[page], flags=re.MULTILINE)
        sections = dict(zip(parts[1::2], parts[2::2], strict=True))
        assert {*names} <= {*sections}, page
        for name in names:
            assert DIRECTIVE.search(sections[name]) or "see there" in sections[name], name


def test_every_directive_names_what_has_a_docstring(pages):
    found = [name for page in pages.values() for name in DIRECTIVE.findall(page)]
    assert len(found) == len({*found}) > 100
    for name in found:
        assert getattr(pydoc.locate(name), "__doc__", None), name


def test_every_public_name_has_a_docstring(pages):
    assert ".. automodule:: rankassay\n   :members:\n" in pages["python"]
    assert [name for name in rankassay.__all__ if not getattr(rankassay, name).__doc__] == []


def test_profiles_show_every_parameter_that_they_set(pages):
    for name, profile in PROFILES.items():
        row = next(line for line in pages["metrics"].split("\n") if line.startswith(f"| `{name}`"))
        assert row.count("|") == 5
        for metric, parameters in profile.parameters.items():
            assert f"[`{metric}`](#{metric.lower()})" in row
            assert all(f"`{key}={value!r}`" in row for key, value in parameters.items())


def parsers(together):
    """Return the parsers of single commands by their names."""
    (each,) = (a for a in together._actions if isinstance(a, argparse._SubParsersAction))
    return each.choices


def test_every_command_is_described_with_its_arguments(catalogues):
    commands = parsers(catalogues.commands())
    assert [*commands] == [*COMMANDS]
    for name, parser in commands.items():
        assert [action.dest for action in parser._actions if not action.help] == [], name


def test_every_key_of_the_projects_configuration_is_in_the_reference(pages):
    parts = re.split(r"^## (.*)$", pages["configuration"], flags=re.MULTILINE)
    known = set()
    for section, table in zip(["", *parts[1::2]], parts[::2], strict=True):
        keys = re.findall(r"^\| `(.+?)` \| (?! *\|)", table, re.MULTILINE)  # with a meaning
        known |= {f"{section}.{key}".strip(".") for key in keys}

    def unknown(values, path):
        for key, value in values.items():
            own = f"{path}.{key}".strip(".")
            steps = isinstance(value, list) and own in parts[1::2]  # their keys have tables
            if own not in known and not steps:
                yield from unknown(value, own) if isinstance(value, dict) else [own]

    config = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    assert len(known) > 100
    assert [*unknown(config, "")] == []


SESSIONS = {
    path.name: "\n".join(blocks)
    for path in sorted((ROOT / "docs").glob("*.md"))
    if (blocks := re.findall(r"```pycon\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL))
}


@pytest.mark.parametrize("page", SESSIONS)
def test_what_python_says_in_a_page_is_true(page):
    test = doctest.DocTestParser().get_doctest(SESSIONS[page], {}, page, f"docs/{page}", 0)
    result = doctest.DocTestRunner().run(test)
    assert result.failed == 0
    assert result.attempted >= {"faq.md": 8}.get(page, 2)


def test_the_pages_with_sessions_of_python_are_known():
    assert {"faq.md"} <= {*SESSIONS}
