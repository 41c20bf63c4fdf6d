"""Sentences of several rows: the one number that decides them."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from claims_made_up import NOISE, PAPER, bare, judge

from rankassay.claims.conditions import PREDICATES, Condition
from rankassay.claims.judge import COLUMNS, CONDITIONS, statistic
from rankassay.claims.lists import STATISTICS, expand
from rankassay.claims.measure import Cube

HOLDS, OPEN, FAILS = "holds", "inconclusive", "does not hold"
ABOVE = {"above": 0.0, "margin": 0.1}


def rows(*said, decided_by="share", **more):
    """Return claims about the one row of each metric a, b, c ..., of one sentence."""
    claims = [
        bare({"rows": {"metric": name}}, *own, name=name, sentence="deep") | more
        for name, own in zip("abcdefghij", said, strict=False)
    ]
    deep = {"where": "section 6", "says": "Deep is better.", "decided_by": decided_by}
    return expand(claims, PAPER, {"deep": deep})


def numbers(values, exact=False):
    """Return a table of the numbers of each metric, (n_metrics, 1 + n_replicates)."""
    values = np.array(values, dtype=float)
    values = values[:, None] if values.ndim == 1 else values
    return {
        "sparsity": Cube(pd.DataFrame({"metric": [*"abcdefghij"][: len(values)]}), values, exact)
    }


def deciding(claims, tables, families=None):
    """Return the row that decides the one sentence."""
    found = judge(claims, tables, "ml-1m", families)
    (row,) = found[found["decides"]].to_dict("records")
    return row


def by_hand(name, predicates, values):
    """Return the number that decides a sentence, of the numbers of its rows: one at a time."""
    holds, leads, distances = [], [], []
    for (predicate, bound, margin), value in zip(predicates, values, strict=True):
        distances.append(abs(value - bound) / margin)
        if predicate == "near":
            holds.append(abs(value - bound) <= margin)
            leads.append(1 - distances[-1])
        else:
            right = value - bound if predicate in ("above", "at_least") else bound - value
            holds.append(right > 0 if predicate in ("above", "below") else right >= -margin)
            leads.append(right / margin)
    share = sum(holds) / len(holds)
    return {"share": share, "least": min(leads), "distance": sum(distances) / len(holds)}[name]


@pytest.mark.parametrize("name", STATISTICS)
def test_the_number_is_made_of_the_rows_and_of_each_replicate_and_family_likewise(name):
    """Brute force: a sentence of random rows, of each draw of users and without each family."""
    rng = np.random.default_rng(len(name))
    kinds = ["near"] * 7 if name == "distance" else [*PREDICATES, "near", "above"]
    predicates = [(kind, rng.normal(), rng.exponential() + 0.1) for kind in kinds]
    said = [
        ({"near": margin}, bound) if kind == "near" else ({kind: bound, "margin": margin},)
        for kind, bound, margin in predicates
    ]
    drawn, without = rng.normal(size=(7, 41)), rng.normal(size=(7, 1 + 8))
    claims = rows(*said, decided_by=name)
    row = deciding(claims, numbers(drawn), numbers(without))
    expected = [by_hand(name, predicates, own) for own in drawn.T]
    assert row["measured"] == pytest.approx(expected[0], rel=1e-12)
    assert row["error_users"] == pytest.approx(np.std(expected[1:], ddof=1), rel=1e-12)
    expected = [by_hand(name, predicates, own) for own in without.T[1:]]
    assert row["error_systems"] == pytest.approx(7 * scipy.stats.sem(expected), rel=1e-12)
    assert (row["resamples"], row["families"], row["splits"]) == (40, 8, 1)
    condition = CONDITIONS[name]
    assert row["reproduced"] == condition.verdict(row["low"], row["high"])
    assert row["general"] == condition.verdict(row["general_low"], row["general_high"])


@pytest.mark.parametrize(
    ("name", "low", "high", "expected"),
    [
        ("share", 0.9, 1.0, HOLDS),
        ("share", 0.8, 1.0, HOLDS),
        ("share", 0.79, 1.0, OPEN),
        ("share", 0.5, 0.9, OPEN),
        ("share", 0.5, 0.89, FAILS),
        ("least", 0.001, 5.0, HOLDS),
        ("least", -3.0, 1.0, OPEN),
        ("least", -3.0, 0.99, FAILS),
        ("distance", 0.2, 1.0, HOLDS),
        ("distance", 0.2, 1.01, OPEN),
        ("distance", 1.01, 3.0, FAILS),
    ],
)
def test_how_much_is_enough(name, low, high, expected):
    assert CONDITIONS[name].verdict(low, high) == expected


@pytest.mark.parametrize(
    ("name", "said", "end", "expected"),
    [
        ("share", (ABOVE,), "high", 1.0),
        ("distance", ({"near": 0.1}, 0.5), "low", 0.0),
    ],
)
def test_intervals_stay_where_the_number_can_be(name, said, end, expected):
    draws = [[0.5, 0.5, 0.5, -0.5], [0.4, 0.4, 0.4, -0.6]]
    row = deciding(rows(said, said, decided_by=name), numbers(draws))
    assert row[end] == expected
    assert row["low"] < row["measured"] <= row["high"]


def test_the_row_that_decides_says_what_it_is():
    values = [[0.4, *(0.4 + NOISE)], [0.3, *(0.3 + NOISE)], [-0.2, *(-0.2 + NOISE)]]
    found = judge(rows(*[(ABOVE,)] * 3, why="So."), numbers(values), "ml-1m")
    assert [*found] == COLUMNS
    assert found["id"].tolist() == ["a", "b", "c", "deep:share"]
    assert found["decides"].tolist() == [False, False, False, True]
    row = found.iloc[3]
    told = ["sentence", "says", "said_in", "source", "kind", "claim", "expected", "why"]
    assert row[told].tolist() == [
        *("deep", "Deep is better.", "section 6", f"{PAPER}, figure 1", "finding"),
        *("The share of its 3 rows that hold.", "at least 0.9 (margin 0.1)", ""),
    ]
    assert row["measured"] == pytest.approx(2 / 3)
    assert (row["holds"], row["reproduced"], row["undefined"]) == (False, FAILS, 0)
    assert (row["least"], row["greatest"], row["exact"]) == (0, 1, False)
    assert pd.isna(row[["published", "reason", "error_splits"]]).all()
    assert found["holds"].tolist()[:3] == [True, True, False]


def test_rows_and_what_decides_them_are_in_the_order_of_the_sentences():
    first, second = (rows((ABOVE,), (ABOVE,)) for _ in range(2))
    second = [c | {"id": f"{c['id']}-2", "sentence": "other"} for c in second]
    mixed = [first[0], second[0], first[1], second[1]]
    found = judge(mixed, numbers([0.1, 0.2]), "ml-1m")
    ids = ["a", "b", "deep:share", "a-2", "b-2", "other:share"]
    assert found["id"].tolist() == ids


def test_a_sentence_of_one_row_is_decided_by_it():
    for name in STATISTICS:
        found = judge(rows((ABOVE,), decided_by=name), numbers([0.5]), "ml-1m")
        assert found[["id", "decides"]].to_numpy().tolist() == [["a", True]]


def test_a_row_decides_where_the_sentence_says_so():
    claims = rows((ABOVE,), ({"below": 0.0},), (ABOVE,), decided_by="b")
    found = judge(claims, numbers([0.5, 0.4, 0.3], exact=True), "ml-1m")
    assert found.loc[found["decides"], ["id", "reproduced"]].to_numpy().tolist() == [["b", FAILS]]
    assert len(found) == 3
    # It decides even where it was not asked, or is undefined: no other row says what it says.
    known = numbers([0.5, np.nan, 0.3], exact=True)
    row = deciding(claims, known)
    assert (row["id"], row["reproduced"]) == ("b", "undefined")
    left = Cube(known["sparsity"].keys[::2], known["sparsity"].values[::2], exact=True)
    row = deciding(claims, {"sparsity": left})
    assert (row["id"], row["reproduced"]) == ("b", "not asked")


def test_a_claim_may_have_the_name_of_a_statistic_and_decides_its_own_sentence_alone():
    first, second = bare({"rows": {"metric": "a"}}, ABOVE), bare({"rows": {"metric": "b"}}, ABOVE)
    alone = expand([first | {"id": "share"}, second | {"id": "b"}], PAPER)
    assert judge(alone, numbers([0.5, 0.4]), "ml-1m")["decides"].tolist() == [True, True]


def test_rows_that_were_not_asked_do_not_count():
    claims = rows(*[(ABOVE,)] * 4)
    values = numbers([0.5, -0.5], exact=True)
    found = judge(claims, values, "ml-1m")
    assert found["reproduced"].tolist() == [HOLDS, FAILS, "not asked", "not asked", FAILS]
    assert found.iloc[4][["id", "measured"]].tolist() == ["deep:share", 0.5]
    assert found.iloc[4]["claim"] == "The share of its 2 rows that hold."
    # Of one that was asked it is this row; of none, the first.
    found = judge([claims[2], claims[1], claims[3]], values, "ml-1m")
    assert found.loc[found["decides"], ["id", "reproduced"]].to_numpy().tolist() == [["b", FAILS]]
    found = judge(claims[2:], values, "ml-1m")
    assert found["decides"].tolist() == [True, False]


def test_rows_without_a_value_do_not_count():
    row = deciding(rows(*[(ABOVE,)] * 3), numbers([0.5, np.nan, 0.4], exact=True))
    assert (row["measured"], row["reproduced"]) == (1.0, HOLDS)


def test_facts_count_where_a_sentence_has_no_findings():
    claims = rows(*[(ABOVE,)] * 4)
    kinds = ["fact", "finding", "finding", "fact"]
    mixed = [claim | {"kind": kind} for claim, kind in zip(claims, kinds, strict=True)]
    values = numbers([-0.5, 0.5, 0.4, -0.4], exact=True)
    row = deciding(mixed, values)
    assert (row["measured"], row["kind"]) == (1.0, "finding")
    facts = [claim | {"kind": "fact"} for claim in claims]
    row = deciding(facts, values)
    assert (row["measured"], row["kind"], row["exact"]) == (0.5, "fact", True)


def test_questions_of_ours_are_decided_apart_from_what_a_paper_says():
    claims = rows(*[(ABOVE,)] * 4)
    claims[1:3] = [claim | {"source": "ours"} for claim in claims[1:3]]
    values = numbers([0.5, -0.5, -0.4, 0.4], exact=True)
    found = judge(claims, values, "ml-1m")
    told = found[found["decides"]].set_index("source")["measured"].to_dict()
    assert told == {f"{PAPER}, figure 1": 1.0, "ours": 0.0}
    # Where a row of the one decides, it decides nothing of the other.
    found = judge([claim | {"decided_by": "d"} for claim in claims], values, "ml-1m")
    assert found.loc[found["decides"], "id"].tolist() == ["b", "d"]


def test_a_sentence_of_exact_rows_is_exact_and_of_some_is_not():
    exact = Cube(pd.DataFrame({"metric": [*"ab"]}), np.array([[0.5], [0.4]]), exact=True)
    drawn = Cube(pd.DataFrame({"metric": ["c"]}), np.array([[0.3, 0.2, -0.1, 0.4]]))
    claims = rows(*[(ABOVE,)] * 3)
    claims[2]["value"] |= {"table": "drawn"}
    row = deciding(claims, {"sparsity": exact, "drawn": drawn})
    assert (row["exact"], row["measured"], row["resamples"]) == (False, 1.0, 3)
    assert row["error_users"] == pytest.approx(np.std([1, 2 / 3, 1], ddof=1))
    row = deciding(claims[:2], {"sparsity": exact, "drawn": drawn})
    assert (row["exact"], row["reproduced"], row["low"], row["general"]) == (True, HOLDS, 1, "")


def test_rows_of_more_replicates_than_others_count_with_as_many():
    claims = rows(*[(ABOVE,)] * 2)
    claims[1]["value"] |= {"table": "fewer"}
    more = Cube(pd.DataFrame({"metric": ["a"]}), np.array([[0.5, 0.5, -0.5, -0.5, -0.5]]))
    fewer = Cube(pd.DataFrame({"metric": ["b"]}), np.array([[0.5, 0.5, 0.5]]))
    row = deciding(claims, {"sparsity": more, "fewer": fewer})
    assert row["resamples"] == 2
    assert row["error_users"] == pytest.approx(np.std([1, 0.5], ddof=1))


def test_a_sentence_is_general_where_all_its_rows_have_families():
    claims = rows(*[(ABOVE,)] * 2)
    values = [[0.5, *(0.5 + NOISE)]] * 2
    without = numbers([[0.5, *np.linspace(0.3, 0.7, 6)]] * 2)
    row = deciding(claims, numbers(values), without)
    assert (row["reproduced"], row["general"], row["families"]) == (HOLDS, HOLDS, 6)
    claims[1]["value"] |= {"table": "other"}
    row = deciding(claims, numbers(values) | {"other": numbers(values)["sparsity"]}, without)
    assert (row["reproduced"], row["general"], row["families"]) == (HOLDS, "", 0)


def test_what_is_undefined_in_a_replicate_does_not_hold_and_has_no_lead():
    values = np.array([0.5, np.nan, 0.5]), np.array([0.3, 0.3, -0.1])
    above = [Condition("above", 0.0, 0.1)] * 2
    near = [Condition("near", 0.5, 0.1)] * 2
    assert statistic("share", above, values) == pytest.approx([1, 0.5, 0.5])
    assert statistic("least", above, values) == pytest.approx([3, np.nan, -1], nan_ok=True)
    assert statistic("distance", near, values) == pytest.approx([1, np.nan, 3], nan_ok=True)
