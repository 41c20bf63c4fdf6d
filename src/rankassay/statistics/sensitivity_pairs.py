"""What each pair's leader gains more than the other, and by which weights it would not lead.

Gains are whole numbers of a unit, a power of two, so that every sum of them is exact: equal sums
are equal in any order of addition.

**The weights under which a lead is least significant.** Each user's weighted difference s_u lies
anywhere in [l_u, h_u], independently of the others', ::

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
from rankassay.metrics.totals import unit_of
from rankassay.selection import sort_by
from rankassay.statistics.paired_tests import t_of_moments
from rankassay.types import Floats, Integers

ALPHA = 0.05
NO_SPREAD = 1e-12  # a variance that is no larger a share of the mean square is what rounding leaves
CASES = 10_000
EQUAL = 1e-12  # spreads that differ by no larger share are equal
WHOLE = 1e-9  # users: what the rounding of sums adds to a whole number of them
# What `of_pairs` sums up, the rows of its first result.
ROWS = ("hits_leader", "hits_other", "plus", "minus")
NEAR = 1e-12  # of the sums: what their rounding leaves of a root at the end of the search
FINEST = 20  # halvings of 1: where intervals end that are not shown to be without a root
DECIMALS = 9  # of exponents


@kernel(error_model="numpy")
def whole_gains(start, bound, contribution, divisor, gains):
    """Write each listed item's gain, in whole numbers of a unit, and return it and the totals.

    `start` and `bound`, int64 (n_systems, n_users), are where the entries of a user begin, and how
    many of them stand in the first n places; `contribution` is float64 (n_entries,), and `divisor`
    (n_systems or 1, n_users or 1). The totals are those of the systems, in units.
    """
    n_systems, n_users = bound.shape
    by_system, by_user, size = divisor.shape[0] > 1, divisor.shape[1] > 1, 0.0
    for s in range(n_systems):
        total = 0.0
        for u in range(n_users):
            below = divisor[s * by_system, u * by_user]
            for e in range(start[s, u], start[s, u] + bound[s, u]):
                gains[e] = contribution[e] / below if below != 0.0 else 0.0
                total += abs(gains[e])
        size = max(size, total)
    unit, per_unit = unit_of(size)
    totals = np.zeros(n_systems)
    for s in range(n_systems):
        for u in range(n_users):
            for e in range(start[s, u], start[s, u] + bound[s, u]):
                gains[e] = np.rint(gains[e] * per_unit)
                totals[s] += gains[e]
    return unit, totals


@kernel
def of_items(start, bound, judgement, item, gains, n_items):
    """Return each system's gain from each item, float64 (n_items, n_systems), in units."""
    n_systems, n_users = bound.shape
    by_item = np.zeros((n_items, n_systems))
    for s in range(n_systems):
        for u in range(n_users):
            for e in range(start[s, u], start[s, u] + bound[s, u]):
                by_item[item[judgement[e]], s] += gains[e]
    return by_item


@kernel(steps=lambda start, bound, judgement, *_: len(judgement) * len(start))
def of_pairs(start, bound, judgement, first, gains, a, b, gammas):
    """Return sums over each pair's differences, (4, n_pairs), and spreads (n_gammas, n_pairs).

    `a` and `b`, int64 (n_pairs,), are the leaders and the others, and `first`, int64
    (n_users + 1,), is where the judgements of each user begin. The sums, whose rows are `ROWS`, are
    the numbers of user-item pairs by which the leader gains more, and less, and the positive and
    the negative parts; spreads are those of `most_spread`.
    """
    n_users, n_pairs, most = bound.shape[1], len(a), 0
    for u in range(n_users):
        most = max(most, first[u + 1] - first[u])
    rest, plus, minus = np.zeros(most), np.empty(n_users), np.empty(n_users)
    sums, spread = np.zeros((4, n_pairs)), np.empty((len(gammas), n_pairs))
    for p in range(n_pairs):
        x, y, n = a[p], b[p], 0
        for u in range(n_users):
            more, less = 0.0, 0.0
            for e in range(start[x, u], start[x, u] + bound[x, u]):
                rest[judgement[e] - first[u]] = gains[e]
            for e in range(start[y, u], start[y, u] + bound[y, u]):
                d = rest[judgement[e] - first[u]] - gains[e]
                rest[judgement[e] - first[u]] = 0.0
                more += d if d > 0.0 else 0.0
                less -= d if d < 0.0 else 0.0
                sums[0, p] += d > 0.0
                sums[1, p] += d < 0.0
            for e in range(start[x, u], start[x, u] + bound[x, u]):
                d = rest[judgement[e] - first[u]]  # 0 where both list the item
                rest[judgement[e] - first[u]] = 0.0
                more += d if d > 0.0 else 0.0
                less -= d if d < 0.0 else 0.0
                sums[0, p] += d > 0.0
                sums[1, p] += d < 0.0
            sums[2, p] += more
            sums[3, p] += less
            plus[n], minus[n] = more, less
            n += more + less > 0.0
        spread[:, p] = most_spread(plus[:n], minus[:n], gammas)
    return sums, spread


