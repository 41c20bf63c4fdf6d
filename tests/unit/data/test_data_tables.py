"""Files of judgements and runs in the forms of other tools, and doubts of those without names."""

import gzip
import json
import logging
import re

import numpy as np
import pandas as pd
import pytest

import rankassay
from rankassay import RankassayError
from rankassay.data import tables
from rankassay.data.opening import Lines
from rankassay.data.sources import rows_of
from rankassay.data.tables import read_qrels
from rankassay.data.trec import write_qrels

RATED = pd.DataFrame(
    {"user": ["1", "1", "2"], "item": ["50", "172", "50"], "rating": [5.0, 2.0, 4.0]}
)
SCORED = RATED.rename(columns={"rating": "score"})


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a text, or bytes, to a file and returns its path."""

    def write(content):
        path = tmp_path / "table"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def rows(frame):
    return [*frame.astype({"user": str, "item": str}).itertuples(index=False, name=None)]


def joined(separator, *more, names=""):
    """Return the rows of RATED as lines of text, with more columns."""
    lines = [
        separator.join((*map(str, row[:2]), f"{row[2]:g}", *(str(each[n]) for each in more)))
        for n, row in enumerate(rows(RATED))
    ]
    return "\n".join(([names] if names else []) + lines) + "\n"


TIMES = (881250949, 881250950, 881250951)


@pytest.mark.slow
@pytest.mark.parametrize("separator", ["\t", ",", ";", "::", "|", " "])
@pytest.mark.parametrize(
    "names", ["userId,movieId,rating,timestamp", "User_ID,item-id,label,x", "qid,pid,rel,query"]
)
def test_columns_are_known_by_name_whatever_separates_them(file, separator, names):
    path = file(joined(separator, TIMES, names=names.replace(",", separator)))
    assert rows(tables.read(path, "rating")) == rows(RATED)
    predicted = "user,item,prediction,rank".replace(",", separator)
    found = tables.read(file(joined(separator, [0, 0, 0], names=predicted)), "score")
    assert rows(found[["user", "item", "score"]]) == rows(SCORED)


@pytest.mark.parametrize("separator", ["\t", ",", ";", "::", "|"])
def test_three_columns_need_no_names(file, separator):
    assert rows(tables.read(file(joined(separator)), "rating")) == rows(RATED)
    assert rows(tables.read(file(joined(separator)), "score")) == rows(SCORED)


def test_a_long_separator_is_no_part_of_a_quoted_field(file):
    found = tables.read(file('a"b::c,d::3\na"b::"e::4\n'), "rating")
    assert rows(found) == [('a"b', "c,d", 3.0), ('a"b', '"e', 4.0)]


@pytest.mark.parametrize("separator", ["\t", ",", ";", "::", "|", " "])
def test_a_log_of_ratings_is_no_qrels(file, separator, caplog):
    """As MovieLens' u1.test and u.data, ratings.dat, and the test.rating of neural filtering."""
    path = file(joined(separator, TIMES))
    assert rows(tables.read(path, "rating")) == rows(RATED)
    [said] = [record.getMessage() for record in caplog.records]
    assert "the columns were read as user, item, rating and timestamp" in said
    if separator in "\t ":
        assert rows(read_qrels(path)) == rows(RATED)
    assert rows(tables.read(Lines("lines", path.read_bytes()), "rating")) == rows(RATED)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1 50 5 0\n1 172 2 0\n2 50 4 0\n3 7 4 0\n", "3 values of iter, as of items"),
        ("1 50 5 881250949\n1 172 2 0\n2 50 4 0\n", "the rating 881250949, as a time is"),
        ("1 50 good 881250949\n", "the rating 881250949, as a time is"),
        ("1 a 5 1\n1 a 4 2\n2 b 5 2\n2 c 4 2\n", "3 values of iter, as of items"),
        ("1 a 5 1\n1 b 4 2\n1 b 3 3\n2 b 5 2\n", "2 values of iter, as of items"),
        ("1 50 5 1\n1 60 2 2\n2 50 4 3\n", "2 values of iter, as of items"),
        ("1 a 5 1\n2 a 4 1\n", "1 value of iter, as of items"),
    ],
)
def test_four_columns_that_may_be_a_log_are_refused_with_what_settles_it(file, text, found):
    for read in (read_qrels, lambda path: tables.read(path, "rating")):
        with pytest.raises(RankassayError, match=f"expected TREC qrels.*, found {found}") as error:
            read(file(text))
        assert "name the columns in a first line, such as 'user item rating timestamp'" in str(
            error.value
        )
    settled = "user iter item rating\n" + text.replace("good", "x")
    assert len(tables.read(file(settled), "rating")) == len(text.splitlines())


