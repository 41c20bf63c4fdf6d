"""Which measure is chosen, from the shipped table and from invented ones; losses by brute force."""

import math
from dataclasses import replace
from itertools import product

import given_made_up as made_up
import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from rankassay.advice import choice, worlds
from rankassay.advice.choice import DEFENSIBLE, Facts, choose, facts
from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import weighs
from rankassay.metrics.evaluate import Measure

MEDIUM = Facts(users=370, relevant=2, judged=7, depth=100, negative=True, weights="popularity")
SIMULATED = worlds.worlds("medium", "graded").measures
LIKED_ONLY = worlds.worlds("medium", "positive").measures


def made(tau, measures, monkeypatch, kinds=("base", "many"), looks=None):
    """Let there be no other worlds than these, (n_kinds, n_worlds, n_measures)."""
    looks = looks or {"users": 400, "relevant_median": 2, "judged_median": 7, "worlds": 3}
    tau = np.asarray(tau, dtype=float)
    own = worlds.Worlds("medium", "graded", looks, kinds, tuple(measures), tau)
    monkeypatch.setattr(choice, "deciding", lambda *_: own)
    return own


def by_hand(own):
    """Return the worst loss of each measure of worlds, from the definition."""
    found = {}
    for m, measure in enumerate(own.measures):
        losses = []
        for k in range(len(own.kinds)):
            means = [sum(own.tau[k, :, j]) / own.tau.shape[1] for j in range(len(own.measures))]
            losses.append(max(means) - means[m])
        found[measure] = max(losses)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("size", "feedback"), [*product(worlds.sizes(), worlds.FEEDBACK)])
def test_losses_are_those_of_the_definition_and_intervals_those_of_scipy(size, feedback):
    own = worlds.worlds(size, feedback)
    table = own.summary()
    expected = by_hand(own)
    np.testing.assert_allclose(table["worst_loss"], [*expected.values()], atol=1e-12)
    m, measure = 3, own.measures[3]
    over_kinds = own.tau[:, :, m].mean(axis=0)
    interval = scipy.stats.ttest_1samp(over_kinds, 0).confidence_interval(0.95)
    found = table.loc[measure, ["validity_low", "validity_high"]]
    np.testing.assert_allclose([*found], interval, rtol=1e-12)
    taus = {kind: own.tau[k, :, m].mean() for k, kind in enumerate(own.kinds)}
    assert table.loc[measure, "taus"] == taus
    kind = own.kinds.index(table.loc[measure, "worst_kind"])
    best = own.means[kind].argmax()
    paired = scipy.stats.ttest_rel(own.tau[kind, :, best], own.tau[kind, :, m])
    interval = paired.confidence_interval(0.95)
    found = table.loc[measure, ["worst_loss_low", "worst_loss_high"]]
    np.testing.assert_allclose([*found], interval, rtol=1e-9)


def test_the_least_worst_loss_is_chosen_and_not_the_best_mean(monkeypatch):
    """P is the best on average, R never far from the best."""
    own = made(
        [[[0.9, 0.8]] * 3, [[0.5, 0.7]] * 3, [[0.9, 0.8]] * 3, [[0.9, 0.8]] * 3],
        ["P@10", "R@10"],
        monkeypatch,
        ("base", "many", "suits", "deployed"),
    )
    assert own.means.mean(axis=0)[0] > own.means.mean(axis=0)[1]
    found = choose(["P@10", "Recall@10"], MEDIUM, "P@10")
    assert found.measure == "Recall@10"
    assert found.table.loc["Recall@10", "worst_loss"] == pytest.approx(0.1)
    assert found.table.loc["P@10", ["worst_loss", "worst_kind"]].tolist() == [
        pytest.approx(0.2),
        "many",
    ]
    assert found.tied == ()
    assert found.defensible == ("Recall@10", "P@10")


def test_of_measures_that_tie_the_one_that_loses_least_on_average_is_chosen(monkeypatch):
    """In its worst kind R loses more than P by less than the error, and AP by more."""
    noise = 0.2 * np.random.default_rng(1).standard_normal((3, 30, 3))
    noise -= noise.mean(axis=1, keepdims=True)
    noise[1:] = noise[1:, :, :1]  # elsewhere the difference is clear
    means = np.array([[0.5, 0.48, 0.9], [0.6, 0.7, 0.1], [0.6, 0.7, 0.9]])
    made(means[:, None, :] + noise, ["P@10", "R@10", "AP@10"], monkeypatch, ("a", "b", "c"))
    found = choose(["P@10", "R@10", "AP@10"], MEDIUM, "P@10")
    assert found.table["worst_loss"].round(6).tolist() == [0.4, 0.42, 0.6]
    assert (found.measure, found.tied) == ("R@10", ("P@10",))


