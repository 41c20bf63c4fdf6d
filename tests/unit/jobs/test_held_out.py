"""Jobs fit on the users who are not held out, and list for the others."""

import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings, write_matrix
from rankassay.cli.job import do
from rankassay.recommenders.folding import fitted
from rankassay.recommenders.knn import ItemKNN
from rankassay.recommenders.rank import rank as ranked

HELD = np.arange(12) % 3 == 0


@pytest.fixture
def split(tmp_path):
    rng = np.random.default_rng(4)
    ratings = rng.integers(1, 6, (12, 9)) * (rng.random((12, 9)) < 0.7)
    tested = HELD[:, None] & (rng.random((12, 9)) < 0.3)
    train, test = (sp.csr_matrix(np.float32(ratings * part)) for part in (~tested, tested))
    write_matrix(train, tmp_path / "train.npz", HELD)
    write_matrix(test, tmp_path / "test.npz")
    return train, test


def test_both_ways_to_lists_learn_from_nobody_held_out(split, tmp_path):
    given = {name: tmp_path / f"{name}.npz" for name in ("train", "test")}
    given |= {"method": "item-knn", "settings": {"neighbours": 3}}
    lists = {"depth": 5, "candidates": "all_items"}
    model = tmp_path / "model.npz"
    do("recommend", given | lists | {"seed": 1, "output": tmp_path / "one.npz"})
    do("fit", given | {"seed": 1, "output": model})
    two = {"model": model, "shard": [1, 1], "output": tmp_path / "two.npz"}
    do("rank", given | lists | two)
    model = fitted(ItemKNN(neighbours=3), split[0], 1, HELD)
    expected = ranked(model, *split, 5, "all_items")
    everybody = ranked(ItemKNN(neighbours=3).fit(split[0], 1), *split, 5, "all_items")
    assert (expected.items != everybody.items).any()
    assert (expected.n_ranked[HELD] > 0).any()
    for name in ("one", "two"):
        np.testing.assert_array_equal(Rankings.load(tmp_path / f"{name}.npz").items, expected.items)