def test_qrels_of_any_relevance_and_of_few_iterations_are_qrels(file, tmp_path, caplog):
    counts = RATED.assign(rating=[2e9, 1.0, 5e8])
    write_qrels(counts, tmp_path / "counts")
    assert rows(read_qrels(tmp_path / "counts")) == rows(counts)
    assert len(read_qrels(file("u 1 a 5\nu 1 b 5\nu 2 c 5\nv 2 d 1\n"))) == 4
    assert len(read_qrels(file("u 1 a 5\nv 1 b 1\n"))) == 2
    assert len(read_qrels(file("u ITER a 5\nu ITER b 1\n"))) == 2
    assert not caplog.records


def test_items_of_a_log_stay_text(file):
    path = file("1 050 5 881250949\n1 50 3 881250950\n")
    assert read_qrels(path)["item"].tolist() == ["050", "50"]


def test_times_in_the_third_column_are_no_ratings(file):
    with pytest.raises(RankassayError, match=r"found 881250949, as a time is; name the columns"):
        tables.read(file("1\t50\t881250949\n"), "rating")
    named = "user\titem\trating\n1\t50\t881250949\n"
    assert tables.read(file(named), "rating")["rating"].tolist() == [881250949]


RANKED = "q1\ta\t1\nq2\tx\t1\nq1\tb\t2\nq1\tc\t3\nq2\ty\t2\n"


@pytest.mark.parametrize("first", [0, 1])
def test_a_third_column_that_counts_places_is_a_rank(file, first, caplog):
    """As in MS MARCO: read as scores, every list would stand upside down."""
    text = re.sub(r"\d$", lambda place: str(int(place[0]) - 1 + first), RANKED, flags=re.M)
    qrels = {"q1": {"a": 5}, "q2": {"y": 5}}
    assert rankassay.evaluate(qrels, file(text), "RR")["RR"] == 0.75
    assert any("was read as ranks" in record.getMessage() for record in caplog.records)
    assert rankassay.evaluate(qrels, text.splitlines(), "RR")["RR"] == 0.75
    named = file("user\titem\tscore\n" + text)
    assert rankassay.evaluate(qrels, named, "RR")["RR"] == pytest.approx((1 / 3 + 1) / 2)
    named = file("qid\tpid\trank\n" + text)
    assert rankassay.evaluate(qrels, named, "RR")["RR"] == 0.75


@pytest.mark.parametrize(
    "text", ["q\ta\t3\nq\tb\t2\nq\tc\t1\n", "q\ta\t1\nr\tb\t1\n", "q\ta\t1\nq\tb\t2\nq\tc\t2\n"]
)
def test_other_numbers_in_the_third_column_are_scores(file, text, caplog):
    assert [*tables.read(file(text), "score")] == ["user", "item", "score"]
    assert not caplog.records


