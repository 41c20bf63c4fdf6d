"""Each study hands its claims the right table, column and replicates."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import scipy.stats
from claims_made_up import bare, claim

from rankassay.claims import judge
from rankassay.claims.judge import FAMILIES
from rankassay.claims.lists import expand, read
from rankassay.claims.measure import Column, Cube
from rankassay.declared.columns import COLUMNS, column
from rankassay.lookup import load
from rankassay.statistics.replicated import Replicated
from rankassay.studies import ANALYSES, STUDIES, of_study
from rankassay.studies.beyond import claims as beyond
from rankassay.studies.definitions import claims as definitions
from rankassay.studies.diversity import claims as diversity
from rankassay.studies.goals import claims as goals
from rankassay.studies.preferences import claims as preferences
from rankassay.studies.protocols import claims as protocols
from rankassay.studies.reliability import claims as reliability
from rankassay.studies.robustness import claims as robustness
from rankassay.studies.sampling import claims as sampling
from rankassay.studies.unjudged import claims as unjudged
from rankassay.studies.validity import claims as validity

MOVES = np.linspace(-0.25, 0.25, 101)
HALF = scipy.stats.t(100).ppf(0.975) * np.std(MOVES, ddof=1)  # of an interval of 1


def claims(*tables):
    """Return a claim about the one row that has the key 1, of each table."""
    value = {"rows": {"key": 1}}
    return [claim(value | {"table": name}, {"above": -100}, name=name) for name in tables]


def positive(values):
    """Return claims that numbers are above 0, each a sentence of its own."""
    return [claim(value, {"above": 0}, name=f"claim-{i}") for i, value in enumerate(values)]


def table(number, column, others=()):
    """Return a table with two rows, whose columns hold numbers of their own."""
    frame = pd.DataFrame({"key": [1, 2], column: [number, -50.0]})
    return frame.assign(**{name: number + 0.5 + place for place, name in enumerate(others)})


def replicated(number, column, others=()):
    frame = table(number, column, others)
    return Replicated(frame, column, frame[[column]].to_numpy() + number * MOVES)


def measured(analysis, *tables, **results):
    """Return what was measured of each table, half the width of the interval, and the verdicts."""
    rows = analysis(claims(*tables), "ml-1m", **results)
    rows = rows.table if isinstance(rows, Replicated) else rows
    half = (rows["high"] - rows["low"]) / 2
    numbers = zip(rows["measured"], half, strict=True)
    return dict(zip(rows["id"], numbers, strict=True)), set(rows["reproduced"])


def test_results_with_replicates_are_judged_by_the_replicated_column():
    columns = {"cutoff_correlation": "tau", "sparsity": "tau", "as_run": "dp", "groups": "value"}
    others = ["low", "high", "dp_normal", "median_p"]
    given = {
        name: replicated(0.1 * (place + 1), column, others)
        for place, (name, column) in enumerate(columns.items())
    }
    names = [name.replace("_", "-") for name in columns]
    found, verdicts = measured(judge.claims, *names, **given)
    for place, name in enumerate(names):
        number = 0.1 * (place + 1)
        assert found[name] == pytest.approx((number, HALF * number))
    assert verdicts == {"holds"}


def test_robustness_judges_statistics_beside_results_with_replicates():
    statistics = table(6040, "value", ["published"])
    given = {"statistics": statistics, "sparsity": replicated(0.5, "tau", ["standard_error"])}
    found, verdicts = measured(robustness.run, "statistics", "sparsity", **given)
    assert found == {"statistics": (6040, 0), "sparsity": pytest.approx((0.5, HALF / 2))}
    assert verdicts == {"holds"}
    found, verdicts = measured(robustness.run, "sparsity-errors", **given)
    assert found["sparsity-errors"][0] == 1.0
    assert verdicts == {"inconclusive"}  # unless it is a fact


def test_robustness_keeps_the_numbers_of_resampled_users_and_who_they_are():
    ratings = ([[1], [0], [2]], [[5], [0], [1]], [[1], [1], [0]])
    test, same, other = map(sp.csr_matrix, ratings)
    given = {"statistics": None, "sparsity": replicated(0.5, "tau", ["standard_error"])}
    asked = claims("sparsity", "statistics")
    found = robustness.run(asked, "ml-1m", test=test, **given)
    assert found.column == "measured"
    [users] = found.table["users"].unique()
    assert (robustness.run(asked, "ml-1m", test=same, **given).table["users"] == users).all()
    assert (robustness.run(asked, "ml-1m", test=other, **given).table["users"] != users).all()
    assert found.replicates[0] == pytest.approx(0.5 + 0.5 * MOVES)
    assert np.isnan(found.replicates[1]).all()
    alone = robustness.run(asked, "ml-1m", **given).table
    assert alone["users"].isna().all()
    pd.testing.assert_frame_equal(alone.drop(columns="users"), found.table.drop(columns="users"))


def test_constructed_rankings_are_exact():
    found = measured(
        goals.constructed_claims,
        *("examples", "bias", "properties", "shares"),
        examples=table(0.1, "value"),
        bias=table(0.2, "value"),
        properties=table(0.3, "exceptions", ["share"]),
    )
    numbers = {"examples": 0.1, "bias": 0.2, "properties": 0.3, "shares": 0.8}
    assert found == ({name: (number, 0) for name, number in numbers.items()}, {"holds"})
    found = measured(diversity.constructed_claims, "axioms", axioms=table(1.0, "holds"))
    assert found == ({"axioms": (1.0, 0)}, {"holds"})
    errors = table(0.3, "standard_error")
    found = measured(robustness.constructed_claims, "p-value-errors", p_value_errors=errors)
    assert found == ({"p-value-errors": (0.3, 0)}, {"holds"})
    examples = table(0.4, "measured", ["agrees"])
    found = measured(definitions.constructed_claims, "examples", "agreements", examples=examples)
    assert found == ({"examples": (0.4, 0), "agreements": (0.9, 0)}, {"holds"})


def test_tables_without_replicates_are_inconclusive():
    found, verdicts = measured(
        diversity.claims,
        *("perturbations", "order-correlation", "reversals", "incompleteness"),
        perturbations=table(0.1, "value"),
        order_correlation=table(0.2, "tau", ["reversals"]),
        incompleteness=table(0.3, "tau"),
    )
    assert [number for number, _ in found.values()] == pytest.approx([0.1, 0.2, 0.7, 0.3])
    assert verdicts == {"inconclusive"}
    found, verdicts = measured(
        definitions.claims,
        *("orders", "significant-orders", "value-ratios", "labels", "empty-users"),
        orders=table(3.0, "turned", ["turned_adjusted", "ratio"]),
        labels=table(0.25, "correlation", ["empty_share"]),
    )
    assert [number for number, _ in found.values()] == pytest.approx([3.0, 3.5, 4.5, 0.25, 0.75])
    assert verdicts == {"inconclusive"}


def test_popularity_is_overrated_where_it_ranks_better_as_observed_than_in_truth():
    """Ranks count from 1, the best: third in truth and first as observed is overrated by two."""
    worlds = pd.DataFrame(
        {"key": [1, 2], "popularity_true": [3.0, 1.0], "popularity_observed": [1.0, 4.5]}
    )
    values = [{"table": "overrated", "rows": {"key": key}} for key in (1, 2)]
    judged = validity.constructed_claims(
        positive(values),
        "ml-1m",
        closed_world=table(0.5, "apart"),
        worlds=Replicated.of(worlds, "popularity_true", worlds[["popularity_true"]].to_numpy()),
    )
    assert judged["measured"].tolist() == [2.0, -3.5]
    assert judged["reproduced"].tolist() == ["inconclusive"] * 2
    assert judged["holds"].tolist() == [True, False]


def test_reliability_by_hand():
    type_errors = pd.DataFrame(
        [("I", 0.0, "simulation", 0.4), ("I", 0.0, "control", 0.1), ("II", 0.1, "simulation", 0.9)],
        columns=["error", "delta", "null", "rate"],
    )
    split_half = pd.DataFrame(
        [
            ("P", 10, 5, "half", 0.5, 0.9),
            ("P", 10, 9, "half", 0.75, 0.875),
            ("P", 10, 9, "all", 0.8, np.nan),
            ("AP", np.nan, 8, "half", 0.5, 0.75),  # it is undefined for one user
        ],
        columns=["metric", "cutoff", "users", "against", "mean", "mapped"],
    )
    required_users = pd.DataFrame([(100.0, 90.0)], columns=["required", "resampled"])
    values = [
        {"table": "type-1", "rows": {"null": "simulation"}},
        {"table": "type-1", "rows": {"null": "control"}},
        {"table": "mapping", "rows": {"metric": "P"}},
        {"table": "mapping", "rows": {"metric": "AP"}},
        {"table": "planning"},
    ]
    results = {"split_half": split_half, "required_users": required_users}
    judged = reliability.run(
        positive(values),
        "ml-1m",
        type_errors=type_errors,
        discriminative_power=replicated(0.5, "dp"),
        **results,
    )
    assert judged["measured"].tolist() == pytest.approx([0.4, 0.1, 0.125, 0.25, 0.1])


def test_sampled_distances_and_differences_by_hand():
    by_size = pd.DataFrame(
        [("A", 1, 0.5), ("B", 1, 0.2), ("A", np.inf, 0.9), ("B", np.inf, 0.1)],
        columns=["algorithm", "m", "value"],
    ).assign(metric="AP")
    by_rank = pd.DataFrame(
        [(1, 1.0, 0.75), (1, np.inf, 0.25), (2, 1.0, 0.5), (2, np.inf, 0.75)],
        columns=["rank", "m", "value"],
    ).assign(metric="AP")
    example = pd.DataFrame(
        [("A", "AP", 10, 0.5, 0.1)], columns=["algorithm", "metric", "cutoff", "exact", "deviation"]
    )
    asked = {
        "example": {"statistic": "deviation"},
        "differences": {"pair": "A-B", "m": 1},
        "distance": {"m": 1},
        "distance-by-rank": {"m": 1.0},
        "reliable": {"metric": "AP"},
    }
    judged = sampling.constructed_claims(
        positive({"table": name, "rows": rows} for name, rows in asked.items()),
        "ml-1m",
        example=example,
        by_size=by_size,
        by_rank=by_rank,
        orders=pd.DataFrame([("AP", 100)] * 2, columns=["metric", "reliable_from"]),
    )
    assert judged["measured"].tolist() == pytest.approx([0.1, 0.3, 0.4, 0.5, 100])
    assert set(judged["reproduced"]) == {"holds"}


def test_sampled_metrics_on_systems_have_a_row_for_each_statistic():
    head = {"sampler": "uniform", "relevant": "alone", "metric": "AP", "cutoff": 10, "m": 99}
    statistics = {"tau": 0.5, "tau_auc": 0.25, "wrong": 3, "wrong_significant": 2}
    statistics["contradicted"] = 1
    values = [{"table": "systems", "rows": {"statistic": name}} for name in statistics]
    judged = sampling.claims(
        positive([*values, {"table": "agreement"}]),
        "ml-1m",
        systems=pd.DataFrame([head | statistics]),
        agreement=pd.DataFrame({"metric_a": ["AP"], "tau": [0.75]}),
    )
    assert judged["measured"].tolist() == [*statistics.values(), 0.75]
    assert set(judged["reproduced"]) == {"inconclusive"}


DECLARATIONS = {"run": "DATA", "claims": "DATA", "constructed_claims": "CONSTRUCTED"}
DECLARED = {
    f"{module.__name__}:{attribute}": columns
    for module in (
        *(beyond, definitions, diversity, goals, preferences, protocols),
        *(reliability, robustness, sampling, unjudged, validity),
    )
    for attribute, name in DECLARATIONS.items()
    if hasattr(module, attribute) and (columns := getattr(module, name, None))
}
JUDGED = [
    (study.name, name)
    for study in STUDIES.values()
    for name in ("claims", "constructed-claims")
    if name in of_study(ANALYSES, study.name)
]


def tables_of(study, name):
    """Return the tables that a study's claims about data, or constructed ones, can ask for."""
    entry = ANALYSES[f"{study}/{name}"]
    own = {
        key.replace("_", "-")
        for key, of in entry.inputs.items()
        if entry.compares and of in ANALYSES and ANALYSES[of].replicated and key != FAMILIES
    }
    return own | set(DECLARED.get(entry.function, {}))


