import numpy as np
import pandas as pd
import pytest

from rankassay.data.prepare import compare, counts, gini, prepare, selected, statistics
from rankassay.data.reading import lines_of, place_in
from rankassay.errors import RankassayError


def table(rows, timestamps=True):
    names = ["user", "item", "rating", "timestamp"] if timestamps else ["user", "item", "rating"]
    return pd.DataFrame(rows, columns=names).astype({"rating": "float64"})


def entries(ratings):
    users, items = ratings.user_ids[ratings.user], ratings.item_ids[ratings.item]
    return list(zip(users.tolist(), items.tolist(), ratings.rating.tolist(), strict=True))


def test_sorted_with_numbers_in_natural_order():
    ratings = prepare(table([("10", "b", 1, 5), ("9", "a", 2, 6), ("9", "B", 3, 7)]))
    assert ratings.user_ids.tolist() == ["9", "10"]
    assert ratings.item_ids.tolist() == ["B", "a", "b"]  # by code point
    assert entries(ratings) == [("9", "B", 3.0), ("9", "a", 2.0), ("10", "b", 1.0)]
    assert ratings.timestamp.tolist() == [7, 6, 5]
    types = [a.dtype.str for a in (ratings.user, ratings.item, ratings.rating, ratings.timestamp)]
    assert types == ["<i4", "<i4", "<f4", "<i8"]


def test_one_id_that_is_no_number_makes_all_text():
    ratings = prepare(table([("10", "7", 1), ("9", "007", 1), ("x", "7", 2)], False))
    assert ratings.user_ids.tolist() == ["10", "9", "x"]
    assert ratings.item_ids.tolist() == ["007", "7"]
    assert ratings.timestamp is None


# User a rated x three times; by time the ratings are 2, 5, 3, by file order 3, 2, 5.
REPEATED = [("a", "x", 3, 30), ("a", "x", 2, 10), ("b", "x", 1, 99), ("a", "x", 5, 20)]


@pytest.mark.parametrize(
    ("duplicates", "by_time", "by_order", "time"),
    [
        ("first", 2.0, 3.0, 10),
        ("last", 3.0, 5.0, 30),
        ("mean", 10 / 3, 10 / 3, 30),
        ("max", 5.0, 5.0, 20),
        ("sum", 10.0, 10.0, 30),
        ("count", 3.0, 3.0, 30),
    ],
)
def test_duplicates(duplicates, by_time, by_order, time):
    ratings = prepare(table(REPEATED), duplicates=duplicates)
    assert ratings.rating.tolist() == pytest.approx([by_time, 1.0])
    assert ratings.timestamp.tolist() == [time, 99]
    untimed = table(REPEATED).drop(columns="timestamp")
    ratings = prepare(untimed, duplicates=duplicates)
    assert ratings.rating.tolist() == pytest.approx([by_order, 1.0])
    assert counts(untimed, ratings) == {
        "lines": 4,
        "bad_lines": 0,
        "lines_without_user": 0,
        "duplicates_removed": 2,
        "ratings": 2,
    }


@pytest.mark.parametrize("form", ["delimited", "dicts"])
def test_the_line_of_a_second_rating_is_named_where_bad_lines_are_left_out(tmp_path, form):
    """As the first in the file is, and not the first user or item by name."""
    path, entry = tmp_path / "ratings", {"format": form, "bad_lines": 1}
    triples = [("b", "y", 1), ("?", "", 9), ("a", "x", 2), ("b", "y", 3), ("a", "x", 4)]
    if form == "delimited":
        entry |= {"separator": ",", "columns": {"user": 0, "item": 1, "rating": 2}}
        path.write_text("\n".join(",".join(map(str, each)) for each in triples))
    else:
        entry |= {"columns": {"user": "user", "item": "item", "rating": "rating"}}
        named = [dict(zip(entry["columns"], each, strict=True)) for each in triples]
        path.write_text("\n".join(map(str, named)))
    said = (
        r"ratings, line 4: expected one rating per user and item \(or 'duplicates' of the dataset "
        r"as first, .* or count\), found a second one of item 'y' by user 'b', and 1 more"
    )
    with pytest.raises(RankassayError, match=said):
        prepare(lines_of(str(path), entry), place=place_in(str(path), entry))


def test_equal_timestamps_fall_back_on_file_order():
    rows = table([("a", "x", 3, 7), ("a", "x", 2, 7)])
    assert prepare(rows, duplicates="first").rating.tolist() == [3.0]
    assert prepare(rows, duplicates="last").rating.tolist() == [2.0]


