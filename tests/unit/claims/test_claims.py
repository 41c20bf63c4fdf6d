"""Claims as rows: what is measured, when it holds, and what is said where it cannot be known."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from assayer.claims.judge import COLUMNS, FIRM, VERDICTS, Cube, judge, measure
from assayer.claims.lists import about, expand, not_rows, read, untested
from assayer.errors import AssayerError
from assayer.metrics.catalogue import METRICS
from assayer.statistics.replicated import Replicated, interval
from assayer.studies.robustness.claims import MEASURED

FILE = Path(__file__).parents[3] / "src/assayer/studies/robustness/claims.yaml"


def table(rows, replicates=None, exact=False):
    """Return a cube of taus by metric and cut-off; replicates are added to each."""
    keys = pd.DataFrame([row[:-1] for row in rows], columns=["metric", "cutoff"])
    values = np.array([[row[-1]] for row in rows], dtype=float)
    if replicates is not None:
        values = np.hstack([values, values + np.array(replicates)])
    return Cube(keys, values, exact)


# As many on either side of what is measured, so that the interval of 95 % of 0.7 goes from 0.6525
# to 0.7475, or a little further.
NOISE = np.linspace(-0.05, 0.05, 201)
INTERVAL = (0.6525, 0.7475)
# What is said without an interval.
DOUBTFUL = {"reproduced": "reproduced, uncertain", "contradicted": "not shown"}
ROWS = [("P", 5, 0.5), ("P", 10, 0.7), ("P", 20, 0.9), ("RR", 5, 0.4), ("RR", 10, 0.4)]


def claim(value, holds, published=None, name="a", **said):
    """Return a claim as it is read from a file: with all that it says of itself."""
    (one,) = expand([bare(value, holds, published, name) | said])
    return one


def bare(value, holds, published=None, name="a"):
    """Return a claim as a file has it."""
    return {
        "id": name,
        "where": "figure 1",
        "claim": "Something.",
        "datasets": {"ml-1m": published},
        "value": {"table": "sparsity", **value},
        "holds": holds,
    }


def ends(measured, replicates):
    """Return the interval of one number, as numbers."""
    return [float(end) for end in interval(np.array(measured), replicates)]


def verdict(value, holds, published=None, replicates=None, exact=False):
    tables = {"sparsity": table(ROWS, replicates, exact)}
    found = judge([claim(value, holds, published)], tables, "ml-1m")
    assert list(found.columns) == COLUMNS
    return found.iloc[0]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"rows": {"metric": "P", "cutoff": 10}}, 0.7),
        ({"rows": {"metric": "P"}, "reduce": "min"}, 0.5),
        ({"rows": {"metric": "P"}, "reduce": "max"}, 0.9),
        ({"rows": {"metric": ["P", "RR"], "cutoff": 5}, "reduce": "mean"}, 0.45),
        ({"reduce": "median"}, 0.5),
        ({"rows": {"metric": "P"}, "along": "cutoff", "reduce": "trend"}, 1.0),
        ({"along": "cutoff", "reduce": "max"}, 0.9),
        ({"along": "metric", "reduce": "min"}, 0.4),
        (
            {
                "rows": {"metric": "P"},
                "reduce": "mean",
                "minus": {"table": "sparsity", "rows": {"metric": "RR"}, "reduce": "mean"},
            },
            0.3,
        ),
        (
            {
                "rows": {"metric": "P", "cutoff": 20},
                "minus": {
                    **{"table": "sparsity", "rows": {"metric": "RR"}, "reduce": "max"},
                    "times": 2,
                },
            },
            0.9 - 2 * 0.4,
        ),
        (
            {
                "rows": {"metric": "P", "cutoff": 20},
                "minus": {
                    **{"table": "sparsity", "rows": {"metric": "RR", "cutoff": 5}},
                    **{"times": 0.5, "minus": {"table": "sparsity", "reduce": "max", "times": 3}},
                },
            },
            0.9 - 0.5 * (0.4 - 3 * 0.9),
        ),
    ],
)
def test_numbers_are_made_of_rows(spec, expected):
    found = measure("claim a", {"table": "sparsity", **spec}, {"sparsity": table(ROWS)})
    assert found == pytest.approx([expected])


def test_replicates_are_made_as_the_number_is():
    """Of each replicate the same rows, reduction and difference: not those of single rows."""
    rows = {"P": [0.5, 0.6, 0.9], "RR": [0.7, 0.4, 0.8]}
    cube = Cube(pd.DataFrame({"metric": [*rows]}), np.array([*rows.values()]))
    found = measure("claim a", {"table": "sparsity", "reduce": "max"}, {"sparsity": cube})
    assert found.tolist() == [0.7, 0.6, 0.9]
    less = {"table": "sparsity", "rows": {"metric": "RR"}, "times": 2}
    spec = {"table": "sparsity", "rows": {"metric": "P"}, "minus": less}
    assert measure("claim a", spec, {"sparsity": cube}) == pytest.approx([-0.9, -0.2, -0.7])
    # A table with fewer replicates has the first ones.
    fewer = Cube(cube.keys, cube.values[:, :2])
    spec["minus"] = less | {"table": "popularity"}
    found = measure("claim a", spec, {"sparsity": cube, "popularity": fewer})
    assert found == pytest.approx([-0.9, -0.2])


def test_a_trend_is_that_of_each_replicate_and_unknown_where_a_value_is():
    values = np.array([[0.5, 0.9, 0.5, np.nan], [0.7, 0.8, 0.7, 0.1], [0.9, 0.7, 0.6, 0.2]])
    cube = Cube(pd.DataFrame({"cutoff": [5, 10, 20]}), values)
    spec = {"table": "sparsity", "along": "cutoff", "reduce": "trend"}
    found = measure("claim a", spec, {"sparsity": cube})
    np.testing.assert_allclose(found, [1, -1, 1 / 3, np.nan])


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
    value = {"rows": {"metric": "P", "cutoff": 10}}
    row = verdict(value, holds, published, exact=True)
    assert (row.verdict, row.reason) == (expected, "")
    assert expected in FIRM
    assert row.margin == pytest.approx(margin, abs=1e-8)
    assert (row.measured, row.low, row.high) == (0.7, 0.7, 0.7)
    row = verdict(value, holds, published)
    assert row.verdict == DOUBTFUL[expected]
    assert row.reason == "no replicates are computed for this number: there is no interval"
    assert row.margin == pytest.approx(margin, abs=1e-8)
    assert row.measured == 0.7
    assert np.isnan([row.low, row.high]).all()


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
        ({"at_least": 0.7}, None, "reproduced, uncertain"),
        ({"at_most": 0.64}, None, "contradicted"),
        # Near is within a margin on both sides: the whole interval, what was measured alone (the
        # interval crosses one end of the margin, or both), a part without it, and nothing.
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
    row = verdict({"rows": {"metric": "P", "cutoff": 10}}, holds, published, NOISE)
    assert (row.verdict, row.reason, row.undefined) == (expected, "", 0)
    assert [row.low, row.high] == pytest.approx(ends(0.7, 0.7 + NOISE), abs=1e-12)
    assert (row.low, row.high) == pytest.approx(INTERVAL, abs=0.002)


def test_an_interval_is_of_the_number_and_not_of_its_rows():
    """What all rows share falls out of a difference, and what they do not stays in."""
    less = {"table": "sparsity", "rows": {"metric": "RR", "cutoff": 5}}
    value = {"rows": {"metric": "P", "cutoff": 10}, "minus": less}
    row = verdict(value, {"above": 0.29}, None, NOISE)
    assert row.verdict == "reproduced"
    assert (row.low, row.high) == pytest.approx((0.3, 0.3))
    twice = verdict(value | {"minus": less | {"times": 2}}, {"above": -0.2}, None, NOISE)
    # 0.7 + x - 2 (0.4 + x) = -0.1 - x
    assert [twice.low, twice.high] == pytest.approx(ends(-0.1, -0.1 - NOISE), abs=1e-12)
    assert (twice.low, twice.high) == pytest.approx((-0.1475, -0.0525), abs=0.002)


def test_intervals_of_correlations_stay_between_minus_one_and_one():
    value = {"rows": {"metric": "P", "cutoff": 20}}
    row = verdict(value, {"above": 0}, replicates=4 * NOISE)
    assert (row.low, row.high) == (pytest.approx(0.71, abs=0.01), 1)
    # That no correlation is above 1 is then sure; that none is below 1 is not.
    assert verdict(value, {"at_most": 1}, replicates=4 * NOISE).verdict == "reproduced"
    assert verdict(value, {"below": 1}, replicates=4 * NOISE).verdict == "reproduced, uncertain"
    # A difference of two may be larger: here 0.9 + 1.5 * 0.9 and so on.
    less = {"table": "sparsity", "rows": {"metric": "P", "cutoff": 20}, "times": -1.5}
    row = verdict(value | {"minus": less}, {"above": 0}, replicates=NOISE)
    assert row.measured == pytest.approx(2.25)
    assert (row.low, row.high) == pytest.approx((2.13125, 2.36875), abs=0.005)


# ---- What has no value ---------------------------------------------------------------------------


def without(n, measured=0.7):
    """Return the verdict on a number of 200 replicates, the first n of which have no value."""
    replicates = measured + np.linspace(-0.05, 0.05, 200)
    replicates[np.random.default_rng(1).permutation(200)[:n]] = np.nan
    cube = Cube(pd.DataFrame({"metric": ["P"]}), np.array([[measured, *replicates]]))
    one = claim({"rows": {"metric": "P"}}, {"above": 0.5})
    row = judge([one], {"sparsity": cube}, "ml-1m").iloc[0]
    return row, replicates


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
    assert row.reason == "11 of 200 replicates have no value, more than 5%: there is no interval"
    row, _ = without(11, measured=0.4)
    assert (row.verdict, row.reason[:9]) == ("not shown", "11 of 200")


@pytest.mark.parametrize("holds", [{"above": 0}, {"below": 0}, {"near": 0.1}])
@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("replicates", [None, NOISE])
def test_what_was_measured_without_a_value_is_neither_here_nor_there(holds, exact, replicates):
    rows = [("P", 5, np.nan), ("P", 10, 0.5)]
    one = claim({"reduce": "min"}, holds, 0.5)
    row = judge([one], {"sparsity": table(rows, replicates, exact)}, "ml-1m").iloc[0]
    assert row.verdict == "undefined"
    assert row.reason.startswith("what it is made of has no value")
    assert np.isnan([row.measured, row.low, row.high, row.margin]).all()
    assert row.undefined == (0 if replicates is None else len(NOISE))


# ---- Lists of claims -----------------------------------------------------------------------------


def test_datasets_that_were_not_studied_are_never_a_pass():
    claims = [claim({}, {"near": 0.1}, 0.5, kind="fact", implied_by=["b", "c"])]
    missing = untested(claims, tested=set())
    assert missing.verdict.tolist() == ["not testable"]
    assert missing.reason.tolist() == ["the dataset was not studied"]
    assert missing.published.tolist() == [0.5]
    assert missing.kind.tolist() == ["fact"]
    assert missing.implied_by.tolist() == ["b c"]
    assert set(missing.columns) <= set(COLUMNS)
    assert untested(claims, tested={"ml-1m"}).empty
    assert judge(claims, {"sparsity": table(ROWS)}, "demo").empty


def test_a_claim_for_several_values_becomes_several():
    one = bare({"rows": {"metric": "{metric}", "cutoff": 5}}, {"near": 0.01}, {"P": 0.5, "RR": 0.4})
    one |= {"id": "at-5-{metric}", "claim": "{metric} is so.", "for": {"metric": ["P", "RR"]}}
    one |= {"implied_by": ["other-{metric}"]}
    both = expand([one])
    assert [c["id"] for c in both] == ["at-5-P", "at-5-RR"]
    # In words, metrics have the names that the field calls them by.
    assert [c["claim"] for c in both] == ["P is so.", "MRR is so."]
    assert [c["implied_by"] for c in both] == [["other-P"], ["other-RR"]]
    found = judge(both, {"sparsity": table(ROWS, exact=True)}, "ml-1m")
    assert found.verdict.tolist() == ["reproduced"] * 2
    assert found.published.tolist() == [0.5, 0.4]


def test_what_a_claim_does_not_say_of_itself_is_added():
    (one,) = expand([bare({}, {"above": 0})])
    said = {"kind": "finding", "implied_by": [], "calibrated": False, "demanding": True, "why": ""}
    assert one == bare({}, {"above": 0}) | said
    row = judge([one], {"sparsity": table(ROWS[:1])}, "ml-1m").iloc[0]
    assert {name: row[name] for name in said} == said | {"implied_by": ""}
    with pytest.raises(AssayerError, match="the id 'a' is given to more than one claim"):
        expand([bare({}, {"above": 0})] * 2)


BOUNDS = {"order": "The claim says\n  which is higher.", "unused": "Nothing."}
NOT_ROWS = [{"where": "abstract", "sentence": "It is so.", "because": "It sums up."}]


def written(path, content):
    path.write_text(yaml.safe_dump(content))
    return path


def test_a_file_may_have_bounds_and_say_what_is_no_claim(tmp_path):
    claims = [
        bare({}, {"above": 0}, name="first") | {"why": "order", "kind": "fact"},
        bare({}, {"above": 0}, name="second") | {"why": "A reason  of its own."},
        bare({}, {"above": 0}, name="third") | {"implied_by": ["first", "second"]},
    ]
    content = {"bounds": BOUNDS, "claims": claims, "not_rows": NOT_ROWS}
    path = written(tmp_path / "claims.yaml", content)
    found = read(path)
    assert [c["id"] for c in found] == ["first", "second", "third"]
    assert [c["why"] for c in found] == [
        *("The claim says which is higher.", "A reason of its own.", "")
    ]
    assert [c["kind"] for c in found] == ["fact", "finding", "finding"]
    assert found[2]["implied_by"] == ["first", "second"]
    assert not_rows(path) == NOT_ROWS
    # A list of claims alone is the same, but for what it has not: rules that have names.
    claims[0]["why"] = "The claim says which is higher."
    alone = written(tmp_path / "list.yaml", claims)
    assert read(alone) == found
    assert not_rows(alone) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"claim": []}, "expected a list of claims"),
        ({"claims": {}}, "expected a list of claims"),
        ({"claims": ["a"]}, "expected a list of claims"),
        (["a"], "expected a list of claims"),
        ("a", "expected a list of claims"),
        ({"claims": [], "bound": {}}, r"unknown part of .*claims.yaml: 'bound'; did you mean 'bou"),
        ({"claims": [], "notrows": []}, "unknown part of .* 'notrows'; did you mean 'not_rows'"),
    ],
)
def test_mistakes_in_the_parts_of_a_file(tmp_path, content, message):
    path = written(tmp_path / "claims.yaml", content)
    with pytest.raises(AssayerError, match=f"claims.yaml.*{message}|{message}"):
        read(path)
    with pytest.raises(AssayerError, match=message):
        not_rows(path)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"rows": {"metric": "AP"}}, "claim a: no row has {'metric': 'AP'}"),
        ({"rows": {"metrics": "P"}}, "unknown column in claim a 'metrics'; did you mean 'metric'"),
        ({"rows": {"metric": "P"}}, "expected one row, found 3"),
        ({"reduce": "maximum"}, "unknown reduction"),
        ({"reduce": "trend"}, "a trend needs `along`"),
        ({"table": "sparsities"}, "unknown table in claim a 'sparsities'; did you mean 'sparsity'"),
    ],
)
def test_mistakes_in_a_number_are_explained(spec, message):
    with pytest.raises(AssayerError, match=message.replace("{", r"\{").replace("}", r"\}")):
        measure("claim a", {"table": "sparsity", **spec}, {"sparsity": table(ROWS)})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"holds": {"over": 1}}, "unknown predicate"),
        ({"holds": {"above": 1, "below": 2}}, "expected one of above, below"),
        ({"hold": {}}, "unknown key of .* 'hold'; did you mean 'holds'"),
        ({"where": None}, "'where' is missing"),
        ({"kind": "facts"}, "unknown kind of .* claim a: 'facts'; did you mean 'fact'"),
        ({"implied_by": ["b", "aa"]}, "unknown id in implied_by of .* claim a: 'aa'; did you m"),
        ({"implied_by": ["a"]}, "claims follow from each other in a circle, among: a"),
        ({"why": "ordered"}, "unknown rule of .* claim a: 'ordered'"),
    ],
)
def test_mistakes_in_a_file_name_the_claim(tmp_path, change, message):
    wrong = bare({}, {"above": 0}) | change
    wrong = {key: value for key, value in wrong.items() if value is not None}
    claims = [wrong, bare({}, {"above": 0}, name="b")]
    for content in (claims, {"claims": claims}):
        path = written(tmp_path / "claims.yaml", content)
        with pytest.raises(AssayerError, match=message) as caught:
            read(path)
        assert "claim a" in str(caught.value) or "among: a" in str(caught.value)


def test_claims_that_follow_from_each_other_in_a_circle_are_refused(tmp_path):
    premises = {"a": ["b"], "b": ["c", "d"], "c": ["a"], "d": [], "e": ["a"]}
    claims = [
        bare({}, {"above": 0}, name=name) | {"implied_by": others}
        for name, others in premises.items()
    ]
    path = written(tmp_path / "claims.yaml", claims)
    # What follows from a circle is among those that cannot be settled, what does not is not.
    with pytest.raises(AssayerError, match="in a circle, among: a, b, c, e"):
        read(path)
    claims[2]["implied_by"] = ["d"]
    assert [c["implied_by"] for c in read(written(path, claims))] == [
        *(["b"], ["c", "d"], ["d"], [], ["a"])
    ]


def test_the_shipped_claims_can_be_read_and_ask_for_known_tables_and_metrics():
    claims = read(FILE)
    assert 90 <= len({c["id"] for c in claims}) <= 150

    def check(spec):
        assert spec["table"] in MEASURED
        for key in ("metric", "metric_a", "metric_b"):
            named = spec.get("rows", {}).get(key, [])
            assert set([named] if isinstance(named, str) else named) <= set(METRICS)
        if "minus" in spec:
            check(spec["minus"])

    for one in claims:
        check(one["value"])
        assert set(one["datasets"]) <= {"ml-1m", "librarything", "beeradvocate"}
        assert "{" not in one["claim"] + one["id"] + one["why"]


def test_the_verdicts_are_those_that_the_documentation_names():
    assert [*VERDICTS] == [
        *("reproduced", "reproduced, uncertain", "not shown", "contradicted"),
        *("undefined", "not testable"),
    ]
    assert FIRM == ("reproduced", "contradicted")


def test_only_replicates_make_an_interval_and_only_of_their_column():
    rows = pd.DataFrame({"metric": ["P", "RR"], "value": [0.7, 0.5], "low": [0.6, 0.4]})
    rows = rows.assign(high=[0.8, 0.6], other=1.0)
    one = claim({"rows": {"metric": "P"}}, {"above": 0.6})

    def judged(cube):
        return judge([one], {"sparsity": cube}, "ml-1m").iloc[0]

    # The interval of a table is that of its rows: of numbers made of them it says nothing.
    row = judged(Cube.of(rows, "value"))
    assert (row.measured, row.verdict) == (0.7, "reproduced, uncertain")
    assert np.isnan([row.low, row.high]).all()
    replicated = Replicated(rows, "value", rows[["value"]].to_numpy() + NOISE)
    row = judged(Cube.of(replicated, "value"))
    assert (row.measured, row.verdict) == (0.7, "reproduced")
    assert (row.low, row.high) == pytest.approx(INTERVAL, abs=0.002)
    row = judged(Cube.of(replicated, "other"))
    assert (row.measured, row.verdict) == (1.0, "reproduced, uncertain")
    assert np.isnan(row.low)


def test_claims_about_another_dataset_keep_their_numbers_for_the_same_data_only():
    number = claim({}, {"near": 0.1}, published=0.5, name="number")
    other = claim({}, {"above": 0.1}, published=0.5, name="bound")
    elsewhere = claim({}, {"above": 0.1}) | {"datasets": {"librarything": None}}
    claims = [number, other, elsewhere]
    same = about(claims, "split-1", "ml-1m", published=True)
    assert [(c["id"], c["datasets"]) for c in same] == [
        ("number", {"split-1": 0.5}),
        ("bound", {"split-1": 0.5}),
    ]
    (left,) = about(claims, "ml-100k", "ml-1m", published=False)
    assert (left["id"], left["datasets"]) == ("bound", {"ml-100k": None})
    assert claims[0]["datasets"] == {"ml-1m": 0.5}
