"""Averages over users and groups by profile size, against the other analyses and plain Python."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from settings_of import settings_of

from rankassay.artifacts.arrays import Rankings
from rankassay.errors import RankassayError
from rankassay.statistics import incomplete
from rankassay.statistics.bootstrap import blocks_drawn
from rankassay.statistics.replicated import interval
from rankassay.studies.aggregation import groups as aggregation

N_USERS, N_ITEMS, DEPTH = 40, 30, 10
METRICS = ["P", "nDCG"]
EVALUATION = {"threshold": 4, "profile": "paper", "without_relevant": None, "aggregate": "mean"}
SETTINGS = settings_of(
    "aggregation/groups",
    **{"metrics": METRICS, "cutoffs": [DEPTH], "groups": 3, "levels": [60, 30], "samples": 3},
    **{"percentages": [80, 50], "resamples": 40, "tests": 200},
)


@pytest.fixture(scope="module")
def data():
    """Return train, test and the lists of four systems that know the test ratings more or less."""
    rng = np.random.default_rng(0)
    ratings = rng.integers(1, 6, (N_USERS, N_ITEMS)) * (rng.random((N_USERS, N_ITEMS)) < 0.5)
    in_test = rng.random(ratings.shape) < 0.5
    train, test = (
        sp.csr_matrix((ratings * part).astype(np.float32)) for part in (~in_test, in_test)
    )
    rankings = {}
    for system, noise in zip("abcd", (1, 2, 4, 8), strict=True):
        scores = ratings + noise * rng.random(ratings.shape)
        order = np.argsort(-scores, axis=1)
        places = np.argsort(order, axis=1) + 1
        coo = test.tocoo()
        n = np.full(N_USERS, N_ITEMS, dtype=np.int32)
        items = order[:, :DEPTH].astype(np.int32)
        rankings[system] = Rankings(items, places[coo.row, coo.col].astype(np.int32), n, n)
    return train, test, rankings


@pytest.fixture(scope="module")
def found(data):
    return aggregation.run(*data, EVALUATION, 3, **SETTINGS)


@pytest.fixture(scope="module")
def table(found):
    return found.table


def measured(table, **wanted):
    rows = table
    for column, value in wanted.items():
        rows = rows[rows[column] == value]
    return rows.set_index("metric")["value"]


def test_arithmetic_means_of_all_users_are_those_of_the_other_studies(data, table):
    train, test, rankings = data
    evaluation = EVALUATION | {"measures": [f"{metric}@{DEPTH}" for metric in METRICS]}
    sparse = incomplete.sparsity_bias(
        test, rankings, evaluation, SETTINGS["levels"], 3, seed=3
    ).table
    popular = incomplete.popularity_bias(
        train, test, rankings, evaluation, [80, 50], "train", seed=3
    ).table
    for criterion, other in (("sparsity", sparse), ("popularity", popular)):
        expected = other.fillna({"tau": 0}).groupby("metric")["tau"].mean()
        own = measured(table, criterion=criterion, aggregate="mean", group=0)
        pd.testing.assert_series_equal(own.sort_index(), expected, check_names=False)


def test_all_users_agree_with_themselves(table):
    assert (measured(table, criterion="agreement", aggregate="mean", group=0) == 1).all()
    others = table[(table.criterion == "agreement") & (table.statistic == "value")]
    assert others["value"].between(-1, 1).all()
    assert (others["value"] < 1).any()


def test_groups_are_of_users_with_profiles_of_a_size(data, table):
    sizes = np.diff(data[0].indptr)
    groups = table.drop_duplicates("group").set_index("group")
    assert groups.loc[0, "users"] == N_USERS == groups.loc[1:, "users"].sum()
    for _, group in groups.iterrows():
        assert group.users == ((sizes >= group.smallest) & (sizes <= group.largest)).sum()
    assert (groups.loc[1:, "smallest"].to_numpy()[1:] > groups.loc[1:, "largest"][:-1]).all()


def test_users_with_profiles_of_one_size_share_a_group():
    groups = aggregation.profile_groups(np.array([5, 5, 5, 5, 9]), 4)
    assert [(g.smallest, g.largest) for g in groups] == [(5, 9), (5, 5), (9, 9)]
    assert [g.users.tolist() for g in groups] == [[0, 1, 2, 3, 4], [0, 1, 2, 3], [4]]


def test_differences_are_from_the_arithmetic_mean_of_the_same_group(table):
    values = table[table.statistic == "value"].set_index(
        ["criterion", "aggregate", "group", "metric"]
    )["value"]
    differences = table[table.statistic == "difference"]
    assert set(differences["aggregate"]) == {"geometric", "median"}
    for row in differences.itertuples():
        mean = values[row.criterion, "mean", row.group, row.metric]
        own = values[row.criterion, row.aggregate, row.group, row.metric]
        assert row.value == pytest.approx(own - mean, abs=1e-12)
        assert np.isnan(row.low) == (row.criterion == "power")


def test_replicates_of_differences_are_paired_and_intervals_are_theirs(found):
    assert found.column == "value"
    assert found.replicates.shape == (len(found.table), 40)
    keys = ["criterion", "aggregate", "group", "metric"]
    values = {
        tuple(row): replicates
        for row, statistic, replicates in zip(
            found.table[keys].to_numpy(), found.table["statistic"], found.replicates, strict=True
        )
        if statistic == "value"
    }
    low, high = interval(found.table["value"].to_numpy(), found.replicates)
    for place, row in enumerate(found.table.itertuples()):
        replicates = found.replicates[place]
        if row.criterion == "power":
            assert np.isnan(replicates).all()
            continue
        ends = (low[place], high[place])
        if row.statistic == "value":
            ends = np.clip(ends, -1, 1)
        else:
            own = values[row.criterion, row.aggregate, row.group, row.metric]
            mean = values[row.criterion, "mean", row.group, row.metric]
            np.testing.assert_allclose(replicates, own - mean, atol=1e-12)
        assert (row.low, row.high) == pytest.approx(ends, abs=1e-12)
        assert row.low <= row.value <= row.high


@pytest.mark.parametrize(("how", "average"), [("mean", np.mean), ("median", np.median)])
def test_p_values_are_those_of_the_bootstrap_in_plain_python(how, average):
    values = np.random.default_rng(1).integers(0, 5, (15, 3, 2)) / 4
    drawn = np.concatenate([*blocks_drawn(15, 100, seed=9)]).astype(int)
    p = aggregation.p_values(values, how, 100, seed=9)
    for m in range(2):
        for pair, (a, b) in enumerate([(0, 1), (0, 2), (1, 2)]):
            x, y = values[:, a, m], values[:, b, m]
            observed = average(x) - average(y)
            extreme = 0
            for times in drawn:
                difference = average(np.repeat(x, times)) - average(np.repeat(y, times))
                extreme += abs(difference - observed) >= abs(observed) - 1e-12
            assert p[m, pair] == pytest.approx((extreme + 1) / 101)


def test_the_reference_comes_first(data):
    with pytest.raises(RankassayError, match="first aggregate must be mean, found"):
        aggregation.run(*data, EVALUATION, 3, **SETTINGS | {"aggregates": ["median", "mean"]})
