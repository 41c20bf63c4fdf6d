"""The recommenders on a 5 x 6 matrix, against an independent brute-force calculation."""

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.recommenders.baselines import Popularity
from rankassay.recommenders.factorization import PureSVD
from rankassay.recommenders.feedback import RSV, ChiSquared, KullbackLeibler, Rocchio
from rankassay.recommenders.neighbourhoods import cosine_neighbours
from rankassay.recommenders.slim import SLIM

REFERENCE = Path(__file__).parents[2] / "reference" / "recommenders_golden.json"
GOLDEN = json.loads(REFERENCE.read_text())
TRAIN = sp.csr_matrix(np.float32(GOLDEN["R"]))
USERS = np.arange(5, dtype=np.int32)

CASES = {
    "RW": Rocchio(neighbours=2),
    "RSV": RSV(neighbours=2),
    "CHI2_MLE": ChiSquared(neighbours=2, estimate="mle"),
    "CHI2_NMLE": ChiSquared(neighbours=2),
    "KLD_MLE": KullbackLeibler(neighbours=2, estimate="mle"),
    "KLD_NMLE": KullbackLeibler(neighbours=2),
    "PureSVD_f2": PureSVD(factors=2),
    "SLIM_l1=1_l2=2": SLIM(l1=1, l2=2, neighbours=None, sweeps=1000, tolerance=1e-12),
}


@pytest.mark.parametrize("name", CASES)
def test_scores_of_unrated_items(name):
    scores = CASES[name].fit(TRAIN, seed=1).score(USERS)
    for user, expected in enumerate(GOLDEN[name]):
        scored = {
            item for item in range(6) if TRAIN[user, item] == 0 and np.isfinite(scores[user, item])
        }
        assert scored == {int(item) for item in expected}
        for item, value in expected.items():
            assert scores[user, int(item)] == pytest.approx(value, abs=1e-6)


def test_neighbours():
    neighbours, similarities = cosine_neighbours(TRAIN, 2)
    assert neighbours.tolist() == GOLDEN["V_k2"]
    expected = np.take_along_axis(np.array(GOLDEN["cos_users"]), neighbours, axis=1)
    np.testing.assert_allclose(similarities, expected, atol=1e-6)
    items, similarities = cosine_neighbours(TRAIN.T.tocsr(), 5)
    expected = np.take_along_axis(np.array(GOLDEN["cos_items"]), items, axis=1)
    np.testing.assert_allclose(similarities, np.where(items < 0, 0, expected), atol=1e-6)


def test_slim_weights():
    weights = CASES["SLIM_l1=1_l2=2"].fit(TRAIN, seed=1).weights_.toarray()
    np.testing.assert_allclose(weights, GOLDEN["SLIM_W_l1=1_l2=2"], atol=1e-6)


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("count", [3, 3, 3, 2, 3, 1]),
        ("sum", [10, 13, 12, 9, 10, 3]),
        ("positive", [2, 3, 2, 2, 2, 0]),  # ratings of 4 or 5
    ],
)
def test_popularity(by, expected):
    assert Popularity(by=by).fit(TRAIN, seed=1).score(USERS[:1]).tolist() == [expected]


def scores_of(recommender, train=TRAIN):
    return recommender.fit(train, seed=1).score(USERS)


def test_rsv_is_the_square_of_rocchio_times_a_constant_of_the_user():
    with np.errstate(invalid="ignore"):
        ratio = scores_of(RSV(neighbours=3)) / scores_of(Rocchio(neighbours=3)) ** 2
    for row in ratio:
        known = row[np.isfinite(row)]
        np.testing.assert_allclose(known[known != 0], known[known != 0][0])


def test_scale_of_the_ratings():
    doubled = TRAIN * np.float32(2)
    np.testing.assert_allclose(
        scores_of(Rocchio(neighbours=2), doubled), 2 * scores_of(Rocchio(neighbours=2))
    )
    for method in (ChiSquared, KullbackLeibler):
        np.testing.assert_allclose(
            scores_of(method(2, "mle"), doubled), scores_of(method(2, "mle")), atol=1e-15
        )


@pytest.mark.parametrize("estimate", ["mle", "mean_user"])
def test_no_divergence_where_the_neighbours_rate_like_everybody(estimate):
    alike = sp.csr_matrix(np.tile(np.float32([[5, 3, 0, 1]]), (5, 1)))
    for method in (ChiSquared, KullbackLeibler):
        scores = scores_of(method(4, estimate), alike)
        np.testing.assert_allclose(scores[:, [0, 1, 3]], 0, atol=1e-15)
        assert np.isneginf(scores[:, 2]).all()


def test_mean_user_and_difference_by_hand():
    # Neighbours of user 0 are users 1 and 2; item 2 has 3 of 12 and 5 of 13 of their ratings, and
    # 3/12, 5/13 and 4/12 in the collection of five users.
    local, collection = (3 / 12 + 5 / 13) / 2, (3 / 12 + 5 / 13 + 4 / 12) / 5
    scores = scores_of(KullbackLeibler(2, "mean_user"))
    assert scores[0, 2] == pytest.approx(local * np.log(local / collection))
    # Rocchio's weight is 4, and item 2 has 8 of 25 locally, 12 of 57 overall.
    assert scores_of(RSV(2, difference=True))[0, 2] == pytest.approx(4 * (8 / 25 - 12 / 57))
