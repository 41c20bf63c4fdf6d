"""Grids of settings: their points, the best of them, and the part of the ratings they see."""

import math

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import yaml

from rankassay.artifacts.arrays import write_matrix
from rankassay.artifacts.tables import read_table, write_table
from rankassay.cli.job import do
from rankassay.data.parts import split
from rankassay.errors import RankassayError
from rankassay.tuning import figure as tuning
from rankassay.tuning.grid import as_configuration, chosen, ordered, points

GRID = {"neighbours": [50, None], "estimate": ["mle", "nmle"], "difference": [True, False]}


def scored(scores, measure="P@10"):
    """Return the scores of points as the stages write them; NaN is a point without one."""
    errors = ["too many." if math.isnan(score) else None for score in scores]
    return pd.DataFrame({"measure": measure, "score": scores, "error": errors})


def test_points_are_all_combinations_the_last_setting_changing_fastest():
    found = points({"a": [1, 2], "b": ["x", "y"]})
    assert found == [
        {"a": 1, "b": "x"},
        {"a": 1, "b": "y"},
        {"a": 2, "b": "x"},
        {"a": 2, "b": "y"},
    ]


@pytest.mark.parametrize("grid", [{}, {"a": None}])
def test_a_grid_without_values_has_no_points(grid):
    assert points(grid) == []


def test_a_setting_without_values_is_left_out():
    assert points({"a": None, "b": [1]}) == [{"b": 1}]


def test_points_are_ordered_by_score_and_ties_by_the_grid():
    table = ordered({"a": [3, 2, 1]}, scored([0.1, 0.5, 0.5], "nDCG@10"))
    assert list(table.columns) == ["point", "a", "measure", "score", "error"]
    assert list(table["a"]) == [2, 1, 3]
    assert list(table["point"]) == [2, 3, 1]
    assert set(table["measure"]) == {"nDCG@10"}


@pytest.mark.parametrize("best", range(8))
def test_the_chosen_point_keeps_its_types_through_the_table(tmp_path, best):
    write_table(ordered(GRID, scored(np.eye(8)[best])), tmp_path / "table.csv")
    point = chosen(GRID, read_table(tmp_path / "table.csv"))
    assert point == points(GRID)[best]
    assert [type(value) for value in point.values()] == [
        type(value) for value in points(GRID)[best].values()
    ]


def test_the_first_of_equal_points_is_chosen():
    assert chosen(GRID, ordered(GRID, scored([0.5] * 8))) == points(GRID)[0]


def test_a_point_without_a_score_comes_last_and_is_never_chosen(tmp_path):
    grid = {"a": [1, 2, 3]}
    for scores, order in (([math.nan, 0.0, 0.5], [3, 2, 1]), ([-1.0, math.nan, -2.0], [1, 3, 2])):
        write_table(ordered(grid, scored(scores)), tmp_path / "table.csv")
        table = read_table(tmp_path / "table.csv")
        assert list(table["a"]) == order
        assert list(table["error"].notna()) == [False, False, True]
        assert chosen(grid, table) == {"a": order[0]}


def test_the_chosen_points_are_settings_of_one_dataset():
    assert as_configuration("tiny", {"slim": {"l1": 5}}) == {
        "recommender_catalogue": {"slim": {"datasets": {"tiny": {"l1": 5}}}}
    }


def test_the_configuration_is_written_with_the_types_of_the_grid(tmp_path):
    grid = {"neighbours": [50, None], "estimate": ["mle", "nmle"], "difference": [True]}
    output = tmp_path / "chosen.yaml"
    write_table(pd.DataFrame({"point": [3], "measure": "P@10"}), tmp_path / "rsv.csv")
    given = {"dataset": "tiny", "tables": {"rsv": tmp_path / "rsv.csv"}, "grids": {"rsv": grid}}
    do("write_best", given | {"output": output})
    settings = yaml.safe_load(output.read_text())["recommender_catalogue"]["rsv"]["datasets"]
    assert settings == {"tiny": {"neighbours": None, "estimate": "mle", "difference": True}}


