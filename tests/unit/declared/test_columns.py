"""Columns of results: each is declared, and its values lie in its bounds."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from declared import faults
from each import each

from rankassay.declared import columns
from rankassay.declared.columns import COLUMNS, bounds, column
from rankassay.studies import STUDIES

MEASURED = Path(__file__).parents[3] / "docs" / "measured"
TABLES = sorted(path for path in MEASURED.rglob("*.csv") if path.parent.name in STUDIES)


def test_tables_of_all_studies_that_pages_read_are_looked_at():
    assert len(TABLES) > 60
    assert len({path.parent.name for path in TABLES}) >= 10


@pytest.mark.slow
@each("path", TABLES)
def test_measured_tables_are_as_declared(path):
    assert faults(path) == []


def test_faults_are_found(tmp_path):
    table = pd.DataFrame({"metric": ["P"], "pairs": [6], "dp": [6.5], "tau": [-1.1], "new": [1]})
    path = tmp_path / "robustness" / "sparsity.csv"
    path.parent.mkdir()
    table.to_csv(path, index=False)
    assert faults(path) == [
        f"robustness/sparsity: {x}" for x in ("new", "dp of 6.5", "tau of -1.1")
    ]


def test_intervals_the_wrong_way_round_and_shares_among_counts_are_faults(tmp_path):
    row = {"value": 0.5, "low": 0.25, "high": 0.75, "tau": 0.5, "tau_low": 0.25, "tau_high": 0.75}
    path = tmp_path / "robustness" / "summary.csv"
    path.parent.mkdir()

    def found(**changes):
        pd.DataFrame([row | {"users": 3} | changes]).to_csv(path, index=False)
        return [fault.removeprefix("robustness/summary: ") for fault in faults(path)]

    assert found() == []
    assert found(low=0.75, high=0.25) == ["low above value", "value above high"]
    assert found(tau_low=0.6) == ["tau_low above tau"]
    assert found(tau_high=0.4) == ["tau above tau_high"]
    assert found(users=0.5) == ["users of 0.5"]
    assert found(low=None, high=None, users=2.5) == []


def test_ends_are_as_what_they_are_ends_of():
    own = {"loss": columns.SIZE}
    assert column("loss_low", own) is columns.SIZE
    assert column("metric_b") is columns.KEY
    assert column("loss") is None
    assert column("low") is COLUMNS["low"]


def test_bounds_by_the_rows_of_a_table():
    table = pd.DataFrame({"dp": [1.0, 2.0], "pairs": [3, 6], "tau": [0.1, 0.2]})
    least, greatest = bounds("dp", table)
    assert least == 0
    np.testing.assert_array_equal(greatest, [3, 6])
    assert bounds("dp", table[["dp"]]) == (0, math.inf)
    assert bounds("tau", table) == (-1, 1)
    assert bounds("tau", table.assign(correlation=["rbo", "rbo_a"])) == (0, 1)
    assert bounds("tau", table.assign(correlation=["rbo", "tau_b"])) == (-1, 1)
    assert bounds("tau", table.assign(correlation=[0.3, 0.4])) == (-1, 1)  # of another kind
    assert bounds("whatever", table) == (-math.inf, math.inf)
    assert columns.POWER.bounds == (0, math.inf)
