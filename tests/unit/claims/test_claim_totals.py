"""What the verdicts add up to, study by study."""

import numpy as np
import pandas as pd
from claims_made_up import claim

from assayer.claims.judge import VERDICTS
from assayer.claims.totals import collect, parts, totals

NAMES = ["id", "kind", "implied_by", "calibrated", "demanding", "verdict"]

ROWS = [
    ("fact", "fact", "", False, True, "reproduced"),
    ("strong", "finding", "", False, True, "reproduced, uncertain"),
    ("follows", "finding", "strong", False, True, "reproduced"),
    ("fails", "finding", "", False, True, "not shown"),
    ("stays", "finding", "strong fails", False, True, "reproduced"),
    ("easy", "finding", "", False, False, "reproduced"),
    ("tuned", "finding", "", True, True, "contradicted"),
    ("nothing", "finding", "", False, True, "undefined"),
    ("narrowed", "finding", "", False, True, "not asked"),
]
COUNTED = {
    "fact": "fact",
    "strong": "independent",
    "follows": "implied",
    "fails": "independent",
    "stays": "independent",
    "easy": "easy",
    "tuned": "calibrated",
    "nothing": "independent",
    "narrowed": "independent",
}


def test_claims_are_counted_as_what_they_are():
    table = pd.DataFrame(ROWS, columns=NAMES)
    assert dict(zip(table["id"], parts(table), strict=True)) == COUNTED
    # As read back from a file: what is empty there is nothing.
    read = table.replace({"implied_by": {"": np.nan}})
    assert list(parts(read)) == list(parts(table))
    found = totals(table.assign(study="s", dataset="d", counted_as=parts(table))).set_index("part")
    assert found["claims"].to_dict() == {
        "fact": 1,
        "implied": 1,
        "easy": 1,
        "calibrated": 1,
        "independent": 5,
    }
    own = found.loc["independent"]
    assert [own[verdict] for verdict in VERDICTS] == [1, 1, 1, 0, 1, 1, 0]


def test_what_fails_because_a_weaker_claim_fails_is_no_further_failure():
    first = ("first of all", "finding", "", False, True, "contradicted")
    rows = [("first", *first[1:]), ("before P", "finding", "first", False, True, "not shown")]
    table = pd.DataFrame(rows, columns=NAMES)
    assert list(parts(table)) == ["implied", "independent"]
    # One that fails although all it follows from holds speaks against the implication.
    held = pd.DataFrame([(*rows[0][:5], "reproduced"), rows[1]], columns=NAMES)
    assert list(parts(held)) == ["independent", "independent"]


def test_of_claims_that_fail_together_none_has_to():
    """What both would imply fails, but it is not known of either whether it had to."""
    names = ("one", "other", "both")
    table = pd.DataFrame([(name, *ROWS[3][1:]) for name in names], columns=NAMES)
    table["implied_by"] = ["", "", "one other"]
    table["verdict"] = "contradicted"
    assert "implied" not in set(parts(table))
    table.loc[0, "verdict"] = "reproduced"
    assert list(parts(table) == "implied") == [False, True, False]


def test_claims_are_implied_by_those_of_their_own_study_and_dataset():
    lists = {
        study: [
            claim({}, {"above": 0}, name="a") | {"datasets": {"d": None, "e": None}},
            claim({}, {"above": 0}, name="b", implied_by=["a"])
            | {"datasets": {"d": None, "e": None}},
        ]
        for study in ("one", "two")
    }
    rows = [("a", "finding", "", False, True), ("b", "finding", "a", False, True)]

    def judged(dataset, *verdicts):
        table = [(*row, verdict) for row, verdict in zip(rows, verdicts, strict=True)]
        return pd.DataFrame(table, columns=NAMES).assign(dataset=dataset)

    holds, fails = judged("d", *["reproduced"] * 2), judged("e", "undefined", "reproduced")
    found = collect(
        lists, [("two", fails), ("one", holds), ("two", judged("d", *["not shown"] * 2))]
    )
    assert [*zip(found.study, found.id, found.dataset, found.counted_as, strict=True)] == [
        ("one", "a", "d", "independent"),
        ("one", "a", "e", "independent"),
        ("one", "b", "d", "implied"),
        ("one", "b", "e", "independent"),
        ("two", "a", "e", "independent"),
        ("two", "a", "d", "implied"),
        ("two", "b", "e", "independent"),
        ("two", "b", "d", "independent"),
    ]


def test_claims_of_an_analysis_that_is_left_out_are_not_asked_and_others_not_testable():
    own = claim({}, {"above": 0}, name="a") | {"datasets": {"d": None, "e": None}}
    found = collect({"one": [own], "two": [own]}, [], [("one/claims", "d")])
    assert [*zip(found.study, found.dataset, found.verdict, found.reason, strict=True)] == [
        (
            *("one", "d", "not asked"),
            "not computed: the configuration leaves out one/claims, or all that it reads",
        ),
        ("one", "e", "not testable", "the dataset was not studied"),
        ("two", "d", "not testable", "the dataset was not studied"),
        ("two", "e", "not testable", "the dataset was not studied"),
    ]
