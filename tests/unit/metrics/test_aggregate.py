"""From the values of the users to one number, and how sure it is."""

import numpy as np
import pytest
from metric_cases import User, made, random_users, value, values
from scipy import stats

from rankassay.errors import RankassayError
from rankassay.metrics.aggregate import (
    AGGREGATES,
    STEP,
    aggregate,
    confidence_interval,
    resampled_aggregate,
    resampled_median,
)
from rankassay.metrics.catalogue import METRICS
from rankassay.metrics.evaluate import grid, measure_sums, measure_values
from rankassay.metrics.judged import judge
from rankassay.metrics.profiles import PROFILES
from rankassay.statistics.judged_systems import TestSet

NAN = np.nan
RNG = np.random.default_rng(0)
SCORES = RNG.random((50, 3))
FLOORED = np.maximum(np.where(SCORES < 0.3, 0, SCORES), 1e-5)

# A right program fails each of the frequency tests below once in a million seeds.
LEVEL = 1e-6

hows = pytest.mark.parametrize("how", AGGREGATES)


@pytest.mark.parametrize(
    ("how", "definition"),
    [
        ("mean", lambda x: x.mean(axis=0)),
        ("geometric", lambda x: stats.gmean(x, axis=0)),
        ("harmonic", lambda x: stats.hmean(x, axis=0)),
        ("quadratic", lambda x: np.sqrt((x**2).mean(axis=0))),
        ("median", lambda x: np.median(x, axis=0)),
    ],
)
class TestDefinitions:
    def test_aggregates_equal_their_definitions(self, how, definition):
        np.testing.assert_allclose(aggregate(SCORES, how), definition(SCORES), rtol=1e-13)

    def test_zeros_count_as_a_hundred_thousandth_where_one_would_decide(self, how, definition):
        with_zeros = np.where(SCORES < 0.3, 0, SCORES)
        expected = definition(FLOORED if how in ("geometric", "harmonic") else with_zeros)
        np.testing.assert_allclose(aggregate(with_zeros, how), expected, rtol=1e-13)

    def test_users_without_a_value_do_not_count(self, how, definition):
        with_gaps = SCORES.copy()
        with_gaps[::3, 0] = NAN
        with_gaps[10:, 1] = NAN
        found = aggregate(with_gaps, how)
        for column in range(3):
            own = with_gaps[:, column]
            assert found[column] == pytest.approx(definition(own[~np.isnan(own)]), rel=1e-13)

    def test_any_shape(self, how, definition):
        cube = SCORES.reshape(10, 5, 3)
        np.testing.assert_allclose(aggregate(cube, how), definition(cube), rtol=1e-13)
        np.testing.assert_allclose(aggregate(SCORES[:, 0], how), definition(SCORES[:, 0]))


def test_means_by_hand():
    scores = np.array([1, 1 / 2, 1 / 4, NAN])
    found = [aggregate(scores, how) for how in AGGREGATES]
    np.testing.assert_allclose(found, [7 / 12, 1 / 2, 3 / 7, np.sqrt(7 / 16), 1 / 2], rtol=1e-14)


@hows
def test_nobody_with_a_value_makes_no_value(how):
    scores = np.array([[1, NAN], [1, NAN]])
    np.testing.assert_array_equal(aggregate(scores, how), [1, NAN])
    assert np.isnan(aggregate(scores[:, 1], how))
    np.testing.assert_array_equal(aggregate(scores[:0], how), [NAN, NAN])


@hows
def test_aggregates_leave_their_input_alone_and_keep_to_its_range(how):
    scores = np.where(SCORES < 0.1, NAN, SCORES)
    before = scores.copy()
    found = aggregate(scores, how)
    np.testing.assert_array_equal(scores, before)
    assert (np.nanmin(scores, axis=0) <= found).all()
    assert (found <= np.nanmax(scores, axis=0)).all()


def test_means_are_ordered():
    harmonic, geometric, mean, quadratic = (
        aggregate(SCORES, how) for how in ("harmonic", "geometric", "mean", "quadratic")
    )
    assert (harmonic < geometric).all()
    assert (geometric < mean).all()
    assert (mean < quadratic).all()


