"""Verdicts as readers see them: the runs that they are of, their numbers, and the matrix."""

import numpy as np
import pandas as pd
import pytest

from rankassay.claims.conditions import NOT_TESTABLE, SIGNS, WORDS
from rankassay.claims.figure import COLOURS
from rankassay.claims.figure import claims as draw
from rankassay.claims.words import interval, number, runs

TITLES = {"a": "Data A", "a-split": "Data A, split 1", "a-tuned": "Data A, tuned", "b": "Data B"}
VARIANTS = {
    "a-split": {"of": "a", "label": "split 1", "settings": "a", "split": True},
    "a-tuned": {"of": "a", "label": "tuned", "settings": "a-tuned", "split": False},
}
YES, OPEN, NO = "holds", "inconclusive", "does not hold"


def rows(name, decides=True, **verdicts):
    """Return the rows of one claim: of each dataset both verdicts and what was measured."""
    return pd.DataFrame(
        {
            **{"id": name, "sentence": name.partition(":")[0], "source": "Author, 2018, figure 1"},
            **{"kind": "finding", "decides": decides, "calibrated": False},
            "dataset": dataset.replace("_", "-"),
            "measured": measured,
            "holds": None if np.isnan(measured) else measured > 0.5,
            **{"reproduced": reproduced, "general": general},
        }
        for dataset, (reproduced, general, measured) in verdicts.items()
    ).astype({"holds": "boolean"})


TABLE = pd.concat(
    [
        rows("steady", b=(NO, OPEN, -0.25), a=(YES, YES, 0.625), a_split=(YES, YES, 0.625)),
        rows("lucky", a=(YES, YES, 0.625), a_split=(NO, NO, 0.25)),
        rows("tuned", a=(YES, OPEN, 0.55), a_split=(YES, YES, 0.56), a_tuned=(NO, NO, -0.25)),
    ],
    ignore_index=True,
)


# ---- In words ------------------------------------------------------------------------------------


def told(table, titles=TITLES, variants=VARIANTS):
    """Return the names of the runs of a table, each with the measured numbers of its rows."""
    found = runs(table, titles, variants)
    return [(*head.values(), own["measured"].tolist()) for head, own in found]


def test_runs_are_in_the_order_of_their_titles_and_those_with_chosen_settings_come_first():
    table = TABLE[TABLE["dataset"] != "a-split"]
    assert told(table) == [
        ("Data A", "tuned", [-0.25]),
        ("Data A", "–", [0.625, 0.625, 0.55]),
        ("Data B", "–", [-0.25]),
    ]
    # Data without a title have their name, and come last.
    other = pd.concat([rows("one", mine=(YES, "", 0.6)), table])
    assert [head for *head, _ in told(other)] == [
        *(["Data A", "tuned"], ["Data A", "–"], ["Data B", "–"], ["mine", "–"])
    ]


def test_data_that_are_studied_as_their_variants_only_have_their_name():
    table = TABLE[TABLE["dataset"] == "a-tuned"]
    assert told(table, {"a-tuned": "Data A, tuned"}) == [("a", "tuned", [-0.25])]
    assert told(table) == [("Data A", "tuned", [-0.25])]


def test_settings_that_were_fitted_to_the_means_of_a_paper_are_calibrated():
    table = TABLE.assign(calibrated=TABLE["dataset"] == "a")
    table = table[table["dataset"] != "a-split"]
    settings = [head for *head, _ in told(table)]
    assert settings == [["Data A", "tuned"], ["Data A", "calibrated"], ["Data B", "–"]]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *((37232.0, "37232"), (0.0, "0"), (-3.0, "−3"), (0.123456, "0.1235"), (-1e-7, "−1e−07")),
        *((np.nan, "–"), (None, "–")),
    ],
)
def test_numbers_are_short_and_whole_ones_in_full(value, expected):
    assert number(value) == expected


def test_an_interval_has_both_ends_or_is_a_dash():
    assert interval(-0.25, 0.123456) == "−0.25 to 0.1235"
    assert interval(np.nan, np.nan) == "–"


# ---- The matrix ----------------------------------------------------------------------------------

PANELS = [{"dataset": name, "title": title} for name, title in TITLES.items()]


def matrix(table, panels=PANELS):
    """Return the words of the matrix by the names of its rows and columns, and its signs."""
    (axes,) = draw(table, panels).axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    titles = [label.get_text() for label in axes.get_xticklabels()]
    codes = axes.collections[0].get_array().reshape(len(names), len(titles))
    words = [["" if code is np.ma.masked else [*COLOURS][int(code)] for code in r] for r in codes]
    signs = {tuple(text.get_position()): text.get_text() for text in axes.texts}
    found = [[signs[j + 0.5, i + 0.53] for j in range(len(titles))] for i in range(len(names))]
    return pd.DataFrame(words, names, titles), pd.DataFrame(found, names, titles)


def test_the_matrix_has_both_verdicts_of_each_run_on_each_sentence():
    words, signs = matrix(TABLE)
    assert [*words.index] == ["steady", "lucky", "tuned"]
    assert [*words] == [
        f"{title}: {asked}?" for title in TITLES.values() for asked in ("reproduced", "general")
    ]
    assert words.to_numpy().tolist() == [
        [YES, YES, YES, YES, "", "", NO, OPEN],
        [YES, YES, NO, NO, "", "", "", ""],
        [YES, OPEN, YES, YES, NO, NO, "", ""],
    ]
    # A sign distinguishes verdicts without colour.
    assert signs.to_numpy().tolist() == [
        ["+", "+", "+", "+", "", "", "×", "?"],
        ["+", "+", "×", "×", "", "", "", ""],
        ["+", "?", "+", "+", "×", "×", "", ""],
    ]


def test_the_matrix_has_a_row_for_a_sentence_and_the_verdict_of_the_row_that_decides():
    table = pd.concat(
        [
            rows("row-0", False, b=(YES, YES, 0.6)).assign(sentence="deep"),
            rows("row-1", False, b=(NO, NO, 0.25)).assign(sentence="deep"),
            rows("deep:share", b=(OPEN, "", 0.5)),
        ],
        ignore_index=True,
    )
    words, _ = matrix(table, PANELS[-1:])
    assert words.to_dict("list") == {"Data B: reproduced?": [OPEN], "Data B: general?": [""]}
    assert [*words.index] == ["deep"]


def test_the_first_sentence_is_on_top_and_signs_can_be_read_on_dark_cells():
    (axes,) = draw(TABLE, PANELS).axes
    assert axes.get_ylim() == (3, 0)
    colours = {(text.get_text(), text.get_color()) for text in axes.texts}
    assert colours == {("+", "0.1"), ("?", "0.1"), ("×", "white"), ("", "0.1")}


def test_the_legend_of_the_matrix_names_the_verdicts_that_occur():
    def legend(table):
        return [text.get_text() for text in draw(table, PANELS).legends[0].get_texts()]

    assert legend(TABLE) == ["+ holds", "? inconclusive", "× does not hold"]
    undefined = rows("one", a=("undefined", np.nan, np.nan), b=("not asked", np.nan, np.nan))
    assert legend(undefined) == ["– undefined", "· not asked"]
    assert {*COLOURS} == {*SIGNS} == {*WORDS} - {NOT_TESTABLE}
    assert len({*COLOURS.values()}) == len({*SIGNS.values()}) == len(COLOURS)


def test_data_that_no_claim_is_about_have_a_figure_that_says_so():
    figure = draw(TABLE[:0], [{"dataset": "mine", "title": "My data"}])
    assert figure.texts[0].get_text() == "No claim is about these datasets."
    assert told(TABLE[:0]) == []
