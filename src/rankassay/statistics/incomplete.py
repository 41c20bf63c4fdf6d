"""Robustness to incompleteness: remove judgements, and compare the rankings of systems.

Valcarce et al., RecSys 2018, section 4. `random_parts` removes ratings at random (the sparsity
bias), `unpopular_parts` those of the most popular items (the popularity bias), and `against_whole`
compares the ranking on each part with that on all judgements, for the users and for resamples of
them. Every study of robustness uses these.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypedDict

import numpy as np
import numpy.typing as npt
import pandas as pd

from rankassay.declared.correlations import PERSISTENCE
from rankassay.errors import one_of
from rankassay.kernels import kernel
from rankassay.progress import progress
from rankassay.seeds import generator
from rankassay.statistics.draws import Draws, Families
from rankassay.statistics.rank_correlation import correlation as correlation_of
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.replicated import Replicated
from rankassay.statistics.valuation import Valuation, directions
from rankassay.types import Booleans, Floats, Integers

Correlate = Callable[[Floats, Floats], Floats]

WHOLE = 100  # percent: nothing is taken away
OF = ("items", "ratings")
TOGETHER = 64  # entries of a random part that are looked at at once


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
    """Return by percentage the part of a test set that holds the least popular items.

    `item` is the item of each judgement, int (n_judged,), and `popularity` int64 (n_items,);
    `least_popular` says what `of` means.
    """
    kept = {p: least_popular(item, popularity, p, of) for p in percentages}
    return {p: [np.isin(item, items)] for p, items in kept.items()}


def against_whole(
    systems: Valuation,
    parts: Mapping[float, Iterable[Booleans]],
    draws: Draws | None = None,
    correlate: Correlate = tau_b,
    reference: Floats | None = None,
) -> dict[float, Floats]:
    """Correlate the ranking of systems on each part of a test set with that on all judgements.

    Parameters
    ----------
    systems : Valuation
    parts : mapping
        By level, masks over the judgements.
    draws : Draws or None
        Of each resample, both orders are those of its users. None draws none.
    correlate : function of an order and the reference
    reference : float64 (1 + n_resamples, n_measures, n_systems) or None
        Another order to compare with.

    Returns
    -------
    dict from level to float64 (n_parts, 1 + n_resamples, n_measures)
        NaN where one side ties all systems.
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


class Order(TypedDict, total=False):
    """How `robustness_table` compares rankings of systems, and which replicates it makes."""

    correlation: str
    persistence: float
    resamples: int
    families: Families | None
    also: Sequence[str]


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

    Parameters
    ----------
    systems, parts
        As in `against_whole`.
    column : str
        The name of the levels.
    said : function
        Of a level and the correlations of its parts, (n_parts,): the other columns, with a place
        for the column tau, the replicated mean of the parts.
    seed, correlation, persistence, resamples
        As `rankassay.statistics.draws` and `rankassay.statistics.rank_correlation` take them.
    families : Families or None
        The replicates are of the systems without each, in place of resampled users.
    also : sequence of str
        Other correlations, of the same parts.
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
    """Return the correlation of values of which the lowest may be the best ones.

    `measures` are the columns of tables, as `Valuation` has them, one for each row of values
    (..., n_measures, n_systems). Both sides are turned where less is better, so that coefficients
    that weigh the top most weigh the best systems most. Kendall's tau stays the same.
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
    """Return the least popular judged items: a percentage of the items, or of their judgements.

    See `rankassay.statistics.popularity.run`.
    """
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

    Parameters
    ----------
    start : int64 (n_users + 1,)
        As in `Judgements`.
    level, number, seed
        The part depends on these alone. The draw of a rating is the random number of the same
        index in one counter-based stream.
    stratified : bool
        Whether the share is taken of each user's ratings or of all at once. Of all, the number kept
        is rounded to the nearest. Of a user's, it is rounded down or up at random, such that it is
        right on average, and that the first users together keep their share within one.

    Notes
    -----
    Each part of the size is equally likely: of the last n ratings, k of which are still to be kept,
    the first is kept with probability k / n (Knuth, TAOCP 2, section 3.4.2, algorithm S).
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
