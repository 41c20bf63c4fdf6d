import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.decomposition import non_negative_factorization

from rankassay.errors import RankassayError
from rankassay.recommenders.topics import (
    FEW,
    LDA,
    PLSA,
    GibbsChain,
    _draw,
    _sum,
    _uniform,
    expectation_maximization,
)
from rankassay.seeds import derive

REFERENCE = Path(__file__).parents[2] / "reference" / "recommenders_golden.json"
GOLDEN = json.loads(REFERENCE.read_text())
TOY = sp.csr_matrix(np.float32(GOLDEN["R"]))
QUICK = {"topics": 4, "sweeps": 30, "burn_in": 10, "thin": 5}


def ratings(n_users=40, n_items=25, seed=3):
    rng = np.random.default_rng(seed)
    shape = (n_users, n_items)
    dense = rng.integers(1, 6, shape) * (rng.random(shape) < 0.3)
    dense[np.arange(n_users), rng.integers(0, n_items, n_users)] = 4
    dense[rng.integers(0, n_users, n_items), np.arange(n_items)] = 3
    return sp.csr_matrix(dense.astype(np.float32))


def blocks():
    """Return ratings of two kinds of users, each of its own half of the items."""
    rng = np.random.default_rng(1)
    dense = np.zeros((40, 30))
    for first_user, first_item in ((0, 0), (20, 15)):
        part = rng.integers(1, 6, (20, 15)) * (rng.random((20, 15)) < 0.6)
        dense[first_user : first_user + 20, first_item : first_item + 15] = part
    return sp.csr_matrix(dense.astype(np.float32))


def log_likelihood(train, users, items):
    return (train.toarray() * np.log(np.where(train.toarray() > 0, users @ items.T, 1))).sum()


def start(train, topics, seed=0):
    rng = np.random.default_rng(seed)
    users, items = rng.random((train.shape[0], topics)), rng.random((train.shape[1], topics))
    return users / users.sum(axis=1, keepdims=True), items / items.sum(axis=0)


# PLSA


def test_plsa_step_equals_the_reference():
    before, after = GOLDEN["PLSA_init"], GOLDEN["PLSA_after_1"]
    users, items = np.array(before["pz_u"]), np.array(before["pi_z"]).T.copy()
    # The reference is rounded to six digits, its distributions too.
    assert log_likelihood(TOY, users, items) == pytest.approx(after["loglik0"], abs=2e-4)
    users, items = expectation_maximization(TOY, users, items)
    np.testing.assert_allclose(users, after["pz_u"], atol=5e-6)
    np.testing.assert_allclose(items.T, after["pi_z"], atol=5e-6)
    assert log_likelihood(TOY, users, items) == pytest.approx(after["loglik1"], abs=2e-4)


@pytest.mark.filterwarnings("ignore:Maximum number of iterations")
def test_plsa_step_equals_that_of_factorization_by_kullback_leibler_divergence():
    train = ratings()
    users, items = start(train, 4)
    new_users, new_items = expectation_maximization(train, users, items)
    lengths = np.asarray(train.sum(axis=1), np.float64)
    settings = {
        "n_components": 4,
        "init": "custom",
        "solver": "mu",
        "beta_loss": "kullback-leibler",
        "max_iter": 1,
        "tol": 0,
    }
    dense = train.toarray().astype(np.float64)
    # Only the left factor is found from the given other one: items come from transposed ratings.
    found = non_negative_factorization(dense, W=users * lengths, H=items.T.copy(), **settings)[0]
    np.testing.assert_allclose(found / found.sum(axis=1, keepdims=True), new_users, rtol=1e-6)
    found = non_negative_factorization(
        dense.T.copy(), W=items.copy(), H=(users * lengths).T.copy(), **settings
    )[0]
    np.testing.assert_allclose(found / found.sum(axis=0), new_items, rtol=1e-6)


