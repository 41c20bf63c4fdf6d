"""Datasets like the user's: which are near, what is said of them, and what that changes."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from given_made_up import given

from rankassay.advice import alike, words
from rankassay.advice.advise import advise
from rankassay.advice.findings import TRUST, plainly
from rankassay.advice.settings import Settings
from rankassay.answers.words import CRITERIA
from rankassay.data.statistics import gini

QUICK = Settings(permutations=200, resamples=40, samples=3, percentages=(90, 80))
OWN = {"density": 0.05, "test_ratings": 10.0, "gini": 0.6}


def datasets_of(*own):
    """Return datasets with their density, test ratings and Gini coefficient."""
    rows = [(f"d{i}", f"Data {i}", *values) for i, values in enumerate(own)]
    return pd.DataFrame(rows, columns=["dataset", "title", *alike.PROPERTIES])


def places_of(firsts, criterion="sparsity", cutoff=10):
    """Return ranks of metrics on datasets, by the one that is first on each."""
    rows = [
        {"dataset": name, "criterion": criterion, "cutoff": cutoff, "metric": metric}
        | {"rank": 1 if metric == first else 2}
        for name, first in firsts.items()
        for metric in ("P", "nDCG", "RR")
    ]
    return pd.DataFrame(rows)


@pytest.fixture
def own():
    """Return data of which the training ratings are known."""
    found = given()
    counts = found.popularity
    train = {"ratings": int(counts.sum()), "users": 60, "items": int((counts > 0).sum())}
    return replace(found, train=train)


@pytest.mark.parametrize(
    ("density", "test_ratings", "gini", "near"),
    [
        (0.05, 10, 0.6, True),
        (0.05 * 3.16, 10 / 3.16, 0.69, True),
        (0.05 / 3.16, 10 * 3.16, 0.51, True),
        (0.05 * 3.17, 10, 0.6, False),
        (0.05 / 3.17, 10, 0.6, False),
        (0.05, 10 * 3.17, 0.6, False),
        (0.05, 10 / 3.17, 0.6, False),
        (0.05, 10, 0.71, False),
        (0.05, 10, 0.49, False),
    ],
)
def test_a_dataset_is_near_if_all_three_properties_are(density, test_ratings, gini, near):
    found = alike.nearest(OWN, datasets_of((density, test_ratings, gini)))
    assert (len(found) == 1) == near


def test_the_nearest_three_are_named_in_their_order():
    rng = np.random.default_rng(1)
    values = [
        (0.05 * 3 ** rng.uniform(-1, 1), 10 * 3 ** rng.uniform(-1, 1), 0.6 + rng.uniform(-0.1, 0.1))
        for _ in range(8)
    ]
    found = alike.nearest(OWN, datasets_of(*values))
    half = np.log(np.sqrt(10))
    apart = [
        (np.log(d / 0.05) / half) ** 2 + (np.log(t / 10) / half) ** 2 + ((g - 0.6) / 0.1) ** 2
        for d, t, g in values
    ]
    assert [*found["dataset"]] == [f"d{i}" for i in np.argsort(apart)[:3]]


@pytest.mark.parametrize(
    ("firsts", "expected"),
    [
        ({"a": "P", "b": "P", "c": "P"}, ("P", 3, 3)),
        ({"a": "P", "b": "RR", "c": "P"}, ("P", 2, 3)),
        ({"a": "P"}, ("P", 1, 1)),
        ({"a": "P", "b": "RR"}, None),  # no more than half
        ({"a": "P", "b": "RR", "c": "nDCG"}, None),
    ],
)
def test_a_metric_is_named_that_ranked_first_on_most(firsts, expected):
    found = alike.leaders(places_of(firsts), [*firsts], 10)
    if expected is None:
        assert found == []
        return
    [row] = found
    assert (row["metric"], row["first"], row["datasets"]) == expected
    others = alike.leaders(places_of(firsts | {"z": "RR"}), [*firsts], 10)
    assert others == found  # a dataset that is not near says nothing


def test_the_nearest_cutoff_that_the_atlas_has_is_taken():
    both = pd.concat([places_of({"a": "P"}, cutoff=10), places_of({"a": "RR"}, cutoff=100)])
    found = [alike.leaders(both, ["a"], cutoff)[0] for cutoff in (5, 20, 50, 200)]
    assert [(row["metric"], row["cutoff"]) for row in found] == [
        *([("P", 10)] * 2),
        *([("RR", 100)] * 2),
    ]


def test_properties_are_of_training_ratings_and_test_users(own):
    found = alike.properties(own)
    rated = own.popularity[own.popularity > 0]
    assert found["density"] == pytest.approx(rated.sum() / (60 * len(rated)))
    assert found["gini"] == pytest.approx(gini(rated))
    per_user = pd.Series(np.diff(own.judgements.start))
    assert found["test_ratings"] == per_user[per_user > 0].median()
    assert alike.properties(replace(own, train={})) is None
    assert alike.properties(replace(own, popularity=None)) is None


def tables_near(own, firsts=("P", "P")):
    """Return tables in which datasets are as the user's."""
    found = alike.properties(own)
    values = tuple(found[name] for name in alike.PROPERTIES)
    places = [places_of({f"d{i}": m for i, m in enumerate(firsts)}, name) for name in CRITERIA]
    return datasets_of(*[values] * len(firsts)), pd.concat(places)


