"""The number that a claim is about: of what it is made, in each replicate too, and its interval."""

import numpy as np
import pandas as pd
import pytest
from claims_made_up import INTERVAL, NOISE, ROWS, claim, cube, ends, judge, judged

from rankassay.claims.lists import at_cutoff
from rankassay.claims.measure import Column, Cube, NotComputed, bounds, cubes, measure
from rankassay.errors import RankassayError
from rankassay.statistics.replicated import Replicated

TABLE = pd.DataFrame(ROWS, columns=["metric", "cutoff", "tau"])
RR = {"table": "sparsity", "rows": {"metric": "RR"}}


@pytest.mark.parametrize(
    ("spec", "expected", "moves"),
    [
        # How often the noise that all rows share is in the number, too.
        ({"rows": {"metric": "P", "cutoff": 10}}, 0.7, 1),
        ({"rows": {"metric": "P"}, "reduce": "min"}, 0.5, 1),
        ({"rows": {"metric": "P"}, "reduce": "max"}, 0.9, 1),
        ({"rows": {"metric": ["P", "RR"], "cutoff": 5}, "reduce": "mean"}, 0.45, 1),
        ({"rows": {"cutoff": [5, 10]}, "reduce": "median"}, 0.45, 1),
        ({"reduce": "median"}, 0.5, 1),
        ({"rows": {"metric": "P"}, "along": "cutoff", "reduce": "trend"}, 1.0, 0),
        ({"rows": {"cutoff": [5, 10]}, "along": "cutoff", "reduce": "max"}, 0.55, 1),
        ({"along": "cutoff", "reduce": "max"}, 0.9, 1),
        ({"along": "metric", "reduce": "min"}, 0.4, 1),
        ({"along": "metric", "reduce": "max"}, 0.7, 1),
        ({"rows": {"metric": "P"}, "reduce": "mean", "minus": RR | {"reduce": "mean"}}, 0.3, 0),
        ({"reduce": "max", "minus": RR | {"reduce": "max", "times": 2}}, 0.9 - 2 * 0.4, -1),
        (
            {
                "rows": {"metric": "P", "cutoff": 20},
                "minus": {
                    **{"table": "sparsity", "rows": {"metric": "RR", "cutoff": 5}},
                    **{"times": 0.5, "minus": {"table": "sparsity", "reduce": "max", "times": 3}},
                },
            },
            0.9 - 0.5 * (0.4 - 3 * 0.9),
            1 - 0.5 * (1 - 3),
        ),
    ],
)
def test_numbers_are_made_of_rows_and_of_each_replicate_likewise(spec, expected, moves):
    spec = {"table": "sparsity", **spec}
    found = measure("claim a", spec, {"sparsity": cube(ROWS, NOISE)})
    np.testing.assert_allclose(found, [expected, *(expected + moves * NOISE)], atol=1e-12)
    assert measure("claim a", spec, {"sparsity": cube(ROWS)}) == pytest.approx([expected])


def test_of_several_cut_offs_one_row_is_that_of_the_study_unless_the_claim_says_one():
    [own] = at_cutoff([{"value": {"table": "sparsity", "rows": {"metric": "P"}, "minus": RR}}], 10)
    tables = {"sparsity": cube([("P", 10, 0.7), ("P", 5, 0.5), ("RR", 10, 0.3), ("RR", 5, 0.1)])}
    assert measure("claim a", own["value"], tables) == pytest.approx([0.4])
    one = {"sparsity": cube([("P", 5, 0.5), ("RR", 5, 0.1)])}  # the only one is meant
    assert measure("claim a", own["value"], one) == pytest.approx([0.4])
    said = own["value"] | {"rows": {"metric": "P", "cutoff": 5}}
    assert measure("claim a", said, tables) == pytest.approx([0.2])
    several = own["value"] | {"reduce": "max"}  # which the cut-off of the study does not change
    assert measure("claim a", several | {"minus": RR | {"reduce": "max"}}, tables) == pytest.approx(
        [0.4]
    )
    [other] = at_cutoff([{"value": RR}], 20)
    with pytest.raises(NotComputed, match="no row has the cutoff 20"):
        measure("claim a", other["value"], tables)


