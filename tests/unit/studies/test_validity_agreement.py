"""Data with a truth: observed and true orders against scipy and `assayer.evaluate`."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import scipy.stats
from made_up import DEPTH, N_ITEMS, evaluation, masked, study

import assayer
from assayer.artifacts.arrays import Truth
from assayer.artifacts.shards import WHOLE, Shard
from assayer.errors import AssayerError
from assayer.metrics.evaluate import measure_values
from assayer.metrics.judged import judge
from assayer.metrics.judgements import Judgements
from assayer.studies.validity import agreement

MEASURES = ["P@5", "nDCG@10", "R@10"]


@pytest.fixture(scope="module")
def data():
    """Return a made-up study, and judgements of random items by the users of the even rows."""
    train, test, rankings = study()
    rng = np.random.default_rng(11)
    judged = rng.random(train.shape) < 0.4
    judged[1::2] = False
    # They agree with nobody: the orders differ.
    truth = sp.csr_matrix(np.where(judged, rng.integers(1, 6, train.shape), 0).astype(np.float32))
    names = ["Popularity", *list(rankings)[1:]]
    return train, test, truth, dict(zip(names, rankings.values(), strict=True))


def found(data, resamples=0, shard=WHOLE, **recommenders):
    told = evaluation(MEASURES) | {"recommenders": recommenders}
    train, test, truth, rankings = data
    known = sp.csr_matrix((np.full(test.nnz, 0.5), test.indices, test.indptr), test.shape)
    estimators = ["SNIPS"] if "SNIPS" in recommenders else []
    return agreement.run(
        train,
        test,
        Truth.of(truth),
        rankings,
        known,
        told,
        seed=3,
        shard=shard,
        resamples=resamples,
        estimators=estimators,
    )


def means(matrix, rankings):
    """Return the systems' means by `assayer.evaluate`, (n_systems, n_measures)."""
    coo = matrix.tocoo()
    judgements = pd.DataFrame({"user": coo.row, "item": coo.col, "rating": coo.data})
    rows = []
    for ranking in rankings.values():
        users = np.unique(coo.row)
        lists = {int(u): [int(i) for i in ranking.items[u] if i >= 0] for u in users}
        result = assayer.evaluate(judgements, lists, MEASURES, threshold=4)
        rows.append([result[m] for m in MEASURES])
    return np.array(rows).round(12)  # ties, whatever the order of the sums


def test_orders_are_those_of_evaluate(data):
    train, test, truth, rankings = data
    table = found(data).table
    both = table[table["candidates"] == "all items"].reset_index(drop=True)
    left = (truth != 0).toarray() & ~(train != 0).toarray()
    unseen = sp.csr_matrix(np.where(left, truth.toarray(), 0))
    seen, real = means(test, rankings), means(unseen, rankings)
    names = [*rankings]
    for m in range(len(MEASURES)):
        expected = scipy.stats.kendalltau(seen[:, m], real[:, m]).statistic
        assert both.loc[m, "tau"] == pytest.approx(expected)
        assert both.loc[m, "observed_winner"] == names[seen[:, m].argmax()]
        assert both.loc[m, "true_winner"] == names[real[:, m].argmax()]
        lost = 1 - real[seen[:, m].argmax(), m] / real[:, m].max()
        assert both.loc[m, "winner_loss"] == pytest.approx(lost)
    assert both["tau"].max() < 1
    assert (both["truth_users"] == len(np.unique(unseen.nonzero()[0]))).all()
    assert (both["test_users"] == len(np.unique(test.nonzero()[0]))).all()


def test_estimators_stand_beside_the_metrics_at_their_cutoffs(data):
    """At constant propensities SNIPS is recall, and so is its truth."""
    table = found(data, SNIPS={"method": "slim"}).table
    own = table[table["metric"] == "SNIPS"]
    assert sorted(own["cutoff"]) == [5, 5, 10, 10]
    recall = table[(table["metric"] == "R") & (table["cutoff"] == 10)]
    same = ["tau", "observed_winner", "true_winner", "power"]
    ten = own[own["cutoff"] == 10]
    assert ten["tau"].tolist() == recall["tau"].tolist()
    pd.testing.assert_frame_equal(
        ten[same].reset_index(drop=True), recall[same].reset_index(drop=True)
    )


def test_several_jobs_share_metrics_and_estimators(data):
    own = {"SNIPS": {"method": "slim"}, "resamples": 40}
    whole = found(data, **own)
    parts = [found(data, shard=Shard(number, 4), **own) for number in range(1, 5)]
    table = pd.concat([part.table for part in parts], ignore_index=True)
    # Of all that the parts have of one kind of candidates, the rows follow each other.
    order = table["candidates"].ne("all items").to_numpy().argsort(kind="stable")
    pd.testing.assert_frame_equal(table.iloc[order].reset_index(drop=True), whole.table)
    replicates = np.vstack([part.replicates for part in parts])[order]
    np.testing.assert_array_equal(replicates, whole.replicates)


