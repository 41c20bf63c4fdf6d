"""What commands have in common: their options are the parameters of the public function."""

import argparse
import functools
import importlib

import pytest

import rankassay
from rankassay.cli.arguments import extend

# What is printed, and where it is written to, is no parameter.
OUTPUT = {"csv", "json", "out", "explain", "pairs", "write_propensities"}
NAMED = {"permutations": "n_permutations"}  # of options and parameters with other names


def words_of(action):
    """Return words that give an option a value which is not its default."""
    option = action.option_strings[-1]
    if action.nargs == 0:
        return [option]
    value = "7" if action.type in (int, float) else "some"
    return [option, value] * (2 if action.nargs == "+" and action.type else 1)


@pytest.mark.parametrize("name", ["bounds", "compare", "evaluate", "judge", "sensitivity"])
def test_options_are_parameters_of_the_function(name, monkeypatch):
    command, given = importlib.import_module(f"rankassay.cli.{name}"), {}

    @functools.wraps(getattr(rankassay, name))
    def function(**own):
        given.update(own)
        raise InterruptedError  # nothing is printed

    monkeypatch.setattr(command, name, function)
    parser = extend(argparse.ArgumentParser())
    command.add_arguments(parser)
    for action in parser._actions:
        if action.option_strings and action.dest not in OUTPUT | {"help"}:
            parser = extend(argparse.ArgumentParser())  # whose options have not been given yet
            command.add_arguments(parser)
            options = parser.parse_args(["qrels", "a.run", "b.run", *words_of(action)])
            with pytest.raises(InterruptedError):
                command.run(options)
            assert given["qrels"] == "qrels"
            assert given.get("runs", given.get("run")) == {"a": "a.run", "b": "b.run"}
            value = getattr(options, action.dest)
            assert value not in (None, action.default), action.dest
            assert given[NAMED.get(action.dest, action.dest)] == value
