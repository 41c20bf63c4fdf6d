"""Sensitivity to selection, against brute force over weights, scipy, and closed forms."""

import itertools

import numpy as np
import pandas as pd
import pytest
import scipy.optimize
import scipy.stats

from rankassay import kernels
from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics import sensitivity, sensitivity_pairs
from rankassay.statistics.sensitivity import GAMMAS, least_gamma, pairs, winners
from rankassay.statistics.sensitivity_pairs import (
    FINEST,
    largest_p_values,
    most_spread,
    of_pairs,
    popularity_exponents,
)

N_USERS, N_ITEMS, DEPTH = 9, 7, 5
MEASURES = ["P@1", "P@3", "R@3", "DCG@3", "DCG(gain='binary')@5", "nDCG@3", "CP@3", "AP@3", "RR"]
EVALUATION = {"measures": MEASURES, "profile": "paper", "without_relevant": None}


CDCG = "IPS(centred=True, gain='DCG', power=0.5)@20"


def world(seed, n_systems=4):
    """Return ratings (n_users, n_items), 0 for none, and ranks (n_systems, n_users, n_items)."""
    rng = np.random.default_rng(seed)
    ratings = rng.integers(1, 6, (N_USERS, N_ITEMS)) * (rng.random((N_USERS, N_ITEMS)) < 0.6)
    ratings[:, 0] = np.maximum(ratings[:, 0], 1)  # every user has a test rating
    order = rng.permuted(np.tile(np.arange(N_ITEMS), (n_systems, N_USERS, 1)), axis=2)
    return ratings, np.argsort(order, axis=2) + 1


def given(ratings, ranks, threshold=4.0, propensity=None):
    """Return the judgements, their items and the judged systems."""
    user, item = np.nonzero(ratings)
    start = np.searchsorted(user, np.arange(len(ratings) + 1)).astype(np.int64)
    users = np.arange(len(ratings), dtype=np.int32)
    of = None if propensity is None else propensity[user, item]
    rating = ratings[user, item].astype(float)
    judgements = Judgements(users, start, rating, threshold, propensity=of)
    length = np.full(len(ratings), N_ITEMS, dtype=np.int32)
    lists = [Lists(own[user, item].astype(np.int32), length) for own in ranks]
    systems = {f"s{s}": judge(judgements, own, DEPTH) for s, own in enumerate(lists)}
    return judgements, item, systems, lists


def test_sums_over_users_are_those_of_a_loop():
    """Gains are whole numbers, of which some are negative, as those of centred measures."""
    rng = np.random.default_rng(4)
    n_systems, n_users, n_items = 3, 8, 5
    gain = rng.integers(-1, 3, (n_systems, n_users, n_items)).astype(float)
    first, second = np.triu_indices(n_systems, k=1)
    gammas = np.array([1.0, 1.2])
    found, spread = of_pairs(
        np.arange(n_systems * n_users).reshape(n_systems, n_users) * n_items,
        np.full((n_systems, n_users), n_items),
        np.tile(np.arange(n_users * n_items), n_systems),
        np.arange(n_users + 1) * n_items,
        gain.ravel(),
        first,
        second,
        gammas,
    )
    for p, (a, b) in enumerate(itertools.combinations(range(n_systems), 2)):
        d = gain[a] - gain[b]
        x, y = np.maximum(d, 0), np.maximum(-d, 0)
        assert found[:, p].tolist() == [(d > 0).sum(), (d < 0).sum(), x.sum(), y.sum()]
        own = most_spread(x.sum(axis=1), y.sum(axis=1), gammas)
        np.testing.assert_array_equal(spread[:, p], own)


def gains(ratings, ranks, measure):
    """Return what each user-item pair adds to a measure by its equation, (users, items)."""
    name, cutoff = measure.split("@")
    shown, liked = ranks <= int(cutoff), ratings >= 4
    if name in ("P", "AP"):
        return shown * liked / int(cutoff)
    if name == "R":
        return shown * liked / np.maximum(liked.sum(axis=1, keepdims=True), 1)
    if name == "CP":
        rated = ratings > 0
        share = liked.sum(axis=1, keepdims=True) / rated.sum(axis=1, keepdims=True)
        return shown * rated * (liked - share) / int(cutoff)
    gain = liked * 1.0 if "binary" in name else ratings * 1.0
    discounted = shown * gain / np.log2(ranks + 1)
    if name == "nDCG":
        best = -np.sort(-ratings, axis=1)[:, : int(cutoff)]
        ideal = (best / np.log2(np.arange(2, best.shape[1] + 2))).sum(axis=1, keepdims=True)
        return discounted / ideal
    return discounted


