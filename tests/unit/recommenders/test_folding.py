"""Users whom a model did not learn from are served by what the theory of the model says."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize
from scipy.special import softmax

from rankassay.errors import RankassayError
from rankassay.lookup import load
from rankassay.recommenders.biased_neighbourhoods import NNCosNgbrIB, NNCosNgbrUB
from rankassay.recommenders.catalogue import NEEDS_ALL_USERS, RECOMMENDERS
from rankassay.recommenders.factorization import WRMF, PureSVD
from rankassay.recommenders.feedback import RSV, ChiSquared, KullbackLeibler, Rocchio
from rankassay.recommenders.folding import fitted, of_users
from rankassay.recommenders.hitting_time import HittingTime
from rankassay.recommenders.implicit_als import IALS
from rankassay.recommenders.knn import ItemKNN, UserKNN
from rankassay.recommenders.linear import EASE
from rankassay.recommenders.pairwise import BPRMF
from rankassay.recommenders.random_walk import RP3Beta
from rankassay.recommenders.rating_factorization import SVD
from rankassay.recommenders.relevance_models import RM1, RM2, UIRItem
from rankassay.recommenders.slim import SLIM
from rankassay.recommenders.topics import LDA, PLSA, mixtures
from rankassay.recommenders.weighted_sum import LMWSRItem, LMWSRUser

N_USERS, N_ITEMS = 24, 14
HELD = np.arange(N_USERS) >= 20  # user 20 has the ratings of user 3
LEARNED = np.flatnonzero(~HELD)
ALL = np.arange(N_USERS, dtype=np.int32)
SMALL = {  # settings with which the methods take this matrix
    "puresvd": {"factors": 4},
    "wrmf": {"factors": 4},
    "lda": {"topics": 3, "sweeps": 60},
    "plsa": {"topics": 3},
    "svd": {"factors": 3},
    "ials": {"factors": 4},
}


def ratings():
    rng = np.random.default_rng(11)
    dense = rng.integers(1, 6, (N_USERS, N_ITEMS)) * (rng.random((N_USERS, N_ITEMS)) < 0.4)
    dense[20] = dense[3]
    dense[:20, 12] = 0  # an item of held-out users alone
    dense[22, 12] = 5
    dense[3, 12] = dense[20, 12] = 0
    return sp.csr_matrix(dense.astype(np.float32))


TRAIN = ratings()
KNOWN = of_users(TRAIN, ~HELD)


def served(model, held=HELD, train=TRAIN):
    return fitted(model, train, 5, held).score(ALL)


def same(found, expected, tolerance=1e-10):
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


def made(method):
    return load(RECOMMENDERS[method])(**SMALL.get(method, {}))


def test_users_of_a_matrix_keep_their_ratings_and_the_others_have_none():
    np.testing.assert_array_equal(KNOWN.toarray(), np.where(HELD[:, None], 0, TRAIN.toarray()))


@pytest.mark.slow
@pytest.mark.parametrize("method", sorted({*RECOMMENDERS} - {*NEEDS_ALL_USERS}))
def test_scores_depend_on_no_other_user_held_out(method):
    together = served(made(method))
    alone = HELD & (ALL == 22)
    expected = served(made(method), HELD, of_users(TRAIN, ~HELD | alone))
    np.testing.assert_array_equal(together[22], expected[22])
    # Who was learned from is served as without folding-in, to the bit.
    np.testing.assert_array_equal(together[LEARNED], made(method).fit(KNOWN, 5).score(ALL[LEARNED]))
    assert np.isfinite(together[22]).any()


def test_the_catalogue_knows_who_needs_all_users():
    without = {name for name in RECOMMENDERS if not hasattr(load(RECOMMENDERS[name]), "fold_in")}
    assert without == {*NEEDS_ALL_USERS} == {"bprmf"}
    with pytest.raises(
        RankassayError, match=r"^BPRMF cannot serve users whom it did not learn from"
    ):
        fitted(BPRMF(), TRAIN, 5, HELD)


@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    [
        ItemKNN(neighbours=5),
        ItemKNN(weighting="bm25"),
        SLIM(l1=1, l2=2),
        SLIM(binary=True),
        EASE(regularization=10, form="primal"),
        EASE(regularization=10, form="dual"),
        EASE(regularization=10, binary=False, form="dual"),
        RP3Beta(alpha=0.7),
        LMWSRItem(neighbours=5),
        UIRItem(amount=0.5),
        NNCosNgbrIB(),
        NNCosNgbrIB(selection="per_pair", neighbours=3),
        PureSVD(factors=4),
        WRMF(factors=3, iterations=400, regularization=3.0),
        WRMF(factors=3, iterations=400, target="binary", regularization=1.0),
        IALS(factors=3, iterations=400, regularization=0.1),
    ],
    ids=repr,
)
def test_a_twin_of_a_user_in_training_is_served_alike(model):
    scores = served(model)
    same(scores[20], scores[3], 1e-7 if isinstance(model, WRMF | IALS) else 1e-10)


def test_both_forms_of_ease_agree_on_users_held_out():
    same(served(EASE(form="dual"))[HELD], served(EASE(form="primal"))[HELD])


def nearest(k):
    """Return the users in training of largest cosine for every user, by brute force."""
    rows = TRAIN.toarray().astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1)
    cosines = rows @ rows.T / np.outer(lengths, lengths)
    cosines[:, HELD] = 0
    np.fill_diagonal(cosines, 0)
    order = np.lexsort((np.tile(ALL, (N_USERS, 1)), -cosines.round(12)))
    return [[v for v in order[u][:k] if cosines[u, v] > 0] for u in ALL], cosines


def share_of(rows):
    return rows.sum(axis=0) / rows.sum()


def test_feedback_comes_from_users_in_training():
    near, _ = nearest(6)
    rows = KNOWN.toarray().astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        background = share_of(rows)
        for u in np.flatnonzero(HELD):
            local = share_of(rows[near[u]])
            mean = rows[near[u]].mean(axis=0)
            expected = [
                (Rocchio(6), mean),
                (RSV(6), mean * local),
                (ChiSquared(6, estimate="mle"), (local - background) ** 2 / background),
                (KullbackLeibler(6, estimate="mle"), local * np.log(local / background)),
            ]
            for model, values in expected:
                same(served(model)[u], np.where(local > 0, values, -np.inf))


@pytest.mark.parametrize("normalised", [False, True])
def test_user_knn_has_neighbours_in_training(normalised):
    near, cosines = nearest(6)
    rows = KNOWN.toarray().astype(np.float64)
    found = served(UserKNN(6, normalised=normalised, min_raters=1, threshold=3))
    for u in np.flatnonzero(HELD):
        weights = cosines[u, near[u]][:, None] * (rows[near[u]] > 0)
        totals = (weights * np.maximum(rows[near[u]] - 2, 0)).sum(axis=0)
        with np.errstate(invalid="ignore"):
            values = totals / weights.sum(axis=0) if normalised else totals
        same(found[u], np.where(weights.sum(axis=0) > 0, values, -np.inf))


def model_of(rows, amount):
    """Return p(i|v) of all rows with additive smoothing."""
    return (rows + amount) / (rows.sum(axis=1, keepdims=True) + amount * N_ITEMS)


@pytest.mark.parametrize("kind", [RM1, RM2])
def test_relevance_models_of_users_held_out(kind):
    near, _ = nearest(4)
    rows = KNOWN.toarray().astype(np.float64)
    found = served(kind(4, "additive", 0.5))
    for u in np.flatnonzero(HELD):
        models = model_of(rows[near[u]], 0.5)
        asked = TRAIN[u].indices
        if kind is RM1:
            values = np.log((models * models[:, asked].prod(axis=1)[:, None]).mean(axis=0))
        else:
            sums = models.T @ models[:, asked] / len(models)  # p(i|v) p(v) p(j|v) over v
            prior = 1 / N_ITEMS
            values = np.log(prior) + np.log(sums / prior).sum(axis=1)
        scored = (rows[near[u]] > 0).any(axis=0)
        scored[asked] = False
        same(found[u], np.where(scored, values, -np.inf))


@pytest.mark.slow
@pytest.mark.parametrize("weight", ["lm", "lm_norm", "cosine", "uniform"])
@pytest.mark.parametrize("similarity", ["jelinek_mercer", "dirichlet"])
def test_language_models_find_neighbours_in_training(similarity, weight):
    rows = TRAIN.toarray().astype(np.float64)
    known = KNOWN.toarray().astype(np.float64)
    found = served(LMWSRUser(5, similarity, 0.4, weight))
    background = share_of(known)
    _, cosines = nearest(5)
    for u in np.flatnonzero(HELD):
        values = np.full(N_USERS, -np.inf)
        for v in LEARNED:
            both = np.flatnonzero((rows[u] > 0) & (known[v] > 0))
            total = known[v].sum()
            if similarity == "jelinek_mercer":
                seen, share = 0.6 * known[v] / total, 0.4
                offset = 0.0
            else:
                seen, share = known[v] / (total + 0.4), 0.4 / (total + 0.4)
                offset = rows[u].sum() * np.log(share)
            gains = np.log1p(seen[both] / (share * background[both]))
            if len(both):
                values[v] = rows[u, both] @ gains + offset
        near = [v for v in np.lexsort((ALL, -values)) if values[v] > -np.inf][:5]
        weights = {
            "lm": values[near],
            "lm_norm": values[near] / rows[u].sum(),
            "cosine": cosines[u, near],
            "uniform": np.ones(len(near)),
        }[weight]
        expected = weights @ known[near]
        same(found[u], np.where((known[near] > 0).any(axis=0), expected, -np.inf))


@pytest.mark.parametrize("selection", ["global", "per_pair"])
def test_biased_neighbours_are_users_in_training(selection):
    rows, known = TRAIN.toarray().astype(np.float64), KNOWN.toarray().astype(np.float64)
    rated = known > 0
    mean = known[rated].mean()
    items = (known - mean * rated).sum(axis=0) / (25 + rated.sum(axis=0))
    rest = (rows - mean - items) * (rows > 0)
    users = rest.sum(axis=1) / (10 + (rows > 0).sum(axis=1))
    rest = (rest - users[:, None]) * (rows > 0)
    _, cosines = nearest(1)
    shared = (rows > 0).astype(float) @ (rows > 0).T
    weights = cosines * shared / (shared + 7)
    found = served(NNCosNgbrUB(3, shrinkage=7, selection=selection))
    for u in np.flatnonzero(HELD):
        order = sorted(LEARNED, key=lambda v: (-weights[u, v], v))
        for i in np.flatnonzero(rated.any(axis=0)):
            raters = [v for v in order if rated[v, i]][:3]
            if selection == "global":
                raters = [v for v in order[:3] if rated[v, i]]
            total = mean + users[u] + items[i] + weights[u, raters] @ rest[raters, i]
            empty = selection == "global" and not raters
            same(found[u, i], -np.inf if empty else total)


@pytest.mark.slow
@pytest.mark.parametrize("weights", ["rating", "binary"])
@pytest.mark.parametrize("settings", [{"steps": 3, "modes": 0}, {"exact": True}], ids=repr)
def test_hitting_time_is_that_of_a_graph_with_the_user(settings, weights):
    found = served(HittingTime(**settings, weights=weights))
    for u in np.flatnonzero(HELD):
        graph = of_users(TRAIN, ~HELD | (u == ALL))
        expected = HittingTime(**settings, weights=weights).fit(graph, 1).score(ALL[[u]])[0]
        unknown = TRAIN[u].toarray().ravel() == 0
        same(found[u][unknown], expected[unknown])


def test_svd_solves_for_the_user():
    model = fitted(SVD(factors=3, regularization=0.2), TRAIN, 5, HELD)
    mean = KNOWN.data.mean(dtype=np.float64)
    for u in np.flatnonzero(HELD):
        row = TRAIN[u].toarray().ravel()
        asked = np.flatnonzero((row > 0) & model.rated_)
        features = np.column_stack((model.item_factors_[asked, :3], np.ones(len(asked))))
        targets = row[asked] - mean - model.item_factors_[asked, -1]

        def loss(x, features=features, targets=targets):
            return ((targets - features @ x) ** 2).sum() + 0.2 * len(targets) * (x**2).sum()

        best = minimize(loss, np.zeros(4), tol=1e-12).x
        expected = (
            mean + best[3] + model.item_factors_[:, -1] + model.item_factors_[:, :3] @ best[:3]
        )
        same(model.score(ALL[[u]])[0][model.rated_], expected[model.rated_], 1e-5)


@pytest.mark.parametrize("alpha", [0.0, 0.3])
def test_mixtures_of_topics_are_the_most_likely(alpha):
    rng = np.random.default_rng(2)
    topics = np.ascontiguousarray(rng.dirichlet(np.ones(N_ITEMS), 3).T)
    found = mixtures(TRAIN, topics, alpha, 3000)

    def loss(x, row):
        shares = softmax(x)
        return -(row @ np.log(topics @ shares) + alpha * np.log(shares).sum())

    for u in range(20, 24):
        row = TRAIN[u].toarray().ravel()
        best = min((minimize(loss, start, (row,)) for start in np.eye(3)), key=lambda b: b.fun)
        assert loss(np.log(np.maximum(found[u], 1e-300)), row) <= best.fun + 1e-6
    same(found.sum(axis=1), 1.0)


@pytest.mark.parametrize("model", [LDA(3, sweeps=60), PLSA(3)], ids=repr)
def test_topic_models_mix_for_users_held_out(model):
    model = fitted(model, TRAIN, 5, HELD)
    alpha = getattr(model, "alpha", 0.0)
    counts = TRAIN if isinstance(model, PLSA) else TRAIN.floor()
    expected = mixtures(counts, model.item_factors_, alpha, 2000) @ model.item_factors_.T
    scored = model.rated_
    same(model.score(ALL)[HELD][:, scored], expected[HELD][:, scored], 0.01)
