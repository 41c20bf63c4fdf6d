import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.recommenders.rating_factorization import BATCH, SVD, _descend, _step


def ratings(n_users=60, n_items=40, density=0.3, seed=3):
    rng = np.random.default_rng(seed)
    shape = (n_users, n_items)
    return sp.csr_matrix(np.float32(rng.integers(1, 6, shape) * (rng.random(shape) < density)))


def scores_of(model, train):
    users = np.arange(train.shape[0], dtype=np.int32)
    return model.fit(train, seed=1).score(users)


def losses(model, train):
    scores = scores_of(model, train)[train.nonzero()]
    return np.mean((scores - train.data) ** 2)


def loss(flat, n_factors, target, regularization, biased):
    """Half the loss of one rating, by the user's parameters and then the item's."""
    p, q = np.split(flat, 2)
    x = p[:n_factors] @ q[:n_factors]
    if biased:
        x += p[n_factors] + q[n_factors]
    return 0.5 * (target - x) ** 2 + 0.5 * regularization * (flat @ flat)


@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("n_factors", [0, 1, 3, 6, 9])
def test_step_is_along_the_gradient(n_factors, biased):
    if n_factors == 0 and not biased:
        return
    rng = np.random.default_rng(n_factors)
    free = rng.standard_normal(2 * (n_factors + biased))
    rate, regularization, target = 1e-3, 0.3, 1.7
    gradient = np.empty(len(free))
    for at in range(len(free)):
        shift = np.zeros(len(free))
        shift[at] = 1e-6
        values = (
            loss(free + sign * shift, n_factors, target, regularization, biased) for sign in (1, -1)
        )
        gradient[at] = np.subtract(*values) / 2e-6
    p, q = np.split(free.copy(), 2)
    if biased:
        p, q = np.append(p, 1.0), np.insert(q, n_factors, 1.0)
    _step(p, q, target, (n_factors, rate, regularization))
    if biased:
        assert p[-1] == q[n_factors] == 1.0
        p, q = p[:-1], np.delete(q, n_factors)
    np.testing.assert_allclose((free - np.concatenate((p, q))) / rate, gradient, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("n_ratings", [0, 1, BATCH - 1, BATCH, BATCH + 1, 3 * BATCH + 5])
def test_every_rating_is_a_step_in_the_order_given(n_ratings):
    rng = np.random.default_rng(n_ratings)
    factors = [rng.standard_normal((n, 3)) * 0.1 for n in (9, 7)]
    owners, items = (rng.integers(n, size=n_ratings).astype(np.int32) for n in (9, 7))
    data, order = rng.integers(1, 6, n_ratings).astype(np.float32), rng.permutation(n_ratings)
    mean, settings = 3.25, (3, 0.05, 0.1)
    users, others = (x.copy() for x in factors)
    for x in order:
        _step(users[owners[x]], others[items[x]], data[x] - mean, settings)
    _descend(tuple(factors), (owners, items, data), order, mean, settings)
    np.testing.assert_array_equal(factors[0], users)
    np.testing.assert_array_equal(factors[1], others)


@pytest.mark.parametrize("biased", [False, True])
def test_loss_falls_with_every_epoch(biased):
    train = ratings()
    settings = {"factors": 5, "learning_rate": 0.005, "regularization": 0.0, "biased": biased}
    values = [losses(SVD(epochs=n, **settings), train) for n in range(0, 60, 5)]
    assert (np.diff(values) < 0).all()
    assert values[-1] < 0.8 * values[0]


def test_a_matrix_of_low_rank_is_recovered():
    rng = np.random.default_rng(0)
    full = rng.uniform(0.5, 1.5, (50, 2)) @ rng.uniform(0.5, 1.5, (2, 40))
    train = sp.csr_matrix(np.float32(full * (rng.random(full.shape) < 0.6)))
    model = SVD(2, learning_rate=0.05, regularization=0.0, epochs=1000, biased=False)
    np.testing.assert_allclose(scores_of(model, train), full, atol=1e-3)


def test_without_biases_heavy_regularization_leaves_nothing():
    scores = scores_of(SVD(4, 0.01, 20.0, 100, biased=False), ratings())
    assert abs(scores).max() < 1e-6


def test_equal_ratings_are_predicted():
    train = ratings()
    train.data[:] = 4
    scores = scores_of(SVD(4, learning_rate=0.02, regularization=2.0, epochs=400), train)
    np.testing.assert_allclose(scores, 4.0, atol=1e-6)


@pytest.mark.slow
def test_without_factors_there_are_biases_only():
    train = ratings()
    model = SVD(0, learning_rate=0.002, regularization=0.5, epochs=1500)
    scores = scores_of(model, train)
    # The optimum of the ridge regression on one indicator for each user and item.
    users, items = train.nonzero()
    rows = np.arange(train.nnz)
    design = np.zeros((train.nnz, 100))
    design[rows, users] = design[rows, 60 + items] = 1.0
    counts = design.sum(axis=0)
    system = design.T @ design + 0.5 * np.diag(counts)
    solution = np.linalg.solve(system, design.T @ (train.data - train.data.mean()))
    expected = train.data.mean() + solution[:60, None] + solution[60:]
    np.testing.assert_allclose(scores, expected, atol=0.02)


def test_user_without_ratings_gets_the_order_by_bias():
    train = ratings()
    train.data[train.indptr[7] : train.indptr[8]] = 0
    train.eliminate_zeros()
    model = SVD(3).fit(train, seed=1)
    scores = model.score(np.arange(60))
    expected = train.data.mean(dtype=np.float64) + model.item_factors_[:, 4]
    np.testing.assert_allclose(scores[7], expected, rtol=1e-12)
    assert np.isinf(scores_of(SVD(3, biased=False), train)[7]).all()


def test_seeds_give_different_models_of_like_quality():
    train = ratings()
    users = np.arange(60, dtype=np.int32)
    first, again, other = (SVD(3).fit(train, seed).score(users) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)
    assert np.corrcoef(first.ravel(), other.ravel())[0, 1] > 0.9


def test_settings_out_of_range_are_refused():
    with pytest.raises(RankassayError, match="learning_rate > 0"):
        SVD(learning_rate=0.0).fit(ratings(), seed=1)
    with pytest.raises(RankassayError, match="lower the learning_rate"):
        SVD(learning_rate=1.0, regularization=5.0, epochs=500).fit(ratings(), seed=1)
