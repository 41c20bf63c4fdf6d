"""Metrics over all orders of tied items are what enumerating the orders says."""

import itertools

import numpy as np
import pytest

import rankassay
from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import measure_values
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import WHOLE_LIST, Judgements, Lists
from rankassay.metrics.precision_recall import JUDGED_ONLY
from rankassay.metrics.ties import expected_preference, tied_values
from rankassay.seeds import generator

MEASURES = [
    "P@3",
    "P(denominator='listed')@4",
    "P(denominator='min_relevant')@3",
    "R@2",
    "R(denominator='min_cutoff')@2",
    "R",
    "AP@3",
    "AP",
    "AP(denominator='min_cutoff')@2",
    "AP(denominator='listed')@4",
    "RR@2",
    "RR",
    "nDCG@3",
    "nDCG",
    "nDCG(gain='exp')@4",
    "nDCG(gain='binary',truncate_ideal=False)@2",
    "nDCG(ideal='relevant')@4",
    "DCG(log_base=3.0)@4",
    "Bpref@3",
    "Bpref",
    "Bpref(without_nonrelevant='nan')@4",
    "RBP@3",
    "RBP(p=0.5)",
    "RBP(gain='rating')",
    "nDCG(gain={-1: 0, 0: 0, 1: 0, 2: 0.5, 3: 0.5, 4: 3, 5: 4})@3",
    "ERR@3",
    "ERR",
    "ERR(highest='user')@4",
    "ERR(highest=6)@2",
    "Success@1",
    "Success@3",
]
N_USERS, LENGTH = 40, 6


@pytest.fixture(scope="module")
def made():
    """Return random judgements, and each user's list as judgements (-1 for none) with scores."""
    random = generator(3, "ties")
    start, ratings, lists = [0], [], []
    for _ in range(N_USERS):
        n = int(random.integers(1, 7))
        judgements = start[-1] + np.arange(n)
        ratings.extend(random.choice([-1.0, 1.0, 3.0, 4.0, 5.0], n))
        listed = random.permutation([*judgements, -1, -1])[: int(random.integers(0, LENGTH))]
        lists.append((listed, np.sort(random.integers(0, 2, len(listed)))[::-1]))
        start.append(start[-1] + n)
    users = np.arange(N_USERS, dtype=np.int32)
    return Judgements(users, np.array(start), np.array(ratings), 4.0), lists


def arrays(judgements, lists):
    """Return ranks, lengths and the first and last places of ties."""
    ranks = np.zeros(len(judgements.rating), dtype=np.int32)
    first, last = np.ones(len(ranks), dtype=np.int64), np.ones(len(ranks), dtype=np.int64)
    for listed, scores in lists:
        for k, j in enumerate(listed):
            if j >= 0:
                same = np.flatnonzero(scores == scores[k]) + 1
                ranks[j], first[j], last[j] = k + 1, same[0], same[-1]
    length = np.array([len(listed) for listed, _ in lists], dtype=np.int32)
    return ranks, length, first, last


def enumerated(judgements, lists, profile, depth):
    """Return the values of every user in all orders, one array (n_orders, n_measures) a user."""
    _, length, _, _ = arrays(judgements, lists)
    found = []
    for u, (listed, scores) in enumerate(lists):
        ties = [np.flatnonzero(scores == score) for score in sorted(set(scores), reverse=True)]
        values = []
        for orders in itertools.product(*(itertools.permutations(tie) for tie in ties)):
            ranks = np.zeros(len(judgements.rating), dtype=np.int32)
            for k, position in enumerate(itertools.chain(*orders)):
                if listed[position] >= 0:
                    ranks[listed[position]] = k + 1
            judged = judge(judgements, Lists(ranks, length), depth)
            values.append(measure_values(judged, MEASURES, profile)[u])
        found.append(np.array(values))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("profile", "depth"), [("paper", WHOLE_LIST), ("trec", WHOLE_LIST), ("paper", 3)]
)
def test_all_orders(made, profile, depth):
    judgements, lists = made
    ranks, length, first, last = arrays(judgements, lists)
    every = enumerated(judgements, lists, profile, depth)
    for over, of in (("expected", np.mean), ("worst", np.min), ("best", np.max)):
        expected = np.stack([of(values, axis=0) for values in every])
        found = tied_values(
            judgements, Lists(ranks, length), first, last, MEASURES, over, profile, depth=depth
        )
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14, err_msg=over)


@pytest.mark.parametrize(
    "measure",
    [
        "nDCG(ideal='retrieved')@3",
        "AP(denominator='hits')@3",
        *(f"P(denominator={own!r})@3" for own in JUDGED_ONLY),
        "Q@3",
    ],
)
def test_no_value(made, measure):
    judgements, lists = made
    ranks, length, first, last = arrays(judgements, lists)
    with pytest.raises(RankassayError, match="over all orders of tied items"):
        tied_values(judgements, Lists(ranks, length), first, last, [measure])


