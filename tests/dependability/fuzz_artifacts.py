"""Flip bits in artifacts: `python tests/dependability/fuzz_artifacts.py [CASES] [SEED]`.

Every file of a job is written, then one bit of it flips, or bytes are lost, added or swapped with
those of another file. Its reader must refuse it in one line. Where the record of its checksum is
gone, too, it may be read, but what kernels then index by must lie inside of their arrays.
"""

import random
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import (
    Rankings,
    Ratings,
    Replicates,
    Scores,
    read_matrix,
    write_matrix,
)
from rankassay.artifacts.files import atomic, read_json, read_text, record_of, write_json
from rankassay.artifacts.mapped import map_matrix
from rankassay.artifacts.models import about, read_model, write_model
from rankassay.artifacts.shards import join_tables
from rankassay.artifacts.tables import read_table, write_table
from rankassay.errors import RankassayError
from rankassay.lookup import load
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.recommenders.catalogue import recommender
from rankassay.recommenders.rank import rank

N_USERS, N_ITEMS = 12, 20
# Recommenders whose kernels index by what was learned: matrices, rows in tuples, and neighbours.
METHODS = ("item-knn", "rm1", "nncosngbr-ib", "uir-item")


def fresh(method):
    """Return a recommender that has learned nothing, and its settings."""
    model = load(recommender(method))()
    return model, {**vars(model)}


def made(folder):
    """Write one artifact of each kind; return its path and reader by kind."""
    rng = np.random.default_rng(0)
    matrix = sp.random(N_USERS, N_ITEMS, 0.4, "csr", np.float32, rng)
    matrix.data = np.ceil(5 * matrix.data)
    user, item = (index.astype(np.int32) for index in matrix.nonzero())
    ids = [np.array([f"{kind}{i}" for i in range(n)]) for kind, n in (("u", 12), ("i", 20))]
    ratings = Ratings(user, item, matrix.data, *ids, timestamp=np.arange(matrix.nnz))
    lists = np.argsort(rng.random((N_USERS, N_ITEMS)))[:, :5].astype(np.int32)
    ranks = rng.integers(0, 9, matrix.nnz).astype(np.int32)
    count = np.full(N_USERS, N_ITEMS, dtype=np.int32)
    values = rng.random((N_USERS, 3, 4))
    names = np.array(["P@5", "P@10", "RR@5", "RR@10"])
    table = pd.DataFrame({"metric": ["P", "RR"], "tau": [0.25, 0.5]})
    write_matrix(matrix, folder / "test.npz")
    write_matrix(matrix, folder / "mapped.npz")
    ratings.save(folder / "ratings.npz")
    Rankings(lists, ranks, count, count).save(folder / "rankings.npz")
    Scores(values, np.arange(N_USERS, dtype=np.int32), np.array([*"abc"]), names).save(
        folder / "scores.npz"
    )
    Replicates(np.array("tau"), rng.random((2, 40))).save(folder / "replicates.npz")
    for method in METHODS:
        model, settings = fresh(method)
        learned = vars(model.fit(matrix, 0)).items()
        kept = {name: value for name, value in learned if name not in settings}
        write_model(kept, folder / f"{method}.npz", about(method, {}, matrix))
    write_table(table, folder / "table.csv")
    write_table(table, folder / "part.csv")
    write_json({"a": [1, 2], "b": {"c": "text"}}, folder / "record.json")
    for name in ("figure.svg", "table.md"):
        with atomic(folder / name, "w") as file:
            file.write(f"<svg>{name}</svg>\n")
    return {
        "test.npz": used_as_judgements,
        "mapped.npz": lambda path: used(map_matrix(path)),
        "ratings.npz": lambda path: used(Ratings.load(path).matrix),
        "rankings.npz": used_as_lists,
        "scores.npz": lambda path: Scores.load(path).values.sum(),
        "replicates.npz": lambda path: Replicates.load(path).values.sum(),
        **{f"{method}.npz": used_to_rank for method in METHODS},
        "table.csv": read_table,
        "part.csv": lambda path: join_tables([path], path.with_name("joined.csv")),
        "record.json": read_json,
        "figure.svg": read_text,
        "table.md": read_text,
    }


def used(matrix):
    """Do with a matrix what kernels do: go through its rows, and index by its columns."""
    popularity = np.bincount(matrix.indices, minlength=matrix.shape[1])
    return (matrix @ popularity).sum()


def used_as_judgements(path):
    """Judge by a test matrix."""
    judgements = Judgements.of(read_matrix(path), 3)
    return judgements.ideal_rating.sum(), judgements.n_relevant


def used_as_lists(path):
    """Look lists up in the judgements that they were made for."""
    judgements = Judgements.of(read_matrix(path.with_name("whole.npz")), 3)
    return Lists.of(Rankings.load(path), judgements).ranks.sum()


def used_to_rank(path):
    """Rank all users by a model: kernels run over all that was learned."""
    matrix, (model, _) = read_matrix(path.with_name("whole.npz")), fresh(path.stem)
    vars(model).update(read_model(path, about(path.stem, {}, matrix)))
    return rank(model, matrix, matrix, 5).items.sum()


def damaged(content, rng, others):
    """Return the bytes of a file after a fault, and its name."""
    fault = rng.choice(["flip", "flip", "flip", "cut", "lost", "added", "zeros", "swapped"])
    content = bytearray(content)
    place = rng.randrange(len(content))
    if fault == "flip":
        content[place] ^= 1 << rng.randrange(8)
    elif fault == "cut":
        del content[place:]
    elif fault == "lost":
        del content[place]
    elif fault == "added":
        content.insert(place, rng.randrange(256))
    elif fault == "zeros":
        content[place : place + 512] = bytes(len(content[place : place + 512]))
    else:
        content = rng.choice(others)
    return bytes(content)


def fuzz(cases, seed=0):
    """Damage artifacts; return how many were refused, and how many were read without a record."""
    found = Counter()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        readers = made(folder)
        shutil.copy(folder / "test.npz", folder / "whole.npz")
        whole = {name: (folder / name).read_bytes() for name in readers}
        for case in range(cases):
            rng = random.Random(f"{seed} {case}")
            name = rng.choice([*readers])
            path, record = folder / name, record_of(folder / name)
            kept = record.read_bytes()
            others = [content for content in whole.values() if content != whole[name]]
            changed = damaged(whole[name], rng, others)
            path.write_bytes(changed)
            recorded = rng.random() < 0.8
            if not recorded:
                record.unlink()
            try:
                readers[name](path)
                accepted = changed != whole[name]
                assert not (recorded and accepted), f"case {case}, seed {seed}: {name} was read"
                found["read without a record" if accepted else "the same bytes"] += 1
            except RankassayError as error:
                found["refused"] += len(str(error).splitlines()) == 1
            path.write_bytes(whole[name])
            record.write_bytes(kept)
    assert sum(found.values()) == cases, found
    return found


def main(cases=2000, seed=0):
    """Damage artifacts and say what became of them."""
    print(f"artifacts: {cases} cases, {dict(fuzz(cases, seed))}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
