import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import ElasticNet

from rankassay.errors import RankassayError
from rankassay.recommenders import slim
from rankassay.recommenders.neighbourhoods import cosine_neighbours
from rankassay.recommenders.slim import SLIM
from rankassay.recommenders.slim_kernels import START, WHOLE

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def train():
    rng = np.random.default_rng(7)
    dense = rng.integers(1, 6, (60, 25)) * (rng.random((60, 25)) < 0.3)
    return sp.csr_matrix(dense.astype(np.float32))


@pytest.fixture(scope="module")
def wide():
    """More items than are descended on at once, of which the first ten are all but equal."""
    rng = np.random.default_rng(8)
    dense = rng.integers(1, 6, (300, WHOLE + 150)) * (rng.random((300, WHOLE + 150)) < 0.2)
    dense[:, 1:10] = np.where(rng.random((300, 9)) < 0.9, dense[:, :1], dense[:, 1:10])
    return sp.csr_matrix(dense.astype(np.float32))


@pytest.fixture(params=["dense", "sparse"])
def storage(request, monkeypatch):
    if request.param == "sparse":
        monkeypatch.setattr(slim, "DENSE_BYTES", 0)


def exact(**settings):
    return SLIM(sweeps=10_000, tolerance=0, **settings)


def fitted(train, **settings):
    return SLIM(**settings).fit(train, seed=1).weights_.toarray()


def assert_optimal(train, weights, l1, l2, accuracy=1e-7):
    """Check the conditions of Karush, Kuhn and Tucker, the slopes in relation to the products."""
    gram = (train.T @ train).toarray().astype(np.float64)
    slopes = (gram - gram @ weights - l1 - l2 * weights) / gram.max()
    np.fill_diagonal(slopes, 0)
    assert (weights >= 0).all()
    assert (np.diag(weights) == 0).all()
    np.testing.assert_allclose(slopes[weights > 0], 0, atol=accuracy)
    assert slopes.max() <= accuracy


def objectives(train, weights, l1, l2):
    ratings = train.toarray().astype(np.float64)
    losses = ((ratings - ratings @ weights) ** 2).sum(axis=0)
    return losses / 2 + l2 / 2 * (weights**2).sum(axis=0) + l1 * weights.sum(axis=0)


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


@pytest.mark.parametrize(("l1", "l2"), [(10, 20), (0, 20), (10, 0), (0, 0), (40, 1)])
@pytest.mark.parametrize("case", ["random", "duplicates", "equal ratings"])
@pytest.mark.usefixtures("storage")
def test_optimality_conditions(train, case, l1, l2):
    if case == "duplicates":
        train = sp.hstack([train, train[:, :5], train[:, :2]], "csr")
    if case == "equal ratings":
        train = train.copy()
        train.data[:] = 4
    weights = exact(l1=l1, l2=l2, neighbours=None).fit(train, seed=1).weights_.toarray()
    assert (weights > 0).any()
    assert_optimal(train, weights, l1, l2)


@pytest.mark.parametrize(("l1", "l2"), [(10, 20), (0, 20), (10, 0), (0, 0), (1, 500)])
@pytest.mark.usefixtures("storage")
def test_optimality_conditions_beyond_the_working_set(wide, l1, l2):
    weights = fitted(wide, l1=l1, l2=l2, neighbours=None, sweeps=5000, tolerance=1e-12)
    assert_optimal(wide, weights, l1, l2, 1e-5)
    gram = (wide.T @ wide).toarray().astype(np.float64)
    gains = np.maximum(gram - l1, 0) ** 2 / (np.diag(gram)[:, None] + l2)
    np.fill_diagonal(gains, 0)
    first = gains >= np.sort(gains, axis=0)[-START]
    assert (weights[~first] > 0).any(), "the first working set was enough"


@pytest.mark.parametrize(("l1", "l2"), [(10, 20), (10, 0), (0, 0)])
@pytest.mark.parametrize("neighbours", [None, 30, 300])
def test_sparse_gram_matrix_gives_the_same_weights(wide, monkeypatch, neighbours, l1, l2):
    settings = {"l1": l1, "l2": l2, "neighbours": neighbours, "sweeps": 100}
    expected = fitted(wide, **settings)
    monkeypatch.setattr(slim, "DENSE_BYTES", 0)
    np.testing.assert_array_equal(fitted(wide, **settings), expected)