@pytest.mark.parametrize(
    "text",
    [
        "q\ta\t2\nq\tb\t1\nq\tc\t3\n",
        "q\ta\t1\nq\tb\t2\nr\ta\t2\nr\tb\t3\n",  # of r, the first line was taken out
        "q\ta\t1\nq\tb\t2\nq\tc\t4\n",
    ],
)
def test_numbers_that_may_be_ranks_are_refused(file, text):
    with pytest.raises(RankassayError, match=r"may be ranks; name the columns in a first line"):
        tables.read(file(text), "score")


@pytest.mark.slow
def test_ranks_and_scores_are_told_apart_as_by_brute_force(caplog):
    caplog.set_level(logging.CRITICAL)
    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(300):
        lists = {}
        for user in "uvw"[: rng.integers(1, 4)]:
            n = int(rng.integers(1, 4))
            counted = np.arange(n) + 1
            kind = rng.integers(0, 4)
            lists[user] = [counted, counted[::-1], rng.permutation(n) + 1, counted * 2][kind]
        order = [(u, k) for u in lists for k in range(len(lists[u]))]
        order = sorted(order, key=lambda entry: entry[1])
        text = "".join(f"{u}\ti{k}\t{lists[u][k]}\n" for u, k in order)
        whole = all(sorted(own) == [*range(1, len(own) + 1)] for own in lists.values())
        whole = whole and max(map(len, lists.values())) > 1
        up = all([*own] == sorted(own) for own in lists.values())
        down = all([*own] == sorted(own, reverse=True) for own in lists.values())
        expected = "score" if not whole or down else "rank" if up else "refused"
        if up and not whole and max(map(len, lists.values())) > 1:
            expected = "refused"
        try:
            found = tables.read(Lines("run", text.encode()), "score").columns[2]
        except RankassayError:
            found = "refused"
        assert found == expected, text
        seen.add(found)
    assert seen == {"score", "rank", "refused"}


@pytest.mark.parametrize("text", ["u 0 a 5\nu 0 a 4\n", "u\ta\t5\nu\ta\t4\n", "u,a,5\nu,a,4\n"])
def test_nobody_is_told_to_delete_lines(file, text):
    with pytest.raises(RankassayError, match=r"already|twice") as error:
        rankassay.judged(file(text))
    assert "keep one" not in str(error.value)


NESTED = {"1": {"50": 5, "172": 2}, "2": {"50": 4.0}}
RECORDS = [{"query-id": int(u), "corpus-id": i, "score": r} for u, i, r in rows(RATED)]


@pytest.mark.parametrize("value", ["rating", "score"])
@pytest.mark.parametrize(
    "text",
    [
        json.dumps(NESTED),
        json.dumps(NESTED, indent=1),
        json.dumps(RECORDS),
        json.dumps(RECORDS, indent=1),
        "\n\n".join(map(json.dumps, RECORDS)),
        "\ufeff" + "\r\n".join(map(json.dumps, RECORDS)) + "\n",
    ],
)
def test_json_is_read_as_nested_and_as_objects(file, value, text):
    expected = rows(RATED if value == "rating" else SCORED)
    assert rows(tables.read(file(text), value)) == expected


def test_a_run_in_json_may_have_lists(file):
    run = file('{"u": ["b", "a"], "v": []}')
    assert rankassay.evaluate({"u": {"a": 5}}, run, "RR")["RR"] == 0.5


@pytest.mark.parametrize(
    "run",
    [
        {"u": ["b", "a"], "v": []},
        {"v": [], "u": {"b": 0.9, "a": 0.1}},
        {"v": {}, "u": [["b", 0.9], ["a", 0.1]]},
        {"u": ["b", "a", -1, -1], "v": [-1, -1]},
    ],
)
def test_json_is_read_as_the_same_in_python(file, run):
    qrels = {"u": {"a": 5, "b": 1}, "v": {"a": 5}}
    both = [rankassay.evaluate(qrels, each, ["RR", "P@1"]) for each in (run, file(json.dumps(run)))]
    assert both[0].tolist() == both[1].tolist() == [0.25, 0]


