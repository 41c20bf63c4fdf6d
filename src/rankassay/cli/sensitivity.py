"""Command: how much selection it takes to reverse TREC runs."""

import argparse
import math

from rankassay.answers.validity import down, of_selection
from rankassay.api.definitions import relevant_from
from rankassay.api.incompleteness import SUMS, sensitivity
from rankassay.cli import arguments
from rankassay.data.frames import TIES
from rankassay.statistics.sensitivity import DEFAULT_GAMMA, winners

DESCRIPTION = f"""\
How unequal must the weights of judged items be to reverse two runs? Ratings are missing not at
random: some stand for many that were not observed. Weights within [1/Γ, Γ] cannot reverse two
runs while Γ is below their gamma; a pair stands up to a Γ if it is significant under all
weights up to there.

{arguments.FILES}"""

EPILOG = """\
examples:
  python -m rankassay sensitivity qrels.txt *.run
  python -m rankassay sensitivity qrels.txt mine.run theirs.run -m P@10 --train train.qrels
"""
SHOWN = {
    "metric": str,
    "leader": str,
    "other": str,
    "difference": "{:.4f}".format,
    "gamma": down,
    "gamma_item": down,
    "exponent": "{:.2f}".format,
    "stands_to": "{:g}".format,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    what = arguments.add_inputs(parser, DESCRIPTION, EPILOG, SUMS)
    what.add_argument(
        "--train",
        metavar="FILE",
        help="training ratings, in a form of QRELS: for the exponent of popularity that reverses",
    )
    arguments.add_not_candidates(what)
    what.add_argument(
        "--gamma",
        type=float,
        metavar="G",
        help=f"the Γ at which pairs are tested in addition to 1, 1.5, 2, 3, 4 ({DEFAULT_GAMMA:g})",
    )
    arguments.add_depth(what)
    arguments.add_lists(what, TIES[:3])
    arguments.add_form(parser)


def run(options: argparse.Namespace) -> None:
    """Print the Γ of each pair of runs, and the conclusion on the winner."""
    table = arguments.call(sensitivity, options)
    shown = table.assign(metric=_measures(table))[[*SHOWN]]
    if options.train is None:
        shown = shown.drop(columns="exponent")
    shown = shown.assign(
        **{name: shown[name].map(SHOWN[name]).replace("nan", "-") for name in shown}
    )
    said = [" ".join(of_selection(row)) for row in winners(table).to_dict("records")]
    text = "\n".join([*arguments.aligned(shown, {"metric", "leader", "other"}), "", *said])
    content = [
        {name: "Infinity" if value == math.inf else value for name, value in row.items()}
        for row in arguments.records(table)  # JSON has no number for it
    ]
    arguments.show(options, table, content, text, relevant_from(table))


def _measures(table) -> list[str]:
    """Return the metric of each row with its cut-off, and the measure that stands in for it."""
    columns = table["metric"], table["cutoff"], table["cutoff"].isna(), table["measure"]
    names = [
        (metric if whole else f"{metric}@{cutoff}", by)
        for metric, cutoff, whole, by in zip(*columns, strict=True)
    ]
    return [name if name == by else f"{name} (by {by})" for name, by in names]
