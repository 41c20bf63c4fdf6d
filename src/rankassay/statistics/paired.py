"""Systems compared in pairs: means, differences, their intervals, p-values and effect sizes.

An interval of a single difference says nothing of the largest of many: next to a p-value that is
corrected for their number it contradicts it, as of twenty pairs that do not differ one has an
interval without 0. `intervals` holds what max-T does not reject, of all pairs at once.
"""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy.special

from rankassay.metrics.aggregate import aggregate, confidence_interval, whole_unit
from rankassay.metrics.names import direction
from rankassay.statistics.corrections import benjamini_hochberg, holm
from rankassay.statistics.effect_sizes import Moments, effects, moments, t_interval
from rankassay.statistics.orders import settled_known
from rankassay.statistics.permutation import BLOCK, number_of_permutations, permutations
from rankassay.statistics.permutation_kernels import largest_differences
from rankassay.statistics.region import Region
from rankassay.statistics.significance import TESTS, blocks_of_pairs
from rankassay.types import Floats, Integers

POWER = 0.8  # with which differences are found by the users that are needed
CLOSE = 1e-9  # equal standardised differences differ by less than this share
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


def critical(values: Floats, samples: int, seed: int, alpha: float) -> float:
    """Return the largest |sum_u d_u| / sqrt(sum_u d_u^2) that max-T does not find significant.

    The test is that of `rankassay.statistics.permutation` with these samples and seed. `values` are
    (n_users, n_systems); users without one have 0 by all systems, which changes nothing.
    """
    n_systems = values.shape[1]
    total, exact = number_of_permutations(len(values), samples)
    x = values - values.mean(axis=1, keepdims=True)  # what all share changes no difference
    # Sums of whole numbers are exact, in any order in which a matrix product adds them up.
    columns = np.rint(x / whole_unit(np.abs(x).max(initial=0.0), len(x)))
    weight = _inverse_roots(columns)[:, :, None]
    peaks = np.concatenate(
        [
            largest_differences(sums.reshape(-1, n_systems, 1), weight, np.zeros_like(weight))[:, 0]
            for _, sums in permutations(columns, range(-(-total // BLOCK)), total, exact, seed)
        ]
    )
    extra = 0 if exact else 1  # the observed data, which an enumeration includes
    p = (np.arange(1, total + 1) + extra) / (total + extra)
    return float(np.sort(peaks)[::-1][np.argmax(p >= alpha)]) * (1 + CLOSE)


def _inverse_roots(x: Floats) -> Floats:
    """Return 1 / sqrt(sum_u d_u^2) of each pair of columns, (n_columns, n_columns).

    0 of columns that are equal.
    """
    first, second = np.triu_indices(x.shape[1], k=1)
    found = np.zeros((x.shape[1], x.shape[1]))
    for some in blocks_of_pairs(len(x), len(first)):
        i, j = first[some], second[some]
        root = np.sqrt(((x[:, i] - x[:, j]) ** 2).sum(axis=0))
        found[i, j] = found[j, i] = np.divide(1, root, out=np.zeros_like(root), where=root > 0)
    return found


class Intervals(NamedTuple):
    """Of each pair: the ends of its interval, and how many users its difference takes."""

    low: Floats
    high: Floats
    needed: Floats


def intervals(
    values: Floats,
    first: Integers,
    second: Integers,
    samples: int,
    seed: int,
    level: float = 0.95,
) -> Intervals:
    """Return the intervals of the differences between systems that hold for all pairs at once.

    ::

        mean(d) -+ c sd(d) sqrt((n - 1) / (n (n - c^2)))
        needed = ((c + z_.8) sd(d) / mean(d))^2

    with the differences d of `first` and `second` and the `critical` value c of max-T. The interval
    has the differences which the test does not reject at 1 - level, if they are taken from all
    users: 0 is outside where the pair is significant, and nowhere else. It has no ends (NaN) where
    so few users have a value that the test rejects no difference at all. With the users needed, the
    test finds the pair's difference with a power of 80%, if it is as large as it was here; infinite
    without any. Where systems differ in which users have a value (NaN is none), max-T is not
    defined; the intervals are then Student's at 1 - (1 - level) / n_pairs (Bonferroni). All pairs
    are given.

    Source: Westfall and Young, Resampling-Based Multiple Testing, 1993, section 2.3 (single-step
    max-T).
    """
    of = _moments(values, first, second)
    known = ~np.isnan(values)
    if (known.any(axis=1) != known.all(axis=1)).any():
        at = 1 - (1 - level) / len(first)
        c = scipy.special.stdtrit(of.freedom, (1 + at) / 2)
        return Intervals(*t_interval(of, at), _needed(c, of))
    c = critical(np.where(known, values, 0.0), samples, seed, 1 - level)
    free = of.n - c**2
    # Of n users the least p-value is that of differences which all have one sign, 2 / 2^n.
    bounded = (free > 1e-9 * of.n) & (2.0 ** (1 - of.n) < 1 - level)
    half = c * of.deviation * np.sqrt((of.n - 1) / np.where(bounded, of.n * free, np.nan))
    return Intervals(of.mean - half, of.mean + half, _needed(c, of))


def _needed(c: Floats | float, of: Moments) -> Floats:
    """Return the users with whom differences of such moments exceed c with a power of 80%."""
    root = (c + scipy.special.ndtri(POWER)) * of.deviation
    nothing = np.full(of.mean.shape, np.inf)
    return np.divide(root, of.mean, out=nothing, where=of.mean != 0) ** 2


def _moments(values: Floats, first: Integers, second: Integers) -> Moments:
    """Return the moments of the users' differences, some pairs at a time."""
    parts = [
        moments(values[:, first[some]] - values[:, second[some]])
        for some in blocks_of_pairs(len(values), len(first))
    ]
    return Moments(*(np.concatenate(part) for part in zip(*parts, strict=True)))