@pytest.mark.parametrize("value", ["rating", "score"])
def test_the_columns_of_a_table_are_no_users(file, value):
    """Of judgements and a run as `to_json` writes them, user and item would be users of both."""
    table = pd.DataFrame({"userId": [1, 2], "movieId": [3, 4], value: [0.5, 1]})
    for form in (file(table.to_json()), table.to_dict(), table.to_dict("list")):
        with pytest.raises(RankassayError, match=r"found the columns userId, movieId, .* of a"):
            rows_of(form, "these", value)
    assert len(rows_of({"user": {"a": 1}, "item": {"b": 2}}, "these", value).value) == 2


def test_lists_and_scores_do_not_mix_in_json(file):
    """Scores would be taken for ranks, and the lists stand upside down."""
    run = file('{"u": ["a"], "v": {"a": 0.2, "b": 0.7}}')
    with pytest.raises(RankassayError, match="found a list of user 'u' and scores of others"):
        tables.read(run, "score")


@pytest.mark.parametrize("form", ["csv", "json", "records", "parquet"])
def test_ratings_of_files_may_be_true_and_false(tmp_path, file, form):
    table = pd.DataFrame({"user": "u", "item": ["a", "b"], "rating": [True, False]})
    if form == "parquet":
        table.to_parquet(path := tmp_path / "ratings.parquet")
    else:
        texts = {"csv": table.to_csv(index=False), "json": '{"u": {"a": true, "b": false}}'}
        path = file(texts.get(form) or table.to_json(orient="records", lines=True))
    assert tables.read(path, "rating")["rating"].tolist() == [1, 0]


@pytest.mark.parametrize(("value", "role"), [("propensity", "item"), ("outcome", "system")])
def test_numbers_by_id_may_be_one_object(file, value, role):
    """As in Python, where they are a dictionary."""
    number = {"outcome": "value"}.get(value, value)
    found = tables.read(file('{"b": 0.5, "a": 2e-1}'), value)
    assert found.to_dict("list") == {role: ["b", "a"], number: [0.5, 0.2]}
    with pytest.raises(RankassayError, match=f"{role} 'a': expected a number as {number}"):
        tables.read(file('{"b": 0.5, "a": NaN}'), value)


@pytest.mark.parametrize("rows", ["1,2,5,x\n", ""])
@pytest.mark.parametrize("name", ['"more', '"mo"re'])
def test_quotes_of_names_have_to_close(file, name, rows):
    with pytest.raises(RankassayError, match=r"line 1: expected (quotes around|a closing quote)"):
        tables.read(file(f"user,item,rating,{name}\n{rows}"), "rating")


