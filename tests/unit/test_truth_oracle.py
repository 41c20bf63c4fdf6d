"""benchmarks/truth.py in short: is a truth that was set aside unbiased, in worlds with all of it?

The table of 1,000 draws in many worlds is that of the script. Here are 30 of small ones, which find
the faults that matter: weights of known pairs as of others, and observed ratings in the truth.
"""

import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rankassay.studies.validity import weights

ROOT = Path(__file__).parents[2]
BENCHMARK = ROOT / "benchmarks" / "truth.py"
TABLE = ROOT / "docs/measured/ml-1m/constructed/validity/coverage.csv"
DRAWS, FEW, MOST = 30, 15, 4  # Monte Carlo errors; few draws show what is far off


@pytest.fixture(scope="module")
def script():
    """Return the script as a module."""
    spec = importlib.util.spec_from_file_location("truth", BENCHMARK)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def errors(script, liking, discovery, names=("HT", "DR"), n_draws=DRAWS, share=0.3):
    """Return the largest bias in Monte Carlo errors by yardstick and estimator."""
    world = script.World(liking, script.DISCOVERY[discovery], size=(80, 150))
    draws = script.Draws.none(80)
    found = {}
    for n in range(n_draws):
        drawn = world.draw(share, script.generator(0, "judgements", n))
        for case, own in script.estimated(drawn, names, draws, n).items():
            found.setdefault(case, []).append(own)
    rows = {case: script.summary(own) for case, own in found.items()}
    return {case: max(row["z_systems"], row["z_pairs"]) for case, row in rows.items()}


@pytest.mark.parametrize(("liking", "discovery"), [(-1.0, "taste"), (1.0, "liking")])
def test_a_truth_that_was_set_aside_is_unbiased(script, liking, discovery):
    found = errors(script, liking, discovery)
    assert len(found) == 4
    assert max(found.values()) < MOST


def test_without_weights_it_is_biased(script):
    found = errors(script, 1.0, "liking", ("HT", "plain", "as published"), FEW)
    assert found["liked", "plain"] > 2 * MOST
    assert found["liked", "as published"] > 2 * MOST


def test_weights_of_known_pairs_as_of_others_are_found(script, monkeypatch):
    monkeypatch.setattr(
        weights, "candidate_share", lambda aside, trains, judged: np.ones_like(judged)
    )
    found = errors(script, 1.0, "liking", n_draws=FEW)
    assert found["liked", "HT"] > 2 * MOST
    assert found["new", "HT"] < MOST  # there are none of known pairs


def test_observed_ratings_in_the_truth_are_found(script, monkeypatch):
    own = script.Draw.truth
    monkeypatch.setattr(script.Draw, "truth", lambda drawn: own(drawn, drawn.aside + drawn.test))
    assert errors(script, 1.0, "liking", n_draws=FEW)["liked", "HT"] > 2 * MOST


def test_the_table_of_many_draws_has_the_bounds_that_are_stated(script):
    """Unbiased within Monte Carlo error, and coverage of 90% at least, in every world."""
    table = pd.read_csv(TABLE)
    worlds = len(script.SHARES) * len(script.LIKING) * len(script.DISCOVERY)
    own = table[table["estimator"] == "HT"]
    assert len(own) == 2 * worlds
    assert len(table) == len(own) * (len(script.ESTIMATORS) + 2)
    assert own[["z_systems", "z_pairs"]].to_numpy().max() < MOST
    assert own[["coverage_systems", "coverage_pairs"]].to_numpy().min() >= 0.9
    plain = table[(table["estimator"] == "plain") & (table["yardstick"] == "liked")]
    assert plain["z_pairs"].min() > 10 * MOST
    # What the scatter of the truth takes from tau, at most.
    attenuation = (own["tau"] - own["tau_true"])[own["judged"] == 0.09]
    assert -0.19 < attenuation.min() < -0.17
