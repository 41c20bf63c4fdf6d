"""Verdicts by numbers: what is made of replicates, and what an interval leaves of a claim."""

import numpy as np
import pandas as pd
import pytest
import yaml

from assayer.claims.judge import VERDICTS, Cube, judge, measure
from assayer.claims.lists import SAID, about, expand, read, untested
from assayer.claims.totals import parts, totals
from assayer.errors import AssayerError
from assayer.statistics.replicated import Replicated, interval

SPREAD = np.linspace(-0.1, 0.1, 201)  # replicates, less what was measured


def cube(rows, exact=False, spread=SPREAD):
    """Return a table by metric and cut-off, whose replicates move together."""
    table = pd.DataFrame(rows, columns=["metric", "cutoff", "tau"])
    replicates = table[["tau"]].to_numpy() + np.asarray(spread)[None]
    return Cube.of(Replicated(table, "tau", replicates), "tau", exact)


def claim(value, holds, published=None, **said):
    words = {"id": "a", "where": "figure 1", "claim": "Something.", "datasets": {"d": published}}
    return SAID | words | {"value": {"table": "t", **value}, "holds": holds} | said


def judged(rows, value, holds, published=None, **options):
    return judge([claim(value, holds, published)], {"t": cube(rows, **options)}, "d").iloc[0]


ONE = [("P", 5, 0.5)]


@pytest.mark.parametrize(
    ("holds", "published", "verdict"),
    [
        ({"above": 0.39}, None, "reproduced"),
        ({"above": 0.45}, None, "reproduced, uncertain"),
        ({"above": 0.55}, None, "not shown"),
        ({"above": 0.61}, None, "contradicted"),
        ({"at_least": 0.5}, None, "reproduced, uncertain"),
        ({"at_least": 0.39}, None, "reproduced"),
        ({"at_least": 0.61}, None, "contradicted"),
        ({"at_most": 0.61}, None, "reproduced"),
        ({"above": 0.5}, None, "not shown"),
        ({"below": 0.61}, None, "reproduced"),
        ({"below": 0.55}, None, "reproduced, uncertain"),
        ({"below": 0.45}, None, "not shown"),
        ({"at_most": 0.39}, None, "contradicted"),
        # Near is equivalence: the whole interval must lie within the margin.
        ({"near": 0.15}, 0.52, "reproduced"),
        ({"near": 0.05}, 0.52, "reproduced, uncertain"),
        ({"near": 0.05}, 0.57, "not shown"),
        ({"near": 0.05}, 0.43, "not shown"),
        ({"near": 0.05}, 0.7, "contradicted"),
        ({"near": 0.05}, 0.3, "contradicted"),
        ({"near": 0.3, "relative": True}, 0.5, "reproduced"),
    ],
)
def test_a_verdict_says_how_much_of_the_interval_is_on_the_claimed_side(holds, published, verdict):
    row = judged(ONE, {}, holds, published)
    assert row["verdict"] == verdict
    assert (row["low"], row["high"]) == pytest.approx((0.405, 0.595), abs=0.002)


def test_an_interval_around_a_narrow_margin_is_not_contradicted():
    """The margin lies inside the interval, whose ends are both outside of it."""
    row = judged([("P", 5, 0.53)], {}, {"near": 0.01}, 0.5)
    assert row["verdict"] == "not shown"


@pytest.mark.parametrize("margin", [0.05, -0.05])
def test_without_an_interval_nothing_is_certain(margin):
    row = judged(ONE, {}, {"above": 0.5 - margin}, spread=[])
    assert row["verdict"] == ("reproduced, uncertain" if margin > 0 else "not shown")
    assert "no replicates" in row["reason"]
    firm = judged(ONE, {}, {"above": 0.5 - margin}, spread=[], exact=True)
    assert firm["verdict"] == ("reproduced" if margin > 0 else "contradicted")
    assert firm["low"] == firm["high"] == 0.5


def test_a_fact_of_the_dataset_is_exact():
    fact = claim({}, {"near": 0.01}, 0.5, kind="fact")
    assert judge([fact], {"t": cube(ONE, spread=[])}, "d")["verdict"].tolist() == ["reproduced"]


