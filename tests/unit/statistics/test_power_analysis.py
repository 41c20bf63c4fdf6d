"""Power analysis against scipy, textbooks and simulation."""

import itertools

import numpy as np
import pytest
import scipy.optimize
import scipy.special
import scipy.stats

from rankassay.artifacts.arrays import Scores
from rankassay.statistics import power_analysis
from rankassay.statistics.power_analysis import (
    Pairs,
    measured_power,
    required,
    required_by_resampling,
    t_power,
)


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.05 / 210])
@pytest.mark.parametrize("n", [2, 5, 50, 2500, 10_000])
def test_power_is_that_of_the_noncentral_t(n, alpha):
    """P(|T| > t) by integrating normal tails over the distribution of the standard deviation."""
    nodes, weights = np.polynomial.legendre.leggauss(300)
    spread = np.sqrt(scipy.special.chdtri(n - 1, (1 - nodes) / 2) / (n - 1))
    critical = scipy.stats.t.isf(alpha / 2, n - 1)
    for shift in (0.0, 0.5, 2.0, 4.5, 9.0, 30.0):
        tails = scipy.stats.norm.sf(critical * spread - shift)
        tails += scipy.stats.norm.cdf(-critical * spread - shift)
        expected = (weights * tails).sum() / 2
        assert t_power(shift / np.sqrt(n), n, alpha) == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize(("effect", "n"), [(1e5, 2), (1e6, 2), (1e8, 3), (0.01, 2), (1e120, 2)])
def test_power_where_the_noncentral_t_of_scipy_has_none(effect, n):
    """A vast effect at a tiny alpha: the test fails where the draws deviate by chance too much."""
    alpha = 1e-6 if n == 2 else 1e-12
    critical, shift = scipy.stats.t.isf(alpha / 2, n - 1), effect * np.sqrt(n)
    spread = scipy.stats.chi(n - 1, scale=1 / np.sqrt(n - 1))
    expected = spread.cdf(shift / critical)
    assert t_power(effect, n, alpha) == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize(
    ("effect", "target", "n"),
    [(0.2, 0.8, 199), (0.5, 0.8, 34), (0.8, 0.8, 15), (0.2, 0.95, 327), (0.5, 0.95, 54)],
)
def test_required_users_are_those_of_textbooks(effect, target, n):
    """Two-sided paired t at .05, as G*Power 3 and Cohen's book have them."""
    assert required(effect, 0.05, target) == n


@pytest.mark.parametrize("effect", [0.003, 0.01, 0.1, 1.0, 8.0])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 210])
def test_one_user_less_is_too_few(effect, alpha):
    n = required(effect, alpha, 0.8)
    assert t_power(effect, n, alpha) >= 0.8 - 1e-9
    assert n == 2 or t_power(effect, n - 1, alpha) < 0.8


@pytest.mark.parametrize("n", [2, 3, 34, 199, 5000])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 210])
def test_as_many_users_are_required_as_find_an_effect_with_the_power(n, alpha):
    effect = 1e-12 + scipy.optimize.brentq(lambda e: t_power(e, n, alpha) - 0.8, 1e-9, 1e5)
    assert t_power(effect, n, alpha) == pytest.approx(0.8)
    assert required(effect, alpha, 0.8) == n
    assert required(0.999 * effect, alpha, 0.8) >= n
    assert t_power(effect, n + 1, alpha) > 0.8


def test_endless_users_follow_the_normal_formula():
    z = scipy.stats.norm.isf(0.025) + scipy.stats.norm.ppf(0.8)
    assert required(1e-5, 0.05, 0.8) == pytest.approx((z / 1e-5) ** 2, rel=1e-9)
    assert required(1e-300, 0.05, 0.8) == np.inf


def test_the_formula_has_no_step_where_the_normal_one_takes_over():
    few, many = required(0.00281, 0.05, 0.8), required(0.0028, 0.05, 0.8)
    assert few < 1e6 < many
    assert many / few == pytest.approx((0.00281 / 0.0028) ** 2, rel=1e-5)


def test_power_by_resampling_is_that_of_a_loop():
    d = np.random.default_rng(1).normal(0.3, 1, 40)
    grid = np.array([5, 12, 30])
    found = measured_power(d, grid, 0.05, 400, seed=3)
    rng = power_analysis.generator(3, "power")
    x = d[rng.integers(0, 40, (400, 30))]
    for n, share in zip(grid, found, strict=True):
        p = scipy.stats.ttest_1samp(x[:, :n], 0, axis=1).pvalue
        assert share == (p < 0.05).mean()


