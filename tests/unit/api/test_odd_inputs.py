"""Anything that public functions cannot take ends in one line: no traceback, no rounding."""

import math
import re
import reprlib
import threading
import weakref
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import rankassay

QRELS = {"u": {1: 5, 5: 1}, "v": {1: 5}}
RUNS = {"a": {"u": [1]}, "b": {"u": [5]}}
VALUES = np.array([[0.1, 0.2], [0.3, 0.1], [0.5, 0.9], [0.2, 0.2]])
NEARLY = Fraction(10**20 - 1, 10**20)
LOST = "\ud800"  # half of a pair of surrogates, which no encoding has
LONG = "n" * 300  # no file system has such a name


def deep(n):
    """Return lists in lists."""
    found = []
    for _ in range(n):
        found = [found]
    return found


LOOP = []
LOOP.append(LOOP)
ENDLESS = (LOOP, [LOOP, LOOP], deep(5000))


def frame(**columns):
    """Return a frame with what pandas cannot copy among its attributes."""
    made = pd.DataFrame(columns)
    made.attrs["lock"] = threading.Lock()
    return made


def refused(message, function, *given, **named):
    with pytest.raises(rankassay.RankassayError, match=message) as error:
        getattr(rankassay, function)(*given, **named)
    assert len(str(error.value).splitlines()) == 1
    assert not re.search("at 0x[0-9a-f]{6}", str(error.value))


@pytest.mark.parametrize("ties", [frame(user=["u"]), np.array(["item", "trec"]), ["item"]])
def test_an_order_of_ties_that_is_no_text_is_refused(ties):
    refused("unknown order of ties", "evaluate", QRELS, RUNS, ["P@1"], ties=ties)


@pytest.mark.parametrize("one", [3, 0.5, np.int64(3), np.array(4), math.inf, 10**400])
def test_one_number_is_no_array(one):
    for function in ("permutation_test", "reliability", "discriminative_power"):
        refused("values: expected", function, one)


@pytest.mark.parametrize("endless", ENDLESS)
def test_lists_without_an_end_are_refused(endless):
    for function in ("permutation_test", "reliability", "discriminative_power"):
        refused("values: expected an array of numbers", function, endless)
    refused("values: expected an array", "required_users", endless, difference=1)
    refused("ranks: expected an array", "correct_sampled", endless, 100, 10)
    refused("the run: expected .* ids", "evaluate", QRELS, {"u": endless})
    refused("the judgements: expected", "evaluate", {"u": {1: endless}}, RUNS)
    refused("unknown profile", "evaluate", QRELS, RUNS, profile=endless)
    refused("n_items: expected", "evaluate", QRELS, RUNS, n_items=endless)
    refused("a: expected", "rank_correlation", endless, {"a": 1})
    refused("item_groups: expected", "beyond", RUNS, QRELS, item_groups={1: endless})
    refused("aspects: expected", "beyond", RUNS, QRELS, aspects={1: [endless]})
    refused("equivalence: expected", "compare", QRELS, RUNS, equivalence=endless)


@pytest.mark.parametrize("array", [np.array([1, 2]), pd.Series([1, 2]), np.matrix([1, 2])])
def test_groups_are_named_by_what_can_be_a_name(array):
    refused("item_groups: expected the name", "beyond", RUNS, QRELS, item_groups={1: array, 5: 2})


def test_texts_without_a_code_are_refused():
    refused("item ids cannot be distinguished", "evaluate", QRELS, {"u": [LOST]})
    refused("user ids cannot be distinguished", "evaluate", {LOST: {1: 5}}, RUNS)
    refused("item ids cannot be distinguished", "evaluate", QRELS, [("u", LOST, 1)])
    refused("line 1: expected text of UTF-8", "evaluate", QRELS, [f"u Q0 1 1 1 {LOST}"])
    refused("metrics: expected", "evaluate", QRELS, RUNS, LOST)
    refused("measures: expected", "discriminative_power", VALUES, LOST)
    columns = pd.Index(["a", LOST], dtype=object)
    refused("table: expected", "across_datasets", pd.DataFrame(VALUES, columns=columns))


def test_a_name_too_long_for_a_file_may_still_be_none_of_a_column():
    table = pd.DataFrame({"user": ["u"], "item": [1], "rating": [5.0]})
    refused("unknown column", "evaluate", table, RUNS, "IPS@1", propensities=LONG)
    named = table.rename(columns={"user": "qid"}).assign(**{LONG: 0.5})
    found = rankassay.evaluate(named, RUNS["a"], "IPS@1", propensities=LONG)
    assert found["IPS@1"] == 2