def test_the_likeness_is_shown_and_the_recommendation_stays_the_same(own, monkeypatch):
    plain = advise(own, QUICK).to_dict("")
    assert "alike" not in {entry["kind"] for entry in plain["trust"]}
    for first, second in itertools.product(("P", "RR"), repeat=2):
        known = tables_near(own, (first, second))
        monkeypatch.setattr(alike, "tables", lambda known=known: known)
        found = advise(own, QUICK).to_dict("")
        entries = {entry["kind"]: entry for entry in found["trust"]}
        assert ("alike" in entries) == (first == second)
        assert found["recommendation"] == plain["recommendation"]
        assert found["measures"] == plain["measures"]
        assert [e for e in found["trust"] if e["kind"] != "alike"] == plain["trust"]
        assert found["next"] == plain["next"]
    entry = entries["alike"]
    assert {"kind", "rows", *TRUST["alike"]} <= {*entry}
    assert plainly(entry) == entry
    here, *there = entry["rows"]
    assert here["dataset"] == "your data"
    assert [row["dataset"] for row in there] == ["Data 0", "Data 1"]
    assert all({*alike.PROPERTIES} <= {*row} for row in entry["rows"])


def test_the_sentence_names_datasets_metrics_and_criteria(own, monkeypatch):
    monkeypatch.setattr(alike, "tables", lambda: tables_near(own, ("P", "P", "RR")))
    found = advise(own, QUICK).to_dict("")
    said = {one.name: one.text for one in words.passages(found)[-2].entries}
    assert said["similar datasets"] == (
        "on Data 0, Data 1 and Data 2: P@10 ranked first in robustness to sparsity on 2 of 3, "
        "P@10 in robustness to popularity bias on 2 of 3 and P@10 in discriminative power on "
        "2 of 3"
    )
    monkeypatch.setattr(alike, "tables", lambda: tables_near(own, ("P",)))
    one = {own.name: own.text for own in words.passages(advise(own, QUICK).to_dict(""))[-2].entries}
    assert one["similar datasets"].startswith("on Data 0: P@10 ranked first in robustness to spars")
    assert "1 of 1" not in one["similar datasets"]
    explained = "\n".join(words.explain(found))
    assert "SIMILAR DATASETS" in explained
    assert "your data" in explained


def test_nothing_is_said_where_nothing_is_near(own, monkeypatch):
    datasets, places = tables_near(own)
    far = datasets.assign(density=datasets["density"] * 4)
    monkeypatch.setattr(alike, "tables", lambda: (far, places))
    assert alike.entry(own) is None
    monkeypatch.setattr(alike, "tables", lambda: (datasets, places[:0]))
    assert alike.entry(own) is None
    monkeypatch.setattr(alike, "tables", lambda: (datasets, places))
    assert alike.entry(own) is not None
    itself = alike.entry(replace(own, about={"dataset": "d0"}))
    assert itself["titles"] == ["Data 1"]


def test_the_shipped_tables_can_be_read():
    datasets, places = alike.tables()
    assert [*datasets] == ["dataset", "title", *alike.PROPERTIES]
    assert [*places] == ["dataset", "criterion", "cutoff", "metric", "rank"]
    assert {*places["dataset"]} <= {*datasets["dataset"]}
