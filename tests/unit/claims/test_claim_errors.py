"""The errors of a claim's number: of users, of splits, and of the families of the systems."""

import json

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from claims_made_up import NOISE, PAPER, ROWS, bare, claim, cube, ends, judge

from rankassay.artifacts.tables import read_table, write_table
from rankassay.claims.judge import DRAWS, judging, of_families, replicated
from rankassay.claims.lists import expand
from rankassay.claims.measure import Column, Cube
from rankassay.claims.verdicts import common, interval, judged, over_splits, without_families
from rankassay.statistics.replicated import Replicated

ANYWHERE = (-np.inf, np.inf)
TEN = {"rows": {"metric": "P", "cutoff": 10}}  # 0.7
HOLDS, OPEN, FAILS = "holds", "inconclusive", "does not hold"


# ---- The interval of independent errors ----------------------------------------------------------


@pytest.mark.parametrize("n", [2, 5, 30])
def test_of_two_errors_the_interval_is_that_of_welch(n):
    rng = np.random.default_rng(n)
    x, y = rng.normal(1, 2, n), rng.normal(0, 0.3, n)
    errors = [(scipy.stats.sem(own), n - 1) for own in (x, y)]
    welch = scipy.stats.ttest_ind(x, y, equal_var=False)
    expected = welch.confidence_interval(0.95)
    found = interval(x.mean() - y.mean(), errors, ANYWHERE)
    assert found == pytest.approx((expected.low, expected.high), rel=1e-12)
    # Of several with another number of degrees of freedom each, as of two groups of other sizes.
    z = rng.normal(0, 1, 2 * n + 1)
    expected = scipy.stats.ttest_ind(x, z, equal_var=False).confidence_interval(0.95)
    errors[1] = (scipy.stats.sem(z), 2 * n)
    found = interval(x.mean() - z.mean(), errors, ANYWHERE)
    assert found == pytest.approx((expected.low, expected.high), rel=1e-12)


def test_of_one_error_it_is_that_of_student():
    x = np.random.default_rng(1).normal(size=6)
    expected = scipy.stats.ttest_1samp(x, 0).confidence_interval(0.95)
    found = interval(x.mean(), [(scipy.stats.sem(x), 5)], ANYWHERE)
    assert found == pytest.approx((expected.low, expected.high), rel=1e-12)
    # One that is known to be 0 changes nothing.
    assert interval(x.mean(), [(scipy.stats.sem(x), 5), (0.0, 9)], ANYWHERE) == found


def test_of_three_errors_it_is_by_satterthwaites_degrees_of_freedom():
    """Of three errors of 3, 4 and 12: s = 13; s^4 = 28561; 81/2 + 256/4 + 20736/9 = 2408.5."""
    low, high = interval(1.0, [(3.0, 2), (4.0, 4), (12.0, 9)], ANYWHERE)
    reach = 13 * scipy.stats.t(28561 / 2408.5).ppf(0.975)
    assert (low, high) == pytest.approx((1 - reach, 1 + reach), rel=1e-12)
    assert interval(1.0, [(12.0, 9), (3.0, 2), (4.0, 4)], ANYWHERE) == pytest.approx((low, high))


def test_it_ends_where_a_number_can_be():
    assert interval(0.9, [(0.5, 9)], (-1.0, 1.0)) == pytest.approx((-0.2311, 1.0), abs=1e-3)
    assert interval(0.1, [(0.5, 9)], (0.0, np.inf)) == pytest.approx((0.0, 1.2311), abs=1e-3)


@pytest.mark.parametrize(
    ("value", "errors", "expected"),
    [
        (0.5, [(0.0, 9)], (0.5, 0.5)),
        (0.5, [(0.0, 9), (0.0, 1)], (0.5, 0.5)),
        (0.5, [], (np.nan, np.nan)),
        (0.5, [(0.1, 9), (np.nan, 4)], (np.nan, np.nan)),
        (np.nan, [(0.1, 9)], (np.nan, np.nan)),
    ],
)
def test_without_error_it_is_the_number_and_without_one_that_is_known_there_is_none(
    value, errors, expected
):
    assert interval(value, errors, ANYWHERE) == pytest.approx(expected, nan_ok=True)


# ---- Which errors count --------------------------------------------------------------------------

