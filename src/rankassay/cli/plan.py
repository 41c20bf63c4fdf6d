"""Command: the number of users that detecting a difference takes, from TREC runs."""

import argparse
import math

import numpy as np
import pandas as pd

from rankassay.api.definitions import ATTRIBUTE, describe
from rankassay.api.evaluate import by_run, evaluated
from rankassay.api.reading import ONE_MEASURE
from rankassay.cli.arguments import (
    FILES,
    add_choice,
    add_form,
    add_inputs,
    add_lists,
    records,
    show,
)
from rankassay.data import inputs
from rankassay.data.entries import named_runs
from rankassay.errors import RankassayError, one_of
from rankassay.metrics.catalogue import entry, label
from rankassay.metrics.evaluate import Measure
from rankassay.metrics.metric import SHARE
from rankassay.metrics.names import canonical, direction
from rankassay.statistics.power_analysis import (
    COVERED,
    REPRESENTATIVES,
    Pairs,
    required,
    required_by_resampling,
)
from rankassay.studies.reliability.words import users_needed

DESCRIPTION = f"""\
Find how many users it takes to detect a difference between two systems by Student's paired t, from
how much the lists of two or more systems differ from user to user.

{FILES}
All users with judgements count, and those without a list mostly score 0; a metric skips users
for whom it is undefined.
"""

EPILOG = """\
which pair of systems decides (--pair):
  median      the one in the middle: half of the pairs that vary need no more users
  neighbours  the same among systems that are neighbours in the order of means
  worst       the one that needs most: no pair that varies needs more

examples:
  python -m rankassay plan qrels.txt mine.run theirs.run -m nDCG@10
  python -m rankassay plan qrels.txt *.run -m nDCG@10 P@10 --difference 0.01 --all-pairs
"""

MOST_DRAWN = 200_000  # users of a resample
PAIRS = {
    "median": "the pair in the middle",
    "neighbours": "the pair in the middle of all neighbours",
    "worst": "the pair that needs most",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    what = add_inputs(parser, DESCRIPTION, EPILOG, [ONE_MEASURE])
    add_lists(what)
    sought = what.add_mutually_exclusive_group()
    sought.add_argument(
        "--percent",
        type=float,
        metavar="X",
        help="the difference to detect, in percent of the better system's mean (1)",
    )
    sought.add_argument("--difference", type=float, metavar="X", help="the same, absolute")
    what.add_argument("--alpha", type=float, default=0.05, help="level of the test (0.05)")
    what.add_argument("--power", type=float, default=0.8, help="power of the test (0.8)")
    what.add_argument("--all-pairs", action="store_true", help="divide alpha by all pairs of runs")
    add_choice(what, "--pair", REPRESENTATIVES, "see below", default="median")
    what.add_argument(
        "--resampling",
        type=int,
        default=0,
        metavar="N",
        help="number of resamples of the users to check the formula with (0)",
    )
    what.add_argument("--seed", type=int, default=0, help="seed of the resamples (0)")
    add_form(parser)


def run(options: argparse.Namespace) -> None:
    """Evaluate the runs, and print how many users each metric takes."""
    _check(options)
    runs = named_runs(options.runs)
    how = options.metrics, options.profile, options.threshold
    more = {"ties": options.ties, "unequal_depths": options.unequal_depths}
    users, metrics = evaluated(options.qrels, runs, *how, **more)
    values = by_run(users, metrics)
    if len(values) < 2:
        raise RankassayError(
            f"{options.qrels}: expected two users or more, found one: how much their differences "
            "vary cannot be told."
        )
    users.attrs[ATTRIBUTE].pop("aggregate")  # the numbers shown are no user's
    rows = [_row(metric, [*runs], values[:, :, m], options) for m, metric in enumerate(metrics)]
    table = pd.DataFrame(rows)
    content = {"seed": options.seed, "metrics": records(table)}
    text = "\n".join(_sentence(row, options) for row in rows)
    show(options, table, content, text, describe(users))


def _check(options: argparse.Namespace) -> None:
    """Raise RankassayError for options out of range."""
    one_of("pair", options.pair, REPRESENTATIVES)
    if len(options.runs) < 2:
        raise RankassayError(
            "expected two runs or more to plan with, found one; name another file."
        )
    if options.percent is None and options.difference is None:
        options.percent = 1.0
    for name, most in (("percent", math.inf), ("difference", math.inf), ("alpha", 1), ("power", 1)):
        if (value := getattr(options, name)) is not None:
            inputs.number(f"--{name}", value, 0, most)
    for name in ("resampling", "seed"):
        inputs.whole(f"--{name}", getattr(options, name))
    for metric in options.metrics:
        _check_possible(metric, options)


def _check_possible(metric: str, options: argparse.Namespace) -> None:
    """Raise RankassayError for a difference that no two systems can have under a metric."""
    if entry(canonical(metric)).bounds != SHARE:
        return
    if options.difference is not None and options.difference > 1:
        raise RankassayError(
            f"expected --difference up to 1, as values of {metric} are between 0 and 1, found "
            f"{options.difference:g}; use --percent for a share of the better mean."
        )
    if options.percent is not None and options.percent > 100 and direction(metric) > 0:
        raise RankassayError(
            f"expected --percent up to 100, as values of {metric} are not below 0, found "
            f"{options.percent:g}; no system differs from the better one by more than its mean."
        )


def _row(metric: str, names: list[str], x: np.ndarray, options: argparse.Namespace) -> dict:
    """Return how many users one metric takes, and the pair of runs that decides."""
    tests = len(names) * (len(names) - 1) // 2 if options.all_pairs else 1
    alpha = options.alpha / tests
    row = {"metric": metric, "percent": options.percent, "difference": options.difference}
    row |= {"alpha": alpha, "power": options.power, "tests": tests, "pair": options.pair}
    pairs = Pairs.of(x, direction(metric))
    sought = options.percent, options.difference, options.pair
    own = pairs.chosen(*sought)
    if own is None:
        unknown = "run_a", "run_b", "sd", "users", "required", *COVERED, "resampled"
        return row | {"pairs": 0} | dict.fromkeys(unknown)
    row |= own.row(names, "run")
    row["required"] = required(own.effect, alpha, options.power)
    row |= pairs.most(*sought, alpha, options.power)
    row["resampled"] = None
    if options.resampling:
        how = alpha, options.power, options.resampling, options.seed, MOST_DRAWN
        row["resampled"] = required_by_resampling(own.differences, own.difference, *how)
    return row


def _sentence(row: dict, options: argparse.Namespace) -> str:
    """Return a row in words, in a sentence or two."""
    own = Measure.parse(row["metric"])
    metric = label(own.name, own.cutoff)
    if not row["pairs"]:
        text = f"Unknown under {metric}: the difference of any two runs is the same for every user"
        if row["percent"] is None:
            return f"{text}."
        return f"{text}, or the better one has the mean 0, of which there is no percentage."
    text = (
        f"{users_needed(row, metric)}\n  The first number is of {PAIRS[options.pair]}, "
        f"{row['run_a']} and {row['run_b']} (standard deviation {row['sd']:.4g}, alpha "
        f"{row['alpha']:.2g})."
    )
    if row["resampled"] is not None:
        drawn = row["resampled"]
        said = f"more than {MOST_DRAWN:,} users" if math.isnan(drawn) else _users(drawn)
        text += f"\n  Checked by {options.resampling:,} resamples of the users: {said}."
    return text


def _users(number: float) -> str:
    return f"{number:,.0f} users"
