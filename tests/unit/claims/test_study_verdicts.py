"""Each study hands its claims the right table, column and replicates."""

import numpy as np
import pandas as pd
import pytest

from assayer.claims.lists import SAID
from assayer.statistics.replicated import Replicated
from assayer.studies.aggregation import claims as aggregation_verdicts
from assayer.studies.definitions import claims as definitions_verdicts
from assayer.studies.diversity import claims as diversity
from assayer.studies.goals import claims as goals
from assayer.studies.robustness import claims as verdicts
from assayer.studies.sampling import claims as sampling

MOVES = np.linspace(-0.25, 0.25, 101)


def claims(*tables):
    """Return a claim about the one row that has the key 1, of each table."""
    return [
        SAID
        | {
            "id": name,
            "where": "",
            "claim": "",
            "datasets": {"d": None},
            "value": {"table": name, "rows": {"key": 1}},
            "holds": {"above": -100},
        }
        for name in tables
    ]


def table(number, column, others=()):
    """Return a table with two rows, whose columns hold numbers of their own."""
    frame = pd.DataFrame({"key": [1, 2], column: [number, -50.0]})
    return frame.assign(**{name: number + 0.5 + place for place, name in enumerate(others)})


def replicated(number, column, others=()):
    frame = table(number, column, others)
    return Replicated(frame, column, frame[[column]].to_numpy() + number * MOVES)


def of(judged):
    """Return what was measured, and half the width of the interval."""
    half = (judged["high"] - judged["low"]) / 2
    return dict(zip(judged["id"], zip(judged["measured"], half, strict=True), strict=True))


def test_robustness_judges_each_table_by_its_own_number():
    names = ["cutoff-correlation", "metric-correlation", "sparsity", "popularity"]
    given = {
        name.replace("-", "_"): replicated(0.1 * (place + 1), "tau", ["low", "high"])
        for place, name in enumerate(names)
    }
    given["discriminative_power"] = replicated(5, "dp", ["low", "high", "dp_normal", "median_p"])
    given["as_run"] = replicated(9, "dp", ["pairs"])
    statistics = table(6040, "value", ["published"])
    listed = claims(*names, "discriminative-power", "as-run", "statistics")
    judged = verdicts.run(listed, statistics, **given, dataset="d")
    found = of(judged)
    for place, name in enumerate(names):
        number = 0.1 * (place + 1)
        assert found[name] == pytest.approx((number, 0.24 * number), rel=0.02)
    assert found["discriminative-power"] == pytest.approx((5, 1.2), rel=0.02)
    assert found["as-run"] == pytest.approx((9, 2.16), rel=0.02)
    assert found["statistics"] == (6040, 0)
    assert set(judged["verdict"]) == {"reproduced"}


def test_goals_judge_each_table_by_its_own_number():
    columns = {"bias-measured": "value", "metric-correlation": "tau", "sparsity": "tau"}
    columns |= {"popularity": "tau", "discriminative-power": "dp"}
    given = {
        name.replace("-", "_"): replicated(0.1 * (place + 1), column, ["low", "median_p", "share"])
        for place, (name, column) in enumerate(columns.items())
    }
    found = of(goals.run(claims(*columns), **given, dataset="d"))
    for place, name in enumerate(columns):
        number = 0.1 * (place + 1)
        assert found[name] == pytest.approx((number, 0.24 * number), rel=0.02)


def test_constructed_rankings_are_exact():
    made = {
        "examples": table(0.1, "value"),
        "bias": table(0.2, "value"),
        "properties": table(0.3, "exceptions", ["share"]),
    }
    judged = goals.constructed(
        claims("examples", "bias", "properties", "shares"), **made, dataset="d"
    )
    assert of(judged) == {
        "examples": (0.1, 0),
        "bias": (0.2, 0),
        "properties": (0.3, 0),
        "shares": (0.8, 0),
    }
    judged = diversity.constructed(claims("axioms"), table(1.0, "holds"), "d")
    assert of(judged) == {"axioms": (1.0, 0)}
    examples = table(0.4, "measured", ["agrees"])
    judged = definitions_verdicts.constructed(claims("examples", "agreements"), examples, "d")
    assert of(judged) == {"examples": (0.4, 0), "agreements": (0.9, 0)}


def test_tables_without_replicates_are_uncertain():
    judged = diversity.run(
        claims("perturbations", "order-correlation", "reversals", "incompleteness"),
        table(0.1, "value"),
        table(0.2, "tau", ["reversals"]),
        table(0.3, "tau"),
        "d",
    )
    assert judged["measured"].tolist() == pytest.approx([0.1, 0.2, 0.7, 0.3])
    assert set(judged["verdict"]) == {"reproduced, uncertain"}
    orders = table(3.0, "turned", ["turned_adjusted", "ratio"])
    labels = table(0.25, "correlation", ["empty_share"])
    names = ["orders", "significant-orders", "value-ratios", "labels", "empty-users"]
    judged = definitions_verdicts.run(claims(*names), orders, labels, "d")
    assert judged["measured"].tolist() == pytest.approx([3.0, 3.5, 4.5, 0.25, 0.75])
    assert set(judged["verdict"]) == {"reproduced, uncertain"}


def test_averages_over_users_have_replicates():
    found = of(aggregation_verdicts.run(claims("groups"), replicated(0.5, "value", ["low"]), "d"))
    assert found["groups"] == pytest.approx((0.5, 0.12), rel=0.02)


def test_sampled_distances_and_differences_by_hand():
    by_size = pd.DataFrame(
        [
            (a, "AP", m, v)
            for a, m, v in [("A", 1, 0.5), ("B", 1, 0.2), ("A", np.inf, 0.9), ("B", np.inf, 0.1)]
        ],
        columns=["algorithm", "metric", "m", "value"],
    )
    by_rank = pd.DataFrame(
        [
            ("AP", 1, 1.0, 0.75),
            ("AP", 1, np.inf, 0.25),
            ("AP", 2, 1.0, 0.5),
            ("AP", 2, np.inf, 0.75),
        ],
        columns=["metric", "rank", "m", "value"],
    )
    example = pd.DataFrame(
        [("A", "AP", 10, 0.5, 0.1)], columns=["algorithm", "metric", "cutoff", "exact", "deviation"]
    )
    orders = pd.DataFrame([("AP", 100)], columns=["metric", "reliable_from"])

    def one(name, **rows):
        (made,) = claims(name)
        return made | {
            "datasets": {"constructed": None},
            "value": {"table": name, "rows": rows},
            "id": name,
        }

    listed = [
        one("example", statistic="deviation"),
        one("differences", pair="A-B", m=1),
        one("distance", m=1),
        one("distance-by-rank", m=1.0),
        one("reliable", metric="AP"),
    ]
    judged = sampling.constructed(listed, example, by_size, by_rank, orders)
    assert judged["measured"].tolist() == pytest.approx([0.1, 0.3, 0.4, 0.5, 100])
    assert set(judged["verdict"]) == {"reproduced"}
