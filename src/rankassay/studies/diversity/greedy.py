"""How near the greedy ideal lists come to the best ones, found by trying all orders.

Computing the ideal is NP-complete (Parapar and Radlinski, RecSys 2021, section 3.3), and all
normalised diversity metrics take a greedy one. The greedy lists can fall short of it by as much as
this shows.
"""

import itertools
from collections.abc import Sequence

import numpy as np
import pandas as pd

from rankassay.metrics.diversity.cascade import Model, down_to, logarithmic, relevance
from rankassay.metrics.diversity.lists import AspectLists, Interests
from rankassay.metrics.diversity.metrics import unified_model
from rankassay.seeds import generator
from rankassay.studies.diversity.instances import random_users
from rankassay.types import Floats

EQUAL = 1e-12  # gains nearer than this are equal


def run(
    seed: int, *, lengths: Sequence[int], instances: int, alpha: float, betas: Sequence[float]
) -> pd.DataFrame:
    """Compare the discounted gain of greedy ideal lists with the largest of all orders.

    The settings are those of `rankassay.studies.diversity.study.Greedy`. All items are rated, so
    that the alpha of alpha-beta-nDCG does not matter.

    Returns
    -------
    DataFrame
        Columns metric, items, instances, best (in how many the greedy list is the best), mean and
        lowest (of the greedy gain as a share of the best).
    """
    rows = []
    for n in lengths:
        interests = random_users(generator(seed, "greedy", n), instances, n)
        for name, model in _models(interests, alpha, betas).items():
            share = _share(model, interests, n)
            best = int((share > 1 - EQUAL).sum())
            rows.append((name, n, instances, best, share.mean(), share.min()))
    return pd.DataFrame(rows, columns=["metric", "items", "instances", "best", "mean", "lowest"])


def _models(interests: Interests, alpha: float, betas: Sequence[float]) -> dict[str, Model]:
    """Return the user models to compare, by the metric's name."""
    plain = Model(relevance("rating", interests), alpha, "one", False, ("alpha-nDCG", alpha))
    unified = {f"alpha_beta_nDCG(beta={b})": unified_model(interests, 0.0, b) for b in betas}
    return {f"alpha_nDCG(alpha={alpha})": plain} | unified


def _share(model: Model, interests: Interests, n: int) -> Floats:
    """Return the greedy gain as a share of the largest one, float64 (n_users,)."""
    discount, cutoffs = logarithmic(n), np.array([n])
    items = interests.item.reshape(-1, n)
    largest = np.zeros(len(items))
    for order in itertools.permutations(range(n)):
        lists = AspectLists.of(items[:, order], interests)
        largest = np.maximum(largest, model.total(lists, discount, cutoffs)[:, 0])
    return down_to(model.ideal(interests, n), discount, cutoffs)[:, 0] / largest
