"""Check that advice, the studies and the judge say the same: `check_agreement.py FOLDER DATASET`.

The folder is that of a finished run with the targets `all` and `trec`. The advice of its job is
compared with the tables of the studies, and with what `rankassay.judge` is made of on the exported
judgements, lists and training ratings, with the same seed and settings. Not a unit test: it takes
the run of six systems at least, as the demo is.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from rankassay import __version__
from rankassay.advice import conclusions
from rankassay.advice.advise import advise
from rankassay.advice.given import Given, Settings
from rankassay.advice.rule import Rule
from rankassay.api import judge_inputs
from rankassay.metrics.evaluate import Measure

MEASURE = "nDCG@10"  # of which all pairs are compared
JUDGED = ("recommendation", "simulated", "measures", "pairs", "because", "trust", "next")
# Reference systems break ties by the numbers of items, which a run and its files do not share.
NEAR = 0.1


def main(folder: Path, dataset: str) -> None:
    """Raise AssertionError for the first number that differs."""
    place = folder / "results" / dataset
    advice = json.loads((place / "advice.json").read_text())
    chosen = settings_of(advice)
    given = exported(advice, folder, dataset)
    check_judge(advice, given, chosen)
    config = json.loads((folder / "results/manifest.json").read_text())["config"]
    samples = config["robustness"]["analyses"]["p-values"]["samples"]
    pairs = check_pairs(given, replace(chosen, permutations=samples), place)
    print(f"{dataset}: {pairs} pairs and the judge agree with the advice")


def settings_of(advice: dict[str, Any]) -> Settings:
    """Return the settings that advice was given with."""
    return Settings(
        **{k: tuple(v) if isinstance(v, list) else v for k, v in advice["settings"].items()}
    )


def exported(advice: dict[str, Any], folder: Path, dataset: str) -> Given:
    """Return what a judge is given by the exported files, whose systems have their labels."""
    config = json.loads((folder / "results/manifest.json").read_text())["config"]
    catalogue = config["recommender_catalogue"]
    labels = {catalogue[name]["label"]: name for name in config["recommenders"]}
    trec = folder / "results" / dataset / "trec"
    names = advice["data"]["judged_share_by_run"]
    runs = {label: trec / f"{labels[label]}.run" for label in names}
    how = (advice["data"]["threshold"], "trec", None, advice["settings"]["seed"])
    read = judge_inputs.read(trec / "qrels.txt", runs, trec / "train.csv", None, None, *how)
    given = judge_inputs.given(read, None, advice["settings"]["seed"])
    # Files do not say of which data they are.
    return replace(given, about={**given.about, "dataset": advice["data"]["dataset"]})


def check_judge(advice: dict[str, Any], given: Given, chosen: Settings) -> None:
    """Compare what the job and the judge found."""
    found = json.loads(json.dumps(advise(given, chosen).to_dict(__version__)))
    for part in JUDGED:
        assert found[part] == advice[part], part
    own, other = (
        [row for row in told["systems"] if not row["reference"]] for told in (found, advice)
    )
    assert own == other
    np.testing.assert_allclose(
        [found["checks"][name] for name in ("t", "share")],
        [advice["checks"][name] for name in ("t", "share")],
        rtol=NEAR,
    )
    for name in ("limits", "warnings"):
        assert found["checks"][name] == advice["checks"][name]
    said = ("dataset", "synthetic", "threshold_reason")
    assert {k: v for k, v in found["data"].items() if k not in said} == {
        k: v for k, v in advice["data"].items() if k not in said
    }


def check_pairs(given: Given, chosen: Settings, place: Path) -> int:
    """Compare means, p-values and Γ under one measure with those of the studies."""
    measure = Measure.parse(MEASURE)
    at = f"metric == '{measure.name}' and cutoff == {measure.cutoff}"
    means = pd.read_csv(place / "means.csv").query(at).set_index("system")["mean"]
    rule = Rule(MEASURE, MEASURE, MEASURE, (MEASURE,), MEASURE, ())
    pairs = conclusions.pairs(given, rule, chosen)
    systems = conclusions.systems(given, rule, pairs, chosen)
    runs = systems[~systems["reference"]]
    assert runs.set_index("system")["mean"].to_dict() == means.to_dict()
    tests = pd.read_csv(place / "robustness/p-values.csv").query(at)
    p = {frozenset(pair): q for *pair, q in tests[["system_a", "system_b", "adjusted"]].values}
    gammas = pd.read_csv(place / "validity/sensitivity.csv").query(at)
    gamma = gammas.set_index(["leader", "other"])["gamma"]
    for row in pairs.itertuples():
        assert row.p == p[frozenset((row.better, row.worse))], row
    own = pairs[pairs["written"]].set_index(["better", "worse"])["gamma"]
    np.testing.assert_array_equal(own, gamma[own.index])
    assert len(own) > 0
    assert len(pairs) == len(p) == len(gamma)
    return len(pairs)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
