"""The metrics on one list, worked by hand, and what they do at the edges."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from metric_cases import User, made, random_users, value, values

import rankassay
from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import evaluate, measure_values
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import Judgements, Lists

log2 = np.log2
E = 1e-5  # infAP's small constant

# Places 1 to 5: relevant (5), unjudged, non-relevant (2), relevant (4), unjudged. Two relevant
# items more (5 and 4) and one non-relevant (1) are not in the list, nor are twelve others.
# So tp = 2, fp = 3, fn = 2, and tn = 13 of 20 items.
USER = User([5, None, 2, 4, None], [5, 4, 1], 12)

DCG5 = 5 / log2(2) + 2 / log2(4) + 4 / log2(5)
IDEAL3 = 5 / log2(2) + 5 / log2(3) + 4 / log2(4)
IDEAL5 = IDEAL3 + 4 / log2(5) + 2 / log2(6)
IDEAL = IDEAL5 + 1 / log2(7)
EXP5 = 31 / log2(2) + 3 / log2(4) + 15 / log2(5)
EXP_IDEAL5 = 31 / log2(2) + 31 / log2(3) + 15 / log2(4) + 15 / log2(5) + 3 / log2(6)

BY_HAND = {
    "P@5": 2 / 5,
    "P@10": 2 / 10,
    "P(denominator='listed')@10": 2 / 5,
    "P(denominator='min_relevant')@5": 2 / 4,
    "R@5": 2 / 4,
    "R(denominator='min_cutoff')@2": 1 / 2,
    "F1@5": 2 * (2 / 5 * 2 / 4) / (2 / 5 + 2 / 4),
    "F(beta=2)@5": 5 * (2 / 5 * 2 / 4) / (4 * 2 / 5 + 2 / 4),
    "AP@5": (1 / 1 + 2 / 4) / 4,
    "AP(denominator='min_cutoff')@2": 1 / 2,
    "AP(denominator='hits')@5": (1 / 1 + 2 / 4) / 2,
    "AP(denominator='listed')@5": (1 / 1 + 2 / 4) / 5,
    "RR@5": 1,
    "Success@5": 1,
    "P(denominator='judged')@5": 2 / 3,
    "P(denominator='judged')@2": 1 / 1,
    "P(denominator='smoothed')@5": (2 + 4 * 4 / 6) / (3 + 4),
    "CDCG@5": (1 - 4 / 6) / log2(2) - 4 / 6 / log2(4) + (1 - 4 / 6) / log2(5),
    "FP@5": 1 / 5,
    # Four of the six judged items are relevant; the first place has one, the third another.
    "CP@2": (1 - 4 / 6) / 2,
    "CP@3": (1 - 4 / 6 - 4 / 6) / 3,
    "FP(denominator='judged')@5": 1 / 3,
    "FP(denominator='nonrelevant')@5": 1 / 2,
    "Judged@5": 3 / 5,
    # One of two non-relevant items stands above the second; min(|N|, |R|) = 2.
    "Bpref@5": (1 + (1 - 1 / 2)) / 4,
    # Above place 4: one relevant, one non-relevant, and an unjudged item.
    "infAP@5": (1 + (1 / 4 + 3 / 4 * (1 + E) / (2 + 2 * E))) / 4,
    "infAP(unjudged='unpooled')@5": (1 + (1 / 4 + 2 / 4 * (1 + E) / (2 + 2 * E))) / 4,
    "DCG@5": DCG5,
    "DCG(gain='binary', log_base=10)@5": 1 / np.log10(2) + 1 / np.log10(5),
    "nDCG@5": DCG5 / IDEAL5,
    "nDCG@3": (5 / log2(2) + 2 / log2(4)) / IDEAL3,
    "nDCG(truncate_ideal=False)@5": DCG5 / IDEAL,
    "nDCG(gain='exp')@5": EXP5 / EXP_IDEAL5,
    "nDCG(ideal='relevant')@5": (DCG5 - 2 / log2(4)) / (IDEAL5 - 2 / log2(6)),
    "nDCG(ideal='retrieved')@5": DCG5 / (5 / log2(2) + 4 / log2(3) + 2 / log2(4)),
    # The user stops at place 1 with 31/32, at place 3 with 3/32, and at place 4 with 15/32.
    "ERR@5": 31 / 32 + 1 / 32 * 3 / 32 / 3 + 1 / 32 * 29 / 32 * 15 / 32 / 4,
    # Blended ratios: (1 + 5) / (1 + 5) at place 1 and (2 + 9) / (4 + 18) at place 4.
    "Q@5": (1 + 11 / 22) / 4,
    "Q(beta=10)@5": (1 + 92 / 184) / 4,
    "RBP(p=0.5)@5": 0.5 * (1 + 0.5**3),
    "Fallout@5": 3 / 16,
    "MissRate@5": 2 / 4,
    "InversePrecision@5": 13 / 15,
    "InverseRecall@5": 13 / 16,
    "Markedness@5": 2 / 5 + 13 / 15 - 1,
    "Informedness@5": 2 / 4 + 13 / 16 - 1,
    "MCC@5": (2 * 13 - 3 * 2) / np.sqrt(4 * 16 * 5 * 15),
    "KendallTau@5": (2 * 13 - 3 * 2) / np.sqrt(4 * 16 * 5 * 15),
    "KendallTau(variant='a')@5": (2 * 13 - 3 * 2) / (20 * 19 / 2),
    "KendallTau(variant='gamma')@5": (2 * 13 - 3 * 2) / (2 * 13 + 3 * 2),
    # At place 1: tp = 1 of 1, tn = 16 of 19. At place 4: tp = 2 of 4, tn = 14 of 16.
    "AverageMarkedness@5": ((1 + 16 / 19 - 1) + (2 / 4 + 14 / 16 - 1)) / 4,
    "AverageInformedness@5": ((1 / 4 + 16 / 16 - 1) + (2 / 4 + 14 / 16 - 1)) / 4,
    # Irrelevant items at places 2, 3 and 5 have 1, 1 and 2 hits above them; 13 follow.
    "LAUC@5": (1 + 1 + 2 + 13 * (2 + 4) / 2) / (4 * 16),
    "AUC": (1 + 1 + 2 + 13 * (2 + 4) / 2) / (4 * 16),
    # Predictions 4.4, 3.3 and 3.8 for the ratings 5, 2 and 4.
    "MAE@5": (0.6 + 1.3 + 0.2) / 3,
    "MSE@5": (0.6**2 + 1.3**2 + 0.2**2) / 3,
    "RMSE@5": np.sqrt((0.6**2 + 1.3**2 + 0.2**2) / 3),
    "NMAE@5": (0.6 + 1.3 + 0.2) / 3 / (5 - 1),
    "NMAE(scale=(0, 10))@1": 0.6 / 10,
}


@pytest.mark.parametrize("measure", BY_HAND)
def test_one_list_by_hand(measure):
    assert value(USER, measure) == pytest.approx(BY_HAND[measure], rel=1e-13, abs=0)


def test_infap_gives_one_half_to_unjudged_places_only_if_pooled():
    """Two unjudged items above one relevant item: 0.667 by equation (8), 0.333 by trec_eval."""
    user = User([None, None, 5])
    assert value(user, "infAP@10", "paper") == pytest.approx(1 / 3 + 2 / 3 * 1 / 2)
    assert value(user, "infAP@10", "trec") == pytest.approx(1 / 3)


def test_judged_only_precision_is_not_that_of_the_condensed_list():
    """The item at place 4 stays there; the condensed list has it at place 3."""
    assert value(USER, "P(denominator='judged')@3") == 1 / 2
    shown = User([rating for rating in USER.places if rating is not None], USER.missed)
    assert value(shown, "P@3") == 2 / 3
    nothing = User([None, None, 5], [4])
    # Of both judged items of all users, one of whom has none in the list, both are relevant.
    for convention, expected in (("judged", 0), ("judged_nan", np.nan), ("smoothed", 1)):
        measure = f"P(denominator={convention!r})@2"
        np.testing.assert_equal(value(nothing, measure), expected)


def smoothed(users, cutoff):
    """Return smoothed judged-only precision, user by user."""
    ratings = [rating for user in users for rating, _ in user.judged]
    share = sum(rating >= 4 for rating in ratings) / len(ratings)
    found = []
    for user in users:
        judged = [rating for rating, place in user.judged if 1 <= place <= cutoff]
        hits = sum(rating >= 4 for rating in judged)
        found.append((hits + 4 * share) / (len(judged) + 4))
    return found


def test_smoothed_precision_is_its_formula_however_users_are_taken(monkeypatch):
    users, measure = random_users(50), "P(denominator='smoothed')@3"
    judgements, lists = made(users)
    expected = smoothed(users, 3)
    np.testing.assert_allclose(values(users, [measure])[:, 0], expected, rtol=1e-14)
    assert 0 < min(expected) < max(expected) < 1
    monkeypatch.setattr("rankassay.metrics.evaluate.BLOCK", 7)
    np.testing.assert_array_equal(
        evaluate(judgements, [lists], [measure])[:, 0], values(users, [measure])
    )
    monkeypatch.setattr("rankassay.api.evaluate.BLOCK", 7)
    frame = pd.DataFrame({"user": judgements.row, "item": np.arange(len(judgements.rating))})
    qrels, shown = frame.assign(rating=judgements.rating), (lists.ranks > 0) & (lists.ranks <= 3)
    run = frame.assign(score=-lists.ranks.astype(float))[shown]
    asked = ["smoothed P@30 of judged items"]
    found = rankassay.evaluate(qrels, run, asked, per_user=True, threshold=4)
    np.testing.assert_allclose(found.iloc[:, -1], expected, rtol=1e-14)


def test_smoothed_precision_of_a_sample_takes_the_share_of_the_sample():
    users = random_users(50)
    judgements, lists = made(users)
    for level in (0.7, 0.1, 0.0):
        keep = np.random.default_rng(3).random(len(judgements.rating)) < level
        part = judgements.sample(keep, "zero")
        found = measure_values(
            judge(judgements, lists).sample(keep, part), ["P(denominator='smoothed')@9"]
        )
        share = (judgements.rating[keep] >= 4).mean() if keep.any() else 0
        assert part.share == pytest.approx(share)
        shown = keep & (lists.ranks > 0) & (lists.ranks <= 9)
        hits = np.bincount(judgements.row, shown & (judgements.rating >= 4), judgements.n_users)
        judged = np.bincount(judgements.row, shown, judgements.n_users)
        np.testing.assert_allclose(found[:, 0], (hits + 4 * share) / (judged + 4), rtol=1e-14)
    assert judgements.block(0, 5).sample(np.ones(judgements.start[5], dtype=bool)).share != (
        judgements.share
    )


def test_false_positives_without_judged_or_nonrelevant_items_are_0():
    for measure in ("FP@2", "FP(denominator='judged')@2", "FP(denominator='nonrelevant')@2"):
        assert value(User([None, None, 5]), measure) == 0
    with pytest.raises(RankassayError, match="FP needs a cut-off"):
        value(USER, "FP")


def test_bpref_without_judged_nonrelevant_items_is_recall():
    user = User([None, 5, *[None] * 6, 4], [4])
    found = values([user], ["Bpref@10", "R@10", "Bpref@5", "R@5"])[0]
    np.testing.assert_allclose(found, [2 / 3, 2 / 3, 1 / 3, 1 / 3])


def test_bpref_counts_no_more_nonrelevant_items_than_there_are_relevant_ones():
    assert value(User([1, 1, 1, 5]), "Bpref") == 0
    assert value(User([1, 5, 1, 5], [1]), "Bpref") == (1 - 1 / 2) / 2


def test_ndcg_with_the_whole_ideal():
    user = User([5], [5, 5])
    assert value(user, "nDCG@1") == 1
    whole = 1 + 1 / log2(3) + 1 / 2
    assert value(user, "nDCG(truncate_ideal=False)@1") == pytest.approx(1 / whole)


def test_ratings_below_the_threshold_gain_and_ratings_of_zero_or_less_do_not():
    assert value(User([2, 1]), "nDCG@2") == 1
    assert value(User([0, 0]), "nDCG@2") == 0
    assert value(User([-3, 5]), "nDCG@2") == pytest.approx(1 / log2(3))
    assert value(User([-3, 5]), "ERR(highest=5)@2") == pytest.approx(31 / 32 / 2)


def test_the_threshold_itself_is_relevant():
    assert values([User([4]), User([3.99])], ["P@1"], threshold=4)[:, 0].tolist() == [1, 0]


def test_the_threshold_is_as_exact_as_the_ratings():
    """In single precision 3.6 is a little less than 3.6."""
    ratings = sp.csr_matrix(np.array([[3.6, 3.5], [0, 3.7]], dtype=np.float32))
    np.testing.assert_array_equal(Judgements.of(ratings, 3.6).relevant, [True, False, True])
    np.testing.assert_array_equal(Judgements.of(ratings.astype(int), 2.5).relevant, [True] * 3)


def test_err_takes_ratings_of_any_size_and_exponential_gains_say_that_they_do_not():
    """Counts of plays, for instance, of which 2^rating is beyond all numbers."""
    user = User([5000, None, 4999])
    assert value(user, "ERR") == pytest.approx(1)
    assert value(User([4999, None, 5000]), "ERR") == pytest.approx(1 / 2 + 1 / 2 / 3)
    with pytest.raises(RankassayError, match="take the gain 'rating'"):
        value(user, "nDCG(gain='exp')@3")


def test_items_that_are_not_ranked_tie_below_all_that_are():
    """The ranked relevant item wins four pairs; the other one ties with three and loses one."""
    user = User([5, None], [4], 3)
    assert value(user, "AUC") == pytest.approx((4 + 3 / 2) / 8)


def test_auc_knows_the_whole_ranking_whatever_the_cutoff_and_the_depth():
    user = User([None, None, 5, None], (), 0)
    judgements, lists = made([user])
    found = measure_values(judge(judgements, lists, depth=1), ["AUC@1", "AUC@3", "AUC"])
    np.testing.assert_allclose(found[0], 1 / 3)


@pytest.mark.parametrize("metric", ["AUC", "LAUC"])
def test_areas_are_one_where_every_item_is_relevant(metric):
    assert value(User([5, 5], [5], 0), f"{metric}@2") == 1


def test_rating_errors_are_of_the_judged_items_that_are_listed():
    judgements, _ = made([User([5, None, 1], [3])])
    ranks = {5: 1, 1: 3, 3: 0}
    predictions = {5: 4.5, 1: 3.0, 3: 99.0}
    lists = Lists(
        np.array([ranks[r] for r in judgements.rating], dtype=np.int32),
        np.array([3], dtype=np.int32),
        None,
        np.array([predictions[r] for r in judgements.rating]),
    )
    measures = ["MAE", "MSE", "RMSE", "NMAE", "MAE@1", "MAE@2"]
    found = measure_values(judge(judgements, lists), measures)[0]
    expected = [1.25, 2.125, np.sqrt(2.125), 1.25 / 4, 0.5, 0.5]
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_a_scale_with_one_end_is_explained():
    with pytest.raises(RankassayError, match=r"found 5 to 5; give NMAE\(scale=\(1, 5\)\)"):
        value(User([5, 5]), "NMAE")


def test_measures_keep_the_order_in_which_they_are_asked_for():
    user = User([5, 1, None, 4])
    found = values([user], ["R@10", "P@5", "R@1", "P@1", "R@5"])[0]
    np.testing.assert_allclose(found, [1, 2 / 5, 1 / 2, 1, 1])


def test_users_without_a_list_score_zero_and_are_counted():
    found = values([User([5]), User([], [5])], ["P@1", "R@1", "nDCG@1"])
    np.testing.assert_array_equal(found.mean(axis=0), [0.5, 0.5, 0.5])
