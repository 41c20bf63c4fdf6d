"""Sentences on identical systems, and the table of discriminative power without their pairs."""

import doctest
import itertools

import pandas as pd
import pytest

from rankassay.answers import identical, words
from rankassay.answers.identical import power

TITLES = {"a": "Data A", "b": "Data B"}


def pairs_of(*groups, lists=True):
    rows = [pair for own in groups for pair in itertools.combinations(own, 2)]
    return pd.DataFrame(rows, columns=["system_a", "system_b"]).assign(lists=lists)


def test_the_examples_of_the_docstrings_run():
    found = doctest.testmod(identical, extraglobs={"pd": pd})
    assert (found.failed, found.attempted) == (0, 4)


@pytest.mark.parametrize(
    ("groups", "lists", "said"),
    [
        ([], True, []),
        ([["x", "y"]], True, ["x and y recommend identical lists; their pair is excluded."]),
        (
            [["x", "y", "z"], ["v", "w"]],
            True,
            [
                "x, y and z recommend identical lists; their 3 pairs are excluded.",
                "v and w recommend identical lists; their pair is excluded.",
            ],
        ),
        # Other lists with the same hits, and values without lists.
        (
            [["x", "y"]],
            False,
            [
                "x and y have the same value for every user under every metric; their pair is "
                "excluded."
            ],
        ),
        (
            [["x", "y"]],
            None,
            [
                "x and y have the same value for every user under every metric; their pair is "
                "excluded."
            ],
        ),
    ],
)
def test_each_group_is_named_once(groups, lists, said):
    pairs = pairs_of(*groups, lists=lists)
    assert identical.groups(pairs) == groups
    assert identical.sentences(pairs) == said
    assert identical.in_short(pairs, 0) == "; ".join(
        text.partition(" recommend")[0].partition(" have")[0] for text in said
    )


def test_the_note_counts_pairs_by_dataset():
    power = pd.DataFrame({"dataset": ["a", "a", "b"], "identical": [3, 3, 0], "dp": 1.0})
    assert identical.note(power, TITLES).endswith("(Data A: 3).")
    assert identical.note(power[power["dataset"] == "b"], TITLES) == ""
    heads = {"pairs": "Pairs", "dp": "DP", "low": "from"}
    assert [*identical.with_all(power, heads)] == ["pairs", "dp", "dp_all", "low"]
    assert identical.with_all(power.iloc[2:], heads) == heads


def test_sentences_of_a_summary_say_which_systems_are_identical():
    rows = pd.DataFrame({"identical": ["x and y", "x and y"]})
    assert words.identical(rows) == "x and y are identical; DP excludes their pairs."
    more = {
        "two": "Two systems",
        "3 pairs": "3 pairs of systems",
        "x and y; v and w": "x and y, and v and w",
    }
    for found, said in more.items():
        text = f"{said} are identical; DP excludes their pairs."
        assert words.identical(rows.assign(identical=found)) == text
    assert words.identical(rows.assign(identical="")) == ""
    assert words.identical(rows.assign(identical=float("nan"))) == ""
    assert words.identical(rows.drop(columns="identical")) == ""  # of an earlier version


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
