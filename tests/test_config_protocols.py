"""Mistakes in what a configuration says of protocols end in one line, before any job."""

import datetime
from pathlib import Path

import pytest
import yaml
from snakemake.utils import update_config

from rankassay.config.check import filled, validate
from rankassay.config.protocols import method
from rankassay.errors import RankassayError

ROOT = Path(__file__).parents[1]
PLAIN = {"kind": "file", "threshold": 4}


@pytest.fixture(scope="module")
def shipped():
    config = {}
    for name in ("config", "datasets", "protocols", "recommenders", "tuning"):
        update_config(config, yaml.safe_load((ROOT / f"config/{name}.yaml").read_text()))
    return config


@pytest.fixture
def mine(shipped, tmp_path):
    """Return a function that makes a configuration of one dataset and a variant of it."""
    path = tmp_path / "mine.csv"
    path.write_text("")

    def make(entry=(), variant=None, **more):
        own = PLAIN | {"path": str(path)} | dict(entry)
        own = {key: value for key, value in own.items() if value is not None}
        catalogue = shipped["dataset_catalogue"] | {"mine": own}
        variants = {"again": {"of": "mine", "label": "again"} | variant} if variant else {}
        names = ["mine", *variants]
        return (
            shipped
            | {"dataset_catalogue": catalogue, "variants": shipped["variants"] | variants}
            | {
                "datasets": names,
                "recommenders": ["random", "popularity"],  # which serve users who are held out
                **more,
            }
        )

    return make


TIMED = {"columns": {"user": "u", "item": "i", "rating": "r", "timestamp": "t"}}


@pytest.mark.slow
def test_every_protocol_that_comes_with_the_project_is_sound(mine, shipped):
    for name in shipped["protocol_catalogue"]:
        config = validate(mine(TIMED, {"protocol": name}))
        assert config["protocol_catalogue"][name]["split"]["method"]
    assert config["split"] == {"method": "random", "test_fraction": 0.2, "rounding": "floor"}


def test_a_split_without_a_method_is_random():
    config = filled({"split": {"test_fraction": 0.3, "rounding": "nearest"}})
    assert config["split"] == {"method": "random", "test_fraction": 0.3, "rounding": "nearest"}
    assert method({}) == "random"


def test_what_is_filled_in_can_be_filled_again(shipped):
    for split in ({"method": "hold_out_users", "last": 2}, {"method": "global_time", "share": 0.5}):
        once = filled(shipped | {"split": split})
        assert filled(once) == once


@pytest.mark.parametrize(
    "point",
    [
        *(981158400, "2001-02-03", "2001-02-03T01:00+01:00"),
        *(datetime.date(2001, 2, 3), datetime.datetime(2001, 2, 3)),
    ],
)
def test_a_point_in_time_is_a_number_or_a_date(point):
    config = filled({"split": {"method": "global_time", "point": point}})
    assert config["split"]["point"] == 981158400


@pytest.mark.slow
@pytest.mark.parametrize(
    ("split", "said"),
    [
        ({"method": "fold"}, "split: expected the method to be one of .*, found 'fold'"),
        ({"method": ["random"]}, "found '\\['random'\\]'"),
        ({"method": "folds", "n": 3}, "split: unknown key 'n'. Known: method, folds, unit"),
        ({"method": "folds", "fods": 3}, "unknown key 'fods'; did you mean 'folds'"),
        ({"method": "folds", "folds": 1}, "split.folds: expected greater than or equal to 2"),
        ({"method": "leave_last", "n": 0}, "split.n: expected .* 1, found 0"),
        ({"method": "temporal_share", "rounding": "flor"}, "did you mean 'floor'"),
        ({"test_fraction": 1}, "split.test_fraction: expected less than 1, found 1"),
        ({"method": "global_time"}, "split: expected either a point in time, or a share"),
        ({"method": "global_time", "share": 0.5, "point": 3}, "expected either a point in time"),
        ({"method": "global_time", "point": "soon"}, "seconds since 1970, or a date .* 'soon'"),
        ({"method": "global_time", "point": "20011231"}, "seconds since 1970, or a date"),
        ({"method": "global_time", "point": "2001-W01"}, "seconds since 1970, or a date"),
        (
            {"method": "hold_out_users", "last": 2, "test_fraction": 0.1},
            "'test_fraction' and 'rounding' have no place with 'last'",
        ),
        (3, "split: expected keys and their values, found 3"),
    ],
)
def test_mistakes_in_a_split(shipped, split, said):
    with pytest.raises(RankassayError, match=said) as error:
        filled(shipped | {"split": split})
    assert str(error.value).startswith("config: split")
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"kind": "kcore"}, r"filter\[0\]: expected the kind to be one of .* found 'kcore'"),
        ({"users": 5}, r"filter\[0\]: the key 'kind' is missing"),
        ({"kind": "k_core"}, "the fewest ratings of users, of items, or of both"),
        ({"kind": "k_core", "users": 5, "itms": 5}, "unknown key 'itms'; did you mean 'items'"),
        ({"kind": "least_rating"}, "the key 'rating' is missing"),
        ({"kind": "window"}, "expected from, to, or both"),
        ({"kind": "window", "from": "2002-01-01", "to": "2001-01-01"}, "from to be before to"),
        ({"kind": "sample_users", "users": 5, "share": 0.5}, "either a number of users, or a sha"),
        ({"kind": "sample_users"}, "either a number of users, or a share"),
        ({"kind": "least_rating", "rating": 4, "when": "later"}, "'before' or 'after'"),
    ],
)
def test_mistakes_in_a_filter(shipped, step, said):
    with pytest.raises(RankassayError, match=said):
        filled(shipped | {"filter": [step]})


