"""Systems across datasets: the numbers of scipy, scikit-posthocs, baycomp and Demsar's paper."""

import doctest
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
import scipy.optimize
import scipy.stats

import rankassay
from rankassay import RankassayError
from rankassay.answers import findings as ranks
from rankassay.answers.findings import average_ranks, groups
from rankassay.api import rankings as api
from rankassay.statistics.across_datasets import (
    compared,
    critical_difference,
    friedman,
    mixed_model,
    nemenyi,
    relative,
    signed_rank,
)
from rankassay.statistics.region import Region

# Eight datasets of five sources by four metrics.
OF_METRICS = np.array(
    [
        [0.95, 0.91, 0.82, 0.80],
        [0.93, 0.92, 0.80, 0.83],
        [0.94, 0.90, 0.84, 0.79],
        [0.88, 0.86, 0.85, 0.70],
        [0.91, 0.80, 0.86, 0.77],
        [0.79, 0.84, 0.81, 0.82],
        [0.85, 0.87, 0.80, 0.81],
        [0.90, 0.83, 0.78, 0.80],
    ]
)
SOURCES = np.array([0, 0, 0, 1, 2, 3, 3, 4])
OTHERS = [0, 3, 4, 1, 5, 6, 2, 7]  # rows in another order, of which those of a source differ more
# mixedlm("y ~ C(dataset) + C(metric)", table, groups=source + metric).fit(reml=True, method=...) of
# statsmodels 0.15.0, for which "powell" finds the greater likelihood for OF_METRICS, and "bfgs"
# alone one for the others. The share is cov_re / (cov_re + scale). F is that of its coefficients
# and its information matrix of these, which is exact; its `cov_params` inverts that of the
# variances with it, for which F is 6.060 and 7.810.
STATSMODELS = {"values": (0.7770978, 6.063412), "others": (0.1714102, 8.309827)}

# Ten datasets by five systems, with ties.
VALUES = np.array(
    [
        [0.1, 0.3, 1.0, 0.9, 0.5],
        [0.4, 0.6, 0.4, 1.0, 0.5],
        [0.4, 0.6, 0.6, 0.9, 1.1],
        [1.0, 0.4, 0.8, 1.0, 0.7],
        [0.0, 1.1, 0.5, 0.6, 1.3],
        [0.6, 0.6, 1.0, 0.3, 1.1],
        [0.4, 0.2, 0.9, 1.2, 0.6],
        [0.6, 0.4, 0.9, 1.0, 0.6],
        [0.8, 0.8, 0.9, 1.1, 0.8],
        [0.8, 1.0, 0.3, 1.1, 0.8],
    ]
)
# scikit_posthocs.posthoc_nemenyi_friedman(VALUES) of scikit-posthocs 0.17.1, above the diagonal.
POSTHOCS = [0.987857, 0.572316, 0.024841, 0.392543, 0.859991, 0.096338, 0.708013]
POSTHOCS += [0.572316, 0.998603, 0.750217]


def test_friedmans_statistic_is_that_of_scipy():
    found = friedman(VALUES)
    theirs = scipy.stats.friedmanchisquare(*VALUES.T)
    assert found.chi2 == pytest.approx(theirs.statistic)
    assert found.p_chi2 == pytest.approx(theirs.pvalue)
    assert found.ranks.tolist() == pytest.approx([3.95, 3.6, 2.9, 1.85, 2.7])
    # F of Iman and Davenport from the statistic of scipy, as the formula has it.
    f = 9 * theirs.statistic / (10 * 4 - theirs.statistic)
    assert found.f == pytest.approx(f)
    assert found.p == pytest.approx(scipy.stats.f.sf(f, 4, 36))


def test_demsars_example():
    """JMLR 7, 2006, table 6: C4.5 with and without pruning on 14 datasets."""
    ranks = [3.143, 2.000, 2.893, 1.964]
    # The average ranks as a sum of ranks: chi2 9.28 and F 3.69, and CD 1.25, are in the paper.
    chi2 = 12 * 14 / 20 * (sum(r**2 for r in ranks) - 4 * 25 / 4)
    assert chi2 == pytest.approx(9.28, abs=0.01)
    assert 13 * chi2 / (14 * 3 - chi2) == pytest.approx(3.69, abs=0.01)
    assert critical_difference(14, 4, 0.05) == pytest.approx(1.25, abs=0.005)
    assert critical_difference(14, 4, 0.1) == pytest.approx(1.12, abs=0.005)


