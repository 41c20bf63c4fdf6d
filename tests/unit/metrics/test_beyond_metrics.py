"""Metrics beyond accuracy, against formulas in plain Python, and by what must hold of them."""

import itertools
import math
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.spatial.distance
import scipy.special
import scipy.stats
from beyond_values import computed, means

from rankassay.errors import RankassayError
from rankassay.metrics.beyond import exposure as of_exposure
from rankassay.metrics.beyond.lists import Catalogue, Groups, Shown, Sums, sums_to
from rankassay.metrics.beyond.novelty import in_tail
from rankassay.metrics.catalogue import BEYOND_METRICS, bare, entry
from rankassay.metrics.diversity.lists import Aspects

N_USERS, N_ITEMS, DEPTH = 9, 14, 6
CUTOFFS = [1, 3, 6, 10]


@pytest.fixture(scope="module")
def world():
    """Return lists of several lengths, one of them empty, of users of whom one rated nothing."""
    rng = np.random.default_rng(8)
    train = rng.integers(1, 6, (N_USERS, N_ITEMS)) * (rng.random((N_USERS, N_ITEMS)) < 0.4)
    train[4] = 0
    train[:, 13] = 0
    test = rng.integers(1, 6, (N_USERS, N_ITEMS)) * ((train == 0) & (rng.random(train.shape) < 0.4))
    items = np.array([rng.permutation(N_ITEMS)[:DEPTH] for _ in range(N_USERS)], dtype=np.int32)
    items[2, 4:] = -1
    items[3] = -1
    items[5, 1:] = -1
    shown = rng.random((N_ITEMS, 4)) < 0.4
    shown[:, 0] |= ~shown.any(axis=1)
    shown[7] = False
    group = (np.arange(N_ITEMS) % 3).astype(np.int32)
    group[1] = -1
    who = np.array([0, 1, 0, 1, 0, 1, -1, 0, 1], dtype=np.int32)
    catalogue = Catalogue(
        sp.csr_matrix(train.astype(float)),
        Aspects.of(shown),
        Groups(("a", "b", "c"), group),
        Groups(("x", "y"), who),
    )
    lists = Shown.of(items, np.arange(N_USERS), sp.csr_matrix(test.astype(float)), 4.0, catalogue)
    return lists, train, test, shown, group, who


def tops(lists, n):
    return [[int(i) for i in row[:n] if i >= 0] for row in lists.items]


def per_user(world, n, value, empty=0.0):
    lists, *_ = world
    return [value(u, own) if own else empty for u, own in enumerate(tops(lists, n))]


def exposures(world, n, weight=lambda k: 1.0):
    found = np.zeros(N_ITEMS)
    for own in tops(world[0], n):
        for k, i in enumerate(own, start=1):
            found[i] += weight(k)
    return found


def trained(world):
    found = (world[1] > 0).any(axis=0)
    assert not found.all()
    return found


def gini_by_pairs(values):
    """Half of the relative mean difference: what the coefficient is, in another way."""
    return np.abs(np.subtract.outer(values, values)).sum() / (2 * len(values) ** 2 * values.mean())


@pytest.mark.parametrize("unit", [1, 0.3, 30])
@pytest.mark.parametrize("same_total", [True, False])
def test_exposure_is_as_concentrated_whether_it_is_counted_or_not(unit, same_total):
    """Counts with ties and zeros, fractions, and counts of which there are fewer than numbers."""
    rng = np.random.default_rng(5)
    exposure = rng.integers(0, 5, (6, 30)) * unit
    if same_total:
        exposure = rng.permuted(np.tile(exposure[0], (6, 1)), axis=1)
    exposure = exposure.astype(np.float64)
    counted = np.arange(30) % 4 > 0
    for which in (counted, np.ones(30, dtype=bool)):
        expected = [gini_by_pairs(own[which]) for own in exposure]
        np.testing.assert_allclose(of_exposure._gini(which, False, exposure, None), expected)
    expected = scipy.stats.entropy(exposure, axis=1)
    np.testing.assert_allclose(of_exposure._entropy(1.0, exposure, None), expected)


@pytest.mark.slow
@pytest.mark.parametrize("n", [14, 200, 3000])
def test_fractional_exposure_is_as_concentrated_whichever_item_has_it(n):
    rng = np.random.default_rng(n)
    exposure = rng.permuted(np.tile(rng.random(n), (9, 1)), axis=1)
    for order in "CF":
        given = np.array(exposure, order=order)
        found = of_exposure._gini(np.ones(n, dtype=bool), False, given, None)
        assert len({*found}) == 1  # to the last bit
        assert found[0] == pytest.approx(gini_by_pairs(exposure[0]))