SAID = {"predicate": "above", "bound": 0.0, "margin": 0.0, "mean": 1.0, "splits": 1}
SAID |= {"least": -np.inf, "greatest": np.inf, "exact": False, "verdict": ""}
SAID |= {"resamples": 200, "families": 7, "error_users": 0.1}
SAID |= {"error_splits": np.nan, "error_systems": np.nan}


def asked(**said):
    """Return both verdicts on one number with their intervals."""
    found = judged(pd.DataFrame([SAID | said])).iloc[0]
    first, second = (found[["low", "high"]], found[["general_low", "general_high"]])
    return (found["reproduced"], *first), (found["general"], *second)


def ended(*errors):
    """Return the interval of 1, by errors and their degrees of freedom."""
    total = sum(error**2 for error, _ in errors)
    df = total**2 / sum(error**4 / df for error, df in errors)
    return scipy.stats.t.interval(0.95, df, 1.0, total**0.5)


NOTHING = ("", pytest.approx(np.nan, nan_ok=True), pytest.approx(np.nan, nan_ok=True))


def test_reproduced_is_over_users_and_splits_and_general_over_systems_as_well():
    users, splits, systems = (0.1, 199), (0.3, 9), (0.5, 6)
    of_one, general = asked()
    assert of_one == (HOLDS, *map(pytest.approx, ended(users)))
    assert general == NOTHING
    # Of one split nothing is known of others, whatever is said of their error.
    assert asked(error_splits=0.3)[0] == of_one
    of_ten, general = asked(splits=10, error_splits=0.3)
    assert of_ten == (HOLDS, *map(pytest.approx, ended(users, splits)))
    assert general == NOTHING
    same, general = asked(error_systems=0.5)
    assert same == of_one
    assert general == (OPEN, *map(pytest.approx, ended(users, systems)))
    same, general = asked(splits=10, error_splits=0.3, error_systems=0.5)
    assert same == of_ten
    assert general == (OPEN, *map(pytest.approx, ended(users, splits, systems)))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"predicate": "below"}, (FAILS, OPEN)),
        ({"predicate": "near", "bound": 1.0, "margin": 0.3}, (HOLDS, OPEN)),
        ({"predicate": "near", "bound": 1.0, "margin": 1.3}, (HOLDS, HOLDS)),
        ({"predicate": "below", "bound": 3.0}, (HOLDS, HOLDS)),
    ],
)
def test_both_verdicts_are_of_the_same_condition(said, expected):
    assert tuple(own[0] for own in asked(**said, error_systems=0.5)) == expected


def test_both_intervals_end_where_the_number_can_be():
    within = asked(least=0.95, greatest=1.05, error_systems=0.5)
    assert [own[1:] for own in within] == [(0.95, 1.05)] * 2


def test_without_resampled_users_both_are_open():
    assert [own[0] for own in asked(error_users=np.nan, resamples=0, error_systems=0.1)] == [
        OPEN
    ] * 2
    assert asked(error_users=np.nan, resamples=0)[1] == NOTHING


def test_what_is_exact_or_was_not_measured_has_no_second_verdict():
    exact, general = asked(exact=True, error_users=np.nan, error_systems=0.4, splits=10)
    assert (exact, general) == ((HOLDS, 1.0, 1.0), NOTHING)
    for word in ("undefined", "not asked"):
        first, general = asked(verdict=word, error_systems=0.4)
        assert first == (word, *NOTHING[1:])
        assert general == NOTHING


# ---- Families of systems -------------------------------------------------------------------------


NAMES = [f"family {i}" for i in range(10)]


def without(numbers, rows=ROWS, name="sparsity"):
    """Return the numbers without each family, as the study of robustness has them."""
    table = pd.DataFrame(rows, columns=["metric", "cutoff", "value"]).assign(table=name)
    # Of other tables there are rows before and after, with other columns.
    other = pd.DataFrame({"table": ["before"], "metric_a": ["P"], "value": [0.1]})
    both = pd.concat([other, table, other.assign(table="after")], ignore_index=True)
    both = both.assign(families=json.dumps(NAMES[: numbers.shape[1]]))
    zero = np.zeros((1, numbers.shape[1]))
    return Replicated(both, "value", np.vstack([zero, numbers, zero]))


