"""Clicks without ratings, and counts of plays, from their files to the results of a study."""

import numpy as np
import pandas as pd
import pytest
from test_config_implicit import CONFIG

from rankassay.artifacts.arrays import Scores, read_matrix

RESULTS = (
    *(f"results/{name}/scores.npz" for name in ("clicks", "plays")),
    *(f"results/{name}/robustness/metric-correlation.csv" for name in ("clicks", "plays")),
)
N_USERS, N_ITEMS = 40, 25


@pytest.fixture(scope="module")
def run(tmp_path_factory, snakemake):
    """Return the folder of a run, and what it said."""
    folder = tmp_path_factory.mktemp("implicit")
    rng = np.random.default_rng(2)
    used = rng.random((N_USERS, N_ITEMS)) < np.linspace(0.8, 0.2, N_ITEMS)
    user, item = np.nonzero(used)
    table = pd.DataFrame({"user": user, "item": item})
    table.to_csv(folder / "clicks.csv", index=False)
    table.assign(rating=rng.zipf(1.7, len(user)).clip(1, 500)).to_csv(
        folder / "plays.csv", index=False
    )
    (folder / "mine.yaml").write_text(CONFIG)
    words = ("--cores", 1, "--configfile", folder / "mine.yaml", "--", *RESULTS)
    process = snakemake(folder, *words)
    assert process.returncode == 0, process.stderr
    return folder, process.stdout + process.stderr


def test_recommenders_of_ratings_are_left_out_with_a_line(run):
    folder, said = run
    assert "as it has no ratings, which they predict: svd, average-rating" in said
    for name in ("clicks", "plays"):
        systems = Scores.load(folder / f"results/{name}/scores.npz").systems
        assert list(systems) == ["Random", "PureSVD"]


def test_gains_are_binary_and_training_has_the_counts(run):
    folder, _ = run
    for name, threshold in (("clicks", 1), ("plays", 3)):
        table = pd.read_csv(folder / f"{name}.csv").assign(clicks=1)
        counts = table.set_index(["user", "item"])["clicks" if name == "clicks" else "rating"]
        split = folder / f"results/{name}/split"
        train, test = (read_matrix(split / f"{part}.npz") for part in ("train", "test"))
        test = test.tocoo()
        expected = [counts[pair] >= threshold for pair in zip(test.row, test.col, strict=True)]
        np.testing.assert_array_equal(test.data, expected)
        train = train.tocoo()
        np.testing.assert_array_equal(
            train.data, [counts[pair] for pair in zip(train.row, train.col, strict=True)]
        )


def test_values_are_finite_and_bpref_is_recall_where_all_is_relevant(run):
    folder, _ = run
    scores = Scores.load(folder / "results/clicks/scores.npz")
    by_name = dict(zip(scores.measures, np.moveaxis(scores.values, 2, 0), strict=True))
    np.testing.assert_allclose(by_name["Bpref@10"], by_name["R@10"])
    plays = Scores.load(folder / "results/plays/scores.npz")
    # A gain of 2^r - 1 would be infinite of counts.
    assert plays.values[np.isfinite(plays.values)].max() <= 1 + 1e-12
