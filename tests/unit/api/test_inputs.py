"""Public functions refuse what they cannot take, in one line: nothing is rounded or guessed."""

import math

import numpy as np
import pandas as pd
import pytest

import rankassay
from rankassay.artifacts.arrays import Rankings
from rankassay.metrics.judgements import Judgements, Lists

QRELS = {"ann": {"film": 5, "book": 2}, "bob": {"song": 4, "film": 1}}
RUN = {"ann": {"film": 0.9, "game": 0.8}, "bob": {"song": 0.7, "film": 0.1}}
RUNS = {"good": RUN, "poor": {"ann": {"game": 1, "book": 0.5}, "bob": {"game": 1}}}
VALUES = np.array([[0.1, 0.2], [0.4, 0.1], [0.3, 0.9]])
FRAME = pd.DataFrame({"user": ["ann", "bob"], "item": ["film", "song"], "rating": [5.0, 4.0]})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n_items": 2**31}, "n_items: expected a whole number from 1 to 2147483647"),
        ({"n_items": 3.7}, "n_items: expected a whole number"),
        ({"n_items": pd.Series({"ann": 2**31, "bob": 9})}, "n_items: user 'ann'"),
        ({"n_items": pd.Series({"ann": 9.5, "bob": 9})}, "n_items: user 'ann'"),
        ({"threshold": math.nan}, "threshold: expected a finite number"),
        ({"threshold": "4"}, "threshold: expected a finite number"),
        ({"depth": -1}, "depth: expected a whole number from 1"),
        ({"depth": 2.5}, "depth: expected a whole number from 1"),
        ({"depth": True}, "depth: expected a whole number from 1"),
        ({"seed": -1}, "seed: expected a whole number from 0"),
        ({"confidence": 95}, "confidence: expected a finite number between 0 and 1"),
        ({"per_user": "no"}, "per_user: expected True or False"),
        ({"metrics": [3]}, "metrics: expected one or more names"),
        ({"metrics": []}, "metrics: expected one or more names"),
        ({"profile": ["paper"]}, "unknown profile"),
        ({"ties": ["item"]}, "unknown order of ties"),
    ],
)
def test_evaluate_refuses_values_that_it_would_have_to_bend(given, message):
    with pytest.raises(rankassay.RankassayError, match=message):
        rankassay.evaluate(QRELS, RUN, **({"metrics": ["AUC", "P@2"]} | given))


@pytest.mark.parametrize(
    ("qrels", "run", "message"),
    [
        (FRAME.assign(rating=[math.inf, 1.0]), RUN, "has the rating inf, beyond 1e"),
        (FRAME.assign(rating=[1.0, -1e301]), RUN, "has the rating -1e"),
        (FRAME.assign(item=[1, "1"]), RUN, "ids of one type, found 1 .number. and '1' .str."),
        ({"ann": {1: 5, "1": 4}}, RUN, "ids of one type"),
        ({1: {"film": 5}, "ann": {"film": 4}}, RUN, "expected user ids of one type"),
        (FRAME.assign(user=[2.0**53, 1.0]), RUN, "beyond 2.53 as floating-point numbers"),
        (
            FRAME.assign(item=[["a"], ["b"]]),
            RUN,
            "item ids that are text or whole numbers, found .'a'. .list.",
        ),
        (pd.concat([FRAME, FRAME["item"]], axis=1), RUN, "expected one column item, found several"),
        ({"ann": ["film"]}, RUN, "of user 'ann', found list; if these are likes, give {item: 1}."),
        (QRELS, {"ann": 3}, "expected a dict {item: score} of user 'ann', found int"),
        (QRELS, "nowhere/at.run", r"nowhere/at.run: expected a file"),
        ({"ann": {"film": 10**400}}, RUN, "expected numbers in the column rating"),
    ],
)
def test_evaluate_refuses_rows_that_could_be_taken_for_others(qrels, run, message):
    with pytest.raises(rankassay.RankassayError, match=message):
        rankassay.evaluate(qrels, run)


