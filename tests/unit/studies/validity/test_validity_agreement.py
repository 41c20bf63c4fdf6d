"""Data with a truth: observed and true orders against scipy and `rankassay.evaluate`."""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import scipy.stats
from made_up import DEPTH, N_ITEMS, evaluation, masked, study

import rankassay
from rankassay.artifacts.arrays import Truth
from rankassay.artifacts.shards import WHOLE, Shard
from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import evaluate, measure_values
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics.judged_systems import TestSet
from rankassay.statistics.replicated import Replicated
from rankassay.studies.validity import agreement
from rankassay.studies.validity.study import ANALYSES
from rankassay.studies.validity.yardsticks import Yardstick, places, sample

MEASURES = ["P@5", "nDCG@10", "R@10"]


@pytest.fixture(scope="module")
def data():
    """Return a synthetic study, and judgements of random items by the users of the even rows."""
    train, test, rankings = study()
    rng = np.random.default_rng(11)
    judged = rng.random(train.shape) < 0.4
    judged[1::2] = False
    # They agree with nobody: the orders differ.
    truth = sp.csr_matrix(np.where(judged, rng.integers(1, 6, train.shape), 0).astype(np.float32))
    names = ["Popularity", *list(rankings)[1:]]
    return train, test, truth, dict(zip(names, rankings.values(), strict=True))


SETTINGS = {
    "yardstick_cutoffs": [5],
    "estimators": ["HT", "Hajek", "DR", "plain"],
    "inclusion": "design",
}


@pytest.fixture(autouse=True)
def _plain(monkeypatch):
    """Observe the given measures alone, but for tests of weighed ones."""
    monkeypatch.setattr(agreement, "UNBIASED", ())


def found(data, resamples=0, shard=WHOLE, recommenders=None, truth=None, **settings):
    told = evaluation(MEASURES) | {"recommenders": recommenders or {}}
    train, test, judged, rankings = data
    return agreement.run(
        train,
        test,
        truth or Truth.of(judged, scale=(1, 5)),
        rankings,
        SimpleNamespace(item_ids=np.array([f"item {i}" for i in range(test.shape[1])])),
        sp.csr_matrix((np.full(test.nnz, 0.5), test.indices, test.indptr), test.shape),
        told,
        seed=3,
        shard=shard,
        resamples=resamples,
        **SETTINGS | settings,
    )


def reference(table, candidates="all items", yardstick="liked", estimator="HT"):
    """Return the rows by P at the yardsticks' cut-off, a row for each measure."""
    rows = table[
        (table["candidates"] == candidates)
        & (table["yardstick"] == yardstick)
        & table["utility"].isin(["P", "metric"])
        & (table["estimator"] == estimator)
    ]
    return rows.reset_index(drop=True)


def true_share(data, k=5):
    """Return each system's share of the list that users like, each hit weighed by 1 / j_u."""
    train, test, truth, rankings = (getattr(own, "toarray", lambda o=own: o)() for own in data)
    judged = (truth != 0).sum(axis=1) / truth.shape[1]
    users = [u for u in range(len(test)) if test[u].any() and judged[u]]
    values = []
    for ranking in rankings.values():
        shares = []
        for u in users:
            listed = [i for i in ranking.items[u][:k] if i >= 0]
            liked = [i for i in listed if truth[u, i] >= 4 and not train[u, i]]
            shares.append(len(liked) / judged[u] / k)
        values.append(np.mean(shares))
    return np.array(values)


def means(matrix, rankings):
    """Return the systems' means by `rankassay.evaluate`, (n_systems, n_measures)."""
    coo = matrix.tocoo()
    judgements = pd.DataFrame({"user": coo.row, "item": coo.col, "rating": coo.data})
    rows = []
    for ranking in rankings.values():
        users = np.unique(coo.row)
        lists = {int(u): [int(i) for i in ranking.items[u] if i >= 0] for u in users}
        result = rankassay.evaluate(judgements, lists, MEASURES, threshold=4)
        rows.append([result[m] for m in MEASURES])
    return np.array(rows).round(12)  # ties, for any order of the sums


