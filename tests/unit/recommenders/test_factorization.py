import json
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.recommenders import factorization
from rankassay.recommenders.als_kernels import CHUNK
from rankassay.recommenders.factorization import WRMF, PureSVD, factor_scores, least_squares

REFERENCE = Path(__file__).parents[2] / "reference" / "recommenders_golden.json"
GOLDEN = json.loads(REFERENCE.read_text())
TOY = sp.csr_matrix(np.float32(GOLDEN["R"]))


def ratings(n_users, n_items, seed=3):
    rng = np.random.default_rng(seed)
    shape = (n_users, n_items)
    dense = rng.integers(1, 6, shape) * (rng.random(shape) < 0.15)
    dense[np.arange(n_users), rng.integers(0, n_items, n_users)] = 4
    dense[rng.integers(0, n_users, n_items), np.arange(n_items)] = 3
    return sp.csr_matrix(dense.astype(np.float32))


@pytest.mark.slow
def test_rows_do_not_depend_on_the_users_asked_for():
    rng = np.random.default_rng(0)
    users, items = rng.standard_normal((300, 50)), rng.standard_normal((700, 50))
    everybody = factor_scores(np.arange(300), users, items)
    np.testing.assert_allclose(everybody, users @ items.T, atol=1e-12)
    for asked in ([299], [0, 299], [5, 3, 200, 5], range(100, 257), rng.permutation(300)):
        asked = np.array(asked)
        np.testing.assert_array_equal(factor_scores(asked, users, items), everybody[asked])


@pytest.mark.slow
@pytest.mark.parametrize("iterative", [False, True])
@pytest.mark.parametrize("shape", [(80, 50), (50, 80)])
def test_puresvd_is_the_projection_on_dense_singular_vectors(shape, iterative, monkeypatch):
    if iterative:
        monkeypatch.setattr(factorization, "DENSE", 0)
    train = ratings(*shape)
    scores = PureSVD(factors=7).fit(train, seed=1).score(np.arange(shape[0], dtype=np.int32))
    first = np.linalg.svd(train.toarray().astype(np.float64))[2][:7].T
    np.testing.assert_allclose(scores, train.toarray() @ first @ first.T, atol=1e-10)


def test_randomized_puresvd_is_close(monkeypatch):
    monkeypatch.setattr(factorization, "DENSE", 0)
    train = ratings(80, 50)
    users = np.arange(80, dtype=np.int32)
    models = [PureSVD(7, solver).fit(train, seed=1) for solver in ("lanczos", "randomized")]
    exact, close = (m.score(users) for m in models)
    assert 0 < np.linalg.norm(close - exact) < 0.1 * np.linalg.norm(exact)
    again = PureSVD(7, "randomized").fit(train, seed=1).score(users)
    np.testing.assert_array_equal(close, again)
    with pytest.raises(RankassayError, match="unknown solver 'random'; did you mean 'randomized'"):
        PureSVD(7, "random").fit(train, seed=1)


def test_puresvd_needs_fewer_factors_than_users_and_items():
    for factors in (0, 5):
        with pytest.raises(RankassayError, match=f"from 1 to 4 .* 5 x 6, found {factors}"):
            PureSVD(factors).fit(TOY, seed=1)


def test_rating_step_equals_the_reference():
    solved = least_squares(TOY, np.array(GOLDEN["WRMF_Y"]), regularization=0.1, alpha=1.0)
    np.testing.assert_allclose(solved, GOLDEN["WRMF_X_rating_RankSys"], atol=2e-6)


def brute_force_step(train, items, regularization, alpha, binary):
    """Solve each user's normal equations over all items, unrated ones included."""
    users = np.zeros((train.shape[0], items.shape[1]))
    for user, row in enumerate(train.toarray().astype(np.float64)):
        weights = np.diag(1 + alpha * row)
        target = (row > 0).astype(np.float64) if binary else row
        system = items.T @ weights @ items + regularization * np.eye(items.shape[1])
        users[user] = np.linalg.solve(system, items.T @ weights @ target)
    return users