def test_orders_that_are_all_alike_have_an_exact_p_value():
    for first in ([3.0, 2.0, 1.0], [3.0, 3.0, 1.0]):
        found = friedman(np.array([first] * 3))
        orders = [*product(permutations(first), repeat=2)]
        alike = sum(one == two == tuple(first) for one, two in orders)
        assert (found.f, found.p) == (np.inf, pytest.approx(alike / len(orders)))
    same = friedman(np.ones((3, 4)))
    assert (same.ranks.tolist(), same.p, same.p_chi2) == ([2.5] * 4, 1, 1)
    assert np.isnan(same.f)


def test_nemenyis_p_values_are_those_of_scikit_posthocs():
    p = nemenyi(friedman(VALUES).ranks, 10)
    assert p[np.triu_indices(5, k=1)] == pytest.approx(POSTHOCS, abs=1e-6)
    np.testing.assert_array_equal(p, p.T)
    assert (np.diag(p) == 1).all()
    # A difference as large as the critical one has just the level as its p-value.
    critical = critical_difference(10, 5, 0.03)
    assert nemenyi(np.array([1, 1 + critical, 3, 3, 3]), 10)[0, 1] == pytest.approx(0.03)


@pytest.mark.parametrize("critical", [0.4, 1.0, 2.0, 10.0])
def test_groups_are_all_largest_sets_that_are_not_apart(critical):
    ranks = np.array([2.5, 1.0, 3.5, 1.5, 2.0, 3.5])
    ordered = np.sort(ranks)
    sets = [
        (i, j)
        for i in range(6)
        for j in range(i + 1, 6)
        if ordered[j] - ordered[i] <= critical + 1e-9
    ]
    largest = [
        (i, j) for i, j in sets if not any(a <= i and j <= b and (a, b) != (i, j) for a, b in sets)
    ]
    assert groups(ranks, critical) == largest


# Of baycomp 1.0.3, with 50,000 draws: SignedRankTest.probs(VALUES[:, 1], VALUES[:, 4], 0.05).
BAYCOMP = (0.00496, 0.00338, 0.99166)


def test_the_bayesian_test_is_that_of_baycomp():
    d = (VALUES[:, 4] - VALUES[:, 1])[:, None]
    below, rope, above = BAYCOMP
    found = signed_rank(d, 0.05, 50_000, 0)[:, 0]
    assert found == pytest.approx([above, rope, below], abs=0.002)
    assert signed_rank(-d, 0.05, 50_000, 0)[::-1, 0] == pytest.approx(found, abs=0.002)


def test_the_bayesian_test_of_one_dataset_by_the_beta_distribution():
    """With one difference of weight w: theta_+ = w^2 + 2 w (1 - w) beyond twice the region."""
    found = signed_rank(np.array([[1.0, 0.15, 0.05, 0.1]]), 0.1, 40_000, 2)
    w = scipy.stats.beta(1, 0.5)
    # z_0 + z_1 > 2 r as well as 2 z_1: the largest is theta_+ where 1 - (1 - w)^2 > 1/2.
    assert found[0, 0] == pytest.approx(w.sf(1 - np.sqrt(0.5)), abs=0.01)
    # Only 2 z_1 > 2 r: where w^2 > 1/2; and not even that.
    assert found[0, 1] == pytest.approx(w.sf(np.sqrt(0.5)), abs=0.01)
    assert found[:, 2].tolist() == [0, 1, 0]
    # On the border half of w^2 counts, which is less than the rest.
    assert found[:, 3].tolist() == [0, 1, 0]
    assert found.sum(axis=0) == pytest.approx(1)
    again = signed_rank(np.array([[1.0, 0.15, 0.05, 0.1]]), 0.1, 40_000, 2)
    np.testing.assert_array_equal(found, again)


