"""One engine: what is measured and its replicates come from one computation, under every setting.

A replicate in which every user counts once must be what was measured, to the last bit; one in which
users count several times must be what a test set with as many copies of them gives.
"""

import itertools
from dataclasses import replace

import made_up
import numpy as np
import pytest
import scipy.sparse as sp
import scipy.stats
from declared import check_ends
from settings_of import analysis, settings_of

from rankassay.artifacts.arrays import Ratings, Scores
from rankassay.metrics.evaluate import grid
from rankassay.statistics import correlation, discriminative_power, incomplete, significance
from rankassay.statistics.draws import FEWEST, Draws
from rankassay.statistics.incomplete import random_parts, unpopular_parts
from rankassay.statistics.judged_systems import TestSet
from rankassay.statistics.rank_correlation import resampled_spearman, tau_b
from rankassay.statistics.replicated import interval
from rankassay.studies.aggregation import groups as aggregation
from rankassay.studies.goals import measured
from rankassay.studies.robustness import as_run
from rankassay.studies.sampling import robustness as sampled

N_USERS = 70
METRICS = ["P", "R", "AP", "nDCG", "RR", "Bpref"]
MEASURES = grid(METRICS, [5, 20])
EVALUATION = made_up.evaluation(MEASURES)
RESAMPLES = FEWEST
GROUPS = {"cutoffs": [5], "groups": 2, "levels": [60], "samples": 2, "percentages": [80]}
GROUPS |= {"tests": 50}


@pytest.fixture(scope="module")
def study():
    return made_up.study(N_USERS, n_systems=6, seed=3)


@pytest.fixture(scope="module")
def aspects():
    rng = np.random.default_rng(0)
    zero, one = np.zeros(1, np.int32), np.ones(1, np.float32)
    ids = np.array(["0"])
    shown = rng.random((made_up.N_ITEMS, 5)) < 0.4
    return Ratings(zero, zero, one, ids, ids, aspects=shown, aspect_names=np.array([*"abcde"]))


def once_each(n_users, *rest):
    """Return draws whose one resample counts every user once, in 7 groups."""
    group = np.arange(n_users) % 7
    return Draws(group.astype(np.int64), np.ones((2, 7)))


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


@pytest.mark.slow
def test_sparsity_with_every_user_once_is_what_was_measured(study, setting, counted_once):
    _, test, rankings = study
    changed, choices = setting
    for stratified in (False, True):
        measured_twice(
            incomplete.sparsity_bias(
                *(test, rankings, EVALUATION | changed, [100, 60, 20], 3, 1),
                stratified=stratified,
                resamples=1,
                **choices,
            )
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "of"), [*itertools.product(["train", "test"], ["items", "ratings"])]
)
def test_popularity_with_every_user_once_is_what_was_measured(
    study, setting, count, of, counted_once
):
    changed, choices = setting
    measured_twice(
        incomplete.popularity_bias(
            *(*study, EVALUATION | changed, [100, 90, 60], count, 1), of=of, resamples=1, **choices
        )
    )


@pytest.mark.slow
@pytest.mark.parametrize("choices", [{"round_means": 1}, {"correlation": "tau_ap"}, {}])
def test_the_other_analyses_with_every_user_once(study, aspects, choices, counted_once):
    train, test, rankings = study
    scores = made_up.scores(test, rankings, MEASURES)
    for aggregate in ("mean", "geometric", "median"):
        evaluation = EVALUATION | {"aggregate": aggregate}
        measured_twice(correlation.cutoff_correlation(scores, evaluation, resamples=1, **choices))
        measured_twice(correlation.metric_correlation(scores, evaluation, resamples=1, **choices))
    given = (["P", "nDCG"], [5, 20])
    parts = {"levels": [60, 20], "samples": 2}
    settings = settings_of(
        "sampling/robustness", metrics=["AP", "nDCG"], cutoffs=[5], sizes=[1, 10], **parts
    )
    measured_twice(sampled.robustness(test, rankings, EVALUATION, 1, **settings | {"resamples": 1}))
    data = {"train": train, "test": test, "rankings": rankings, "aspects": aspects}
    for name, changes in (
        ("diversity/metric-correlation", {}),
        ("diversity/sparsity", parts),
        ("diversity/popularity", {"percentages": [90, 50]}),
    ):
        metrics = ["nDCG", "alpha_nDCG", "EU"]
        settings = settings_of(name, metrics=metrics, cutoffs=[5], **changes) | {"resamples": 1}
        measured_twice(analysis(name)(evaluation=EVALUATION, seed=1, **settings, **data))
    own = {"evaluation": EVALUATION, "metrics": given[0], "cutoffs": given[1], "seed": 1} | data
    measured_twice(analysis("goals/sparsity")(**own, **parts, resamples=1))
    measured_twice(analysis("goals/metric-correlation")(**own, resamples=1))
    groups = measured.groups(test, rankings, EVALUATION, *given, 3)
    found = measured.bias_measured(test, rankings, EVALUATION, groups, *given, 1, resamples=1)
    own = (found.table["statistic"] == "dependence").to_numpy()
    np.testing.assert_allclose(found.replicates[own, 0], found.table["value"][own], rtol=1e-12)
    settings = settings_of("aggregation/groups", metrics=["P"], **GROUPS) | {"resamples": 1}
    table = aggregation.run(train, test, rankings, EVALUATION, 1, **settings)
    known = (table.table["criterion"] != "power").to_numpy()
    np.testing.assert_array_equal(table.replicates[known, 0], table.table["value"][known])


