"""Metrics on samples of the items: closed forms, whole lists and corrections."""

import itertools
import math

import numpy as np
import pytest
import scipy.optimize
import scipy.stats

from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.metrics.sampled import distribution, one_item
from rankassay.metrics.sampled.lists import METRICS, Instances, rank_functions
from rankassay.statistics.permutation import permutation_test

pytestmark = pytest.mark.slow

N = 60
RANKS = np.array([1, 2, 7, 30, 59, 60])
MEASURES = [("AUC", None), ("P", 3), ("R", 3), ("AP", 3), ("AP", None), ("RR", 5), ("nDCG", None)]


@pytest.mark.parametrize("replacement", [True, False])
@pytest.mark.parametrize("m", [1, 9, 59])
def test_the_rank_on_a_sample_is_distributed_as_scipy_says(m, replacement):
    x = np.arange(m + 1)
    wanted = (
        scipy.stats.binom.pmf(x, m, (RANKS[:, None] - 1) / (N - 1))
        if replacement
        else scipy.stats.hypergeom.pmf(x, N - 1, RANKS[:, None] - 1, m)
    )
    found = distribution.rank_distribution(RANKS, N, m, replacement)
    np.testing.assert_allclose(found, wanted, atol=1e-12)


@pytest.mark.parametrize("replacement", [True, False])
@pytest.mark.parametrize(("metric", "cutoff"), MEASURES)
def test_expected_metrics_are_the_sum_of_equation_19(metric, cutoff, replacement):
    for m in (1, 4, 40):
        p = distribution.rank_distribution(RANKS, N, m, replacement)
        wanted = sum(
            p[:, i - 1] * float(one_item.at_rank(metric, i, m + 1, cutoff)) for i in range(1, m + 2)
        )
        found = one_item.expected(metric, RANKS, N, m, cutoff, replacement)
        np.testing.assert_allclose(found, wanted, atol=1e-12)


def expected_average_precision(rank, m):
    """Return equation (29) with n - 1 where the paper prints n + 1; see the test of it."""
    p = (rank - 1) / (N - 1)
    lower = np.where(p > 0, p, 1.0)
    return np.where(p > 0, (1 - (1 - lower) ** (m + 1)) / (lower * (m + 1)), 1.0)


def test_expected_metrics_are_those_in_closed_form():
    """Equations (25), (27) and (29)."""
    for m in (1, 2, 25):
        expected = [one_item.expected(metric, RANKS, N, m, cut) for metric, cut in MEASURES]
        by_name = dict(zip(MEASURES, expected, strict=True))
        auc = (N - RANKS) / (N - 1)
        np.testing.assert_allclose(by_name["AUC", None], auc, atol=1e-12)
        recall = scipy.stats.binom.cdf(2, m, (RANKS - 1) / (N - 1))
        np.testing.assert_allclose(by_name["R", 3], recall, atol=1e-12)
        precision = expected_average_precision(RANKS, m)
        np.testing.assert_allclose(by_name["AP", None], precision, atol=1e-12)
        one = one_item.expected("AUC", RANKS, N, m, None, replacement=False)
        np.testing.assert_allclose(one, auc, atol=1e-12)


def test_equation_29_as_printed_is_too_large():
    r, m = 30, 5
    p = (r - 1) / (N - 1)
    by_hand = sum(math.comb(m, x) * p**x * (1 - p) ** (m - x) / (x + 1) for x in range(m + 1))
    printed = (1 - ((N - r) / (N - 1)) ** (m + 1)) / ((r - 1) * (m + 1) / (N + 1))
    assert expected_average_precision(r, m) == pytest.approx(by_hand, rel=1e-12)
    assert printed == pytest.approx(by_hand * (N + 1) / (N - 1), rel=1e-12)


@pytest.mark.parametrize(("metric", "cutoff"), MEASURES)
def test_a_sample_of_one_makes_every_metric_linear_in_the_rank(metric, cutoff):
    first, second = (float(one_item.at_rank(metric, i, 2, cutoff)) for i in (1, 2))
    found = one_item.expected(metric, RANKS, N, 1, cutoff)
    np.testing.assert_allclose(found, first + (second - first) * (RANKS - 1) / (N - 1), atol=1e-12)


def test_ranks_outside_the_items_are_an_error():
    with pytest.raises(RankassayError, match="ranks from 1 to n"):
        distribution.above_probability([3, 61], 60)
    with pytest.raises(RankassayError, match="at most 59 samples without replacement"):
        distribution.rank_distribution(3, 60, 60, replacement=False)


