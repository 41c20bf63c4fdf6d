"""Settings of the command line: what Snakemake makes of them, and what they are in a file."""

import doctest

import pytest
import yaml
from snakemake.cli import parse_config
from snakemake.utils import update_config

from assayer.config import command_line
from assayer.config.command_line import entries, typed
from assayer.errors import AssayerError

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
    said = parse_config([*entries(given)])
    found, expected = ({}, {})
    for config, own in ((found, said), (expected, yaml.safe_load(file))):
        update_config(config, CONFIG)
        update_config(config, own)
    assert typed(found, said) == expected


def test_what_a_file_says_stays():
    config = {"robustness": {"label": "5", "cutoff": "7"}}
    assert typed(config, {"robustness": {"cutoff": "7"}}) == {
        "robustness": {"label": "5", "cutoff": 7}
    }


@pytest.mark.parametrize("text", ["seed", "=3", "1a=3", "robustness.=5", ".x=5", "a b=3"])
def test_what_is_no_key_is_refused(text):
    with pytest.raises(AssayerError, match=r"--set: expected a key and its value, as in seed=3 or"):
        [*entries([text])]


def test_examples_are_true():
    found = doctest.testmod(command_line)
    assert (found.failed, found.attempted) == (0, 1)
