"""Attributes are read where an analysis makes groups by them, and for nothing else."""

import pytest
from test_plan import planned

from rankassay.errors import RankassayError
from rankassay.plan.analyses import of

FILE = "results/mine/split/attributes.npz"
POWER = of("mine", "beyond/power")


@pytest.fixture
def described(tmp_path):
    """Return a configuration with a dataset whose users have a gender."""
    for name in ("ratings.csv", "users.csv"):
        (tmp_path / name).write_text("user,item,rating\na,b,3\n")
    entry = {
        "kind": "file",
        "path": str(tmp_path / "ratings.csv"),
        "threshold": 4,
        "user_attributes_path": str(tmp_path / "users.csv"),
        "user_attributes": {"id": "user", "attributes": {"gender": {"column": "sex"}}},
    }
    return {
        "datasets": ["tiny", "mine", "again"],
        "variants": {"again": {"of": "mine", "label": "again", "split_seed": 1}},
        "dataset_catalogue": {"mine": entry},
    }


def asking(**groups):
    return {"beyond": groups}


@pytest.mark.slow
def test_they_are_read_where_groups_are_made_by_them(described):
    plan = planned(described, asking(user_groups="gender"))
    assert plan.analyses.inputs(POWER)["attributes"] == FILE
    again = of("again", "beyond/power")
    assert plan.analyses.inputs(again)["attributes"] == FILE.replace("mine", "again")
    assert plan.data.attributes_record(again) == "data/processed/mine/source.json"
    assert "attributes" not in plan.analyses.inputs(of("tiny", "beyond/power"))
    assert plan.analyses.inputs(of("mine", "beyond/values"))["attributes"] == FILE
    assert "attributes" not in planned(described).analyses.inputs(POWER)


def test_how_they_are_read_is_told_to_no_other_job(described):
    plan = planned(described)
    [part] = plan.data.for_attributes(POWER)["source"].items()
    assert part[0] == "user_attributes"
    assert (part[1]["separator"], part[1]["header"]) == (",", True)  # completed
    assert "user_attributes" not in plan.data.for_prepare(POWER)["source"]
    assert plan.data.local_files(POWER)[-1].endswith("users.csv")


def test_an_attribute_that_no_dataset_has_is_refused(described):
    with pytest.raises(
        RankassayError,
        match=r"beyond.user_groups: unknown attribute 'gendr'; did you mean 'gender'",
    ):
        planned(described, asking(user_groups="gendr"))
    with pytest.raises(RankassayError, match="item_groups: unknown attribute 'gender'"):
        planned(described, asking(item_groups="gender"))
    planned(described, asking(item_groups="popularity-classes"))
