"""Claims as rows: what is measured, when it holds, and what is said where it cannot be known."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from assayer.analysis.claim_lists import about, expand, read, untested
from assayer.analysis.claims import VERDICTS, Cube, judge, measure
from assayer.analysis.verdicts import MEASURED
from assayer.errors import AssayerError
from assayer.registry import METRICS

FILE = Path(__file__).parents[2] / "config/claims/robustness.yaml"


def table(rows, replicates=None):
    """Return a cube of taus by metric and cut-off; replicates are added to each."""
    keys = pd.DataFrame([row[:-1] for row in rows], columns=["metric", "cutoff"])
    values = np.array([[row[-1]] for row in rows], dtype=float)
    if replicates is not None:
        values = np.hstack([values, values + np.array(replicates)])
    return Cube(keys, values)


ROWS = [("P", 5, 0.5), ("P", 10, 0.7), ("P", 20, 0.9), ("RR", 5, 0.4), ("RR", 10, 0.4)]


def claim(value, holds, published=None, name="a"):
    return {
        "id": name,
        "where": "figure 1",
        "claim": "Something.",
        "datasets": {"ml-1m": published},
        "value": {"table": "sparsity", **value},
        "holds": holds,
    }


def verdict(value, holds, published=None, replicates=None):
    found = judge([claim(value, holds, published)], {"sparsity": table(ROWS, replicates)}, "ml-1m")
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
    ],
)
def test_numbers_are_made_of_rows(spec, expected):
    found = measure("claim a", {"table": "sparsity", **spec}, {"sparsity": table(ROWS)})
    assert found == pytest.approx([expected])


@pytest.mark.parametrize(
    ("holds", "published", "expected", "margin"),
    [
        ({"above": 0.6}, None, "reproduced", 0.1),
        ({"above": 0.7}, None, "not reproduced", 0.0),
        ({"at_least": 0.7}, None, "reproduced", 0.0),
        ({"below": 0.7}, None, "not reproduced", 0.0),
        ({"at_most": 0.6}, None, "not reproduced", -0.1),
        ({"near": 0.05}, 0.74, "reproduced", 0.01),
        ({"near": 0.05}, 0.76, "not reproduced", -0.01),
        ({"near": 0.1, "relative": True}, 0.65, "reproduced", 0.015),
    ],
)
def test_a_number_changed_in_a_claim_changes_its_verdict(holds, published, expected, margin):
    row = verdict({"rows": {"metric": "P", "cutoff": 10}}, holds, published)
    assert row.verdict == expected
    assert row.margin == pytest.approx(margin, abs=1e-8)
    assert row.measured == 0.7
    assert np.isnan(row.low)


def test_partly_is_what_holds_for_a_value_inside_the_interval():
    value = {"rows": {"metric": "P", "cutoff": 10}}
    noise = [-0.05, 0.05]  # a standard deviation of 0.05: from 0.602 to 0.798
    row = verdict(value, {"above": 0.75}, replicates=noise)
    assert (row.low, row.high) == pytest.approx((0.602, 0.798))
    assert row.verdict == "partly"
    assert verdict(value, {"above": 0.85}, replicates=noise).verdict == "not reproduced"
    assert verdict(value, {"below": 0.65}, replicates=noise).verdict == "partly"
    assert verdict(value, {"near": 0.02}, 0.81, noise).verdict == "partly"
    assert verdict(value, {"near": 0.02}, 0.9, noise).verdict == "not reproduced"


def test_intervals_of_correlations_stay_between_minus_one_and_one():
    row = verdict({"rows": {"metric": "P", "cutoff": 20}}, {"above": 0}, replicates=[-0.2, 0.2])
    assert row.high == 1


def test_datasets_that_were_not_studied_are_never_a_pass():
    claims = expand([claim({}, {"near": 0.1}, 0.5)])
    missing = untested(claims, tested=set())
    assert missing.verdict.tolist() == ["not testable: no data"]
    assert missing.published.tolist() == [0.5]
    assert untested(claims, tested={"ml-1m"}).empty
    assert judge(claims, {"sparsity": table(ROWS)}, "demo").empty


def test_a_claim_for_several_values_becomes_several():
    one = claim(
        {"rows": {"metric": "{metric}", "cutoff": 5}}, {"near": 0.01}, {"P": 0.5, "RR": 0.4}
    )
    one |= {"id": "at-5-{metric}", "claim": "{metric} is so.", "for": {"metric": ["P", "RR"]}}
    both = expand([one])
    assert [c["id"] for c in both] == ["at-5-P", "at-5-RR"]
    assert [c["claim"] for c in both] == ["P is so.", "RR is so."]
    found = judge(both, {"sparsity": table(ROWS)}, "ml-1m")
    assert found.verdict.tolist() == ["reproduced"] * 2
    assert found.published.tolist() == [0.5, 0.4]


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
    ],
)
def test_mistakes_in_a_file_name_the_claim(tmp_path, change, message):
    wrong = claim({}, {"above": 0}) | change
    wrong = {key: value for key, value in wrong.items() if value is not None}
    path = tmp_path / "claims.yaml"
    path.write_text(yaml.safe_dump([wrong]))
    with pytest.raises(AssayerError, match=message):
        read(path)


def test_the_shipped_claims_can_be_read_and_ask_for_known_tables_and_metrics():
    claims = read(FILE)
    assert 40 <= len({c["id"] for c in claims}) <= 90

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
        assert "{" not in one["claim"] + one["id"]


def test_the_verdicts_are_those_that_the_documentation_names():
    assert VERDICTS == ("reproduced", "partly", "not reproduced", "not testable: no data")


def test_a_table_may_bring_its_own_interval():
    rows = pd.DataFrame({"metric": ["P", "RR"], "value": [0.7, 0.5], "low": [0.6, 0.4]})
    tables = {"sparsity": Cube.of(rows.assign(high=[0.8, np.nan]), "value")}

    def judged(value, holds):
        return judge([claim(value, holds)], tables, "ml-1m").iloc[0]

    one = judged({"rows": {"metric": "P"}}, {"above": 0.75})
    assert (one.measured, one.low, one.high, one.verdict) == (0.7, 0.6, 0.8, "partly")
    assert judged({"rows": {"metric": "RR"}}, {"above": 0.45}).verdict == "reproduced"
    # Of several rows no interval is known.
    assert np.isnan(judged({"reduce": "max"}, {"above": 0.75}).low)


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
