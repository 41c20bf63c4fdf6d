"""One engine: what is measured and its replicates come from one computation, under every setting.

A replicate in which every user counts once must be what was measured, to the last bit; one in which
users count several times must be what a test set with as many copies of them gives.
"""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import scipy.stats

from assayer.artifacts.arrays import Ratings, Scores
from assayer.errors import AssayerError
from assayer.metrics.evaluate import evaluate, grid
from assayer.metrics.judgements import Judgements, Lists
from assayer.recommenders.rank import rank
from assayer.statistics import correlation, discriminative_power, popularity, significance, sparsity
from assayer.statistics.draws import FEWEST, Draws
from assayer.statistics.incomplete import against_whole, random_parts, unpopular_parts
from assayer.statistics.orders import settled
from assayer.statistics.rank_correlation import resampled_spearman, tau_b
from assayer.statistics.replicated import Replicated, centred, interval, sign_p
from assayer.statistics.test_sets import TestSet, means_of_values
from assayer.studies.aggregation import groups as aggregation
from assayer.studies.diversity import systems as diverse
from assayer.studies.goals import bias
from assayer.studies.goals import systems as runs
from assayer.studies.robustness import as_run
from assayer.studies.sampling import robustness as sampled

N_USERS, N_ITEMS, DEPTH = 70, 40, 20
METRICS = ["P", "R", "AP", "nDCG", "RR", "Bpref"]
MEASURES = grid(METRICS, [5, 20])
EVALUATION = {
    "threshold": 4,
    "measures": MEASURES,
    "profile": "paper",
    "without_relevant": None,
    "aggregate": "mean",
}
RESAMPLES = FEWEST


class Fixed:
    def __init__(self, scores):
        self.scores = scores

    def score(self, users):
        return self.scores[users].copy()


