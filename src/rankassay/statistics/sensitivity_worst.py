"""The weights under which a lead is least significant.

Each user's weighted difference s_u lies anywhere in [l_u, h_u], independently of the others', ::

    l_u = d+_u / Γ - Γ d-_u        h_u = Γ d+_u - d-_u / Γ

Student's t grows with S / sqrt(Q), where S = sum s_u and Q = sum s_u^2, so that the largest p is at
the largest *spread* Q / S^2. If S can be 0 or less, weights end the lead: the spread is infinite
and p is 1. Otherwise:

- In one s_u, the slope of S / sqrt(Q) has the sign of Q' - S' s_u, where ' excludes the user: it
  rises or falls, or rises before it falls, and is least at an end. So some worst weights have each
  user at l_u or h_u.
- To move a user from l_u to h_u adds δ_u = h_u - l_u to S and δ_u σ_u to Q, with σ_u = l_u + h_u.
  The spread is quasi-concave in (S, Q). If users could move in part along this line, which only
  raises Q, it would be largest where users move in order of decreasing σ_u until σ_u = 2 Q / S.
  This *bound* has one user in part.
- That user must stay or move. As weights and profits of a knapsack, the two may ask for other
  users than those first in the order, so that no single sweep is exact. Both cases are bounded
  in the same way, and searched while their bound exceeds the largest spread that was found (branch
  and bound). Users with the same d+_u and d-_u count as one kind.

It takes some ten cases. In data that were made for it, it could take 2^n: after `CASES` the largest
bound that is left is returned, so that p is never smaller than that of any weights.
"""

from collections.abc import Sequence

import numpy as np

from rankassay.kernels import kernel
from rankassay.selection import sort_by
from rankassay.statistics.paired_tests import t_of_moments
from rankassay.types import Floats

ALPHA = 0.05
NO_SPREAD = 1e-12  # a variance that is no larger a share of the mean square is what rounding leaves
CASES = 10_000
EQUAL = 1e-12  # spreads that differ by no larger share are equal
WHOLE = 1e-9  # users: what the rounding of sums adds to a whole number of them


def largest_p_values(plus: Floats, minus: Floats, gammas: Sequence[float]) -> Floats:
    """Return the largest p-value of each pair at each Γ, float64 (n_gammas, n_pairs).

    `plus` and `minus`, float64 (n_pairs, n_users), are d+_u and d-_u.
    """
    at = np.array(gammas)
    found = [most_spread(*pair, at) for pair in zip(plus, minus, strict=True)]
    return p_values(plus.shape[1], np.reshape(found, (-1, len(at))).T)


def p_values(users: int, spread: Floats) -> Floats:
    """Return Student's p-value, two-sided, of n sums of each spread; 1 where it is infinite."""
    n, leads = max(users, 1), np.isfinite(spread)
    variance = np.where(leads, spread, 1.0) - 1 / n  # of sums that add up to 1
    variance = np.where(variance > NO_SPREAD * spread, variance, 0.0) / max(n - 1, 1)
    return np.where(leads, t_of_moments(n, np.full(spread.shape, 1 / n), variance), 1.0)


@kernel(steps=lambda plus, minus, gammas: plus.size * 40)
def most_spread(plus, minus, gammas):
    """Return the largest spread at each Γ, float64 (n_gammas,).

    `plus` and `minus`, float64 (n_users,), are d+_u and d-_u; users without either may be left out.
    The `gammas` are at least 1.
    """
    n = len(plus)
    size, order, space = plus + minus, np.arange(n), np.empty(n, dtype=np.int64)
    lead, total = minus - plus, np.zeros(2)
    sort_by(size, order, space)
    sort_by(lead, order, space)
    kinds, k = np.zeros((3, n)), -1  # d+_u - d-_u, d+_u + d-_u, and how many users
    for i in range(n):
        u = order[i]
        total[0] += plus[u]
        total[1] += minus[u]
        if k < 0 or kinds[0, k] != -lead[u] or kinds[1, k] != size[u]:
            k += 1
            kinds[0, k], kinds[1, k] = -lead[u], size[u]
        kinds[2, k] += 1.0
    kinds, spread, stack = kinds[:, : k + 1], np.empty(len(gammas)), np.empty((CASES, 8))
    for g in range(len(gammas)):
        gamma = gammas[g]
        spread[g] = np.inf
        if total[0] > gamma * gamma * total[1]:
            spread[g] = _largest(kinds, gamma, total[0] / gamma - gamma * total[1], stack)
    return spread


