"""Diversity metrics: by hand, by brute force, and as another program has them."""

import itertools
import math

import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import DIVERSITY, DIVERSITY_METRICS
from rankassay.metrics.diversity.cascade import Model, greedy, relevance
from rankassay.metrics.diversity.lists import AspectLists, Aspects, Interests
from rankassay.metrics.diversity.metrics import unified_model
from rankassay.metrics.evaluate import diversity_values, named

# Seven items that show some of the aspects a, b and c; two users, and what is listed for them.
SHOWN = ["a", "ab", "b", "c", "abc", "a", "c"]
RELEVANT = [[0, 1, 3, 5], [2, 4, 6, 1, 0]]
LISTED = [[0, 5, 2, 1, 6, 3, 4], [3, 4, 2, 5, 0, 1, 6]]
# What pyndeval 0.0.6 (TREC's ndeval, alpha = beta = 0.5) gives for these judgements and lists.
NDEVAL = {
    "alpha-nDCG@2": (0.5, 0.5212960286143201),
    "alpha-nDCG@3": (0.4566112294667932, 0.5521329672979659),
    "alpha-nDCG@5": (0.6202942049747202, 0.5718573293944927),
    "alpha-nDCG@7": (0.73948289500992, 0.6562499662878188),
    "nERR-IA@2": (0.5, 0.4285714285714286),
    "nERR-IA@3": (0.46875, 0.4545454545454546),
    "nERR-IA@5": (0.5725190839694657, 0.46747519294377077),
    "nERR-IA@7": (0.633587786259542, 0.5084265238620256),
    "NRBP": (0.359375, 0.419921875),
    "nNRBP": (0.5411764705882353, 0.4574468085106383),
    "strec@2": (1 / 3, 1.0),
    "strec@5": (2 / 3, 1.0),
    "strec@7": (1.0, 1.0),
}
OURS = {
    "alpha-nDCG": "alpha_nDCG(gain='binary', alpha=0.5)",
    "nERR-IA": "ERR_IA(gain='binary', stop=0.5, weights='uniform', normalise='ideal')",
    "NRBP": "NRBP(gain='binary', alpha=0.5, beta=0.5, aspects='relevant')",
    "nNRBP": "NRBP(gain='binary', alpha=0.5, beta=0.5, normalise='ideal')",
    "strec": "S_Recall(aspects='relevant', relevant_only=True)",
}


def aspects_of(texts):
    """Return the aspects that texts such as "ab" name."""
    names = sorted(set("".join(texts)))
    return Aspects.of(np.array([[name in text for name in names] for text in texts]))


def interests_of(ratings, texts, profiles=None, threshold=4, highest=5):
    """Return interests, from {item: rating} for each user."""

    def matrix(rows):
        user = [u for u, own in enumerate(rows) for _ in own]
        item = [i for own in rows for i in sorted(own)]
        values = [float(own[i]) for own in rows for i in sorted(own)]
        return sp.csr_matrix((values, (user, item)), shape=(len(rows), len(texts)))

    profile = matrix(profiles if profiles is not None else ratings)
    return Interests.of(matrix(ratings), profile, aspects_of(texts), threshold, highest)


def made_up(seed, n_users=5, n_items=8, length=6):
    """Return random ratings from 0 to 5, aspects, profiles and lists."""
    rng = np.random.default_rng(seed)
    texts = ["".join(c for c in "abcd" if rng.random() < 0.45) for _ in range(n_items)]
    texts[0] = "abcd"
    users = range(n_users)
    ratings = [
        {i: int(rng.integers(6)) for i in range(n_items) if rng.random() < 0.6} for _ in users
    ]
    profiles = [{i: int(rng.integers(1, 6)) for i in range(n_items)} for _ in users]
    lists = [list(rng.permutation(n_items)[: rng.integers(1, length + 1)]) for _ in users]
    return texts, ratings, profiles, lists


def padded(lists):
    """Return lists as an array."""
    items = np.full((len(lists), max(map(len, lists))), -1, dtype=np.int32)
    for u, own in enumerate(lists):
        items[u, : len(own)] = own
    return items


def plain_gains(ranking, shown, relevance, satisfaction, weights, at_least_one):
    """Return the gains of a list, straight from the formula."""
    gains = []
    for k, i in enumerate(ranking):
        met = []
        for a in shown[i]:
            left = weights[a]
            for other in ranking[:k]:
                if a in shown[other]:
                    left *= 1 - satisfaction * relevance(other)
            met.append(relevance(i) * left)
        gains.append(1 - math.prod(1 - x for x in met) if at_least_one else sum(met))
    return gains


