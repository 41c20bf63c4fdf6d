"""Functions and commands that are told nothing else mean the same; options are known by name."""

import argparse
import importlib
import inspect

import pytest

import rankassay
from rankassay.api.reading import CUTOFF
from rankassay.cli.arguments import TIES, check_options, extend
from rankassay.cli.main import COMMANDS, main
from rankassay.data import frames
from rankassay.metrics.evaluate import Measure
from rankassay.metrics.ties import OVER


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


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_option_of_every_command_has_the_nearest_known_one(command, capsys):
    module = importlib.import_module(f"rankassay.cli.{command.replace('-', '_')}")
    parser = extend(argparse.ArgumentParser(prog=f"rankassay {command}"))
    module.add_arguments(parser)
    options = [name for action in parser._actions for name in action.option_strings]
    check_options(parser, [*options, *(f"{name}=1" for name in options), "-", "-1", "-.5", "a"])
    for name in [name for name in options if name.startswith("--")]:
        check_options(parser, [name[:-1]])  # argparse completes it
        for wrong in (f"{name}{name[-1]}", f"{name}{name[-1]}=3"):
            with pytest.raises(SystemExit):
                check_options(parser, ["a", wrong])
            said = capsys.readouterr().err.splitlines()[-1]
            spelled = f"{name}{name[-1]}"
            assert said.startswith(
                f"rankassay {command}: error: unknown option '{spelled}'; did you mean '{name}'? "
            )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["judge", "--threshhold", "4"], "judge: error: unknown option '--threshhold'; did you"),
        (["judge", "q", "r", "--threshhold=4"], "did you mean '--threshold'? Known: --help, "),
        (["judge", "q", "r", "-M", "P@1"], "judge: error: unknown option '-M'. Known: --help, "),
        (["compare", "q", "r", "--alpha", "2"], "unknown option '--alpha'. Known: --help, "),
        (["run", "--dryrun"], "run: error: unknown option '--dryrun'; did you mean '--dry-run'?"),
        (["--versoin"], "error: unknown option '--versoin'; did you mean '--version'? Known: "),
        (["judge", "q", "r", "--tr", "t"], "ambiguous option: --tr could match --train, --truth"),
    ],
)
def test_a_misspelled_option_is_named_before_what_is_missing(words, said, capsys):
    with pytest.raises(SystemExit) as status:
        main(words)
    assert status.value.code == 2
    assert said in capsys.readouterr().err.splitlines()[-1]