@pytest.mark.parametrize("function", [aggregate, confidence_interval])
def test_unknown_aggregates_are_explained(function):
    with pytest.raises(RankassayError, match="unknown aggregate 'geometrical'; did you mean 'geom"):
        function(SCORES, "geometrical")


# Aggregates of measures.


def means(judgements, lists, measures, profile, without_relevant=None, how="mean", depth=20):
    """Return the aggregates by which the study orders a system, (n_measures,)."""
    spec = {"measures": measures, "profile": profile}
    spec |= {"without_relevant": without_relevant, "aggregate": how}
    item = np.zeros(len(judgements.rating), dtype=np.int32)
    return TestSet.of_lists(judgements, item, [lists], spec, depth).means()[0, :, 0]


@pytest.mark.slow
@hows
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("without_relevant", [None, "value", "nan"])
def test_aggregates_of_measures_are_those_of_their_values(how, profile, without_relevant):
    judgements, lists = made(random_users(60))
    measures = grid(METRICS, [1, 5, 20, 30])
    table = measure_values(judge(judgements, lists, 20), measures, profile, without_relevant)
    found = means(judgements, lists, measures, profile, without_relevant, how)
    expected = np.nan_to_num(aggregate(table, how))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)


def test_aggregates_of_measures_that_nobody_has_are_zero():
    given = made([User([1, None], [2])])
    assert means(*given, ["P@5", "MAE@5"], "rendle").tolist() == [0, 0]


