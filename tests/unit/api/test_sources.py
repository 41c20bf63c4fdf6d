"""Every form of judgements and runs says the same."""

import doctest
import gzip
import importlib
import re
import sys

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import rankassay
from rankassay import RankassayError
from rankassay.data import sources, tables
from rankassay.data.trec import write_qrels, write_run

METRICS = ["P@3", "nDCG@5", "AP@5"]
TREC = {"P_3", "ndcg_cut_5", "map_cut_5"}


@pytest.fixture(scope="module")
def matrices():
    """Return ratings and scores of 20 users and 15 items, no two scores alike, as dense arrays."""
    rng = np.random.default_rng(3)
    ratings = rng.integers(1, 6, (20, 15)) * (rng.random((20, 15)) < 0.4)
    ratings[:, 0] = 3  # nobody is without judgements
    scores = rng.permutation(300).reshape(20, 15) * (rng.random((20, 15)) < 0.7)
    return ratings, scores


def frame(dense, value):
    user, item = np.nonzero(dense)
    return pd.DataFrame({"user": user, "item": item, value: dense[user, item].astype(float)})


def nested(dense):
    return {u: {int(i): float(own[i]) for i in np.flatnonzero(own)} for u, own in enumerate(dense)}


def lists(scores, k):
    """Return the k best items of each user, and -1 where there are no more."""
    order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return np.where(np.take_along_axis(scores, order, axis=1) > 0, order, -1)


@pytest.fixture(scope="module")
def expected(matrices):
    """Return what pytrec_eval says of them."""
    ratings, scores = (
        {str(u): {str(i): v for i, v in own.items()} for u, own in nested(m).items()}
        for m in matrices
    )
    qrels = {u: {i: int(r) for i, r in own.items()} for u, own in ratings.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, TREC, relevance_level=4)
    found = evaluator.evaluate({u: own for u, own in scores.items() if own})
    names = ("P_3", "ndcg_cut_5", "map_cut_5")
    return [sum(v[name] for v in found.values()) / len(qrels) for name in names]


RUNS = {
    "frame": lambda dense: frame(dense, "score"),
    "dict": nested,
    "frame of categories": lambda dense: frame(dense, "score").astype({"item": "category"}),
    "frame of another machine's": lambda dense: frame(dense, "score").astype(">f8"),
    "triples": lambda dense: [*frame(dense, "score").itertuples(index=False, name=None)],
    "generator of triples": lambda dense: (t for t in RUNS["triples"](dense)),
    "lists for tuples": lambda dense: [[*each] for each in RUNS["triples"](dense)],
    "series": lambda dense: frame(dense, "score").set_index(["user", "item"])["score"],
    "series of dicts": lambda dense: pd.Series(nested(dense)),
    "pairs": lambda dense: {u: [*own.items()] for u, own in nested(dense).items()},
    "lists as pairs": lambda dense: {u: [*map(list, o.items())] for u, o in nested(dense).items()},
    "csr": lambda dense: sp.csr_matrix(dense),
    "coo array": lambda dense: sp.coo_array(dense),
    "csc": lambda dense: sp.csc_array(dense),
    "dia": lambda dense: sp.dia_array(dense),
    "bsr": lambda dense: sp.bsr_array(dense, blocksize=(4, 5)),
    "dok": lambda dense: sp.dok_array(dense),
    "lil": lambda dense: sp.lil_array(dense),
    "csr with room": lambda dense: with_room(sp.csr_array(dense)),
}
QRELS = {name: form for name, form in RUNS.items() if name != "frame"}
# Items, best first, with -1 in places without one; the table of all forms that lists have.
LISTS = {
    "array": lambda items: items,
    "array of floats": lambda items: items.astype(float),
    "array of single precision": lambda items: items.astype(np.float32),
    "array of another machine's": lambda items: items.astype(">i4"),
    "array of int8": lambda items: items.astype(np.int8),
    "array of objects": lambda items: items.astype(object),
    "array of numpy's objects": lambda items: np.array([[*map(np.int64, u)] for u in items], "O"),
    "matrix": lambda items: items.view(np.matrix),
    "dict of arrays": lambda items: dict(enumerate(items)),
    "dict of arrays of floats": lambda items: dict(enumerate(items.astype(np.float32))),
    "dict of arrays of objects": lambda items: dict(enumerate(items.astype(object))),
    "dict of lists": lambda items: dict(enumerate(items.tolist())),
    "dict of tuples": lambda items: dict(enumerate(map(tuple, items.tolist()))),
    "dict of lists of numpy's": lambda items: dict(enumerate(map(list, items))),
    "dict of lists of floats": lambda items: dict(enumerate(items.astype(float).tolist())),
    "dict of mixed lists": lambda items: {u: [*map(mixed, own)] for u, own in enumerate(items)},
    "series of lists": lambda items: pd.Series(items.tolist()),
    "short lists": lambda items: {u: [i for i in own if i >= 0] for u, own in enumerate(items)},
    "ranks": lambda items: ranked(items),
}


