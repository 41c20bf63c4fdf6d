"""What is taken away from a test set, and how parts are averaged."""

from dataclasses import replace

import made_up
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import scipy.stats

from rankassay.errors import RankassayError
from rankassay.metrics.aggregate import AGGREGATES, aggregate
from rankassay.metrics.evaluate import evaluate, grid, measure_values
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics import incomplete
from rankassay.statistics.draws import Draws
from rankassay.statistics.incomplete import (
    least_popular,
    mean_of_defined,
    random_parts,
    unpopular_parts,
)
from rankassay.statistics.judged_systems import TestSet, means_of_values

MEASURES = grid(["P", "nDCG", "Bpref"], [5, 10])
EVALUATION = made_up.evaluation(MEASURES)


def test_the_nearest_number_of_items_is_kept():
    item = np.repeat(np.arange(7), 2)
    count = np.arange(7)
    # 7 * 50 % = 3.5 goes to the even 4, 7 * 40 % = 2.8 to 3.
    assert least_popular(item, count, 40, "items").tolist() == [0, 1, 2]
    assert least_popular(item, count, 50, "items").tolist() == [0, 1, 2, 3]
    (keep,) = unpopular_parts(item, count, [40], "items")[40]
    assert item[keep].tolist() == [0, 0, 1, 1, 2, 2]


def test_percentages_of_ratings_keep_at_most_so_many():
    item = np.array([0] * 1 + [1] * 4 + [2] * 2 + [4] * 3)
    count = np.bincount(item)
    kept = {
        percentage: least_popular(item, count, percentage, "ratings").tolist()
        for percentage in (9, 10, 30, 60, 90, 100)
    }
    assert kept == {9: [0], 10: [0], 30: [0, 2], 60: [0, 2, 4], 90: [0, 2, 4], 100: [0, 2, 4, 1]}
    assert least_popular(item, np.ones(5, dtype=int), 50, "items").tolist() == [0, 1]


def test_parts_are_drawn_anew_and_the_whole_is_drawn_once():
    start = np.array([0, 30, 60])
    parts = {level: [*masks] for level, masks in random_parts(start, [100, 50], 4, 1).items()}
    assert [len(masks) for masks in parts.values()] == [1, 4]
    assert parts[100][0].all()
    assert len({mask.tobytes() for mask in parts[50]}) == 4
    assert {mask.sum() for mask in parts[50]} == {30}


def test_parts_without_a_correlation_are_left_out_of_the_mean():
    taus = np.array([[[0.5, np.nan, np.nan]], [[1.0, 0.25, np.nan]]])
    found = mean_of_defined(taus)
    np.testing.assert_array_equal(found[:, :2], [[0.75, 0.25]])
    assert np.isnan(found[0, 2])


def test_means_are_rounded_when_that_is_asked_for():
    ratings = sp.csr_matrix(np.array([[5.0, 5, 5], [5, 5, 5]]))
    judgements = Judgements.of(ratings, 4)
    length = np.full(2, 3, dtype=np.int32)
    lists = [
        Lists(np.array(ranks, dtype=np.int32), length) for ranks in ([1, 2, 3] * 2, [3, 2, 0] * 2)
    ]
    evaluation = {
        "measures": ["R@3"],
        "profile": "paper",
        "without_relevant": None,
        "aggregate": "mean",
    }
    test_set = TestSet.of_lists(judgements, ratings.indices, lists, evaluation)
    np.testing.assert_allclose(test_set.means()[0, 0], [1, 2 / 3], rtol=1e-12)
    rounded = TestSet(judgements, ratings.indices, test_set.systems, evaluation, round_means=1)
    assert rounded.means()[0, 0].tolist() == [1.0, 0.7]


def one_user_each():
    """Return the test set of five users, each with three ratings, and two systems."""
    ratings = sp.csr_matrix(np.tile([5.0, 5, 5], (5, 1)))
    judgements = Judgements.of(ratings, 4)
    length = np.full(5, 3, dtype=np.int32)
    ranks = ([1, 2, 3] * 5, [1, 0, 0, 1, 0, 0, 1, 2, 0, 1, 2, 3, 0, 0, 0])
    lists = [Lists(np.array(own, dtype=np.int32), length) for own in ranks]
    evaluation = {
        "measures": ["R@3"],
        "profile": "paper",
        "without_relevant": None,
        "aggregate": "mean",
    }
    return TestSet.of_lists(judgements, ratings.indices, lists, evaluation)


@pytest.mark.parametrize("how", AGGREGATES)
def test_means_are_of_the_aggregate_that_is_asked_for(how):
    whole = one_user_each()
    whole = replace(whole, evaluation=whole.evaluation | {"aggregate": how})
    recall = np.array([1 / 3, 1 / 3, 2 / 3, 1, 0])
    np.testing.assert_allclose(whole.means()[0, 0], [1, aggregate(recall, how)], rtol=1e-12)


def test_one_user_who_is_left_has_the_mean():
    keep = np.zeros(15, dtype=bool)
    keep[6:9] = True
    np.testing.assert_allclose(one_user_each().means(keep)[0, 0], [1, 2 / 3], rtol=1e-12)


@pytest.fixture(scope="module")
def study():
    return made_up.study()


