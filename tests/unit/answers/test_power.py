"""The printed table of discriminative power: each head has its own column, ends around DP."""

import pandas as pd

from rankassay.answers import identical
from rankassay.answers.identical import power

NUMBERS = {"pairs": 6, "dp": 2.0, "dp_all": 3.0, "low": 0.5, "high": 2.75}
COUNTS = {"significant_05": 4, "significant_01": 1, "users": 50}
HEADS = {"DP": 2.0, "Pairs": 6, "from": 0.5, "to": 2.75, "p < .05": 4, "p < .01": 1, "Users": 50}


def shown(**changes):
    row = {"dataset": "a", "measure": "P@5", "identical": 0} | NUMBERS | COUNTS | changes
    given = ("Metric", "Caption.", "Drawn.", "Said.", {"users": "Users"})
    return power(pd.DataFrame([row]), {"a": "Data"}, *given)


def test_each_head_stands_over_its_column():
    table = shown()
    assert table.frame.iloc[0].to_dict() == {"Dataset": "Data", "Metric": "P@5", **HEADS}
    order = ["DP", "from", "to", "p < .05", "p < .01", "Users"]
    assert [*table.frame][3:] == order
    assert [table.formatters[name](1.256) for name in ("DP", "from", "to")] == ["1.26"] * 3
    assert "with its interval" in table.note


def test_without_an_interval_there_are_no_ends():
    table = shown(low=None, high=None)
    assert not {"from", "to"} & {*table.frame}
    assert "with its interval" not in table.note


def test_the_sum_over_all_pairs_stands_where_some_systems_are_identical():
    assert shown(identical=1).frame[identical.ALL_PAIRS].tolist() == [3.0]