def jackknife(numbers):
    """Return the error of a number by Tukey's pseudo-values: that of their mean."""
    n, whole = len(numbers), 1.0  # any number for that of all systems: the scatter is the same
    return float(scipy.stats.sem(n * whole - (n - 1) * np.asarray(numbers)))


@pytest.mark.parametrize(
    ("value", "by_hand"),
    [
        (TEN, lambda t: t.query("metric == 'P' and cutoff == 10")["value"].item()),
        (
            {"rows": {"metric": "P"}, "reduce": "max"},
            lambda t: t.query("metric == 'P'")["value"].max(),
        ),
        ({"along": "metric", "reduce": "min"}, lambda t: t.groupby("metric")["value"].mean().min()),
        (
            {"rows": {"metric": "P"}, "along": "cutoff", "reduce": "trend"},
            lambda t: (
                scipy.stats.kendalltau(
                    *t.query("metric == 'P'")[["cutoff", "value"]].T.to_numpy()
                ).statistic
            ),
        ),
        (
            {
                **{"rows": {"metric": "P"}, "reduce": "mean"},
                "minus": {"table": "sparsity", "rows": {"metric": "RR"}, "reduce": "max"},
            },
            lambda t: (
                t.query("metric == 'P'")["value"].mean() - t.query("metric == 'RR'")["value"].max()
            ),
        ),
    ],
)
def test_the_error_of_systems_is_the_jackknife_of_the_number_itself(value, by_hand):
    """Brute force: the number is made anew of the table without each family."""
    rng = np.random.default_rng(7)
    numbers = rng.random((len(ROWS), 6))
    tables = {"sparsity": cube(ROWS, NOISE)}
    known = of_families(tables, without(numbers))
    row = judge([claim(value, {"above": -9})], tables, "ml-1m", known).iloc[0]
    table = pd.DataFrame(ROWS, columns=["metric", "cutoff", "value"])
    expected = jackknife([by_hand(table.assign(value=column)) for column in numbers.T])
    assert expected > 0
    assert row["error_systems"] == pytest.approx(expected, rel=1e-12)
    assert (row["families"], row["general"]) == (6, HOLDS)
    alone = judge([claim(value, {"above": -9})], tables, "ml-1m").iloc[0]
    assert (alone["families"], alone["general"]) == (0, "")
    same = ["measured", "low", "high", "reproduced", "error_users"]
    pd.testing.assert_series_equal(row[same], alone[same])


def test_a_study_hands_over_what_its_analysis_of_families_found():
    analysis = judging({"facts": Column("value", exact=True)})
    table = pd.DataFrame(ROWS, columns=["metric", "cutoff", "tau"])
    given = {
        "facts": pd.DataFrame({"name": ["n"], "value": [3.0]}),
        "sparsity": Replicated(table, "tau", table[["tau"]].to_numpy() + NOISE),
    }
    numbers = np.full((len(ROWS), 5), 0.7) + np.arange(5) / 10
    claims = [claim(TEN, {"above": 0}), claim({"table": "facts"}, {"near": 0}, 3, name="b")]
    found = analysis(claims, "ml-1m", **given, families=without(numbers)).set_index("id")
    assert found.loc["a", "error_systems"] == pytest.approx(jackknife(numbers[0]))
    assert found["general"].to_dict() == {"a": OPEN, "b": ""}
    found = found.loc["a", "without"]
    assert json.loads(found) == dict(zip(NAMES[:5], numbers[0], strict=True))
    few = Replicated(pd.DataFrame(columns=["table", "metric", "value"]), "value", np.empty((0, 0)))
    for none in (few, None):
        found = analysis(claims, "ml-1m", **given, families=none).set_index("id")
        assert found["general"].tolist() == ["", ""]
        assert found["reproduced"].tolist() == [HOLDS, HOLDS]
        assert found["without"].tolist() == ["", ""]