def made(n_users, seed):
    """Return train, test and the rankings of six systems, noisier and noisier."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(n_users, N_ITEMS)) + rng.normal(size=N_ITEMS)
    state = rng.random(truth.shape)
    rating = np.clip(np.round(3 + truth), 1, 5).astype(np.float32)
    train, test = (
        sp.csr_matrix(np.where(part, rating, 0).astype(np.float32))
        for part in (state < 0.3, state > 0.7)
    )
    rankings = {
        f"system-{n}": rank(Fixed(truth + n * rng.normal(size=truth.shape)), train, test, DEPTH)
        for n in range(6)
    }
    return train, test, rankings


@pytest.fixture(scope="module")
def study():
    return made(N_USERS, seed=3)


@pytest.fixture(scope="module")
def aspects():
    rng = np.random.default_rng(0)
    zero, one = np.zeros(1, np.int32), np.ones(1, np.float32)
    ids = np.array(["0"])
    shown = rng.random((N_ITEMS, 5)) < 0.4
    return Ratings(zero, zero, one, ids, ids, aspects=shown, aspect_names=np.array([*"abcde"]))


def once_each(n_users, *rest):
    """Return draws whose one resample counts every user once, in 7 groups."""
    group = np.arange(n_users) % 7
    return Draws(group.astype(np.int64), np.ones((2, 7)))


def scores_of(test, rankings):
    judgements = Judgements.of(test, 4)
    lists = [Lists.of(ranking, judgements) for ranking in rankings.values()]
    values = evaluate(judgements, lists, MEASURES, depth=DEPTH)
    return Scores(values, judgements.users, np.array([*rankings]), np.array(MEASURES))


SETTINGS = [
    {},
    {"aggregate": "geometric"},
    {"aggregate": "harmonic"},
    {"aggregate": "quadratic"},
    {"aggregate": "median"},
    {"profile": "blog"},
    {"profile": "rendle"},
    {"profile": "trec"},
    {"without_relevant": "nan"},
]
CHOICES = [
    {"unjudged_users": "zero"},
    {"round_means": 2},
    {"correlation": "tau_ap"},
    {"correlation": "rbo", "persistence": 0.7},
    {},
]


@pytest.fixture(params=[*itertools.product(SETTINGS, CHOICES)], ids=str)
def setting(request):
    return request.param


def measured_twice(result):
    """Assert that the only replicate is what was measured, and that there is something measured."""
    numbers = result.table[result.column].to_numpy(float)
    np.testing.assert_array_equal(result.replicates, numbers[:, None])
    assert np.isfinite(numbers).any()


@pytest.fixture
def counted_once(monkeypatch):
    monkeypatch.setattr(Draws, "of", once_each)


def test_sparsity_with_every_user_once_is_what_was_measured(study, setting, counted_once):
    _, test, rankings = study
    changed, choices = setting
    for stratified in (False, True):
        measured_twice(
            sparsity.run(
                *(test, rankings, EVALUATION | changed, [100, 60, 20], 3, 1),
                stratified=stratified,
                resamples=1,
                **choices,
            )
        )


@pytest.mark.parametrize(
    ("count", "of"), itertools.product(["train", "test"], ["items", "ratings"])
)
def test_popularity_with_every_user_once_is_what_was_measured(
    study, setting, count, of, counted_once
):
    changed, choices = setting
    measured_twice(
        popularity.run(
            *(*study, EVALUATION | changed, [100, 90, 60], count, 1), of=of, resamples=1, **choices
        )
    )


@pytest.mark.parametrize("choices", [{"round_means": 1}, {"correlation": "tau_ap"}, {}])
def test_the_other_analyses_with_every_user_once(study, aspects, choices, counted_once):
    train, test, rankings = study
    scores = scores_of(test, rankings)
    for aggregate in ("mean", "geometric", "median"):
        evaluation = EVALUATION | {"aggregate": aggregate}
        measured_twice(correlation.cutoff_correlation(scores, evaluation, resamples=1, **choices))
        measured_twice(correlation.metric_correlation(scores, evaluation, resamples=1, **choices))
    given = (["P", "nDCG"], [5, 20])
    sizes = ([1, 10], [60, 20], 2, 1)
    measured_twice(
        sampled.run(test, rankings, EVALUATION, ["AP", "nDCG"], [5], *sizes, resamples=1)
    )
    varied = (train, test, rankings, aspects, EVALUATION)
    metrics = ["nDCG", "alpha_nDCG", "EU"]
    measured_twice(diverse.metric_correlation(*varied, metrics, [5], 1, resamples=1))
    measured_twice(diverse.sparsity(*varied, 1, metrics, [5], [60, 20], 2, resamples=1))
    measured_twice(diverse.popularity(*varied, 1, metrics, [5], [90, 50], resamples=1))
    measured_twice(runs.sparsity(test, rankings, EVALUATION, *given, [60], 2, 1, resamples=1))
    measured_twice(runs.metric_correlation(test, rankings, EVALUATION, *given, 1, resamples=1))
    groups = bias.groups(test, rankings, EVALUATION, *given, 3)
    found = bias.measured(test, rankings, EVALUATION, groups, *given, 1, resamples=1)
    own = (found.table["statistic"] == "dependence").to_numpy()
    np.testing.assert_allclose(found.replicates[own, 0], found.table["value"][own], rtol=1e-12)
    table = aggregation.run(
        *(train, test, rankings, EVALUATION, ["P"], [5], ["mean", "geometric", "median"], 2),
        *([60], 2, [80], 1, 50, 1),
    )
    known = (table.table["criterion"] != "power").to_numpy()
    np.testing.assert_array_equal(table.replicates[known, 0], table.table["value"][known])


@pytest.mark.parametrize("test", ["permutation", "t", "bootstrap"])
def test_power_with_every_user_once_is_what_was_measured(study, test, counted_once):
    _, ratings, rankings = study
    scores = scores_of(ratings, rankings)
    p_values = significance.p_values(scores, 200, 1, test)
    found = discriminative_power.run(scores, p_values, 1, replicates=1)
    np.testing.assert_allclose(found.replicates[:, 0], found.table["dp"], rtol=1e-12)
    found = as_run.run(ratings, rankings, EVALUATION, 1, samples=200, replicates=1)
    np.testing.assert_allclose(found.replicates[:, 0], found.table["dp"], rtol=1e-12)


def test_signed_ranks_have_no_replicates(study):
    _, ratings, rankings = study
    scores = scores_of(ratings, rankings)
    p_values = significance.p_values(scores, 0, 1, "wilcoxon")
    found = discriminative_power.run(scores, p_values, 1, replicates=RESAMPLES)
    assert found.replicates.shape == (len(MEASURES), 0)
    assert found.table["low"].isna().all()
    assert (
        discriminative_power.power_differences(scores, p_values, 1, RESAMPLES)["p_value"]
        .isna()
        .all()
    )


# ---- Replicates against test sets with copies of users -------------------------------------------


def copied(matrix, times):
    """Return a matrix with so many copies of each row."""
    return sp.csr_matrix(matrix[np.repeat(np.arange(len(times)), times)])


def copies(study, times):
    """Return the study with so many copies of each user, and the copies' mask of judgements."""
    train, test, rankings = study
    rows = np.repeat(np.arange(len(times)), times)
    entries = np.concatenate([np.arange(*test.indptr[[u, u + 1]]) for u in rows] or [[]])
    lists = {
        name: replace(
            r,
            items=r.items[rows],
            ranks=r.ranks[entries.astype(int)],
            n_ranked=r.n_ranked[rows],
            n_candidates=r.n_candidates[rows],
        )
        for name, r in rankings.items()
    }
    return (copied(train, times), copied(test, times), lists), entries.astype(int)


