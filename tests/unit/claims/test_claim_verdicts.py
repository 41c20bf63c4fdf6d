"""Verdicts: what an interval leaves of a claim, and what is said where nothing can be known."""

import numpy as np
import pandas as pd
import pytest
from claims_made_up import INTERVAL, NOISE, ROWS, claim, cube, ends, judged

from rankassay.claims.judge import COLUMNS, judge
from rankassay.claims.measure import Cube
from rankassay.claims.verdicts import FIRM, VERDICTS
from rankassay.statistics.replicated import Replicated

TEN = {"rows": {"metric": "P", "cutoff": 10}}  # 0.7
# What is said without an interval.
DOUBTFUL = {"reproduced": "reproduced, uncertain", "contradicted": "not shown"}


def test_the_verdicts_are_those_that_the_documentation_names():
    assert [*VERDICTS] == [
        *("reproduced", "reproduced, uncertain", "not shown", "contradicted"),
        *("undefined", "not asked", "not testable"),
    ]
    assert FIRM == ("reproduced", "contradicted")


@pytest.mark.parametrize(
    ("holds", "published", "expected", "margin"),
    [
        ({"above": 0.6}, None, "reproduced", 0.1),
        ({"above": 0.7}, None, "contradicted", 0.0),
        ({"at_least": 0.7}, None, "reproduced", 0.0),
        ({"below": 0.7}, None, "contradicted", 0.0),
        ({"at_most": 0.6}, None, "contradicted", -0.1),
        ({"near": 0.05}, 0.74, "reproduced", 0.01),
        ({"near": 0.05}, 0.76, "contradicted", -0.01),
        ({"near": 0.1, "relative": True}, 0.65, "reproduced", 0.015),
    ],
)
def test_a_number_changed_in_a_claim_changes_its_verdict(holds, published, expected, margin):
    """Of what depends on no users there is no doubt; without replicates there always is."""
    row = judged(TEN, holds, published, exact=True)
    assert list(row.index) == COLUMNS
    assert (row.verdict, row.reason) == (expected, "")
    assert expected in FIRM
    assert row.margin == pytest.approx(margin, abs=1e-8)
    assert (row.measured, row.low, row.high) == (0.7, 0.7, 0.7)
    row = judged(TEN, holds, published)
    assert row.verdict == DOUBTFUL[expected]
    assert row.reason == "no replicates are computed for this number: there is no interval"
    assert row.margin == pytest.approx(margin, abs=1e-8)
    assert row.measured == 0.7
    assert np.isnan([row.low, row.high]).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("holds", "published", "expected"),
    [
        ({"above": 0.64}, None, "reproduced"),
        ({"above": 0.66}, None, "reproduced, uncertain"),
        ({"above": 0.7}, None, "not shown"),
        ({"above": 0.74}, None, "not shown"),
        ({"above": 0.76}, None, "contradicted"),
        ({"below": 0.76}, None, "reproduced"),
        ({"below": 0.74}, None, "reproduced, uncertain"),
        ({"below": 0.66}, None, "not shown"),
        ({"below": 0.64}, None, "contradicted"),
        ({"at_least": 0.64}, None, "reproduced"),
        ({"at_least": 0.7}, None, "reproduced, uncertain"),
        ({"at_least": 0.76}, None, "contradicted"),
        ({"at_most": 0.76}, None, "reproduced"),
        ({"at_most": 0.64}, None, "contradicted"),
        # Near is within a margin on both sides: the whole interval, what was measured alone (the
        # interval crosses one end of the margin, or both), a part without it (which may lie inside
        # of the interval, whose ends are both outside of the margin), and nothing.
        ({"near": 0.06}, 0.7, "reproduced"),
        ({"near": 0.1}, 0.74, "reproduced"),
        ({"near": 0.06}, 0.74, "reproduced, uncertain"),
        ({"near": 0.06}, 0.66, "reproduced, uncertain"),
        ({"near": 0.01}, 0.7, "reproduced, uncertain"),
        ({"near": 0.01}, 0.72, "not shown"),
        ({"near": 0.02}, 0.76, "not shown"),
        ({"near": 0.02}, 0.64, "not shown"),
        ({"near": 0.02}, 0.8, "contradicted"),
        ({"near": 0.02}, 0.6, "contradicted"),
        ({"near": 0.1, "relative": True}, 0.7, "reproduced"),
        ({"near": 0.01, "relative": True}, 0.7, "reproduced, uncertain"),
        ({"near": 0.01, "relative": True}, 0.76, "contradicted"),
    ],
)
def test_a_verdict_is_of_what_was_measured_and_of_the_interval(holds, published, expected):
    row = judged(TEN, holds, published, NOISE)
    assert (row.verdict, row.reason, row.undefined) == (expected, "", 0)
    assert [row.low, row.high] == pytest.approx(ends(0.7, 0.7 + NOISE), abs=1e-12)
    assert (row.low, row.high) == pytest.approx(INTERVAL, abs=0.002)


