import gzip
import itertools
import re
from pathlib import Path

import pytest
import yaml
from made_files import line_numbers
from pydantic import ValidationError

from rankassay.config.datasets import FileDataset
from rankassay.data import aspects
from rankassay.data.entries import completed
from rankassay.data.readers import delimited
from rankassay.data.reading import lines_of
from rankassay.errors import RankassayError

ROOT = Path(__file__).parents[3]
CATALOGUE = yaml.safe_load((ROOT / "config/datasets.yaml").read_text())["dataset_catalogue"]
FILES = {name: entry for name, entry in CATALOGUE.items() if entry["kind"] == "file"}

TRIPLES = {
    "format": "delimited",
    "separator": ",",
    "columns": {"user": 0, "item": 1, "rating": 2},
    "scale": [1, 5],
}
NAMED = {
    "separator": ",",
    "header": True,
    "columns": {"user": "who", "item": "what", "rating": "stars"},
}


def rows(table):
    return [tuple(row) for row in table.astype({"user": "str", "item": "str"}).to_numpy().tolist()]


def read(tmp_path, content, entry, name="ratings.txt"):
    path = tmp_path / name
    data = content if isinstance(content, bytes) else content.encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return lines_of(path, {"format": "delimited"} | entry)


def refused(entry):
    try:
        FileDataset.model_validate(entry)
    except ValidationError:
        return True
    return False


def test_entries_that_cannot_be_read_are_refused():
    for change in ({"seperator": ","}, {"path": "x"}, {"duplicates": "keep"}, {"scale": [1]}):
        assert refused(FILES["ml-1m"] | change)
    own = {key: FILES["ml-latest-small"][key] for key in ("label", "kind", "format", "separator")}
    own |= {"columns": TRIPLES["columns"], "duplicates": "last", "threshold": 4, "path": "x.dat"}
    assert not refused(own)
    assert refused(own | {"urls": []})
    for missing in ("separator", "path"):
        assert refused({k: v for k, v in own.items() if k != missing})
    named = {"kind": "file", "path": "x.csv.gz", "threshold": 4}  # the rest has defaults
    assert not refused(named)
    assert not refused({key: named[key] for key in ("kind", "path")})  # by the ratings' scale
    assert refused({k: v for k, v in FILES["ml-1m"].items() if k != "threshold"})  # not there yet
    undescribed = {k: v for k, v in FILES["ml-1m"].items() if k != "aspects"}
    assert refused(undescribed)


# More than one form of a dataset (test_catalogue_formats has one of each)


def test_movielens_1m_without_timestamps(tmp_path):
    table = read(tmp_path, "1::1193::5\n1::661::3\n", FILES["ml-1m"])
    assert rows(table) == [("1", "1193", 5.0), ("1", "661", 3.0)]


def test_librarything(tmp_path):
    # A rating is repeated per tag; tags hold blanks and quotes, and may be missing.
    text = 'ann 17 9 fiction\nann 17 9 to be "read\nbob 17 1 a, b and c\nann 4 10\n'
    table = read(tmp_path, text, FILES["librarything"])
    assert rows(table) == [
        ("ann", "17", 4.5),
        ("ann", "17", 4.5),
        ("bob", "17", 0.5),
        ("ann", "4", 5.0),
    ]
    assert rows(read(tmp_path, text.replace(" ", "\t"), FILES["librarything"])) == rows(table)


BEERS = """\
{'beer/beerId': '22', 'review/overall': '1.5', 'review/time': '1300000000', \
'review/profileName': 'some one', 'review/text': "It's {odd}, \\"flat\\""}
{"beer/beerId": "22", "review/overall": 3.0, "review/time": 1300000060, \
"review/profileName": "O'Neil", "review/text": null}

{'beer/beerId': '33', 'review/overall': '0', 'review/time': '1300000120'}
{'beer/beerId': '33', 'review/overall': '5', 'review/time': '1', 'review/profileName': ''}
"""


def test_beeradvocate(tmp_path):
    table = read(tmp_path, BEERS, FILES["beeradvocate"], "b.json.gz")
    assert rows(table) == [
        ("some one", "22", 1.5, 1300000000),
        ("O'Neil", "22", 3.0, 1300000060),
        ("(anonymous)", "33", 0.0, 1300000120),
        ("(anonymous)", "33", 5.0, 1),
    ]
    assert table.attrs["without_user"] == 2
    skipping = read(tmp_path, BEERS, FILES["beeradvocate"] | {"missing_user": "skip"})
    assert rows(skipping) == rows(table)[:2]
    assert skipping.attrs["without_user"] == 2
    with pytest.raises(RankassayError, match="line 4: expected an id of the user, found an empty"):
        read(tmp_path, BEERS, FILES["beeradvocate"] | {"missing_user": "error"})


BEER_TABLE = """\
brewery_id,brewery_name,review_time,review_overall,review_profilename,beer_name,beer_beerid
44,"Ann, Brewer",1300000000,1.5,some one,"Old ""X"" dark",22
44,Ann,1300000060,3,,New X,33
"""


