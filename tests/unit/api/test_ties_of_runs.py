"""What ties could change, against evaluations over all orders."""

import json
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import rankassay
from rankassay.errors import RankassayError
from rankassay.metrics.bounds import overlap

QRELS = {"ann": {"film": 5, "book": 2}, "bob": {"song": 4}, "eve": {"play": 5}}
TIED = {"ann": {"book": 1, "film": 1, "game": 1}, "bob": {"song": 3, "poem": 2}}
BETTER = {"ann": {"film": 2, "book": 1}, "bob": {"song": 3}, "eve": {"play": 1}}
BETWEEN = {"ann": {"book": 2, "film": 1}, "bob": {"song": 3}}


def test_what_ties_could_change():
    found = rankassay.ties(QRELS, TIED, ["RR", "P@1"])
    for column, ties in (("expected", "expected"), ("least", "worst"), ("greatest", "best")):
        plain = rankassay.evaluate(QRELS, TIED, ["RR", "P@1"], ties=ties)
        assert found[column].to_list() == pytest.approx(plain.to_list(), rel=1e-12)
    assert found["users"].to_list() == [1 / 3, 1 / 3]
    assert found["tied"].to_list() == [2 / 3, 2 / 3]


def test_orders_of_runs_that_are_open():
    runs = {"tied": TIED, "better": BETTER, "between": BETWEEN}
    found = rankassay.ties(QRELS, runs, "RR")
    assert found["overlaps"].to_list() == [("between",), (), ("tied",)]


def test_ranges_that_differ_by_rounding_alone_share_nothing():
    """0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 are no two numbers."""
    assert not overlap(0.2, 0.6, 0.1 + 0.2 + 0.3, 0.9)
    assert not overlap(0.3 + 0.2 + 0.1, 0.9, 0.2, 0.1 + 0.2 + 0.3)
    assert overlap(0.2, 0.6, 0.6 - 1e-9, 0.9)
    assert not overlap(np.nan, 0.6, 0.1, 0.9)


@pytest.mark.parametrize(
    "choices",
    [
        {"users": "listed"},
        {"depth": 2},
        {"depth": 1, "users": "listed"},
        {"without_relevant": "nan"},
        {"profile": "rendle", "users": "listed"},
    ],
)
def test_choices_are_those_of_evaluate(choices):
    qrels = QRELS | {"joe": {"book": 1}}
    found = rankassay.ties(qrels, TIED, ["RR", "nDCG@2", "P@1"], **choices)
    for column, ties in (("expected", "expected"), ("least", "worst"), ("greatest", "best")):
        plain = rankassay.evaluate(qrels, TIED, ["RR", "nDCG@2", "P@1"], ties=ties, **choices)
        assert found[column].to_list() == pytest.approx(plain.to_list(), rel=1e-12)


def test_nobody_with_a_value_is_no_value():
    found = rankassay.ties({"ann": {"film": 0}}, {"ann": {"film": 1}}, "RR", profile="rendle")
    assert found[["expected", "least", "greatest"]].isna().all(axis=None)


def test_a_user_without_a_value_does_not_count():
    found = rankassay.ties(QRELS | {"joe": {"book": 1}}, TIED, "RR", profile="rendle")
    assert found["expected"].to_list() == rankassay.ties(QRELS, TIED, "RR")["expected"].to_list()


def test_a_metric_without_a_value_is_an_error():
    with pytest.raises(RankassayError, match="over all orders of tied items"):
        rankassay.ties(QRELS, TIED, "Judged@5")


LARGE = [2**53 + 1, 2**53, 2**53 + 3, 2**53 + 2]
SMALL = [Decimal("0.3"), Decimal("0.29999999999999999999"), Decimal("0.1"), Decimal("0.2")]


@pytest.mark.slow
@pytest.mark.parametrize("scores", [LARGE, SMALL, [10**40 + 1, 10**40, 1, 0.5]])
def test_scores_that_float64_cannot_tell_apart_order_lists_in_every_form(scores, tmp_path):
    items = [*"abcd"]
    rows = [*zip("uuuu", items, scores, strict=True)]
    best_first = sorted(items, key=dict(zip(items, map(Fraction, scores), strict=True)).get)[::-1]
    trec, table, bare = (tmp_path / name for name in ("run.trec", "run.csv", "run.tsv"))
    trec.write_text("".join(f"{u} Q0 {i} 1 {s} tag\n" for u, i, s in rows))
    table.write_text("user,item,score\n" + "".join(f"{u},{i},{s}\n" for u, i, s in rows))
    bare.write_text("".join(f"{u}\t{i}\t{s}\n" for u, i, s in rows))
    frame = pd.DataFrame(rows, columns=["user", "item", "score"]).astype({"score": object})
    forms = {"dict": {"u": dict(zip(items, scores, strict=True))}, "triples": rows, "frame": frame}
    forms |= {"pairs": {"u": [*zip(items, scores, strict=True)]}}
    forms |= {"trec": trec, "table": table, "bare": bare, "lines": trec.read_text().splitlines()}
    for rank, item in enumerate(best_first, 1):
        for ties in ("trec", "input", "worst", "best"):
            found = rankassay.evaluate({"u": {item: 1}}, forms, "RR", threshold=1, ties=ties)
            assert found["RR"].tolist() == [1 / rank] * len(forms)


ITEMS = [100, 9, 10]  # by value 9, 10, 100; as text 10, 100, 9
TEXT = [*map(str, ITEMS)]


