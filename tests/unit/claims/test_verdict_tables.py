"""The matrix and the tables of verdicts."""

import numpy as np
import pandas as pd
import pytest

from rankassay.claims.figure import COLOURS
from rankassay.claims.figure import claims as draw
from rankassay.claims.table import COLUMNS, SENTENCES, claims, claims_sentences
from rankassay.claims.verdicts import NOT_TESTABLE, SIGNS, WORDS

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
            "id": name,
            "sentence": name.partition(":")[0],
            "says": "It says something.",
            "said_in": "section 6",
            "source": "Author, 2018, figure 1",
            "where": "figure 1",
            "claim": f"Something of {name}.",
            "kind": "finding",
            "decides": decides,
            "calibrated": False,
            "dataset": dataset.replace("_", "-"),
            "published": 0.5,
            "measured": measured,
            "expected": "above 0.5",
            **{"predicate": "above", "bound": 0.5, "margin": 0.0},
            "holds": None if np.isnan(measured) else measured > 0.5,
            **{"exact": False, "least": -1.0, "greatest": 1.0},
            **{"mean": measured, "splits": None if np.isnan(measured) else 1, "resamples": 200},
            **{"families": 7, "error_users": 0.01, "error_splits": np.nan, "error_systems": 0.02},
            **{"low": measured - 0.02, "high": measured + 0.02, "reproduced": reproduced},
            **{"general_low": measured - 0.05, "general_high": measured + 0.05, "general": general},
            "reason": None,
        }
        for dataset, (reproduced, general, measured) in verdicts.items()
    ).astype({"holds": "boolean"})


TABLE = pd.concat(
    [
        rows("steady", a=(YES, YES, 0.625), a_split=(YES, YES, 0.625), b=(NO, OPEN, -0.25)),
        rows("lucky", a=(YES, YES, 0.625), a_split=(NO, NO, 0.25)),
        rows("tuned", a=(YES, OPEN, 0.55), a_split=(YES, YES, 0.56), a_tuned=(NO, NO, -0.25)),
    ],
    ignore_index=True,
)
JUDGED = ["Measured", "Splits", "Interval", "Reproduced", "Interval of systems", "General"]


def test_the_table_has_both_verdicts_over_all_splits():
    found = claims(TABLE, TITLES, VARIANTS)
    assert [*found.frame] == COLUMNS
    told = found.frame[["Dataset", "Settings", "Claim", *JUDGED]]
    assert told.to_numpy().tolist()[:2] == [
        # Of settings that were chosen otherwise, before those of the data.
        [
            *("Data A", "tuned", "tuned*", "−0.25", "1", "−0.27 to −0.23", NO),
            *("−0.3 to −0.2", NO),
        ],
        # Two splits that are alike: the errors alone are pooled, and there is none between them.
        [
            *("Data A", "–", "steady*", "0.625", "2", "0.6053 to 0.6447", YES),
            *("0.5747 to 0.6753", YES),
        ],
    ]
    # Two splits that are not: their mean, and an interval as wide as it can be.
    lucky = told[told["Claim"] == "lucky*"].to_numpy().tolist()
    assert lucky == [
        ["Data A", "–", "lucky*", "0.4375", "2", "−1 to 1", OPEN, "−1 to 1", OPEN],
    ]
    assert told["Dataset"].tolist() == ["Data A"] * 4 + ["Data B"]
    row = found.frame.iloc[4]
    assert row[JUDGED].tolist() == ["−0.25", "1", "−0.27 to −0.23", NO, "−0.3 to −0.2", OPEN]
    told = ["Source", "In words", "Published", "Expected"]
    assert row[told].tolist() == [
        *("Author, 2018, figure 1", "Something of steady.", "0.5", "above 0.5"),
    ]


def test_what_does_not_hold_is_marked_and_nothing_else():
    table = claims(TABLE, TITLES, VARIANTS)
    for name in ("Reproduced", "General"):
        pd.testing.assert_series_equal(table.marked[name], table.frame[name] == NO)
        assert table.marked[name].any()
    assert not table.marked.drop(columns=["Reproduced", "General"]).any(axis=None)


def test_rows_that_decide_are_marked_by_an_asterisk_or_by_their_name():
    table = pd.concat(
        [
            *(rows(f"row-{i}", False, b=(YES, "", 0.6)).assign(sentence="deep") for i in range(2)),
            rows("deep:share", b=(NO, "", 0.5)),
            rows("alone", b=(YES, np.nan, 0.6)),
        ]
    )
    frame = claims(table, TITLES, {}).frame
    assert frame["Claim"].tolist() == ["row-0", "row-1", "deep:share", "alone*"]
    assert frame["General"].tolist() == ["–"] * 4
    ours = table.assign(source="ours")
    assert {*claims(ours, TITLES, {}).frame["Source"]} == {"ours (figure 1)"}