@pytest.mark.parametrize("changed", [{}, {"aggregate": "geometric"}, {"aggregate": "median"}])
@pytest.mark.parametrize("unjudged_users", ["drop", "zero"])
def test_replicates_are_of_test_sets_with_copies_of_the_users(study, changed, unjudged_users):
    _, test, rankings = study
    assert (np.diff(test.indptr) > 0).all()
    evaluation = EVALUATION | changed
    whole = TestSet.of(test, rankings, evaluation, unjudged_users)
    draws = Draws.of(N_USERS, RESAMPLES, seed=5, groups=30)
    keep = np.random.default_rng(1).random(test.nnz) < 0.3
    found = whole.means(keep, draws)
    for n in (0, 1, RESAMPLES):
        times = draws.users[n].astype(int)
        many, entries = copies(study, times)
        other = TestSet.of(*many[1:], evaluation, unjudged_users)
        expected = other.means(keep[entries])[0]
        np.testing.assert_allclose(found[n], expected, rtol=1e-11, atol=1e-13)
        np.testing.assert_array_equal(tau_b(found[n], found[0]), tau_b(expected, found[0]))


def test_the_parts_of_resampled_users_are_those_of_the_users(study):
    """Sparsity in a replicate: the same ratings are missing for each copy of a user."""
    _, test, rankings = study
    draws = Draws.of(N_USERS, RESAMPLES, seed=1)
    table = sparsity.run(test, rankings, EVALUATION, [40], 3, seed=1, resamples=RESAMPLES)
    start = TestSet.of(test, rankings, EVALUATION).judgements.start
    masks = [*random_parts(start, [40], 3, 1)[40]]
    times = draws.users[7].astype(int)
    many, entries = copies(study, times)
    other = TestSet.of(*many[1:], EVALUATION)
    reference = other.means()
    taus = [tau_b(other.means(keep[entries]), reference)[0] for keep in masks]
    np.testing.assert_allclose(table.replicates[:, 6], np.mean(taus, axis=0), atol=1e-12)


