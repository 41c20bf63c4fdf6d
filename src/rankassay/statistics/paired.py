"""Systems compared in pairs: means, differences, their intervals, p-values and effect sizes."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from string import ascii_lowercase

import numpy as np
import pandas as pd

from rankassay.metrics.aggregate import aggregate, confidence_interval
from rankassay.metrics.names import direction
from rankassay.statistics.effect_sizes import effects
from rankassay.statistics.orders import settled_known
from rankassay.statistics.region import Region
from rankassay.statistics.significance import TESTS, benjamini_hochberg, holm
from rankassay.types import Floats, Integers

_CORRECTED: dict[str, Callable[[Floats], Floats]] = {
    "holm": holm,
    "benjamini-hochberg": benjamini_hochberg,
    "none": lambda p: p,
}
CORRECTIONS = ("max-t", *_CORRECTED)
MEANS = ("metric", "run", "letter", "mean", "low", "high", "rank", "beats")
PAIRS = (
    *("metric", "run_a", "run_b", "difference", "low", "high", "p_value", "corrected"),
    *("correction", "significant", "d_z", "superiority", "n_users"),
)
EQUIVALENCE = ("region", "p_equivalence", "equivalent")  # columns where a region is given


def compared(
    values: Floats,
    names: Sequence[str],
    metrics: Sequence[str],
    test: str,
    n_permutations: int,
    seed: int,
    correction: str,
    alpha: float,
    confidence: float,
    equivalence: Region | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the means and the pairs of runs, as `rankassay.api.comparison.Comparison` has them.

    `values` are (n_users, n_runs, n_metrics); the settings are those of `rankassay.compare`.
    """
    values, exponent = scaled(values)
    p, adjusted = TESTS[test](values, n_permutations, seed, True)
    means, pairs = [], []
    for m, metric in enumerate(metrics):
        x, sign = values[:, :, m], direction(metric)
        own = _means(x, confidence, seed)
        better = sign * settled_known(own["mean"].to_numpy(), len(x))
        a, b = better_first(better)
        region = _scaled_region(equivalence, int(exponent[m]))
        effect = effects(x[:, a], x[:, b], sign, region)
        differences = _means(x[:, a] - x[:, b], confidence, seed)
        tested = pd.DataFrame(effect).assign(**differences.rename(columns={"mean": "difference"}))
        together = None if adjusted is None else adjusted[m, a, b]
        corrected, method = corrected_for(p[m, a, b], together, correction)
        tested = tested.assign(p_value=p[m, a, b], corrected=corrected, correction=method)
        tested["significant"] = corrected < alpha
        if region is not None:
            # No joint distribution of these tests is known: Holm's correction replaces max-t.
            together, _ = corrected_for(effect["p_equivalence"], None, correction)
            tested["equivalent"] = together < alpha
        # The run with the better mean need not be better on the users that both have.
        won = np.where(sign * tested["difference"] > 0, [a, b], [b, a])[:, tested["significant"]]
        label = letters(len(names))
        own = own.assign(metric=metric, run=names, letter=label, beats=_beaten(won, label))
        own["rank"] = pd.Series(better).rank(ascending=False, method="min").astype("Int64")
        named = {"run_a": [names[i] for i in a], "run_b": [names[i] for i in b]}
        for table, columns in ((own, ["mean"]), (tested, ["difference"])):
            columns = [*columns, "low", "high", *({"region"} & {*table})]
            table[columns] = np.ldexp(table[columns], exponent[m])
        means.append(own[[*MEANS]])
        columns = PAIRS if region is None else PAIRS + EQUIVALENCE
        pairs.append(tested.assign(metric=metric, **named)[[*columns]])
    return pd.concat(means, ignore_index=True), pd.concat(pairs, ignore_index=True)


def _means(x: Floats, level: float, seed: int) -> pd.DataFrame:
    """Return the means of values (n_users, n_runs) with their intervals."""
    low, high = confidence_interval(x, "mean", level, seed=seed)
    return pd.DataFrame({"mean": aggregate(x), "low": low, "high": high})


def _scaled_region(region: Region | None, exponent: int) -> Region | None:
    """Return the region for values that `scaled` divided by a power of two."""
    if region is None or region.relative:
        return region
    with np.errstate(over="ignore", under="ignore"):  # beyond or below all differences
        return replace(region, size=float(np.ldexp(region.size, -exponent)))


def scaled(values: Floats) -> tuple[Floats, Integers]:
    """Return values with the largest of each measure in (0.5, 1], and the exponents of two.

    Scaling does not change the meaning of any difference between two systems, but squares of very
    large or very small values would overflow or underflow float64.
    """
    largest = np.nanmax(np.abs(values), axis=(0, 1), initial=0.0)
    fraction, exponent = np.frexp(largest)
    exponent = np.where(fraction == 0.5, exponent - 1, exponent)
    return np.ldexp(values, -exponent), exponent


def letters(n: int) -> list[str]:
    """Return short names for runs: a to z, then aa, ab and so on.

    >>> letters(28)[-3:]
    ['z', 'aa', 'ab']
    """
    words = (w for k in itertools.count(1) for w in itertools.product(ascii_lowercase, repeat=k))
    return ["".join(word) for word in itertools.islice(words, n)]


def better_first(means: Floats) -> tuple[Integers, Integers]:
    """Return all pairs of runs as two arrays of their numbers, the better run in the first one.

    `means` (n_runs,) are such that higher is better; of equal ones the first counts as better.
    """
    best = np.argsort(-means, kind="stable")
    first, second = np.triu_indices(len(best), k=1)
    return best[first], best[second]


def corrected_for(p: Floats, adjusted: Floats | None, correction: str) -> tuple[Floats, str]:
    """Return the corrected p-values of pairs, and by which correction; see `rankassay.compare`.

    `adjusted` are those of max-t, or None where no joint distribution of the pairs is known.
    """
    if correction == "max-t":
        if adjusted is not None and not np.isnan(adjusted).any():
            return adjusted, correction
        correction = "holm"
    return _CORRECTED[correction](p), correction


def _beaten(won: Integers, letter: Sequence[str]) -> list[str]:
    """Return for each run the letters of those it beats; `won` has winners above losers."""
    return [
        ",".join(letter[loser] for loser in sorted(won[1, won[0] == run]))
        for run in range(len(letter))
    ]
