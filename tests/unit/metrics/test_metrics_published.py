"""The numbers and the properties that the sources of the metrics publish."""

import itertools

import numpy as np
import pytest
from metric_cases import User, value, values

from rankassay.metrics.aggregate import aggregate

NAN = np.nan
LN = np.log


def with_labels(labels, predictions):
    """Return a user as the blog post of 2017 writes them down."""
    missed = [1] * len(set(labels) - set(predictions))
    return User([1 if item in labels else None for item in predictions], missed)


BLOG_USERS = [
    with_labels([1, 2, 3, 4, 5, 6], [1, 6, 8]),
    with_labels([2, 4, 6], [1, 2, 3, 4, 5]),
    with_labels([2, 4, 6], []),
    with_labels([], [1, 2, 3, 4]),
    with_labels([], []),
]

# The values of users #1 to #3, their mean, and the mean as printed. Users #4 and #5 are undefined.
# The table of Recall follows the sum over gamma_i: the TN in the formula above it should be FN. In
# the formulas of DCG and IDCG the index i of the user stands where the place j is meant.
BLOG_TABLES = [
    ("P@1", [1, 0, 0], 1 / 3, 0.333),
    ("P@3", [2 / 3, 1 / 3, 0], 1 / 3, 0.333),
    ("P@5", [2 / 5, 2 / 5, 0], 4 / 15, 0.267),
    ("R@1", [1 / 6, 0, 0], 1 / 18, 0.056),
    ("R@3", [1 / 3, 1 / 3, 0], 2 / 9, 0.222),
    ("R@5", [1 / 3, 2 / 3, 0], 1 / 3, 0.333),
    ("F1@1", [2 / 7, 0, 0], 2 / 21, 0.095),
    ("F1@3", [4 / 9, 1 / 3, 0], 7 / 27, 0.259),
    ("F1@5", [4 / 11, 1 / 2, 0], 19 / 66, 0.288),
    ("AP@1", [1, 0, 0], 1 / 3, 0.333),
    ("AP@3", [1, 1 / 2, 0], 1 / 2, 0.500),
    ("AP@5", [1, 1 / 2, 0], 1 / 2, 0.500),
    ("RR@1", [1, 0, 0], 1 / 3, 0.333),
    # (1 + 1/2 + 0) / 3 is 1/2; the blog prints 1/3 = 0.333 for MRR@3 and MRR@5.
    ("RR@3", [1, 1 / 2, 0], 1 / 2, None),
    ("RR@5", [1, 1 / 2, 0], 1 / 2, None),
    ("DCG@1", [1 / LN(2), 0, 0], None, None),
    ("DCG@3", [1 / LN(2) + 1 / LN(3), 1 / LN(3), 0], None, None),
    ("DCG@5", [1 / LN(2) + 1 / LN(3), 1 / LN(3) + 1 / LN(5), 0], None, None),
    ("nDCG@1", [1, 0, 0], 1 / 3, 0.333),
    ("nDCG@3", [1, LN(2) / LN(3), 0], (1 + LN(2) / LN(3)) / 3, 0.544),
    (
        "nDCG@5",
        [1, (1 / LN(3) + 1 / LN(5)) / (1 / LN(2) + 1 / LN(3)), 0],
        (1 + (1 / LN(3) + 1 / LN(5)) / (1 / LN(2) + 1 / LN(3))) / 3,
        0.550,
    ),
]


@pytest.mark.parametrize(("measure", "of_users", "mean", "printed"), BLOG_TABLES)
def test_the_tables_of_the_blog_post(measure, of_users, mean, printed):
    found = values(BLOG_USERS, [measure], "blog", threshold=1)
    np.testing.assert_allclose(found[:, 0], [*of_users, NAN, NAN], rtol=1e-14)
    if mean is not None:
        assert aggregate(found)[0] == pytest.approx(mean, rel=1e-14)
    if printed is not None:
        assert aggregate(found)[0] == pytest.approx(printed, abs=0.0005)


@pytest.mark.parametrize(("k", "printed"), [(3, 0.631), (5, 0.651)])
def test_the_printed_ndcg_of_the_blog_posts_second_user(k, printed):
    found = value(BLOG_USERS[1], f"nDCG@{k}", "blog", threshold=1)
    assert found == pytest.approx(printed, abs=0.0005)