@pytest.mark.parametrize("depth", [1, 5])
def test_sums_go_down_to_each_cutoff(depth):
    values = np.random.default_rng(3).random((4, depth))
    found = sums_to(values, np.array([3, 1, 1, 9]))
    expected = [[np.cumsum(own)[min(n, depth) - 1] for n in (3, 1, 1, 9)] for own in values]
    np.testing.assert_array_equal(found, expected)
    assert sums_to(values[:0], np.array([2])).shape == (0, 1)


def test_exposure_is_short_only_where_that_is_exact(world):
    lists, weights = world[0], np.array([1.0, 0.5, 0.25, 0.1])
    short, exact = lists.exposure(weights, 3), lists.exposure(weights, 4)
    assert (short.dtype, exact.dtype) == (np.float32, np.float64)
    np.testing.assert_array_equal(np.unique(exact.data), np.unique(weights))
    np.testing.assert_array_equal(np.unique(short.data), np.unique(weights[:3]))


def test_lists_are_exposed_once(world):
    lists = world[0]
    ones = lists.exposure(np.ones(DEPTH), 3)
    assert lists.exposure(np.ones(3), 3) is ones
    for other in (lists.exposure(np.ones(DEPTH), 2), lists.exposure(np.full(DEPTH, 0.5), 3)):
        assert other.sum() < ones.sum()


def log(k):
    return 1 / math.log2(1 + k)


OF_SETS = {
    "Coverage": lambda w, n: len({*itertools.chain(*tops(w[0], n))}) / N_ITEMS,
    "Coverage(of='trained')": lambda w, n: (exposures(w, n)[trained(w)] > 0).mean(),
    "Gini": lambda w, n: gini_by_pairs(exposures(w, n)),
    "Gini(weights='log')": lambda w, n: gini_by_pairs(exposures(w, n, log)),
    "Gini(denominator='n-1')": lambda w, n: gini_by_pairs(exposures(w, n)) * 14 / 13,
    "Gini(of='trained')": lambda w, n: gini_by_pairs(exposures(w, n)[trained(w)]),
    "Entropy": lambda w, n: scipy.stats.entropy(exposures(w, n), base=2),
    "Entropy(base=None)": lambda w, n: scipy.stats.entropy(exposures(w, n), base=N_ITEMS),
    "Entropy(weights='log')": lambda w, n: scipy.stats.entropy(exposures(w, n, log), base=2),
    "ItemGroups": lambda w, n: np.ptp(of_groups(w, n)),
    "ItemGroups(compared='ratio')": lambda w, n: of_groups(w, n).min() / of_groups(w, n).max(),
    "ItemGroups(per='rating')": lambda w, n: np.ptp(of_groups(w, n, "rating")),
    "ItemGroups(per='relevant')": lambda w, n: np.ptp(of_groups(w, n, "relevant")),
    "UserGroups": lambda w, n: np.ptp(of_users(w, n)),
    "UserGroups(compared='ratio')": lambda w, n: of_users(w, n).min() / of_users(w, n).max(),
    "UserGroups(compared='worst')": lambda w, n: of_users(w, n).min(),
    "UserGroups(metric='R')": lambda w, n: np.ptp(of_users(w, n, "R")),
    "UserGroups(metric='P')": lambda w, n: np.ptp(of_users(w, n, "P")),
    "UserGroups(metric='RR')": lambda w, n: np.ptp(of_users(w, n, "RR")),
}


def of_groups(world, n, per="item"):
    _, train, test, _, group, _ = world
    exposed = exposures(world, n, log)
    has = {
        "item": np.ones(N_ITEMS) * N_USERS,
        "rating": (train > 0).sum(axis=0) * N_USERS,
        "relevant": (test >= 4).sum(axis=0),
    }[per]
    return np.array([exposed[group == g].sum() / has[group == g].sum() for g in range(3)])


def of_users(world, n, metric="nDCG"):
    lists, _, test, _, _, who = world
    values = {0: [], 1: []}
    for u, own in enumerate(tops(lists, n)):
        liked = {*np.flatnonzero(test[u] >= 4)}
        if who[u] < 0 or not liked:
            continue
        hits = [k for k, i in enumerate(own, start=1) if i in liked]
        ideal = sum(log(k) for k in range(1, min(n, len(liked)) + 1))
        values[who[u]].append(
            {
                "nDCG": sum(map(log, hits)) / ideal,
                "R": len(hits) / len(liked),
                "P": len(hits) / n,
                "RR": 1 / hits[0] if hits else 0,
            }[metric]
        )
    return np.array([np.mean(values[0]), np.mean(values[1])])


