"""Results say by which definitions they were made, and of how many users and ties."""

import numpy as np
import pandas as pd
import pytest

import rankassay
from rankassay.api.definitions import TOLD
from rankassay.errors import RankassayError
from rankassay.metrics.judgements import Judgements, Lists

QRELS = {"ann": {"film": 5, "book": 2}, "bob": {"song": 4}, "cal": {"song": 1}}
TIED = {"ann": {"film": 1, "book": 1, "game": 0}, "bob": {"song": 2, "film": 2}, "dan": {"x": 1}}
TIED["dan"]["y"] = 1  # without judgements, so that they do not count
PLAIN = {"ann": ["film", "book"], "bob": ["song"], "cal": ["film"]}


def by_hand(run):
    """Return the users with ties, the tied items and all listed items of judged users."""
    tied = {
        user: sum([*items.values()].count(score) > 1 for score in items.values())
        for user, items in run.items()
        if user in QRELS
    }
    listed = sum(len(items) for user, items in run.items() if user in QRELS)
    return sum(map(bool, tied.values())), sum(tied.values()), listed


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign", "permutation", "bootstrap"])
def test_the_correction_is_the_one_that_was_made(test):
    found = rankassay.compare(QRELS, {"a": TIED, "b": PLAIN}, "RR", test=test, n_permutations=20)
    (made,) = {*found.pairs["correction"]}
    assert found.definitions["correction"] == made
    assert f"correction for the number of pairs: {made}." in rankassay.describe(found)
    assert (made == "max-t") == (test in ("permutation", "bootstrap"))


@pytest.mark.parametrize(
    ("how", "said"), [("geometric", True), ("harmonic", True), ("mean", False)]
)
def test_a_floor_of_values_is_said(how, said):
    lines = rankassay.describe(rankassay.evaluate(QRELS, TIED, "RR", aggregate=how))
    assert ("counts as 1e-05 at least" in lines) == said


@pytest.mark.parametrize("ties", ["item", "trec", "input", "expected", "worst"])
def test_ties_and_users_are_counted_as_by_hand(ties):
    rng = np.random.default_rng(3)
    run = {
        user: dict(zip(range(9), rng.integers(0, 6, 9).tolist(), strict=True))
        for user in (*QRELS, "eve")
    }
    run = {user: dict(zip(map(str, own), own.values(), strict=True)) for user, own in run.items()}
    del run["bob"]
    found = rankassay.evaluate(QRELS, run, ["AP", "P@2"], "rendle", ties=ties)
    own = found.attrs["definitions"]["counted"]["the run"]
    assert (own["tied_users"], own["tied_items"], own["listed"]) == by_hand(run)
    assert (own["users"], own["without_list"], own["values"]) == (3, 1, {"AP": 2, "P@2": 2})


@pytest.mark.parametrize(
    ("how", "users", "without_list", "n_values"),
    [
        ({}, 3, 1, 3),
        ({"users": "listed"}, 2, 0, 2),
        ({"without_relevant": "nan"}, 3, 1, 2),
        ({"without_relevant": "nan", "aggregate": "median"}, 3, 1, 2),
        ({"without_relevant": "nan", "per_user": True}, 3, 1, 2),
        ({"confidence": 0.9}, 3, 1, 3),
    ],
)
def test_those_with_a_value_are_counted(how, users, without_list, n_values):
    found = rankassay.evaluate(QRELS, TIED, "RR", **how)
    own = found.attrs["definitions"]["counted"]["the run"]
    assert (own["users"], own["without_list"]) == (users, without_list)
    assert own["values"] == {"RR": n_values}