@pytest.mark.parametrize(
    ("k", "of_users"),
    [
        (1, [1 / LN(2), 0]),
        (3, [1 / LN(2) + 1 / LN(3), 1 / LN(2)]),
        (5, [1 / LN(2) + 1 / LN(3), 1 / LN(2) + 1 / LN(3)]),
    ],
)
def test_the_ideal_dcg_of_the_blog_post_is_that_of_the_retrieved_items(k, of_users):
    dcg, ndcg = values(BLOG_USERS[:2], [f"DCG@{k}", f"nDCG@{k}"], "blog", threshold=1).T
    np.testing.assert_allclose(dcg, of_users * ndcg, rtol=1e-14)


def test_the_three_denominators_of_average_precision_in_the_blog_post():
    """Section 4.3: the relevant items recommended, all that are recommended, all relevant ones."""
    sums = np.array([2, 1, 0])
    for denominator, divisors in [
        ("hits", [2, 2, 1]),
        ("listed", [3, 5, 1]),
        ("relevant", [6, 3, 3]),
    ]:
        measure = f"AP(denominator='{denominator}')@5"
        found = values(BLOG_USERS[:3], [measure], "blog", threshold=1)[:, 0]
        np.testing.assert_allclose(found, sums / divisors, rtol=1e-14)


def ranked_at(rank, n):
    """Return a user with one relevant item, at a rank among n items."""
    return User([None] * (rank - 1) + [1] + [None] * (n - rank), (), 0)


@pytest.mark.parametrize(
    ("ranks", "printed"),
    [
        ([100, 100, 100, 100, 100], [0.990, 0.010, 0.150, 0.000]),
        ([40, 40, 8437, 9266, 4482], [0.555, 0.010, 0.122, 0.000]),
        ([212, 2, 743, 5342, 1548], [0.843, 0.101, 0.208, 0.200]),
    ],
)
def test_the_example_of_rendle(ranks, printed):
    users = [ranked_at(rank, 10_000) for rank in ranks]
    means = aggregate(values(users, ["AUC", "AP", "nDCG", "R@10"], "rendle", threshold=1))
    np.testing.assert_array_equal(np.round(means, 3), printed)


@pytest.mark.parametrize("rank", [1, 2, 3, 10, 29, 30])
def test_rendles_metrics_of_one_relevant_item(rank):
    """Equations (9) to (15), n = 30."""
    measures = ["AUC", *(f"{metric}@{k}" for metric in ("P", "R", "AP", "nDCG") for k in (2, 10))]
    found = values([ranked_at(rank, 30)], [*measures, "AP", "nDCG"], "rendle", threshold=1)[0]
    in_2, in_10 = rank <= 2, rank <= 10
    reciprocal, discounted = 1 / rank, 1 / np.log2(rank + 1)
    expected = [
        (30 - rank) / 29,
        in_2 / 2,
        in_10 / 10,
        in_2,
        in_10,
        in_2 * reciprocal,
        in_10 * reciprocal,
        in_2 * discounted,
        in_10 * discounted,
        reciprocal,
        discounted,
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-14)


@pytest.mark.parametrize("seed", range(20))
def test_rendles_auc_by_each_of_its_equations(seed):
    """Equations (2), (3) and (4) for several relevant items."""
    rng = np.random.default_rng(seed)
    n, n_relevant = 25, rng.integers(1, 25)
    ranks = np.sort(rng.choice(np.arange(1, n + 1), size=n_relevant, replace=False))
    others = np.setdiff1d(np.arange(1, n + 1), ranks)
    pairs = n_relevant * (n - n_relevant)
    by_2 = sum(r < s for r in ranks for s in others) / pairs
    by_3 = (np.sum(n - ranks) - n_relevant * (n_relevant - 1) / 2) / pairs
    by_4 = (n - (n_relevant - 1) / 2 - ranks.mean()) / (n - n_relevant)
    user = User([5 if k in ranks else None for k in range(1, n + 1)], (), 0)
    np.testing.assert_allclose([by_2, by_3, by_4], value(user, "AUC", "rendle"), rtol=1e-12)


# Schröder, Thiele and Lehner, section 5.2. A ranking is a string: "r" relevant, "i" irrelevant.


