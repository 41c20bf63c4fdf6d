"""The study of unjudged items: its analyses on synthetic data, and its sentences on them."""

import itertools

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import rankassay
from rankassay.artifacts.arrays import Rankings
from rankassay.drawing import style
from rankassay.errors import RankassayError
from rankassay.metrics.unjudged import shared_places
from rankassay.statistics.rank_correlation import tau_b
from rankassay.studies.unjudged import views
from rankassay.studies.unjudged.incomplete import bounds, orders, pairs
from rankassay.studies.unjudged.settings import Bounded, Orders

EVALUATION = {"threshold": 4, "profile": "paper", "without_relevant": "value"}
TITLES = {"made-up": "Made up"}
PANEL = {"dataset": "made-up", "title": "Made up", "cutoff": 3}
N_USERS, N_ITEMS, DEPTH = 3, 9, 4


@pytest.fixture(scope="module")
def data():
    """Return few test ratings and four systems, the first and the last of which are the same."""
    rng = np.random.default_rng(8)
    stars = rng.integers(1, 6, (N_USERS, N_ITEMS)) * (rng.random((N_USERS, N_ITEMS)) < 0.6)
    test = sp.csr_matrix(stars, dtype=np.float32)
    rankings = {}
    for name in "abc":
        order = np.argsort(rng.random((N_USERS, N_ITEMS)), axis=1)
        rank = (np.argsort(order, axis=1) + 1)[test.nonzero()].astype(np.int32)
        n = np.full(N_USERS, N_ITEMS, dtype=np.int32)
        rankings[name] = Rankings(order[:, :DEPTH].astype(np.int32), rank, n, n)
    rankings["again"] = rankings["a"]
    return {"test": test, "rankings": rankings}


def settings(model, **changes):
    return model().model_dump() | changes


def with_dataset(table):
    return table.assign(dataset="made-up")


@pytest.fixture(scope="module")
def bounded(data):
    return bounds(**data, evaluation=EVALUATION, **settings(Bounded, cutoffs=[2, 3]))


@pytest.fixture(scope="module")
def compared(data, bounded):
    return pairs(**data, evaluation=EVALUATION, bounds=bounded)


@pytest.fixture(scope="module")
def alike(data):
    how = settings(Orders, cutoffs=[3], resamples=40)
    return orders(**data, evaluation=EVALUATION, seed=1, **how)


def runs(data):
    """Return the judgements and the lists by system, as users of Python have them."""
    test = data["test"].tocoo()
    qrels = pd.DataFrame({"user": test.row, "item": test.col, "rating": test.data})
    found = {}
    for name, own in data["rankings"].items():
        rows = [(u, int(item), -k) for u in range(N_USERS) for k, item in enumerate(own.items[u])]
        found[name] = pd.DataFrame(rows, columns=["user", "item", "score"])
    return qrels, found


def test_bounds_are_those_of_the_public_function(data, bounded):
    qrels, lists = runs(data)
    expected = rankassay.bounds(qrels, lists, ["P@2", "nDCG@3", "Bpref@3"])
    own = bounded.set_index(["system", "metric", "cutoff"])
    for (run, name), row in expected.iterrows():
        metric, cutoff = name.split("@")
        for column in ("value", "least", "greatest"):
            assert own.loc[(run, metric, int(cutoff)), column] == pytest.approx(row[column])