def test_beeradvocate_csv(tmp_path):
    table = read(tmp_path, BEER_TABLE, FILES["beeradvocate-csv"])
    assert rows(table) == [
        ("some one", "22", 1.5, 1300000000),
        ("(anonymous)", "33", 3.0, 1300000060),
    ]
    assert table.attrs["without_user"] == 1
    skipping = read(tmp_path, BEER_TABLE, FILES["beeradvocate-csv"] | {"missing_user": "skip"})
    assert rows(skipping) == rows(table)[:1]
    with pytest.raises(RankassayError, match="line 3: expected an id of the user"):
        read(tmp_path, BEER_TABLE, FILES["beeradvocate-csv"] | {"missing_user": "error"})


# What users' own files may look like


def test_ids_stay_text(tmp_path):
    text = "007,NA,1\n7,nan,2\n1e3,None,3\n"
    assert rows(read(tmp_path, text, TRIPLES)) == [
        ("007", "NA", 1.0),
        ("7", "nan", 2.0),
        ("1e3", "None", 3.0),
    ]


def test_gz_blank_lines_and_byte_order_mark(tmp_path):
    text = "\ufeffwho,what,stars\n\na,b,1\n\n\nc,d,2\n"
    expected = [("a", "b", 1.0), ("c", "d", 2.0)]
    assert rows(read(tmp_path, text, NAMED)) == expected
    assert rows(read(tmp_path, text, NAMED, "r.csv.gz")) == expected


def test_encoding_and_long_separator(tmp_path):
    entry = TRIPLES | {"separator": " <> ", "encoding": "latin-1"}
    assert rows(read(tmp_path, "Zoë <> x <> 1\n".encode("latin-1"), entry)) == [("Zoë", "x", 1.0)]


def test_more_lines_than_a_block(tmp_path, monkeypatch):
    monkeypatch.setattr(delimited, "BLOCK", 7)
    text = "".join(f"u{i % 5}::i{i}::{i % 5 + 1}\n" for i in range(50))
    table = read(tmp_path, text, TRIPLES | {"separator": "::"})
    assert rows(table) == [(f"u{i % 5}", f"i{i}", i % 5 + 1.0) for i in range(50)]


# Bad lines

GOOD = "a,b,1\nc,d,2\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (GOOD + "e,f\n", "line 3: expected at least 3 fields, found 2"),
        (GOOD + "e\n", "line 3: expected at least 3 fields, found 1"),
        ("a,b\n" + GOOD, "line 1: expected at least 3 fields, found 2"),
        (GOOD + "e,f,good\n", "line 3: expected a number as rating, found 'good'"),
        (GOOD + "e,f,\n", "line 3: expected a number as rating, found ''"),
        (GOOD + "e,f,NaN\n", "line 3: expected a number as rating, found 'NaN'"),
        (GOOD + "e,f,inf\n", "line 3: expected a finite rating, found 'inf'"),
        (GOOD + "e,f,5.5\n", "line 3: expected a rating from 1 to 5, found '5.5'"),
        (GOOD + "\n\ne,f,0\n", "line 5: expected a rating from 1 to 5, found '0'"),
        (GOOD + ",f,1\n", "line 3: expected an id of the user, found an empty field"),
        (GOOD + "e, ,1\n", "line 3: expected an id of the item, found an empty field"),
        (GOOD + ",,\n", "line 3: expected an id of the user, found an empty field"),
        (GOOD.encode() + b"e,\xff,1\n", "line 3: expected text in the encoding utf-8, found"),
        ('a,b,1,"x\nx"\n"g,h,1\n', "line 3: expected a closing quote, found none up to the end"),
        (GOOD + '"e\ne",f,1\n', "line 3: expected an id of the user, found a line break in it"),
        # Two quotes that are never closed, and what pandas would make one line of.
        (GOOD + 'e,"f,1\ng,h,2\ni,"j,3\n', "line 3: expected quotes around whole fields"),
        (GOOD + 'e,f,1,"f\ng,h,2,\ni,j,3,"k\n', "line 3: expected quotes around whole fields"),
        (GOOD + 'e,"f,1\ng",h,2\n', "line 3: expected an id of the item, found a line break in"),
        (GOOD + 'e,f,1,"g\n', "line 3: expected a closing quote, found none up to the end"),
        ("a,b,TRUE\n", "line 1: expected a number as rating, found 'TRUE'"),
        (b"", "expected ratings, found an empty file"),
        (b"\n\n", "expected ratings, found an empty file"),
    ],
)
def test_bad_lines(tmp_path, content, message):
    with pytest.raises(RankassayError) as error:
        read(tmp_path, content, TRIPLES)
    text = str(error.value)
    assert text.startswith(str(tmp_path / "ratings.txt"))
    assert message in text
    assert "\n" not in text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("who,what,stars\n", "found only a header"),
        ("who,what,stars\na,b,1\na,c\n", "line 3: expected at least 3 fields, found 2"),
        ("who,what,rating\na,b,1\n", "unknown column 'stars'.* Known: who, what, rating"),
    ],
)
def test_bad_lines_with_header(tmp_path, content, message):
    with pytest.raises(RankassayError, match=message):
        read(tmp_path, content, NAMED)


