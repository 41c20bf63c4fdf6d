"""Command: ask a few questions, and print which metrics to use, with measured results."""

import argparse
import itertools
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from rankassay.api.evaluate import CUTOFF
from rankassay.artifacts.checksums import certified
from rankassay.artifacts.tables import read_table
from rankassay.cli.printing import add_manual, aligned, printing
from rankassay.errors import RankassayError
from rankassay.guide import measured
from rankassay.guide import questions as guide
from rankassay.studies import evidence

DESCRIPTION = """\
Ask what the recommender is for, and say which metrics to use, at which cut-off, and why. If studies
were run, also say what they measured about these metrics. Give answers as options; in a terminal,
the command asks for the others.
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

UNMEASURED = """\
No finished study in '{}'. `rankassay judge` says in one command which measure to report on your own
data; to measure these metrics on it, run the studies (config/README.md) and ask again."""

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
    parser.add_argument(
        "--results", default="results", metavar="FOLDER", help="of finished studies (results)"
    )
    parser.add_argument("--dataset", help="dataset whose studies to read; all if not given")
    parser.add_argument("--tree", action="store_true", help="print all questions and answers")


def run(options: argparse.Namespace) -> None:
    """Ask, or read the options, and print the answer."""
    if options.length is not None and options.length < 1:
        raise RankassayError(f"expected a --length of at least 1, found {options.length}.")
    datasets = _datasets(Path(options.results), options.dataset)
    with printing():
        if options.tree:
            print(guide.text())
            return
        path, goal = guide.decide(_source_of_answers(options))
        print("\n".join(_answer(path, goal, options.length)))
        for dataset in datasets:
            print("\n".join(_measured(dataset, goal, options.length or CUTOFF)))
        if not datasets:
            print("\n" + textwrap.fill(UNMEASURED.format(options.results), WIDTH))


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


def _datasets(results: Path, wanted: str | None) -> list[Path]:
    """Return the folders of the datasets that have a finished study."""
    found = sorted({path.parents[1] for path in results.glob("*/*/summary.csv")})
    found = [path for path in found if path.parent == results and path.name != "tables"]
    if wanted is None:
        return found
    chosen = [path for path in found if path.name == wanted]
    if not chosen:
        names = ", ".join(path.name for path in found) or "none"
        raise RankassayError(
            f"no finished study of the dataset '{wanted}' in '{results}'; found: {names}."
        )
    return chosen


def _measured(folder: Path, goal: guide.Goal, length: int) -> Iterator[str]:
    """Yield the lines on measured results on one dataset."""
    yield f"\nMeasured on {folder.name}{_kind(folder)}"
    cut = length if goal.cut else None
    rows = [row for metric in goal.metrics for row in _summary(folder, metric, cut)]
    if rows:
        yield from (f"  {line}" for line in aligned(pd.DataFrame(rows), {"metric"}))
        yield _indented(measured.COLUMNS)
    else:
        yield f"  no study measured {' or '.join(goal.metrics)}"
    shown = {
        "summary": measured.deeper,
        "alike": measured.same_order,
        "turned": measured.turned,
    }
    for metric in goal.metrics:
        for kind, words in shown.items():
            tables = [_table(folder / f"{name}.csv") for name in evidence(kind)]
            said = filter(None, (words(table, metric, cut) for table in tables))
            yield from map(_indented, itertools.islice(said, 1))  # the first study that knows


def _indented(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="  ")


def _kind(folder: Path) -> str:
    """Return the addition to the name of a synthetic dataset, which has no source."""
    prepared = folder.parents[1] / "data/processed" / folder.name
    made_up = prepared.is_dir() and not (prepared / "source.json").is_file()
    return " (synthetic)" if made_up else ""


def _summary(folder: Path, metric: str, length: int | None) -> Iterator[dict]:
    """Yield the row of a metric from the first study that has it."""
    for name in evidence("summary"):
        row = measured.row(_table(folder / f"{name}.csv"), metric, length)
        if row:
            yield row | {"study": name.partition("/")[0]}
            return


def _table(path: Path) -> pd.DataFrame:
    """Return a result table, or an empty one if it was not made."""
    return read_table(certified(path)) if path.is_file() else pd.DataFrame()