def test_of_measures_that_tie_on_average_as_well_the_more_precise_is_chosen(monkeypatch):
    """R and AP are alike, but that what AP loses varies less; its mean is lower by a hair."""
    noise = 0.2 * np.random.default_rng(1).standard_normal((2, 30, 3))
    noise -= noise.mean(axis=1, keepdims=True)
    noise[:, :, 2] *= 0.1
    means = np.array([[0.9, 0.6, 0.6], [0.1, 0.601, 0.6]])
    made(means[:, None, :] + noise, ["P@10", "R@10", "AP@10"], monkeypatch)
    found = choose(["P@10", "R@10", "AP@10"], MEDIUM, "P@10")
    high = found.table["worst_loss_high"]
    assert high["AP@10"] < high["R@10"]
    assert (found.measure, found.tied) == ("AP@10", ("R@10",))


def test_a_measure_that_orders_nothing_agrees_no_better_than_chance():
    rows = {"size": "small", "feedback": "graded", "kind": ["base", "base"], "world": [1, 2]}
    table = pd.DataFrame(rows | {"P@5": [30, None], "R@5": [10, 20], "FP@5": [None, None]})
    own = worlds.of_table(table, {})
    assert own.measures == ("P@5", "R@5")
    np.testing.assert_array_equal(own.tau, [[[0.3, 0.1], [0, 0.2]]])


some_measures = st.lists(st.sampled_from([*SIMULATED, "P@7", "Q@10"]), unique=True, max_size=12)
some_facts = st.builds(
    Facts,
    users=st.integers(1, 100_000),
    relevant=st.floats(1, 200),
    judged=st.floats(1, 400),
    depth=st.integers(1, 100),
    negative=st.booleans(),
    weights=st.sampled_from(["none", "popularity", "given"]),
)


@pytest.mark.slow
@given(some_measures, some_facts, st.sets(st.sampled_from(SIMULATED), max_size=5))
@settings(max_examples=100, deadline=None)
def test_what_is_chosen_is_a_candidate_that_the_data_allow(measures, of, excluded):
    found = choose(measures, of, "nDCG@10", excluded)
    feedback = SIMULATED if of.negative else LIKED_ONLY
    allowed = [
        measure
        for measure in measures
        if measure in feedback
        and measure not in excluded
        and Measure.parse(measure).cutoff <= of.depth
        and (of.weights == "popularity" or not weighs(measure))
    ]
    assert (found.measure is None) == bool(found.why)
    assert found.measure in {None, *allowed}
    assert found.why or allowed
    assert {*found.tied} <= {*allowed} - {found.measure}
    assert "nDCG@10" in found.defensible
    assert [*found.table.index] == measures
    if found.measure:
        bound = found.table.loc[found.measure, "worst_loss"] + DEFENSIBLE
        near = [own for own in allowed if found.table.loc[own, "worst_loss"] <= bound]
        assert {*found.defensible} == {found.measure, "nDCG@10", *near}


@pytest.mark.slow
@given(some_facts)
@settings(max_examples=50, deadline=None)
def test_a_candidate_that_is_not_chosen_changes_nothing_when_it_is_taken_away(of):
    """The choice does not depend on others: losses are those against all that was simulated."""
    found = choose(SIMULATED, of, "nDCG@10")
    if found.measure is None:
        return
    kept = [own for own in SIMULATED if own in {found.measure, *found.tied}]
    assert choose(kept, of, "nDCG@10").measure == found.measure


def test_lists_of_five_leave_cutoffs_up_to_five():
    found = choose(SIMULATED, replace(MEDIUM, depth=5), "nDCG@5")
    assert found.measure.endswith("@5")
    deep = [own for own in SIMULATED if Measure.parse(own).cutoff > 5]
    assert not found.table.loc[deep, "simulated"].any()
    assert found.table.loc[deep, "worst_loss"].isna().all()


def test_weighed_measures_compete_where_the_weights_are_those_that_were_simulated():
    weighed = [own for own in SIMULATED if weighs(own)]
    for weights in ("none", "given"):
        found = choose(weighed, replace(MEDIUM, weights=weights), "nDCG@10")
        assert (found.measure, found.why) == (None, ("not-simulated",))
        assert found.defensible == ("nDCG@10",)
    assert choose(weighed, MEDIUM, "nDCG@10").measure in weighed


def test_without_dislikes_judged_only_forms_are_not_simulated():
    found = choose(SIMULATED, replace(MEDIUM, negative=False), "nDCG@10")
    assert not found.table.loc[["CP@50", "P(denominator='judged')@50"], "simulated"].any()
    assert found.measure in LIKED_ONLY