def with_room(matrix):
    """Return a matrix whose arrays are longer than what is stored."""
    matrix.indices, matrix.data = (np.append(own, [7, 7]) for own in (matrix.indices, matrix.data))
    return matrix


def mixed(item):
    return (int, float, np.float32, np.int16)[abs(item) % 4](item)


def ranked(items):
    user, place = np.nonzero(items >= 0)
    return pd.DataFrame({"user": user, "item": items[user, place], "rank": place})


@pytest.mark.parametrize("form", RUNS)
def test_every_form_of_a_run_gives_the_same(form, matrices, expected):
    ratings, scores = matrices
    found = rankassay.evaluate(frame(ratings, "rating"), RUNS[form](scores), METRICS)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("form", LISTS)
def test_every_form_of_lists_gives_the_same_with_padding_anywhere(form, matrices, expected):
    ratings, scores = matrices
    items = np.insert(lists(scores, 5), [0, 2], -1, axis=1)
    found = rankassay.evaluate(frame(ratings, "rating"), LISTS[form](items), METRICS)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.lists(st.lists(st.sampled_from([-2, -1, 0, 1, 2, 3, 4]), max_size=6), min_size=1))
def test_forms_of_lists_cannot_be_told_apart(own):
    """All metrics of all users; also where lists are empty, or a user has an item twice."""
    items = np.full((len(own), 6), -1)
    for row, each in zip(items, own, strict=True):
        row[: len(each)] = each
    qrels = {user: {0: 5, 1: 2, 3: 4} for user in range(len(own))}
    found = {}
    for form, make in LISTS.items():
        if form == "ranks":  # has no empty lists
            continue
        try:
            results = (
                rankassay.evaluate(qrels, make(items), METRICS, per_user=True),
                rankassay.beyond(make(items), qrels, ["EPC@3", "Coverage@3"]).to_frame("v").T,
            )
            found[form] = [result.to_numpy(float).tolist() for result in results]
        except RankassayError as error:
            found[form] = "stands there twice" in str(error)
    assert all(each == found["array"] for each in found.values()), found


def test_ratings_may_all_be_true_or_false():
    kept = {"ann": {"film": 1, "book": 0}, "bob": {"song": 1, "film": 1}}
    flags = {user: {i: bool(r) for i, r in own.items()} for user, own in kept.items()}
    table = pd.DataFrame([(u, i, r) for u, own in flags.items() for i, r in own.items()])
    table.columns = ["user", "item", "rating"]
    run = {"ann": ["book", "film"], "bob": ["song"]}
    expected = rankassay.evaluate(kept, run, METRICS, threshold=1)
    triples = [*table.itertuples(index=False, name=None)]
    forms = [flags, table, triples, table.astype({"rating": "boolean"}), table.astype(object)]
    for form in [*forms, [(u, i, np.bool_(r)) for u, i, r in triples]]:
        pd.testing.assert_series_equal(
            rankassay.evaluate(form, run, METRICS, threshold=1), expected
        )
    matrix = sp.csr_array(np.array([[True, False, True]]))
    assert rankassay.evaluate(matrix, np.array([[2, 1, 0]]), "P@1", threshold=1)["P@1"] == 1
    with pytest.raises(RankassayError, match=r"found True \(bool"):
        rankassay.judged({"ann": {"film": True, "book": 5}}, 1)
    with pytest.raises(RankassayError, match="expected numbers in the column score"):
        rankassay.evaluate(kept, flags)


@pytest.mark.parametrize("form", QRELS)
def test_every_form_of_judgements_gives_the_same(form, matrices, expected):
    ratings, scores = matrices
    found = rankassay.evaluate(QRELS[form](ratings), frame(scores, "score"), METRICS)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def as_files(matrices, folder):
    """Write both as TREC files and return their paths."""
    qrels, run = (frame(m, v) for m, v in zip(matrices, ("rating", "score"), strict=True))
    write_qrels(qrels, folder / "qrels")
    write_run(run.assign(rank=1), folder / "run", "tag")
    return folder / "qrels", folder / "run"


