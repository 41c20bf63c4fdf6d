"""The configuration of the atlas is sound, and reads made-up lines of each of its files."""

from pathlib import Path

import pytest
import yaml

from rankassay.config import layers
from rankassay.config.check import validate
from rankassay.config.systems import made_on
from rankassay.data import judgements
from rankassay.data.download import fetch
from rankassay.data.entries import completed, is_implicit
from rankassay.data.reading import fetched, lines_of
from rankassay.errors import RankassayError

ROOT = Path(__file__).parents[3]
ATLAS = yaml.safe_load((ROOT / "config/atlas.yaml").read_text())
CATALOGUE = ATLAS["dataset_catalogue"]
OWN = {name: entry for name, entry in CATALOGUE.items() if "kind" in entry}

GRIDS = ATLAS["tuning"]["grids"]
WHOLE_GRIDS = ("ml-1m", "ml-100k")  # whose settings come from more points

# Of each dataset its files, and the rows that the ratings hold: user, item, rating.
SAMPLES = {
    "anime-sample": (
        {"anime.tsv": "User_ID\tAnime_ID\tFeedback\n11\t22\t8\n11\t33\t10\n"},
        [("11", "22", 8.0), ("11", "33", 10.0)],
    ),
    "book-crossing-sample": (
        {"book-crossing.tsv": "user\titem\trating\n11\t22\t7.000000\n"},
        [("11", "22", 7.0)],
    ),
    "librarything-fifth": (
        {"librarything-fifth.tsv": "11\t22\t10.0\n11\t33\t7.0\n"},
        [("11", "22", 5.0), ("11", "33", 3.5)],
    ),
    "steam-hours": (
        {"steam-hours.tsv": "User_ID\tGame_ID\tHours\n11\t22\t273.0\n11\t22\t0.1\n"},
        [("11", "22", 273.0), ("11", "22", 0.1)],
    ),
    "retailrocket-views": (
        {"retailrocket-views.tsv": "visitorid\titemid\tevent\n11\t22\t1\n"},
        [("11", "22", 1.0)],
    ),
    "lastfm": (
        {"lastfm-test.tsv": "11\t22\t34.0\t5\n", "lastfm-train.tsv": "11\t33\t12643.0\t5\n"},
        [("11", "22", 1.0)],
    ),
    "facebook-books": ({"facebook-books.tsv": "11\t22\t1.0\n"}, [("11", "22", 1.0)]),
}


def shipped():
    """Return the configuration of the atlas as a run has it, behind the shipped files."""
    own = yaml.safe_load((ROOT / "config/atlas.yaml").read_text())
    return layers.whole(layers.shipped(ROOT), own)


def written(tmp_path, files):
    folder = tmp_path / "atlas"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_text(content)


def rows(table):
    rating = table["rating"].round(4)
    return list(zip(table["user"].astype(str), table["item"].astype(str), rating, strict=True))


@pytest.mark.slow
def test_the_configuration_is_sound():
    config = validate(shipped())
    assert config["datasets"] == ATLAS["datasets"]
    assert {*OWN} <= {*config["datasets"]}


@pytest.mark.slow
def test_a_misspelt_setting_is_refused():
    config = shipped()
    config["dataset_catalogue"]["lastfm"]["treshold"] = 1
    with pytest.raises(RankassayError, match=r"dataset_catalogue\.lastfm.*'treshold'"):
        validate(config)


@pytest.mark.slow
@pytest.mark.parametrize("name", ATLAS["datasets"])
def test_a_dataset_has_settings_chosen_by_validation(name):
    config = validate(shipped())
    variant = config["variants"][f"{name}-tuned"]
    assert (variant["of"], variant["claims"]) == (name, ["robustness"])
    chosen = {
        recommender: entry["datasets"][f"{name}-tuned"]
        for recommender, entry in config["recommender_catalogue"].items()
        if f"{name}-tuned" in entry.get("datasets", {})
    }
    assert {*chosen} == {*made_on(config, name)} & {*GRIDS}
    if name not in WHOLE_GRIDS:
        for recommender, point in chosen.items():
            assert point.keys() == GRIDS[recommender].keys()
            assert all(value in GRIDS[recommender][key] for key, value in point.items())


def test_each_dataset_says_its_terms_and_where_it_comes_from():
    assert {*SAMPLES} == {*OWN}
    for entry in OWN.values():
        assert entry["licence"]
        assert entry["page"].startswith(("http://", "https://"))
    asked = [entry["claims_of"] for entry in CATALOGUE.values()]
    assert asked == [["ml-1m", "librarything", "beeradvocate"]] * len(ATLAS["datasets"])


@pytest.mark.parametrize("name", SAMPLES)
def test_a_few_lines_in_the_form_of_a_dataset(tmp_path, name):
    files, expected = SAMPLES[name]
    written(tmp_path, files)
    entry = completed(name, OWN[name])
    path = fetched(fetch(name, entry, tmp_path), "ratings")
    qrels = entry["kind"] == "qrels"
    table = judgements.read(path, entry) if qrels else lines_of(path, entry)
    assert rows(table) == expected
    assert is_implicit(entry) == ("scale" not in entry)


def test_the_training_ratings_of_a_given_split_are_found_beside_it(tmp_path):
    written(tmp_path, SAMPLES["lastfm"][0])
    entry = completed("lastfm", OWN["lastfm"])
    path = fetched(fetch("lastfm", entry, tmp_path), "train")
    assert rows(judgements.read(path, entry)) == [("11", "33", 1.0)]


@pytest.mark.parametrize(
    ("name", "file"), [(name, file) for name, (files, _) in SAMPLES.items() for file in files]
)
def test_one_line_names_a_missing_file_and_where_it_comes_from(tmp_path, name, file):
    written(tmp_path, {key: own for key, own in SAMPLES[name][0].items() if key != file})
    with pytest.raises(RankassayError) as raised:
        fetch(name, completed(name, OWN[name]), tmp_path)
    message = str(raised.value)
    assert "\n" not in message
    assert f"by hand from {OWN[name]['page']}" in message
    assert f"put it at {tmp_path / 'atlas' / file}." in message
