import datetime
import decimal
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pydantic import ValidationError

from rankassay.config.datasets import FileDataset
from rankassay.data.entries import completed
from rankassay.data.reading import lines_of, place_in
from rankassay.errors import RankassayError

COLUMNS = {"user": "user", "item": "item", "rating": "rating", "timestamp": "time"}
LOG = COLUMNS | {"rating": None}
GOOD = {"user": ["a", "b"], "item": ["x", "y"], "rating": [1.0, 2.5], "time": [1, 2]}


def entry(columns=COLUMNS, **more):
    own = {"kind": "file", "path": "log.parquet", "threshold": 1, "columns": columns} | more
    FileDataset.model_validate(own)
    return completed("mine", own)


def written(folder, columns, **options):
    path = str(folder / "log.parquet")
    pq.write_table(pa.table(columns), path, **options)
    return path


def rows(table):
    return [tuple(row) for row in table.astype({"user": "str", "item": "str"}).to_numpy().tolist()]


def read(folder, change, columns=COLUMNS, **more):
    return lines_of(written(folder, GOOD | change), entry(columns, **more))


def test_rows_are_those_of_the_file(tmp_path):
    table = read(tmp_path, {"other": [[1], [2]]})  # a nested column that is not read
    assert rows(table) == [("a", "x", 1.0, 1), ("b", "y", 2.5, 2)]
    assert str(table["rating"].dtype) == "float64"
    assert str(table["timestamp"].dtype) == "int64"
    assert table.attrs == {"without_user": 0, "bad_lines": 0}


def test_a_log_without_values_in_many_row_groups(tmp_path):
    count = 1000
    users, items = np.arange(count) % 7, np.arange(count) % 11
    columns = {"user": users, "item": items, "time": np.arange(count)}
    path = written(tmp_path, columns, row_group_size=64)
    found = rows(lines_of(path, entry(LOG)))
    assert found == [(str(i % 7), str(i % 11), 1.0, i) for i in range(count)]


@pytest.mark.parametrize(
    "ids",
    [
        pa.array(["7", "007"]).dictionary_encode(),
        pa.array(["7", "007"], pa.large_string()),
        pa.array(["7", "007"], pa.string_view()),
        pa.array([b"7", b"007"], pa.binary()),
    ],
)
def test_ids_of_text(tmp_path, ids):
    assert [row[1] for row in rows(read(tmp_path, {"item": ids}))] == ["7", "007"]


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (pa.array([2**64 - 1, 3], pa.uint64()), [str(2**64 - 1), "3"]),
        (pa.array([-5, 3], pa.int8()), ["-5", "3"]),
        (
            pa.array([2.0, 2.0**53 - 1]),
            ["2", str(2**53 - 1)],
        ),  # as pandas writes a column with a null
        (pa.array([2.0, 2.0**24 - 1], pa.float32()), ["2", str(2**24 - 1)]),
        (pa.array([2, 2]).dictionary_encode(), ["2", "2"]),
    ],
)
def test_ids_of_numbers_are_their_digits(tmp_path, ids, expected):
    assert [row[0] for row in rows(read(tmp_path, {"user": ids}))] == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (pa.array([4.1, 0.3], pa.float32()), [4.1, 0.3]),  # not 4.099999904632568
        (pa.array([4.1, 0.3]), [4.1, 0.3]),
        (pa.array([4, 255], pa.uint8()), [4.0, 255.0]),
        (pa.array([decimal.Decimal("4.10"), decimal.Decimal("0.30")]), [4.1, 0.3]),
        (pa.array(["4.1", "0.3"]), [4.1, 0.3]),
    ],
)
def test_values(tmp_path, values, expected):
    assert read(tmp_path, {"rating": values})["rating"].tolist() == expected


