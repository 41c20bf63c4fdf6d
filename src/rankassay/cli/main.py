"""The command line, `rankassay COMMAND ...`: a command or a job of the pipeline.

It is the same by `python -m rankassay`, as the rules of the workflow call it.
"""

import argparse
import importlib
import logging
import sys
import time
from collections.abc import Sequence

from rankassay import __version__
from rankassay.cli import process
from rankassay.cli.arguments import check_options, extend, program
from rankassay.errors import RankassayError, not_installed, printable, unknown

log = logging.getLogger(__name__)

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
    "completion": "print what makes bash, zsh or fish complete commands and options",
}

JOBS = {
    "fetch": "find or download the files of a dataset",
    "prepare": "read a dataset's files, or make a synthetic one, and write its statistics",
    "truth": "read the judgements of random items that come with a dataset's ratings",
    "propensities": "read the propensities of a dataset's ratings",
    "attributes": "read the attributes of a dataset's users and items",
    "filter": "leave out what the filter of a dataset removes, and count it",
    "split": "split ratings into training and test",
    "estimate-propensities": "estimate how likely it was that each test rating is observed",
    "recommend": "fit one recommender and rank the candidates for every user",
    "import-run": "import a run file of another library as one of the systems",
    "fit": "fit one recommender, for several jobs to rank",
    "rank": "rank the candidates for a block of users with a fitted recommender",
    "score": "compute every measure for every user and system",
    "import-scores": "import the users' values of metrics that others computed",
    "means": "average the users' values, for every measure and system",
    "advise": "say which measure to report on a dataset, why, and what to do next",
    "fidelity": "compare the means of the systems with the published ones",
    "analyse": "run one analysis of a study",
    "join": "join the results of several jobs",
    "collect-claims": "collect the verdicts on a paper's claims, for all datasets, in one table",
    "figure": "draw one figure of a study",
    "table": "write one table of a study",
    "report": "write one page with all figures, tables and verdicts of a run",
    "tune": "score one point of a recommender's grid on a part of the training ratings",
    "order-grid": "order the points of a recommender's grid by their scores, and draw them",
    "write-best": "write the best points of the grids on a dataset as a configuration",
    "export": "write a split, or the lists of one recommender, as files for other tools",
}

ALL = COMMANDS | JOBS
THEN = "--then"  # between the words of jobs that one process does


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command or job and return the exit status.

    It is 0 on success, 1 after an error that the user can act on, 2 for wrong usage, and 130 after
    Ctrl-C.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Printable("%(asctime)s %(message)s", "%H:%M:%S"))
    logging.basicConfig(handlers=[handler])
    logging.getLogger("rankassay").setLevel(logging.INFO)
    began = time.monotonic()
    several = in_turn(sys.argv[1:] if arguments is None else arguments)
    for words in several:
        if status := _one(words, began, words[: 1 + (len(several) > 1)]):
            return status
    return 0


def in_turn(words: Sequence[str]) -> list[list[str]]:
    """Return the words of jobs that one process does one after another.

    >>> in_turn(["join", "table", "--then", "figure"])
    [['join', 'table'], ['figure']]
    """
    found: list[list[str]] = [[]]
    for word in words:
        if word == THEN and found[0][0] in JOBS:
            found.append([])
        else:
            found[-1].append(word)
    return found


def _one(words: Sequence[str], began: float, called: Sequence[str]) -> int:
    """Run one command or job, which errors name as `called`, and return the exit status."""
    manual = _parser()
    check_options(manual, words[:1])
    options = manual.parse_args(words)
    if options.command not in ALL:
        named = unknown("command", options.command, ALL) if options.command else "name a command."
        manual.error(f"{named} '{program()} --help' explains them.")
    package = "cli" if options.command in COMMANDS else "jobs"
    if options.command in JOBS:
        from rankassay import kernels  # on use: it imports numpy

        kernels.FEW = kernels.FEW_OF_A_JOB
    try:
        module = importlib.import_module(f"rankassay.{package}.{options.command.replace('-', '_')}")
        parser = argparse.ArgumentParser(
            prog=f"{program()} {options.command}", description=f"{ALL[options.command]}."
        )
        module.add_arguments(extend(parser))
        if options.command in JOBS:
            parser.add_argument("--usage", help="time and memory that it took: file to write (tsv)")
        given = _parsed(parser, options.rest, getattr(module, "PASSES_ON", False))
        module.run(given)
        if options.command in JOBS:
            _log_usage(given.usage, time.monotonic() - began)
    except Exception as error:
        if process.interrupted:  # numpy and pandas turn it into errors of their own
            return process.STATUS
        if (said := _words(error)) is None:
            error.add_note(f"while doing: {' '.join(called)}")
            raise
        print(f"rankassay {' '.join(called)}: {said}", file=sys.stderr)
        return 1
    return 0


def _log_usage(usage: str | None, seconds: float) -> None:
    """Write a job's time and memory to its log and, if asked to, to a file."""
    if usage:
        from rankassay.artifacts.usage import write  # on use: it imports numpy

        write(usage, seconds)
    log.info("done in %.1f s", seconds)


def _words(error: Exception) -> str | None:
    """Return the message for an error that the user can act on, or None for any other."""
    if isinstance(error, ModuleNotFoundError):
        return not_installed(error)
    if isinstance(error, OSError):
        return (error.strerror or str(error)) + (f" ({error.filename})" if error.filename else "")
    return str(error) if isinstance(error, RankassayError) else None


def _parsed(
    parser: argparse.ArgumentParser, words: list[str], passes_on: bool
) -> argparse.Namespace:
    """Return the options of a command; `passed_on` are the words behind --, if it takes any."""
    end = words.index("--") if passes_on and "--" in words else len(words)
    check_options(parser, words[:end])
    options = parser.parse_args(words[:end])
    options.passed_on = words[end + 1 :]
    return options


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

a run is a Snakemake workflow of these jobs, in this order:
{jobs}

jobs with --then between them are done by one process, one after another.

'{program} COMMAND --help' explains a command. The exit status is 0 on success, 1 after an
error that you can act on (a line says what it is), and 2 for wrong usage."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program(),
        usage=f"{program()} COMMAND [options] | --help | --version",
        description="Which ranking metric can I trust, at which cut-off, on my data?",
        epilog=MANUAL.format(commands=_listed(COMMANDS), jobs=_listed(JOBS), program=program()),
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
    width = max(map(len, ALL))
    return "\n".join(f"  {name:{width}}  {what}" for name, what in names.items())