@pytest.mark.parametrize("bad_lines", [0, 1])
def test_without_ratings_every_line_is_a_rating_of_one(tmp_path, bad_lines):
    expected = [("a", "x", 1.0), ("b", "x", 1.0)]
    columns = {"user": "user", "item": "item", "rating": None}
    entry = {"separator": "\t", "header": True, "columns": columns, "bad_lines": bad_lines}
    bad = "c\n" * bad_lines
    assert rows(read(tmp_path, f"item\tuser\nx\ta\nx\tb\n{bad}", entry)) == expected
    by_place = {"separator": "whitespace", "columns": {"user": 1, "item": 0, "rating": None}}
    assert rows(read(tmp_path, "x a\nx b\n", by_place)) == expected
    lines = '{"user": "a", "item": "x"}\n{"user": "b", "item": "x"}\n'
    assert rows(read(tmp_path, lines, {"format": "dicts", "columns": columns})) == expected
    with pytest.raises(
        RankassayError, match=r"Known: user, item\. Plays and clicks .* {rating: null}"
    ):
        read(tmp_path, "user\titem\na\tx\n", entry | {"columns": columns | {"rating": "rating"}})
    own = {"kind": "file", "path": "plays.tsv", "threshold": 1, "columns": columns}
    assert not refused(own)
    assert refused(own | {"columns": {"user": "user", "item": "item"}})


@pytest.mark.slow
def test_bad_line_far_down_a_large_gz_file(tmp_path):
    text = "1::2::3::4\n" * 200_000 + "1::2::x::4\n" + "1::2::3::4\n" * 10
    with pytest.raises(RankassayError, match="line 200001: expected a number as rating, found 'x'"):
        read(tmp_path, text, FILES["ml-1m"], "ratings.dat.gz")


@pytest.mark.parametrize("time", ["now", "", "inf"])
def test_bad_timestamp(tmp_path, time):
    with pytest.raises(RankassayError, match="line 2: expected a timestamp in seconds"):
        read(tmp_path, f"1::2::3::4\n1::3::3::{time}\n", FILES["ml-1m"])


def test_timestamps_must_not_end_midway(tmp_path):
    with pytest.raises(RankassayError, match="line 2: expected at least 4 fields, found 3"):
        read(tmp_path, "1::2::3::4\n1::3::3\n", FILES["ml-1m"])


def test_scale_is_meant_after_the_division(tmp_path):
    message = "line 1: expected a rating from 0.5 to 5 once divided by 2, found '11'"
    with pytest.raises(RankassayError, match=message):
        read(tmp_path, "ann 17 11 fiction\n", FILES["librarything"])


def test_column_name_without_header(tmp_path):
    with pytest.raises(RankassayError, match="'who' is given by name, but the file has no header"):
        read(tmp_path, GOOD, NAMED | {"header": False})


def test_truncated_gz(tmp_path):
    path = tmp_path / "ratings.csv.gz"
    path.write_bytes(gzip.compress(GOOD.encode() * 1000)[:-10])
    with pytest.raises(RankassayError, match="expected a whole gzip file"):
        lines_of(path, TRIPLES)


def test_missing_file(tmp_path):
    with pytest.raises(RankassayError, match="expected a file"):
        lines_of(tmp_path / "none.csv", TRIPLES)


BEER = {"'beer/beerId'": "'1'", "'review/overall'": "'3'", "'review/profileName'": "'ann'"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"'beer/beerId'": "''"}, "line 2: expected an id of the item, found an empty field"),
        ({"'beer/beerId'": "['a']"}, r"line 2: expected text or .* id of the item, found \['a'\]"),
        ({"'review/profileName'": "7.5"}, "whole number as id of the user, found 7.5"),
        ({"'review/profileName'": "True"}, "whole number as id of the user, found True"),
        ({"'review/overall'": "'x'"}, "line 2: expected a number as rating, found 'x'"),
        ({"'review/overall'": "None"}, "line 2: expected a number as rating, found ''"),
        ({"'review/overall'": "'6'"}, "line 2: expected a rating from 0 to 5, found '6'"),
        ({"'review/time'": "'late'"}, "line 2: expected a timestamp in seconds"),
        ({"'review/overall'": None}, "line 2: expected a key 'review/overall', found the keys"),
        ({"'review/overall'": "open('x')"}, "line 2: expected a Python dict or a JSON object"),
    ],
)
def test_bad_dicts(tmp_path, change, message):
    def line(fields):
        return "{" + ", ".join(f"{k}: {v}" for k, v in fields.items() if v is not None) + "}\n"

    with pytest.raises(RankassayError, match=message):
        read(tmp_path, line(BEER) + line(BEER | change), FILES["beeradvocate"])


