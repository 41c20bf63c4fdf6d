"""Command: evaluate TREC runs against TREC judgements."""

import argparse
import inspect
import sys
import textwrap

import pandas as pd

from assayer.api.evaluate import DEFAULT, USERS, evaluate, judged
from assayer.cli.printing import FILES, add_form, add_inputs, aligned, records, run_names, show
from assayer.data.frames import TIES
from assayer.metrics.aggregate import AGGREGATES
from assayer.metrics.catalogue import METRICS
from assayer.metrics.profiles import WITHOUT_RELEVANT

DESCRIPTION = f"""\
Evaluate the lists of one or more systems against judgements, and print a table with one row per
system, named after its file, and one column per metric.

{FILES} Lists are ordered by
decreasing score; the rank column is ignored.
"""

NAMES = textwrap.fill(", ".join(METRICS), width=96, initial_indent="  ", subsequent_indent="  ")

EPILOG = f"""\
metrics:
  A metric is a name with a cut-off and, if needed, parameters: P@10, nDCG@100, RR, Bpref,
  "AP(denominator='min_cutoff')@10", "nDCG(gain='exp')@10". A profile is a set of definitions for
  metrics that have several: the paper's, trec_eval's, and others. The names are
{NAMES}.
  In any case, and by other names too: Recall@10, MAP, hit_rate@10, ndcg_cut_10, recip_rank.
  The folder src/assayer/metrics explains each of them.

examples:
  python -m assayer evaluate qrels.txt mine.run theirs.run -m P@10 nDCG@10 --threshold 4
  python -m assayer evaluate qrels.txt mine.run -m AP nDCG --profile trec --threshold 1
  python -m assayer evaluate qrels.txt mine.run -m nDCG@10 --per-user --csv > users.csv
  python -m assayer evaluate qrels.txt *.run -m nDCG@10 --confidence 0.95

  With --users listed, --profile trec agrees with trec_eval, and without it with trec_eval -c.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    what = add_inputs(parser, DESCRIPTION, EPILOG, DEFAULT)
    what.add_argument(
        "--depth", type=int, metavar="N", help="cut all lists to N items before anything else"
    )
    what.add_argument(
        "--n-items", type=int, metavar="N", help="items that could be listed (AUC, Fallout, ...)"
    )
    what.add_argument(
        "--propensities",
        metavar="FILE",
        help="how likely it was that each judged rating is observed (IPS, SNIPS, Stratified): a "
        "file as of judgements, with propensities in the place of ratings",
    )
    _add_choices(parser)
    _add_output(parser)


def _add_choices(parser: argparse.ArgumentParser) -> None:
    """Declare the choices that make evaluations differ."""
    group = parser.add_argument_group("who counts, and how")
    group.add_argument(
        "--aggregate", default="mean", help=f"average over users: {_listed(AGGREGATES)}"
    )
    group.add_argument(
        "--users",
        default="judged",
        help=f"{_listed(USERS)}: count users without a list as 0, or leave them out",
    )
    group.add_argument(
        "--without-relevant",
        help=f"{_listed(WITHOUT_RELEVANT)}: users without relevant items get the formula's value, "
        "mostly 0, or none; as in the profile if not given",
    )
    group.add_argument(
        "--ties",
        default="trec",
        help=f"{_listed(TIES)}: which of two items with equal scores comes first: that with the "
        "smaller id, with the larger id (as in trec_eval), or the first in the file",
    )


def _add_output(parser: argparse.ArgumentParser) -> None:
    """Declare the choices of what is printed, and in which form."""
    group = parser.add_argument_group("output")
    more = group.add_mutually_exclusive_group()
    more.add_argument("--per-user", action="store_true", help="print one row per system and user")
    more.add_argument(
        "--confidence",
        type=float,
        metavar="LEVEL",
        help="add bootstrap intervals of this level, e.g. 0.95",
    )
    add_form(group)


def _listed(names) -> str:
    return ", ".join(names)


def run(options: argparse.Namespace) -> None:
    """Evaluate each run and print the results."""
    names = run_names(options.runs)
    qrels = judged(options.qrels, options.threshold, options.propensities)
    wanted = inspect.signature(evaluate).parameters
    chosen = {name: value for name, value in vars(options).items() if name in wanted}
    chosen |= {"qrels": qrels, "propensities": None}  # they are in the judgements
    results = {
        name: evaluate(run=path, **chosen) for name, path in zip(names, options.runs, strict=True)
    }
    table = _table(results)
    show(options, table, records(table), _text(table))
    if not (options.csv or options.json):
        print(f"\n{_choices(options, qrels.judgements.n_users)}", file=sys.stderr)


def _choices(options: argparse.Namespace, n_users: int) -> str:
    """Say which definitions the numbers follow, and how many users are behind them."""
    who = f"{n_users} users with judgements"
    who = f"those of {who} who have a list" if options.users == "listed" else who
    how = "values" if options.per_user else options.aggregate
    return f"profile {options.profile}, relevant from {options.threshold:g} on, {how} of {who}"


def _table(results: dict[str, pd.Series | pd.DataFrame]) -> pd.DataFrame:
    """Return the results of all runs as one table, whose first column is the run."""
    first = next(iter(results.values()))
    if isinstance(first, pd.Series):
        return pd.DataFrame(results).T.rename_axis("run").reset_index()
    if "user" in first:
        return pd.concat(results, names=["run", None]).reset_index("run").reset_index(drop=True)
    return pd.concat(results, names=["run", "metric"]).reset_index()


def _text(table: pd.DataFrame) -> str:
    """Return a table as text, numbers with four decimals."""
    numbers = [name for name in table if pd.api.types.is_float_dtype(table[name])]
    texts = table.astype({name: object for name in table}).astype(str)
    for name in numbers:
        texts[name] = table[name].map("{:.4f}".format)
    return "\n".join(aligned(texts, left={*table} - {*numbers}))
