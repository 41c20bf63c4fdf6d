import numpy as np
import pytest
import scipy.sparse as sp
from scipy import stats

from rankassay.errors import RankassayError
from rankassay.recommenders import pairwise
from rankassay.recommenders.pairwise import BPRMF, _drawn, _rated
from rankassay.recommenders.pairwise_kernels import _below, _step, draw

# A right program fails each of the frequency tests below once in a million seeds.
LEVEL = 1e-6


def ratings(n_users=60, n_items=40, density=0.3, seed=3):
    rng = np.random.default_rng(seed)
    shape = (n_users, n_items)
    return sp.csr_matrix(np.float32(rng.integers(1, 6, shape) * (rng.random(shape) < density)))


def blocks():
    """Two groups of users with ten items each, of which most are rated."""
    rng = np.random.default_rng(0)
    inside = np.kron(np.eye(2), np.ones((20, 10))) > 0
    return sp.csr_matrix(np.float32(4 * (inside & (rng.random(inside.shape) < 0.7)))), inside


def scores_of(model, train):
    users = np.arange(train.shape[0], dtype=np.int32)
    return model.fit(train, seed=1).score(users)


def share_in_order(scores, positive):
    """Return the mean over users of the share of pairs in order, the area under the curve."""
    return np.mean(
        [
            np.mean(row[chosen][:, None] > row[~chosen])
            for row, chosen in zip(scores, positive, strict=True)
        ]
    )


def gain(flat, n_factors, bias, penalties):
    """ln sigma(x_ui - x_uj) less the penalties, by p, then q with its bias, then r with its."""
    p = flat[:n_factors]
    (q, r), penalty = np.split(flat[n_factors:], 2), penalties
    x = p @ (q[:n_factors] - r[:n_factors]) + (q[n_factors] - r[n_factors] if bias else 0.0)
    lengths = [v[:n_factors] @ v[:n_factors] for v in (p, q, r)]
    return -np.log1p(np.exp(-x)) - 0.5 * (
        penalty[0] * (lengths[0] + lengths[1]) + penalty[1] * lengths[2]
    )


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("n_factors", [1, 3, 4, 7, 10])
def test_step_is_along_the_gradient(n_factors, bias):
    rng = np.random.default_rng(n_factors)
    free = rng.standard_normal(3 * n_factors + 2 * bias)
    rate, penalties = 1e-3, (0.3, 0.07)
    gradient = np.empty(len(free))
    for at in range(len(free)):
        shift = np.zeros(len(free))
        shift[at] = 1e-6
        values = (gain(free + sign * shift, n_factors, bias, penalties) for sign in (1, -1))
        gradient[at] = np.subtract(*values) / 2e-6
    p, (q, r) = free[:n_factors].copy(), np.split(free[n_factors:].copy(), 2)
    if bias:
        p = np.append(p, 1.0)
    _step(p, q, r, n_factors, (rate, *penalties))
    after = np.concatenate((p[:n_factors], q, r))
    np.testing.assert_allclose((after - free) / rate, gradient, atol=1e-6)
    assert not bias or p[-1] == 1.0


def test_generator_is_splitmix64():
    # The first output for seed 1234567 of the reference implementation by S. Vigna is
    # 6457827717110365317; its high 32 bits are scaled.
    state, drawn = _below(np.uint64(1234567), 1 << 20)
    assert drawn == ((6457827717110365317 >> 32) << 20) >> 32
    assert state == np.uint64(1234567 + 0x9E3779B97F4A7C15)


def draws(train, threshold, by_user, n):
    positives = train.copy()
    positives.data = (train.data >= threshold).astype(np.float32)
    positives.eliminate_zeros()
    pool = np.unique(train.indices)
    drawn = _drawn(train, positives, len(pool))
    found = np.empty((n, 3), np.int32)
    draw(found, drawn, _rated(train, pool), by_user, np.uint64(7))
    return positives.toarray() > 0, found


@pytest.mark.slow
@pytest.mark.parametrize("by_user", [False, True])
@pytest.mark.parametrize("threshold", [0, 4])
def test_triples_are_drawn_as_stated(threshold, by_user):
    train = ratings(9, 12)
    rows = train.toarray()
    rows[2] = 0
    rows[:, 5] = 0
    rows[4] = 5 * (np.arange(12) != 5)
    train = sp.csr_matrix(rows)
    positive, found = draws(train, threshold, by_user, 40000)
    # User 4 rated all that anybody rated, so that nothing is left to compare with.
    positive[4] = False
    sizes = positive.sum(axis=1)
    by_pair = positive / sizes.sum()
    if by_user:
        by_pair = positive / np.maximum(sizes, 1)[:, None] / np.count_nonzero(sizes)
    counts = np.zeros(rows.shape)
    np.add.at(counts, (found[:, 0], found[:, 1]), 1)
    assert not counts[~positive].any()
    expected = 40000 * by_pair[positive]
    assert stats.chisquare(counts[positive], expected).pvalue > LEVEL


