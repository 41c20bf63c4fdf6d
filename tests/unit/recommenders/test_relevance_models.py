import json
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.recommenders.language_models import SMOOTHINGS, language_models
from rankassay.recommenders.neighbourhoods import cosine_neighbours
from rankassay.recommenders.relevance_models import RM1, RM2

REFERENCE = Path(__file__).parents[2] / "reference" / "recommenders_golden.json"
GOLDEN = json.loads(REFERENCE.read_text())
TOY = sp.csr_matrix(np.float32(GOLDEN["R"]))
SETTINGS = {
    "jm": ("jelinek_mercer", 0.5),
    "dp": ("dirichlet", 10),
    "ad": ("absolute_discounting", 0.1),
    "add": ("additive", 0.1),
}
AMOUNTS = {name: amount for name, amount in SETTINGS.values()}


def ratings(n_users=40, n_items=25, density=0.3, seed=3):
    rng = np.random.default_rng(seed)
    dense = rng.integers(1, 6, (n_users, n_items)) * (rng.random((n_users, n_items)) < density)
    dense[4] = 0
    dense[9, 1:] = 0
    dense[9, 0] = 5
    dense[:, 7] = 0
    return sp.csr_matrix(dense.astype(np.float32))


def scores_of(recommender, train):
    return recommender.fit(train, seed=1).score(np.arange(train.shape[0], dtype=np.int32))


def dense_models(train, smoothing, amount):
    """Return p(i|v) by the textbook formulas, NaN for users without ratings."""
    r = train.toarray().astype(float)
    length = r.sum(axis=1, keepdims=True)
    number = (r > 0).sum(axis=1, keepdims=True)
    c = r.sum(axis=0) / r.sum()
    with np.errstate(invalid="ignore"):
        return {
            "jelinek_mercer": lambda: (1 - amount) * r / length + amount * c,
            "dirichlet": lambda: (r + amount * c) / (length + amount),
            "absolute_discounting": lambda: (
                (np.maximum(r - amount, 0) + amount * number * c) / length
            ),
            "additive": lambda: (r + amount) / (length + amount * r.shape[1]),
        }[smoothing]()


def candidates_of(train, near, user):
    rated = train.toarray() > 0
    return np.flatnonzero(rated[near].any(axis=0) & ~rated[user])


def by_definition(method, train, k, smoothing, amount):
    """Return the scores of the candidates by multiplying probabilities."""
    p = dense_models(train, smoothing, amount)
    neighbours, _ = cosine_neighbours(train, k)
    scores = np.full(train.shape, -np.inf)
    for user in range(train.shape[0]):
        near = neighbours[user][neighbours[user] >= 0]
        query = train[user].indices
        for i in candidates_of(train, near, user):
            joint = p[near, i][:, None] * p[near][:, query] / len(near)
            if method is RM1:
                scores[user, i] = np.log(
                    (joint.prod(axis=1) * p[near, i] ** (1 - len(query))).sum()
                )
                scores[user, i] += (len(query) - 1) * np.log(len(near))
            else:
                n_items = train.shape[1]
                scores[user, i] = np.log((joint.sum(axis=0) * n_items).prod() / n_items)
    return scores


