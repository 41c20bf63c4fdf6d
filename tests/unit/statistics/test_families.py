"""Random subsets of systems: which there are, and what is computed of them."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats

from rankassay.errors import RankassayError
from rankassay.statistics.rank_correlation import rbo, tau_b
from rankassay.statistics.subsets import Subsets


def test_subsets_differ_hold_each_system_once_and_are_in_order():
    found = Subsets.of(21, 100, None, 1)
    assert found.systems.shape == (100, 15)
    assert len({tuple(own) for own in found.systems.tolist()}) == 100
    assert (np.diff(found.systems, axis=1) > 0).all()
    assert found.systems.min() == 0
    assert found.systems.max() == 20


def test_every_subset_is_equally_likely():
    """Subsets of 6 of 8 systems: each pair is excluded equally often, by a chi-squared test."""
    first = [tuple(Subsets.of(8, 1, None, seed).systems[0].tolist()) for seed in range(2000)]
    every = [*itertools.combinations(range(8), 6)]
    counts = [first.count(own) for own in every]
    assert sum(counts) == 2000
    assert scipy.stats.chisquare(counts).pvalue > 0.001


def test_fewer_subsets_are_the_first_ones_and_another_seed_has_others():
    many = Subsets.of(12, 50, 7, 3).systems
    np.testing.assert_array_equal(Subsets.of(12, 20, 7, 3).systems, many[:20])
    assert (Subsets.of(12, 50, 7, 4).systems != many).any()


@pytest.mark.parametrize(("n_systems", "size"), [(8, 6), (9, 6), (10, 7), (14, 10), (42, 30)])
def test_the_size_is_in_proportion(n_systems, size):
    assert Subsets.of(n_systems, 20, None, 1).systems.shape == (20, size)


@pytest.mark.parametrize("number", [28, 29, 1000])
def test_where_there_are_no_more_they_are_all_subsets(number):
    found = Subsets.of(8, number, 6, 1)
    assert len(found) == math.comb(8, 6)
    assert found.systems.tolist() == [[*own] for own in itertools.combinations(range(8), 6)]


def test_few_systems_have_none_and_a_size_must_leave_some_out():
    none = Subsets.of(7, 100, None, 1)
    assert len(none) == 0
    x = np.random.default_rng(0).random((2, 3, 7))
    assert none.correlate(tau_b, *x).shape == (1, 3)
    with pytest.raises(RankassayError, match="fewer systems than the 9 that are compared, found 9"):
        Subsets.of(9, 10, 9, 1)
    assert Subsets.of(9, 10, 8, 1).systems.shape == (9, 8)


@pytest.mark.parametrize("correlate", [tau_b, rbo])
def test_correlations_are_those_of_each_subset_alone(correlate):
    rng = np.random.default_rng(2)
    x, reference = rng.integers(0, 6, (2, 4, 11)).astype(np.float64)
    subsets = Subsets.of(11, 30, None, 5)
    found = subsets.correlate(correlate, x, reference)
    assert found.shape == (31, 4)
    for row, own in zip(found, [slice(None), *subsets.systems], strict=True):
        for measure in range(4):
            a, b = x[measure, own], reference[measure, own]
            assert row[measure] == pytest.approx(correlate(a, b), abs=1e-14)
            if correlate is tau_b:
                assert row[measure] == pytest.approx(scipy.stats.kendalltau(a, b).statistic)


def test_pairs_are_the_places_of_the_pairs_of_each_subset():
    subsets = Subsets.of(9, 12, 4, 1)
    every = [*itertools.combinations(range(9), 2)]
    for own, systems in zip(subsets.pairs(), subsets.systems.tolist(), strict=True):
        assert [every[place] for place in own] == [*itertools.combinations(systems, 2)]
