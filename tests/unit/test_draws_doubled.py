"""benchmarks/draws.py: which verdicts differ between a run and one with twice as many draws."""

import importlib.util
from pathlib import Path

import pandas as pd
import pytest

from rankassay.artifacts.tables import write_table
from rankassay.config.check import filled
from rankassay.studies import STUDIES

PATH = Path(__file__).parents[2] / "benchmarks/draws.py"


@pytest.fixture(scope="module")
def draws():
    spec = importlib.util.spec_from_file_location("draws", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_all_draws_of_the_study_are_doubled_and_nothing_else(draws):
    change = draws.doubled()
    before, after = (
        {name: STUDIES["robustness"].settings_of(name, section) for name in section["analyses"]}
        for section in (filled({})["robustness"], filled(change)["robustness"])
    )
    doubled = set()
    for name, settings in before.items():
        for key, value in settings.items():
            if after[name][key] != value:
                assert after[name][key] == 2 * value
                doubled.add((name, key))
    assert doubled >= {
        *(("sparsity", "samples"), ("sparsity", "resamples"), ("popularity", "resamples")),
        *(("p-values", "samples"), ("discriminative-power", "replicates")),
        *(("as-run-p-values", "samples"), ("cutoff-correlation", "resamples")),
    }
    assert ("p-value-errors", "samples") not in doubled


def test_verdicts_that_differ_are_counted_by_dataset_and_question(draws, tmp_path):
    runs = {
        "one": {"a": "holds", "b": "inconclusive", "c": "does not hold", "d": "undefined"},
        "two": {"a": "holds", "b": "does not hold", "c": "inconclusive", "d": "holds"},
    }
    for run, found in runs.items():
        place = tmp_path / run / "results/made/robustness"
        place.mkdir(parents=True)
        table = pd.DataFrame({"id": [*found], "reproduced": [*found.values()]})
        # Not all numbers are known without each family of the systems.
        general = [None if name == "a" else verdict for name, verdict in runs["one"].items()]
        table = table.assign(
            general=[*general[:2], *(["holds"] * 2 if run == "two" else general[2:])]
        )
        write_table(table if run == "one" else table[::-1], place / "claims.csv")
    table = draws.compared(tmp_path / "one", tmp_path / "two")
    assert table.to_numpy().tolist() == [
        ["made", "reproduced", 4, 3, 1, "b c d"],
        ["made", "general", 3, 2, 0, "c d"],
    ]
    assert [*table] == draws.COLUMNS