def test_ids_of_two_kinds_of_numbers_are_compared_exactly():
    big = 2**53
    qrels = pd.DataFrame({"user": [1], "item": np.array([big + 1], np.int64), "rating": [5.0]})
    for kind in (np.int64, np.uint64):
        run = pd.DataFrame({"user": [1], "item": np.array([big], kind), "score": [1.0]})
        assert rankassay.evaluate(qrels, run, "P@1")["P@1"] == 0
        run["item"] = np.array([big + 1], kind)
        assert rankassay.evaluate(qrels, run, "P@1")["P@1"] == 1
    # Whole numbers that pandas made floats of, because some were missing once, match as before.
    floats = pd.DataFrame({"user": [1.0], "item": [7.0], "score": [1.0]})
    assert rankassay.evaluate(qrels.assign(item=[7]), floats, "P@1")["P@1"] == 1


def test_one_name_need_not_stand_in_a_list():
    assert rankassay.evaluate(QRELS, RUN, "P@1").index.tolist() == ["P@1"]
    table = rankassay.discriminative_power(VALUES, "PR", n_permutations=1e3, replicates=0)
    assert table.index.tolist() == ["PR"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"depth": -1}, "depth: expected a whole number from 1"),
        ({"depth": 0}, "depth: expected a whole number from 1"),
        ({"samples": 2.5}, "samples: expected a whole number from 1"),
        ({"seed": -1}, "seed: expected a whole number from 0"),
        ({"levels": [0.5]}, "levels: expected percentages from 1 to 100"),
        ({"levels": [math.nan]}, "levels: expected percentages from 1 to 100"),
        ({"levels": 50}, "levels: expected percentages from 1 to 100"),
        ({"persistence": math.nan}, "persistence: expected a finite number between 0 and 1"),
        ({"round_means": 2.5}, "round_means: expected a whole number from 0 to 15"),
        ({"unjudged_users": "keep"}, "unknown choice for unjudged users"),
        ({"kind": "popularity", "train": {"item": ["film"]}}, "training ratings: expected"),
        ({"kind": "popularity", "train": {}}, "training ratings: expected rows with ratings"),
        ({"train": pd.DataFrame({"rating": [1]})}, "train: expected a frame with one column item"),
        (
            {"train": pd.DataFrame([["u", "i", "j"]], columns=["user", "item", "item"])},
            "train: expected a frame with one column item",
        ),
        (
            {"kind": "popularity", "train": pd.DataFrame({"item": [1, 2]})},
            "train: no judged item has a training rating",
        ),
    ],
)
def test_robustness_refuses_values_that_it_would_have_to_bend(given, message):
    with pytest.raises(rankassay.RankassayError, match=message):
        rankassay.robustness(QRELS, RUNS, ["P@2"], **({"levels": [100, 50], "samples": 2} | given))


def test_robustness_takes_training_ratings_in_all_forms(tmp_path):
    train = {"eve": {"film": 3, "song": 1}, "joe": {"song": 2}, "liz": {"song": 5, "tune": 4}}
    rows = [(user, item, n) for user, own in train.items() for item, n in own.items()]
    table = pd.DataFrame(rows, columns=["userId", "movieId", "rating"])
    table.to_csv(tmp_path / "train.csv", index=False)
    forms = (rows, table, table[["movieId"]], str(tmp_path / "train.csv"))

    def found(given):
        own = {"kind": "popularity", "levels": [50], "train": given}
        return rankassay.robustness(QRELS, RUNS, ["P@2", "RR"], **own)

    for form in forms:
        pd.testing.assert_frame_equal(found(form), found(train))
    assert found(train)["ratings"].tolist() == [3, 3]  # all but those of the song
    assert not found(train).equals(found(None))