def test_names_and_ids_of_thousands_of_digits_are_not_written_out():
    long = 10**5000
    table = pd.DataFrame([["u", 1, 5]], columns=[long, "item", "rating"])
    refused("int of thousands of digits, item, rating", "evaluate", table, RUNS)
    popular = {"kind": "popularity", "train": table[[long]]}
    refused("int of thousands of digits", "robustness", QRELS, RUNS, "RR", **popular)
    refused("expected each of the columns user, n_items", "evaluate", QRELS, RUNS, n_items=table)
    refused("user int of thousands of digits, item 1. has no rating", "judged", {long: {1: None}})
    refused("int of thousands of digits .number. and 'u'", "judged", {long: {1: 5}, "u": {1: 5}})
    refused("of user int of thousands", "evaluate", QRELS, {"a": {"u": [1], long: 3}, "b": {}})
    found = rankassay.across_datasets(pd.DataFrame(VALUES, columns=[long, "a"]), samples=10)
    assert "int of thousands of digits" in found.ranks.index
    gap = pd.DataFrame([[1, np.nan], [2, 3]], index=[long, 1], columns=["a", "b"])
    refused("on 'int of thousands of digits'", "across_datasets", gap)


@pytest.mark.parametrize("long", [10**5000, "9" * 5000], ids=["number", "text"])
def test_the_judge_takes_ids_of_thousands_of_digits(long):
    judged = {1: {1: 5, 5: 1}, 2: {long: 5}, long: {1: 1}}
    if isinstance(long, str):
        judged = {str(user): {str(i): r for i, r in own.items()} for user, own in judged.items()}
    runs = {name: {user: [*judged[user]] for user in judged} for name in "ab"}
    assert "a" in str(rankassay.judge(judged, runs, train=judged, cutoffs=[1]))


class Raising:
    """What others wrote, and cannot be shown."""

    def __repr__(self):
        raise TypeError("no")


def newer_repr_int(self, x, level):
    """Word a whole number as reprlib of Python 3.14 does."""
    try:
        return repr(x)
    except ValueError:
        return f"<{type(x).__name__} instance with roughly 5001 digits at {id(x):#x}>"


@pytest.mark.parametrize("newer", [False, True])
def test_the_words_of_long_numbers_are_those_of_all_versions_of_python(monkeypatch, newer):
    if newer:
        monkeypatch.setattr(reprlib.Repr, "repr_int", newer_repr_int)
    long, words = 10**5000, "int of thousands of digits"
    half = Fraction(long, 2)
    runs = {long: RUNS["a"], 1: RUNS["b"]}
    for function in ("evaluate", "compare", "bounds", "ties", "preferences", "robustness", "judge"):
        refused(f"found {words} .int.; rename", function, QRELS, runs)
    refused(
        rf"metrics: expected .* found \[{words}, 'P'\] .list", "evaluate", QRELS, RUNS, [long, "P"]
    )
    refused("found Fraction of thousands of digits .Frac", "evaluate", QRELS, RUNS, threshold=half)
    refused(f"cutoffs: expected .* found {words}[.]", "judge", QRELS, RUNS, cutoffs=long)
    refused(f"b: expected .* found {words}[.]", "rank_correlation", {"a": 1}, long)
    refused(f"among the outcomes '{words}'", "judge", QRELS, RUNS, outcomes={long: 1})
    refused(f"equivalence: expected .* found {words}[.]", "compare", QRELS, RUNS, equivalence=long)
    own = {1: [[long]], 5: ["x"]}
    refused(rf"found \[\[{words}\]\] for 1", "beyond", RUNS, QRELS, aspects=own)


