"""Preferences between lists, against the authors' tool and plain Python."""

import itertools
import math
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import PREFERENCE
from rankassay.metrics.evaluate import named
from rankassay.metrics.judgements import WHOLE_LIST, Judgements, Lists
from rankassay.metrics.preferences import (
    UNLISTED,
    Places,
    lexiprecision,
    lexirecall,
    recall_paired_preference,
)

PEERS = Path(__file__).parents[2] / "peers"
RECORDED = pd.read_csv(PEERS / "preferences" / "pref_eval.csv")
KINDS = {
    "rpp": lambda places: recall_paired_preference(places),
    "invrpp": lambda places: recall_paired_preference(places, weights="inverse"),
    "dcgrpp": lambda places: recall_paired_preference(places, weights="log"),
    "lexirecall": lexirecall,
    "lexiprecision": lexiprecision,
    "rrlexiprecision": lambda places: lexiprecision(places, by="reciprocal"),
}


def places_of(relevant, runs, depth=WHOLE_LIST, missing=0):
    """Return the places of lists of items; the first `missing` relevant items count as not so."""
    start = np.cumsum([0, *map(len, relevant)])
    rating = np.where(np.arange(start[-1]) < missing, 1.0, 5.0)
    judgements = Judgements(np.arange(len(relevant), dtype=np.int32), start, rating, 4.0)
    systems = []
    for lists in runs:
        rank = [
            1 + [*own].index(i) if i in own else 0
            for own, liked in zip(lists, relevant, strict=True)
            for i in liked
        ]
        length = np.array([len(own) for own in lists], dtype=np.int32)
        systems.append(Lists(np.array(rank, dtype=np.int32), length))
    return Places.of(judgements, systems, depth)


@pytest.fixture(scope="module")
def made():
    sys.path.insert(0, str(PEERS))
    from record_preferences import RUNS, made_up

    sys.path.remove(str(PEERS))
    relevant, runs = made_up()
    return relevant, runs, RUNS


@pytest.mark.parametrize("kind", KINDS)
def test_preferences_are_those_of_the_authors_tool(made, kind):
    relevant, runs, names = made
    found = KINDS[kind](places_of(relevant, runs.values()))
    rows = RECORDED[RECORDED.measure == kind].set_index(["user", "run_a", "run_b"])["value"]
    pairs = [*itertools.combinations(names, 2)]
    expected = [[rows[u, a, b] for a, b in pairs] for u in range(len(relevant))]
    np.testing.assert_allclose(found, expected, atol=1e-11)
    assert len(np.unique(np.sign(expected))) == 3  # some ties, and either preference


def plain(kind, a, b):
    """Return the preference of two lists of places, of as many items, by the definition."""
    if not a:
        return math.nan
    signs = [(x < y) - (x > y) for x, y in zip(a, b, strict=True)]
    if "rpp" in kind:
        weigh = {
            "rpp": lambda i: 1,
            "invrpp": lambda i: 1 / i,
            "dcgrpp": lambda i: 1 / math.log2(i + 1),
        }
        weights = [weigh[kind](i) for i in range(1, len(a) + 1)]
        return sum(w * s for w, s in zip(weights, signs, strict=True)) / sum(weights)
    differ = [i for i, sign in enumerate(signs) if sign]
    if not differ:
        return 0
    at = differ[-1] if kind == "lexirecall" else differ[0]
    return 1 / a[at] - 1 / b[at] if kind == "rrlexiprecision" else signs[at]


@pytest.mark.parametrize("kind", KINDS)
def test_preferences_are_their_definitions(kind):
    rng = np.random.default_rng(1)
    relevant = [[*rng.permutation(9)[: rng.integers(1, 5)]] for _ in range(30)]
    runs = [[rng.permutation(9)[: rng.integers(0, 8)] for _ in relevant] for _ in range(3)]
    runs.append(runs[0])
    pairs = [*itertools.combinations(range(4), 2)]
    for depth in (WHOLE_LIST, 3):
        found = KINDS[kind](places_of(relevant, runs, depth))

        def places(s, u, depth=depth):
            own = [*runs[s][u]]
            rank = [own.index(i) + 1 if i in own else math.inf for i in relevant[u]]
            return sorted(r if r <= depth else math.inf for r in rank)

        expected = [
            [plain(kind, places(a, u), places(b, u)) for a, b in pairs]
            for u in range(len(relevant))
        ]
        np.testing.assert_allclose(found, np.array(expected, dtype=float), atol=1e-12)


def test_users_without_relevant_items_have_no_preference():
    places = places_of([[0, 1], [2]], [[[0], [2]], [[1], []]], missing=2)
    assert np.diff(places.start).tolist() == [0, 1]
    for kind in KINDS.values():
        found = kind(places)
        assert np.isnan(found[0, 0])
        assert found[1, 0] == 1


def test_places_are_in_order_and_cut():
    places = places_of([[0, 1, 2]], [[[2, 5, 0]], [[9, 1]]], depth=2)
    assert places.places.tolist() == [[1, UNLISTED, UNLISTED], [2, UNLISTED, UNLISTED]]


def test_relevant_items_that_are_listed_are_counted():
    places = places_of([[0, 1, 2], [], [3]], [[[2, 5, 0], [1], [3]], [[9], [1], [4]]])
    assert places.n_listed.tolist() == [[2, 0], [0, 0], [1, 0]]


def test_a_part_of_the_judgements_is_as_if_there_were_no_others():
    judgements = Judgements(np.arange(1, dtype=np.int32), np.array([0, 3]), np.full(3, 5.0), 4.0)
    lists = [
        Lists(np.array(ranks, dtype=np.int32), np.array([9], dtype=np.int32))
        for ranks in ([1, 2, 0], [0, 3, 1])
    ]
    part = Places.of(judgements, lists, keep=np.array([False, True, True]))
    assert part.places.tolist() == [[2, UNLISTED], [1, 3]]


def test_mistakes_are_named():
    with pytest.raises(RankassayError, match="two systems or more to compare, found 1"):
        places_of([[0]], [[[0]]])
    with pytest.raises(RankassayError, match="did you mean 'inverse'"):
        named("RPP(weights='invers')", PREFERENCE)
    with pytest.raises(RankassayError, match="Known: sign, reciprocal"):
        named("lexiprecision(by='size')", PREFERENCE)
