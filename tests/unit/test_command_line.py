"""Settings of the command line: what Snakemake makes of them, and what they are in a file."""

import doctest

import pytest
import yaml
from snakemake.cli import parse_config
from snakemake.utils import update_config

from rankassay.config import layers
from rankassay.config.layers import check_words, entries, typed
from rankassay.errors import RankassayError

CONFIG = {"seed": 0, "robustness": {"cutoff": 10, "title": "x"}, "metrics": {"cutoffs": [5]}}


@pytest.mark.parametrize(
    ("given", "file"),
    [
        (["seed=3"], "seed: 3"),
        (["robustness.cutoff=5"], "robustness: {cutoff: 5}"),
        (["robustness.cutoff=5", "robustness.title=a b"], "robustness: {cutoff: 5, title: a b}"),
        (["metrics.cutoffs=[5,10]", "seed=1"], "{metrics: {cutoffs: [5, 10]}, seed: 1}"),
        (["robustness.title=2026-01-02"], "robustness: {title: '2026-01-02'}"),
        (["robustness.is=true", "robustness.x=null"], "robustness: {is: true, x: null}"),
        (["robustness.rate=0.5"], "robustness: {rate: 0.5}"),
        (["robustness.title='5'"], "robustness: {title: '5'}"),
        (["new.entry.of=[a, {n: 1}]"], "new: {entry: {of: [a, {n: 1}]}}"),
        (["studies=[robustness]"], "studies: [robustness]"),
    ],
)
def test_what_is_given_is_what_a_file_would_say(given, file):
    words = [*entries(given)]
    found, expected = ({}, {})
    for config, own in ((found, parse_config(words)), (expected, yaml.safe_load(file))):
        update_config(config, CONFIG)
        update_config(config, own)
    assert typed(found, words) == expected


TYPED = [
    *(
        "/data/a #b",
        "My study: 1",
        "a: b",
        "#",
        "# b",
        "a #",
        "- x",
        "{a",
        "[a #]",
        "'a' #b",
        "'it''s' b",
        "'#",
        '" #b',
        '"',
    ),
    *("*x", "&x y", "!x", "| x", "> x", "%x", "@x", "`x", "? x", "--- 5", "5 #", " a "),
    *("1:59", "0123", "2026-01-02", "a\nb: c", "a\tb", "[a]b", "{a: b}{", "x: [", "5 6", "nan"),
    *("!!binary aGk=", "!!set {a}", "C:\\x", "é: ü", "=", "<<", "a=b", "9" * 5000),
]


@pytest.mark.parametrize("key", ["raw_dir", "robustness.title"])
@pytest.mark.parametrize("text", TYPED)
def test_what_is_typed_arrives_as_typed(key, text):
    words = [*entries([f"{key}={text}"])]
    config = {"raw_dir": "data", "robustness": {"cutoff": 10, "title": "x"}}
    update_config(config, parse_config(words))
    found = typed(config, words)
    assert (found["robustness"]["title"] if "." in key else found["raw_dir"]) == text


@pytest.mark.parametrize("text", ["[&x [a], *x]", "{a: !!binary aGk=}", "[2026-01-02, 010, 1e-3]"])
def test_lists_hold_what_json_does(text):
    [word] = entries([f"robustness.x={text}"])
    [as_section] = entries([f"robustness={{x: {text}}}"])
    assert typed({}, [word]) == typed({}, [as_section]) or text.startswith("{a")


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (["seed=3", "seed=3"], "seed"),
        (["seed=3", "robustness.cutoff=3", "robustness.cutoff=4"], "robustness.cutoff"),
        (["robustness={cutoff: 3}", "robustness.cutoff=4"], "robustness.cutoff"),
        (["robustness.cutoff=4", "robustness=3"], "robustness"),
    ],
)
def test_a_key_is_given_once(words, key):
    said = f"expected each key once on the command line, found '{key}' twice; keep one."
    with pytest.raises(RankassayError) as error:
        typed(CONFIG, [*entries(words)])
    assert str(error.value) == said


def test_sections_are_extended_and_lists_are_not():
    words = ["robustness={title: y}", "metrics={cutoffs: [1]}", "new={a: 1}"]
    found = typed(CONFIG, words)
    assert found["robustness"] == {"cutoff": 10, "title": "y"}
    assert (found["metrics"], found["new"]) == ({"cutoffs": [1]}, {"a": 1})
    assert typed(CONFIG, None) == CONFIG


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["--configfile", "a", "--configfile", "b"], "--configfile"),
        (["--configfiles=a", "--cores", "2", "--configfile", "b"], "--configfile"),
        (["-C", "seed=1", "--config", "seed=2"], "--config"),
        (["-Cseed=1", "--config=seed=2"], "--config"),
        (["--configfile", "a", "b", "--config", "seed=1", "x=2"], None),
        (["--cores", "2", "--cores", "3"], None),
    ],
)
def test_what_snakemake_would_drop_is_refused(words, option):
    if option is None:
        check_words(words)
        return
    with pytest.raises(RankassayError, match=f"expected {option} once, with all that it takes beh"):
        check_words(words)


@pytest.mark.parametrize("text", ["seed", "=3", "1a=3", "robustness.=5", ".x=5", "a b=3"])
def test_what_is_no_key_is_refused(text):
    with pytest.raises(
        RankassayError, match=r"--set: expected a key and its value, as in seed=3 or"
    ):
        [*entries([text])]


def test_examples_are_true():
    found = doctest.testmod(layers)
    assert (found.failed, found.attempted) == (0, 2)
