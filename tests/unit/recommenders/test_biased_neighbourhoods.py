import json
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.recommenders.biased_neighbourhoods import NNCosNgbrIB, NNCosNgbrUB, rating_biases

REFERENCE = Path(__file__).parents[2] / "reference" / "recommenders_golden.json"
GOLDEN = json.loads(REFERENCE.read_text())
TOY = sp.csr_matrix(np.float32(GOLDEN["R"]))
SIDES = {"NNCos_UB": NNCosNgbrUB, "NNCos_IB": NNCosNgbrIB}


def ratings(n_users, n_items, density=0.25, seed=3):
    rng = np.random.default_rng(seed)
    shape = (n_users, n_items)
    return sp.csr_matrix(np.float32(rng.integers(1, 6, shape) * (rng.random(shape) < density)))


def scores_of(model, train):
    users = np.arange(train.shape[0], dtype=np.int32)
    return model.fit(train, seed=1).score(users)


def test_biases_equal_the_reference():
    mean, users, items = rating_biases(TOY)
    assert mean == pytest.approx(GOLDEN["bias"]["mu"], abs=1e-6)
    np.testing.assert_allclose(users, GOLDEN["bias"]["bu"], atol=1e-6)
    np.testing.assert_allclose(items, GOLDEN["bias"]["bi"], atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
def test_scores_per_pair_equal_the_reference(side):
    scores = scores_of(SIDES[side](neighbours=2, selection="per_pair"), TOY)
    for user, expected in enumerate(GOLDEN[side]):
        for item, value in expected.items():
            assert scores[user, int(item)] == pytest.approx(value, abs=1e-6)


def brute_force(train, k, shrinkage, biases, selection):
    """Score by users, straight from the formula; transpose for the other side."""
    dense = train.astype(np.float64)
    rated = dense > 0
    base = biases if biases is not None else np.zeros(dense.shape)
    n_rows, n_columns = dense.shape
    similarities = np.zeros((n_rows, n_rows))
    for a in range(n_rows):
        for b in range(n_rows):
            common = np.sum(rated[a] & rated[b])
            if a != b and common:
                cosine = (
                    dense[a] @ dense[b] / np.sqrt((dense[a] @ dense[a]) * (dense[b] @ dense[b]))
                )
                similarities[a, b] = common / (common + shrinkage) * cosine
    scores = np.full(dense.shape, -np.inf)
    for a in range(n_rows):
        for column in range(n_columns):
            near = [b for b in range(n_rows) if similarities[a, b] > 0]
            if selection == "per_pair":
                near = [b for b in near if rated[b, column]]
            near = sorted(near, key=lambda b: (-similarities[a, b], b))[:k]
            near = [b for b in near if rated[b, column]]
            terms = [similarities[a, b] * (dense[b, column] - base[b, column]) for b in near]
            if near or selection == "per_pair":
                scores[a, column] = base[a, column] + sum(terms)
    scores[~rated.any(axis=1)] = -np.inf
    scores[:, ~rated.any(axis=0)] = -np.inf
    return scores


@pytest.mark.parametrize("selection", ["global", "per_pair"])
@pytest.mark.parametrize("biased", [True, False])
@pytest.mark.parametrize("by_user", [True, False])
def test_scores_equal_brute_force(by_user, biased, selection):
    dense = ratings(40, 25).toarray()
    dense[6] = 0
    dense[:, 9] = 0
    train = sp.csr_matrix(dense)
    mean, users, items = rating_biases(train)
    base = mean + users[:, None] + items if biased else None
    model = (NNCosNgbrUB if by_user else NNCosNgbrIB)(4, 10.0, biased, selection)
    if by_user:
        expected = brute_force(train.toarray(), 4, 10.0, base, selection)
    else:
        base = base.T if biased else None
        expected = brute_force(train.toarray().T, 4, 10.0, base, selection).T
    scores = scores_of(model, train)
    if selection == "global":
        assert 0.05 < np.isinf(scores).mean() < 0.95
    np.testing.assert_allclose(scores, expected, atol=1e-9)


@pytest.mark.parametrize("side", SIDES)
def test_selections_agree_with_all_neighbours(side):
    train = ratings(30, 20)
    first, second = (
        scores_of(SIDES[side](1000, selection=selection), train)
        for selection in ("global", "per_pair")
    )
    scored = np.isfinite(first)
    np.testing.assert_allclose(first[scored], second[scored], atol=1e-12)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("selection", ["global", "per_pair"])
def test_equal_ratings_are_predicted(side, selection):
    train = ratings(30, 20)
    train.data[:] = 4
    scores = scores_of(SIDES[side](5, selection=selection), train)
    assert np.isfinite(scores).mean() > 0.5
    np.testing.assert_array_equal(scores[np.isfinite(scores)], 4.0)


@pytest.mark.parametrize("side", SIDES)
def test_infinite_shrinkage_leaves_the_biases(side):
    train = ratings(30, 20)
    mean, users, items = rating_biases(train)
    scores = scores_of(SIDES[side](5, 1e12, selection="per_pair"), train)
    np.testing.assert_allclose(scores, mean + users[:, None] + items, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("density", [0.002, 0.02, 0.3])
@pytest.mark.parametrize("k", [3, 150])
def test_nearest_of_many_rows_equal_brute_force(density, k):
    """Whether few rows or most share a column; by whole numbers there are many ties."""
    train = ratings(900, 30, density, seed=4)
    model = NNCosNgbrUB(k, 1.0).fit(train, 1)
    dense = train.toarray().astype(np.float64)
    common = (dense > 0).astype(np.float64) @ (dense > 0).T
    squares = (dense**2).sum(axis=1)
    roots = np.sqrt(squares[:, None] * squares)
    safe = np.where(roots > 0, roots, 1.0)
    expected = dense @ dense.T * (common / ((common + 1.0) * safe))
    np.fill_diagonal(expected, 0.0)
    for a, row in enumerate(expected):
        best = np.argsort(-row, kind="stable")[:k]
        expected[a, np.setdiff1d(np.arange(900), best)] = 0.0
    np.testing.assert_array_equal(model.weights_.toarray(), expected)


def test_ties_of_similarity_go_by_index():
    # Users 1 to 3 are equally similar to user 0; only the first of them counts.
    train = sp.csr_matrix(np.float32([[4, 0, 0, 0], [4, 3, 0, 0], [4, 0, 3, 0], [4, 0, 0, 3]]))
    scores = scores_of(NNCosNgbrUB(1, 0.0, biases=False), train)
    assert np.isfinite(scores[0]).tolist() == [True, True, False, False]
    assert scores[0, 1] == pytest.approx(0.8 * 3)


def test_settings_out_of_range_are_refused():
    with pytest.raises(
        RankassayError, match="unknown selection 'per pair'; did you mean 'per_pair'"
    ):
        NNCosNgbrUB(selection="per pair").fit(TOY, seed=1)
    with pytest.raises(RankassayError, match="neighbours >= 1"):
        NNCosNgbrIB(neighbours=0).fit(TOY, seed=1)
