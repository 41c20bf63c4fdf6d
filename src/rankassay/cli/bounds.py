"""Command: bounds of the metrics of TREC runs over judgements of the unjudged items."""

import argparse

from rankassay.api.bounds import bounds
from rankassay.api.definitions import relevant_from
from rankassay.api.reading import DEFAULT, USERS
from rankassay.cli import arguments
from rankassay.data.frames import TIES
from rankassay.metrics.bounds import BEYOND_LIST

DESCRIPTION = f"""\
Bound the means of metrics by what judgements of the unjudged items could be: the least and the
greatest value of each run, and which runs they could reverse.

{arguments.FILES} Every listed item without a
judgement is taken as not relevant or as relevant, with the top rating of the scale, in all ways.
"""

EPILOG = """\
examples:
  python -m rankassay bounds qrels.txt *.run
  python -m rankassay bounds qrels.txt mine.run theirs.run -m nDCG@10 --csv > bounds.csv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    what = arguments.add_inputs(parser, DESCRIPTION, EPILOG, DEFAULT)
    said = "how many unjudged items that are not listed are relevant; any needs --n-items"
    arguments.add_choice(what, "--beyond-list", BEYOND_LIST, said, default="none")
    arguments.add_n_items(what)
    arguments.add_depth(what)
    arguments.add_choice(what, "--users", USERS, "as in evaluate", default="judged")
    arguments.add_lists(what, TIES)
    arguments.add_form(parser)


def run(options: argparse.Namespace) -> None:
    """Print the bounds of each run, and which overlap."""
    found = arguments.call(bounds, options)
    table = found.reset_index()
    table["overlaps"] = table["overlaps"].map(" ".join)
    shown = table.assign(
        **{name: table[name].map("{:.4f}".format) for name in ("value", "least", "greatest")}
    )
    said = (
        "\noverlaps: the runs whose bounds overlap with these, by more than an end;\n"
        "judging the missing items could reverse their order"
    )
    text = "\n".join([*arguments.aligned(shown, {"run", "metric", "overlaps"}), said])
    arguments.show(options, table, arguments.records(table), text, relevant_from(found))