@pytest.mark.parametrize("name", OF_SETS)
def test_measures_of_sets_are_their_formulas(world, name):
    found = means(world[0], name, CUTOFFS)
    np.testing.assert_allclose(found, [OF_SETS[name](world, n) for n in CUTOFFS], atol=1e-12)


@pytest.mark.parametrize("name", OF_SETS)
def test_sums_are_of_any_users(world, name):
    """A weight is how often a user counts: 2 is a user whose list and ratings are there twice."""
    lists = world[0]
    weights = np.array([[0, 1, 2, 0, 1, 1, 3, 1, 0.0]])
    for measure in computed(lists, name, CUTOFFS):
        assert isinstance(measure, Sums)
        rows = np.repeat(np.arange(N_USERS), weights[0].astype(int))
        again = Sums(measure.contributions[rows], measure.value)
        np.testing.assert_allclose(measure.of(weights), again.of_all(), atol=1e-12)


def rated(world):
    return world[1] > 0


def novelty(world, n, value, discount=lambda k: 1.0, relevant=False):
    test = world[2]

    def of(u, own):
        weights = [discount(k) for k in range(1, len(own) + 1)]
        gains = [value(i) if not relevant or test[u, i] >= 4 else 0.0 for i in own]
        return np.dot(weights, gains) / sum(weights)

    return per_user(world, n, of)


def unseen(world):
    return lambda i: 1 - rated(world)[:, i].sum() / 8  # one user rated nothing


def bits(world):
    return lambda i: -math.log2(max(rated(world)[:, i].sum(), 1) / rated(world).sum())


def ild(world, n, metric, table):
    def of(u, own):
        if len(own) < 2:
            return 0.0
        pairs = itertools.combinations(own, 2)
        return np.mean([apart(table[i], table[j], metric) for i, j in pairs])

    return per_user(world, n, of)


def apart(first, second, metric):
    if not first.any() or not second.any():
        return 1.0
    if metric == "jaccard":
        return scipy.spatial.distance.jaccard(first > 0, second > 0)
    return scipy.spatial.distance.cosine(first.astype(float), second.astype(float))


def unexpected(world, n):
    _, train, test, *_ = world
    count = rated(world).sum(axis=0)
    order = sorted(range(N_ITEMS), key=lambda i: (-count[i], i))

    def of(u, own):
        primitive = [i for i in order if not train[u, i]][:n]
        # An item that the user rated has the place that it would have among the unrated ones.
        rank = {i: 1 + sum(not train[u, j] for j in order[: order.index(i)]) for i in own}
        useful = [i for i in own if test[u, i] >= 4]
        assert all((i in primitive) == (rank[i] <= n) for i in useful)
        return sum(rank[i] > n for i in useful) / len(own)

    return per_user(world, n, of)


def unlike(world, n):
    _, train, test, *_ = world
    table = rated(world).T.astype(float)

    def of(u, own):
        profile = np.flatnonzero(train[u])
        total = 0.0
        for i in own:
            if test[u, i] >= 4:
                alike = [1 - apart(table[i], table[j], "cosine") for j in profile]
                total += 1 - (np.mean(alike) if len(profile) else 0.0)
        return total / len(own)

    return per_user(world, n, of)


def miscalibration(world, n, alpha=0.01, rating=False):
    lists, train, _, shown, *_ = world

    def shares(items, weights):
        found = np.zeros(4)
        for i, weight in zip(items, weights, strict=True):
            found += weight * shown[i] / max(shown[i].sum(), 1)
        return found / found.sum() if found.sum() else found

    values = []
    for u, own in enumerate(tops(lists, n)):
        profile = np.flatnonzero(train[u])
        p = shares(profile, train[u, profile] if rating else np.ones(len(profile)))
        q = shares(own, np.ones(len(own)))
        known = p.sum() > 0
        values.append(
            scipy.special.rel_entr(p, (1 - alpha) * q + alpha * p).sum() if known else math.nan
        )
    return values


