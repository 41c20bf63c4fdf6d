"""The top-N routine against sorting, and its ties against trec_eval's."""

import numpy as np
import pytest
import pytrec_eval
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import measure_values
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.recommenders.rank import rank


class Fixed:
    """A fitted model that returns given scores."""

    def __init__(self, scores):
        self.scores = scores

    def score(self, users):
        return self.scores[users].copy()


def random_case(seed, n_users=30, n_items=50, levels=8):
    """Return scores full of ties and gaps, and disjoint train and test matrices."""
    rng = np.random.default_rng(seed)
    scores = rng.integers(levels, size=(n_users, n_items)).astype(float)
    scores[rng.random(scores.shape) < 0.3] = -np.inf
    scores[::7] = -np.inf
    state = rng.random(scores.shape)
    ratings = rng.integers(1, 6, size=scores.shape).astype(np.float32)
    train = sp.csr_matrix(np.where(state < 0.2, ratings, 0))
    test = sp.csr_matrix(np.where(state > 0.9, ratings, 0))
    return scores, train, test


@pytest.mark.slow
@pytest.mark.parametrize("candidates", ["test_items", "all_items"])
@pytest.mark.parametrize("depth", [0, 2, 10])
@pytest.mark.parametrize("seed", range(5))
def test_rank_equals_sorting_by_score_and_index(seed, candidates, depth):
    scores, train, test = random_case(seed)
    found = rank(Fixed(scores), train, test, depth=depth, candidates=candidates)
    in_test = np.asarray(test.sum(axis=0)).ravel() > 0
    for u in range(scores.shape[0]):
        if test[u].nnz == 0:
            assert (found.items[u] == -1).all()
            continue
        allowed = train[u].toarray().ravel() == 0
        if candidates == "test_items":
            allowed &= in_test
        order = [
            i
            for i in sorted(range(scores.shape[1]), key=lambda i: (-scores[u, i], i))
            if allowed[i] and scores[u, i] > -np.inf
        ]
        expected = (order + [-1] * depth)[:depth]
        assert found.items[u].tolist() == expected
        assert found.n_ranked[u] == len(order)
        assert found.n_candidates[u] == allowed.sum()
        for j in range(test.indptr[u], test.indptr[u + 1]):
            item = test.indices[j]
            assert found.ranks[j] == (order.index(item) + 1 if item in order else 0)


def long_rows(n_items):
    """Return rows of many scores: drawn, with ties, and such that the highest lie regularly."""
    rng = np.random.default_rng(n_items)
    drawn = rng.normal(size=n_items)
    in_columns = np.where(np.arange(n_items) % 800 < 50, 9 + np.floor(drawn), drawn)
    few = np.where(rng.random(n_items) < 0.01, drawn, -np.inf)
    highest = np.where(rng.random(n_items) < 0.01, np.inf, drawn)
    rows = [drawn, in_columns, 9 - in_columns, few, highest, np.zeros(n_items)]
    return np.array([*rows, np.floor(drawn), np.floor(8 * drawn), np.arange(n_items) * 1.0])


@pytest.mark.slow
@pytest.mark.parametrize("depth", [0, 1, 100, 300])
@pytest.mark.parametrize("n_items", [1000, 5000, 20000])
@pytest.mark.parametrize("candidates", ["test_items", "all_items"])
def test_long_rows_are_ranked_as_sorting_ranks_them(n_items, depth, candidates):
    scores = long_rows(n_items)
    state = np.random.default_rng(1).random(scores.shape)
    train, test = (sp.csr_matrix(np.float32(5) * part) for part in (state < 0.1, state > 0.9))
    found = rank(Fixed(scores), train, test, depth=depth, candidates=candidates)
    pool = np.ones(n_items, dtype=bool)
    if candidates == "test_items":
        pool = np.asarray((test > 0).sum(axis=0)).ravel() > 0
    for u, own in enumerate(scores):
        own = np.where(pool & (state[u] >= 0.1), own, -np.inf)
        order = np.lexsort((np.arange(n_items), -own))
        n = (own > -np.inf).sum()
        place = np.zeros(n_items, dtype=int)
        place[order[:n]] = np.arange(1, n + 1)
        listed = found.items[u][found.items[u] >= 0]
        np.testing.assert_array_equal(listed, order[: min(n, depth)])
        np.testing.assert_array_equal(
            found.ranks[test.indptr[u] : test.indptr[u + 1]], place[test[u].indices]
        )