def test_a_region_in_percent_is_of_the_better_value_on_each_dataset():
    first, second = np.array([[0.5, 0.2], [0.0, -0.1]]), np.array([[0.4, 0.4], [0.0, -0.2]])
    d, rope = relative(first, second, Region.of("1%"))
    assert d == pytest.approx(np.array([[0.2, -0.5], [0.0, 1.0]]))
    assert rope == 0.01
    d, rope = relative(first, second, Region.of(0.05))
    assert d == pytest.approx(first - second)
    assert rope == 0.05


def test_an_error_of_0_is_better_than_any_other_by_more_than_any_share():
    """The best of errors is 0, of which no share can be taken."""
    errors = np.array([[0.0, 0.4, 0.0], [0.0, 0.3, 5e-324], [0.0, 0.2, 0.0]])
    table = compared(-errors, [*"xyz"], Region.of("10%"), 0.05, 2000, 0).set_index(
        ["system_a", "system_b"]
    )
    found = table.loc[("x", "y")]
    assert found[["wins", "losses", "ties"]].tolist() == [3, 0, 0]
    assert found["probably_a"] > 0.95
    assert table.loc[("x", "z"), ["wins", "losses", "ties"]].tolist() == [1, 0, 2]
    # Beyond all shares on one dataset each: they cancel out, and neither is probably better.
    d, rope = relative(np.array([0.0, -0.4]), np.array([-0.4, 0.0]), Region.of("10%"))
    above, _, below = signed_rank(d[:, None], rope, 20_000, 0)[:, 0]
    assert above == pytest.approx(below, abs=0.02)


def test_pairs_count_datasets_and_name_the_better_one_first():
    table = compared(VALUES, [*"vwxyz"], Region.of("1%"), 0.05, 500, 0)
    by_name = dict(zip("vwxyz", VALUES.T, strict=True))
    assert len(table) == 10
    for row in table.itertuples():
        a, b = by_name[row.system_a], by_name[row.system_b]
        assert row.rank_a <= row.rank_b
        assert (row.wins, row.losses, row.ties) == ((a > b).sum(), (a < b).sum(), (a == b).sum())
        assert row.apart == (row.p_nemenyi < 0.05)
    assert table["apart"].sum() == 1
    assert average_ranks(table).to_dict() == {"y": 1.85, "z": 2.7, "x": 2.9, "w": 3.6, "v": 3.95}


def test_nothing_is_told_apart_on_too_few_datasets():
    clear = np.tile([3.0, 2.0, 1.0], (6, 1)) + np.arange(6)[:, None]
    assert compared(clear, [*"abc"], Region.of("1%"), 0.05, 100, 0)["apart"].any()
    assert not compared(clear[:5], [*"abc"], Region.of("1%"), 0.05, 100, 0)["apart"].any()
    assert compared(clear[:5], [*"abc"], Region.of("1%"), 0.05, 100, 0)["p_nemenyi"].min() < 0.05


@pytest.fixture
def frame():
    import pandas as pd

    return pd.DataFrame(VALUES, columns=[*"vwxyz"], index=[f"data {n}" for n in range(10)])


def test_the_function_for_users(frame):
    found = rankassay.across_datasets(frame, samples=500)
    assert found.ranks.index.to_list() == ["y", "z", "x", "w", "v"]
    assert found.critical_difference == pytest.approx(critical_difference(10, 5, 0.05))
    assert found.groups == [["y", "z", "x", "w"], ["z", "x", "w", "v"]]
    assert (found.n_datasets, found.p) == (10, friedman(VALUES).p)
    errors = rankassay.across_datasets(-frame, samples=500, higher_is_better=False)
    assert errors.ranks.to_dict() == found.ranks.to_dict()
    figure = found.plot()
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert {"y  1.85", "3.95  v", "critical difference 1.93"} <= {*texts}
    assert figure._repr_png_()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.iloc[:1], "two or more of both with distinct names; found 1 rows and 5 col"),
        (lambda t: t[["v"]], "found 10 rows and 1 columns"),
        (lambda t: t.set_axis(["a", "a", *"bcd"], axis=1), "distinct names"),
        (lambda t: t.mask(t == 1.2), "found none of 'y' on 'data 6'; drop that row or column"),
        (lambda t: t.astype(str), "table: expected an array of numbers"),
        (lambda t: t.to_numpy(), "table: expected a frame"),
    ],
)
def test_tables_that_cannot_be_compared_are_refused(change, message, frame):
    with pytest.raises(RankassayError, match=message):
        rankassay.across_datasets(change(frame))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"equivalence": 0}, "equivalence: expected a difference above 0"),
        ({"alpha": 1}, "alpha: expected a finite number between 0 and 1"),
        ({"samples": 0}, "samples: expected a whole number from 1"),
        ({"higher_is_better": 1}, "higher_is_better: expected True or False"),
    ],
)
def test_other_parameters_are_refused(given, message, frame):
    with pytest.raises(RankassayError, match=message):
        rankassay.across_datasets(frame, **given)


