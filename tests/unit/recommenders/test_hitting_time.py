import json
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from rankassay.errors import RankassayError
from rankassay.recommenders import hitting_time, walk
from rankassay.recommenders.hitting_time import HittingTime

pytestmark = pytest.mark.slow

REFERENCE = Path(__file__).parents[2] / "reference" / "recommenders_golden.json"
GOLDEN = json.loads(REFERENCE.read_text())
TOY = sp.csr_matrix(np.float32(GOLDEN["R"]))


def ratings(n_users=40, n_items=25, density=0.25, seed=3):
    rng = np.random.default_rng(seed)
    shape = (n_users, n_items)
    return sp.csr_matrix(np.float32(rng.integers(1, 6, shape) * (rng.random(shape) < density)))


def islands():
    """Two components of users and items, an item and a user without ratings."""
    parts = ratings(12, 9, 0.5), sp.csr_matrix((1, 1)), ratings(10, 14, 0.5, seed=4)
    parts = [*map(sp.csr_array, parts)]
    return sp.csr_matrix(sp.block_diag(parts, "csr", dtype=np.float32))


def scores_of(model, train):
    users = np.arange(train.shape[0], dtype=np.int32)
    return model.fit(train, seed=1).score(users)


def solved(train, user):
    """Solve H(x) = 1 + sum_y P(x, y) H(y), H(user) = 0, for the nodes connected with the user."""
    edges = train.toarray().astype(np.float64)
    n_users, n_items = edges.shape
    graph = np.block(
        [[np.zeros((n_users, n_users)), edges], [edges.T, np.zeros((n_items, n_items))]]
    )
    near = np.zeros(len(graph), bool)
    near[user] = True
    for _ in graph:
        near |= (graph[near] > 0).any(axis=0)
    times = np.full(len(graph), np.inf)
    near[user] = False
    steps = graph[near] / graph[near].sum(axis=1, keepdims=True)
    times[near] = np.linalg.solve(np.eye(near.sum()) - steps[:, near], np.ones(near.sum()))
    return times[n_users:]


def test_exact_equals_the_reference():
    scores = scores_of(HittingTime(exact=True), TOY)
    for user, expected in enumerate(GOLDEN["HT_exact_hitting_time"]):
        for item, value in expected.items():
            assert scores[user, int(item)] == pytest.approx(-value, abs=1e-6)


def test_series_ranks_like_the_truncated_walks_of_the_reference():
    scores = scores_of(HittingTime(), TOY)
    for user, expected in enumerate(GOLDEN["HT_trunc15"]):
        by_reference = sorted(expected, key=expected.get)
        assert sorted(expected, key=lambda item: -scores[user, int(item)]) == by_reference


@pytest.mark.parametrize("train", [ratings(), islands()], ids=["connected", "islands"])
def test_exact_equals_linear_solves(train):
    scores = scores_of(HittingTime(exact=True), train)
    for user in range(train.shape[0]):
        np.testing.assert_allclose(-scores[user], solved(train, user), rtol=1e-9)


@pytest.mark.parametrize("modes", [0, 3, 64])
def test_tiles_change_no_bit_of_a_score(monkeypatch, modes):
    train, items = ratings(), np.array([3, 17, 4], np.int32)
    users = np.arange(train.shape[0], dtype=np.int32)
    whole = HittingTime(modes=modes).fit(train, 1)
    monkeypatch.setattr(walk, "TILE", 7)
    monkeypatch.setattr(walk, "DENSE_ROW", 0)
    several = HittingTime(modes=modes).fit(train, 1)
    assert (len(whole.tiles_), len(several.tiles_)) == (0, 6)
    np.testing.assert_array_equal(whole.score(users), several.score(users))
    few = [model.among(items).score(users) for model in (whole, several)]
    np.testing.assert_array_equal(*few)


def test_hitting_times_are_at_least_one_step():
    scores = scores_of(HittingTime(exact=True), ratings())
    assert scores.max() <= -1 + 1e-12
    # The walk from an item that only the user rated takes one step.
    train = sp.csr_matrix(np.float32([[2, 5, 0], [0, 3, 4]]))
    assert scores_of(HittingTime(exact=True), train)[0, 0] == pytest.approx(-1)


@pytest.mark.parametrize("train", [ratings(), islands()], ids=["connected", "islands"])
def test_series_tends_to_the_hitting_time(train):
    exact, series = (scores_of(HittingTime(2000, 0, exact), train) for exact in (True, False))
    np.testing.assert_array_equal(np.isfinite(exact), np.isfinite(series))
    lengths = np.asarray(train.sum(axis=1, dtype=np.float64)).ravel()
    graph = sp.bmat([[None, train], [train.T, None]])
    component = connected_components(graph)[1][: train.shape[0]]
    for user in np.flatnonzero(lengths):
        scored = np.isfinite(exact[user])
        times = exact[user][scored]
        weights = lengths[component == component[user]].sum()
        sums = series[user][scored] * 2 * weights / lengths[user]
        np.testing.assert_allclose(times - times.mean(), sums - sums.mean(), atol=1e-6)