# Two users with relevant items among 9 candidates each, and one without. Of the first user's, one
# has no score, as two candidates have none.
START = np.array([0, 4, 6, 7])
RATING = np.array([5.0, 4.0, 5.0, 1.0, 5.0, 2.0, 3.0])
JUDGEMENTS = Judgements(np.arange(3, dtype=np.int32), START, RATING, 4.0)
LISTS = Lists(
    np.array([4, 0, 2, 1, 3, 5, 1], dtype=np.int32),
    np.array([7, 9, 9], dtype=np.int32),
    np.array([9, 9, 9], dtype=np.int32),
)
SCORED = Lists(
    np.array([4, 6, 2, 1, 3, 5, 1], dtype=np.int32), LISTS.n_candidates, LISTS.n_candidates
)
RELEVANT = [[2, 4, 6], [3]]


def plain(order, n_relevant, metric, k):
    """Return a metric of one list, a string of r (relevant) and i, from the formulas."""
    hits = [i for i, item in enumerate(order, start=1) if item == "r"]
    top = [i for i in hits if i <= k]
    fewest = min(n_relevant, k)
    if metric == "AUC":
        below = [order[i:].count("i") for i in hits]
        return sum(below) / (n_relevant * order.count("i"))
    return {
        "P": len(top) / k,
        "R": len(top) / n_relevant,
        "AP": sum((hits.index(i) + 1) / i for i in top) / fewest,
        "RR": 1 / top[0] if top else 0.0,
        "nDCG": sum(1 / math.log2(i + 1) for i in top)
        / sum(1 / math.log2(i + 1) for i in range(1, fewest + 1)),
    }[metric]


@pytest.mark.parametrize("relevant", ["together", "alone"])
@pytest.mark.parametrize("replacement", [True, False])
def test_sampled_lists_are_worth_the_mean_over_all_samples(replacement, relevant):
    system = Instances.of(JUDGEMENTS, SCORED, relevant)
    for m, user in itertools.product((1, 3), (0, 1)):
        irrelevant = [rank for rank in range(1, 10) if rank not in RELEVANT[user]]
        draws = itertools.product(irrelevant, repeat=m)
        if not replacement:
            draws = itertools.combinations(irrelevant, m)
        groups = [RELEVANT[user]] if relevant == "together" else [[r] for r in RELEVANT[user]]
        orders = [
            "".join("r" if rank in group else "i" for rank in sorted([*group, *sample]))
            for sample in draws
            for group in groups
        ]
        found = system.values(m, METRICS, [2, 3], replacement)[user]
        wanted = [
            np.mean([plain(order, len(groups[0]), metric, k) for order in orders])
            for metric in METRICS
            for k in (2, 3)
        ]
        np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_an_item_without_a_score_stands_in_the_middle_of_those_without():
    system = Instances.of(JUDGEMENTS, LISTS, "alone")
    # Five irrelevant candidates have a score and stand above, and one has none.
    assert (system.above[2], system.total[2], system.rank[2]) == (5.5, 6.0, 0)
    values = system.values(1, ["R", "AP"], [1])[0]
    below = [(6 - 1) / 6, (6 - 2) / 6, 0.5 / 6]
    np.testing.assert_allclose(values, np.mean(below), atol=1e-12)


def test_all_items_for_a_sample_make_the_exact_metrics():
    names = [f"{metric}@{k}" for metric in METRICS for k in (2, 3)]
    exact = evaluate(JUDGEMENTS, [LISTS], names, "rendle")[:2, 0]
    system = Instances.of(JUDGEMENTS, LISTS)
    np.testing.assert_allclose(system.values(None, METRICS, [2, 3]), exact, atol=1e-12)
    scored = Instances.of(JUDGEMENTS, SCORED)
    every = scored.values(99, METRICS, [2, 3], replacement=False)
    np.testing.assert_allclose(every, scored.values(None, METRICS, [2, 3]), atol=1e-12)


@pytest.mark.parametrize("relevant", ["together", "alone"])
@pytest.mark.parametrize("metrics", [["AUC"], ["nDCG", "AUC", "P"], ["RR"]])
def test_a_metric_has_the_same_values_beside_any_others(metrics, relevant):
    system = Instances.of(JUDGEMENTS, SCORED, relevant)
    for m in (None, 4):
        every = system.values(m, METRICS, [2, 3]).reshape(2, len(METRICS), 2)
        wanted = every[:, [METRICS.index(metric) for metric in metrics]].reshape(2, -1)
        np.testing.assert_array_equal(system.values(m, metrics, [2, 3]), wanted)