def test_orders_are_those_of_evaluate_and_of_the_weighed_share(data):
    test, rankings = apart(data)[1], data[3]
    rows = reference(found(data).table)
    seen, real = means(test, rankings), true_share(data)
    names = [*rankings]
    for m in range(len(MEASURES)):
        expected = scipy.stats.kendalltau(seen[:, m], real).statistic
        assert rows.loc[m, "tau"] == pytest.approx(expected)
        assert rows.loc[m, "observed_winner"] == names[seen[:, m].argmax()]
        assert rows.loc[m, "true_winner"] == names[real.argmax()]
        lost = 1 - real[seen[:, m].argmax()] / real.max()
        assert rows.loc[m, "winner_loss"] == pytest.approx(lost)
    assert rows["tau"].max() < 1
    judged = (data[2] != 0).toarray().any(axis=1) & (data[1] != 0).toarray().any(axis=1)
    assert (rows["truth_users"] == judged.sum()).all()
    candidates = (data[2] != 0).toarray() & (data[0].toarray() == 0) & judged[:, None]
    assert (rows["judged"] == candidates.sum()).all()
    assert (rows["design"] == "separate").all()
    assert (rows["test_users"] == len(np.unique(test.nonzero()[0]))).all()


def apart(data):
    """Return the same data without the test ratings of pairs that are in the truth."""
    train, test, truth, rankings = data
    keep = np.asarray(truth[test.nonzero()] == 0).ravel()
    assert 0 < keep.sum() < len(keep)
    shorter = {k: replace(own, ranks=own.ranks[keep]) for k, own in rankings.items()}
    return train, masked(test, keep), truth, shorter


def test_the_two_sides_share_no_rating(data):
    """The observed test ratings of pairs in the truth are left out, and the truth stays."""
    table = found(data).table
    other = found(apart(data)).table
    own = ["metric", "candidates", "tau", "observed_winner", "power", "right", "wrong"]
    by_weights = table["estimator"] != "as published"
    everybody = (apart(data)[1] != 0).toarray().any(axis=1) == (data[1] != 0).toarray().any(axis=1)
    assert everybody.all()  # so that the truth is about the same users
    pd.testing.assert_frame_equal(table[by_weights][own], other[by_weights][own])


def test_conclusions_are_the_significant_pairs_by_their_true_sign(data):
    rows, real = reference(found(data).table), true_share(data)
    _, test, _, rankings = apart(data)
    judgements = Judgements.of(test, 4)
    lists = [Lists.of(own, judgements) for own in rankings.values()]
    values = evaluate(judgements, lists, MEASURES, depth=DEPTH)
    for m in range(len(MEASURES)):
        right = wrong = 0
        for a, b in itertools.combinations(range(len(rankings)), 2):
            d = values[:, a, m] - values[:, b, m]
            z = d.sum() / np.sqrt((d**2).sum())
            if 2 * scipy.stats.norm.sf(abs(z)) < 0.05:
                right += z * (real[a] - real[b]) > 0
                wrong += z * (real[a] - real[b]) < 0
        assert (rows.loc[m, "right"], rows.loc[m, "wrong"]) == (right, wrong)
        assert rows.loc[m, "conclusions"] == right / (right + wrong)
    assert rows["wrong"].sum() > 0
    assert rows["right"].sum() > 0


def test_new_and_liked_are_two_questions(data):
    """Of items that all users knew there is nothing new; without flags nobody asks."""
    _, _, judged, rankings = data
    known = np.asarray(judged.nonzero()[1] % 2 == 0)
    flagged = Truth.of(judged, known=known, scale=(1, 5))
    table = found(data, truth=flagged).table
    # Liked and new is what is left of the truth when judgements of known items become dislikes.
    unknown = judged.copy()
    unknown.data[known] = 1
    same = ["tau", "tau_ap", "true_winner", "right", "wrong"]
    pd.testing.assert_frame_equal(
        reference(table, yardstick="new")[same],
        reference(found((*data[:2], unknown, rankings)).table)[same],
    )
    assert {*found(data).table["yardstick"]} == {"liked"}
    assert {*table["yardstick"]} == {"liked", "new"}