def plain_greedy(candidates, gains_of):
    """Return the greedy ideal list, the first item of those that gain most at each place."""
    chosen, left = [], sorted(candidates)
    while left:
        best = max(left, key=lambda i: (round(gains_of([*chosen, i])[-1], 13), -i))
        if gains_of([*chosen, best])[-1] <= 0:
            break
        chosen.append(best)
        left.remove(best)
    return chosen


def plain(name, ranking, shown, own, weights, n, all_aspects, highest=5):
    """Return a metric of one user, with its defaults, in plain Python."""
    uniform = dict.fromkeys(all_aspects, 1.0)

    def rated(i):
        return own.get(i, 0) / highest

    def exponential(i):
        return (2 ** own.get(i, 0) - 1) / 2**highest

    def unified(i):
        return 0.5 * own[i] / highest if i in own else 0.005

    def gains(order, *model):
        return plain_gains(order, shown, *model)

    top, logs = ranking[:n], [1 / math.log2(k + 2) for k in range(len(ranking) + len(own))]

    def discounted(order, *model):
        return sum(g * d for g, d in zip(gains(order[:n], *model), logs, strict=False))

    models = {
        "alpha_nDCG": (rated, 0.5, uniform, False),
        "alpha_beta_nDCG": (unified, 1.0, weights, True),
    }
    if name in models:
        model = models[name]
        ideal = plain_greedy(own, lambda order: gains(order, *model))
        best = discounted(ideal, *model)
        return discounted(ranking, *model) / best if best else 0.0
    covered = [set().union(*(shown[i] for i in ranking[: k + 1])) for k in range(len(top))]
    if name == "S_Recall":
        return len(covered[-1]) / len(all_aspects)
    if name == "S_RR":
        return next((1 / (k + 1) for k, c in enumerate(covered) if len(c) == len(all_aspects)), 0.0)
    if name == "ERR_IA":
        found = gains(top, exponential, 1.0, weights, False)
        return sum(g / (k + 1) for k, g in enumerate(found))
    if name == "NRBP":
        found = gains(top, rated, 0.25, uniform, False)
        scale = (1 - 0.75 * 0.9) / len(all_aspects)
        return scale * sum(g * 0.9**k for k, g in enumerate(found))
    if name == "EU":
        return sum(g - 0.05 for g in gains(top, exponential, 0.25, weights, False))
    found = gains(top, exponential, 1.0, weights, False)
    return 0.01 * sum((g - 0.05) * 0.99**k for k, g in enumerate(found))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_metric_is_its_formula(seed):
    texts, ratings, profiles, lists = made_up(seed)
    interests = interests_of(ratings, texts, profiles)
    cutoffs = [1, 2, 4, 9]
    names = [*DIVERSITY_METRICS]
    values = diversity_values(AspectLists.of(padded(lists), interests), names, cutoffs)
    everything = sorted(set("".join(texts)))
    for u, (own, profile, ranking) in enumerate(zip(ratings, profiles, lists, strict=True)):
        liked = {a: sum(r for i, r in profile.items() if a in texts[i]) for a in everything}
        weights = {a: w / sum(liked.values()) for a, w in liked.items()}
        for (m, name), (c, n) in itertools.product(enumerate(names), enumerate(cutoffs)):
            expected = plain(name, ranking, texts, own, weights, n, everything)
            assert values[u, m, c] == pytest.approx(expected, abs=1e-12), (name, n, u)


@pytest.mark.parametrize("measure", NDEVAL)
def test_the_values_are_those_of_ndeval(measure):
    name, _, cutoff = measure.partition("@")
    interests = interests_of([dict.fromkeys(own, 1) for own in RELEVANT], SHOWN, threshold=1)
    lists = AspectLists.of(padded(LISTED), interests)
    found = diversity_values(lists, [OURS[name]], [int(cutoff or 7)])[:, 0, 0]
    assert found == pytest.approx(NDEVAL[measure], abs=1e-12)


def test_alpha_beta_ndcg_by_hand():
    # One user; items a (rated 5), ab (not rated), b (rated 2); gamma a 3/4, b 1/4.
    interests = interests_of([{0: 5, 2: 2}], ["a", "ab", "b"], [{0: 3, 2: 1}])
    value = diversity_values(
        AspectLists.of(np.array([[1, 2, 0]]), interests), ["alpha_beta_nDCG"], [1, 3]
    )[0, 0]
    first = 1 - (1 - 0.005 * 0.75) * (1 - 0.005 * 0.25)
    second, third = 0.2 * 0.25 * 0.995, 0.5 * 0.75 * 0.995
    ideal = [0.5 * 0.75, 0.5 * 0.75 + 0.2 * 0.25 / math.log2(3)]
    gain = first + second / math.log2(3) + third / 2
    assert value == pytest.approx([first / ideal[0], gain / ideal[1]], abs=1e-15)


