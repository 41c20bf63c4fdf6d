"""Frames and dicts of any ids become the arrays that a slow, plain count gives."""

import numpy as np
import pandas as pd
import pytest

import rankassay
from rankassay.data.frame_kernels import break_ties, by_value, group
from rankassay.data.frames import Qrels, Rows, lists_of
from rankassay.errors import RankassayError

ID_KINDS = {
    "int": int,
    "str": str,
    "float": float,
}


def random_frames(seed, kind, n_users=30, n_items=20):
    """Return judgements and a run, shuffled, with ties and with users in only one of them."""
    rng = np.random.default_rng(seed)
    make = ID_KINDS[kind]
    qrels, run = [], []
    for user in range(n_users):
        for item in rng.permutation(n_items)[: rng.integers(1, 9)]:
            qrels.append((user, int(item), float(rng.integers(1, 6))))
        for item in rng.permutation(n_items)[: rng.integers(0, 15)]:
            run.append((user + 5, int(item), float(rng.integers(0, 6))))
    frames = []
    for rows, value in ((qrels, "rating"), (run, "score")):
        rows = [rows[i] for i in rng.permutation(len(rows))]
        frames.append(
            pd.DataFrame(
                {
                    "user": pd.Series([make(u) for u, _, _ in rows]),
                    "item": pd.Series([make(i) for _, i, _ in rows]),
                    value: [v for _, _, v in rows],
                }
            )
        )
    return frames


def slowly(qrels, run, ties):
    """Return ranks and lengths by dicts and sorting, in the order of `Qrels`."""
    lists = {}
    for row, (user, item, score) in enumerate(run.itertuples(index=False)):
        lists.setdefault(user, []).append((score, item, row))
    for entries in lists.values():
        if ties == "trec":
            entries.sort(key=lambda e: str(e[1]), reverse=True)
        elif ties == "item":
            entries.sort(key=lambda e: (0, int(e[1])) if str(e[1]).isdigit() else (1, e[1]))
        entries.sort(key=lambda e: -e[0])
    ranks, length = [], []
    for user in dict.fromkeys(qrels.user):
        items = [item for _, item, _ in lists.get(user, [])]
        length.append(len(items))
        for item in qrels.item[[u == user for u in qrels.user]]:
            ranks.append(items.index(item) + 1 if item in items else 0)
    return ranks, length


@pytest.mark.slow
@pytest.mark.parametrize("kind", ID_KINDS)
@pytest.mark.parametrize("ties", ["item", "trec", "input"])
@pytest.mark.parametrize("seed", range(3))
def test_ranks_are_those_of_a_plain_count(seed, ties, kind):
    qrels, run = random_frames(seed, kind)
    judged = Qrels.of(Rows.of_frame(qrels, "qrels", "rating"), 4)
    lists = lists_of(Rows.of_frame(run, "run", "score"), judged, ties)
    ranks, length = slowly(qrels, run, ties)
    assert lists.ranks.tolist() == ranks
    assert lists.length.tolist() == length
    assert judged.users.tolist() == [*dict.fromkeys(qrels.user)]


@pytest.mark.parametrize("dtype", ["object", "str", "category", "string"])
def test_ids_may_be_stored_in_several_ways(dtype):
    qrels, run = random_frames(1, "str")
    expected = lists_of(
        Rows.of_frame(run, "", "score"), Qrels.of(Rows.of_frame(qrels, "", "rating"), 4), "item"
    )
    ids = {"user": dtype, "item": dtype}
    judged = Qrels.of(Rows.of_frame(qrels.astype(ids), "", "rating"), 4)
    found = lists_of(Rows.of_frame(run.astype(ids), "", "score"), judged, "item")
    assert found.ranks.tolist() == expected.ranks.tolist()


def test_strings_of_arrow_do_as_well():
    pytest.importorskip("pyarrow")
    qrels, run = random_frames(1, "str")
    results = []
    for storage in ("python", "pyarrow"):
        ids = dict.fromkeys(("user", "item"), pd.StringDtype(storage))
        judged = Qrels.of(Rows.of_frame(qrels.astype(ids), "", "rating"), 4)
        results.append(lists_of(Rows.of_frame(run.astype(ids), "", "score"), judged, "trec").ranks)
    assert results[0].tolist() == results[1].tolist()