@pytest.mark.parametrize("unjudged_users", ["drop", "zero"])
def test_a_sample_is_evaluated_as_if_the_test_set_had_been_that(study, unjudged_users):
    """The compact evaluation equals making the smaller test matrix and starting again."""
    _, test, rankings = study
    keep = np.random.default_rng(0).random(test.nnz) < 0.05
    smaller = made_up.masked(test, keep)
    fresh, judgements = Judgements.of(smaller, 4), Judgements.of(test, 4)
    ranks = [r.ranks[keep] for r in rankings.values()]
    lists = [Lists(r, np.full(fresh.n_users, 20, np.int32)) for r in ranks]
    again = evaluate(fresh, lists, MEASURES, depth=20)
    part = judgements.sample(keep, unjudged_users)
    whole = [judge(judgements, Lists.of(r, judgements), 20) for r in rankings.values()]
    values = np.stack([measure_values(j.sample(keep, part), MEASURES) for j in whole], axis=1)
    if unjudged_users == "drop":
        np.testing.assert_array_equal(values, again)
    else:
        assert len(values) == 60 > len(again)
        np.testing.assert_allclose(values.sum(axis=0), again.sum(axis=0))


def test_sparsity_is_one_at_the_whole_test_set_and_falls(study):
    _, test, rankings = study
    table = incomplete.sparsity_bias(
        test, rankings, EVALUATION, levels=[100, 50, 5], samples=8, seed=1
    ).table
    assert list(table.columns) == [
        *("metric", "cutoff", "level", "samples", "undefined", "tau", "low", "high"),
        *("standard_error", "correlation"),
    ]
    assert (table[table.level == 100].tau == 1).all()
    assert (table[table.level == 100].samples == 1).all()
    mean = table.groupby("level").tau.mean()
    assert mean[100] > mean[50] > mean[5]
    assert (table.low <= table.tau).all()
    assert (table.tau <= table.high).all()


def test_sparsity_counts_undefined_taus(study):
    """One judgement cannot order systems that all miss it."""
    _, test, rankings = study
    table = incomplete.sparsity_bias(
        test, rankings, EVALUATION, levels=[0.15], samples=30, seed=1
    ).table
    assert (table.undefined > 0).any()
    assert (table.samples == 30).all()


def test_a_sparsity_sample_does_not_depend_on_the_other_levels(study):
    _, test, rankings = study
    given = (test, rankings, EVALUATION)
    alone = incomplete.sparsity_bias(*given, levels=[50], samples=3, seed=1, resamples=40)
    among = incomplete.sparsity_bias(*given, levels=[100, 75, 50], samples=3, seed=1, resamples=40)
    own = (among.table.level == 50).to_numpy()
    pd.testing.assert_frame_equal(alone.table, among.table[own].reset_index(drop=True))
    np.testing.assert_array_equal(alone.replicates, among.replicates[own])


def means_of(values):
    return means_of_values(values, Draws.none(len(values)))[0]


def test_popularity_removes_the_most_popular_items_first(study):
    train, test, rankings = study
    for count, counted in (("train", train), ("test", test)):
        table = incomplete.popularity_bias(
            train, test, rankings, EVALUATION, percentages=[100, 50], count=count, seed=1
        ).table
        rows = table[(table.metric == "nDCG") & (table.cutoff == 10)].set_index("percentage")
        assert rows.tau[100] == 1
        popular = np.asarray((counted > 0).sum(axis=0)).ravel()
        order = sorted(range(40), key=lambda i: (popular[i], i))
        kept = np.isin(test.indices, order[:20])
        assert rows.loc[50, "items"] == 20
        assert rows.ratings[50] == kept.sum()
        part = Judgements.of(made_up.masked(test, kept), 4)
        lists = [
            Lists(r.ranks[kept], np.full(part.n_users, 20, np.int32)) for r in rankings.values()
        ]
        means = means_of(evaluate(part, lists, MEASURES, depth=20))
        judgements = Judgements.of(test, 4)
        lists = [Lists.of(r, judgements) for r in rankings.values()]
        whole = means_of(evaluate(judgements, lists, MEASURES, depth=20))
        column = MEASURES.index("nDCG@10")
        tau = scipy.stats.kendalltau(means[column], whole[column]).statistic
        assert rows.tau[50] == pytest.approx(tau)


@pytest.mark.parametrize("of", ["items", "ratings"])
def test_popularity_counts_undefined_taus(study, of):
    """Of the least popular hundredth of the items nothing is left."""
    train, test, rankings = study
    table = incomplete.popularity_bias(
        train, test, rankings, EVALUATION, [100, 1], "test", 1, of=of
    ).table
    assert (table[table.percentage == 100].undefined == 0).all()
    rest = table[table.percentage == 1]
    assert (rest[["items", "ratings", "users"]] == 0).all(axis=None)
    assert (rest.undefined == 1).all()
    assert rest.tau.isna().all()


def test_unknown_choices_of_the_popularity_study(study):
    train, test, rankings = study
    with pytest.raises(RankassayError, match="unknown choice of what percentages are of 'rating'"):
        incomplete.popularity_bias(train, test, rankings, EVALUATION, [100], "test", 1, of="rating")


def test_the_range_of_samples_holds_the_middle_95_percent():
    values = np.append(np.random.default_rng(1).permutation(201) / 200, np.nan)
    found = incomplete.over_samples(0.5, values)
    assert (found["samples"], found["undefined"]) == (202, 1)
    assert (found["low"], found["high"]) == pytest.approx((0.025, 0.975))
