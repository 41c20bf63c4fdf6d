"""Generalizability theory against published numbers, and against its definitions in loops."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from rankassay.artifacts.arrays import Scores
from rankassay.statistics.generalizability import Components, at, needed, run

# Brennan, Generalizability Theory, 2001, synthetic data set no. 4: 10 persons (here systems) by 12
# items (users), of table 3.2; the raters in it are not looked at.
SYNTHETIC_4 = """
5 9 3 7 9 3 7 5 9 4
6 3 4 5 2 4 3 8 9 4
5 7 3 5 9 3 7 5 8 4
5 7 3 3 7 5 7 7 8 3
5 7 5 3 7 3 7 7 6 3
3 5 3 1 7 3 5 5 6 5
4 5 3 4 3 6 5 5 6 6
5 5 5 3 7 3 7 4 5 5
6 7 6 5 2 4 5 3 5 5
7 7 5 3 7 5 5 2 8 7
3 5 1 3 5 1 5 1 1 1
3 2 6 5 3 2 4 1 1 1
"""


def of(x):
    return Components.of([np.asarray(x, dtype=np.float64)])


@pytest.fixture(scope="module")
def synthetic():
    return of([line.split() for line in SYNTHETIC_4.strip().splitlines()])


def test_brennan_s_variances(synthetic):
    """Tables 6.2 and 6.5 of the book, to every digit printed."""
    assert (synthetic.n_users[0], synthetic.n_systems) == (12, 10)
    assert round(synthetic.variance_systems[0], 4) == 0.6258
    assert round(synthetic.variance_users[0], 4) == 0.8840
    assert round(synthetic.variance_residual[0], 4) == 2.7872
    assert round(synthetic.systems[0], 4) == 10.2963
    assert round(synthetic.users[0], 4) == 11.6273


def test_brennan_s_coefficients(synthetic):
    ends = [at(end, 12)[0] for end in synthetic.e_rho2_ratios(0.8)]
    assert [round(float(x), 3) for x in (synthetic.e_rho2(12)[0], *ends)] == [0.729, 0.541, 0.876]
    ends = [at(end, 12)[0] for end in synthetic.phi_ratios(0.8)]
    assert [round(float(x), 3) for x in (synthetic.phi(12)[0], *ends)] == [0.672, 0.457, 0.845]


@pytest.mark.skipif("ADHOC_3" not in os.environ, reason="the scores of TREC-3 are not to be shared")
def test_what_gt4ireval_prints_of_trec_3():
    """Of the best 30 systems by 50 topics; ADHOC_3 names the file of topics by 40 systems."""
    x = pd.read_csv(Path(os.environ["ADHOC_3"])).to_numpy(np.float64)
    found = of(x[:, x.mean(axis=0) >= np.quantile(x.mean(axis=0), 0.25)])
    shown = [
        *(found.variance_systems, found.variance_users, found.variance_residual),
        *(found.e_rho2(50), *(at(end, 50) for end in found.e_rho2_ratios(0.95))),
        *(found.phi(50), *(at(end, 50) for end in found.phi_ratios(0.95))),
        *(found.e_rho2(100), found.phi(100), found.e_rho2(150), found.phi(150)),
    ]
    printed = "0.0028117 0.028093 0.010152 0.93265 0.89311 0.96287 0.78613 0.66141 0.88039 "
    printed += "0.96515 0.88026 0.97649 0.91686"
    assert " ".join(f"{float(x[0]):.5g}" for x in shown) == printed
    ratios = [found.e_rho2_ratio, *found.e_rho2_ratios(0.95)]
    ratios += [found.phi_ratio, *found.phi_ratios(0.95)]
    users = [float(needed(ratio, 0.95)[0]) for ratio in ratios]
    assert users == [69, 114, 37, 259, 487, 130]


def test_mean_squares_are_those_of_their_definitions():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(7, 4)) + rng.normal(size=(7, 1)) + np.arange(4)
    found = of(x)
    n, k = x.shape
    residual = sum(
        (x[u, s] - x[u].mean() - x[:, s].mean() + x.mean()) ** 2 for u in range(n) for s in range(k)
    )
    assert found.residual[0] == pytest.approx(residual / ((n - 1) * (k - 1)), rel=1e-12)
    # One-way analyses of the rows and columns have the same mean squares between groups.
    for got, groups in ((found.systems, x.T), (found.users, x)):
        means = groups.mean(axis=1)
        between = groups.shape[1] * ((means - x.mean()) ** 2).sum() / (len(groups) - 1)
        assert got[0] == pytest.approx(between, rel=1e-12)
    # The test of systems is that of repeated measures, which scipy has for two of them.
    pair = of(x[:, :2])
    t = scipy.stats.ttest_rel(x[:, 0], x[:, 1]).statistic
    assert pair.systems[0] / pair.residual[0] == pytest.approx(t**2, rel=1e-12)


def test_e_rho2_is_cronbach_s_alpha_where_users_are_items():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(30, 6)) + np.linspace(0, 2, 6)
    n = len(x)
    alpha = n / (n - 1) * (1 - x.var(axis=1, ddof=1).sum() / x.sum(axis=0).var(ddof=1))
    assert of(x).e_rho2(n)[0] == pytest.approx(alpha, rel=1e-12)


def test_variances_are_found_again():
    """The estimators have no bias: their means over many samples are the true variances."""
    rng = np.random.default_rng(3)
    shape = (400, 20, 6)
    x = rng.normal(0, 0.5, (400, 1, 6)) + rng.normal(0, 0.8, (400, 20, 1))
    x = np.moveaxis(x + rng.normal(0, 1.2, shape), 0, 2)
    found = Components.of(np.moveaxis(x, 2, 0))
    for variance, true in (("systems", 0.25), ("users", 0.64), ("residual", 1.44)):
        own = getattr(found, f"variance_{variance}")
        assert own.mean() == pytest.approx(true, rel=0.12)
    low, high = found.e_rho2_ratios(0.9)
    holds = (low <= 0.25 / 1.44) & (high >= 0.25 / 1.44)
    assert holds.mean() == pytest.approx(0.9, abs=0.05)
    low, high = found.phi_ratios(0.9)
    holds = (low <= 0.25 / 2.08) & (high >= 0.25 / 2.08)
    assert holds.mean() == pytest.approx(0.9, abs=0.06)


def test_a_negative_variance_is_0():
    x = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    found = of(x)
    assert found.systems[0] < found.residual[0]
    assert found.variance_systems[0] == 0
    assert found.e_rho2(4)[0] == 0
    assert needed(found.e_rho2_ratio, 0.95)[0] == np.inf
    assert found.e_rho2_ratios(0.95)[0][0] == 0


def test_what_does_not_vary():
    assert np.isnan(of(np.full((4, 3), 0.1)).e_rho2(4)[0])
    shifted = of(np.array([[0.1, 0.3], [0.4, 0.6], [0.7, 0.9]]))  # by .2 for all, but for rounding
    assert shifted.residual[0] == 0
    assert shifted.e_rho2(1)[0] == 1
    assert 0 < shifted.phi(1)[0] < 1
    assert needed(shifted.e_rho2_ratio, 0.95)[0] == 1


@pytest.mark.parametrize("shape", [(1, 3), (5, 1), (0, 2)])
def test_one_user_or_system_tells_nothing(shape):
    found = Components.of([np.zeros(shape), np.ones(shape)])
    assert np.isnan(found.e_rho2(10)).all()
    assert np.isnan(found.phi_ratios(0.95)).all()


def test_users_without_a_value_are_left_out_by_measure():
    rng = np.random.default_rng(4)
    x = rng.random((20, 3, 2))
    x[:5, 1, 0] = np.nan
    found = Components.of(np.moveaxis(x, 2, 0))
    assert found.n_users.tolist() == [15, 20]
    for m, whole in enumerate((of(x[5:, :, 0]), of(x[:, :, 1]))):
        assert found.residual[m] == whole.residual[0]
        assert found.systems[m] == whole.systems[0]


def test_the_level_is_reached_with_the_users_needed_and_not_with_one_less(synthetic):
    for level in (0.5, 0.8, 0.9, 0.99):
        for ratio in (synthetic.e_rho2_ratio, synthetic.phi_ratio):
            n = needed(ratio, level)[0]
            assert at(ratio, n)[0] >= level - 1e-12
            assert n == 1 or at(ratio, n - 1)[0] < level
    assert needed(np.array([3.0]), 0.75)[0] == 1  # a whole number, but for rounding


def test_the_analysis_has_a_row_for_each_measure_and_level():
    rng = np.random.default_rng(5)
    values = rng.random((30, 4, 2)) + np.arange(4)[:, None]
    scores = Scores(
        values, np.arange(30, dtype=np.int32), np.array([*"abcd"]), np.array(["nDCG@10", "AP"])
    )
    table = run(scores, [0.9, 0.95])
    assert table["metric"].tolist() == ["nDCG", "nDCG", "AP", "AP"]
    assert table["cutoff"].isna().tolist() == [False, False, True, True]
    assert table["level"].tolist() == [0.9, 0.95] * 2
    own = of(values[:, :, 1])
    assert table["e_rho2"][2] == own.e_rho2(30)[0]
    for name in ("e_rho2", "phi", "needed_e_rho2", "needed_phi"):
        assert (table[f"{name}_low"] <= table[name]).all()
        assert (table[name] <= table[f"{name}_high"]).all()