def all_rankings(n, n_relevant):
    """Return all rankings of n items."""
    chosen = itertools.combinations(range(n), n_relevant)
    return ["".join("r" if k in places else "i" for k in range(n)) for places in chosen]


def listed(ranking, k):
    """Return the user who sees the first k items of a ranking."""
    rest = ranking[k:]
    places = [5 if item == "r" else None for item in ranking[:k]]
    return User(places, [5] * rest.count("r"), rest.count("i"))


def limited(rankings, k):
    return values([listed(ranking, k) for ranking in rankings], [f"LAUC@{k}"])[:, 0]


N_ITEMS = 7
SHAPES = [(n_relevant, k) for n_relevant in range(1, N_ITEMS) for k in range(1, N_ITEMS + 1)]
shapes = pytest.mark.parametrize(("n_relevant", "k"), SHAPES)


@shapes
def test_lauc_is_one_when_all_relevant_items_come_first_and_only_then(n_relevant, k):
    """The first property is "one if all relevant items are retrieved within the top-k list".

    That contradicts those on order: with "ir" in a list of two places the relevant item is
    retrieved, and moving it up still increases the measure. One is reached exactly when the
    relevant items are retrieved first and fit within the list, as the wishes above it say.
    """
    rankings = all_rankings(N_ITEMS, n_relevant)
    for ranking, found in zip(rankings, limited(rankings, k), strict=True):
        assert (found == 1) == (ranking.startswith("r" * n_relevant) and n_relevant <= k)


def test_lauc_with_all_relevant_items_in_the_list_is_below_one_out_of_order():
    assert limited(["irii"], 2)[0] == pytest.approx(2 / 3)


def test_lauc_of_a_list_of_relevant_items_only_is_below_one_when_some_are_left():
    """One of the wishes, "nevertheless the normalized measure should still return one", is not met.

    The straight line to (1, 1) takes the relevant items left to come at random among the others:
    two of four in the list reach half the recall, from where the line rises.
    """
    assert limited(["rrrriiii"], 2)[0] == pytest.approx((2 + 4) / (2 * 4))
    assert limited(["rrrriiii"], 4)[0] == 1


@shapes
def test_lauc_is_minimal_exactly_when_no_relevant_item_is_in_the_list(n_relevant, k):
    rankings = all_rankings(N_ITEMS, n_relevant)
    found = limited(rankings, k)
    n_hits = np.array([ranking[:k].count("r") for ranking in rankings])
    n_irrelevant = N_ITEMS - n_relevant
    if k <= n_irrelevant:
        np.testing.assert_array_equal(found == found.min(), n_hits == 0)
        assert found.min() == pytest.approx((n_irrelevant - k) / (2 * n_irrelevant))
    else:
        # "If all irrelevant items are retrieved first and fit, the measure returns zero."
        worst = [ranking.startswith("i" * n_irrelevant) for ranking in rankings]
        np.testing.assert_array_equal(found == 0, worst)


@pytest.mark.parametrize("n_relevant", range(1, N_ITEMS))
@pytest.mark.parametrize("k", [1, 2, 3])
def test_lauc_is_higher_for_a_list_with_more_relevant_items(n_relevant, k):
    rankings = all_rankings(N_ITEMS, n_relevant)
    found = limited(rankings, k)
    n_hits = np.array([ranking[:k].count("r") for ranking in rankings])
    for few, many in itertools.combinations(sorted(set(n_hits)), 2):
        assert found[n_hits == few].max() < found[n_hits == many].min()


def test_lauc_may_be_lower_for_more_relevant_items_when_the_list_is_almost_complete():
    """The exception that the third property names."""
    two, three = limited(["rriiiiir", "iiiirrri"], 7)
    assert two > three


@shapes
def test_lauc_increases_when_a_relevant_item_moves_up(n_relevant, k):
    """By the same amount wherever it happens: "a swap at the top or bottom has the same effect"."""
    rankings = all_rankings(N_ITEMS, n_relevant)
    found = dict(zip(rankings, limited(rankings, k), strict=True))
    one_pair = 1 / (n_relevant * (N_ITEMS - n_relevant))
    for ranking in rankings:
        for place in range(k - 1):
            if ranking[place : place + 2] == "ir":
                swapped = f"{ranking[:place]}ri{ranking[place + 2 :]}"
                assert found[swapped] - found[ranking] == pytest.approx(one_pair)


