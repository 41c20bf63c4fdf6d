"""Clicks without ratings, and counts of plays, from their files to the results of a study."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from snakemake.utils import update_config

from assayer.artifacts.arrays import Scores, read_matrix
from assayer.config.check import validate
from assayer.errors import AssayerError

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
RESULTS = (
    *(f"results/{name}/scores.npz" for name in ("clicks", "plays")),
    *(f"results/{name}/robustness/metric-correlation.csv" for name in ("clicks", "plays")),
)
N_USERS, N_ITEMS = 40, 25


@pytest.fixture(scope="module")
def run(tmp_path_factory, snakemake):
    """Return the folder of a run, and what it said."""
    folder = tmp_path_factory.mktemp("implicit")
    rng = np.random.default_rng(2)
    used = rng.random((N_USERS, N_ITEMS)) < np.linspace(0.8, 0.2, N_ITEMS)
    user, item = np.nonzero(used)
    table = pd.DataFrame({"user": user, "item": item})
    table.to_csv(folder / "clicks.csv", index=False)
    table.assign(rating=rng.zipf(1.7, len(user)).clip(1, 500)).to_csv(
        folder / "plays.csv", index=False
    )
    (folder / "mine.yaml").write_text(CONFIG)
    words = ("--cores", 1, "--configfile", folder / "mine.yaml", "--", *RESULTS)
    process = snakemake(folder, *words)
    assert process.returncode == 0, process.stderr
    return folder, process.stdout + process.stderr


def test_recommenders_of_ratings_are_left_out_with_a_line(run):
    folder, said = run
    assert "as it has no ratings, which they predict: svd, average-rating" in said
    for name in ("clicks", "plays"):
        systems = Scores.load(folder / f"results/{name}/scores.npz").systems
        assert list(systems) == ["Random", "PureSVD"]


def test_gains_are_binary_and_training_has_the_counts(run):
    folder, _ = run
    for name, threshold in (("clicks", 1), ("plays", 3)):
        table = pd.read_csv(folder / f"{name}.csv").assign(clicks=1)
        counts = table.set_index(["user", "item"])["clicks" if name == "clicks" else "rating"]
        split = folder / f"results/{name}/split"
        train, test = (read_matrix(split / f"{part}.npz") for part in ("train", "test"))
        test = test.tocoo()
        expected = [counts[pair] >= threshold for pair in zip(test.row, test.col, strict=True)]
        np.testing.assert_array_equal(test.data, expected)
        train = train.tocoo()
        np.testing.assert_array_equal(
            train.data, [counts[pair] for pair in zip(train.row, train.col, strict=True)]
        )


def test_values_are_finite_and_bpref_is_recall_where_all_is_relevant(run):
    folder, _ = run
    scores = Scores.load(folder / "results/clicks/scores.npz")
    by_name = dict(zip(scores.measures, np.moveaxis(scores.values, 2, 0), strict=True))
    np.testing.assert_allclose(by_name["Bpref@10"], by_name["R@10"])
    plays = Scores.load(folder / "results/plays/scores.npz")
    # A gain of 2^r - 1 would be infinite of counts.
    assert plays.values[np.isfinite(plays.values)].max() <= 1 + 1e-12


@pytest.fixture
def config():
    shipped = {}
    for name in ("config", "datasets", "recommenders"):
        update_config(shipped, yaml.safe_load((ROOT / f"config/{name}.yaml").read_text()))
    update_config(shipped, yaml.safe_load(CONFIG))
    return shipped


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scale": [1, 5]}, "the key 'scale' has no place with implicit feedback"),
        ({"threshold": 2}, "every line counts 1, and nothing reaches 2"),
        ({"threshold": 0}, "expected a count above 0 of implicit feedback, found 0"),
        ({"feedback": "explicit", "threshold": 1}, "expected implicit where lines are without"),
        ({"feedback": "guessed"}, "expected 'explicit' or 'implicit'"),
        ({"columns": None}, "the key 'threshold' is missing"),
    ],
)
def test_what_feedback_has_not_is_explained_in_one_line(config, change, message):
    config["dataset_catalogue"]["clicks"].update(change)
    with pytest.raises(AssayerError, match=message) as raised:
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
    with pytest.raises(AssayerError, match=message):
        validate(config)


@pytest.mark.parametrize("by_protocol", [False, True])
def test_who_cannot_serve_users_held_out_is_named(config, tmp_path, monkeypatch, by_protocol):
    monkeypatch.chdir(tmp_path)
    for name in ("clicks", "plays"):
        (tmp_path / f"{name}.csv").write_text("")
    split = {"method": "hold_out_users"}
    if by_protocol:
        config["protocol_catalogue"] = {"cold": {"label": "Cold", "split": split}}
        config["variants"] = {"cold": {"of": "clicks", "label": "Cold", "protocol": "cold"}}
        config["datasets"] = ["clicks", "cold"]
    else:
        config["split"] = split
    validate(config)
    config["recommenders"] = ["random", "bprmf"]
    of = "cold" if by_protocol else "clicks"
    message = f"recommenders: bprmf cannot serve users whom it did not learn from, .* '{of}'"
    with pytest.raises(AssayerError, match=message):
        validate(config)
