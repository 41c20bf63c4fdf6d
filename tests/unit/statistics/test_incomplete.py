"""What is taken away from a test set, and how parts are averaged."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.metrics.aggregate import AGGREGATES, aggregate
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics.incomplete import (
    least_popular,
    mean_of_defined,
    random_parts,
    unpopular_parts,
)
from rankassay.statistics.judged_systems import TestSet


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
