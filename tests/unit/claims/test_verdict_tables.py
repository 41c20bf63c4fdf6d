"""The matrix and the table of verdicts."""

import numpy as np
import pandas as pd
import pytest

from assayer.claims.figure import COLOURS
from assayer.claims.figure import claims as draw
from assayer.claims.table import claims, sentences
from assayer.claims.verdicts import NOT_TESTABLE, WORDS

TITLES = {"a": "Data A", "a-split": "Data A, split 1", "a-tuned": "Data A, tuned", "b": "Data B"}
VARIANTS = {
    "a-split": {"of": "a", "label": "split 1", "split_seed": 1},
    "a-tuned": {"of": "a", "label": "tuned"},
}


def rows(name, **verdicts):
    """Return the rows of one claim; each dataset has a verdict and what was measured."""
    return pd.DataFrame(
        {
            "id": name,
            "where": "figure 1",
            "claim": "Something.",
            "dataset": dataset.replace("_", "-"),
            "published": 0.5,
            "expected": "above 0.5",
            "measured": measured,
            "low": measured - 0.1,
            "high": measured + 0.1,
            "verdict": verdict,
            "kind": "finding",
            "implied_by": "",
            "calibrated": False,
        }
        for dataset, (verdict, measured) in verdicts.items()
    )


YES, MAYBE = ("reproduced", 0.625), ("reproduced, uncertain", 0.55)
HARDLY, NO = ("not shown", 0.5), ("contradicted", -0.25)
TABLE = pd.concat(
    [
        rows("steady", a=YES, a_split=YES, a_tuned=YES, b=NO),
        rows("lucky", a=YES, a_split=HARDLY, a_tuned=YES),
        rows("tuned", a=YES, a_split=YES, a_tuned=NO),
        rows("unlucky", a=NO, a_split=YES, a_tuned=NO),
        # That the interval is wider is no other verdict on what was measured.
        rows("loose", a=YES, a_split=MAYBE, a_tuned=MAYBE),
        rows("shaky", a=MAYBE, a_split=HARDLY, a_tuned=HARDLY),
    ]
)


@pytest.mark.parametrize(
    ("claim", "splits", "systems", "depends"),
    [
        ("steady", "2 of 2, firmly 2 (0.625 to 0.625)", "tuned: reproduced (0.625)", "–"),
        ("lucky", "1 of 2, firmly 1 (0.5 to 0.625)", "tuned: reproduced (0.625)", "split"),
        ("tuned", "2 of 2, firmly 2 (0.625 to 0.625)", "tuned: contradicted (−0.25)", "systems"),
        ("unlucky", "1 of 2, firmly 1 (−0.25 to 0.625)", "tuned: contradicted (−0.25)", "split"),
        ("loose", "2 of 2, firmly 1 (0.55 to 0.625)", "tuned: reproduced, uncertain (0.55)", "–"),
        ("shaky", "1 of 2, firmly 0 (0.5 to 0.55)", "tuned: not shown (0.5)", "split and systems"),
    ],
)
def test_the_table_says_what_a_verdict_depends_on(claim, splits, systems, depends):
    frame = claims(TABLE, TITLES, VARIANTS).frame
    row = frame[(frame["Claim"] == claim) & (frame["Dataset"] == "Data A")].iloc[0]
    assert (row["Splits"], row["Other systems"], row["Depends on"]) == (splits, systems, depends)


def test_a_dataset_without_variants_has_its_verdict_alone():
    table = claims(TABLE, TITLES, VARIANTS)
    (place,) = table.frame.index[table.frame["Dataset"] == "Data B"]
    row = table.frame.loc[place]
    assert (row["Claim"], row["Verdict"], row["Interval"]) == (
        "steady",
        "contradicted",
        "−0.35 to −0.15",
    )
    assert (row["Splits"], row["Other systems"], row["Depends on"]) == ("–", "–", "–")
    assert table.marked.loc[place, "Verdict"]
    # Only what is contradicted is marked, not what is open.
    marked = table.frame["Verdict"][table.marked["Verdict"]]
    assert (len(marked), set(marked)) == (2, {"contradicted"})
    assert not table.marked.drop(columns="Verdict").any(axis=None)


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
    # A sign in the cell tells verdicts apart without colour; what is reproduced has none.
    signs = {tuple(text.get_position()): text.get_text() for text in axes.texts}
    assert [signs[column + 0.5, 5.53] for column in range(3)] == ["~", "?", "?"]
    assert [signs[column + 0.5, 0.53] for column in range(4)] == ["", "", "", "×"]


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
