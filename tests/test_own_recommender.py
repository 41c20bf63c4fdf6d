"""A recommender of the user's own, by dotted path from a file outside the package."""

import numpy as np
import pytest

MODULE = '''
import numpy as np


class Alphabetical:
    """Recommends the items in the order of their indices, or in reverse."""

    def __init__(self, reverse=False):
        self.reverse = reverse

    def fit(self, train, seed):
        self.n_items_ = train.shape[1]
        return self

    def score(self, users):
        scores = -np.arange(self.n_items_, dtype=float)
        return np.tile(-scores if self.reverse else scores, (len(users), 1))
'''
CONFIG = """
datasets: [mine]
dataset_catalogue:
  mine:
    label: Mine
    kind: synthetic
    threshold: 4
    parameters: { users: 30, items: 40, ratings: 600, gini: 0.3, aspects: 4 }
recommenders: [alphabetical, random]
recommender_catalogue:
  alphabetical: { method: "mine:Alphabetical", label: Alphabetical, settings: { reverse: true } }
"""
TARGET = "results/mine/rankings/alphabetical.npz"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine.py").write_text(MODULE)
    (tmp_path / "mine.yaml").write_text(CONFIG)
    return tmp_path


def test_it_is_fitted_and_ranked_like_any_other(folder, snakemake):
    process = snakemake(folder, TARGET, "--cores", 1, "--configfile", "mine.yaml")
    assert process.returncode == 0, process.stderr + process.stdout
    with np.load(folder / TARGET) as rankings:
        items = rankings["items"]
    listed = [row[row >= 0] for row in items]
    assert all((np.diff(row) < 0).all() for row in listed if len(row))
    assert max(map(len, listed)) > 10

    (folder / "mine.py").write_text(MODULE + "\n# edited\n")
    process = snakemake(folder, TARGET, "--cores", 1, "-n", "--configfile", "mine.yaml")
    assert "recommend" in process.stdout
    assert "mine.py" in process.stdout + process.stderr


def test_a_wrong_setting_of_it_is_named(folder, snakemake):
    (folder / "mine.yaml").write_text(CONFIG.replace("reverse: true", "revers: true"))
    process = snakemake(folder, TARGET, "--cores", 1, "-n", "--configfile", "mine.yaml")
    assert process.returncode != 0
    assert "unknown setting 'revers'; did you mean 'reverse'?" in process.stderr + process.stdout