def test_examples_are_true():
    for module in (ranks, api):
        found = doctest.testmod(module)
        assert (found.failed, found.attempted > 0) == (0, True)


@pytest.mark.parametrize("unit", [1.0, 1e-8, 1 / 3, np.pi, 1e9])
def test_ranks_do_not_depend_on_the_unit(unit):
    whole = np.random.default_rng(1).integers(0, 9, (200, 5))
    noisy = (whole / 8 + 0.1 - 0.1) * unit
    found = rankassay.across_datasets(pd.DataFrame(noisy, columns=[*"abcde"]), samples=1)
    expected = rankassay.across_datasets(pd.DataFrame(whole, columns=[*"abcde"]), samples=1)
    pd.testing.assert_series_equal(found.ranks, expected.ranks)


@pytest.mark.parametrize("kind", [np.int64, np.uint64, object])
def test_whole_numbers_have_ranks_of_their_own_or_are_refused(kind):
    exact = pd.DataFrame({"x": [2**53 - 1] * 7, "y": [2**53] * 7}).astype(kind)
    found = rankassay.across_datasets(exact, samples=100)
    assert found.ranks.to_dict() == {"y": 1, "x": 2}
    mixed = pd.DataFrame({"x": [2**53 + 1] * 7}).astype(kind).assign(y=0.5)
    for table in (exact + 1, mixed):
        with pytest.raises(RankassayError, match="numbers that float64 holds, found 9007199254"):
            rankassay.across_datasets(table)


def test_what_rounding_leaves_is_no_rank():
    table = pd.DataFrame({"x": [0.1 + 0.2] * 7, "y": [0.3] * 7})
    for higher in (True, False):
        found = rankassay.across_datasets(table, samples=100, higher_is_better=higher)
        assert found.ranks.tolist() == [1.5, 1.5]
        assert found.pairs.loc[0, ["wins", "losses", "ties"]].tolist() == [0, 0, 7]


@pytest.mark.parametrize(("name", "rows"), [("values", [*range(8)]), ("others", OTHERS)])
def test_share_and_f_are_those_of_statsmodels(name, rows):
    found = mixed_model(OF_METRICS[rows], SOURCES)
    share, f = STATSMODELS[name]
    assert found.share == pytest.approx(share, abs=1e-6)
    assert found.f == pytest.approx(f, abs=1e-5)
    assert found.p == pytest.approx(scipy.stats.f.sf(f, 3, 12), rel=1e-5)
    # Neither the unit, nor the order, nor the level of a dataset counts.
    order = np.random.default_rng(0).permutation(8)
    again = mixed_model((7 * OF_METRICS[rows] + np.arange(8)[:, None])[order], SOURCES[order])
    assert again.f == pytest.approx(f, abs=1e-5)


def dense(values, sources):
    """Return rho and F by the covariance matrix of all values, without contrasts or centring."""
    n, k = values.shape
    dataset, metric = (own.ravel() for own in np.indices((n, k)))
    x = np.hstack([np.eye(n)[dataset], np.eye(k)[metric][:, 1:]])
    same = (sources[dataset][:, None] == sources[dataset]) & (metric[:, None] == metric)
    y = values.ravel()

    def fitted(rho):
        v = rho * same + (1 - rho) * np.eye(n * k)
        information = x.T @ np.linalg.solve(v, x)
        beta = np.linalg.solve(information, x.T @ np.linalg.solve(v, y))
        rest = y - x @ beta
        q = rest @ np.linalg.solve(v, rest)
        logs = np.linalg.slogdet(v)[1] + np.linalg.slogdet(information)[1]
        return (n * k - x.shape[1]) * np.log(q) + logs, beta, q, np.linalg.inv(information)

    grid = np.linspace(0, 0.999, 500)
    best = grid[np.argmin([fitted(rho)[0] for rho in grid])]
    near = (max(best - 0.01, 0), min(best + 0.01, 0.9999))
    rho = scipy.optimize.minimize_scalar(lambda rho: fitted(rho)[0], bounds=near).x
    _, beta, q, covariance = fitted(rho)
    wald = beta[n:] @ np.linalg.solve(covariance[n:, n:], beta[n:]) / (k - 1)
    return rho, wald / (q / (n * k - x.shape[1]))


