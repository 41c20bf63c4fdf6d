"""What every recommender of the catalogue promises; see `rankassay.recommenders.base`."""

import inspect
from dataclasses import astuple
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.artifacts.models import read_model, write_model
from rankassay.lookup import load
from rankassay.recommenders.base import among
from rankassay.recommenders.baselines import Popularity
from rankassay.recommenders.catalogue import RECOMMENDERS
from rankassay.recommenders.rank import rank

pytestmark = pytest.mark.slow

# Settings for matrices that are too small for the defaults.
SMALL = {
    "puresvd": {"factors": 2},
    "wrmf": {"factors": 3},
    "svd": {"factors": 3},
    "bprmf": {"factors": 3, "epochs": 10},
    "slim": {"l1": 1.0, "l2": 2.0},
    "lda": {"topics": 3, "sweeps": 20, "burn_in": 10, "thin": 5},
    "plsa": {"topics": 3, "iterations": 20},
    "ease": {"regularization": 5.0},
    "ials": {"factors": 3},
}
# Who serves users without training ratings, and who lists items without.
SERVES_EVERYBODY = {"random", "popularity", "average-rating", "svd", "uir-item"}
LISTS_EVERYTHING = {"random"}
# Who scores all items even where few of them are ranked.
ALWAYS_WHOLE = {"ease"}

EMPTY_USER, EMPTY_ITEM, ONE_ITEM_USER = 4, 7, 9


def ratings():
    rng = np.random.default_rng(11)
    dense = rng.integers(1, 6, (300, 20)) * (rng.random((300, 20)) < 0.3)
    dense[EMPTY_USER] = 0
    dense[ONE_ITEM_USER] = 0
    dense[ONE_ITEM_USER, 3] = 5
    dense[:, EMPTY_ITEM] = 0
    return sp.csr_matrix(dense.astype(np.float32))


TRAIN = ratings()
EVERYBODY = np.arange(TRAIN.shape[0], dtype=np.int32)
# Of some items that the user did not rate in training.
TESTED = sp.csr_matrix((TRAIN.toarray() == 0) * (np.arange(TRAIN.shape[1]) % 3 == 1), dtype="f4")


def make(name):
    return load(RECOMMENDERS[name])(**SMALL.get(name, {}))


@pytest.fixture(scope="module", params=RECOMMENDERS)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def fitted(name):
    return make(name).fit(TRAIN, seed=5)


@pytest.fixture(scope="module")
def scores(fitted):
    return fitted.score(EVERYBODY)


def test_constructor_only_stores_its_parameters(name):
    recommender = make(name)
    parameters = inspect.signature(type(recommender)).parameters
    assert set(vars(recommender)) == set(parameters)
    for parameter, value in SMALL.get(name, {}).items():
        assert vars(recommender)[parameter] == value


def test_fit_returns_self_and_leaves_parameters_alone(name):
    recommender = make(name)
    before = dict(vars(recommender))
    assert recommender.fit(TRAIN, seed=5) is recommender
    learned = {key for key in vars(recommender) if key not in before}
    assert all(key.endswith("_") for key in learned)
    assert {key: vars(recommender)[key] for key in before} == before


def test_fit_does_not_change_its_input(name):
    train = ratings()
    make(name).fit(train, seed=5).score(EVERYBODY[:3])
    assert train.dtype == np.float32
    for part in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(train, part), getattr(TRAIN, part))


def test_scores_are_float64_without_nan_or_plus_infinity(scores):
    assert scores.shape == TRAIN.shape
    assert scores.dtype == np.float64
    assert not np.isnan(scores).any()
    assert not np.isposinf(scores).any()
    assert np.isfinite(scores).any()


def test_same_seed_gives_the_same_scores(name, scores):
    again = make(name).fit(ratings(), seed=5).score(EVERYBODY)
    np.testing.assert_array_equal(again, scores)


def test_row_does_not_depend_on_the_block(fitted, scores):
    order = np.random.default_rng(0).permutation(EVERYBODY)
    for users in (EVERYBODY[:1], EVERYBODY[37:41], EVERYBODY[100:270], order, EVERYBODY[:0]):
        np.testing.assert_array_equal(fitted.score(users), scores[users])