@pytest.mark.parametrize(
    ("odd", "words"),
    [
        (object(), "<object object>"),
        (Raising(), "Raising that cannot be written"),
        (Raising().__repr__, "method that cannot be written"),
        ((i for i in ()), "<generator object <genexpr>>"),
        (lambda: None, "<function <lambda>>"),
        (memoryview(b""), "<memory>"),
        (weakref.ref(Raising), "<weakref; to 'type' .Raising.>"),
        ({object}.pop, "<built-in method pop of set object>"),
    ],
)
def test_no_message_holds_an_address(odd, words):
    """It differs from run to run; `refused` looks for one."""
    refused(f"unknown profile {words} ", "evaluate", QRELS, RUNS, profile=odd)
    refused("n_items: expected", "evaluate", QRELS, RUNS, n_items=odd)
    refused("unknown metric|metrics: expected", "evaluate", QRELS, RUNS, [odd])
    refused("values: expected", "reliability", [odd])
    refused("cutoffs: expected", "judge", QRELS, RUNS, cutoffs=[odd])
    refused("the run: expected|the run b", "evaluate", QRELS, {"u": [odd]})
    refused("the judgements: expected numbers", "evaluate", {"u": {1: odd}}, RUNS)
    refused("of user 'u'", "evaluate", {"u": odd}, RUNS)


def test_a_file_whose_name_looks_like_an_address_is_named():
    refused("dump at 0x10.csv", "evaluate", "dump at 0x10.csv", RUNS)


def test_what_has_no_end_is_refused_at_its_first_wrong_part():
    """Going through it would take hours."""
    many, level = range(10**12), np.broadcast_to(np.int8(1), 2**40)
    for function in ("permutation_test", "reliability"):
        refused("values: 1000000000000 would take 8000.0 GB", function, many)
    refused("metrics: expected one or more names", "evaluate", QRELS, RUNS, many)
    refused("levels: .* would take 8000.0 GB", "robustness", QRELS, RUNS, "RR", levels=many)
    refused("levels: .* would take 8796.1 GB", "robustness", QRELS, RUNS, "RR", levels=level)
    refused("found 0 .int. at place 0", "evaluate", QRELS, many)
    refused("found 0 .int. at place 0", "judged", many)


def test_numbers_beyond_float64_and_times_are_refused():
    large = np.array([[1, 2], [3, 4]], np.longdouble) * np.longdouble("1e4000")
    refused("numbers that float64 holds", "reliability", large)
    refused("found ndarray", "evaluate", QRELS, np.array([["2020", "2021"]], "M8[D]"))


def test_texts_without_a_code_may_index_a_series():
    lost = pd.Series([0.5], pd.Index([LOST], dtype=object))
    refused("user ids cannot be distinguished", "evaluate", QRELS, RUNS, n_items=lost)
    refused("item ids cannot be distinguished", "evaluate", QRELS, RUNS, "IPS@1", propensities=lost)
    refused(
        "n_items: expected", "evaluate", QRELS, RUNS, n_items=lost.rename(index=lambda _: ("u", 1))
    )


def test_long_texts_are_cut_and_long_paths_refused():
    text = "nDCG(a=" + "(" * 3000
    for function, given, name in (
        ("across_datasets", [pd.DataFrame(VALUES)], "equivalence"),
        ("preferences", [QRELS, RUNS], "kind"),
        ("rank_correlation", [{1: 1}], "b"),
    ):
        with pytest.raises(rankassay.RankassayError) as error:
            getattr(rankassay, function)(*given, **{name: text})
        assert len(str(error.value)) < 300
    refused("folder: expected the path of a file", "summary", "a/" * 2000)


def test_propensities_of_odd_shape_are_refused():
    table = pd.DataFrame([["u", 1, 5, 0.5, 0.5]], columns=["user", "item", "rating", "p", "p"])
    refused("each of the columns p once", "evaluate", table, RUNS, "IPS@1", propensities="p")
    three = pd.Series([0.9], pd.MultiIndex.from_tuples([("u", 1, 2)]))
    refused("found one of float64 with 3", "evaluate", QRELS, RUNS, "IPS@1", propensities=three)


def test_attributes_of_frames_do_no_harm():
    qrels = frame(user=["u", "u"], item=[1, 5], rating=[5.0, 1.0], p=0.5)
    run = frame(user_id=["u"], item=[1], score=[1.0])
    expected = rankassay.evaluate(QRELS | {"v": {}}, {"u": [1]}, "RR")
    pd.testing.assert_series_equal(rankassay.evaluate(qrels, run, "RR"), expected)
    users = rankassay.evaluate(
        qrels, {"a": run, "b": run}, "IPS@1", per_user=True, propensities="p"
    )
    assert users["IPS@1"].tolist() == [2, 2]
    rankassay.evaluate(qrels, run, "AUC", n_items=frame(user=["u"], n_items=[9]))
    rankassay.evaluate(qrels, run, "IPS@1", propensities=frame(item=[1, 5], propensity=0.5))
    rankassay.robustness(qrels, RUNS, "RR", kind="popularity", train=frame(item=[1, 5]))
    table = frame(a=VALUES[:, 0], b=VALUES[:, 1])
    assert rankassay.permutation_test(table).p_values.columns.tolist() == ["a", "b"]
    assert rankassay.across_datasets(table).n_datasets == 4


