"""How far to trust a ranking: what could change it, with numbers."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from advice_runs import given_of
from given_made_up import given
from scipy.stats import kendalltau

from rankassay.advice import trust
from rankassay.advice.conclusions import pairs, selection, values
from rankassay.advice.findings import TRUST, plainly
from rankassay.advice.settings import Settings
from rankassay.metrics.evaluate import evaluate
from rankassay.statistics import sensitivity, sparsity
from rankassay.statistics.incomplete import random_part
from rankassay.statistics.judged_systems import TestSet
from rankassay.statistics.power_analysis import Pairs, required
from rankassay.studies import validity

QUICK = Settings(permutations=200, resamples=40, samples=3, percentages=(90, 80))
JUDGED = "P(denominator='judged')@5"


@pytest.fixture(scope="module")
def own():
    return given()


def entries(given, measure, settings=QUICK):
    table = pairs(given, measure, [], measure, settings)
    found = trust.entries(given, pd.DataFrame(), table, {"measure": measure}, settings)
    return {entry["kind"]: entry for entry in found}


def letters(**runs):
    """Return ten users who like "a" and not "b", and runs that list a letter for each."""
    users = [f"u{n}" for n in range(10)]
    qrels = {user: {"a": 1, "b": 0} for user in users}
    return given_of(qrels, {name: dict(zip(users, own, strict=True)) for name, own in runs.items()})


def test_every_entry_has_the_numbers_of_its_line_and_can_be_stored(own):
    found = entries(own, JUDGED, replace(QUICK, percentages=(20,)))
    found |= entries(letters(one="aaaaaaaabb", two="bbbbbbaabb"), "P@1")
    assert {*found} == {*TRUST} - {"alike"}  # which has a module, and tests, of its own
    for kind, entry in found.items():
        assert {"kind", "rows", *TRUST[kind]} <= {*entry}
        assert plainly(entry) == entry or kind == "bias"  # whose Gamma may be infinite


@pytest.mark.slow
def test_half_of_the_judgements_are_removed_as_in_the_study_of_sparsity(own):
    evaluation = {"measures": ["nDCG@10"], "profile": "paper", "without_relevant": "nan"}
    evaluation |= {"aggregate": "mean"}
    lists = [*own.systems.values()]
    whole = TestSet.of_lists(own.judgements, own.item, lists, evaluation, own.depth)
    study = sparsity.robustness(whole, [50], trust.HALVES, 0, resamples=40)
    [expected] = study.with_interval().table.to_dict("records")
    found = entries(own, "nDCG@10")["missing"]
    assert (found["tau"], found["low"], found["high"]) == tuple(
        pytest.approx(expected[name], abs=1e-12) for name in ("tau", "low", "high")
    )
    assert found["low"] < found["tau"] < found["high"]
    assert np.mean([row["tau"] for row in found["rows"]]) == pytest.approx(found["tau"])
    taus = [trust.missing(own, "nDCG@10", replace(QUICK, seed=seed))["tau"] for seed in (1, 2, 3)]
    assert np.ptp(taus) < 0.05  # with three halves, 0.10


def test_tau_is_that_of_the_rankings_by_scipy(own):
    keep = random_part(own.judgements.start, 50, 0, 0)
    part = own.judgements.sample(keep)
    lists = [replace_ranks(lists, keep) for lists in own.systems.values()]
    rows = np.searchsorted(own.judgements.users, part.users)
    lists = [replace(one, length=one.length[rows]) for one in lists]
    on_part = np.nanmean(evaluate(part, lists, ["P@5"], "paper", own.depth, "nan"), axis=0)[:, 0]
    whole = np.nanmean(values(own, ["P@5"], QUICK), axis=0)[:, 0]
    rounded = [np.round(means, 12) for means in (on_part, whole)]
    expected = kendalltau(*rounded).statistic
    assert entries(own, "P@5")["missing"]["rows"][0]["tau"] == pytest.approx(expected)
    assert expected < 1


def replace_ranks(lists, keep):
    return replace(lists, ranks=lists.ranks[keep])


@pytest.mark.parametrize(("tau", "robust"), [(0.7999, False), (0.8, True)])
def test_a_ranking_is_robust_from_a_tau_of_four_fifths(own, monkeypatch, tau, robust):
    taus = np.full((3, 41, 1), tau)
    monkeypatch.setattr(trust, "against_whole", lambda *_: {50: taus})
    assert entries(own, "P@5")["missing"]["robust"] is robust


def test_reference_systems_are_ranked_with_few_runs_and_counted(own):
    names = [*own.systems]
    few = replace(own, systems={name: own.systems[name] for name in names[:4]})
    assert "missing" not in entries(few, "P@5")
    rest = {name: own.systems[name] for name in names[4:]}
    found = entries(replace(few, references=rest), "P@5")
    assert (found["missing"]["systems"], found["missing"]["references"]) == (7, 3)
    assert found["missing"]["tau"] == entries(own, "P@5")["missing"]["tau"]
    assert "few" not in found


@pytest.mark.parametrize(("n", "pairs"), [(1, 0), (2, 1), (5, 10)])
def test_few_systems_are_said_to_be_few(own, n, pairs):
    few = replace(own, systems=dict([*own.systems.items()][:n]))
    assert trust.few(few) == {"kind": "few", "systems": n, "pairs": pairs, "rows": []}
    assert trust.few(own) is None


def test_the_leader_changes_at_the_gamma_of_the_winners_of_sensitivity(own):
    found = entries(own, "P@5")["bias"]
    [expected] = sensitivity.winners(selection(own, "P@5", QUICK)).to_dict("records")
    for name in ("measure", "leader", "rival", "gamma"):
        assert found[name] == expected[name]
    assert found["reversed"] is False
    assert found["rows"][0]["rival"] == found["rival"]
    gammas = [row["gamma"] for row in found["rows"]]
    assert gammas == sorted(gammas)
    assert len(gammas) == 6


def test_gamma_of_two_runs_by_hand():
    """Four hits against one: they are level where the four count a half and the one twice."""
    own = letters(one="aaaaabbbbb", two="abbbbabbbb")
    found = entries(own, "P@1")["bias"]
    assert (found["leader"], found["rival"], found["gamma"]) == ("one", "two", 2.0)
    assert found["rows"] == [{"rival": "two", "gamma": 2.0, "stands_to": 0.0, "stands": False}]


def test_where_no_weights_change_the_leader_there_is_no_rival():
    found = entries(letters(one="aaaaabbbbb", two="abbbbbbbbb"), "P@1")["bias"]
    assert (found["rival"], found["gamma"]) == (None, math.inf)


def test_where_precision_stands_in_and_has_another_leader_gamma_is_1():
    qrels = {f"u{n}": {"a": 1, "b": 1, "c": 0, "d": 0} for n in range(12)}
    own = given_of(
        qrels, {"one": dict.fromkeys(qrels, "axyz"), "two": dict.fromkeys(qrels, "abcd")}
    )
    found = entries(own, "P(denominator='judged')@4")["bias"]
    assert (found["measure"], found["leader"], found["rival"]) == ("P@4", "one", "two")
    assert (found["gamma"], found["reversed"]) == (1.0, True)


def test_runs_with_the_same_hits_have_no_entry_of_bias():
    same = {"one": "aaaaabbbbb", "two": "aaaaaxxxxx"}
    assert "bias" not in entries(letters(**same), "P@1")
    found = entries(letters(**same, three="abbbbabbbb"), "P@1")["bias"]
    assert (found["leader"], found["rival"], found["gamma"]) == ("one", "three", 2.0)
    assert [row["rival"] for row in found["rows"]] == ["three", "two"]


def test_the_ratio_in_simulations_is_that_of_the_shipped_table():
    table = pd.read_csv(f"{validity.__path__[0]}/reference/gamma.csv")
    own = table[(table["kind"] == "all") & (table["half"] == "all")]["ratio_95"]
    assert own.nunique() == 1
    assert trust.simulated_ratio() == own.iloc[0]
    assert 1 < trust.simulated_ratio(50) < trust.simulated_ratio(95)


def test_pairs_that_reverse_without_the_most_popular_items_are_named():
    """One run finds the item that all rate, the other one the ten that one user each rates."""
    users = [f"u{n}" for n in range(10)]
    rare = dict(zip(users, "bcdefghijk", strict=True))
    qrels = {user: {"a": 1, rare[user]: 1} for user in users}
    runs = {
        "popular": dict.fromkeys(users, "ax"),
        "rare": {user: [rare[user], "y"] if n < 8 else "xy" for n, user in enumerate(users)},
        "both": {user: ["a", rare[user]] for user in users},
    }
    found = entries(given_of(qrels, runs), "P@2")["popularity"]
    assert [(row["better"], row["worse"]) for row in found["rows"]] == [("popular", "rare")]
    assert (found["reversed"], found["pairs"], found["percentage"]) == (1, 3, 80)
    assert found["significant"] == found["rows"][0]["significant"] == 0
    # A pair that is tied on one side does not reverse.
    runs["popular"] = {user: "ax" if n < 8 else "xy" for n, user in enumerate(users)}
    assert "popularity" not in entries(given_of(qrels, runs), "P@2")


def test_training_ratings_say_which_items_are_popular_if_there_are_any(own):
    """Brute force over the judgements of the least popular items."""
    number = own.popularity
    items = sorted({*own.item.tolist()}, key=lambda item: (number[item], item))
    keep = np.isin(own.item, items[: round(0.2 * len(items))])
    part = own.judgements.sample(keep)
    rows = np.searchsorted(own.judgements.users, part.users)
    measures = ["P@5", "nDCG@20"]
    lists = [
        replace(replace_ranks(one, keep), length=one.length[rows]) for one in own.systems.values()
    ]
    after = np.nanmean(evaluate(part, lists, measures, "paper", own.depth, "nan"), axis=0)
    before = np.nanmean(values(own, measures, QUICK), axis=0)
    settings = replace(QUICK, percentages=(90, 20))
    found = trust.without_popular(own, measures, settings)
    for m in range(2):
        expected = [
            (before[a, m] - before[b, m]) * (after[a, m] - after[b, m]) < -1e-12
            for a, b in itertools.combinations(range(len(lists)), 2)
        ]
        assert found[m].tolist() == expected
        assert found[m].any()
    other = replace(own, popularity=number.max() - number)
    assert trust.without_popular(other, measures, settings).tolist() != found.tolist()


def test_where_no_relevant_item_is_left_no_pair_reverses():
    own = letters(one="aaaaaaaabb", two="bbbbbbaabb")
    assert not trust.without_popular(own, ["P@1"], replace(QUICK, percentages=(50,))).any()


def test_judged_items_are_counted_for_all_runs_and_by_run():
    own = given_of(
        {"u": {"a": 1, "b": 0}, "v": {"a": 1}, "w": {"c": 0}},
        {"one": {"u": "abx", "v": "yax", "w": "ccc"[:1]}, "two": {"u": "xyz", "v": "axy"}},
    )
    found = entries(own, "P@1")["unjudged"]
    assert found["judged_share"] == 4 / 12  # the user without a relevant item does not count
    assert found["judged_share_at_cutoff"] == 2 / 4
    assert [row["judged_share"] for row in found["rows"]] == [3 / 6, 1 / 6]
    assert [row["run"] for row in found["rows"]] == ["one", "two"]
    assert (found["pairs"], found["undetermined"]) == (1, 1)
    assert "unjudged" not in entries(letters(one="aaaaaaaabb", two="bbbbbbaabb"), "P@1")


def test_the_smallest_detectable_difference_is_that_of_a_plan(own):
    found = entries(own, "nDCG@10")["users"]
    x = values(own, ["nDCG@10"], QUICK)[:, :, 0]
    planned = Pairs.of(x).chosen(100 * found["detectable"], None, "median")
    assert found["users"] == len(planned.differences) == (own.judgements.n_relevant > 0).sum()
    assert required(planned.effect, 0.05, 0.8) == found["users"]
    less = Pairs.of(x).chosen(99.9 * found["detectable"], None, "median")
    assert required(less.effect, 0.05, 0.8) > found["users"]
    one, five = (Pairs.of(x).chosen(percent, None, "median") for percent in (1, 5))
    assert found["detectable"] > found["target"] == 0.05
    assert found["needed"] == required(five.effect, 0.05, 0.8)
    assert [row["needed"] for row in found["rows"]] == [
        required(pair.effect, 0.05, 0.8) for pair in (five, one)
    ]


@pytest.mark.parametrize(("deviation", "target"), [(0.3, 0.05), (0.05, 0.01), (0.002, None)])
def test_users_are_asked_for_where_a_difference_that_matters_is_not_detected(
    monkeypatch, own, deviation, target
):
    """Two runs with the mean 1, whose differences have a standard deviation; 100 users."""
    d = np.tile([deviation, -deviation], 50)
    x = np.stack([np.ones(100), 1 + d], axis=1)[:, :, None]
    monkeypatch.setattr(trust, "values", lambda *_: x)
    found = trust.users(own, "P@5", QUICK)
    assert found["target"] == target
    assert (found["needed"] is None) == (target is None)
    sd = d.std(ddof=1)
    assert found["detectable"] == pytest.approx((1.959964 + 0.841621) * sd / 10, rel=0.02)
    if target:
        assert found["needed"] == pytest.approx(7.8489 * (sd / target) ** 2, rel=0.05, abs=2)


def test_of_a_measure_with_values_below_0_the_difference_is_absolute(own):
    found = entries(own, "CP@5")["users"]
    assert (found["detectable"], found["target"], found["needed"]) == (None, None, None)
    x = values(own, ["CP@5"], QUICK)[:, :, 0]
    planned = Pairs.of(x).chosen(None, found["difference"], "median")
    assert required(planned.effect, 0.05, 0.8) == found["users"]
    less = Pairs.of(x).chosen(None, 0.999 * found["difference"], "median")
    assert required(less.effect, 0.05, 0.8) > found["users"]
    of_share = entries(own, "P@5")["users"]
    x = values(own, ["P@5"], QUICK)[:, :, 0]
    pair = Pairs.of(x).chosen(100 * of_share["detectable"], None, "median")
    assert pair.difference == pytest.approx(of_share["difference"])


def test_of_one_run_nothing_is_said_that_takes_two():
    assert [*entries(letters(one="aaaaaxxxbb"), "P@1")] == ["few", "unjudged"]
    found = entries(letters(one="aaaaaxxxbb"), "P@1")["unjudged"]
    assert (found["judged_share"], found["pairs"], found["undetermined"]) == (0.7, 0, 0)


def test_without_a_hit_or_a_relevant_item_entries_are_left_out():
    assert [*entries(letters(one="bbbbbbbbbb", two="xxxxxxxxxx"), "P@1")] == ["few", "unjudged"]
    qrels = {"u": {"a": 0}, "v": {"b": 0}}
    none = given_of(qrels, {name: {"u": "a", "v": "x"} for name in "abcdefg"})
    assert entries(none, "nDCG@5") == {}


@pytest.mark.slow
def test_the_same_seed_gives_the_same_entries(own):
    assert entries(own, JUDGED) == entries(own, JUDGED)
    other = entries(own, JUDGED, replace(QUICK, seed=1))["missing"]
    assert other != entries(own, JUDGED)["missing"]
