"""What a filter leaves is made once for all datasets with the same steps, and asked for by all."""

import re
from types import SimpleNamespace

import pytest
from test_plan import planned

from rankassay.errors import RankassayError

CORE = {"kind": "k_core", "users": 5, "items": 5}
RATED = {"kind": "least_rating", "rating": 4}
DRAWN = {"kind": "sample_users", "users": 10}
ALL = "data/processed/tiny/ratings.npz"
MINE = {"kind": "file", "urls": [], "files": {"ratings": "mine.csv"}, "separator": ","}
MINE |= {"threshold": 4}


def of(dataset, **more):
    return SimpleNamespace(dataset=dataset, **more)


def filtering(*steps, **protocols):
    """Return a configuration with a filter of all datasets, and variants with their protocols."""
    return {
        "filter": [*steps],
        "protocol_catalogue": {
            name: {"label": name, "filter": own} for name, own in protocols.items()
        },
        "variants": {
            f"tiny-{name}": {"of": "tiny", "label": name, "protocol": name} for name in protocols
        },
    }


def test_without_a_filter_all_ratings_are_read():
    data = planned(filtering()).data
    assert data.ratings(of("tiny")) == ALL
    assert data.filter_counts(of("tiny")) == []
    assert data.for_split(of("tiny"))["steps"] == []


def test_equal_filters_share_one_file_and_others_do_not():
    change = filtering(a=[CORE], b=[CORE | {"iterate": True}], c=[CORE, RATED], d=[RATED, CORE])
    plan = planned(change)
    files = {name: plan.data.ratings(of(f"tiny-{name}")) for name in "abcd"}
    assert files["a"] == files["b"]
    assert len(set(files.values())) == 3
    assert plan.data.ratings(of("tiny")) == ALL
    assert plan.data.prepared(of("tiny-a")) == ALL
    for name, expected in (("a", [CORE]), ("d", [RATED, CORE])):
        folder, key = files[name].removesuffix(".npz").rsplit("/", 1)
        assert folder == "data/processed/tiny/filtered"
        assert re.fullmatch(plan.constraints["filter"], key)
        steps = plan.data.for_filter(of("tiny", filter=key))["steps"]
        assert [step["kind"] for step in steps] == [step["kind"] for step in expected]
        assert all(step.items() >= own.items() for step, own in zip(steps, expected, strict=True))
        assert not any("when" in step for step in steps)
        assert plan.data.filter_counts(of(f"tiny-{name}")) == f"{folder}/{key}.csv"


def test_the_filter_of_the_configuration_is_that_of_all_but_those_with_a_protocol():
    data = planned(filtering(CORE, other=[RATED], none=[])).data
    files = [data.ratings(of(name)) for name in ("tiny", "tiny-other", "tiny-none")]
    assert len(set(files)) == 3
    assert files[2] == ALL


@pytest.mark.slow
def test_only_what_is_drawn_depends_on_the_seed():
    for step, same in ((CORE, True), (DRAWN, False)):
        one, other = (planned(filtering(step), {"seed": seed}).data for seed in (1, 2))
        assert (one.ratings(of("tiny")) == other.ratings(of("tiny"))) == same


def test_steps_after_the_split_are_of_the_split():
    late = CORE | {"when": "after"}
    data = planned(filtering(RATED, late)).data
    assert data.ratings(of("tiny")) == planned(filtering(RATED)).data.ratings(of("tiny"))
    assert data.for_split(of("tiny"))["steps"] == [CORE | {"iterate": True}]


def test_a_file_of_no_filter_is_told():
    data = planned(filtering(CORE)).data
    with pytest.raises(RankassayError, match="expected the ratings of a filter of this config"):
        data.for_filter(of("tiny", filter="0123456789ab"))


@pytest.mark.slow
@pytest.mark.parametrize("part", ["truth", "propensities"])
def test_a_filter_before_the_split_of_what_has_more_than_ratings_is_refused(part, tmp_path):
    for name in ("ratings", part):
        (tmp_path / f"{name}.csv").write_text("user,item,rating,propensity\na,b,3,0.5\n")
    entry = {
        "kind": "file",
        "path": str(tmp_path / "ratings.csv"),
        f"{part}_path": str(tmp_path / f"{part}.csv"),
        "threshold": 4,
    }
    change = {"datasets": ["tiny", "mine"], "dataset_catalogue": {"mine": entry}}
    with pytest.raises(RankassayError, match=f"'mine' has {part} of all its users and items"):
        planned(change, filtering(CORE))
    planned(change, filtering(CORE | {"when": "after"}))


def test_a_dataset_may_name_the_protocol_that_it_is_studied_under():
    change = filtering(a=[CORE], b=[RATED])
    change["dataset_catalogue"] = {"mine": MINE | {"protocol": "a"}}
    change["variants"]["mine-b"] = {"of": "mine", "label": "b", "protocol": "b"}
    data = planned(change).data
    assert data.steps("mine", "before") == data.steps("tiny-a", "before") != []
    assert data.steps("mine-b", "before") == data.steps("tiny-b", "before")
    assert data.steps("tiny", "before") == []
    assert "protocol" not in data.for_prepare(of("mine"))["source"]


def test_an_unknown_protocol_of_a_dataset_is_refused():
    change = {"dataset_catalogue": {"mine": MINE | {"protocol": "five-cor"}}, "datasets": ["mine"]}
    with pytest.raises(RankassayError, match=r"dataset_catalogue\.mine\.protocol: .*'five-cor'"):
        planned(change)


def test_a_given_split_of_implicit_feedback_has_binary_gains():
    files = {"ratings": "test.csv", "train": "train.csv"}
    entry = {"kind": "qrels", "files": files, "feedback": "implicit", "threshold": 3}
    explicit = entry | {"feedback": "explicit"}
    data = planned({"dataset_catalogue": {"plays": entry, "stars": explicit}}).data
    assert (data.counted("plays"), data.threshold("plays")) == ({"relevant": 3}, 1)
    assert (data.counted("stars"), data.threshold("stars")) == ({}, 3)
    assert data.for_split(of("plays"))["relevant"] == 3
