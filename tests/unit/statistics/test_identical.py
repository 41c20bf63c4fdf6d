"""Identical systems: found by brute force, and what their pairs add to discriminative power."""

import itertools

import made_up
import numpy as np
import pandas as pd
import pytest
from settings_of import settings_of

import rankassay
from rankassay.artifacts.arrays import Rankings, Scores
from rankassay.statistics import discriminative_power, significance
from rankassay.statistics.identical import named, placed, same_lists, same_values
from rankassay.statistics.significance import TESTS
from rankassay.studies.robustness import as_run
from rankassay.studies.robustness.procedure import identical

EVALUATION = made_up.evaluation(["nDCG@5", "P@5"])
COPIES = {"copy of 0": "a", "copy of 2": "c", "again 2": "c"}


def brute_force(values):
    """Return the pairs whose values are equal, or both undefined, cell by cell."""
    n_users, n_systems, n_measures = values.shape
    found = []
    for a, b in itertools.combinations(range(n_systems), 2):
        cells = itertools.product(range(n_users), range(n_measures))
        each = [(values[u, a, m], values[u, b, m]) for u, m in cells]
        found.append(all(x == y or (np.isnan(x) and np.isnan(y)) for x, y in each))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_same_values_are_those_that_are_equal_in_every_cell(seed):
    """Few users and values: some pairs are equal under one measure, and some under both."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 2, (2, 6, 2)) / 2
    values[rng.random(values.shape) < 0.2] = np.nan
    values[0, 3] = -values[0, 3]  # a zero has no sign
    expected = brute_force(values)
    assert same_values([values]).tolist() == expected
    # Measure by measure, as large scores are read.
    assert same_values(values[:, :, [m]] for m in range(2)).tolist() == expected
    alone = [same_values([values[:, :, [m]]]) for m in range(2)]
    assert (alone[0] & alone[1]).tolist() == expected


def test_a_tie_under_one_measure_alone_makes_no_systems_identical():
    values = np.zeros((3, 3, 2))
    values[1, 2, 1], values[2, 1] = 0.5, np.nan
    values[2, 2] = np.nan
    assert same_values([values[:, :, :1]]).tolist() == [False, False, True]
    assert same_values([values]).tolist() == [False, False, False]


def ranking(items, ranks=(1, 0)):
    items = np.array(items, dtype=np.int32)
    return Rankings(items, np.array(ranks, np.int32), np.full(len(items), 9, np.int32))


def test_lists_are_the_same_where_all_items_and_all_ranks_are():
    lists = {
        "a": ranking([[3, 1], [2, 0]]),
        "item": ranking([[3, 4], [2, 0]]),  # an item that nobody rated
        "order": ranking([[1, 3], [2, 0]]),
        "copy": ranking([[3, 1], [2, 0]]),
        "below": ranking([[3, 1], [2, 0]], ranks=(1, 7)),  # of a test item below the lists
        "shorter": ranking([[3], [2]]),
    }
    same = same_lists(lists)
    pairs = named(lists, same)
    assert [*pairs.itertuples(index=False, name=None)] == [("a", "copy")]
    np.testing.assert_array_equal(placed(lists, pairs), same)
    assert not placed(lists, pairs.iloc[:0]).any()
    # Names that a file may hold the other way round.
    swapped = pairs.rename(columns={"system_a": "system_b", "system_b": "system_a"})
    np.testing.assert_array_equal(placed(lists, swapped), same)


@pytest.fixture(scope="module")
def scores():
    """Return the scores of four systems and three copies, by two measures; two users lack one."""
    rng = np.random.default_rng(5)
    values = rng.normal(size=(60, 4, 2)).round(1) + np.linspace(0, 0.8, 4)[:, None]
    values[:2] = np.nan
    names = [*"abcd"]
    order = np.array([*range(4), *(names.index(of) for of in COPIES.values())])
    systems = np.array([*names, *COPIES])
    return Scores(
        values[:, order], np.arange(60, dtype=np.int32), systems, np.array(["P@5", "nDCG@5"])
    )


def without_copies(scores):
    return Scores(scores.values[:, :4], scores.users, scores.systems[:4], scores.measures)


def power_of(scores, test, replicates):
    settings = settings_of("robustness/p-values", samples=500, test=test)
    p_values = significance.p_values(scores, seed=1, **settings)
    return discriminative_power.run(scores, p_values, 1, replicates, 0.95), p_values


@pytest.mark.parametrize("test", TESTS)
def test_each_identical_pair_adds_1_to_dp_whatever_the_test(scores, test):
    found, p_values = power_of(scores, test, 0)
    # a with its copy; and three pairs among c and its two copies.
    assert found.table["identical"].tolist() == [4, 4]
    assert found.table["pairs"].tolist() == [17, 17]
    gained = found.table["dp_all"] - found.table["dp"]
    np.testing.assert_allclose(gained, 4, rtol=1e-12)
    assert (p_values.loc[p_values["identical"], "p_value"] == 1).all()
    for (metric, _), rows in p_values.groupby(["metric", "cutoff"], sort=False):
        own = found.table.set_index("metric").loc[metric]
        assert own["dp_all"] == pytest.approx(rows["p_value"].sum())
        different = rows.loc[~rows["identical"], "p_value"]
        assert own["dp"] == pytest.approx(different.sum())
        assert own["median_p"] == pytest.approx(different.median())
        assert own["significant_05"] == (different < 0.05).sum()


def test_a_copy_changes_no_number_of_the_others(scores):
    """Of a system that is there twice, each pair with another one is there twice."""
    alone, _ = power_of(without_copies(scores), "t", 100)
    names = np.array([*"abcd", "a again"])
    twice = Scores(scores.values[:, [0, 1, 2, 3, 0]], scores.users, names, scores.measures)
    both, p_values = power_of(twice, "t", 100)
    of_a = p_values[(p_values["system_a"] == "a") & ~p_values["identical"]]
    added = of_a.groupby("metric", sort=False)["p_value"].sum().to_numpy()
    np.testing.assert_allclose(both.table["dp"], alone.table["dp"] + added, rtol=1e-9)
    # Replicates have no constant of the pair in them, either: it is 1 in all of them.
    every = discriminative_power.run(twice, p_values.assign(identical=False), 1, 100, 0.95)
    np.testing.assert_allclose(every.replicates - 1, both.replicates, atol=1e-9)
    assert (both.table["low"] < both.table["dp"]).all()


def test_differences_between_metrics_are_those_of_all_pairs(scores):
    _, p_values = power_of(scores, "t", 0)
    settings = {"seed": 1, "replicates": 60, "level": 0.95}
    known = discriminative_power.power_differences(scores, p_values, **settings)
    every = p_values.assign(identical=False)
    expected = discriminative_power.power_differences(scores, every, **settings)
    numbers = ["difference", "low", "high", "p_value"]
    np.testing.assert_allclose(known[numbers], expected[numbers], rtol=1e-9)


def test_a_pair_that_ties_under_one_metric_stays_a_pair():
    values = np.random.default_rng(2).integers(0, 2, (20, 3, 2)).astype(float)
    values[:, 1, 0] = values[:, 0, 0]
    table = rankassay.discriminative_power(values, ["ties", "differs"], 200, replicates=0)
    assert table["identical"].tolist() == [0, 0]
    assert table["pairs"].tolist() == [3, 3]
    assert table["dp"].tolist() == table["dp_all"].tolist()
    values[:, 1, 1] = values[:, 0, 1]
    table = rankassay.discriminative_power(values, ["ties", "too"], 200, replicates=0)
    assert table["identical"].tolist() == [1, 1]
    assert table["pairs"].tolist() == [2, 2]


def test_nothing_is_left_where_all_systems_are_identical():
    values = np.repeat(np.arange(10.0)[:, None], 3, axis=1)
    row = rankassay.discriminative_power(values, n_permutations=200, replicates=40).iloc[0]
    assert (row["pairs"], row["identical"], row["dp_all"]) == (0, 3, 3)
    assert row[["dp", "low", "high", "median_p", "required_largest"]].isna().all()


@pytest.fixture(scope="module")
def study():
    """Return the test ratings, and four systems with a copy of the first."""
    test, rankings = made_up.study(n_systems=4, trained=0.2, tested=0.6)[1:]
    first = next(iter(rankings))
    return test, rankings | {"copy": rankings[first]}


def test_the_analysis_names_pairs_and_says_whether_their_lists_are_the_same(study):
    test, rankings = study
    scores = made_up.scores(test, rankings, ["nDCG@5", "P@5"])
    first = next(iter(rankings))
    expected = pd.DataFrame({"system_a": [first], "system_b": ["copy"]})
    found = identical(scores, rankings)
    pd.testing.assert_frame_equal(found[["system_a", "system_b"]], expected, check_dtype=False)
    assert found["lists"].tolist() == [True]
    assert identical(scores)["lists"].isna().all()
    # Another item that nobody rated, in the place of one, is another list with the same values.
    items = rankings["copy"].items.copy()
    rated = np.zeros(items.shape, dtype=bool)
    for user, row in enumerate(items):
        rated[user] = np.isin(row, test[user].indices)
    user, place = np.argwhere(~rated)[0]
    items[user, place] = test.shape[1] + 5
    own = rankings["copy"]
    other = Rankings(items, own.ranks, own.n_ranked, own.n_candidates)
    assert identical(scores, rankings | {"copy": other})["lists"].tolist() == [False]
    apart = {name: own for name, own in rankings.items() if name != "copy"}
    none = identical(made_up.scores(test, apart, ["nDCG@5"]), apart)
    assert [*none] == ["system_a", "system_b", "lists"]
    assert len(none) == 0


def test_as_run_both_orders_of_an_identical_pair_add_2(study):
    settings = settings_of("robustness/as-run-p-values", samples=500)
    given = (*study, EVALUATION, as_run.as_run_p_values(*study, EVALUATION, 1, **settings), 1, 40)
    found = as_run.as_run(*given)
    assert found.table["pairs"].tolist() == [18, 18]
    assert found.table["identical"].tolist() == [2, 2]
    np.testing.assert_allclose(found.table["dp_all"] - found.table["dp"], 2, rtol=1e-12)
    pairs = pd.DataFrame({"system_a": ["copy"], "system_b": [next(iter(study[1]))]})
    again = as_run.as_run(*given, identical=pairs)
    pd.testing.assert_frame_equal(again.table, found.table)
    none = as_run.as_run(*given, identical=pairs.iloc[:0])
    np.testing.assert_allclose(none.table["dp"], found.table["dp_all"], rtol=1e-12)
    # The interval of one is that of the other, less what the pair adds to every resample.
    np.testing.assert_allclose(none.replicates - 2, found.replicates, atol=1e-9)