def test_tables_without_families_leave_it_open_whether_a_claim_is_general():
    other = {"rows": {"metric": "P"}, "reduce": "min", "table": "popularity"}
    tables = {"sparsity": cube(ROWS, NOISE), "popularity": cube(ROWS, NOISE)}
    known = of_families(tables, without(np.full((5, 10), 0.1)))
    rows = [claim(TEN | {"minus": other}, {"above": 0.1}), claim(other, {"above": 0.1}, name="b")]
    found = judge(rows, tables, "ml-1m", known)
    assert found["general"].tolist() == ["", ""]
    assert found["reproduced"].tolist() == [HOLDS] * 2
    # Nor do those that lack a row of it.
    few = of_families(tables, without(np.full((1, 10), 0.1), ROWS[:1]))
    found = judge([claim(TEN, {"above": 0.1})], tables, "ml-1m", few)
    assert found[["general", "families"]].to_numpy().tolist() == [["", 0]]


def test_a_number_that_is_undefined_without_a_family_has_no_error_of_systems():
    numbers = np.full((5, 6), 0.7)
    numbers[1, 3] = np.nan
    tables = {"sparsity": cube(ROWS, NOISE)}
    row = judge(
        [claim(TEN, {"above": 0})], tables, "ml-1m", of_families(tables, without(numbers))
    ).iloc[0]
    assert np.isnan(row["error_systems"])
    assert (row["families"], row["reproduced"], row["general"]) == (6, HOLDS, "")


def test_what_is_exact_depends_on_no_systems_and_can_be_compared_with_what_does():
    facts = {"facts": Cube(pd.DataFrame({"metric": ["P"]}), np.array([[0.5]]), exact=True)}
    tables = facts | {"sparsity": cube(ROWS, NOISE)}
    numbers = np.full((5, 6), 0.7) + np.arange(6) / 100
    known = of_families(tables, without(numbers))
    less = {"table": "facts", "times": 2}
    row = judge([claim(TEN | {"minus": less}, {"below": 0})], tables, "ml-1m", known).iloc[0]
    assert row["measured"] == pytest.approx(-0.3)
    assert row["error_systems"] == pytest.approx(jackknife(numbers[0]))
    # A fact, and what is exact, is judged by its number alone.
    row = judge([claim({"table": "facts"}, {"above": 0})], tables, "ml-1m", known).iloc[0]
    assert (row["reproduced"], row["general"]) == (HOLDS, "")
    fact = claim(TEN, {"above": 0.9}, kind="fact")
    row = judge([fact], tables, "ml-1m", known).iloc[0]
    assert (row["reproduced"], row["general"]) == (FAILS, "")


def test_a_general_verdict_is_of_users_and_families_together():
    numbers = np.full((5, 6), 0.7) + np.linspace(-0.02, 0.02, 6)
    tables = {"sparsity": cube(ROWS, NOISE)}
    known = of_families(tables, without(numbers))
    row = judge([claim(TEN, {"above": 0.63})], tables, "ml-1m", known).iloc[0]
    systems, users = jackknife(numbers[0]), np.std(NOISE, ddof=1)
    total = systems**2 + users**2
    df = total**2 / (systems**4 / 5 + users**4 / 200)
    expected = scipy.stats.t.interval(0.95, df, 0.7, total**0.5)
    assert (row["general_low"], row["general_high"]) == pytest.approx(expected, rel=1e-9)
    assert (row["low"], row["high"]) == pytest.approx(ends(0.7, 0.7 + NOISE))
    assert (row["reproduced"], row["general"]) == (HOLDS, OPEN)


# ---- Splits --------------------------------------------------------------------------------------

VARIANTS = {
    **{f"d-{i}": {"of": "d", "settings": "d", "split": True} for i in range(1, 10)},
    "d-tuned": {"of": "d", "settings": "d-tuned", "split": False},
    **{f"d-tuned-{i}": {"of": "d", "settings": "d-tuned", "split": True} for i in range(1, 10)},
}


def run(dataset, number, noise=NOISE, exact=False, families=(), name="a", names=()):
    """Return the row of a claim, that a number is above .5, about one run."""
    said = claim(TEN, {"above": 0.5}, name=name) | {"datasets": {dataset: None}}
    rows = [("P", 10, number), ("RR", 10, 0.1)]
    tables, known = {"sparsity": cube(rows, noise, exact)}, None
    if len(families):
        known = of_families(tables, without(np.tile(families, (2, 1)), rows))
    return judge([said], tables, dataset, known, names or NAMES[: len(families)])


def quoted(*frames):
    """Return the verdicts over all splits, of tables that come together."""
    return over_splits(pd.concat(frames), VARIANTS).set_index("dataset")