@pytest.mark.parametrize("at_a_time", [1, 25, 100])
def test_numbers_do_not_depend_on_how_much_is_computed_at_a_time(at_a_time, monkeypatch):
    d, grid, x = np.random.default_rng(1).normal(0.3, 1, 40), np.array([5, 12, 30]), values()
    power, pairs = measured_power(d, grid, 0.05, 400, seed=3), Pairs.of(x)
    monkeypatch.setattr(power_analysis, "DRAWS", at_a_time)
    monkeypatch.setattr(power_analysis, "CELLS", at_a_time)
    np.testing.assert_array_equal(measured_power(d, grid, 0.05, 400, seed=3), power)
    np.testing.assert_array_equal(Pairs.of(x).sd, pairs.sd)


def test_formula_and_resampling_agree_on_normal_differences():
    d = np.random.default_rng(2).normal(0, 1, 5000)
    for effect in (0.3, 0.1):
        by_formula = required(effect / d.std(ddof=1), 0.05, 0.8)
        drawn = required_by_resampling(d, effect, 0.05, 0.8, 4000, seed=1)
        assert drawn == pytest.approx(by_formula, rel=0.06)


def test_resampling_sees_what_is_not_normal():
    """One user in a hundred decides: without one of them, draws are all equal and find nothing."""
    d = np.zeros(1000)
    d[:10] = 1.0
    by_formula = required(0.5 / d.std(ddof=1), 0.05, 0.8)
    drawn = required_by_resampling(d, 0.5, 0.05, 0.8, 1000, seed=1)
    assert by_formula == 3
    assert 0.99**drawn == pytest.approx(0.2, abs=0.03)


def test_equal_draws_find_nothing():
    found = measured_power(np.full(50, 0.3), np.array([2, 10, 40]), 0.05, 100, seed=1)
    np.testing.assert_array_equal(found, 0)


@pytest.mark.parametrize("alpha", [1e-15, 1e-17, 1e-20])
def test_a_tiny_alpha_takes_more_users_and_not_endless_ones(alpha):
    n = required(0.3, alpha, 0.8)
    z = scipy.stats.norm.isf(alpha / 2) + scipy.stats.norm.isf(0.2)
    assert (z / 0.3) ** 2 < n < 1.1 * (z / 0.3) ** 2


def test_too_many_users_are_not_drawn():
    d = np.random.default_rng(2).normal(0, 1, 100)
    assert np.isnan(required_by_resampling(d, 0.01, 0.05, 0.8, 100, 1, most=1000))


def values(n=300, seed=4):
    rng = np.random.default_rng(seed)
    skill = np.array([0.5, 0.4, 0.2, 0.45])
    return rng.normal(0, 0.2, (n, 1)) + rng.normal(0, [0.1, 0.3, 0.2, 0.15], (n, 4)) + skill


def brute(x, percent):
    """Return the pairs with their effects, in a loop; the better system first."""
    found = {}
    means = x.mean(axis=0)
    for i in range(x.shape[1]):
        for j in range(x.shape[1]):
            if means[i] > means[j]:
                sd = np.std(x[:, i] - x[:, j], ddof=1)
                found[i, j] = percent / 100 * means[i] / sd
    return found


def test_the_pair_that_stands_for_all():
    x = values()
    effects = brute(x, 2)
    ranked = sorted(effects, key=effects.get)
    pairs = Pairs.of(x)
    median, worst = (pairs.chosen(2, None, how) for how in ("median", "worst"))
    assert (median.first, median.second) == ranked[2]  # the lesser of two in the middle of six
    assert (worst.first, worst.second) == ranked[0]
    assert median.effect == pytest.approx(effects[ranked[2]], rel=1e-12)
    order = np.argsort(-x.mean(axis=0)).tolist()
    beside = sorted(itertools.pairwise(order), key=effects.get)
    own = pairs.chosen(2, None, "neighbours")
    assert (own.first, own.second) == beside[1]
    assert own.n_pairs == 3
    np.testing.assert_allclose(own.differences, x[:, own.first] - x[:, own.second])


def test_half_of_the_pairs_need_no_more_users():
    x = values()
    needed = [required(effect, 0.05, 0.8) for effect in brute(x, 2).values()]
    pairs = Pairs.of(x)
    n = required(pairs.chosen(2, None, "median").effect, 0.05, 0.8)
    assert np.mean(np.array(needed) <= n) >= 0.5
    assert required(pairs.chosen(2, None, "worst").effect, 0.05, 0.8) == max(needed)


