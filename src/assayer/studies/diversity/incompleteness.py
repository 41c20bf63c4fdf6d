"""Experiment 3: does alpha-beta-nDCG keep the order of systems when ratings are missing?

Parapar and Radlinski, RecSys 2021, section 5.4 and figure 4. The systems are random shuffles of the
ideal lists, so that they differ by chance only: their order is easily disturbed.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import scipy.sparse as sp
from numba import njit

from assayer.artifacts.arrays import Ratings
from assayer.metrics.diversity.alpha_beta_ndcg import unified_model
from assayer.metrics.diversity.cascade import Model, down_to, item_gain, logarithmic
from assayer.metrics.diversity.lists import Interests
from assayer.metrics.totals import ratio
from assayer.progress import progress
from assayer.seeds import generator
from assayer.statistics.orders import DECIMALS
from assayer.statistics.rank_correlation import tau_b
from assayer.studies.diversity.experiments import ground_truth_of
from assayer.studies.diversity.ideal import IdealOrder
from assayer.types import Booleans, Floats, Integers


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
    alpha: float,
    depth: int,
    ground_truth: str,
) -> pd.DataFrame:
    """Correlate the systems' order on parts of the ground truth with that on the whole.

    The settings are those of `assayer.studies.diversity.settings.Incompleteness`.

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
    models = [unified_model(interests, alpha, beta) for beta in betas]
    everything = np.ones(len(interests.item), dtype=bool)
    reference = [means(model, interests, orders, everything, depths, depth) for model in models]
    rows = []
    for level in progress(levels, "levels of sparsity"):
        taus = np.empty((samples, len(betas), len(cutoffs)))
        for sample in range(samples):
            keep = proportional_part(interests, level, seed, sample)
            for b, model in enumerate(models):
                found = means(model, interests, orders, keep, depths, depth)
                taus[sample, b] = tau_b(found, reference[b])
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
    order = np.lexsort((draws, ~listed, row))
    return np.where(listed[order], ideal.order[order], -1)


def proportional_part(interests: Interests, level: float, seed: int, number: int) -> Booleans:
    """Keep `level` percent of the judgements, bool (n_judged,), and of those of each aspect.

    Each item counts for one of its aspects, drawn at random (the paper does not say what an item of
    several counts for). The user's items are put in random order within each aspect, the aspects
    behind one another in random order, and of this row every so many-th goes: of the user's items
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
    order = np.lexsort((rng.random(n), turn, interests.row))
    share = 1 - level / 100
    begin = rng.random(interests.n_users)[interests.row]
    place = np.arange(n) - interests.start[interests.row]
    # Rounded, so that the last bits of products do not decide which item goes.
    before, after = (np.floor(np.round(p * share + begin, 9)) for p in (place, place + 1))
    keep = np.empty(n, dtype=bool)
    keep[order] = before == after
    return keep


def means(
    model: Model,
    interests: Interests,
    orders: Integers,
    keep: Booleans,
    cutoffs: Integers,
    depth: int,
) -> Floats:
    """Return alpha-beta-nDCG on the kept judgements, averaged over users, (n_cutoffs, n_systems).

    `orders` are lists as `shuffled` makes them, int64 (n_systems, n_judged). Users whom nothing is
    left have no ideal list and score 0.
    """
    discount, aspects = logarithmic(depth), interests.aspects
    best = down_to(model.ideal(interests.part(keep), depth), discount, cutoffs)
    relevance = model.relevance(np.where(keep, interests.rating, np.nan))
    lists = (interests.start, orders, interests.item, relevance)
    liked = (aspects.start, aspects.aspect, interests.weights)
    sums = _sums(*lists, *liked, discount, cutoffs, ratio(1.0, best))
    return (sums / interests.n_users).round(DECIMALS)


@njit(cache=True)
def _sums(start, orders, item, relevance, aspect_start, aspect, weights, discount, cutoffs, scale):
    """Sum over users the discounted gains down to each cut-off, in shares of the ideal ones.

    It is what `Model.gains` and `down_to` make of each system's lists, without the lists.
    """
    sums = np.zeros((len(cutoffs), len(orders)))
    left = np.empty(weights.shape[1])
    for u in range(len(start) - 1):
        for s in range(len(orders)):
            left[:] = weights[u]
            total, c = 0.0, 0
            for k in range(len(discount)):
                j = orders[s, start[u] + k] if start[u] + k < start[u + 1] else -1
                if j < 0:
                    break
                shown = aspect[aspect_start[item[j]] : aspect_start[item[j] + 1]]
                total += item_gain(shown, relevance[j], left, True) * discount[k]
                for a in shown:
                    left[a] *= 1.0 - relevance[j]
                while c < len(cutoffs) and cutoffs[c] == k + 1:
                    sums[c, s] += total * scale[u, c]
                    c += 1
            for rest in range(c, len(cutoffs)):
                sums[rest, s] += total * scale[u, rest]
    return sums
