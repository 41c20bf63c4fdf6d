"""The study of metrics beyond accuracy: its analyses on synthetic data, and its sentences."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from beyond_values import means
from settings_of import settings_of

from rankassay.artifacts import anew
from rankassay.artifacts.arrays import Attributes, Rankings, Scores
from rankassay.artifacts.shards import Shard
from rankassay.errors import RankassayError
from rankassay.metrics.beyond.lists import Catalogue, Groups, Shown, popularity_classes
from rankassay.statistics.judged_systems import TestSet
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.replicated import Replicated
from rankassay.statistics.significance import p_values
from rankassay.studies.beyond import systems, views
from rankassay.studies.beyond.comparisons import power, redundancy, robustness, values
from rankassay.studies.beyond.systems import ordered

EVALUATION = {"threshold": 4, "profile": "paper", "without_relevant": "value"}
TITLES = {"made-up": "Made up"}
PANEL = {"dataset": "made-up", "title": "Made up", "cutoff": 5}
METRICS = ["Coverage", "Gini", "ARP", "ILD(by='ratings')", "ILD", "Serendipity", "UserGroups"]


@pytest.fixture(scope="module")
def data():
    """Return ratings and five systems, the first and the last of which are the same."""
    rng = np.random.default_rng(4)
    chance = 0.9 / np.arange(1, 31) ** 0.5
    rated = rng.random((40, 30)) < chance
    rated[:, :2] = True
    tested = rated & (rng.random(rated.shape) < 0.4)
    tested[:, 0], tested[0] = False, False
    stars = rng.integers(1, 6, rated.shape)
    train = sp.csr_matrix(np.where(rated & ~tested, stars, 0), dtype=np.float32)
    test = sp.csr_matrix(np.where(tested, stars, 0), dtype=np.float32)
    rankings = {}
    for name, taste in (("a", 0.0), ("b", 1.0), ("c", 3.0), ("d", -1.0)):
        score = rng.random(rated.shape) + taste * chance
        score[(rated & ~tested)] = -1.0
        order = np.argsort(-score, axis=1)
        place = np.argsort(order, axis=1) + 1
        n = (score >= 0).sum(axis=1)
        items = np.where(np.arange(10) < n[:, None], order[:, :10], -1).astype(np.int32)
        rank = place[test.nonzero()].astype(np.int32)
        rankings[name] = Rankings(items, rank, n.astype(np.int32), n.astype(np.int32))
    rankings["again"] = rankings["a"]
    return {"train": train, "test": test, "rankings": rankings}


def settings(name, **changes):
    return settings_of(f"beyond/{name}", **({"metrics": METRICS, "cutoffs": [5]} | changes))


@pytest.mark.parametrize("analysis", [values, redundancy, robustness, power])
def test_systems_that_are_judged_again_have_the_same_values(data, analysis, monkeypatch):
    samples = {"samples": 20} if analysis in (robustness, power) else {}
    samples |= {} if analysis is robustness else {"resamples": 40}
    asked, found = settings(analysis.__name__, **samples), []
    for held in (2**30, 0):
        monkeypatch.setattr(anew, "HELD", held)
        made = systems.Systems.of(EVALUATION, **asked, **data)
        assert isinstance(made.lists, dict) == bool(held)
        assert isinstance(made.whole.systems, list) == bool(held)
        own = analysis(EVALUATION, 1, **asked, **data)
        found.append(own.table if hasattr(own, "table") else own)
    pd.testing.assert_frame_equal(*found, check_exact=True)


def with_dataset(table):
    return table.assign(dataset="made-up")


@pytest.fixture(scope="module")
def measured(data):
    return values(EVALUATION, 1, **settings("values", resamples=40), **data)


@pytest.fixture(scope="module")
def alike(data):
    return redundancy(EVALUATION, 1, **settings("redundancy", resamples=40), **data)


@pytest.fixture(scope="module")
def stays(data):
    levels = {"users": [50, 10], "sparsity": [50], "popularity": [80], "samples": 3}
    return robustness(EVALUATION, 1, **settings("robustness", **levels), **data)


def test_one_system_has_no_pairs(data):
    alone = data | {"rankings": {"a": data["rankings"]["a"]}}
    table = power(EVALUATION, 1, **settings("power", samples=20, resamples=40), **alone).table
    assert len(table) > 5
    assert table["pairs"].eq(0).all()
    assert table["dp"].isna().all()


@pytest.mark.parametrize("swaps", [10, 40])
def test_the_table_names_the_metrics_whose_lists_are_swapped(data, swaps):
    asked = settings("power", samples=20, swaps=swaps, resamples=0)
    table = power(EVALUATION, 1, **asked, **data).table
    note = views.power_table(with_dataset(table), 5, TITLES).note
    assert {"Coverage", "Gini"} <= {*table.loc[table["swapped"], "metric"]} - {"P", "ARP"}
    assert f"There are 20 permutations, and {swaps} of whole lists for" in note


@pytest.fixture(scope="module")
def apart(data):
    return power(EVALUATION, 1, **settings("power", samples=200, resamples=40), **data).table


def test_values_are_those_of_the_metrics(data, measured):
    table = measured.table.set_index(["metric", "system"])
    users = np.flatnonzero(np.diff(data["test"].indptr))
    assert len(users) < 40
    shown = Shown.of(
        data["rankings"]["b"].items[users], users, data["test"], 4, Catalogue(data["train"])
    )
    for metric in ("Coverage", "Gini", "ARP", "Serendipity"):
        assert table.loc[(metric, "b"), "value"] == pytest.approx(means(shown, metric, [5])[0])
    known = measured.table.dropna()
    assert known["value"].between(known["low"], known["high"]).all()
    assert len(known) > 20


def test_what_needs_aspects_is_left_out_where_there_are_none(measured):
    assert "ILD(by='ratings')" in {*measured.table["metric"]}
    assert "ILD" not in {*measured.table["metric"]}


def by_attribute(data, **groups):
    """Return values by attributes: of users in halves, and of items by turns."""
    users = np.array([["a" if u < 20 else "b"] for u in range(40)])
    items = np.array([["old", "x"] if i % 2 else ["", "y"] for i in range(30)])
    own = Attributes(users, items, np.array(["half"]), np.array(["age", "turn"]))
    asked = settings("values", resamples=0, metrics=["AWRF", "ItemGroups", "UserGroups"], **groups)
    found = values(EVALUATION, 1, attributes=own, **asked, **data).table
    return found.set_index(["metric", "system"])["value"]


def test_groups_are_those_of_an_attribute(data):
    found = by_attribute(data, user_groups="half", item_groups="turn")
    users = np.flatnonzero(np.diff(data["test"].indptr))
    catalogue = Catalogue(
        data["train"],
        item_groups=Groups(("x", "y"), ((np.arange(30) + 1) % 2).astype(np.int32)),
        user_groups=Groups(("a", "b"), (np.arange(40) >= 20).astype(np.int32)),
    )
    shown = Shown.of(data["rankings"]["c"].items[users], users, data["test"], 4, catalogue)
    for metric in ("AWRF", "ItemGroups", "UserGroups"):
        assert found[metric, "c"] == pytest.approx(means(shown, metric, [5])[0])
    classes = by_attribute(data, item_groups="popularity-classes")
    counts = np.bincount(data["train"].indices, minlength=30)
    shown = replace(
        shown, catalogue=Catalogue(data["train"], item_groups=popularity_classes(counts))
    )
    assert classes["AWRF", "c"] == pytest.approx(means(shown, "AWRF", [5])[0])


def test_metrics_of_groups_that_a_dataset_lacks_are_left_out(data):
    found = by_attribute(data, user_groups="gender", item_groups="turn")
    assert {"AWRF", "ItemGroups"} <= {*found.index.levels[0]}
    assert "UserGroups" not in {*found.index.levels[0]}
    found = by_attribute(data, item_groups="price")
    assert {"AWRF", "ItemGroups"}.isdisjoint(found.index.levels[0])
    asked = settings("values", resamples=0, metrics=["UserGroups"], user_groups="gender")
    without = values(EVALUATION, 1, **asked, **data).table
    assert "UserGroups" not in {*without["metric"]}


def test_orders_are_compared_with_the_best_first(measured, alike):
    table = measured.table.pivot(index="metric", columns="system", values="value")
    own = alike.table.set_index(["metric_a", "metric_b"])["tau"]
    expected = tau_b(table.loc[["ARP"]].to_numpy(), -table.loc[["Gini"]].to_numpy())[0]
    assert own["ARP", "Gini"] == pytest.approx(-expected)
    assert own["ARP", "ARP"] == 1


def test_jobs_that_share_the_cutoffs_have_each_pair_once(data):
    how = {"metrics": ["ARP", "PredictionCoverage", "Gini"], "cutoffs": [3, 5, 8]}
    asked = settings("redundancy", resamples=40) | how
    whole = redundancy(EVALUATION, 1, **asked, **data)
    parts = [redundancy(EVALUATION, 1, shard=Shard(n, 2), **asked, **data) for n in (1, 2)]
    of_lists = [part.table["cutoff"].isna().any() for part in (*parts, whole)]
    assert of_lists == [False, True, True]
    joined = Replicated.joined(parts)
    pd.testing.assert_frame_equal(joined.table, whole.table, check_dtype=False, check_exact=True)
    np.testing.assert_array_equal(joined.replicates, whole.replicates)


def test_what_reads_no_test_ratings_has_no_rows_for_them(stays):
    removed = stays.groupby("metric")["removed"].agg(set)
    assert removed["Coverage"] == {"users"}
    assert removed["Serendipity"] == removed["nDCG"] == {"users", "sparsity", "popularity"}
    assert stays["tau"].dropna().between(-1, 1).all()
    assert (stays["samples"] == np.where(stays["removed"] == "popularity", 1, 3)).all()


def test_equal_systems_are_not_told_apart(apart):
    # Two of the five recommend the same lists: their pair is 1 in the sum over all pairs alone.
    assert (apart["pairs"] == 9).all()
    assert (apart["identical"] == 1).all()
    np.testing.assert_allclose(apart["dp_all"] - apart["dp"], 1, rtol=1e-12)
    assert (apart["significant_05"] <= 9).all()
    assert (apart["significant_01"] <= apart["significant_05"]).all()


def test_accuracy_is_tested_as_in_the_study_of_robustness(data, apart):
    spec = EVALUATION | {"measures": ["nDCG@5"], "aggregate": "mean"}
    whole = TestSet.of(data["test"], data["rankings"], spec)
    scores = Scores(
        whole.values(), whole.judgements.users, np.array([*data["rankings"]]), np.array(["nDCG@5"])
    )
    p = p_values(scores, 200, 1, test="permutation", add_one=True)["p_value"]
    assert apart.set_index("metric")["dp_all"]["nDCG"] == pytest.approx(p.sum(), abs=1e-9)


def test_tables_say_what_is_best_and_how_much_is_left(measured, stays, apart):
    table = views.values(with_dataset(measured.table), 5, TITLES)
    gini = next(name for name in table.frame if name.startswith("Gini"))
    assert gini.endswith("↓")
    best = table.frame["System"][table.marked[gini]].tolist()
    assert table.frame.set_index("System")[gini].idxmin() in best
    assert set(views.robustness_table(with_dataset(stays), 5, TITLES).frame) >= {
        "80 %",
        "50 %",
        "10 %",
    }
    assert len(views.power_table(with_dataset(apart), 5, TITLES).frame) == len(apart)
    for function, own in ((views.power_table, apart), (views.robustness_table, stays)):
        with pytest.raises(RankassayError, match="expected rows at cut-off 7"):
            function(with_dataset(own), 7, TITLES)


def said(**results):
    given = dict.fromkeys(("redundancy", "robustness", "power")) | results
    return views.answers(**given, cutoff=5, titles=TITLES).frame["Answer"].tolist()


def rows_of_tau(**taus):
    columns = ["metric_a", "metric_b", "cutoff", "tau", "low", "high"]
    rows = [(name, "nDCG", 5, *values) for name, values in taus.items()]
    return with_dataset(pd.DataFrame(rows, columns=columns).assign(systems=5))


def test_the_answer_on_redundancy_says_what_intervals_allow():
    two = rows_of_tau(Gini=(0.95, 0.9, 1.0), ARP=(-0.1, -0.3, 0.1), EPC=(-0.5, -0.6, -0.4))
    (answer,) = said(redundancy=two)
    assert answer == (
        "Gini@5 agrees with the ranking of systems under nDCG@5 (τ of at least 0.9; 3 metrics "
        "beyond accuracy compared). EPC@5 rather reverses it (the interval of τ over resampled "
        "users is below 0)."
    )
    without = rows_of_tau(ARP=(-0.5, np.nan, np.nan))
    (answer,) = said(redundancy=without)
    assert answer == (
        "No metric beyond accuracy agrees with the ranking of systems under nDCG@5 (τ of at least "
        "0.9; 1 metric beyond accuracy compared)."
    )
    (answer,) = said(redundancy=rows_of_tau(ARP=(np.nan,) * 3))
    assert answer == (
        "No metric beyond accuracy can be compared with nDCG@5: all systems tie under one of the "
        "two."
    )
    (answer,) = said(redundancy=two.assign(metric_b="Gini"))
    assert answer == ("No metric beyond accuracy can be compared: there is no accuracy metric.")
    (answer,) = said(redundancy=two.assign(metric_b="AUC", cutoff=np.nan))
    assert answer.startswith("Gini agrees with the ranking of systems under AUC")


def test_the_answers_follow_from_the_tables(alike, stays, apart):
    given = {"redundancy": alike.table, "robustness": stays, "power": apart}
    answers = said(**{name: with_dataset(table) for name, table in given.items()})
    assert len(answers) == 3
    users = stays[(stays["removed"] == "users") & (stays["level"] == 10)]
    beyond = users[~users["metric"].isin(["P", "R", "AP", "nDCG", "RR"])]
    start = f"{(beyond['tau'] >= 0.9).sum()} of {len(beyond.dropna())} metrics beyond accuracy"
    assert answers[1].startswith(start)
    assert "the ranking of systems with 10% of the users." in answers[1]
    ndcg = apart.set_index("metric").loc["nDCG"]
    assert f"nDCG@5 finds {ndcg['significant_05']:g} of 9 pairs of systems" in answers[2]


@pytest.mark.parametrize(
    ("counts", "said_of"),
    [
        ([1, 1, 1], "None of the 3 metrics beyond accuracy find more significant pairs than"),
        ([1, 3, 1], "1 of the 3 metrics beyond accuracy finds more significant pairs than nDCG@5."),
        ([1, 3, 3], "2 of the 3 metrics beyond accuracy find more significant pairs than nDCG@5."),
        ([3, 3, 3], "All 3 metrics beyond accuracy find more significant pairs than nDCG@5."),
        ([1], "The one metric beyond accuracy finds no more significant pairs than nDCG@5."),
        ([3], "The one metric beyond accuracy finds more significant pairs than nDCG@5."),
    ],
)
def test_it_is_said_by_how_many_metrics_more_pairs_differ(counts, said_of):
    metrics = ["nDCG", "Gini", "ARP", "EPC"][: len(counts) + 1]
    power = pd.DataFrame({"metric": metrics, "cutoff": 5, "pairs": 6})
    (answer,) = said(power=with_dataset(power.assign(significant_05=[2, *counts])))
    assert said_of in answer


def test_pairs_that_differ_are_those_of_the_accuracy_metric_and_of_the_least_one():
    power = pd.DataFrame(
        [("P", 5, 6, 1), ("nDCG", 5, 6, 2), ("Gini", 5, 5, 4), ("ARP", 5, 6, 3), ("EPC", 5, 0, 0)],
        columns=["metric", "cutoff", "pairs", "significant_05"],
    )
    (answer,) = said(power=with_dataset(power))
    assert answer == (
        "All 2 metrics beyond accuracy find more significant pairs than nDCG@5. nDCG@5 finds 2 of "
        "6 pairs of systems significant (permutation test, p < .05, not corrected for the number "
        "of pairs). ARP@5 finds the fewest (3 of 6)."
    )
    (answer,) = said(power=with_dataset(power.assign(pairs=1, significant_05=[0, 0, 1, 0, 1])))
    assert answer == (
        "2 of the 3 metrics beyond accuracy find more significant pairs than nDCG@5. nDCG@5 finds "
        "0 of 1 pair of systems significant (permutation test, p < .05, not corrected for the "
        "number of pairs). ARP@5 finds the fewest (0 of 1)."
    )
    # Without nDCG, the first accuracy metric stands for it.
    (answer,) = said(power=with_dataset(power[power["metric"] != "nDCG"]))
    assert "P@5 finds 1 of 6 pairs of systems significant" in answer
    for none in (power.assign(pairs=[6, 6, 0, 0, 0]), power[2:]):
        assert said(power=with_dataset(none)) == [
            "Unknown: no pair of systems has values to compare."
        ]


def test_figures_are_drawn(alike, stays, apart):
    assert views.robustness(with_dataset(stays), [PANEL]).axes
    assert views.power(with_dataset(apart), [PANEL]).axes


def test_a_system_without_a_value_is_never_the_best_one():
    """ARP is undefined where nothing is listed; lower is better, but not that."""
    measured = np.array([[[3.0, np.nan, 1.0], [0.5, np.nan, 0.2], [np.nan, np.nan, np.nan]]])
    (found,) = ordered(measured, [("ARP", 5), ("EPC", 5), ("Gini", 5)], 4)
    assert found.tolist() == [[3, 3, 1], [0.5, 0, 0.2], [0, 0, 0]]