def test_an_id_of_dicts_is_the_same_as_text_and_as_number(tmp_path):
    lines = [
        f"{{'beer/beerId': {number}, 'review/overall': 3, 'review/profileName': 'ann {k}'}}\n"
        for k, number in enumerate(("'7'", "7", "7.0"))
    ]
    table = read(tmp_path, "".join(lines), FILES["beeradvocate"])
    assert rows(table) == [("ann 0", "7", 3.0), ("ann 1", "7", 3.0), ("ann 2", "7", 3.0)]


def test_bad_bytes_and_empty_file_of_dicts(tmp_path):
    with pytest.raises(RankassayError, match="line 2: expected text in the encoding utf-8"):
        read(tmp_path, BEERS.splitlines()[0].encode() + b"\n{'\xff'}\n", FILES["beeradvocate"])
    with pytest.raises(RankassayError, match="expected ratings, found none"):
        read(tmp_path, b"", FILES["beeradvocate"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b,1_0\n", "expected a number as rating, found '1_0'"),
        ("a,b,1e400\n", "expected a finite rating, found '1e400'"),
        ("a,b,-1\n", "expected a rating from 1 to 5, found '-1'"),
        ("a,b\0,1\n", "expected an id of the item, found a zero byte in it"),
        ("a,\ufeffb,1\n", "expected an id of the item, found a byte order mark in it"),
        ("a,b,3.99999999999999999999\n", "expected a rating that float32 can tell from 4"),
        ("a,b,4.00000000000000000001\n", "expected a rating that float32 can tell from 4"),
        ("a,b,1e-9999\n", "expected a rating that float32 can tell from 0"),
        ("a,b,TRUE\n", "expected a number as rating, found 'TRUE'"),
        (
            "a" * 10**6 + ",b,1\n",
            "expected at most 1000 characters as id of the user, found 1000000",
        ),
        ("a,b," + "1" * 10**6 + "\n", "expected a finite rating, found '1111"),
        ("x" * 10**6 + "\n", "expected at least 3 fields, found 1"),
        ("a;b;1\n", "expected at least 3 fields, found 1 (is it another separator?)"),
    ],
)
def test_what_only_looks_like_ratings(tmp_path, content, message):
    with pytest.raises(RankassayError) as error:
        read(tmp_path, content, TRIPLES)
    assert f"line 1: {message}" in str(error.value)
    assert len(str(error.value)) < 400


def test_a_long_line_is_no_mistake(tmp_path):
    text = f"a,b,1,{'x' * 10**6}\n"
    assert rows(read(tmp_path, text, TRIPLES)) == [("a", "b", 1.0)]


def test_ratings_that_float32_cannot_hold(tmp_path):
    entry = {key: value for key, value in TRIPLES.items() if key != "scale"}
    with pytest.raises(RankassayError, match="expected a number as rating, found '1e39'"):
        read(tmp_path, "a,b,1e39\n", entry)


def test_a_time_beyond_64_bits(tmp_path):
    for time in (2**63, "inf"):
        with pytest.raises(RankassayError, match="line 2: expected a timestamp in seconds"):
            read(tmp_path, f"1::2::3::4\n1::3::3::{time}\n", FILES["ml-1m"])
    record = f"{{'beer/beerId': '1', 'review/overall': '3', 'review/time': {2**63}}}\n"
    with pytest.raises(RankassayError, match="line 1: expected a timestamp in seconds"):
        read(tmp_path, record, FILES["beeradvocate"])


@pytest.mark.parametrize("time", ["TRUE", "False", "true"])
def test_truth_values_are_no_times(tmp_path, time):
    entry = TRIPLES | {"columns": TRIPLES["columns"] | {"timestamp": 3}}
    for content, line in ((f"a,b,1,{time}\n", 1), (f"a,b,1,7\na,c,1,{time}\n", 2)):
        with pytest.raises(RankassayError, match=f"line {line}: expected a timestamp"):
            read(tmp_path, content, entry)
    found = read(tmp_path, "a,b,1,0\na,c,1,1\na,d,1,1e9\n", entry)
    assert found["timestamp"].tolist() == [0, 1, 10**9]


def test_ratings_may_be_short_or_any_float64(tmp_path):
    texts = ["4", "4.000", "4e0", "3.3000000000000003", "3.2999999999999998", "3.1415926535"]
    lines = "".join(f"u{n},a,{text}\n" for n, text in enumerate(texts))
    assert read(tmp_path, lines, TRIPLES)["rating"].tolist() == [float(text) for text in texts]
    parts = TRIPLES | {"rating_divisor": 20, "scale": [0, 1]}
    assert read(tmp_path, "a,b,19\na,c,3\n", parts)["rating"].tolist() == [0.95, 0.15]


@pytest.mark.parametrize("encoding", ["utf-8", "utf_8", "U8", "UTF8", "cp65001", "utf-8-sig"])
def test_a_byte_order_mark_is_skipped_whatever_its_encoding_is_called(tmp_path, encoding):
    found = read(tmp_path, "\ufeffa,b,1\na,c,2\n", TRIPLES | {"encoding": encoding})
    assert found["user"].tolist() == ["a", "a"]