MEASURED = [0.7, 0.6, 0.65, 0.8]
SPLIT = [run(f"d-{i}", number) for i, number in enumerate(MEASURED[1:], start=1)]


def test_of_several_splits_the_number_is_the_mean_and_their_scatter_one_more_error():
    found = quoted(run("d", 0.7), *SPLIT)
    assert [*found.index] == ["d"]
    row = found.loc["d"]
    assert (row["measured"], row["splits"]) == (0.7, 4)
    assert row["mean"] == pytest.approx(np.mean(MEASURED))
    assert row["error_splits"] == pytest.approx(scipy.stats.sem(MEASURED))
    users = np.std(NOISE, ddof=1)
    total = users**2 + row["error_splits"] ** 2
    df = total**2 / (users**4 / 200 + row["error_splits"] ** 4 / 3)
    expected = scipy.stats.t.interval(0.95, df, np.mean(MEASURED), total**0.5)
    assert (row["low"], row["high"]) == pytest.approx(expected, rel=1e-9)
    assert (row["reproduced"], row["general"]) == (HOLDS, "")
    # Without the others it is what it was.
    alone = quoted(run("d", 0.7)).loc["d"]
    pd.testing.assert_series_equal(alone, run("d", 0.7).set_index("dataset").loc["d"])


def test_the_error_of_users_is_pooled_over_the_splits_and_that_of_systems_is_of_their_mean():
    families = [0.7 + np.arange(6) * step for step in (0.001, 0.03)]
    both = (
        run("d", 0.7, NOISE, families=families[0]),
        run("d-1", 0.6, 3 * NOISE, families=families[1]),
    )
    row = quoted(*both).loc["d"]
    users = [table["error_users"].item() for table in both]
    assert row["error_users"] == pytest.approx((sum(e**2 for e in users) / 2) ** 0.5)
    assert row["error_systems"] == pytest.approx(jackknife((families[0] + families[1]) / 2))
    errors = [(row["error_users"], 200), (row["error_splits"], 1), (row["error_systems"], 5)]
    expected = interval(0.65, errors, (-1, 1))
    assert (row["general_low"], row["general_high"]) == pytest.approx(expected)
    assert row["general"] == OPEN
    # One split of which an error is not known leaves that of all unknown.
    row = quoted(both[0], run("d-1", 0.6)).loc["d"]
    assert (np.isnan(row["error_systems"]), row["general"]) == (True, "")
    row = quoted(both[0], run("d-1", 0.6, (), families=families[1])).loc["d"]
    assert (row["reproduced"], row["general"]) == (OPEN, OPEN)


def test_families_are_those_of_their_names_and_count_where_all_splits_have_them():
    values = 0.7 + np.arange(6) * 0.01, 0.6 + np.arange(6)[::-1] ** 2 * 0.01
    first = run("d", 0.7, families=values[0])
    # In another order, and with one more, in place of another.
    names = [*NAMES[5:0:-1], "another"]
    row = quoted(first, run("d-1", 0.6, families=values[1], names=names)).loc["d"]
    means = [(values[0][i] + values[1][5 - i]) / 2 for i in range(1, 6)]
    assert row["error_systems"] == pytest.approx(jackknife(means))
    assert row["families"] == 5
    errors = [(row["error_users"], 200), (row["error_splits"], 1), (row["error_systems"], 4)]
    assert (row["general_low"], row["general_high"]) == pytest.approx(
        interval(0.65, errors, (-1, 1))
    )


def test_a_mean_may_weigh_its_numbers():
    a = {"v": 1.0, "w": 2.0, "x": 5.0, "y": 1.0, "z": 2.0}
    b = {"z": 2.0, "y": 1.0, "x": 1.0, "w": 0.0, "v": -1.0, "other": 9.0}
    error, n = without_families([json.dumps(own) for own in (a, b)], [3, 1])
    assert (error, n) == (pytest.approx(jackknife([0.5, 1.5, 4.0, 1.0, 2.0])), 5)
    assert np.isnan(without_families([])[0])
    assert np.isnan(without_families([json.dumps(a), np.nan])[0])
    assert np.isnan(without_families([json.dumps(a), json.dumps(b | {"v": np.nan})])[0])
    # Of fewer than five that both have nothing is known.
    assert np.isnan(without_families([json.dumps(a), json.dumps({"v": 1.0, "w": 1.0})])[0])


