"""Command: test which differences between TREC runs are significant."""

import argparse

import numpy as np
import pandas as pd

from assayer.api.evaluate import evaluate, judged
from assayer.cli.printing import FILES, add_form, add_inputs, aligned, records, run_names, show
from assayer.errors import AssayerError, one_of
from assayer.metrics.aggregate import aggregate
from assayer.statistics.paired import better_first, corrected_for, direction
from assayer.statistics.significance import TESTS

DESCRIPTION = f"""\
Evaluate the lists of two or more systems against judgements, and test for all pairs of systems
whether the difference between their means could be chance.

{FILES} All users with judgements
count, and those without a list mostly score 0; a metric leaves out users for whom it has no value.
"""

EPILOG = """\
tests:
  permutation  exchanges each user's two scores at random (Fisher's randomisation test)
  bootstrap    resamples users, studentised (Sakai, SIGIR 2006)
  t            Student's paired t
  wilcoxon     Wilcoxon's signed ranks; users with equal scores are left out

  The corrected p-value allows for the number of pairs, by the largest standardised difference of
  any pair in the same permutations or resamples (max-T), or by Holm's method for t and wilcoxon.

examples:
  python -m assayer compare qrels.txt mine.run theirs.run -m nDCG@100
  python -m assayer compare qrels.txt *.run -m nDCG@10 P@10 --test t --csv > pairs.csv
"""

CALLED = {"max-t": "max-T", "holm": "Holm"}
LEVELS = {0.001: "***", 0.01: "**", 0.05: "*"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    what = add_inputs(parser, DESCRIPTION, EPILOG, ["nDCG@100"])
    what.add_argument("--test", default="permutation", help=f"{', '.join(TESTS)}")
    what.add_argument(
        "--permutations",
        type=int,
        default=100_000,
        metavar="N",
        help="permutations, or resamples of the bootstrap (100000)",
    )
    what.add_argument("--seed", type=int, default=0, help="seed of the permutations (0)")
    add_form(parser)


def run(options: argparse.Namespace) -> None:
    """Evaluate the runs, test all pairs of them and print the results."""
    one_of("test", options.test, TESTS)
    if len(options.runs) < 2:
        raise AssayerError("expected two runs or more to compare, found one; name another file.")
    if options.permutations < 1 or options.seed < 0:
        raise AssayerError(
            "expected --permutations of at least 1 and a --seed of at least 0, found "
            f"{options.permutations} and {options.seed}."
        )
    names = run_names(options.runs)
    values = _values(options)
    p, adjusted = TESTS[options.test](values, options.permutations, options.seed, True)
    tables = [
        _tables(metric, names, values[:, :, m], p[m], None if adjusted is None else adjusted[m])
        for m, metric in enumerate(options.metrics)
    ]
    means, pairs = (pd.concat(parts, ignore_index=True) for parts in zip(*tables, strict=True))
    content = {"test": options.test, "seed": options.seed}
    content |= {"means": records(means), "pairs": records(pairs)}
    show(options, pairs, content, "\n\n".join(_text(*own, options.test) for own in tables))


def _values(options: argparse.Namespace) -> np.ndarray:
    """Return the metrics of every user and run, float64 (n_users, n_runs, n_metrics)."""
    qrels = judged(options.qrels, options.threshold)
    tables = [
        evaluate(qrels, path, options.metrics, options.profile, per_user=True)
        for path in options.runs
    ]
    return np.stack([table[options.metrics].to_numpy(np.float64) for table in tables], axis=1)


def _tables(metric, names, x, p, adjusted) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the means by one metric with their ranks, and the pairs of runs, the better one first.

    They are made of the values `x`, float64 (n_users, n_runs), and of p-values of all pairs, of
    which `adjusted` is None for a test that has no joint distribution of the pairs.
    """
    means, labels = aggregate(x), np.array(names)
    better = direction(metric) * means
    ranked = pd.DataFrame({"metric": metric, "run": labels, "mean": means})
    ranked["rank"] = pd.Series(better).rank(ascending=False, method="min").astype("Int64")
    ranked = ranked.iloc[np.argsort(-better, kind="stable")].reset_index(drop=True)
    a, b = better_first(better)
    together = None if adjusted is None else adjusted[a, b]
    corrected, method = corrected_for(p[a, b], together, "max-t")
    columns = {
        "metric": metric,
        "run_a": labels[a],
        "run_b": labels[b],
        "difference": aggregate(x[:, a] - x[:, b]),
        "p_value": p[a, b],
        "corrected": corrected,
        "correction": CALLED[method],
    }
    return ranked, pd.DataFrame(columns)


def _text(means: pd.DataFrame, pairs: pd.DataFrame, test: str) -> str:
    """Return the results by one metric as text."""
    metric, correction = pairs["metric"][0], pairs["correction"][0]
    ranks = means[["rank", "run", "mean"]].assign(
        rank=means["rank"].map(str), mean=means["mean"].map("{:.4f}".format)
    )
    shown = pairs[["run_a", "run_b"]].assign(
        difference=pairs["difference"].map("{:.4f}".format),
        p=pairs["p_value"].map(_small),
        corrected=[f"{_small(p)}{_stars(p):3}" for p in pairs["corrected"]],
    )
    levels = ", ".join(f"{stars} below {level}" for level, stars in LEVELS.items())
    number = "the pair" if len(pairs) == 1 else f"all {len(pairs)} pairs"
    return "\n".join(
        [
            f"{metric}\n",
            *aligned(ranks, {"run"}),
            f"\np: {test} test, two-sided; corrected: holds for {number} at once ({correction}); "
            f"{levels}\n",
            *aligned(shown, {"run_a", "run_b"}),
        ]
    )


def _small(p: float) -> str:
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def _stars(p: float) -> str:
    return next((stars for level, stars in LEVELS.items() if p < level), "")
