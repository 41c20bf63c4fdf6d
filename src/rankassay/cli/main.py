"""The command line, `rankassay COMMAND ...`.

It is the same by `python -m rankassay`, as the rules of the workflow call it.
"""

import argparse
import importlib
import logging
import sys
import textwrap
from collections.abc import Sequence

from rankassay import __version__
from rankassay.cli import process
from rankassay.cli.arguments import check_options, extend, program
from rankassay.declared.jobs import MODULES
from rankassay.errors import RankassayError, not_installed, printable, unknown

NONE = "name a command."

COMMANDS = {
    "judge": "say which metric to report on your data, how far to trust it, and what to do next",
    "run": "run the studies on datasets, or on lists of your own, and write a report",
    "evaluate": "evaluate lists in TREC files against judgements, with any of the metrics",
    "compare": "test which differences between systems are significant, from TREC files",
    "bounds": "say what items without a judgement could change, from TREC files",
    "sensitivity": "say how much selection bias it takes to reverse systems, from TREC files",
    "plan": "say how many users it takes to detect a difference, from TREC files",
    "verify": "compare the artifacts of two runs, and say what explains a difference",
    "guide": "ask what you want to measure, and suggest metrics and what is known about them",
    "demo-data": "write small synthetic judgements, runs and training ratings, to try commands on",
    "datasets": "list the datasets that can be studied by name",
    "job": "do jobs of a run, which standard input describes",
    "completion": "print what makes bash, zsh or fish complete commands and options",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status.

    It is 0 on success, 1 after an error that the user can act on, 2 for wrong usage, and 130 after
    Ctrl-C.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Printable("%(asctime)s %(message)s", "%H:%M:%S"))
    logging.basicConfig(handlers=[handler])
    logging.getLogger("rankassay").setLevel(logging.INFO)
    words = [*(sys.argv[1:] if arguments is None else arguments)]
    manual = _parser()
    check_options(manual, words[:1])
    options = manual.parse_args(words)
    if options.command not in COMMANDS:
        named = unknown("command", options.command, COMMANDS) if options.command else NONE
        manual.error(f"{named} '{program()} --help' explains them.")
    given = argparse.Namespace(called=options.command)  # a command that does jobs changes it
    try:
        module = importlib.import_module(f"rankassay.cli.{options.command.replace('-', '_')}")
        parser = argparse.ArgumentParser(
            prog=f"{program()} {options.command}", description=f"{COMMANDS[options.command]}."
        )
        module.add_arguments(extend(parser))
        _parse(parser, options.rest, given, getattr(module, "PASSES_ON", False))
        module.run(given)
    except Exception as error:
        if process.interrupted:  # numpy and pandas turn it into errors of their own
            return process.STATUS
        if (said := _words(error)) is None:
            error.add_note(f"while doing: {given.called}")
            raise
        print(f"rankassay {given.called}: {said}", file=sys.stderr)
        return 1
    return 0


def _words(error: Exception) -> str | None:
    """Return the message for an error that the user can act on, or None for any other."""
    if isinstance(error, ModuleNotFoundError):
        return not_installed(error)
    if isinstance(error, OSError):
        return (error.strerror or str(error)) + (f" ({error.filename})" if error.filename else "")
    return str(error) if isinstance(error, RankassayError) else None


def _parse(
    parser: argparse.ArgumentParser,
    words: list[str],
    options: argparse.Namespace,
    passes_on: bool,
) -> None:
    """Set the options of a command; `passed_on` are the words behind --, if it takes any."""
    end = words.index("--") if passes_on and "--" in words else len(words)
    check_options(parser, words[:end])
    parser.parse_args(words[:end], options)
    options.passed_on = words[end + 1 :]


class _Printable(logging.Formatter):
    """Log one line a message: texts of servers and files reach the terminal escaped."""

    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record))


MANUAL = """\
for people:
{commands}

    {program} judge qrels.txt *.run --train train.csv
    {program} evaluate qrels.txt *.run -m P@10 nDCG@100 --profile trec
    {program} compare qrels.txt *.run
    {program} run --configfile demo         small synthetic data, offline
    {program} run --datasets ml-1m          a dataset of the catalogue

a run is a Snakemake workflow of jobs, which 'job' does:
{jobs}

'{program} COMMAND --help' explains a command. The exit status is 0 on success, 1 after an
error that you can act on (a line says what it is), and 2 for wrong usage."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program(),
        usage=f"{program()} COMMAND [options] | --help | --version",
        description="Which ranking metric can I trust, at which cut-off, on my data?",
        epilog=MANUAL.format(commands=_listed(COMMANDS), jobs=_jobs(), program=program()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
    )
    parser.add_argument("--help", "-h", action="help", help=argparse.SUPPRESS)
    parser.add_argument(
        "--version", action="version", version=f"rankassay {__version__}", help=argparse.SUPPRESS
    )
    parser.add_argument("command", metavar="COMMAND", nargs="?", help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return parser


def _listed(names: dict[str, str]) -> str:
    width = max(map(len, names))
    return "\n".join(f"  {name:{width}}  {what}" for name, what in names.items())


def _jobs() -> str:
    names = ", ".join(MODULES)
    return textwrap.fill(names, 80, initial_indent="  ", subsequent_indent="  ")
