"""Shipped tables of simulated worlds are read as they are, and data are held against them."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from advice_runs import given_of
from given_made_up import given

from rankassay.advice.given import Settings, values
from rankassay.advice.rule import CONVENTIONAL, INFORMATIVE, JUDGED, SMOOTHED, USUAL, Rule, rule
from rankassay.advice.simulated import (
    BEYOND,
    CLASSES,
    FEEDBACK,
    FOLDER,
    SETS,
    TESTED,
    TRUTHS,
    Range,
    measured,
    nearest,
    reasons,
    warnings,
)
from rankassay.advice.words_names import RANDOM
from rankassay.metrics.evaluate import Measure

MEASURES = pd.read_csv(FOLDER / "measures.csv")
WRITING, RANGE = pd.read_csv(FOLDER / "writing.csv"), pd.read_csv(FOLDER / "range.csv")
CONSTANT = {
    "graded": "IPS(centred=True, gain='DCG', power=0.5)@50",
    "positive": "IPS(gain='DCG', power=0.5)@20",
}
SIZES = 5


def test_the_tables_are_small_whole_and_of_measures_as_they_are_written():
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= 200_000
    assert {*MEASURES["feedback"]} == {*FEEDBACK}
    for _, own in MEASURES.groupby("feedback"):
        assert own["users"].nunique() == SIZES
        n = own["measure"].nunique()
        assert len(own) == n * SIZES * len(SETS) * len(TRUTHS)
        assert not own.isna().any(axis=None)
        assert all(str(Measure.parse(name)) == name for name in own["measure"].unique())
        assert (own["low"] <= own["tau"]).all()
        assert (own["tau"] <= own["high"]).all()
        assert own[["low", "high", "left_out"]].abs().max(axis=None) <= 1
    assert len(WRITING) == len(FEEDBACK) * SIZES * 3 * len(CLASSES)
    assert (WRITING[["decided", "wrong", "worst"]].stack().between(0, 1)).all()
    assert (WRITING["wrong"] <= WRITING["worst"]).all()
    assert len(RANGE) == len(FEEDBACK) * SIZES * 2


@pytest.mark.parametrize("feedback", FEEDBACK)
def test_the_constant_is_near_the_best_measure_in_the_mean_over_sets(feedback):
    """And far above the conventional one, in each set, at each number of users above 100."""
    own = MEASURES[(MEASURES["feedback"] == feedback) & (MEASURES["truth"] == TRUTHS[0])]
    means = own.pivot_table(index="measure", columns="users", values="tau")
    behind = means.max() - means.loc[CONSTANT[feedback]]
    assert behind.mean() <= 0.03
    by_set = own.pivot_table(index="measure", columns=["users", "set"], values="tau")
    usual = by_set.loc[f"{CONVENTIONAL}@{USUAL}"]
    ahead = (by_set.loc[CONSTANT[feedback]] - usual).unstack()
    assert (ahead[ahead.index > 100] > 0.1).all(axis=None)


def test_what_is_written_is_rarely_wrong_and_enough_is_decided():
    own = WRITING[(WRITING["feedback"] == "graded") & (WRITING["rule"] == "written")]
    assert own["wrong"].max() <= 0.085
    assert own[own["class"] == "personalised"]["wrong"].max() <= 0.06
    usual = WRITING[(WRITING["feedback"] == "graded") & (WRITING["rule"] == "usual")]
    assert (usual["wrong"].to_numpy() > 2 * own["wrong"].to_numpy()).all()


def test_the_nearest_number_of_users_is_taken_and_what_is_beyond_is_said():
    known = sorted(MEASURES["users"][MEASURES["feedback"] == "graded"].unique())
    for a, b in itertools.pairwise(known):
        middle = np.sqrt(a * b)
        assert nearest(int(middle * 0.99), "graded").users == a
        assert nearest(int(middle * 1.01) + 1, "graded").users == b
    assert nearest(known[-1], "graded").beyond == ""
    assert nearest(int(BEYOND * known[-1]) + 1, "graded").beyond == "more"
    assert nearest(int(known[0] / BEYOND) - 1, "graded").beyond == "fewer"
    assert nearest(0, "positive").beyond == "fewer"


@pytest.mark.parametrize("feedback", FEEDBACK)
def test_what_is_read_is_what_the_table_has(feedback):
    near = nearest(450, feedback)
    found = near.measure(CONSTANT[feedback])
    assert {*found} == {*SETS}
    keys = {"feedback": feedback, "users": near.users, "set": "close", "truth": TRUTHS[1]}
    rows = MEASURES[(MEASURES[[*keys]] == pd.Series(keys)).all(axis=1)]
    own = rows[rows["measure"] == CONSTANT[feedback]].iloc[0]
    assert found["close"][TRUTHS[1]] == own[["tau", "low", "high", "left_out"]].to_dict()
    assert near.measure("ERR@10") == {}
    assert {*near.writing("written")} == {*CLASSES}
    assert near.limits(weighed=True) != near.limits(weighed=False)


def test_the_measures_of_the_rule_were_simulated():
    near = nearest(450, "graded")
    for name in (JUDGED.format(50), SMOOTHED.format(20), f"{CONVENTIONAL}@{USUAL}"):
        assert near.measure(name)


def test_a_limit_is_not_rounded_above_the_share_that_many_worlds_have():
    """6 of 21 pairs were below a limit of .286, in 16% of worlds with 450 users."""
    for n_pairs in (15, 21):  # of reference systems, with dislikes and without
        reached = np.arange(n_pairs + 1) / n_pairs
        above = RANGE["share"].to_numpy()[:, None] - reached
        assert not ((above > 0) & (above < 0.0005)).any()


def test_limits_grow_with_the_users_between_sizes():
    own = RANGE[(RANGE["feedback"] == "graded") & RANGE["weighed"]].sort_values("users")
    users, t = own["users"].tolist(), own["t"].tolist()
    for n, limit in zip(users, t, strict=True):
        assert nearest(n, "graded").limits(True)["t"] == pytest.approx(limit)
    middle = round(np.sqrt(users[-2] * users[-1]))
    found = nearest(middle, "graded").limits(True)["t"]
    assert found == pytest.approx((t[-2] + t[-1]) / 2, rel=0.01)
    assert nearest(10 * users[-1], "graded").limits(True)["t"] == t[-1]


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
