"""From scores to rankings: the one top-N routine, and the exact ranks of the test items.

AllItems: for each user every candidate item is ranked, whether it is judged or not. Candidates are
the items of the test set, of any user, that the user did not rate in training (Valcarce et al.,
RecSys 2018, section 5: "ranking all items in the test set except those already rated by the target
user in the training set"); with `candidates="all_items"`, every item of the dataset. Equal scores
are ordered by item index.
"""

import numpy as np
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.artifacts.shards import WHOLE, Shard
from rankassay.errors import RankassayError, one_of
from rankassay.kernels import njit
from rankassay.progress import progress
from rankassay.recommenders.base import Recommender, among
from rankassay.selection import select, sort_by
from rankassay.types import Booleans, Floats, Integers32

# Cells of a block of scores: 16 MB in float64. The memory of larger ones (above 32 MB) goes back to
# the system each time, and allocating it again takes longer than the scores.
BLOCK_CELLS = 2**21
# The number of neighbouring users that factor models multiply at a time; blocks of a multiple of it
# waste nothing. For them blocks of many items may be up to 8 times as large.
BATCH = 128
PART = 2048  # scores that are compared with a user's test items at a time: 16 kB
COLUMNS = 8  # for each place of a list: most of its items then lie in different columns
SHORT = 256  # up to this number, counting the higher ones of each is faster than sorting
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

    `train` and `test` are disjoint, with sorted indices. Users without test ratings get no list, as
    no metric would read it; `depth` 0 leaves the ranks of test items alone. The result does not
    depend on `block_cells`, the users x items that are scored at a time. Raises RankassayError if
    the model returns scores of the wrong shape, or NaN.
    """
    if train.shape != test.shape:
        raise RankassayError(
            "expected training and test ratings of the same users and items, found matrices of "
            f"{_size(train)} and {_size(test)}; give both of one split."
        )
    n_items = train.shape[1]
    pool = candidate_items(train, test, candidates)
    ranked = np.flatnonzero(pool).astype(np.int32)
    place = np.where(pool, np.cumsum(pool) - 1, -1).astype(np.int32)
    model, narrow = among(model, ranked)
    n_columns = len(ranked) if narrow else n_items
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
    size = block_cells // max(n_columns, 1) // BATCH * BATCH
    size = size or max(1, min(BATCH, 8 * block_cells // max(n_columns, 1)))
    for first in progress(range(0, len(judged), size), f"blocks of {size} users"):
        users = judged[first : first + size]
        bad = _rank_block(
            _scores(model, own.start + users, n_columns),
            users,
            ranked,
            place,
            (train.indptr, train.indices),
            (test.indptr, test.indices),
            (result.items, result.ranks, result.n_ranked, result.n_candidates),
        )
        if bad >= 0:
            user = own.start + bad
            raise RankassayError(
                f"{type(model).__name__}.score: expected a number for each item, or -inf for one "
                f"that is not listed, found NaN for the user of row {user} (from 0) of the "
                "training ratings; correct what score returns."
            )
    return result


def _size(matrix: sp.csr_matrix) -> str:
    return "{} users and {} items".format(*matrix.shape)


def _scores(model: Recommender, users: Integers32, n_columns: int) -> Floats:
    """Return the scores of some users; raises RankassayError for no numbers of that shape."""
    scores = model.score(users)
    found = getattr(scores, "shape", None)
    if found != (len(users), n_columns) or scores.dtype.kind not in "fiub":
        what = f"{scores.dtype} of shape {found}" if found is not None else type(scores).__name__
        raise RankassayError(
            f"{type(model).__name__}.score: expected an array of numbers of shape "
            f"{(len(users), n_columns)}, found {what}."
        )
    return np.ascontiguousarray(scores, dtype=np.float64)


@njit
def _rank_block(scores, users, candidates, place, train, test, out):
    """Rank a block of users; return a user with a NaN score, or -1.

    `candidates` are the items of the pool, and `place` is that of each item among them, or -1. All
    that follows reads the candidates' scores alone, which are in the cache.
    """
    items, ranks, n_ranked, n_candidates = out
    gathered, tops = np.empty(len(candidates)), np.empty(len(candidates))
    places = np.empty(len(candidates) + 1, np.int32)
    for b in range(len(users)):
        u = users[b]
        own = scores[b]
        if len(candidates) < scores.shape[1]:
            for k in range(len(candidates)):
                gathered[k] = own[candidates[k]]
            own = gathered
        n_candidates[u] = len(candidates)
        for j in range(train[0][u], train[0][u + 1]):
            at = place[train[1][j]]
            if at >= 0:
                own[at] = -np.inf
                n_candidates[u] -= 1
        n_scored = _above(own, -np.inf)
        if n_scored < n_candidates[u] and _reaching(own, -np.inf) < len(own):
            return u
        n_ranked[u] = n_scored
        _top(own, n_scored, candidates, (places, tops), items[u])
        first, last = test[0][u], test[0][u + 1]
        _ranks_of(own, test[1][first:last], place, ranks[first:last])
    return -1


@njit
def _ranks_of(own, items, place, ranks):
    """Write the place of each item by score and then index, from 1; 0 if it has no score.

    Every score is compared with that of every item, eight at a time by the processor, in parts
    of the scores that stay in its fastest cache meanwhile.
    """
    for first in range(0, len(own), PART):
        part = own[first : first + PART]
        for j in range(len(items)):
            score, before = own[place[items[j]]], place[items[j]] - first
            before = min(max(before, 0), len(part))
            # Of equal scores those before the item count.
            ranks[j] += _reaching(part[:before], score) + _above(part[before:], score)
    for j in range(len(items)):
        ranks[j] = ranks[j] + 1 if own[place[items[j]]] > -np.inf else 0


@njit
def _above(scores, bound):
    """Count the scores above a bound: in this form the compiler compares several at a time."""
    n = 0
    for k in range(len(scores)):
        n += scores[k] > bound
    return n


@njit
def _reaching(scores, bound):
    """Count the scores that reach a bound, which NaN does not."""
    n = 0
    for k in range(len(scores)):
        n += scores[k] >= bound
    return n


@njit
def _top(own, n_ranked, candidates, scratch, out):
    """Write the items with the highest scores into `out`, ties by index.

    `scratch` are arrays for places (one more than there are scores) and for scores.
    """
    n = min(len(out), n_ranked)
    if n == 0:
        return
    places, tops = scratch
    width = len(own) // max(1, len(own) // (COLUMNS * n))
    bound = _bound(own, n, tops[:width])
    n_kept = _gather(own, bound, tops[:width], places)
    # Too few where many scores are the same, such as 0.
    for k in range(len(own)):
        if n_kept >= n:
            break
        if own[k] == bound:
            places[n_kept] = k
            n_kept += 1
    best = _cut(own, places[:n_kept], n)
    if n <= SHORT:
        before = np.zeros(n, np.int32)  # of the same score
        for k in range(n):
            place = _above(best, best[k])
            out[place + before[place]] = candidates[places[k]]
            before[place] += 1
        return
    order = np.arange(n)
    sort_by(-best, order, np.empty(n, dtype=np.int64))
    for k in range(n):
        out[k] = candidates[places[order[k]]]


@njit
def _bound(own, n, tops):
    """Return a score that n scores reach, and few more are above.

    It is the n-th highest of `tops`, which gets the highest score of each column when the scores
    are written in rows as long as it.
    """
    width = len(tops)
    for j in range(width):
        tops[j] = own[j]
    for first in range(width, len(own), width):
        row = own[first : first + width]
        for j in range(len(row)):
            tops[j] = row[j] if row[j] > tops[j] else tops[j]
    return select(tops.copy(), width - n)


@njit
def _gather(own, bound, tops, places):
    """Write the places of the scores above a bound, in their order; return how many there are.

    Each place in a column with such a score is written, and stays if its score is above: to write
    takes less than what the processor loses when it guesses wrongly.
    """
    width, n_columns, n = len(tops), 0, 0
    columns = np.empty(width, np.uint32)
    for j in range(width):
        columns[n_columns] = j
        n_columns += tops[j] > bound
    for first in range(0, len(own), width):
        row = own[first : first + width]
        while n_columns and columns[n_columns - 1] >= len(row):  # the last one is shorter
            n_columns -= 1
        for c in range(n_columns):
            places[n] = first + columns[c]
            n += row[np.uint64(columns[c])] > bound
    return n


@njit
def _cut(own, places, n):
    """Bring the places of the n highest scores to the front, in their order; return these scores.

    Of those with the same score as the lowest, the first ones are taken.
    """
    kept = np.empty(len(places))
    for k in range(len(places)):
        kept[k] = own[places[k]]
    bound = select(kept.copy(), len(kept) - n)
    equal, filled = n - _above(kept, bound), 0
    for k in range(len(kept)):
        score, same = kept[k], kept[k] == bound
        kept[filled], places[filled] = score, places[k]
        filled += (score > bound) | (same & (equal > 0))
        equal -= same
    return kept[:n]