def test_plsa_rests_where_factorization_by_kullback_leibler_divergence_does():
    train = ratings(12, 8)
    users, items = start(train, 2)
    found, components, _ = non_negative_factorization(
        train.toarray().astype(np.float64),
        W=users.copy(),
        H=items.T.copy(),
        n_components=2,
        init="custom",
        solver="mu",
        beta_loss="kullback-leibler",
        max_iter=20_000,
        tol=1e-14,
    )
    joint = found * components.sum(axis=1)
    users = joint / joint.sum(axis=1, keepdims=True)
    items = (components / components.sum(axis=1, keepdims=True)).T.copy()
    again = expectation_maximization(train, users, items)
    np.testing.assert_allclose(again[0], users, atol=1e-6)
    np.testing.assert_allclose(again[1], items, atol=1e-6)


def test_plsa_likelihood_never_falls():
    train = ratings()
    values = []
    for n in range(12):
        model = PLSA(topics=4, iterations=n).fit(train, seed=1)
        values.append(log_likelihood(train, model.user_factors_, model.item_factors_))
    assert (np.diff(values) > 0).all()


def test_plsa_of_one_topic_is_popularity_by_sum():
    train = ratings()
    scores = PLSA(topics=1, iterations=1).fit(train, seed=1).score(np.arange(40))
    expected = np.asarray(train.sum(axis=0)).ravel() / train.sum()
    np.testing.assert_allclose(scores, np.tile(expected, (40, 1)), rtol=1e-6)


def test_plsa_survives_a_topic_that_dies_out():
    users, items = start(TOY, 3)
    users[:, 1] = 0
    for _ in range(3):
        users, items = expectation_maximization(TOY, users, items)
    assert (users[:, 1] == 0).all()
    assert (items[:, 1] == 0).all()
    np.testing.assert_allclose(users.sum(axis=1), 1)


# LDA


def test_random_numbers_are_those_of_splitmix64():
    state = np.array([1234567], np.uint64)
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [_uniform(state) for _ in published] == [(n >> 11) / 2**53 for n in published]


@pytest.mark.parametrize("n", [1, 2, 5, FEW - 1, FEW, FEW + 1, 3 * FEW, 3 * FEW + 5])
def test_a_draw_is_the_first_topic_that_the_weights_reach(n):
    # Whole numbers, whose sums are exact in any order.
    weights = np.random.default_rng(n).integers(0, 5, n).astype(np.float64)
    weights[-1] = 3.0
    assert _sum(weights) == weights.sum()
    for rest in np.arange(0, weights.sum(), 0.5):
        assert _draw(weights, rest) == np.searchsorted(np.cumsum(weights), rest, side="right")
    assert _draw(weights, weights.sum() + 1) == n - 1  # what rounding may ask for


def test_counts_are_conserved_in_every_sweep():
    occurrences = ratings().astype(np.int32)
    chain = GibbsChain(occurrences, 4, 0.1, 0.01, seed=7)
    coordinates = occurrences.tocoo()
    users = np.repeat(coordinates.row, coordinates.data)
    items = np.repeat(coordinates.col, coordinates.data)
    before = chain.topic.copy()
    for _ in range(10):
        for counts, rows in ((chain.by_user, users), (chain.by_item, items)):
            expected = np.zeros_like(counts)
            np.add.at(expected, (rows, chain.topic), 1)
            np.testing.assert_array_equal(counts, expected)
        np.testing.assert_array_equal(chain.by_topic, np.bincount(chain.topic, minlength=4))
        assert chain.by_topic.sum() == occurrences.sum()
        chain.sweep()
    assert (chain.topic != before).any()


def log_joint(topic, users, items, n_topics, alpha, beta):
    """Return log p(topics, items | users), the multinomials integrated out, but for a constant."""
    total = 0.0
    for rows, prior in ((users, alpha), (items, beta)):
        counts = np.zeros((rows.max() + 1, n_topics))
        np.add.at(counts, (rows, topic), 1)
        total += sum(math.lgamma(n + prior) for n in counts.ravel())
    mass = (items.max() + 1) * beta
    return total - sum(math.lgamma(n + mass) for n in np.bincount(topic, minlength=n_topics))


