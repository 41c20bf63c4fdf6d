"""Which differences between runs one may write, how runs are ranked, and why."""

import itertools
from dataclasses import replace

import made_up
import numpy as np
import pandas as pd
import pytest
import scipy.stats
from advice_runs import given_of

from rankassay.advice import conclusions
from rankassay.advice.conclusions import because, seen
from rankassay.advice.findings import PAIRS, SYSTEMS, records
from rankassay.advice.given import Given, Settings, values
from rankassay.advice.rule import Rule
from rankassay.artifacts.arrays import Scores
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics import sensitivity, significance
from rankassay.statistics.paired import compared

QUICK = Settings(permutations=1000)
JUDGED = "P(denominator='judged')@2"


def rule_of(measure, others, usual):
    return Rule(measure, measure, measure, (measure, *others), usual, ())


def pairs(own, measure, others, usual, settings):
    return conclusions.pairs(own, rule_of(measure, others, usual), settings)


def systems(own, measure, usual, found, settings):
    """Return the user's runs by two measures."""
    table = conclusions.systems(own, rule_of(measure, (), usual), found, settings)
    return table[~table["reference"]]


def of_study(n_systems=5, **changes):
    """Return what advice is given on, of users who rate as they like and lists of 20."""
    _, test, rankings = made_up.study(n_systems=n_systems)
    judgements = Judgements.of(test, 4)
    lists = {name: Lists.of(ranking, judgements) for name, ranking in rankings.items()}
    return replace(Given(judgements, test.indices, lists), **changes)


def ten(first, second, third=None):
    """Return ten users who like item "a", and what runs list for them, one letter a user."""
    users = [f"u{n}" for n in range(10)]
    qrels = {user: {"a": 1, "b": 0} for user in users}
    rows = {"one": first, "two": second, "three": third}
    runs = {
        name: dict(zip(users, map(list, own), strict=True)) for name, own in rows.items() if own
    }
    return given_of(qrels, runs)


def by_pair(table):
    return table.set_index(["better", "worse"])


def test_p_values_are_those_of_the_study_of_robustness():
    own, measures = of_study(), ["nDCG@10", "P@10", "R@5"]
    settings = replace(QUICK, seed=3, permutations=500)
    found = by_pair(pairs(own, "nDCG@10", measures, "P@10", settings))
    x = values(own, measures, settings)
    scores = Scores(x, own.judgements.users, np.array([*own.systems]), np.array(measures))
    table = significance.p_values(scores, 500, 3, "permutation", True, "1%")
    assert len(found) == 10
    for metric, column in (("nDCG", "p"), ("P", "conventional_p")):
        expected = table[table["metric"] == metric].set_index(["system_a", "system_b"])["adjusted"]
        for pair, p in found[column].items():
            assert p == expected.get(pair, expected.get(pair[::-1]))
    assert found["p"].nunique() > 3
    for (better, worse), row in found.iterrows():
        for metric, measure in (("nDCG", "nDCG@10"), ("P", "P@10"), ("R", "R@5")):
            own = table[table["metric"] == metric].set_index(["system_a", "system_b"])
            turn = (better, worse) not in own.index
            one = own.loc[(worse, better) if turn else (better, worse)]
            sign = np.sign(-one["difference"] if turn else one["difference"])
            sign = sign if one["adjusted"] < 0.05 else 0
            assert row["signs"][measure] == sign
            assert measure != "P@10" or row["conventional_sign"] == sign
        assert row["written"] == ({*row["signs"].values()} == {1})
    assert {sign for signs in found["signs"] for sign in signs.values()} == {-1, 0, 1}


