"""Functions and commands that are told nothing else mean the same."""

import argparse
import importlib
import inspect

import pytest

import rankassay
from rankassay.api.evaluate import CUTOFF
from rankassay.cli.given import extend
from rankassay.cli.printing import TIES
from rankassay.data import frames
from rankassay.metrics.evaluate import Measure
from rankassay.metrics.ties.expected import OVER


def of_command(name):
    parser = extend(argparse.ArgumentParser())
    importlib.import_module(f"rankassay.cli.{name}").add_arguments(parser)
    return parser.parse_args(["qrels", "a", "b"]).metrics


@pytest.mark.parametrize("name", ["bounds", "compare", "evaluate", "plan", "robustness", "ties"])
def test_there_is_one_cutoff(name):
    given = []
    if name != "plan":
        given += inspect.signature(getattr(rankassay, name)).parameters["metrics"].default
    if name not in ("robustness", "ties"):
        given += of_command(name)
    assert {Measure.parse(metric).cutoff for metric in given} == {CUTOFF}


def test_help_names_all_orders_of_ties():
    assert (*frames.TIES, *OVER) == TIES
