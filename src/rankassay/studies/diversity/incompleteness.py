"""Experiment 3: is alpha-beta-nDCG robust to missing ratings?

Parapar and Radlinski, RecSys 2021, section 5.4 and figure 4. The systems are random shuffles of the
ideal lists, so that they differ by chance only, and their ranking is easily disturbed.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Ratings
from rankassay.kernels import kernel
from rankassay.metrics.diversity.cascade import TIE, Model, logarithmic
from rankassay.metrics.diversity.lists import Interests
from rankassay.metrics.diversity.metrics import unified_model
from rankassay.metrics.totals import ratio
from rankassay.progress import progress
from rankassay.seeds import generator
from rankassay.selection import sort_by
from rankassay.statistics.orders import DECIMALS
from rankassay.statistics.rank_correlation import tau_b
from rankassay.studies.diversity.ideal import IdealOrder, ground_truth_of
from rankassay.types import Booleans, Floats, Integers

ALPHA = 0.005  # of alpha-beta-nDCG
AT_ONCE = 25  # parts that are evaluated together: what a user thinks fits the first cache


def run(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    aspects: Ratings,
    evaluation: dict,
    seed: int,
    *,
    cutoffs: Sequence[int],
    betas: Sequence[float],
    levels: Sequence[float],
    systems: int,
    samples: int,
    depth: int,
    ground_truth: str,
) -> pd.DataFrame:
    """Correlate the ranking of systems on parts of the ground truth with that on the whole.

    Returns
    -------
    DataFrame
        Columns metric, beta, cutoff, level, samples, tau (Kendall's tau-b, the mean over samples),
        low, high (2.5 and 97.5 percentiles over samples).
    """
    interests = ground_truth_of(train, test, aspects, evaluation, ground_truth)
    ideal = IdealOrder.of(interests)
    orders = np.array([shuffled(ideal, depth, seed, s) for s in range(systems)])
    depths = np.array(cutoffs, dtype=np.int64)
    models = [unified_model(interests, ALPHA, beta) for beta in betas]
    everything = np.ones((1, len(interests.item)), dtype=bool)
    reference = means(models, interests, orders, everything, depths, depth)
    rows = []
    for level in progress(levels, "levels of sparsity"):
        found: list[Floats] = []
        for own in np.array_split(np.arange(samples), -(-samples // AT_ONCE)):
            parts = np.array([proportional_part(interests, level, seed, n) for n in own])
            own_means = means(models, interests, orders, parts, depths, depth)
            found.append(tau_b(own_means, reference))
        taus = np.concatenate(found)
        mean, (low, high) = taus.mean(axis=0), np.percentile(taus, [2.5, 97.5], axis=0)
        rows += [
            ("alpha_beta_nDCG", beta, cutoff, level, samples, mean[b, c], low[b, c], high[b, c])
            for b, beta in enumerate(betas)
            for c, cutoff in enumerate(cutoffs)
        ]
    columns = ["metric", "beta", "cutoff", "level", "samples", "tau", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def shuffled(ideal: IdealOrder, depth: int, seed: int, system: int) -> Integers:
    """Put the ideal lists in random order, int64 (n_judged,): judgements, -1 beyond the list."""
    start, row = ideal.interests.start, ideal.interests.row
    place = np.arange(len(row)) - start[row]
    listed = (place < depth) & (ideal.order >= 0)
    draws = generator(seed, "shuffles", system).random(len(row))
    order = _by_user(start, (~listed).astype(np.float64), draws)
    return np.where(listed[order], ideal.order[order], -1)


def proportional_part(interests: Interests, level: float, seed: int, number: int) -> Booleans:
    """Keep `level` percent of the judgements, bool (n_judged,), and of those of each aspect.

    Each item counts for one of its aspects, drawn at random (the paper does not say what an item of
    several counts for). The user's items are put in random order within each aspect, the aspects
    behind one another in random order, and every k-th of this row is removed: of the user's items
    as of those of each aspect the share to be removed is, to one item. The part depends on the
    seed, the level and its number alone.
    """
    rng = generator(seed, "proportional removal", f"{level:g}", number)
    aspects, n = interests.aspects, len(interests.item)
    first = aspects.start[interests.item]
    shown = aspects.start[interests.item + 1] - first
    drawn = np.minimum(first + (rng.random(n) * shown).astype(np.int64), len(aspects.aspect) - 1)
    counts_for = np.where(shown > 0, aspects.aspect[drawn], aspects.n_aspects)
    turn = rng.random((interests.n_users, aspects.n_aspects + 1))[interests.row, counts_for]
    order = _by_user(interests.start, turn, rng.random(n))
    share = 1 - level / 100
    begin = rng.random(interests.n_users)[interests.row]
    place = np.arange(n) - interests.start[interests.row]
    # Rounded, so that the last bits of products do not decide which item goes.
    before, after = (np.floor(np.round(p * share + begin, 9)) for p in (place, place + 1))
    keep = np.empty(n, dtype=bool)
    keep[order] = before == after
    return keep


@kernel
def _by_user(start, first, second):
    """Return np.lexsort((second, first, users)), faster as users are in order."""
    order, space = np.arange(len(first)), np.empty(len(first), dtype=np.int64)
    for u in range(len(start) - 1):
        own = order[start[u] : start[u + 1]]
        sort_by(second, own, space)
        sort_by(first, own, space)
    return order


def means(
    models: Sequence[Model],
    interests: Interests,
    orders: Integers,
    parts: Booleans,
    cutoffs: Integers,
    depth: int,
) -> Floats:
    """Return means over users on parts of judgements, (n_parts, n_models, n_cutoffs, n_systems).

    `orders` (n_systems, n_judged) are as `shuffled` makes them, `parts` (n_parts, n_judged) say
    what is kept; users without a judgement left have no ideal list and score 0.
    """
    start, item, aspects = interests.start, interests.item, interests.aspects
    known = np.array([model.relevance(interests.rating) for model in models])
    unknown = np.array([model.relevance(np.array([np.nan]))[0] for model in models])
    rest = (aspects.start, aspects.aspect, interests.weights, logarithmic(depth), cutoffs)
    scale = ratio(1.0, _ideal_sums(start, item, known, parts, *rest))
    sums = _sums(start, orders, item, known, unknown, parts, *rest, scale).reshape(
        len(cutoffs), len(orders), len(models), len(parts)
    )
    return (sums / interests.n_users).round(DECIMALS).transpose(3, 2, 0, 1)


@kernel(steps=lambda start, item, known, parts, *rest: known.size * len(parts) * len(rest[3]))
def _ideal_sums(start, item, known, parts, aspect_start, aspect, weights, discount, cutoffs):
    """Return the discounted gains of the ideal lists, (n_users, n_cutoffs, n_lanes).

    It is what `Model.ideal` and `down_to` make of each model on each part; lanes are those of
    `_sums`, for the same reason.
    """
    n_lanes, n_aspects = len(known) * len(parts), weights.shape[1]
    sums = np.zeros((len(start) - 1, len(cutoffs), n_lanes))
    left, total, missed = np.empty((n_aspects, n_lanes)), np.empty(n_lanes), np.empty(n_lanes)
    best, which = np.empty(n_lanes), np.empty(n_lanes, dtype=np.int64)
    relevance, nothing = np.empty((_largest_count(start), n_lanes)), np.zeros(len(known))
    for u in range(len(start) - 1):
        own = item[start[u] : start[u + 1]]
        _worth(start[u], start[u + 1], known, nothing, parts, relevance)
        for a in range(n_aspects):
            left[a] = weights[u, a]
        total[:] = 0.0
        c = 0
        for k in range(min(len(own), len(discount))):
            _choose(own, relevance, left, aspect_start, aspect, missed, best, which)
            gained = False
            for n in range(n_lanes):
                i = which[n]
                if i >= 0:
                    gained = True
                    total[n] += best[n] * discount[k]
                    for q in range(aspect_start[own[i]], aspect_start[own[i] + 1]):
                        left[aspect[q], n] *= 1.0 - relevance[i, n]
                    relevance[i, n] = 0.0  # so that it gains nothing further down
            # Lane by lane: arrays that are assigned take numba two seconds more to compile.
            while c < len(cutoffs) and cutoffs[c] == k + 1:
                for n in range(n_lanes):
                    sums[u, c, n] = total[n]
                c += 1
            if not gained:
                break
        for rest in range(c, len(cutoffs)):
            for n in range(n_lanes):
                sums[u, rest, n] = total[n]
    return sums


@kernel
def _choose(own, relevance, left, aspect_start, aspect, missed, best, which):
    """Write the largest gain in each lane and the first item that has it, -1 if none gains."""
    best[:], which[:] = 0.0, -1
    for i in range(len(own)):
        missed[:] = 1.0
        for q in range(aspect_start[own[i]], aspect_start[own[i] + 1]):
            a = aspect[q]
            for n in range(len(best)):
                missed[n] *= 1.0 - relevance[i, n] * left[a, n]
        for n in range(len(best)):
            gain = 1.0 - missed[n]
            better = gain > best[n] * (1.0 + TIE)
            best[n] = gain if better else best[n]
            which[n] = i if better else which[n]


@kernel(steps=lambda start, orders, item, known, unknown, parts, *_: orders.size * len(parts))
def _sums(
    start,
    orders,
    item,
    known,
    unknown,
    parts,
    aspect_start,
    aspect,
    weights,
    discount,
    cutoffs,
    scale,
):
    """Sum over users the discounted gains down to each cut-off, in shares of the ideal ones.

    It is what `Model.total` makes of each system's lists, without the lists. A lane is
    a model on a part, first by model. All lanes go down the same list, and differ only in what its
    items are worth, so that their sums stand side by side in vectors of the processor.
    """
    n_lanes, n_aspects = scale.shape[2], weights.shape[1]
    sums = np.zeros((len(cutoffs), len(orders), n_lanes))
    left, total = np.empty((n_aspects, n_lanes)), np.empty(n_lanes)
    missed, relevance = np.empty(n_lanes), np.empty((_largest_count(start), n_lanes))
    for u in range(len(start) - 1):
        first, length = start[u], min(start[u + 1] - start[u], len(discount))
        _worth(first, start[u + 1], known, unknown, parts, relevance)
        for s in range(len(orders)):
            for a in range(n_aspects):
                for n in range(n_lanes):
                    left[a, n] = weights[u, a]
            total[:] = 0.0
            c = 0
            for k in range(length):
                j = orders[s, first + k]
                if j < 0:
                    break
                missed[:] = 1.0
                for q in range(aspect_start[item[j]], aspect_start[item[j] + 1]):
                    a = aspect[q]
                    for n in range(n_lanes):
                        r, interest = relevance[j - first, n], left[a, n]
                        missed[n] *= 1.0 - r * interest
                        left[a, n] = interest * (1.0 - r)
                for n in range(n_lanes):
                    total[n] += (1.0 - missed[n]) * discount[k]
                while c < len(cutoffs) and cutoffs[c] == k + 1:
                    for n in range(n_lanes):
                        sums[c, s, n] += total[n] * scale[u, c, n]
                    c += 1
            for rest in range(c, len(cutoffs)):
                for n in range(n_lanes):
                    sums[rest, s, n] += total[n] * scale[u, rest, n]
    return sums


@kernel
def _largest_count(start):
    """Return the largest number of judgements of a user."""
    most = 0
    for u in range(len(start) - 1):
        most = max(most, start[u + 1] - start[u])
    return most


@kernel
def _worth(first, last, known, unknown, parts, relevance):
    """Write the worth of each of a user's judged items in each lane, (n_judged, n_lanes)."""
    n_parts = len(parts)
    for j in range(first, last):
        for m in range(len(known)):
            for p in range(n_parts):
                kept = parts[p, j]
                relevance[j - first, m * n_parts + p] = known[m, j] if kept else unknown[m]
