"""Robustness to incompleteness: remove judgements, and compare the rankings of systems.

Valcarce et al., RecSys 2018, section 4. `random_parts` removes ratings at random (the sparsity
bias), `unpopular_parts` those of the most popular items (the popularity bias), and `against_whole`
compares the ranking on each part with that on all judgements, for the users and for resamples of
them. Every study of robustness uses these.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypedDict, Unpack

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.declared.correlations import PERSISTENCE
from rankassay.errors import one_of
from rankassay.kernels import kernel
from rankassay.progress import progress
from rankassay.seeds import generator
from rankassay.statistics.draws import Draws
from rankassay.statistics.families import Families
from rankassay.statistics.judged_systems import TestSet
from rankassay.statistics.rank_correlation import correlation as correlation_of
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.replicated import Replicated
from rankassay.statistics.valuation import Valuation, directions
from rankassay.types import Booleans, Floats, Integers

Correlate = Callable[[Floats, Floats], Floats]

WHOLE = 100  # percent: nothing is taken away
OF = ("items", "ratings")
TOGETHER = 64  # entries of a random part that are looked at at once


class Order(TypedDict, total=False):
    """How `robustness_table` compares rankings of systems, and which replicates it makes."""

    correlation: str
    persistence: float
    resamples: int
    families: Families | None
    also: Sequence[str]


def sparsity_bias(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    levels: Sequence[float],
    samples: int,
    seed: int,
    unjudged_users: str = "drop",
    round_means: int | None = None,
    stratified: bool = False,
    **order: Unpack[Order],
) -> Replicated:
    """Correlate the ranking of systems on random parts of the test set with that on the whole.

    Is the ranking stable when test ratings are missing (Valcarce et al., RecSys 2018, section 4,
    "sparsity bias", and figures 2 and 6)? A part depends on the seed, the level and its number
    alone; `random_part` says how numbers of ratings are rounded.
    `unjudged_users` changes arithmetic means of all systems by the same factor and so never their
    order, unless they are rounded. Users without relevant items who are undefined
    (`without_relevant` nan) are so either way.

    Parameters
    ----------
    test : (n_users, n_items)
    rankings : mapping from the systems' names to Rankings
    evaluation : dict
        threshold, measures, profile, without_relevant and aggregate, as `rankassay.metrics` takes
        them.

    Returns
    -------
    Replicated
        Columns metric, cutoff, level, samples, undefined (samples in which one side ties all
        systems, so that the correlation is undefined; they are excluded from the mean), tau (the
        mean of the correlation over samples, which is replicated), low, high (2.5 and 97.5
        percentiles over samples), standard_error (of tau, over samples: their standard deviation
        over the square root of their number; empty of fewer than two), correlation (its name).
    """
    whole = TestSet.of(test, rankings, evaluation, unjudged_users, round_means)
    return without_ratings(whole, levels, samples, seed, stratified, **order)


def sparsity_bias_of(
    valuation: Valuation, levels: Sequence[float], samples: int, seed: int, resamples: int = 0
) -> Replicated:
    """As `sparsity_bias`, of any valuation, with the columns tau_low, tau_high and systems.

    These are the interval over users, NaN without `resamples`, and how many systems there are.
    """
    found = without_ratings(valuation, levels, samples, seed, resamples=resamples)
    return found.with_interval(before="tau_").assign(systems=valuation.n_systems)


def without_ratings(
    valuation: Valuation,
    levels: Sequence[float],
    samples: int,
    seed: int,
    stratified: bool = False,
    **order: Unpack[Order],
) -> Replicated:
    """As `sparsity_bias`, of any valuation; other arguments are those of `robustness_table`."""
    parts = random_parts(valuation.judgements.start, levels, samples, seed, stratified)
    return robustness_table(valuation, "level", parts, over_samples, seed, **order)


def over_samples(level: float, values: Floats) -> dict:
    """Return count, undefined count, range and standard error of correlations, (n_samples,)."""
    defined = values[~np.isnan(values)]
    low, high = np.percentile(defined, [2.5, 97.5]) if len(defined) else (np.nan, np.nan)
    return {
        "samples": len(values),
        "undefined": len(values) - len(defined),
        "tau": np.nan,
        "low": low,
        "high": high,
        "standard_error": _standard_error(defined),
    }


def _standard_error(values: Floats) -> float:
    """Return the standard error of the mean of values, NaN of fewer than two."""
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else np.nan


def popularity_bias(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    percentages: Sequence[float],
    count: str,
    seed: int,
    unjudged_users: str = "drop",
    round_means: int | None = None,
    of: str = "items",
    **order: Unpack[Order],
) -> Replicated:
    """Correlate the ranking of systems on the least popular items with that on all items.

    Is the ranking stable without the most popular items (Valcarce et al., RecSys 2018, section 4,
    "popularity bias", and figures 3 and 7)? The rankings stay as they are; only the judgements on
    the popular items are removed. Only the resamples of users depend on the seed; the parameters
    are those of `sparsity_bias`.

    The paper does not say whether popularity counts training ratings or test ratings (`count`). Of
    equally popular items, the one with the lower index is kept longer. Of items (the paper), the
    number kept is rounded to the nearest; of ratings, the least popular items are kept that
    together have at most that percentage.

    Returns
    -------
    Replicated
        Columns metric, cutoff, percentage, items, ratings and users (what is left), undefined (1
        where one side ties all systems, so that the correlation is undefined), tau (the
        correlation, empty where it is undefined; it is replicated), correlation (its name).
    """
    whole = TestSet.of(test, rankings, evaluation, unjudged_users, round_means)
    number = popularity(train if count == "train" else test)
    return without_popular(whole, number, percentages, seed, of, **order)


def popularity_bias_of(
    valuation: Valuation,
    train: sp.csr_matrix,
    percentages: Sequence[float],
    seed: int,
    resamples: int = 0,
) -> Replicated:
    """As `popularity_bias`, of any valuation, with the columns tau_low, tau_high and systems.

    These are the interval over users, NaN without `resamples`, and how many systems there are.
    """
    number = popularity(train)
    found = without_popular(valuation, number, percentages, seed, resamples=resamples)
    return found.with_interval(before="tau_").assign(systems=valuation.n_systems)


def without_popular(
    valuation: Valuation,
    number: Integers,
    percentages: Sequence[float],
    seed: int,
    of: str = "items",
    **order: Unpack[Order],
) -> Replicated:
    """As `popularity_bias`, of any valuation; `number` are the ratings of each item, (n_items,).

    The other arguments are those of `robustness_table`.
    """
    parts = unpopular_parts(valuation.item, number, percentages, of)
    left = {
        percentage: {
            "items": len(np.unique(valuation.item[keep])),
            "ratings": int(keep.sum()),
            "users": len(np.unique(valuation.judgements.row[keep])),
        }
        for percentage, (keep,) in parts.items()
    }

    def said(percentage: float, taus: Floats) -> dict:
        return left[percentage] | {"undefined": int(np.isnan(taus[0])), "tau": np.nan}

    return robustness_table(valuation, "percentage", parts, said, seed, **order)


def popularity(ratings: sp.csr_matrix) -> Integers:
    """Return the number of ratings of each item, int64 (n_items,)."""
    return np.bincount(ratings.indices, minlength=ratings.shape[1])


def random_parts(
    start: Integers, levels: Sequence[float], samples: int, seed: int, stratified: bool = False
) -> dict[float, Iterator[Booleans]]:
    """Return the random parts of a test set by level, one of the whole; see `random_part`."""

    def parts(level: float) -> Iterator[Booleans]:
        for number in range(1 if level == WHOLE else samples):
            yield random_part(start, level, number, seed, stratified)

    return {level: parts(level) for level in levels}


def unpopular_parts(
    item: npt.NDArray[np.integer], popularity: Integers, percentages: Sequence[float], of: str
) -> dict[float, list[Booleans]]:
    """Return by percentage the part of a test set with the `least_popular` items."""
    kept = {p: least_popular(item, popularity, p, of) for p in percentages}
    return {p: [np.isin(item, items)] for p, items in kept.items()}


def against_whole(
    systems: Valuation,
    parts: Mapping[float, Iterable[Booleans]],
    draws: Draws | None = None,
    correlate: Correlate = tau_b,
    reference: Floats | None = None,
) -> dict[float, Floats]:
    """Correlate by level the rankings on parts of a test set with that on all, or a reference.

    `parts` are masks over the judgements. The result is (n_parts, 1 + n_resamples, n_measures), of
    each resample between orders of its users; NaN where one side ties all systems.
    """
    return dict(_by_level(systems, parts, draws, correlate, reference))


def _by_level(
    systems: Valuation,
    parts: Mapping[float, Iterable[Booleans]],
    draws: Draws | None,
    correlate: Correlate,
    reference: Floats | None = None,
) -> Iterator[tuple[float, Floats]]:
    """Yield the results of `against_whole`, one level after the other."""
    reference = systems.means(None, draws) if reference is None else reference
    for level, masks in progress(parts.items(), "parts of the test set"):
        yield (
            level,
            np.array([correlate(systems.means(keep, draws), reference) for keep in masks]),
        )


def robustness_table(
    systems: Valuation,
    column: str,
    parts: Mapping[float, Iterable[Booleans]],
    said: Callable[[float, Floats], dict],
    seed: int,
    correlation: str = "tau_b",
    persistence: float = PERSISTENCE,
    resamples: int = 0,
    families: Families | None = None,
    also: Sequence[str] = (),
) -> Replicated:
    """Return the correlations of `against_whole`, one row per measure, correlation and level.

    `said` makes of a level and the correlations of its parts (n_parts,) the other columns, with a
    place for tau, their replicated mean: over users or, if given, systems without each family.
    """
    draws = Draws.of(systems.judgements.n_users, 0 if families else resamples, seed)
    names = [*dict.fromkeys([correlation, *also])]
    functions = [best_first(correlation_of(name, persistence), systems.measures) for name in names]

    def correlate(x: Floats, reference: Floats) -> Floats:
        return np.stack([function(x, reference) for function in functions], axis=-1)

    if families:
        correlate = _on(families, correlate)
    by_level = _by_level(systems, parts, draws, correlate)
    return correlations_table(systems.measures, column, by_level, said, names)


def correlations_table(
    measures: Sequence[Mapping[str, object]],
    column: str,
    by_level: Iterable[tuple[float, Floats]],
    said: Callable[[float, Floats], dict],
    names: Sequence[str] = ("tau_b",),
) -> Replicated:
    """Return the correlations of each level as `robustness_table` does.

    Those of a level are float64 (n_parts, 1 + n_resamples, n_measures, n_names).
    """
    # Only means over the parts of each level are kept, as all taus would take a GB for a thousand
    # replicates.
    measured, means = {}, {}
    for level, taus in by_level:
        measured[level], means[level] = taus[:, 0].copy(), mean_of_defined(taus)
    heads, numbers = [], []
    for m, measure in enumerate(measures):
        for c, name in enumerate(names):
            for level, taus in measured.items():
                own = said(level, taus[:, m, c])
                heads.append(measure | {column: level} | own | {"correlation": name})
                numbers.append(means[level][:, m, c])
    return Replicated.of(pd.DataFrame(heads), "tau", numbers)


def _on(families: Families, correlate: Correlate) -> Correlate:
    """Return the correlation of all systems and without each family, of means alone."""
    return lambda means, reference: families.correlate(correlate, means[0], reference[0])


def best_first(correlate: Correlate, measures: Iterable[Mapping[str, object]]) -> Correlate:
    """Return the correlation of values (..., n_measures, n_systems), turned where less is better.

    So coefficients that weigh the top most weigh the best systems most.
    """
    signs = directions(measures)
    if (signs == 1).all():
        return correlate
    return lambda x, reference: correlate(signs * x, signs * reference)


def mean_of_defined(correlations: Floats, axis: int = 0) -> Floats:
    """Return the mean over an axis, that of the parts, of defined correlations, or NaN."""
    known = ~np.isnan(correlations)
    total = np.where(known, correlations, 0.0).sum(axis=axis)
    count = known.sum(axis=axis)
    return np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)


def least_popular(
    item: npt.NDArray[np.integer], popularity: Integers, percentage: float, of: str
) -> Integers:
    """Return the least popular judged items: a percentage of the items, or of their judgements."""
    one_of("choice of what percentages are of", of, OF)
    judged = np.bincount(item, minlength=len(popularity))
    items = np.flatnonzero(judged)
    items = items[np.argsort(popularity[items], kind="stable")]
    if of == "items":
        return items[: round(len(items) * percentage / 100)]
    most = round(len(item) * percentage / 100)
    return items[: np.searchsorted(np.cumsum(judged[items]), most, side="right")]


def random_part(
    start: Integers, level: float, number: int, seed: int, stratified: bool = False
) -> Booleans:
    """Return which test ratings a random part keeps, `level` percent of them, bool (n_judged,).

    It depends on the level, number and seed alone. The share is of all ratings, rounded to the
    nearest, or, `stratified`, of each user's, rounded down or up at random, such that it is right
    on average, and that the first users together keep their share within one. Each part of the size
    is equally likely: of the last n ratings, k of which are still to be kept, the first is kept
    with probability k / n (Knuth, TAOCP 2, section 3.4.2, algorithm S).
    """
    rng = generator(seed, "sparsity", f"{level:g}", number)
    draws = rng.random(start[-1])
    if not stratified:
        return _selected(draws, start[[0, -1]], np.array([round(start[-1] * level / 100)]))
    # A whole share stays whole: its remainder must not depend on the last bits of products.
    shares = np.round(start * (level / 100), 6) + rng.random() * (1 - 1e-6)
    return _selected(draws, start, np.diff(np.floor(shares).astype(np.int64)))


@kernel
def _selected(draws, start, count):
    """Keep `count` of the entries between successive starts, at random.

    Each entry waits for those before it. So some are looked at together first: those that are kept,
    however many of the others are, and those that are kept if none of the others is. Where these
    are equal, as mostly, the kept judgements are contiguous, too.
    """
    keep = np.zeros(len(draws), dtype=np.bool_)
    for u in range(len(count)):
        wanted, first, end = count[u], start[u], start[u + 1]
        while first < end:
            last = min(first + TOGETHER, end)
            least, most = 0, 0
            for j in range(first, last):
                chance = draws[j] * (end - j)
                least += chance < wanted - (last - first)
                most += chance < wanted
                keep[j] = chance < wanted
            if least < most:
                most = 0
                for j in range(first, last):
                    keep[j] = draws[j] * (end - j) < wanted - most
                    most += keep[j]
            wanted -= most
            first = last
    return keep
