"""Propensities: by hand, against scikit-learn, and where they are known."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy import stats
from sklearn.linear_model import LogisticRegression

from rankassay.errors import RankassayError
from rankassay.metrics.judgements import Judgements
from rankassay.seeds import generator
from rankassay.statistics.propensities import by_popularity, fitted, known


def parts(shape=(60, 40), seed=1):
    """Return training and test ratings of users and items that are active and popular unequally."""
    rng = generator(seed, "propensities")
    chance = np.outer(rng.uniform(0.2, 1, shape[0]), rng.uniform(0.05, 0.9, shape[1]) ** 2)
    draw = rng.random(shape)
    ratings = rng.integers(1, 6, shape).astype(np.float32)
    train = sp.csr_matrix(np.where(draw < 0.7 * chance, ratings, 0))
    test = sp.csr_matrix(np.where((draw >= 0.7 * chance) & (draw < chance), ratings, 0))
    return train, test


@pytest.mark.parametrize("gamma", [1, 1.5, 3])
def test_a_power_of_popularity_by_hand(gamma):
    train = sp.csr_matrix(np.array([[5.0, 1, 0, 0], [4, 0, 0, 0], [2, 3, 0, 0], [1, 0, 0, 1]]))
    test = sp.csr_matrix(np.array([[0, 0, 3.0, 3], [0, 3, 0, 0], [0, 0, 0, 0], [0, 3, 3, 0]]))
    found = by_popularity(train, test, gamma)
    shares = [1 / 4, 1 / 4, 2 / 4, 2 / 4, 1 / 4]  # an item without ratings counts as having one
    np.testing.assert_allclose(found.data, np.array(shares) ** ((gamma + 1) / 2), rtol=1e-15)
    Judgements.of(test, 3, found)


def test_the_most_popular_item_has_the_propensity_one():
    train, test = parts()
    found = by_popularity(train, test)
    popular = np.argmax(np.bincount(train.indices))
    assert (found.data[found.indices == popular] == 1).all()
    assert found.data.max() == 1
    assert by_popularity(train, test, 1000).data.min() > 0


def test_the_fitted_model_is_that_of_scikit_learn_on_all_pairs():
    train, test = parts()
    rated = (train.toarray() > 0).ravel()
    by_user, by_item = (np.log1p((train > 0).sum(axis=a).A1) for a in (1, 0))
    features = np.column_stack([np.repeat(by_user, 40), np.tile(by_item, 60)])
    model = LogisticRegression(C=np.inf, tol=1e-12, max_iter=1000).fit(features, rated)
    expected = model.predict_proba(features)[:, 1].reshape(60, 40)
    found = fitted(train, test)
    np.testing.assert_allclose(found.data, expected[test.nonzero()], rtol=1e-4)
    # As the maximum of the likelihood has it: as many ratings are expected as there are.
    everyone = sp.csr_matrix(np.ones((60, 40)))
    assert fitted(train, everyone).data.sum() == pytest.approx(train.nnz, rel=1e-9)


def test_the_fitted_model_knows_who_is_active_and_what_is_popular():
    train, test = parts((300, 200))
    rng = generator(1, "propensities")
    chance = np.outer(rng.uniform(0.2, 1, 300), rng.uniform(0.05, 0.9, 200) ** 2)
    found = fitted(train, test)
    assert stats.spearmanr(found.data, chance[test.nonzero()]).statistic > 0.9
    by_item = by_popularity(train, test)
    assert stats.spearmanr(by_item.data, chance[test.nonzero()]).statistic < 0.9


@pytest.mark.parametrize("full", [np.ones((3, 4)), np.eye(4), np.zeros((3, 4))])
def test_ratings_that_leave_nothing_to_learn_have_propensities_too(full):
    train = sp.csr_matrix(full)
    test = sp.csr_matrix(np.ones(full.shape))
    for found in (fitted(train, test), by_popularity(train, test)):
        Judgements.of(test, 1, found)


def test_known_propensities_are_looked_up():
    train, test = parts()
    ratings = (train + test).tocsr()
    rng = generator(1, "known")
    every = sp.csr_matrix((rng.uniform(0.01, 1, ratings.nnz), ratings.indices, ratings.indptr))
    found = known(every, test)
    np.testing.assert_array_equal(found.data, every.toarray()[test.nonzero()])
    np.testing.assert_array_equal(found.indices, test.indices)
    unsorted = every.copy()
    unsorted.indices[:2], unsorted.data[:2] = every.indices[:2][::-1], every.data[:2][::-1]
    np.testing.assert_array_equal(known(unsorted, test).data, found.data)


def test_a_test_rating_without_known_propensity_is_told():
    train, test = parts()
    with pytest.raises(
        RankassayError, match=r"expected one for each test rating, found none for us"
    ):
        known(train, test)
    with pytest.raises(RankassayError, match="found none for user"):
        known(sp.csr_matrix(train.shape), test)
    with pytest.raises(
        RankassayError, match="expected those of 60 users and 40 items, found 2 and"
    ):
        known(sp.csr_matrix((2, 40)), test)
