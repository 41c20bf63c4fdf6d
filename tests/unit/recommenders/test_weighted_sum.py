import json
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.recommenders.language_models import language_models
from rankassay.recommenders.neighbourhoods import cosine_neighbours, product_neighbours
from rankassay.recommenders.weighted_sum import LMWSRItem, LMWSRUser

REFERENCE = Path(__file__).parents[2] / "reference" / "recommenders_golden.json"
GOLDEN = json.loads(REFERENCE.read_text())
TOY = sp.csr_matrix(np.float32(GOLDEN["R"]))
AMOUNTS = {"jelinek_mercer": 0.3, "dirichlet": 20.0, "absolute_discounting": 0.2}


def ratings(seed=3):
    rng = np.random.default_rng(seed)
    dense = rng.integers(1, 6, (40, 25)) * (rng.random((40, 25)) < 0.3)
    dense[4] = 0
    dense[:, 7] = 0
    return sp.csr_matrix(dense.astype(np.float32))


def scores_of(recommender, train=TOY):
    return recommender.fit(train, seed=1).score(np.arange(train.shape[0], dtype=np.int32))


def cosines(rows):
    dense = rows.toarray().astype(float)
    lengths = np.sqrt((dense**2).sum(axis=1))
    lengths[lengths == 0] = 1
    return dense @ dense.T / np.outer(lengths, lengths)


def likelihoods(rows, smoothing, amount):
    """Return log p(a|b) of all pairs."""
    models = language_models(rows, smoothing, amount)
    p = models.seen.toarray() + np.outer(models.share, models.background)
    with np.errstate(divide="ignore"):
        logs = np.where(models.background > 0, np.log(p), 0)
    return rows.toarray().astype(float) @ logs.T


def similarities(rows, smoothing, amount):
    models = language_models(rows, smoothing, amount)
    offsets = None if smoothing == "jelinek_mercer" else np.log(models.share)
    return product_neighbours(rows, models.gains(), rows.shape[0], offsets)


@pytest.mark.parametrize(
    ("name", "recommender"),
    [
        ("WSR_UB_cos", LMWSRUser(2, "cosine", weight="cosine")),
        ("WSR_IB_cos", LMWSRItem(2, "cosine", weight="cosine")),
        ("LMWSR_UB_jm", LMWSRUser(2, "jelinek_mercer", 0.5)),
        ("LMWSR_IB_jm", LMWSRItem(2, "jelinek_mercer", 0.5)),
    ],
)
def test_golden(name, recommender):
    scores = scores_of(recommender)
    for user, expected in enumerate(GOLDEN[name]):
        finite = np.isfinite(scores[user]) & (TOY.toarray()[user] == 0)
        assert {str(item) for item in np.flatnonzero(finite)} == set(expected)
        for item, value in expected.items():
            assert scores[user, int(item)] == pytest.approx(value, abs=1e-5)


@pytest.mark.parametrize("side", ["users", "items"])
@pytest.mark.parametrize(
    ("key", "setting"), [("jm", ("jelinek_mercer", 0.5)), ("dp", ("dirichlet", 10))]
)
def test_golden_similarities(side, key, setting):
    rows = TOY if side == "users" else TOY.T.tocsr()
    expected = np.array(GOLDEN[f"lmsim_{side}_{key}"])
    near, values = similarities(rows, *setting)
    for a in range(len(expected)):
        order = [b for b in np.argsort(-expected[a], kind="stable") if expected[a, b] != 0]
        assert near[a][near[a] >= 0].tolist() == order
        np.testing.assert_allclose(values[a][: len(order)], expected[a][order], atol=1e-6)


@pytest.mark.parametrize("smoothing", AMOUNTS)
@pytest.mark.parametrize("side", ["users", "items"])
def test_similarity_is_the_likelihood_less_a_constant_of_the_query(side, smoothing):
    rows = ratings() if side == "users" else ratings().T.tocsr()
    expected = likelihoods(rows, smoothing, AMOUNTS[smoothing])
    near, values = similarities(rows, smoothing, AMOUNTS[smoothing])
    overlap = cosines(rows) > 0
    for a in range(rows.shape[0]):
        found = near[a][near[a] >= 0]
        assert set(found) == set(np.flatnonzero(overlap[a])) - {a}
        difference = expected[a, found] - values[a, : len(found)]
        np.testing.assert_allclose(difference, difference[:1].repeat(len(found)), rtol=1e-12)


def expected_scores(train, side, k, similarity, amount, weight, direction="candidate"):
    """Add up the weights of the definition, pair by pair."""
    rows = train if side == "users" else train.T.tocsr()
    near, values = (
        cosine_neighbours(rows, k)
        if similarity == "cosine"
        else tuple(part[:, :k] for part in similarities(rows, similarity, amount))
    )
    totals = np.asarray(rows.sum(axis=1)).ravel()
    cosine = cosines(rows)
    r = train.toarray().astype(float)
    scores = np.full(r.shape, -np.inf)
    for a in range(rows.shape[0]):
        for b, value in zip(near[a], values[a], strict=True):
            if b < 0:
                continue
            w = {"lm": value, "lm_norm": value / totals[a], "cosine": cosine[a, b], "uniform": 1}
            if side == "users":
                at, rated = (a, slice(None)), r[b]
            else:
                query, document = (a, b) if direction == "candidate" else (b, a)
                at, rated = (slice(None), query), r[:, document]
            old = scores[at]
            scores[at] = np.where(
                rated > 0, np.where(old > -np.inf, old, 0) + w[weight] * rated, old
            )
    return scores


PAIRS = [(s, w) for s in AMOUNTS for w in ("lm", "lm_norm", "cosine", "uniform")]
PAIRS += [("cosine", "cosine"), ("cosine", "uniform")]


@pytest.mark.slow
@pytest.mark.parametrize(("similarity", "weight"), PAIRS)
@pytest.mark.parametrize("side", ["users", "items", "profile"])
def test_scores_equal_the_definition(side, similarity, weight):
    train = ratings()
    settings = (7, similarity, AMOUNTS.get(similarity, 0), weight)
    if side == "users":
        recommender, direction = LMWSRUser(*settings), "candidate"
    else:
        direction = "profile" if side == "profile" else "candidate"
        recommender, side = LMWSRItem(*settings, direction), "items"
    expected = expected_scores(train, side, *settings, direction)
    np.testing.assert_allclose(scores_of(recommender, train), expected, rtol=1e-10, atol=1e-10)


def test_normalised_weights_rank_alike_for_users_only():
    train = ratings()
    raw, norm = (scores_of(LMWSRUser(9, weight=w), train) for w in ("lm", "lm_norm"))
    totals = np.asarray(train.sum(axis=1))
    finite = np.isfinite(raw)
    np.testing.assert_allclose(raw[finite], (norm * np.where(totals > 0, totals, 1))[finite])


def test_unknown_options_are_refused():
    for recommender, message in [
        (LMWSRUser(similarity="additive"), "unknown similarity 'additive'"),
        (LMWSRUser(weight="lmnorm"), "did you mean 'lm_norm'"),
        (LMWSRItem(similarity="cosine"), "unknown weight for cosine neighbours 'lm'"),
        (LMWSRItem(direction="both"), "unknown direction 'both'"),
    ]:
        with pytest.raises(RankassayError, match=message):
            recommender.fit(TOY, seed=1)