def assert_same_unrated(scores, expected, train, rtol=1e-11):
    unrated = train.toarray() == 0
    np.testing.assert_allclose(scores[unrated], expected[unrated], rtol=rtol, atol=0)


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("method", [RM1, RM2])
def test_golden(method, setting):
    scores = scores_of(method(2, *SETTINGS[setting]), TOY)
    for user, expected in enumerate(GOLDEN[f"{method.__name__}_{setting}"]):
        finite = np.isfinite(scores[user]) & (TOY.toarray()[user] == 0)
        assert {str(item) for item in np.flatnonzero(finite)} == set(expected)
        for item, value in expected.items():
            assert scores[user, int(item)] == pytest.approx(value, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@pytest.mark.parametrize("k", [1, 5, 60])
@pytest.mark.parametrize("method", [RM1, RM2])
def test_scores_equal_the_definition(method, smoothing, k):
    train = ratings()
    amount = AMOUNTS[smoothing]
    expected = by_definition(method, train, k, smoothing, amount)
    assert_same_unrated(scores_of(method(k, smoothing, amount), train), expected, train)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_models_sum_to_1_and_equal_the_formulas(smoothing):
    train = ratings()
    models = language_models(train, smoothing, AMOUNTS[smoothing])
    dense = models.seen.toarray() + np.outer(models.share, models.background)
    np.testing.assert_allclose(dense.sum(axis=1), 1, rtol=1e-14)
    filled = np.diff(train.indptr) > 0
    expected = dense_models(train, smoothing, AMOUNTS[smoothing])
    np.testing.assert_allclose(dense[filled], expected[filled], rtol=1e-13, atol=0)
    gains = models.gains()
    rows, columns = gains.nonzero()
    unseen = (models.share[rows] * models.background[columns]).tolist()
    np.testing.assert_allclose(np.exp(gains.data) * unseen, dense[rows, columns], rtol=1e-13)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_both_agree_for_a_profile_of_one_item(smoothing):
    train = ratings()
    first, second = (scores_of(m(5, smoothing, AMOUNTS[smoothing]), train)[9] for m in (RM1, RM2))
    assert np.isfinite(second).any()
    np.testing.assert_allclose(first[1:], second[1:], rtol=1e-13)


@pytest.mark.parametrize("method", [RM1, RM2])
def test_one_neighbour_ranks_by_its_model(method):
    train = ratings()
    p = dense_models(train, "absolute_discounting", 0.1)
    neighbours, _ = cosine_neighbours(train, 1)
    scores = scores_of(method(1), train)
    for user in np.flatnonzero(neighbours[:, 0] >= 0):
        near = neighbours[user, 0]
        items = candidates_of(train, [near], user)
        slope = 1 if method is RM1 else train[user].nnz
        constant = scores[user, items] - slope * np.log(p[near, items])
        np.testing.assert_allclose(constant, constant[:1].repeat(len(items)), rtol=1e-12)


@pytest.mark.parametrize("method", [RM1, RM2])
def test_nothing_but_the_collection_left(method):
    train = ratings()
    totals = np.asarray(train.sum(axis=0)).ravel()
    neighbours, _ = cosine_neighbours(train, 10)
    scores = scores_of(method(10, "jelinek_mercer", 1 - 1e-9), train)
    for user in (0, 9, 20):
        items = candidates_of(train, neighbours[user], user)
        sums = totals[items[np.argsort(-scores[user, items], kind="stable")]]
        assert (np.diff(sums) <= 0).all()


def test_long_profiles_do_not_underflow():
    # The probability of 2500 items underflows, and so does any product of eight of these sums.
    rng = np.random.default_rng(0)
    dense = np.float32(rng.integers(1, 6, (3, 3000)) * (rng.random((3, 3000)) < 0.9))
    dense[0, 2990:] = 0
    dense[1, 2990:] = 4
    train = sp.csr_matrix(dense)
    p = dense_models(train, "jelinek_mercer", 1e-40)
    near = np.array([1, 2])
    query = train[0].indices
    for method in (RM1, RM2):
        scores = scores_of(method(2, "jelinek_mercer", 1e-40), train)
        for i in range(2990, 3000):
            logs = np.log(p[near][:, query])
            if method is RM1:
                terms = np.log(p[near, i]) + logs.sum(axis=1)
                expected = np.logaddexp(*terms) - np.log(2)
            else:
                terms = np.logaddexp(*(logs + np.log(p[near, i])[:, None]))
                expected = terms.sum() + (len(query) - 1) * np.log(3000) - len(query) * np.log(2)
            assert scores[0, i] == pytest.approx(expected, rel=1e-12)


def test_what_cannot_be_smoothed_is_refused():
    for name, amount in [
        ("jelinek_mercer", 1.0),
        ("jelinek_mercer", 0.0),
        ("dirichlet", 0.0),
        ("additive", -1.0),
        ("absolute_discounting", 1.0),  # a rating of 1 would vanish
    ]:
        with pytest.raises(RankassayError, match=f"{name} expects an amount above 0"):
            RM1(2, name, amount).fit(TOY, seed=1)
    with pytest.raises(RankassayError, match="did you mean 'dirichlet'"):
        RM2(2, "dirichlett").fit(TOY, seed=1)
