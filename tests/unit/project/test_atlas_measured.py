"""The tables of the atlas in the repository: small, derived, and in step with one another."""

import importlib
import sys
from pathlib import Path

import pandas as pd
import pytest

from rankassay.artifacts.tables import read_table
from rankassay.studies.atlas.conclusions import ADVICE, KINDS, conclusions
from rankassay.studies.atlas.counts import counted
from rankassay.studies.atlas.settings import Conclusions

DOCS = Path(__file__).parents[3] / "docs"
FOLDER = DOCS / "measured/atlas"
PACKAGED = DOCS.parent / "src/rankassay/advice/reference"
NAMES = sorted(path.stem for path in FOLDER.glob("*.csv"))
GENERAL = 0.75
SOURCE = {"ml-1m", "ml-100k", "ml-latest-small"}


@pytest.fixture(scope="module")
def tables():
    return {name: read_table(FOLDER / f"{name}.csv") for name in NAMES}


@pytest.fixture(scope="module")
def measured():
    sys.path.insert(0, str(DOCS))
    yield importlib.import_module("measured")
    sys.path.remove(str(DOCS))


@pytest.mark.parametrize("name", NAMES)
def test_a_table_is_small_and_about_datasets_alone(name):
    path = FOLDER / f"{name}.csv"
    assert path.stat().st_size < 100_000
    assert not {"user", "item", "rating", "user_id", "item_id"} & {*pd.read_csv(path, nrows=1)}


def test_the_conclusions_follow_from_the_findings(tables):
    again = conclusions(tables["findings"], tables["datasets"], **Conclusions().model_dump())
    assert again["conclusion"].to_list() == tables["conclusions"]["conclusion"].to_list()
    assert again["kind"].to_list() == tables["conclusions"]["kind"].to_list()


def test_each_conclusion_says_what_its_rows_say(tables):
    """Counted once more, by plain loops over the rows of the findings."""
    rows = tables["findings"].to_dict("records")
    seen = []
    for said in tables["conclusions"].to_dict("records"):
        if said["sentence"] not in ADVICE:
            continue
        own = [row for row in rows if row["sentence"] == said["sentence"]]
        holding = {row["dataset"] for row in own if row["holds"] and row["holds_other"]}
        failing = {row["dataset"] for row in own if row["verdict"] == "contradicted"}
        there = {row["dataset"] for row in own}
        inside, outside = there & SOURCE, there - SOURCE
        counts = [len(holding & inside), len(inside), len(holding & outside), len(outside)]
        columns = ("holds_source", "n_source", "holds_others", "n_others")
        assert counts == [said[name] for name in columns]
        most = len(holding & inside) > len(inside) / 2
        general = len(holding & outside) >= GENERAL * len(outside)
        half = len(holding & outside) <= len(outside) / 2
        expected = {
            "General": most and general,
            "Contradicted elsewhere": most and not general and bool(failing & outside),
            "Mostly MovieLens": most and not general and not failing & outside and half,
            "Open": most and not general and not failing & outside and not half,
            "Not shown on MovieLens": not most,
        }
        assert [name for name, so in expected.items() if so] == [said["kind"]]
        titles = {row["title"] for row in own if row["dataset"] in failing}
        assert {*filter(None, str(said["fails_on"]).replace("nan", "").split("; "))} == titles
        seen.append(said["sentence"])
    assert sorted(seen) == sorted(ADVICE)
    assert {*KINDS} >= {*tables["conclusions"]["kind"][: len(seen)]}
    assert len(tables["conclusions"]) <= 10


def test_the_counts_of_a_finding_are_those_of_its_row_of_the_matrix(tables):
    counts = counted(tables["findings"])
    for name, row in counts.iterrows():
        own = tables["findings"][tables["findings"]["sentence"] == name]
        words = own["verdict"].to_list()
        assert row["holds"] == words.count("reproduced")
        assert row["fails"] == words.count("contradicted")
        uncertain = words.count("not shown") + words.count("reproduced, uncertain")
        assert row["uncertain"] == uncertain
        assert row["holds"] + row["uncertain"] + row["fails"] + words.count("undefined") == len(own)