@pytest.mark.slow
@pytest.mark.parametrize("test", ["permutation", "t", "bootstrap"])
def test_power_with_every_user_once_is_what_was_measured(study, test, counted_once):
    _, ratings, rankings = study
    scores = made_up.scores(ratings, rankings, MEASURES)
    p_values = significance.p_values(scores, 200, 1, test, True)
    found = discriminative_power.run(scores, p_values, 1, replicates=1, level=0.95)
    np.testing.assert_allclose(found.replicates[:, 0], found.table["dp"], rtol=1e-12)
    given = (ratings, rankings, EVALUATION)
    settings = settings_of("robustness/as-run-p-values", samples=200)
    p_values = as_run.as_run_p_values(*given, 1, **settings)
    found = as_run.as_run(*given, p_values, 1, replicates=1)
    np.testing.assert_allclose(found.replicates[:, 0], found.table["dp"], rtol=1e-12)


def test_signed_ranks_have_no_replicates(study):
    _, ratings, rankings = study
    scores = made_up.scores(ratings, rankings, MEASURES)
    p_values = significance.p_values(scores, 0, 1, "wilcoxon", True)
    found = discriminative_power.run(scores, p_values, 1, RESAMPLES, 0.95)
    assert found.replicates.shape == (len(MEASURES), 0)
    assert found.table["low"].isna().all()
    assert (
        discriminative_power.power_differences(scores, p_values, 1, RESAMPLES, 0.95)["p_value"]
        .isna()
        .all()
    )


def copied(matrix, times):
    """Return a matrix with a number of copies of each row."""
    return sp.csr_matrix(matrix[np.repeat(np.arange(len(times)), times)])


def copies(study, times):
    """Return the study with a number of copies of each user, and the copies' mask of judgements."""
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
        times = made_up.times_of_users(draws)[n].astype(int)
        many, entries = copies(study, times)
        other = TestSet.of(*many[1:], evaluation, unjudged_users)
        expected = other.means(keep[entries])[0]
        np.testing.assert_allclose(found[n], expected, rtol=1e-11, atol=1e-13)
        np.testing.assert_array_equal(tau_b(found[n], found[0]), tau_b(expected, found[0]))


def test_the_parts_of_resampled_users_are_those_of_the_users(study):
    """Sparsity in a replicate: the same ratings are missing for each copy of a user."""
    _, test, rankings = study
    draws = Draws.of(N_USERS, RESAMPLES, seed=1)
    table = incomplete.sparsity_bias(
        test, rankings, EVALUATION, [40], 3, seed=1, resamples=RESAMPLES
    )
    start = TestSet.of(test, rankings, EVALUATION).judgements.start
    masks = [*random_parts(start, [40], 3, 1)[40]]
    times = made_up.times_of_users(draws)[7].astype(int)
    many, entries = copies(study, times)
    other = TestSet.of(*many[1:], EVALUATION)
    reference = other.means()
    taus = [tau_b(other.means(keep[entries]), reference)[0] for keep in masks]
    np.testing.assert_allclose(table.replicates[:, 6], np.mean(taus, axis=0), atol=1e-12)


@pytest.mark.parametrize("of", ["items", "ratings"])
def test_popularity_replicates_leave_out_the_measured_items(study, of):
    train, test, rankings = study
    found = incomplete.popularity_bias(
        *(train, test, rankings, EVALUATION, [70], "test", 1), of=of, resamples=RESAMPLES
    )
    item, number = test.indices, np.bincount(test.indices, minlength=made_up.N_ITEMS)
    (keep,) = unpopular_parts(item, number, [70], of)[70]
    times = made_up.times_of_users(Draws.of(N_USERS, RESAMPLES, seed=1))[3].astype(int)
    many, entries = copies(study, times)
    other = TestSet.of(*many[1:], EVALUATION)
    expected = tau_b(other.means(keep[entries]), other.means())[0]
    np.testing.assert_allclose(found.replicates[:, 2], expected, atol=1e-12)
    by_train = incomplete.popularity_bias(
        *(train, test, rankings, EVALUATION, [70], "train", 1), resamples=RESAMPLES
    )
    assert (by_train.replicates != found.replicates).any()


