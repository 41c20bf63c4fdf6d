"""The constant that is reported, the facts that decide its form, and the measures beside it."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from given_made_up import given, one_relevant

from rankassay.advice.rule import FEWEST, informative, places_of, rule
from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judgements import Judgements, Lists

WEIGHED, PLAIN = "power=0.5", "power=0"
CENTRED = "IPS(centred=True, gain='DCG', {})@{}"
LIKES = "IPS(gain='DCG', {})@{}"


def train(users):
    return {"ratings": 10 * users, "users": users, "items": 40}


@pytest.mark.parametrize(
    ("weights", "users", "trained", "power", "why"),
    [
        ("popularity", 40, FEWEST, WEIGHED, ()),
        ("given", 40, 0, WEIGHED, ()),
        ("none", 200, 0, PLAIN, ("no-train",)),
        ("popularity", 200, FEWEST - 1, PLAIN, ("few-train",)),
    ],
)
def test_it_is_weighed_where_popularity_is_known_well(weights, users, trained, power, why):
    own = replace(one_relevant(users, 50, negative=True), weights=weights, train=train(trained))
    found = rule(own)
    assert (found.measure, found.why) == (CENTRED.format(power, 50), why)
    assert found.unweighed == CENTRED.format(PLAIN, 50)
    assert found.flat == found.measure.replace("DCG", "P")


def test_it_is_centred_and_deeper_where_dislikes_are_known():
    graded, likes = (one_relevant(20, 60, negative) for negative in (True, False))
    assert rule(graded).measure == CENTRED.format(PLAIN, 50)
    assert rule(likes).measure == LIKES.format(PLAIN, 20)
    assert rule(likes).written == (rule(likes).measure,)
    deep = "P(denominator='judged')@50", "P(denominator='smoothed')@20"
    assert rule(graded).written == (rule(graded).measure, *deep)


@pytest.mark.parametrize("depth", [1, 3, 10, 30])
def test_it_takes_as_many_places_as_the_lists_have(depth):
    own = one_relevant(20, depth, negative=True)
    found = rule(own)
    assert places_of(own) == depth
    cutoffs = [int(name.rpartition("@")[2]) for name in found.every]
    assert max(cutoffs) == depth
    assert found.conventional == f"nDCG(gain='binary')@{min(depth, 10)}"


def test_the_first_measure_that_is_asked_for_is_the_conventional_one():
    own = one_relevant(20, 30, negative=True)
    constant = rule(own).measure
    for asked, cutoffs, usual, others in (
        (["RR"], None, "RR@10", ["RR@10"]),
        (["R@20", "nDCG"], [5], "R@20", ["R@20", "nDCG@5"]),
        (["nDCG"], [20, 5], "nDCG@20", ["nDCG@20", "nDCG@5"]),
        (["P@50", "AP@20"], None, "AP@20", ["AP@20"]),  # deeper than the lists
        (["SNIPS@5", "AP@20"], None, "AP@20", ["AP@20"]),  # no propensities
        (["P@50"], None, "nDCG(gain='binary')@10", []),
    ):
        found = rule(own, asked, cutoffs)
        assert (found.measure, found.conventional, [*found.others]) == (constant, usual, others)
    assert rule(own, None, [20, 5]).conventional == "nDCG(gain='binary')@5"
    assert rule(own, None, [20]).conventional == "nDCG(gain='binary')@20"


def test_a_truth_compares_the_measures_of_the_paper():
    own = one_relevant(20, 20, negative=True)
    others = rule(own, truth=True).others
    assert {"P@5", "AP@20", "infAP@10", "P(denominator='judged')@20", "CP@10"} <= {*others}
    assert "P@50" not in others
    likes = rule(one_relevant(20, 20), truth=True).others
    assert not any("judged" in name or name.startswith("CP") for name in likes)


def test_users_tell_systems_apart_who_like_some_and_see_some():
    own = given(40)
    rating = np.array([5.0, 1, 5, 5, 5, 1, 1, 1])
    judgements = Judgements(np.arange(4, dtype=np.int32), np.arange(0, 9, 2), rating, 4.0)

    def of(*ranks):
        lists = Lists(np.array(ranks, dtype=np.int32), np.full(4, 100, dtype=np.int32))
        return replace(own, judgements=judgements, item=np.arange(8), systems={"a": lists})

    # Who likes one of two, all, one that no list has, and none.
    assert informative(of(1, 0, 1, 0, 0, 0, 1, 0)) == 1
    assert informative(of(1, 0, 1, 0, 60, 0, 1, 0)) == 1  # below the places that count
    assert informative(of(0, 50, 1, 0, 0, 50, 1, 0)) == 2
    liked = Judgements(np.arange(2, dtype=np.int32), np.arange(0, 5, 2), np.full(4, 5.0), 4.0)
    lists = Lists(np.array([1, 0, 0, 21], dtype=np.int32), np.full(2, 100, dtype=np.int32))
    assert informative(replace(own, judgements=liked, item=np.arange(4), systems={"a": lists})) == 1


# The form of the measure: what a practitioner would laugh at is tested on the formula.
def values(measure, rating, ranks, propensity):
    """Return one user's value of a measure."""
    matrix = sp.csr_matrix(np.array([rating], dtype=np.float64))
    told = sp.csr_matrix((propensity, matrix.indices, matrix.indptr), matrix.shape)
    judgements = Judgements.of(matrix, 4.0, told)
    lists = Lists(np.array(ranks, dtype=np.int32), np.array([100], dtype=np.int32))
    return evaluate(judgements, [lists], [measure], "paper", 100, "value")[0, 0, 0]


@pytest.mark.parametrize("power", [WEIGHED, PLAIN])
@pytest.mark.parametrize("form", [CENTRED, LIKES])
def test_moving_a_liked_item_up_never_lowers_a_value(form, power):
    rng = np.random.default_rng(1)
    measure = form.format(power, 50)
    for _ in range(200):
        n = rng.integers(2, 7)
        rating = rng.choice([1.0, 5.0], n) if form == CENTRED else np.full(n, 5.0)
        propensity = rng.uniform(0.01, 1, n)
        ranks = rng.permutation(np.arange(1, 60))[:n]
        own = values(measure, rating, ranks, propensity)
        for liked in np.flatnonzero(rating == 5):
            up = ranks.copy()
            free = [place for place in range(1, up[liked]) if place not in ranks]
            if free:
                up[liked] = rng.choice(free)
                assert values(measure, rating, up, propensity) >= own - 1e-12


@pytest.mark.parametrize(
    ("form", "power"), [*itertools.product([CENTRED, LIKES], [WEIGHED, PLAIN])]
)
def test_an_ideal_list_is_better_than_its_reverse(form, power):
    """All judged items are listed: by precision, the ideal list and its reverse tie."""
    rng = np.random.default_rng(2)
    places, measure = 50, form.format(power, 50)
    ideal, reverse = [], []
    for _ in range(60):
        n = rng.integers(2, 10)
        rating = rng.choice([1.0, 5.0], n)
        if form == LIKES:
            rating, n = np.full(n, 5.0), n
        propensity = rng.uniform(0.01, 1, n)
        worth = (rating == 5) / np.sqrt(propensity)
        best = np.empty(n, dtype=int)
        best[np.argsort(-worth, kind="stable")] = np.arange(1, n + 1)
        ideal.append(values(measure, rating, best, propensity))
        reverse.append(values(measure, rating, places + 1 - best, propensity))
    assert np.mean(ideal) > np.mean(reverse)
