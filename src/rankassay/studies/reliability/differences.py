"""Differences between systems: significant ones, small ones, and those that others reverse."""

import numpy as np
import pandas as pd

from rankassay.artifacts.arrays import Scores
from rankassay.metrics.names import direction
from rankassay.statistics.corrections import holm
from rankassay.statistics.judged_systems import as_columns
from rankassay.statistics.orders import settled_known
from rankassay.statistics.paired import corrected_for, letters
from rankassay.statistics.split_half import halves
from rankassay.types import Floats

MEASURE = ["metric", "cutoff"]


def effect_sizes(p_values: pd.DataFrame, *, alpha: float) -> pd.DataFrame:
    """Count, by measure, the pairs of systems that differ significantly, and those that hardly do.

    Parameters
    ----------
    p_values : DataFrame
        Those of `rankassay.statistics.significance.p_values`, with a region of equivalence.
    alpha : float
        A pair is significant if its p-value, corrected for all pairs, is below, and equivalent if
        that of TOST is, corrected by Holm's method.

    Returns
    -------
    DataFrame
        Columns metric; cutoff; users, the most that a pair has; pairs, those of different systems
        with a p-value; identical, those of identical systems, which count nowhere else;
        significant; of these small, which are equivalent, too; equivalent, of all; open, neither
        significant nor equivalent; correction, of the significance; d_z, the median of its absolute
        values, and superiority, that of the better system, over all pairs; equivalence, the region
        as it was configured; and alpha.
    """
    rows = []
    for measure, every in p_values.groupby(MEASURE, sort=False, dropna=False):
        own = every[~every["identical"].astype(bool)]
        significant, correction = significant_pairs(own, alpha)
        equivalent = holm(own["p_equivalence"].to_numpy(np.float64)) < alpha
        known = own["p_value"].notna().to_numpy()
        better = np.maximum(own["superiority"], 1 - own["superiority"])
        rows.append(
            dict(zip(MEASURE, measure, strict=True))
            | {
                "users": int(every["n_users"].max()),
                "pairs": int(known.sum()),
                "identical": int(every["p_value"].notna().sum() - known.sum()),
                "significant": int(significant.sum()),
                "small": int((significant & equivalent).sum()),
                "equivalent": int(equivalent.sum()),
                "open": int((known & ~significant & ~equivalent).sum()),
                "correction": correction,
                "d_z": own["d_z"].abs().median(),
                "superiority": better.median(),
                "equivalence": every["equivalence"].iloc[0],
                "alpha": alpha,
            }
        )
    return pd.DataFrame(rows)


def systems(means: pd.DataFrame, p_values: pd.DataFrame, *, alpha: float) -> pd.DataFrame:
    """Return which systems each one beats significantly.

    Parameters
    ----------
    means : DataFrame
        Columns system, metric, cutoff and mean.
    p_values, alpha
        As in `effect_sizes`.

    Returns
    -------
    DataFrame
        Columns metric; cutoff; letter, which refers to the system; system; mean; rank, 1 for the
        best mean; beats, the letters of the systems from which it differs significantly for the
        better, over the users who have both values; and correction and alpha, of that.
    """
    pairs, tables = _by_measure(p_values), []
    for measure, own in _by_measure(means).items():
        tested, sign = pairs[measure], direction(measure[0])
        names = own["system"].astype(str).to_list()
        letter = dict(zip(names, letters(len(names)), strict=True))
        significant, correction = significant_pairs(tested, alpha)
        first_wins = sign * tested["difference"].to_numpy() > 0
        sides = tested[["system_a", "system_b"]].astype(str).to_numpy()
        beaten: dict[str, list[str]] = {name: [] for name in names}
        for (a, b), first in zip(sides[significant], first_wins[significant], strict=True):
            beaten[a if first else b].append(letter[b if first else a])
        better = sign * settled_known(own["mean"].to_numpy(), int(tested["n_users"].max()))
        ranks = pd.Series(better, own.index).rank(ascending=False, method="min")
        tables.append(
            own[MEASURE].assign(
                letter=[*letter.values()],
                system=names,
                mean=own["mean"],
                rank=ranks.astype("Int64"),
                beats=[",".join(sorted(beaten[n], key=lambda x: (len(x), x))) for n in names],
                correction=correction,
                alpha=alpha,
            )
        )
    return pd.concat(tables, ignore_index=True)