def test_means_and_differences_are_those_of_a_comparison():
    own = of_study()
    found = pairs(own, "nDCG@10", [], "P@10", QUICK)
    x = values(own, ["nDCG@10"], QUICK)
    how = "permutation", 1000, 0, "max-t", 0.05, 0.95
    means, expected = compared(x, [*own.systems], ["nDCG@10"], *how)
    assert found["better"].tolist() == expected["run_a"].tolist()
    assert found["worse"].tolist() == expected["run_b"].tolist()
    np.testing.assert_allclose(found["difference"], expected["difference"], rtol=1e-12)
    np.testing.assert_array_equal(found["p"], expected["corrected"])
    np.testing.assert_array_equal(found["significant"], expected["significant"])
    ranked = systems(own, "nDCG@10", "P@10", found, QUICK).set_index("system")
    means = means.set_index("run").loc[ranked.index]
    np.testing.assert_allclose(ranked["mean"], means["mean"], rtol=1e-14)
    np.testing.assert_allclose(ranked["low"], means["low"], rtol=1e-12)
    np.testing.assert_allclose(ranked["high"], means["high"], rtol=1e-12)
    assert ranked["place"].tolist() == means["rank"].tolist() == [1, 2, 3, 4, 5]
    usual = values(own, ["P@10"], QUICK)[:, :, 0]
    usual = dict(zip(own.systems, np.nanmean(usual, axis=0), strict=True))
    np.testing.assert_allclose(ranked["conventional"], [usual[name] for name in ranked.index])
    letters = dict(zip(means["letter"], means.index, strict=True))
    for beats, expected in zip(ranked["beats"], means["beats"], strict=True):
        assert {*beats} == {letters[letter] for letter in expected.split(",") if letter}
    expected = np.argsort(np.argsort([-usual[name] for name in ranked.index])) + 1
    assert ranked["conventional_place"].tolist() == expected.tolist()
    assert any(ranked["beats"])


@pytest.mark.parametrize("measure", ["nDCG@10", "P@5", "P(denominator='judged')@10"])
def test_no_interval_contradicts_its_p_value(measure):
    """The interval of a single difference would: it has no 0 where the corrected p is above .05."""
    own = of_study(n_systems=7)
    found = pairs(own, measure, [], measure, QUICK)
    np.testing.assert_array_equal(found["low"] > 0, found["significant"])
    assert (found["low"] <= found["difference"]).all()
    assert (found["difference"] < found["high"]).all()
    x = values(own, [measure], QUICK)
    alone = compared(x, [*own.systems], [measure], "permutation", 100, 0, "max-t", 0.05, 0.95)[1]
    assert ((alone["low"] > 0) > found["significant"]).any()
    assert (found["high"] - found["low"] > alone["high"] - alone["low"]).all()


def test_the_p_value_of_two_runs_is_that_of_all_permutations():
    own = ten("aaaaaaaabb", "bbbbbbaabb")
    [row] = pairs(own, "P@1", [], "P@1", replace(QUICK, permutations=2000)).to_dict("records")
    d = np.array([1, 1, 1, 1, 1, 1, 0, 0, 0, 0])
    signs = np.array([*itertools.product((1, -1), repeat=10)])
    assert row["p"] == (np.abs(signs @ d) >= d.sum()).mean() == 2 / 2**6
    scipys = scipy.stats.permutation_test(
        (d,), np.mean, permutation_type="samples", n_resamples=np.inf
    )
    assert row["p"] == pytest.approx(scipys.pvalue)
    assert (row["better"], row["worse"], row["difference"]) == ("one", "two", pytest.approx(0.6))
    assert row["significant"]
    assert row["signs"] == {"P@1": 1}


def test_p_values_hold_for_all_pairs_at_once():
    """By brute force: the largest standardised difference of any pair, over all signs."""
    own = ten("aaaaaaaabb", "bbaaaaaabb", "bbbbbbabaa")
    found = by_pair(pairs(own, "P@1", [], "P@1", replace(QUICK, permutations=2000)))
    x = np.array([[letter == "a" for letter in run] for run in ("aaaaaaaabb", "bbaaaaaabb")], float)
    x = np.vstack([x, [letter == "a" for letter in "bbbbbbabaa"]])
    d = {pair: x[pair[0]] - x[pair[1]] for pair in itertools.combinations(range(3), 2)}
    signs = np.array([*itertools.product((1, -1), repeat=10)])
    drawn = {pair: np.abs(signs @ own) / np.sqrt((own**2).sum()) for pair, own in d.items()}
    largest = np.max([*drawn.values()], axis=0)
    names = ["one", "two", "three"]
    for (i, j), own in drawn.items():
        p = (largest >= own[0] - 1e-12).mean()  # the first signs are all 1: what was observed
        assert found.loc[(names[i], names[j]), "p"] == pytest.approx(p)
        assert found.loc[(names[i], names[j]), "correction"] == "max-t"


