"""Which measures may be recommended, at which cut-offs, and why others may not."""

from dataclasses import replace

import numpy as np
import pytest
from given_made_up import given, one_relevant, shortened

from rankassay.advice.candidates import WHY_NOT, candidates, conventional, measures_of
from rankassay.advice.cutoffs import USUAL, can_be_filled, default
from rankassay.advice.words_tables import WHY_NOT as LABELS
from rankassay.metrics.evaluate import Measure


def why_not(table):
    reasons = [
        None if reason is None or reason != reason else reason for reason in table["why_not"]
    ]
    return dict(zip(table["measure"], reasons, strict=True))


def with_lists_of(own, depth):
    return replace(own, systems={name: shortened(s, depth) for name, s in own.systems.items()})


def test_the_default_cutoff_is_the_deepest_that_half_of_the_users_fill():
    """By brute force over the usual cut-offs, for many users and lists."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        counts = rng.integers(0, rng.integers(1, 200), rng.integers(1, 30))
        depth = int(rng.integers(1, 150))
        with_relevant = [n for n in counts if n > 0]
        good = [
            c
            for c in USUAL
            if c <= depth and 2 * sum(n >= c for n in with_relevant) >= len(with_relevant) > 0
        ]
        reached = [c for c in USUAL if c <= depth]
        expected = max(good) if good else (reached[0] if reached else depth)
        assert default(counts, depth) == expected


def test_nobody_with_a_relevant_item_fills_nothing():
    assert not can_be_filled([0, 0], 1)
    assert default([0, 0], 100) == 5
    assert default([0, 0, 0, 12, 12], 100) == 10  # those with a relevant item all fill ten
    assert default([], 100) == 5


def test_without_metrics_asked_for_there_are_those_of_the_study_as_deep_as_lists():
    own = given()
    table = candidates(own)
    assert sorted({*table["metric"]}) == ["AP", "Bpref", "CP", "P", "R", "RR", "infAP", "nDCG"]
    assert {*table["cutoff"]} == {5, 10, 20}
    assert {*table["form"]} == {"plain", "judged"}
    assert table["candidate"].equals(table["why_not"].isna())
    weighed = candidates(given(weights="popularity"))
    assert {*weighed.loc[weighed["form"] == "weighed", "metric"]} == {"IPS", "SNIPS"}
    assert {*weighed["measure"]} > {*table["measure"]}


def test_short_lists_are_read_at_their_length():
    own = with_lists_of(given(), 3)
    table = candidates(own)
    assert {*table["cutoff"]} == {3}
    assert conventional(own) == "nDCG@3"
    assert table["candidate"].all()


def test_a_system_without_lists_does_not_make_lists_short():
    own = given()
    nothing = shortened(own.systems["system-0"], 0)
    assert replace(own, systems={**own.systems, "empty": nothing}).depth == own.depth == 20
    assert replace(own, systems={"empty": nothing}).depth == 0
    assert {*candidates(replace(own, systems={"empty": nothing}))["cutoff"]} == {1}


def test_precision_competes_where_most_users_can_fill_its_places():
    own = given(n_users=200)
    counts = own.judgements.n_relevant
    found = why_not(candidates(own, cutoffs=range(1, 21)))
    for cutoff in range(1, 21):
        fills = cutoff <= 5 or (counts[counts > 0] >= cutoff).mean() >= 0.5
        assert found[f"P@{cutoff}"] == (None if fills else "cannot-fill")
        assert found[f"R@{cutoff}"] is None
    assert {*found.values()} == {None, "cannot-fill"}
    judged_only = {name for name in found if name.startswith("P(denominator='judged')")}
    assert judged_only == {f"P(denominator='judged')@{cutoff}" for cutoff in (5, 10, 20)}
    assert all(found[name] is None for name in judged_only)


@pytest.mark.parametrize("measure", ["F1@20", "P(denominator='listed')@20"])
def test_other_measures_that_count_unfilled_places_do_not_compete_either(measure):
    own = one_relevant(depth=20)
    assert why_not(candidates(own, [measure]))[str(Measure.parse(measure))] == "cannot-fill"
    enough = "P(denominator='min_relevant')@20"
    assert why_not(candidates(own, [enough]))[enough] is None


def test_judged_only_measures_need_something_negative():
    asked = ["P(denominator='judged')@10", "P(denominator='smoothed')@10", "CP@10", "CDCG@10"]
    asked = [str(Measure.parse(name)) for name in asked]
    found = why_not(candidates(one_relevant(), asked))
    assert {found[name] for name in asked} == {"positive-only"}
    found = why_not(candidates(one_relevant(negative=True), asked))
    assert {found[name] for name in asked} == {None}


def test_numbers_of_likes_alone_are_no_whole_weights():
    asked = ["SNIPS@5", "IPS(gain='P')@5", "IPS(gain='P', power=0.5)@5"]
    by_likes = replace(one_relevant(), weights="popularity")
    reasons = why_not(candidates(by_likes, asked)).values()
    assert [*reasons] == ["positive-counts", "positive-counts", None]
    of_users = replace(by_likes, weights="given")
    graded = replace(one_relevant(negative=True), weights="popularity")
    for own in (of_users, graded):
        assert {*why_not(candidates(own, asked)).values()} == {None}


def test_weighed_measures_need_weights():
    asked = ["nDCG@5", "SNIPS@5"]
    assert why_not(candidates(given(), asked)) == {"nDCG@5": None, "SNIPS@5": "weights"}
    assert why_not(candidates(given(weights="popularity"), asked))["SNIPS@5"] is None


def test_cutoffs_that_are_asked_for_may_be_deeper_than_the_lists():
    found = why_not(candidates(given(), ["R@10", "R@50"]))
    assert found == {"R@10": None, "R@50": "deeper-than-lists"}


def test_nothing_competes_where_nothing_is_relevant():
    table = candidates(given(threshold=6))
    assert {*table["why_not"]} == {"no-relevant"}
    assert not table["candidate"].any()


def test_metrics_are_taken_at_the_cutoffs_and_other_names_are_read():
    own = given()
    assert measures_of(own, ["Recall@5", "nDCG"], [5, 10]) == ["R@5", "nDCG@5", "nDCG@10"]
    assert measures_of(own, ["MRR"], None) == ["RR@5", "RR@10", "RR@20"]
    assert "P(denominator='judged')@7" in measures_of(own, None, [7])


@pytest.mark.parametrize(
    ("asked", "cutoffs", "expected"),
    [
        (None, None, "nDCG@10"),
        (None, [5, 20], "nDCG@5"),
        (None, [20], "nDCG@20"),
        (["AP@5", "P@10"], None, "AP@5"),
        (["AP@50", "P@10"], None, "P@10"),
        (["AP@50"], None, "nDCG@10"),
        (["MRR"], None, "RR@10"),
        (["MRR"], [3, 20], "RR@3"),
    ],
)
def test_the_conventional_measure_is_the_first_or_ndcg(asked, cutoffs, expected):
    own = given()
    assert conventional(own, asked, cutoffs) == expected
    assert expected in {*candidates(own, asked, cutoffs)["measure"]}


@pytest.mark.parametrize(
    ("asked", "cutoffs"),
    [(["SNIPS@5"], None), (["AP@50"], None), (["R"], [50]), (["P@5", "nDCG"], None)],
)
def test_what_was_not_asked_for_is_no_candidate(asked, cutoffs):
    """The conventional measure stands next to those asked for; of these alone one is chosen."""
    table = candidates(given(), asked, cutoffs).set_index("measure")
    named = {str(Measure.parse(name)) for name in asked} | {"nDCG@5", "nDCG@10", "nDCG@20"}
    metrics = {Measure.parse(name).metric for name in asked}
    for name in table.index[table["candidate"]]:
        assert name in named
        assert Measure.parse(name).metric in metrics
    assert {*table.index[table["why_not"] == "not-asked"]} <= {
        conventional(given(), asked, cutoffs)
    }


def test_every_reason_is_said():
    keys = {"no-relevant", "weights", "deeper-than-lists", "cannot-fill", "positive-only"}
    assert {*WHY_NOT} == keys | {"repeats", "positive-counts", "not-asked"} == {*LABELS}