def test_items_are_in_the_order_of_their_ranks_and_those_without_one_last():
    ratings = np.full(6, 5.0)
    judgements = Judgements(np.arange(2, dtype=np.int32), np.array([0, 4, 6]), ratings, 4.0)
    ranks = np.array([0, 9, 0, 2, 3, 1], dtype=np.int32)
    lists = Lists(ranks, np.array([9, 9], dtype=np.int32), np.array([9, 9], dtype=np.int32))
    system = Instances.of(judgements, lists)
    np.testing.assert_array_equal(system.row, [0, 0, 0, 0, 1, 1])
    np.testing.assert_array_equal(system.rank, [2, 9, 0, 0, 1, 3])
    np.testing.assert_array_equal(system.place, [1, 2, 3, 4, 1, 2])


def test_functions_of_the_rank():
    np.testing.assert_allclose(
        rank_functions(3),
        [[0, 1, 1, 1], [0, 1, 1 / 2, 1 / 3], [0, 1, 1 / math.log2(3), 0.5]],
    )


@pytest.mark.parametrize("n_functions", [3, distribution.MANY])
@pytest.mark.parametrize("replacement", [True, False])
def test_expectations_end_at_their_cut_offs(replacement, n_functions):
    """Beside sums over the distributions of scipy."""
    rng = np.random.default_rng(1)
    n, deepest, m = 40, 30, 25
    above, place = rng.integers(0, n + 1, 60).astype(float), rng.integers(1, 9, 60)
    functions, cutoffs = rng.random((n_functions, deepest + 1)), [7, 1, 30]
    given = (above, np.full(60, float(n)), place, m, functions, cutoffs)
    found = distribution.expectation(*given, replacement)
    x = np.arange(m + 1)
    for i, (a, j) in enumerate(zip(above, place, strict=True)):
        binomial, drawn = scipy.stats.binom(m, a / n), scipy.stats.hypergeom(n, int(a), m)
        p = (binomial if replacement else drawn).pmf(x)
        for c, k in enumerate(cutoffs):
            within = x + j <= k
            wanted = functions[:, x[within] + j] @ p[within]
            np.testing.assert_allclose(found[i, :, c], wanted, rtol=1e-9, atol=1e-15)


def test_many_functions_at_once_have_the_bits_of_each():
    rng = np.random.default_rng(3)
    given = (rng.uniform(0, 1e3, 50), np.full(50, 1e3), rng.integers(1, 9, 50), 100)
    functions, cutoffs = rng.random((distribution.MANY, 90)), [7, 89]
    many = distribution.expectation(*given, functions, cutoffs)
    each = [distribution.expectation(*given, own[None], cutoffs)[:, 0] for own in functions]
    np.testing.assert_array_equal(many, np.stack(each, axis=1))


@pytest.mark.parametrize("n", [0, 7])
@pytest.mark.parametrize("replacement", [True, False])
def test_an_item_with_no_other_above_keeps_its_place(n, replacement):
    above, place = np.zeros(2), np.array([1, 3])
    given = (above, np.full(2, float(n)), place, 4, rank_functions(3), [2, 3])
    found = distribution.expectation(*given, replacement)
    np.testing.assert_array_equal(found[:, 0], [[1, 1], [0, 1]])
    np.testing.assert_array_equal(found[:, 1], [[1, 1], [0, 1 / 3]])


@pytest.mark.parametrize("replacement", [True, False])
def test_what_is_said_at_a_cut_off_does_not_depend_on_others(replacement):
    given = (np.array([300.0]), np.array([1e4]), np.ones(1, dtype=np.int64), 100)
    alone = distribution.expectation(*given, rank_functions(5), [5], replacement)[:, :, 0]
    both = distribution.expectation(*given, rank_functions(100), [5, 100], replacement)[:, :, 0]
    np.testing.assert_allclose(alone, both, rtol=1e-15)


@pytest.mark.parametrize(("place", "n"), [(1, 5000), (5, 1000), (5, 20_000), (5, 100_000)])
@pytest.mark.parametrize("replacement", [True, False])
def test_systems_tie_where_every_sample_fits_the_lists(replacement, place, n):
    """Whatever their ranks: what differs are roundings, which no test may call significant."""
    rng, functions = np.random.default_rng(2), rank_functions(100)
    place = np.full(300, place, dtype=np.int64)
    shares = [(0, 1)] * 4 if place[0] == 1 else [(0.4, 0.45), (0.55, 0.6)]
    found = [
        distribution.expectation(
            above, np.full(300, n), place, 99, functions, [10, 100], replacement
        )
        for above in [
            rng.integers(low * n, high * n + 1, 300).astype(float) for low, high in shares
        ]
    ]
    hits = np.array(found)[:, :, 0, 1]
    np.testing.assert_allclose(hits, 1.0, rtol=1e-15)
    test = permutation_test(hits.T[:, :, None], 1000, seed=1)
    np.testing.assert_array_equal(test.p_values, 1.0)


