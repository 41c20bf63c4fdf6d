"""Pictures of pages are of the tables that the numbers of the pages are of."""

import importlib
import re
import sys
from pathlib import Path

import pytest
from PIL import Image

from rankassay.errors import RankassayError

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def pictures():
    sys.path.insert(0, str(DOCS))
    yield importlib.import_module("pictures")
    sys.path.remove(str(DOCS))


@pytest.fixture
def apart(pictures, monkeypatch, tmp_path):
    """Have the pictures and tables of a folder of its own, in which all are drawn of these."""
    folder = tmp_path / "docs/measured/ml-1m"
    for name in {picture.table for picture in pictures.PICTURES.values()}:
        place = pictures._table(name).relative_to(pictures.FOLDER.parent)
        target = folder.parent / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(pictures._table(name).read_bytes())
    monkeypatch.setattr(pictures, "HERE", tmp_path / "docs")
    monkeypatch.setattr(pictures, "FOLDER", folder)
    monkeypatch.setattr(pictures, "IMAGES", tmp_path / "docs/images")
    monkeypatch.setattr(pictures, "NAMES", ["metrics-ml-1m.png", "sparsity-ml-1m.png"])
    for name in pictures.NAMES:
        pictures.write(name)
    return tmp_path / "docs"


def test_no_table_has_changed_since_a_picture_was_drawn(pictures):
    assert pictures.stale() == [], "./run python docs/render.py, with --from FOLDER for the report"


def test_every_picture_in_the_pages_is_known(pictures):
    assert {path.name for path in pictures.IMAGES.glob("*.png")} == {*pictures.NAMES}
    pages = [ROOT / "README.md", *DOCS.glob("*.md"), *DOCS.glob("reference/*.md")]
    shown = {
        name
        for page in pages
        for name in re.findall(r"images/([\w-]+\.png)", page.read_text("utf-8"))
    }
    assert shown == {*pictures.NAMES}
    assert sum(path.stat().st_size for path in pictures.IMAGES.glob("*.png")) < 2_500_000


@pytest.mark.slow
def test_a_picture_whose_table_changed_is_told_and_drawn_again(pictures, apart):
    assert pictures.stale() == []
    before = (apart / "images/metrics-ml-1m.png").read_bytes()
    pictures.write("metrics-ml-1m.png")
    assert (apart / "images/metrics-ml-1m.png").read_bytes() == before
    table = apart / "measured/ml-1m/robustness/metric-correlation.csv"
    table.write_text(
        re.sub(r"0\.\d+\b", "0.5", table.read_text(encoding="utf-8")), encoding="utf-8"
    )
    assert pictures.stale() == ["metrics-ml-1m.png"]
    pictures.write("metrics-ml-1m.png")
    assert pictures.stale() == []
    assert (apart / "images/metrics-ml-1m.png").read_bytes() != before
    with Image.open(apart / "images/metrics-ml-1m.png") as image:
        assert re.fullmatch(
            "docs/measured/ml-1m/robustness/metric-correlation.csv [0-9a-f]{64}",
            image.info["Source"],
        )


@pytest.mark.slow
def test_a_picture_without_its_source_is_told(pictures, apart):
    path = apart / "images/sparsity-ml-1m.png"
    with Image.open(path) as image:
        image.copy().save(path)
    assert pictures.stale() == ["sparsity-ml-1m.png"]
    path.unlink()
    assert pictures.stale() == ["sparsity-ml-1m.png"]


def test_the_report_takes_a_run_and_a_browser(pictures, monkeypatch, tmp_path):
    with pytest.raises(RankassayError, match=r"report\.png: its table has changed since; draw"):
        pictures.write("report.png")
    with pytest.raises(RankassayError, match="expected the report of the run, found none"):
        pictures.write("report.png", tmp_path)
    (tmp_path / "results").mkdir()
    (tmp_path / "results/report.html").touch()
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "none"))
    with pytest.raises(RankassayError, match=r"expected a Chromium at .*; name one in CHROMIUM"):
        pictures.write("report.png", tmp_path)