@pytest.mark.parametrize(
    "encoding", ["undefined", "punycode", "idna", "base64", "rot13", "a\0b", "", "ä", "x" * 1000]
)
def test_what_is_no_encoding_of_text_is_refused_in_one_line(tmp_path, encoding):
    for entry in (TRIPLES, FILES["beeradvocate"]):
        with pytest.raises(RankassayError, match="expected the name of a text encoding") as error:
            read(tmp_path, "a,b,1\n", entry | {"encoding": encoding})
        assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "cp037", "shift_jis"])
def test_other_encodings_of_text_are_read(tmp_path, encoding):
    found = read(tmp_path, "a,b,1\na,c,2\n".encode(encoding), TRIPLES | {"encoding": encoding})
    assert rows(found) == [("a", "b", 1.0), ("a", "c", 2.0)]


def test_an_unknown_encoding(tmp_path):
    for encoding in ("nonsense", "base64"):
        with pytest.raises(RankassayError, match=f"name of a text encoding .* found '{encoding}'"):
            read(tmp_path, GOOD, TRIPLES | {"encoding": encoding})


def test_control_characters_of_a_file_do_not_reach_the_terminal(tmp_path):
    with pytest.raises(RankassayError) as error:
        read(tmp_path, "who,what,\x1b[2J\u2028\na,b,1\n", NAMED)
    assert str(error.value).isprintable()


# Bad lines that are left out

SOME_BAD = b"x\na,b,1\n,y,2\nc,\xff,2\nd,e,9\n\nf,g,2\n"


def test_bad_lines_are_left_out_counted_and_named(tmp_path, caplog):
    table = read(tmp_path, SOME_BAD, TRIPLES | {"bad_lines": 4})
    assert rows(table) == [("a", "b", 1.0), ("f", "g", 2.0)]
    assert table.attrs == {"without_user": 0, "bad_lines": 4}
    named = [record.getMessage() for record in caplog.records]
    assert len(named) == 4
    for number, line in enumerate((1, 3, 4, 5)):
        assert f"left out: {tmp_path / 'ratings.txt'}, line {line}: expected" in named[number]


def test_one_bad_line_too_many_is_an_error(tmp_path):
    with pytest.raises(RankassayError, match=r"line 5: .* one bad line more than bad_lines allows"):
        read(tmp_path, SOME_BAD, TRIPLES | {"bad_lines": 3})


def test_what_is_not_bad_is_read_alike(tmp_path):
    """Whether the fast parser reads it, or the one that leaves bad lines out."""
    good = 'who,what,stars,when\r\n"a ""q""","b,c",1,7\r\n,d,2,8\r\n007,é,3.5,9\r\n'
    entry = NAMED | {"columns": NAMED["columns"] | {"timestamp": "when"}, "bad_lines": 1}
    for policy in ("one-user", "skip"):
        fast = read(tmp_path, good, entry | {"missing_user": policy})
        slow = read(tmp_path, good + "bad\n", entry | {"missing_user": policy})
        assert rows(slow) == rows(fast)
        assert slow.dtypes["rating"] == fast.dtypes["rating"]
        assert slow.dtypes["timestamp"] == fast.dtypes["timestamp"]
        assert fast.attrs == {"without_user": 1, "bad_lines": 0}
        assert slow.attrs == {"without_user": 1, "bad_lines": 1}


def test_a_file_is_not_read_if_all_its_lines_are_bad_or_its_end_is_lost(tmp_path):
    with pytest.raises(RankassayError, match="found only bad lines"):
        read(tmp_path, "a,b,9\nc,d,9\n", TRIPLES | {"bad_lines": 5})
    with pytest.raises(RankassayError, match="a closing quote, found none"):
        read(tmp_path, 'a,b,1\n"c,d,2\ne,f,3\n', TRIPLES | {"bad_lines": 5})


def test_bad_dicts_are_left_out(tmp_path):
    entry = FILES["beeradvocate"] | {"bad_lines": 2}
    table = read(tmp_path, b"oops\n" + BEERS.encode() + b"{'\xff'}\n", entry)
    assert rows(table) == rows(read(tmp_path, BEERS, FILES["beeradvocate"]))
    assert table.attrs["bad_lines"] == 2
    with pytest.raises(RankassayError, match="line 1: expected a Python dict or a JSON object"):
        read(tmp_path, b"oops\n" * 3 + BEERS.encode(), entry | {"bad_lines": 0})


# Aspects


def read_aspects(tmp_path, name, data):
    path = tmp_path / "aspects"
    path.write_bytes(data)
    return aspects.read(path, FILES[name]["aspects"])


def test_aspects_of_movies_dat(tmp_path):
    data = "1::Toy Story::Comedy|Animation\n2::Léon::Drama\n".encode("latin-1")
    found, names = read_aspects(tmp_path, "ml-1m", data)
    assert found == {"1": {"Animation", "Comedy"}, "2": {"Drama"}}
    assert names == ["Animation", "Comedy", "Drama"]


@pytest.mark.parametrize("name", ["ml-latest-small", "ml-20m", "ml-25m", "ml-32m"])
def test_aspects_of_movies_csv(tmp_path, name):
    data = b'movieId,title,genres\r\n1,"A ""b"", c",Drama|War\r\n2,D,(no genres listed)\r\n'
    assert read_aspects(tmp_path, name, data) == (
        {"1": {"Drama", "War"}, "2": set()},
        ["Drama", "War"],
    )


