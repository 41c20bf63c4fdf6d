"""The rankings that Rendle (2019) constructed: one relevant item, known ranks, 10,000 items.

Three algorithms rank the relevant items of five instances; from these ranks, or from all ranks, the
tables of sections 3.2 and 4.3 and the figures 1 to 3 follow. In all results an empty cut-off is the
whole ranking, and m, the size of the sample, is infinite for the exact metrics.
"""

import numpy as np
import pandas as pd

from rankassay.metrics.sampled.one_item import at_rank, deviation, expected
from rankassay.seeds import generator
from rankassay.types import Floats, Integers

N_ITEMS = 10_000
ALGORITHMS = {
    "A": (100, 100, 100, 100, 100),
    "B": (40, 40, 8437, 9266, 4482),
    "C": (212, 2, 743, 5342, 1548),
}
MEASURES: tuple[tuple[str, int | None], ...] = (
    ("AUC", None),
    ("AP", None),
    ("nDCG", None),
    ("R", 10),
)
FIRST = 100  # the ranks of figure 1 that are all kept
TOP = 1000  # the ranks that figure 3 shows
SIZES = (1, 10, 100, 1000)  # of figure 3: of these, the text of the paper names 1,000 alone
SIZE = 99  # of the samples in the tables of sections 3.2 and 4.3
REPETITIONS = 1000  # of the simulation of these tables
TOLERANCE = 0.01  # expected values that are so near the exact ones are reliable
TIE = 0.001  # values that differ by less are equal: the paper takes 0.0100 and 0.0101 for the same


def curves() -> pd.DataFrame:
    """Compute every metric at the first 100 ranks (figure 1), and below at every hundredth rank.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, rank, value.
    """
    ranks = np.union1d(np.arange(1, FIRST + 1), np.arange(FIRST, N_ITEMS + 1, 100))
    return pd.concat(
        _rows(metric, cutoff, rank=ranks, value=at_rank(metric, ranks, N_ITEMS, cutoff))
        for metric, cutoff in [*MEASURES, ("P", 10)]
    )


def example(seed: int, *, replacement: bool, repetitions: int = REPETITIONS) -> pd.DataFrame:
    """Compute metrics of the three algorithms, exact and on samples (sections 3.2 and 4.3).

    Returns
    -------
    DataFrame
        Columns algorithm, metric, cutoff, exact (of all items), expected and deviation (of one
        sampled evaluation, in closed form), simulated and simulated_deviation (mean and standard
        deviation over the repetitions).
    """
    rows = []
    for name, ranks in ALGORITHMS.items():
        drawn = sampled_ranks(np.array(ranks), SIZE, repetitions, seed, name, replacement)
        for metric, cutoff in MEASURES:
            found = at_rank(metric, drawn, SIZE + 1, cutoff).mean(axis=1)
            spread = deviation(metric, ranks, N_ITEMS, SIZE, cutoff, replacement)
            row = {
                "algorithm": name,
                "metric": metric,
                "cutoff": cutoff,
                "exact": _value(metric, cutoff, ranks, np.inf, replacement).mean(),
                "expected": _value(metric, cutoff, ranks, SIZE, replacement).mean(),
                # Instances have separate samples: variances add up.
                "deviation": np.sqrt((spread**2).sum()) / len(ranks),
                "simulated": found.mean(),
                "simulated_deviation": found.std(ddof=1),
            }
            rows.append(row)
    return pd.DataFrame(rows).astype({"cutoff": "Int64"})


def sampled_ranks(
    ranks: Integers, size: int, repetitions: int, seed: int, name: str, replacement: bool
) -> Integers:
    """Draw items and count those above each relevant item, int64 (repetitions, n_ranks).

    The rank's distribution is not used: this checks the results derived from it.
    """
    rng = generator(seed, "sampling", name)
    shape = (repetitions, len(ranks))
    if replacement:
        items = rng.integers(1, N_ITEMS, size=(*shape, size))
    else:
        pool = np.arange(1, N_ITEMS)
        items = np.array([rng.choice(pool, size, replace=False) for _ in range(np.prod(shape))])
        items = items.reshape(*shape, size)
    # The irrelevant items in their order: those before the rank stand above.
    return 1 + (items < ranks[:, None]).sum(axis=2)