def exposed(world, n, what, patience=0.5):
    lists, _, test, *_ = world
    values = []
    for u, own in enumerate(tops(lists, n)):
        liked = test[u] >= 4
        r = liked.sum()
        ideal = patience ** np.arange(N_ITEMS)
        target = np.where(liked, ideal[:r].mean() if r else 0, ideal[r:].mean())
        given = np.zeros(N_ITEMS)
        given[own] = ideal[: len(own)]
        values.append(
            {"D": given @ given, "R": given @ target, "L": ((given - target) ** 2).sum()}[what]
        )
    return values


def awrf(world, n, distance, target="items", patience=0.5):
    _, train, _, _, group, _ = world
    has = {
        "items": [(group == g).sum() for g in range(3)],
        "ratings": [(train[:, group == g] > 0).sum() for g in range(3)],
        "equal": [1, 1, 1],
    }[target]
    deserved = np.array(has) / sum(has)

    def of(u, own):
        share = np.zeros(3)
        for k, i in enumerate(own):
            if group[i] >= 0:
                share[group[i]] += patience**k if patience else 1 / math.log2(2 + k)
        if not share.sum():
            return math.nan
        share /= share.sum()
        if distance == "jensen_shannon":
            return scipy.spatial.distance.jensenshannon(share, deserved, 2) ** 2
        return (
            np.abs(share - deserved).max()
            if len(share) == 2
            else np.abs(share - deserved).sum() / 2
        )

    return per_user(world, n, of, math.nan)


BY_USER = {
    "UserCoverage": lambda w, n: per_user(w, n, lambda u, own: 1.0),
    "UserCoverage(least=3)": lambda w, n: per_user(w, n, lambda u, own: len(own) >= 3),
    "ARP": lambda w, n: per_user(w, n, lambda u, own: rated(w).sum(axis=0)[own].mean(), np.nan),
    "ARP(popularity='share')": lambda w, n: per_user(
        w, n, lambda u, own: rated(w).sum(axis=0)[own].mean() / 8, np.nan
    ),
    "ARP(popularity='log')": lambda w, n: per_user(
        w, n, lambda u, own: np.log1p(rated(w).sum(axis=0)[own]).mean(), np.nan
    ),
    "EPC": lambda w, n: novelty(w, n, unseen(w)),
    "EPC(discount='log')": lambda w, n: novelty(w, n, unseen(w), log),
    "EPC(discount='log', relevant_only=True)": lambda w, n: novelty(w, n, unseen(w), log, True),
    "EFD": lambda w, n: novelty(w, n, bits(w)),
    "EFD(discount='log')": lambda w, n: novelty(w, n, bits(w), log),
    "ILD": lambda w, n: ild(w, n, "cosine", w[3]),
    "ILD(distance='jaccard')": lambda w, n: ild(w, n, "jaccard", w[3]),
    "ILD(by='ratings')": lambda w, n: ild(w, n, "cosine", rated(w).T),
    "ILD(by='ratings', distance='jaccard')": lambda w, n: ild(w, n, "jaccard", rated(w).T),
    "Serendipity": unexpected,
    "Serendipity(expected='similar')": unlike,
    "Calibration": miscalibration,
    "Calibration(alpha=0.2, weights='rating')": lambda w, n: miscalibration(w, n, 0.2, True),
    "EE_D": lambda w, n: exposed(w, n, "D"),
    "EE_R": lambda w, n: exposed(w, n, "R"),
    "EE_L": lambda w, n: exposed(w, n, "L"),
    "EE_L(patience=0.9)": lambda w, n: exposed(w, n, "L", 0.9),
    "AWRF": lambda w, n: awrf(w, n, "total_variation"),
    "AWRF(distance='jensen_shannon')": lambda w, n: awrf(w, n, "jensen_shannon"),
    "AWRF(target='ratings')": lambda w, n: awrf(w, n, "total_variation", "ratings"),
    "AWRF(weights='log')": lambda w, n: awrf(w, n, "total_variation", patience=None),
    "AWRF(target='equal', patience=0.8)": lambda w, n: awrf(w, n, "total_variation", "equal", 0.8),
}


@pytest.mark.parametrize("name", BY_USER)
def test_means_over_users_are_their_formulas(world, name):
    found = computed(world[0], name, CUTOFFS)
    expected = np.transpose([BY_USER[name](world, n) for n in CUTOFFS])
    np.testing.assert_allclose(found, expected.astype(float), atol=1e-12)


