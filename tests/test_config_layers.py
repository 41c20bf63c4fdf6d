"""A configuration of one's own over the one that ships: entries replace it, or extend others."""

import copy
from pathlib import Path

import pytest
import yaml
from each import each

from rankassay.cli.main import main
from rankassay.config import layers
from rankassay.config.check import validate
from rankassay.config.layers import CATALOGUES, shipped, whole
from rankassay.errors import RankassayError

ROOT = Path(__file__).parents[1]
BELOW = shipped(ROOT)
# What is true of no entry that ships.
OWN = {
    "dataset_catalogue": {"kind": "file", "path": "mine.csv", "threshold": 4},
    "variants": {"of": "ml-1m", "label": "mine"},
    "protocol_catalogue": {"label": "mine"},
    "recommender_catalogue": {"method": "random", "label": "mine"},
}
ENTRIES = [(catalogue, name) for catalogue in CATALOGUES for name in BELOW[catalogue]]


@each(("catalogue", "name"), ENTRIES)
def test_an_entry_of_ones_own_replaces_the_one_that_ships(catalogue, name):
    before = copy.deepcopy(BELOW)
    found = whole(BELOW, {catalogue: {name: OWN[catalogue]}})
    assert found[catalogue][name] == OWN[catalogue]
    assert found == before | {catalogue: before[catalogue] | {name: OWN[catalogue]}}
    assert before == BELOW


@each(("catalogue", "name"), ENTRIES)
def test_an_entry_that_extends_starts_from_what_it_names(catalogue, name):
    own = {catalogue: {"mine": {"extends": name, "new": {"a": 1}}, name: {"extends": name, "b": 2}}}
    found = whole(BELOW, own)[catalogue]
    assert found[name] == BELOW[catalogue][name] | {"b": 2}
    assert found["mine"] == found[name] | {"new": {"a": 1}}  # its own entry, not the shipped one


def test_an_entry_keeps_no_key_of_another_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_text("user,item,rating\na,b,1\n")
    names = [name for name, entry in BELOW["dataset_catalogue"].items() if "urls" in entry]
    own = {"datasets": names, "dataset_catalogue": {}}
    for name in names:
        own["dataset_catalogue"][name] = OWN["dataset_catalogue"] | {"label": name}
    found = validate(whole(BELOW, own))
    assert all("urls" not in found["dataset_catalogue"][name] for name in names)
    protocol = {"protocol_catalogue": {"five-core": {"label": "mine"}}}
    assert validate(whole(BELOW, protocol))["protocol_catalogue"]["five-core"]["filter"] == []


def test_a_null_takes_a_key_away_from_what_is_extended(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_text("1\t2\t3\t4\n")
    keys = dict.fromkeys(("urls", "archive", "checksum", "files", "folder", "aspects"))
    keys |= dict.fromkeys(("user_attributes", "item_attributes", "published"))
    entry = {"extends": "ml-100k", "path": "mine.csv", **keys}
    own = {"datasets": ["ml-100k"], "dataset_catalogue": {"ml-100k": entry}}
    found = validate(whole(BELOW, own))["dataset_catalogue"]["ml-100k"]
    assert found["columns"] == BELOW["dataset_catalogue"]["ml-100k"]["columns"]
    assert "urls" not in found


def test_all_keys_without_a_place_are_named_and_what_takes_them_away(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_text("1\t2\t3\t4\n")
    own = {"dataset_catalogue": {"ml-100k": {"extends": "ml-100k", "path": "mine.csv"}}}
    with pytest.raises(RankassayError) as raised:
        validate(whole(BELOW, own))
    assert (
        "the keys 'urls', 'archive', 'checksum' have no place with a path; remove them, or set them"
        " to null where this entry extends another" in str(raised.value)
    )


def test_a_recommender_without_a_method_has_other_settings_than_the_one_that_ships():
    own = {"recommender_catalogue": {"slim": {"settings": {"neighbours": 5}}}}
    found = whole(BELOW, own)["recommender_catalogue"]["slim"]
    before = BELOW["recommender_catalogue"]["slim"]
    assert found == before | {"settings": before["settings"] | {"neighbours": 5}}


@pytest.mark.parametrize(
    ("catalogue", "own", "said"),
    [
        (
            "dataset_catalogue",
            {"ml-1m": {"threshold": 3}},
            "config: dataset_catalogue.ml-1m: expected a whole entry, as it replaces the dataset of"
            " that name that ships; the key 'kind' is missing. To change some of its keys, add "
            "'extends: ml-1m'.",
        ),
        ("protocol_catalogue", {"five-core": {"filter": []}}, "the key 'label' is missing. To"),
        ("variants", {"ml-1m-tuned": {"split_seed": 3}}, "the key 'of' is missing. To change"),
        (
            "dataset_catalogue",
            {"mine": {"extends": "ml-1n"}},
            "config: dataset_catalogue.mine.extends: unknown dataset 'ml-1n'; did you mean 'ml-1m'",
        ),
        ("dataset_catalogue", {"mine": {"extends": "mine"}}, "extends: unknown dataset 'mine'"),
        ("dataset_catalogue", {"mine": {"extends": ["ml-1m"]}}, "extends: unknown dataset"),
        ("protocol_catalogue", {"mine": {"extends": None}}, "extends: unknown protocol 'None'"),
        (
            "recommender_catalogue",
            {"a": {"extends": "b"}, "b": {"extends": "c"}, "c": {"extends": "a"}},
            "extends: expected another recommender, found 'a', which extends this one.",
        ),
    ],
)
def test_a_mistake_in_an_entry_of_ones_own_is_one_line(catalogue, own, said):
    with pytest.raises(RankassayError) as raised:
        whole(BELOW, {catalogue: own})
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("own", [None, 5, [], {"ml-1m": None}, {"ml-1m": 5}, {"x": []}, {5: {}}])
def test_what_is_no_entry_is_left_to_the_checks(own):
    with pytest.raises(RankassayError):
        validate(whole(BELOW, {"dataset_catalogue": own}))


@pytest.mark.parametrize("path", sorted((ROOT / "config").glob("*.yaml")), ids=lambda p: p.stem)
def test_every_shipped_configuration_is_whole(path):
    own = yaml.safe_load(path.read_text())
    assert layers.whole(BELOW, own)["seed"] == own.get("seed", BELOW["seed"])


def test_the_list_of_datasets_has_ones_own_entry_alone(tmp_path, capsys):
    path = tmp_path / "mine.yaml"
    entry = {"kind": "file", "path": "mine.csv", "threshold": 4}
    path.write_text(yaml.safe_dump({"dataset_catalogue": {"yelp": entry}}))
    assert main(["datasets", "--configfile", str(path)]) == 0
    [row] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("yelp")]
    assert "1,326,101" not in row
