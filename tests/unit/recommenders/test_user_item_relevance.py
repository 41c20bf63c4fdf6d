import json
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.recommenders.relevance_models import UIRItem

REFERENCE = Path(__file__).parents[2] / "reference" / "recommenders_golden.json"
GOLDEN = json.loads(REFERENCE.read_text())
TOY = sp.csr_matrix(np.float32(GOLDEN["R"]))


def ratings(seed=3):
    rng = np.random.default_rng(seed)
    dense = rng.integers(1, 6, (40, 25)) * (rng.random((40, 25)) < 0.3)
    dense[4] = 0
    dense[:, 7] = 0
    # Item 8 shares its only user with no other item.
    dense[:, 8] = 0
    dense[11] = 0
    dense[11, 8] = 2
    return sp.csr_matrix(dense.astype(np.float32))


def scores_of(recommender, train):
    return recommender.fit(train, seed=1).score(np.arange(train.shape[0], dtype=np.int32))


@pytest.mark.parametrize("amount", [0.5, 0.99])
def test_golden(amount):
    scores = scores_of(UIRItem(amount, "count"), TOY)
    for user, expected in enumerate(GOLDEN[f"UIR_IB_{amount}"]):
        for item, value in expected.items():
            assert scores[user, int(item)] == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("norm", ["count", "distribution"])
@pytest.mark.parametrize("amount", [0.1, 0.5, 0.9999])
def test_full_probability_less_a_constant_of_the_user(amount, norm):
    train = ratings()
    rated = train.toarray() > 0
    together = rated.T.astype(float) @ rated
    counts = rated.sum(axis=0)
    shares = counts / counts.sum()
    with np.errstate(invalid="ignore"):
        given = together / (counts if norm == "count" else together.sum(axis=0))
    if norm == "distribution":
        np.testing.assert_allclose(given.sum(axis=0)[counts > 0], 1)
    scores = scores_of(UIRItem(amount, norm), train)
    for user in range(train.shape[0]):
        items = np.flatnonzero(~rated[user] & (counts > 0))
        query = np.flatnonzero(rated[user])
        mixed = (1 - amount) * given[query][:, items] + amount * shares[query][:, None]
        full = np.log(mixed).sum(axis=0) + np.log(shares[items])
        constant = np.log(amount * shares[query]).sum()
        np.testing.assert_allclose(scores[user, items], full - constant, rtol=1e-6, atol=1e-6)
    assert np.isneginf(scores[:, 7]).all()


@pytest.mark.parametrize("norm", ["count", "distribution"])
def test_ranks_by_popularity_where_nothing_but_the_prior_is_left(norm):
    train = ratings()
    popularity = np.diff(train.T.tocsr().indptr)
    scores = scores_of(UIRItem(1 - 1e-12, norm), train)
    for user in range(train.shape[0]):
        unrated = np.flatnonzero(train.toarray()[user] == 0)
        order = popularity[unrated[np.argsort(-scores[user, unrated], kind="stable")]]
        assert (np.diff(order) <= 0).all()


def test_items_that_share_no_user_have_the_prior():
    train = ratings()
    scores = scores_of(UIRItem(0.5), train)
    prior = np.log(1 / train.nnz)
    np.testing.assert_allclose(scores[:, 8], prior)
    # A user without ratings gets the prior of all items.
    np.testing.assert_allclose(np.exp(scores[4]).sum(), 1)


def test_values_of_ratings_do_not_matter():
    train = ratings()
    binary = train.copy()
    binary.data[:] = 1
    np.testing.assert_array_equal(scores_of(UIRItem(), train), scores_of(UIRItem(), binary))


def test_unknown_options_are_refused():
    with pytest.raises(RankassayError, match="did you mean 'count'"):
        UIRItem(norm="counts").fit(TOY, seed=1)
    for amount in (0.0, 1.0):
        with pytest.raises(RankassayError, match="between 0 and 1"):
            UIRItem(amount).fit(TOY, seed=1)