@pytest.mark.parametrize("tail", [0.1, 0.5, 0.8])
@pytest.mark.parametrize("of", ["items", "ratings"])
def test_the_long_tail_is_the_least_popular_items(world, tail, of):
    lists, train, *_ = world
    count = (train > 0).sum(axis=0)
    found = in_tail(lists.catalogue, tail, of)
    assert count[found].max(initial=0) <= count[~found].min()
    if of == "items":
        assert found.sum() == int(tail * N_ITEMS)
    else:
        next_one = count[~found].min()
        assert count[found].sum() <= tail * count.sum() < count[found].sum() + next_one
    name = f"APLT(tail={tail}, of='{of}')"
    expected = per_user(world, 6, lambda u, own: found[own].mean())
    np.testing.assert_allclose(computed(lists, name, [6])[:, 0], expected)


def test_every_metric_has_a_formula_here():
    tested = {bare(name) for name in (*OF_SETS, *BY_USER)}
    assert {*BEYOND_METRICS} - tested == {"APLT", "PredictionCoverage"}


def test_prediction_coverage_is_what_the_system_scored(world):
    lists, *_ = world
    assert np.isnan(computed(lists, "PredictionCoverage", [5])).all()
    scored = np.linspace(0, 1, N_USERS)
    known = Shown(lists.items, lists.users, lists.relevant, lists.liked, lists.catalogue, scored)
    np.testing.assert_array_equal(means(known, "PredictionCoverage", [5, 9]), [0.5, 0.5])


@pytest.mark.parametrize("name", [*OF_SETS, *BY_USER])
def test_lists_that_are_all_empty_have_a_value_or_none(world, name):
    lists, *_ = world
    empty = Shown.of(
        np.full((3, 4), -1), np.arange(3), sp.csr_matrix((N_USERS, N_ITEMS)), 4, lists.catalogue
    )
    found = means(empty, name, [1, 4])
    assert found.shape == (2,)
    assert not np.isinf(found).any()


# Of an empty list: the worst value, or none. EE_D has the best one, and EE_R the worst.
EMPTY = {
    **dict.fromkeys(("APLT", "EPC", "EFD", "Serendipity", "ILD", "UserCoverage", "Coverage"), 0),
    **dict.fromkeys(("EE_D", "EE_R"), 0),
    **dict.fromkeys(("ARP", "AWRF", "Gini", "Entropy", "ItemGroups"), np.nan),
    **dict.fromkeys(("UserGroups", "PredictionCoverage"), np.nan),
    "Calibration": -np.log(0.01),
}


@pytest.mark.parametrize("name", [*BEYOND_METRICS])
def test_an_empty_list_is_never_the_best_one(world, name):
    lists, train, *_ = world
    user = np.flatnonzero(train.any(axis=1))[:1]
    items = np.full((1, 4), -1)
    empty = Shown.of(items, user, sp.csr_matrix((N_USERS, N_ITEMS)), 4, lists.catalogue)
    (found,) = means(empty, name, [4])
    if name == "EE_L":  # no item is relevant: all deserve the same exposure, and none has any
        expected = ((1 - 0.5**N_ITEMS) / 0.5) ** 2 / N_ITEMS
        assert found == pytest.approx(expected)
    else:
        assert found == pytest.approx(EMPTY[name], nan_ok=True)


def test_directions_follow_from_how_groups_are_compared():
    assert entry("ItemGroups").lower_is_better
    assert not entry("ItemGroups(compared='ratio')").lower_is_better
    assert entry("Gini(weights='log')@10").lower_is_better
    assert not entry("Coverage").lower_is_better


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Coverag", "did you mean 'Coverage'"),
        ("Gini(weight='log')", "did you mean 'weights'"),
        ("Gini(weights='logg')", "did you mean 'log'"),
        ("Gini@10", "a form like EPC"),
        ("Entropy(base=1)", "above 1"),
        ("Entropy(base='a')", "parameter base: expected float or NoneType, found 'a'"),
        ("Entropy(base=1e400)", "of at most 1e\\+12, found inf"),
        ("APLT(tail='a')", "parameter tail: expected float, found 'a'"),
        ("EE_D(patience=None)", "parameter patience: expected float, found None"),
        ("Calibration(alpha='q')", "parameter alpha: expected float, found 'q'"),
        ("EPC(relevant_only='no')", "parameter relevant_only: expected bool, found 'no'"),
        ("Gini(weights=3)", "parameter weights: expected count or log, found 3"),
        ("UserCoverage(least=True)", "parameter least: expected int, found True"),
        ("APLT(tail=1.5)", "tail: expected a number above 0 and below 1, found 1.5"),
        ("Calibration(alpha=0)", "above 0 and below 1"),
        ("EE_L(patience=1)", "above 0 and below 1"),
        ("AWRF(patience=0)", "above 0 and below 1"),
        ("AWRF(weights='logg')", "did you mean 'log'"),
        ("UserCoverage(least=0)", "of at least 1, found 0"),
        ("UserGroups(compared='best')", "Known: "),
        ("nDCG", "is not one of"),
    ],
)
def test_mistakes_are_named(world, name, words):
    with pytest.raises(RankassayError, match=words):
        computed(world[0], name, [3])


