"""The matrix and the table of verdicts."""

import pandas as pd
import pytest

from assayer.figures.claims import COLOURS, draw
from assayer.tables.claims import claims

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
        }
        for dataset, (verdict, measured) in verdicts.items()
    )


YES, PARTLY, NO = ("reproduced", 0.625), ("partly", 0.5), ("not reproduced", -0.25)
TABLE = pd.concat(
    [
        rows("steady", a=YES, a_split=YES, a_tuned=YES, b=NO),
        rows("lucky", a=YES, a_split=PARTLY, a_tuned=YES),
        rows("tuned", a=YES, a_split=YES, a_tuned=NO),
        rows("unlucky", a=NO, a_split=YES, a_tuned=NO),
    ]
)


@pytest.mark.parametrize(
    ("claim", "splits", "systems", "depends"),
    [
        ("steady", "2 of 2 (0.625 to 0.625)", "tuned: reproduced (0.625)", "–"),
        ("lucky", "1 of 2 (0.5 to 0.625)", "tuned: reproduced (0.625)", "split"),
        ("tuned", "2 of 2 (0.625 to 0.625)", "tuned: not reproduced (−0.25)", "systems"),
        ("unlucky", "1 of 2 (−0.25 to 0.625)", "tuned: not reproduced (−0.25)", "split"),
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
        "not reproduced",
        "−0.35 to −0.15",
    )
    assert (row["Splits"], row["Other systems"], row["Depends on"]) == ("–", "–", "–")
    assert table.marked.loc[place, "Verdict"]


def test_the_matrix_has_a_cell_for_each_verdict():
    panels = [{"dataset": name, "title": title} for name, title in TITLES.items()]
    (axes,) = draw(TABLE, panels).axes
    mesh = axes.collections[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == [*TABLE["id"].unique()]
    assert [label.get_text() for label in axes.get_xticklabels()] == [*TITLES.values()]
    codes = mesh.get_array().reshape(4, 4)
    assert codes.count() == len(TABLE)
    names = [*COLOURS]
    assert [names[int(code)] for code in codes[0]] == ["reproduced"] * 3 + ["not reproduced"]


def test_data_that_no_claim_is_about_have_an_empty_table_and_a_figure_that_says_so():
    figure = draw(TABLE[:0], [{"dataset": "mine", "title": "My data"}])
    assert figure.texts[0].get_text() == "No claim is about these datasets."
    assert claims(TABLE[:0], {"mine": "My data"}, {}).frame.empty
