"""A synthetic study: ratings for training and testing, and systems that know them less and less."""

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import Scores
from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.recommenders.rank import rank

N_ITEMS, DEPTH = 40, 20


class Fixed:
    """A recommender whose scores are given."""

    def __init__(self, scores):
        self.scores = scores

    def score(self, users):
        return self.scores[users].copy()


def evaluation(measures):
    """Return how systems are evaluated by these measures, as an analysis is told."""
    return {
        "threshold": 4,
        "measures": measures,
        "metrics": [*dict.fromkeys(measure.partition("@")[0] for measure in measures)],
        "profile": "paper",
        "without_relevant": None,
        "aggregate": "mean",
    }


def study(n_users=60, n_systems=5, seed=7, trained=0.3, tested=0.3):
    """Return train, test and the rankings of systems that are noisier and noisier."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(n_users, N_ITEMS)) + rng.normal(size=N_ITEMS)
    state = rng.random(truth.shape)
    rating = np.clip(np.round(3 + truth), 1, 5).astype(np.float32)
    train, test = (
        sp.csr_matrix(np.where(part, rating, 0).astype(np.float32))
        for part in (state < trained, state > 1 - tested)
    )
    rankings = {
        f"system-{n}": rank(Fixed(truth + n * rng.normal(size=truth.shape)), train, test, DEPTH)
        for n in range(n_systems)
    }
    return train, test, rankings


def masked(test, keep):
    """Return a test matrix that has only the ratings of a mask."""
    coo = test.tocoo()
    return sp.csr_matrix((coo.data[keep], (coo.row[keep], coo.col[keep])), shape=test.shape)


def scores(test, rankings, measures):
    """Return every user's values of the systems by the measures."""
    judgements = Judgements.of(test, 4)
    lists = [Lists.of(ranking, judgements) for ranking in rankings.values()]
    values = evaluate(judgements, lists, measures, depth=DEPTH)
    return Scores(values, judgements.users, np.array([*rankings]), np.array(measures))


def times_of_users(draws):
    """Return how often each draw counts each user, (1 + n_resamples, n_users)."""
    return draws.times[:, draws.group]