def test_an_evaluation_is_described():
    found = rankassay.evaluate(
        QRELS, TIED, ["nDCG(gain='exp')@10", "RR"], "rendle", depth=2, confidence=0.9, seed=3
    )
    assert rankassay.describe(found).splitlines() == [
        f"Computed by rankassay {rankassay.__version__} with the profile rendle.",
        "nDCG(gain='exp')@10 is nDCG with cut-off 10, gain='exp', ideal='judged', "
        "truncate_ideal=True and log_base=2.0.",
        "RR is computed on the whole list.",
        "Items rated 4 or higher are relevant, the default for ratings of 1 to 5 stars.",
        "Listed items without a judgement are not relevant.",
        "Lists were cut to 2 items before anything else.",
        "Each number is the mean over users.",
        "Intervals of the level 0.9 are of resampled users, seed 3.",
        "Users without relevant items are undefined, and do not count.",
        "3 users with judgements count, 1 of them without a list, 1 of them without a relevant "
        "item, and fewer have a value: 2 under nDCG(gain='exp')@10 and 2 under RR.",
        "Lists are ordered by their scores.",
        "Among items with equal scores, the one with the larger id comes first, ids compared as "
        "text, as in trec_eval.",
        "4 of 4 listed items in the first 2 places share their score with another one, in the "
        f"lists of 2 users{TOLD}.",
    ]


def test_runs_are_told_apart_where_they_differ(tmp_path):
    frame = pd.DataFrame({"user": ["ann"], "item": "film", "rank": 1, "score": 1})
    rankassay.write_run(frame, tmp_path / "r", "t")
    runs = {"tied": TIED, "file": tmp_path / "r", "plain": PLAIN}
    found = rankassay.evaluate(QRELS, runs, "RR", per_user=True, unjudged="condensed")
    lines = rankassay.describe(found).splitlines()
    assert "Each number is of one user." in lines
    assert "Listed items without a judgement were taken out of the lists." in lines
    found = rankassay.evaluate(QRELS, runs, "RR", "trec", unjudged="condensed")
    said = "Listed items without a judgement or rated below 0 were taken out of the lists."
    assert said in rankassay.describe(found).splitlines()
    assert lines[-13:] == [
        "Run tied: 3 users with judgements count, 1 of them without a list, 1 of them without a "
        "relevant item.",
        "Run file: 3 users with judgements count, 2 of them without a list, 1 of them without a "
        "relevant item.",
        "Run plain: 3 users with judgements count, 1 of them without a relevant item.",
        "Run tied: The longest list has 3 items.",
        "Run file: The longest list has 1 item.",
        "Run plain: The longest list has 2 items.",
        "Run tied: Lists are ordered by their scores.",
        "Run file: Lists are ordered by their scores.",
        "Run plain: Lists are ordered by their ranks, as they have no scores.",
        "Among items with equal scores, the one with the larger id comes first, ids compared as "
        "text, as in trec_eval.",
        "Run tied: 4 of 5 listed items share their score with another one, in the lists of 2 "
        f"users{TOLD}.",
        "Run file: No listed items of a user have equal scores.",
        "Run plain: No listed items of a user have equal scores.",
    ]
    both = rankassay.evaluate(QRELS, {"a": PLAIN, "b": PLAIN}, "RR", ties="best")
    assert rankassay.describe(both).splitlines()[-4:] == [
        "3 users with judgements count, 1 of them without a relevant item.",
        "Lists are ordered by their ranks, as they have no scores.",
        "Each value is the greatest value of any order of items with equal scores.",
        "No listed items of a user have equal scores.",
    ]


def test_the_pipelines_lists_are_described_without_ties():
    judgements = Judgements(np.zeros(1, np.int32), np.array([0, 1]), np.array([5.0]), 4.0)
    lists = Lists(np.array([1], np.int32), np.array([1], np.int32))
    lines = rankassay.describe(rankassay.evaluate(judgements, lists, "RR")).splitlines()
    assert lines[-3:] == [
        "1 user with judgements counts.",
        "The lists came in order, without scores.",
        "It is unknown whether items had equal scores.",
    ]


def test_a_comparison_is_described():
    found = rankassay.compare(QRELS, {"a": TIED, "b": PLAIN}, "RR", equivalence="1%", seed=2)
    text = rankassay.describe(found)
    assert "Each number is the mean over users.\n" in text
    assert (
        "p-values are those of the permutation test of paired users, two-sided with 100000 draws, "
        "seed 2; correction for the number of pairs: max-t.\n"
        "Pairs whose corrected p-value is below 0.05 are called significant.\n"
        "Differences below 1% count as equal.\n"
    ) in text


