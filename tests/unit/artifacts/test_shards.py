"""Work that several jobs share gives the same bytes as one job."""

import json
import lzma

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings, Scores
from rankassay.artifacts.files import record_of
from rankassay.artifacts.models import about, read_model, write_model
from rankassay.artifacts.shards import Shard, join_tables, pack
from rankassay.artifacts.tables import write_table
from rankassay.cli.job import do
from rankassay.errors import RankassayError
from rankassay.recommenders.baselines import Popularity
from rankassay.recommenders.rank import rank


@pytest.mark.parametrize(("n", "count"), [(10, 1), (10, 3), (3, 7), (0, 2)])
def test_shards_are_everything_once_and_in_order(n, count):
    parts = [Shard(number, count).of(n) for number in range(1, count + 1)]
    assert [i for part in parts for i in part] == [*range(n)]
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize("count", [2, 7])
def test_rankings_of_blocks_of_users_join_to_those_of_all(tmp_path, count):
    rng = np.random.default_rng(0)
    ratings = rng.integers(1, 6, (30, 20)) * (rng.random((30, 20)) < 0.5)
    ratings[::4] = 0  # users without ratings get no list
    in_test = rng.random(ratings.shape) < 0.3
    train, test = (
        sp.csr_matrix((ratings * part).astype(np.float32)) for part in (~in_test, in_test)
    )
    model = Popularity().fit(train, 0)
    rank(model, train, test, 5).save(tmp_path / "one.npz")
    for number in range(1, count + 1):
        part = rank(model, train, test, 5, shard=Shard(number, count))
        part.save(tmp_path / f"{number}.npz")
    parts = [Rankings.load(tmp_path / f"{number}.npz") for number in range(1, count + 1)]
    Rankings.joined(parts).save(tmp_path / "joined.npz")
    assert (tmp_path / "joined.npz").read_bytes() == (tmp_path / "one.npz").read_bytes()


def test_scores_of_some_measures_join_to_those_of_all(tmp_path):
    values = np.random.default_rng(0).random((6, 2, 5))
    names = np.arange(6, dtype=np.int32), np.array(["a", "b"])
    measures = np.array(["P@5", "P@10", "nDCG@5", "nDCG@10", "RR@10"])
    Scores(values, *names, measures).save(tmp_path / "one.npz")
    paths = []
    for number in (1, 2, 3):
        own = [*Shard(number, 3).of(5)]
        paths.append(tmp_path / f"{number}.npz")
        Scores(values[:, :, own], *names, measures[own]).save(paths[-1])
    do("join", {"kind": "scores", "parts": paths, "output": tmp_path / "joined.npz"})
    assert (tmp_path / "joined.npz").read_bytes() == (tmp_path / "one.npz").read_bytes()
    np.testing.assert_array_equal(Scores.load(tmp_path / "joined.npz").values, values)