NAMES = [*one_item.CORRECTIONS]


@pytest.mark.parametrize("name", NAMES)
def test_a_correction_is_the_same_whatever_was_asked_before(name):
    asked = [("R", 3, 20, 4), ("AP", 5, 20, 4), ("AP", 5, 30, 4), ("AP", 5, 30, 7)]
    forth = [one_item.corrected(name, *own) for own in asked]
    back = [one_item.corrected(name, *own) for own in reversed(asked)]
    for first, again in zip(forth, reversed(back), strict=True):
        np.testing.assert_array_equal(first, again)


@pytest.mark.parametrize("name", NAMES)
def test_bias_and_variance_are_those_of_simulated_samples(name):
    n, m, draws = 40, 8, 20_000
    table = one_item.corrected(name, "nDCG", 5, n, m)
    rng = np.random.default_rng(1)
    for rank in (1, 4, 17):
        p = distribution.rank_distribution(rank, n, m)
        mean = p @ table
        deviation = math.sqrt(p @ table**2 - mean**2)
        # Irrelevant items in their order: those before the rank stand above.
        found = table[(rng.integers(1, n, size=(draws, m)) < rank).sum(axis=1)]
        assert abs(found.mean() - mean) <= 4.5 * deviation / math.sqrt(draws) + 1e-12
        assert found.std() == pytest.approx(deviation, rel=0.1, abs=1e-9)


def test_the_rank_estimate_is_unbiased_for_auc_alone():
    p = distribution.rank_distribution(np.arange(1, N + 1), N, 6)
    estimate = p @ one_item.rank_estimate("AUC", None, N, 6)
    np.testing.assert_allclose(estimate, (N - np.arange(1, N + 1)) / (N - 1))
    biased = p @ one_item.rank_estimate("AP", None, N, 6) - 1 / np.arange(1, N + 1)
    assert np.abs(biased).max() > 0.1


def test_least_squares_is_the_best_that_never_rises():
    n, m = 40, 6
    p, wanted = distribution.rank_distribution(np.arange(1, n + 1), n, m), np.zeros(n)
    wanted[:3] = 1.0
    found = one_item.constrained_least_squares("R", 3, n, m)
    assert (np.diff(found) <= 1e-12).all()
    # The same problem in the values themselves, by another solver.
    other = scipy.optimize.minimize(
        lambda x: ((p @ x - wanted) ** 2).mean(),
        np.linspace(1, 0, m + 1),
        method="SLSQP",
        constraints=[{"type": "ineq", "fun": lambda x: -np.diff(x)}],
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    assert ((p @ found - wanted) ** 2).mean() <= other.fun + 1e-9
    assert ((p @ found - wanted) ** 2).mean() == pytest.approx(other.fun, rel=1e-3)


def test_bias_variance_minimises_what_it_says():
    n, m = 40, 6
    ranks = np.arange(1, n + 1)
    p, wanted = distribution.rank_distribution(ranks, n, m), 1 / ranks

    def cost(table, gamma):
        mean = p @ table
        return ((mean - wanted) ** 2 + gamma * (p @ table**2 - mean**2)).mean()

    rng = np.random.default_rng(2)
    for gamma in (0.01, 0.1, 1.0):
        found = one_item.bias_variance("AP", None, n, m, gamma)
        least = cost(found, gamma)
        assert all(cost(found + 0.01 * rng.normal(size=m + 1), gamma) > least for _ in range(20))
    posterior = (p * wanted[:, None]).sum(axis=0) / p.sum(axis=0)
    np.testing.assert_allclose(found, posterior, rtol=1e-8)
    with pytest.raises(RankassayError, match="gamma"):
        one_item.bias_variance("AP", None, n, m, 0.0)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [2, 3, 5])
def test_corrections_of_few_items_on_large_samples_have_values(name, n):
    m = 2000  # of two or three items, most sampled ranks have a probability of 0
    found = one_item.corrected(name, "AP", 10, n, m)
    assert found.shape == (m + 1,)
    assert np.isfinite(found).all()
    assert np.abs(found).max() < 2
    p = distribution.rank_distribution(np.arange(1, n + 1), n, m)
    biased = 0.02 if "bias" in name else 1e-9
    if name in one_item.GAMMAS or (name, n) == ("least squares", 2):
        np.testing.assert_allclose(p @ found, 1 / np.arange(1, n + 1), atol=biased)


def test_an_unknown_correction_names_the_nearest():
    with pytest.raises(RankassayError, match="did you mean 'least squares'"):
        one_item.corrected("least square", "AP", None, 40, 6)