def test_a_difference_may_be_written_if_every_measure_of_the_rule_shows_it():
    """Under P@1 and RR@2 the first run is better, under P@2 it is so for one user alone."""
    users = [f"u{n}" for n in range(24)]
    qrels = {user: {"a": 1, "b": 0} for user in users}
    runs = {"one": dict.fromkeys(users, "ab"), "two": dict.fromkeys(users, "ba") | {"u0": "bx"}}
    own = given_of(qrels, runs)
    [row] = pairs(own, "P@1", ["RR@2", "P@2"], "P@1", QUICK).to_dict("records")
    assert row["signs"] == {"P@1": 1, "RR@2": 1, "P@2": 0}
    assert not row["written"]
    assert np.isnan(row["stands_to"])
    [row] = pairs(own, "P@1", ["RR@2"], "P@1", QUICK).to_dict("records")
    assert row["written"]
    assert (row["gamma"], row["stands_to"]) == (np.inf, 4.0)
    # The conventional measure has no veto.
    [row] = pairs(own, "P@1", ["RR@2"], "P@2", QUICK).to_dict("records")
    assert row["conventional_difference"] == pytest.approx(1 / 48)
    assert (row["conventional_p"], row["conventional_sign"], row["written"]) == (1, 0, True)


def test_a_measure_of_which_less_is_better():
    own = ten("aaaaaaaaaa", "bbbbbbbbbb")
    [row] = pairs(own, "FP@1", ["P@1"], "P@1", QUICK).to_dict("records")
    assert (row["better"], row["worse"], row["difference"]) == ("one", "two", -1.0)
    assert row["signs"] == {"FP@1": 1, "P@1": 1}
    ranked = systems(own, "FP@1", "P@1", pd.DataFrame([row]), QUICK)
    assert ranked["system"].tolist() == ["one", "two"]
    assert ranked["mean"].tolist() == [0, 1]
    assert ranked["beats"].tolist() == [["two"], []]


def test_gamma_is_that_of_sensitivity_for_pairs_that_may_be_written():
    own = of_study()
    evaluation = {"measures": ["P@10"], "profile": "paper", "without_relevant": "nan"}
    table = sensitivity.pairs(own.judgements, own.item, own.judged, evaluation, gamma=1.5)
    table = table.set_index(["leader", "other"])
    found = by_pair(pairs(own, "P@10", ["RR@10"], "P@10", replace(QUICK, gamma=1.5)))
    assert 0 < found["written"].sum() < len(found)
    for pair, row in found.iterrows():
        if row["written"]:
            assert row["gamma"] == table.loc[pair, "gamma"]
            assert row["stands_to"] == table.loc[pair, "stands_to"]
        else:
            assert np.isnan(row["gamma"])
            assert np.isnan(row["stands_to"])


def test_runs_that_list_the_judged_items_alike_are_identical():
    """Whatever unjudged items they have, and what they list for users without a relevant one."""
    qrels = {"u": {"a": 1, "b": 0}, "v": {"a": 1}, "w": {"c": 0}}
    one = {"u": ["a", "x", "b"], "v": ["y", "a"], "w": ["c"]}
    same = {"u": ["a", "z", "b"], "v": ["x", "a"], "w": ["x"]}
    other = {"u": ["a", "b", "x"], "v": ["x", "a"], "w": ["c"]}
    own = given_of(qrels, {"one": one, "same": same, "other": other})
    found = by_pair(pairs(own, "P@1", [], "P@1", QUICK))
    assert found["identical"].to_dict() == {
        ("one", "same"): True,
        ("one", "other"): False,
        ("same", "other"): False,
    }
    assert found.loc[("one", "same"), "p"] == 1
    assert np.isnan(found.loc[("one", "same"), "gamma"])
    assert not found.loc[("one", "same"), "written"]


def test_runs_with_equal_means_share_a_place_and_no_others_do():
    own = ten("aaaaaaaaab", "baaaaaaaaa", "aaaaaaaabb")
    found = pairs(own, "P@1", [], "P@1", QUICK)
    ranked = systems(own, "P@1", "P@1", found, QUICK)
    assert ranked["place"].tolist() == [1, 1, 3]
    assert ranked["beats"].tolist() == [[], [], []]
    assert not found["significant"].any()