def test_duplicates_refused():
    said = "found a second one of item 'x' by user 'a', and 1 more such line; keep one of them"
    with pytest.raises(RankassayError, match=said):
        prepare(table(REPEATED))
    with pytest.raises(
        RankassayError, match="unknown duplicates policy 'lats'; did you mean 'last'"
    ):
        prepare(table(REPEATED), duplicates="lats")


def test_selected_ratings_keep_what_belongs_to_them():
    aspects = ({"x": {"red"}, "z": {"blue"}}, ["blue", "red"])
    ratings = prepare(table([("a", "x", 1, 4), ("a", "y", 2, 5), ("b", "y", 3, 6)]), aspects)
    found = selected(ratings, np.array([False, False, True]))
    assert entries(found) == [("b", "y", 3.0)]
    assert (found.user_ids.tolist(), found.item_ids.tolist()) == (["b"], ["y"])
    assert found.timestamp.tolist() == [6]
    assert found.aspects.tolist() == [[False, False]]
    assert entries(selected(ratings, np.ones(3, dtype=bool))) == entries(ratings)
    assert selected(ratings, np.array([True, False, False])).aspects.tolist() == [[False, True]]


def test_no_ratings():
    with pytest.raises(RankassayError, match="expected ratings, found none"):
        prepare(table([]))


def test_sums_that_cannot_be_stored():
    rows = table([("a", "x", 3e38, 1), ("b", "y", 1, 1), ("a", "x", 3e38, 2)])
    with pytest.raises(
        RankassayError, match=r"sums of at most 3.40282e\+38, found 6e\+38 for item 'x' by"
    ):
        prepare(rows, duplicates="sum")
    assert prepare(rows, duplicates="count").rating.tolist() == [2.0, 1.0]


@pytest.mark.parametrize("duplicates", ["first", "last", "mean", "max", "sum", "count"])
@pytest.mark.parametrize("categories", [False, True])
def test_file_order_does_not_matter(duplicates, categories):
    generator = np.random.default_rng(1)
    n = 500
    rows = table(
        {
            "user": generator.integers(0, 12, n).astype(str),
            "item": generator.integers(0, 12, n).astype(str),
            "rating": generator.random(n),
            "timestamp": np.arange(n),
        }
    )
    if categories:
        rows = rows.astype({"user": "category", "item": "category"})
    expected = prepare(rows, duplicates=duplicates)
    found = prepare(rows.sample(frac=1, random_state=2), duplicates=duplicates)
    for name in ("user", "item", "rating", "user_ids", "item_ids", "timestamp"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


def test_aspects():
    aspects = ({"2": {"War"}, "10": {"Drama", "War"}, "99": {"Drama"}}, ["Drama", "War"])
    ratings = prepare(table([("1", "10", 1), ("1", "2", 1), ("1", "3", 1)], False), aspects)
    assert ratings.item_ids.tolist() == ["2", "3", "10"]
    assert ratings.aspects.tolist() == [[False, True], [False, False], [True, True]]
    assert ratings.aspects.dtype == bool
    assert ratings.aspect_names.tolist() == ["Drama", "War"]


def test_gini_by_hand():
    # x = 1, 2, 3, 10: 2 (1 + 4 + 9 + 40) / (4 * 16) - 5 / 4 = 108 / 64 - 80 / 64
    assert gini(np.array([10, 2, 1, 3])) == pytest.approx(28 / 64)
    assert gini(np.array([4, 4, 4])) == pytest.approx(0)
    assert gini(np.array([0, 0, 0, 7])) == pytest.approx(3 / 4)


def test_statistics_beside_published_values():
    ratings = prepare(table([("a", "x", 1), ("b", "x", 1), ("c", "x", 1), ("a", "y", 1)], False))
    values = statistics(ratings)
    assert values == {
        "users": 3,
        "items": 2,
        "ratings": 4,
        "density": pytest.approx(4 / 6),
        "gini": pytest.approx(0.25),  # 2 (1 + 6) / (2 * 4) - 3 / 2
    }
    compared = compare("toy", values, {"users": 5, "gini": 0.2})
    assert list(compared) == ["dataset", "statistic", "value", "published", "difference"]
    assert compared["statistic"].tolist() == ["users", "items", "ratings", "density", "gini"]
    assert set(compared["dataset"]) == {"toy"}
    np.testing.assert_allclose(compared["difference"], [-2, np.nan, np.nan, np.nan, 0.05])
