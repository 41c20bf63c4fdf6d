"""Bounds over judgements of unjudged items are what enumerating the judgements says."""

import itertools

import numpy as np
import pytest

from rankassay.errors import RankassayError
from rankassay.metrics.bounds import measure_bounds
from rankassay.metrics.evaluate import Measure, measure_values
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import WHOLE_LIST, Judgements, Lists
from rankassay.metrics.precision_recall import JUDGED_ONLY
from rankassay.metrics.unjudged import condensed
from rankassay.metrics.user_models import rbp_residual
from rankassay.seeds import generator

PLAIN = [
    *("P@3", "P(denominator='listed')@4", "P(denominator='min_relevant')@3"),
    *("R@3", "R", "R(denominator='min_cutoff')@2", "F1@3", "F1(denominator='min_relevant')@4"),
    *(
        "F(beta=2.0)@4",
        "RR@3",
        "RR",
        "Success@2",
        "DCG@4",
        "DCG(gain='exp')",
        "RBP@3",
        "RBP(p=0.5)",
        "RBP(gain='rating', highest=6)",
        "nDCG(gain={-1: 0, 0: 0, 1: 0, 2: 0.5, 3: 0.5, 4: 3, 5: 4})@3",
    ),
    *("ERR@3", "ERR", "ERR(highest='user')@4", "ERR(highest='user')", "ERR(highest=6)@2"),
    *("AP@3", "AP", "AP(denominator='min_cutoff')@2", "AP(denominator='hits')@4"),
    *("AP(denominator='listed')@4", "infAP@3", "infAP", "infAP(unjudged='unpooled')@4"),
    *("nDCG@3", "nDCG", "nDCG(gain='exp')@4", "nDCG(gain='binary',truncate_ideal=False)@2"),
    *("nDCG(ideal='relevant')@4", "nDCG(ideal='retrieved',log_base=3.0)@4"),
]
BPREF = ["Bpref@3", "Bpref", "Bpref(without_nonrelevant='nan')@4"]
N_USERS = 60


@pytest.fixture(scope="module")
def made():
    """Return judgements and lists of few items, in which half of the places are unjudged."""
    random = generator(5, "unjudged")
    start, ratings, ranks, lengths, candidates = [0], [], [], [], []
    for _ in range(N_USERS):
        n, length = int(random.integers(1, 6)), int(random.integers(0, 6))
        ratings.extend(random.choice([-1.0, 1.0, 3.0, 4.0, 5.0], n))
        places = random.permutation(np.arange(1, max(n, length) + 3))[:n]
        ranks.extend(np.where(places <= length, places, 0))
        unlisted = int((places > length).sum())
        start.append(start[-1] + n)
        lengths.append(length)
        candidates.append(max(length + unlisted, 1) + int(random.integers(0, 3)))
    numbers = np.array(ranks, np.int32), np.array(lengths, np.int32), np.array(candidates, np.int32)
    users = np.arange(N_USERS, dtype=np.int32)
    judgements = Judgements(users, np.array(start), np.array(ratings), 4.0)
    lists = Lists(*numbers)
    lists.check(judgements)
    return judgements, lists


def enumerated(judgements, lists, u, text, any_beyond):
    """Return a user's values over all judgements of what is unjudged, one world at a time."""
    cutoff = Measure.parse(text).cutoff or WHOLE_LIST
    part, own = judgements.block(u, u + 1), lists.block(judgements, u, u + 1)
    free = [k for k in range(1, min(cutoff, own.length[0]) + 1) if k not in own.ranks]
    others = int(own.n_candidates[0]) - len(part.rating) - len(free)
    values = []
    for likes in itertools.product([0.0, 5.0], repeat=len(free)):
        for more in range(others + 1 if any_beyond else 1):
            rating = np.concatenate((part.rating, likes, [5.0] * more))
            ranks = np.concatenate((own.ranks, free, [0] * more)).astype(np.int32)
            # The highest rating of all users is 5, which the others have given.
            world = Judgements(
                part.users, np.array([0, len(rating)]), rating, 4.0, None, (-1.0, 5.0)
            )
            judged = judge(world, Lists(ranks, own.length, own.n_candidates))
            values.append(measure_values(judged, [text])[0, 0])
    return values