def test_users_without_a_value_take_no_part():
    """The same numbers as without users who have no relevant item, up to the random signs."""
    qrels = {f"u{n}": {"a": 1, "b": 0} for n in range(10)}
    runs = {
        "one": {f"u{n}": ["a"] if n < 8 else ["b"] for n in range(10)},
        "two": {f"u{n}": ["a"] if n < 2 else ["b"] for n in range(10)},
    }
    few, more = given_of(qrels, runs), {f"v{n}": {"a": 0, "b": 0} for n in range(5)}
    for name in runs:
        runs[name] = runs[name] | dict.fromkeys(more, "a")
    many = given_of(qrels | more, runs)
    settings = replace(QUICK, permutations=2**16)  # all that there are
    found, expected = (pairs(own, "P@1", [JUDGED], "RR@5", settings) for own in (many, few))
    columns = ["better", "worse", "difference", "p", "signs", "gamma", "stands_to"]
    assert records(found[columns]) == records(expected[columns])
    one, other = (systems(own, "P@1", "RR@5", found, settings) for own in (many, few))
    assert one["mean"].tolist() == other["mean"].tolist() == [0.8, 0.2]


def test_where_runs_differ_in_who_has_a_value_pairs_are_tested_by_the_users_of_both():
    """Judged-only precision without a value for lists without a judged item: Holm's correction."""
    own = ten("aaaaaaxxbb", "bbbbbbaaxx", "bbbbbbbbbb")
    measure = "P(denominator='judged_nan')@1"
    settings = replace(QUICK, permutations=2**10)
    found = by_pair(pairs(own, measure, [], "P@1", settings))
    assert found["correction"].tolist() == ["holm"] * 3
    assert found.loc[("one", "two"), "difference"] == 1  # of the first six users
    p = {("one", "two"): 2 / 2**6, ("one", "three"): 2 / 2**6, ("two", "three"): 2 / 2**2}
    assert found.loc[("one", "two"), "p"] == pytest.approx(3 * p["one", "two"])
    assert found.loc[("two", "three"), "p"] == pytest.approx(p["two", "three"])
    ranked = systems(own, measure, "P@1", found.reset_index(), settings)
    assert ranked["mean"].tolist() == [0.75, 0.25, 0.0]


def test_one_run_has_a_mean_and_no_pairs():
    own = ten("aaaaaabbbb", None)
    found = pairs(own, "P@1", ["P@2"], "nDCG@10", QUICK)
    assert found.columns.tolist() == [*PAIRS]
    assert records(found) == []
    [row] = systems(own, "P@1", "nDCG@10", found, QUICK).to_dict("records")
    assert (row["system"], row["mean"], row["place"], row["beats"]) == ("one", 0.6, 1, [])
    assert row["low"] < 0.6 < row["high"]


def test_without_a_hit_runs_are_tied():
    own = ten("bbbbbbbbbb", "xxxxxxxxxx")
    found = pairs(own, "P@1", ["nDCG@10"], JUDGED, QUICK)
    [row] = found.to_dict("records")
    assert (row["difference"], row["p"], row["significant"], row["written"]) == (0, 1, False, False)
    assert row["signs"] == {}  # no measure tells one from the other
    assert np.isnan(row["gamma"])
    assert systems(own, "P@1", JUDGED, found, QUICK)["place"].tolist() == [1, 1]


def test_without_a_relevant_item_nobody_has_a_value():
    own = given_of({"u": {"a": 0}, "v": {"b": 0}}, {"one": {"u": ["a"]}, "two": {"v": ["b"]}})
    found = pairs(own, "P@1", ["nDCG@10"], "R@5", QUICK)
    assert records(found) == []
    ranked = systems(own, "P@1", "R@5", found, QUICK)
    assert ranked["place"].isna().all()
    assert ranked["mean"].isna().all()


def test_reference_systems_come_last_and_have_no_place():
    qrels = {f"u{n}": {"a": 1, "b": 0} for n in range(10)}
    runs = {"bad": dict.fromkeys(qrels, "b"), "fair": dict.fromkeys([*qrels][:5], "a")}
    own = given_of(qrels, runs, {"reference": dict.fromkeys(qrels, "a")})
    found = pairs(own, "P@1", [], "P@1", QUICK)
    assert {*found["better"], *found["worse"]} == {"bad", "fair"}
    assert systems(own, "P@1", "P@1", found, QUICK)["system"].tolist() == ["fair", "bad"]
    more = conclusions.systems(own, rule_of("P@1", (), "P@1"), found, QUICK)
    assert more.columns.tolist() == [*SYSTEMS]
    assert more["system"].tolist() == ["fair", "bad", "reference"]
    assert more["reference"].tolist() == [False, False, True]
    assert more["place"].tolist()[:2] == [1, 2]
    assert pd.isna(more["place"][2])
    assert more["mean"].tolist() == [0.5, 0.0, 1.0]