@pytest.mark.parametrize("of", ["items", "ratings"])
def test_popularity_replicates_leave_out_the_measured_items(study, of):
    train, test, rankings = study
    found = popularity.run(
        *(train, test, rankings, EVALUATION, [70], "test", 1), of=of, resamples=RESAMPLES
    )
    item, number = test.indices, np.bincount(test.indices, minlength=N_ITEMS)
    (keep,) = unpopular_parts(item, number, [70], of)[70]
    times = Draws.of(N_USERS, RESAMPLES, seed=1).users[3].astype(int)
    many, entries = copies(study, times)
    other = TestSet.of(*many[1:], EVALUATION)
    expected = tau_b(other.means(keep[entries]), other.means())[0]
    np.testing.assert_allclose(found.replicates[:, 2], expected, atol=1e-12)
    by_train = popularity.run(
        *(train, test, rankings, EVALUATION, [70], "train", 1), resamples=RESAMPLES
    )
    assert (by_train.replicates != found.replicates).any()


@pytest.mark.parametrize("name", ["tau_ap", "rbo"])
def test_replicates_are_of_the_correlation_that_is_asked_for(study, name):
    _, test, rankings = study
    given = (test, rankings, EVALUATION, [40], 3, 1)
    plain = sparsity.run(*given, resamples=RESAMPLES)
    other = sparsity.run(*given, correlation=name, resamples=RESAMPLES)
    assert np.abs(plain.replicates - other.replicates).max() > 0.01
    # Of near orders all of them are near 1, on average.
    gap = other.replicates.mean() - other.table["tau"].mean()
    assert abs(gap) < 0.2


def test_power_replicates_are_sums_of_p_values_of_copies(study):
    _, test, rankings = study
    scores = scores_of(test, rankings)
    p_values = significance.p_values(scores, 500, 1)
    found = discriminative_power.run(scores, p_values, 4, replicates=RESAMPLES)
    times = Draws.of(N_USERS, RESAMPLES, seed=4).users[9].astype(int)
    x = np.repeat(scores.values, times, axis=0)

    def normal(values):
        pairs = itertools.combinations(range(values.shape[1]), 2)
        d = np.array([values[:, a] - values[:, b] for a, b in pairs])
        size = np.sqrt((d**2).sum(axis=1))
        z = np.divide(np.abs(d.sum(axis=1)), size, out=np.zeros_like(size), where=size > 0)
        return (2 * scipy.stats.norm.sf(z)).sum(axis=0)

    shift = found.table["dp"] - normal(scores.values)
    np.testing.assert_allclose(found.replicates[:, 8], normal(x) + shift, atol=1e-9)


def test_correlation_replicates_are_of_copies(study):
    _, test, rankings = study
    scores = scores_of(test, rankings)
    found = correlation.metric_correlation(scores, EVALUATION, resamples=RESAMPLES, seed=2)
    times = Draws.of(N_USERS, RESAMPLES, seed=2).users[5].astype(int)
    again = Scores(np.repeat(scores.values, times, axis=0), *vars_of(scores))
    expected = correlation.metric_correlation(again, EVALUATION).table["tau"]
    np.testing.assert_allclose(found.replicates[:, 4], expected, atol=1e-12)


def vars_of(scores):
    return scores.users, scores.systems, scores.measures


def test_spearman_of_copies():
    rng = np.random.default_rng(2)
    x, y = rng.integers(0, 5, (3, 50)).astype(float), rng.integers(0, 4, 50).astype(float)
    times = rng.integers(0, 4, (6, 50)).astype(float)
    found = resampled_spearman(x, y, times)
    for r, k in itertools.product(range(6), range(3)):
        n = times[r].astype(int)
        expected = scipy.stats.spearmanr(np.repeat(x[k], n), np.repeat(y, n)).statistic
        assert found[r, k] == pytest.approx(expected)
    assert np.isnan(resampled_spearman(np.ones((1, 50)), y, times)).all()


# ---- Draws and intervals -------------------------------------------------------------------------


def test_draws_are_of_users_in_groups_of_the_same_size():
    draws = Draws.of(1234, 60, seed=1)
    sizes = np.bincount(draws.group)
    assert (len(sizes), sizes.max() - sizes.min()) == (500, 1)
    assert (draws.times[0] == 1).all()
    assert (draws.times[1:].sum(axis=1) == 500).all()
    np.testing.assert_array_equal(draws.users, draws.times[:, draws.group])
    assert len(np.unique(draws.times[1:], axis=0)) == 60