def test_pairs_are_open_if_some_judgements_turn_them_round(data, compared):
    qrels, lists = runs(data)
    graded = "RBP(gain='rating', highest=40)"
    also = bounds(
        **data, evaluation=EVALUATION, **settings(Bounded, metrics=[graded], cutoffs=[2, 3])
    )
    also = pairs(**data, evaluation=EVALUATION, bounds=also)
    own = pd.concat([compared, also]).set_index(["metric", "cutoff"])
    judged = {*zip(qrels["user"], qrels["item"], strict=True)}
    names, users = [*lists], range(N_USERS)
    for measure in ("P@3", "RBP@3", f"{graded}@3"):
        # The judgements of users do not depend on each other: each has its extremes.
        least, greatest = np.zeros((4, 4)), np.zeros((4, 4))
        for u in users:
            listed = {i for own in data["rankings"].values() for i in own.items[u, :3].tolist()}
            free = [i for i in sorted(listed) if (u, i) not in judged]
            differences = []
            for likes in itertools.product([1, 5], repeat=len(free)):
                more = pd.DataFrame({"user": u, "item": free, "rating": likes})
                world = pd.concat([qrels[qrels["user"] == u], more])
                value = rankassay.evaluate(world, lists, measure)[measure].to_numpy()
                differences.append(value[:, None] - value)
            least += np.min(differences, axis=0)
            greatest += np.max(differences, axis=0)
        a, b = np.triu_indices(len(names), 1)
        turned = (least[a, b] < -1e-12) & (greatest[a, b] > 1e-12)
        metric, cutoff = measure.split("@")
        assert own.loc[(metric, int(cutoff)), "open"] == turned.sum()
        assert not turned[(a == 0) & (b == 3)].any()
        assert 0 < turned.sum() <= own.loc[(metric, int(cutoff)), "overlapping"]


@pytest.mark.parametrize("highest", ["'all'", 5, 40])
def test_an_unjudged_item_gains_what_the_top_of_the_scale_does(highest):
    """Whoever lists the two best items stays above who may gain by one place, on any scale."""
    test = sp.csr_matrix(np.array([[5.0, 5.0, 1.0, 0.0]], dtype=np.float32))
    n = np.full(1, 4, dtype=np.int32)
    rankings = {
        "best": Rankings(np.array([[0, 1]]), np.array([1, 2, 3], dtype=np.int32), n, n),
        "other": Rankings(np.array([[2, 3]]), np.array([3, 4, 1], dtype=np.int32), n, n),
    }
    how = {"test": test, "rankings": rankings, "evaluation": EVALUATION}
    measures = settings(Bounded, metrics=[f"RBP(gain='rating', highest={highest})"], cutoffs=[2])
    found = pairs(**how, bounds=bounds(**how, **measures))
    assert found[["pairs", "overlapping", "open"]].to_numpy().tolist() == [[1, 0, 0]]


def test_what_is_shared_is_counted_by_the_lower_place():
    items = np.array([[[0, 1, 2]], [[2, 3, 0]], [[1, -1, -1]]], dtype=np.int32)
    test = sp.csr_matrix(np.array([[0, 5.0, 0, 0]]))
    found = shared_places(items, test)
    assert found[0, 1].tolist() == found[1, 0].tolist() == [0, 0, 2]
    assert found[0, 0].tolist() == [1, 0, 1]
    assert found[1, 1].tolist() == [1, 1, 1]
    assert not found[2].any()
    beyond = np.where(items == 3, 70_000, items)  # an item that the dataset does not have
    np.testing.assert_array_equal(shared_places(beyond, test), found)


def test_pairs_follow_from_the_bounds(bounded, compared):
    assert (compared["pairs"] == 5).all()  # of six, without the one of the same system twice
    own = bounded[(bounded["metric"] == "AP") & (bounded["cutoff"] == 3)]
    row = compared.set_index(["metric", "cutoff"]).loc[("AP", 3)]
    assert row["residual"] == pytest.approx((own["greatest"] - own["least"]).mean())
    assert row["spread"] == pytest.approx(own["value"].max() - own["value"].min())
    assert np.isnan(row["open"])
    pairs_of = [*itertools.combinations(own[["least", "greatest"]].to_numpy(), 2)]
    del pairs_of[2]
    assert row["overlapping"] == sum(a[0] < b[1] and b[0] < a[1] for a, b in pairs_of)


def test_users_without_a_value_do_not_count_in_pairs(data):
    strict = EVALUATION | {"threshold": 5, "without_relevant": "nan"}
    test = sp.csr_matrix(np.minimum(data["test"].toarray(), [[4], [5], [5]]))
    others = {name: _without_first(own, test) for name, own in data["rankings"].items()}
    found = []
    for sides in ((test, data["rankings"]), (test[1:], others)):
        bounded = bounds(*sides, strict, **settings(Bounded, cutoffs=[3], metrics=["P"]))
        found.append(pairs(*sides, strict, bounded))
    pd.testing.assert_frame_equal(*found)
    assert found[0]["open"].item() > 0