@pytest.mark.parametrize("profile", PROFILES)
def test_sums_over_groups_are_those_of_the_values_of_their_users(profile):
    judgements, lists = made(random_users(60))
    judged = judge(judgements, lists, 20)
    measures = grid(METRICS, [1, 5, 20, 30])
    values = measure_values(judged, measures, profile, "value")
    group = np.random.default_rng(4).integers(0, 6, len(values))
    sums, count, divisor = measure_sums(judged, measures, group, 7, profile)
    assert (sums[6] == 0).all()
    assert (count[6] == 0).all()
    count = np.broadcast_to(count, sums.shape)
    for g in range(6):
        own = values[group == g]
        np.testing.assert_array_equal(count[g], (~np.isnan(own)).sum(axis=0))
        expected = np.nansum(own, axis=0)
        np.testing.assert_allclose(sums[g] / divisor, expected, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("profile", PROFILES)
def test_groups_add_up_to_the_same_bits_however_users_are_grouped(profile):
    judgements, lists = made(random_users(60))
    judged = judge(judgements, lists, 20)
    measures = grid(METRICS, [1, 5, 20, 30])
    n = judgements.n_users
    together, _, divisor = measure_sums(judged, measures, np.zeros(n, np.int64), 1, profile)
    for seed, n_groups in ((0, 3), (1, 20), (2, n)):
        group = np.random.default_rng(seed).permutation(n) % n_groups
        sums, _, same = measure_sums(judged, measures, group, n_groups, profile)
        np.testing.assert_array_equal(sums.sum(axis=0), together[0])
        np.testing.assert_array_equal(same, divisor)


def test_users_without_relevant_items_count_or_not():
    users = [User([5]), User([None], [5]), User([1], [2])]
    assert aggregate(values(users, ["P@1"], "paper"))[0] == pytest.approx(1 / 3)
    assert aggregate(values(users, ["P@1"], "rendle"))[0] == pytest.approx(1 / 2)
    assert value(users[1], "P@1", "rendle") == 0


# The interval.


@pytest.mark.slow
@hows
def test_the_interval_covers_the_truth_as_often_as_it_says(how):
    """On 500 samples of 200 users with normal values, of which the true aggregate is known.

    The binomial bounds are around the nominal rate less half a point: the percentile interval is
    known to be a little short on samples of such size.
    """
    n_samples, mean, deviation = 500, 10, 1
    rng = np.random.default_rng(1)
    samples = rng.normal(mean, deviation, (200, n_samples))
    truth = aggregate(np.random.default_rng(2).normal(mean, deviation, (1_000_000, 1)), how)[0]
    low, high = confidence_interval(samples, how, level=0.9, resamples=200)
    covered = np.sum((low <= truth) & (truth <= high))
    assert stats.binomtest(int(covered), n_samples, 0.895).pvalue > LEVEL


@hows
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_the_interval_is_near_scipys(how, level):
    scores = SCORES[:, :1]
    low, high = confidence_interval(scores, how, level, resamples=2000)
    theirs = stats.bootstrap(
        (scores[:, 0],),
        lambda x, axis: aggregate(np.moveaxis(x, axis, 0), how),
        confidence_level=level,
        n_resamples=2000,
        method="percentile",
        rng=np.random.default_rng(3),
    ).confidence_interval
    width = theirs.high - theirs.low
    np.testing.assert_allclose([low[0], high[0]], theirs, atol=0.15 * width)


@hows
def test_equal_seeds_give_equal_bytes_and_others_do_not(how):
    first = confidence_interval(SCORES, how, resamples=100, seed=7)
    again = confidence_interval(SCORES, how, resamples=100, seed=7)
    other = confidence_interval(SCORES, how, resamples=100, seed=8)
    assert [side.tobytes() for side in first] == [side.tobytes() for side in again]
    assert (first[0] != other[0]).any()


@hows
def test_columns_share_their_draws(how):
    """Equal columns have equal intervals, and a column's does not depend on its neighbours."""
    twice = np.stack([SCORES[:, 0], SCORES[:, 1], SCORES[:, 0]], axis=1)
    low, high = confidence_interval(twice, how, resamples=200)
    assert low[0] == low[2]
    assert high[0] == high[2]
    alone = confidence_interval(SCORES[:, 0], how, resamples=200)
    np.testing.assert_allclose(alone, (low[0], high[0]), rtol=1e-12)


@hows
def test_intervals_keep_the_shape_and_enclose_the_aggregate(how):
    cube = SCORES.reshape(10, 5, 3)
    low, high = confidence_interval(cube, how, resamples=200)
    assert low.shape == high.shape == (5, 3)
    assert (low <= aggregate(cube, how)).all()
    assert (aggregate(cube, how) <= high).all()


@hows
def test_intervals_of_equal_values_are_points(how):
    low, high = confidence_interval(np.full((20, 1), 0.25), how, resamples=50)
    np.testing.assert_allclose([low[0], high[0]], 0.25, rtol=1e-14)


@hows
def test_draws_without_a_value_do_not_count(how):
    """Two users in four have a value: some draws miss them, but there is only one answer."""
    scores = np.array([[0.5, NAN, 0.5], [0.5, NAN, NAN], [NAN, NAN, NAN], [NAN, NAN, NAN]])
    low, high = confidence_interval(scores, how, resamples=200)
    # A single user who has a value says nothing of others.
    np.testing.assert_allclose(low, [0.5, NAN, NAN], rtol=1e-14)
    np.testing.assert_allclose(high, [0.5, NAN, NAN], rtol=1e-14)


def test_a_higher_level_makes_a_wider_interval():
    narrow, wide = (confidence_interval(SCORES, level=level) for level in (0.5, 0.95))
    assert (wide[0] < narrow[0]).all()
    assert (narrow[1] < wide[1]).all()


@hows
@pytest.mark.parametrize("n", [1, 2, 7, STEP, 3 * STEP + 1])
def test_users_who_are_drawn_often_count_often(how, n):
    rng = np.random.default_rng(n)
    scores = rng.integers(0, 4, (n, 3, 2)) / 4
    scores[rng.random(scores.shape) < 0.2] = NAN
    times = rng.integers(0, 3, (20, n)).astype(float)
    repeated = [aggregate(np.repeat(scores, own.astype(int), axis=0), how) for own in times]
    np.testing.assert_allclose(resampled_aggregate(scores, times, how), repeated, rtol=1e-9)


def test_users_of_a_group_are_drawn_together():
    rng = np.random.default_rng(4)
    n = 3 * STEP + 1
    scores = rng.integers(0, 4, (n, 3)) / 4
    scores[rng.random(scores.shape) < 0.2] = NAN
    times, group = rng.integers(0, 3, (20, 9)).astype(float), rng.integers(0, 9, n)
    expected = resampled_aggregate(scores, times[:, group], "median")
    np.testing.assert_array_equal(resampled_median(scores, times, group), expected)