def forms_of_ties(folder):
    """Return runs that list the same items with equal scores, by form, with their ids' type."""
    rows = [("u", item, 1.0) for item in ITEMS]
    frame = pd.DataFrame(rows, columns=["user", "item", "score"])
    text = frame.astype({"item": str})
    names = ("run.trec", "run.csv", "run.tsv", "run.json", "run.parquet", "text.parquet")
    trec, table, bare, nested, numbers, letters = (folder / name for name in names)
    trec.write_text("".join(f"u Q0 {item} 1 1 tag\n" for item in ITEMS))
    text.to_csv(table, index=False)
    bare.write_text("".join(f"u\t{item}\t1\n" for item in ITEMS))
    nested.write_text(json.dumps({"u": dict.fromkeys(TEXT, 1.0)}))
    frame.to_parquet(numbers)
    text.to_parquet(letters)
    matrix = np.zeros((1, 101))
    matrix[0, ITEMS] = 1
    ints = {
        "dict": {"u": dict.fromkeys(ITEMS, 1.0)},
        "pairs": {"u": [(item, 1.0) for item in ITEMS]},
        "triples": rows,
        "frame": frame,
        "of 8 bits": frame.astype({"item": np.int8}),
        "unsigned": frame.astype({"item": np.uint64}),
        "floats": frame.astype({"item": float}),
        "with missing": frame.astype({"item": "Int64"}),
        "objects": frame.astype({"item": object}),
        "of both": frame.assign(item=pd.Series([100, 9.0, np.int64(10)], dtype=object)),
        "Series": frame.set_index(["user", "item"])["score"],
        "categories": frame.astype({"item": "category"}),
    }
    texts = {
        "dict of text": {"u": dict.fromkeys(TEXT, 1.0)},
        "frame of text": text,
        "strings": text.astype({"item": "string"}),
        "categories of text": text.astype({"item": "category"}),
        "trec": trec,
        "lines": trec.read_text().splitlines(),
        "table": table,
        "bare": bare,
        "json": nested,
        "parquet of text": letters,
    }
    made = {name: (run, "u", int) for name, run in ints.items()}
    made |= {name: (run, "u", str) for name, run in texts.items()}
    made["sparse"] = (sp.csr_matrix(matrix), 0, int)
    made["parquet"] = (numbers, "u", str)
    return made


@pytest.mark.parametrize(
    ("ties", "order"), [("item", [9, 10, 100]), ("trec", [9, 100, 10]), ("input", ITEMS)]
)
def test_one_rule_of_ties_holds_for_all_forms(ties, order, tmp_path):
    """By `item`, ids of a file were compared as text, and those of a frame as numbers."""
    for name, (run, user, kind) in forms_of_ties(tmp_path).items():
        if name == "sparse" and ties == "input":
            continue  # it has an order of its own
        for rank, item in enumerate(order, 1):
            qrels = {user: {kind(item): 1}}
            found = rankassay.evaluate(qrels, run, "RR", threshold=1, ties=ties)
            assert found["RR"] == 1 / rank, (name, item)


def test_one_rule_of_ties_holds_in_every_function(tmp_path):
    qrels = {"u": {"9": 1}, "v": {"9": 1}}
    tied = {user: dict.fromkeys(TEXT, 1.0) for user in qrels}
    other = {user: {"10": 2.0, "9": 1.0} for user in qrels}
    runs, how = {"tied": tied, "other": other}, {"threshold": 1, "ties": "item"}
    compared = rankassay.compare(qrels, runs, "RR@2", n_permutations=9, **how)
    assert compared.means["mean"].tolist() == [1.0, 0.5]
    assert rankassay.bounds(qrels, tied, "RR@2", **how).at["RR@2", "value"] == 1.0
    assert rankassay.sensitivity(qrels, runs, "P@1", **how)["hits_leader"].tolist() == [2.0]
    assert rankassay.preferences(qrels, runs, **how)["run_a"].tolist() == ["tied"]
    judged = rankassay.judge(qrels, runs, metrics="RR@2", **how)
    assert judged.systems["mean"].to_dict() == {"tied": 1.0, "other": 0.5}
    train = {"w": {"9": 1.0, "10": 1.0}, "x": {"9": 1.0}}
    shown = rankassay.beyond(tied, train, "ARP@1", ties="item")
    assert shown["ARP@1"] == 2.0


@pytest.mark.parametrize(
    ("ids", "order"),
    [
        (["b", "10", "9", "a"], ["9", "10", "a", "b"]),
        (["7", "07", "-1", "6"], ["-1", "6", "07", "7"]),
        ([str(2**70), "9" * 30, "1", "x1"], ["1", str(2**70), "9" * 30, "x1"]),
        (["\u0663", "4", "1e3", "1.0", "+2"], ["4", "+2", "1.0", "1e3", "\u0663"]),
        (["9" * 5000, "1" * 3000, "2"], ["2", "1" * 3000, "9" * 5000]),
    ],
)
def test_the_smaller_id_is_the_smaller_number_and_then_text(ids, order):
    for rank, item in enumerate(order, 1):
        run = {"u": dict.fromkeys(ids, 1.0)}
        found = rankassay.evaluate({"u": {item: 1}}, run, "RR", threshold=1, ties="item")
        assert found["RR"] == 1 / rank


def test_scores_that_are_written_in_two_ways_are_ties():
    lines = ["u Q0 a 1 1.0 t", "u Q0 b 2 1 t", "u Q0 c 3 1e0 t", "u Q0 d 4 0.5 t"]
    assert rankassay.ties({"u": {"a": 1}}, lines, "RR", threshold=1).loc["RR", "least"] == 1 / 3


@pytest.mark.filterwarnings("error")
def test_of_no_users_nothing_is_known():
    found = rankassay.ties(QRELS, {}, "RR", users="listed")
    assert found.drop(columns="tied").isna().all(axis=None)