def test_files_and_their_lines_say_the_same(matrices, expected, tmp_path):
    qrels, run = as_files(matrices, tmp_path)

    def lines(path):
        with open(path) as file:
            yield from file

    for pair in ((qrels, run), (str(qrels), lines(run)), (lines(qrels), run.open())):
        found = rankassay.evaluate(*pair, METRICS)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
        assert found.attrs["definitions"]["ties"] == "trec"
    found = rankassay.evaluate(qrels, run.read_text().splitlines(), "P@3")
    assert found["P@3"] == pytest.approx(expected[0])


FILES = {
    # what LensKit, RecBole, BEIR and PyTerrier call the columns
    "user_id,item_id,score,rank\n": ",",
    "user_id:token\titem_id:token\tscore:float\n": "\t",
    "\ufeffquery-id\tcorpus-id\tscore\n": "\t",
    '"qid","docno","score"\n': ",",
    "": "\t",  # as Elliot writes them
}


@pytest.mark.parametrize(("header", "separator"), [*FILES.items()])
def test_tables_of_other_libraries_are_read_as_they_are(
    header, separator, matrices, expected, tmp_path
):
    ratings, scores = matrices
    table = frame(scores, "score")
    if "rank" in header:
        table["rank"] = table.groupby("user")["score"].rank(ascending=False).astype(int)
    text = header + table.to_csv(sep=separator, header=False, index=False)
    (tmp_path / "run.tsv").write_text(text)
    judgements = frame(ratings, "rating").astype({"user": str, "item": str})
    found = rankassay.evaluate(judgements, tmp_path / "run.tsv", METRICS)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        rankassay.evaluate(judgements, text.splitlines(), METRICS), expected, rtol=0, atol=1e-12
    )


def test_judgements_may_be_a_table_with_other_names(matrices, expected, tmp_path):
    ratings, scores = matrices
    table = frame(ratings, "rating").assign(timestamp=7)
    path = tmp_path / "test.inter"
    header = "user_id:token\titem_id:token\trating:float\ttimestamp:float\n"
    path.write_text(header + table.to_csv(sep="\t", header=False, index=False))
    run = frame(scores, "score").astype({"user": str, "item": str})
    found = rankassay.evaluate(path, run, METRICS)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_frames_of_pyterrier_have_two_ids_and_a_text():
    qrels = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "label": [1, 0]})
    run = pd.DataFrame({"qid": "1", "docid": [7, 9], "docno": ["b", "a"], "rank": [0, 1]})
    run = run.assign(score=[2.0, 1.0], query="what is it")
    assert rankassay.evaluate(qrels, run, "RR", threshold=1)["RR"] == 0.5
    own = run.rename(columns={"qid": "user"})  # our names count first
    assert rankassay.evaluate(qrels, own.assign(qid="x"), "RR", threshold=1)["RR"] == 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "user,item,score\nann,film,0.5\n\nbob,,1\n",
            "line 4: expected an id of the item, found an empty",
        ),
        ("ann\tfilm\t0.5\nbob\tfilm\tx\n", "line 2: expected a number as score, found 'x'"),
        ("ann\tfilm\t0.5\nbob\tfilm\t\n", "line 2: expected a number as score, found ''"),
        ("ann,film,0.5\nann,book,1,2\n", "line 2: expected at most 3 fields as in the first line"),
        ("user,item,score\n\nann,film,1,2\n", "line 3: expected at most 3 fields .*, found 4"),
        ("user\titem\tscore\nann\tfilm\t1\t2\n", "line 2: expected at most 3 fields"),
        ('ann,film,1\nann,"book,2\n', "line 2: expected a closing quote, found none"),
        ("ann,film,0.5\nann,film,1\n", "line 2: user 'ann' has item 'film' already"),
        ("ann film 0.5\n", "line 1: expected 6 columns"),
        ('ann,film,1\nbob,"x,2\ncat,"y,3\n', "line 2: expected a row on each line, found one that"),
        ('user,item,score\nann,x,1\nann,"y\nz",2\n', "line 3: expected a row on each line"),
        (b"ann,film,1\nbob,caf\xe9,2\n", "line 2: expected text in UTF-8, found the byte 0xe9 at"),
        (b"ann Q0 film 1 1 x\nann Q0 caf\xe9 2 1 x\n", "line 2: expected text in UTF-8, found the"),
    ],
)
def test_what_is_wrong_in_a_table_is_named(text, message, tmp_path):
    path = tmp_path / "run.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(RankassayError, match=rf"run.csv.*{message}"):
        rankassay.evaluate({"ann": {"film": 5}}, path, "P@1")