def test_scores_order_the_lists_whatever_the_ranks_are(caplog):
    qrels = pd.DataFrame({"user": [1, 1], "item": ["a", "b"], "rating": [5, 5]})
    run = pd.DataFrame(
        {"user": [1, 1, 1], "item": ["a", "b", "c"], "rank": [30, 2, 7], "score": [9.0, 1, 2]}
    )
    judged = Qrels.of(Rows.of_frame(qrels, "", "rating"), 4)
    lists = lists_of(Rows.of_frame(run, "the run", "score"), judged, "item")
    assert lists.ranks.tolist() == [1, 3]
    assert lists.predictions.tolist() == [9.0, 1.0]
    assert caplog.messages == [
        "the run, row 1: the ranks are not in the order of the scores (2 such rows); lists are in "
        "the order of the scores, as in trec_eval"
    ]
    lists = lists_of(Rows.of_frame(run.drop(columns="score"), "", "score"), judged, "item")
    assert (lists.ranks.tolist(), lists.predictions) == ([3, 1], None)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["path", "lines", "csv", "tsv", "frame", "triples"])
@pytest.mark.parametrize("ranks", [[0] * 5, ["x"] * 5, [5, 4, 3, 2, 1], [1, 2, 3, 4, 5]])
def test_rank_and_score_give_the_same_value_in_every_form(form, ranks, tmp_path, caplog):
    qrels = {"1": {"9": 4, "10": 5, "8": 1}, "2": {"7": 5}}
    rows = [("1", "8", 0.9), ("1", "9", 0.5), ("1", "10", 0.5), ("2", "6", 2.0), ("2", "7", 1.0)]
    run = pd.DataFrame(rows, columns=["user", "item", "score"]).assign(rank=ranks)
    path = tmp_path / "run"
    if form in ("path", "lines"):
        path.write_text("".join(f"{u} Q0 {i} {r} {s} t\n" for u, i, s, r in run.to_numpy()))
    elif form in ("csv", "tsv"):
        run.to_csv(path, sep="," if form == "csv" else "\t", index=False)
    lines = path.read_text().splitlines() if form == "lines" else None
    given = {"frame": run.sample(frac=1, random_state=3), "triples": rows, "lines": lines}
    # Of equal scores trec_eval puts "9" before "10".
    found = rankassay.evaluate(qrels, given.get(form, path), ["RR", "nDCG@2"])
    assert found.round(6).to_dict() == {"RR": 0.5, "nDCG@2": round(expected_ndcg(), 6)}
    assert "Lists are ordered by their scores." in rankassay.describe(found)
    disagree = form != "triples" and ranks != [1, 2, 3, 4, 5]
    assert ("the ranks are not in the order of the scores" in caplog.text) == disagree


def expected_ndcg():
    """Return nDCG@2 of the lists 8, 9, 10 and 6, 7, by hand."""
    second = 1 / np.log2(3)
    return ((1 + 4 * second) / (5 + 4 * second) + second) / 2


def test_predictions_of_items_that_are_not_listed_are_none():
    qrels = {"u": {"a": 5, "b": 3}}
    judged = Qrels.of(Rows.of_dictionary(qrels, "", "rating"), 4)
    lists = lists_of(Rows.of_dictionary({"u": {"b": 2.5}}, "", "score"), judged, "item")
    assert np.isnan(lists.predictions[0])
    assert lists.predictions[1] == 2.5


