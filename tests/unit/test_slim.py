import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import ElasticNet

from assayer.errors import AssayerError
from assayer.recommenders.slim import SLIM


@pytest.fixture(scope="module")
def train():
    rng = np.random.default_rng(7)
    dense = rng.integers(1, 6, (60, 25)) * (rng.random((60, 25)) < 0.3)
    return sp.csr_matrix(dense.astype(np.float32))


def exact(**settings):
    return SLIM(sweeps=10_000, tolerance=1e-12, **settings)


@pytest.mark.parametrize(("l1", "l2"), [(1, 2), (20, 5), (0.5, 100)])
def test_equals_elastic_net_of_scikit_learn(train, l1, l2):
    weights = exact(l1=l1, l2=l2, neighbours=None).fit(train, seed=1).weights_.toarray()
    ratings = train.toarray().astype(np.float64)
    # scikit-learn divides the squared error by the number of rows.
    model = ElasticNet(
        alpha=(l1 + l2) / len(ratings),
        l1_ratio=l1 / (l1 + l2),
        positive=True,
        fit_intercept=False,
        max_iter=100_000,
        tol=1e-12,
    )
    for item in range(ratings.shape[1]):
        others = ratings.copy()
        others[:, item] = 0
        expected = model.fit(others, ratings[:, item]).coef_
        np.testing.assert_allclose(weights[:, item], expected, atol=1e-9)


@pytest.mark.parametrize("neighbours", [None, 8])
def test_optimality_conditions(train, neighbours):
    l1, l2 = 10, 20
    weights = exact(l1=l1, l2=l2, neighbours=neighbours).fit(train, seed=1).weights_.toarray()
    gram = (train.T @ train).toarray().astype(np.float64)
    slope = gram - gram @ weights - l1 - l2 * weights
    positive = weights > 0
    np.testing.assert_allclose(slope[positive], 0, atol=1e-7)
    assert (weights >= 0).all()
    assert (np.diag(weights) == 0).all()
    if neighbours is None:
        off_diagonal = ~np.eye(len(gram), dtype=bool)
        assert (slope[~positive & off_diagonal] <= 1e-7).all()
    else:
        assert (positive.sum(axis=0) <= neighbours).all()


def test_column_is_empty_when_l1_is_at_least_its_largest_product(train):
    gram = (train.T @ train).toarray()
    np.fill_diagonal(gram, 0)
    limit = float(np.median(gram.max(axis=0)))
    weights = exact(l1=limit, l2=1, neighbours=None).fit(train, seed=1).weights_.toarray()
    assert ((weights > 0).any(axis=0) == (gram.max(axis=0) > limit)).all()
    model = exact(l1=float(gram.max()), l2=1).fit(train, seed=1)
    assert np.isneginf(model.score(np.arange(3, dtype=np.int32))).all()


def test_binary_ignores_the_size_of_ratings(train):
    ones = train.copy()
    ones.data[:] = 1
    users = np.arange(60, dtype=np.int32)
    settings = {"l1": 1, "l2": 2, "neighbours": None}
    expected = SLIM(**settings).fit(ones, seed=1).score(users)
    np.testing.assert_array_equal(
        SLIM(binary=True, **settings).fit(train, seed=1).score(users), expected
    )


def test_zero_neighbours_are_all(train):
    users = np.arange(60, dtype=np.int32)
    all_items = SLIM(neighbours=None).fit(train, seed=1).score(users)
    np.testing.assert_array_equal(SLIM(neighbours=0).fit(train, seed=1).score(users), all_items)
    np.testing.assert_array_equal(SLIM(neighbours=25).fit(train, seed=1).score(users), all_items)


def test_negative_penalty_is_refused(train):
    with pytest.raises(AssayerError, match="expected l1, l2 >= 0, found -1"):
        SLIM(l1=-1).fit(train, seed=1)
