"""A result table and its replicates for resampled users, from which intervals are computed.

An interval belongs to the number that it is shown with because both come from one computation: the
users themselves are the first of the draws (`rankassay.statistics.draws`), and each resample of
them one more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from rankassay.artifacts.shards import grouped
from rankassay.declared.columns import bounds as bounds_of
from rankassay.types import Booleans, Floats

Bounds = tuple[float | Floats, float | Floats]

LEVEL = 0.95  # of intervals, where none is configured
REPLICATES = 2000  # of sums of p-values, where no other number is configured
KNOWN = 0.95  # the share of the replicates that must have a value for an interval to have one


@dataclass(frozen=True)
class Replicated:
    """A result table with the replicates of one of its columns."""

    table: pd.DataFrame
    column: str  # the one that was measured
    replicates: Floats  # its values for resampled users, (n_rows, n_resamples); NaN for none

    @classmethod
    def of(cls, table: pd.DataFrame, column: str, rows: Sequence[Floats]) -> "Replicated":
        """Return the table with a column added, or one overwritten, from the numbers of each row.

        These are the value measured and its replicates, float64 (1 + n_resamples,).
        """
        numbers = np.array(rows, dtype=np.float64).reshape(len(table), -1 if len(table) else 1)
        return cls(table.assign(**{column: numbers[:, 0]}), column, numbers[:, 1:])

    @classmethod
    def joined(cls, parts: Sequence["Replicated"], within: Sequence[str] = ()) -> "Replicated":
        """Return the rows of successive parts as one table, ordered by some columns first, if any.

        Every part has rows of all values of the columns `within`, in the same order.
        """
        if len(parts) == 1:
            return parts[0]
        table = pd.concat([part.table for part in parts], ignore_index=True)
        replicates = np.concatenate([part.replicates for part in parts])
        if within:
            order = grouped([*table[[*within]].itertuples(index=False, name=None)])
            table, replicates = table.iloc[order], replicates[order]
        return cls(table, parts[0].column, replicates)

    @property
    def numbers(self) -> Floats:
        """The measured values, and those of the replicates, float64 (n_rows, 1 + n_resamples)."""
        return np.hstack([self.table[[self.column]].to_numpy(np.float64), self.replicates])

    def of_rows(self, chosen: Booleans) -> "Replicated":
        """Return the chosen rows alone, bool (n_rows,)."""
        chosen = np.asarray(chosen)
        return replace(
            self,
            table=self.table[chosen].reset_index(drop=True),
            replicates=self.replicates[chosen],
        )

    def assign(self, **columns: object) -> "Replicated":
        """Return the same with further columns."""
        return replace(self, table=self.table.assign(**columns))

    def with_interval(
        self, level: float = LEVEL, bounds: Bounds | None = None, before: str = ""
    ) -> "Replicated":
        """Return the same with columns low and high, within the bounds of the column.

        These are declared by the name of its column (`rankassay.declared.columns`) if not given.
        `before` stands before the names of both.
        """
        measured = self.table[self.column].to_numpy(np.float64)
        within = bounds or bounds_of(self.column, self.table)
        low, high = interval(measured, self.replicates, level, within)
        return self.assign(**{f"{before}low": low, f"{before}high": high})


def centred(measured: Floats, replicates: Floats) -> Floats:
    """Return the replicates, shifted so that their mean is the measured number.

    A resample adds the noise of drawing to the noise that is there. Near-ties are reversed, so that
    correlations of rankings come out lower in resamples, and the best of several less good. How
    much replicates scatter is not touched by that; where they lie is.
    """
    # In which order numpy adds up a row depends on the memory order: else one row alone would have
    # another mean, in its last bits, than among others.
    replicates = np.ascontiguousarray(replicates)
    known = np.isfinite(replicates)
    total = np.where(known, replicates, 0.0).sum(axis=-1)
    mean = total / np.maximum(known.sum(axis=-1), 1)
    return replicates + (np.asarray(measured) - mean)[..., None]


def interval(
    measured: Floats,
    replicates: Floats,
    level: float = LEVEL,
    bounds: Bounds = (-np.inf, np.inf),
) -> tuple[Floats, Floats]:
    """Return the centred percentile interval of each number, two float64 (...).

    Its ends are the (1 - level) / 2 and (1 + level) / 2 quantiles of the `centred` replicates,
    float64 (..., n_resamples), between `bounds`. NaN where nothing was measured, or fewer than 95 %
    of the replicates have a finite value.

    It is an interval of the expectation for as many other users. In simulations
    (`benchmarks/intervals.py`: 12 systems, 800 and 3,000 users) intervals of 95 % held that in 92
    to 97 % of the cases for Kendall's tau between orders, the lowest of three taus and differences
    of two, in 95 to 98 % for differences of DP, and in 88 to 95 % for DP itself, least often where
    systems hardly differ. Plain percentiles held the taus in 93 to 100 %, bias-corrected ones in 60
    to 80 %. What endless users would give is another number, which measured taus fall short of: of
    that this is no interval.
    """
    measured = np.asarray(measured, dtype=np.float64)
    if not replicates.shape[-1]:
        return np.full(measured.shape, np.nan), np.full(measured.shape, np.nan)
    known = (np.isfinite(replicates).mean(axis=-1) >= KNOWN) & ~np.isnan(measured)
    shifted = np.where(known[..., None], centred(measured, replicates), 0.0)
    shifted[np.isinf(shifted)] = np.nan
    # Of B values the k-th is at k / (B + 1): a little wider than between the first and the last.
    beyond = (1 - level) / 2
    tails = [beyond, 1 - beyond]
    ends = np.nanquantile(shifted, tails, axis=-1, method="weibull")
    # The number itself is always inside, however skewed the replicates are.
    low, high = np.minimum(ends[0], measured), np.maximum(ends[1], measured)
    low, high = (np.where(known, np.clip(end, *bounds), np.nan) for end in (low, high))
    return low, high


def sign_p(measured: Floats, replicates: Floats) -> Floats:
    """Return how far resampled users leave the sign of a number open, float64 (...).

    ::

        p = 2 (min(#{b: x_b <= 0}, #{b: x_b >= 0}) + 1) / (B + 1), at most 1

    with x the `centred` replicates; those that are NaN count on both sides. NaN where there are no
    replicates. The parameters are those of `interval`.
    """
    n = replicates.shape[-1]
    if not n:
        return np.full(np.shape(measured), np.nan)
    x, unknown = centred(measured, replicates), np.isnan(replicates)
    below, above = ((x <= 0) | unknown).sum(axis=-1), ((x >= 0) | unknown).sum(axis=-1)
    return np.minimum(2 * (np.minimum(below, above) + 1) / (n + 1), 1.0)