def test_rank_does_not_depend_on_the_block():
    scores, train, test = random_case(0)
    one, many = (
        rank(Fixed(scores), train, test, depth=10, block_cells=cells) for cells in (1, 10**6)
    )
    for name in ("items", "ranks", "n_ranked", "n_candidates"):
        np.testing.assert_array_equal(getattr(one, name), getattr(many, name))


def test_a_list_deeper_than_the_catalogue_is_padded():
    scores, train, test = random_case(1)
    found = rank(Fixed(scores), train, test, depth=80)
    assert found.items.shape == (30, 80)
    assert ((found.items >= 0).sum(axis=1) == found.n_ranked).all()


@pytest.mark.parametrize("seed", range(5))
def test_ties_give_trec_evals_values_when_its_item_names_sort_backwards(seed):
    """trec_eval puts the greater name first among equal scores, we the smaller index."""
    scores, train, test = random_case(seed)
    found = rank(Fixed(scores), train, test, depth=50, candidates="all_items")
    judgements = Judgements.of(test, threshold=4)
    measures = ["P@5", "R@5", "AP@5", "nDCG@5", "RR", "Bpref"]
    values = measure_values(judge(judgements, Lists.of(found, judgements)), measures)

    def name(item):
        return f"i{99 - item}"

    qrels = {
        f"u{u}": {name(i): int(r) for i, r in zip(test[u].indices, test[u].data, strict=True)}
        for u in judgements.users
    }
    run = {
        f"u{u}": {
            name(i): scores[u, i]
            for i in range(scores.shape[1])
            if scores[u, i] > -np.inf and train[u, i] == 0
        }
        for u in judgements.users
    }
    trec = ["P.5", "recall.5", "map_cut.5", "ndcg_cut.5", "recip_rank", "bpref"]
    result = pytrec_eval.RelevanceEvaluator(qrels, set(trec), relevance_level=4).evaluate(run)
    for row, u in enumerate(judgements.users):
        theirs = [result.get(f"u{u}", {}).get(m.replace(".", "_"), 0.0) for m in trec]
        np.testing.assert_allclose(values[row], theirs, rtol=0, atol=1e-12)


def test_wrong_shapes_and_nan_are_refused():
    scores, train, test = random_case(0)
    expected = r"Fixed.score: expected an array of numbers of shape \(\d+, 50\), found"
    with pytest.raises(RankassayError, match=rf"{expected} float64 of shape \(\d+, 49\)"):
        rank(Fixed(scores[:, :-1]), train, test)
    with pytest.raises(RankassayError, match=rf"{expected} <U\d+ of shape \(\d+, 50\)"):
        rank(Fixed(scores.astype(str)), train, test)
    scores[3] = np.nan
    said = (
        r"^Fixed.score: expected a number for each item, or -inf for one .*, found NaN for the "
        r"user of row 3 \(from 0\) of the training ratings; correct what score returns\.$"
    )
    with pytest.raises(RankassayError, match=said):
        rank(Fixed(scores), train, test)


@pytest.mark.parametrize("shape", [(31, 50), (29, 50), (30, 51), (30, 49)])
@pytest.mark.parametrize("swapped", [False, True])
def test_matrices_that_do_not_belong_together_are_refused(shape, swapped):
    """The kernel looks the items of one up in the rows of the other."""
    scores, train, _ = random_case(0)
    other = sp.csr_matrix(np.ones(shape, dtype=np.float32))
    matrices = (other, train) if swapped else (train, other)
    with pytest.raises(RankassayError, match=r"of the same users and items, found .*; give both"):
        rank(Fixed(scores), *matrices)