def test_with_few_users_draws_are_the_bootstrap():
    draws = Draws.of(50, 400, seed=1)
    assert sorted(draws.group) == [*range(50)]
    # A user is drawn 0 times with probability (1 - 1/50)^50, and once on average.
    assert (draws.users[1:] == 0).mean() == pytest.approx((1 - 1 / 50) ** 50, abs=0.01)
    np.testing.assert_array_equal(draws.times[:201], Draws.of(50, 200, seed=1).times)
    assert (Draws.of(50, 400, seed=2).times != draws.times).any()


def test_groups_scatter_as_their_users_do():
    """The standard deviation of a mean from 500 groups is that from users, within some 5 %."""
    x = np.random.default_rng(3).random((4000, 1, 1)) ** 4
    found = means_of_values(x, Draws.of(4000, 2000, seed=1))[1:, 0, 0].std()
    assert found == pytest.approx(x.std() / np.sqrt(4000), rel=0.1)


@pytest.mark.parametrize("few", [1, 39])
def test_too_few_resamples_are_refused(few):
    with pytest.raises(AssayerError, match=f"0 .* or at least 40, found {few}"):
        Draws.of(10, few, seed=1)


@pytest.mark.parametrize("many", [0, 40, 777])
def test_as_many_resamples_as_asked_for(many, study):
    _, test, rankings = study
    found = sparsity.run(test, rankings, EVALUATION, [50], 1, 1, resamples=many)
    assert found.replicates.shape == (len(MEASURES), many)
    assert np.isnan(found.with_interval()["low"]).all() == (many == 0)


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


# ---- Ties ----------------------------------------------------------------------------------------


def test_equal_means_tie_although_their_sums_are_rounded_otherwise():
    """Three thirds are one: RR of different lists with the same mean, as exact fractions say."""
    n = 2340
    third, whole = np.zeros(n), np.zeros(n)
    third[:1527], whole[:509] = 1 / 3, 1.0
    values = np.stack([third, whole], axis=1)[:, :, None]
    mean = values.mean(axis=0)[:, 0]
    assert mean[0] != mean[1]  # as floating point numbers add them
    for found in (means_of_values(values, Draws.none(n))[0, 0], settled(mean, n)):
        assert found[0] == found[1]


@pytest.mark.parametrize("metric", ["P", "RR", "R", "AP", "Bpref"])
def test_ties_are_exactly_those_of_fractions(metric):
    """Every pair that is joined has equal means as fractions, and every equal pair is joined."""
    from fractions import Fraction

    rng = np.random.default_rng(5)
    count = rng.integers(1, 6, 8)
    start = np.concatenate(([0], np.cumsum(count)))
    rating = rng.integers(3, 6, start[-1]).astype(float)
    judgements = Judgements(np.arange(8, dtype=np.int32), start, rating, 4.0)
    systems = []
    for _ in range(60):
        ranks = np.concatenate([rng.permutation(12)[:n] + 1 for n in count]).astype(np.int32)
        ranks[ranks > 6] = 0
        systems.append(Lists(ranks, np.full(8, 6, dtype=np.int32)))
    item = np.zeros(start[-1], dtype=np.int32)
    test_set = TestSet.of_lists(
        judgements, item, systems, EVALUATION | {"measures": [f"{metric}@6"]}
    )
    values = test_set.values()[:, :, 0]
    exact = [sum(Fraction(v).limit_denominator(5000) for v in system) for system in values.T]
    found = test_set.means()[0, 0]
    pairs = [*itertools.combinations(range(60), 2)]
    assert sum(exact[a] == exact[b] for a, b in pairs) > 0
    for a, b in pairs:
        assert (found[a] == found[b]) == (exact[a] == exact[b])