@pytest.mark.parametrize("order", [None, "borda"])
def test_preferences_are_described(order):
    runs = {"a": TIED, "b": PLAIN}
    how = {"order": order, "unequal_depths": True}
    found = rankassay.preferences(QRELS, runs, "lexirecall", 2, **how)
    lines = rankassay.describe(found).splitlines()
    assert lines[1:4] == [
        "Users prefer one of two lists by lexirecall; lists are whole.",
        "The runs are in order by borda." if order else "p-values: 10000 permutations, seed 0.",
        "Items rated 2 or higher are relevant.",
    ]
    assert lines[4:6] == [
        "Run a: 3 users with judgements count, 1 of them without a list.",
        "Run b: 3 users with judgements count.",
    ]


def test_metrics_beyond_accuracy_are_described():
    found = rankassay.beyond(
        TIED,
        QRELS,
        ["Gini@2", "AWRF@2"],
        item_groups={"film": "new", "book": "old"},
        aspects={"film": ["x", "y"]},
        confidence=0.9,
        not_candidates="keep",
    )
    assert rankassay.describe(found).splitlines() == [
        f"Computed by rankassay {rankassay.__version__}.",
        "Gini@2 is Gini with cut-off 2, of='catalogue', weights='count' and denominator='n'.",
        "AWRF@2 is AWRF with cut-off 2, target='items', distance='total_variation', "
        "weights='geometric' and patience=0.5.",
        "Intervals of the level 0.9 are of resampled users, seed 0.",
        "The catalogue has 4 training ratings, 4 users and 6 items.",
        "Items show 2 aspects.",
        "The groups of items are new and old.",
        "The run: 3 listed items of 2 users, rated by them in training, stay.",
        "3 users count, and fewer have a value: 2 under AWRF@2.",
        "Lists are ordered by their scores.",
        "Among items with equal scores, the one with the larger id comes first, ids compared as "
        "text, as in trec_eval.",
        "6 of 6 listed items in the first 2 places share their score with another one, in the "
        "lists of 3 users.",
    ]
    several = rankassay.beyond({"a": TIED, "b": PLAIN}, QRELS, "EPC@2", qrels=QRELS, ties="input")
    lines = rankassay.describe(several).splitlines()
    assert "Items rated 4 or higher are relevant, the default for ratings of 1 to 5 stars." in lines
    assert lines[-3:] == [
        "Among items with equal scores, the one that the run names first comes first.",
        "Run a: 4 of 4 listed items in the first 2 places share their score with another one, in "
        "the lists of 2 users.",
        "Run b: No listed items in the first 2 places of a user have equal scores.",
    ]


@pytest.mark.parametrize(
    "result", [pd.Series([1.0]), pd.DataFrame({"P@1": [1.0]}), None, "P@1", {"definitions": {}}]
)
def test_what_has_no_definitions_is_refused(result):
    with pytest.raises(RankassayError, match="result: expected one of rankassay"):
        rankassay.describe(result)


@pytest.mark.parametrize(
    "function", [rankassay.bounds, rankassay.ties, rankassay.robustness, rankassay.sensitivity]
)
def test_tables_of_several_runs_say_from_which_rating_on_items_are_relevant(function):
    few = {} if function is not rankassay.robustness else {"levels": [100], "samples": 1}
    qrels = {"u": {"a": 1, "b": 0}}
    found = function(qrels, {"x": {"u": {"a": 1, "c": 1}}, "y": {"u": {"b": 1}}}, "P@1", **few)
    said = rankassay.describe(found)
    assert "Items rated 1 or higher are relevant, the default for ratings of 0 and 1." in said
    assert "P@1 is P with cut-off 1" in said


def test_results_that_never_had_definitions_are_not_said_to_have_lost_them():
    with pytest.raises(RankassayError, match="without; other functions give none, and some"):
        rankassay.describe(pd.DataFrame({"tau": [1.0]}))


def test_definitions_that_are_none_are_refused():
    found = rankassay.evaluate(QRELS, TIED, "RR")
    found.attrs["definitions"] = {"mine": 1}
    with pytest.raises(RankassayError, match="found a Series without; other functions"):
        rankassay.describe(found)
