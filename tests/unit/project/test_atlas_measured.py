"""The tables of the atlas in the repository: small, derived, and in step with one another."""

from pathlib import Path

import pandas as pd
import pytest

from rankassay.artifacts.tables import read_table
from rankassay.claims.conditions import INCONCLUSIVE, VERDICTS

FOLDER = Path(__file__).parents[3] / "docs/measured/atlas"
NAMES = sorted(path.stem for path in FOLDER.glob("*.csv"))


@pytest.fixture(scope="module")
def tables():
    """Return the tables by name; texts that a file has as missing are empty."""
    found = {name: read_table(FOLDER / f"{name}.csv") for name in NAMES}
    texts = {"settings", "without"}
    return {
        name: table.assign(
            **{key: table[key].astype(object).fillna("") for key in texts & {*table}}
        )
        for name, table in found.items()
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_table_is_small_and_about_datasets_alone(name):
    path = FOLDER / f"{name}.csv"
    assert path.stat().st_size < 100_000
    assert not {"user", "item", "rating", "user_id", "item_id"} & {*pd.read_csv(path, nrows=1)}


def test_each_conclusion_says_what_its_rows_say(tables):
    """Counted once more, by plain loops over the rows of the findings."""
    rows = tables["findings"].to_dict("records")
    for said in tables["conclusions"].to_dict("records"):
        key = (said["sentence"], said["settings"])
        own = [row for row in rows if (row["sentence"], row["settings"]) == key]
        means = {}
        for row in own:
            means.setdefault(row["source"], []).append(row["mean"])
        assert (said["datasets"], said["sources"]) == (len(own), len(means))
        assert len({row["dataset"] for row in own}) == len(own)
        assert said["hold"] == sum(row["holds"] for row in own)
        of_sources = [sum(some) / len(some) for some in means.values()]
        assert said["mean"] == pytest.approx(sum(of_sources) / len(of_sources))
        assert {said["general"], said["verdict_without"]} <= {*VERDICTS}
        if pd.isna(said["low"]):
            assert said["general"] == INCONCLUSIVE
        else:
            assert said["low"] <= said["mean"] <= said["high"]
        changed = said["verdict_without"] != said["general"]
        assert changed == (said["without"] in means)


def test_the_datasets_are_those_of_the_findings(tables):
    known = tables["datasets"].set_index("dataset")["source"].to_dict()
    for row in tables["findings"].to_dict("records"):
        assert row["source"] == known[row["dataset"]]