@pytest.mark.parametrize("name", ["ILD", "Calibration", "AWRF", "ItemGroups", "UserGroups"])
def test_what_is_missing_is_named(world, name):
    lists, *_ = world
    bare = Catalogue(lists.catalogue.train)
    without = Shown(lists.items, lists.users, lists.relevant, lists.liked, bare)
    with pytest.raises(RankassayError, match=r"expected .* found none"):
        computed(without, name, [3])


def test_inputs_that_do_not_fit_are_refused(world):
    lists, *_ = world
    train = lists.catalogue.train
    with pytest.raises(
        RankassayError, match="the 14 items with training ratings, found those of 3"
    ):
        Catalogue(train, Aspects.of(np.ones((3, 2))))
    with pytest.raises(RankassayError, match="the 9 users with training ratings, found those of 2"):
        Catalogue(train, user_groups=Groups(("x", "y"), np.array([0, 1], dtype=np.int32)))
    with pytest.raises(RankassayError, match="at least one user and one item"):
        Catalogue(sp.csr_matrix((0, 5)))
    with pytest.raises(RankassayError, match="expected two or more to compare, found x"):
        Groups(("x",), np.zeros(3, dtype=np.int32))
    with pytest.raises(RankassayError, match="expected numbers from -1 to 1"):
        Groups(("x", "y"), np.array([2], dtype=np.int32))
    with pytest.raises(RankassayError, match="items below 14"):
        Shown.of(np.full((1, 2), 20), np.array([0]), train, 4, lists.catalogue)
    for shape in ((3, 0), (3,)):
        with pytest.raises(RankassayError, match="at least one, found the shape"):
            Shown.of(np.full(shape, -1), np.arange(3), train, 4, lists.catalogue)
    for users in ([0], [0, 9], [-1, 0]):
        with pytest.raises(RankassayError, match="row from 0 to 8 for each of the 2 lists"):
            Shown.of(np.full((2, 1), 0), np.array(users), train, 4, lists.catalogue)
    with pytest.raises(RankassayError, match="found 9 users and 3 items"):
        Shown.of(np.full((1, 1), 0), np.array([0]), train[:, :3], 4, lists.catalogue)


def test_ratings_below_0_are_no_weights_of_a_profile(world):
    lists, *_ = world
    known = lists.catalogue
    for shift in (0.0, 6.0):
        train = known.train.astype(np.float64)
        train.data -= shift
        catalogue = Catalogue(train, known.aspects)
        own = Shown(lists.items, lists.users, lists.relevant, lists.liked, catalogue)
        if shift:
            with pytest.raises(
                RankassayError, match="expected training ratings from 0 on, found -5"
            ):
                computed(own, "Calibration(weights='rating')", [3])
        else:
            found = computed(own, "Calibration(weights='rating')", [3])
            assert np.nanmax(found) <= -np.log(0.01) + 1e-12
        computed(own, "Calibration", [3])


@pytest.mark.parametrize(
    "name",
    [
        "Coverage",
        "Gini",
        "Gini(weights='log')",
        "Entropy",
        "Calibration",
        "ItemGroups",
        "UserGroups",
    ],
)
def test_cutoffs_far_below_the_lists_take_no_memory(world, name):
    lists, *_ = world
    tracemalloc.start()
    deep = means(lists, name, [10**6])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10**6  # as many places would have 8 * 10^6 bytes
    np.testing.assert_array_equal(deep, means(lists, name, [N_ITEMS]))


def test_an_item_that_the_user_rated_is_as_expected_as_if_it_were_unrated():
    train = sp.csr_matrix(np.array([[5.0, 0, 0], [5, 5, 0], [0, 0, 5]]))
    test = sp.csr_matrix(np.array([[5.0, 5, 5], [0, 0, 0], [0, 0, 0]]))
    lists = Shown.of(np.array([[0], [-1], [-1]]), np.arange(3), test, 4, Catalogue(train))
    # Item 0 has most ratings, user 0's among them: not of the unrated ones, but no surprise.
    assert computed(lists, "Serendipity", [1])[0, 0] == 0