@pytest.fixture(scope="module")
def case():
    ratings, ranks = world(3)
    number = np.array([9, 3, 3, 0, 1, 20, 5])
    return ratings, ranks, number


@pytest.fixture(scope="module")
def table(case):
    ratings, ranks, number = case
    judgements, item, systems, _ = given(ratings, ranks)
    return pairs(judgements, item, systems, EVALUATION, number)


def differences(case, row):
    """Return d_ui of a row's pair, (users, items)."""
    ratings, ranks, _ = case
    a, b = (int(row[name][1:]) for name in ("leader", "other"))
    first, second = (gains(ratings, ranks[s], row["measure"]) for s in (a, b))
    return first - second


def linear_rows(table):
    return [row for _, row in table[table["metric"] != "RR"].iterrows()]


def test_rows_are_what_the_equations_give(case, table):
    assert len(table) == len(MEASURES) * 6
    for row in linear_rows(table):
        d = differences(case, row)
        d[np.abs(d) < 1e-12] = 0
        plus, minus = np.maximum(d, 0).sum(), np.maximum(-d, 0).sum()
        by_item = d.sum(axis=0)
        assert row["difference"] == pytest.approx(d.sum() / N_USERS, abs=1e-12)
        assert row["difference"] >= 0
        assert (row["hits_leader"], row["hits_other"]) == ((d > 0).sum(), (d < 0).sum())
        expected = np.sqrt(plus / minus) if minus else np.inf if plus else np.nan
        assert row["gamma"] == pytest.approx(expected, rel=1e-9, nan_ok=True)
        rise, fall = np.maximum(by_item, 0).sum(), np.maximum(-by_item, 0).sum()
        if fall > 1e-9:
            assert row["gamma_item"] == pytest.approx(np.sqrt(rise / fall), rel=1e-9)
        assert not row["gamma_item"] < row["gamma"]


def test_differences_are_those_of_the_metrics(case, table):
    ratings, ranks, _ = case
    judgements, _, _, lists = given(ratings, ranks)
    own = MEASURES[:7]
    means = evaluate(judgements, lists, own, depth=DEPTH).mean(axis=0)
    for m, measure in enumerate(own):
        rows = table[table["measure"] == measure].drop_duplicates(["leader", "other"])
        assert len(rows) == 6
        for row in rows.itertuples():
            a, b = (int(name[1:]) for name in (row.leader, row.other))
            assert row.difference == pytest.approx(means[a, m] - means[b, m], abs=1e-12)


def least_sum(d, gamma):
    """Return the least weighted sum by linear programming, of weights within [1/gamma, gamma]."""
    return scipy.optimize.linprog(d, bounds=[(1 / gamma, gamma)] * len(d)).fun


@pytest.mark.parametrize("form", ["gamma", "gamma_item"])
def test_no_weights_within_gamma_reverse_a_pair_and_some_beyond_do(case, table, form):
    tried = 0
    for row in linear_rows(table)[::3]:
        d = differences(case, row)
        d = d.sum(axis=0) if form == "gamma_item" else d.ravel()
        d, gamma = d[np.abs(d) > 1e-12], row[form]
        if len(d) and np.isfinite(gamma) and gamma > 1.001:
            tried += 1
            assert least_sum(d, gamma * 0.999) > 0
            assert least_sum(d, gamma) == pytest.approx(0, abs=1e-9)
            assert least_sum(d, gamma * 1.001) < 0
    assert tried > 3


def test_extreme_weights_are_the_worst_ones():
    d, gamma = np.array([0.5, 1.0, 0.2, -0.3, -0.4, 0.1]), 1.7
    worst = min(w @ d for w in itertools.product([1 / gamma, 1.0, gamma], repeat=6))
    plus, minus = d[d > 0].sum(), -d[d < 0].sum()
    assert plus / gamma - gamma * minus == pytest.approx(worst)
    at = least_gamma(np.array([plus]), np.array([minus]))[0]
    assert plus / at - at * minus == pytest.approx(0)


def test_infinite_tied_and_undefined():
    found = least_gamma(np.array([3.0, 2.0, 0.0, 4.0]), np.array([0.0, 2.0, 0.0, 1.0]))
    assert found.tolist()[:2] == [np.inf, 1.0]
    assert np.isnan(found[2])
    assert found[3] == 2


