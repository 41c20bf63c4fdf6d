"""A small dataset under every protocol that comes with the project: its splits, exported."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from rankassay.artifacts.arrays import Ratings, read_held_out, read_matrix
from rankassay.artifacts.tables import read_table

ROOT = Path(__file__).parents[2]
PROTOCOLS = yaml.safe_load((ROOT / "config/protocols.yaml").read_text())["protocol_catalogue"]
# Of what is filtered after the split: not one of those that come with the project.
FILTER = [{"kind": "k_core", "items": 3}, {"kind": "least_rating", "rating": 2, "when": "after"}]
EXPORTED = "global-time-first"


@pytest.fixture(scope="module")
def folder(tmp_path_factory, snakemake):
    """Return the folder of a run of all splits."""
    folder = tmp_path_factory.mktemp("protocols")
    config = {
        "datasets": ["tiny", *PROTOCOLS, "both"],
        "variants": {
            name: {"of": "tiny", "label": name, "protocol": name} for name in (*PROTOCOLS, "both")
        },
        "protocol_catalogue": {
            "both": {"label": "Both", "split": {"method": "folds", "folds": 3}, "filter": FILTER}
        },
    }
    config["variants"]["both"]["fold"] = 3
    (folder / "mine.yaml").write_text(json.dumps(config))
    files = ("--configfile", ROOT / "config/test.yaml", folder / "mine.yaml")
    splits = [f"results/{name}/split/leakage.csv" for name in config["datasets"]]
    exports = [f"results/{EXPORTED}/trec/{name}" for name in ("train.csv", "qrels.txt")]
    process = snakemake(folder, "--cores", 2, *files, "--", *splits, *exports)
    assert process.returncode == 0, process.stderr + process.stdout
    return folder


def parts(folder, name):
    place = folder / f"results/{name}/split"
    return read_matrix(place / "train.npz"), read_matrix(place / "test.npz")


@pytest.mark.parametrize("name", [*PROTOCOLS, "both"])
def test_the_parts_are_disjoint_and_counted(folder, name):
    train, test = parts(folder, name)
    assert train.multiply(test).nnz == 0
    assert min(train.nnz, test.nnz) > 0
    summary = read_table(folder / f"results/{name}/split/summary.csv")
    assert summary["ratings"].tolist() == [train.nnz, test.nnz]
    held_out = read_held_out(folder / f"results/{name}/split/train.npz")
    assert (held_out is None) == (name != "hold-out-users")
    removed = read_table(folder / f"results/{name}/split/filter.csv")
    assert (len(removed) == 1) == (name not in ("five-core", "least-rating-4", "both"))


def test_each_protocol_has_its_own_split(folder):
    names = [name for name in PROTOCOLS if name != "random-80-20"]
    found = {name: parts(folder, name)[1] for name in (*names, "tiny", "both")}
    digests = {(matrix.shape, matrix.indices.tobytes()) for matrix in found.values()}
    assert len(digests) == len(found)
    assert (parts(folder, "random-80-20")[1] != found["tiny"]).nnz == 0


def test_a_filter_after_the_split_is_one_of_training(folder):
    train, test = parts(folder, "both")
    assert train.data.min() == 2
    assert test.data.min() == 1
    table = read_table(folder / "results/both/split/filter.csv")
    assert table["part"].tolist() == ["all", "all", "train", "train", "test"]


def test_the_export_is_the_split_with_its_times(folder):
    ratings = Ratings.load(folder / "data/processed/tiny/ratings.npz")
    keys = zip(ratings.user_ids[ratings.user], ratings.item_ids[ratings.item], strict=True)
    times = dict(zip(keys, ratings.timestamp, strict=True))
    train = pd.read_csv(
        folder / f"results/{EXPORTED}/trec/train.csv", dtype={"user": str, "item": str}
    )
    known, tested = parts(folder, EXPORTED)
    assert len(train) == known.nnz
    own = [times[pair] for pair in zip(train["user"], train["item"], strict=True)]
    assert train["timestamp"].tolist() == own
    names = ["user", "iter", "item", "rating"]
    path = folder / f"results/{EXPORTED}/trec/qrels.txt"
    qrels = pd.read_csv(path, sep=" ", names=names, dtype=str)
    assert len(qrels) == tested.nnz
    assert min(times[pair] for pair in zip(qrels["user"], qrels["item"], strict=True)) > max(own)
    assert np.bincount(tested.tocoo().row).max() == 1
