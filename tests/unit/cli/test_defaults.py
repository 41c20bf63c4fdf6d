"""Functions and commands that are told nothing else mean the same."""

import argparse
import importlib
import inspect

import pytest

import assayer
from assayer.api.evaluate import CUTOFF
from assayer.cli.given import extend
from assayer.cli.printing import TIES
from assayer.data import frames
from assayer.metrics.evaluate import Measure
from assayer.metrics.ties.expected import OVER


def of_command(name):
    parser = extend(argparse.ArgumentParser())
    importlib.import_module(f"assayer.cli.{name}").add_arguments(parser)
    return parser.parse_args(["qrels", "a", "b"]).metrics


@pytest.mark.parametrize("name", ["bounds", "compare", "evaluate", "plan", "robustness", "ties"])
def test_there_is_one_cutoff(name):
    given = []
    if name != "plan":
        given += inspect.signature(getattr(assayer, name)).parameters["metrics"].default
    if name not in ("robustness", "ties"):
        given += of_command(name)
    assert {Measure.parse(metric).cutoff for metric in given} == {CUTOFF}


def test_help_names_all_orders_of_ties():
    assert (*frames.TIES, *OVER) == TIES