def test_of_several_correlations_it_is_the_first_unless_another_is_named():
    keys = {"metric": ["P", "P"], "correlation": ["tau_b", "spearman"]}
    tables = {"sparsity": Cube(pd.DataFrame(keys), np.array([[0.5, 0.4], [0.7, 0.6]]))}
    spec = {"table": "sparsity", "rows": {"metric": "P"}}
    assert measure("claim a", spec, tables).tolist() == [0.5, 0.4]
    named = {"table": "sparsity", "rows": {"metric": "P", "correlation": "spearman"}}
    assert measure("claim a", named, tables).tolist() == [0.7, 0.6]
    more = spec | {"minus": named}
    assert measure("claim a", more, tables) == pytest.approx([-0.2, -0.2])
    named["rows"]["correlation"] = "rbo"
    with pytest.raises(NotComputed, match="no row has the correlation rbo"):
        measure("claim a", named, tables)


def test_replicates_are_made_as_the_number_is():
    """Of each replicate the same rows, reduction and difference: not those of single rows."""
    rows = {"P": [0.5, 0.6, 0.9], "RR": [0.7, 0.4, 0.8]}
    cube = Cube(pd.DataFrame({"metric": [*rows]}), np.array([*rows.values()]))
    found = measure("claim a", {"table": "sparsity", "reduce": "max"}, {"sparsity": cube})
    assert found.tolist() == [0.7, 0.6, 0.9]
    less = RR | {"times": 2}
    spec = {"table": "sparsity", "rows": {"metric": "P"}, "minus": less}
    assert measure("claim a", spec, {"sparsity": cube}) == pytest.approx([-0.9, -0.2, -0.7])
    # A table with fewer replicates has the first ones.
    fewer = Cube(cube.keys, cube.values[:, :2])
    spec["minus"] = less | {"table": "popularity"}
    found = measure("claim a", spec, {"sparsity": cube, "popularity": fewer})
    assert found == pytest.approx([-0.9, -0.2])


def test_what_is_exact_is_so_in_every_replicate():
    tables = {"t": cube([("P", 5, 0.5)], NOISE), "u": cube([("P", 5, 0.25)], exact=True)}
    found = measure("claim", {"table": "t", "minus": {"table": "u"}}, tables)
    np.testing.assert_allclose(found, [0.25, *(0.25 + NOISE)])
    found = measure("claim", {"table": "u", "minus": {"table": "t"}}, tables)
    np.testing.assert_allclose(found, [-0.25, *(-0.25 - NOISE)])