EARLY, LATE = (
    datetime.datetime(1969, 12, 31, 23, 59, 59, 500_000),
    datetime.datetime(2026, 7, 1, 12),
)


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "America/New_York"])
def test_times_of_their_own_unit_and_zone(tmp_path, unit, zone):
    zoned = [each.replace(tzinfo=ZoneInfo(zone or "UTC")) for each in (EARLY, LATE)]
    moments = [each.replace(microsecond=0) if unit == "s" else each for each in zoned]
    values = pa.array(moments, pa.timestamp("us", "UTC")).cast(pa.timestamp(unit, "UTC"))
    values = values.cast(pa.timestamp(unit, zone))
    expected = [int(each.timestamp() // 1) for each in moments]
    assert read(tmp_path, {"time": values})["timestamp"].tolist() == expected


def test_times_of_96_bits_and_dates(tmp_path):
    path = written(
        tmp_path,
        GOOD | {"time": pa.array([EARLY, LATE], pa.timestamp("us"))},
        use_deprecated_int96_timestamps=True,
    )
    assert lines_of(path, entry())["timestamp"].tolist() == [-1, 1782907200]
    days = [datetime.date(1969, 12, 31), datetime.date(2026, 7, 1)]
    for kind in (pa.date32(), pa.date64()):
        found = read(tmp_path, {"time": pa.array(days, kind)})["timestamp"].tolist()
        assert found == [-86_400, 1782864000]


@pytest.mark.parametrize(
    ("values", "form", "expected"),
    [
        (pa.array([1593878903999, -1]), "ms", [1593878903, -1]),
        (pa.array([1593878903438123789, 1]), "ns", [1593878903, 0]),
        (pa.array([1593878903.438, -0.5]), None, [1593878903, -1]),
        (pa.array([5, -1], pa.int8()), "ns", [0, -1]),
        (pa.array([5000, -1], pa.int16()), "us", [0, -1]),
        (pa.array([2**64 - 1, 1], pa.uint64()), "ns", [18446744073, 0]),
        (pa.array([7, 2**32 - 1], pa.uint32()), None, [7, 2**32 - 1]),
        (
            pa.array(["2020-07-05T00:08:23.438+08:00", "2020-07-04"]),
            "iso",
            [1593878903, 1593820800],
        ),
        (pa.array(["11/1/2000", "1/2/1970"]), "%m/%d/%Y", [973036800, 86_400]),
        (pa.array([20201231, 20210101]), "%Y%m%d", [1609372800, 1609459200]),
    ],
)
def test_times_as_the_entry_says(tmp_path, values, form, expected):
    more = {"timestamp_format": form} if form else {}
    assert read(tmp_path, {"time": values}, **more)["timestamp"].tolist() == expected


def test_rows_without_user(tmp_path):
    change = {"user": ["a", None, " "], "item": ["x", "y", "z"], "rating": [1, 2, 3]}
    change["time"] = [1, 2, 3]
    with pytest.raises(RankassayError, match=r"row 2: expected an id of the user .* found null"):
        read(tmp_path, change)
    table = read(tmp_path, change, missing_user="one-user")
    assert [row[0] for row in rows(table)] == ["a", "(anonymous)", "(anonymous)"]
    skipping = entry(missing_user="skip")
    path = written(tmp_path, GOOD | change | {"user": [None, "b", "c"]})
    table = lines_of(path, skipping)
    assert (rows(table), table.attrs["without_user"]) == ([("b", "y", 2, 2), ("c", "z", 3, 3)], 1)
    assert "row 2: expected more" in str(place_in(path, skipping)(0, "more", "less"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"item": ["x", None]},
            "row 2: expected an id of the item in the column 'item', found null",
        ),
        (
            {"item": ["x", ""]},
            "row 2: expected an id of the item in the column 'item', found an empty field",
        ),
        ({"item": ["x", "a\0"]}, "row 2: expected an id of the item .* found a zero byte"),
        ({"item": ["x", "a" * 1001]}, "row 2: expected at most 1000 characters as id of the item"),
        ({"item": [1.0, 1.5]}, "row 2: expected a text or a whole number .* found 1.5"),
        ({"item": [1.0, float("nan")]}, "row 2: expected a text or a whole number .* found nan"),
        # What others were rounded to may be two ids.
        (
            {"item": pa.array([1.0, 2.0**24], pa.float32())},
            "row 2: expected a text or a whole number that is not rounded .* found 16777216.0",
        ),
        ({"item": [1.0, 2.0**53]}, "row 2: expected .* that is not rounded .* found 90071992547"),
        ({"item": [True, False]}, "expected ids of the item, .* found the type bool"),
        ({"item": [b"\xff", b"a"]}, "ids of the item, texts or whole numbers, in utf-8"),
        (
            {"item": [["x"], ["y"]]},
            "expected plain values in the column 'item', found the type list",
        ),
        (
            {"rating": [1.0, None]},
            "row 2: expected a number as rating in the column 'rating', found null",
        ),
        ({"rating": [1.0, float("inf")]}, "row 2: expected a finite rating .* found inf"),
        ({"rating": [1.0, 9.0]}, "row 2: expected a rating from 0 to 5 .* found 9.0"),
        ({"rating": [True, False]}, "expected numbers as ratings .* found the type bool"),
        (
            {"time": [1, None]},
            "row 2: expected a timestamp in seconds in the column 'time', found null",
        ),
        ({"time": [1.0, float("nan")]}, "row 2: expected a timestamp in seconds .* found nan"),
        (
            {"time": [1, 2**62]},
            "row 2: expected a timestamp in seconds .* found 4611686018427387904",
        ),
        (
            {"time": pa.array([1.0, 1577836800.0], pa.float32())},
            r"row 2: expected a timestamp in seconds, .* its type \(float32\) rounds .* 1577836800",
        ),
        (
            {"time": pa.array([1, 2**63 - 1], pa.timestamp("ms"))},
            "row 2: expected a timestamp in milliseconds .* found 9223372036854775807",
        ),
        ({"time": ["1", "late"]}, "row 2: expected a timestamp in seconds .* found 'late'"),
        ({"time": [b"1", b"2"]}, "expected times in the column 'time', found the type binary"),
    ],
)
def test_bad_values(tmp_path, change, message):
    with pytest.raises(RankassayError, match=message) as error:
        read(tmp_path, change, scale=[0, 5])
    assert str(error.value).startswith(str(tmp_path / "log.parquet"))
    assert "\n" not in str(error.value)


