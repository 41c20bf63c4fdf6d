"""What commands have in common: how options take values, the files and choices, and the output."""

import argparse
import contextlib
import difflib
import inspect
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankassay.errors import LONGEST, RankassayError, unknown
from rankassay.metrics.profiles import PROFILES

if TYPE_CHECKING:  # `rankassay run` imports this module, and pandas would take its time
    import pandas as pd

MODULE = "python -m rankassay"
VARIABLE = "RANKASSAY_CALLED"  # what a script that calls the module shows instead: `run` sets it
TIES = ("item", "trec", "input", "expected", "worst", "best")
NOT_CANDIDATES = ("error", "drop", "keep")

FILES = """\
QRELS has lines 'user iter item rating', each RUN has lines 'user Q0 item rank score tag', as
in trec_eval; blanks separate columns. Either may also be a table whose first line names its
columns (user, item and rating; user, item and score or rank), JSON or parquet, and be packed by
gzip, xz or zstd. A file may be a stream, such as <(zcat qrels.gz), and - is standard input."""


def program() -> str:
    """Return how the command line was called: by its own name, by a script, or as a module."""
    own = Path(sys.argv[0]).stem
    return own if own == "rankassay" else os.environ.get(VARIABLE, MODULE)


class Given(argparse.Action):
    """Store a value: an option of several values extends those that it was given before.

    argparse itself keeps the last without a word. An option of one value is given once.
    """

    given = False

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Store the values; raises ArgumentError for a second one where there can be one."""
        if self.given and self.option_strings:
            before = getattr(namespace, self.dest)
            if not isinstance(values, list):
                found = f"found '{before}' and '{values}'"
                raise argparse.ArgumentError(self, f"expected it once, {found}; keep one")
            values = [*before, *values]
        self.given = True
        setattr(namespace, self.dest, values)


class Distinct(Given):
    """Store names that are given once each, as they become columns."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Store the names; an error names the first that is given again."""
        super().__call__(parser, namespace, values, option_string)
        names = getattr(namespace, self.dest)
        again = [name for place, name in enumerate(names) if name in names[:place]]
        if again:
            raise argparse.ArgumentError(self, f"expected each name once, found '{again[0]}' twice")


def check_options(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Exit with an error for the first option that a parser does not know, with the nearest one.

    argparse would look at what is missing first, and name no other.
    """
    known = [name for action in parser._actions for name in action.option_strings]
    for word in words:
        name = word.partition("=")[0]
        if not re.match(r"--?[A-Za-z]", word) or " " in name:
            continue
        start = name if name.startswith("--") else name[:2]  # as in -mP@10
        if not any(own.startswith(start) for own in known):
            options = {own[2:]: own for own in known if own.startswith("--")}
            # Dashes, which all have, make no two alike.
            alike = difflib.get_close_matches(name.lstrip("-")[:LONGEST], options, n=1)
            near = options[alike[0]] if alike else None
            parser.error(str(unknown("option", name, options.values(), near)))


def extend(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Return a parser whose options take their values so, unless they say otherwise."""
    parser.register("action", None, Given)
    return parser


def add_manual(parser: argparse.ArgumentParser, description: str, epilog: str) -> None:
    """Add texts to the help of a command, to be shown as they are."""
    parser.description, parser.epilog = description, epilog.replace(MODULE, program())
    parser.formatter_class = argparse.RawDescriptionHelpFormatter


def add_inputs(
    parser: argparse.ArgumentParser,
    description: str,
    epilog: str,
    metrics: Sequence[str] | str,
) -> argparse._ArgumentGroup:
    """Declare the files to read and the values to compute, and return the group of the latter.

    `metrics` are those that are taken where none are named; a text says it of a command that
    chooses them itself.
    """
    usual = metrics if isinstance(metrics, str) else " ".join(metrics)
    add_manual(parser, description, epilog)
    parser.add_argument("qrels", metavar="QRELS", help="judgements")
    parser.add_argument("runs", metavar="RUN", nargs="+", help="lists, one file per system")
    group = parser.add_argument_group("computation")
    group.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        action=Distinct,
        default=None if isinstance(metrics, str) else metrics,
        metavar="METRIC",
        help=f"metrics with cut-offs; {usual} if not given",
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


def call(function: Callable[..., Any], options: argparse.Namespace, **more: Any) -> Any:
    """Return what a public function returns for the runs, and the options that it has, too."""
    from rankassay.data.entries import named_runs  # on use: it imports pandas

    wanted = inspect.signature(function).parameters
    given = {name: value for name, value in vars(options).items() if name in wanted}
    runs = {"runs" if "runs" in wanted else "run": named_runs(options.runs)}
    return function(**given | runs | more)


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
