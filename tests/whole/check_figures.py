"""Every figure that a run draws says of which data it is, and of synthetic data that it is.

FINISHED names the folder of a finished run of config/test.yaml, such as `.ci/run` makes.
"""

import html
import os
import re
from pathlib import Path

import pytest
import yaml
from snakemake.utils import update_config

from rankassay.config.titles import dataset_title
from rankassay.studies import STUDIES

ROOT = Path(__file__).parents[2]
FINISHED = os.environ.get("FINISHED")
FIGURES = Path(FINISHED or ".") / "figures"
PATHS = sorted(FIGURES.rglob("*.svg")) if FINISHED else []


@pytest.fixture(scope="module")
def titles():
    """Return the names for readers of the datasets of the run, by their own."""
    config = {}
    for name in ("config", "datasets", "test"):
        update_config(config, yaml.safe_load((ROOT / f"config/{name}.yaml").read_text()))
    return {dataset: dataset_title(config, dataset) for dataset in config["datasets"]}


def words(path):
    """Return the text of a figure, in which lines may break anywhere between words."""
    return " ".join(html.unescape(" ".join(re.findall(r"<!--(.*?)-->", path.read_text()))).split())


def about(path, titles):
    """Return the names of the datasets that a figure is about.

    The robustness figures of single metrics are of the first dataset.
    """
    study, *of, name = path.relative_to(FIGURES).with_suffix("").parts
    if of or name in titles:
        return [titles[of[0] if of else name]]
    shown = {"metrics": 1, "datasets": len(titles)}
    return [*titles.values()][: shown.get(STUDIES[study].figures[name].panels, 0)]


def test_the_run_drew_figures_of_single_datasets_and_of_all(titles):
    if not FINISHED:
        pytest.skip("FINISHED names no run")
    assert all("(synthetic)" in title for title in titles.values())
    counts = [len(about(path, titles)) for path in PATHS]
    assert counts.count(1) >= 50
    assert counts.count(2) >= 10
    assert counts.count(0) < 20


@pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(FIGURES)))
def test_a_figure_names_its_data(path, titles):
    for title in about(path, titles):
        assert title in words(path)