def test_shared_hits_cancel_in_precision_and_leave_gains_in_dcg():
    ratings = np.zeros((2, N_ITEMS), dtype=int)
    ratings[:, :2] = 5
    first = np.tile(np.arange(1, N_ITEMS + 1), (2, 1))
    second = first.copy()
    second[0, [0, 1]] = [2, 1]  # the same hits, the other way round
    second[1, [1, 6]] = [7, 2]  # one of two hits
    judgements, item, systems, _ = given(ratings, np.array([first, second]))
    evaluation = EVALUATION | {"measures": ["P@2", "DCG(gain='binary')@2"]}
    precision, dcg = pairs(judgements, item, systems, evaluation).to_dict("records")
    assert (precision["hits_leader"], precision["hits_other"]) == (1, 0)
    assert precision["gamma"] == np.inf
    lost = 1 - 1 / np.log2(3)
    expected = np.sqrt((lost + 1 / np.log2(3)) / lost)
    assert dcg["gamma"] == pytest.approx(expected)
    assert (dcg["hits_leader"], dcg["hits_other"]) == (2, 1)
    assert np.isnan(precision["exponent"])  # popularity is not given


def test_ties_are_ties_whatever_the_order_of_sums():
    # Three users with one hit each, at places 1, 2, 3 and 3, 1, 2.
    ratings = np.eye(3, N_ITEMS, dtype=int) * 5
    first = np.full((3, N_ITEMS), 6)
    second = first.copy()
    np.fill_diagonal(first, [1, 2, 3])
    np.fill_diagonal(second, [3, 1, 2])
    judgements, item, systems, _ = given(ratings, np.array([first, second]))
    evaluation = EVALUATION | {"measures": ["DCG@5", "P@5", "nDCG@5"]}
    found = pairs(judgements, item, systems, evaluation, np.arange(N_ITEMS))
    for own in found.to_dict("records"):
        if own["hits_leader"]:
            assert (own["gamma"], own["exponent"], own["difference"]) == (1, 0, 0)
            assert own["p_value"] == 1
            assert own["stands_to"] == 0
        else:
            assert np.isnan([own["gamma"], own["exponent"]]).all()


def test_ties_are_ties_although_thirds_do_not_add_up():
    # Three items are all that one user likes, and a third of what each of others likes.
    ratings = np.zeros((12, N_ITEMS), dtype=int)
    ratings[:3, 0] = ratings[3:, :3] = 5
    alone, thirds = np.full((2, 12, N_ITEMS), 6)
    alone[:3, 0] = thirds[3:, 0] = 1
    judgements, item, systems, _ = given(ratings, np.array([alone, thirds]))
    found = pairs(judgements, item, systems, EVALUATION | {"measures": ["R@5"]}, np.arange(N_ITEMS))
    [row] = found.to_dict("records")
    assert (row["leader"], row["gamma"], row["exponent"], row["difference"]) == ("s0", 1, 0, 0)
    assert np.isnan(row["gamma_item"])  # both gain the same by the item


def test_winners_with_the_hits_of_another_are_said_to_be_tied(case):
    ratings, ranks, _ = case
    judgements, item, systems, _ = given(ratings, ranks)
    evaluation = EVALUATION | {"measures": ["P@3"]}
    [before] = winners(pairs(judgements, item, systems, evaluation)).to_dict("records")
    assert before["same"] == 0
    systems = {"twin": systems[before["leader"]]} | systems
    [row] = winners(pairs(judgements, item, systems, evaluation)).to_dict("records")
    assert (row["leader"], row["same"]) == ("twin", 1)
    assert (row["gamma"], row["rival"]) == (before["gamma"], before["rival"])


def test_users_without_hits_change_no_gamma_and_stay_in_n(case):
    ratings, ranks, number = case
    more = np.vstack([ratings, np.ones_like(ratings)])  # nine who like nothing
    judgements, item, systems, _ = given(more, np.concatenate([ranks, ranks], axis=1))
    evaluation = EVALUATION | {"measures": ["P@3"]}
    found = pairs(judgements, item, systems, evaluation, number)
    judgements, item, systems, _ = given(ratings, ranks)
    alone = pairs(judgements, item, systems, evaluation, number)
    same = ["leader", "other", "gamma", "gamma_item", "exponent", "hits_leader"]
    pd.testing.assert_frame_equal(found[same], alone[same])
    assert found["difference"].to_numpy() == pytest.approx(alone["difference"] / 2)
    # Where users without relevant items are undefined, they are not in n.
    evaluation |= {"without_relevant": "nan"}
    judgements, item, systems, _ = given(more, np.concatenate([ranks, ranks], axis=1))
    left = pairs(judgements, item, systems, evaluation, number)
    users = (ratings >= 4).any(axis=1).sum()
    assert left["difference"].to_numpy() == pytest.approx(alone["difference"] * N_USERS / users)