def test_a_number_of_exact_and_other_tables_is_not_exact():
    tables = {"t": cube(ONE, exact=True, spread=[]), "u": cube(ONE, spread=[])}
    both = claim({"minus": {"table": "u"}}, {"above": -1})
    assert judge([both], tables, "d")["verdict"].tolist() == ["reproduced, uncertain"]


def test_replicates_without_a_value_are_counted_and_too_many_leave_no_interval():
    few, many = SPREAD.copy(), SPREAD.copy()
    few[7], many[:20] = np.nan, np.nan
    row = judged(ONE, {}, {"above": 0.3}, spread=few)
    assert (row["verdict"], row["undefined"]) == ("reproduced", 1)
    row = judged(ONE, {}, {"above": 0.3}, spread=many)
    assert (row["verdict"], row["undefined"]) == ("reproduced, uncertain", 20)
    assert row["reason"].startswith("20 of 201 replicates have no value, more than 5%")


def test_a_number_without_a_value_is_undefined():
    rows = [("P", 5, np.nan), ("P", 10, 0.5), ("P", 20, 0.7)]
    for value in ({"reduce": "mean"}, {"along": "cutoff", "reduce": "trend"}, {"reduce": "min"}):
        row = judged(rows, value, {"above": 0})
        assert row["verdict"] == "undefined"
        assert "no value" in row["reason"]


FOUR = [("P", 5, 0.1), ("P", 10, 0.2), ("RR", 5, 0.4), ("RR", 10, 0.9)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"reduce": "mean"}, 0.4),
        ({"reduce": "min"}, 0.1),
        ({"reduce": "max"}, 0.9),
        ({"reduce": "median"}, 0.3),
        ({"along": "metric", "reduce": "min"}, 0.15),
        ({"along": "cutoff", "reduce": "max"}, 0.55),
    ],
)
def test_each_replicate_is_made_a_number_as_what_was_measured(value, expected):
    found = measure("claim", {"table": "t", **value}, {"t": cube(FOUR)})
    np.testing.assert_allclose(found, [expected, *(expected + SPREAD)])


def test_differences_are_of_the_same_replicate_and_have_no_interval_where_both_move_together():
    less = {"reduce": "max", "minus": {"table": "t", "rows": {"metric": "P"}, "reduce": "max"}}
    row = judged(FOUR, less, {"above": 0.6})
    assert (row["measured"], row["low"], row["high"]) == pytest.approx((0.7, 0.7, 0.7))
    assert row["verdict"] == "reproduced"


def test_what_is_taken_off_may_be_taken_several_times():
    less = {
        "rows": {"metric": "RR", "cutoff": 10},
        "minus": {"table": "t", "rows": {"metric": "P", "cutoff": 10}, "times": 2},
    }
    found = measure("claim", {"table": "t", **less}, {"t": cube(FOUR)})
    np.testing.assert_allclose(found, [0.5, *(0.5 - SPREAD)])


def test_trends_are_judged_by_their_interval():
    """A trend that half of the replicates lack is no success, although it is above 0."""
    rng = np.random.default_rng(1)
    cutoffs = np.arange(5, 16)
    table = pd.DataFrame({"cutoff": cutoffs, "tau": 0.9 + 0.0005 * cutoffs})

    def verdict(noise):
        replicates = table[["tau"]].to_numpy() + rng.normal(0, noise, (11, 400))
        tables = {"t": Cube.of(Replicated(table, "tau", replicates), "tau")}
        return judge([claim({"along": "cutoff", "reduce": "trend"}, {"above": 0})], tables, "d")

    assert verdict(1e-6)["verdict"].tolist() == ["reproduced"]
    noisy = verdict(0.02)
    assert noisy["measured"].tolist() == [1.0]
    # With so much noise the trend of resampled users is anything.
    assert noisy["low"].item() < 0.5
    down = judge(
        [claim({"along": "cutoff", "reduce": "trend"}, {"above": 0})],
        {"t": Cube.of(table.assign(tau=-table["tau"]), "tau", exact=True)},
        "d",
    )
    assert (down["measured"].item(), down["verdict"].item()) == (-1.0, "contradicted")