def test_weights_of_aspects_by_hand():
    weights = interests_of([{0: 1}], ["a", "ab", "b"], [{0: 4, 1: 2}]).weights
    assert weights == pytest.approx(np.array([[6 / 8, 2 / 8]]))
    # A user without a profile cares for all aspects alike.
    assert interests_of([{0: 1}], ["a", "ab", "b"], [{}]).weights.tolist() == [[0.5, 0.5]]


def test_subtopic_metrics_by_hand():
    interests = interests_of([{0: 5, 2: 1}], ["a", "ab", "c", "d"])
    lists = AspectLists.of(np.array([[3, 1, 2, 0]]), interests)

    def value(metric):
        return diversity_values(lists, [metric], [1, 2, 3])[0, 0].tolist()

    assert value("S_Recall") == [0.25, 0.75, 1.0]
    assert value("S_RR") == [0, 0, 1 / 3]
    assert value("S_RR(share=0.75)") == [0, 0.5, 0.5]
    assert value("S_Recall(aspects='judged')") == [0, 0.5, 1]  # a and c
    assert value("S_Recall(aspects='relevant')") == [0, 1, 1]  # a
    assert value("S_Recall(aspects='relevant', relevant_only=True)") == [0, 0, 0]


@pytest.mark.parametrize("of", ["catalogue", "judged", "relevant"])
@pytest.mark.parametrize("relevant_only", [False, True])
def test_subtopic_metrics_are_their_definitions(of, relevant_only):
    texts, ratings, _, lists = made_up(7, n_users=30)
    interests = interests_of(ratings, texts)
    cutoffs, parameters = [1, 3, 5, 9], f"aspects='{of}', relevant_only={relevant_only}"
    names = [f"S_Recall({parameters})", f"S_RR({parameters}, share=0.6)"]
    found = diversity_values(AspectLists.of(padded(lists), interests), names, cutoffs)
    for u, (own, ranking) in enumerate(zip(ratings, lists, strict=True)):
        relevant = [i for i in own if own[i] >= 4]
        counted = {"catalogue": range(len(texts)), "judged": own, "relevant": relevant}[of]
        possible = set().union(*(texts[i] for i in counted))
        shows = [texts[i] if i in relevant or not relevant_only else "" for i in ranking]
        shares = [
            len(possible & set().union(*shows[:n])) / max(len(possible), 1) for n in range(1, 10)
        ]
        first = next((k for k, share in enumerate(shares, 1) if share >= 0.6), np.inf)
        assert found[u, 0].tolist() == [shares[n - 1] for n in cutoffs]
        assert found[u, 1].tolist() == [1 / first if first <= n else 0.0 for n in cutoffs]


def test_without_aspects_there_is_nothing_to_show():
    lists = AspectLists.of(np.array([[0, 1]]), interests_of([{0: 5}], ["", ""]))
    assert not diversity_values(lists, ["S_Recall", "S_RR"], [1, 2]).any()


@pytest.mark.parametrize("at_least_one", [False, True])
def test_the_greedy_ideal_comes_near_the_best_order(at_least_one):
    """All orders of up to six items are tried; the greedy one is often best, and never far off."""
    shares = []
    for seed in range(12):
        texts, ratings, profiles, _ = made_up(seed, n_items=6)
        interests = interests_of(ratings, texts, profiles)
        model = unified_model(interests, 0.005, 0.9)
        if not at_least_one:
            model = Model(relevance("rating", interests), 0.5, "one", False, ("test",))
        gains, items = greedy(model, interests, 6)
        names, logs = sorted(set("".join(texts))), 1 / np.log2(np.arange(2, 8))
        for u, own in enumerate(ratings):
            weights = dict(zip(names, interests.weights[u], strict=True))
            if not at_least_one:
                weights = dict.fromkeys(names, 1.0)
            scale, satisfaction = (0.9, 1.0) if at_least_one else (1.0, 0.5)

            def of(i, own=own, scale=scale):
                return scale * own[i] / 5

            rest = (texts, of, satisfaction, weights, at_least_one)
            best = max(
                np.dot(plain_gains(order, *rest), logs[: len(order)])
                for order in map(list, itertools.permutations(own))
            )
            greedily = [i for i in items[u] if i >= 0]
            expected = plain_gains(greedily, *rest)
            assert gains[u, : len(greedily)] == pytest.approx(expected, abs=1e-12)
            if best > 0:
                shares.append(gains[u] @ logs / best)
    assert max(shares) < 1 + 1e-9
    assert min(shares) > 0.93
    assert np.mean(shares) > 0.995


