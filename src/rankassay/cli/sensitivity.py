"""Command: how much selection it takes to reverse TREC runs."""

import argparse
import math

from rankassay.answers.sensitivity import down, sentences
from rankassay.api.definitions import relevant_from
from rankassay.api.incompleteness import SUMS, sensitivity
from rankassay.api.reading import judged
from rankassay.cli import printing
from rankassay.data.entries import named_runs
from rankassay.data.frames import TIES
from rankassay.statistics.sensitivity import DEFAULT_GAMMA, winners

DESCRIPTION = f"""\
How unequal must the weights of judged items be to reverse two runs? Ratings are missing not at
random: some stand for many that were not observed. Weights within [1/Γ, Γ] cannot reverse two
runs while Γ is below their gamma; a pair stands up to a Γ if it is significant under all
weights up to there.

{printing.FILES}"""

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
    what = printing.add_inputs(parser, DESCRIPTION, EPILOG, SUMS)
    what.add_argument(
        "--train",
        metavar="FILE",
        help="training ratings, in a form of QRELS: for the exponent of popularity that reverses",
    )
    printing.add_not_candidates(what)
    what.add_argument(
        "--gamma",
        type=float,
        metavar="G",
        help=f"the Γ at which pairs are tested in addition to 1, 1.5, 2, 3, 4 ({DEFAULT_GAMMA:g})",
    )
    printing.add_depth(what)
    printing.add_lists(what, TIES[:3])
    printing.add_form(parser)


def run(options: argparse.Namespace) -> None:
    """Print the Γ of each pair of runs, and the conclusion on the winner."""
    runs = named_runs(options.runs)
    qrels = judged(options.qrels, options.threshold)
    given = printing.chosen(options, sensitivity) | {
        "qrels": qrels,
        "runs": runs,
        "threshold": None,
    }
    table = sensitivity(**given)
    shown = table.assign(metric=_measures(table))[[*SHOWN]]
    if options.train is None:
        shown = shown.drop(columns="exponent")
    shown = shown.assign(
        **{name: shown[name].map(SHOWN[name]).replace("nan", "-") for name in shown}
    )
    said = [" ".join(sentences(row)) for row in winners(table).to_dict("records")]
    text = "\n".join([*printing.aligned(shown, {"metric", "leader", "other"}), "", *said])
    about = relevant_from(qrels.judgements.threshold, qrels.scale)
    content = [
        {name: "Infinity" if value == math.inf else value for name, value in row.items()}
        for row in printing.records(table)  # JSON has no number for it
    ]
    printing.show(options, table, content, text, about)


def _measures(table) -> list[str]:
    """Return the metric of each row with its cut-off, and the measure that stands in for it."""
    columns = table["metric"], table["cutoff"], table["cutoff"].isna(), table["measure"]
    names = [
        (metric if whole else f"{metric}@{cutoff}", by)
        for metric, cutoff, whole, by in zip(*columns, strict=True)
    ]
    return [name if name == by else f"{name} (by {by})" for name, by in names]