def test_the_interval_of_a_claim_is_that_of_its_replicates():
    rng = np.random.default_rng(2)
    spread = rng.exponential(0.1, 300)
    row = judged(ONE, {}, {"above": 0}, spread=spread)
    expected = interval(np.array(0.5), 0.5 + spread, bounds=(-np.inf, np.inf))
    assert [row["low"], row["high"]] == pytest.approx([*map(float, expected)])


def test_correlations_end_at_one_and_may_be_negative():
    tables = {"sparsity": cube([("P", 5, 0.95), ("P", 10, -0.95)])}
    for cutoff, low, high in ((5, 0.855, 1.0), (10, -1.0, -0.855)):
        one = claim({}, {"above": 0})
        one["value"] = {"table": "sparsity", "rows": {"cutoff": cutoff}}
        row = judge([one], tables, "d").iloc[0]
        assert (row["low"], row["high"]) == pytest.approx((low, high), abs=0.002)


def test_other_data_is_not_judged_by_published_numbers():
    near, bound = claim({}, {"near": 0.1}, 0.5, id="n"), claim({}, {"above": 0.1}, 0.5, id="b")
    assert [c["id"] for c in about([near, bound], "other", "d", published=False)] == ["b"]
    assert [c["id"] for c in about([near, bound], "split", "d", published=True)] == ["n", "b"]


def test_what_was_not_studied_is_not_testable():
    claims = [claim({}, {"above": 0}, id="a")]
    assert untested(claims, {"d"}).empty
    (row,) = untested(claims, {"e"}).itertuples()
    assert (row.verdict, row.reason) == ("not testable", "the dataset was not studied")
    assert row.verdict in VERDICTS


def test_claims_name_metrics_as_the_field_does():
    text = claim({"rows": {"metric": "{metric}"}}, {"above": 0}, claim="{metric} is best.")
    (made,) = expand([text | {"for": {"metric": ["Bpref"]}, "id": "best-{metric}"}])
    assert (made["claim"], made["id"]) == ("bpref is best.", "best-Bpref")
    assert made["value"]["rows"] == {"metric": "Bpref"}


# ---- What verdicts add up to ---------------------------------------------------------------------

ROWS = [
    # id, kind, implied_by, calibrated, demanding, verdict
    ("fact", "fact", "", False, True, "reproduced"),
    ("strong", "finding", "", False, True, "reproduced, uncertain"),
    ("follows", "finding", "strong", False, True, "reproduced"),
    ("fails", "finding", "", False, True, "not shown"),
    ("stays", "finding", "strong fails", False, True, "reproduced"),
    ("easy", "finding", "", False, False, "reproduced"),
    ("tuned", "finding", "", True, True, "contradicted"),
    ("nothing", "finding", "", False, True, "undefined"),
]
COUNTED = {
    "fact": "fact",
    "strong": "independent",
    "follows": "implied",
    "fails": "independent",
    "stays": "independent",
    "easy": "easy",
    "tuned": "calibrated",
    "nothing": "independent",
}


def test_claims_are_counted_as_what_they_are():
    names = ["id", "kind", "implied_by", "calibrated", "demanding", "verdict"]
    table = pd.DataFrame(ROWS, columns=names)
    assert dict(zip(table["id"], parts(table), strict=True)) == COUNTED
    # As read back from a file: what is empty there is nothing.
    read = table.replace({"implied_by": {"": np.nan}})
    assert list(parts(read)) == list(parts(table))
    found = totals(table.assign(study="s", dataset="d")).set_index("part")
    assert found["claims"].to_dict() == {
        "fact": 1,
        "implied": 1,
        "easy": 1,
        "calibrated": 1,
        "independent": 4,
    }
    own = found.loc["independent"]
    assert [own[verdict] for verdict in VERDICTS] == [1, 1, 1, 0, 1, 0]