def test_training_ratings_are_split_without_loss():
    train = sp.random(30, 40, 0.4, format="csr", dtype=np.float32, random_state=1)
    train = sp.vstack([train[:7], sp.csr_matrix((1, 40), dtype=np.float32), train[8:]], "csr")
    fitted, validation = split(train, 0.2, "floor", 3)
    assert (fitted + validation != train).nnz == 0
    assert fitted.nnz + validation.nnz == train.nnz
    assert list(np.diff(validation.indptr)) == list(np.diff(train.indptr) // 5)
    again = split(train, 0.2, "floor", 3)[1]
    assert (again != validation).nnz == 0


@pytest.mark.parametrize("n_settings", [1, 2, 3])
@pytest.mark.parametrize("equal", [False, True])
def test_a_figure_has_a_panel_for_each_setting(n_settings, equal):
    grid = dict(list(GRID.items())[:n_settings])
    n = len(points(grid))
    scores = np.full(n, 0.3) if equal else np.linspace(0.1, 0.2, n)
    table = ordered(grid, scored(scores, "nDCG@100"))
    figure = tuning.draw(table, "RSV · Tiny data")
    panels = [axes for axes in figure.axes if axes.get_xlabel()]
    assert [axes.get_xlabel() for axes in panels] == list(grid)
    assert [label.get_text() for label in panels[0].get_xticklabels()] == ["50", "null"]


def test_numbers_stand_in_order():
    figure = tuning.draw(ordered({"a": [10, 0.5, 2]}, scored([1.0, 2.0, 3.0])), "")
    labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert labels == ["0.5", "2", "10"]


def tune(tmp_path, threshold=4, **point):
    """Score one point of PureSVD on a matrix of 12 x 10."""
    pattern = np.random.default_rng(1).random((12, 10)) < 0.8
    write_matrix(sp.csr_matrix(np.float32(4 * pattern)), tmp_path / "train.npz")
    given = {"train": tmp_path / "train.npz", "method": "puresvd", "settings": point}
    given |= {"threshold": threshold, "measure": "P@5", "profile": "paper"}
    given |= {"test_fraction": 0.2, "rounding": "floor", "depth": 10, "candidates": "test_items"}
    do("tune", given | {"seed": 1, "output": tmp_path / f"{point.get('factors')}.csv"})


def collect(tmp_path, *names, grid):
    """Collect the scores of points."""
    scores = [tmp_path / f"{name}.csv" for name in names]
    outputs = {"table": tmp_path / "t.csv", "figure": tmp_path / "f.pdf"}
    do("order_grid", {"scores": scores, "grid": grid, "title": "A"} | outputs)


def test_a_point_that_the_data_cannot_take_is_a_row_with_the_reason(tmp_path, caplog):
    tune(tmp_path, factors=100)
    (row,) = read_table(tmp_path / "100.csv").to_dict("records")
    assert row["measure"] == "P@5"
    assert math.isnan(row["score"])
    assert row["error"].startswith("puresvd: expected factors from 1 to 9")
    (record,) = [record for record in caplog.records if record.levelname == "WARNING"]
    assert row["error"] in record.getMessage()


def test_a_threshold_that_no_rating_reaches_is_found_before_a_point_is_fitted(tmp_path):
    with pytest.raises(
        RankassayError, match="no test rating reaches the threshold 9, the highest is 4"
    ):
        tune(tmp_path, threshold=9, factors=100)
    assert not (tmp_path / "100.csv").exists()


def test_a_bug_in_a_recommender_is_a_failure_and_no_row(tmp_path, monkeypatch):
    def broken(*arguments):
        raise ValueError("a bug")

    monkeypatch.setattr("rankassay.recommenders.factorization.PureSVD.fit", broken)
    with pytest.raises(ValueError, match="a bug"):
        tune(tmp_path, factors=2)
    with pytest.raises(TypeError, match="factor_s"):
        tune(tmp_path, factor_s=2)
    assert not list(tmp_path.glob("*.csv"))


def test_the_others_are_collected_beside_a_point_without_a_score(tmp_path, caplog):
    tune(tmp_path, factors=100)
    tune(tmp_path, factors=2)
    caplog.clear()
    collect(tmp_path, 100, 2, grid={"factors": [100, 2]})
    table = read_table(tmp_path / "t.csv")
    assert list(table["factors"]) == [2, 100]
    assert table["score"][0] > 0
    assert math.isnan(table["score"][1])
    said = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert said == ["warning: 1 of 2 points without a score: see the column error"]


def test_a_grid_without_any_score_ends_in_one_line(tmp_path):
    tune(tmp_path, factors=100)
    tune(tmp_path, factors=0)
    said = "expected a score for one of the grid's 2 points, found none.*found 100; set that many"
    with pytest.raises(RankassayError, match=said):
        collect(tmp_path, 100, 0, grid={"factors": [100, 0]})
    assert not (tmp_path / "t.csv").exists()


def test_values_without_a_score_are_marked_in_the_figure():
    grid = {"a": [1, 2, 3], "b": ["x", "y"]}
    scores = [0.1, math.nan, 0.2, 0.3, math.nan, math.nan]
    figure = tuning.draw(ordered(grid, scored(scores)), "")
    first, second = [axes for axes in figure.axes if axes.get_xlabel()]
    crosses = [line for line in first.get_lines() if line.get_marker() == tuning.FAILED.marker]
    assert [list(line.get_xdata()) for line in crosses] == [[2]]
    assert [label.get_text() for label in first.get_xticklabels()] == ["1", "2", "3"]
    assert not [x for x in second.get_lines() if x.get_marker() == tuning.FAILED.marker]
    assert tuning.FAILED.label in [text.get_text() for text in figure.legends[0].get_texts()]
    plain = tuning.draw(ordered(grid, scored(np.linspace(0.1, 0.2, 6))), "")
    assert tuning.FAILED.label not in [text.get_text() for text in plain.legends[0].get_texts()]


def test_missing_scores_end_in_one_line(tmp_path):
    write_table(scored([0.1]), tmp_path / "a.csv")
    with pytest.raises(RankassayError, match="expected the scores of the grid's 2 points, found 1"):
        collect(tmp_path, "a", grid={"a": [1, 2]})


def test_many_equal_points_stay_in_the_order_of_the_grid():
    table = ordered({"a": [*range(100)]}, scored([0.5, 0.7] * 50))
    assert list(table["a"]) == [*range(1, 100, 2), *range(0, 100, 2)]