def test_a_unit_beside_times_of_their_own(tmp_path):
    change = {"time": pa.array([1, 2], pa.timestamp("s"))}
    with pytest.raises(RankassayError, match=r"say their own unit .* remove 'timestamp_format'"):
        read(tmp_path, change, timestamp_format="ms")


def test_files_that_cannot_be_read(tmp_path):
    whole = open(written(tmp_path, GOOD), "rb").read()  # noqa: SIM115
    path = tmp_path / "log.parquet"
    for content in (b"", b"user,item\na,b\n", whole[:-20], whole[: len(whole) // 2], whole[9:]):
        path.write_bytes(content)
        with pytest.raises(RankassayError, match="expected a whole parquet file") as error:
            lines_of(str(path), entry())
        assert "\n" not in str(error.value)
    path.unlink()
    with pytest.raises(RankassayError, match="expected a file, found none"):
        lines_of(str(path), entry())
    path.mkdir()
    with pytest.raises(
        RankassayError, match="expected a parquet file, found a folder; name a file"
    ):
        lines_of(str(path), entry())


def test_columns_that_are_not_there_once_and_no_rows(tmp_path):
    with pytest.raises(RankassayError, match=r"unknown column 'stars'.*rating: null"):
        read(tmp_path, {}, COLUMNS | {"rating": "stars"})
    twice = pa.table([["a"], ["b"], ["c"]], names=["user", "item", "item"])
    pq.write_table(twice, tmp_path / "log.parquet")
    with pytest.raises(RankassayError, match="expected one column 'item', found 2"):
        lines_of(
            str(tmp_path / "log.parquet"), entry({"user": "user", "item": "item", "rating": None})
        )
    with pytest.raises(RankassayError, match="expected ratings, found none"):
        read(tmp_path, {name: pa.array([], pa.string()) for name in GOOD})


def test_entries_of_parquet():
    assert entry()["format"] == "parquet"
    for wrong in (
        {"separator": ","},
        {"header": True},
        {"encoding": "utf-8"},
        {"bad_lines": 3},
        {"columns": {"user": 0, "item": 1, "rating": 2}},
        {"lead": "user"},
    ):
        with pytest.raises(ValidationError):
            entry(**wrong)
    beside = entry(truth_path="random.csv", propensities_path="propensities.csv")
    assert beside["truth"]["format"] == beside["propensities"]["format"] == "delimited"
    assert entry(truth_path="random.parquet")["truth"]["format"] == "parquet"