def test_what_fails_because_a_weaker_claim_fails_is_no_further_failure():
    names = ["id", "kind", "implied_by", "calibrated", "demanding", "verdict"]
    first = ("first of all", "finding", "", False, True, "contradicted")
    rows = [("first", *first[1:]), ("before P", "finding", "first", False, True, "not shown")]
    table = pd.DataFrame(rows, columns=names)
    assert list(parts(table)) == ["implied", "independent"]
    # One that fails although all it follows from holds speaks against the implication.
    held = pd.DataFrame([(*rows[0][:5], "reproduced"), rows[1]], columns=names)
    assert list(parts(held)) == ["independent", "independent"]


@pytest.mark.parametrize("holds", [{"above": 0}, {"below": 0}])
def test_numbers_that_differ_in_their_last_bits_are_equal(holds):
    """.1 + .2 + .3 and .3 + .2 + .1 have different sums; neither is above the other."""
    table = pd.DataFrame({"metric": ["a"] * 3 + ["b"] * 3, "tau": [0.1, 0.2, 0.3, 0.3, 0.2, 0.1]})
    value = {
        "rows": {"metric": "a"},
        "reduce": "mean",
        "minus": {"table": "t", "rows": {"metric": "b"}, "reduce": "mean"},
    }
    judged = judge([claim(value, holds)], {"t": Cube.of(table, "tau", exact=True)}, "d")
    assert judged["verdict"].tolist() == ["contradicted"]
    level = pd.DataFrame({"cutoff": [5, 5, 5, 10, 10, 10], "tau": table["tau"]})
    trend = claim({"along": "cutoff", "reduce": "trend"}, holds)
    judged = judge([trend], {"t": Cube.of(level, "tau", exact=True)}, "d")
    assert judged["verdict"].tolist() == ["undefined"]


def test_what_is_exact_is_so_in_every_replicate():
    tables = {"t": cube(ONE), "u": cube([("P", 5, 0.25)], exact=True, spread=[])}
    found = measure("claim", {"table": "t", "minus": {"table": "u"}}, tables)
    np.testing.assert_allclose(found, [0.25, *(0.25 + SPREAD)])
    found = measure("claim", {"table": "u", "minus": {"table": "t"}}, tables)
    np.testing.assert_allclose(found, [-0.25, *(-0.25 - SPREAD)])


@pytest.mark.parametrize(
    ("name", "correlation", "bounds"),
    [("sparsity", "rbo", (0, 1)), ("sparsity", "tau_b", (-1, 1)), ("as-run", "", (0, np.inf))],
)
def test_intervals_stay_where_a_number_can_be(name, correlation, bounds):
    table = pd.DataFrame({"metric": ["P"], "correlation": [correlation], "tau": [0.05]})
    replicates = 0.05 + np.linspace(-2, 2, 101)[None]
    one = claim({}, {"above": 5})
    one["value"] = {"table": name}
    row = judge([one], {name: Cube.of(Replicated(table, "tau", replicates), "tau")}, "d").iloc[0]
    assert row["low"] == bounds[0]
    assert row["high"] == min(bounds[1], row["high"])


def test_claims_in_a_circle_and_misspelt_rules_are_refused(tmp_path):
    def file(*claims, **parts):
        path = tmp_path / "claims.yaml"
        path.write_text(yaml.safe_dump({"claims": [*claims], **parts}))
        return path

    one, two = (claim({}, {"above": 0}, id=name, implied_by=[]) for name in "ab")
    read(file(one, two | {"implied_by": ["a"]}))
    with pytest.raises(AssayerError, match="in a circle, among: a, b"):
        read(file(one | {"implied_by": ["b"]}, two | {"implied_by": ["a"]}))
    rules = {"order": "A comparison."}
    (found,) = read(file(one | {"why": "order"}, bounds=rules))
    assert found["why"] == "A comparison."
    with pytest.raises(AssayerError, match="'ordr'; did you mean 'order'"):
        read(file(one | {"why": "ordr"}, bounds=rules))