@pytest.mark.parametrize(
    ("values", "given", "message"),
    [
        (VALUES, {"n_permutations": 0}, "n_permutations: expected a whole number from 1"),
        (VALUES, {"n_permutations": 10.5}, "n_permutations: expected a whole number from 1"),
        (VALUES, {"seed": -3}, "seed: expected a whole number from 0"),
        (VALUES, {"add_one": "yes"}, "add_one: expected True or False"),
        (VALUES.astype(str), {}, "values: expected an array of numbers"),
        (VALUES + 1j, {}, "values: expected an array of numbers"),
        ([[1, 2], [3]], {}, "values: expected an array of numbers"),
        (np.where(VALUES > 0.8, np.inf, VALUES), {}, "values: expected finite numbers"),
        (np.ma.masked_less(VALUES, 0.5), {}, "values: expected an array without a mask"),
        ([*np.ma.masked_less(VALUES, 0.5)], {}, "values: expected an array without a mask"),
    ],
)
def test_tests_refuse_values_that_they_would_have_to_bend(values, given, message):
    for function in (rankassay.permutation_test, rankassay.discriminative_power):
        with pytest.raises(rankassay.RankassayError, match=message):
            function(values, **given)


def test_without_values_there_are_no_p_values_and_with_those_of_one_user_no_interval():
    values = np.full((6, 3), np.nan)
    test = rankassay.permutation_test(values)
    assert np.isnan(test.p_values[np.triu_indices(3, 1)]).all()
    assert np.isnan(test.adjusted[np.triu_indices(3, 1)]).all()
    power = rankassay.discriminative_power(values).iloc[0]
    assert power["pairs"] == 0
    assert power[["dp", "low", "high", "median_p", "required_largest"]].isna().all()
    values[2] = [0.1, 0.5, 0.3]
    power = rankassay.discriminative_power(values).iloc[0]
    assert power["dp"] == power["pairs"] == 3
    assert power[["low", "high"]].isna().all()
    values[3] = [0.2, 0.1, 0.3]
    power = rankassay.discriminative_power(values).iloc[0]
    assert 0 <= power["low"] <= power["dp"] <= power["high"] <= 3


def test_the_aggregate_of_one_user_has_no_interval():
    """Also where the choice of users leaves one of several."""
    qrels, run = {"a": {"x": 5}, "b": {"x": 1}}, {"a": {"x": 1.0}}
    for given in ({}, {"users": "listed"}, {"without_relevant": "nan"}):
        one = qrels if given else {"a": qrels["a"]}
        found = rankassay.evaluate(one, run, ["P@2"], confidence=0.95, **given)
        assert found["value"].item() == 0.5
        assert found[["low", "high"]].isna().all(axis=None)


def test_power_needs_two_users():
    with pytest.raises(rankassay.RankassayError, match="expected two users or more, found one"):
        rankassay.discriminative_power(VALUES[:1])


def test_lists_of_another_test_set_are_refused_before_a_kernel_reads_them():
    judgements = Judgements(
        np.arange(2, dtype=np.int32), np.array([0, 2, 3]), np.array([5.0, 2.0, 4.0]), 4.0
    )
    ranks, length = np.array([1, 2, 1], np.int32), np.array([3, 3], np.int32)
    assert rankassay.evaluate(judgements, Lists(ranks, length), "P@1")["P@1"] == 1
    items = np.zeros((2, 3), np.int32)
    for wrong in (
        Lists(ranks[:2], length),
        Lists(ranks, length[:1]),
        Lists(-ranks, length),
        Lists(ranks, length, predictions=np.ones(2)),
        Rankings(items, ranks[:2], length),
        Rankings(items, ranks, length[:1]),
    ):
        with pytest.raises(rankassay.RankassayError, match="not of the same test set"):
            rankassay.evaluate(judgements, wrong, "P@1")


def test_a_single_whole_number_is_no_table_of_values():
    with pytest.raises(rankassay.RankassayError, match="values: expected"):
        rankassay.reliability(2**31)