def ends(d, gamma):
    """Return the least and the greatest s_u of a pair, by the definition."""
    plus, minus = np.maximum(d, 0).sum(axis=1), np.maximum(-d, 0).sum(axis=1)
    return plus / gamma - gamma * minus, gamma * plus - minus / gamma


def vertices(low, high):
    """Return all sums that have each user at an end, (2^n, n_users)."""
    at = (np.arange(2 ** len(low))[:, None] >> np.arange(len(low))) & 1
    return np.where(at, high, low)


def p_of(s):
    """Return scipy's p-value of each row of users' sums, 1 where the leader does not lead."""
    mean = s.mean(axis=1)
    p = np.ones(len(s))
    led = mean > 1e-12 * np.abs(s).max(axis=1)
    p[led] = scipy.stats.ttest_1samp(s[led], 0, axis=1).pvalue
    return p


def largest_by_brute_force(d, gamma):
    return p_of(vertices(*ends(d, gamma))).max()


def test_significance_is_students_paired_test_under_the_worst_weights(case, table):
    for row in linear_rows(table):
        d = differences(case, row)
        if not row["hits_leader"]:
            continue
        assert row["p_value"] == pytest.approx(p_of(d.sum(axis=1)[None])[0], rel=1e-6)
        default = sensitivity.DEFAULT_GAMMA
        assert row["p_default"] == pytest.approx(largest_by_brute_force(d, default), rel=1e-6)


def made_up(rng):
    """Return d_ui of some users who differ: by one hit each, by hits, or by any gains."""
    n_users, n_items = rng.integers(2, 13), rng.integers(1, 6)
    kind = rng.integers(3)
    if kind == 0:
        return rng.choice([-1.0, 1, 1, 0], (n_users, 1), p=[0.1, 0.4, 0.3, 0.2])
    if kind == 1:
        return rng.choice([-1.0, 0, 1, 1], (n_users, n_items))
    return rng.gamma(0.5, 1, (n_users, n_items)) * rng.choice([-0.3, 0, 1, 1], (n_users, n_items))


def both_sides(d):
    return np.maximum(d, 0).sum(axis=1), np.maximum(-d, 0).sum(axis=1)


@pytest.mark.filterwarnings("ignore:Precision loss")
def test_p_at_gamma_is_the_largest_over_all_allowed_weights():
    rng, between, worse = np.random.default_rng(68), 0, 0
    for _ in range(400):
        d, gamma = made_up(rng), rng.choice([1.0, 1.05, 1.2, 1.5, 2.0, 4.0])
        plus, minus = both_sides(d)
        [[found]] = largest_p_values(plus[None], minus[None], [gamma])
        expected = largest_by_brute_force(d, gamma)
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-12)
        between += 1e-9 < expected < 1
        at_least_mean = p_of(ends(d, gamma)[0][None])[0]
        worse += at_least_mean < 0.05 <= expected
        # Weights of items by user, drawn at random, and those of an item for all users.
        free = gamma ** rng.uniform(-1, 1, (50, *d.shape))
        weights = np.concatenate([free, free[:, :1] + np.zeros_like(free)])
        assert p_of((weights * d).sum(axis=2)).max() <= found * (1 + 1e-9) + 1e-12
    assert between > 80
    assert worse > 5  # the weights with the least mean are not the worst ones


def test_the_worst_weights_are_not_always_a_threshold():
    """Users in order of l_u + h_u: as in a knapsack, the first ones need not be the best choice."""
    rng, skipped = np.random.default_rng(6), 0
    for _ in range(100):
        plus, minus = rng.integers(0, 6, 10) * 1.0, rng.integers(0, 3, 10) * 1.0
        [[found]] = largest_p_values(plus[None], minus[None], [1.2])
        low, high = plus / 1.2 - 1.2 * minus, 1.2 * plus - minus / 1.2
        order = np.argsort(-(low + high), kind="stable")
        swept = np.where(np.tri(11, 10, -1, dtype=bool), high[order], low[order])
        skipped += p_of(swept).max() < found * (1 - 1e-6)
    assert skipped > 3


def test_a_rival_without_a_hit_alone_makes_p_depend_on_gamma():
    plus = np.array([[1.0, 1, 1, 2, 0, 0, 1, 3, 0, 1]])
    found = largest_p_values(plus, np.zeros_like(plus), [1.0, 1.5, 2.0, 4.0])[:, 0]
    assert (np.diff(found) > 0).all()
    assert found[0] < 0.05 < found[-1] < 1


