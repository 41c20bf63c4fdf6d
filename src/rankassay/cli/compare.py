"""Command: the significance and the size of differences between TREC runs."""

import argparse

import pandas as pd

from rankassay.api.comparison import compare
from rankassay.api.definitions import describe
from rankassay.api.reading import ONE_MEASURE
from rankassay.cli import arguments
from rankassay.data import inputs
from rankassay.drawing.comparison_table import verdict
from rankassay.drawing.text import bound
from rankassay.statistics.significance import TESTS

DESCRIPTION = f"""\
Evaluate the lists of two or more systems against judgements, test for all pairs of systems whether
the difference between their means is significant, and say how large it is.

{arguments.FILES}
All users with judgements count, and those without a list mostly score 0; a metric skips users
for whom it is undefined.
"""

EPILOG = """\
tests:
  permutation  exchanges each user's two scores at random (Fisher's randomisation test)
  bootstrap    resamples users, studentised (Sakai, SIGIR 2006)
  t            Student's paired t
  wilcoxon     Wilcoxon's signed ranks; users with equal scores are left out
  sign         counts users who prefer either system, exactly; those with equal scores are left out

  The corrected p-value allows for the number of pairs, by the largest standardised difference of
  any pair in the same permutations or resamples (max-t), or by Holm's method for the other
  tests.

effect sizes:
  low, high    the 95 % interval of the difference, from resampled users
  d_z          Cohen's d of paired values: the mean difference by its standard deviation
  superiority  the share of users who are better off with run_a; ties count half
  equivalence  two one-sided t tests: is the difference shown to be smaller than what matters?

examples:
  python -m rankassay compare qrels.txt mine.run theirs.run
  python -m rankassay compare qrels.txt mine.run theirs.run -m nDCG@10 --equivalence 1%
  python -m rankassay compare qrels.txt *.run -m nDCG@10 P@10 --test t --csv > pairs.csv
"""

LEVELS = {0.001: "***", 0.01: "**", 0.05: "*"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    what = arguments.add_inputs(parser, DESCRIPTION, EPILOG, [ONE_MEASURE])
    arguments.add_lists(what)
    arguments.add_choice(what, "--test", TESTS, "see below", default="permutation")
    what.add_argument(
        "--permutations",
        type=int,
        default=100_000,
        metavar="N",
        help="permutations, or resamples of the bootstrap (100000)",
    )
    what.add_argument("--seed", type=int, default=0, help="seed of the permutations (0)")
    what.add_argument(
        "--equivalence",
        metavar="REGION",
        help="what is too small to matter: 0.01, or 1%% of the better mean (none)",
    )
    arguments.add_form(parser)


def run(options: argparse.Namespace) -> None:
    """Evaluate the runs, test all pairs of them and print the results."""
    region = _region(options.equivalence)
    drawn = inputs.whole("--permutations", options.permutations, 1)
    found = arguments.call(compare, options, equivalence=region, n_permutations=drawn)
    by_metric = {
        metric: means.sort_values("rank", kind="stable")
        for metric, means in found.means.groupby("metric", sort=False)
    }
    content = {"test": options.test, "seed": options.seed, "equivalence": region}
    content |= {
        "means": arguments.records(pd.concat(by_metric.values())),
        "pairs": arguments.records(found.pairs),
    }
    pairs = dict([*found.pairs.groupby("metric", sort=False)])
    text = [
        f"{verdict(means, pairs[metric], found.definitions['alpha'])}\n\n"
        + _text(means, pairs[metric], options.test, region)
        for metric, means in by_metric.items()
    ]
    arguments.show(options, found.pairs, content, "\n\n".join(text), describe(found))


def _region(given: str | None) -> float | str | None:
    """Return a region as `rankassay.compare` takes it: what is written as a number is one."""
    try:
        return None if given is None else float(given)
    except ValueError:
        return given


def _text(
    means: pd.DataFrame, pairs: pd.DataFrame, test: str, equivalence: float | str | None
) -> str:
    """Return the results by one metric as text."""
    metric, correction = means["metric"].iloc[0], pairs["correction"].iloc[0]
    ranks = means[["rank", "run", "mean"]].assign(
        rank=means["rank"].map(str), mean=means["mean"].map("{:.4f}".format)
    )
    numbers = {"difference": 4, "low": 4, "high": 4, "d_z": 2, "superiority": 2}
    shown = pairs[["run_a", "run_b"]].assign(
        **{name: pairs[name].map(f"{{:.{digits}f}}".format) for name, digits in numbers.items()},
        p=pairs["p_value"].map(_small),
        corrected=[f"{_small(p)}{_stars(p):3}" for p in pairs["corrected"]],
    )
    levels = ", ".join(f"{stars} below {level}" for level, stars in LEVELS.items())
    number = "the pair" if len(pairs) == 1 else f"all {len(pairs)} pairs"
    said = [
        f"\np: {test} test, two-sided; corrected: holds for {number} at once ({correction}); "
        f"{levels}"
    ]
    if equivalence is not None:
        shown["equivalent"] = pairs["equivalent"].map({True: "yes", False: "no"})
        said.append(
            f"equivalent: the difference is shown to be below {bound(equivalence)}, at "
            f"the level 0.05 for {number} (two one-sided t tests, Holm)"
        )
    said[-1] += "\n"
    return "\n".join(
        [
            f"{metric}\n",
            *arguments.aligned(ranks, {"run"}),
            *said,
            *arguments.aligned(shown, {"run_a", "run_b"}),
        ]
    )


def _small(p: float) -> str:
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def _stars(p: float) -> str:
    return next((stars for level, stars in LEVELS.items() if p < level), "")