def test_a_verdict_may_change_with_the_splits():
    first = run("d", 0.58)
    assert first["reproduced"].tolist() == [HOLDS]
    below = [run(f"d-{i}", 0.2 + i / 1000) for i in range(1, 10)]
    assert quoted(first, *below).loc["d", "reproduced"] == FAILS
    around = [run(f"d-{i}", 0.4) for i in range(1, 3)]
    assert quoted(first, *around).loc["d", ["reproduced", "holds"]].tolist() == [OPEN, False]


def test_what_is_exact_is_no_mean_over_splits():
    rows = [run(name, number, exact=True) for name, number in (("d", 0.7), ("d-1", 0.1))]
    found = quoted(*rows)
    assert [*found.index] == ["d"]
    pd.testing.assert_series_equal(found.loc["d"], rows[0].set_index("dataset").loc["d"])


def test_the_splits_of_a_variant_are_those_with_its_settings():
    tuned = [run("d-tuned", 0.9), run("d-tuned-1", 0.7), run("d-tuned-2", 0.5)]
    found = quoted(run("d", 0.7), *SPLIT, *tuned)
    assert found["splits"].to_dict() == {"d": 4, "d-tuned": 3}
    assert found["mean"].to_dict() == pytest.approx({"d": np.mean(MEASURED), "d-tuned": 0.7})
    assert found["error_splits"].to_dict() == pytest.approx(
        {"d": scipy.stats.sem(MEASURED), "d-tuned": scipy.stats.sem([0.9, 0.7, 0.5])}
    )
    # Where the data were studied with other settings alone, these have their own splits.
    assert quoted(*tuned)["splits"].to_dict() == {"d-tuned": 3}


def test_runs_without_a_value_do_not_count():
    undefined = run("d-1", np.nan)
    row = quoted(run("d", 0.7), undefined, run("d-2", 0.6)).loc["d"]
    assert (row["splits"], row["mean"]) == (2, pytest.approx(0.65))
    assert quoted(run("d", 0.7), undefined).loc["d", ["splits", "mean"]].tolist() == [1, 0.7]
    # If that of the data itself has none, others do not stand for it.
    row = quoted(run("d", np.nan), run("d-1", 0.7), run("d-2", 0.7)).loc["d"]
    assert (row["reproduced"], row["splits"]) == ("undefined", 1)


def test_each_claim_has_its_own_splits_and_other_datasets_none():
    other = [run("d", 0.3, name="b"), run("d-1", 0.1, name="b"), run("e", 0.9)]
    found = over_splits(pd.concat([run("d", 0.7), *SPLIT, *other]), VARIANTS)
    told = found.set_index(["id", "dataset"])[["splits", "mean"]].T.to_dict("list")
    assert told == {
        ("a", "d"): [4, pytest.approx(np.mean(MEASURED))],
        ("b", "d"): [2, pytest.approx(0.2)],
        ("a", "e"): [1, 0.9],
    }


# ---- Users that all splits have in common: see test_claim_draws, too -----------------------------


def test_forty_resamples_that_all_splits_have_are_enough():
    draws = np.random.default_rng(1).normal(size=(2, 40)) + np.arange(40)
    assert common([*draws]) == pytest.approx(np.cov(draws)[0, 1] ** 0.5)
    draws[0, 0] = np.nan
    assert common([*draws]) == np.inf
    for none in (np.nan, np.empty(0)):
        assert common([draws[1], none]) == np.inf


def drawn(dataset, draws, users=900):
    """Return a run with the numbers of its resampled users, which it keeps."""
    return run(dataset, 0.7, draws - 0.7).assign(draws=[draws], users=users)


@pytest.mark.parametrize("unknown", [{"users": pd.NA}, {"draws": [None]}])
def test_where_one_split_does_not_say_its_users_nothing_is_known_to_be_common(unknown):
    draws = 0.7 + np.random.default_rng(8).normal(0, 0.05, size=(3, 200))
    runs = [drawn(name, own) for name, own in zip(("d", "d-1", "d-2"), draws, strict=True)]
    pooled = np.mean(draws.var(axis=1, ddof=1)) ** 0.5
    found = quoted(*runs)
    assert "draws" not in found
    assert found.loc["d", "error_users"] < pooled / 2
    row = quoted(*runs[:2], runs[2].assign(**unknown)).loc["d"]
    assert row["error_users"] == pytest.approx(pooled, rel=1e-9)


