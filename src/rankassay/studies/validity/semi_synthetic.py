"""Semi-synthetic worlds: a real matrix, completed by a model, is taken for the truth.

It is not what the users would say: it is what a model says that they would. What is observed of it
under a known bias shows what the bias does to metrics on data of such a form, and no more.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import together
from rankassay.recommenders.rating_factorization import SVD
from rankassay.seeds import derive, generator
from rankassay.statistics.popularity import popularity
from rankassay.studies.validity.simulation import in_worlds
from rankassay.studies.validity.summary import worlds
from rankassay.studies.validity.worlds import World, check_cells, standard
from rankassay.types import Floats, Integers


def run(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    evaluation: dict,
    seed: int,
    *,
    users: int,
    items: int,
    biases: Sequence[str],
    repetitions: int,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    density: float,
    strengths: Sequence[float],
) -> pd.DataFrame:
    """Observe a completed part of a dataset under each bias, and compare the rankings of systems.

    The result is
    that of `rankassay.studies.validity.summary.worlds`, in which a world is one draw of the
    observed ratings: all have the same truth, and intervals do not extend to other truths.
    """
    world = completed(together(train, test), evaluation["threshold"], users, items, seed)
    drawn = dict.fromkeys(range(repetitions), world)
    how = {"metrics": metrics, "cutoffs": cutoffs, "density": density, "strengths": strengths}
    cases = {bias: in_worlds(drawn, seed, evaluation, bias=bias, **how) for bias in biases}
    return worlds(seed, world_resamples=0, **cases).table


def completed(ratings: sp.csr_matrix, threshold: float, users: int, items: int, seed: int) -> World:
    """Return a part of a dataset, whose ratings a model completed, as a world.

    The model is the biased SVD of `rankassay.recommenders.rating_factorization`, fitted to all
    ratings. Users and items are drawn at random from those with ratings, `users` and `items` at
    most. What a user would say is the prediction, and a residual drawn from those of the fit; it is
    rounded to the nearest rating that the dataset has. An item's exposure is the logarithm of its
    number of ratings, and a user's activity that of theirs, both standardised. Where the lowest
    rating is 0 or below, all are raised, and so is the threshold, so that it is 1: a cell of 0 is
    an empty one.

    Raises RankassayError for more than `rankassay.studies.validity.worlds.MOST_CELLS` ratings.
    """
    rng = generator(seed, "semi-synthetic")
    counts = np.diff(ratings.indptr), popularity(ratings)
    own_users, own_items = (
        np.sort(rng.permutation(np.flatnonzero(n))[:most])
        for n, most in zip(counts, (users, items), strict=True)
    )
    check_cells(len(own_users), len(own_items))
    model = SVD().fit(ratings, derive(seed, "semi-synthetic"))
    row = np.repeat(np.arange(ratings.shape[0]), np.diff(ratings.indptr))
    residuals = ratings.data - _predicted(model, row, ratings.indices)
    predicted = _predicted(model, own_users[:, None], own_items)
    said = predicted + rng.choice(residuals, predicted.shape)
    known = np.unique(ratings.data)
    rating = known[np.searchsorted((known[1:] + known[:-1]) / 2, said)]
    exposure, activity = (
        standard(np.log(n[own]))
        for n, own in zip(counts[::-1], (own_items, own_users), strict=True)
    )
    raised = 1.0 - float(known[0]) if known[0] <= 0 else 0.0
    return World((rating + raised).astype(np.float32), threshold + raised, exposure, activity)


def _predicted(model: SVD, users: Integers, items: Integers) -> Floats:
    """Return the predictions for pairs, whose indices are broadcast against each other."""
    found = np.zeros(np.broadcast_shapes(users.shape, items.shape))
    for p, q in zip(model.user_factors_.T, model.item_factors_.T, strict=True):
        found += p[users] * q[items]
    return found