def by_size(*, replacement: bool) -> pd.DataFrame:
    """Compute the algorithms' expected metrics at growing sizes of the sample (figure 2).

    Sizes are every one to 100, every fifth to 1,000 and every 50th to 9,950, and all other items.

    Returns
    -------
    DataFrame
        Columns algorithm, metric, cutoff, m, value.
    """
    sizes = [*range(1, 100), *range(100, 1000, 5), *range(1000, N_ITEMS - 1, 50)]
    sizes += [N_ITEMS - 1, np.inf]
    tables = []
    for name, ranks in ALGORITHMS.items():
        for metric, cutoff in MEASURES:
            values = [_value(metric, cutoff, ranks, m, replacement) for m in sizes]
            table = _rows(metric, cutoff, m=sizes, value=np.mean(values, axis=1))
            table.insert(0, "algorithm", name)
            tables.append(table)
    return pd.concat(tables)


def by_rank(*, replacement: bool) -> pd.DataFrame:
    """Compute the expected metrics of one relevant item at the first 1,000 ranks (figure 3).

    Returns
    -------
    DataFrame
        Columns metric, cutoff, m, rank, value.
    """
    ranks = np.unique(np.concatenate([np.arange(1, 101), np.arange(100, TOP + 1, 10)]))
    tables = []
    for metric, cutoff in MEASURES:
        for m in (*SIZES, np.inf):
            value = _value(metric, cutoff, ranks, m, replacement)
            tables.append(_rows(metric, cutoff, m=m, rank=ranks, value=value))
    return pd.concat(tables)


def orders(by_size: pd.DataFrame) -> pd.DataFrame:
    """Order the three algorithms by the result of `by_size` at each size (section 4.3).

    Returns
    -------
    DataFrame
        A row for each stretch of sizes, with the columns metric, cutoff, order (as in A > B = C),
        first and last (sizes), exact (the order on all items), reliable_from (the first size from
        which on all expected values are within the tolerance of the exact ones; empty if none is).
    """
    rows = []
    for (metric, cutoff), own in by_size.groupby(["metric", "cutoff"], sort=False, dropna=False):
        values = own.pivot(index="m", columns="algorithm", values="value")
        names = pd.Series([_order(row) for _, row in values.iterrows()], index=values.index)
        exact, sampled = names[np.inf], names.drop(np.inf)
        far = (values - values.loc[np.inf]).abs().max(axis=1).drop(np.inf) > TOLERANCE
        after = sampled.index[sampled.index > far[far].index.max()] if far.any() else sampled.index
        stretch = (sampled != sampled.shift()).cumsum()
        for _, part in sampled.groupby(stretch):
            row = {"metric": metric, "cutoff": cutoff, "order": part.iloc[0]}
            row |= {"first": part.index[0], "last": part.index[-1], "exact": exact}
            rows.append(row | {"reliable_from": after[0] if len(after) else np.nan})
    counts = ["cutoff", "first", "last", "reliable_from"]
    return pd.DataFrame(rows).astype(dict.fromkeys(counts, "Int64"))


def _order(values: pd.Series) -> str:
    """Return the names by decreasing value, as in A > B = C; tied ones by name."""
    ordered = values.sort_values(ascending=False, kind="stable")
    group = np.concatenate(([0], np.cumsum(-np.diff(ordered) >= TIE)))
    tied = pd.Series(ordered.index).groupby(group)
    return " > ".join(" = ".join(sorted(names)) for _, names in tied)


def _value(metric: str, cutoff: int | None, ranks: Integers, m: float, replacement: bool) -> Floats:
    """Return the metric's values at the ranks, expected on a sample or, if m is infinite, exact."""
    if m == np.inf:
        return at_rank(metric, ranks, N_ITEMS, cutoff)
    return expected(metric, ranks, N_ITEMS, m, cutoff, replacement)


def _rows(metric: str, cutoff: int | None, **columns: object) -> pd.DataFrame:
    """Make rows about a measure; a cut-off of the whole ranking is an empty cell."""
    return pd.DataFrame({"metric": metric, "cutoff": cutoff or pd.NA} | columns)