def test_rows_join_to_one_table(tmp_path):
    table = pd.DataFrame({"metric": ["P", "AP", "RR"], "tau": [0.1 + 0.2, np.nan, 1 / 3]})
    write_table(table, tmp_path / "one.csv")
    write_table(table[:1], tmp_path / "a.csv")
    write_table(table[1:], tmp_path / "b.csv")
    join_tables([tmp_path / "a.csv", tmp_path / "b.csv"], tmp_path / "joined.csv")
    assert (tmp_path / "joined.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()


def test_what_was_learned_comes_back_and_anything_else_is_refused(tmp_path):
    learned = {
        "matrix_": sp.csr_matrix(np.eye(3, dtype=np.float32)),
        "parts_": (np.arange(3), (2.5, None, "name", True), np.float64(0.5)),
    }
    write_model(learned, tmp_path / "model.npz")
    found = read_model(tmp_path / "model.npz")
    np.testing.assert_array_equal(found["matrix_"].toarray(), np.eye(3))
    assert found["matrix_"].dtype == np.float32
    np.testing.assert_array_equal(found["parts_"][0], np.arange(3))
    assert found["parts_"][1:] == ((2.5, None, "name", True), 0.5)
    with pytest.raises(RankassayError, match=r"tree_ is of type dict.*set shards to 1"):
        write_model({"tree_": {}}, tmp_path / "other.npz")
    assert not (tmp_path / "other.npz").exists()


def unrecorded(path, flips):
    """Flip bits of a file, at (place, bit), and remove its record."""
    content = bytearray(path.read_bytes())
    for place, bit in flips:
        content[place] ^= 1 << bit
    path.write_bytes(content)
    record_of(path).unlink(missing_ok=True)


@pytest.mark.slow
def test_a_flipped_bit_in_a_model_without_a_record_is_refused(tmp_path):
    """Whatever the bit is in: kernels index by the arrays without asking again."""
    path = tmp_path / "model.npz"
    write_model({"rows_": (np.array([0, 2]), np.array([1, 0], np.int32))}, path)
    whole = path.read_bytes()
    for place in range(0, len(whole), 3):
        unrecorded(path, [(place, 6)])
        try:
            found = read_model(path)
        except RankassayError:
            pass
        else:  # it was in what says when the file was made, and the like
            assert [part.tolist() for part in found["rows_"]] == [[0, 2], [1, 0]]
        path.write_bytes(whole)


@pytest.mark.parametrize("kind", ["matrix", "pointers", "array"])
def test_indices_out_of_bounds_are_refused_though_all_checksums_are_right(tmp_path, kind):
    path = tmp_path / "model.npz"
    matrix = sp.csr_matrix(np.eye(3))
    write_model({"m_": matrix, "near_": np.array([[2, -1]], np.int32)}, path)
    with np.load(path) as file:
        arrays = dict(file)
    name = {"matrix": "m_.1", "pointers": "m_.2", "array": "near_"}[kind]
    arrays[name].flat[1] = 2**30
    np.savez(path, **arrays)
    record_of(path).unlink()
    with pytest.raises(RankassayError, match=r"lie outside|another array than the one"):
        read_model(path)
    outline = json.loads(str(arrays["outline"]))
    assert outline["learned"]["near_"]["is"] == ["<i4", [1, 2], [-1, 2]]


def test_a_model_ranks_only_as_it_was_fitted(tmp_path):
    """With other matrices or settings, kernels would look up what is not there."""
    train = sp.csr_matrix(np.eye(3, dtype=np.float32))
    making = about("item-knn", {"neighbours": 2}, train)
    write_model({"k": 1}, tmp_path / "model.npz", making)
    assert read_model(tmp_path / "model.npz", making) == {"k": 1}
    larger = sp.csr_matrix((9, 3), dtype=np.float32)
    for other, message in (
        (about("item-knn", {"neighbours": 2}, larger), "users 9, found 3"),
        (about("item-knn", {"neighbours": 3}, train), "settings .* found"),
        (about("rm1", {}, train), "method rm1, found item-knn"),
    ):
        with pytest.raises(RankassayError, match=message) as error:
            read_model(tmp_path / "model.npz", other)
        assert len(str(error.value).splitlines()) == 1


def test_a_packed_table_is_the_same_table(tmp_path):
    table = tmp_path / "table.csv"
    texts = {"metric": ["P", 'a "b", c', "two\nlines"], "tau": [0.1, np.nan, 1 / 3], "empty": ""}
    write_table(pd.DataFrame(texts), table)
    pack(table, tmp_path / "table.csv.xz")
    assert join_tables([tmp_path / "table.csv.xz"], tmp_path / "joined.csv") == [0, 1, 2]
    assert (tmp_path / "joined.csv").read_bytes() == table.read_bytes()


@pytest.mark.parametrize(
    "damaged",
    [
        lambda content: content[:-9],
        lambda content: content[:30] + b"?" + content[31:],
        lambda content: b"metric,tau\nP,1\n",
        lambda content: lzma.compress(b"metric,P\ntau\n"),
        lambda content: lzma.compress(b"metric,\xff\n"),
    ],
)
def test_a_damaged_packed_table_is_refused(tmp_path, damaged):
    write_table(pd.DataFrame({"metric": ["P", "RR"], "tau": [0.1, 0.2]}), tmp_path / "table.csv")
    packed = tmp_path / "table.csv.xz"
    pack(tmp_path / "table.csv", packed)
    packed.write_bytes(damaged(packed.read_bytes()))
    with pytest.raises(RankassayError, match="expected an artifact of the kind a packed table"):
        join_tables([packed], tmp_path / "joined.csv")