@pytest.mark.parametrize("separator", ["\t", ",", " "])
def test_a_name_that_stands_twice_is_refused(file, separator):
    """As in frames, JSON and parquet: nothing says which of the columns is meant."""
    text = "user,item,rating,rating\n1,2,5,1\n".replace(",", separator)
    with pytest.raises(RankassayError, match="line 1: expected one column 'rating', found 2"):
        tables.read(file(text), "rating")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"u": {"a": 1, "a": 2}}', "user 'u' has item 'a' already"),
        ('{"u": {"a": null}}', "user 'u', item 'a': expected a number as rating, found null"),
        ('{"u": {"a": true, "b": 2}}', "user 'u', item 'a': expected a number as rating, found"),
        ('{"u": [["a", 1, 2]]}', r"expected of user 'u' an object \{item: rating\}, found"),
        ('{"u": {"a": "x"}}', "user 'u', item 'a': expected a number as rating, found 'x'"),
        ('{"u": ["a"]}', r"expected of user 'u' an object \{item: rating\}, found"),
        ('{"u": {"a": 1}', "line 1: expected JSON, found what is none"),
        ('{"user": 1, "item": 2, "rating": 3}\n{"user": 1,', "line 2: expected JSON, found"),
        ('{"user": 1, "item": 2, "rating": 3}\n{"user": 1}', "line 2: expected a text or a number"),
        ('[{"who": 1, "what": 2}]', "expected the columns .* found who, what; rename them"),
        ('[{"user": 1, "item": 2, "rating": null}]', "object 1: expected a text or a number"),
        (
            '[{"user": "", "item": 2, "rating": 1}]',
            "object 1: expected an id of the user, found an empty field",
        ),
        ('[{"user": "\\ud800", "item": 2, "rating": 1}]', "found .* in it; correct it"),
        ('[{"user": 1, "item": 2, "rating": NaN}]', "object 1: expected a number as rating, found"),
        ("[]", "expected objects of user, item and rating, found none"),
        ('[{"a":' * 100_000, "nested too deep"),
    ],
)
def test_what_is_wrong_in_json_is_named(file, text, said):
    with pytest.raises(RankassayError, match=said) as error:
        tables.read(file(text), "rating")
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    ("text", "value", "found"),
    [
        ("customer,product,stars\n1,2,3\n", "rating", "customer, product, stars"),
        ("customer;product;stars;when\n1;2;3;4\n", "rating", "customer, product, stars, when"),
        ("1,2,0.5,7\n", "score", "1, 2, 0.5, 7"),
        ("user,item,rating\n1,2,3\n", "score", "user, item, rating"),
        ("customer product stars\n1 2 3\n", "rating", "customer, product, stars"),
        ("user item\n1 2\n", "rating", "user, item"),
        ("nothing\n", "rating", "nothing"),
    ],
)
def test_columns_that_are_not_known_are_all_named(file, text, value, found):
    with pytest.raises(RankassayError, match=rf"line 1: expected the names of .*\({found}\)"):
        tables.read(file(text), value)


@pytest.mark.parametrize("separator", [" ", "\t", ","])
def test_ids_may_hold_what_separates_other_tables(file, separator):
    text = separator.join(("u;1", "0", "a|b::c", "3"))
    text = text if separator == "," else text.replace("1", "1,2")
    [row] = rows(tables.read(file(f"{text}\n"), "rating"))
    assert row[1:] == ("a|b::c", 3.0)
    [row] = rows(tables.read(file("Ann Lee\tThe Big Film\t5\n"), "rating"))
    assert row == ("Ann Lee", "The Big Film", 5.0)


def test_parquet_is_read_by_its_columns(tmp_path, file):
    table = RATED.astype({"user": int, "rating": "float32"}).set_axis(
        ["userId", "movieId", "rating"], axis=1
    )
    (tmp_path / "p").mkdir()
    path = tmp_path / "p" / "ratings.parquet"
    table.to_parquet(path)
    assert rows(tables.read(path, "rating")) == rows(RATED)
    assert rows(tables.read(Lines("x", path.read_bytes()), "rating")) == rows(RATED)
    (packed := tmp_path / "ratings.parquet.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert rows(tables.read(packed, "rating")) == rows(RATED)
    scores = SCORED.assign(score=[-1e300, 0.9999999999, np.float64(0.1)], rank=[3, 2, 1])
    scores.to_parquet(path)
    found = tables.read(path, "score").astype({"user": "str", "item": "str"})
    pd.testing.assert_frame_equal(found, scores, check_dtype=False, check_exact=True)
    scores.assign(score="x").to_parquet(path)
    with pytest.raises(RankassayError, match="expected numbers as score in the column 'score'"):
        tables.read(path, "score")
    scores.rename(columns={"item": "thing"}).to_parquet(path)
    with pytest.raises(RankassayError, match="found user, thing, score, rank; rename them"):
        tables.read(path, "score")


def test_without_pyarrow_parquet_is_refused_in_one_line(file, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(RankassayError, match=r"package pyarrow, found none; .* pip install"):
        tables.read(file(b"PAR1" + b"\0" * 20), "rating")