@pytest.mark.parametrize("name", ["tau_ap", "rbo"])
def test_replicates_are_of_the_correlation_that_is_asked_for(study, name):
    _, test, rankings = study
    given = (test, rankings, EVALUATION, [40], 3, 1)
    plain = incomplete.sparsity_bias(*given, resamples=RESAMPLES)
    other = incomplete.sparsity_bias(*given, correlation=name, resamples=RESAMPLES)
    assert np.abs(plain.replicates - other.replicates).max() > 0.01
    # Of near orders all of them are near 1, on average.
    gap = other.replicates.mean() - other.table["tau"].mean()
    assert abs(gap) < 0.2


def test_power_replicates_are_sums_of_p_values_of_copies(study):
    _, test, rankings = study
    scores = made_up.scores(test, rankings, MEASURES)
    p_values = significance.p_values(scores, 500, 1, "permutation", True)
    found = discriminative_power.run(scores, p_values, 4, RESAMPLES, 0.95)
    times = made_up.times_of_users(Draws.of(N_USERS, RESAMPLES, seed=4))[9].astype(int)
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
    scores = made_up.scores(test, rankings, MEASURES)
    found = correlation.metric_correlation(scores, EVALUATION, resamples=RESAMPLES, seed=2)
    times = made_up.times_of_users(Draws.of(N_USERS, RESAMPLES, seed=2))[5].astype(int)
    again = Scores(np.repeat(scores.values, times, axis=0), *vars_of(scores))
    expected = correlation.metric_correlation(again, EVALUATION).table["tau"]
    np.testing.assert_allclose(found.replicates[:, 4], expected, atol=1e-12)


def vars_of(scores):
    return scores.users, scores.systems, scores.measures


@pytest.mark.parametrize(
    ("name", "before", "more"),
    [
        ("diversity/sparsity", "tau_", {"levels": [40], "samples": 3}),
        ("diversity/popularity", "tau_", {"percentages": [70]}),
        ("diversity/metric-correlation", "", {}),
    ],
)
def test_intervals_of_analyses_are_those_of_their_replicates(study, aspects, name, before, more):
    data = dict(zip(("train", "test", "rankings"), study, strict=True)) | {"aspects": aspects}
    more = more | {"metrics": ["AP", "RR", "nDCG"], "cutoffs": [5, 20], "resamples": RESAMPLES}
    settings = settings_of(name, **more)
    found = analysis(name)(evaluation=EVALUATION, seed=1, **settings, **data)
    check_ends(found.table, "tau", before)
    low, high = interval(found.table["tau"].to_numpy(), found.replicates, 0.95, (-1, 1))
    np.testing.assert_array_equal(found.table[f"{before}low"], low)
    np.testing.assert_array_equal(found.table[f"{before}high"], high)


def test_spearman_of_copies():
    rng = np.random.default_rng(2)
    x, y = rng.integers(0, 5, (3, 50)).astype(float), rng.integers(0, 4, 50).astype(float)
    times, group = rng.integers(0, 4, (6, 20)).astype(float), rng.integers(0, 20, 50)
    found = resampled_spearman(x, y, times, group)
    for r, k in itertools.product(range(6), range(3)):
        n = times[r, group].astype(int)
        expected = scipy.stats.spearmanr(np.repeat(x[k], n), np.repeat(y, n)).statistic
        assert found[r, k] == pytest.approx(expected)
    assert np.isnan(resampled_spearman(np.ones((1, 50)), y, times, group)).all()


@pytest.mark.parametrize("aggregate", ["mean", "geometric", "median"])
def test_of_an_empty_part_nothing_is_ordered(study, aggregate):
    evaluation = EVALUATION | {"aggregate": aggregate}
    found = incomplete.popularity_bias(
        *study, evaluation, [100, 1], "train", 1, resamples=RESAMPLES
    )
    rows = (found.table["percentage"] == 1).to_numpy()
    assert (found.table.loc[rows, "undefined"] == 1).all()
    assert np.isnan(found.replicates[rows]).all()


def test_spearman_of_what_has_no_value_is_none():
    x = np.array([[0.1, 0.2, np.nan, 0.3], [1.0, 2.0, 3.0, 4.0]])
    found = resampled_spearman(x, np.arange(4.0), np.ones((2, 1)), np.zeros(4, dtype=int))
    assert np.isnan(found[:, 0]).all()
    np.testing.assert_allclose(found[:, 1], 1)


def test_the_arithmetic_mean_agrees_with_itself_in_every_resample(study):
    settings = settings_of("aggregation/groups", metrics=["P", "RR"], **GROUPS, resamples=RESAMPLES)
    table = aggregation.run(*study, EVALUATION, 1, **settings)
    own = table.table.query("criterion == 'agreement' and aggregate == 'mean' and group == 0")
    assert (table.replicates[own.index] == 1).all()
    assert (own[["value", "low", "high"]] == 1).all(axis=None)
    other = table.table.query(
        "criterion == 'agreement' and statistic == 'difference' and group == 0"
    )
    assert (table.replicates[other.index] <= 0).all()