@pytest.mark.parametrize("k", [1, 5, 24, 25])
@pytest.mark.parametrize("equal", [False, True])
@pytest.mark.usefixtures("storage")
def test_features_are_the_items_of_largest_cosine(train, k, equal):
    if equal:
        # Which makes for many ties.
        train = train[:20].copy()
        train.data[:] = 4
    near, _ = cosine_neighbours(train.T.tocsr(), k)
    # With such a penalty every feature has a weight, of about its product in relation to it.
    weights = fitted(train, l1=0, l2=1e6, neighbours=k)
    for item, expected in enumerate(near):
        assert np.flatnonzero(weights[:, item]).tolist() == sorted(expected[expected >= 0])


def test_optimality_conditions_among_the_neighbours(train):
    near, _ = cosine_neighbours(train.T.tocsr(), 8)
    weights = exact(l1=10, l2=20, neighbours=8).fit(train, seed=1).weights_.toarray()
    gram = (train.T @ train).toarray().astype(np.float64)
    slopes = gram - gram @ weights - 10 - 20 * weights
    for item, features in enumerate(near):
        among, slope = weights[features, item], slopes[features, item]
        assert (among > 0).sum() == (weights[:, item] > 0).sum()
        np.testing.assert_allclose(slope[among > 0], 0, atol=1e-7)
        assert (slope <= 1e-7).all()


@pytest.mark.parametrize(("l1", "l2"), [(10, 20), (1, 500), (10, 0), (0, 20)])
@pytest.mark.parametrize("tolerance", [1e-1, 1e-3, 1e-6])
@pytest.mark.parametrize("matrix", ["train", "wide"])
def test_tolerance_bounds_how_far_the_objective_is_above_its_minimum(
    request, matrix, tolerance, l1, l2
):
    train = request.getfixturevalue(matrix)
    settings = {"l1": l1, "l2": l2, "neighbours": None, "sweeps": 10_000}
    found = objectives(train, fitted(train, tolerance=tolerance, **settings), l1, l2)
    best = objectives(train, fitted(train, tolerance=1e-11, **settings), l1, l2)
    assert (found <= best * (1 + tolerance)).all()


@pytest.mark.parametrize("tolerance", [1e-2, 1e-6])
def test_descent_ends_before_the_last_sweep(train, tolerance):
    settings = {"l1": 1, "l2": 2, "neighbours": None}
    few, many, all_of_them = (
        fitted(train, sweeps=sweeps, tolerance=t, **settings)
        for sweeps, t in ((200, tolerance), (10**6, tolerance), (200, 0))
    )
    np.testing.assert_array_equal(few, many)
    assert (few != all_of_them).any()


def test_sweeps_are_the_most_rounds(train, wide):
    assert (fitted(train, sweeps=0) == 0).all()
    for matrix in (train, wide):
        settings = {"l1": 0.1, "l2": 0.1, "neighbours": None, "tolerance": 0}
        one, two, three = (
            objectives(matrix, fitted(matrix, sweeps=n, **settings), 0.1, 0.1) for n in (1, 2, 3)
        )
        assert (one > two).all()
        assert (two > three).all()


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
    with pytest.raises(RankassayError, match="expected l1, l2 >= 0, found -1"):
        SLIM(l1=-1).fit(train, seed=1)


def test_negative_ratings_are_refused(train):
    shifted = train.copy()
    shifted.data -= 3
    with pytest.raises(RankassayError, match=r"not negative, found -2.0; shift the ratings"):
        SLIM().fit(shifted, seed=1)


@pytest.mark.usefixtures("storage")
def test_ratings_of_zero_are_none(train):
    stored = train.copy()
    stored.data[stored.data == 1] = 0
    without = stored.copy()
    without.eliminate_zeros()
    for settings in ({"neighbours": 5}, {"neighbours": None, "binary": True}):
        expected = fitted(without, l1=1, l2=2, **settings)
        np.testing.assert_array_equal(fitted(stored, l1=1, l2=2, **settings), expected)
    assert stored.nnz == train.nnz
