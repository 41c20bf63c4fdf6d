"""Inputs of sensitivity to selection: hits of systems, and sums over users of pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from rankassay.metrics.totals import Total
from rankassay.statistics.paired_tests import t_of_moments
from rankassay.types import Booleans, Floats, Integers

ALPHA = 0.05
NO_SPREAD = 1e-12  # a variance that is no larger a share of the mean square is what rounding leaves


@dataclass(frozen=True)
class Parts:
    """Sums over users of the surplus of a pair's leader, and of that of the other.

    Attributes
    ----------
    users : int
        n, of whom those without hits add nothing to the sums.
    plus, minus : float64 (n_pairs,)
        The sums of d+_u and d-_u.
    plus2, minus2, cross : float64 (n_pairs,)
        The sums of their squares and of their products.
    """

    users: int
    plus: Floats
    minus: Floats
    plus2: Floats
    minus2: Floats
    cross: Floats

    def p_value(self, gamma: float) -> Floats:
        """Return the p-value of the leader's lead at Γ, float64 (n_pairs,).

        Two-sided, by Student's paired t-test of s_u(Γ); 1 where the mean is not positive.
        """
        n = max(self.users, 1)
        mean = (self.plus / gamma - gamma * self.minus) / n
        squares = self.plus2 / gamma**2 - 2 * self.cross + gamma**2 * self.minus2
        spread = squares - n * mean**2
        spread = np.where(spread > NO_SPREAD * squares, spread, 0.0)
        p = t_of_moments(n, mean, spread / max(n - 1, 1))
        return np.where(mean > 0, p, 1.0)

    def stands_to(self, levels: Sequence[float]) -> Floats:
        """Return the greatest of increasing Γ up to which pairs are significant at all; or 0."""
        significant = np.array([self.p_value(gamma) < ALPHA for gamma in levels])
        count = np.logical_and.accumulate(significant).sum(axis=0)
        return np.array([0.0, *levels])[count]


@dataclass(frozen=True)
class Hits:
    """Gains of the listed items of all systems under a metric at some cut-offs.

    Attributes
    ----------
    start : int64 (n_systems, n_users)
        Where each user's entries begin.
    bounds : int64 (n_cutoffs, n_systems, n_users)
        How many of them stand in the first n places.
    judgement : int32 (n_entries,)
        Indices of the judged items.
    contribution : float64 (n_entries,)
    divisor : float64 (n_cutoffs, n_systems or 1, n_users or 1)
        The divisor of the contributions.
    places : float64 (n_cutoffs,)
        The final divisor of all sums, so that hits are counted by whole numbers.
    """

    start: Integers
    bounds: Integers
    judgement: Integers
    contribution: Floats
    divisor: Floats
    places: Floats

    @classmethod
    def of(cls, totals: Sequence[Total], has_value: Booleans) -> Self:
        """Return the entries of the systems' sums, one system after the other.

        Users without a value, bool (n_users,), have none.
        """
        cutoffs = totals[0].cutoffs
        entries = [total.entries for total in totals]
        before = np.cumsum([0, *(len(own.rank) for own in entries)])
        start = np.array([b + own.start[:-1] for b, own in zip(before, entries, strict=False)])
        bounds = np.array([own.bounds(cutoffs) for own in entries]).transpose(2, 0, 1) * has_value
        contribution = [
            np.broadcast_to(total.contribution, total.entries.rank.shape) for total in totals
        ]
        divisor = [np.broadcast_to(t.divisor, (len(t.divisor), len(cutoffs))).T for t in totals]
        if all(np.array_equal(own, divisor[0]) for own in divisor):  # of judgements, not of lists
            divisor = divisor[:1]
        divisor, places = np.stack(divisor, axis=1), np.ones(len(cutoffs))
        if divisor.shape[1:] == (1, 1):  # of the cut-off alone
            places = np.where(divisor == 0, 1.0, divisor)[:, 0, 0]
            divisor = np.ones_like(divisor)
        judgement = np.concatenate([own.judgement for own in entries])
        contribution = np.concatenate(contribution)
        return cls(start, np.ascontiguousarray(bounds), judgement, contribution, divisor, places)
