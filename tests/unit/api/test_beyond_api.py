"""Metrics beyond accuracy from frames, dicts and matrices."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from beyond_values import means

import rankassay
from rankassay.errors import RankassayError
from rankassay.metrics.beyond.lists import Catalogue, Groups, Shown
from rankassay.metrics.diversity.lists import Aspects

METRICS = ["Coverage", "Gini", "ARP", "EPC", "ILD", "Calibration", "Serendipity", "EE_L", "AWRF"]
METRICS += ["UserGroups", "ItemGroups(compared='ratio')", "UserCoverage"]


@pytest.fixture(scope="module")
def world():
    """Return matrices of ratings, lists of items, aspects and groups, all by number."""
    rng = np.random.default_rng(2)
    train = rng.integers(1, 6, (20, 12)) * (rng.random((20, 12)) < 0.4)
    train[np.arange(20), np.arange(20) % 12] = 3
    test = rng.integers(1, 6, train.shape) * ((train == 0) & (rng.random(train.shape) < 0.4))
    test[:, 11] = np.where(train[:, 11] == 0, 5, 0)
    lists = np.array([rng.permutation(12)[:6] for _ in range(20)])
    shown = rng.random((12, 3)) < 0.5
    shown[0] = True
    return train, test, lists, shown, np.arange(12) % 2, np.arange(20) % 3


def named(matrix):
    return {
        f"u{u}": {f"i{i}": int(row[i]) for i in np.flatnonzero(row)}
        for u, row in enumerate(matrix)
        if row.any()
    }


@pytest.mark.slow
def test_it_is_what_the_metrics_are_for_matrices(world):
    train, test, lists, shown, of_item, of_user = world
    users = np.flatnonzero(test.any(axis=1))
    catalogue = Catalogue(
        sp.csr_matrix(train),
        Aspects.of(shown),
        Groups(("0", "1"), of_item.astype(np.int32)),
        Groups(("0", "1", "2"), of_user.astype(np.int32)),
    )
    whole = Shown.of(lists[users].astype(np.int32), users, sp.csr_matrix(test), 4, catalogue)
    found = rankassay.beyond(
        {f"u{u}": [f"i{i}" for i in row] for u, row in enumerate(lists)},
        named(train),
        [f"{metric}@4" for metric in METRICS],
        qrels=named(test),
        aspects={f"i{i}": [f"a{a}" for a in np.flatnonzero(row)] for i, row in enumerate(shown)},
        item_groups={f"i{i}": group for i, group in enumerate(of_item)},
        user_groups=pd.Series(of_user, [f"u{u}" for u in range(20)]),
        not_candidates="keep",
    )
    expected = [means(whole, metric, [4])[0] for metric in METRICS]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert [*found.index] == [f"{metric}@4" for metric in METRICS]


def test_scores_and_forms_do_not_matter(world):
    train, _, lists, *_ = world
    scores = {
        f"u{u}": {f"i{i}": 1 / (1 + k) for k, i in enumerate(row)} for u, row in enumerate(lists)
    }
    listed = {user: [*own] for user, own in scores.items()}
    frame = pd.DataFrame(
        [(u, i, s) for u, own in scores.items() for i, s in own.items()],
        columns=["user", "item", "score"],
    ).sample(frac=1, random_state=1)
    asked = ["Gini@3", "EFD@3", "Coverage@1"]
    given = {"train": named(train), "metrics": asked, "not_candidates": "keep"}
    first, *others = (rankassay.beyond(run, **given) for run in (scores, listed, frame))
    for other in others:
        pd.testing.assert_series_equal(first, other)
    together = rankassay.beyond({"mine": scores, "theirs": listed}, **given)
    assert together.loc["mine"].tolist() == together.loc["theirs"].tolist() == first.tolist()
    assert together.index.name == "run"


def test_intervals_hold_the_value_and_depend_on_the_seed(world):
    train, _, lists, *_ = world
    given = {"train": sp.csr_matrix(train), "metrics": "Gini@3", "confidence": 0.9}
    given["not_candidates"] = "keep"
    found = rankassay.beyond(lists, **given, seed=1)
    (row,) = found.itertuples()
    assert row.low < row.value < row.high
    other = rankassay.beyond(lists, **given, seed=2)
    assert other.loc["Gini@3", "value"] == row.value
    assert other.loc["Gini@3", "low"] != row.low
    several = rankassay.beyond({"a": lists}, **given, seed=1)
    assert several.loc[("a", "Gini@3")].tolist() == [*row][1:]


def test_no_interval_of_a_difference_goes_below_0():
    """Two groups of users with nearly the same quality: resamples centred on it go below."""
    rng = np.random.default_rng(4)
    users = [f"u{u}" for u in range(30)]
    qrels = {user: {"a": 5} for user in users}
    run = {user: [*rng.permutation(["a", "b", "c"])] for user in users}
    groups = {user: k % 2 for k, user in enumerate(users)}
    found = rankassay.beyond(
        run, qrels, "UserGroups@3", qrels=qrels, user_groups=groups, confidence=0.95
    )
    assert found.loc["UserGroups@3", "low"] == 0
    assert 0 < found.loc["UserGroups@3", "value"] < found.loc["UserGroups@3", "high"]


def test_no_interval_of_a_share_goes_above_1():
    """Nearly all items are shown: resampled users show fewer, and centred on it they go above."""
    rng = np.random.default_rng(0)
    items = [f"i{i}" for i in range(60)]
    train = {f"u{u}": {item: 4 for item in items[u::20]} for u in range(20)}
    run = {user: [*rng.choice(items[1:], 10, replace=False)] for user in train}
    names = ["Coverage@10", "coverage(of='trained')@10", "Entropy(base=None)@10", "Entropy@10"]
    found = rankassay.beyond(run, train, names, confidence=0.95, not_candidates="keep")
    assert (found["high"] <= [1, 1, 1, np.inf]).all()
    assert found["high"].iloc[0] == 1
    assert found["high"].iloc[3] > 1


TRAIN = {"ann": {"film": 5, "book": 3}, "bob": {"film": 4}}
RUN = {"ann": ["game"], "bob": ["book", "game"]}
QRELS = {"ann": {"game": 5}}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"metrics": ["Covrage@10"]}, "did you mean 'Coverage'"),
        ({"metrics": ["nDCG@10"]}, "the metric beyond accuracy 'nDCG' is not one of Coverage"),
        ({"metrics": ["Gini"]}, "needs a cut-off, as in Gini@10"),
        ({"metrics": ["Gini@0"]}, "must be at least 1"),
        ({"metrics": ["ILD@5"]}, "expected the aspects of the items"),
        ({"metrics": ["AWRF@5"]}, "expected an attribute of the items"),
        ({"metrics": ["UserGroups@5"], "qrels": QRELS}, "expected an attribute of the users"),
        ({"metrics": ["Serendipity@5"]}, "qrels: expected judgements, which Serendipity@5 reads"),
        ({"metrics": ["EE_R@5"]}, "qrels: expected judgements"),
        ({"metrics": ["EPC(relevant_only=True)@5"]}, "qrels: expected judgements"),
        ({"metrics": ["ItemGroups(per='relevant')@5"]}, "qrels: expected judgements"),
        ({"run": {}}, "the run: expected the list of some user, found none"),
        ({"train": {}}, "the training ratings: expected rows with ratings, found none"),
        ({"train": {1: {2: 3}}}, "expected user or item ids of one type"),
        ({"aspects": {"film": "drama"}}, "expected a dict"),
        ({"aspects": {"opera": ["drama"]}}, "aspects: expected ids like"),
        ({"aspects": {"film": [["drama"]]}}, "expected names of aspects, .* for 'film'"),
        ({"aspects": {"film": [float("nan")]}}, "expected names of aspects, .* for 'film'"),
        ({"aspects": {"film": [pd.NA]}}, "expected names of aspects, .* for 'film'"),
        ({"item_groups": {"film": "new", "opera": "old"}}, "two or more to compare, found new"),
        ({"item_groups": {"film": "new"}}, "expected two or more to compare, found new"),
        ({"user_groups": {"zoe": "x", "tim": "y"}}, "user_groups: expected ids like 'ann'"),
        ({"user_groups": 3}, "expected a Series or a dict"),
        ({"ties": "random"}, "order of ties"),
        ({"confidence": 2}, "confidence"),
    ],
)
def test_mistakes_are_named(change, words):
    given = {"run": RUN, "train": TRAIN, "metrics": ["Coverage@2"]} | change
    with pytest.raises(RankassayError, match=words):
        rankassay.beyond(**given)


def test_an_item_that_is_listed_twice_is_refused():
    with pytest.raises(RankassayError, match="stands there twice"):
        rankassay.beyond({"ann": ["game", "game"]}, TRAIN, "Coverage@2")


def test_users_without_a_list_count_where_they_have_judgements():
    found = rankassay.beyond(
        {"ann": ["game"]}, TRAIN, ["UserCoverage@1"], qrels={"ann": {"game": 5}, "bob": {"book": 4}}
    )
    assert found["UserCoverage@1"] == 0.5
    assert rankassay.beyond({"ann": ["game"]}, TRAIN, "UserCoverage@1")["UserCoverage@1"] == 1


def test_items_and_users_without_an_attribute_have_no_group():
    """And groups of one count as others do."""
    train = {"ann": {"film": 5, "book": 3, "song": 1}, "bob": {"film": 4}}
    qrels = {"ann": {"game": 5}, "bob": {"song": 5}, "eve": {"film": 5}}
    run = {"ann": ["game", "song"], "bob": ["song", "book"], "eve": ["game", "book"]}
    given = {"item_groups": {"song": "new", "film": "old"}, "user_groups": {"ann": 1, "bob": 2}}
    names = ["AWRF(target='equal')@2", "ItemGroups@2", "UserGroups(metric='P')@2"]
    found = rankassay.beyond(run, train, names, qrels=qrels, not_candidates="keep", **given)
    # ann and bob are shown the song alone of the items with a group, and eve none of them.
    exposure = (1 / np.log2(3) + 1) / 3
    assert found.tolist() == pytest.approx([0.5, exposure, 0.0])


def test_an_aspect_without_items_changes_nothing():
    aspects = {"film": ["drama"], "book": ["drama", "crime"], "game": []}
    names = ["ILD@2", "Calibration@2"]
    found = rankassay.beyond(RUN, TRAIN, names, aspects=aspects)
    # An aspect that only an item outside of the catalogue has.
    more = rankassay.beyond(RUN, TRAIN, names, aspects=aspects | {"opera": ["music"]})
    assert found.tolist() == more.tolist()
    with pytest.raises(RankassayError, match="expected the aspects of the items"):
        rankassay.beyond(RUN, TRAIN, names, aspects={"film": [], "book": []})


def test_empty_lists_have_the_values_that_metrics_say():
    run = {"ann": [], "bob": ["book"]}
    qrels = {"ann": {"book": 5}, "bob": {"book": 5}}
    found = rankassay.beyond(run, TRAIN, ["ARP@2", "EPC@2", "UserCoverage@2"], qrels=qrels)
    # ann has no list: no popularity, and no novelty.
    assert found.tolist() == [1.0, 0.25, 0.5]
    nobody = rankassay.beyond({"ann": []}, TRAIN, ["ARP@2", "Gini@2", "EPC@2"], qrels=qrels)
    assert np.isnan(nobody[["ARP@2", "Gini@2"]]).all()
    assert nobody["EPC@2"] == 0


def test_a_group_of_unknown_items_alone_changes_nothing():
    groups = {"film": "new", "book": "old"}
    name = "AWRF(target='equal')@2"
    found = rankassay.beyond(RUN, TRAIN, name, item_groups=groups)
    more = rankassay.beyond(RUN, TRAIN, name, item_groups=groups | {"opera": "older"})
    assert found[name] == 0.5
    assert more[name] == found[name]


def test_aspects_may_be_read_once():
    once = rankassay.beyond(RUN, TRAIN, "ILD@2", aspects={"book": iter(["a"]), "game": iter("ab")})
    assert once["ILD@2"] == pytest.approx((1 - np.sqrt(0.5)) / 2)
