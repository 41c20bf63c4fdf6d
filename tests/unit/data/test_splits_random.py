"""The split against its definition, user by user."""

import zlib

import numpy as np
import pytest

from rankassay.artifacts.arrays import Ratings
from rankassay.data.parts import split
from rankassay.errors import RankassayError, number_of


def ratings_with(profile_sizes, n_items=60):
    rng = np.random.default_rng(0)
    user = np.repeat(np.arange(len(profile_sizes)), profile_sizes).astype(np.int32)
    item = np.concatenate(
        [np.sort(rng.choice(n_items, size=n, replace=False)) for n in profile_sizes]
    ).astype(np.int32)
    rating = rng.integers(1, 6, size=len(user)).astype(np.float32)
    ids = [np.arange(n).astype(str) for n in (len(profile_sizes), n_items)]
    return Ratings(user, item, rating, *ids)


@pytest.mark.parametrize(
    ("rounding", "sizes", "tested"),
    [
        ("floor", [1, 4, 5, 9, 10, 14, 15, 50], [0, 0, 1, 1, 2, 2, 3, 10]),
        ("nearest", [1, 2, 3, 7, 8, 12, 13, 50], [0, 0, 1, 1, 2, 2, 3, 10]),
    ],
)
def test_each_user_gives_a_fifth(rounding, sizes, tested):
    ratings = ratings_with(sizes)
    train, test = split(ratings.matrix, 0.2, rounding, seed=1)
    assert np.diff(test.indptr).tolist() == tested
    assert np.diff(train.indptr).tolist() == (np.array(sizes) - tested).tolist()
    assert (abs(train + test - ratings.matrix)).nnz == 0
    assert train.multiply(test).nnz == 0
    assert train.has_sorted_indices
    assert test.has_sorted_indices


def test_no_user_loses_all_training_ratings():
    train, _ = split(ratings_with([1, 2]).matrix, 0.9, "nearest", seed=1)
    assert np.diff(train.indptr).tolist() == [1, 1]


def test_the_seed_decides():
    ratings = ratings_with([50] * 20)
    first, again, other = (split(ratings.matrix, 0.2, "floor", seed)[1] for seed in (1, 1, 2))
    assert (first != again).nnz == 0
    assert (first != other).nnz > 0


def test_every_rating_is_as_likely_to_be_tested():
    ratings = ratings_with([50] * 400, n_items=50)
    _, test = split(ratings.matrix, 0.2, "floor", seed=3)
    share = np.bincount(test.indices, minlength=50) / 400
    # 50 shares with standard deviation 0.02: five deviations fail once in 30,000 times.
    assert abs(share - 0.2).max() < 0.1


def test_unknown_rounding_names_the_known_ones():
    with pytest.raises(RankassayError, match="did you mean 'floor'"):
        split(ratings_with([5]).matrix, 0.2, "flor", seed=1)


@pytest.mark.parametrize("sizes", [[1], [1, 1, 1], [4, 3]])
def test_data_of_which_nothing_can_be_put_aside_is_refused(sizes):
    most = number_of(max(sizes), "rating")
    with pytest.raises(RankassayError, match=f"found at most {most} of one user"):
        split(ratings_with(sizes).matrix, 0.2, "floor", 1)


def test_one_user_can_be_split():
    train, test = split(ratings_with([10]).matrix, 0.2, "floor", 1)
    assert (train.nnz, test.nnz) == (8, 2)


def test_a_share_that_is_whole_but_for_rounding_is_whole():
    assert 0.29 * 100 < 29
    _, test = split(ratings_with([100], n_items=100).matrix, 0.29, "floor", seed=1)
    assert test.nnz == 29


def test_the_split_is_the_one_that_the_seed_has_always_given():
    matrix = ratings_with([10, 1, 7]).matrix
    words = np.random.SeedSequence([5, zlib.crc32(b"split")])
    numbers = np.random.Generator(np.random.Philox(words)).random(18)
    _, test = split(matrix, 0.3, "floor", seed=5)
    for user, n_test in enumerate((3, 0, 2)):
        first, last = matrix.indptr[user : user + 2]
        lowest = first + np.argsort(numbers[first:last])[:n_test]
        assert test[user].indices.tolist() == sorted(matrix.indices[lowest])