@pytest.mark.parametrize(("study", "name"), JUDGED)
def test_a_study_declares_the_results_that_its_tables_are_made_of(study, name):
    entry = ANALYSES[f"{study}/{name}"]
    assert callable(load(entry.function))
    columns = DECLARED.get(entry.function, {})
    made_of = {column.of or table.replace("-", "_") for table, column in columns.items()}
    assert made_of <= set(entry.inputs)
    # Nothing is declared that is no table, but for what reasons name.
    unused = set(entry.inputs) - made_of - {"claims", "identical", "test", FAMILIES}
    assert {name.replace("_", "-") for name in unused} <= tables_of(study, name)


@pytest.mark.slow
@pytest.mark.parametrize(("study", "name"), JUDGED)
def test_the_shipped_claims_ask_for_tables_that_there_are(study, name):
    def asked(spec):
        return {spec["table"]} | (asked(spec["minus"]) if "minus" in spec else set())

    constructed = name == "constructed-claims"
    tables = [
        asked(one["value"])
        for one in read(STUDIES[study].claims)
        if ("constructed" in one["datasets"]) == constructed
    ]
    assert tables
    assert set.union(*tables) <= tables_of(study, name)


# The column that each table of claims is of, beside those of replicated results; "*" is made.
READ = {
    "beyond": {"robustness": "tau", "power": "dp", "significant": "significant_05"},
    "definitions": {
        **{"orders": "turned", "significant-orders": "turned_adjusted", "value-ratios": "ratio"},
        **{"labels": "correlation", "empty-users": "empty_share"},
        **{"examples": "measured", "agreements": "agrees"},
    },
    "diversity": {
        **{"perturbations": "value", "order-correlation": "tau", "reversals": "reversals"},
        **{"incompleteness": "tau", "axioms": "holds"},
    },
    "goals": {"examples": "value", "bias": "value", "properties": "exceptions", "shares": "share"},
    "preferences": {"significant": "significant_05", "tied": "tied"},
    "protocols": {"criteria": "value", "winners": "place"},
    "reliability": {"type-1": "*", "mapping": "*", "planning": "*"},
    "robustness": {
        **{"statistics": "value", "sparsity-errors": "standard_error"},
        "p-value-errors": "standard_error",
    },
    "sampling": {
        **{"example": "*", "differences": "*", "distance": "*", "distance-by-rank": "*"},
        **{"reliable": "*", "systems": "*", "agreement": "tau"},
    },
    "unjudged": {"overlapping": "overlapping_share", "open": "open_share"},
    "validity": {"closed-world": "apart", "overrated": "*", "target-items": "*"},
}
TABLES = [
    (function.split(".")[2], name, column)
    for function, columns in DECLARED.items()
    for name, column in columns.items()
]


