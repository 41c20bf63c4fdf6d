"""Sparse matrices whose arrays do not fit each other are refused before scipy reads beyond them."""

import numpy as np
import pytest
import scipy.sparse as sp

import rankassay
from rankassay.data.readers.npz import entries

FORMATS = ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")


def broken(kind, **parts):
    """Return a matrix of 2 users by 3 items with other parts than it was made with."""
    matrix = sp.coo_matrix(([1.0, 2.0], ([0, 1], [2, 0])), shape=(2, 3)).asformat(kind)
    for name, part in parts.items():
        setattr(matrix, name, part)
    return matrix


def objects(*lists):
    array = np.empty(len(lists), dtype=object)
    array[:] = lists
    return array


def ints(*numbers):
    return np.array(numbers, dtype=np.int32)


BROKEN = [
    # The first ended the interpreter.
    (broken("csr", indptr=ints(0, 5000, 2)), "indptr does not rise from 0 to at most 2"),
    (broken("csr", indptr=ints(0, 5000, 0)), "indptr does not rise"),
    (broken("csr", indptr=ints(0, 1, 5000)), "indptr does not rise"),
    (broken("csr", indptr=ints(0, -1, 2)), "indptr does not rise"),
    (broken("csr", indptr=ints(1, 1, 2)), "indptr does not rise"),
    (broken("csr", indptr=np.array([0, 2**63, 2], np.uint64)), "indptr does not rise"),
    (broken("csr", indptr=ints(0, 2)), "indptr has 2 numbers in place of 3"),
    (broken("csr", indptr=[0, 1, 2]), "indptr is no flat array of whole numbers"),
    (broken("csr", indices=ints(2, -7)), "column -7 is none of 3"),
    (broken("csr", indices=ints(2, 70000)), "column 70000 is none of 3"),
    (broken("csr", indices=np.array([2.0, 0.5])), "indices is no flat array of whole numbers"),
    (broken("csr", data=np.ones(1)), r"data has the shape \(1,\), and there are 2 indices"),
    (broken("csr", data=np.ones((2, 1))), r"data has the shape \(2, 1\)"),
    (broken("csr", data=np.ma.masked_less([1.0, 2.0], 2)), "data has a mask"),
    (broken("csr", _shape=(20000, 3)), "indptr has 3 numbers in place of 20,001"),
    (broken("csc", indptr=ints(0, 5000, 2, 2)), "indptr does not rise"),
    (broken("csc", indices=ints(70000, 0)), "row 70000 is none of 2"),
    (broken("bsr", indptr=ints(0, 5000, 2)), "indptr does not rise"),
    (broken("bsr", indices=ints(-9, 0)), "column -9 is none of 3"),
    (broken("bsr", data=np.ones((1, 1, 1))), "data has the shape"),
    (broken("bsr", data=np.empty((2, 0, 0))), "blocks have the shape"),
    (broken("coo", coords=(ints(0, 1), ints(2))), "row has 2 numbers, and col 1"),
    (broken("coo", coords=(ints(0, 9), ints(2, 1))), "row 9 is none of 2"),
    (broken("coo", data=np.ones(3)), "data has the shape"),
    (broken("lil", rows=objects([2])), "rows and data are not lists of the same lengths"),
    (broken("lil", rows=objects([2, 1], [0])), "rows and data are not lists of the same lengths"),
    (broken("lil", rows=objects([9], [0])), "column 9 is none of 3"),
    (broken("lil", rows=objects([0.5], [0])), "rows is no flat array of whole numbers"),
    (broken("lil", rows=objects(1, 2)), "object of type 'int' has no len"),
    (broken("dia", offsets=ints(0)), "data has the shape"),
    (broken("dok", _dict={(0, 9): 1.0}), "9 exceeds|9 is none"),
    (broken("dok", _dict={"x": 1.0}), "format dok in which"),
    (sp.coo_array(np.ones(3)), r"the shape is \(3,\)"),
]


@pytest.mark.parametrize(("matrix", "message"), BROKEN)
def test_a_matrix_whose_arrays_do_not_fit_is_refused_by_all_doors(matrix, message):
    qrels, run = {0: {1: 5}}, {0: [1]}
    with pytest.raises(rankassay.RankassayError, match=f"sparse matrix .*{message}"):
        rankassay.judged(matrix)
    for call in (
        lambda: rankassay.evaluate(matrix, run),
        lambda: rankassay.evaluate(qrels, matrix),
        lambda: rankassay.evaluate(qrels, {"a": matrix, "b": run}),
        lambda: rankassay.compare(qrels, {"a": matrix, "b": matrix}),
        lambda: rankassay.beyond(matrix, qrels),
        lambda: rankassay.beyond(run, matrix),
        lambda: rankassay.evaluate(qrels, run, "IPS@1", propensities=matrix),
    ):
        with pytest.raises(rankassay.RankassayError, match="expected a sparse matrix"):
            call()


@pytest.mark.parametrize("kind", FORMATS)
def test_entries_are_those_that_scipy_stores(kind):
    rng = np.random.default_rng(4)
    for shape in ((4, 6), (6, 4), (1, 1), (2, 0), (0, 2)):
        dense = rng.integers(1, 9, shape) * (rng.random(shape) < 0.5)
        matrix = sp.coo_array(dense).asformat(kind)
        if kind == "bsr" and dense.size > 1:
            matrix = sp.bsr_array(dense, blocksize=(2, 2))
        row, column, numbers = entries(matrix, "the run")
        found = np.zeros(shape)
        np.add.at(found, (row, column), numbers)
        np.testing.assert_array_equal(found, dense)
        stored = sp.csr_array(dense)
        assert len(numbers) == stored.nnz


@pytest.mark.parametrize(
    "matrix",
    # Written out, the first would end the interpreter.
    [broken("csr", indptr=ints(0, 5000, 2)), broken("lil", rows=objects()), broken("dok")],
)
def test_a_matrix_in_the_place_of_another_value_is_named_and_not_written_out(matrix):
    calls = (
        lambda: rankassay.rank_correlation(matrix, matrix),
        lambda: rankassay.evaluate({0: {1: 5}}, {0: [1]}, profile=matrix),
        lambda: rankassay.results(matrix),
    )
    for call in calls:
        with pytest.raises(rankassay.RankassayError, match=r"sparse matrix|lil_matrix that cannot"):
            call()
