"""Grids of settings: their points, the best of them, and the part of the ratings they see."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import yaml

from assayer.analysis.tuning import as_configuration, chosen, ordered, points
from assayer.artifacts import read_table, write_table
from assayer.cli import main
from assayer.data.split import split
from assayer.figures import tuning

GRID = {"neighbours": [50, None], "estimate": ["mle", "nmle"], "difference": [True, False]}


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
    table = ordered({"a": [3, 2, 1]}, "nDCG@10", [0.1, 0.5, 0.5])
    assert list(table.columns) == ["point", "a", "measure", "score"]
    assert list(table["a"]) == [2, 1, 3]
    assert list(table["point"]) == [2, 3, 1]
    assert set(table["measure"]) == {"nDCG@10"}


@pytest.mark.parametrize("best", range(8))
def test_the_chosen_point_keeps_its_types_through_the_table(tmp_path, best):
    write_table(ordered(GRID, "P@10", np.eye(8)[best]), tmp_path / "table.csv")
    point = chosen(GRID, read_table(tmp_path / "table.csv"))
    assert point == points(GRID)[best]
    assert [type(value) for value in point.values()] == [
        type(value) for value in points(GRID)[best].values()
    ]


def test_the_first_of_equal_points_is_chosen():
    assert chosen(GRID, ordered(GRID, "P@10", [0.5] * 8)) == points(GRID)[0]


def test_the_chosen_points_are_settings_of_one_dataset():
    assert as_configuration("tiny", {"slim": {"l1": 5}}) == {
        "recommender_catalogue": {"slim": {"datasets": {"tiny": {"l1": 5}}}}
    }


def test_the_configuration_is_written_with_the_types_of_the_grid(tmp_path):
    grids = '{"rsv": {"neighbours": [50, null], "estimate": ["mle", "nmle"], "difference": [true]}}'
    output = tmp_path / "chosen.yaml"
    write_table(pd.DataFrame({"point": [3], "measure": "P@10"}), tmp_path / "rsv.csv")
    arguments = ["choose", "tiny", f"rsv={tmp_path}/rsv.csv", "--grids", grids]
    assert main([*arguments, "--output", str(output)]) == 0
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
    table = ordered(grid, "nDCG@100", [0.3] * n if equal else np.linspace(0.1, 0.2, n))
    figure = tuning.draw(table, "RSV · Tiny data")
    panels = [axes for axes in figure.axes if axes.get_xlabel()]
    assert [axes.get_xlabel() for axes in panels] == list(grid)
    assert [label.get_text() for label in panels[0].get_xticklabels()] == ["50", "null"]


def test_numbers_stand_in_order():
    figure = tuning.draw(ordered({"a": [10, 0.5, 2]}, "P@10", [1, 2, 3]), "")
    labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert labels == ["0.5", "2", "10"]


def test_missing_scores_end_in_one_line(tmp_path, capsys):
    write_table(pd.DataFrame({"measure": ["P@10"], "score": [0.1]}), tmp_path / "a.csv")
    arguments = ["collect", str(tmp_path / "a.csv"), "--grid", '{"a": [1, 2]}', "--title", "A"]
    outputs = ["--table", str(tmp_path / "t.csv"), "--figure", str(tmp_path / "f.pdf")]
    assert main(arguments + outputs) == 1
    message = capsys.readouterr().err.strip()
    assert message == "assayer collect: expected the scores of the grid's 2 points, found 1."