def test_what_splits_have_in_common_is_never_more_than_what_they_have():
    draws = 0.7 + np.outer([1, 3], np.random.default_rng(8).normal(0, 0.02, 200))
    row = quoted(drawn("d", draws[0]), drawn("d-1", draws[1])).loc["d"]
    assert row["error_users"] == pytest.approx(common([*draws]))
    few = [own[:30] for own in draws]
    row = quoted(drawn("d", few[0]), drawn("d-1", few[1])).loc["d"]
    assert row["error_users"] == pytest.approx(np.mean([own.var(ddof=1) for own in few]) ** 0.5)


@pytest.mark.parametrize("n", [0, 60])
def test_an_error_of_users_that_one_split_does_not_know_is_not_known_of_all(n):
    draws = 0.7 + np.random.default_rng(8).normal(0, 0.02, (2, n))
    draws[1, : n // 10] = np.nan
    row = quoted(drawn("d", draws[0]), drawn("d-1", draws[1])).loc["d"]
    assert (np.isnan(row["error_users"]), row["reproduced"]) == (True, OPEN)


def test_a_study_keeps_the_numbers_of_resampled_users():
    """Those of all its rows that have any, also of what decides a sentence, up to the fewest."""
    rng = np.random.default_rng(9)
    keys = pd.DataFrame({"metric": ["P", "RR"], "cutoff": [10, 10]})

    def table(n):
        values = 0.5 + rng.normal(size=(2, n))
        return Replicated(keys.assign(tau=0.6), "tau", values)

    more, fewer = table(DRAWS + 50), table(DRAWS + 20)
    facts = pd.DataFrame({"name": ["n"], "value": [3.0]})
    deep = {"deep": {"where": "x", "says": "y"}}
    own = [{"rows": {"metric": name}} for name in ("P", "RR")]
    claims = expand(
        [
            bare(own[0], {"above": 0.5}, name="a", sentence="deep"),
            bare(own[1] | {"table": "popularity"}, {"above": 0.5}, name="b", sentence="deep"),
            bare({"table": "facts"}, {"near": 0}, 3, name="c"),
            bare({"table": "absent"}, {"above": 0}, name="d"),
        ],
        PAPER,
        deep,
    )
    columns = {"facts": Column("value", exact=True)}
    results = {"sparsity": more, "popularity": fewer, "facts": facts, "absent": None}
    found = replicated(columns, claims, "ml-1m", **results)
    assert found.table["id"].tolist() == ["a", "b", "deep:share", "c", "d"]
    pd.testing.assert_frame_equal(found.table, judging(columns)(claims, "ml-1m", **results))
    a, b = more.replicates[0, :DRAWS], fewer.replicates[1, :DRAWS]
    unknown = np.full(DRAWS, np.nan)
    expected = [a, b, ((a > 0.5) * 1 + (b > 0.5)) / 2, unknown, unknown]
    np.testing.assert_allclose(found.replicates, expected)
    assert found.table["measured"].tolist()[:4] == pytest.approx([0.6, 0.6, 1, 3])
    alone = replicated(columns, claims[2:], "ml-1m", **results)
    assert alone.replicates.shape == (2, 0)
    assert replicated(columns, [], "ml-1m", **results).replicates.shape == (0, 0)


@pytest.mark.parametrize("families", [(), 0.7 + np.arange(6) / 1000])
def test_tables_that_were_written_have_the_same_verdicts_over_splits(tmp_path, families):
    """Without families, a column of general verdicts is empty, and is read as one of numbers."""
    tables = [run("d", 0.7, families=families), run("d-1", 0.6, families=families)]
    read = []
    for number, table in enumerate(tables):
        write_table(table, tmp_path / f"{number}.csv")
        read.append(read_table(tmp_path / f"{number}.csv"))
    expected, found = quoted(*tables).loc["d"], quoted(*read).loc["d"]
    for name in ("mean", "splits", "low", "high", "reproduced", "general_high", "general"):
        assert found[name] == pytest.approx(expected[name], nan_ok=True), name
    assert expected["splits"] == 2
