"""The job of advice, on the files of a synthetic study."""

import json
from dataclasses import replace

import numpy as np
import pytest
from made_up import N_ITEMS, study

from rankassay.advice.advise import advise
from rankassay.advice.given import Settings
from rankassay.advice.of_split import given_of
from rankassay.advice.rule import PAPER
from rankassay.artifacts.arrays import Truth, write_matrix
from rankassay.cli.job import do
from rankassay.errors import RankassayError
from rankassay.jobs.advise import settings_of

EVALUATION = {"threshold": 4, "profile": "paper", "without_relevant": None}
EVALUATION |= {"metrics": [*PAPER], "cutoffs": [5, 10, 20, 100]}
ABOUT = {"dataset": "mine", "synthetic": True, "threshold_reason": "1 to 5 stars"}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a synthetic study, and the arguments by which the job gets its files."""
    folder = tmp_path_factory.mktemp("advise")
    train, test, rankings = study(n_systems=6)
    write_matrix(train, folder / "train.npz")
    write_matrix(test, folder / "test.npz")
    paths = {}
    for name, ranking in rankings.items():
        ranking.save(folder / f"{name}.npz")
        paths[name.title()] = folder / f"{name}.npz"
    return folder, (train, test, rankings), {"test": folder / "test.npz", "rankings": paths}


def run(given, output, **more):
    how = {"evaluation": EVALUATION, "about": ABOUT, "candidates": "test_items", "seed": 3}
    do("advise", given | how | more | {"output": output})


@pytest.mark.slow
def test_it_says_what_is_found_with_the_evaluation_of_the_run(made):
    folder, (train, test, rankings), given = made
    for name in ("a.json", "b.json"):
        run(given, folder / name, train=folder / "train.npz")
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()
    found = json.loads((folder / "a.json").read_text())
    named = {name.title(): ranking for name, ranking in rankings.items()}
    how = {"about": ABOUT, "candidates": "test_items", "seed": 3}
    given, _ = given_of(test, named, 4, train, **how)
    chosen = Settings(seed=3, cutoffs=(5, 10, 20), without_relevant=None)
    assert settings_of(EVALUATION, given, 3) == chosen
    assert found == advise(given, chosen).to_dict(found["version"])
    assert (found["data"]["dataset"], found["data"]["synthetic"]) == ("mine", True)
    assert {own["system"] for own in found["systems"] if not own["reference"]} == {*named}


@pytest.mark.slow
def test_a_truth_and_propensities_reach_it(made):
    folder, (_, test, _), given = made
    stars = np.random.default_rng(4).integers(0, 6, test.shape)
    stars[:, : N_ITEMS // 2] = 0
    truth = Truth.of(test.__class__(stars.astype(np.float32)), scale=(1, 5))
    truth.save(folder / "truth.npz")
    known = test.copy()
    known.data[:] = 0.5
    write_matrix(known, folder / "known.npz")
    more = {"train": folder / "train.npz", "truth": folder / "truth.npz"}
    run(given, folder / "c.json", **more, propensities=folder / "known.npz")
    found = json.loads((folder / "c.json").read_text())
    assert found["data"]["weights"] == "given"
    assert any(own["truth_liked"] is not None for own in found["measures"])


def test_metrics_that_are_configured_are_asked_for(made):
    """The default ones are not: of these, the usual one alone stands next to the recommended."""
    _, (train, test, rankings), _ = made
    given, _ = given_of(test, rankings, 4, train)
    for names in (["P", "mine:hits"], [*PAPER, "ERR"]):
        own = EVALUATION | {"metrics": names, "without_relevant": "nan", "profile": "trec"}
        usual = Settings(seed=3, cutoffs=(5, 10, 20), profile="trec")
        assert settings_of(own, given, 3) == replace(usual, metrics=tuple(names))
    own = EVALUATION | {"metrics": [*PAPER[::-1]], "cutoffs": [100]}
    assert settings_of(own, given, 3) == Settings(seed=3, without_relevant=None)


def test_files_of_another_run_are_one_line_of_error(made):
    folder, (train, _, _), given = made
    write_matrix(train[:-1], folder / "fewer.npz")
    said = "the lists and the judgements are not of the same test set"
    with pytest.raises(RankassayError, match=said):
        run(given | {"test": folder / "fewer.npz"}, folder / "d.json")
