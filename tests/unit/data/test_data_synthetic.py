import numpy as np
import pytest

from rankassay.artifacts.arrays import Ratings
from rankassay.data.prepare import gini as gini_coefficient
from rankassay.data.synthetic import generate
from rankassay.errors import RankassayError

SHAPES = [
    (600, 800, 30_000, 0.6),
    (50, 300, 2_000, 0.35),
    (400, 60, 5_000, 0.7),
    (30, 40, 60, 0.3),
    (20, 20, 100, 0.3),
]


@pytest.fixture(scope="module")
def demo() -> Ratings:
    return generate(600, 800, 30_000, 0.6, seed=1)


def content(ratings: Ratings) -> dict[str, bytes]:
    arrays = vars(ratings).items()
    return {name: array.tobytes() for name, array in arrays if array is not None}


@pytest.mark.parametrize(("users", "items", "ratings", "gini"), SHAPES)
def test_sizes_and_gini(users, items, ratings, gini):
    result = generate(users, items, ratings, gini, seed=3)
    pairs = result.user.astype(np.int64) * items + result.item
    assert len(pairs) == ratings
    assert (np.diff(pairs) > 0).all()  # sorted, and no pair twice
    assert np.array_equal(np.unique(result.user), np.arange(users))
    assert np.array_equal(np.unique(result.item), np.arange(items))
    assert gini_coefficient(np.bincount(result.item)) == pytest.approx(gini, abs=0.01)


@pytest.mark.parametrize("ratings", [12, 60, 119, 120])
def test_extreme_densities(ratings):
    even = generate(10, 12, ratings, gini=0.0 if ratings != 119 else 0.005, seed=0)
    assert len(np.unique(even.user * 12 + even.item)) == ratings


def test_largest_gini_is_realised():
    with pytest.raises(RankassayError) as info:
        generate(100, 80, 2_000, 0.97, seed=0)
    highest = float(str(info.value).split(" to ")[1].split(",")[0])
    counts = np.bincount(generate(100, 80, 2_000, highest, seed=0).item)
    assert gini_coefficient(counts) == pytest.approx(highest, abs=0.01)
    assert counts.max() == 100


def test_gini_coefficient():
    assert gini_coefficient(np.array([3, 3, 3])) == 0
    counts = np.array([1, 2, 5, 5, 20])
    differences = np.abs(counts[:, None] - counts[None, :]).mean()
    assert gini_coefficient(counts) == pytest.approx(differences / (2 * counts.mean()))


def test_profiles_are_long_tailed(demo):
    profiles = np.bincount(demo.user)
    assert profiles.min() >= 10
    assert profiles.max() < 0.6 * 800
    assert profiles.max() > 3 * np.median(profiles)
    assert np.bincount(demo.item).max() <= 0.6 * 600


def test_types_and_ids(demo):
    assert (demo.user.dtype, demo.item.dtype) == (np.int32, np.int32)
    assert (demo.rating.dtype, demo.timestamp.dtype) == (np.float32, np.int64)
    assert demo.user_ids.tolist() == [str(k) for k in range(1, 601)]
    assert demo.item_ids.tolist() == [str(k) for k in range(1, 801)]
    assert demo.timestamp.min() >= 946_684_800
    assert demo.timestamp.max() < 1_300_000_000


def test_same_seed_same_bytes(demo):
    assert content(demo) == content(generate(600, 800, 30_000, 0.6, seed=1))


def test_other_seed_differs(demo):
    first, second = content(demo), content(generate(600, 800, 30_000, 0.6, seed=2))
    for name in ("user", "item", "rating", "timestamp", "aspects"):
        assert first[name] != second[name]


def test_histogram(demo):
    shares = np.bincount(demo.rating.astype(int), minlength=6)[1:] / len(demo.rating)
    assert shares == pytest.approx([0.06, 0.11, 0.26, 0.35, 0.22], abs=0.01)


def test_scale():
    rating = generate(50, 60, 1_000, 0.4, seed=1, scale=(0, 9)).rating
    assert np.array_equal(np.unique(rating), np.arange(10))


def test_popular_items_are_rated_higher(demo):
    counts = np.bincount(demo.item)
    means = np.bincount(demo.item, weights=demo.rating) / counts
    assert 0.2 < np.corrcoef(np.log(counts), means)[0, 1] < 0.8


def test_aspects(demo):
    numbers = demo.aspects.sum(axis=1)
    sizes = np.sort(demo.aspects.sum(axis=0))
    assert demo.aspects.shape == (800, 18)
    assert (numbers.min(), numbers.max()) == (1, 4)
    assert sizes[0] >= 1
    assert sizes[-1] > 4 * sizes[0]
    assert (demo.aspect_names[0], demo.aspect_names[-1]) == ("aspect-01", "aspect-18")


def test_fewer_aspects_than_an_item_may_have():
    result = generate(20, 30, 200, 0.3, seed=0, aspects=2)
    assert set(result.aspects.sum(axis=1)) == {1, 2}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((10, 10, 101, 0.3), "from 10 to 100 ratings, but 101"),
        ((10, 50, 49, 0.3), "from 50 to 500 ratings, but 49"),
        ((60, 50, 59, 0.3), "from 60 to 3,000 ratings, but 59"),
        ((0, 10, 10, 0.3), "at least 1"),
        ((10, 10, 50, 1.0), "below 1"),
        ((10, 10, 50, 0.9), "Gini coefficient of 0.9 was asked for.* from 0.000 to "),
        ((10, 10, 15, 0.0), "Gini coefficient of 0.0 was asked for.* from 0.167 to "),
    ],
)
def test_impossible(arguments, message):
    with pytest.raises(RankassayError, match=message):
        generate(*arguments, seed=0)


def test_scale_upside_down():
    with pytest.raises(RankassayError, match="scale"):
        generate(10, 10, 50, 0.3, seed=0, scale=(5, 1))


def split(ratings: Ratings) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    train = ratings.matrix.toarray() > 0
    test = np.zeros_like(train)
    for user, row in enumerate(train):
        rated = random.permutation(np.flatnonzero(row))
        test[user, rated[: len(rated) // 5]] = True
    return (train & ~test).astype(float), test


def precision(scores: np.ndarray, train: np.ndarray, test: np.ndarray) -> float:
    ranking = np.argsort(np.where(train > 0, np.inf, -scores), axis=1, kind="stable")
    return float(np.take_along_axis(test, ranking[:, :10], axis=1).mean())


def item_knn(train: np.ndarray) -> np.ndarray:
    lengths = np.sqrt(np.maximum(train.sum(axis=0), 1))
    cosine = train.T @ train / np.outer(lengths, lengths)
    np.fill_diagonal(cosine, 0)
    return train @ cosine


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_recommenders_differ(seed):
    train, test = split(generate(600, 800, 30_000, 0.6, seed=seed))
    chance = np.random.default_rng(1).random(train.shape)
    popularity = np.broadcast_to(train.sum(axis=0), train.shape)
    by_chance = precision(chance, train, test)
    by_popularity = precision(popularity, train, test)
    by_neighbours = precision(item_knn(train), train, test)
    assert by_popularity > 5 * by_chance
    assert by_neighbours > 1.25 * by_popularity
