"""Artifacts that are read when they are used: the same as those read at once, and checked alike."""

import numpy as np
import pytest

from rankassay.artifacts import shards
from rankassay.artifacts.arrays import Rankings, Scores, write_arrays
from rankassay.artifacts.mapped import StoredRankings, StoredScores
from rankassay.errors import RankassayError

ITEMS = np.array([[3, 1, -1], [0, 2, 4]], dtype=np.int32)
COUNTS = np.array([2, 5], dtype=np.int32)
RANKS = np.array([1, 0, 7], dtype=np.int32)
WHOLE = {"items": ITEMS, "ranks": RANKS, "n_ranked": COUNTS, "n_candidates": COUNTS + 1}


def test_lists_are_read_when_they_are_asked_for(tmp_path):
    Rankings(**WHOLE).save(tmp_path / "a.npz")
    found = StoredRankings.load(tmp_path / "a.npz")
    assert (found.shape, found.depth) == ((2, 3), 3)
    for name, array in WHOLE.items():
        np.testing.assert_array_equal(getattr(found, name), array)
    assert "items" not in vars(found)  # who asked for them may have a part, and let the rest go


def test_rankings_may_not_say_how_many_candidates_there_were(tmp_path):
    Rankings(ITEMS, RANKS, COUNTS).save(tmp_path / "a.npz")
    assert StoredRankings.load(tmp_path / "a.npz").n_candidates is None


@pytest.mark.parametrize(
    "changes",
    [
        {"items": ITEMS[0]},
        {"items": ITEMS[:1]},
        {"items": None},
        {"ranks": -RANKS},
        {"ranks": None},
        {"n_ranked": COUNTS[:1]},
        {"n_candidates": -COUNTS},
        {"places": RANKS},
    ],
)
def test_what_is_no_ranking_is_refused_before_its_lists_are_read(changes, tmp_path):
    path = tmp_path / "a.npz"
    given = {name: array for name, array in (WHOLE | changes).items() if array is not None}
    write_arrays(given.items(), path)
    for kind in (Rankings, StoredRankings):
        with pytest.raises(RankassayError, match="expected an artifact of the kind Rankings"):
            kind.load(path)


def test_lists_are_checked_when_they_are_read(tmp_path):
    write_arrays((WHOLE | {"items": ITEMS - 1}).items(), tmp_path / "a.npz")
    found = StoredRankings.load(tmp_path / "a.npz")
    with pytest.raises(RankassayError, match="expected an artifact of the kind Rankings"):
        found.items  # noqa: B018


def scores_of(n_measures):
    values = np.random.default_rng(0).random((6, 2, n_measures))
    measures = np.array([f"P@{cutoff + 1}" for cutoff in range(n_measures)])
    return Scores(values, np.arange(6, dtype=np.int32), np.array(["a", "b"]), measures)


@pytest.mark.parametrize(("at_once", "sizes"), [(1, [1] * 5), (2 * 96 + 95, [2, 2, 1]), (960, [5])])
def test_parts_of_scores_are_of_successive_measures(at_once, sizes, tmp_path, monkeypatch):
    monkeypatch.setattr(shards, "AT_ONCE", at_once)
    scores = scores_of(5)
    scores.save(tmp_path / "whole.npz")
    stored = StoredScores.load(tmp_path / "whole.npz")
    for kind in (scores, stored):
        parts = [*kind.parts()]
        assert [len(part.measures) for part in parts] == sizes
        assert np.concatenate([part.measures for part in parts]).tolist() == [*scores.measures]
        np.testing.assert_array_equal(
            np.concatenate([part.values for part in parts], axis=2), scores.values
        )
        np.testing.assert_array_equal(np.stack([*kind.columns()], axis=2), scores.values)
    assert "values" not in vars(stored)
    Scores.write(stored.parts(), stored.measures, tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "whole.npz").read_bytes()
    np.testing.assert_array_equal(stored.values, scores.values)
