"""What has to hold of the data before a measure is reported, and what is said first."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats
from advice_runs import given_of
from given_made_up import given

from rankassay.advice.given import Settings, values
from rankassay.advice.rule import INFORMATIVE, Rule, rule
from rankassay.advice.simulated import TESTED, Range, measured, nearest, reasons, warnings
from rankassay.advice.words_names import RANDOM

QUICK = Settings(permutations=500)
NEAR = nearest(450, "graded")


@pytest.fixture(scope="module")
def own():
    """Return eight systems, each less like what users want; three are references."""
    found = given(150, 8, weights="popularity")
    systems = dict([*found.systems.items()][:5])
    rest = dict(
        zip(("reference: a", "reference: b", RANDOM), [*found.systems.values()][5:], strict=True)
    )
    return replace(found, systems=systems, references=rest)


def of(measure, flat=None, unweighed=None):
    return Rule(measure, flat or measure, unweighed or measure, (measure,), measure, ())


def test_the_range_is_of_reference_systems_alone(own):
    found = measured(own, rule(own), NEAR, QUICK)
    x = values(own, [rule(own).measure], QUICK, [*own.references])[:, :, 0]
    x = x[~np.isnan(x[:, 0])]
    t = [scipy.stats.ttest_rel(x[:, n], x[:, 2]).statistic for n in range(2)]
    assert found.t == pytest.approx(max(0.0, *t))
    other = replace(own, systems={"run": own.systems["system-4"]})
    assert measured(other, rule(own), NEAR, QUICK) == found
    assert found.share in (0, 1 / 3, 2 / 3, 1)
    assert found.limits == NEAR.limits(weighed=True)
    few = replace(own, train={"users": 20})
    assert measured(few, rule(few), NEAR, QUICK).limits == NEAR.limits(weighed=False)


def test_without_reference_systems_nothing_is_measured(own):
    assert measured(replace(own, references={}), rule(own), NEAR, QUICK) is None
    alone = {RANDOM: own.references[RANDOM]}
    assert measured(replace(own, references=alone), rule(own), NEAR, QUICK) is None


@pytest.mark.parametrize(
    ("t", "share", "inside"), [(2, 0.3, True), (1.9, 0.3, False), (2, 0.29, False), (9, 1, True)]
)
def test_data_are_in_range_where_both_reach_their_limits(own, t, share, inside):
    found = Range(t, share, {"t": 2, "share": 0.3})
    assert found.inside is inside
    assert reasons(own, rule(own), found) == ([] if inside else ["out-of-range"])


def few(n):
    """Return data of n users by whom two runs can differ."""
    users = [f"u{k}" for k in range(n)]
    qrels = {user: {"a": 1, "b": 0} for user in users}
    return given_of(qrels, {"one": dict.fromkeys(users, "ab"), "two": dict.fromkeys(users, "ba")})


@pytest.mark.parametrize(("n", "why"), [(INFORMATIVE - 1, ["few-informative"]), (INFORMATIVE, [])])
def test_it_takes_users_by_whom_runs_can_differ(n, why):
    assert reasons(few(n), of("P@1"), None) == why


def test_without_relevant_items_or_hits_nothing_else_is_asked():
    outside, made = Range(0.0, 0.0, {"t": 1, "share": 1}), of("P@1")
    assert reasons(given_of({"u": {"a": 0}}, {"one": {"u": "a"}}), made, outside) == ["no-relevant"]
    assert reasons(given_of({"u": {"a": 1}}, {"one": {"u": "x"}}), made, outside) == ["no-hits"]


def kinds(own, made, near=NEAR):
    return {found["kind"]: found for found in warnings(own, made, near, QUICK)}


def test_runs_that_are_no_better_than_random_are_named():
    users = [f"u{n}" for n in range(40)]
    qrels = {user: {"a": 1, "b": 0} for user in users}
    runs = {"good": dict.fromkeys(users, "a"), "bad": dict.fromkeys(users, "b")}
    random = {user: "a" if n < 20 else "x" for n, user in enumerate(users)}
    own = given_of(qrels, runs, {RANDOM: random})
    assert kinds(own, of("P@1"))["random"]["runs"] == ["bad"]
    assert "random" not in kinds(given_of(qrels, runs), of("P@1"))


def test_it_is_told_where_depth_or_weights_decide_the_order(own):
    assert kinds(own, of("P@5")) == {}
    told = kinds(own, of("P@5", flat="FP@5"))  # the opposite, nearly
    assert told["depth"]["measure"] == "FP@5"
    assert told["depth"]["tau"] < 0.3
    told = kinds(own, of("P@5", unweighed="FP@5"))
    assert told["weights"]["tau"] < 0.5
    two = replace(own, systems=dict([*own.systems.items()][:2]))
    assert kinds(two, of("P@5", flat="FP@5")) == {}


def test_more_and_fewer_users_than_simulated_are_told(own):
    for n, kind in ((2, "fewer"), (10**6, "more")):
        told = kinds(own, of("P@5"), nearest(n, "graded"))
        assert told[kind]["users"] == nearest(n, "graded").users


@pytest.mark.parametrize(("n", "told"), [(TESTED - 1, True), (TESTED, False)])
def test_tests_of_a_weighted_measure_alone_take_a_hundred_users(n, told):
    likes = of("P@1", unweighed="RR@1")
    assert ("tests" in kinds(few(n), likes)) == told
    assert "tests" not in kinds(few(n), of("P@1"))
    assert "tests" not in kinds(few(n), replace(likes, written=("P@1", "RR@1")))


@pytest.mark.parametrize(("power", "why"), [("0.5", []), ("0", ["likes-alone"])])
def test_likes_alone_without_weights_tell_nothing(power, why):
    users = [f"u{k}" for k in range(40)]
    qrels = {user: {"a": 1} for user in users}
    runs = {"one": dict.fromkeys(users, "ab"), "two": dict.fromkeys(users, "ba")}
    own = replace(given_of(qrels, runs), weights="popularity" if why == [] else "none")
    made = rule(own)
    assert made.measure.endswith(f"power={power})@2")
    assert reasons(own, made, None) == why
