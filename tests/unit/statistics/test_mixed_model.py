"""The mixed model: the numbers of statsmodels, a dense likelihood, an analysis of variance."""

import numpy as np
import pytest
import scipy.optimize
import scipy.stats

from rankassay.statistics.across_datasets import friedman, mixed_model

# Eight datasets of five sources by four metrics.
VALUES = np.array(
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
# statsmodels 0.15.0, for which "powell" finds the greater likelihood for VALUES, and "bfgs" alone
# one for the others. The share is cov_re / (cov_re + scale). F is that of its coefficients and its
# information matrix of these, which is exact; its `cov_params` inverts that of the variances with
# it, for which F is 6.060 and 7.810.
STATSMODELS = {"values": (0.7770978, 6.063412), "others": (0.1714102, 8.309827)}


@pytest.mark.parametrize(("name", "rows"), [("values", [*range(8)]), ("others", OTHERS)])
def test_share_and_f_are_those_of_statsmodels(name, rows):
    found = mixed_model(VALUES[rows], SOURCES)
    share, f = STATSMODELS[name]
    assert found.share == pytest.approx(share, abs=1e-6)
    assert found.f == pytest.approx(f, abs=1e-5)
    assert found.p == pytest.approx(scipy.stats.f.sf(f, 3, 12), rel=1e-5)
    # Neither the unit, nor the order, nor the level of a dataset counts.
    order = np.random.default_rng(0).permutation(8)
    again = mixed_model((7 * VALUES[rows] + np.arange(8)[:, None])[order], SOURCES[order])
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
    n, k = VALUES.shape
    mean, rows, columns = VALUES.mean(), VALUES.mean(axis=1), VALUES.mean(axis=0)
    rest = ((VALUES - rows[:, None] - columns + mean) ** 2).sum() / ((n - 1) * (k - 1))
    f = n * ((columns - mean) ** 2).sum() / (k - 1) / rest
    found = mixed_model(VALUES, np.arange(n))
    assert (found.share, found.f) == (0, pytest.approx(f))
    assert found.p == pytest.approx(scipy.stats.f.sf(f, k - 1, (n - 1) * (k - 1)))


def test_datasets_that_are_the_same_count_as_one():
    several = mixed_model(VALUES[[0, 0, 0, 3, 4, 5, 5, 6]] * 0.1, SOURCES)
    once = mixed_model(VALUES[[0, 3, 4, 5, 6]], np.arange(5))
    assert several.f == pytest.approx(once.f)
    assert several.p == pytest.approx(once.p)


def test_values_without_any_difference_and_without_any_residual():
    equal = mixed_model(np.full((8, 4), 0.1) * np.arange(1, 9)[:, None], SOURCES)
    assert np.isnan(equal.f)
    assert equal.p == 1
    clear = mixed_model(np.tile(VALUES[0], (8, 1)) + np.arange(8)[:, None], SOURCES)
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