def test_what_users_rated_in_training_is_no_truth(data):
    train, test, truth, rankings = data
    table = found(data).table
    changed = sp.csr_matrix(np.where((train != 0).toarray(), 5, truth.toarray()))
    pd.testing.assert_frame_equal(found((train, test, changed, rankings)).table, table)


def test_a_user_without_a_list_and_an_item_of_training_are_no_truth_and_0_is_a_judgement():
    train, test, truth = (
        sp.csr_matrix((np.array(data, dtype=np.float32), place), shape=(3, 4))
        for data, place in (
            ([5, 4], ([0, 1], [0, 0])),
            ([3], ([0], [1])),
            ([1, 0, 2, 5, 4], ([0, 0, 0, 1, 2], [0, 2, 3, 1, 1])),
        )
    )
    left = agreement.unseen_truth(train, test, truth)
    assert (list(left.indices), list(left.data)) == ([2, 3], [0, 2])
    assert list(np.diff(left.indptr)) == [2, 0, 0]


def test_of_cut_lists_the_area_takes_what_is_deeper_to_come_in_random_order(data):
    _, _, truth, rankings = data
    judgements = Judgements.of(truth, 4)
    for name, whole in rankings.items():
        cut = replace(whole, items=whole.items[:, :5].copy())
        assert (cut.n_ranked > 5).any(), name
        lists = agreement._true(cut, judgements, truth)
        areas = measure_values(judge(judgements, lists, 5), ["AUC", "LAUC@5"])
        np.testing.assert_array_equal(areas[:, 0], areas[:, 1])


def test_a_truth_that_nobody_could_be_shown_is_told(data):
    train, test, _, rankings = data
    for truth in (train, sp.csr_matrix(train.shape, dtype=np.float32)):
        with pytest.raises(AssayerError, match=f"found none among {truth.nnz}; give others"):
            found((train, test, truth, rankings))


def test_test_items_alone_are_ranked_among_themselves(data):
    train, test, truth, rankings = data
    table = found(data).table
    alone = table[table["candidates"] == "test items"].reset_index(drop=True)
    shorter = {}
    for name, ranking in rankings.items():
        items = np.full_like(ranking.items, -1)
        for u in range(test.shape[0]):
            own = slice(test.indptr[u], test.indptr[u + 1])
            order = np.argsort(ranking.ranks[own])
            items[u, : len(order)] = test.indices[own][order]
        shorter[name] = type(ranking)(items, ranking.ranks, ranking.n_ranked, ranking.n_candidates)
    left = (truth != 0).toarray() & ~(train != 0).toarray()
    seen = means(test, shorter)
    real = means(sp.csr_matrix(np.where(left, truth.toarray(), 0)), rankings)
    for m in range(len(MEASURES)):
        expected = scipy.stats.kendalltau(seen[:, m], real[:, m]).statistic
        assert alone.loc[m, "tau"] == pytest.approx(expected, nan_ok=True)


def test_popularity_has_its_ranks_where_it_is_among_the_systems(data):
    known = found(data, Popularity={"method": "popularity"}).table
    _, test, _, rankings = data
    seen = means(test, rankings)
    rows = known[known["candidates"] == "all items"]
    for m in range(len(MEASURES)):
        expected = scipy.stats.rankdata(-seen[:, m])[0]
        assert rows["popularity_observed"].iloc[m] == expected
    assert found(data, Popularity={"method": "slim"}).table["popularity_observed"].isna().all()
    assert found(data, Other={"method": "popularity"}).table["popularity_true"].isna().all()


def test_intervals_hold_what_was_measured_and_every_user_once_gives_it(data):
    result = found(data, resamples=60)
    table = result.table
    assert table["tau"].between(table["low"], table["high"]).all()
    assert (table["low"] < table["high"]).all()
    assert result.replicates.shape == (len(table), 60)


def test_the_truth_orders_systems_as_itself(data):
    train, test, _, rankings = data
    table = found((train, test, test, rankings)).table
    rows = table[table["candidates"] == "all items"]
    assert (rows["tau"] == 1).all()
    assert (rows["winner_agrees"] == 1).all()
    part = masked(test, np.arange(test.nnz) % 2 == 0)
    assert (found((train, test, part, rankings)).table["tau"].iloc[:3] < 1.01).all()


def test_places_are_those_of_the_lists():
    rng = np.random.default_rng(8)
    items = np.array([rng.permutation(N_ITEMS)[:DEPTH] for _ in range(9)], dtype=np.int32)
    items[2, 4:] = -1
    row, wanted = np.divmod(rng.permutation(9 * N_ITEMS)[:100], N_ITEMS)
    order = np.argsort(row, kind="stable")
    row, wanted = row[order], wanted[order]
    expected = [
        [*items[u]].index(i) + 1 if i in items[u] else 0 for u, i in zip(row, wanted, strict=True)
    ]
    assert list(agreement.places(items, row, wanted)) == expected
