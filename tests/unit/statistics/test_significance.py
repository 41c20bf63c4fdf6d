"""The tests of all pairs of systems against scipy, plain loops and hand-made cases."""

import numpy as np
import pytest
import scipy.stats
from scipy.stats import false_discovery_control

from rankassay.artifacts import shards
from rankassay.artifacts.arrays import Scores
from rankassay.errors import RankassayError
from rankassay.seeds import generator
from rankassay.statistics import bootstrap, significance
from rankassay.statistics.corrections import benjamini_hochberg, holm
from rankassay.statistics.significance import TESTS, p_values

N_SYSTEMS = 4


def scores_of(n_users, seed=0, n_measures=2):
    """Return values with ties, two systems alike, and differences of all sizes."""
    rng = np.random.default_rng(seed)
    x = (
        rng.integers(0, 5, (n_users, N_SYSTEMS, n_measures)) / 5
        + np.linspace(0, 0.2, N_SYSTEMS)[:, None]
    )
    x[:, :, 1] = rng.random((n_users, N_SYSTEMS)) + np.linspace(0, 0.1, N_SYSTEMS)
    x[:, 1] = x[:, 0]
    return x


def with_gaps(values):
    """Return values of which users 0 to 4 lack all, and users 5 to 9 those of system 2."""
    values = values.copy()
    values[:5, :, 0] = np.nan
    values[5:10, 2, 0] = np.nan
    return values


def pairs_of(values):
    for m in range(values.shape[2]):
        for i in range(values.shape[1]):
            for j in range(values.shape[1]):
                if i != j:
                    yield m, i, j, values[:, i, m], values[:, j, m]


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize(
    ("test", "theirs"),
    [
        ("t", lambda a, b: scipy.stats.ttest_rel(a, b, nan_policy="omit").pvalue),
        (
            "wilcoxon",
            lambda a, b: (
                scipy.stats.wilcoxon(
                    np.round(a - b, 11)[~np.isnan(a - b)],
                    zero_method="wilcox",
                    method="asymptotic",
                ).pvalue
            ),
        ),
    ],
)
def test_closed_forms_equal_scipys(test, theirs, gaps):
    values = with_gaps(scores_of(80)) if gaps else scores_of(80)
    p, adjusted = TESTS[test](values, 0, 0, True)
    assert adjusted is None
    for m, i, j, a, b in pairs_of(values):
        expected = 1.0 if {i, j} == {0, 1} else theirs(a, b)
        assert p[m, i, j] == pytest.approx(expected, rel=1e-9)


