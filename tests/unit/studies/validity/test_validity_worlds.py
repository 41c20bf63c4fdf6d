"""Worlds with a truth: the closed world, simulated ones, and what is said of them together."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import scipy.stats

from rankassay.artifacts.arrays import together
from rankassay.errors import RankassayError
from rankassay.studies.validity import (
    candidates,
    closed_world,
    summary,
    tables,
    worlds,
)
from rankassay.studies.validity.candidates import lists_among, sample_order
from rankassay.studies.validity.rows import of_metrics, of_yardstick
from rankassay.studies.validity.settings import Section
from rankassay.studies.validity.without_truth import like
from rankassay.studies.validity.worlds import (
    BIASES,
    MOST_CELLS,
    World,
    completed,
    observed,
    simulated,
)

RECOMMENDERS = {
    "Random": {"method": "random", "settings": {}},
    "Popularity": {"method": "popularity", "settings": {}},
    "PureSVD": {"method": "puresvd", "settings": {"factors": 3}},
    "SVD": {"method": "svd", "settings": {"factors": 3, "epochs": 5}},
    "Rocchio": {"method": "rocchio", "settings": {"neighbours": 10}},
}
EVALUATION = {
    "recommenders": RECOMMENDERS,
    "profile": "paper",
    "without_relevant": None,
    "aggregate": "mean",
}
SIZES = {"users": 60, "items": 50}
TASTES = {"factors": 3, "relevant": 0.2}
HOW = {
    "metrics": ["P", "nDCG"],
    "cutoffs": [5, 10],
    "density": 0.3,
    "strengths": [0, 1],
}


@pytest.fixture(scope="module", autouse=True)
def _small():
    """Take other constants than the study, which are of small worlds."""
    constants = {"FACTORS": 3, "LIKED": 0.2, "PERCENTAGES": (80,), "UNRATED": (None, 5, 0)}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in constants.items():
            patch.setattr(worlds, name, value)
        yield


def test_the_formulas_of_the_closed_world_are_what_users_would_see():
    """Users who find, rate and are recommended items, one by one, in one small world."""
    items, training, users = 6, 0.8, 400_000
    rng = np.random.default_rng(5)
    drawn = rng.random((5, 1, items))
    fixed = type("Fixed", (), {"random": lambda self, shape: drawn})()
    found = closed_world._worlds(fixed, 1, items, training)
    relevant, seen, seen_other, rated, rated_other = drawn[:, 0]
    likes = rng.random((users, items)) < relevant
    finds = rng.random((users, items)) < np.where(likes, seen, seen_other)
    rates = finds & (rng.random((users, items)) < np.where(likes, rated, rated_other))
    both = rated * seen * relevant
    of_rated = both + rated_other * seen_other * (1 - relevant)
    orders = {
        "random": np.arange(items),
        "popularity": np.argsort(-both),
        "average-rating": np.argsort(-both / of_rated),
    }
    for kind, share in (("observed", training), ("true", 1.0)):
        trained = rates & (rng.random((users, items)) < share)
        good = (rates & ~trained & likes) if kind == "observed" else likes
        for name, order in orders.items():
            first = np.argmax(~trained[:, order], axis=1)
            left = ~trained.all(axis=1)
            hits = good[np.arange(users), order[first]] & left
            error = hits.std() / np.sqrt(users)
            assert found[name, kind][0] == pytest.approx(hits.mean(), abs=4 * error), (name, kind)


def test_the_closed_world_takes_as_many_places_as_users_may_reach(monkeypatch):
    """A few users have rated the best items of a small world; of a large one none has."""
    for items, places in ((40, 3), (600, 8), (600, 256)):
        monkeypatch.setattr(closed_world, "PLACES", items)
        all_places = closed_world._worlds(np.random.default_rng(2), 4, items, 0.9)
        monkeypatch.setattr(closed_world, "PLACES", places)
        some = closed_world._worlds(np.random.default_rng(2), 4, items, 0.9)
        for key, values in all_places.items():
            np.testing.assert_array_equal(some[key], values)


def test_the_closed_world_is_the_published_one():
    path = closed_world.__file__.replace("closed_world.py", "published/closed-world.csv")
    published = pd.read_csv(path)
    table = closed_world.run(1, published, worlds=300, items=3700)
    assert len(table) == 8
    assert (table["apart"] < 4).all()
    other = closed_world.run(1, published, worlds=3, items=50)
    assert other["published"].isna().all()


@pytest.mark.parametrize("bias", BIASES)
def test_propensities_are_probabilities_of_the_given_mean(bias):
    world = simulated(**SIZES, **TASTES, seed=3)
    for strength in (0, 1, 3):
        p = world.propensity(bias, strength, 0.3)
        assert p.min() > 0
        assert p.max() <= 1
        assert p.mean() == pytest.approx(0.3, abs=1e-9)
        assert (np.ptp(p) < 1e-12) == (strength == 0)
    p = world.propensity(bias, 1, 0.1)
    same_of_item = np.ptp(p, axis=0).max() < 1e-12
    same_of_user = np.ptp(p, axis=1).max() < 1e-12
    assert (same_of_item, same_of_user) == (bias == "popularity-driven", bias == "item-independent")
    by_rating = [p[world.rating == r].mean() for r in range(1, 6)]
    assert (np.diff(by_rating) > 0).all() == (bias in ("relevance-driven", "mixed"))


def test_ratings_are_observed_as_often_as_their_propensities_say():
    world = simulated(**SIZES, **TASTES, seed=3)
    p = world.propensity("mixed", 1, 0.2)
    draws = [observed(world, p, 1, n) for n in range(400)]
    times = sum((draw != 0).toarray() for draw in draws) / len(draws)
    z = (times - p) / np.sqrt(p * (1 - p) / len(draws) + 1e-12)
    assert abs(z.mean()) < 0.1
    assert z.std() == pytest.approx(1, abs=0.05)
    assert (draws[0].data == world.rating[draws[0].nonzero()]).all()


def test_a_simulated_world_has_its_share_of_liked_items_and_its_own_seed():
    world = simulated(**SIZES, **TASTES, seed=3)
    assert (world.rating >= world.threshold).mean() == pytest.approx(0.2, abs=0.001)
    assert set(np.unique(world.rating)) == {1, 2, 3, 4, 5}
    assert (simulated(**SIZES, **TASTES, seed=3).rating == world.rating).all()
    other = simulated(*SIZES.values(), *TASTES.values(), 3, "another")
    assert (other.rating != world.rating).any()
    with pytest.raises(
        RankassayError, match=r"at most 4,000,000 are allowed: lower users or items"
    ):
        simulated(MOST_CELLS, 2, 1, 0.1, 1)


@pytest.mark.parametrize("dense", [0, 8])  # ranks are sorted, or counted
def test_lists_among_targets_keep_their_order(monkeypatch, dense):
    monkeypatch.setattr(candidates, "DENSE", dense)
    rng = np.random.default_rng(2)
    user = np.repeat(np.arange(4), 12)
    ranks = np.concatenate([rng.permutation(12) + 1 for _ in range(4)]).astype(np.int32)
    ranks[ranks > 10] = 0  # without a score
    target = rng.random(48) < 0.5
    found = lists_among(user, ranks, target, np.array([0, 2, 3]))
    whole = lists_among(user, ranks, target, np.arange(4))
    at = 0
    for u in range(4):
        own = ranks[(user == u) & target]
        scored = sorted(own[own > 0])
        expected = [scored.index(r) + 1 if r else 0 for r in own]
        assert list(whole.ranks[at : at + len(own)]) == expected
        assert (whole.length[u], whole.n_candidates[u]) == (len(scored), len(own))
        at += len(own)
    assert list(found.length) == [whole.length[u] for u in (0, 2, 3)]


def test_samples_of_unrated_items_hold_the_smaller_ones():
    rng = np.random.default_rng(4)
    user, tested = np.repeat([0, 2], [7, 5]), rng.random(12) < 0.3
    places = sample_order(user, rng.random(12), tested)
    assert (places[tested] == 0).all()
    for u in (0, 2):
        own = places[(user == u) & ~tested]
        assert sorted(own) == list(range(1, len(own) + 1))


def test_what_is_observed_wholly_is_the_truth():
    """Where all ratings are observed, test ratings are all that is left: the orders are the same.

    With unrated items there are none to add, so that all candidates are the same, too.
    """
    world = simulated(**SIZES, **TASTES, seed=3)
    everything = {"density": 1 - 1e-12, "strengths": [0]}
    table = worlds.in_worlds({0: world}, 1, EVALUATION, bias="mixed", **HOW | everything)
    assert len(table) == 2 * 2 * 2 * 3
    assert (table["ratings"] == 60 * 50).all()
    # Each metric is its own truth then, and P@10 the one of all.
    at_10 = (table["metric"] == "P") & (table["cutoff"] == 10)
    table = table[(table["yardstick"] == "own") | at_10]
    assert len(table) == 2 * 2 * 3 + 3
    assert (table["tau"] == 1).all()
    assert (table["winner_agrees"] == 1).all()
    assert (table["winner_loss"] == 0).all()
    assert (table["popularity_observed"] == table["popularity_true"]).all()
    half = worlds.in_worlds({0: world}, 1, EVALUATION, bias="mixed", **HOW)
    assert (half["tau"] < 1).any()


@pytest.fixture(scope="module")
def cases():
    """Return what is observed of two worlds of each bias."""
    return {
        bias.replace("-", "_"): worlds.of_bias(
            1, EVALUATION, bias=bias, repetitions=range(2), **SIZES, **HOW
        )
        for bias in BIASES
    }


def test_all_metrics_have_one_truth_by_utility(cases):
    """By their own, they may disagree about who wins."""
    table = pd.concat(cases.values())
    case = ["bias", "strength", "world"]
    for yardstick, same in (("liked", True), ("own", False)):
        own = table[table["yardstick"] == yardstick]
        winners = own.groupby(case)["true_winner"].nunique()
        assert (winners == 1).all() == same
    ranks = table[table["yardstick"] == "liked"].groupby(case)["popularity_true"].nunique()
    assert (ranks == 1).all()


def test_worlds_are_the_same_for_the_same_seed(cases):
    again = worlds.of_bias(1, EVALUATION, bias="mixed", repetitions=range(2), **SIZES, **HOW)
    pd.testing.assert_frame_equal(again, cases["mixed"])
    assert list(again["world"].unique()) == [1, 2]
    assert set(again["candidates"]) == {"all items", "test items + 5", "test items"}


def test_means_over_worlds_have_students_interval(cases):
    found = summary.worlds(1, world_resamples=40, **cases)
    key = {"bias": "mixed", "strength": 1, "yardstick": "liked", "metric": "P", "cutoff": 5}
    key |= {"candidates": "all items"}
    chosen = pd.concat(cases.values())
    for name, value in key.items():
        chosen = chosen[chosen[name] == value]
    row = found.table.loc[(found.table[[*key]] == pd.Series(key)).all(axis=1)].iloc[0]
    mean, error = chosen["tau"].mean(), scipy.stats.sem(chosen["tau"])
    low, high = scipy.stats.t.interval(0.95, 1, mean, error) if error else (mean, mean)
    assert row["tau"] == pytest.approx(mean)
    assert (row["low"], row["high"]) == pytest.approx((max(low, -1), min(high, 1)))
    assert row["gini"] == pytest.approx(chosen["gini"].mean())
    # A resample of two worlds is one of them twice, or both.
    of_row = found.replicates[row.name]
    expected = {round(value, 9) for value in (*chosen["tau"], mean)}
    assert {round(value, 9) for value in of_row} == expected


def test_prediction_is_the_correlation_of_the_criterion_with_validity(cases):
    both = summary.prediction(1, world_resamples=40, **cases).table
    assert both["yardstick"].value_counts().to_dict() == {"liked": 36, "own": 36}
    found = both[both["yardstick"] == "liked"]
    everything = of_yardstick(of_metrics(pd.concat(cases.values())), "liked")
    mixed = everything[everything["bias"] == "mixed"]
    taus = [
        scipy.stats.kendalltau(-own["power"], own["tau"]).statistic
        for _, own in mixed.groupby(["strength", "world"])
    ]
    rows = found[(found["bias"] == "mixed") & (found["criterion"] == "power")]
    among = rows[(rows["among"] == "measures") & rows["strength"].isna()].iloc[0]
    assert among["correlation"] == pytest.approx(np.nanmean(taus))
    taus = [
        scipy.stats.kendalltau(-own["power"], own["tau"]).statistic
        for _, own in mixed.groupby(["metric", "cutoff"])
    ]
    among = rows[rows["among"] == "worlds"].iloc[0]
    assert among["correlation"] == pytest.approx(np.mean(taus))
    known = found.dropna(subset="low")
    assert len(known) > len(found) / 2
    assert known["correlation"].between(known["low"], known["high"]).all()


def test_a_world_without_a_value_counts_for_nothing():
    own = pd.DataFrame({"bias": "a", "world": [1, 2, 3], "correlation": [0.2, np.nan, 0.6]})
    times = summary._times({"a": np.array([[0, 1, 1], [1, 1, 1]])})
    found = summary._resampled(own, "correlation", times)
    np.testing.assert_allclose(found, [0.4, 0.2, np.nan])
    found = summary._resampled(own.assign(correlation=np.nan), "correlation", times)
    np.testing.assert_array_equal(found, [np.nan] * 3)


def test_what_is_told_of_propensities_is_how_often_a_rating_is_tested(monkeypatch):
    """Of the ratings that are not in training; estimators are unbiased with nothing else."""
    world = simulated(**SIZES, **TASTES, seed=3)
    told, tested, left = [], [], []

    def judged(world, propensity, train, test, *others):
        known = worlds.tested_with(propensity)
        unseen = ~(train != 0).toarray()
        told.append(known[unseen].sum())
        tested.append(test.nnz)
        left.append((known * (1 - known))[unseen].sum())
        raise StopIteration

    monkeypatch.setattr(worlds, "judged", judged)
    for k in range(200):
        with pytest.raises(StopIteration):
            worlds.in_worlds(
                {k: world}, 1, EVALUATION, bias="item-independent", **HOW | {"strengths": [1.5]}
            )
    z = (np.sum(tested) - np.sum(told)) / np.sqrt(np.sum(left))
    assert abs(z) < 3


def test_worlds_that_are_alike_have_the_nearest_gini():
    rows = [("a", 0, 0.1), ("a", 1, 0.5), ("a", 2, 0.6), ("b", 0, 0.1), ("b", 1, 0.3)]
    known = pd.DataFrame(rows, columns=["bias", "strength", "gini"]).assign(
        yardstick="liked", metric="P", cutoff=10, candidates="all items", tau=0.5, low=0.4, high=0.6
    )
    known = pd.concat([known, known.assign(yardstick="own", tau=0.9)])
    statistics = pd.DataFrame({"statistic": ["users", "gini"], "value": [9.0, 0.57]})
    found = like(statistics, known)
    assert found[["bias", "strength", "gini", "tau"]].to_numpy().tolist() == [["a", 2, 0.57, 0.5]]
    assert like(statistics.assign(value=[9, 0.95]), known).empty


def test_a_completed_dataset_has_its_own_scale_items_and_users():
    rng = np.random.default_rng(6)
    ratings = np.where(rng.random((40, 30)) < 0.4, rng.integers(1, 11, (40, 30)) / 2, 0)
    ratings[:, 3] = 0  # an item that nobody rated is none of the world's
    matrix = sp.csr_matrix(ratings.astype(np.float32))
    world = completed(matrix, 4, 25, 100, 1)
    assert isinstance(world, World)
    assert world.rating.shape == (25, 29)
    assert set(np.unique(world.rating)) <= set(np.unique(matrix.data))
    assert world.exposure.mean() == pytest.approx(0, abs=1e-12)
    assert world.activity.std() == pytest.approx(1)
    assert (completed(matrix, 4, 25, 100, 1).rating == world.rating).all()


def test_ratings_of_0_are_ratings_of_a_completed_dataset():
    rng = np.random.default_rng(6)
    place = np.nonzero(rng.random((40, 30)) < 0.4)
    rating = rng.integers(0, 3, len(place[0])).astype(np.float32)
    whole = sp.csr_matrix((rating, place), shape=(40, 30))
    tested = rng.random(whole.nnz) < 0.2
    both = [
        sp.csr_matrix((whole.data[part], (whole.tocoo().row[part], whole.indices[part])), (40, 30))
        for part in (~tested, tested)
    ]
    joined = together(*both)
    assert (joined.nnz, joined.shape) == (whole.nnz, whole.shape)
    assert (joined.toarray() == whole.toarray()).all()
    world = completed(joined, 2, 40, 30, 1)
    assert (set(np.unique(world.rating)), world.threshold) == ({1, 2, 3}, 3)


def test_prediction_on_data_is_the_correlation_over_measures():
    rng = np.random.default_rng(9)
    keys = pd.DataFrame({"metric": ["P", "P", "R", "R", "AP"], "cutoff": [5, 10, 5, 10, 5]})
    robust, power, tau = rng.random((3, 5))
    shares = pd.concat(
        [keys.assign(percentage=p, tau=t) for p, t in ((100, 1.0), (90, robust), (80, robust / 2))]
    )
    both = [
        keys.assign(candidates=name, tau=t) for name, t in (("test items", 0), ("all items", tau))
    ]
    found = summary.prediction_on_data(shares, keys.assign(dp=power), pd.concat(both))
    expected = [scipy.stats.kendalltau(x, tau).statistic for x in (robust, -power)]
    assert found["correlation"].tolist() == pytest.approx(expected)
    assert found["measures"].tolist() == [5, 5]
    one = summary.prediction_on_data(shares, keys.assign(dp=power), both[1].iloc[:1])
    assert one["correlation"].isna().all()


def test_one_world_of_a_bias_tells_no_interval(cases):
    """All resamples of one world are the same; their interval would be a point."""
    one = {bias: table[table["world"] == 1] for bias, table in cases.items()}
    found = summary.prediction(1, world_resamples=40, **one).table
    assert found["correlation"].notna().any()
    assert found[["low", "high"]].isna().all(axis=None)
    assert not summary.worlds(1, world_resamples=40, **one).replicates.size


def test_a_measure_that_is_equal_in_all_worlds_does_not_hide_the_others(cases):
    """It has no correlation over worlds; the mean is of those that have one, and counts them."""
    of_p = {bias: table[table["metric"] == "P"] for bias, table in cases.items()}
    even = {b: t.assign(tau=t["tau"].where(t["metric"] == "P", 0.5)) for b, t in cases.items()}
    first, second = (
        found[(found["among"] == "worlds") & (found["bias"] == "all")]
        for found in (summary.prediction(1, world_resamples=0, **of).table for of in (of_p, even))
    )
    assert first["correlation"].notna().all()
    pd.testing.assert_frame_equal(first, second)


def test_worlds_of_which_too_little_is_observed_are_told_by_their_own_settings():
    how = HOW | {"density": 0.0001}
    with pytest.raises(RankassayError, match=r"and ratings to test.*raise density, or items"):
        worlds.of_bias(1, EVALUATION, bias="mixed", repetitions=range(1), **SIZES, **how)


def test_the_table_of_worlds_says_what_their_lists_are_of(cases):
    some = {b: t[t["candidates"] != "all items"] for b, t in cases.items()}
    for chosen, expected in ((cases, "all items"), (some, "test items + 5")):
        drawn = tables.worlds(summary.worlds(1, world_resamples=0, **chosen).table, 5)
        assert drawn.note.startswith(f"Lists are of {expected}. Gini")


def test_estimators_alone_are_refused():
    with pytest.raises(ValueError, match="expected a metric that needs no propensities"):
        Section(metrics=["IPS", "SNIPS"])
    assert Section(metrics=["IPS", "P"]).metrics == ["IPS", "P"]
