"""Runs of other libraries become systems: the same lists, the same values, and clear errors."""

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
import scipy.sparse as sp

from rankassay.config.systems import run_files
from rankassay.data import synthetic
from rankassay.data.parts import split
from rankassay.data.runs import rankings_of
from rankassay.data.tables import read_run
from rankassay.data.trec import lists, write_run
from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import evaluate, grid
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.recommenders.baselines import Popularity, Random
from rankassay.recommenders.rank import rank

DEPTH = 20
# What a list alone decides: AUC looks below its end.
METRICS = ["P", "R", "AP", "nDCG", "RR", "Bpref", "infAP", "F1", "MCC", "LAUC", "ERR", "RBP"]
SMALL = sp.csr_matrix(np.array([[5, 0, 0, 0], [0, 4, 0, 0], [3, 0, 0, 0]], dtype=np.float32))
SMALL_TEST = sp.csr_matrix(np.array([[0, 5, 0, 2], [4, 0, 0, 0], [0, 0, 0, 0]], dtype=np.float32))
IDS = ["ann", "bob", "eve"], ["w", "x", "y", "z"]


@pytest.fixture(scope="module")
def data():
    """Return training and test ratings, and the dataset's ids."""
    ratings = synthetic.generate(users=50, items=60, ratings=1000, gini=0.4, seed=3)
    train, test = split(ratings.matrix, 0.2, "floor", seed=1)
    return train, test, (ratings.user_ids.tolist(), ratings.item_ids.tolist())


def values(rankings, test, metrics=METRICS, profile="paper"):
    judgements = Judgements.of(test, 4)
    measures = grid(metrics, [3, 10, DEPTH])
    return evaluate(judgements, [Lists.of(rankings, judgements)], measures, profile, DEPTH)


@pytest.mark.parametrize("candidates", ["test_items", "all_items"])
@pytest.mark.parametrize("model", [Popularity(), Random()], ids=lambda model: type(model).__name__)
def test_exported_lists_come_back_as_they_were(data, model, candidates, tmp_path):
    train, test, ids = data
    before = rank(model.fit(train, 1), train, test, DEPTH, candidates)
    frame = lists(before, *(np.array(own, dtype=object) for own in ids))
    write_run(frame, tmp_path / "mine.run", "mine")
    run = read_run(tmp_path / "mine.run").sample(frac=1, random_state=1)
    after = rankings_of(run, ids, train, test, DEPTH, candidates)
    np.testing.assert_array_equal(after.items, before.items)
    np.testing.assert_array_equal(after.ranks, np.where(before.ranks > DEPTH, 0, before.ranks))
    judged = np.diff(test.indptr) > 0
    np.testing.assert_array_equal(after.n_candidates[judged], before.n_candidates[judged])
    np.testing.assert_array_equal(values(after, test), values(before, test))


def test_no_fewer_items_could_be_listed_than_are_known():
    """Ann's list has three items, and she judged one more; AUC would be of other lists."""
    run = pd.DataFrame({"user": ["ann"] * 3 + ["bob"], "item": ["x", "w", "y", "w"]})
    run = run.assign(score=[3.0, 2.0, 1.0, 1.0])
    none = sp.csr_matrix(SMALL_TEST.shape, dtype=np.float32)
    given = (run, IDS, none, SMALL_TEST, 2)
    found = rankings_of(*given, candidates=None, n_items=4)
    assert found.n_candidates.tolist() == [4, 4, 4]
    with pytest.raises(
        RankassayError, match="user 'ann' has 4 items listed or judged, but 3 could"
    ):
        rankings_of(*given, candidates=None, n_items=3)


@pytest.mark.parametrize("choice", ["error", "drop", "keep"])
def test_an_item_that_stands_twice_in_a_list_is_refused_with_its_row(choice):
    """Tables and JSON lines may have it; of TREC files the reader refuses it."""
    run = pd.DataFrame({"user": ["ann", "bob", "ann"], "item": ["x", "x", "x"]})
    run = run.assign(score=[3.0, 2.0, 1.0])
    none = sp.csr_matrix(SMALL_TEST.shape, dtype=np.float32)
    given = (IDS, none, SMALL_TEST, 2)
    with pytest.raises(RankassayError, match=r"row 2: user 'ann', item 'x' stands there already"):
        rankings_of(run, *given, candidates=None, not_candidates=choice)
    assert rankings_of(run[:2], *given, candidates=None).n_ranked[:2].tolist() == [1, 1]


def test_values_are_those_of_trec_eval_for_the_same_lists(data):
    train, test, ids = data
    rng = np.random.default_rng(5)
    rows = []
    for user in ids[0][3:]:  # the first three have no list
        own = rng.choice(ids[1], rng.integers(1, 2 * DEPTH), replace=False)
        rows += [(user, item, float(rng.integers(0, 6))) for item in own]  # with many ties
    run = pd.DataFrame(rows, columns=["user", "item", "score"])
    rankings = rankings_of(run, ids, train, test, DEPTH, not_candidates="keep")
    theirs = {
        user: dict(zip(own["item"], own["score"], strict=True)) for user, own in run.groupby("user")
    }
    coo = test.tocoo()
    qrels = {user: {} for user in ids[0]}
    for u, i, rating in zip(coo.row, coo.col, coo.data, strict=True):
        qrels[ids[0][u]][ids[1][i]] = int(rating)
    names = {"P": "P_{}", "R": "recall_{}", "AP": "map_cut_{}", "nDCG": "ndcg_cut_{}"}
    asked = {f"{name.rpartition('_')[0]}.3,10,{DEPTH}" for name in names.values()}
    # relevance_level says what is relevant; gains are the ratings in both.
    found = pytrec_eval.RelevanceEvaluator(qrels, asked, relevance_level=4).evaluate(theirs)
    ours = values(rankings, test, [*names], "trec")[:, 0]
    users = Judgements.of(test, 4).users
    for row, u in enumerate(users):
        expected = [
            found.get(ids[0][u], {}).get(name.format(cutoff), 0.0)
            for name in names.values()
            for cutoff in (3, 10, DEPTH)
        ]
        np.testing.assert_allclose(ours[row], expected, atol=1e-12)
    assert sum(ids[0][u] in found for u in users) > 40