@kernel
def _largest(kinds, gamma, least, stack):
    """Return the largest spread at a Γ; `least` is the sum of all l_u, and `stack` is scratch.

    A case bounds how many users of each kind move. The rows of the stack are, of cases whose two
    parts are yet to search, what `_moved` returns, the bounds of that kind, the bound of the
    spread, and how many parts were searched.
    """
    n, square = 0, 0.0
    sigma, delta = (gamma + 1 / gamma) * kinds[0], (gamma - 1 / gamma) * kinds[1]
    for k in range(len(sigma)):
        low = (sigma[k] - delta[k]) / 2
        square += kinds[2, k] * low * low
        n += sigma[k] > 0.0 and delta[k] > 0.0  # others raise S alone
    best, left, depth, cases, at, moved = square / (least * least), 0.0, 0, 0, 0, 0.0
    fewest, most, s, q, searching = np.zeros(n), kinds[2, :n].copy(), least, square, n > 0
    while searching or depth > 0:
        if searching:
            at, moved, s, q = _moved(sigma, delta, fewest, most, at, moved, s, q)
            best, bound = max(best, q / (s * s)), 0.0
            cases += 1
            part = min(s - 2 * q / sigma[at], delta[at])
            if moved < most[at] and part > 0.0:
                bound = (q + part * sigma[at]) / ((s + part) * (s + part))
                whole = s + delta[at]
                best = max(best, (q + delta[at] * sigma[at]) / (whole * whole))
            if bound > best * (1 + EQUAL):
                if cases < CASES:
                    case, depth = stack[depth], depth + 1
                    case[0], case[1], case[2], case[3] = at, moved, s, q
                    case[4], case[5], case[6], case[7] = fewest[at], most[at], bound, 0.0
                else:
                    left = max(left, bound)
            searching = False
            continue
        case = stack[depth - 1]
        at, moved, s, q = int(case[0]), case[1], case[2], case[3]
        fewest[at], most[at] = case[4], case[5]
        if case[7] == 2.0 or case[6] <= best * (1 + EQUAL):
            depth -= 1
            continue
        if case[7] == 0.0:
            most[at] = moved
        else:
            moved, s, q = moved + 1.0, s + delta[at], q + delta[at] * sigma[at]
            fewest[at] = moved
        case[7] += 1.0
        searching = True
    return max(best, left)


@kernel
def _moved(sigma, delta, fewest, most, at, moved, s, q):
    """Return a kind, how many of its users move, S and Q, where one in part makes the bound.

    Of the kinds before it, the most move, and of those after it the fewest.
    """
    while True:
        users = (s - 2 * q / sigma[at]) / delta[at]  # to move until σ = 2 Q / S
        if moved < most[at] and users >= 1 + WHOLE:
            more = min(np.floor(users), most[at] - moved)
        elif moved > fewest[at] and users < -WHOLE:
            more = -min(np.ceil(-users), moved - fewest[at])
        elif moved == most[at] and at + 1 < len(fewest) and s * sigma[at + 1] > 2 * q:
            at += 1
            moved = fewest[at]
            continue
        elif moved == fewest[at] and at > 0 and s * sigma[at - 1] < 2 * q:
            at -= 1
            moved = most[at]
            continue
        else:
            return at, moved, s, q
        moved += more
        s += more * delta[at]
        q += more * delta[at] * sigma[at]