def test_dicts_and_frames_say_the_same():
    qrels, run = random_frames(4, "str")
    nested = [
        {
            u: dict(zip(own.item, own[value], strict=True))
            for u, own in frame.groupby("user", sort=False)
        }
        for frame, value in ((qrels, "rating"), (run, "score"))
    ]
    a = Qrels.of(Rows.of_frame(qrels, "", "rating"), 4)
    b = Qrels.of(Rows.of_dictionary(nested[0], "", "rating"), 4)
    assert a.users.tolist() == b.users.tolist()
    assert a.judgements.rating.tolist() == b.judgements.rating.tolist()
    frame = lists_of(Rows.of_frame(run, "", "score"), a, "item")
    dictionary = lists_of(Rows.of_dictionary(nested[1], "", "score"), b, "item")
    assert frame.ranks.tolist() == dictionary.ranks.tolist()


def test_dicts_may_hold_users_without_items():
    judged = Qrels.of(Rows.of_dictionary({1: {}, 2: {"a": 5}}, "", "rating"), 4)
    assert judged.users.tolist() == [2]
    lists = lists_of(Rows.of_dictionary({2: {}}, "", "score"), judged, "item")
    assert lists.length.tolist() == [0]
    assert lists_of(Rows.of_dictionary({}, "", "score"), judged, "item").ranks.tolist() == [0]


QRELS = pd.DataFrame({"user": ["u", "v"], "item": ["a", "b"], "rating": [5.0, 3.0]})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda f: f.rename(columns={"user": "who"}),
            "item and rating, .* found who, item, rating",
        ),
        (lambda f: f.assign(rating=[5, np.nan]), "row 1 \\(user 'v', item 'b'\\) has no rating"),
        (lambda f: f.assign(user=["u", None]), "row 1 \\(item 'b'\\) has no user"),
        (lambda f: f.assign(rating=["good", "bad"]), "expected numbers in the column rating"),
        (lambda f: pd.concat([f, f.iloc[:1]]), "user 'u', item 'a' stands there twice.*row 2"),
        (lambda f: f.iloc[:0], "expected rows with ratings, found none"),
    ],
)
def test_mistakes_in_judgements_are_named(change, message):
    with pytest.raises(RankassayError, match=message):
        Qrels.of(Rows.of_frame(change(QRELS), "the judgements", "rating"), 4)


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ({"user": ["u"], "item": ["a"]}, "columns user, item and score \\(or rank\\)"),
        ({"user": ["u"], "item": ["a"], "score": [np.nan]}, "row 0 .* has no score"),
        ({"user": ["u"], "item": ["a"], "rank": [np.nan]}, "row 0 .* has no rank"),
        (
            {"user": ["v", "u", "u"], "item": ["a", "z", "z"], "score": [1, 2, 3]},
            "user 'u', item 'z' stands there twice",
        ),
        ({"user": [1], "item": ["a"], "score": [1]}, r"'u' \(string\).*1 \(integer\)"),
        ({"user": ["u"], "item": [1], "score": [1]}, "items of the judgements .*same type"),
    ],
)
def test_mistakes_in_runs_are_named(run, message):
    judged = Qrels.of(Rows.of_frame(QRELS, "", "rating"), 4)
    with pytest.raises(RankassayError, match=message):
        lists_of(Rows.of_frame(pd.DataFrame(run), "the run", "score"), judged, "item")


def test_a_threshold_that_nothing_reaches_is_told(caplog):
    Qrels.of(Rows.of_frame(QRELS, "the judgements", "rating"), 6)
    assert "no rating reaches the threshold 6, the highest is 5" in caplog.text


@pytest.mark.parametrize("seed", range(5))
def test_kernels_group_and_sort(seed):
    rng = np.random.default_rng(seed)
    index = rng.integers(0, 7, 60)
    if seed % 2:
        index.sort()
    value, item, place = rng.integers(0, 4, 60) * 1.0, rng.permutation(60), rng.permutation(60)
    start, order = group(index, 8)
    assert start.tolist() == np.searchsorted(np.sort(index), np.arange(9)).tolist()
    assert order.tolist() == np.argsort(index, kind="stable").tolist()
    assert by_value(start, order, value)
    assert order.tolist() == np.lexsort((-value, index)).tolist()
    break_ties(start, order, value, item, place)
    assert order.tolist() == np.lexsort((place[item], -value, index)).tolist()
