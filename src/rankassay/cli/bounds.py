"""Command: bounds of the metrics of TREC runs over judgements of the unjudged items."""

import argparse

from rankassay.api.bounds import bounds
from rankassay.api.describe import relevant_from
from rankassay.api.evaluate import DEFAULT, USERS, judged
from rankassay.cli.printing import (
    FILES,
    add_form,
    add_inputs,
    add_lists,
    aligned,
    records,
    show,
)
from rankassay.data.entries import named_runs
from rankassay.data.frames import TIES
from rankassay.metrics.unjudged.bounds import BEYOND_LIST

DESCRIPTION = f"""\
Bound the means of metrics by what judgements of the unjudged items could be: the least and the
greatest value of each run, and which runs they could reverse.

{FILES} Every listed item without a
judgement is taken as not relevant or as relevant, with the top rating of the scale, in all ways.
"""

EPILOG = """\
examples:
  python -m rankassay bounds qrels.txt *.run
  python -m rankassay bounds qrels.txt mine.run theirs.run -m nDCG@10 --csv > bounds.csv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    what = add_inputs(parser, DESCRIPTION, EPILOG, DEFAULT)
    what.add_argument(
        "--beyond-list",
        default="none",
        help=f"{', '.join(BEYOND_LIST)}: how many unjudged items that are not listed are relevant; "
        "any needs --n-items",
    )
    what.add_argument("--n-items", type=int, metavar="N", help="items that could be listed")
    what.add_argument("--depth", type=int, metavar="N", help="cut all lists to N items")
    what.add_argument("--users", default="judged", help=f"{', '.join(USERS)}, as in evaluate")
    add_lists(what, TIES)
    add_form(parser)


def run(options: argparse.Namespace) -> None:
    """Print the bounds of each run, and which overlap."""
    runs = named_runs(options.runs)
    qrels = judged(options.qrels, options.threshold)
    names = ("metrics", "profile", "beyond_list", "users", "depth", "n_items", "ties")
    names += ("unequal_depths",)
    given = {name: getattr(options, name) for name in names}
    table = bounds(qrels, runs, **given).reset_index()
    table["overlaps"] = table["overlaps"].map(" ".join)
    shown = table.assign(
        **{name: table[name].map("{:.4f}".format) for name in ("value", "least", "greatest")}
    )
    said = (
        "\noverlaps: the runs whose bounds overlap with these, by more than an end;\n"
        "judging the missing items could reverse their order"
    )
    text = "\n".join([*aligned(shown, {"run", "metric", "overlaps"}), said])
    about = relevant_from(qrels.judgements.threshold, qrels.scale)
    show(options, table, records(table), text, about)
