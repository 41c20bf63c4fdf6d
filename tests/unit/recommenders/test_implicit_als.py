import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.recommenders import factorization
from rankassay.recommenders.implicit_als import IALS, least_squares


def ratings(n_users=40, n_items=25, seed=3):
    rng = np.random.default_rng(seed)
    shape = (n_users, n_items)
    dense = rng.integers(1, 6, shape) * (rng.random(shape) < 0.2)
    dense[4] = 0
    dense[:, 7] = 0
    return sp.csr_matrix(dense.astype(np.float32))


def objective(model, train):
    """Return the sum over all pairs, as the class states it."""
    rated = train.toarray() > 0
    products = model.user_factors_ @ model.item_factors_.T
    n_users, n_items = train.shape
    users = (rated.sum(axis=1) + model.alpha0 * n_items) ** model.nu
    items = (rated.sum(axis=0) + model.alpha0 * n_users) ** model.nu
    norms = users @ (model.user_factors_**2).sum(axis=1)
    norms += items @ (model.item_factors_**2).sum(axis=1)
    errors = ((1 - products[rated]) ** 2).sum() + model.alpha0 * (products**2).sum()
    return errors + model.regularization * norms


@pytest.mark.parametrize("nu", [0.0, 0.5, 1.0])
def test_objective_never_increases(nu):
    train = ratings()
    values = [
        objective(IALS(factors=5, nu=nu, iterations=n).fit(train, seed=1), train)
        for n in range(1, 12)
    ]
    assert (np.diff(values) <= 1e-9 * values[0]).all()
    assert values[-1] < 0.9 * values[0]


@pytest.mark.parametrize("nu", [0.0, 1.0])
def test_objective_is_flat_at_the_end(nu):
    train = ratings()
    model = IALS(factors=3, regularization=0.05, nu=nu, iterations=2000).fit(train, seed=1)
    least = objective(model, train)
    rng = np.random.default_rng(0)
    for factors in (model.user_factors_, model.item_factors_):
        change = 1e-4 * rng.standard_normal(factors.shape)
        values = []
        for step in (change, -change):
            factors += step
            values.append(objective(model, train))
            factors -= step
        # The slope is the difference; the curvature makes both larger.
        assert abs(values[0] - values[1]) < 1e-3 * (values[0] + values[1] - 2 * least)
        assert min(values) > least


def test_step_equals_brute_force():
    train = ratings()
    items = np.random.default_rng(1).standard_normal((25, 4))
    penalties = np.linspace(0.1, 2, 40)
    expected = np.zeros((40, 4))
    for user, row in enumerate(train.toarray() > 0):
        weights = np.diag(0.3 + row)
        system = items.T @ weights @ items + penalties[user] * np.eye(4)
        expected[user] = np.linalg.solve(system, items.T @ row)
    np.testing.assert_allclose(least_squares(train, items, 0.3, penalties), expected, rtol=1e-9)


def test_equal_penalties_give_weighted_matrix_factorization():
    # Completing the square turns the two terms of a rated pair into WRMF's one with confidence
    # 1 + 1 / alpha0 and target 1 / (1 + alpha0), everything divided by alpha0.
    train, alpha0, penalty = ratings(), 0.3, 0.7
    items = np.random.default_rng(1).standard_normal((25, 4))
    targets = train.astype(np.float64)
    targets.data[:] = 1 / (1 + alpha0)
    expected = factorization.least_squares(
        targets, items, penalty / alpha0, alpha=(1 + alpha0) / alpha0
    )
    found = least_squares(train, items, alpha0, np.full(40, penalty))
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_only_whether_an_item_is_rated_counts():
    train = ratings()
    ones = train.copy()
    ones.data[:] = 1
    users = np.arange(40, dtype=np.int32)
    one, other = (IALS(factors=3).fit(matrix, seed=1).score(users) for matrix in (train, ones))
    np.testing.assert_array_equal(one, other)


def test_settings_out_of_range_are_refused():
    with pytest.raises(RankassayError, match="alpha0 > 0"):
        IALS(alpha0=0).fit(ratings(), seed=1)
    with pytest.raises(RankassayError, match="regularization > 0"):
        IALS(regularization=0).fit(ratings(), seed=1)
