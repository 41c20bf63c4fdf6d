"""The metrics against scikit-learn, SciPy and implicit, where their definitions meet ours."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from implicit.evaluation import ranking_metrics_at_k
from metric_cases import User, predicted, random_users, value, values
from scipy import stats
from sklearn import metrics as sklearn

SEEDS = range(15)
seeds = pytest.mark.parametrize("seed", SEEDS)


def complete(seed, n_items=12):
    """Return the ratings of a ranking of all items, some but not all of them relevant."""
    rng = np.random.default_rng(seed)
    return rng.permutation([5, 1, *rng.integers(0, 6, n_items - 2)])


def falling(n):
    """Return scores without ties, in the order of the list."""
    return -np.arange(n)


@pytest.mark.slow
@seeds
@pytest.mark.parametrize("k", [1, 3, 7, 12])
def test_ndcg_and_dcg_equal_scikit_learns(seed, k):
    ratings = complete(seed)
    user, scores = User(ratings, (), 0), falling(12)
    for gain, gains in [("rating", ratings), ("exp", 2.0**ratings - 1), ("binary", ratings >= 4)]:
        theirs = sklearn.ndcg_score([gains], [scores], k=k)
        assert value(user, f"nDCG(gain='{gain}')@{k}") == pytest.approx(theirs, abs=1e-14)
        theirs = sklearn.dcg_score([gains], [scores], k=k, log_base=np.e)
        ours = value(user, f"DCG(gain='{gain}', log_base={np.e})@{k}")
        assert ours == pytest.approx(theirs, rel=1e-14)


@seeds
def test_ndcg_with_only_relevant_items_in_the_ideal_equals_scikit_learns_of_their_gains(seed):
    ratings = complete(seed)
    gains = np.where(ratings >= 4, ratings, 0)
    theirs = sklearn.ndcg_score([gains], [falling(12)], k=5)
    ours = value(User(ratings, (), 0), "nDCG(ideal='relevant')@5")
    assert ours == pytest.approx(theirs, abs=1e-14)


@seeds
def test_auc_and_ap_of_complete_rankings_equal_scikit_learns(seed):
    ratings = complete(seed)
    user, scores = User(ratings, (), 0), falling(12)
    assert value(user, "AUC") == pytest.approx(sklearn.roc_auc_score(ratings >= 4, scores))
    ours = value(user, "AP")
    assert ours == pytest.approx(sklearn.average_precision_score(ratings >= 4, scores), rel=1e-14)


@pytest.mark.slow
@seeds
@pytest.mark.parametrize("k", [1, 2, 5, 11])
def test_areas_of_partial_rankings_equal_scikit_learns_with_all_others_tied_below(seed, k):
    """LAUC is the area of the list followed by a tie; AUC, where items are left out, as well."""
    ratings = complete(seed)
    user = User(ratings, (), 0).cut(k)
    theirs = sklearn.roc_auc_score(ratings >= 4, np.maximum(falling(12), -k))
    assert value(user, f"LAUC@{k}") == pytest.approx(theirs, rel=1e-12)
    assert value(user, "AUC") == pytest.approx(theirs, rel=1e-12)
    assert value(User(ratings, (), 0), f"LAUC@{k}") == pytest.approx(theirs, rel=1e-12)


@pytest.mark.slow
@seeds
@pytest.mark.parametrize("k", [1, 4, 11])
def test_classification_metrics_equal_scikit_learns(seed, k):
    ratings = complete(seed)
    user, relevant, listed = User(ratings, (), 0), ratings >= 4, np.arange(12) < k
    p, r, f1, _ = sklearn.precision_recall_fscore_support(
        relevant, listed, average="binary", zero_division=0
    )
    inverse = {"pos_label": 0, "zero_division": 0}
    inverse_recall = sklearn.recall_score(relevant, listed, **inverse)
    expected = {
        "P": p,
        "R": r,
        "F1": f1,
        "F(beta=0.5)": sklearn.fbeta_score(relevant, listed, beta=0.5, zero_division=0),
        "F(beta=2)": sklearn.fbeta_score(relevant, listed, beta=2, zero_division=0),
        "MissRate": 1 - r,
        "InversePrecision": sklearn.precision_score(relevant, listed, **inverse),
        "InverseRecall": inverse_recall,
        "Fallout": 1 - inverse_recall,
        "Informedness": sklearn.balanced_accuracy_score(relevant, listed, adjusted=True),
        "MCC": sklearn.matthews_corrcoef(relevant, listed),
        "KendallTau": stats.kendalltau(relevant, listed).statistic,
    }
    found = values([user], [f"{metric}@{k}" for metric in expected])[0]
    np.testing.assert_allclose(found, list(expected.values()), atol=1e-14)


@seeds
@pytest.mark.parametrize("k", [1, 4, 11])
def test_the_variants_of_kendalls_tau_by_counting_pairs(seed, k):
    ratings = complete(seed)
    concordant = discordant = pairs = 0
    items = [(bool(rating >= 4), place < k) for place, rating in enumerate(ratings)]
    for (relevant, listed), (other_relevant, other_listed) in itertools.combinations(items, 2):
        pairs += 1
        sign = (relevant - other_relevant) * (listed - other_listed)
        concordant += sign > 0
        discordant += sign < 0
    tau_a, gamma, tau_b = values(
        [User(ratings, (), 0)],
        [f"KendallTau(variant='{variant}')@{k}" for variant in ("a", "gamma", "b")],
    )[0]
    untied = concordant + discordant
    assert tau_a == pytest.approx((concordant - discordant) / pairs)
    assert gamma == pytest.approx((concordant - discordant) / untied if untied else 0)
    assert tau_b == value(User(ratings, (), 0), f"MCC@{k}")


class Fixed:
    """A model of implicit's interface that recommends what it is told to."""

    def __init__(self, lists):
        self.lists = np.array(lists, dtype=np.int32)

    def recommend(self, userid, user_items, N):
        return self.lists[userid, :N], np.zeros((len(userid), N), dtype=np.float32)


