import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.recommenders.random_walk import RP3Beta


def ratings():
    rng = np.random.default_rng(5)
    dense = rng.integers(1, 6, (30, 18)) * (rng.random((30, 18)) < 0.2)
    dense[:, 6] = 0
    dense[8] = 0
    return sp.csr_matrix(dense.astype(np.float32))


def shares(dense):
    sums = dense.sum(axis=1, keepdims=True)
    return np.divide(dense, sums, out=np.zeros_like(dense), where=sums > 0)


def brute_force(dense, alpha, beta, neighbours):
    """Walk from each user over each item and each other user, by loops."""
    n_users, n_items = dense.shape
    to_items, to_users = shares(dense), shares(dense.T.copy())
    weights = np.zeros((n_items, n_items))
    for i in range(n_items):
        for j in range(n_items):
            for v in range(n_users):
                if i != j and dense[v, i] and dense[v, j]:
                    weights[i, j] += (to_users[i, v] * to_items[v, j]) ** alpha
            if weights[i, j]:
                weights[i, j] /= np.count_nonzero(dense[:, j]) ** beta
        weights[i, np.argsort(-weights[i], kind="stable")[neighbours:]] = 0
    steps = np.where(dense > 0, to_items**alpha, 0)
    scores = steps @ weights
    return np.where(scores > 0, scores, -np.inf)


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("neighbours", [4, 18])
@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 0.0), (1.0, 0.6), (0.7, 1.3)])
def test_equals_brute_force(alpha, beta, neighbours, binary):
    train = ratings()
    dense = train.toarray().astype(np.float64)
    expected = brute_force(np.sign(dense) if binary else dense, alpha, beta, neighbours)
    model = RP3Beta(alpha=alpha, beta=beta, neighbours=neighbours, binary=binary)
    scores = model.fit(train, seed=1).score(np.arange(30, dtype=np.int32))
    np.testing.assert_allclose(scores, expected, rtol=1e-10)


def test_without_penalty_and_power_the_walk_loses_nothing():
    train = ratings()
    # All walks that do not come back at once: with those that do, they would sum to 1.
    model = RP3Beta(alpha=1.0, beta=0.0, neighbours=18).fit(train, seed=1)
    steps = shares(np.sign(train.toarray()).astype(np.float64))
    back = shares(np.sign(train.toarray()).T.astype(np.float64))
    returning = np.diag(back @ steps)
    scores = model.score(np.arange(30, dtype=np.int32))
    total = np.where(np.isfinite(scores), scores, 0).sum(axis=1) + steps @ returning
    np.testing.assert_allclose(np.delete(total, 8), 1)


def test_settings_out_of_range_are_refused():
    with pytest.raises(RankassayError, match="alpha >= 0"):
        RP3Beta(alpha=-1).fit(ratings(), seed=1)
    with pytest.raises(RankassayError, match="at least 1 neighbour"):
        RP3Beta(neighbours=0).fit(ratings(), seed=1)
