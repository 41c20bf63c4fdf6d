"""From scores to rankings: the one top-N routine, and the exact ranks of the test items.

AllItems: for each user every candidate item is ranked, whether it is judged or not. Candidates are
the items of the test set, of any user, that the user did not rate in training (Valcarce et al.,
RecSys 2018, section 5: "ranking all items in the test set except those already rated by the target
user in the training set"); with `candidates="all_items"`, every item of the dataset. Equal scores
are ordered by item index.
"""

import numpy as np
import scipy.sparse as sp
from numba import njit

from assayer.artifacts.arrays import Rankings
from assayer.artifacts.shards import WHOLE, Shard
from assayer.errors import AssayerError, one_of
from assayer.progress import progress
from assayer.recommenders.base import Recommender
from assayer.selection import select, sort_by
from assayer.types import Booleans, Floats, Integers32

# Cells of a block of scores: 16 MB in float64. The memory of larger ones (above 32 MB) goes back to
# the system each time, and fetching it anew takes longer than the scores.
BLOCK_CELLS = 2**21
# Factor models multiply so many neighbouring users at a time; blocks that fit waste nothing. For
# them blocks of many items may be up to 8 times as large.
BATCH = 128
CANDIDATES = ("test_items", "all_items")


def candidate_items(train: sp.csr_matrix, test: sp.csr_matrix, candidates: str) -> Booleans:
    """Return a mask of the items that are ranked unless the user rated them, bool (n_items,)."""
    one_of("choice of candidates", candidates, CANDIDATES)
    if candidates == "all_items":
        return np.ones(train.shape[1], dtype=bool)
    return np.bincount(test.indices, minlength=test.shape[1]) > 0


def rank(
    model: Recommender,
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    depth: int = 100,
    candidates: str = "test_items",
    block_cells: int = BLOCK_CELLS,
    shard: Shard = WHOLE,
) -> Rankings:
    """Rank all candidates for every user of the test set, or of a block of the users.

    Raises AssayerError if the matrices have different shapes, and if the model returns scores of
    the wrong shape, or NaN.

    Parameters
    ----------
    model : Recommender
        Fitted on `train`.
    train, test : (n_users, n_items)
        Disjoint ratings, indices sorted. Users without test ratings get no list, as no metric would
        read it.
    depth : int
        How many items of each ranking are kept.
    candidates : {"test_items", "all_items"}
    block_cells : int
        Upper bound of users x items scored at a time; the result does not depend on it.
    shard : Shard
        Which block of the users; those of all shards, joined, are the rankings of all users.
    """
    if train.shape != test.shape:
        raise AssayerError(
            "expected training and test ratings of the same users and items, found matrices of "
            f"{_size(train)} and {_size(test)}; give both of one split."
        )
    n_items = train.shape[1]
    pool = candidate_items(train, test, candidates)
    own = shard.of(train.shape[0])
    train, test = train[own.start : own.stop], test[own.start : own.stop]
    n_users = len(own)
    result = Rankings(
        items=np.full((n_users, depth), -1, dtype=np.int32),
        ranks=np.zeros(test.nnz, dtype=np.int32),
        n_ranked=np.zeros(n_users, dtype=np.int32),
        n_candidates=np.zeros(n_users, dtype=np.int32),
    )
    judged = np.flatnonzero(np.diff(test.indptr)).astype(np.int32)
    size = block_cells // n_items // BATCH * BATCH
    size = size or max(1, min(BATCH, 8 * block_cells // n_items))
    for first in progress(range(0, len(judged), size), f"blocks of {size} users"):
        users = judged[first : first + size]
        bad = _rank_block(
            _scores(model, own.start + users, n_items),
            users,
            pool,
            (train.indptr, train.indices),
            (test.indptr, test.indices),
            (result.items, result.ranks, result.n_ranked, result.n_candidates),
        )
        if bad >= 0:
            user = own.start + bad
            raise AssayerError(f"{type(model).__name__}.score: found NaN for user {user}.")
    return result


def _size(matrix: sp.csr_matrix) -> str:
    return "{} users and {} items".format(*matrix.shape)


def _scores(model: Recommender, users: Integers32, n_items: int) -> Floats:
    """Return the scores of some users; raises AssayerError if they have another shape."""
    scores = model.score(users)
    if scores.shape != (len(users), n_items):
        raise AssayerError(
            f"{type(model).__name__}.score: expected an array of shape "
            f"{(len(users), n_items)}, found {scores.shape}."
        )
    return np.ascontiguousarray(scores, dtype=np.float64)


@njit(cache=True)
def _rank_block(scores, users, pool, train, test, out):
    """Rank a block of users; return a user with a NaN score, or -1."""
    items, ranks, n_ranked, n_candidates = out
    n_items = scores.shape[1]
    depth = items.shape[1]
    eligible = np.empty(n_items, dtype=np.bool_)
    for b in range(len(users)):
        u = users[b]
        row = scores[b]
        for i in range(n_items):
            eligible[i] = pool[i]
        for j in range(train[0][u], train[0][u + 1]):
            eligible[train[1][j]] = False
        for i in range(n_items):
            n_candidates[u] += eligible[i]
            if not eligible[i]:
                row[i] = -np.inf
            elif np.isnan(row[i]):
                return u
            n_ranked[u] += row[i] > -np.inf
        _top(row, depth, n_ranked[u], items[u])
        for j in range(test[0][u], test[0][u + 1]):
            ranks[j] = _rank_of(row, test[1][j])
    return -1


@njit(cache=True)
def _rank_of(row, item):
    """Return the place of an item by score and then index, from 1; 0 if it has no score."""
    score = row[item]
    if score == -np.inf:
        return 0
    above = 0
    for i in range(len(row)):
        above += row[i] > score
    for i in range(item):
        above += row[i] == score
    return above + 1


@njit(cache=True)
def _top(row, depth, n_ranked, out):
    """Write the indices of the highest scores into `out`, ties by index."""
    n = min(depth, n_ranked)
    if n == 0:
        return
    bound = _highest(row, n)
    chosen = np.empty(n, dtype=np.int64)
    filled = 0
    for i in range(len(row)):
        if row[i] > bound:
            chosen[filled] = i
            filled += 1
    for i in range(len(row)):
        if filled == n:
            break
        if row[i] == bound:
            chosen[filled] = i
            filled += 1
    # Indices equal to the bound come last and in order, so a stable sort by score keeps ties right
    # only if the others are in index order too: both runs were gathered that way.
    keys, order = np.empty(n), np.empty(n, dtype=np.int64)
    for k in range(n):
        keys[k], order[k] = -row[chosen[k]], k
    sort_by(keys, order, np.empty(n, dtype=np.int64))
    for k in range(n):
        out[k] = chosen[order[k]]


@njit(cache=True)
def _highest(row, n):
    """Return the n-th highest of the scores, of which at least n are not -inf.

    Only scores above the n-th highest of those before are kept, and cut back to n when there are
    4 n: for long rows several times faster than partitioning the whole row.
    """
    kept = np.empty(4 * n)
    n_kept, bound = 0, -np.inf
    for score in row:
        if score > bound:
            kept[n_kept] = score
            n_kept += 1
            if n_kept == 4 * n:
                bound = select(kept, 3 * n)
                for k in range(n):
                    kept[k] = kept[3 * n + k]
                n_kept = n
    return select(kept[:n_kept], n_kept - n)
