"""Tests of many samples at once, against scipy's of each one and against brute force."""

import itertools
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from rankassay.statistics import paired_tests


@pytest.fixture
def d():
    rng = np.random.default_rng(2)
    return np.round(rng.normal(0.1, 0.5, (30, 12)), 1)


@pytest.mark.parametrize("zeros", ["wilcox", "pratt", "zsplit"])
@pytest.mark.parametrize("correction", [False, True])
def test_signed_ranks_are_scipys(d, zeros, correction):
    theirs = scipy.stats.wilcoxon(
        d, zero_method=zeros, correction=correction, method="asymptotic"
    ).pvalue
    np.testing.assert_allclose(paired_tests.signed_rank(d, zeros, correction), theirs, rtol=1e-12)


def test_t_and_sign_are_scipys(d):
    np.testing.assert_allclose(paired_tests.t(d), scipy.stats.ttest_1samp(d, 0).pvalue)
    for column, p, tied in zip(d.T, paired_tests.sign(d), paired_tests.sign(d, 0.25), strict=True):
        for tie, own in ((0, p), (0.25, tied)):
            more, less = (column > tie).sum(), (column < -tie).sum()
            assert own == pytest.approx(scipy.stats.binomtest(more, more + less).pvalue)


def test_missing_differences_take_no_part(d):
    gaps = np.vstack([d, np.full((3, d.shape[1]), np.nan)])
    for test in (paired_tests.t, paired_tests.signed_rank, paired_tests.sign):
        np.testing.assert_array_equal(test(gaps), test(d))


@pytest.mark.parametrize("test", [paired_tests.permutation, paired_tests.bootstrap])
def test_missing_differences_cannot_be_drawn(test):
    with pytest.raises(ValueError, match="expected differences without NaN"):
        test(np.array([[0.1], [np.nan], [0.2]]), 50, 1)


def test_differences_that_are_tied_but_for_rounding_are_tied():
    d = np.array([0.4, 0.3, 0.9, 0.6]) - np.array([0.3, 0.2, 0.8, 0.5])
    assert len(set(d)) > 1
    assert paired_tests.sign(d[:, None], 0.1).tolist() == [1]


def test_no_difference_gives_one():
    nothing = np.zeros((5, 2))
    for test in (paired_tests.t, paired_tests.signed_rank, paired_tests.sign):
        assert test(nothing).tolist() == [1, 1]
    assert paired_tests.permutation(nothing, 50, 1).tolist() == [1, 1]
    assert paired_tests.bootstrap(nothing, 50, 1).tolist() == [1, 1]


def test_random_signs_come_near_all_signs():
    d = np.array([0.1, 0.2, 0.3, -0.1, 0.3, 0.0, 0.2, -0.3])
    every = np.array([*itertools.product([1, -1], repeat=8)]) @ d
    exact = (np.abs(every) >= np.abs(d.sum()) - 1e-9).mean()  # ties, which floats part
    assert paired_tests.permutation(d[:, None], 40_000, 1)[0] == pytest.approx(exact, abs=0.01)


def test_resamples_come_near_all_resamples():
    d = np.array([0.1, 0.2, 0.3, -0.1, 0.3])
    every = d[np.array([*itertools.product(range(5), repeat=5)])].mean(axis=1) - d.mean()
    exact = (np.abs(every) >= d.mean() - 1e-9).mean()
    assert paired_tests.bootstrap(d[:, None], 40_000, 1)[0] == pytest.approx(exact, abs=0.01)


def test_a_trial_does_not_depend_on_the_others(d):
    for test in (paired_tests.permutation, paired_tests.bootstrap):
        alone = [test(d[:, [k]], 300, 4)[0] for k in range(3)]
        assert test(d, 300, 4)[:3].tolist() == alone


@pytest.mark.skipif("TREC_SCORES" not in os.environ, reason="the data may not be redistributed")
def test_published_p_values():
    """Of runs 125 and 126 of TREC-8 by AP (Urbano et al., 2019): TREC_SCORES is their folder."""
    runs = pd.read_csv(Path(os.environ["TREC_SCORES"]) / "adhoc8_ap.csv")
    d = (runs["run126"] - runs["run125"]).to_numpy()[:, None]
    assert round(paired_tests.t(d)[0], 10) == 0.0013193972
    assert round(paired_tests.signed_rank(d)[0], 9) == 0.003445188
    assert round(paired_tests.sign(d, 0.01)[0], 9) == 0.009559879
    assert paired_tests.bootstrap(d, 200_000, 1)[0] == pytest.approx(0.000586, abs=2e-4)
    assert paired_tests.permutation(d, 200_000, 1)[0] == pytest.approx(0.001188, abs=3e-4)
