"""The rank correlations against their definitions written out, and against published examples."""

import itertools

import numpy as np
import pytest
import scipy.stats

from rankassay.declared.correlations import ALIASES, CORRELATIONS
from rankassay.errors import RankassayError
from rankassay.statistics import rank_correlation
from rankassay.statistics.rank_correlation import (
    correlation,
    rbo,
    rbo_a,
    rbo_b,
    spearman,
    tau_ap,
    tau_ap_b,
    tau_b,
)

NAMES = [*CORRELATIONS]

# The example of ircor, the package of Urbano and Marrero: the reference, an estimate, and the same
# rounded to fifths.
TRUE = np.array([0.06, 0.2, 0.27, 0.37, 0.57, 0.63, 0.66, 0.9, 0.91, 0.94])
ESTIMATED = np.array([0.37, 0.06, 0.2, 0.27, 0.57, 0.66, 0.63, 0.91, 0.9, 0.94])
TRUE_TIED, ESTIMATED_TIED = np.round(5 * TRUE), np.round(5 * ESTIMATED)


def orders(x):
    """Yield every order of the systems, best first, that fits a valuation with ties."""
    groups = [np.flatnonzero(x == value) for value in sorted(set(x), reverse=True)]
    for parts in itertools.product(*(itertools.permutations(group) for group in groups)):
        yield list(itertools.chain(*parts))


def tau_ap_of_orders(estimate, truth):
    """Yilmaz et al., equation (3), of two orders, best first."""
    n, place = len(truth), {system: i for i, system in enumerate(truth)}
    total = 0.0
    for i in range(1, n):
        correct = sum(place[above] < place[estimate[i]] for above in estimate[:i])
        total += correct / i
    return 2 / (n - 1) * total - 1


def valuations(seed, n=6, levels=4):
    return np.random.default_rng(seed).integers(levels, size=(2, n)).astype(float)


@pytest.mark.parametrize("seed", range(20))
def test_tau_b_equals_scipys_with_ties(seed):
    x, y = valuations(seed, 12, 6)
    assert tau_b(x, y) == pytest.approx(scipy.stats.kendalltau(x, y, variant="b").statistic)


@pytest.mark.parametrize("seed", range(20))
def test_spearman_equals_scipys_with_ties(seed):
    x, y = valuations(seed, 12, 6)
    assert spearman(x, y) == pytest.approx(scipy.stats.spearmanr(x, y).statistic)


def test_two_systems_agree_or_disagree_wholly():
    x = np.array([[0.1, 0.2], [0.2, 0.1], [0.1, 0.1]])
    reference = np.array([3.0, 7.0])
    found = tau_b(x, reference)
    np.testing.assert_array_equal(found, [1, -1, np.nan])
    np.testing.assert_array_equal(tau_b(reference, x), [1, -1, np.nan])


@pytest.mark.parametrize("seed", range(20))
def test_tau_ap_is_the_mean_over_all_orders_of_tied_systems(seed):
    x, y = valuations(seed)
    pairs = itertools.product(orders(x), orders(y))
    expected = np.mean([tau_ap_of_orders(a, b) for a, b in pairs])
    assert tau_ap(x, y) == pytest.approx(expected)


def test_tau_ap_on_the_examples_of_its_authors():
    """As printed in the documentation of the R package ircor; ours takes the estimate first."""
    assert tau_b(ESTIMATED, TRUE) == pytest.approx(0.7777778, abs=5e-8)
    assert tau_ap(ESTIMATED, TRUE) == pytest.approx(0.7491182, abs=5e-8)
    assert tau_ap(ESTIMATED_TIED, TRUE) == pytest.approx(0.6074515, abs=5e-8)
    assert tau_ap_b(ESTIMATED_TIED, TRUE_TIED) == pytest.approx(0.6269841, abs=5e-8)
    assert tau_b(ESTIMATED_TIED, TRUE_TIED) == pytest.approx(0.75, abs=5e-8)


def test_tau_ap_is_not_symmetric_and_weighs_the_top():
    reference = np.arange(8.0, 0, -1)
    top, bottom = reference.copy(), reference.copy()
    top[:2], bottom[-2:] = top[1::-1], bottom[:-3:-1]
    assert tau_ap(top, reference) < tau_ap(bottom, reference) < 1
    assert tau_b(top, reference) == tau_b(bottom, reference)
    assert tau_ap(ESTIMATED, TRUE) != pytest.approx(tau_ap(TRUE, ESTIMATED))


@pytest.mark.parametrize("seed", range(10))
def test_tau_ap_b_is_the_mean_of_both_directions_where_nothing_is_tied(seed):
    x, y = np.random.default_rng(seed).random((2, 9))
    assert tau_ap_b(x, y) == pytest.approx((tau_ap(x, y) + tau_ap(y, x)) / 2)
    x, y = valuations(seed, 9)
    assert tau_ap_b(x, y) == pytest.approx(tau_ap_b(y, x))


