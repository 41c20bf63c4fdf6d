"""Rankings from preferences between pairs, against plain Python."""

import itertools

import numpy as np
import pytest

from rankassay.errors import RankassayError
from rankassay.statistics import pairwise_orders
from rankassay.statistics.pairwise_orders import ORDERS, circular_triads, order


def made(n_users=30, n_systems=5, seed=0, levels=(-1, 0, 1)):
    rng = np.random.default_rng(seed)
    n_pairs = n_systems * (n_systems - 1) // 2
    return rng.choice(levels, (n_users, n_pairs)).astype(float)


def squares(preferences, n):
    for row in preferences:
        square = np.zeros((n, n))
        for (i, j), value in zip(itertools.combinations(range(n), 2), row, strict=True):
            square[i, j], square[j, i] = value, -value
        yield square


@pytest.mark.parametrize("how", ORDERS)
def test_scores_are_their_definitions(how):
    preferences, n = made(), 5
    users = [*squares(preferences, n)]
    others = [[j for j in range(n) if j != i] for i in range(n)]
    if how == "mean":
        expected = [np.mean([u[i, j] for u in users for j in others[i]]) for i in range(n)]
    elif how == "wins":
        points = {1: 1, 0: 0.5, -1: 0}
        expected = [np.mean([points[u[i, j]] for u in users for j in others[i]]) for i in range(n)]
    elif how == "borda":
        expected = np.zeros(n)
        for u in users:
            score = [sum(u[i]) for i in range(n)]
            for i in range(n):
                below = sum(score[j] < score[i] for j in others[i])
                same = sum(score[j] == score[i] for j in others[i])
                expected[i] += (below + same / 2) / len(users)
    elif how == "copeland":
        total = sum(users)
        expected = [sum((total[i] > 0) * 1 - (total[i] < 0) * 1) for i in range(n)]
    else:
        chain = np.zeros((n, n))
        for i in range(n):
            for j in others[i]:
                votes = [u[j, i] for u in users]
                chain[i, j] = (votes.count(1) > votes.count(-1)) / n
            chain[i, i] = 1 - chain[i].sum()
        chain = (1 - 1e-6) * chain + 1e-6 / n
        values, vectors = np.linalg.eig(chain.T)
        vector = np.real(vectors[:, np.argmax(np.real(values))])
        expected = vector / vector.sum()
    np.testing.assert_allclose(order(preferences, how), expected, atol=1e-7)


@pytest.mark.parametrize("how", ORDERS)
def test_where_all_agree_the_order_is_theirs(how):
    rank = np.array([2, 0, 3, 1])
    pairs = [np.sign(rank[j] - rank[i]) for i, j in itertools.combinations(range(4), 2)]
    found = order(np.tile(np.array(pairs, dtype=float), (7, 1)), how)
    best = int(np.argmax(found))
    assert best == 1
    if how != "mc4":  # whose chain ends in the best system
        assert np.argsort(-found).tolist() == np.argsort(rank).tolist()


@pytest.mark.parametrize("how", ORDERS)
def test_systems_that_are_equal_have_the_same_score(how):
    assert len({*order(np.zeros((4, 6)), how).tolist()}) == 1


@pytest.mark.parametrize("how", ["mean", "wins", "borda", "copeland"])
def test_systems_with_the_same_sums_tie(how):
    """Whatever rounding makes of thirds and sevenths: whole numbers decide, added up by hand."""
    rng = np.random.default_rng(4)
    tied = 0
    for _ in range(200):
        n_users, n = rng.integers(3, 9), 6
        preferences = rng.integers(-2, 3, (n_users, n * (n - 1) // 2)) / 7
        found = order(preferences, how)
        users = [*squares(np.rint(7 * preferences).astype(int), n)]
        sums = {
            "mean": sum(user.sum(axis=1) for user in users),
            "wins": sum(np.sign(user).sum(axis=1) for user in users),
            "borda": sum(
                np.sign(user.sum(axis=1)[:, None] - user.sum(axis=1)).sum(axis=1) for user in users
            ),
            "copeland": np.sign(sum(users)).sum(axis=1),
        }[how]
        for a, b in itertools.combinations(range(n), 2):
            assert np.sign(found[a] - found[b]) == np.sign(sums[a] - sums[b])
            tied += sums[a] == sums[b]
    assert tied > 50


@pytest.mark.parametrize("how", ORDERS)
def test_users_without_preferences_do_not_count(how):
    preferences = made()
    more = np.vstack([preferences, np.full((3, 10), np.nan)])
    np.testing.assert_array_equal(order(more, how), order(preferences, how))


@pytest.mark.parametrize("how", ORDERS)
def test_blocks_of_users_make_the_same_order(how, monkeypatch):
    preferences = np.vstack([made(), np.full((3, 10), np.nan), made(seed=1)])
    whole, triads = order(preferences, how), circular_triads(preferences)
    monkeypatch.setattr(pairwise_orders, "CELLS", 70)
    np.testing.assert_array_equal(order(preferences, how), whole)
    assert circular_triads(preferences) == triads


def test_mistakes_are_named():
    with pytest.raises(RankassayError, match="a column for each pair of two systems"):
        order(np.zeros((3, 4)))
    with pytest.raises(RankassayError, match="expected users with relevant items, found none"):
        order(np.full((3, 1), np.nan))
    with pytest.raises(RankassayError, match="did you mean 'copeland'"):
        order(np.zeros((3, 1)), "copland")


@pytest.mark.parametrize("n", [60, 300])
def test_mc4_tells_all_systems_apart_of_which_each_beats_those_behind_it(n):
    scores = order(np.ones((1, n * (n - 1) // 2)), "mc4")
    assert (np.diff(scores) < 0).all()


def test_mc4_of_systems_that_beat_all_others_alike_is_a_tie():
    # The first two tie and beat the others, which tie in pairs: only chance starts divide them.
    level = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    first, second = np.triu_indices(len(level), k=1)
    scores = order((level[first] < level[second])[None] * 1.0, "mc4")
    np.testing.assert_array_equal(scores[::2], scores[1::2])
    assert (np.diff(scores[::2]) < 0).all()


def test_four_systems_can_go_round_without_a_triple_that_does():
    # a beats b, b beats c, c beats d, d beats a; a ties with c, and b with d.
    assert circular_triads(np.array([[1.0, 0, -1, 1, 0, 1]])) == 0