def test_rating_step_equals_brute_force():
    train = ratings(30, 20)
    items = np.random.default_rng(1).standard_normal((20, 4))
    expected = brute_force_step(train, items, 0.5, 0.3, binary=False)
    np.testing.assert_allclose(least_squares(train, items, 0.5, 0.3), expected, rtol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("n_factors", [1, 2, 3, 4, 5, 7, 8, 50, 51])
def test_rating_step_equals_brute_force_whatever_the_size(n_factors):
    # The first user has more ratings than are multiplied at a time, the second none.
    train = ratings(6, 300).tolil()
    train[0], train[1] = 2, 0
    train = train.tocsr()
    assert train[0].nnz > 2 * CHUNK
    items = np.random.default_rng(n_factors).standard_normal((300, n_factors))
    expected = brute_force_step(train, items, 0.5, 0.3, binary=False)
    np.testing.assert_allclose(least_squares(train, items, 0.5, 0.3), expected, rtol=1e-9)
    assert not least_squares(train, items, 0.5, 0.3)[1].any()


def test_rating_step_without_weights_is_ridge_regression():
    train = ratings(30, 20)
    items = np.random.default_rng(1).standard_normal((20, 4))
    expected = train @ items @ np.linalg.inv(items.T @ items + 0.5 * np.eye(4))
    np.testing.assert_allclose(least_squares(train, items, 0.5, 0.0), expected, rtol=1e-9)


def test_brute_force_binary_step_equals_the_reference():
    expected = brute_force_step(TOY, np.array(GOLDEN["WRMF_Y"]), 0.1, 1.0, binary=True)
    np.testing.assert_allclose(expected, GOLDEN["WRMF_X_binary"], atol=2e-6)


def test_binary_is_a_fixed_point_of_the_formula():
    train = ratings(30, 20)
    model = WRMF(factors=3, regularization=0.5, alpha=0.7, iterations=3000, target="binary")
    model.fit(train, seed=1)
    for matrix, found, fixed in (
        (train, model.user_factors_, model.item_factors_),
        (train.T.tocsr(), model.item_factors_, model.user_factors_),
    ):
        expected = brute_force_step(matrix, fixed, 0.5, 0.7, binary=True)
        np.testing.assert_allclose(found, expected, atol=1e-6)


def objective(model, train):
    dense = train.toarray().astype(np.float64)
    target = dense if model.target == "rating" else (dense > 0).astype(np.float64)
    errors = (target - model.user_factors_ @ model.item_factors_.T) ** 2
    norms = (model.user_factors_**2).sum() + (model.item_factors_**2).sum()
    return ((1 + model.alpha * dense) * errors).sum() + model.regularization * norms


@pytest.mark.parametrize("target", ["rating", "binary"])
def test_objective_never_increases(target):
    train = ratings(40, 25)
    values = [
        objective(WRMF(factors=5, iterations=n, target=target).fit(train, seed=1), train)
        for n in range(1, 12)
    ]
    assert (np.diff(values) <= 1e-9 * values[0]).all()
    assert values[-1] < 0.9 * values[0]


def test_settings_out_of_range_are_refused():
    with pytest.raises(RankassayError, match="unknown target 'ratings'; did you mean 'rating'"):
        WRMF(target="ratings").fit(TOY, seed=1)
    with pytest.raises(RankassayError, match="regularization > 0"):
        WRMF(regularization=0.0).fit(TOY, seed=1)
    with pytest.raises(RankassayError, match="ratings >= 0, found -5"):
        WRMF().fit(-TOY, seed=1)
    with pytest.raises(RankassayError, match="wrmf: the factors are not determined"):
        least_squares(TOY, np.ones((6, 3)), 1e-30, 0.1)
