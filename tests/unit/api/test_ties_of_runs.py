"""What ties could change, against evaluations over all orders."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import rankassay
from rankassay.errors import RankassayError
from rankassay.statistics.ranges import overlap

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


def test_scores_that_are_written_in_two_ways_are_ties():
    lines = ["u Q0 a 1 1.0 t", "u Q0 b 2 1 t", "u Q0 c 3 1e0 t", "u Q0 d 4 0.5 t"]
    assert rankassay.ties({"u": {"a": 1}}, lines, "RR", threshold=1).loc["RR", "least"] == 1 / 3


@pytest.mark.filterwarnings("error")
def test_of_no_users_nothing_is_known():
    found = rankassay.ties(QRELS, {}, "RR", users="listed")
    assert found.drop(columns="tied").isna().all(axis=None)