def test_near_means_that_differ_are_not_joined():
    n = 6040
    # The nearest that two means of RR@18 can be: one part in n times the least common multiple.
    gap = 1 / (n * 12252240)
    means = np.array([[0.25, 0.25 + gap, 0.5]])
    assert len(np.unique(settled(means, n))) == 3
    assert len(np.unique(settled(np.array([[0.25, 0.25 + 1e-15, 0.5]]), n))) == 2


def test_all_parts_are_compared_with_the_order_of_the_same_users(study):
    _, test, rankings = study
    whole = TestSet.of(test, rankings, EVALUATION)
    draws = Draws.of(N_USERS, RESAMPLES, seed=1)
    every = {100: [np.ones(test.nnz, dtype=bool)]}
    taus = against_whole(whole, every, draws)[100]
    assert taus.shape == (1, 1 + RESAMPLES, len(MEASURES))
    np.testing.assert_allclose(taus, 1.0)


# ---- Users without a value -----------------------------------------------------------------------


def test_each_measure_counts_its_own_users():
    """Two measures may lack the same users: the second is no measure that all users have."""
    _, test, rankings = made(50, seed=8)
    measures = ["Bpref(without_nonrelevant='nan')@5", "Bpref(without_nonrelevant='nan')@20", "P@5"]
    for order in itertools.permutations(measures):
        whole = TestSet.of(test, rankings, EVALUATION | {"measures": [*order]})
        for keep in (None, np.random.default_rng(1).random(test.nnz) < 0.4):
            values = whole.values(keep)
            assert keep is None or np.isnan(values).any()
            expected = np.nanmean(values, axis=0).T
            np.testing.assert_allclose(whole.means(keep)[0], expected, rtol=1e-11)


def test_a_total_without_a_value_for_some_users_is_averaged_over_the_others(monkeypatch):
    _, test, rankings = made(50, seed=8)

    def measure(judged, cutoffs):
        count = judged.judgements.n_nonrelevant[:, None]
        return judged.hits.total(1.0, cutoffs, np.where(count > 0, count, np.nan))

    monkeypatch.setattr(
        "assayer.metrics.evaluate.resolve", lambda metric, parameters, profile: (measure, {})
    )
    whole = TestSet.of(test, rankings, EVALUATION | {"measures": ["P@5"]})
    keep = np.random.default_rng(1).random(test.nnz) < 0.3
    expected = np.nanmean(whole.values(keep), axis=0).T
    np.testing.assert_allclose(whole.means(keep)[0], expected, rtol=1e-11)
    assert len(np.unique(expected)) > 1


@pytest.mark.parametrize("aggregate", ["mean", "geometric", "median"])
def test_of_an_empty_part_nothing_is_ordered(study, aggregate):
    evaluation = EVALUATION | {"aggregate": aggregate}
    found = popularity.run(*study, evaluation, [100, 1], "train", 1, resamples=RESAMPLES)
    rows = (found.table["percentage"] == 1).to_numpy()
    assert (found.table.loc[rows, "undefined"] == 1).all()
    assert np.isnan(found.replicates[rows]).all()


def test_spearman_of_what_has_no_value_is_none():
    x = np.array([[0.1, 0.2, np.nan, 0.3], [1.0, 2.0, 3.0, 4.0]])
    found = resampled_spearman(x, np.arange(4.0), np.ones((2, 4)))
    assert np.isnan(found[:, 0]).all()
    np.testing.assert_allclose(found[:, 1], 1)


def test_the_arithmetic_mean_agrees_with_itself_in_every_resample(study):
    table = aggregation.run(
        *(*study, EVALUATION, ["P", "RR"], [5], ["mean", "geometric"], 2),
        *([60], 2, [80], RESAMPLES, 50, 1),
    )
    own = table.table.query("criterion == 'agreement' and aggregate == 'mean' and group == 0")
    assert (table.replicates[own.index] == 1).all()
    assert (own[["value", "low", "high"]] == 1).all(axis=None)
    other = table.table.query(
        "criterion == 'agreement' and statistic == 'difference' and group == 0"
    )
    assert (table.replicates[other.index] <= 0).all()
