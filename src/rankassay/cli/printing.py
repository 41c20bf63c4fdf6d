"""What the commands that read TREC files have in common: their arguments, and how they print."""

import argparse
import contextlib
import inspect
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rankassay.cli.called import MODULE, program
from rankassay.cli.given import Distinct
from rankassay.errors import RankassayError
from rankassay.metrics.profiles import PROFILES

TIES = ("item", "trec", "input", "expected", "worst", "best")
NOT_CANDIDATES = ("error", "drop", "keep")
if TYPE_CHECKING:  # `rankassay run` imports this module, and pandas would take its time
    import pandas as pd

FILES = """\
QRELS has lines 'user iter item rating', each RUN has lines 'user Q0 item rank score tag', as
in trec_eval; blanks separate columns. Either may also be a table whose first line names its
columns (user, item and rating; user, item and score or rank), JSON or parquet, and be packed by
gzip, xz or zstd. A file may be a stream, such as <(zcat qrels.gz), and - is standard input."""


def add_manual(parser: argparse.ArgumentParser, description: str, epilog: str) -> None:
    """Add texts to the help of a command, to be shown as they are."""
    parser.description, parser.epilog = description, epilog.replace(MODULE, program())
    parser.formatter_class = argparse.RawDescriptionHelpFormatter


def add_inputs(
    parser: argparse.ArgumentParser, description: str, epilog: str, metrics: Sequence[str] | None
) -> argparse._ArgumentGroup:
    """Declare the files to read and the values to compute, and return the group of the latter.

    `metrics` are those that are taken where none are named; None leaves it to the command.
    """
    add_manual(parser, description, epilog)
    parser.add_argument("qrels", metavar="QRELS", help="judgements")
    parser.add_argument("runs", metavar="RUN", nargs="+", help="lists, one file per system")
    group = parser.add_argument_group("computation")
    group.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        action=Distinct,
        default=metrics,
        metavar="METRIC",
        help=f"metrics with cut-offs; {' '.join(metrics or ['those of the study'])} if not given",
    )
    add_choice(group, "--profile", PROFILES, "definitions of metrics", default="paper")
    group.add_argument(
        "--threshold",
        type=float,
        help="the lowest rating that is relevant; if not given, 1 for ratings of 0 and 1 and for "
        "whole ones up to 4 with a 0 (as in trec_eval), and 4 for 1 to 5 stars",
    )
    return group


def add_choice(
    group: argparse._ActionsContainer, option: str, names: Iterable[str], what: str, **more: Any
) -> None:
    """Declare an option of one of some names, which its help lists and shells complete."""
    action = group.add_argument(option, help=f"{', '.join(names)}: {what}", **more)
    action.names = names  # type: ignore[attr-defined]


def add_depth(group: argparse._ActionsContainer) -> None:
    """Declare where lists are cut."""
    help = "cut all lists to N items before anything else"
    group.add_argument("--depth", type=int, metavar="N", help=help)


def add_n_items(group: argparse._ActionsContainer) -> None:
    """Declare how many items there are."""
    help = "items that could be listed (AUC, Fallout, ...)"
    group.add_argument("--n-items", type=int, metavar="N", help=help)


def chosen(options: argparse.Namespace, function: Callable[..., Any]) -> dict[str, Any]:
    """Return the options that are parameters of a function, by their names."""
    wanted = inspect.signature(function).parameters
    return {name: value for name, value in vars(options).items() if name in wanted}


def add_lists(group: argparse._ActionsContainer, ties: Sequence[str] = TIES) -> None:
    """Declare how lists that are compared are read."""
    what = "the order of items with equal scores, as in evaluate (trec)"
    add_choice(group, "--ties", ties, what)
    group.add_argument(
        "--unequal-depths",
        action="store_true",
        help="go deeper than the longest list of some runs, which is unfair to these; without it, "
        "all runs are compared at the depth that they have in common",
    )


def add_not_candidates(group: argparse._ActionsContainer) -> None:
    """Declare what becomes of listed items that are training items."""
    what = "what becomes of listed items that the user rated in training (error)"
    add_choice(group, "--not-candidates", NOT_CANDIDATES, what, default=NOT_CANDIDATES[0])


def add_form(parser: argparse._ActionsContainer) -> None:
    """Declare the forms to print in."""
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="CSV with all digits")
    form.add_argument("--json", action="store_true", help="JSON with all digits")


def show(
    options: argparse.Namespace, table: "pd.DataFrame", content: Any, text: str, about: str = ""
) -> None:
    """Print a table as CSV, content as JSON, or text, and then `about` to standard error."""
    with printing():
        if options.csv:
            table.to_csv(sys.stdout, index=False, lineterminator="\n")
        elif options.json:
            ascii_only = not (sys.stdout.encoding or "utf-8").lower().startswith("utf")
            print(json.dumps(content, indent=2, ensure_ascii=ascii_only))
        else:
            print(text)
    if about and not (options.csv or options.json):
        print(f"\n{about}", file=sys.stderr)


def aligned(table: "pd.DataFrame", left: set[str]) -> list[str]:
    """Return a table of texts as lines, the columns `left` to the left and others to the right."""
    columns = []
    for name in table:
        cells = [str(name), *table[name]]
        align = "<" if name in left else ">"
        columns.append([f"{cell:{align}{max(map(len, cells))}}" for cell in cells])
    return ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]


def records(table: "pd.DataFrame") -> list[dict]:
    """Return the rows of a table for JSON, with None for missing values."""
    return table.astype(object).where(table.notna(), None).to_dict("records")


@contextlib.contextmanager
def printing() -> Iterator[None]:
    """Turn a reader that stops reading, as `head` does, into one clear error."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise RankassayError("the reader of the output closed it before its end.") from None