def test_negatives_are_uniform():
    train = ratings(9, 12)
    _, found = draws(train, 0, False, 40000)
    counts = np.zeros(train.shape)
    np.add.at(counts, (found[:, 0], found[:, 2]), 1)
    pool = np.bincount(train.indices, minlength=12) > 0
    for user in range(9):
        negative = pool & (train.toarray()[user] == 0)
        assert not counts[user, ~negative].any()
        if counts[user].any():
            assert stats.chisquare(counts[user, negative]).pvalue > LEVEL / 9


@pytest.mark.parametrize("by_user", [False, True])
def test_triples_are_the_same_without_a_bit_for_every_pair(by_user, monkeypatch):
    # More pairs than fit a word, a user without ratings and one who rated the last item.
    rows = ratings(9, 70).toarray()
    rows[2] = 0
    rows[8, 69] = 5
    train = sp.csr_matrix(rows)
    _, by_bit = draws(train, 0, by_user, 5000)
    assert not rows[by_bit[:, 0], by_bit[:, 2]].any()
    monkeypatch.setattr(pairwise, "MARKED", 0)
    _, by_bisection = draws(train, 0, by_user, 5000)
    np.testing.assert_array_equal(by_bit, by_bisection)


@pytest.mark.parametrize("settings", [{}, {"item_bias": True}, {"sampling": "ratings"}], ids=str)
def test_blocks_are_separated(settings):
    train, inside = blocks()
    model = BPRMF(factors=4, learning_rate=0.05, regularization=0.01, epochs=100, **settings)
    scores = scores_of(model, train)
    assert share_in_order(scores, train.toarray() > 0) > 0.9
    assert share_in_order(scores, inside) > 0.99


def test_implicit_separates_blocks_too():
    train, inside = blocks()
    model = BPRMF(factors=4, epochs=300, learning_rate=0.05, backend="implicit")
    scores = scores_of(model, train)
    assert share_in_order(scores, inside) > 0.9
    np.testing.assert_array_equal(scores, scores_of(model, train))


def test_objective_rises():
    train = ratings()
    positive = train.toarray() > 0

    def criterion(epochs):
        model = BPRMF(5, learning_rate=0.01, regularization=0.0, epochs=epochs, decay=False)
        scores = scores_of(model, train)
        return np.mean(
            [
                -np.log1p(np.exp(row[~chosen] - row[chosen][:, None])).mean()
                for row, chosen in zip(scores, positive, strict=True)
                if chosen.any()
            ]
        )

    values = [criterion(epochs) for epochs in range(0, 200, 40)]
    assert (np.diff(values) > 0).all()


def test_heavy_regularization_leaves_nothing():
    scores = scores_of(
        BPRMF(factors=5, learning_rate=0.02, regularization=20.0, epochs=50), ratings()
    )
    assert abs(scores).max() < 1e-6


def test_threshold_leaves_out_users_without_positive_ratings():
    train = ratings()
    train.data[train.indptr[7] : train.indptr[8]] = 3
    served = np.isfinite(scores_of(BPRMF(factors=3, epochs=2, threshold=4), train)).any(axis=1)
    assert not served[7]
    assert served.sum() == 59


@pytest.mark.parametrize("decay", [False, True])
def test_seeds_give_different_models(decay):
    train = ratings()
    users = np.arange(60, dtype=np.int32)
    first, again, other = (
        BPRMF(factors=3, epochs=5, decay=decay).fit(train, seed).score(users) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_settings_out_of_range_are_refused():
    with pytest.raises(RankassayError, match="unknown sampling 'user'; did you mean 'users'"):
        BPRMF(sampling="user").fit(ratings(), seed=1)
    with pytest.raises(RankassayError, match="unknown backend 'numbas'; did you mean 'numba'"):
        BPRMF(backend="numbas").fit(ratings(), seed=1)
    with pytest.raises(RankassayError, match="factors >= 1"):
        BPRMF(factors=0).fit(ratings(), seed=1)
    with pytest.raises(RankassayError, match="lower the learning_rate"):
        BPRMF(learning_rate=1.0, regularization=5.0, epochs=100).fit(ratings(), seed=1)