@pytest.mark.parametrize("k", [1, 3, 10])
def test_implicits_metrics(k):
    """Without training items every item is a candidate, and all test items count as relevant.

    Its precision is that of all users at once: the hits over the sum of min(k, |R_u|).
    """
    rng = np.random.default_rng(5)
    n_items = 25
    likes = [rng.choice(n_items, rng.integers(1, 15), replace=False) for _ in range(40)]
    lists = [rng.permutation(n_items) for _ in likes]
    users = [
        User([5 if item in liked else None for item in items], (), 0)
        for liked, items in zip(likes, lists, strict=True)
    ]
    test = np.zeros((len(likes), n_items))
    for row, liked in zip(test, likes, strict=True):
        row[liked] = 1
    measures = ["P(denominator='min_relevant')", "AP(denominator='min_cutoff')", "nDCG", "LAUC"]
    ours = values(users, [f"{measure}@{k}" for measure in measures], "rendle")

    def theirs(rows):
        test_rows = sp.csr_matrix(test[rows])
        model = Fixed([lists[row] for row in rows])
        none = sp.csr_matrix(test_rows.shape)
        found = ranking_metrics_at_k(model, none, test_rows, K=k, show_progress=False)
        return [found[name] for name in ("precision", "map", "ndcg", "auc")]

    for row in range(len(users)):
        np.testing.assert_allclose(ours[row], theirs([row]), atol=1e-14)
    together = theirs(list(range(len(users))))
    np.testing.assert_allclose(ours.mean(axis=0)[1:], together[1:], atol=1e-14)
    weights = [min(k, len(liked)) for liked in likes]
    assert np.average(ours[:, 0], weights=weights) == pytest.approx(together[0])


def test_rating_errors_equal_scikit_learns():
    """Over the judged items of the list, user by user."""
    for user in random_users(30, seed=1):
        judged = [(rating, place) for rating, place in user.judged if place]
        found = values([user], ["MAE", "MSE", "RMSE"])[0]
        if not judged:
            assert np.isnan(found).all()
            continue
        given = [rating for rating, _ in judged]
        guessed = [predicted(rating, place) for rating, place in judged]
        expected = [
            sklearn.mean_absolute_error(given, guessed),
            sklearn.mean_squared_error(given, guessed),
            sklearn.root_mean_squared_error(given, guessed),
        ]
        np.testing.assert_allclose(found, expected, rtol=1e-12)