def test_aspects_of_u_item(tmp_path):
    flags = ["0"] * 19
    flags[1] = flags[18] = "1"
    data = "1|Léon|01-Jan-1995||http://x|".encode("latin-1") + "|".join(flags).encode() + b"\n"
    found, names = read_aspects(tmp_path, "ml-100k", data)
    assert found == {"1": {"Action", "Western"}}
    assert names == FILES["ml-100k"]["aspects"]["names"]
    with pytest.raises(RankassayError, match="line 2: expected at least 24 fields, found 2"):
        read_aspects(tmp_path, "ml-100k", data + b"2|Toy\n")
    with pytest.raises(RankassayError, match="line 1: expected a flag 0 or 1, found '2'"):
        read_aspects(tmp_path, "ml-100k", data.replace(b"|1|", b"|2|"))


def test_aspects_with_a_separator_of_their_own(tmp_path, caplog):
    path = tmp_path / "items.csv"
    genres = ["Action", "Comedy", "Drama", "Sci-Fi, Fantasy"]
    rows = [f'{i},"{a}; {b}"' for i, (a, b) in enumerate(itertools.product(genres, repeat=2))]
    path.write_text("\n".join(["id,genres", *rows]) + "\n")
    options = {"separator": ",", "header": True, "item": "id", "labels": "genres"}
    found, names = aspects.read(path, options | {"label_separator": ";"})
    assert names == genres
    assert found["1"] == {"Action", "Comedy"}
    assert len(aspects.read(path, options)[1]) == 16
    assert caplog.text == ""


def test_hundreds_of_aspects_are_doubted(tmp_path, caplog):
    path = tmp_path / "items.csv"
    path.write_text("".join(f'{i},"a{i}, b{i % 7}"\n' for i in range(300)))
    options = {"separator": ",", "item": 0, "labels": 1}
    assert len(aspects.read(path, options)[1]) == 300
    (said,) = caplog.messages
    assert re.search(
        r"items\.csv: 300 aspects, the longest is 'a\d+, b\d'.* 'label_separator'", said
    )
    caplog.clear()
    assert len(aspects.read(path, options | {"label_separator": ","})[1]) == 307


def test_bad_aspects(tmp_path):
    with pytest.raises(RankassayError, match="line 2: expected at least 3 fields, found 2"):
        read_aspects(tmp_path, "ml-1m", b"1::A::B\n2::C\n")
    with pytest.raises(RankassayError, match=r"unknown column 'genres'.* Known: movieId, title"):
        read_aspects(tmp_path, "ml-20m", b"movieId,title\n1,A\n")
    with pytest.raises(RankassayError, match="found none"):
        read_aspects(tmp_path, "ml-20m", b"movieId,title,genres\n")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        # A separator that stands in a field cuts it.
        ("ml-20m", b"movieId,title,genres\n1,A,B\n2,C,D,E\n", "3: expected at most 3 fields as in"),
        ("ml-20m", b'movieId,title,genres\n1,A,B\n2,"C,D\n', "3: expected a closing quote"),
        ("ml-20m", b'movieId,title,genres\n1,"A" b,C\n', "2: expected quotes around whole fields"),
        ("ml-1m", b"1::A::B\n2::C::D::E\n", "2: expected at most 3 fields as in the first line"),
        ("ml-1m", b"1::A::B\n2::C::D\n1::A::E\n", "3: expected each item once, found '1' as in"),
        ("ml-1m", b"1::A::B\n1::A::B\n", "2: expected each item once, found '1' as in line 1"),
    ],
)
def test_aspects_that_would_be_lost_or_mixed_are_refused(tmp_path, name, data, said):
    with pytest.raises(RankassayError, match=f"line {said}"):
        read_aspects(tmp_path, name, data)


def test_more_words_may_follow_the_columns_that_are_read_but_not_belong_to_the_last(tmp_path):
    path = tmp_path / "items.txt"
    options = {"separator": "whitespace", "item": 0, "labels": 1}
    path.write_text("1 War a film\n2 Drama another film of it\n")
    assert aspects.read(path, options)[0] == {"1": {"War"}, "2": {"Drama"}}
    path.write_text("1 War\n2 Science Fiction\n")
    with pytest.raises(RankassayError, match="line 2: expected at most 2 fields as in the first"):
        aspects.read(path, options)


def test_an_empty_file_of_aspects_is_called_empty(tmp_path):
    for name in ("ml-1m", "ml-20m"):  # without and with a header
        with pytest.raises(
            RankassayError, match="expected the aspects of items, found an empty fil"
        ):
            read_aspects(tmp_path, name, b"\n")


# Lists of items


LISTS = {"format": "lists", "separator": "whitespace"}


def read_lists(tmp_path, content, **entry):
    path = tmp_path / "users.dat"
    path.write_text(content)
    return lines_of(path, LISTS | entry)