def test_lists_of_other_items_are_told(caplog):
    """One list may well miss all that is judged; ids of another kind do as well."""
    found = rankassay.evaluate({"u": {"a": 5}}, {"u": {"x1": 2.0}}, "P@1", threshold=1)
    assert found["P@1"] == 0
    assert "warning: the run: no item of it has judgements: the items of" in caplog.text


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (None, "the run: expected a frame .* found NoneType"),
        ({"a", "b"}, "the run: expected a frame .* found set"),
        (b"ann Q0 film 1 1 x", "found bytes"),
        (np.zeros(3), "found ndarray"),
        ([("ann", "film")], r"found \('ann', 'film'\) \(tuple\) at place 0"),
        (["ann Q0 film 1 1 x", 3], "the run, line 2: expected text, found 3"),
        ([("ann", "film", 1.0), ("ann", "film", 2.0)], "stands there twice"),
        ({"ann": ["film", "film"]}, "stands there twice"),
        ({"ann": ["film"], "bob": 3}, "expected the items of user 'bob' as a list"),
        ({"good": {"ann": {"film": 1}}, "poor": 3}, "the run poor: expected a frame .* found int"),
        (np.array([[1.5, 2.5]]), "ids that are text or whole numbers, found 1.5"),
        (np.array([[1]], dtype=[("item", "i4")]), "expected a frame .* found ndarray"),
        ({"ann": np.array(3)}, "items of user 'ann' as a list|dict .item: score. of user 'ann'"),
        (np.array([[1, -np.inf]]), "beyond 2.53 as floating-point numbers"),
        (np.array([[1, -1.5]]), "ids that are text or whole numbers, found -1.5"),
        ({"ann": [-1.5, 2.0]}, "ids that are text or whole numbers, found -1.5"),
        ({"ann": np.array([2.0**24], np.float32)}, "beyond 2.24 as floating-point numbers"),
        (np.ma.masked_less([[1, 2]], 2), "an array without a mask, found a masked one"),
        ({"ann": np.ma.masked_less([1, 2], 2)}, "an array without a mask, found a masked one"),
        ({"ann": [("film", 2), ("film", 1)]}, "stands there twice"),
        ({"ann": [("film", 2)], "bob": ["film"]}, "pairs .item, score. of user 'bob'"),
        ({"ann": [("film", "x")]}, "expected numbers in the column score"),
        (pd.Series([1, 2]), "a Series with the levels user and item, .* with 1 level"),
        (pd.Series([1], pd.MultiIndex.from_tuples([(1, 2, 3)])), "found one of int64 with 3 level"),
        ({"ann": pd.Series([1, 2])}, r"the run ann: .* \(.to_list\(\)\)"),
    ],
)
def test_what_is_no_run_is_refused_in_one_line(run, message):
    with pytest.raises(RankassayError, match=message) as error:
        rankassay.evaluate({"ann": {"film": 5}}, run, "P@1")
    assert len(str(error.value).splitlines()) == 1


def test_empty_places_and_stored_zeros_are_told_apart():
    qrels = {0: {1: 5, 2: 5}, 1: {1: 5}}
    found = rankassay.evaluate(
        qrels, np.array([[2, -1], [0, 1]]), ["R@2", "P(denominator='listed')"]
    )
    assert found.to_list() == [0.75, 0.75]  # an empty place makes no list longer
    found = rankassay.evaluate(qrels, {0: [2, -1], 1: [0, 1]}, "P(denominator='listed')")
    assert found.to_list() == [0.75]
    stored = sp.csr_array(([0.0, 0.0], ([0, 1], [1, 1])), shape=(2, 3))
    assert rankassay.evaluate(qrels, stored, "R@2")["R@2"] == 0.75
    assert rankassay.evaluate(qrels, np.empty((2, 0), dtype=int), "R@2")["R@2"] == 0


def test_lists_have_no_scores_that_could_be_taken_for_ratings():
    with pytest.raises(RankassayError, match="MAE needs predicted ratings"):
        rankassay.evaluate({"u": {"a": 5, "b": 3}}, {"u": ["b", "a"]}, "MAE")


