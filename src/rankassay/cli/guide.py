"""Command: ask a few questions, and print which metrics to use, with measured results."""

import argparse
import sys
import textwrap
from collections.abc import Iterator

from rankassay.api.reading import CUTOFF
from rankassay.cli import guide_questions as guide
from rankassay.cli.printing import add_manual, printing
from rankassay.errors import RankassayError

DESCRIPTION = """\
Ask what the recommender is for, and say which metrics serve it, at which cut-off, and why. Give
answers as options; in a terminal, the command asks for the others. Which measure to trust on data
of your own, `rankassay judge` says.
"""

EPILOG = """\
examples:
  python -m rankassay guide
  python -m rankassay guide --rated yes --scale numbers --wanted items --list limited --length 10 \\
      --order yes --interest slowly
  python -m rankassay guide --tree

The questions come from Schröder, Thiele and Lehner, 2011, section 6; docs/guide.md shows them as
a tree.
"""

WIDTH = 88


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_manual(parser, DESCRIPTION, EPILOG)
    for flag, question in reversed(guide.FLAGS.items()):
        meaning = f"{question.text} {' or '.join(question.answers)}"
        parser.add_argument(f"--{flag}", metavar="ANSWER", help=meaning)
    parser.add_argument(
        "--length", type=int, metavar="N", help=f"items that the list shows ({CUTOFF})"
    )
    parser.add_argument("--tree", action="store_true", help="print all questions and answers")


def run(options: argparse.Namespace) -> None:
    """Ask, or read the options, and print the answer."""
    if options.length is not None and options.length < 1:
        raise RankassayError(f"expected a --length of at least 1, found {options.length}.")
    with printing():
        if options.tree:
            print(guide.text())
            return
        path, goal = guide.decide(_source_of_answers(options))
        print("\n".join(_answer(path, goal, options.length)))


def _source_of_answers(options: argparse.Namespace) -> guide.Ask:
    """Return the source of answers: the options and, in a terminal, the person in front of it."""
    given = {flag: getattr(options, flag) for flag in guide.FLAGS}
    from_flags = guide.from_flags(given)

    def ask(question: guide.Question) -> str:
        if given[question.flag] is not None or not (sys.stdin and sys.stdin.isatty()):
            return from_flags(question)
        print(f"\n{question.text}\n" + textwrap.indent(textwrap.fill(question.why, WIDTH), "  "))
        for name, answer in question.answers.items():
            print(f"    {name:12}{answer.text}")
        while True:
            try:
                said = input("> ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                raise RankassayError("stopped before the last question.") from None
            near = [name for name in question.answers if said and name.startswith(said)]
            if len(near) == 1:
                return near[0]
            print(f"  expected {' or '.join(question.answers)}")

    return ask


def _answer(path: list, goal: guide.Goal, length: int | None) -> Iterator[str]:
    """Yield the lines that say which metrics to use, and why."""
    yield ""
    for question, answer in path:
        yield f"{question.text} {answer}"
    cut = f"@{length or CUTOFF}" if goal.cut else ""
    yield f"\nMeasure {goal.text}: {', '.join(metric + cut for metric in goal.metrics)}\n"
    yield textwrap.fill(goal.why, WIDTH)
    if goal.cut:
        k = f"{CUTOFF}, as in all commands; --length gives the number of items that the list shows"
        k = f"{length}, the number of items shown" if length else k
        yield textwrap.fill(f"Cut-off: {k}.", WIDTH)
