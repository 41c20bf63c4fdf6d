"""Corrections of p-values against their definitions, and worked by hand."""

import numpy as np
import pytest
from scipy.stats import false_discovery_control

from rankassay.statistics.significance import benjamini_hochberg, holm


def test_holm_by_hand():
    # In order .01 .02 .03 .04: times 4, 3, 2, 1 is .04 .06 .06 .04; never less than before.
    assert holm(np.array([0.04, 0.01, 0.03, 0.02])) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm(np.array([0.6, 0.5])).tolist() == [1, 1]


def test_benjamini_hochberg_by_hand():
    # In order .01 .02 .04 .5: times 4/1, 4/2, 4/3, 4/4 is .04 .04 .0533 .5.
    found = benjamini_hochberg(np.array([0.5, 0.01, 0.04, 0.02]))
    assert found == pytest.approx([0.5, 0.04, 0.16 / 3, 0.04])


@pytest.mark.parametrize("seed", range(5))
def test_benjamini_hochberg_is_that_of_scipy_without_the_tests_that_failed(seed):
    rng = np.random.default_rng(seed)
    p = rng.random((4, 17)).round(seed + 1)
    p[rng.random(p.shape) < 0.2] = np.nan
    found = benjamini_hochberg(p)
    for row, own in zip(p, found, strict=True):
        known = ~np.isnan(row)
        np.testing.assert_array_equal(own[known], false_discovery_control(row[known]))
        assert np.isnan(own[~known]).all()


def holm_rejects(p, alpha):
    """Holm's procedure as he has it: reject from the smallest on until one does not pass."""
    rejected = set()
    for k, i in enumerate(np.argsort(p)):
        if p[i] > alpha / (len(p) - k):
            break
        rejected.add(i)
    return rejected


def benjamini_hochberg_rejects(p, alpha):
    """Reject the k smallest, with k the largest for which p_(k) <= k alpha / m."""
    order = np.argsort(p)
    passed = [k for k, i in enumerate(order, start=1) if p[i] <= k * alpha / len(p)]
    return {*order[: max(passed, default=0)]}


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(
    ("correct", "rejects"),
    [(holm, holm_rejects), (benjamini_hochberg, benjamini_hochberg_rejects)],
)
def test_adjusted_p_values_reject_what_the_procedure_rejects(correct, rejects, seed):
    rng = np.random.default_rng(seed)
    p = rng.beta(0.3, 2, 15)
    p[3] = p[4]  # ties
    adjusted = correct(p)
    assert (adjusted >= p).all()
    for alpha in (0.001, 0.01, 0.05, 0.2):
        assert {*np.flatnonzero(adjusted <= alpha)} == rejects(p, alpha)


@pytest.mark.parametrize("correct", [holm, benjamini_hochberg])
def test_rows_are_corrected_apart_and_missing_ones_do_not_count(correct):
    p = np.array([[0.01, np.nan, 0.04], [np.nan, np.nan, np.nan], [0.2, 0.3, 0.01]])
    found = correct(p)
    assert found[0, [0, 2]] == pytest.approx(correct(p[0, [0, 2]]))
    np.testing.assert_array_equal(np.isnan(found), np.isnan(p))
    assert found[2] == pytest.approx(correct(p[2]))
