"""The metrics on one list, worked by hand, and what they do at the edges."""

import numpy as np
import pytest

from assayer.errors import AssayerError
from assayer.metrics.evaluate import Measure, grid, measure_values
from assayer.metrics.judged import judge
from assayer.metrics.judgements import Judgements, Lists

METRIC_NAMES = ["AP", "Bpref", "P", "R", "RR", "infAP", "nDCG"]


def values(ratings, ranks, measures, profile="paper", depth=10, threshold=4):
    """Return the measures of users given as lists of ratings and of ranks of the rated items."""
    start = np.cumsum([0, *map(len, ratings)])
    judgements = Judgements(
        np.arange(len(ratings), dtype=np.int32),
        start,
        np.array([r for user in ratings for r in user], dtype=float),
        threshold,
    )
    flat = np.array([r for user in ranks for r in user], dtype=np.int32)
    length = np.full(len(ratings), depth, dtype=np.int32)
    lists = Lists(flat, length, np.full(len(ratings), 100, dtype=np.int32))
    return measure_values(judge(judgements, lists, depth), measures, profile)


def test_one_list_by_hand():
    """Places 1 to 5: relevant (5), unjudged, non-relevant (2), relevant (4), unjudged.

    Two relevant items more (5 and 4) and one non-relevant (1) are not in the list.
    """
    found = values(
        [[5, 2, 4, 5, 4, 1]],
        [[1, 3, 4, 0, 0, 0]],
        ["P@5", "R@5", "AP@5", "RR@5", "Bpref@5", "infAP@5", "nDCG@5", "nDCG@3"],
    )[0]
    e = 1e-5
    log2 = np.log2
    dcg5 = 5 / log2(2) + 2 / log2(4) + 4 / log2(5)
    ideal5 = 5 / log2(2) + 5 / log2(3) + 4 / log2(4) + 4 / log2(5) + 2 / log2(6)
    ideal3 = 5 / log2(2) + 5 / log2(3) + 4 / log2(4)
    expected = [
        2 / 5,
        2 / 4,
        (1 / 1 + 2 / 4) / 4,
        1,
        # One of two non-relevant items stands above the second; min(|N|, |R|) = 2.
        (1 + (1 - 1 / 2)) / 4,
        # Above place 4: one relevant, one non-relevant.
        (1 + (1 / 4 + 3 / 4 * (1 + e) / (2 + 2 * e))) / 4,
        dcg5 / ideal5,
        (5 / log2(2) + 2 / log2(4)) / ideal3,
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_infap_gives_one_half_to_unjudged_places_only_if_pooled():
    """Two unjudged items above one relevant item: 0.667 by equation (8), 0.333 by trec_eval."""
    pooled, unpooled = (values([[5]], [[3]], ["infAP@10"], p)[0, 0] for p in ("paper", "trec"))
    assert pooled == pytest.approx(1 / 3 + 2 / 3 * 1 / 2)
    assert unpooled == pytest.approx(1 / 3)


def test_bpref_without_judged_nonrelevant_items_is_recall():
    found = values([[5, 4, 4]], [[2, 9, 0]], ["Bpref@10", "R@10", "Bpref@5", "R@5"])[0]
    np.testing.assert_allclose(found, [2 / 3, 2 / 3, 1 / 3, 1 / 3])


def test_ndcg_with_the_whole_ideal():
    found = values([[5, 5, 5]], [[1, 0, 0]], ["nDCG@1", "nDCG(truncate_ideal=False)@1"])[0]
    np.testing.assert_allclose(found, [1, 1 / (1 + 1 / np.log2(3) + 1 / 2)])


@pytest.mark.parametrize("metric", METRIC_NAMES)
@pytest.mark.parametrize("profile", ["paper", "trec"])
class TestContract:
    """What holds for every metric."""

    def test_empty_lists_and_users_without_relevant_items_score_zero_or_their_gain(
        self, metric, profile
    ):
        found = values([[5, 4], [2, 1]], [[0, 0], [1, 2]], [f"{metric}@5"], profile)[:, 0]
        assert found[0] == 0
        # Ratings below the threshold still gain in nDCG.
        assert found[1] == (1 if metric == "nDCG" else 0)

    def test_the_ideal_list_scores_one_where_one_can(self, metric, profile):
        found = values([[5, 5, 5]], [[1, 2, 3]], [f"{metric}@3"], profile)[0, 0]
        # The small constant of infAP keeps it a hair below.
        assert found == pytest.approx(1, abs=1e-5)

    def test_moving_a_relevant_item_up_never_hurts(self, metric, profile):
        ratings = [[5, 2, 4, 1, 5]]
        before = values(ratings, [[8, 2, 5, 3, 0]], [f"{metric}@10"], profile)
        after = values(ratings, [[1, 3, 5, 4, 0]], [f"{metric}@10"], profile)
        assert after[0, 0] >= before[0, 0]

    def test_bounds_and_depth(self, metric, profile):
        rng = np.random.default_rng(0)
        ratings = [list(rng.integers(1, 6, size=12)) for _ in range(50)]
        ranks = [list(rng.permutation(20)[:12] + 1) for _ in range(50)]
        measures = grid([metric], [1, 2, 5, 10, 20])
        found = values(ratings, ranks, measures, profile, depth=20)
        assert (found >= 0).all()
        assert (found <= 1 + 1e-12).all()
        # A list cut at 5 is one in which nothing below place 5 is looked at.
        cut = values(ratings, ranks, measures, profile, depth=5)
        np.testing.assert_array_equal(cut[:, :3], found[:, :3])

    def test_users_do_not_depend_on_one_another(self, metric, profile):
        ratings, ranks = [[5, 1], [4], [3, 5, 5]], [[2, 1], [0], [7, 1, 3]]
        together = values(ratings, ranks, [f"{metric}@5"], profile)
        for u in range(3):
            alone = values([ratings[u]], [ranks[u]], [f"{metric}@5"], profile)
            assert alone[0, 0] == together[u, 0]


def test_measures_keep_the_order_in_which_they_are_asked_for():
    measures = ["R@10", "P@5", "R@1", "P@1", "R@5"]
    found = values([[5, 4, 1]], [[1, 4, 2]], measures)[0]
    np.testing.assert_allclose(found, [1, 2 / 5, 1 / 2, 1, 1])


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("nDCG@10", "nDCG@10"),
        (" P @ 5 ", "P@5"),
        ("nDCG( truncate_ideal = False )@3", "nDCG(truncate_ideal=False)@3"),
        ("RR", "RR"),
    ],
)
def test_measures_are_read_and_written(text, written):
    assert str(Measure.parse(text)) == written


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nDGC@10", "unknown metric 'nDGC'; did you mean 'nDCG'"),
        ("nDCG@0", "must be at least 1"),
        ("nDCG@ten", "expected a form like nDCG@10"),
        ("nDCG(truncate_ideal)@10", "expected a form like name=value"),
        ("nDCG(truncate=False)@10", "unknown parameter of nDCG 'truncate'; did you mean 'trunc"),
        ("P", "needs a cut-off"),
        ("infAP(unjudged='ignored')@5", "Known: pooled, unpooled"),
    ],
)
def test_mistakes_in_measures_are_explained(text, message):
    with pytest.raises(AssayerError, match=message):
        values([[5]], [[1]], [text])


def test_unknown_profile_is_explained():
    with pytest.raises(AssayerError, match="did you mean 'paper'"):
        values([[5]], [[1]], ["P@5"], profile="papers")