def test_the_same_seed_gives_the_same_tables_and_names_do_not_matter():
    own = of_study()
    one, again = (pairs(own, "nDCG@10", ["P@10"], "P@10", QUICK) for _ in range(2))
    pd.testing.assert_frame_equal(one, again, check_exact=True)
    renamed = replace(own, systems={f"run {n}": s for n, s in enumerate(own.systems.values())})
    other = pairs(renamed, "nDCG@10", ["P@10"], "P@10", QUICK)
    names = dict(zip(own.systems, renamed.systems, strict=True))
    assert one["better"].map(names).tolist() == other["better"].tolist()
    assert one["p"].tolist() == other["p"].tolist()


def test_what_is_found_and_liked_is_counted_in_the_first_ten_places_of_users_who_count():
    qrels = {"u": {"a": 1, "b": 0}, "v": {"a": 1, "c": 1}, "w": {"a": 0}}
    filled = list("klmnopqrs")
    run = {"u": ["a", "b", *filled], "v": [*filled, "x", "a", "c"], "w": ["a"]}
    found, liked = seen(given_of(qrels, {"one": run, "two": {"u": ["x"]}}))
    # The lists that both runs have are of one item.
    np.testing.assert_allclose([found[0], liked[0]], [1 / 2, 1.0])
    assert (found[1], np.isnan(liked[1])) == (0, True)
    found, liked = seen(given_of(qrels, {"one": run}))
    np.testing.assert_allclose([found[0], liked[0]], [2 / 20, 1 / 2])


@pytest.mark.parametrize(
    ("first", "found", "liked"),
    [
        ({"a": 20}, 1, 0),  # more liked items, and nothing else
        ({"a": 20, "b": 20}, 1, -1),
        ({"b": 20}, 1, -1),
    ],
)
def test_the_first_run_is_compared_by_what_it_finds_and_what_is_liked(first, found, liked):
    users = [f"u{n}" for n in range(40)]
    qrels = {user: {"a": 1, "b": 0, "c": 1, "d": 0} for user in users}
    add = [[item for item, count in first.items() if n < count] for n in range(len(users))]
    runs = {
        "more": {user: ["c", *more] for user, more in zip(users, add, strict=True)},
        "less": {user: ["c", "x", "y"] for user in users},
    }
    own = given_of(qrels, runs)
    rule = rule_of("P@3", (), "P@3")
    table = conclusions.systems(own, rule, conclusions.pairs(own, rule, QUICK), QUICK)
    told = because(own, table, rule, QUICK)
    signs = (told["found"], told["liked"])
    assert signs == ((found, liked) if told["first"] == "more" else (-found, -liked))
    assert {told["first"], told["second"]} == {"more", "less"}
    assert because(own, table[:1], rule, QUICK) is None


def test_a_shorter_list_finds_no_more_by_being_short():
    """As the table counts it: of ten places, whether or not the list fills them."""
    users = [f"u{n}" for n in range(40)]
    qrels = {user: {"a": 1, "b": 0, "c": 1, "d": 0} for user in users}
    shorter = {user: ["c"] for user in users[:39]} | {users[39]: ["c", "x", "y"]}
    own = given_of(qrels, {"one": shorter, "two": {user: ["c", "x", "y"] for user in users}})
    rule = rule_of("P@3", (), "P@3")
    table = conclusions.systems(own, rule, conclusions.pairs(own, rule, QUICK), QUICK)
    assert because(own, table, rule, QUICK)["found"] == 0


def test_measures_that_tell_no_run_from_another_have_no_say():
    """All lists order the same judged items: their share of hits is the same for all."""
    users = [f"u{n}" for n in range(12)]
    qrels = {user: {"a": 1, "b": 0} for user in users}
    own = given_of(qrels, {"one": dict.fromkeys(users, "ab"), "two": dict.fromkeys(users, "ba")})
    [row] = pairs(own, "RR@2", [JUDGED], "P@1", QUICK).to_dict("records")
    assert (row["signs"], row["written"]) == ({"RR@2": 1}, True)
    [row] = pairs(own, JUDGED, [], "P@1", QUICK).to_dict("records")
    assert (row["signs"], row["written"]) == ({}, False)
