"""What the site's generated pages say, and that every key of a configuration is explained."""

import doctest
import importlib
import re
import sys
from pathlib import Path

import pytest
import yaml

import assayer
from assayer.metrics.catalogue import DIVERSITY_METRICS, METRICS
from assayer.metrics.profiles import PROFILES
from assayer.recommenders.catalogue import RECOMMENDERS
from assayer.studies import ANALYSES

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def docs():
    """Return what imports a module of the folder docs."""
    sys.path.insert(0, str(ROOT / "docs"))
    yield importlib.import_module
    sys.path.remove(str(ROOT / "docs"))


@pytest.fixture(scope="module")
def pages(docs):
    return docs("generate").pages()


@pytest.fixture(scope="module")
def keys(docs):
    """Return the schema of every key by its path."""
    configuration = docs("configuration")
    found = {}
    for name in ("config", *configuration.KINDS):
        schema = configuration.read(ROOT, name)
        for key, own in schema["properties"].items():
            path = key if name == "config" else f"{name}: {key}"
            found[path] = configuration.described(own, schema)
            found |= dict(configuration.keys(own, schema, path))
    return found


def test_every_key_of_the_schemas_is_explained(keys):
    assert len(keys) > 150
    assert [path for path, own in keys.items() if not own.get("description", "").strip()] == []


def test_every_key_of_the_projects_configuration_is_in_the_schema(keys):
    def paths(values, path=""):
        for name, value in values.items():
            own = f"{path}.{name}".strip(".")
            yield own, f"{path}.<name>"
            if isinstance(value, dict):
                yield from paths(value, own)

    config = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    assert [path for path, free in paths(config) if path not in keys and free not in keys] == []


def test_kinds_of_values_are_said_in_words(docs):
    kind = docs("configuration").kind
    assert kind({"type": "integer", "minimum": 1}, {}) == "whole number ≥ 1"
    assert kind({"enum": ["floor", None]}, {}) == "`floor` or `null`"
    share = {"type": ["number", "null"], "exclusiveMinimum": 0, "exclusiveMaximum": 1}
    assert kind({"$ref": "#/$defs/share"}, {"$defs": {"share": share}}) == (
        "number > 0 and < 1 or `null`"
    )
    assert kind({"type": "array", "items": {"type": "string"}}, {}) == "list of: text"


def test_everything_that_has_a_name_has_a_section(pages):
    for page, names in (
        ("metrics", METRICS),
        ("diversity-metrics", DIVERSITY_METRICS),
        ("recommenders", RECOMMENDERS),
        ("analyses", ANALYSES),
        ("python", assayer.__all__),
    ):
        headings = {line.lstrip("# ") for line in pages[page].split("\n") if line.startswith("##")}
        assert {*names} <= headings, page


def test_profiles_show_every_parameter_that_they_set(pages):
    for name, profile in PROFILES.items():
        row = next(line for line in pages["metrics"].split("\n") if line.startswith(f"| `{name}`"))
        for metric, parameters in profile.parameters.items():
            assert f"[`{metric}`]" in row
            assert all(f"`{key}={value!r}`" in row for key, value in parameters.items())


def first():
    """First thing, whose value is a_b.

    F_u@n = sum_{k <= n} G(k) / |R_u|

    See `second` and x < y.

    Parameters
    ----------
    what : {"a", "b"}
        Which one.
    given : int

    Examples
    --------
    >>> 1 + 1
    2
    """


def second():
    """Second thing."""


def test_a_docstring_becomes_markdown(docs):
    said = docs("docstrings").markdown(first, {f"{__name__}.second": "page.md#second"}, ("given",))
    assert said == "\n\n".join(
        [
            "First thing, whose value is a\\_b.",
            "```text\nF_u@n = sum_{k <= n} G(k) / |R_u|\n```",
            "See [`second`](page.md#second) and x \\< y.",
            '**Parameters**\n\n`what` : {"a", "b"}\n: Which one.',
            "**Examples**\n\n```pycon\n>>> 1 + 1\n2\n```",
        ]
    )


def test_the_answers_to_questions_are_true():
    text = (ROOT / "docs/faq.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```pycon\n(.*?)```", text, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(code, {}, "faq.md", "docs/faq.md", 0)
    result = doctest.DocTestRunner().run(test)
    assert result.failed == 0
    assert result.attempted >= 12
