"""Splits and filters against those of Cornac, LensKit, RecBole, RecPack and RecTools.

tests/peers/record_splits.py recorded what the libraries do, on simulated ratings of which most
users have several of one time, and on MovieLens 100K, whose file u.data the variable ML_100K names.
"""

import csv
import hashlib
import json
import os
from pathlib import Path

import pandas as pd
import pytest
from pydantic import TypeAdapter

from rankassay.cli.job import do
from rankassay.config.protocols import Split
from rankassay.data.filters import filtered
from rankassay.data.parts import Parts, at_most, counts_of, latest
from rankassay.data.prepare import prepare, split_by
from rankassay.data.splits import cut

FOLDER = Path(__file__).parents[2] / "peers/splits"
NAMES = ["user", "item", "rating", "timestamp"]
ROWS = [row for path in sorted(FOLDER.glob("*.csv")) for row in csv.DictReader(path.open())]
# The data that are here: those of MovieLens may not be redistributed.
FILES = {"made-up": FOLDER / "made-up.tsv"}
if "ML_100K" in os.environ:
    FILES["ml-100k"] = Path(os.environ["ML_100K"])
HERE = [row for row in ROWS if row["data"] in FILES]
# Where which of two interactions of one time is the last decides.
BY_TIME = ("leave-last", "temporal-share", "global-time-last", "hold-out-users")


def differs(row):
    """Say why a library's pairs are others than ours, as docs/splits.md does; None if equal."""
    peer, case, order = row["peer"], row["case"], row["order"]
    tied = case.startswith(BY_TIME)
    if peer == "lenskit" and case == "temporal-share-0.25":
        return "rounds halves to even"
    if peer == "recbole" and case.startswith("global-time-share"):
        return "tears interactions of one time apart, or trains on those at the boundary"
    if peer == "rectools" and case in ("leave-last-1", "leave-last-5") and row["data"] == "ml-100k":
        return "leaves out test items without training"
    if tied and order == "file":
        return "goes by the order of the file where times are equal"
    if tied and order == "sorted" and peer in ("lenskit", "recpack"):
        return "sorts by a method that leaves equal times in any order"
    if tied and order == "sorted" and peer == "recbole" and row["data"] == "ml-100k":
        return "keeps times as float32, in steps of 64 seconds"
    return None


def ratings_of(path):
    """Return the ratings of a file."""
    table = pd.read_csv(path, sep="\t", names=NAMES)
    return prepare(table.astype({"user": "str", "item": "str", "rating": float}))


@pytest.fixture(scope="module")
def ratings():
    """Return the ratings by the name of their data."""
    return {name: ratings_of(path) for name, path in FILES.items()}


def digest(ratings, kept=slice(None)):
    """Return the SHA-256 of the pairs, as the recorder does."""
    users, items = ratings.user_ids[ratings.user[kept]], ratings.item_ids[ratings.item[kept]]
    lines = sorted(f"{user}\t{item}\n" for user, item in zip(users, items, strict=True))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def held_out(ratings, n):
    """Return the parts when every fifth user is held out, and the last n ratings are tested."""
    held = ratings.user % 5 == 0
    tested = latest(ratings, ratings.timestamp, at_most(n, counts_of(ratings)))
    return Parts(~held, held & tested, held & ~tested)


def parts_of(ratings, split):
    if "held" in split:
        return held_out(ratings, split["last"])
    return cut(ratings, TypeAdapter(Split).validate_python(split).model_dump(), seed=0)


def named(row):
    return "-".join(row[key] for key in ("data", "peer", "case", "order"))


@pytest.mark.parametrize("row", [row for row in HERE if row["split"]], ids=named)
def test_the_parts_are_those_of_the_library(row, ratings):
    data = ratings[row["data"]]
    parts = parts_of(data, json.loads(row["split"]))
    if differs(row):
        assert digest(data, parts.test) != row["test_sha256"], "the docs say that it differs"
        return
    assert parts.test.sum() == int(row["test"])
    assert digest(data, parts.train) == row["train_sha256"]
    assert digest(data, parts.test) == row["test_sha256"]


@pytest.mark.parametrize("row", [row for row in HERE if row["filter"]], ids=named)
def test_what_a_filter_leaves_is_what_the_library_leaves(row, ratings):
    smaller, table = filtered(ratings[row["data"]], json.loads(row["filter"]), seed=0)
    assert table["ratings"].iloc[-1] == int(row["train"])
    assert digest(smaller) == row["train_sha256"]


GIVEN = [row for row in ROWS if not (row["split"] or row["filter"]) and row["data"] == "made-up"]


@pytest.mark.slow
@pytest.mark.parametrize("row", GIVEN, ids=named)
def test_a_random_split_of_a_library_is_taken_over_as_it_is(row, ratings, tmp_path):
    """Its random numbers are its own: its test pairs are given, and come out again."""
    data = ratings["made-up"]
    pairs = pd.read_csv(
        FOLDER / f"given/{row['peer']}-{row['case']}.tsv", sep="\t", names=NAMES[:2], dtype=str
    )
    split_by(data, pairs).save(tmp_path / "ratings.npz")
    files = {name: tmp_path / name for name in ("summary", "leakage", "removed")}
    files |= {name: tmp_path / f"{name}.npz" for name in ("ratings", "train", "test")}
    do("split", files | {"split": {"method": "random"}, "fold": 1, "seed": 1})
    for part, form in (("train", ","), ("test", r"\s+")):
        output = tmp_path / f"{part}.out"
        do("export", {"ratings": files["ratings"], part: files[part], "output": output})
        columns = {0: "user", 1: "item"} if part == "train" else {0: "user", 2: "item"}
        table = pd.read_csv(
            output, sep=form, header=0 if part == "train" else None, dtype=str, engine="python"
        )
        table = table.iloc[:, [*columns]]
        lines = sorted(f"{user}\t{item}\n" for user, item in table.itertuples(index=False))
        assert len(lines) == int(row[part])
        assert hashlib.sha256("".join(lines).encode()).hexdigest() == row[f"{part}_sha256"]


def test_each_library_and_each_way_to_split_is_compared():
    equal = [row for row in ROWS if row["split"] and not differs(row)]
    methods = {json.loads(row["split"])["method"] for row in equal}
    assert methods == {"leave_last", "temporal_share", "global_time", "hold_out_users"}
    assert {row["peer"] for row in equal} == {"cornac", "lenskit", "recbole", "recpack", "rectools"}
    assert {row["data"] for row in equal} == {"made-up", "ml-100k"}
    assert len(GIVEN) >= 6
