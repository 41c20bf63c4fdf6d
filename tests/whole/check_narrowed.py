"""Random narrowings of every study, on a few data that are judged by claims about MovieLens 1M.

A narrowed run ends with figures, tables and verdicts: claims whose rows it did not compute are not
asked, and what rests on an analysis that is left out is left out, too.
"""

import os

import numpy as np
import pandas as pd
import pytest
from in_process import Run, configured
from narrowed import narrowing

from rankassay.artifacts.tables import read_table
from rankassay.config.check import filled
from rankassay.data import synthetic
from rankassay.studies import STUDIES

# Of what takes long on any data, less.
FEW = {"resamples": 40, "samples": 2, "replicates": 40, "repetitions": 2, "most_users": 100}
FEW |= {"trials": 10, "instances": 10, "long_instances": 2, "worlds": 20, "tests": 20}
FEW |= {"systems": 4, "steps": {"relevance": 3, "redundancy": 3, "aspects": 2}}
# Claims of aggregation are about its one cut-off, which follows those of the metrics.
KEPT = {"aggregation": ["names"]}
# The atlas judges the claims of another study.
STUDIED = [name for name in STUDIES if name not in ("validity", "protocols", "atlas")]


def small(studies):
    """Return the configuration of a few data, and of some studies with their own levels."""
    change = {
        "datasets": ["small"],
        "dataset_catalogue": {
            "small": {
                "kind": "file",
                "label": "Small data",
                "path": "../base/ratings.csv",
                "aspects_path": "../base/items.csv",
                "aspects": {"item": 0, "labels": 1},
                "threshold": 4,
                "claims_of": "ml-1m",
            }
        },
        "recommenders": ["random", "popularity", "rocchio", "puresvd"],
        "recommender_catalogue": {
            "rocchio": {"settings": {"neighbours": 10}},
            "puresvd": {"settings": {"factors": 4}},
        },
        "studies": studies,
    }
    for study in studies:
        section = filled({})[study]
        few = {key: FEW[key] for key, value in section.items() if key in FEW and value}
        change[study] = few | {"analyses": {}}
        for name, settings in section["analyses"].items():
            few = {key: FEW[key] for key in settings if key in FEW and settings[key]}
            few |= {"samples": 20} if name == "type-errors" else {}  # or no test could reject
            change[study]["analyses"][name] = few
    return change


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """Return a folder with the data."""
    folder = tmp_path_factory.mktemp("narrowed") / "base"
    folder.mkdir()
    ratings = synthetic.generate(users=60, items=130, ratings=2500, gini=0.4, aspects=6, seed=1)
    columns = {name: getattr(ratings, name) for name in ("user", "item", "rating")}
    pd.DataFrame(columns).to_csv(folder / "ratings.csv", index=False)
    rng = np.random.default_rng(1)
    aspects = ["|".join(rng.choice(list("abcdef"), 2, replace=False)) for _ in range(130)]
    items = pd.DataFrame({"item": np.arange(130), "aspects": aspects})
    items.to_csv(folder / "items.csv", index=False)
    return folder


@pytest.fixture
def run(base, request, monkeypatch):
    """Return a function that makes all of a configuration in a folder of its own."""
    folder = base.parent / request.node.name.translate(str.maketrans("[]", "--"))
    folder.mkdir()
    monkeypatch.chdir(folder)

    def made(*changes, only=lambda path: True):
        own = Run(configured(*changes))
        own.make(*filter(only, [*own.plan.targets, *own.plan.claims_targets]))
        return read_table("results/claims.csv")

    return made


@pytest.mark.parametrize("study", STUDIED)
def test_with_all_that_is_usual_every_claim_is_asked(run, study):
    found = run(small([study]), only=lambda path: path.startswith("results/claims"))
    own = found[found["dataset"].isin(["small", "constructed"])]
    # Those about the procedure ask for its numbers of samples, and a small run has fewer.
    procedure = ["samples-enough", "p-value-error-5", "p-value-error-1"]
    own = own[~own["id"].isin(procedure)]
    assert own.loc[own["reproduced"] == "not asked", "id"].empty


@pytest.mark.parametrize("number", range(60))
def test_a_narrowed_study_ends_with_verdicts(run, number):
    study = STUDIED[number % len(STUDIED)]
    change = narrowing(np.random.default_rng(number), [study])
    # Figures take long: one in five narrowings draws them.
    figures = number // len(STUDIED) % 5 == 0
    found = run(small([study]), change, only=lambda path: wanted(path, figures))
    asked = found["reproduced"] != "not asked"
    assert found["reason"][~asked].str.startswith("not computed: ").all()
    assert found.loc[~asked, ["measured", "low", "high"]].isna().all(axis=None)


@pytest.mark.parametrize("study", STUDIED)
def test_a_claim_that_is_asked_has_the_same_number_whatever_else_is_left_out(base, run, study):
    usual = run(small([study]), only=lambda path: path.startswith("results/claims"))
    for number in range(3):
        change = narrowing(np.random.default_rng(number), [study])
        kept = {key: own for key, own in change["metrics"].items() if key in KEPT.get(study, [key])}
        change = {"metrics": kept, "recommenders": small([])["recommenders"]}
        (base.parent / f"{study}-{number}").mkdir()
        os.chdir(base.parent / f"{study}-{number}")
        made = Run(configured(small([study]), change))
        made.make("results/claims.csv")
        found = read_table("results/claims.csv")
        # What decides a sentence of several rows is made of those that are asked.
        usual, found = (own[~own["id"].str.contains(":")] for own in (usual, found))
        both = usual.merge(found, on=["dataset", "id"], suffixes=("_usual", ""))
        assert len(both) == len(usual) == len(found)
        both = both[both["reproduced"] != "not asked"]
        np.testing.assert_array_equal(both["measured"], both["measured_usual"])


def wanted(path, figures):
    """Return whether a test makes a target."""
    return path != "results/report.html" and (figures or not path.startswith("figures"))
