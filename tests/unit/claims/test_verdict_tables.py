"""The matrix and the table of verdicts."""

import numpy as np
import pandas as pd
import pytest

from rankassay.claims.figure import COLOURS
from rankassay.claims.figure import claims as draw
from rankassay.claims.table import claims, claims_sentences
from rankassay.claims.verdicts import NOT_TESTABLE, WORDS

TITLES = {"a": "Data A", "a-split": "Data A, split 1", "a-tuned": "Data A, tuned", "b": "Data B"}
VARIANTS = {
    "a-split": {"of": "a", "label": "split 1", "settings": "a", "split": True},
    "a-tuned": {"of": "a", "label": "tuned", "settings": "a-tuned", "split": False},
}
USERS = {
    "reproduced": "holds",
    "reproduced, uncertain": "mixed",
    "not shown": "mixed",
    "contradicted": "fails",
    "not asked": "",
    "undefined": "",
}


def rows(name, **verdicts):
    """Return the rows of one claim; each dataset has a verdict and what was measured."""
    found = pd.DataFrame(
        {
            "id": name,
            "sentence": f"sentence {name}",
            "says": "It says something.",
            "said_in": "section 6",
            "source": "Author, 2018, figure 1",
            "where": "figure 1",
            "claim": "Something.",
            "dataset": dataset.replace("_", "-"),
            "published": 0.5,
            "expected": "above 0.5",
            "measured": measured,
            "low": measured - 0.1,
            "high": measured + 0.1,
            "holds": verdict.startswith("reproduced") if USERS[verdict] else None,
            "users": USERS[verdict],
            "subsets": 100 if USERS[verdict] else None,
            "subsets_hold": 97 if USERS[verdict] else None,
            "systems": "",
            "verdict": verdict,
            "kind": "finding",
            "implied_by": "",
            "calibrated": False,
        }
        for dataset, (verdict, measured) in verdicts.items()
    )
    return found.astype({"holds": "boolean"})


YES, MAYBE = ("reproduced", 0.625), ("reproduced, uncertain", 0.55)
HARDLY, NO = ("not shown", 0.5), ("contradicted", -0.25)
TABLE = pd.concat(
    [
        rows("steady", a=YES, a_split=YES, a_tuned=YES, b=NO),
        rows("lucky", a=YES, a_split=HARDLY, a_tuned=YES),
        rows("tuned", a=YES, a_split=YES, a_tuned=NO),
        rows("unlucky", a=NO, a_split=YES, a_tuned=NO),
        # That the interval on another split is wider is no other verdict.
        rows("loose", a=YES, a_split=MAYBE, a_tuned=MAYBE),
        rows("shaky", a=MAYBE, a_split=HARDLY, a_tuned=HARDLY),
    ],
    ignore_index=True,
)
UNSURE = "reproduced, uncertain"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("claim", "verdict", "others", "alone", "splits", "decides"),
    [
        ("steady", "reproduced", "reproduced", "reproduced", "2 of 2 (0.625 to 0.625)", "–"),
        ("lucky", UNSURE, "reproduced", "reproduced", "1 of 2 (0.5 to 0.625)", "splits"),
        (
            "tuned",
            UNSURE,
            "contradicted",
            "reproduced",
            "2 of 2 (0.625 to 0.625)",
            "other settings",
        ),
        (
            "unlucky",
            "not shown",
            "contradicted",
            "contradicted",
            "1 of 2 (−0.25 to 0.625)",
            "splits",
        ),
        ("loose", UNSURE, UNSURE, "reproduced", "2 of 2 (0.55 to 0.625)", "other settings"),
        (
            *("shaky", UNSURE, "not shown", UNSURE, "1 of 2 (0.5 to 0.55)"),
            "users, splits and other settings",
        ),
    ],
)
def test_the_table_says_what_decides_over_a_verdict(claim, verdict, others, alone, splits, decides):
    frame = claims(TABLE, TITLES, VARIANTS).frame
    row = frame[(frame["Claim"] == claim) & (frame["Dataset"] == "Data A")].iloc[0]
    assert (row["Verdict"], row["This run"], row["Splits"]) == (verdict, alone, splits)
    assert row["Other settings"] == f"tuned: {others}"
    assert (row["Systems"], row["Decides"]) == ("97 of 100", decides)


def test_a_dataset_without_variants_has_its_verdict_alone():
    table = claims(TABLE, TITLES, VARIANTS)
    (place,) = table.frame.index[table.frame["Dataset"] == "Data B"]
    row = table.frame.loc[place]
    assert (row["Claim"], row["Verdict"], row["Interval"]) == (
        "steady",
        "contradicted",
        "−0.35 to −0.15",
    )
    assert (row["Splits"], row["Other settings"], row["Decides"]) == ("–", "–", "–")
    assert (row["Users"], row["This run"]) == ("fails", "contradicted")
    assert table.marked.loc[place, "Verdict"]
    # Only what is contradicted by all sources is marked, not what is open.
    marked = table.frame["Verdict"][table.marked["Verdict"]]
    assert (len(marked), set(marked)) == (1, {"contradicted"})
    assert not table.marked.drop(columns="Verdict").any(axis=None)