def test_chain_visits_every_state_as_often_as_its_probability_asks():
    occurrences = sp.csr_matrix(np.array([[2, 1, 0], [0, 1, 1]], np.int32))
    users, items = np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 1, 2])
    alpha, beta, sweeps = 0.7, 0.4, 60_000
    states = np.array(list(itertools.product(range(2), repeat=5)))
    expected = np.exp([log_joint(state, users, items, 2, alpha, beta) for state in states])
    chain = GibbsChain(occurrences, 2, alpha, beta, seed=3)
    visits = np.zeros(len(states))
    for _ in range(sweeps):
        chain.sweep()
        visits[chain.topic @ [16, 8, 4, 2, 1]] += 1
    np.testing.assert_allclose(visits / sweeps, expected / expected.sum(), atol=0.006)


@pytest.mark.parametrize("settings", [{"backend": "sklearn"}, {"binary": True}, {}], ids=str)
def test_lda_finds_blocks(settings):
    train = blocks()
    model = LDA(**QUICK | {"topics": 2} | settings).fit(train, seed=2)
    users, items = model.user_factors_, model.item_factors_
    first = users[0].argmax()
    np.testing.assert_array_equal(users.argmax(axis=1) == first, np.arange(40) < 20)
    np.testing.assert_array_equal(items.argmax(axis=1) == first, np.arange(30) < 15)
    assert users.max(axis=1).min() > 0.9
    # In a topic, an item has its share of what is counted: stars or ratings.
    counts = np.sign(train.toarray()) if settings.get("binary") else train.toarray()
    share = counts[:20, :15].sum(axis=0) / counts[:20].sum()
    np.testing.assert_allclose(items[:15, first], share, atol=0.005)


@pytest.mark.parametrize("backend", ["gibbs", "sklearn"])
def test_lda_scores_of_a_user_sum_to_one(backend):
    train = sp.csr_matrix(np.hstack([ratings().toarray(), np.zeros((40, 2), np.float32)]))
    scores = LDA(**QUICK, backend=backend).fit(train, seed=1).score(np.arange(40))
    assert np.isneginf(scores[:, 25:]).all()
    assert (scores[:, :25] > 0).all()
    np.testing.assert_allclose(scores[:, :25].sum(axis=1), 1, rtol=1e-12)


def test_lda_is_the_mean_over_the_sweeps_kept():
    train = ratings()
    model = LDA(topics=3, sweeps=11, burn_in=4, thin=3).fit(train, seed=1)
    chain = GibbsChain(train.astype(np.int32), 3, 0.1, 0.01, derive(1, "lda"))
    samples = []
    for _ in range(11):
        chain.sweep()
        samples.append(chain.distributions())
    for learned, kept in (
        (model.user_factors_, [samples[n][0] for n in (6, 9)]),
        (model.item_factors_, [samples[n][1] for n in (6, 9)]),
    ):
        np.testing.assert_allclose(learned, np.mean(kept, axis=0), rtol=1e-12)


def test_lda_counts_whole_stars_and_at_least_one():
    stars = sp.csr_matrix(np.float32([[0.5, 1.5, 4.5], [3, 0, 1]]))
    whole = sp.csr_matrix(np.float32([[1, 1, 4], [3, 0, 1]]))
    everybody = np.arange(2, dtype=np.int32)
    one, other = (LDA(**QUICK).fit(train, seed=1).score(everybody) for train in (stars, whole))
    np.testing.assert_array_equal(one, other)


def test_settings_out_of_range_are_refused():
    with pytest.raises(RankassayError, match="unknown backend 'gibs'; did you mean 'gibbs'"):
        LDA(backend="gibs").fit(TOY, seed=1)
    with pytest.raises(RankassayError, match="alpha > 0"):
        LDA(alpha=0).fit(TOY, seed=1)
    for settings in ({"thin": 0}, {"burn_in": 195}, {"burn_in": -1}):
        with pytest.raises(RankassayError, match="burn_in from 0 to sweeps - thin"):
            LDA(**settings).fit(TOY, seed=1)
    with pytest.raises(RankassayError, match="topics >= 1"):
        PLSA(topics=0).fit(TOY, seed=1)
