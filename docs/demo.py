"""The answers of `rankassay judge` on synthetic data, as pages show them.

Those of `rankassay demo-data`, and of its likes alone; and one of a simulated world in which items
at random were judged, too.
"""

import functools
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

import rankassay
from rankassay.advice import words
from rankassay.cli.demo_data import write
from rankassay.data.parts import split_as_given
from rankassay.errors import RankassayError, one_of
from rankassay.recommenders.rank import rank
from rankassay.seeds import derive, generator
from rankassay.studies.validity import kinds
from rankassay.studies.validity.kinds import MIXED, fitted
from rankassay.studies.validity.worlds import RELEVANT

SEED = 0  # the command's default
# The world with a truth: its size, which ratings are seen, and the runs.
USERS, ITEMS, LIKED, DENSITY, TEST, DEPTH = 500, 300, 0.2, 0.1, 0.3, 50
JUDGED = 20  # items at random by user
RUNS = ("Popularity", "User kNN", "Item kNN", "EASE", "PureSVD, 16 factors", "WRMF", "SVD")


def found(which: str = "train") -> Mapping[str, Any]:
    """Return the advice, as `rankassay.advice.findings.Findings.to_dict` does."""
    one_of("answer", which, [*ANSWERS, "truth"])
    return _found(which)


@functools.cache
def _found(which: str) -> Mapping[str, Any]:
    if which == "truth":
        return _with_truth()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, SEED)
        runs = {path.stem: path for path in sorted(folder.glob("*.run"))}
        return ANSWERS[which](folder, runs)


def _trained(folder: Path, runs: Mapping[str, Path]) -> Mapping[str, Any]:
    return rankassay.judge(folder / "qrels.txt", runs, folder / "train.csv").to_dict()


def _likes(folder: Path, runs: Mapping[str, Path]) -> Mapping[str, Any]:
    """Return the advice where likes alone are known."""
    qrels = pd.read_csv(folder / "qrels.txt", sep=" ", header=None, usecols=[0, 2, 3])
    qrels.columns = ["user", "item", "rating"]
    train = pd.read_csv(folder / "train.csv")
    liked = [own[own["rating"] >= RELEVANT].assign(rating=1) for own in (qrels, train)]
    return rankassay.judge(liked[0], runs, liked[1]).to_dict()


ANSWERS = {"train": _trained, "likes": _likes}


def _with_truth() -> Mapping[str, Any]:
    """Return the advice with judgements of items at random, in a world with seven runs."""
    users = kinds.users_of(USERS, ITEMS, LIKED, SEED, "pages")
    drive = kinds.KIND["base"].drive(users, DENSITY, SEED, ("pages",))
    rng = generator(SEED, "pages: seen")
    seen = rng.random(drive.shape) < kinds.propensity_of(drive, DENSITY)
    ratings = sp.csr_matrix(np.where(seen, users.rating, np.float32(0)))
    train, test = split_as_given(ratings, rng.random(ratings.nnz) < TEST)
    lists = {}
    for name in RUNS:
        model = fitted(MIXED[name], train, derive(SEED, "pages", name))
        items = rank(model, train, test, DEPTH, "all_items").items[:, :DEPTH]
        lists[name] = {f"u{u}": [f"i{i}" for i in own if i >= 0] for u, own in enumerate(items)}
    shown = rng.permuted(np.tile(np.arange(ITEMS), (USERS, 1)), axis=1)[:, :JUDGED]
    truth = sp.csr_matrix(
        (
            np.take_along_axis(users.rating, shown, 1).ravel(),
            shown.ravel(),
            np.arange(USERS + 1) * JUDGED,
        ),
        (USERS, ITEMS),
    )
    return rankassay.judge(_rows(test), lists, _rows(train), _rows(truth)).to_dict()


def _rows(ratings: sp.csr_matrix) -> pd.DataFrame:
    own = ratings.tocoo()
    users, items = (
        [f"{letter}{n}" for n in some] for letter, some in (("u", own.row), ("i", own.col))
    )
    return pd.DataFrame({"user": users, "item": items, "rating": own.data})


def answer(which: str = "train", start: str = "", end: str = "") -> str:
    """Return the answer as the terminal shows it, from the line that begins with a text to another.

    Raises RankassayError where no line begins with it.
    """
    lines = words.screen(found(which))
    places = [0, len(lines)]
    for n, text in enumerate((start, end)):
        if text:
            starts = [m for m, line in enumerate(lines) if line.strip().startswith(text)]
            if not starts:
                raise RankassayError(f"expected a line with {text} in the answer, found none.")
            places[n] = starts[0]
    return "\n".join(lines[places[0] : places[1]]).strip()


def screen(which: str = "train", start: str = "", end: str = "") -> str:
    """Return the answer, or a part of it as `answer` does, as a block of a page."""
    return f"\n```text\n{answer(which, start, end)}\n```\n"


HELPERS = {"found": found, "screen": screen}