def test_equal_users_are_interchangeable_and_p_is_that_of_their_numbers():
    """Of n users, m differ by one hit alike: all that counts is how many are at the upper end."""
    n, m, gamma = 6_040, 400, 2.0
    plus = np.zeros((1, n))
    plus[0, :m] = 1
    [[found]] = largest_p_values(plus, np.zeros((1, n)), [gamma])
    high = np.arange(m + 1)
    s, q = high * gamma + (m - high) / gamma, high * gamma**2 + (m - high) / gamma**2
    t = s / np.sqrt((q - s**2 / n) * n / (n - 1))
    assert found == pytest.approx(2 * scipy.stats.t.sf(t.min(), n - 1))


def test_where_the_search_is_too_long_p_is_a_bound(monkeypatch):
    """All l_u + h_u are equal: which users move is a question of which sizes add up best."""
    monkeypatch.setattr(kernels._interpreting, "now", True, raising=False)
    rng, above = np.random.default_rng(3), 0
    for _ in range(8):
        less = 3 * rng.gamma(1, 1, 8)
        plus, minus = np.append(less + 2, np.ones(60)), np.append(less, np.zeros(60))
        [exact] = most_spread(plus, minus, np.array([1.5]))
        with monkeypatch.context() as patch:
            patch.setattr(sensitivity_pairs, "CASES", 3)
            [bound] = most_spread(plus, minus, np.array([1.5]))
        assert bound >= exact * (1 - 1e-12)
        assert bound == pytest.approx(exact, rel=1e-3)
        above += bound > exact * (1 + 1e-9)
    assert above > 2


@pytest.mark.parametrize("gamma", [1.0, 1.15, 1.3])
def test_significance_is_near_that_of_random_signs(gamma):
    d = np.random.default_rng(1).normal(0.5, 1, (12, 4))
    every = vertices(*ends(d, gamma))
    p = p_of(every)
    s = every[p.argmax()]
    signs = vertices(-np.ones(12), np.ones(12))
    by_signs = (np.abs(signs @ s) >= abs(s.sum()) - 1e-9).mean()
    plus, minus = both_sides(d)
    [[found]] = largest_p_values(plus[None], minus[None], [gamma])
    assert 0.001 < by_signs < 0.9
    assert found == pytest.approx(by_signs, abs=0.02)


def test_stands_to_is_the_last_gamma_at_which_all_weights_are_significant(case, table):
    levels, seen = [1.0, *GAMMAS], set()
    ratings, ranks, number = case
    judgements, item, systems, _ = given(np.tile(ratings, (6, 1)), np.tile(ranks, (1, 6, 1)))
    more = pairs(judgements, item, systems, EVALUATION, number)
    for row in linear_rows(more):
        d = np.tile(differences(case, row), (6, 1))
        plus, minus = both_sides(np.where(np.abs(d) < 1e-12, 0, d))
        p = largest_p_values(plus[None], minus[None], levels)[:, 0]
        assert (np.diff(p) >= -1e-12).all()  # more weights are allowed
        count = int(np.logical_and.accumulate(p < 0.05).sum())
        assert row["stands_to"] == [0.0, *levels][count]
        seen.add(row["stands_to"])
    assert len(seen) > 1


def test_pairs_that_are_asked_for_have_the_rows_of_all(case, table):
    ratings, ranks, number = case
    judgements, item, systems, _ = given(ratings, ranks)
    only = [("s2", "s0"), ("s1", "s3")]
    found = pairs(judgements, item, systems, EVALUATION, number, only=only)
    wanted = [{*sides} in ({"s0", "s2"}, {"s1", "s3"}) for sides in zip(*both(table), strict=True)]
    assert len(found) == 2 * len(MEASURES)
    pd.testing.assert_frame_equal(found, table[wanted].reset_index(drop=True))
    assert pairs(judgements, item, systems, EVALUATION, only=[]).empty
    with pytest.raises(KeyError, match="s9"):
        pairs(judgements, item, systems, EVALUATION, only=[("s0", "s9")])


def both(table):
    return table["leader"], table["other"]


def polynomial(*coefficients):
    """Return gains of two systems by items of n + 1 = 1, 2, 4, ..., whose f(a) is sum c_k 2^-ka."""
    coefficients = np.array(coefficients, dtype=float)
    both = np.stack([np.maximum(coefficients, 0), np.maximum(-coefficients, 0)], axis=1)
    return popularity_exponents(both, 2 ** np.arange(len(coefficients)) - 1)[0]


def at(x):
    return -np.log2(x)


