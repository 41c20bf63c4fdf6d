"""Runs that end at different places are compared where all of them go."""

import os
import threading

import numpy as np
import pandas as pd
import pytest
import pytrec_eval

import rankassay
from rankassay.api.reading import common
from rankassay.artifacts.arrays import Rankings
from rankassay.errors import RankassayError
from rankassay.metrics.judgements import Judgements

LONG = 12


@pytest.fixture(scope="module")
def data():
    """Return judgements of 30 users, the same lists whole and cut to 6 items, and others."""
    rng = np.random.default_rng(8)
    ratings = rng.integers(1, 6, size=(30, 20)).astype(float)
    qrels = {f"u{u}": {f"i{i}": x for i, x in enumerate(own)} for u, own in enumerate(ratings)}
    runs = {}
    for name, noise, length in (("long", 3, LONG), ("short", 3, 6), ("other", 1, LONG)):
        own = ratings + noise * np.random.default_rng(noise).normal(size=ratings.shape)
        runs[name] = {
            f"u{u}": {f"i{i}": float(row[i]) for i in np.argsort(-row)[:length]}
            for u, row in enumerate(own)
        }
    # Fewer items of some users are no end of the run.
    runs["long"]["u3"] = dict([*runs["long"]["u3"].items()][:2])
    runs["short"]["u3"] = dict([*runs["short"]["u3"].items()][:2])
    return qrels, runs


def warnings_of(caplog):
    return [
        record.getMessage()
        for record in caplog.records
        if record.getMessage().startswith("warning: ")
    ]