@pytest.mark.parametrize(
    "said",
    [
        {"rankassay": "0", "counted": {}},
        {"rankassay": "0", "counted": {"a": {}}},
        {"rankassay": "0", "counted": 3},
        {"rankassay": "0", "counted": {"a": {"users": "x"}}, "metrics": [1], "ties": []},
    ],
)
def test_definitions_that_others_wrote_are_refused(said):
    result = pd.Series([1.0])
    result.attrs["definitions"] = said
    refused("expected one of rankassay.evaluate.* found a Series without", "describe", result)


@pytest.mark.parametrize(
    "number",
    [
        *(Fraction(1, 3), Fraction(4 * 10**20 + 1, 10**20), NEARLY, 2**53 + 1),
        np.longdouble(4) + np.longdouble(2) ** -60,
    ],
)
def test_numbers_that_float64_takes_for_others_are_refused(number):
    """Of one third as a fraction and as float64, the fraction is the larger one."""
    refused("threshold: expected", "evaluate", {"u": {1: 1 / 3}}, {"u": [1]}, threshold=number)
    if number == NEARLY:
        for function, given in (("reliability", [VALUES]), ("evaluate", [QRELS, RUNS["a"]])):
            refused("between 0 and 1 that float64", function, *given, confidence=number)
        refused("persistence: expected", "rank_correlation", {1: 1}, {1: 1}, persistence=number)
    refused("a, 1: expected", "rank_correlation", {1: number}, {1: 1})
    refused("levels: expected", "robustness", QRELS, RUNS, "RR", levels=[100, number])
    table = np.array([[number, 1], [2, 3]], dtype=object)
    refused("values: expected numbers that float64 holds", "permutation_test", table)


def test_fractions_that_float64_holds_are_what_they_are():
    for threshold in (Fraction(18, 5), 3.6, np.longdouble(3.6)):
        found = rankassay.evaluate({"u": {1: 3.6}}, {"u": [1]}, "RR", threshold=threshold)
        assert found["RR"] == 1
    levels = [Fraction(100), Fraction(101, 2), np.longdouble(50)]
    table = rankassay.robustness(QRELS, RUNS, "RR", levels=levels, samples=2)
    assert table["level"].tolist() == [100, 50.5, 50]
    refused("numbers that float64 holds", "permutation_test", np.array([[2**60 + 1, 1], [1, 2]]))


def test_ids_of_extended_precision_are_compared_as_numbers():
    ids = np.array([1, 5], np.longdouble)
    for run in ({"u": ids}, {"u": [*ids]}, {"u": dict.fromkeys(ids, 1.0)}):
        assert rankassay.evaluate(QRELS, run, "Success@2", threshold=4)["Success@2"] == 0.5
    near = np.longdouble(1) + np.longdouble(2) ** -60
    refused("expected item ids", "evaluate", QRELS, {"u": [near]})


@pytest.mark.slow
def test_what_does_not_fit_into_memory_is_told_with_what_it_would_take():
    """No machine has terabytes; the arrays are views of one number."""
    many, wide = np.broadcast_to(1.0, (2**20, 2**20)), np.broadcast_to(1.0, (3, 2**20))
    refused("values: .* would take 8796.1 GB of memory", "permutation_test", many)
    refused("values: .* would take 8796.1 GB of memory", "reliability", many)
    refused("the run, items: .* would take", "evaluate", {0: {1: 5}}, many)
    for function in ("permutation_test", "discriminative_power"):
        refused("the pairs of systems: .* would take", function, wide)
    refused("the pairs of systems: .* would take", "required_users", wide, percent=5)
    counts = {"n_items": 2**31 - 1, "beyond_list": "any"}
    qrels = {user: {1: 5} for user in range(300)}
    refused("n_items: .* would take", "bounds", qrels, {0: [1]}, "AP@3", **counts)


def test_a_matrix_may_have_many_users_without_a_rating():
    matrix = sp.coo_array(([5.0], ([2**20], [2**31 - 2])), shape=(2**21, 2**31 - 1)).tocsr()
    assert rankassay.evaluate(matrix, {2**20: [2**31 - 2]}, "RR")["RR"] == 1
