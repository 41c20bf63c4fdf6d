"""Intervals and signs from replicates, by hand."""

import numpy as np
import pandas as pd
import pytest

from rankassay.statistics.replicated import Replicated, centred, interval, sign_p


def test_intervals_are_centred_on_what_was_measured():
    rng = np.random.default_rng(1)
    replicates = rng.normal(3, 1, (2, 5000))
    low, high = interval(np.array([10.0, -1.0]), replicates)
    np.testing.assert_allclose(low, [10 - 1.96, -1 - 1.96], atol=0.1)
    np.testing.assert_allclose(high, [10 + 1.96, -1 + 1.96], atol=0.1)
    np.testing.assert_allclose(centred(np.array([10.0, -1.0]), replicates).mean(axis=1), [10, -1])
    # Skewed replicates make a skewed interval.
    low, high = interval(np.array(0.0), rng.exponential(size=5000))
    assert (-low, high) == pytest.approx((0.97, 2.69), abs=0.15)


def test_intervals_stay_within_bounds_and_hold_the_number():
    replicates = np.random.default_rng(1).normal(0.9, 0.1, 400)
    assert interval(np.array(0.99), replicates, bounds=(-1.0, 1.0))[1] == 1.0
    lopsided = np.concatenate([np.zeros(396), np.full(4, 1000.0)])
    low, high = interval(np.array(5.0), lopsided)
    assert (low, high) == (-5.0, 5.0)


def test_replicates_without_a_value_are_left_out_and_too_many_of_them_leave_no_interval():
    replicates = np.random.default_rng(1).normal(size=(1, 200))
    full = interval(np.zeros(1), replicates)
    replicates[0, 17] = np.nan
    one = interval(np.zeros(1), replicates)
    np.testing.assert_allclose(one, full, atol=0.2)
    replicates[0, :11] = np.nan
    assert np.isnan(interval(np.zeros(1), replicates)).all()
    assert np.isnan(interval(np.full(1, np.nan), np.zeros((1, 200)))).all()


def test_the_sign_of_a_number_is_open_where_replicates_are_on_both_sides():
    replicates = np.concatenate([np.full(30, -1.0), np.full(70, 1.0)])
    assert sign_p(np.array(0.4), replicates) == pytest.approx(2 * 31 / 101)
    assert sign_p(np.array(2.4), replicates) == pytest.approx(2 * 1 / 101)
    # One without a value counts on both sides.
    assert sign_p(np.array(5.0), np.array([np.nan, *np.ones(99)])) == pytest.approx(2 * 2 / 101)


def test_a_replicated_table_knows_its_rows():
    table = Replicated.of(pd.DataFrame({"a": [1, 2]}), "x", [[0.5, 1, 2], [0.25, 3, 4]])
    assert table.table["x"].tolist() == [0.5, 0.25]
    np.testing.assert_array_equal(table.replicates, [[1, 2], [3, 4]])


def test_intervals_of_one_row_are_those_among_others_whatever_the_memory_order():
    rng = np.random.default_rng(5)
    replicates, measured = rng.normal(size=(40, 500)), rng.normal(size=40)
    whole = interval(measured, np.asfortranarray(replicates))
    for k in range(40):
        alone = interval(measured[k : k + 1], replicates[k : k + 1])
        assert [own[0] for own in alone] == [own[k] for own in whole]


def test_ends_are_order_statistics():
    """The share beyond an end: of the k-th of n values it is k / (n + 1)."""
    rng = np.random.default_rng(3)
    for n in (199, 999, 3999):
        replicates = rng.normal(size=n)
        own = np.sort(replicates - replicates.mean())
        place = 0.025 * (n + 1) - 1
        left = np.interp(place, np.arange(n), own)
        right = np.interp(n - 1 - place, np.arange(n), own)
        assert interval(0.0, replicates) == pytest.approx((left, right), abs=1e-12)
