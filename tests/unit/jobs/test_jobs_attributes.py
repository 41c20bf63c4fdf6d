"""The job of attributes: from the files that were fetched to an artifact."""

import numpy as np
import pandas as pd
import pytest

from rankassay.artifacts.arrays import Attributes
from rankassay.artifacts.files import write_json
from rankassay.cli.job import do
from rankassay.data.download import fetch
from rankassay.data.prepare import prepare
from rankassay.errors import RankassayError

SOURCE = {
    "user_attributes": {
        "separator": ",",
        "header": True,
        "id": "user",
        "attributes": {"age": {"column": 2}, "gender": {"column": "sex"}},
    },
    "item_attributes": {"separator": "|", "id": 0, "attributes": {"year": {"column": 1}}},
}
USERS = "user,sex,age\n2,F,old\n1,M,young\n3,M,old\n"


@pytest.fixture
def made(tmp_path):
    """Return a function that writes files, reads them by the job and loads what it wrote."""
    table = pd.DataFrame({"user": [*"1123"], "item": [*"aaba"], "rating": 3.0})
    prepare(table.astype({"user": "category", "item": "category"}), duplicates="first").save(
        tmp_path / "ratings.npz"
    )
    (tmp_path / "ratings").write_text("never read here")

    def call(**texts):
        entry = {"path": str(tmp_path / "ratings")}
        for part, text in texts.items():
            (tmp_path / part).write_text(text)
            entry[f"{part}_path"] = str(tmp_path / part)
        write_json(fetch("mine", entry, tmp_path), tmp_path / "source.json")
        given = {"ratings": tmp_path / "ratings.npz", "record": tmp_path / "source.json"}
        do("attributes", given | {"source": SOURCE, "output": tmp_path / "found.npz"})
        return tmp_path

    return call


def test_attributes_are_in_the_order_of_the_ratings(made):
    folder = made(user_attributes=USERS, item_attributes="b|1990\nc|7\na|1980\n")
    found = Attributes.load(folder / "found.npz")
    assert found.user_names.tolist() == ["age", "gender"]
    assert found.users.tolist() == [["young", "M"], ["old", "F"], ["old", "M"]]
    assert found.items.tolist() == [["1980"], ["1990"]]
    assert found.item_names.tolist() == ["year"]


def test_a_file_that_is_not_there_makes_no_attributes(made):
    folder = made(user_attributes=USERS)
    found = Attributes.load(folder / "found.npz")
    assert found.items.shape == (2, 0)
    assert found.users.shape == (3, 2)


def test_a_user_without_attributes_is_named(made, tmp_path):
    said = "the age of all 3 users, found that of 2; it is missing for '3'"
    with pytest.raises(RankassayError, match=said):
        made(user_attributes=USERS.replace("3,M,old\n", ""))
    assert not (tmp_path / "found.npz").exists()


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"user_attributes": "user,sex,age\n"}, "expected the attributes of users, found none"),
        ({"user_attributes": ""}, "expected the attributes of users, found an empty file"),
        ({"user_attributes": "user,sex\n1,F\n"}, "line 1"),
        ({"user_attributes": USERS + "1,M,old\n"}, "line 5: expected each user once"),
        ({"user_attributes": USERS.replace("young", "old")}, "expected two groups of users by age"),
        ({"item_attributes": "a|1980\nz|1990\n"}, "the year of all 2 items, found that of 1"),
        ({"item_attributes": "a|1980\nb|\n"}, "it is missing for 'b'"),
    ],
)
def test_a_file_that_lacks_something_is_refused_in_one_line(made, tmp_path, texts, said):
    with pytest.raises(RankassayError, match=said) as error:
        made(**texts)
    assert len(str(error.value).splitlines()) == 1
    assert not (tmp_path / "found.npz").exists()


def test_groups_of_one_are_counted_in_the_log(made, caplog):
    with caplog.at_level("INFO"):
        made(user_attributes=USERS)
    assert "age: 2 groups of users, 1 of them of one" in caplog.text


def test_arrays_that_do_not_belong_together_are_refused(tmp_path):
    values, names = np.array([["F"], ["M"]]), np.array(["gender"])
    Attributes(values, values, names, np.array(["year", "price"])).save(tmp_path / "bad.npz")
    with pytest.raises(RankassayError, match="expected an artifact of the kind Attributes"):
        Attributes.load(tmp_path / "bad.npz")