def test_lists_name_their_users_or_number_them(tmp_path):
    text = "7 x y\n\n8\n9 x\n"
    named = [("7", "x", 1.0), ("7", "y", 1.0), ("9", "x", 1.0)]
    assert rows(read_lists(tmp_path, text, lead="user")) == named
    numbered = [("1", "7", 1.0), ("1", "x", 1.0), ("1", "y", 1.0), ("3", "8", 1.0)]
    assert rows(read_lists(tmp_path, text)) == [*numbered, ("4", "9", 1.0), ("4", "x", 1.0)]
    assert line_numbers(tmp_path / "users.dat", LISTS | {"lead": "user"}) == [1, 1, 4]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "2 x y\n2 x\n",
            "line 2: expected first the number of items in the line, found '2' before 1",
        ),
        ("2 x y\n1.0 x\n", "line 2: expected first the number of items in the line, found '1.0'"),
        ("1 a\0b\n", "line 1: expected an id of the item, found a zero byte in it"),
        ("0\n\n", "expected ratings, found none"),
        ("", "expected ratings, found none"),
    ],
)
def test_bad_lists(tmp_path, content, message):
    with pytest.raises(RankassayError, match=message):
        read_lists(tmp_path, content, lead="count")


def test_entries_of_lists():
    own = {"kind": "file", "path": "users.dat", "format": "lists", "threshold": 1}
    assert not refused(own)
    assert not refused(own | {"lead": "count", "duplicates": "count"})
    for wrong in (
        {"lead": "items"},
        {"columns": {"user": 0, "item": 1, "rating": 2}},
        {"bad_lines": 1},
        {"truth_path": "truth.csv"},
        {"timestamp_format": "ms"},
        {"format": "delimited", "separator": ",", "lead": "user"},
    ):
        assert refused(own | wrong)
    assert completed("own", own)["separator"] == "whitespace"
    assert completed("own", own)["feedback"] == "implicit"


# Times in other units and forms

TIMED = {"separator": ",", "columns": {"user": 0, "item": 1, "rating": None, "timestamp": 2}}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "texts", "expected"),
    [
        ("s", ["1593878903.438", "-0.5", "7"], [1593878903, -1, 7]),
        ("s", ["0", "1", "1593878903"], [0, 1, 1593878903]),
        # Whole numbers in float64 alone.
        ("s", ["103.99999999999999999999", "104.0", "7"], [103, 104, 7]),
        ("ms", ["1593878903999", "-1", "0"], [1593878903, -1, 0]),
        ("us", ["1593878903999999", "999999", "1e6"], [1593878903, 0, 1]),
        # One nanosecond below a second: float64 would say the next one.
        ("ns", ["1593878903999999999", "1593878904000000000", "5"], [1593878903, 1593878904, 0]),
        ("ns", ["1593878903999999999.0", "1.5", "5"], [1593878903, 0, 0]),
        ("iso", ["2020-07-04T16:08:23.999Z", "1970-01-01", " 1969-12-31 23:59:59.5"], None),
        ("%d.%m.%Y %H:%M", ["04.07.2020 16:08", "01.01.1970 00:01", "31.12.1969 23:59"], None),
    ],
)
@pytest.mark.parametrize("bad_lines", [0, 1])
def test_times_are_whole_seconds(tmp_path, form, texts, expected, bad_lines):
    if form == "iso":
        expected = [1593878903, 0, -1]
    elif expected is None:
        expected = [1593878880, 60, -60]
    content = "".join(f"u,i,{text}\n" for text in texts) + "bad\n" * bad_lines
    entry = TIMED | {"timestamp_format": form, "bad_lines": bad_lines}
    assert read(tmp_path, content, entry)["timestamp"].tolist() == expected
    records = "".join(f'{{"u": "a", "i": "b", "t": "{text}"}}\n' for text in texts)
    entry = {
        "format": "dicts",
        "columns": {"user": "u", "item": "i", "rating": None, "timestamp": "t"},
    }
    found = read(tmp_path, records, entry | {"timestamp_format": form})
    assert found["timestamp"].tolist() == expected


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        ("s", "2020-07-04", "a timestamp in seconds"),
        ("ms", "2020-07-04", "a timestamp in milliseconds"),
        ("ms", "9.1e18", "a timestamp in milliseconds"),
        ("ns", "1e400000", "a timestamp in nanoseconds"),
        ("iso", "1593878903", "a time such as 2012-04-03T18:00:09Z"),
        ("iso", "20200704", "a time such as 2012-04-03T18:00:09Z"),
        ("iso", "2020-07-04x16:08", "a time such as 2012-04-03T18:00:09Z"),
        ("iso", "2020-13-04", "a time such as 2012-04-03T18:00:09Z"),
        ("%Y/%m/%d", "2020-07-04", "a time of the form %Y/%m/%d"),
    ],
)
def test_times_of_another_form(tmp_path, form, text, expected):
    good = {"s": "7", "ms": "7", "ns": "7", "iso": "2020-07-04"}.get(form, "2020/07/04")
    with pytest.raises(RankassayError, match=f"line 2: expected {expected}, found '{text}'"):
        read(tmp_path, f"u,i,{good}\nu,j,{text}\n", TIMED | {"timestamp_format": form})


