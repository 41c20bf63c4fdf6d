"""The job of advice, on the files of a synthetic study."""

import json
from dataclasses import replace

import numpy as np
import pytest
from made_up import N_ITEMS, study

from rankassay.advice.advise import advise
from rankassay.advice.candidates import PAPER
from rankassay.advice.of_split import given_of
from rankassay.advice.settings import Settings
from rankassay.artifacts.arrays import Truth, write_matrix
from rankassay.cli.main import main
from rankassay.jobs.advise import MOST, settings_of
from rankassay.metrics.evaluate import Measure

EVALUATION = {"threshold": 4, "profile": "paper", "without_relevant": None}
EVALUATION |= {"metrics": [*PAPER], "cutoffs": [5, 10, 20, 100]}
SHARED = {
    "sparsity": {"levels": [100, 50], "samples": 2, "resamples": 40},
    "popularity": {"percentages": [100, 90]},
    "power": {"test": "permutation", "samples": 99},
}
ABOUT = {"dataset": "mine", "synthetic": True, "threshold_reason": "1 to 5 stars"}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a synthetic study, and the words by which the job gets its files."""
    folder = tmp_path_factory.mktemp("advise")
    train, test, rankings = study(n_systems=6)
    write_matrix(train, folder / "train.npz")
    write_matrix(test, folder / "test.npz")
    paths = []
    for name, ranking in rankings.items():
        ranking.save(folder / f"{name}.npz")
        paths.append(f"{name.title()}={folder / name}.npz")
    return folder, (train, test, rankings), [str(folder / "test.npz"), *paths]


def run(words, output, *more, evaluation=EVALUATION, shared=SHARED):
    """Run the job and return its status."""
    options = ["--evaluation", json.dumps(evaluation), "--settings", json.dumps(shared)]
    options += ["--about", json.dumps(ABOUT), "--candidates", "test_items", "--seed", "3"]
    return main(["advise", *words, *options, *more, "--output", str(output)])


@pytest.mark.slow
def test_it_says_what_is_found_with_the_settings_of_the_studies(made):
    folder, (train, test, rankings), words = made
    more = ["--train", str(folder / "train.npz")]
    assert run(words, folder / "a.json", *more) == 0
    assert run(words, folder / "b.json", *more) == 0
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()
    found = json.loads((folder / "a.json").read_text())
    named = {name.title(): ranking for name, ranking in rankings.items()}
    given, _ = given_of(test, named, 4, train, about=ABOUT)
    chosen = Settings(
        *(3, 0.05, 0.95),
        permutations=99,
        resamples=40,
        levels=(100, 50),
        samples=2,
        percentages=(100, 90),
        cutoffs=(5, 10, 20),
        without_relevant=None,
    )
    assert settings_of(SHARED, EVALUATION, given, 3) == chosen
    assert found == advise(given, chosen).to_dict(found["version"])
    assert (found["data"]["dataset"], found["data"]["synthetic"]) == ("mine", True)
    assert {own["system"] for own in found["systems"]} == {*named}


@pytest.mark.slow
def test_a_truth_and_propensities_reach_it(made):
    folder, (_, test, _), words = made
    stars = np.random.default_rng(4).integers(0, 6, test.shape)
    stars[:, : N_ITEMS // 2] = 0
    truth = Truth.of(test.__class__(stars.astype(np.float32)), scale=(1, 5))
    truth.save(folder / "truth.npz")
    known = test.copy()
    known.data[:] = 0.5
    write_matrix(known, folder / "known.npz")
    more = ["--train", str(folder / "train.npz"), "--truth", str(folder / "truth.npz")]
    more += ["--propensities", str(folder / "known.npz")]
    assert run(words, folder / "c.json", *more) == 0
    found = json.loads((folder / "c.json").read_text())
    assert found["data"]["weights"] == "given"
    assert any(own["truth_liked"] is not None for own in found["measures"])


def test_what_the_studies_leave_out_leaves_the_defaults(made):
    _, (train, test, rankings), _ = made
    given, _ = given_of(test, rankings, 4, train)
    own = EVALUATION | {"metrics": ["P", "mine:hits"], "without_relevant": "nan"}
    found = settings_of(dict.fromkeys(SHARED), own, given, 3)
    usual = Settings(seed=3, cutoffs=(5, 10, 20))
    assert found == Settings(**vars(usual) | {"metrics": ("P", "mine:hits")})
    bootstrap = SHARED | {"power": {"test": "bootstrap", "samples": 7}}
    assert settings_of(bootstrap, own, given, 3).permutations == usual.permutations


def test_it_takes_no_more_parts_and_permutations_than_it_needs(made):
    _, (train, test, rankings), _ = made
    given, _ = given_of(test, rankings, 4, train)
    whole = {"sparsity": {"samples": 50}, "power": {"test": "permutation", "samples": 100_000}}
    found = settings_of(whole, EVALUATION, given, 3)
    assert (found.samples, found.permutations) == (MOST["samples"], MOST["permutations"])


@pytest.mark.parametrize("names", [["Recall"], ["P", "nDCG"], [*PAPER[::-1]], [*PAPER, "ERR"]])
def test_what_is_recommended_was_configured(made, names):
    """Where others than the default are: of the default, judged-only forms compete, too."""
    _, (train, test, rankings), _ = made
    given, _ = given_of(test, rankings, 4, train)
    settings = settings_of(dict.fromkeys(SHARED), EVALUATION | {"metrics": names}, given, 3)
    quick = replace(settings, permutations=19, resamples=40, samples=1, cutoffs=(5, 10))
    found = advise(given, quick)
    asked = {Measure.parse(f"{name}@{k}").metric for name in names for k in (5, 10)}
    competing = found.measures[found.measures["candidate"]]
    assert ({*competing["metric"]} <= asked) == ({*names} != {*PAPER})
    [entry] = found.recommendation
    assert entry["measure"] is None or entry["measure"] in {*competing["measure"]}


def test_files_of_another_run_are_one_line_of_error(made, capsys):
    folder, (train, _, _), words = made
    write_matrix(train[:-1], folder / "fewer.npz")
    other = [str(folder / "fewer.npz"), *words[1:]]
    assert run(other, folder / "d.json") == 1
    assert "the lists and the judgements are not of the same test set" in capsys.readouterr().err