def test_a_dataset_that_is_studied_as_its_variants_only_has_their_verdicts():
    frame = claims(TABLE, {"a-tuned": "Data A, tuned"}, VARIANTS).frame
    row = frame.set_index("Claim").loc["tuned"]
    assert (row["Dataset"], row["Verdict"], row["Measured"]) == ("a", "–", "–")
    assert row["Other settings"] == "tuned: contradicted"


def test_sentences_have_the_worst_verdict_of_their_rows():
    table = TABLE.assign(sentence="deep")
    table.loc[table["id"].isin(["unlucky", "shaky"]), "sentence"] = "good"
    frame = claims_sentences(table, TITLES, VARIANTS).frame
    row = frame[frame["Dataset"] == "Data A"].set_index("Sentence").loc["deep"]
    assert row[["Verdict", "Other settings", "This run", "Rows", "Decides"]].tolist() == [
        *("reproduced, uncertain", "tuned: contradicted", "reproduced"),
        *("4 of 4 hold, 1 reproduced", "splits, other settings"),
    ]
    assert row[["Source", "In words"]].tolist() == ["section 6", "It says something."]
    row = frame.set_index(["Dataset", "Sentence"]).loc[("Data A", "good")]
    assert (row["Verdict"], row["Rows"]) == ("not shown", "1 of 2 hold, 0 reproduced")
    ours = claims_sentences(TABLE.assign(source="ours"), {"b": "Data B"}, VARIANTS).frame.iloc[0]
    assert (ours["Source"], ours["Rows"]) == ("ours (section 6)", "0 of 1 hold, 0 are sure")


def test_a_claim_that_was_not_asked_says_why():
    table = rows("one", a=("not asked", np.nan), a_split=YES).assign(reason="no row has it")
    row = claims(table, TITLES, VARIANTS).frame.iloc[0]
    assert row["Verdict"] == "not asked (no row has it)"
    assert (row["Measured"], row["Interval"]) == ("–", "–")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({}, "finding"),
        ({"kind": "fact", "implied_by": np.nan}, "fact"),
        ({"implied_by": "a"}, "finding; implied by a"),
        ({"implied_by": "a b-c", "calibrated": True}, "finding; implied by a, b-c; calibrated"),
    ],
)
def test_the_table_says_what_a_claim_is(said, expected):
    table = rows("one", a=YES).assign(**said)
    assert claims(table, TITLES, {}).frame["Kind"].tolist() == [expected]


def test_the_matrix_has_a_cell_for_each_verdict():
    panels = [{"dataset": name, "title": title} for name, title in TITLES.items()]
    (axes,) = draw(TABLE, panels).axes
    mesh = axes.collections[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == [*TABLE["id"].unique()]
    assert [label.get_text() for label in axes.get_xticklabels()] == [*TITLES.values()]
    codes = mesh.get_array().reshape(6, 4)
    assert codes.count() == len(TABLE)
    names = [*COLOURS]
    assert [names[int(code)] for code in codes[0]] == ["reproduced"] * 3 + ["contradicted"]
    assert [names[int(code)] for code in codes[5, :3]] == [MAYBE[0], HARDLY[0], HARDLY[0]]
    # A sign in the cell distinguishes verdicts without colour; what is reproduced has none.
    signs = {tuple(text.get_position()): text.get_text() for text in axes.texts}
    assert [signs[column + 0.5, 5.53] for column in range(3)] == ["~", "?", "?"]
    assert [signs[column + 0.5, 0.53] for column in range(4)] == ["", "", "", "×"]


def test_the_figure_tells_answers_from_verdicts():
    answers = rows("one", a=YES, b=NO).assign(verdict=["yes", "no"])
    (axes,) = draw(answers, [{"dataset": name, "title": name} for name in "ab"]).axes
    assert [text.get_text() for text in axes.texts] == ["+", "−"]
    assert len({*COLOURS.values()}) == len(COLOURS)


def test_the_legend_of_the_matrix_names_the_verdicts_that_occur():
    panels = [{"dataset": name, "title": title} for name, title in TITLES.items()]

    def legend(table):
        return [text.get_text() for text in draw(table, panels).legends[0].get_texts()]

    assert legend(TABLE) == [
        *("reproduced", "~ reproduced, uncertain", "? not shown", "× contradicted")
    ]
    undefined = rows("one", a=("undefined", np.nan), b=YES)
    assert legend(undefined) == ["reproduced", "– undefined"]
    assert {*COLOURS} == {*WORDS} - {NOT_TESTABLE}


def test_data_that_no_claim_is_about_have_an_empty_table_and_a_figure_that_says_so():
    figure = draw(TABLE[:0], [{"dataset": "mine", "title": "My data"}])
    assert figure.texts[0].get_text() == "No claim is about these datasets."
    assert claims(TABLE[:0], {"mine": "My data"}, {}).frame.empty
    assert claims_sentences(TABLE[:0], {"mine": "My data"}, {}).frame.empty
