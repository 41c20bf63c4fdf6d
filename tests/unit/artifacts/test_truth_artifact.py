"""The judgements of random items as an artifact: what is written is read, and nonsense is not."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.artifacts.arrays import Truth
from rankassay.errors import RankassayError

MATRIX = sp.csr_matrix(
    (np.array([0, 4, 2], dtype=np.float32), ([0, 0, 2], [1, 3, 0])), shape=(3, 4)
)


def full():
    """Return a truth with all that it may have."""
    return Truth.of(
        MATRIX,
        known=np.array([True, False, False]),
        judged=np.array([3, 0, 2]),
        aside=0.25,
        inclusion=np.array([0.5, 1, 0.125]),
        scale=(0, 5),
        design="set-aside",
    )


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "truth.npz"
    full().save(path)
    found = Truth.load(path)
    assert found.matrix.indices.tolist() == [1, 3, 0]
    assert found.matrix.toarray().tolist() == MATRIX.toarray().tolist()
    assert found.matrix.nnz == 3  # a judgement of 0 is one
    assert found.flags.tolist() == [True, False, False]
    assert found.judged.tolist() == [3, 0, 2]
    assert (float(found.aside), float(found.low), float(found.high)) == (0.25, 0, 5)
    assert found.inclusion.tolist() == [0.5, 1, 0.125]
    assert str(found.design) == "set-aside"
    before = path.read_bytes()
    found.save(path)
    assert path.read_bytes() == before


def test_a_file_of_its_own_says_less(tmp_path):
    Truth.of(MATRIX).save(tmp_path / "truth.npz")
    found = Truth.load(tmp_path / "truth.npz")
    assert found.flags is None
    assert found.judged.tolist() == [2, 0, 1]
    assert (float(found.aside), float(found.low), float(found.high)) == (1, 0, 4)
    assert (len(found.inclusion), str(found.design)) == (0, "separate")


@pytest.mark.parametrize(
    "harm",
    [
        {"known": np.array([True])},
        {"judged": np.array([1, 2], dtype=np.int32)},
        {"aside": np.array(0.0)},
        {"aside": np.array(np.nan)},
        {"inclusion": np.array([0.5, 0, 1])},
        {"low": np.array(6.0)},
        {"indices": np.array([1, 4, 0], dtype=np.int32)},
        {"shape": np.array([3])},
    ],
)
def test_arrays_that_do_not_belong_together_are_refused(tmp_path, harm):
    replace(full(), **harm).save(tmp_path / "truth.npz")
    with pytest.raises(RankassayError, match=r"truth\.npz: expected an artifact of the kind Truth"):
        Truth.load(tmp_path / "truth.npz")
