"""Command: which measure to report on TREC runs, how far to trust it, and what to do next."""

import argparse
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rankassay.advice import words, words_evidence
from rankassay.advice.truth import YARDSTICKS
from rankassay.api.judge import PAGE, Advice, judge
from rankassay.artifacts.files import write_lines
from rankassay.cli.arguments import (
    FILES,
    add_form,
    add_inputs,
    add_not_candidates,
    call,
    program,
    show,
)
from rankassay.data import inputs
from rankassay.data.frames import TIES
from rankassay.errors import RankassayError
from rankassay.lookup import load
from rankassay.statistics.sensitivity import DEFAULT_GAMMA

if TYPE_CHECKING:
    import pandas as pd

DESCRIPTION = f"""\
Which metric can I trust, at which cut-off, on my data, and what do I do now? The answer is one
screen: the runs; the measure to report, with a conventional one next to it; which differences one
may write, and which not; how far to trust it; and what to do next. --explain prints the rows behind
each line.

{FILES}"""

EPILOG = """\
examples:
  python -m rankassay judge qrels.txt *.run
  python -m rankassay judge qrels.txt *.run --train train.csv --out answer.html
  python -m rankassay judge qrels.txt *.run --truth random-items.csv --outcomes online.csv
  python -m rankassay judge qrels.txt *.run -m nDCG Recall --cutoffs 10 20 --explain
"""
CONVENTIONAL = "nDCG@10 with binary gains (@5 or less in shorter lists)"
SLIM = 60  # characters: narrower terminals wrap lines by themselves


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    what = add_inputs(parser, DESCRIPTION, EPILOG, CONVENTIONAL)
    what.add_argument(
        "--cutoffs", type=int, nargs="+", metavar="K", help="cut-offs of metrics without one (10)"
    )
    what.add_argument("--depth", type=int, metavar="N", help="cut all lists to N items")
    what.add_argument(
        "--ties", help=f"{', '.join(TIES)}: the order of items with equal scores (trec)"
    )
    what.add_argument(
        "--gamma",
        type=float,
        metavar="G",
        help=f"the Γ up to which it is tested whether pairs stand ({DEFAULT_GAMMA:g})",
    )
    what.add_argument("--seed", type=int, default=0, help="of all that is drawn at random (0)")
    _add_known(parser)
    _add_output(parser)


def _add_known(parser: argparse.ArgumentParser) -> None:
    """Declare the options on further data."""
    group = parser.add_argument_group("what else is known")
    group.add_argument(
        "--train",
        metavar="FILE",
        help="training ratings, in a form of QRELS: which items are "
        "popular, and what reference systems learn from",
    )
    add_not_candidates(group)
    group.add_argument(
        "--references",
        action=argparse.BooleanOptionalAction,
        help="fit reference systems to the training ratings (if there are any)",
    )
    group.add_argument(
        "--truth",
        metavar="FILE",
        help="judgements of items that users did not choose: user, item and rating; also known "
        "and inclusion, if there are",
    )
    group.add_argument(
        "--yardstick", help=f"{', '.join(YARDSTICKS)}: what counts in the truth (both)"
    )
    group.add_argument(
        "--outcomes",
        metavar="FILE",
        help="what systems achieved online: system, value and error (its standard error)",
    )
    group.add_argument(
        "--propensities",
        metavar="FILE",
        help="how likely it was that each judged rating is observed, as in evaluate",
    )


def _add_output(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the output."""
    group = parser.add_argument_group("output")
    group.add_argument("--out", metavar="FILE", help="write the answer as a page, too (html)")
    group.add_argument(
        "--write-propensities",
        metavar="FILE",
        help="write the propensities of weighed measures, for --propensities of evaluate (csv)",
    )
    more = group.add_mutually_exclusive_group()
    more.add_argument("--explain", action="store_true", help="print the rows behind each line")
    more.add_argument("--pairs", action="store_true", help="print all pairs of runs")
    add_form(group)


def run(options: argparse.Namespace) -> None:
    """Judge the runs, print the answer and write its page."""
    page, weights = None, options.write_propensities and _writable(options.write_propensities)
    if options.out is not None:  # what it needs may not be installed
        page, path = load(PAGE.format("page")), _writable(options.out)
    advice = call(judge, options)
    _print(options, advice)
    if weights:
        _write(advice.propensities, weights)
    if page is not None:
        found = advice.to_dict()
        found["settings"]["command"] = f"{program()} {shlex.join(sys.argv[1:])}"
        write_lines([page(found)], path)
        print(f"\npage: {path}", file=sys.stderr)


def _writable(out: str) -> Path:
    """Return where to write; raises RankassayError, before any work, for no such folder."""
    path = Path(inputs.path("the file to write", out))
    if path.is_dir() or not path.parent.is_dir():
        raise RankassayError(
            f"expected a file in a folder that is there, found '{out}', which cannot be written; "
            "name another."
        )
    return path


def _write(propensities: "pd.Series | pd.DataFrame | None", path: Path) -> None:
    """Write propensities as a table that `evaluate` reads."""
    if propensities is None:
        raise RankassayError(
            "--write-propensities: expected training ratings or propensities, by which measures "
            "are weighed, found none; give --train."
        )
    by_item = propensities.ndim == 1
    table = propensities.rename_axis("item").reset_index() if by_item else propensities
    write_lines([table.to_csv(index=False, lineterminator="\n")], path)
    print(f"\npropensities: {path}", file=sys.stderr)


def _print(options: argparse.Namespace, advice: Advice) -> None:
    """Print the answer, or the output that was asked for instead."""
    found = advice.to_dict()
    if options.pairs:
        lines = words_evidence.pairs(found)
    else:
        colour, width = _terminal()
        lines = words.screen(found, width, colour=colour)
    if options.explain:
        lines += ["", *words_evidence.explain(found)]
    table = advice.pairs if options.pairs else advice.findings.measures
    show(options, table, found, "\n".join(lines))


def _terminal() -> tuple[bool, int]:
    """Return whether standard output shows colours, and how wide a line may be."""
    if not sys.stdout.isatty():
        return False, words.WIDTH
    plain, columns = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb", _columns()
    return not plain, min(words.WIDTH, columns) if columns >= SLIM else words.WIDTH


def _columns() -> int:
    return shutil.get_terminal_size().columns
