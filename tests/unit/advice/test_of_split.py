"""What advice is given on in a run of the workflow, against the studies that read the same."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp
from made_up import DEPTH, evaluation, study

from rankassay.advice.exclusion import exclusions
from rankassay.advice.given import Settings
from rankassay.advice.of_split import NO_TRUTH, given_of
from rankassay.artifacts.arrays import Truth
from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.recommenders.rank import rank
from rankassay.studies.validity import agreement

MEASURES = ["P@5", "P@10", "nDCG@10", "AP@20"]


@pytest.fixture(scope="module")
def data():
    """Return train, test and rankings of a synthetic study."""
    return study(n_systems=7)


@pytest.fixture(scope="module")
def judged(data):
    """Return judgements of random items by the users of the even rows, which agree with nobody."""
    rng = np.random.default_rng(11)
    chosen = rng.random(data[0].shape) < 0.4
    chosen[1::2] = False
    stars = rng.integers(1, 6, chosen.shape)
    return sp.csr_matrix(np.where(chosen, stars, 0).astype(np.float32))


def test_lists_end_where_they_are_listed_and_evaluate_as_the_rankings_do(data):
    train, test, rankings = data
    given, truth = given_of(test, rankings, 4, train)
    assert truth is None
    assert given.depth == DEPTH
    assert max(own.ranks.max() for own in given.systems.values()) == DEPTH
    judgements = Judgements.of(test, 4)
    whole = [Lists.of(ranking, judgements) for ranking in rankings.values()]
    own = [*given.systems.values()]
    np.testing.assert_array_equal(
        evaluate(given.judgements, own, MEASURES, depth=DEPTH),
        evaluate(judgements, whole, MEASURES, depth=DEPTH),
    )
    np.testing.assert_array_equal(given.popularity, np.diff(train.tocsc().indptr))
    assert given.train["ratings"] == train.nnz


def test_weights_follow_from_what_is_known(data):
    train, test, rankings = data
    given, _ = given_of(test, rankings, 4, train)
    counts = given.popularity
    expected = [(counts[i] + 1) / (counts.max() + 1) for i in test.indices]
    assert (given.weights, given.judgements.propensity.tolist()) == ("popularity", expected)
    known = test.copy()
    known.data[:] = 0.25
    given, _ = given_of(test, rankings, 4, train, known)
    assert (given.weights, {*given.judgements.propensity}) == ("given", {0.25})
    given, _ = given_of(test, rankings, 4)
    assert (given.weights, given.judgements.propensity, given.train) == ("none", None, {})


def test_reference_systems_rank_what_the_systems_could_have_ranked(data):
    train, test, rankings = data
    few = dict([*rankings.items()][:3])
    given, _ = given_of(test, few, 4, train, seed=5)
    assert len(given.references) >= 3
    again = given_of(test, few, 4, train, seed=5)[0].references
    for name, own in given.references.items():
        np.testing.assert_array_equal(own.ranks, again[name].ranks)
        assert own.length.max() <= DEPTH
    of_test = given_of(test, few, 4, train, candidates="test_items", seed=5)[0].references
    name = "reference: Popularity"
    popular = SimpleNamespace(
        score=lambda users: np.tile(given.popularity.astype(float), (len(users), 1))
    )
    ranks = rank(popular, train, test, DEPTH, "test_items").ranks
    np.testing.assert_array_equal(of_test[name].ranks, np.where(ranks > DEPTH, 0, ranks))
    assert given_of(test, few, 4)[0].references == {}


@pytest.mark.slow
@pytest.mark.parametrize("flags", [False, True])
def test_measures_agree_with_a_truth_as_in_the_study_of_validity(data, judged, flags):
    train, test, rankings = data
    known = np.random.default_rng(3).random(judged.nnz) < 0.5 if flags else None
    truth = Truth.of(judged, known=known, scale=(1, 5))
    given, true = given_of(test, rankings, 4, train, truth=truth)
    yardsticks = ["liked", "new"][: 1 + flags]
    table = agreement.run(
        *(train, test, truth, rankings),
        SimpleNamespace(item_ids=np.arange(test.shape[1])),
        sp.csr_matrix((np.full(test.nnz, 0.5), test.indices, test.indptr), test.shape),
        evaluation(MEASURES) | {"recommenders": {}},
        seed=3,
        yardstick_cutoffs=[10],
        estimators=["HT"],
        inclusion="design",
        resamples=0,
    ).table
    table = table[~table["metric"].isin(agreement.UNBIASED) & (table["utility"] == "P")]
    table = table[(table["estimator"] == "HT") & (table["candidates"] == "all items")]
    settings = Settings(without_relevant=None, resamples=40)
    measures = exclusions(given, MEASURES, settings, true).measures
    for yardstick in yardsticks:
        rows = table[table["yardstick"] == yardstick]
        names = [f"{m}@{k}" for m, k in zip(rows["metric"], rows["cutoff"], strict=True)]
        found = measures.loc[names, f"truth_{yardstick}"].to_numpy(float)
        np.testing.assert_allclose(found, rows["tau"], atol=1e-12)
    assert measures["truth_new"].isna().all() == (not flags)


def test_what_is_in_the_truth_is_not_observed(data, judged):
    train, test, rankings = data
    whole = judged.tolil()
    whole[4] = test[4]  # all that this user has
    judged = sp.csr_matrix(whole)
    given, true = given_of(test, rankings, 4, train, truth=Truth.of(judged, scale=(1, 5)))
    assert 4 not in given.judgements.users
    pairs = {*zip(*judged.nonzero(), strict=True)}
    tested = [*zip(*test.nonzero(), strict=True)]
    left = [pair for pair in tested if pair not in pairs]
    users = given.judgements.users[given.judgements.row]
    assert [*zip(users, given.item, strict=True)] == left
    assert len(left) < len(tested)
    # Each of its users is the same one there, as far as there is one.
    rows = true.sample.users[true.sample.row]
    observed = rows < given.judgements.n_users
    known = given.judgements.users[rows[observed]]
    items = true.sample.item[observed]
    assert {*zip(known.tolist(), items.tolist(), strict=True)} <= {
        (int(u), int(i)) for u, i in pairs
    }
    assert len({*true.sample.users}) == len(true.sample.users)


def test_a_truth_that_holds_the_test_ratings_is_not_used_and_it_is_said(data, judged):
    train, test, rankings = data
    shared = replace(Truth.of(judged, scale=(1, 5)), design=np.array("as-published"))
    given, true = given_of(test, rankings, 4, train, truth=shared)
    assert true is None
    assert given.notes == (NO_TRUTH,)
    assert len(given.item) == test.nnz


def test_a_truth_without_a_liked_item_is_an_error(data, judged):
    train, test, rankings = data
    low = judged.copy()
    low.data[:] = 1
    with pytest.raises(RankassayError, match="expected judgements of at least 4"):
        given_of(test, rankings, 4, train, truth=Truth.of(low, scale=(1, 5)))