def _without_first(own, test):
    """Return the rankings of all users but the first."""
    counts = own.n_ranked[1:], own.n_candidates[1:]
    return Rankings(own.items[1:], own.ranks[test.indptr[1] :], *counts)


def test_orders_are_those_of_the_means(data, alike):
    qrels, lists = runs(data)
    usual = rankassay.evaluate(qrels, lists, "AP@3")["AP@3"].to_numpy()
    short = rankassay.evaluate(qrels, lists, "AP@3", unjudged="condensed")["AP@3"].to_numpy()
    table = alike.table.set_index(["metric_a", "metric_b"])
    assert table.loc[("AP", "condensed AP"), "tau"] == pytest.approx(tau_b(usual, short))
    known = alike.table.dropna()
    assert known["tau"].between(known["low"], known["high"]).all()
    assert len(known) > 20


def test_settings_refuse_what_has_no_bounds():
    with pytest.raises(ValueError, match="has none over the judgements"):
        Bounded(metrics=["AUC"])


def test_bpref_is_left_out_where_any_item_may_be_relevant(data):
    how = settings(Bounded, cutoffs=[3], beyond_list="any")
    found = bounds(**data, evaluation=EVALUATION, **how)
    assert {*found["metric"]} == {*Bounded().metrics} - {"Bpref"}


def test_the_table_has_a_row_for_each_metric(compared):
    table = views.pairs(with_dataset(compared), 3, TITLES).frame
    assert table["Metric"].tolist()[0] == "P@3"
    assert len(table) == len(Bounded().metrics)
    with pytest.raises(RankassayError, match="expected rows at cut-off 7"):
        views.pairs(with_dataset(compared), 7, TITLES)


def test_the_answers_follow_from_the_tables(compared, alike):
    enough = with_dataset(alike.table).assign(systems=5)
    found = views.answers(with_dataset(compared), enough, 3, TITLES)
    hangs, turned, order = found.frame["Answer"]
    row = compared.set_index(["metric", "cutoff"]).loc[("nDCG", 3)]
    start = f"Unjudged items leave nDCG@3 undetermined by {row['residual']:.2f} on average."
    assert hangs.startswith(start)
    overlap = f"The bounds of {row['overlapping']:g} of 5 pairs of systems overlap under nDCG@3."
    assert turned.startswith(f"{overlap} Judging the missing items could reverse ")
    assert "under P@3." in turned
    table = alike.table
    own = table[table["metric_b"] == "condensed " + table["metric_a"]]
    assert f"The lowest τ is {own['tau'].min():.2f}" in order
    assert (own["tau"] >= 0.9).any() != ("of usual lists under no metric" in order)
    without = compared.assign(open=np.nan)
    said = views.answers(with_dataset(without), None, 3, TITLES).frame["Answer"]
    assert said[1].endswith("pairs of systems overlap under nDCG@3.")
    one = with_dataset(compared.assign(pairs=1, overlapping=1, open=1))
    said = views.answers(one, None, 3, TITLES).frame["Answer"]
    assert said[1].startswith(
        "The bounds of 1 of 1 pair of systems overlap under nDCG@3. Judging the missing items "
        "could reverse 1 of the 1 pair that overlaps under P@3."
    )
    tied = enough.assign(tau=np.nan)
    said = views.answers(None, tied, 3, TITLES).frame["Answer"]
    assert said.tolist() == [
        "Unknown: all systems tie under every metric of usual lists, or of condensed lists."
    ]


def test_long_names_push_nothing_out_of_the_figure(bounded):
    named = bounded.assign(system=bounded["system"].str.pad(60, "right", "e"))
    figure = views.bounds(with_dataset(named), [PANEL])
    style.lay_out(figure)
    box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    assert min(box.x0, box.y0) >= 0
    assert box.x1 <= width
    assert box.y1 <= height


def test_figures_are_drawn(bounded):
    figure = views.bounds(with_dataset(bounded), [PANEL])
    (axes,) = figure.axes
    assert {label.get_text() for label in axes.get_yticklabels()} == {*"abc", "again"}
    assert len(axes.collections[0].get_segments()) == 4