def small(*lines):
    return pd.DataFrame(lines, columns=["user", "item", "score"]).assign(score=lambda t: -t.index)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (("tom", "x", 0), "row 1: the dataset has no user 'tom'; write its own ids"),
        (("ann", "q", 0), "row 1: the dataset has no item 'q'; leave such items out of the lists"),
        (("ann", "w", 0), "row 1: user 'ann' rated item 'w' in training, so it must not be"),
        (("ann", "y", 0), "row 1: item 'y' is not a candidate, as nobody rated it in the test set"),
        (("ann", "y", 0), r"in the test set \(set candidates: all_items, if your lists are of all"),
    ],
)
def test_what_no_recommender_could_list_is_an_error_dropped_or_kept(line, message):
    run = small(("ann", "z", 0), line, ("ann", "x", 0), ("eve", "y", 0))
    with pytest.raises(RankassayError, match=message):
        rankings_of(run, IDS, SMALL, SMALL_TEST, 3)
    dropped = rankings_of(run, IDS, SMALL, SMALL_TEST, 3, not_candidates="drop")
    assert dropped.items[0].tolist() == [3, 1, -1]
    assert dropped.ranks.tolist() == [2, 1, 0]
    kept = rankings_of(run, IDS, SMALL, SMALL_TEST, 3, not_candidates="keep")
    strange = {"tom": None, "q": 4, "w": 0, "y": 2}[line[0] if line[0] == "tom" else line[1]]
    assert kept.items[0].tolist() == ([3, 1, -1] if strange is None else [3, strange, 1])
    assert (kept.n_candidates >= kept.n_ranked).all()


def test_without_training_ratings_any_item_may_be_listed():
    none = sp.csr_matrix(SMALL.shape, dtype=np.float32)
    run = small(("ann", "q", 0), ("ann", "x", 0), ("ann", "r", 0), ("tom", "x", 0), ("bob", "w", 0))
    found = rankings_of(run, IDS, none, SMALL_TEST, 2, candidates=None)
    assert found.items.tolist() == [[4, 1], [0, -1], [-1, -1]]
    assert found.ranks.tolist() == [2, 0, 1]
    assert found.n_ranked.tolist() == [3, 1, 0]
    assert found.n_candidates is None
    counted = rankings_of(run, IDS, none, SMALL_TEST, 2, candidates=None, n_items=100)
    assert counted.n_candidates.tolist() == [100] * 3
    for wrong, kind in ((run.assign(user="nobody"), "user"), (run.assign(item="none"), "item")):
        with pytest.raises(
            RankassayError, match=f"the run: no {kind} of it is one with test ratings"
        ):
            rankings_of(wrong, IDS, none, SMALL_TEST, 2, candidates=None)
    with pytest.raises(RankassayError, match=r"the run: expected lists of .* found no rows"):
        rankings_of(run[:0], IDS, none, SMALL_TEST, 2, candidates=None)


@pytest.mark.parametrize(("ties", "first"), [("trec", "z"), ("item", "x"), ("input", "y")])
def test_of_equal_scores_the_first_is_as_configured(ties, first):
    run = small(("ann", "y", 0), ("ann", "x", 0), ("ann", "z", 0)).assign(score=1.0)
    found = rankings_of(run, IDS, SMALL, SMALL_TEST, 3, None, ties)
    assert IDS[1][found.items[0, 0]] == first


def test_the_smaller_id_of_equal_scores_is_the_smaller_number():
    """As in `rankassay.evaluate`; the ids of files are text."""
    run = small(("ann", "10", 0), ("ann", "9", 0), ("ann", "y", 0)).assign(score=1.0)
    ids = IDS[0], ["w", "10", "y", "9"]
    found = rankings_of(run, ids, SMALL, SMALL_TEST, 3, None, "item")
    assert [ids[1][item] for item in found.items[0]] == ["9", "10", "y"]


def test_runs_are_found_by_their_pattern(tmp_path):
    for name in ("b.run", "a.k=3.run", "b.run.gz", "notes.txt", "c.run", "-x.run", "é.run"):
        (tmp_path / "ml").mkdir(exist_ok=True)
        (tmp_path / "ml" / name).write_text("")
    pattern = f"{tmp_path}/{{dataset}}/"
    assert [*run_files([f"{pattern}c.run", f"{pattern}*.txt"], "ml")] == ["c", "notes"]
    assert run_files(None, "ml") == {}
    for end, message in (
        ("*.trec", "expected files that fit .*ml/\\*.trec', found none"),
        ("a*.run", "names its system 'a.k=3'; expected a letter from A to Z, small or capital, or"),
        ("-*.run", "names its system '-x'; expected .* or a digit first, and then such letters, d"),
        ("é.run", "names its system 'é'; expected a letter from A to Z, small or capital,"),
        ("b.run*", "name the same system, 'b'; rename"),
    ):
        with pytest.raises(RankassayError, match=f"config: systems.runs: .*{message}"):
            run_files(pattern + end, "ml")
