"""Command: evaluate TREC runs against TREC judgements."""

import argparse
import textwrap

import pandas as pd

from rankassay.api.definitions import describe
from rankassay.api.evaluate import UNJUDGED, evaluate
from rankassay.api.reading import DEFAULT, USERS
from rankassay.cli import arguments
from rankassay.metrics.aggregate import AGGREGATES
from rankassay.metrics.catalogue import METRICS
from rankassay.metrics.profiles import WITHOUT_RELEVANT

DESCRIPTION = f"""\
Evaluate the lists of one or more systems against judgements, and print a table with one row per
system, named after its file, and one column per metric. By which definitions the numbers were made,
and of how many users and ties, goes to standard error.

{arguments.FILES}
Lists are ordered by decreasing score; the rank column of a TREC run is ignored.
"""

NAMES = textwrap.fill(", ".join(METRICS), width=96, initial_indent="  ", subsequent_indent="  ")

EPILOG = f"""\
metrics:
  A metric is a name with a cut-off and, if needed, parameters: P@10, nDCG@100, RR, Bpref,
  "AP(denominator='min_cutoff')@10", "nDCG(gain='exp')@10". A profile is a set of definitions for
  metrics that have several: the paper's, trec_eval's, and others. The names are
{NAMES}.
  In any case, and by other names too: Recall@10, MAP, hit_rate@10, ndcg_cut_10, recip_rank.
  `rankassay guide` says which serves which purpose; the page Metrics of the site explains each.

examples:
  python -m rankassay evaluate qrels.txt mine.run theirs.run -m P@10 nDCG@10 --threshold 4
  python -m rankassay evaluate qrels.txt mine.run -m AP nDCG --profile trec --threshold 1
  python -m rankassay evaluate qrels.txt mine.run -m nDCG@10 --per-user --csv > users.csv
  python -m rankassay evaluate qrels.txt *.run -m nDCG@10 --confidence 0.95

  With --users listed, --profile trec agrees with trec_eval, and without it with trec_eval -c.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    what = arguments.add_inputs(parser, DESCRIPTION, EPILOG, DEFAULT)
    arguments.add_depth(what)
    arguments.add_n_items(what)
    what.add_argument(
        "--propensities",
        metavar="FILE",
        help="how likely it was that each judged rating is observed (IPS, SNIPS, Stratified): a "
        "file with the columns user, item and propensity, or item and propensity",
    )
    what.add_argument(
        "--train",
        metavar="FILE",
        help="training ratings, in a form of QRELS, whose items no list may hold; without "
        "--propensities these are (n + 1) / (max n + 1) for an item that was rated n times",
    )
    arguments.add_not_candidates(what)
    _add_choices(parser)
    _add_output(parser)


def _add_choices(parser: argparse.ArgumentParser) -> None:
    """Declare the choices that make evaluations differ."""
    group = parser.add_argument_group("who counts, and how")
    arguments.add_choice(group, "--aggregate", AGGREGATES, "average over users", default="mean")
    said = "count users without a list as 0, or leave them out"
    arguments.add_choice(group, "--users", USERS, said, default="judged")
    said = (
        "users without relevant items get the formula's value, mostly 0, or none; as in the "
        "profile if not given"
    )
    arguments.add_choice(group, "--without-relevant", WITHOUT_RELEVANT, said)
    said = (
        "which of two items with equal scores comes first: that with the smaller id, with the "
        "larger id (as in trec_eval), or the first in the file; or the mean over all orders of "
        "such items, the least or the greatest value"
    )
    arguments.add_choice(group, "--ties", arguments.TIES, said, default="trec")
    said = (
        "listed items without a judgement count as not relevant, or are taken out of the lists "
        "(trec_eval -J)"
    )
    arguments.add_choice(group, "--unjudged", UNJUDGED, said, default="nonrelevant")


def _add_output(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the output and its form."""
    group = parser.add_argument_group("output")
    more = group.add_mutually_exclusive_group()
    more.add_argument("--per-user", action="store_true", help="print one row per system and user")
    more.add_argument(
        "--confidence",
        type=float,
        metavar="LEVEL",
        help="add bootstrap intervals of this level, e.g. 0.95",
    )
    arguments.add_form(group)


def run(options: argparse.Namespace) -> None:
    """Evaluate each run and print the results."""
    result = arguments.call(evaluate, options)
    table = result if options.per_user else result.reset_index()
    arguments.show(options, table, arguments.records(table), _text(table), describe(result))


def _text(table: pd.DataFrame) -> str:
    """Return a table as text, numbers with four decimals."""
    numbers = [name for name in table if pd.api.types.is_float_dtype(table[name])]
    texts = table.astype({name: object for name in table}).astype(str)
    for name in numbers:
        texts[name] = table[name].map("{:.4f}".format)
    return "\n".join(arguments.aligned(texts, left={*table} - {*numbers}))