def test_a_trend_is_that_of_each_replicate_and_unknown_where_a_value_is():
    values = np.array([[0.5, 0.9, 0.5, np.nan], [0.7, 0.8, 0.7, 0.1], [0.9, 0.7, 0.6, 0.2]])
    cube = Cube(pd.DataFrame({"cutoff": [5, 10, 20]}), values)
    spec = {"table": "sparsity", "along": "cutoff", "reduce": "trend"}
    found = measure("claim a", spec, {"sparsity": cube})
    np.testing.assert_allclose(found, [1, -1, 1 / 3, np.nan])


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"rows": {"metrics": "P"}}, "unknown column in claim a 'metrics'; did you mean 'metric'"),
        ({"along": "cut", "reduce": "max"}, "unknown column in claim a 'cut'"),
        ({"rows": {"metric": "P"}}, "expected one row, found 3"),
        ({"reduce": "maximum"}, "unknown reduction"),
        ({"reduce": "trend"}, "a trend needs `along`"),
        ({"table": "sparsities"}, "unknown table in claim a 'sparsities'; did you mean 'sparsity'"),
    ],
)
def test_mistakes_in_a_number_are_explained(spec, message):
    with pytest.raises(RankassayError, match=message.replace("{", r"\{").replace("}", r"\}")):
        measure("claim a", {"table": "sparsity", **spec}, {"sparsity": cube(ROWS)})


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ({"rows": {"metric": "AP"}}, "no row has the metric AP"),
        # Of the others a number could be made, but not the one that is claimed.
        ({"rows": {"metric": ["P", "AP"]}, "reduce": "min"}, "no row has the metric AP"),
        ({"rows": {"cutoff": [5, 100]}, "reduce": "min"}, "no row has the cutoff 100"),
        (
            {"rows": {"metric": "RR", "cutoff": 20}},
            "no row has the metric RR and the cutoff 20",
        ),
        (
            {"rows": {"metric": "P", "cutoff": 5}, "along": "cutoff", "reduce": "trend"},
            "a trend needs two values of cutoff, found 5 alone",
        ),
        ({"table": "as-run"}, "the configuration leaves out the analysis as-run"),
        ({"table": "significant"}, "the configuration leaves out the analysis power"),
        (
            {"reduce": "min", "minus": {"table": "as-run", "reduce": "min"}},
            "the configuration leaves out the analysis as-run",
        ),
    ],
)
def test_what_was_not_computed_is_not_asked(spec, reason):
    results = {"sparsity": Replicated(TABLE, "tau", np.empty((5, 0))), "as_run": None}
    tables = cubes({"significant": Column("x", "power")}, results | {"power": None})
    asked = [claim({"table": "sparsity", **spec}, {"above": 0}, 0.5, name="a")]
    asked.append(claim({"rows": {"metric": "P", "cutoff": 5}}, {"above": 0}, name="b"))
    first, second = judge(asked, tables, "ml-1m").itertuples()
    assert (first.reproduced, first.reason) == ("not asked", f"not computed: {reason}")
    assert (first.expected, first.published, first.general) == ("above 0", 0.5, "")
    assert np.isnan([first.measured, first.mean, first.low, first.high, first.error_users]).all()
    assert pd.isna([first.holds, first.splits, first.resamples]).all()
    assert (second.reproduced, second.holds) == ("inconclusive", True)


# ---- Intervals -----------------------------------------------------------------------------------


def test_an_interval_is_of_the_number_and_not_of_its_rows():
    """What all rows share falls out of a difference, and what they do not stays in."""
    less = {"table": "sparsity", "rows": {"metric": "RR", "cutoff": 5}}
    value = {"rows": {"metric": "P", "cutoff": 10}, "minus": less}
    row = judged(value, {"above": 0.29}, None, NOISE)
    assert row.reproduced == "holds"
    assert (row.low, row.high) == pytest.approx((0.3, 0.3))
    twice = judged(value | {"minus": less | {"times": 2}}, {"above": -0.2}, None, NOISE)
    # 0.7 + x - 2 (0.4 + x) = -0.1 - x
    assert [twice.low, twice.high] == pytest.approx(ends(-0.1, -0.1 - NOISE), abs=1e-12)
    assert (twice.low, twice.high) == pytest.approx((-0.157, -0.043), abs=0.001)


def test_the_interval_of_a_claim_is_of_the_scatter_of_its_replicates_around_the_number():
    noise = np.random.default_rng(2).exponential(0.01, 300)
    row = judged({"rows": {"metric": "P", "cutoff": 5}}, {"above": 0}, noise=noise)
    assert [row["low"], row["high"]] == pytest.approx(ends(0.5, 0.5 + noise))
    assert row["low"] + row["high"] == pytest.approx(1)  # wherever the replicates lie


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("tau", (-1, 1)),
        ("correlation", (-1, 1)),
        ("dp", (0, np.inf)),
        ("value", (-np.inf, np.inf)),
    ],
)
def test_a_column_tells_its_bounds_whatever_the_analysis(column, expected):
    table = pd.DataFrame({"metric": ["P"], column: [0.5]})
    tables = {"of-a-new-study": Cube.of(Replicated(table, column, np.empty((1, 0))), column)}
    spec = {"table": "of-a-new-study"}
    assert bounds(spec, tables) == expected
    assert bounds(spec | {"minus": spec}, tables) == (-np.inf, np.inf)