def significant_pairs(pairs: pd.DataFrame, alpha: float) -> tuple[np.ndarray, str]:
    """Return which pairs by one measure are significant, bool (n_pairs,), and the correction."""
    p, adjusted = (pairs[name].to_numpy(np.float64) for name in ("p_value", "adjusted"))
    corrected, correction = corrected_for(p, _known(adjusted), "max-t")
    return corrected < alpha, correction


def _known(adjusted: Floats) -> Floats | None:
    return None if np.isnan(adjusted).any() else adjusted


def _by_measure(table: pd.DataFrame) -> dict[tuple[str, int], pd.DataFrame]:
    """Return the rows of each measure; 0 stands for no cut-off, which would not equal itself."""
    keys = [table["metric"], table["cutoff"].fillna(0).astype(int)]
    return dict([*table.groupby(keys, sort=False)])


# Where bins of differences begin, in percent of the better system's mean; the last one is open.
EDGES = (0, 1, 2, 5, 10, 20, 50)
COLUMNS = ("metric", "cutoff", "users", "low", "high", "pairs", "ties", "swaps", "rate")


def swap_rates(scores: Scores, seed: int, repetitions: int) -> pd.DataFrame:
    """Count, by the size of a difference, how often two sets of users contradict each other.

    Two disjoint sets of n users are drawn as in `rankassay.statistics.split_half`. The difference
    of two systems in one set, in percent of the better one's mean there, decides the bin; the pair
    is swapped if the difference has the opposite sign in the other set. Both sets take both parts.

    Returns
    -------
    DataFrame
        One row per measure, size of the sets and bin, with the columns metric, cutoff, users (of a
        set), low and high (of the bin, in percent; low is within, high is not, and the last one is
        infinite), pairs (differences of that size, over pairs of systems and repetitions), ties
        (those without any difference in the other set), swaps, and rate, swaps of all pairs: NaN
        where there are none. Differences of 0 say nothing, and are in no bin.

    References
    ----------
    Voorhees and Buckley, SIGIR 2002; Sakai, SIGIR 2006, section 2.
    """
    bounds = np.array([*EDGES, np.inf])
    columns = as_columns(scores.measures)
    first, second = np.triu_indices(len(scores.systems), k=1)
    parts: list[list[dict]] = [[] for _ in columns]
    for half in halves(scores, repetitions, seed):
        sides = half.first, half.second
        differences = [x[..., first] - x[..., second] for x in sides]
        # The better system's mean is that of the larger number, whose sign may be turned.
        better = [np.abs(np.maximum(x[..., first], x[..., second])) for x in sides]
        for k, m in enumerate(half.measures):
            pairs, ties, swaps = np.zeros((3, len(EDGES)), dtype=np.int64)
            for own, other, best in (
                (differences[0][k], differences[1][k], better[0][k]),
                (differences[1][k], differences[0][k], better[1][k]),
            ):
                percent = np.divide(
                    100 * np.abs(own), best, out=np.full(own.shape, np.inf), where=best > 0
                )
                # What rounding leaves of a whole percentage stays in the bin that begins there.
                place = np.searchsorted(bounds, percent * (1 + 1e-12), side="right") - 1
                place = np.minimum(place, len(EDGES) - 1)
                for count, which in (
                    (pairs, own != 0),
                    (ties, (own != 0) & (other == 0)),
                    (swaps, own * other < 0),
                ):
                    count += np.bincount(place[which & (place >= 0)], minlength=len(EDGES))
            rate = np.divide(swaps, pairs, out=np.full(len(EDGES), np.nan), where=pairs > 0)
            for b in range(len(EDGES)):
                row = {"users": half.n, "low": bounds[b], "high": bounds[b + 1]}
                row |= {"pairs": pairs[b], "ties": ties[b], "swaps": swaps[b], "rate": rate[b]}
                parts[m].append(columns[m] | row)
    return pd.DataFrame([row for part in parts for row in part], columns=[*COLUMNS])
