"""Figures and tables of results without rows: a run goes on, and they say so in their place."""

import pandas as pd
import pytest
from matplotlib.image import imread

from rankassay.artifacts.tables import write_table
from rankassay.cli.job import do
from rankassay.drawing.layout import saying

COLUMNS = {
    "reliability/power": ["metric", "cutoff", "percent", "users", "power"],
    "reliability/type-errors": ["metric", "cutoff", "users", "null", "alpha", "rate", "high"],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", COLUMNS)
def test_a_figure_of_nothing_says_so(name, tmp_path, caplog):
    write_table(pd.DataFrame(columns=COLUMNS[name]), tmp_path / "none.csv")
    panels = [{"dataset": "mine", "title": "Mine", "metric": "P", "cutoff": 10}]
    given = {"name": name, "tables": {"mine": tmp_path / "none.csv"}, "panels": panels}
    do("figure", given | {"output": tmp_path / "f.pdf"})
    assert "found none" in caplog.text
    assert (imread(tmp_path / "f.png")[:, :, :3].min(axis=2) < 0.5).any()  # a text
    assert {path.suffix for path in tmp_path.glob("f.*")} == {".pdf", ".png", ".svg"}


def test_a_table_of_nothing_says_so(tmp_path):
    columns = ["metric", "cutoff", "percent", "required"]
    write_table(pd.DataFrame(columns=columns), tmp_path / "none.csv")
    settings = {"titles": {"mine": "Mine"}, "cutoff": 10, "published": None}
    tables = {"required_users": {"mine": tmp_path / "none.csv"}}
    given = {"name": "reliability/required-users", "tables": tables, "settings": settings}
    do("table", given | {"output": tmp_path / "t.csv"})
    found = pd.read_csv(tmp_path / "t.csv")
    expected = "No measures to show: expected rows at cut-off 10, found none."
    assert found["Nothing to show"].tolist() == [expected]
    assert expected in (tmp_path / "t.md").read_text()


def test_a_text_fits_its_figure():
    figure = saying("a long word " * 30)
    figure.draw_without_rendering()
    (text,) = figure.texts
    box = text.get_window_extent()
    assert 0 < box.x0 < box.x1 < figure.bbox.x1
    assert 0 < box.y0 < box.y1 < figure.bbox.y1