@pytest.mark.slow
@pytest.mark.parametrize("beyond_list", ["none", "any"])
def test_bounds_are_those_of_all_judgements(made, beyond_list):
    measures = PLAIN + (BPREF if beyond_list == "none" else [])
    found = measure_bounds(*made, measures, beyond_list=beyond_list)
    moved = 0
    for m, text in enumerate(measures):
        for u in range(N_USERS):
            values = enumerated(*made, u, text, beyond_list == "any")
            expected = [np.nan] * 2
            if not np.isnan(found.value[u, m]):
                expected = [np.nanmin(values), np.nanmax(values)]
            pair = [found.least[u, m], found.greatest[u, m]]
            np.testing.assert_allclose(
                pair, expected, rtol=1e-13, atol=1e-15, err_msg=f"{text} {u}"
            )
            moved += pair[0] < pair[1]
    assert moved > 10 * len(measures)
    np.testing.assert_array_equal(found.value, measure_values(judge(*made), measures))


def test_values_lie_between_the_bounds(made):
    found = measure_bounds(*made, PLAIN)
    inferred = np.array([text.startswith("infAP") for text in PLAIN])
    assert ((found.least <= found.value) & (found.value <= found.greatest))[:, ~inferred].all()


def test_the_last_item_lowers_average_precision():
    # A relevant item, a judged one that is not, and an unjudged one: were this relevant, the
    # precision at its place would be 2/3, below the average so far.
    judgements = Judgements(np.zeros(1, np.int32), np.array([0, 2]), np.array([5.0, 1.0]), 4.0)
    lists = Lists(np.array([1, 2], np.int32), np.array([3], np.int32))
    found = measure_bounds(judgements, lists, ["AP"])
    assert [bound[0, 0] for bound in found] == [1, (1 + 2 / 3) / 2, 1]


def test_bounds_beyond_the_list_need_the_number_of_items(made):
    judgements, lists = made
    unknown = Lists(lists.ranks, lists.length)
    with pytest.raises(RankassayError, match="give n_items"):
        measure_bounds(judgements, unknown, ["R@2"], beyond_list="any")


@pytest.mark.parametrize(
    ("measure", "beyond_list", "said"),
    [
        ("Judged@5", "none", "the metrics that have are P, R"),
        ("Bpref@5", "any", "give beyond_list none"),
        *((f"P(denominator={own!r})@5", "none", "give P with another") for own in JUDGED_ONLY),
        ("P@5", "some", "unknown choice for items beyond the list"),
    ],
)
def test_what_has_no_bounds_is_an_error(made, measure, beyond_list, said):
    with pytest.raises(RankassayError, match=said):
        measure_bounds(*made, [measure], beyond_list=beyond_list)


def test_the_residual_is_what_an_endless_list_could_add(made):
    judgements, lists = made
    cutoffs = np.array([2, 4])
    found = rbp_residual(judge(judgements, lists), cutoffs, p=0.7)
    for c, n in enumerate(cutoffs):
        # All below the first n places, and below short lists, is unjudged: 0.7^2000 is nothing.
        seen = np.zeros((judgements.n_users, 2000), dtype=bool)
        listed = (lists.ranks > 0) & (lists.ranks <= n)
        seen[judgements.row[listed], lists.ranks[listed] - 1] = True
        expected = np.where(seen, 0, 0.3 * 0.7 ** np.arange(2000)).sum(axis=1)
        np.testing.assert_allclose(found[:, c], expected, rtol=1e-12)
    bounds = measure_bounds(judgements, lists, ["RBP(p=0.7)@2"])
    long = lists.length >= 2
    rise = (bounds.greatest - bounds.least)[long, 0]
    np.testing.assert_allclose(found[long, 0] - 0.7**2, rise, atol=1e-15)
    assert rise.max() > 0


def test_condensed_lists_have_judged_items_alone(made):
    judgements, lists = made
    found = condensed(judgements, lists)
    for u in range(N_USERS):
        own = slice(*judgements.start[[u, u + 1]])
        before = lists.ranks[own]
        kept = sorted(rank for rank in before if rank)
        assert found.ranks[own].tolist() == [kept.index(r) + 1 if r else 0 for r in before]
        assert found.length[u] == len(kept)
    found.check(judgements)
