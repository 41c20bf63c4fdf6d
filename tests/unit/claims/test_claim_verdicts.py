"""Verdicts: what an interval leaves of a condition, and what is said where nothing can be known."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from claims_made_up import INTERVAL, NOISE, ROWS, claim, cube, ends, judge, judged

from rankassay.claims.conditions import PREDICATES, VERDICTS, WORDS, Condition
from rankassay.claims.judge import COLUMNS
from rankassay.claims.measure import Cube
from rankassay.statistics.replicated import Replicated

TEN = {"rows": {"metric": "P", "cutoff": 10}}  # 0.7
HOLDS, OPEN, FAILS = "holds", "inconclusive", "does not hold"


def test_the_verdicts_are_those_that_the_documentation_names():
    assert [*VERDICTS] == [HOLDS, OPEN, FAILS]
    assert [*WORDS] == [*VERDICTS, "undefined", "not asked", "not testable"]


# ---- By an interval ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("predicate", "margin", "low", "high", "expected"),
    [
        # It differs from 0 to one side. Below the margin no difference that matters is left.
        ("above", 0.1, 0.01, 0.9, HOLDS),
        ("above", 0.1, 0.01, 0.02, HOLDS),
        ("above", 0.1, 0.0, 0.3, OPEN),
        ("above", 0.1, -0.3, 0.3, OPEN),
        ("above", 0.1, -0.3, 0.1, OPEN),
        ("above", 0.1, -0.3, 0.099, FAILS),
        ("above", 0.1, -0.3, 0.0, FAILS),
        ("above", 0.1, -0.3, -0.1, FAILS),
        ("above", 0.0, 1e-8, 0.1, HOLDS),
        ("above", 0.0, -0.1, 1e-8, OPEN),
        ("above", 0.0, -0.1, 0.0, FAILS),
        ("above", 0.0, -0.1, 1e-10, FAILS),  # a difference in the last bits is none
        # It reaches 0. What is missed by less than the margin is missed by nothing that matters.
        ("at_least", 0.1, 0.0, 0.9, HOLDS),
        ("at_least", 0.1, -0.1, 0.9, HOLDS),
        ("at_least", 0.1, -0.101, 0.9, OPEN),
        ("at_least", 0.1, -0.1, 0.0, HOLDS),
        ("at_least", 0.1, -0.9, 0.0, OPEN),
        ("at_least", 0.1, -0.1, -0.001, HOLDS),
        ("at_least", 0.1, -0.05, -0.05, HOLDS),
        ("at_least", 0.1, -0.101, -0.001, FAILS),
        ("at_least", 0.1, -0.9, -0.2, FAILS),
        ("at_least", 0.0, 0.0, 0.1, HOLDS),
        ("at_least", 0.0, -1e-10, 0.1, HOLDS),
        ("at_least", 0.0, -1e-8, 0.1, OPEN),
        ("at_least", 0.0, -0.1, -1e-8, FAILS),
        # It is within the margin of 0: all of the interval, a part of it, or none.
        ("near", 0.1, -0.05, 0.09, HOLDS),
        ("near", 0.1, -0.1, 0.1, HOLDS),
        ("near", 0.1, 0.05, 0.11, OPEN),
        ("near", 0.1, -0.11, -0.09, OPEN),
        ("near", 0.1, 0.1, 0.9, OPEN),
        ("near", 0.1, -0.2, 0.2, OPEN),  # with both ends outside
        ("near", 0.1, 0.101, 0.9, FAILS),
        ("near", 0.1, -0.9, -0.101, FAILS),
        ("near", 0.0, 0.0, 0.0, HOLDS),
        ("near", 0.0, -0.1, 0.0, OPEN),
        ("near", 0.0, 0.1, 0.2, FAILS),
    ],
)
@pytest.mark.parametrize("bound", [0.0, 0.7])
def test_a_verdict_is_what_an_interval_leaves_of_a_condition(
    predicate, bound, margin, low, high, expected
):
    found = Condition(predicate, bound, margin).verdict(bound + low, bound + high)
    assert found == expected
    # The same in a mirror.
    other = {"above": "below", "at_least": "at_most"}.get(predicate, predicate)
    assert Condition(other, -bound, margin).verdict(-bound - high, -bound - low) == expected


@pytest.mark.parametrize("predicate", PREDICATES)
def test_verdicts_are_those_of_two_one_sided_tests(predicate):
    """With each of these t-tests of scipy at 2.5 %; of near both are TOST."""
    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(300):
        n, bound, margin = rng.integers(3, 12), rng.normal(), rng.exponential(0.3)
        x = rng.normal(bound + rng.normal(scale=0.6), rng.exponential(0.3), n)
        condition = Condition(predicate, bound, margin)

        def shown(side, value, x=x):
            return scipy.stats.ttest_1samp(x, value, alternative=side).pvalue < 0.025

        up, down = ("less", -margin), ("greater", margin)
        if predicate in ("above", "at_least"):
            up, down = ("greater", margin), ("less", -margin)
        if predicate in ("above", "below"):
            holds = shown(up[0], bound)
            fails = not holds and shown(down[0], bound + up[1])
        elif predicate == "near":
            holds = shown("greater", bound - margin) and shown("less", bound + margin)
            fails = shown("less", bound - margin) or shown("greater", bound + margin)
        else:
            holds = shown(up[0], bound - up[1])
            fails = not holds and shown(down[0], bound)
        interval = scipy.stats.ttest_1samp(x, 0).confidence_interval(0.95)
        found = condition.verdict(interval.low, interval.high)
        assert found == (HOLDS if holds else FAILS if fails else OPEN)
        seen.add(found)
    assert seen == {*VERDICTS}


@pytest.mark.parametrize("predicate", PREDICATES)
@pytest.mark.parametrize("margin", [0.0, 0.1])
def test_what_is_known_exactly_is_never_open(predicate, margin):
    condition = Condition(predicate, 0.3, margin)
    sides = {"above": 1, "at_least": 1, "below": -1, "at_most": -1}
    for by in (-0.2, -0.1, -0.05, -1e-12, 0.0, 1e-12, 0.05, 0.1, 0.2):
        value, side = 0.3 + by, sides.get(predicate)
        lead = round(side * by if side else margin - abs(by), 9)
        # What is missed by no more than the margin is missed by nothing that matters.
        holds = lead > 0 if predicate in ("above", "below") else lead >= 0
        holds = lead >= -margin if predicate in ("at_least", "at_most") else holds
        assert condition.holds(np.array(value)) == holds
        assert condition.verdict(value, value) == (HOLDS if holds else FAILS)


def test_without_an_interval_a_verdict_is_open_and_nothing_holds_for_no_number():
    for predicate in PREDICATES:
        condition = Condition(predicate, 0.5, 0.1)
        assert condition.verdict(np.nan, 0.9) == condition.verdict(0.1, np.nan) == OPEN
        assert condition.holds(np.array([np.nan, np.nan])).tolist() == [False, False]


@pytest.mark.parametrize(
    ("holds", "published", "expected"),
    [
        ({"above": 0.5}, None, "above 0.5"),
        ({"at_most": -1, "margin": 0.01}, 7, "at most -1 (margin 0.01)"),
        ({"near": 0}, 1000209, "1000209"),
        ({"near": 0.05}, 0.76, "0.76 within 0.05"),
        # Of a share, the number that it is.
        ({"near": 0.25, "relative": True}, -8.3, "-8.3 within 2.075"),
        ({"near": 0.25, "relative": False}, -8.3, "-8.3 within 0.25"),
    ],
)
def test_what_is_expected_is_said_in_words(holds, published, expected):
    assert Condition.of("claim a", holds, published).words() == expected


# ---- Of a claim ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("holds", "published", "met", "expected"),
    [
        ({"above": 0.6}, None, True, HOLDS),
        ({"above": 0.6, "margin": 0.2}, None, True, HOLDS),
        ({"above": 0.7}, None, False, FAILS),
        ({"at_least": 0.7}, None, True, HOLDS),
        ({"at_least": 0.71, "margin": 0.05}, None, True, HOLDS),
        ({"below": 0.7, "margin": 0.05}, None, False, FAILS),
        ({"at_most": 0.6}, None, False, FAILS),
        ({"near": 0.05}, 0.74, True, HOLDS),
        ({"near": 0.05}, 0.76, False, FAILS),
        ({"near": 0.1, "relative": True}, 0.65, True, HOLDS),
        ({"near": 0.1, "relative": True}, 0.63, False, FAILS),
    ],
)
def test_a_number_changed_in_a_claim_changes_its_verdict(holds, published, met, expected):
    """Of what depends on no users there is no doubt; without replicates there always is."""
    row = judged(TEN, holds, published, exact=True)
    assert list(row.index) == COLUMNS
    assert (row.reproduced, row.general, row.holds) == (expected, "", met)
    assert (row.measured, row["mean"], row.low, row.high) == (0.7,) * 4
    assert pd.isna(row.reason)
    row = judged(TEN, holds, published)
    assert (row.reproduced, row.general, row.holds) == (OPEN, "", met)
    assert row.reason == "no replicates are computed: there is no interval"
    assert np.isnan([row.low, row.high, row.error_users]).all()


@pytest.mark.parametrize(
    ("holds", "published", "expected"),
    [
        ({"above": 0.64}, None, HOLDS),
        ({"above": 0.65}, None, OPEN),
        ({"above": 0.7, "margin": 0.06}, None, FAILS),
        ({"above": 0.7, "margin": 0.05}, None, OPEN),
        ({"above": 0.76}, None, FAILS),
        ({"below": 0.76}, None, HOLDS),
        ({"below": 0.64}, None, FAILS),
        ({"at_least": 0.7, "margin": 0.06}, None, HOLDS),
        ({"at_least": 0.7, "margin": 0.05}, None, OPEN),
        ({"at_least": 0.76, "margin": 0.1}, None, FAILS),
        ({"at_most": 0.7, "margin": 0.06}, None, HOLDS),
        ({"at_most": 0.64, "margin": 0.1}, None, FAILS),
        ({"near": 0.06}, 0.7, HOLDS),
        ({"near": 0.05}, 0.7, OPEN),
        ({"near": 0.06}, 0.76, OPEN),
        ({"near": 0.02}, 0.8, FAILS),
        ({"near": 0.1, "relative": True}, 0.7, HOLDS),
        ({"near": 0.05, "relative": True}, 0.7, OPEN),
        ({"near": 0.05, "relative": True}, -0.7, FAILS),
    ],
)
def test_a_verdict_is_of_the_interval_of_the_number(holds, published, expected):
    row = judged(TEN, holds, published, NOISE)
    assert (row.reproduced, row.undefined, row.resamples) == (expected, 0, 201)
    assert pd.isna(row.reason)
    assert [row.low, row.high] == pytest.approx(ends(0.7, 0.7 + NOISE), abs=1e-12)
    assert (row.low, row.high) == pytest.approx(INTERVAL, abs=0.001)
    # By which claims can be judged again.
    condition = Condition(row.predicate, row.bound, row.margin)
    assert (condition.verdict(row.low, row.high), condition.words()) == (expected, row.expected)


def test_a_fact_of_the_dataset_is_exact():
    row = judged(TEN, {"near": 0.01}, 0.7, NOISE, kind="fact")
    assert (row.exact, row.reproduced, row.low, row.high) == (True, HOLDS, 0.7, 0.7)


def test_a_number_of_exact_and_other_tables_is_not_exact():
    tables = {"sparsity": cube(ROWS, exact=True), "u": cube(ROWS[:1])}
    both = claim(TEN | {"minus": {"table": "u"}}, {"above": -1})
    assert judge([both], tables, "ml-1m")["reproduced"].tolist() == [OPEN]


def test_trends_are_judged_by_their_interval():
    """A trend that half of the replicates lack is no success, although it is above 0."""
    rng = np.random.default_rng(1)
    cutoffs = np.arange(5, 16)
    table = pd.DataFrame({"cutoff": cutoffs, "tau": 0.9 + 0.0005 * cutoffs})
    trend = claim({"along": "cutoff", "reduce": "trend"}, {"above": 0})

    def found(noise):
        replicates = table[["tau"]].to_numpy() + rng.normal(0, noise, (11, 400))
        tables = {"sparsity": Cube.of(Replicated(table, "tau", replicates), "tau")}
        return judge([trend], tables, "ml-1m").iloc[0]

    row = found(1e-6)
    assert (row.reproduced, row.low, row.high) == (HOLDS, 1, 1)
    noisy = found(0.02)
    assert noisy.measured == 1
    # With so much noise the trend of resampled users is anything.
    assert noisy.low < 0.6
    falling = Cube.of(table.assign(tau=-table["tau"]), "tau", exact=True)
    down = judge([trend], {"sparsity": falling}, "ml-1m").iloc[0]
    assert (down.measured, down.reproduced) == (-1, FAILS)


@pytest.mark.parametrize("holds", [{"above": 0}, {"below": 0}])
def test_numbers_that_differ_in_their_last_bits_are_equal(holds):
    """.1 + .2 + .3 and .3 + .2 + .1 have different sums; neither is above the other."""
    taus = [0.1, 0.2, 0.3, 0.3, 0.2, 0.1]
    less = {"table": "sparsity", "rows": {"metric": "b"}, "reduce": "mean"}
    value = {"rows": {"metric": "a"}, "reduce": "mean", "minus": less}
    rows = [*zip("aaabbb", [5] * 3 + [10] * 3, taus, strict=True)]
    assert judged(value, holds, exact=True, rows=rows).reproduced == FAILS
    trend = {"along": "cutoff", "reduce": "trend"}
    assert judged(trend, holds, exact=True, rows=rows).reproduced == "undefined"


# ---- What has no value ---------------------------------------------------------------------------


def without(n, measured=0.7):
    """Return the verdict on a number of 200 replicates, n of which are undefined."""
    noise = np.linspace(-0.05, 0.05, 200)
    noise[np.random.default_rng(1).permutation(200)[:n]] = np.nan
    return judged({}, {"above": 0.5}, noise=noise, rows=[("P", 5, measured)]), measured + noise


@pytest.mark.parametrize("n", [1, 10])
def test_some_replicates_without_a_value_are_left_out_and_counted(n):
    row, replicates = without(n)
    assert (row.reproduced, row.undefined, row.resamples) == (HOLDS, n, 200)
    assert pd.isna(row.reason)
    assert [row.low, row.high] == pytest.approx(ends(0.7, replicates))


@pytest.mark.parametrize("measured", [0.7, 0.4])
def test_more_than_five_percent_of_the_replicates_without_a_value_leave_no_interval(measured):
    row, _ = without(11, measured)
    assert (row.reproduced, row.holds, row.undefined) == (OPEN, measured > 0.5, 11)
    assert np.isnan([row.low, row.high, row.error_users]).all()
    assert row.reason == "11 of 200 replicates are undefined, more than 5%: there is no interval"


def test_one_replicate_scatters_not_at_all():
    row = judged(TEN, {"above": 0}, noise=[0.1])
    assert (row.reproduced, row.resamples) == (OPEN, 1)
    assert np.isnan(row.low)


@pytest.mark.parametrize("reduce", ["min", "mean", "trend"])
@pytest.mark.parametrize("holds", [{"above": 0}, {"below": 0}, {"near": 0.1}])
@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("noise", [(), NOISE])
def test_what_was_measured_without_a_value_is_neither_here_nor_there(reduce, holds, exact, noise):
    rows = [("P", 5, np.nan), ("P", 10, 0.5), ("P", 20, 0.7)]
    value = {"along": "cutoff", "reduce": reduce}
    row = judged(value, holds, 0.5, noise, exact, rows)
    assert (row.reproduced, row.general) == ("undefined", "")
    assert row.reason.startswith("what it is made of is undefined")
    assert np.isnan([row.measured, row.low, row.high, row.general_low, row.general_high]).all()
    assert pd.isna(row.holds)
    assert row.undefined == len(noise)