@pytest.mark.parametrize("measures", [[], ["Q@10", "mine:hits@5"], ["P@7"]])
def test_measures_that_were_not_simulated_leave_nothing_to_choose(measures):
    found = choose(measures, MEDIUM, "nDCG@10")
    assert (found.measure, found.why, found.tied) == (None, ("not-simulated",), ())


def test_where_all_are_excluded_nothing_is_chosen():
    found = choose(["P@10", "nDCG@10"], MEDIUM, "nDCG@10", {"P@10", "nDCG@10"})
    assert (found.measure, found.why) == (None, ("not-simulated",))
    assert found.table["simulated"].all()


def test_names_are_kept_as_they_are_given_and_unknown_ones_name_the_nearest():
    found = choose(["Recall@10", "IPS(gain='P', centred=True)@10"], MEDIUM, "NDCG@10")
    assert [*found.table.index] == ["Recall@10", "IPS(gain='P', centred=True)@10"]
    assert found.table["simulated"].all()
    with pytest.raises(RankassayError, match="nDCG"):
        choose(["nDGC@10"], MEDIUM, "nDCG@10")


def test_a_conventional_measure_that_was_not_simulated_stands_beside_the_chosen_one():
    found = choose(["P@10", "Q@10"], MEDIUM, "Q@10")
    assert (found.measure, found.defensible) == ("P@10", ("P@10", "Q@10"))


def test_far_fewer_users_than_were_simulated_are_too_few_to_tell():
    least = worlds.fewest_users()
    assert least == min(
        worlds.worlds(*own).looks["users"] for own in product(worlds.sizes(), worlds.FEEDBACK)
    )
    for users, why in ((int(least / 4) - 1, ("size",)), (int(least / 4) + 2, ())):
        found = choose(SIMULATED, replace(MEDIUM, users=users, relevant=1), "nDCG@10")
        assert found.why == why
        assert (found.measure is None) == bool(why)


def test_sizes_are_the_nearest_by_users_and_relevant_items():
    for size in worlds.sizes():
        looks = worlds.worlds(size, "graded").looks
        of = replace(MEDIUM, users=looks["users"], relevant=looks["relevant_median"])
        found = choose(["P@10"], of, "P@10")
        assert found.size["name"] == size
        assert found.size["users"] == looks["users"]
    huge = choose(["P@10"], replace(MEDIUM, users=10**6, relevant=30), "P@10").size["users"]
    assert huge == max(worlds.worlds(size, "graded").looks["users"] for size in worlds.sizes())


@given(st.integers(1, 10**6), st.floats(1, 300), st.sampled_from(worlds.FEEDBACK))
@settings(max_examples=50, deadline=None)
def test_the_nearest_size_is_that_of_the_formula(users, relevant, feedback):
    distances = {}
    for size in worlds.sizes():
        looks = worlds.worlds(size, feedback).looks
        by_users = math.log(users / looks["users"]) ** 2
        distances[size] = by_users + math.log(relevant / looks["relevant_median"]) ** 2 / 2
    found = worlds.nearest(users, relevant, feedback)
    assert distances[found.size] == pytest.approx(min(distances.values()))


@pytest.mark.parametrize("feedback", worlds.FEEDBACK)
def test_the_smallest_worlds_decide_with_the_next_larger(feedback):
    small, medium, large = (worlds.worlds(size, feedback) for size in worlds.sizes())
    found = worlds.deciding(small.looks["users"], small.looks["relevant_median"], feedback)
    n = min(small.tau.shape[1], medium.tau.shape[1])
    assert found.looks["worlds"] == n
    assert found.size == small.size
    for name in ("nDCG@10", "IPS(gain='P', power=0.5)@50", "infAP@20"):
        sums = sum(own.tau[:, :n, own.measures.index(name)] for own in (small, medium))
        np.testing.assert_array_equal(found.tau[:, :, found.measures.index(name)], sums / 2)
    for own in (medium, large):
        looks = own.looks["users"], own.looks["relevant_median"]
        assert worlds.deciding(*looks, feedback) is own


def test_facts_look_at_no_order_of_a_list():
    """Turned lists have the same facts, and so the same choice."""
    own = made_up.given(weights="popularity")
    turned = {}
    for name, lists in own.systems.items():
        last = lists.length[own.judgements.row]
        ranks = np.where(lists.ranks > 0, last + 1 - lists.ranks, 0).astype(lists.ranks.dtype)
        turned[name] = replace(lists, ranks=ranks)
    found = facts(own)
    assert facts(replace(own, systems=turned)) == found
    relevant = own.judgements.n_relevant
    assert found.users == (relevant > 0).sum()
    assert (found.depth, found.weights, found.negative) == (20, "popularity", True)
    assert found.relevant == np.median(relevant[relevant > 0])