@pytest.mark.parametrize(
    ("coefficients", "root"),
    [
        ((-1, 2), at(0.5)),  # 2x - 1
        ((3, -1), at(3.0)),  # 3 - x: popular items count more
        ((-1, 8), None),  # its root is at an exponent of 3
        ((-10, 39), at(10 / 39)),  # near the end
        ((-1, 4), 2.0),  # at the end, on which exp(2 log 2) may round to either side
        # (1000 x - 900) (1000 x - 901): two roots .0016 apart
        ((810_900, -1_801_000, 1_000_000), at(0.901)),
        # (10^5 x - 90000) (10^5 x - 90001): 1.6e-5 apart
        ((8_100_090_000, -18_000_100_000, 10_000_000_000), at(0.90001)),
        # the square of 10 x - 9, and that and 1: it touches, or does not
        ((81, -180, 100), at(0.9)),
        ((81_001, -180_000, 100_000), None),
        # 5 x - 1 - 2 x^2, and 7 x - 2 - 2 x^2: roots on both sides, of which one is nearer
        ((-1, 5, -2), at((5 + np.sqrt(17)) / 4)),
        ((-20, 50, -13), at((50 - np.sqrt(1460)) / 26)),
    ],
)
def test_the_exponent_is_the_nearest_root(coefficients, root):
    assert sum(coefficients) > 0
    found = polynomial(*coefficients)
    if root is None:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(root, abs=2e-6)


@pytest.mark.parametrize("unit", [1, 7, 10**3, 10**6, 10**9])
def test_a_root_at_the_end_is_found_in_any_unit_and_none_beyond_it(unit):
    """One gains at a popular item what the other gains at an unpopular one, times (n + 1)^2."""
    for n in (2, 6, 10, 36, 99, 240, 999):  # whose logarithms and powers are rounded
        by_item = unit * np.array([[0.0, 1.0], [(n + 1) ** 2, 0.0]])
        number = np.array([0, n])
        assert popularity_exponents(by_item, number).tolist() == [2.0]
        by_item[1] *= 1 + 1e-6
        assert np.isnan(popularity_exponents(by_item, number)).all()


def test_exponents_are_those_of_a_dense_grid():
    rng = np.random.default_rng(8)
    grid = np.linspace(0, 2, 20_001)
    n_roots = 0
    for _ in range(12):
        number = rng.integers(0, 60, 25)
        by_item = rng.integers(0, 4, (25, 3)).astype(float)
        by_item = by_item[:, np.argsort(-by_item.sum(axis=0), kind="stable")]
        found = popularity_exponents(by_item, number)
        for p, (a, b) in enumerate(itertools.combinations(range(3), 2)):
            d = by_item[:, a] - by_item[:, b]
            if d.sum() == 0:
                assert found[p] == 0
                continue
            nearest = []
            for side in (1, -1):
                f = (d * (number + 1.0) ** (-side * grid[:, None])).sum(axis=1)
                crossed = np.flatnonzero(f <= 0)
                nearest.append(grid[crossed[0]] if len(crossed) else np.inf)
            least = min(nearest)
            if np.isinf(least):
                assert np.isnan(found[p])
            else:
                n_roots += 1
                assert abs(found[p]) == pytest.approx(least, abs=1.1e-4)
                assert (found[p] > 0) == (nearest[0] <= nearest[1])
                f = (d * (number + 1.0) ** -found[p]).sum()
                assert abs(f) < 1e-6
    assert n_roots > 5
    assert FINEST >= 20


def test_the_table_has_the_exponents_of_training_ratings(case, table):
    _, _, number = case
    seen = 0
    for row in linear_rows(table):
        if np.isfinite(row["exponent"]) and row["exponent"]:
            d = differences(case, row).sum(axis=0)
            assert (d * (number + 1.0) ** -row["exponent"]).sum() == pytest.approx(0, abs=1e-6)
            seen += 1
    assert seen > 3


def test_measures_without_a_linear_form_show_precision(table):
    by = table.groupby(["metric", "cutoff"], sort=False, dropna=False)["measure"].first()
    assert by[("AP", 3)] == "P@3"
    assert by.iloc[-1] == f"P@{DEPTH}"  # RR of whole lists: at the depth of these
    columns = [*table.columns[3:]]
    a, b = (
        table[(table["metric"] == name) & (table["cutoff"] == 3)][columns].reset_index(drop=True)
        for name in ("P", "AP")
    )
    pd.testing.assert_frame_equal(a, b)


