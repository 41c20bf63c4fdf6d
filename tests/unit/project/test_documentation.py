"""What the reference says, and how pages are written."""

import doctest
import re
from pathlib import Path

import pytest
import yaml
from each import each
from pages import marks, misplaced, read

import rankassay
from rankassay.cli.main import COMMANDS
from rankassay.metrics.catalogue import BEYOND_METRICS, DIVERSITY_METRICS, METRICS
from rankassay.metrics.profiles import PROFILES
from rankassay.recommenders.catalogue import RECOMMENDERS
from rankassay.studies import ANALYSES

ROOT = Path(__file__).parents[3]
REFERENCE = ROOT / "docs/reference"
NONE = {"_build", "_project"}  # below docs
PAGES = [
    path
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if not NONE & {*path.relative_to(ROOT).parts}
]
DOCUMENTED = re.compile(r"^`(rankassay(?:\.\w+)+)(?:\(.*\))?`$", re.MULTILINE)


@pytest.fixture(scope="module")
def pages():
    """Return the pages of the reference by name."""
    return {path.stem: read(path) for path in REFERENCE.glob("*.md")}


@each("path", PAGES)
def test_a_page_reads_on_a_code_host(path):
    text = path.read_text(encoding="utf-8")
    assert [*misplaced(text)] == []
    shown = re.sub(r"^```[^\n]*\n.*?^```$|`[^`\n]*`", "", marks.shown(text), flags=re.M | re.S)
    assert re.findall(r"\{\{|\{%|<!--|-->", shown) == []
    # No directive or role of Sphinx and MyST, with or without its fence.
    assert (
        re.findall(
            r"^\s*(?:```+|~~~+|:::+)\s*\{.*|^\.\. \w+::.*|(?<![\w`-])\{[\w:]+\}`", text, re.M
        )
        == []
    )


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
            assert DOCUMENTED.search(sections[name]) or "see there" in sections[name], name


def test_nothing_is_described_twice_and_everything_public_is(pages):
    found = [name for page in pages.values() for name in DOCUMENTED.findall(page)]
    assert len(found) == len({*found}) > 100
    assert {f"rankassay.{name}" for name in rankassay.__all__} <= {*found}


def test_profiles_show_every_parameter_that_they_set(pages):
    for name, profile in PROFILES.items():
        row = next(line for line in pages["metrics"].split("\n") if line.startswith(f"| `{name}`"))
        assert row.count("|") == 5
        for metric, parameters in profile.parameters.items():
            assert f"[`{metric}`](#{metric.lower()})" in row
            assert all(f"`{key}={value!r}`" in row for key, value in parameters.items())


def test_every_command_is_described_with_its_arguments(pages):
    parts = re.split(r"^### rankassay (.*)$", pages["command-line"], flags=re.MULTILINE)
    assert {*parts[1::2]} == {*COMMANDS} - {"job"}
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        assert "- `" in text, name
        assert re.findall(r"^- .*`: *$", text, re.MULTILINE) == [], name


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
    if (blocks := re.findall(r"```pycon\n(.*?)```", read(path), re.DOTALL))
}


@pytest.mark.parametrize("page", SESSIONS)
def test_what_python_says_in_a_page_is_true(page):
    test = doctest.DocTestParser().get_doctest(SESSIONS[page], {}, page, f"docs/{page}", 0)
    result = doctest.DocTestRunner().run(test)
    assert result.failed == 0
    assert result.attempted >= {"faq.md": 6}.get(page, 2)


def test_the_pages_with_sessions_of_python_are_known():
    assert {"faq.md"} <= {*SESSIONS}