def test_names_of_protocols_and_numbers_of_folds_are_checked(mine):
    validate(mine(TIMED, {"protocol": "five-folds", "fold": 5}))
    for variant, said in (
        (
            {"protocol": "five-fold"},
            "variants.again.protocol: unknown protocol 'five-fold'; did yo",
        ),
        (
            {"protocol": "five-folds", "fold": 6},
            "variants.again.fold: expected 1 to 5, the folds of protocol_catalogue.five-folds.split"
            ", found 6",
        ),
        ({"protocol": "random-80-20", "fold": 1}, "expected no fold, as there is none of protocol"),
        ({"fold": 2}, "variants.again.fold: expected no fold, as there is none of split, found 2"),
    ):
        with pytest.raises(RankassayError, match=said):
            validate(mine(TIMED, variant))


LAST = {"method": "leave_last"}
TIMELESS = [
    {},
    {"columns": {"user": 0, "item": 1, "rating": 2}},
    {"format": "matrix"},
]


@pytest.mark.slow
@pytest.mark.parametrize("entry", TIMELESS)
def test_what_needs_times_is_refused_where_the_entry_says_of_none(mine, entry):
    needing = ("leave-last-one", "temporal-80-20", "global-time-80-20", "global-time-last")
    for name in needing:
        said = f"config: protocol_catalogue.{name}.split.method: .* needs timestamps, which 'mine'"
        with pytest.raises(RankassayError, match=said):
            validate(mine(entry, {"protocol": name}))
        validate(mine(TIMED, {"protocol": name}))
    for name in ("five-folds", "hold-out-users", "five-core"):
        validate(mine(entry, {"protocol": name}))
    window = {"kind": "window", "from": 1}
    wrong = ({"split": LAST}, {"filter": [window]})
    for more in (*wrong, {"split": {"method": "hold_out_users", "last": 1}}):
        with pytest.raises(RankassayError, match=r"config: (split|filter\[0\]).* needs timestamps"):
            validate(mine(entry, **more))


def test_a_filter_by_ratings_has_no_place_where_a_truth_is_set_aside(mine):
    least = {"kind": "least_rating", "rating": 3, "when": "after"}
    core = {"kind": "k_core", "users": 2, "when": "after"}
    aside = {"truth": {"design": "set-aside"}}
    with pytest.raises(
        RankassayError, match=r"set aside as the truth, .* remove the step least_rat"
    ):
        validate(mine(aside, filter=[least]))
    validate(mine(aside, filter=[core]))
    validate(mine({}, filter=[least]))


def test_users_are_held_out_where_random_judgements_say_what_was_known(mine):
    known, split = {"truth": {"known": "known"}}, {"method": "hold_out_users"}
    with pytest.raises(RankassayError, match="bprmf cannot serve users whom it did not learn from"):
        validate(mine(known, split=split, recommenders=["random", "bprmf"]))
    validate(mine(known, {"protocol": "hold-out-users"}))


def test_data_that_comes_split_has_no_protocol(mine):
    entry = {"kind": "qrels"}
    config = mine(entry, {"protocol": "five-folds"}, recommenders=[])
    with pytest.raises(RankassayError, match=r"again.protocol: 'mine' comes with its own test set"):
        validate(config)