def by_loop(d, samples, seed):
    """Return the shifted and studentised bootstrap p-value, resample by resample (Sakai, 2006)."""
    n = len(d)

    def t_of(w, centre=0.0):
        error = w.std(ddof=1) / np.sqrt(n)
        return abs((w.mean() - centre) / error) if error > 1e-12 else 0.0

    draws = [
        row
        for block in range(-(-samples // bootstrap.BLOCK))
        for row in generator(seed, "resampled-users", block).integers(0, n, (bootstrap.BLOCK, n))
    ]
    observed = t_of(d)
    drawn = np.array([t_of(d[row], d.mean()) for row in draws[:samples]])
    return drawn, observed, (np.sum(drawn >= observed * (1 - 1e-9)) + 1) / (samples + 1)


def test_the_bootstrap_equals_a_loop_over_resamples():
    values = scores_of(30)
    p, adjusted = TESTS["bootstrap"](values, 700, 3, True)
    for m, i, j, a, b in pairs_of(values):
        assert p[m, i, j] == by_loop(a - b, 700, 3)[2]
    # The adjusted p-value compares with the largest of all pairs in the same resample.
    loops = {(i, j): by_loop(a - b, 700, 3) for m, i, j, a, b in pairs_of(values) if m == 1}
    peaks = np.max([drawn for drawn, _, _ in loops.values()], axis=0)
    for (i, j), (_, observed, _) in loops.items():
        count = np.sum(peaks >= observed * (1 - 1e-9))
        assert adjusted[1, i, j] == pytest.approx((count + 1) / 701)


@pytest.mark.parametrize("first", [0.25, -0.25])
def test_a_difference_that_never_varies_is_the_most_extreme_in_either_direction(first):
    """No resample of centred values is as far from 0, so that p is 1 / (B + 1)."""
    x = np.random.default_rng(2).integers(0, 8, 30) / 8
    values = np.stack([x + first, x], axis=1)[:, :, None]
    p, adjusted = TESTS["bootstrap"](values, 700, 3, True)
    assert (p[0, 0, 1], adjusted[0, 0, 1]) == (1 / 701, 1 / 701)


def test_the_bootstrap_is_of_the_users_who_have_both_values():
    """Sums of resamples are those of the values there are; the same draws serve every pair."""
    values = with_gaps(scores_of(30))[:, :, :1]
    weights = np.concatenate([*bootstrap.blocks_drawn(30, 500, seed=1)])
    sums = bootstrap.Pairs.of(values[:, :, 0]).sums(weights)
    first, second = np.triu_indices(N_SYSTEMS, k=1)
    d = values[:, first, 0] - values[:, second, 0]
    np.testing.assert_array_equal(sums.count, weights @ ~np.isnan(d))
    np.testing.assert_allclose(sums.total, weights @ np.nan_to_num(d), atol=1e-10)
    np.testing.assert_allclose(sums.squares, weights @ np.nan_to_num(d) ** 2, atol=1e-10)
    # Users without any value change nothing but the draws.
    complete = scores_of(30)
    complete[:5] = np.nan
    sums = bootstrap.Pairs.of(complete[:, :, 0]).sums()
    less = bootstrap.Pairs.of(complete[5:, :, 0]).sums()
    np.testing.assert_array_equal(sums.count, less.count)
    np.testing.assert_allclose(sums.total, less.total, atol=1e-12)


def test_sums_of_resamples_are_exact_whatever_the_order_of_users():
    """So neither the library's blocking nor its threads can change a result."""
    rng = np.random.default_rng(5)
    x = rng.random((500, N_SYSTEMS)) ** 3
    weights = np.concatenate([*bootstrap.blocks_drawn(500, 500, seed=2)])
    shuffled = rng.permutation(500)
    one, other = bootstrap.Pairs.of(x), bootstrap.Pairs.of(x[shuffled])
    for name in ("count", "total", "squares"):
        a = getattr(one.sums(weights), name)
        np.testing.assert_array_equal(a, getattr(other.sums(weights[:, shuffled]), name))
    np.testing.assert_array_equal(weights.sum(axis=1), 500)


def test_permutations_agree_with_scipys_exact_and_random_ones():
    values = scores_of(9)
    p, _ = TESTS["permutation"](values, 1000, 0, True)
    many = scores_of(200, seed=4)
    drawn, _ = TESTS["permutation"](many, 20_000, 0, True)
    for m, i, j in [(0, 0, 3), (1, 2, 3), (1, 0, 2)]:
        theirs = scipy.stats.permutation_test(
            (values[:, i, m], values[:, j, m]),
            lambda a, b, axis: np.mean(a - b, axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=np.inf,
        )
        assert p[m, i, j] == pytest.approx(theirs.pvalue)
        theirs = scipy.stats.permutation_test(
            (many[:, i, m], many[:, j, m]),
            lambda a, b, axis: np.mean(a - b, axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=10_000,
            rng=np.random.default_rng(1),
        )
        # Four standard errors of the difference of two shares.
        error = 4 * np.sqrt(theirs.pvalue * (1 - theirs.pvalue) * (1 / 10_000 + 1 / 20_000))
        assert drawn[m, i, j] == pytest.approx(theirs.pvalue, abs=error + 1e-4)


@pytest.mark.parametrize("at_once", [2**29, 1])  # all pairs together, and one by one
def test_permutations_with_gaps_take_the_users_who_have_both_values(at_once, monkeypatch):
    monkeypatch.setattr(shards, "AT_ONCE", at_once)
    values = with_gaps(scores_of(18))
    p, adjusted = TESTS["permutation"](values, 2**18, 0, True)
    for i, j, users in [(0, 3, slice(5, None)), (2, 3, slice(10, None))]:
        alone = values[users][:, [i, j], :1]
        expected, _ = TESTS["permutation"](alone, 2**18, 0, True)
        assert p[0, i, j] == p[0, j, i] == pytest.approx(expected[0, 0, 1], rel=1e-12)
    assert np.isnan(adjusted[0, 0, 2])
    assert not np.isnan(adjusted[1]).any()
    result = significance.permuted(values, 2**18, 0, alternative="greater")
    assert result.p_values[0, 3, 0] == pytest.approx(p[0, 3, 0] / 2, rel=0.5)
    assert result.p_values[0, 0, 3] > 0.5


@pytest.mark.parametrize("test", TESTS)
def test_every_test_keeps_its_level_and_finds_what_is_there(test):
    """Without a difference, 5 % of the p-values are below 0.05; a large one is always found."""
    rng = np.random.default_rng(8)
    values = rng.random((100, 2, 600))
    p, _ = TESTS[test](values, 400, 0, True)
    below = np.mean(p[:, 0, 1] < 0.05)
    assert 0.02 < below < 0.085  # 600 tests: four standard errors of 0.0089
    values[:, 1] += 0.4
    p, adjusted = TESTS[test](values, 400, 0, True)
    assert (p[:, 0, 1] < 0.01).all()
    assert (p == np.swapaxes(p, 1, 2)).all()
    assert (p[:, [0, 1], [0, 1]] == 1).all()
    if adjusted is not None:
        assert (adjusted[:, 0, 1] < 0.01).all()


@pytest.mark.parametrize("test", TESTS)
def test_systems_that_are_alike_have_p_one(test):
    values = scores_of(40)
    p, adjusted = TESTS[test](values, 300, 0, True)
    assert (p[:, 0, 1] == 1).all()
    if adjusted is not None:
        assert (adjusted[:, 0, 1] == 1).all()
        assert (adjusted >= p - 1e-12).all()


@pytest.mark.parametrize("test", TESTS)
def test_what_rounding_leaves_is_no_difference(test):
    first = np.arange(50) % 10 / 10
    noisy = first + 0.1 - 0.1
    assert (noisy != first).any()
    found, _ = TESTS[test](np.stack([first, noisy], axis=1)[:, :, None], 500, 0)
    assert (found == 1).all()
    # Nor is it compared with differences, which are all distinct.
    more = np.where(np.arange(50) % 5 == 3, np.arange(50) / 64 - 0.1, 0)
    found, expected = (
        TESTS[test](np.stack([first, other + more], axis=1)[:, :, None], 500, 0)[0][0, 0, 1]
        for other in (noisy, first)
    )
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("test", TESTS)
def test_tenths_are_tested_as_the_whole_numbers_that_they_are(test):
    """In float64 0.3 - 0.2 is not 0.2 - 0.1, but both users have the same rank."""
    whole = np.random.default_rng(4).integers(0, 11, (40, 4, 1)).astype(float)
    whole[:, 1] += np.arange(40)[:, None] % 2
    tenths = whole[:, 0] / 10 - whole[:, 1] / 10
    assert len(np.unique(tenths)) > len(np.unique(whole[:, 0] - whole[:, 1]))
    p, _ = TESTS[test](whole / 10, 500, 0)
    np.testing.assert_allclose(p, TESTS[test](whole, 500, 0)[0], rtol=1e-9)


@pytest.mark.parametrize("test", TESTS)
def test_p_values_do_not_depend_on_the_unit(test):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        most = rng.choice([1, 2, 5])
        whole = rng.integers(-most, most + 1, (rng.choice([3, 6, 12]), 3, 4)).astype(float)
        expected = TESTS[test](whole, 200, 0)
        for unit in (0.1, 1e-8, 1 / 3):
            for found, own in zip(TESTS[test](whole * unit, 200, 0), expected, strict=True):
                assert own is None or found == pytest.approx(own, rel=1e-9), (seed, unit)


@pytest.mark.parametrize("unit", [1.0, 1e-8, 1 / 3, np.pi, 1e9, 1e-3])
@pytest.mark.parametrize("offset", [0, 10_000])
def test_ranks_of_differences_do_not_depend_on_the_unit(unit, offset):
    """Nor on what both values of a user have in common, which leaves fewer digits of them."""
    rng = np.random.default_rng(0)
    whole = rng.integers(0, 60, (400, 2, 30)).astype(float)
    expected = scipy.stats.wilcoxon(whole[:, 0] - whole[:, 1], method="asymptotic").pvalue
    p, _ = TESTS["wilcoxon"]((whole / 10 + offset) * unit, 0, 0)
    np.testing.assert_allclose(p[:, 0, 1], expected, rtol=1e-12)


def test_counts_over_samples_are_zero_without_the_one_added():
    values = scores_of(200)
    values[:, 3] += 1
    for test in ("permutation", "bootstrap"):
        assert TESTS[test](values, 99, 0, False)[0][1, 0, 3] == 0
        assert TESTS[test](values, 99, 0, True)[0][1, 0, 3] == 1 / 100


def scores_artifact(values):
    systems = np.array([f"system-{i}" for i in range(values.shape[1])])
    return Scores(values, np.arange(len(values), dtype=np.int32), systems, np.array(["P@5", "R@5"]))


@pytest.mark.parametrize("test", TESTS)
def test_the_table_has_a_row_for_each_pair(test):
    values = with_gaps(scores_of(40))
    table = p_values(scores_artifact(values), 200, 1, test, True)
    assert len(table) == 2 * 6
    row = table[(table.metric == "P") & (table.system_a == "system-0")].set_index("system_b")
    both = ~np.isnan(values[:, 2, 0])
    expected = (values[both, 0, 0] - values[both, 2, 0]).mean()
    assert row.loc["system-2", "difference"] == pytest.approx(expected)
    p, _ = TESTS[test](values, 200, 1, True)
    assert row.loc["system-2", "p_value"] == p[0, 0, 2]
    joint = table[table.metric == "R"].adjusted.notna()
    assert joint.all() if test in ("permutation", "bootstrap") else not joint.any()


def test_an_unknown_test_is_named_with_the_nearest_one():
    with pytest.raises(RankassayError, match="did you mean 'wilcoxon'"):
        p_values(scores_artifact(scores_of(10)), 10, 0, "wilcoxn", True)


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