@pytest.mark.parametrize(
    ("measure", "profile", "expected"),
    [
        ("nDCG@5", "paper", "nDCG@5"),
        ("nDCG@5", "blog", "P@5"),  # its ideal list is made of what was retrieved
        ("nDCG(ideal='retrieved')@5", "paper", "P@5"),
        ("Bpref@5", "paper", "P@5"),
        ("R", "paper", "R"),
        ("DCG", "paper", "DCG"),
        ("infAP", "paper", "P@20"),
        ("CP@5", "paper", "CP@5"),
        ("IPS(gain='P', power=0.5)@5", "paper", "IPS(gain='P', power=0.5)@5"),
        (CDCG, "paper", CDCG),
        ("IPS(gain='R')@5", "paper", "IPS(gain='R')@5"),
        ("IPS(gain='AUC')@5", "paper", "P@5"),
        ("SNIPS@5", "paper", "SNIPS@5"),
        ("P(denominator='judged')@5", "paper", "P@5"),
        ("smoothed P@5 of judged items", "paper", "P@5"),
        ("CDCG@5", "paper", "IPS(centred=True, gain='DCG', power=0)@5"),
    ],
)
def test_counted_by(measure, profile, expected):
    assert sensitivity.counted_by(measure, profile, 20) == expected


def test_what_needs_no_propensities_counts_itself_without_them():
    found = [
        sensitivity.counted_by(f"IPS(power={power})@5", "paper", 20, False) for power in (0, 1)
    ]
    assert found == ["IPS(power=0)@5", "P@5"]


@pytest.mark.parametrize(
    ("measure", "power", "centred"),
    [
        ("IPS(gain='P')@3", 1.0, False),
        ("IPS(gain='P', power=0.5)@3", 0.5, False),
        ("IPS(centred=True, gain='P', power=0.5)@3", 0.5, True),
    ],
)
def test_of_weighed_measures_the_weights_come_on_top_of_those_of_propensities(
    case, measure, power, centred
):
    """The equation of `rankassay.metrics.unbiased`, pair by pair."""
    ratings, ranks, number = case
    propensity = np.random.default_rng(0).uniform(0.1, 1, ratings.shape)
    judgements, item, systems, lists = given(ratings, ranks, propensity=propensity)
    found = pairs(judgements, item, systems, EVALUATION | {"measures": [measure]}, number)
    assert (found["measure"] == measure).all()
    liked, rated = ratings >= 4, ratings > 0
    share = liked.sum(axis=1, keepdims=True) / rated.sum(axis=1, keepdims=True)
    gain = rated * (liked - share) if centred else liked
    own = [gain / propensity**power * (rank <= 3) / 3 for rank in ranks]
    values = evaluate(judgements, lists, [measure], depth=DEPTH)[:, :, 0]
    for row in found.to_dict("records"):
        a, b = (int(row[name][1:]) for name in ("leader", "other"))
        d = own[a] - own[b]
        plus, minus = np.maximum(d, 0).sum(), np.maximum(-d, 0).sum()
        assert row["difference"] == pytest.approx(d.sum() / N_USERS)
        assert row["difference"] == pytest.approx(values[:, a].mean() - values[:, b].mean())
        assert row["gamma"] == pytest.approx(np.sqrt(plus / minus))
        rise, fall = (np.maximum(sign * d.sum(axis=0), 0).sum() for sign in (1, -1))
        assert row["gamma_item"] == pytest.approx(np.sqrt(rise / fall) if fall > 1e-9 else np.inf)
        p = largest_by_brute_force(d, row["default"])
        assert row["p_default"] == pytest.approx(p, rel=1e-6)
        if not np.isnan(row["exponent"]) and abs(row["exponent"]) < 2:
            weight = (number + 1.0) ** -row["exponent"]
            assert (d.sum(axis=0) * weight).sum() == pytest.approx(0, abs=1e-5)


def test_the_order_of_systems_and_the_names_of_items_change_nothing(case, table):
    ratings, ranks, number = case
    items = np.array([3, 1, 6, 0, 5, 2, 4])
    judgements, item, systems, _ = given(ratings[:, items], ranks[:, :, items])
    turned = dict(reversed(systems.items()))
    found = pairs(judgements, item, turned, EVALUATION, number[items])
    keys = ["metric", "cutoff", "leader", "other"]
    untied = table[table["difference"] > 0]
    both = untied.merge(found, on=keys, suffixes=("", "_turned"), validate="1:1")
    assert len(both) == len(untied)
    for name in table.columns[5:]:
        if name == "exponent":
            expected = both[name].to_numpy()
            assert both[f"{name}_turned"].to_numpy() == pytest.approx(expected, nan_ok=True)
        else:
            assert both[name].equals(both[f"{name}_turned"].rename(name)), name


