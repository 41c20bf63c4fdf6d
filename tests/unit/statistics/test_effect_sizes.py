"""Effect sizes and equivalence: those of scipy, and of counting users one by one."""

import doctest

import numpy as np
import pytest
import scipy.stats

from rankassay.errors import RankassayError
from rankassay.statistics import effect_sizes, region
from rankassay.statistics.effect_sizes import effects, moments
from rankassay.statistics.region import Region


@pytest.fixture
def systems():
    """Return two systems' values, (40 users, 5 pairs); the last pair lacks some users' values."""
    rng = np.random.default_rng(1)
    first = rng.random((40, 5)).round(1)
    second = (first + rng.normal([0, 0.02, 0.3, -0.02, 0.01], 0.1, (40, 5))).round(1)
    first[:3, 4] = np.nan
    second[2:7, 4] = np.nan
    return first, second


def known(d):
    return [own[~np.isnan(own)] for own in d.T]


def test_intervals_and_one_sided_tests_are_those_of_scipy(systems):
    d = systems[0] - systems[1]
    low, high = effect_sizes.t_interval(moments(d), 0.9)
    p = effect_sizes.equivalence(moments(d), 0.03)
    above = effect_sizes.above(moments(d), -0.03)
    for j, own in enumerate(known(d)):
        interval = scipy.stats.ttest_1samp(own, 0).confidence_interval(0.9)
        assert (low[j], high[j]) == pytest.approx(tuple(interval), rel=1e-12)
        lower = scipy.stats.ttest_1samp(own, -0.03, alternative="greater").pvalue
        upper = scipy.stats.ttest_1samp(own, 0.03, alternative="less").pvalue
        assert above[j] == pytest.approx(lower, rel=1e-9)
        assert p[j] == pytest.approx(max(lower, upper), rel=1e-9)
        # The same said by the interval of level 1 - 2 alpha.
        assert (p[j] < 0.05) == (low[j] > -0.03 and high[j] < 0.03)
    assert {*(p < 0.05)} == {True, False}


def test_superiority_counts_users_and_half_the_ties(systems):
    first, second = systems
    found = effect_sizes.superiority(first - second)
    for j in range(first.shape[1]):
        pairs = [*zip(first[:, j], second[:, j], strict=True)]
        counted = [(a, b) for a, b in pairs if a == a and b == b]
        won = sum(1.0 if a > b else 0.5 if a == b else 0.0 for a, b in counted)
        assert found[j] == won / len(counted)


def test_effects_say_all_of_a_pair(systems):
    first, second = systems
    found = effects(first, second, 1, Region.of("5%"))
    d = first - second
    for j, own in enumerate(known(d)):
        both = ~np.isnan(d[:, j])
        better = max(first[both, j].mean(), second[both, j].mean())
        assert found["region"][j] == pytest.approx(0.05 * better)
        assert found["d_z"][j] == pytest.approx(own.mean() / own.std(ddof=1))
        p = effect_sizes.equivalence(moments(own), 0.05 * better)
        assert found["p_equivalence"][j] == pytest.approx(p, rel=1e-9)
        interval = scipy.stats.ttest_1samp(own, 0).confidence_interval(0.95)
        assert (found["low"][j], found["high"][j]) == pytest.approx((interval.low, interval.high))
    turned = effects(second, first, 1)
    np.testing.assert_allclose(turned["low"], -found["high"])
    np.testing.assert_allclose(turned["high"], -found["low"])
    assert [*effects(first, second, 1)] == ["n_users", "low", "high", "d_z", "superiority"]


def test_of_errors_the_lower_mean_is_better(systems):
    first, second = systems
    higher, lower = (effects(first, second, sign, Region.of("10%")) for sign in (1, -1))
    assert lower["superiority"] == pytest.approx(1 - higher["superiority"])
    assert (lower["region"] <= higher["region"]).all()
    assert (lower["region"] < higher["region"]).any()
    np.testing.assert_array_equal(lower["d_z"], higher["d_z"])


def test_values_that_differ_by_rounding_are_ties():
    first = np.array([[0.1 + 0.2], [0.5]])
    found = effects(first, np.array([[0.3], [0.5]]), 1, Region.of(1e-9))
    assert [*map(float, (found["d_z"][0], found["superiority"][0]))] == [0, 0.5]
    assert found["p_equivalence"][0] == 0


def test_what_a_single_user_or_equal_differences_say():
    d = np.array([[0.2, 0.2, 0.0, np.nan], [0.2, np.nan, 0.0, np.nan]])
    assert effect_sizes.superiority(d)[:3] == pytest.approx([1, 1, 0.5])
    assert np.isnan(effect_sizes.superiority(d)[3])
    low, high = effect_sizes.t_interval(moments(d))
    assert (low[0], high[0], low[2], high[2]) == pytest.approx((0.2, 0.2, 0, 0))
    assert np.isnan([low[1], high[1], low[3], high[3]]).all()
    for margin, expected in ((0.1, 1), (0.2, 1), (0.3, 0)):
        p = effect_sizes.equivalence(moments(d), margin)
        assert (p[0], p[2]) == (expected, 0)
        assert np.isnan(p[[1, 3]]).all()


@pytest.mark.parametrize(
    ("value", "size", "relative"),
    [
        *[("1%", 0.01, True), ("0.5 %", 0.005, True), (0.02, 0.02, False), (1, 1.0, False)],
        *[(np.float16(3), 3.0, False), (np.int8(2), 2.0, False)],
    ],
)
@pytest.mark.filterwarnings("error")
def test_regions_are_numbers_or_percentages(value, size, relative):
    found = Region.of(value)
    assert (found.size, found.relative) == (size, relative)


@pytest.mark.parametrize(
    "value",
    [
        "1",
        "one%",
        "-1%",
        "0%",
        0,
        -1,
        np.inf,
        np.nan,
        True,
        None,
        [1],
        "1e400%",
        "٣%",
        10**400,
        np.complex128(1),
    ],
)
def test_other_regions_are_refused(value):
    with pytest.raises(RankassayError, match="equivalence: expected a difference above 0"):
        Region.of(value)


def test_examples_are_true():
    found = doctest.testmod(region)
    assert (found.failed, found.attempted > 0) == (0, True)
