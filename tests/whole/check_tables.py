"""The tables of a whole run: columns as declared, and intervals the right way round where shown.

FINISHED names the folder of a finished run of config/test.yaml, such as `.ci/run` makes.
"""

import itertools
import os
import re
from pathlib import Path

import pandas as pd
import pytest
from declared import faults

from rankassay.studies import ANALYSES

FINISHED = os.environ.get("FINISHED")
RESULTS = Path(FINISHED or ".") / "results"
SHOWN = sorted((RESULTS / "tables").rglob("*.csv")) if FINISHED else []
FOUND = sorted({*RESULTS.rglob("*.csv")} - {*SHOWN}) if FINISHED else []
OF_ANALYSES = [path for path in FOUND if f"{path.parent.name}/{path.stem}" in ANALYSES]
# The heads of ends, and of what may stand between them.
HEADS = [("from", "DP", "to"), ("Low", "As written", "High"), ("Low", "Difference", "High")]
BETWEEN = re.compile(r"(-?[\d.,]+) to (-?[\d.,]+)")


def test_the_run_has_tables_of_all_kinds():
    if not FINISHED:
        pytest.skip("FINISHED names no run")
    assert len(OF_ANALYSES) > 80
    heads = [{*pd.read_csv(path, nrows=0)} for path in SHOWN]
    for own in HEADS:
        assert any({*own} <= head for head in heads)
    assert sum(any("interval" in name for name in head) for head in heads) > 1


@pytest.mark.parametrize("path", OF_ANALYSES, ids=lambda path: str(path.relative_to(RESULTS)))
def test_results_are_as_declared(path):
    assert faults(path) == []


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: str(path.relative_to(RESULTS)))
def test_tables_show_the_low_end_before_the_high_one(path):
    table = pd.read_csv(path)
    for heads in HEADS:
        if {*heads} <= {*table}:
            for lower, upper in itertools.pairwise(heads):
                numbers = table[[lower, upper]].apply(pd.to_numeric, errors="coerce")
                assert not (numbers[lower] > numbers[upper] + 1e-9).any()
            assert [*table].index(heads[0]) < [*table].index(heads[2])
    for name in [name for name in table if "interval" in name]:
        ends = [BETWEEN.fullmatch(text) for text in table[name].dropna().astype(str)]
        ends = [[float(end.replace(",", "")) for end in own.groups()] for own in ends if own]
        assert all(low <= high for low, high in ends)