def test_sentences_have_one_row_and_say_what_decided_them():
    table = pd.concat(
        [
            rows("row-0", False, b=(YES, YES, 0.6)).assign(sentence="deep"),
            rows("row-1", False, b=(NO, NO, 0.25)).assign(sentence="deep"),
            rows("deep:share", b=(NO, OPEN, 0.5)),
            rows("alone", a=(YES, YES, 0.625), a_split=(YES, YES, 0.625), b=(YES, "", 0.6)),
        ],
        ignore_index=True,
    )
    found = claims_sentences(table, TITLES, VARIANTS)
    assert [*found.frame] == SENTENCES
    told = ["Dataset", "Sentence", "In words", "Source", "Decided by", "Rows", "Splits"]
    assert found.frame[[*told, "Reproduced", "General"]].to_numpy().tolist() == [
        [
            *("Data A", "alone", "It says something.", "section 6", "–", "1 of 1", "2"),
            *(YES, YES),
        ],
        [
            *("Data B", "deep", "It says something.", "section 6", "Something of deep:share."),
            *("1 of 2", "1", NO, OPEN),
        ],
        [
            *("Data B", "alone", "It says something.", "section 6", "–", "1 of 1", "1"),
            *(YES, "–"),
        ],
    ]
    assert found.marked["Reproduced"].tolist() == [False, True, False]
    ours = claims_sentences(table.assign(source="ours"), TITLES, VARIANTS).frame
    assert {*ours["Source"]} == {"ours (section 6)"}


def test_settings_that_were_fitted_to_the_means_of_a_paper_are_calibrated():
    table = TABLE.assign(calibrated=TABLE["dataset"] == "a-tuned")
    for found in (claims(table, TITLES, VARIANTS), claims_sentences(table, TITLES, VARIANTS)):
        settings = found.frame[["Dataset", "Settings"]].drop_duplicates()
        assert settings.to_numpy().tolist() == [
            *(["Data A", "calibrated"], ["Data A", "–"], ["Data B", "–"])
        ]


def test_a_dataset_that_is_studied_as_its_variants_only_has_their_verdicts():
    table = TABLE[TABLE["dataset"] == "a-tuned"]
    row = claims(table, {"a-tuned": "Data A, tuned"}, VARIANTS).frame.iloc[0]
    assert (row["Dataset"], row["Settings"], row["Reproduced"]) == ("a", "tuned", NO)


def test_datasets_are_in_the_order_of_their_titles():
    table = pd.concat([rows("one", b=(YES, "", 0.6), a=(YES, "", 0.6), mine=(YES, "", 0.6))])
    found = claims(table, TITLES, VARIANTS).frame["Dataset"].tolist()
    assert found == ["Data A", "Data B", "mine"]


def test_a_claim_that_was_not_asked_says_why():
    table = rows("one", a=("not asked", "", np.nan), b=("not asked", "", np.nan))
    table = table.assign(reason=["no row has it", None])
    for found in (claims(table, TITLES, {}), claims_sentences(table, TITLES, {})):
        row = found.frame.iloc[0]
        assert row[JUDGED].tolist() == ["–", "–", "–", "not asked (no row has it)", "–", "–"]
        assert found.frame.iloc[1]["Reproduced"] == "not asked"
    # Why there is no interval is no part of the verdict.
    open_ = rows("one", a=(OPEN, "", 0.6)).assign(reason="no replicates")
    assert claims(open_, TITLES, {}).frame["Reproduced"].tolist() == [OPEN]


@pytest.mark.parametrize(
    ("value", "expected"),
    [(6040.0, "6040"), (0.0, "0"), (-3.0, "−3"), (0.123456, "0.1235"), (-1e-7, "−1e−07")],
)
def test_numbers_are_short_and_whole_ones_in_full(value, expected):
    table = rows("one", a=(YES, "", 0.6)).assign(mean=value, published=None)
    frame = claims(table, TITLES, {}).frame
    assert frame[["Measured", "Published"]].to_numpy().tolist() == [[expected, "–"]]


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


def test_the_legend_of_the_matrix_names_the_verdicts_that_occur():
    def legend(table):
        return [text.get_text() for text in draw(table, PANELS).legends[0].get_texts()]

    assert legend(TABLE) == ["+ holds", "? inconclusive", "× does not hold"]
    undefined = rows("one", a=("undefined", np.nan, np.nan), b=("not asked", np.nan, np.nan))
    assert legend(undefined) == ["– undefined", "· not asked"]
    assert {*COLOURS} == {*SIGNS} == {*WORDS} - {NOT_TESTABLE}
    assert len({*COLOURS.values()}) == len({*SIGNS.values()}) == len(COLOURS)


def test_data_that_no_claim_is_about_have_an_empty_table_and_a_figure_that_says_so():
    figure = draw(TABLE[:0], [{"dataset": "mine", "title": "My data"}])
    assert figure.texts[0].get_text() == "No claim is about these datasets."
    assert claims(TABLE[:0], {"mine": "My data"}, {}).frame.empty
    assert claims_sentences(TABLE[:0], {"mine": "My data"}, {}).frame.empty