@pytest.mark.parametrize(
    "form", ["sec", "%H:%M", "%Y-%m", "%s", "%Y-%m-%d %Z", "%Y-%m-%d %I:%M", "%q"]
)
def test_forms_that_tell_no_time_are_refused(form):
    names = {name: name for name in ("user", "item", "rating", "timestamp")}
    own = {"kind": "file", "path": "log.csv", "threshold": 1, "columns": names}
    assert not refused(own | {"timestamp_format": "%y%j %I %p %%Z"})
    assert refused(own | {"timestamp_format": form})


@pytest.mark.parametrize("columns", [{}, {"columns": {"user": 0, "item": 1, "rating": 2}}])
def test_a_form_of_times_without_a_column_of_times_is_refused(columns):
    own = {"kind": "file", "path": "log.csv", "threshold": 1} | columns
    assert not refused(own)
    with pytest.raises(ValidationError, match="timestamp_format: no column of times is named"):
        FileDataset.model_validate(own | {"timestamp_format": "ms"})


SPACED = 'u1, "i,1", 5\nu2 ,i1 ,4\n\tu1,"i1 ", 3\n'


@pytest.mark.parametrize("broken", ["", "u3,i1\n"])
def test_blanks_around_ids_are_left_out_and_said_once(tmp_path, caplog, broken):
    caplog.set_level("INFO", "rankassay")
    found = read(tmp_path, SPACED + broken, TRIPLES | {"bad_lines": 1})
    assert rows(found) == [("u1", "i,1", 5), ("u2", "i1", 4), ("u1", "i1", 3)]
    assert sum("blanks around ids" in message for message in caplog.messages) == 1


@pytest.mark.parametrize("separator", [",", "::", "|"])
def test_blanks_of_ids_may_be_kept(tmp_path, separator):
    text = "u1, i1,5\nu1,i1 ,4\nu1,i1,3\n".replace(",", separator)
    found = read(tmp_path, text, TRIPLES | {"separator": separator, "blanks": "keep"})
    assert found["item"].tolist() == [" i1", "i1 ", "i1"]
    assert read(tmp_path, text, TRIPLES | {"separator": separator})["item"].nunique() == 1


def test_blanks_around_ids_are_left_out_of_lists_and_beside_ratings(tmp_path):
    entry = {"format": "lists", "lead": "user", "separator": ","}
    found = read(tmp_path, "u1 , i1,i2 \nu2,i1, i2\n", entry)
    assert rows(found) == [(user, item, 1) for user in ("u1", "u2") for item in ("i1", "i2")]
    (tmp_path / "genres").write_text("item,labels\ni1 ,a|b\n i2,a\n")
    described = {"separator": ",", "header": True, "item": "item", "labels": "labels"}
    assert aspects.read(tmp_path / "genres", described)[0] == {"i1": {"a", "b"}, "i2": {"a"}}
    kept = aspects.read(tmp_path / "genres", described | {"blanks": "keep"})[0]
    assert [*kept] == ["i1 ", " i2"]


@pytest.mark.parametrize("lead", [{}, {"lead": "user"}])
def test_lists_of_another_separator_are_no_items(tmp_path, lead):
    entry = {"format": "lists", "separator": "whitespace"} | lead
    with pytest.raises(RankassayError, match=r"found one.* 'i1,i2,i3'; set 'separator' to ','"):
        read(tmp_path, "i2\ni1,i2,i3\n", entry)
    assert len(read(tmp_path, "i1,i2 i3\ni2 i4\n", entry | {"lead": "user"})) == 2


def test_ids_that_all_look_like_floats_are_whole_numbers(tmp_path, caplog):
    """As pandas writes a column of whole numbers in which one is missing."""
    text = "7.0,1.0,5\n,1.0,4\n8.0,2.50,3\n"
    found = read(tmp_path, text, TRIPLES | {"missing_user": "one-user"})
    assert found["user"].tolist() == ["7", "(anonymous)", "8"]
    assert found["item"].tolist() == ["1.0", "1.0", "2.50"]
    (note,) = [message for message in caplog.messages if "whole numbers" in message]
    assert note.endswith("the ids of the users, such as '7.0', were read as whole numbers")


@pytest.mark.parametrize("other", ["2", "x", "02.0", "2.50", "1e3", "9007199254740993.0"])
def test_ids_of_which_some_are_no_floats_stay_text(tmp_path, other):
    found = read(tmp_path, f"7.0,i,5\n{other},i,4\n", TRIPLES)
    assert found["user"].tolist() == ["7.0", other]


def test_ids_beside_ratings_are_whole_numbers_where_all_look_like_floats(tmp_path):
    (tmp_path / "genres").write_text("item,labels\n7.0,a\n8.0,b\n")
    described = {"separator": ",", "header": True, "item": "item", "labels": "labels"}
    assert [*aspects.read(tmp_path / "genres", described)[0]] == ["7", "8"]