def test_an_overlap_is_at_least_zero():
    keys = {"correlation": ["rbo", "rbo_b"], "tau": [0.1, 0.2]}
    cube = Cube.of(pd.DataFrame(keys), "tau")
    assert bounds({"table": "t"}, {"t": cube}) == (0, 1)
    mixed = Cube.of(pd.DataFrame(keys | {"correlation": ["rbo", "tau_b"]}), "tau")
    assert bounds({"table": "t"}, {"t": mixed}) == (-1, 1)


def test_intervals_of_correlations_stay_between_minus_one_and_one():
    value = {"rows": {"metric": "P", "cutoff": 20}}
    row = judged(value, {"above": 0}, noise=4 * NOISE)
    assert (row.low, row.high) == (pytest.approx(0.671, abs=0.001), 1)
    # That no correlation is above 1 is then sure; that none is below 1 is not.
    assert judged(value, {"at_most": 1}, noise=4 * NOISE).reproduced == "holds"
    assert judged(value, {"below": 1}, noise=4 * NOISE).reproduced == "inconclusive"
    # A difference of two may be larger: here 0.9 + 1.5 * 0.9 and so on.
    less = {"table": "sparsity", "rows": {"metric": "P", "cutoff": 20}, "times": -1.5}
    row = judged(value | {"minus": less}, {"above": 0}, noise=NOISE)
    assert row.measured == pytest.approx(2.25)
    assert (row.low, row.high) == pytest.approx((2.107, 2.393), abs=0.001)


@pytest.mark.parametrize(
    ("column", "correlation", "low", "high"),
    [
        ("tau", "rbo", 0, 1),
        ("tau", "tau_b", -1, 1),
        ("dp", "", 0, 2.376),
        ("value", "", -2.276, 2.376),
    ],
)
def test_intervals_stay_where_a_number_can_be(column, correlation, low, high):
    table = pd.DataFrame({"metric": ["P"], "correlation": [correlation], column: [0.05]})
    replicates = 0.05 + np.linspace(-2, 2, 101)[None]
    tables = {"t": Cube.of(Replicated(table, column, replicates), column)}
    row = judge([claim({"table": "t"}, {"above": 5})], tables, "ml-1m").iloc[0]
    assert (row["low"], row["high"]) == pytest.approx((low, high), abs=0.001)
    assert (row["low"] == low) == (column != "value")


def test_only_replicates_make_an_interval_and_only_of_their_column():
    rows = pd.DataFrame({"metric": ["P", "RR"], "value": [0.7, 0.5], "low": [0.6, 0.4]})
    rows = rows.assign(high=[0.8, 0.6], other=1.0)
    one = claim({"rows": {"metric": "P"}}, {"above": 0.6})

    def found(cube):
        return judge([one], {"sparsity": cube}, "ml-1m").iloc[0]

    # The interval of a table is that of its rows: of numbers made of them it says nothing.
    row = found(Cube.of(rows, "value"))
    assert (row.measured, row.reproduced) == (0.7, "inconclusive")
    assert np.isnan([row.low, row.high]).all()
    replicated = Replicated(rows, "value", rows[["value"]].to_numpy() + NOISE)
    row = found(Cube.of(replicated, "value"))
    assert (row.measured, row.reproduced) == (0.7, "holds")
    assert (row.low, row.high) == pytest.approx(INTERVAL, abs=0.001)
    row = found(Cube.of(replicated, "other"))
    assert (row.measured, row.reproduced) == (1.0, "inconclusive")
    assert np.isnan(row.low)