def test_each_table_of_claims_has_a_column_here():
    assert {(study, name) for study, name, _ in TABLES} == {
        (study, name) for study, tables in READ.items() for name in tables
    }


@pytest.mark.parametrize(("study", "name", "declared"), TABLES)
def test_a_table_of_claims_moves_with_its_column_and_with_no_other(study, name, declared):
    wanted = READ[study][name]
    made = declared.made is not Column.made
    assert (wanted == "*") == made
    if made:
        pytest.skip("computed from several columns, which the tests above do by hand")
    every = [wanted, *sorted({*COLUMNS, *STUDIES[study].columns} - {wanted})]
    result = pd.DataFrame([np.arange(len(every)), np.arange(len(every)) + 0.5], columns=every)
    result = result.astype(float)

    def values(table):
        return Cube.of(declared.made(table), declared.name, declared.exact).values

    others = result.copy()
    others[every[1:]] += 7
    np.testing.assert_array_equal(values(result), values(others))
    np.testing.assert_array_equal(values(result.assign(**{wanted: [5, 6]})), [[5], [6]])


def specs(spec):
    """Yield the numbers that a claim's number is made of."""
    yield spec
    if "minus" in spec:
        yield from specs(spec["minus"])


@pytest.mark.slow
@pytest.mark.parametrize("study", sorted({study for study, _ in JUDGED}))
def test_claims_choose_rows_by_declared_columns_and_expect_what_their_column_can_be(study):
    own, tables = STUDIES[study].columns, READ.get(study, {})
    for one in read(STUDIES[study].claims):
        for spec in specs(one["value"]):
            keys = {*spec.get("rows", {}), *([spec["along"]] if "along" in spec else ())}
            made = {"m", "pair", "statistic", "targets"}  # of tables that are made for claims
            assert {key for key in keys - made if column(key, own) is None} == set(), one["id"]
        plain = len([*specs(one["value"])]) == 1 and one["value"].get("reduce") != "trend"
        name = tables.get(one["value"]["table"])
        if plain and name not in (None, "*"):
            least, greatest = column(name, own).bounds
            numbers = [*one["datasets"].values(), *one["holds"].values()]
            numbers = [number for number in numbers if isinstance(number, int | float)]
            assert all(least <= number <= greatest for number in numbers), one["id"]


def test_identical_systems_are_named_where_a_dp_is_without_them():
    rows = pd.DataFrame({"metric": ["P"], "dp": [1.2]})
    taus = pd.DataFrame({"metric": ["P"], "tau": [0.9], "standard_error": [0.1]})
    tables = ("discriminative-power", "sparsity")
    claims = expand(
        [bare({"table": name, "rows": {"metric": "P"}}, {"above": 0}, name=name) for name in tables]
    )
    results = {
        "discriminative_power": Replicated(rows, "dp", np.empty((1, 0))),
        "sparsity": Replicated(taus, "tau", np.empty((1, 0))),
        "statistics": None,
    }
    pairs = pd.DataFrame({"system_a": ["RSV", "A"], "system_b": ["Rocchio", "B"]})
    without = robustness.run(claims, "ml-1m", **results).table
    assert robustness.run(claims, "ml-1m", pairs[:0], **results).table.equals(without)
    found = robustness.run(claims, "ml-1m", pairs, **results).table
    first, second = found["reason"]
    assert first == f"{without['reason'][0]}; without the identical systems RSV = Rocchio and A = B"
    assert second == without["reason"][1]
    assert found.drop(columns="reason").equals(without.drop(columns="reason"))