def test_the_ideal_of_all_items_takes_unjudged_ones_as_well():
    texts, ratings, profiles, _ = made_up(5, n_items=8)
    interests = interests_of(ratings, texts, profiles)
    model = unified_model(interests, 0.3, 0.5)
    gains, _ = greedy(model, interests, 8, "all")
    names = sorted(set("".join(texts)))
    for u, own in enumerate(ratings):
        weights = dict(zip(names, interests.weights[u], strict=True))

        def of(i, own=own):
            return 0.1 * own[i] if i in own else 0.3

        def gains_of(order, of=of, weights=weights):
            return plain_gains(order, texts, of, 1.0, weights, True)

        expected = gains_of(plain_greedy(range(8), gains_of))
        # Items that tie exactly may be taken in another order, which can change what follows.
        assert gains[u].sum() == pytest.approx(sum(expected), abs=1e-3)
        assert gains[u, 0] == pytest.approx(expected[0], abs=1e-12)


def test_users_without_judgements_and_empty_lists_score_nothing():
    interests = interests_of([{}, {0: 5}], ["a", "b"])
    lists = AspectLists.of(np.array([[-1, -1], [-1, -1]]), interests)
    assert (diversity_values(lists, [*DIVERSITY_METRICS], [1, 2]) == 0).all()


def test_unknown_names_are_refused():
    with pytest.raises(RankassayError, match="did you mean 'alpha_nDCG'"):
        named("alpha_nDGC", DIVERSITY)
    with pytest.raises(
        RankassayError, match="unknown parameter of NRBP 'betta'; did you mean 'beta'"
    ):
        named("NRBP(betta=0.5)", DIVERSITY)
    with pytest.raises(RankassayError, match="name=value"):
        named("NRBP(beta 0.5)", DIVERSITY)
    interests = interests_of([{0: 5}], ["a", "b"])
    lists = AspectLists.of(np.array([[0, 1]]), interests)
    for text, message in {
        "S_RR(share=0)": "share: expected a number above 0 and at most 1, found 0",
        "S_Recall(aspects='all')": "aspects 'all'. Known: catalogue, judged, relevant",
        "S_Recall(relevant_only='no')": "relevant_only: expected bool, found 'no'",
        "EU(gain='linear')": "gain 'linear'.* Known: rating, exponential, binary",
        "EU(effort=-1)": "effort: expected a number of at least 0, found -1",
        "ERR_IA(stop=-2)": "stop: expected a number of at least 0 and at most 1, found -2",
        "NRBP(beta=5)": "beta: expected a number of at least 0 and at most 1, found 5",
        "RBU(persistence=1)": "persistence: expected a number of at least 0 and below 1, found 1",
        "alpha_nDCG(alpha='x')": "alpha: expected float, found 'x'",
        "alpha_beta_nDCG(ideal='every')": "ideal 'every'. Known: judged, all",
        "RBU(weights='flat')": "weights 'flat'. Known: uniform, profile",
    }.items():
        with pytest.raises(RankassayError, match=message):
            diversity_values(lists, [text], [1])
    with pytest.raises(RankassayError, match="top of the scale"):
        interests_of([{0: 5}], ["a", "b"], highest=4)
    with pytest.raises(RankassayError, match="aspects of 2 items"):
        Interests.of(sp.csr_matrix((1, 2)), sp.csr_matrix(np.ones((1, 2))), aspects_of("a"), 4)


def test_of_items_that_gain_alike_the_first_one_stands_in_the_ideal_list():
    interests = interests_of([{1: 5, 2: 5, 4: 5, 5: 5}], ["b", "a", "a", "b", "b", "b"])
    model = Model(relevance("binary", interests), 1.0, "one", False, ("test",))
    gains, items = greedy(model, interests, 3)
    assert items.tolist() == [[1, 4, -1]]
    assert gains.tolist() == [[1, 1, 0]]


def test_a_share_of_the_aspects_that_is_whole_but_for_rounding_is_whole():
    assert 0.28 * 25 > 7
    texts = list("abcdefghijklmnopqrstuvwxy")
    lists = AspectLists.of(np.arange(25)[None], interests_of([{0: 5}], texts))
    assert diversity_values(lists, ["S_RR(share=0.28)"], [25]) == pytest.approx(1 / 7)