@pytest.mark.parametrize(
    "form",
    [
        dict,
        pd.Series,
        lambda own: pd.Series({(user, "a"): 1 for user in own}),
        lambda own: pd.DataFrame({"user": pd.Categorical([*own]), "item": "a", "rating": 1}),
        lambda own: pd.DataFrame({"qid": [*own], "docno": "a", "label": 1}),
        lambda own: [(user, "a", 1) for user in own],
        lambda own: [f"{user} 0 a 1" for user in own],
    ],
)
@pytest.mark.parametrize("mean", ["all", "ALL", "Avg", "avg.", "Mean", "amean", "average"])
def test_rows_of_means_are_no_users(form, mean, caplog):
    """They are refused among ids with digits; among words, a user may be called so."""
    run = {"u1": ["a"], "ann": ["a"], mean: ["b"]}
    with pytest.raises(RankassayError, match=f"such as 'u1', found '{mean}', which names the mean"):
        rankassay.evaluate(form({mean: {"a": 1}, "u1": {"a": 1}}), run, "P@1")
    assert rankassay.evaluate(form({mean: {"a": 1}, "ann": {"a": 1}}), run, "P@1")["P@1"] == 0.5
    said = [own.getMessage() for own in caplog.records if own.levelname == "WARNING"]
    assert [f"'{mean}' was read as a user" in each for each in said] == [True]
    assert rankassay.evaluate(form({mean: {"a": 1}}), run, "P@1")["P@1"] == 0


def test_rows_of_four_parts_are_user_item_rating_and_more():
    """The fourth part is ir_measures' iteration, or a time."""
    run = {"1": ["8"], "2": ["7"]}
    for more in ("0", 881250949):
        qrels = [("1", "7", 5, more), ("2", "7", 5, more)]
        assert rankassay.evaluate(qrels, run, "P@1", threshold=4)["P@1"] == 0.5
    for iteration in (0, "0", "Q0"):
        with pytest.raises(RankassayError, match=f"found {iteration!r} as the item of all rows"):
            rankassay.evaluate([("1", iteration, 7, 5), ("2", iteration, 7, 5)], run, "P@1")
    with pytest.raises(RankassayError, match="found 881250949, as a time is; name the columns in"):
        rankassay.evaluate([("1", "7", 881250949, 5)], run, "P@1")


def test_an_entry_that_a_matrix_has_twice_is_refused():
    twice = sp.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(2, 2))
    with pytest.raises(RankassayError, match="stands there twice"):
        rankassay.evaluate({0: {1: 5}}, twice, "P@1")


def test_several_runs_are_labelled(matrices):
    ratings, scores = matrices
    qrels = rankassay.judged(frame(ratings, "rating"))
    runs = {name: RUNS[name](scores) for name in ("frame", "dict", "csr")}
    runs["top-k"] = lists(scores, 5)
    alone = rankassay.evaluate(qrels, runs["dict"], METRICS)
    table = rankassay.evaluate(qrels, runs, METRICS)
    assert (table.index.to_list(), table.index.name) == ([*runs], "run")
    assert table.columns.to_list() == METRICS
    np.testing.assert_array_equal(table.loc["dict"], alone)
    users = rankassay.evaluate(qrels, runs, METRICS, per_user=True)
    assert users.columns.to_list() == ["run", "user", *METRICS]
    own = users[users["run"] == "dict"].drop(columns="run").reset_index(drop=True)
    pd.testing.assert_frame_equal(
        own, rankassay.evaluate(qrels, runs["dict"], METRICS, per_user=True)
    )
    ends = rankassay.evaluate(qrels, runs, METRICS, confidence=0.9)
    assert ends.index.names == ["run", "metric"]
    expected = rankassay.evaluate(qrels, runs["dict"], METRICS, confidence=0.9)
    np.testing.assert_array_equal(ends.loc["dict"], expected)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ({"ann": {"film": 1.0}}, False),
        ({"ann": {}, "bob": {"film": 1}}, False),
        ({"ann": {}}, False),
        ({}, False),
        ({"ann": ["film"]}, False),
        ({"ann": [], "bob": np.array(["film"])}, False),
        ({"ann": [("film", 1)]}, False),
        ({"good": {"ann": {"film": 1.0}}}, True),
        ({"good": {"ann": ["film"]}}, True),
        ({"good": [("ann", "film", 1.0)]}, True),
        ({"good": np.zeros((2, 2))}, True),
        ({"good": pd.DataFrame()}, True),
        ({"good": "good.run"}, True),
        ({"good": sp.csr_array((2, 2))}, True),
        ({"good": [["ann", "film", 1.0]]}, True),
        ({"good": sp.dok_array((2, 2))}, True),
        ({"good": pd.Series([1], pd.MultiIndex.from_tuples([(1, 2)]))}, True),
        ([("ann", "film", 1.0)], False),
        (sp.dok_array((2, 2)), False),
        ("good.run", False),
    ],
)
def test_one_run_and_several_are_told_apart(source, expected):
    assert sources.several(source) is expected


