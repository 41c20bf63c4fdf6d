"""Attributes of users and items: their files, and which groups their values make."""

import re
from pathlib import Path

import numpy as np
import pytest
import yaml

from rankassay.data.companions import attributes as read
from rankassay.data.companions import values_of
from rankassay.data.entries import completed
from rankassay.errors import RankassayError

ROOT = Path(__file__).parents[3]
CATALOGUE = yaml.safe_load((ROOT / "config/datasets.yaml").read_text())["dataset_catalogue"]
WHAT = ("users.csv", "user", "gender")
NAMED = {"separator": ",", "header": True, "id": "who", "attributes": {"gender": {"column": "sex"}}}


def some(tmp_path, text, options=NAMED, **own):
    path = tmp_path / "users.csv"
    path.write_text(text)
    [(name, described)] = options["attributes"].items()
    return read(path, options | {"attributes": {name: described | own}}, "user")


def test_columns_are_known_by_name_or_by_position(tmp_path):
    found = some(tmp_path, 'who,age,sex\n7,30,"F"\n8,41, M \n9,20,\n')
    assert found == {"gender": {"7": "F", "8": "M", "9": ""}}
    path = tmp_path / "u.user"
    path.write_bytes("7::30::F\n8::41::é\n".encode("latin-1"))
    options = {"separator": "::", "encoding": "latin-1", "id": 0}
    columns = {"rating": {"column": 1}, "timestamp": {"column": 2}}  # names like any other
    found = read(path, options | {"attributes": columns}, "user")
    assert found == {"rating": {"7": "30", "8": "41"}, "timestamp": {"7": "F", "8": "é"}}


def test_a_value_may_stand_for_none_and_be_a_part_of_its_field(tmp_path):
    text = "who,sex\n1,A (1999)\n2,B\n3,C (1800)\n4,D (0)\n"
    found = some(tmp_path, text, pattern=r"\((\d+)\)$", none="0")
    assert found["gender"] == {"1": "1999", "2": "", "3": "1800", "4": ""}
    assert some(tmp_path, "who,sex\n1,x\n", pattern="x(y)?")["gender"] == {"1": ""}


def test_numbers_are_of_the_group_from_one_boundary_on(tmp_path):
    text = "who,sex\n1,17.9\n2,18\n3,24\n4,25\n5,1e3\n6,\n"
    found = some(tmp_path, text, boundaries=[18, 25])["gender"]
    assert found == {
        "1": "below 18",
        "2": "18 to below 25",
        "3": "18 to below 25",
        "4": "from 25",
        "5": "from 25",
        "6": "",
    }


@pytest.mark.parametrize(
    ("text", "own", "said"),
    [
        ("", {}, "expected the attributes of users, found an empty file"),
        ("who,sex\n", {}, "expected the attributes of users, found none"),
        ("who,gender,sx\n1,2,F\n", {}, "unknown column 'sex'; did you mean 'sx'"),
        ("who;sex\n1;F\n", {}, "set 'separator' to what stands between columns"),
        ("who,sex,sex\n1,F,F\n", {}, "line 1: expected one column 'sex', found 2"),
        ("who,sex\n1,F\n2\n", {}, "line 3: expected at least 2 fields, found 1"),
        ("who,sex\n1,F\n2,M,x\n", {}, "line 3: expected at most 2 fields as in the first line"),
        ("who,sex\n1,F\n ,M\n", {}, "line 3: expected an id of the user, found an empty field"),
        ("who,sex\n1,F\n2,M\n1,F\n", {}, "line 4: expected each user once, found '1' as in line 2"),
        (
            "who,sex\n1,old\n",
            {"boundaries": [3]},
            "line 2: expected a number (gender), found 'old'",
        ),
        (
            "who,sex\n1,nan\n",
            {"boundaries": [3]},
            "line 2: expected a number (gender), found 'nan'",
        ),
        ("who,sex\n1,a\0\n", {}, "line 2: expected a value (gender), found a zero byte in it"),
        (f"who,sex\n1,{'F' * 1001}\n", {}, "expected at most 1000 characters (gender), found 1001"),
    ],
)
def test_bad_files(tmp_path, text, own, said):
    with pytest.raises(RankassayError, match=re.escape(said)) as error:
        some(tmp_path, text, **own)
    assert len(str(error.value).splitlines()) == 1


def test_values_are_in_the_order_of_the_ids():
    found = values_of({"b": "F", "a": "M", "z": "X"}, {}, np.array(["a", "b"]), WHAT)
    assert found.tolist() == ["M", "F"]


def test_more_missing_values_than_allowed_are_an_error():
    ids = np.array(["a", "b", "c", "d"])
    values = {"a": "M", "b": "F", "c": ""}
    with pytest.raises(
        RankassayError, match=r"the gender of all 4 users, found that of 2; it is missing for 'c'"
    ):
        values_of(values, {}, ids, WHAT)
    with pytest.raises(RankassayError, match=r"but a share of 0.4, .* raise 'missing' .* to 0.5\."):
        values_of(values, {"missing": 0.4}, ids, WHAT)
    assert values_of(values, {"missing": 0.5}, ids, WHAT).tolist() == ["M", "F", "", ""]


@pytest.mark.parametrize("without", range(1, 99))
def test_the_share_that_a_message_asks_for_is_enough(without):
    ids = np.array([f"u{k}" for k in range(100)])
    values = {key: "MF"[k % 2] for k, key in enumerate(ids[without:].tolist())}
    with pytest.raises(RankassayError) as error:
        values_of(values, {"missing": (without - 1) / 100}, ids, WHAT)
    share = float(str(error.value).rpartition(" ")[2].rstrip("."))
    assert share == without / 100
    assert (values_of(values, {"missing": share}, ids, WHAT) == "").sum() == without


def test_groups_of_one_stay_or_are_put_together():
    ids = np.array([*"abcdefg"])
    values = dict(zip(ids.tolist(), "MMFFXYZ", strict=True))
    assert values_of(values, {}, ids, WHAT).tolist() == [*"MMFFXYZ"]
    found = values_of(values, {"min_size": 2}, ids, WHAT)
    assert found.tolist() == [*"MMFF", "other", "other", "other"]


def test_one_group_is_nothing_to_compare():
    with pytest.raises(RankassayError, match="two groups of users by gender, or more, found 'M'"):
        values_of({"a": "M", "b": "M"}, {}, np.array(["a", "b"]), WHAT)
    with pytest.raises(RankassayError, match="or more, found none"):
        values_of({}, {"missing": 1}, np.array(["a", "b"]), WHAT)


@pytest.mark.parametrize(
    ("dataset", "kind", "line", "expected"),
    [
        ("ml-1m", "user", "1::F::1::10::48067", {"gender": "F", "age": "1"}),
        ("ml-1m", "item", "1::Léon: 2001 (1994)::Drama", {"year": "from 1990"}),
        ("ml-1m", "item", "1::1984 (1956)::Drama", {"year": "below 1980"}),
        ("ml-100k", "user", "1|24|M|technician|85711", {"gender": "M", "age": "18 to below 25"}),
        ("ml-100k", "item", "1|Léon (1994)|01-Jan-1989||", {"year": "1980 to below 1990"}),
        ("ml-100k", "item", "1|unknown||||", {"year": ""}),
    ],
)
def test_lines_of_the_catalogue_s_files(tmp_path, dataset, kind, line, expected):
    path = tmp_path / "file"
    path.write_bytes(f"{line}\n".encode("latin-1"))
    described = completed(dataset, CATALOGUE[dataset])[f"{kind}_attributes"]
    assert read(path, described, kind) == {k: {"1": v} for k, v in expected.items()}