@shapes
def test_lauc_ignores_all_changes_beyond_the_end_of_the_list(n_relevant, k):
    rankings = all_rankings(N_ITEMS, n_relevant)
    of_list = {}
    for ranking, found in zip(rankings, limited(rankings, k), strict=True):
        assert of_list.setdefault(ranking[:k], found) == found


CONFUSIONS = [(k, n_relevant) for k in range(1, N_ITEMS) for n_relevant in range(1, N_ITEMS)]


@pytest.mark.parametrize(("k", "n_relevant"), CONFUSIONS)
def test_markedness_informedness_and_correlation(k, n_relevant):
    """Section 5.1: in [-1, 1], 0 by chance, and the correlation is their geometric mean."""
    users = [listed(ranking, k) for ranking in all_rankings(N_ITEMS, n_relevant)]
    found = values(users, [f"{name}@{k}" for name in ("Markedness", "Informedness", "MCC")])
    assert (np.abs(found) <= 1).all()
    np.testing.assert_allclose(found.mean(axis=0), 0, atol=1e-14)
    markedness, informedness, correlation = found.T
    np.testing.assert_allclose(markedness * informedness, correlation**2, atol=1e-14)
    np.testing.assert_array_equal(np.sign(markedness), np.sign(correlation))
    np.testing.assert_array_equal(np.sign(informedness), np.sign(correlation))


def test_the_measures_of_section_5_1_are_zero_when_listed_and_relevant_are_independent():
    """Two of four listed, and as many of the relevant as of the irrelevant ones."""
    user = User([5, None], [5], 1)
    measures = ["Markedness@2", "Informedness@2", "MCC@2", "KendallTau@2"]
    np.testing.assert_array_equal(values([user], measures)[0], 0)


@pytest.mark.parametrize("n_relevant", range(1, 10))
def test_perfect_and_inverse_recommenders_for_varying_ratios_of_relevant_items(n_relevant):
    """Figure 3: lists of four out of ten. Chance-corrected measures always distinguish the two."""
    perfect = "r" * n_relevant + "i" * (10 - n_relevant)
    users = [listed(perfect, 4), listed(perfect[::-1], 4)]
    measures = ["P@4", "R@4", "F1@4", "Markedness@4", "Informedness@4", "MCC@4"]
    best, worst = values(users, measures)
    hits = min(4, n_relevant)
    assert best[0] == hits / 4
    assert best[1] == hits / n_relevant
    assert worst[0] == max(0, n_relevant - 6) / 4
    assert (best[3:] > 0).all()
    assert (worst[3:] < 0).all()
    assert (best[3:] == 1).all() == (n_relevant == 4)
    assert (worst[3:] == -1).all() == (n_relevant == 6)


def test_a_highly_skewed_ratio_misleads_precision_but_not_informedness():
    """Nine of ten items relevant: the inverse of a perfect recommender has a precision of 3/4."""
    worst = listed("irrrrrrrrr", 4)
    assert value(worst, "P@4") == 3 / 4
    assert value(worst, "Informedness@4") == pytest.approx(3 / 9 + 0 - 1)
    assert value(worst, "Markedness@4") == pytest.approx(3 / 4 + 0 - 1)
    assert value(worst, "MCC@4") == pytest.approx(-np.sqrt(2 / 3 * 1 / 4))


def test_auc_is_equally_affected_by_swaps_at_the_top_and_the_bottom():
    rankings = ["irriiir", "ririiir", "irriiri"]
    before, top, bottom = (value(listed(ranking, 7), "AUC") for ranking in rankings)
    assert top - before == pytest.approx(1 / 12)
    assert bottom - before == pytest.approx(1 / 12)


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("mean", (1 + 1 / 2 + 1 / 4) / 3),
        ("geometric", (1 * 1 / 2 * 1 / 4) ** (1 / 3)),
        ("harmonic", 3 / (1 + 2 + 4)),
        ("quadratic", np.sqrt((1 + 1 / 4 + 1 / 16) / 3)),
    ],
)
def test_the_means_of_average_precision_that_section_4_2_names(how, expected):
    users = [ranked_at(1, 4), ranked_at(2, 4), ranked_at(4, 4)]
    assert aggregate(values(users, ["AP"], threshold=1), how)[0] == pytest.approx(
        expected, rel=1e-14
    )