SEVERAL = {
    "evaluate": lambda qrels, runs: rankassay.evaluate(qrels, runs, "P@1"),
    "compare": lambda qrels, runs: rankassay.compare(qrels, runs, "P@1", n_permutations=9).means,
    "bounds": lambda qrels, runs: rankassay.bounds(qrels, runs, "P@1"),
    "ties": lambda qrels, runs: rankassay.ties(qrels, runs, "P@1"),
    "sensitivity": lambda qrels, runs: rankassay.sensitivity(qrels, runs, "P@1"),
    "preferences": lambda qrels, runs: rankassay.preferences(qrels, runs, n_permutations=9),
    "robustness": lambda qrels, runs: rankassay.robustness(
        qrels, runs, "P@1", levels=[50], samples=1
    ),
    "beyond": lambda qrels, runs: rankassay.beyond(runs, {"u": {"z": 1.0}}, "Coverage@1"),
    "judge": lambda qrels, runs: rankassay.judge(qrels, runs).systems.drop(columns="beats"),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return judgements, and the paths of two runs."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "one.run").write_text("u Q0 a 1 .9 x\nv Q0 b 1 .9 x\n")
    (folder / "two.run.gz").write_bytes(gzip.compress(b"u Q0 b 1 .9 x\nv Q0 a 1 .9 x\n"))
    return {"u": {"a": 1, "b": 0}, "v": {"a": 1}}, [folder / "one.run", folder / "two.run.gz"]


@pytest.mark.parametrize("function", SEVERAL)
def test_a_list_of_paths_is_runs_by_the_names_of_the_files(function, files):
    qrels, paths = files
    expected = SEVERAL[function](qrels, dict(zip(("one", "two"), paths, strict=True)))
    for runs in (paths, [*map(str, paths)], tuple(paths)):
        pd.testing.assert_frame_equal(SEVERAL[function](qrels, runs), expected)


@pytest.mark.parametrize("function", SEVERAL)
@pytest.mark.parametrize(
    "run",
    [
        {"u": {"a": 1.0}},
        {"u": ["a"]},
        pd.DataFrame({"user": ["u"], "item": "a", "score": 1.0}),
        np.array([["a"], ["b"]]),
        sp.csr_matrix([[1.0]]),
        [("u", "a", 1.0)],
    ],
    ids=lambda run: type(run).__name__,
)
def test_runs_without_names_are_refused_in_one_line(function, run, files):
    found = type(run).__name__
    with pytest.raises(RankassayError) as error:
        SEVERAL[function](files[0], [run, run, run])
    assert str(error.value) == (
        f"runs: expected runs by their names, found a list of 3 without names ({found}); give "
        "{name: run, ...}."
    )


def test_lines_and_paths_are_told_apart(files, tmp_path):
    """A list of text is the lines of one run, unless the first is the path of a file."""
    qrels, paths = files
    one = rankassay.evaluate(qrels, paths[0].read_text().splitlines(), "P@1")
    assert isinstance(one, pd.Series)
    table = rankassay.evaluate(qrels, ["user,item,score", "u,a,1"], "P@1")
    assert isinstance(table, pd.Series)
    named = rankassay.evaluate(qrels, [str(paths[0])], "P@1")
    assert [*named.index] == ["one"]
    for wrong, message in (
        (["missing.run"], "missing.run: expected a file"),
        ([*paths, "missing.run"], "missing.run: expected a file"),
        ([paths[0], paths[0]], "found .*one.run twice"),
        ([paths[0], {"u": ["a"]}], "runs: expected the path of a file, found .*dict"),
    ):
        with pytest.raises(RankassayError, match=message):
            rankassay.evaluate(qrels, wrong, "P@1")
    alike = [paths[0], tmp_path / "one.run"]
    alike[1].write_bytes(paths[0].read_bytes())
    assert [*rankassay.evaluate(qrels, alike, "P@1").index] == [*map(str, alike)]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([("a", 1), ("a", 2)], "names that are text or numbers, found .'a', 1. .tuple.; rename"),
        ([None, "b"], "found None"),
        ([float("nan"), "b"], "found nan"),
        ([True, "b"], "found True"),
        ([frozenset(), "b"], "found frozenset"),
        ([b"a", "b"], "found b'a'"),
        ([2**53, 0.5], "found 9007199254740992"),
        ([10**5000, 1], "found int of thousands of digits"),
        ([float("inf"), 1], "found inf"),
        (["\ud800", "b"], "found '.ud800'"),
        ([1, "1"], "names that differ as text, found 1 and '1'"),
    ],
)
def test_runs_whose_names_results_could_not_tell_apart_are_refused(names, message):
    qrels = {"ann": {"film": 5, "book": 2}, "bob": {"film": 4}}
    runs = {name: {"ann": ["film"], "bob": ["book", "film"]} for name in names}
    for function in ("evaluate", "compare", "bounds", "ties", "preferences", "robustness"):
        with pytest.raises(RankassayError, match=message):
            getattr(rankassay, function)(qrels, runs)
    with pytest.raises(RankassayError, match=message):
        rankassay.evaluate(qrels, runs, per_user=True)
    with pytest.raises(RankassayError, match=message):
        rankassay.beyond(runs, qrels)