def test_nine_tenths_of_the_pairs_need_no_more_users():
    rng = np.random.default_rng(3)
    x = rng.random((40, 1)) + np.arange(1, 8) / 10 * rng.random((40, 7))
    needed = np.array([required(effect, 0.01, 0.9) for effect in brute(x, 2).values()])
    found = Pairs.of(x).most(2, None, "median", 0.01, 0.9)
    assert found["required_worst"] == needed.max()
    enough = [n for n in needed if np.mean(needed <= n) >= 0.9]
    assert found["required_90"] == min(enough) < needed.max()
    beside = Pairs.of(x).most(2, None, "neighbours", 0.01, 0.9)
    assert beside["required_90"] == beside["required_worst"] <= needed.max()
    with pytest.raises(ValueError, match="found none"):
        Pairs.of(np.zeros((5, 3))).most(1, None, "median", 0.01, 0.9)


def test_lower_is_better_takes_the_other_system_s_mean():
    x = values()
    own = Pairs.of(x[:, :2], sign=-1).chosen(10, None, "median")
    assert (own.first, own.second) == (1, 0)
    assert own.difference == pytest.approx(0.1 * x[:, 1].mean(), rel=1e-12)


def test_pairs_that_do_not_vary_are_left_out():
    x = values()[:, :3]
    x[:, 1] = x[:, 0]
    assert Pairs.of(x).chosen(1, None, "median").n_pairs == 2
    x[:, 1] = x[:, 0] + 0.1
    assert Pairs.of(x).chosen(1, None, "median").n_pairs == 2
    assert Pairs.of(x[:, :2]).chosen(None, 0.1, "median") is None
    assert Pairs.of(np.zeros((5, 3))).chosen(1, None, "median") is None


def test_users_without_both_values_are_left_out():
    x = values()
    x[:100, 0] = np.nan
    own = Pairs.of(x[:, :2]).chosen(None, 0.1, "median")
    assert len(own.differences) == 200
    assert own.sd == pytest.approx(np.std(x[100:, 0] - x[100:, 1], ddof=1), rel=1e-12)
    x[:, 0] = np.nan
    assert Pairs.of(x).chosen(None, 0.1, "median").n_pairs == 3


@pytest.fixture(scope="module")
def scores():
    x = np.stack([values(), values(seed=5)], axis=2)
    return Scores(
        x, np.arange(300, dtype=np.int32), np.array([*"abcd"]), np.array(["nDCG@10", "nDCG@20"])
    )


def test_the_analysis_of_required_users(scores):
    how = {"alpha": 0.05, "power": 0.8, "pair": "median", "samples": 500, "most_users": 5000}
    table = power_analysis.required_users(
        scores, 1, percentages=[5, 20], differences=[0.1], resampled_cutoffs=[10], **how
    )
    assert len(table) == 2 * 3 * 2
    assert table["tests"].tolist() == [1, 6] * 6
    for row in table.itertuples():
        assert row.alpha == 0.05 / row.tests
        assert row.required == required(row.difference / row.sd, row.alpha, 0.8)
        assert row.required <= row.required_90 <= row.required_worst
        sought = None if np.isnan(row.percent) else row.percent
        of = Pairs.of(scores.values[:, :, [10, 20].index(row.cutoff)])
        worst = of.chosen(sought, 0.1, "worst").effect
        assert row.required_worst == required(worst, row.alpha, 0.8)
        at = [*scores.systems].index
        x = scores.values[:, :, [10, 20].index(row.cutoff)]
        d = x[:, at(row.system_a)] - x[:, at(row.system_b)]
        assert row.sd == pytest.approx(d.std(ddof=1), rel=1e-12)
        if not np.isnan(row.percent):
            mean = x[:, at(row.system_a)].mean()
            assert row.difference == pytest.approx(row.percent / 100 * mean, rel=1e-12)
    drawn = table[table["cutoff"] == 10]
    assert drawn["resampled"].notna().all()
    np.testing.assert_allclose(drawn["resampled"], drawn["required"], rtol=0.15, atol=2)
    assert table.loc[table["cutoff"] == 20, "resampled"].isna().all()


def test_the_analysis_of_power(scores, monkeypatch):
    monkeypatch.setattr(power_analysis, "USERS", (10, 100, 1000))
    table = power_analysis.power(scores, [5], 0.05, "median")
    assert table["users"].tolist() == [10, 100, 1000] * 2
    own = Pairs.of(scores.values[:, :, 1]).chosen(5, None, "median")
    np.testing.assert_array_equal(table["power"][3:], t_power(own.effect, [10, 100, 1000], 0.05))
    assert (table["there"] == 300).all()
