"""Command: write small synthetic judgements, runs and training ratings, to try commands on."""

import argparse
import sys
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import Ratings
from rankassay.artifacts.files import write_lines
from rankassay.cli.arguments import add_manual, program
from rankassay.data import inputs
from rankassay.data.parts import split
from rankassay.data.synthetic import generate
from rankassay.data.tables import SYNTHETIC
from rankassay.data.trec import judgements, lists, write_qrels, write_run
from rankassay.errors import RankassayError
from rankassay.lookup import load
from rankassay.recommenders.catalogue import recommender
from rankassay.recommenders.rank import rank
from rankassay.seeds import derive

DESCRIPTION = """\
Write small synthetic data: judgements (qrels.txt), the lists of four recommenders (*.run), and the
ratings that these learned from (train.csv). Users and items are simulated, as their ids say; no
conclusion about real recommenders can be drawn from them.
"""

EPILOG = """\
examples:
  python -m rankassay demo-data demo
  python -m rankassay judge demo/qrels.txt demo/*.run --train demo/train.csv
"""

FOLDER = "demo"
SIZE = {"users": 400, "items": 400, "ratings": 30_000, "gini": 0.6}
TEST_FRACTION, DEPTH = 0.3, 50
SYSTEMS = {
    "popularity": ("popularity", {}),
    "user-knn": ("user-knn", {"neighbours": 50}),
    "puresvd": ("puresvd", {"factors": 20}),
    "ease": ("ease", {"regularization": 50}),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_manual(parser, DESCRIPTION, EPILOG)
    parser.add_argument(
        "folder", nargs="?", default=FOLDER, help=f"where to write ({FOLDER} if not given)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the data (0)")


def run(options: argparse.Namespace) -> None:
    """Write the files, and print what to do with them."""
    seed = inputs.whole("seed", options.seed)
    folder = Path(options.folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RankassayError(
            f"{folder}: expected an empty folder or a new one, found files; name another."
        )
    folder.mkdir(parents=True, exist_ok=True)
    write(folder, seed)
    files = ", ".join(sorted(path.name for path in folder.iterdir()))
    print(f"synthetic data in {folder}: {files}", file=sys.stderr)
    print(f"{program()} judge {folder}/qrels.txt {folder}/*.run --train {folder}/train.csv")


def write(folder: Path, seed: int) -> None:
    """Write judgements, training ratings and runs; the same seed gives the same bytes."""
    ratings = generate(**SIZE, seed=seed)
    users, items = (
        np.array([f"{SYNTHETIC}{own}" for own in ids], dtype=object)
        for ids in (ratings.user_ids, ratings.item_ids)
    )
    train, test = split(_matrix(ratings), TEST_FRACTION, "floor", derive(seed, "demo-data"))
    write_qrels(judgements(test, users, items), folder / "qrels.txt")
    trained = judgements(train, users, items).to_csv(index=False, lineterminator="\n")
    write_lines([trained], folder / "train.csv")
    for name, (method, settings) in SYSTEMS.items():
        model = load(recommender(method))(**settings)
        model.fit(train, derive(seed, "demo-data", name))
        ranking = rank(model, train, test, DEPTH)
        write_run(lists(ranking, users, items), folder / f"{name}.run", f"{SYNTHETIC}{name}")


def _matrix(ratings: Ratings) -> sp.csr_matrix:
    shape = (len(ratings.user_ids), len(ratings.item_ids))
    return sp.csr_matrix((ratings.rating, (ratings.user, ratings.item)), shape)