def test_winners_are_the_least_gammas_over_the_rivals(table):
    found = winners(table)
    assert len(found) == len(MEASURES)
    for row in found.itertuples():
        own = table[(table["metric"] == row.metric)]
        own = own[own["cutoff"].isna() if pd.isna(row.cutoff) else own["cutoff"] == row.cutoff]
        rivals = own[own["leader"] == row.leader]
        assert len(rivals) == 3
        assert row.gamma == rivals["gamma"].min()
        assert row.gamma_item == rivals["gamma_item"].min()
        if np.isfinite(row.gamma):
            nearest = rivals.set_index("other").loc[row.rival]
            assert nearest["gamma"] == row.gamma
            assert (row.hits, row.hits_rival) == (nearest["hits_leader"], nearest["hits_other"])
        assert row.pairs == 6
        assert row.standing == (own["stands_to"] >= sensitivity.DEFAULT_GAMMA).sum()
        assert row.default == sensitivity.DEFAULT_GAMMA


def test_a_pair_of_identical_systems_is_not_counted(case):
    ratings, ranks, number = case
    judgements, item, systems, _ = given(ratings, ranks)
    first = next(iter(systems))
    found = pairs(judgements, item, systems | {"copy": systems[first]}, EVALUATION, number)
    for _, own in found.groupby(["metric", "cutoff"], dropna=False):
        [alike] = own[own["identical"]].itertuples()
        assert {alike.leader, alike.other} == {first, "copy"}
        assert np.isnan(alike.gamma)
    table = winners(found)
    assert table["pairs"].tolist() == [9] * len(MEASURES)  # of 10
    # Pairs with the same hits by one measure alone stay, those of lists that differ below its end.
    shallow = EVALUATION | {"measures": ["P@1"]}
    every = pairs(judgements, item, systems, shallow, number)
    assert not every["identical"].any()
    assert winners(every)["pairs"].tolist() == [6]


def test_one_system_has_no_pairs_and_two_have_one(case):
    ratings, ranks, number = case
    for n in (1, 2):
        judgements, item, systems, _ = given(ratings, ranks[:n])
        found = pairs(judgements, item, systems, EVALUATION, number)
        assert len(found) == (n - 1) * len(MEASURES)
        assert len(winners(found)) == (n - 1) * len(MEASURES)


def test_systems_with_the_same_hits_are_no_rivals(case):
    ratings, ranks, number = case
    judgements, item, systems, _ = given(ratings, ranks[[0, 0]])
    found = pairs(judgements, item, systems, EVALUATION | {"measures": ["P@3"]}, number)
    [row] = winners(found).to_dict("records")
    assert np.isnan(row["gamma"])
    assert (row["rival"], row["leader"]) == ("", "s0")
    assert found["exponent"].isna().all()


def test_without_anything_relevant_nothing_is_defined(case):
    ratings, ranks, number = case
    judgements, item, systems, _ = given(np.minimum(ratings, 3), ranks)
    for without in ("value", "nan"):
        evaluation = EVALUATION | {"measures": ["P@3", "R@3"], "without_relevant": without}
        found = pairs(judgements, item, systems, evaluation, number)
        assert found[["gamma", "gamma_item", "exponent"]].isna().all(axis=None)
        assert (found["p_value"] == 1).all()
        assert (found["stands_to"] == 0).all()


@pytest.mark.parametrize("profile", ["paper", "trec", "as-run", "blog", "rendle"])
def test_differences_are_those_of_the_metrics_under_every_profile(case, profile):
    ratings, ranks, _ = case
    judgements, item, _, lists = given(ratings, ranks)
    # Lists of several lengths: some profiles divide by these.
    rng = np.random.default_rng(2)
    short = []
    for own in lists:
        length = rng.integers(1, N_ITEMS + 1, N_USERS).astype(np.int32)
        listed = own.ranks <= length[judgements.row]
        short.append(Lists(np.where(listed, own.ranks, 0).astype(np.int32), length))
    systems = {f"s{s}": judge(judgements, own, DEPTH) for s, own in enumerate(short)}
    measures = ["P@2", "P@4", "R@4", "DCG@4", "nDCG@4", "R(denominator='min_cutoff')@2"]
    evaluation = {"measures": measures, "profile": profile, "without_relevant": None}
    found = pairs(judgements, item, systems, evaluation)
    values = evaluate(judgements, short, measures, profile, DEPTH)
    for m, measure in enumerate(measures):
        if not sensitivity.linear(measure, profile):
            continue
        rows = found[found["measure"] == measure]
        assert len(rows) >= 6
        for row in rows.itertuples():
            a, b = (values[:, int(name[1:]), m] for name in (row.leader, row.other))
            assert row.difference == pytest.approx(np.nanmean(a) - np.nanmean(b), abs=1e-12)