def test_names_of_runs_that_are_numbers_stay_apart():
    qrels, runs = {"ann": {"film": 5}}, {0.1: {"ann": ["film"]}, 2: {"ann": ["book"]}}
    assert rankassay.evaluate(qrels, runs, "P@1")["P@1"].to_dict() == {0.1: 1, 2: 0}
    users = rankassay.evaluate(qrels, runs, "P@1", per_user=True)
    assert users["run"].tolist() == [0.1, 2]


def test_results_say_by_which_definitions_they_were_made(tmp_path):
    qrels, run = {"ann": {"film": 5, "book": 2}}, {"ann": {"film": 0.9}}
    names = ["nDCG(gain='exp')@10", "Bpref", "P@5"]
    found = rankassay.evaluate(qrels, run, names, "as-run", depth=7, ties="input")
    said = found.attrs["definitions"]
    assert said["rankassay"] == rankassay.__version__
    assert (
        said["metrics"][names[0]] | {"metric": "nDCG", "cutoff": 10, "gain": "exp"}
        == (said["metrics"][names[0]])
    )
    assert said["metrics"][names[0]]["truncate_ideal"] is False  # by the profile
    assert said["metrics"]["Bpref"]["cutoff"] is None
    assert said["metrics"]["P@5"] == {"metric": "P", "cutoff": 5, "denominator": "listed"}
    choices = {"profile": "as-run", "threshold": 4, "ties": "input", "depth": 7}
    choices |= {"users": "judged", "aggregate": "mean", "without_relevant": "value"}
    assert said | choices == said
    write_run(
        pd.DataFrame({"user": ["ann"], "item": "film", "rank": 1, "score": 1}), tmp_path / "r", "t"
    )
    both = rankassay.evaluate(qrels, {"a": run, "b": tmp_path / "r"}, "P@5", "rendle")
    assert both.attrs["definitions"]["ties"] == "trec"
    assert both.attrs["definitions"]["without_relevant"] == "nan"
    assert rankassay.evaluate(qrels, run, per_user=True).attrs["definitions"]["aggregate"] is None


class Column(list):
    to_list = list.copy


def of(library, **attributes):
    """Return an object of a class that a library defines."""
    return type("Its", (), attributes | {"__module__": f"{library}.inner"})()


def test_what_libraries_have_them_in_is_opened(matrices, expected):
    """With the libraries themselves: tests/peers."""
    ratings, scores = matrices
    columns = {name: Column(own) for name, own in frame(scores, "score").items()}
    its = {"columns": [*columns], "__getitem__": lambda self, name: columns[name]}
    eager = of("polars", **its)
    runs = {
        "polars": eager,
        "lazy": of("polars", collect=lambda self: eager),
        "ranx": of("ranx", run=nested(scores)),
        "lenskit": of("lenskit", to_df=lambda self: frame(scores, "score")),
        "recpack": of("recpack", values=sp.csr_array(scores)),
        "torch": of("torch", numpy=lambda self, force: lists(scores, 5)),
    }
    found = rankassay.evaluate(of("ranx", qrels=nested(ratings)), runs, METRICS)
    for name in runs:
        np.testing.assert_allclose(found.loc[name], expected, rtol=0, atol=1e-12)
    for library in ("polars", "ranx", "lenskit", "recpack", "torch"):
        with pytest.raises(RankassayError, match=r"expected a frame .* found Its"):
            rankassay.evaluate(nested(ratings), of(library), METRICS)


def polars(table):
    """Return a frame of Polars, as far as it is read; with the library itself: tests/peers."""
    kinds = {"float32": "Float32"}
    columns = {}
    for name in table:
        columns[name] = Column(table[name].astype(object).tolist())
        columns[name].dtype = kinds.get(str(table[name].dtype), "")
    its = {"columns": [*columns], "__getitem__": lambda self, name: columns[name]}
    return of("polars", **its)


