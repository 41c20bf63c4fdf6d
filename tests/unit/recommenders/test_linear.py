import json
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.recommenders import linear
from rankassay.recommenders.linear import EASE, inverse

REFERENCE = Path(__file__).parents[2] / "reference" / "recommenders_golden.json"
GOLDEN = json.loads(REFERENCE.read_text())
TOY = sp.csr_matrix(np.float32(GOLDEN["R"]))


def ratings(n_users, n_items, seed=3):
    rng = np.random.default_rng(seed)
    dense = rng.integers(1, 6, (n_users, n_items)) * (rng.random((n_users, n_items)) < 0.3)
    dense[np.arange(n_users), rng.integers(0, n_items, n_users)] = 4
    dense[rng.integers(0, n_users, n_items), np.arange(n_items)] = 3
    return sp.csr_matrix(dense.astype(np.float32))


def brute_force(train, regularization):
    """Solve a ridge regression for each item, with its own column left out."""
    scores = np.empty(train.shape)
    for item in range(train.shape[1]):
        others = np.delete(train, item, axis=1)
        system = others.T @ others + regularization * np.eye(others.shape[1])
        scores[:, item] = others @ np.linalg.solve(system, others.T @ train[:, item])
    return scores


@pytest.mark.parametrize("form", ["primal", "dual"])
def test_ease_equals_the_reference(form):
    model = EASE(regularization=1.0, binary=False, form=form).fit(TOY, seed=1)
    scores = model.score(np.arange(5, dtype=np.int32))
    for user, expected in enumerate(GOLDEN["EASE_lam1"]):
        for item, score in expected.items():
            assert scores[user, int(item)] == pytest.approx(score, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("form", ["primal", "dual"])
@pytest.mark.parametrize("shape", [(40, 25), (25, 40)])
def test_ease_equals_a_regression_for_each_item(shape, form, binary, monkeypatch):
    monkeypatch.setattr(linear, "BLOCK", 7)
    train = ratings(*shape)
    dense = np.sign(train.toarray()) if binary else train.toarray()
    expected = brute_force(dense.astype(np.float64), 3.0)
    model = EASE(regularization=3.0, binary=binary, form=form).fit(train, seed=1)
    np.testing.assert_allclose(model.score(np.arange(shape[0])), expected, atol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(200, 120), (120, 200)])
def test_ease_takes_the_smaller_form_and_both_are_the_same(shape):
    train = ratings(*shape)
    users = np.arange(shape[0], dtype=np.int32)
    chosen, primal, dual = (
        EASE(regularization=20.0, form=form).fit(train, seed=1)
        for form in ("auto", "primal", "dual")
    )
    same = dual if shape[0] < shape[1] else primal
    np.testing.assert_array_equal(chosen.score(users), same.score(users))
    np.testing.assert_allclose(primal.score(users), dual.score(users), atol=1e-8)


def test_inverse():
    rows = np.random.default_rng(0).standard_normal((30, 12))
    gram = rows.T @ rows
    found = inverse(gram.copy(), 0.5)
    np.testing.assert_allclose(found @ (gram + 0.5 * np.eye(12)), np.eye(12), atol=1e-10)
    np.testing.assert_array_equal(found, found.T)


def test_settings_out_of_range_are_refused():
    with pytest.raises(RankassayError, match="unknown form 'duel'; did you mean 'dual'"):
        EASE(form="duel").fit(TOY, seed=1)
    with pytest.raises(RankassayError, match="regularization > 0"):
        EASE(regularization=0).fit(TOY, seed=1)
    with pytest.raises(RankassayError, match="singular"):
        inverse(np.zeros((2, 2)), 0.0)