def test_scores_of_some_items_are_those_that_they_have_among_all(name, fitted, scores):
    """Bit for bit, for any number of items; the model itself stays as it was."""
    n_items, before = TRAIN.shape[1], vars(fitted).copy()
    for n in (1, n_items // 3, n_items - 1):
        items = np.sort(np.random.default_rng(n).permutation(n_items)[:n]).astype(np.int32)
        model, narrow = among(fitted, items)
        assert narrow == (name not in ALWAYS_WHOLE)
        columns = items if narrow else slice(None)
        for users in (EVERYBODY, EVERYBODY[100:270], EVERYBODY[-1:], EVERYBODY[:0]):
            np.testing.assert_array_equal(model.score(users), scores[users][:, columns])
    assert vars(fitted) == before


def test_rankings_are_those_of_the_scores_of_all_items(fitted):
    train, test = TRAIN, TESTED
    assert 0 < len(np.unique(test.indices)) < train.shape[1]
    whole = SimpleNamespace(score=fitted.score)
    for own, other in zip(
        astuple(rank(fitted, train, test)), astuple(rank(whole, train, test)), strict=True
    ):
        np.testing.assert_array_equal(own, other)


def test_a_class_with_scores_of_its_own_is_asked_for_all_of_them():
    class Negative(Popularity):
        def score(self, users):
            return -np.tile(self.popularity_, (len(users), 1))

    class Some(Negative):
        def among(self, items):
            return SimpleNamespace(score=lambda users: self.score(users)[:, items])

    model, narrow = among(Negative().fit(TRAIN, 1), np.arange(3))
    assert (isinstance(model, Negative), narrow) == (True, False)
    model, narrow = among(Some().fit(TRAIN, 1), np.arange(3))
    assert (model.score(EVERYBODY).shape[1], narrow) == (3, True)


def test_scores_may_be_written_to(fitted):
    fitted.score(EVERYBODY[:2])[:] = 0
    assert (fitted.score(EVERYBODY[:2]) != 0).any()


def test_user_without_ratings(name, scores):
    served = np.isfinite(scores[EMPTY_USER]).any()
    assert served == (name in SERVES_EVERYBODY)


def test_item_without_ratings(name, scores):
    listed = np.isfinite(scores[:, EMPTY_ITEM])
    assert listed.all() if name in LISTS_EVERYTHING else not listed.any()


def test_user_of_one_item_is_served(scores):
    unrated = np.delete(scores[ONE_ITEM_USER], 3)
    assert np.isfinite(unrated).any()


@pytest.mark.parametrize("rated", [1.0, 0.5], ids=["everything rated", "half of it rated"])
def test_equal_ratings(name, rated):
    pattern = np.random.default_rng(2).random((30, 12)) < rated
    train = sp.csr_matrix((4.0 * pattern).astype(np.float32))
    users = np.arange(30, dtype=np.int32)
    first, second = (make(name).fit(train, seed=1).score(users) for _ in range(2))
    assert not np.isnan(first).any()
    np.testing.assert_array_equal(first, second)


def test_two_users_and_three_items(name):
    train = sp.csr_matrix(np.float32([[5, 3, 0], [4, 0, 2]]))
    settings = SMALL.get(name, {}) | ({"factors": 1} if name == "puresvd" else {})
    recommender = load(RECOMMENDERS[name])(**settings)
    scores = recommender.fit(train, seed=1).score(np.arange(2, dtype=np.int32))
    # The one unrated item of each user is all that there is to recommend.
    assert np.isfinite(scores[0, 2])
    assert np.isfinite(scores[1, 1])


def test_what_it_has_learned_is_all_that_it_needs(name, fitted, scores, tmp_path):
    again = make(name)
    learned = {key: value for key, value in vars(fitted).items() if key not in vars(again)}
    write_model(learned, tmp_path / "model.npz")
    vars(again).update(read_model(tmp_path / "model.npz"))
    np.testing.assert_array_equal(again.score(EVERYBODY), scores)
