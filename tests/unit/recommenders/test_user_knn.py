import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics.pairwise import cosine_similarity

from rankassay.errors import RankassayError
from rankassay.recommenders import knn
from rankassay.recommenders.baselines import AverageRating
from rankassay.recommenders.knn import UserKNN, fit_together


def ratings():
    rng = np.random.default_rng(4)
    dense = rng.integers(1, 6, (30, 18)) * (rng.random((30, 18)) < 0.3)
    dense[6] = 0
    dense[:, 11] = 0
    return sp.csr_matrix(dense.astype(np.float32))


def brute_force(dense, neighbours, threshold, normalised=False, min_raters=1):
    """Score pair by pair; -inf where too few neighbours rated the item."""
    cosines = cosine_similarity(dense.astype(np.float64))
    scores = np.full(dense.shape, -np.inf)
    for user, row in enumerate(cosines):
        others = [v for v in range(len(dense)) if v != user and row[v] > 0]
        near = sorted(others, key=lambda v: (-round(row[v], 12), v))[:neighbours]
        for item in range(dense.shape[1]):
            raters = [v for v in near if dense[v, item] > 0]
            if len(raters) < min_raters:
                continue
            gains = [max(dense[v, item] - threshold + 1, 0) for v in raters]
            weights = [row[v] for v in raters]
            total = sum(w * g for w, g in zip(weights, gains, strict=True))
            scores[user, item] = total / sum(weights) if normalised else total
    return scores


def scores_of(model):
    return model.fit(ratings(), seed=1).score(np.arange(30, dtype=np.int32))


@pytest.mark.parametrize("neighbours", [3, 10, 100])
@pytest.mark.parametrize("threshold", [3.0, 4.0])
def test_sums_equal_brute_force(neighbours, threshold):
    scores = scores_of(UserKNN(neighbours=neighbours, threshold=threshold))
    expected = brute_force(ratings().toarray(), neighbours, threshold)
    np.testing.assert_allclose(scores, expected, rtol=1e-12)
    assert (scores == 0).any()  # rated by neighbours, but never liked


@pytest.mark.parametrize("min_raters", [1, 3])
@pytest.mark.parametrize("neighbours", [10, 100])
def test_means_equal_brute_force(neighbours, min_raters):
    model = UserKNN(neighbours=neighbours, normalised=True, min_raters=min_raters)
    expected = brute_force(ratings().toarray(), neighbours, 4.0, True, min_raters)
    np.testing.assert_allclose(scores_of(model), expected, rtol=1e-12)


def test_models_fitted_together_are_those_fitted_alone_and_search_once(monkeypatch):
    def models():
        return [
            UserKNN(neighbours=4, threshold=3.0),
            UserKNN(neighbours=100),  # more than there are users
            UserKNN(neighbours=7, normalised=True, min_raters=2),
        ]

    alone = [scores_of(model) for model in models()]
    asked = []
    search = knn.cosine_neighbours
    monkeypatch.setattr(
        knn, "cosine_neighbours", lambda train, k: asked.append(k) or search(train, k)
    )
    together = models()
    fit_together(together, ratings())
    assert asked == [30]
    for model, expected in zip(together, alone, strict=True):
        np.testing.assert_array_equal(model.score(np.arange(30, dtype=np.int32)), expected)
    with pytest.raises(RankassayError, match="neighbours"):
        fit_together([UserKNN(), UserKNN(neighbours=0)], ratings())


def test_equal_ratings_tie_exactly_where_scores_are_means():
    train = ratings()
    train.data[:] = 5
    users = np.arange(30, dtype=np.int32)
    scores = UserKNN(normalised=True).fit(train, seed=1).score(users)
    assert {*np.unique(scores)} == {-np.inf, 2.0}


def test_bounds():
    for wrong in (UserKNN(neighbours=0), UserKNN(min_raters=0)):
        with pytest.raises(
            RankassayError, match="user-knn: expected neighbours >= 1 and min_raters"
        ):
            wrong.fit(ratings(), seed=1)


@pytest.mark.parametrize("threshold", [3.0, 4.0])
def test_average_rating_counts_one_rating_more(threshold):
    dense = ratings().toarray()
    row = AverageRating(threshold).fit(ratings(), seed=1).score(np.arange(2, dtype=np.int32))[1]
    share = (dense >= threshold).sum() / (dense > 0).sum()
    for item, found in enumerate(row):
        own = dense[:, item][dense[:, item] > 0]
        expected = (sum(own >= threshold) + share) / (len(own) + 1) if len(own) else -np.inf
        assert found == pytest.approx(expected, rel=1e-14)