def test_as_published_adds_the_observed_test_ratings_unweighed(data):
    train, test, truth, rankings = data
    both = sp.csr_matrix(np.where((truth != 0).toarray(), truth.toarray(), test.toarray()))
    of = (truth != 0).toarray().any(axis=1)
    both = sp.csr_matrix(np.where(of[:, None], both.toarray(), 0))
    published = reference(found(data).table, estimator="as published")
    rows = reference(
        found((train, test, both, rankings), estimators=["plain"]).table, estimator="plain"
    )
    seen = means(apart(data)[1], rankings)[:, 0]
    left = (both != 0).toarray() & ~(train != 0).toarray()
    real = [
        np.mean([(both[u].toarray()[0, own.items[u, :5]] >= 4).sum() for u in np.flatnonzero(of)])
        for own in rankings.values()
    ]
    assert left.any()
    assert published.loc[0, "tau"] == pytest.approx(scipy.stats.kendalltau(seen, real).statistic)
    assert len(published) == len(rows) == len(MEASURES)


def test_a_truth_of_the_published_design_holds_what_is_observed(data):
    """Nothing leaves the test side, no weights apply, and the values are the same as with HT."""
    judged = Truth.of(data[2], scale=(1, 5), design="as-published")
    table = found(data, truth=judged).table
    assert {*table["estimator"]} == {"as published"}
    assert {*table["utility"]} == {"P", "DCG", "rating"}
    beside = reference(found(data).table, estimator="as published")
    rows = reference(table, estimator="as published")
    same = ["true_winner", "popularity_true", "truth_users"]
    pd.testing.assert_frame_equal(rows[same], beside[same])
    seen = means(data[1], data[3])
    names = [*data[3]]
    assert rows.loc[0, "observed_winner"] == names[seen[:, 0].argmax()]


def test_of_a_complete_truth_each_metric_has_its_own(data):
    train, test, _, rankings = data
    rng = np.random.default_rng(4)
    whole = rng.integers(1, 6, train.shape).astype(np.float32)
    complete = sp.csr_matrix(whole)
    keep = np.zeros(test.nnz, dtype=bool)  # a pair of the truth is not observed
    keep[::2] = True
    coo = masked(test, keep).tocoo()
    whole[coo.row, coo.col] = 0
    assert not (
        found((train, test, sp.csr_matrix(whole), rankings)).table["yardstick"] == "own"
    ).any()
    judged = Judgements.of(test, 4)
    lists = [Lists.of(own, judged) for own in rankings.values()]
    sides = {
        "all items": TestSet.of_lists(judged, test.indices, lists, evaluation(MEASURES), DEPTH)
    }
    told = evaluation(MEASURES)
    by = [Yardstick("liked", "P", 5, "HT")]
    true = agreement.truths(train, test, Truth.of(complete, scale=(1, 5)), rankings, told, by)
    table = agreement.agreement(sides, true, [*rankings], None).table
    left = sp.csr_matrix(np.where((train != 0).toarray(), 0, complete.toarray()))
    tested = (test != 0).toarray().any(axis=1)
    left = sp.csr_matrix(np.where(tested[:, None], left.toarray(), 0))
    seen, real = means(test, rankings), means(left, rankings)
    rows = reference(table, yardstick="own", estimator="complete")
    for m in range(len(MEASURES)):
        expected = scipy.stats.kendalltau(seen[:, m], real[:, m]).statistic
        assert rows.loc[m, "tau"] == pytest.approx(expected)
    # All weights are 1, so that P@5 is its own truth.
    assert reference(table).loc[0, "tau"] == rows.loc[0, "tau"]
    assert table["judged"].isna().all()
    assert not table["design"].any()
    at = agreement.complete(
        agreement.own_truth(
            sample(train, test, Truth.of(complete), 4), rankings, told, train.shape
        ),
        cutoffs=[5],
    )
    np.testing.assert_allclose(at[Yardstick("liked", "P", 5, "complete")].means, true[by[0]].means)