@pytest.mark.parametrize("shape", [(300, 250), (400, 210)], ids=["even", "more users"])
def test_modes_stand_for_the_steps_that_are_not_walked(shape):
    # So sparse a graph has small components next to the large one, and users without ratings.
    train = ratings(*shape, density=0.012)
    limit, found = (scores_of(model, train) for model in (HittingTime(3000, 0), HittingTime()))
    np.testing.assert_array_equal(np.isfinite(limit), np.isfinite(found))
    for user in range(shape[0]):
        scored = np.isfinite(limit[user])
        apart = limit[user][scored] - found[user][scored]
        assert not len(apart) or np.ptp(apart) < 2e-3


def test_items_of_the_same_rater_are_tied():
    train = ratings(300, 250, density=0.05).tolil()
    train[7, 100:110] = 3.0
    train[:7, 100:110] = train[8:, 100:110] = 0.0
    scores = scores_of(HittingTime(), sp.csr_matrix(train))
    others = np.arange(300) != 7
    assert (scores[others, 100:110] == scores[others, 100:101]).all()


def test_series_equals_dense_powers():
    dense = ratings().toarray().astype(np.float64)
    to_items, to_users = dense / dense.sum(1, keepdims=True), dense.T / dense.sum(0)[:, None]
    expected = sum(np.linalg.matrix_power(to_users @ to_items, t) @ to_users for t in range(4))
    np.testing.assert_allclose(
        scores_of(HittingTime(3, modes=0), ratings()), expected.T, rtol=1e-12
    )


@pytest.mark.parametrize("exact", [True, False])
def test_rows_do_not_depend_on_the_users_asked_for(exact):
    train = ratings(300, 40)
    model = HittingTime(exact=exact).fit(train, seed=1)
    everybody = model.score(np.arange(300))
    shuffled = np.random.default_rng(0).permutation(300)
    for asked in ([299], [5, 3, 200, 5], range(60, 130), range(257), shuffled):
        np.testing.assert_array_equal(model.score(np.array(asked)), everybody[np.array(asked)])


def test_only_connected_items_are_scored():
    scores = scores_of(HittingTime(), islands())
    expected = np.zeros(scores.shape, bool)
    expected[:12, :9] = True
    expected[13:, 10:] = True
    np.testing.assert_array_equal(np.isfinite(scores), expected)


@pytest.mark.parametrize("exact", [True, False])
def test_binary_walks_ignore_the_ratings(exact):
    train = ratings()
    same = train.copy()
    same.data[:] = 1
    np.testing.assert_array_equal(
        scores_of(HittingTime(exact=exact, weights="binary"), train),
        scores_of(HittingTime(exact=exact), same),
    )


def test_settings_out_of_range_are_refused(monkeypatch):
    with pytest.raises(RankassayError, match="unknown weights 'ratings'; did you mean 'rating'"):
        HittingTime(weights="ratings").fit(TOY, seed=1)
    with pytest.raises(RankassayError, match="steps >= 0"):
        HittingTime(steps=-1).fit(TOY, seed=1)
    monkeypatch.setattr(hitting_time, "EXACT", 4)
    with pytest.raises(RankassayError, match="at most 4 connected users for exact: true, found 5"):
        HittingTime(exact=True).fit(TOY, seed=1)


def communities(count, users, items, bridge, seed=0):
    """Dense communities of users and items, joined in a chain by single edges."""
    rng = np.random.default_rng(seed)
    parts = [rng.integers(1, 6, (users, items)) * (rng.random((users, items)) < 0.5)] * count
    train = sp.lil_matrix(sp.block_diag([*map(sp.csr_array, parts)]), dtype=np.float64)
    for number in range(1, count):
        train[number * users, number * items - 1] = bridge
    return sp.csr_matrix(train)


def in_common(model, train, first):
    """The share of the first items of each user that are those of the exact hitting times."""
    exact = HittingTime(exact=True, weights=model.weights)
    lists = (np.argsort(-scores_of(m, train), kind="stable")[:, :first] for m in (exact, model))
    return np.mean([np.isin(*own).mean() for own in zip(*lists, strict=True)])


@pytest.mark.parametrize(("steps", "modes"), [(16, 1), (20, 2), (24, 3)])
def test_more_steps_than_single_precision_bears_are_walked_in_double(steps, modes):
    train = ratings(500, 350, density=0.008, seed=5)
    model = HittingTime(steps=steps, modes=modes)
    assert in_common(model, train, 10) > 0.99
    assert np.abs(model.terms_).max() > 1e5
    assert model.slow_.dtype == np.float64


@pytest.mark.parametrize("bridge", [1.0, 1e-4, 1e-8])
def test_communities_that_hardly_hang_together_keep_their_order(bridge):
    train = communities(2, 60, 50, bridge)
    model = HittingTime()
    assert in_common(model, train, 10) > 0.999
    assert (model.slow_.dtype == np.float32) == (model.missing_.max() < 1e3)


def test_where_the_steps_do_not_suffice_the_next_items_are_still_right():
    # The fast modes, which tell a user's nearest items, must not suffer for the slow ones.
    train = communities(80, 10, 8, 3.0)
    assert in_common(HittingTime(steps=2), train, 1) > 0.7
    assert in_common(HittingTime(steps=2), train, 10) > 0.9
