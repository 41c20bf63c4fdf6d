"""Configurations of clicks without ratings and counts of plays: what is refused, in one line."""

from pathlib import Path

import pytest
import yaml
from snakemake.utils import update_config

from rankassay.config.check import validate
from rankassay.errors import RankassayError

ROOT = Path(__file__).parents[1]
CONFIG = """
datasets: [clicks, plays]
dataset_catalogue:
  clicks: { kind: file, path: clicks.csv, columns: { user: user, item: item, rating: null } }
  plays: { kind: file, path: plays.csv, feedback: implicit, threshold: 3 }
recommenders: [random, svd, average-rating, puresvd]
recommender_catalogue: { puresvd: { settings: { factors: 3 } } }
metrics: { names: [P, R, nDCG, "nDCG(gain='exp')", Bpref, infAP] }
"""


@pytest.fixture
def config():
    shipped = {}
    for name in ("config", "datasets", "recommenders"):
        update_config(shipped, yaml.safe_load((ROOT / f"config/{name}.yaml").read_text()))
    update_config(shipped, yaml.safe_load(CONFIG))
    return shipped


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scale": [1, 5]}, "the key 'scale' has no place with implicit feedback"),
        ({"threshold": 2}, "every line counts 1, and nothing reaches 2"),
        ({"threshold": 0}, "expected a count above 0 of implicit feedback, found 0"),
        ({"feedback": "explicit", "threshold": 1}, "expected implicit where lines are without"),
        ({"feedback": "guessed"}, "expected 'explicit' or 'implicit'"),
    ],
)
def test_what_feedback_has_not_is_explained_in_one_line(config, change, message):
    config["dataset_catalogue"]["clicks"].update(change)
    with pytest.raises(RankassayError, match=message) as raised:
        validate(config)
    assert "dataset_catalogue.clicks" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_too_few_recommenders_are_left(config, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("clicks", "plays"):
        (tmp_path / f"{name}.csv").write_text("")
    validate(config)
    config["recommenders"] = ["random", "svd"]
    message = r"expected at least 2 of them that 'clicks' suits, .* found \['random'\]"
    with pytest.raises(RankassayError, match=message):
        validate(config)


@pytest.mark.slow
@pytest.mark.parametrize("by_protocol", [False, True])
def test_who_cannot_serve_users_held_out_is_named(config, tmp_path, monkeypatch, by_protocol):
    monkeypatch.chdir(tmp_path)
    for name in ("clicks", "plays"):
        (tmp_path / f"{name}.csv").write_text("")
    split = {"method": "hold_out_users"}
    if by_protocol:
        config["protocol_catalogue"] = {"cold": {"label": "Cold", "split": split}}
        config["variants"] |= {"cold": {"of": "clicks", "label": "Cold", "protocol": "cold"}}
        config["datasets"] = ["clicks", "cold"]
    else:
        config["split"] = split
    validate(config)
    config["recommenders"] = ["random", "bprmf"]
    of = "cold" if by_protocol else "clicks"
    message = f"recommenders: bprmf cannot serve users whom it did not learn from, .* '{of}'"
    with pytest.raises(RankassayError, match=message):
        validate(config)