def test_a_complete_truth_leaves_the_test_ratings_that_are_in_it(data):
    """They are all in it: without them, nothing would be observed."""
    train, test, _, rankings = data
    whole = np.random.default_rng(4).integers(1, 6, train.shape).astype(np.float32)
    table = found((train, test, sp.csr_matrix(whole), rankings)).table
    assert {*table["yardstick"]} == {"liked", "own"}
    assert {*table["test_users"]} == {(np.diff(test.indptr) > 0).sum()}
    seen = means(test, rankings)
    left = np.where((train != 0).toarray() | ~(test != 0).toarray().any(1)[:, None], 0, whole)
    real = means(sp.csr_matrix(left), rankings)
    rows = reference(table, yardstick="own", estimator="complete")
    for m in range(len(MEASURES)):
        expected = scipy.stats.kendalltau(seen[:, m], real[:, m]).statistic
        assert rows.loc[m, "tau"] == pytest.approx(expected)
    lacks = np.where((test != 0).toarray(), whole, 0)  # the test ratings, and nothing else
    with pytest.raises(RankassayError, match="expected test ratings that are not in it, found all"):
        found((train, test, sp.csr_matrix(lacks), rankings))


def test_metrics_of_which_lower_is_better_agree_the_other_way_round(data):
    """An inverse order of the truth is one that agrees, of a metric that is better when low."""
    _, test, _, rankings = data
    judged = Judgements.of(test, 4)
    lists = [Lists.of(own, judged) for own in rankings.values()]
    told = evaluation(["R@10", "MissRate@10"])
    side = TestSet.of_lists(judged, test.indices, lists, told, DEPTH)
    true = {
        Yardstick("liked", "P", 10, "HT"): agreement.TrueValues(
            side.means()[:, :1] + np.array([0, 0, 1.0, 0, 0]), 1
        )
    }
    table = agreement.agreement({"all items": side}, true, [*rankings], None).table
    # What is missed is 1 - recall.
    assert table["tau"].iloc[0] == table["tau"].iloc[1] < 1
    assert table["winner_loss"].iloc[0] == table["winner_loss"].iloc[1]
    assert table["right"].iloc[0] == table["right"].iloc[1] > 0


def test_weighed_metrics_stand_beside_the_others_at_their_cutoffs(data, monkeypatch):
    """At constant propensities SNIPS is recall."""
    monkeypatch.setattr(agreement, "UNBIASED", ("SNIPS",))
    table = found(data).table
    own = table[(table["metric"] == "SNIPS") & (table["yardstick"] == "liked")]
    own = own[(own["utility"] == "P") & (own["estimator"] == "HT")]
    assert sorted(own["cutoff"]) == [5, 5, 10, 10]
    recall = reference(table)[lambda rows: rows["metric"] == "R"].iloc[0]
    ten = own[(own["cutoff"] == 10) & (own["candidates"] == "all items")].iloc[0]
    for name in ("tau", "observed_winner", "true_winner", "power", "right"):
        assert ten[name] == recall[name]


def test_several_jobs_share_the_metrics(data, monkeypatch):
    monkeypatch.setattr(agreement, "UNBIASED", ("SNIPS",))
    own = {"resamples": 40}
    whole = found(data, **own)
    parts = [found(data, shard=Shard(number, 4), **own) for number in range(1, 5)]
    within = ANALYSES["agreement"].within
    joined = Replicated.joined(parts, within)
    pd.testing.assert_frame_equal(joined.table.reset_index(drop=True), whole.table)
    np.testing.assert_array_equal(joined.replicates, whole.replicates)


def test_what_users_rated_in_training_is_no_truth(data):
    train, _, judged, _ = data
    flagged = Truth.of(judged, scale=(1, 5))
    table = found(data, truth=flagged).table
    changed = judged.copy()
    changed.data[np.asarray(train[judged.nonzero()] != 0).ravel()] = 5
    other = found(data, truth=replace(flagged, data=changed.data)).table
    assert (changed != judged).nnz > 0
    pd.testing.assert_frame_equal(other, table)