@kernel(steps=lambda by_level, *_: by_level.size * by_level.shape[1] * 20)
def first_roots(by_level, spread, steps, finest):
    """Return the first root of each pair's difference in a direction, float64 (n_pairs,); or NaN.

    `by_level`, float64 (n_levels, n_systems), are gains, `spread` the logarithms L of weights at
    1, and `steps`, (finest + 1, n_levels), the factors exp(w L) for w = 1, 1/2, ..., 2^-finest.
    The difference of a pair is positive at 0 and searched up to 2; see
    `popularity_exponents`.
    """
    n_levels, n_systems = by_level.shape
    roots = np.full(n_systems * (n_systems - 1) // 2, np.nan)
    at, beyond, size = np.empty(n_levels), np.empty(n_levels), np.empty(n_levels)
    end, p = 2 * 2**finest, -1
    for a in range(n_systems - 1):
        for b in range(a + 1, n_systems):
            p += 1
            for k in range(n_levels):
                at[k], size[k] = 1.0, by_level[k, a] - by_level[k, b]
            left, level = 0, 0
            more, less, rise = _parts(size, spread, at)
            if more <= less:
                continue
            while left < end:
                width = 1.0 / 2**level
                for k in range(n_levels):
                    beyond[k] = at[k] * steps[level, k]
                more_there, less_there, rise_there = _parts(size, spread, beyond)
                positive = more_there > less_there and (
                    more + width * rise > less_there or more_there - width * rise_there > less
                )
                if positive:
                    at, beyond = beyond, at
                    more, less, rise = more_there, less_there, rise_there
                    left += 2 ** (finest - level)
                    if level > 0 and left % 2 ** (finest - level + 1) == 0:
                        level -= 1
                elif level < finest:
                    level += 1
                else:  # a chord, where it has another sign at the other end
                    here, there = more - less, less_there - more_there
                    share = here / (here + there) if there > 0.0 else 0.5
                    roots[p] = left / 2**finest + width * share
                    break
            if left >= end and more - less <= NEAR * more:
                roots[p] = 2.0
    return roots


@kernel
def _parts(size, spread, weight):
    """Return the sums of the positive and of the negative parts, and the slope of the former."""
    more, less, rise = 0.0, 0.0, 0.0
    for k in range(len(size)):
        part = size[k] * weight[k]
        positive = part if part > 0.0 else 0.0
        more += positive
        less += positive - part
        rise += positive * spread[k]
    return more, less, rise


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


def popularity_exponents(by_item: Floats, number: Integers) -> Floats:
    """Return the least exponent of popularity at which each pair of systems ties.

    ::

        the least |a| <= 2 with f(a) = sum_i d_i (n_i + 1)^-a = 0

    with d_i = G_A(i) - G_B(i), the difference of what the two gain by item i over all users, and
    n_i its number of training ratings. At a > 0, hits on popular items weigh less, and at a < 0
    more; of both at the same distance, the positive one counts.

    `by_item`, float64 (n_items, n_systems), are gains, in whole numbers of a unit, of systems whose
    sums do not increase; `number`, int64 (n_items,), are n_i. Returns float64 (n_pairs,), for a < b
    in the order of `numpy.triu_indices`: 0 for a pair of equal sums, and NaN where there is none.

    No root is missed: f is the difference of two sums of exponentials, which are convex. In an
    interval whose left end is positive, f is where the tangent of the first sum at either end
    exceeds the chord of the second at both; intervals are halved until they are so, or until they
    are 2^-20 wide: then f changes its sign there, or comes that near to 0 that it touches it.
    """
    totals = by_item.sum(axis=0)
    first, second = np.triu_indices(by_item.shape[1], k=1)
    levels, level = np.unique(number, return_inverse=True)
    by_level = np.array([np.bincount(level, own, len(levels)) for own in by_item.T]).T
    some = by_level.any(axis=1)
    if not some.any():
        return np.zeros(len(first))
    by_level = np.ascontiguousarray(by_level[some])
    spread = np.log1p(levels[some])
    size = np.abs(by_level)
    spread -= (size.sum(axis=1) * spread).sum() / size.sum()  # a factor of f moves no root
    widths = 0.5 ** np.arange(FINEST + 1)[:, None]
    lower, higher = (
        first_roots(by_level, own, np.exp(widths * own), FINEST) for own in (-spread, spread)
    )
    exponent = np.where(
        np.nan_to_num(lower, nan=np.inf) <= np.nan_to_num(higher, nan=np.inf), lower, -higher
    )
    return np.where(totals[first] == totals[second], 0.0, np.round(exponent, DECIMALS))