def test_a_fact_of_the_dataset_is_exact():
    assert judged(TEN, {"near": 0.01}, 0.7, kind="fact").verdict == "reproduced"


def test_a_number_of_exact_and_other_tables_is_not_exact():
    tables = {"sparsity": cube(ROWS, exact=True), "u": cube(ROWS[:1])}
    both = claim(TEN | {"minus": {"table": "u"}}, {"above": -1})
    assert judge([both], tables, "ml-1m")["verdict"].tolist() == ["reproduced, uncertain"]


def test_trends_are_judged_by_their_interval():
    """A trend that half of the replicates lack is no success, although it is above 0."""
    rng = np.random.default_rng(1)
    cutoffs = np.arange(5, 16)
    table = pd.DataFrame({"cutoff": cutoffs, "tau": 0.9 + 0.0005 * cutoffs})
    trend = claim({"along": "cutoff", "reduce": "trend"}, {"above": 0})

    def found(noise):
        replicates = table[["tau"]].to_numpy() + rng.normal(0, noise, (11, 400))
        tables = {"sparsity": Cube.of(Replicated(table, "tau", replicates), "tau")}
        return judge([trend], tables, "ml-1m")

    assert found(1e-6)["verdict"].tolist() == ["reproduced"]
    noisy = found(0.02)
    assert noisy["measured"].tolist() == [1.0]
    # With so much noise the trend of resampled users is anything.
    assert noisy["low"].item() < 0.5
    falling = Cube.of(table.assign(tau=-table["tau"]), "tau", exact=True)
    down = judge([trend], {"sparsity": falling}, "ml-1m")
    assert (down["measured"].item(), down["verdict"].item()) == (-1.0, "contradicted")


@pytest.mark.parametrize("holds", [{"above": 0}, {"below": 0}])
def test_numbers_that_differ_in_their_last_bits_are_equal(holds):
    """.1 + .2 + .3 and .3 + .2 + .1 have different sums; neither is above the other."""
    taus = [0.1, 0.2, 0.3, 0.3, 0.2, 0.1]
    less = {"table": "sparsity", "rows": {"metric": "b"}, "reduce": "mean"}
    value = {"rows": {"metric": "a"}, "reduce": "mean", "minus": less}
    rows = [*zip("aaabbb", [5] * 3 + [10] * 3, taus, strict=True)]
    assert judged(value, holds, exact=True, rows=rows).verdict == "contradicted"
    trend = {"along": "cutoff", "reduce": "trend"}
    assert judged(trend, holds, exact=True, rows=rows).verdict == "undefined"


# ---- What has no value ---------------------------------------------------------------------------


def without(n, measured=0.7):
    """Return the verdict on a number of 200 replicates, n of which are undefined."""
    noise = np.linspace(-0.05, 0.05, 200)
    noise[np.random.default_rng(1).permutation(200)[:n]] = np.nan
    return judged({}, {"above": 0.5}, noise=noise, rows=[("P", 5, measured)]), measured + noise


def test_some_replicates_without_a_value_are_left_out_and_counted():
    for n in (1, 10):
        row, replicates = without(n)
        assert (row.verdict, row.undefined, row.reason) == ("reproduced", n, "")
        assert [row.low, row.high] == pytest.approx(ends(0.7, replicates))
        assert (row.low, row.high) == pytest.approx(INTERVAL, abs=0.01)


def test_more_than_five_percent_of_the_replicates_without_a_value_leave_no_interval():
    row, _ = without(11)
    assert row.verdict == "reproduced, uncertain"
    assert row.undefined == 11
    assert np.isnan([row.low, row.high]).all()
    assert row.reason == "11 of 200 replicates are undefined, more than 5%: there is no interval"
    row, _ = without(11, measured=0.4)
    assert (row.verdict, row.reason[:9]) == ("not shown", "11 of 200")


@pytest.mark.slow
@pytest.mark.parametrize("reduce", ["min", "mean", "trend"])
@pytest.mark.parametrize("holds", [{"above": 0}, {"below": 0}, {"near": 0.1}])
@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("noise", [(), NOISE])
def test_what_was_measured_without_a_value_is_neither_here_nor_there(reduce, holds, exact, noise):
    rows = [("P", 5, np.nan), ("P", 10, 0.5), ("P", 20, 0.7)]
    value = {"along": "cutoff", "reduce": reduce}
    row = judged(value, holds, 0.5, noise, exact, rows)
    assert row.verdict == "undefined"
    assert row.reason.startswith("what it is made of is undefined")
    assert np.isnan([row.measured, row.low, row.high, row.margin]).all()
    assert row.undefined == len(noise)
