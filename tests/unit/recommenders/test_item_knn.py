import numpy as np
import pytest
import scipy.sparse as sp
from implicit.nearest_neighbours import bm25_weight, normalize, tfidf_weight

from rankassay.errors import RankassayError
from rankassay.recommenders.knn import ItemKNN, weigh


def ratings():
    rng = np.random.default_rng(9)
    dense = rng.integers(1, 6, (35, 20)) * (rng.random((35, 20)) < 0.3)
    dense[3] = 4  # a user of all items
    dense[5] = 0
    return sp.csr_matrix(dense.astype(np.float32))


def by_item():
    return ratings().astype(np.float64).T.tocsr()


def test_tfidf_weights_are_those_of_implicit_with_one_more_item():
    matrix = by_item()
    one_more = sp.vstack([matrix, sp.csr_matrix((1, 35))])
    expected = tfidf_weight(one_more).toarray()[:-1]
    np.testing.assert_allclose(weigh(matrix, "tfidf", 1.2, 0.75).toarray(), expected, atol=1e-12)


@pytest.mark.parametrize(("k1", "b"), [(1.2, 0.75), (100, 0.2), (2, 0), (2, 1)])
def test_bm25_weights_are_those_of_implicit_but_for_the_number_of_items(k1, b):
    matrix = by_item()
    counts = np.bincount(matrix.indices, minlength=35)
    common = bm25_weight(matrix, k1, b).toarray() / np.log(20 / (1 + counts))
    expected = common * np.log(21 / (1 + counts))
    np.testing.assert_allclose(weigh(matrix, "bm25", k1, b).toarray(), expected, atol=1e-12)


def test_weights_are_positive_and_a_user_of_all_items_has_none():
    for weighting in ("tfidf", "bm25"):
        weighted = weigh(by_item(), weighting, 1.2, 0.75)
        assert (weighted.data > 0).all()
        assert weighted[:, [3]].nnz == 0


def brute_force(train, similarities, neighbours):
    scores = np.full(train.shape, -np.inf)
    for item, row in enumerate(similarities):
        others = np.delete(np.arange(len(row)), item)
        near = others[np.argsort(-row[others], kind="stable")[:neighbours]]
        found = train[:, near] @ row[near]
        scores[found > 0, item] = found[found > 0]
    return scores


@pytest.mark.parametrize("neighbours", [3, 20])
@pytest.mark.parametrize("similarity", ["cosine", "product"])
@pytest.mark.parametrize("weighting", ["none", "tfidf", "bm25"])
def test_equals_brute_force(weighting, similarity, neighbours):
    train = ratings()
    weighted = weigh(by_item(), weighting, 1.2, 0.75)
    if similarity == "cosine":
        weighted = normalize(weighted).tocsr()
    expected = brute_force(train.toarray(), (weighted @ weighted.T).toarray(), neighbours)
    model = ItemKNN(neighbours=neighbours, weighting=weighting, similarity=similarity)
    scores = model.fit(train, seed=1).score(np.arange(35, dtype=np.int32))
    np.testing.assert_allclose(scores, expected, rtol=1e-9)


def test_settings_out_of_range_are_refused():
    with pytest.raises(RankassayError, match="unknown weighting 'tf-idf'; did you mean 'tfidf'"):
        ItemKNN(weighting="tf-idf").fit(ratings(), seed=1)
    with pytest.raises(RankassayError, match="unknown similarity 'cosin'; did you mean 'cosine'"):
        ItemKNN(similarity="cosin").fit(ratings(), seed=1)
    with pytest.raises(RankassayError, match="b from 0 to 1"):
        ItemKNN(weighting="bm25", b=2).fit(ratings(), seed=1)
