"""Sensitivity on a dataset: against the public function, and what is drawn and tabulated of it."""

import numpy as np
import pandas as pd
import pytest
from axes_checked import check_axes
from made_up import DEPTH, evaluation, study

import rankassay
from rankassay.artifacts.tables import read_table, write_table
from rankassay.drawing.table import printed
from rankassay.drawing.text import markdown
from rankassay.errors import NothingToShowError
from rankassay.studies.validity import figures, tables, without_truth

MEASURES = ["P@5", "nDCG@5", "AP@5", "P@10"]
TITLES = {"made-up": "Made up"}
PANEL = {"dataset": "made-up", "title": "Made up", "cutoff": 5}


@pytest.fixture(scope="module")
def data():
    return study()


@pytest.fixture(scope="module")
def table(data):
    train, test, rankings = data
    return without_truth.sensitivity(train, test, rankings, evaluation(MEASURES))


def test_it_is_that_of_the_public_function(data, table):
    train, test, rankings = data
    ratings, trained = (
        pd.DataFrame({"user": own.row, "item": own.col, "rating": own.data})
        for own in (test.tocoo(), train.tocoo())
    )
    runs = {}
    for name, ranking in rankings.items():
        items = np.asarray(ranking.items)
        user, place = np.nonzero(items >= 0)
        runs[name] = pd.DataFrame({"user": user, "item": items[user, place], "rank": place})
    found = rankassay.sensitivity(ratings, runs, MEASURES, train=trained, threshold=4, depth=DEPTH)
    pd.testing.assert_frame_equal(found, table, check_exact=False, rtol=1e-9)


def test_the_same_again_to_the_last_bit(data, table):
    train, test, rankings = data
    pd.testing.assert_frame_equal(
        without_truth.sensitivity(train, test, rankings, evaluation(MEASURES)),
        table,
        check_exact=True,
    )
    # Rows of a measure do not depend on which others there are.
    alone = without_truth.sensitivity(train, test, rankings, evaluation(["nDCG@5"]))
    rows = table[table["metric"] == "nDCG"].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, rows, check_exact=True)


def test_winners_of_a_file_are_the_same(tmp_path, table):
    write_table(table, tmp_path / "table.csv")
    found = without_truth.sensitivity_winners(read_table(tmp_path / "table.csv"))
    pd.testing.assert_frame_equal(found, without_truth.sensitivity_winners(table))


def test_the_table_names_winner_and_rival(table):
    found = without_truth.sensitivity_winners(table).assign(dataset="made-up")
    frame = tables.sensitivity(found, 5, TITLES).frame
    assert [*frame["Metric"]] == ["P@5", "MAP@5", "nDCG@5"]
    assert [*frame["Hits by"]] == ["P@5", "P@5", "nDCG@5"]
    at_5 = found[found["cutoff"] == 5].set_index("metric").loc[["P", "AP", "nDCG"]]
    assert [*frame["Winner"]] == [*at_5["leader"]]
    assert [*frame["Γ"]] == [*at_5["gamma"]]
    assert (frame["Γ"] <= frame["Γ by item"]).all()
    with pytest.raises(NothingToShowError, match="cut-off 7"):
        tables.sensitivity(found, 7, TITLES)
    odd = found.assign(gamma=[np.inf, np.nan, 1.0, 2.0], rival=["", "", "a", "b"])
    text = markdown(printed(tables.sensitivity(odd, 5, TITLES)))
    assert "∞ | – " in text


@pytest.mark.parametrize("odd", [{}, {"gamma": np.inf, "gamma_item": np.inf}, {"gamma": np.nan}])
def test_the_figure_has_a_bar_for_each_rival(table, odd):
    rows = table.assign(dataset="made-up", **odd)
    figure = figures.sensitivity(rows, [PANEL])
    check_axes(figure)
    [axes] = figure.axes
    rivals = rows[(rows["metric"] == "P") & (rows["cutoff"] == 5) & (rows["leader"] == "system-0")]
    names = [text.get_text().split("  ") for text in axes.get_yticklabels()]
    assert [name for name, _ in names] == [*rivals["other"]]
    written = "∞" if odd.get("gamma") == np.inf else "same hits" if odd else None
    assert {gamma for _, gamma in names} == {
        written or f"{np.floor(100 * g) / 100:.2f}" for g in rivals["gamma"]
    }
    assert len(axes.patches) == len(rivals) == 4
    if not odd:
        ends = [bar.get_x() + bar.get_width() for bar in axes.patches]
        assert ends == pytest.approx(rivals["gamma"].to_list())
    assert "under P@5" in axes.get_xlabel()