def rbo_of_orders(a, b, p, depth):
    """Webber et al., equation (4), summed far beyond the lists' ends."""
    agreement = [len({*a[:d]} & {*b[:d]}) / min(d, len(a)) for d in range(1, depth + 1)]
    return (1 - p) * sum(p ** (d - 1) * a for d, a in enumerate(agreement, 1))


@pytest.mark.parametrize("p", [0.5, 0.9])
@pytest.mark.parametrize("seed", range(5))
def test_rbo_equals_the_sum_to_infinity(seed, p):
    x, y = np.random.default_rng(seed).random((2, 8))
    a, b = list(np.argsort(-x)), list(np.argsort(-y))
    assert rbo(x, y, p) == pytest.approx(rbo_of_orders(a, b, p, 400))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_rbo_a_is_the_mean_over_all_orders_of_tied_systems(seed):
    x, y = valuations(seed)
    pairs = itertools.product(orders(x), orders(y))
    expected = np.mean([rbo_of_orders(a, b, 0.8, 200) for a, b in pairs])
    assert rbo_a(x, y, 0.8) == pytest.approx(expected)
    assert rbo_a(x, y, 0.8) < rbo_b(x, y, 0.8)


def test_rbo_by_hand():
    """The orders abc and bac: nothing in common at depth 1, everything at 2 and 3."""
    x, y = np.array([3.0, 2, 1]), np.array([2.0, 3, 1])
    assert rbo(x, y, 0.9) == pytest.approx(0.9)
    assert correlation("rbo", 0.5)(x, y) == pytest.approx(0.5)
    # a and b tied: {a, b} at depth 1 and 2 against {a} and {a, b}: 2 * 1 / 3, then 1 and 1.
    assert rbo(np.array([2.0, 2, 1]), x, 0.9) == pytest.approx(0.1 * 2 / 3 + 0.9)


@pytest.mark.parametrize("name", NAMES)
def test_bounds_identity_and_reversal(name):
    correlate = correlation(name)
    x = np.random.default_rng(1).random(21)
    assert correlate(x, 3 * x + 1) == pytest.approx(1)
    reverse = correlate(x, -x)
    assert reverse >= CORRELATIONS[name].least
    assert CORRELATIONS[name].overlap or reverse == pytest.approx(-1)
    tied = np.round(x, 1)
    if name not in ("tau_ap", "rbo_a"):
        assert correlate(tied, tied) == pytest.approx(1)
    else:
        assert 0.8 < correlate(tied, tied) < 1


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_of_a_correlation_is_so(name):
    """Its bounds, its symmetry, whether the top weighs most, its names, and where it is from."""
    said, correlate = CORRELATIONS[name], correlation(name)
    x, y = np.random.default_rng(3).random((2, 200, 9))
    forth, back = correlate(x, y), correlate(y, x)
    assert said.least <= forth.min()
    assert forth.max() <= 1
    assert np.allclose(forth, back) == said.symmetric
    reference = np.arange(8.0, 0, -1)
    top, bottom = reference.copy(), reference.copy()
    top[:2], bottom[-2:] = top[1::-1], bottom[:-3:-1]
    at_top, at_bottom = correlate(top, reference), correlate(bottom, reference)
    assert at_top < at_bottom if said.at_top else at_top == pytest.approx(at_bottom)
    assert {ALIASES[alias] for alias in said.aliases} <= {name}
    source = getattr(rank_correlation, name).__doc__
    assert said.source.partition(",")[0].partition(" ")[0] in source
    assert said.symbol.partition("_")[0] in said.title or said.overlap


@pytest.mark.parametrize("name", NAMES)
def test_all_measures_at_once_are_as_one_by_one(name):
    correlate = correlation(name)
    x = np.random.default_rng(2).integers(6, size=(5, 12)).astype(float)
    together = correlate(x[:, None], x[None, :])
    assert together.shape == (5, 5)
    for i, j in np.ndindex(5, 5):
        assert together[i, j] == pytest.approx(correlate(x[i], x[j]))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_correlates_with_a_side_that_ties_all(name):
    x = np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]])
    found = correlation(name)(x[:, None], x[None, :])
    assert found[0, 0] == pytest.approx(1)
    assert np.isnan(found[[0, 1, 1], [1, 0, 1]]).all()
    assert np.isnan(correlation(name)(np.ones(1), np.ones(1)))


def test_unknown_correlations_and_persistences():
    with pytest.raises(
        RankassayError, match="unknown rank correlation 'taub'; did you mean 'tau_b'"
    ):
        correlation("taub")
    with pytest.raises(RankassayError, match="between 0 and 1, found 1"):
        correlation("rbo", 1)