def test_scikit_learn(made):
    ranking = pytest.importorskip("sklearn.metrics")
    random = generator(5, "scikit-learn")
    gains, scores = random.integers(0, 5, (1, 12)).astype(float), random.integers(0, 4, (1, 12))
    order = np.argsort(-scores[0], kind="stable")
    ranks = np.empty(12, dtype=np.int32)
    ranks[order] = np.arange(1, 13)
    above = (scores[0][None, :] > scores[0][:, None]).sum(axis=1)
    last = above + (scores[0][None, :] == scores[0][:, None]).sum(axis=1)
    judgements = Judgements(np.zeros(1, np.int32), np.array([0, 12]), gains[0], 4.0)
    lists = Lists(ranks, np.array([12], dtype=np.int32))
    found = tied_values(judgements, lists, above + 1, last, ["nDCG@5", "nDCG"])
    expected = [ranking.ndcg_score(gains, scores, k=k) for k in (5, None)]
    np.testing.assert_allclose(found[0], expected, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("levels", [1, 2, 5, 1000])
def test_auc_of_ties_is_that_of_scikit_learn(levels):
    ranking = pytest.importorskip("sklearn.metrics")
    random = generator(levels, "AUC")
    ratings, scores = random.integers(1, 6, (9, 20)), random.integers(0, levels, (9, 20))
    qrels, run = ({u: dict(enumerate(own)) for u, own in enumerate(m)} for m in (ratings, scores))
    how = {"n_items": 20, "per_user": True}
    found = rankassay.evaluate(qrels, run, ["AUC", "RR"], ties="expected", **how)["AUC"]
    theirs = [ranking.roc_auc_score(r >= 4, s) for r, s in zip(ratings, scores, strict=True)]
    np.testing.assert_allclose(found, theirs, rtol=1e-12)
    ends = [rankassay.evaluate(qrels, run, "AUC", ties=t, **how)["AUC"] for t in ("worst", "best")]
    if levels == 1:
        np.testing.assert_array_equal(ends, [[0.0] * 9, [1.0] * 9])
    # With the scores of tied items moved apart, the better ones first or last.
    apart = [
        ranking.roc_auc_score(r >= 4, s + x * (r >= 4))
        for x in (-0.1, 0.1)
        for r, s in zip(ratings, scores, strict=True)
    ]
    np.testing.assert_allclose(np.ravel(ends), apart, rtol=1e-12)
    with pytest.raises(RankassayError, match="AUC over all orders of tied items is that of whole"):
        rankassay.evaluate(qrels, run, "AUC", ties="expected", depth=3, n_items=20)


def test_auc_reads_no_place_below_the_depth():
    qrels = {"ann": {"a": 5, "b": 1, "c": 5}}
    run = {"ann": {"b": 4, "a": 3, "x": 2, "c": 1}}
    short = {"ann": {"b": 4, "a": 3}}
    cut, plain = (
        rankassay.evaluate(qrels, given, ["AUC", "MPR"], n_items=8, depth=depth)
        for given, depth in ((run, 2), (short, None))
    )
    assert cut.equals(plain)


def test_evaluate_reads_ties_of_runs():
    qrels = {"ann": {"film": 5, "book": 2}, "bob": {"song": 4}, "eve": {"play": 5}}
    run = {"ann": {"book": 1, "film": 1, "game": 1, "tale": 2}, "bob": {"song": 3, "poem": 2}}
    values = {
        ties: rankassay.evaluate(qrels, run, "RR", ties=ties, per_user=True)["RR"].to_list()
        for ties in ("expected", "worst", "best")
    }
    assert values["worst"] == [1 / 4, 1, 0]
    assert values["best"] == [1 / 2, 1, 0]
    np.testing.assert_allclose(values["expected"], [(1 / 2 + 1 / 3 + 1 / 4) / 3, 1, 0])


def test_evaluate_without_ties_is_plain():
    qrels = {"ann": {"film": 5, "book": 2}, "bob": {"song": 4}}
    run = {"ann": {"book": 1, "film": 2}, "bob": {"song": 3, "poem": 2}}
    plain = rankassay.evaluate(qrels, run)
    for ties in ("expected", "worst", "best"):
        assert rankassay.evaluate(qrels, run, ties=ties).equals(plain)


def test_evaluate_names_the_metrics_that_have_a_value():
    with pytest.raises(RankassayError, match=r"Fallout@5 is undefined .* P, R, AP"):
        rankassay.evaluate({"ann": {"film": 5}}, {"ann": {"film": 1}}, "Fallout@5", ties="worst")


def test_non_relevant_items_above_a_relevant_one_are_uniform():
    one = np.array([1])
    found = expected_preference(one, 4 * one, 0 * one, 2 * one, 2 * one, np.array([4]))
    assert found[0, 0] == pytest.approx((1 + 1 / 2 + 0) / 3, rel=1e-12)