def test_the_same_lists_cut_do_not_lose(data, caplog):
    qrels, runs = data
    metrics = ["Recall@10", "nDCG@6", "nDCG@12", "AP", "RR", "Bpref"]
    found = rankassay.compare(qrels, runs, metrics, n_permutations=200)
    assert [*found.values.columns[2:]] == ["Recall@6", "nDCG@6", "AP", "RR", "Bpref"]
    pair = found.pairs[found.pairs["run_a"].isin(["long", "short"])]
    pair = pair[pair["run_b"].isin(["long", "short"])]
    assert (pair["difference"] == 0).all()
    assert (pair["p_value"] == 1).all()
    assert warnings_of(caplog) == [
        "warning: the longest lists of the runs end at different places (short at 6; long, other "
        "at 12). They are compared in the first 6 places, which all runs have, and the "
        "deeper cut-offs of Recall@10, nDCG@12 became this one; unequal_depths=True "
        "(--unequal-depths) compares them as they are.",
        "warning: long and short have the same value for every user under all 5 metrics, so this "
        "pair has p = 1; check that they are different runs.",
    ]
    lines = rankassay.describe(found).splitlines()
    assert "Lists were cut to 6 items before anything else." in lines
    assert "Run short: The longest list has 6 items." in lines
    # Whole lists are what others make of the first places of all.
    cut = {name: {u: dict([*own.items()][:6]) for u, own in r.items()} for name, r in runs.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(
        {u: {i: int(x) for i, x in own.items()} for u, own in qrels.items()},
        {"map", "recall.6", "ndcg_cut.6"},
        relevance_level=4,
    )
    for metric, key in (("AP", "map"), ("Recall@6", "recall_6"), ("nDCG@6", "ndcg_cut_6")):
        for name, run in cut.items():
            theirs = np.mean([own[key] for own in evaluator.evaluate(run).values()])
            means = found.means.set_index(["metric", "run"])["mean"]
            assert means[metric, name] == pytest.approx(theirs, abs=1e-12)


def test_deeper_only_on_request(data, caplog):
    qrels, runs = data
    how = {"n_permutations": 200, "unequal_depths": True}
    found = rankassay.compare(qrels, runs, "Recall@10", **how)
    means = found.means.set_index("run")["mean"]
    assert means["short"] < means["long"]
    assert not warnings_of(caplog)
    assert "Run short: The longest list has 6 items." in rankassay.describe(found)
    with pytest.raises(RankassayError, match="unequal_depths: expected True or False"):
        rankassay.compare(qrels, runs, "Recall@10", unequal_depths="deep")


def test_errors_of_all_listed_items_do_not_depend_on_other_metrics(data):
    qrels, runs = data
    alone = rankassay.compare(qrels, runs, "rmse", n_permutations=20)
    assert {*alone.means["metric"]} == {"rmse"}  # by its other names, too
    expected = [rankassay.evaluate(qrels, run, "RMSE")["RMSE"] for run in runs.values()]
    assert [*alone.means["mean"]] == pytest.approx(expected)
    found = rankassay.compare(qrels, runs, ["nDCG@10", "rmse"], n_permutations=20)
    assert [*found.values.columns[2:]] == ["nDCG@6", "rmse"]
    own = found.means[found.means["metric"] == "rmse"]
    assert [*own["mean"]] == pytest.approx(expected)
    for metric in ("RR", "auc@3"):  # which read whole lists
        with pytest.raises(RankassayError, match=f"RMSE, .* without {metric}, .* cut to 6 items"):
            common([metric, "RMSE"], {"a": 6, "b": 12})


def test_lists_that_can_be_read_once_are_compared(data):
    qrels, runs = data
    triples = {
        name: ((u, i, x) for u, own in run.items() for i, x in own.items())
        for name, run in runs.items()
    }
    found = rankassay.compare(qrels, triples, "nDCG@10", n_permutations=200)
    assert {*found.means["metric"]} == {"nDCG@6"}
    assert found.means.equals(rankassay.compare(qrels, runs, "nDCG@10", n_permutations=200).means)


def test_streams_are_read_once(data, tmp_path):
    qrels, runs = data
    own = {"qrels": [f"{u} 0 {i} {x}\n" for u, of in qrels.items() for i, x in of.items()]}
    for name, run in runs.items():
        own[name] = [f"{u} Q0 {i} 1 {x} t\n" for u, of in run.items() for i, x in of.items()]
    paths = {name: tmp_path / name for name in own}
    threads = []
    for name, path in paths.items():
        os.mkfifo(path)
        threads.append(threading.Thread(target=path.write_text, args=["".join(own[name])]))
        threads[-1].start()
    streams = {name: paths[name] for name in runs}
    found = rankassay.compare(paths["qrels"], streams, "nDCG@10", n_permutations=200)
    for thread in threads:
        thread.join()
    expected = rankassay.compare(qrels, runs, "nDCG@10", n_permutations=200).means
    np.testing.assert_allclose(found.means["mean"], expected["mean"])
    lines = {name: iter(own[name]) for name in runs}
    found = rankassay.compare(qrels, lines, "nDCG@10", n_permutations=200)
    np.testing.assert_allclose(found.means["mean"], expected["mean"])


def test_what_is_within_reach_or_ends_alike_is_left_as_it_is(data, caplog):
    qrels, runs = data
    plain = rankassay.compare(qrels, runs, ["nDCG@6", "P@5"], n_permutations=200)
    assert plain.definitions["depth"] is None
    same = {name: runs[name] for name in ("long", "other")}
    rankassay.compare(qrels, same | {"nothing": {"u0": {}}}, ["nDCG@20", "RR"], n_permutations=200)
    rankassay.compare(qrels, runs, "RR", depth=6, n_permutations=200)
    rankassay.compare(qrels, runs, "RMSE", n_permutations=200)
    assert not [text for text in warnings_of(caplog) if "end at different places" in text]


def test_robustness_and_preferences_end_there_too(data, caplog):
    qrels, runs = data
    table = rankassay.robustness(qrels, runs, ["P@10", "R@5"], levels=[50], samples=3)
    assert table[["metric", "cutoff"]].to_numpy().tolist() == [["P", 6], ["R", 5]]
    assert rankassay.robustness(qrels, runs, ["P@10"], levels=[50], samples=3, unequal_depths=True)[
        "cutoff"
    ].tolist() == [10]
    pairs = rankassay.preferences(qrels, runs).set_index(["run_a", "run_b"])
    assert pairs.loc[("long", "short"), "ties"] == 1
    deep = rankassay.preferences(qrels, runs, unequal_depths=True).set_index(["run_a", "run_b"])
    assert deep.loc[("long", "short"), "preference"] > 0
    table = rankassay.bounds(qrels, {name: runs[name] for name in ("long", "short")}, "P@10")
    assert table.loc[("long", "P@6"), "greatest"] == table.loc[("short", "P@6"), "greatest"]
    assert ("long", "P@10") in rankassay.bounds(qrels, runs, "P@10", unequal_depths=True).index
    assert len(warnings_of(caplog)) == 3


def test_rankings_end_where_they_are_stored():
    judgements = Judgements(np.arange(2, dtype=np.int32), np.array([0, 1, 2]), np.full(2, 5.0), 4.0)
    ranks = np.array([7, 2], np.int32)

    def ranked(depth, length):
        items = np.zeros((2, depth), np.int32)
        return Rankings(items, ranks, np.full(2, length, np.int32), np.full(2, 40, np.int32))

    runs = {"whole": ranked(10, 40), "run": ranked(10, 8), "same": ranked(10, 40)}
    found = rankassay.compare(judgements, runs, "R@10", n_permutations=10)
    assert {*found.means["metric"]} == {"R@8"}
    del runs["run"]
    found = rankassay.compare(judgements, runs, "R@20", n_permutations=10)
    assert {*found.means["metric"]} == {"R@20"}


@pytest.mark.parametrize(
    ("metric", "cut"),
    [
        ("ndcg_cut_100", "nDCG@50"),
        ("AP(denominator='min_cutoff')@100", "AP(denominator='min_cutoff')@50"),
        ("hit_rate@50", "hit_rate@50"),
    ],
)
def test_a_metric_keeps_the_name_that_it_was_given(metric, cut):
    assert common([metric, "RR"], {"a": 50, "b": 100, "nothing": 0}) == ([cut, "RR"], 50)


def test_one_place_is_one(caplog):
    assert common(["P@3"], {"a": 1, "b": 3}) == (["P@1"], 1)
    assert "in the first place, which all runs have" in warnings_of(caplog)[0]


def test_ties_are_counted_as_far_as_lists_are_read():
    qrels = {"ann": {"a": 5}, "bob": {"b": 5}}
    run = {"ann": {"a": 3.0, "b": 2.0, "c": 1.0, "d": 1.0}, "bob": {"b": 1.0, "a": 1.0, "c": 1.0}}
    counts = {}
    for metrics in (["P@2"], ["P@3"], ["P@2", "RR"]):
        for ties in ("item", "expected"):
            said = rankassay.evaluate(qrels, run, metrics, ties=ties).attrs["definitions"]
            own = said["counted"]["the run"]
            counts[metrics[-1], ties] = own["tied_users"], own["tied_items"], own["listed"]
    # Places 1 and 2 of bob are tied; so is the third of ann, and the fourth.
    for ties in ("item", "expected"):
        assert counts["P@2", ties] == (1, 2, 4)
        assert counts["P@3", ties] == (2, 4, 6)
        assert counts["RR", ties] == (2, 5, 7)


def test_preferences_count_ties_in_the_places_that_all_runs_have():
    qrels = {"ann": {"a": 5}, "bob": {"b": 5}}
    long = [(u, i, x) for u in qrels for i, x in {"a": 3.0, "b": 2.0, "c": 1.0, "d": 1.0}.items()]
    found = rankassay.preferences(qrels, {"long": iter(long), "short": {"ann": ["b", "a"]}})
    own = found.attrs["definitions"]["counted"]["long"]
    assert (own["places"], own["listed"], own["tied_items"], own["longest"]) == (2, 4, 0, 4)
    assert "No listed items in the first 2 places of a user" in rankassay.describe(found)


def test_users_without_a_relevant_item_are_counted():
    qrels = pd.DataFrame({"user": [*"abc"], "item": "x", "rating": [5, 1, 1]})
    run = {"a": ["x"], "b": ["x"]}
    for users, n in (("judged", 2), ("listed", 1)):
        found = rankassay.evaluate(qrels, run, "P@1", users=users)
        assert f"{n} of them without a relevant item" in rankassay.describe(found)
