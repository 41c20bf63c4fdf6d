"""The rankings that Rendle (2019) constructed: one relevant item, known ranks, 10,000 items.

Three algorithms rank the relevant items of five instances; from these ranks, or from all ranks, the
tables of sections 3.2 and 4.3 and the figures 1 to 3 follow.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from assayer.metrics.sampled.closed_forms import at_rank, deviation, expected
from assayer.seeds import generator
from assayer.types import Integers

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
TOP = 1000  # the ranks that figure 3 shows


def curves(top: int = 100) -> pd.DataFrame:
    """Return every metric at every rank (figure 1).

    Parameters
    ----------
    top : int
        Down to this rank all ranks are kept, and of those below every hundredth.

    Returns
    -------
    DataFrame
        Columns metric, cutoff (empty: the whole ranking), rank, value.
    """
    ranks = np.union1d(np.arange(1, top + 1), np.arange(top, N_ITEMS + 1, 100))
    measures = [*MEASURES, ("P", 10)]
    return pd.concat(
        pd.DataFrame(
            {
                "metric": metric,
                "cutoff": _whole(cutoff),
                "rank": ranks,
                "value": at_rank(metric, ranks, N_ITEMS, cutoff),
            }
        )
        for metric, cutoff in measures
    )


def example(
    seed: int, size: int = 99, repetitions: int = 1000, replacement: bool = True
) -> pd.DataFrame:
    """Return the metrics of the three algorithms, exact and on samples (sections 3.2 and 4.3).

    Parameters
    ----------
    seed : int
    size : int
        m, the sampled irrelevant items.
    repetitions : int
        Simulated evaluations, in which items are drawn one by one.
    replacement : bool
        Whether an item may be drawn twice.

    Returns
    -------
    DataFrame
        Columns algorithm, metric, cutoff, exact (of all items), expected and deviation (of one
        sampled evaluation, in closed form), simulated and simulated_deviation (mean and standard
        deviation over the repetitions).
    """
    drawn = {
        name: sampled_ranks(np.array(ranks), size, repetitions, seed, name, replacement)
        for name, ranks in ALGORITHMS.items()
    }
    rows = []
    for name, ranks in ALGORITHMS.items():
        for metric, cutoff in MEASURES:
            found = at_rank(metric, drawn[name], size + 1, cutoff).mean(axis=1)
            spread = deviation(metric, ranks, N_ITEMS, size, cutoff, replacement)
            row = {
                "algorithm": name,
                "metric": metric,
                "cutoff": _whole(cutoff),
                "exact": at_rank(metric, ranks, N_ITEMS, cutoff).mean(),
                "expected": expected(metric, ranks, N_ITEMS, size, cutoff, replacement).mean(),
                # Instances have samples of their own: variances add up.
                "deviation": np.sqrt((spread**2).sum()) / len(ranks),
                "simulated": found.mean(),
                "simulated_deviation": found.std(ddof=1),
            }
            rows.append(row)
    return pd.DataFrame(rows).astype({"cutoff": "Int64"})


def sampled_ranks(
    ranks: Integers,
    size: int,
    repetitions: int,
    seed: int,
    name: str,
    replacement: bool = True,
) -> Integers:
    """Draw items and count those above each relevant item, int64 (repetitions, n_ranks).

    Nothing of the rank's distribution is used: it checks what is derived from it.
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


def by_size(replacement: bool = True) -> pd.DataFrame:
    """Return the three algorithms' expected metrics at growing sizes of the sample (figure 2).

    Sizes are every one to 100, every fifth to 1,000 and every 50th to 9,950, and all other items.

    Parameters
    ----------
    replacement : bool

    Returns
    -------
    DataFrame
        Columns algorithm, metric, cutoff, m (inf: the exact metrics), value.
    """
    sizes = [*range(1, 100), *range(100, 1000, 5), *range(1000, N_ITEMS - 1, 50), N_ITEMS - 1]
    rows = []
    for name, ranks in ALGORITHMS.items():
        for metric, cutoff in MEASURES:
            values = [expected(metric, ranks, N_ITEMS, m, cutoff, replacement) for m in sizes]
            values.append(at_rank(metric, ranks, N_ITEMS, cutoff))
            columns = {"algorithm": name, "metric": metric, "cutoff": _whole(cutoff)}
            columns |= {"m": [*sizes, np.inf], "value": np.mean(values, axis=1)}
            rows.append(pd.DataFrame(columns))
    return pd.concat(rows)


def by_rank(sizes: Sequence[int] = (1, 10, 100, 1000), replacement: bool = True) -> pd.DataFrame:
    """Return the expected metrics of one relevant item at the first 1,000 ranks (figure 3).

    Parameters
    ----------
    sizes : sequence of int
        Of the sample. The paper shows some that its text does not name, but for 1,000.
    replacement : bool

    Returns
    -------
    DataFrame
        Columns metric, cutoff, m (inf: the exact metrics), rank, value.
    """
    ranks = np.unique(np.concatenate([np.arange(1, 101), np.arange(100, TOP + 1, 10)]))
    rows = []
    for metric, cutoff in MEASURES:
        for m in (*sizes, np.inf):
            if m == np.inf:
                value = at_rank(metric, ranks, N_ITEMS, cutoff)
            else:
                value = expected(metric, ranks, N_ITEMS, m, cutoff, replacement)
            columns = {"metric": metric, "cutoff": _whole(cutoff), "m": m}
            rows.append(pd.DataFrame(columns | {"rank": ranks, "value": value}))
    return pd.concat(rows)


def orders(by_size: pd.DataFrame, tolerance: float = 0.01, tie: float = 0.001) -> pd.DataFrame:
    """Return how the sample's size orders the three algorithms (section 4.3).

    Parameters
    ----------
    by_size : DataFrame
        As the function of that name returns it.
    tolerance : float
        Expected values so near the exact ones are reliable.
    tie : float
        Values that differ by less are equal: the paper takes 0.0100 and 0.0101 for the same.

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
        names = pd.Series([_order(row, tie) for _, row in values.iterrows()], index=values.index)
        exact, sampled = names[np.inf], names.drop(np.inf)
        far = (values - values.loc[np.inf]).abs().max(axis=1).drop(np.inf) > tolerance
        after = sampled.index[sampled.index > far[far].index.max()] if far.any() else sampled.index
        stretch = (sampled != sampled.shift()).cumsum()
        for _, part in sampled.groupby(stretch):
            row = {"metric": metric, "cutoff": cutoff, "order": part.iloc[0]}
            row |= {"first": part.index[0], "last": part.index[-1], "exact": exact}
            rows.append(row | {"reliable_from": after[0] if len(after) else np.nan})
    counts = ["cutoff", "first", "last", "reliable_from"]
    return pd.DataFrame(rows).astype(dict.fromkeys(counts, "Int64"))


def _order(values: pd.Series, tie: float) -> str:
    """Return the names by decreasing value, as in A > B = C; tied ones by name."""
    ordered = values.sort_values(ascending=False, kind="stable")
    group = np.concatenate(([0], np.cumsum(-np.diff(ordered) >= tie)))
    tied = pd.Series(ordered.index).groupby(group)
    return " > ".join(" = ".join(sorted(names)) for _, names in tied)


def _whole(cutoff: int | None):
    """Return a cut-off for a table, where the whole ranking is an empty cell."""
    return pd.NA if cutoff is None else cutoff