def test_a_user_without_a_list_and_an_item_of_training_are_no_truth_and_0_is_a_judgement():
    train, test, truth = (
        sp.csr_matrix((np.array(data, dtype=np.float32), place), shape=(3, 4))
        for data, place in (
            ([5, 4], ([0, 1], [0, 0])),
            ([3], ([0], [1])),
            ([1, 0, 2, 5, 4], ([0, 0, 0, 1, 2], [0, 2, 3, 1, 1])),
        )
    )
    left = sample(train, test, Truth.of(truth), 4)
    assert (list(left.users), list(left.row)) == ([0], [0, 0])
    assert (list(left.item), list(left.rating)) == ([2, 3], [0, 2])
    assert list(left.weight) == [4 / 3, 4 / 3]


def test_of_cut_lists_the_area_takes_what_is_deeper_to_come_in_random_order(data):
    _, _, truth, rankings = data
    judgements = Judgements.of(truth, 4)
    for name, whole in rankings.items():
        cut = replace(whole, items=whole.items[:, :5].copy())
        assert (cut.n_ranked > 5).any(), name
        lists = agreement._true(cut, judgements, truth)
        areas = measure_values(judge(judgements, lists, 5), ["AUC", "LAUC@5"])
        np.testing.assert_array_equal(areas[:, 0], areas[:, 1])


def test_a_truth_in_which_nobody_likes_anything_is_told(data):
    halved = Truth.of(data[2] / 2)
    with pytest.raises(
        RankassayError, match=r"judgements of at least 4, .* found none above 2\.5: "
    ):
        found(data, truth=halved)
    # A scale that ends above, as that of the ratings may, does not make anybody like anything.
    with pytest.raises(RankassayError, match=r"found none above 2\.5: nobody"):
        found(data, truth=Truth.of(data[2] / 2, scale=(1, 5)))


def test_a_truth_that_nobody_could_be_shown_is_told(data):
    train, test, _, rankings = data
    for truth in (train, sp.csr_matrix(train.shape, dtype=np.float32)):
        with pytest.raises(RankassayError, match=f"found none among {truth.nnz}; give others"):
            found((train, test, truth, rankings))


def test_cutoffs_below_the_lists_and_listed_items_without_a_count_are_told(data):
    with pytest.raises(RankassayError, match=f"at most the depth of the lists, {DEPTH}, found 21"):
        found(data, yardstick_cutoffs=[21])
    truth = data[2].toarray()
    truth[:, :3] = 0
    with pytest.raises(RankassayError, match=r"found none of [123] items?, on .*%"):
        found((*data[:2], sp.csr_matrix(truth), data[3]), inclusion="counts")


def test_test_items_alone_are_ranked_among_themselves(data):
    _, test, _, rankings = apart(data)
    alone = reference(found(data).table, candidates="test items")
    shorter = {}
    for name, ranking in rankings.items():
        items = np.full_like(ranking.items, -1)
        for u in range(test.shape[0]):
            own = slice(test.indptr[u], test.indptr[u + 1])
            order = np.argsort(ranking.ranks[own])
            items[u, : len(order)] = test.indices[own][order]
        shorter[name] = replace(ranking, items=items)
    seen, real = means(test, shorter), true_share(data)
    for m in range(len(MEASURES)):
        expected = scipy.stats.kendalltau(seen[:, m], real).statistic
        assert alone.loc[m, "tau"] == pytest.approx(expected, nan_ok=True)


def test_popularity_has_its_ranks_where_it_is_among_the_systems(data):
    def rows(**recommenders):
        return reference(found(data, recommenders=recommenders).table)

    known = rows(Popularity={"method": "popularity"})
    seen = means(apart(data)[1], data[3])
    for m in range(len(MEASURES)):
        assert known.loc[m, "popularity_observed"] == scipy.stats.rankdata(-seen[:, m])[0]
    assert (known["popularity_true"] == scipy.stats.rankdata(-true_share(data))[0]).all()
    assert rows(Popularity={"method": "slim"})["popularity_observed"].isna().all()
    assert rows(Other={"method": "popularity"})["popularity_true"].isna().all()


def test_intervals_hold_what_was_measured(data):
    result = found(data, resamples=60)
    table = result.table
    assert table["tau"].between(table["low"], table["high"]).all()
    assert (reference(table)["low"] < reference(table)["high"]).all()
    assert result.replicates.shape == (len(table), 60)


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
    assert list(places(items, row, wanted)) == expected