def test_polars_is_taken_wherever_a_frame_is(tmp_path):
    qrels = frame(np.array([[3.6, 1], [5, 0]]), "rating").astype({"rating": "float32"})
    qrels = qrels.assign(p=[0.5, 0.25, 0.5])
    run = frame(np.array([[1, 2], [0, 3]]), "score").astype({"score": "int64"}).assign(rank=1)
    run["score"] += 2**60  # which float64 would tie
    by_item = pd.DataFrame({"item": [0, 1], "propensity": [0.5, 0.2]})
    numbers = pd.DataFrame({"user": [0, 1], "n_items": [9, 7]})
    values = pd.DataFrame({"x": [0.1, 0.2, 0.4, 0.3], "y": [0.3, 0.1, 0.9, 0.5]})

    def write(table, value):
        (rankassay.write_run if value == "score" else rankassay.write_qrels)(
            table, tmp_path / "file", *(["tag"] if value == "score" else [])
        )
        return (tmp_path / "file").read_text()

    at = {"threshold": 3.6}
    calls = {
        "judged": lambda of: rankassay.judged(of(qrels), 3.6).judgements.rating.tolist(),
        "threshold": lambda of: rankassay.evaluate(of(qrels), of(run), "RR", **at),
        "column": lambda of: rankassay.evaluate(
            of(qrels), of(run), "IPS@1", propensities="p", **at
        ),
        "items": lambda of: rankassay.evaluate(qrels, run, "IPS@1", propensities=of(by_item), **at),
        "numbers": lambda of: rankassay.evaluate(qrels, run, "AUC", n_items=of(numbers), **at),
        "compare": lambda of: rankassay.compare(qrels, {"a": of(run), "b": run}, "RR", **at).pairs,
        "beyond": lambda of: rankassay.beyond({"a": of(run)}, of(qrels), qrels=of(qrels), **at),
        "train": lambda of: rankassay.robustness(
            qrels, {"a": of(run), "b": run}, "RR", kind="popularity", train=of(by_item), **at
        ),
        "test": lambda of: rankassay.permutation_test(of(values)).p_values,
        "power": lambda of: rankassay.discriminative_power(of(values), n_permutations=10),
        "reliability": lambda of: rankassay.reliability(of(values)),
        "users": lambda of: rankassay.required_users(of(values), percent=5),
        "across": lambda of: rankassay.across_datasets(of(values)).pairs,
        "qrels": lambda of: write(of(qrels.assign(rating=[4.5, 1, 5])), "rating"),
        "run": lambda of: write(of(run.assign(score=[0.5, 0.25, 0.1])), "score"),
    }
    for name, call in calls.items():
        assert str(call(polars)) == str(call(lambda table: table)), name
    broken = of("polars", collect=lambda self: 1 / 0)
    with pytest.raises(RankassayError, match=r"what polars can read, .* \(ZeroDivisionError: "):
        rankassay.evaluate(broken, {})


@pytest.mark.parametrize("run", [{}, {"ann": []}, {"ann": {}}, []])
def test_a_run_without_items_counts_as_empty_lists_with_a_warning(caplog, run):
    qrels = {"ann": {"film": 5}, "bob": {"song": 4}}
    assert rankassay.evaluate(qrels, run, ["P@1", "Bpref"]).tolist() == [0, 0]
    assert "warning: the run: it lists no items, and counts as an empty list" in caplog.text
    caplog.clear()
    rankassay.evaluate(qrels, {"ann": ["film"], "bob": []}, "P@1")
    assert caplog.text == ""


def test_without_ir_measures_its_provider_is_refused_in_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    monkeypatch.delitem(sys.modules, "rankassay.api.ir_measures", raising=False)
    with pytest.raises(RankassayError, match="ir_measures, which is not installed; pip install"):
        importlib.import_module("rankassay.api.ir_measures")


def test_examples_are_true():
    for module in (sources, tables):
        assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("separator", [",", "\t", " "])
@pytest.mark.parametrize("rating", ["3.99999999999999999999", "TRUE", "1_0", "1e-9999", "inf"])
def test_a_rating_that_no_file_may_hold_is_refused_in_files_of_all_forms(
    tmp_path, separator, rating
):
    fields = ["ann", *(["0"] if separator == " " else []), "film", rating]
    (tmp_path / "qrels").write_text(separator.join(fields) + "\n")
    with pytest.raises(RankassayError, match=f"line 1: expected .*, found '{re.escape(rating)}'"):
        rankassay.judged(tmp_path / "qrels")