@pytest.mark.parametrize("seed", range(3))
def test_rho_and_f_are_those_of_the_dense_covariance(seed):
    rng = np.random.default_rng(seed)
    sources = np.array([2, 0, 0, 1, 2, 0, 3, 4])
    own = rng.normal(size=(5, 3))
    values = own[sources] + rng.normal(size=(8, 3)) + [0, 0.5, 2] + 9 * rng.random((8, 1))
    rho, f = dense(values, sources)
    found = mixed_model(values, sources)
    assert found.share == pytest.approx(rho, abs=1e-4)
    assert found.f == pytest.approx(f, rel=1e-4)


def test_of_one_dataset_each_it_is_the_two_way_analysis_of_variance():
    n, k = OF_METRICS.shape
    mean, rows, columns = OF_METRICS.mean(), OF_METRICS.mean(axis=1), OF_METRICS.mean(axis=0)
    rest = ((OF_METRICS - rows[:, None] - columns + mean) ** 2).sum() / ((n - 1) * (k - 1))
    f = n * ((columns - mean) ** 2).sum() / (k - 1) / rest
    found = mixed_model(OF_METRICS, np.arange(n))
    assert (found.share, found.f) == (0, pytest.approx(f))
    assert found.p == pytest.approx(scipy.stats.f.sf(f, k - 1, (n - 1) * (k - 1)))


def test_datasets_that_are_the_same_count_as_one():
    several = mixed_model(OF_METRICS[[0, 0, 0, 3, 4, 5, 5, 6]] * 0.1, SOURCES)
    once = mixed_model(OF_METRICS[[0, 3, 4, 5, 6]], np.arange(5))
    assert several.f == pytest.approx(once.f)
    assert several.p == pytest.approx(once.p)


def test_values_without_any_difference_and_without_any_residual():
    equal = mixed_model(np.full((8, 4), 0.1) * np.arange(1, 9)[:, None], SOURCES)
    assert np.isnan(equal.f)
    assert equal.p == 1
    clear = mixed_model(np.tile(OF_METRICS[0], (8, 1)) + np.arange(8)[:, None], SOURCES)
    assert clear.f > 1e20
    assert clear.p < 1e-99
    opposite = np.array([[1.0, -1.0], [1.0, -1.0], [1.0, -1.0]])
    assert mixed_model(opposite, np.arange(3)).f == np.inf
    # Where datasets of a source agree no more than others, none of the variance is theirs.
    apart = np.array([[1.0, -1.0], [-1.0, 1.0], [0.5, -0.5], [-0.4, 0.4]])
    assert mixed_model(apart, np.array([0, 0, 1, 1])).share == 0


@pytest.mark.parametrize("share", [0.0, 0.8])
def test_true_null_hypotheses_are_rejected_at_the_level(share):
    """Eleven datasets, three of them of one source: Friedman's test takes all for independent."""
    rng = np.random.default_rng(1)
    sources = np.array([0, 0, 0, *range(1, 9)])
    rejected = np.zeros(2)
    for _ in range(1000):
        own, rest = rng.normal(size=(9, 7)), rng.normal(size=(11, 7))
        values = np.sqrt(share) * own[sources] + np.sqrt(1 - share) * rest
        rejected += [mixed_model(values, sources).p < 0.05, friedman(values).p < 0.05]
    mixed, independent = rejected / 1000
    assert 0.02 < mixed < 0.07
    assert independent > 0.1 if share else 0.03 < independent < 0.07
