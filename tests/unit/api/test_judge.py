"""Judging in one call: the form of the answer, its numbers, other forms of input, and bad input."""

import json
import math
import re
from collections import Counter

import judged_made_up as made
import numpy as np
import pandas as pd
import pytest
from answer_checks import check

import rankassay
from rankassay.advice.words_names import PREFIX
from rankassay.errors import RankassayError

pytestmark = pytest.mark.slow

QRELS, TRAIN, ALIKE = made.qrels(), made.train(), made.like_minded()
RUNS = made.runs(1, 2, 6)


@pytest.fixture(scope="module")
def advice():
    return rankassay.judge(QRELS, RUNS)


@pytest.fixture(scope="module")
def trained():
    """Advice with training ratings, to which reference systems are fitted that are of use."""
    return rankassay.judge(QRELS, RUNS, ALIKE)


def text(advice):
    """Return the answer, which has to fit on a screen, and to its fields."""
    check(advice.to_dict())
    return " ".join(str(advice).split())


def test_the_answer_is_one_screen(advice, trained):
    said = text(advice)
    assert said.startswith("150 users (medians: 18 judged, 7 relevant), 3 runs, lists of 10, no t")
    assert "REPORT CDCG@10 (discounted hits among the first 10" in said
    assert "YOU MAY WRITE noise-1 > noise-2, noise-6; noise-2 > noise-6." in said
    assert "It is unknown whether your data are like these: give training ratings" in said
    said = text(trained)
    assert "REPORT CDCG@10 by 1/√popularity (discounted hits" in said
    assert "unknown whether" not in said
    assert "random lists" not in said
    assert re.search(r"\(Random\) \.\d", said)


def test_reference_systems_no_better_than_random_lists_are_out_of_range():
    """Nothing that users rated in training says what they like: as with real data of some kinds."""
    found = rankassay.judge(QRELS, RUNS, TRAIN)
    said = text(found)
    assert "CANNOT TELL which run is liked more: reference systems differ less than in 39" in said
    assert "REPORT nDCG@10 (binary), as how much runs find of what users rated, not what" in said
    assert "simulations" not in said
    assert found.to_dict()["simulated"] == {}
    assert not found.pairs["written"].any()
    assert found.recommendation["measure"] is None
    assert {*found.table.index} == {"nDCG(gain='binary')@10"}


def likes():
    """Return the judgements of those items that users like."""
    return {u: {i: r for i, r in own.items() if r >= 4} for u, own in QRELS.items()}


def some(ratings, n):
    return dict([*ratings.items()][:n])


@pytest.mark.parametrize(
    ("qrels", "train", "measure", "unweighed"),
    [
        (QRELS, ALIKE, "IPS(centred=True, gain='DCG', power=0.5)@30", []),
        (QRELS, some(ALIKE, 200), "IPS(centred=True, gain='DCG', power=0.5)@30", []),
        (QRELS, some(ALIKE, 199), "IPS(centred=True, gain='DCG', power=0)@30", ["few-train"]),
        (some(QRELS, 40), ALIKE, "IPS(centred=True, gain='DCG', power=0.5)@30", []),
        (QRELS, None, "IPS(centred=True, gain='DCG', power=0)@30", ["no-train"]),
        (likes(), ALIKE, "IPS(gain='DCG', power=0.5)@20", []),
    ],
)
def test_the_form_of_the_measure_follows_from_the_data(qrels, train, measure, unweighed):
    """Centred, and as deep as lists, where dislikes are known; weighed where enough are."""
    references = None if train is None else False
    found = rankassay.judge(qrels, made.runs(1, 2, depth=30), train, references=references)
    own = found.recommendation
    assert (own["measure"], own["unweighed"]) == (measure, unweighed)
    assert len(own["written"]) == (1 if qrels is not QRELS and len(qrels) > 100 else 3)
    assert own["conventional"] == "nDCG(gain='binary')@10"


def test_likes_alone_without_weights_leave_what_is_found():
    advice = rankassay.judge(likes(), made.runs(1, 2, depth=30))
    own = advice.recommendation
    assert (own["measure"], own["why"], own["written"]) == (None, ["likes-alone"], [])
    assert "only likes are known, and no weights say what users" in str(advice)
    assert not advice.pairs["written"].any()


@pytest.mark.parametrize(("users", "verdict"), [(29, "cannot tell"), (30, "report")])
def test_runs_have_to_differ_for_some_users(users, verdict):
    found = rankassay.judge(some(QRELS, users), RUNS)
    assert found.recommendation["verdict"] == verdict
    told = "runs can differ for 29 users, and it takes 30" in text(found)
    assert told == (verdict == "cannot tell")


def test_the_object_is_json_of_a_known_version(advice):
    found = advice.to_dict()
    assert (found["schema"], found["version"]) == ("rankassay.advice/2", rankassay.__version__)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert {"data", "recommendation", "measures", "systems", "pairs", "trust", "next"} <= {*found}


def test_the_same_seed_gives_the_same_bytes(trained):
    again = rankassay.judge(QRELS, RUNS, ALIKE)
    assert json.dumps(again.to_dict()) == json.dumps(trained.to_dict())
    assert str(again) == str(trained)
    other = rankassay.judge(QRELS, RUNS, ALIKE, seed=1)
    assert other.to_dict() != trained.to_dict()


def test_the_order_of_rows_changes_no_number(trained):
    backwards = [
        {user: dict(reversed(own.items())) for user, own in reversed(ratings.items())}
        for ratings in (QRELS, ALIKE)
    ]
    assert rankassay.judge(backwards[0], RUNS, backwards[1]).to_dict() == trained.to_dict()
    with pytest.raises(RankassayError, match="i1' stands there twice, the second time in row 3"):
        rankassay.judge([("u1", "i0", 5), ("u0", "i1", 5), ("u0", "i0", 2), ("u0", "i1", 4)], RUNS)


def test_what_is_recommended_can_be_evaluated(advice, trained):
    for own in (advice, trained):
        names = [own.recommendation["measure"], own.recommendation["conventional"]]
        means = rankassay.evaluate(
            *(QRELS, RUNS, names), without_relevant="nan", propensities=own.propensities
        )
        systems = own.systems.loc[[*RUNS]]
        np.testing.assert_allclose(systems["mean"], means[names[0]])
        np.testing.assert_allclose(systems["conventional"], means[names[1]])
        runs = own.systems[~own.systems["reference"]]
        assert runs["place"].tolist() == runs["conventional_place"].tolist() == [1, 2, 3]
        assert [*runs.index] == [*means[names[0]].sort_values(ascending=False).index]


def test_weighed_measures_can_be_evaluated(trained):
    count = {
        item: sum(item in own for own in ALIKE.values()) for item in trained.propensities.index
    }
    most = max(Counter(item for own in ALIKE.values() for item in own).values())
    expected = [(n + 1) / (most + 1) for n in count.values()]
    np.testing.assert_allclose(trained.propensities, expected)
    weighed = [name for name in trained.table.index if name.startswith("IPS")]
    found = rankassay.judge(QRELS, RUNS, ALIKE, metrics=weighed[:1], references=False)
    means = rankassay.evaluate(
        QRELS, RUNS, weighed[0], propensities=trained.propensities, without_relevant="nan"
    )
    np.testing.assert_allclose(
        found.systems["conventional"].loc[[*RUNS]], means[weighed[0]].loc[[*RUNS]]
    )


def test_propensities_that_are_given_come_back():
    given = {f"i{i}": 1 / (i + 1) for i in range(30)}
    found = rankassay.judge(QRELS, RUNS, propensities=given)
    assert {*found.propensities.columns} == {"user", "item", "propensity"}
    assert found.to_dict()["data"]["weights"] == "given"
    own = dict(zip(found.propensities["item"], found.propensities["propensity"], strict=True))
    assert own == {item: given[item] for item in own}


def test_judgements_that_have_propensities_keep_them():
    given = {user: dict.fromkeys(own, 0.5) for user, own in QRELS.items()}
    own = rankassay.judge(
        rankassay.judged(QRELS, propensities=given), RUNS, TRAIN, references=False
    )
    found = rankassay.judge(QRELS, RUNS, TRAIN, propensities=given, references=False).to_dict()
    assert own.to_dict()["data"]["weights"] == "given"
    for part in ("recommendation", "measures", "systems", "pairs", "trust"):
        assert own.to_dict()[part] == found[part]


def test_pairs_are_those_of_a_comparison(advice):
    measure = advice.recommendation["measure"]
    found = rankassay.compare(
        QRELS, RUNS, measure, n_permutations=5_000, without_relevant="nan"
    ).pairs.set_index(["run_a", "run_b"])
    own = advice.pairs.set_index(["better", "worse"])
    assert {*own.index} == {*found.index}
    for pair, row in own.iterrows():
        assert row["difference"] == pytest.approx(found.loc[pair, "difference"])
        assert row["p"] == pytest.approx(found.loc[pair, "corrected"], abs=0.02)


def test_forms_of_the_input_give_the_same(advice, tmp_path):
    paths = made.write(tmp_path)
    named = {f"noise-{noise}": path for noise, path in zip((1, 2, 6), paths[1:], strict=True)}
    own = advice.to_dict()
    frame = pd.DataFrame(
        [(u, i, r) for u, each in QRELS.items() for i, r in each.items()],
        columns=["user", "item", "rating"],
    )
    for qrels, runs in ((paths[0], named), (frame, RUNS), (rankassay.judged(QRELS), RUNS)):
        found = rankassay.judge(qrels, runs).to_dict()
        for part in ("recommendation", "measures", "systems", "pairs", "trust"):
            assert found[part] == own[part]


def test_ids_may_be_whole_numbers_and_names_numbers():
    qrels = {int(u[1:]): {int(i[1:]): r for i, r in own.items()} for u, own in QRELS.items()}
    runs = {
        n: {int(u[1:]): [int(i[1:]) for i in items] for u, items in run.items()}
        for n, run in enumerate(RUNS.values(), 1)
    }
    found = rankassay.judge(qrels, runs)
    assert {*found.systems.index} == {"1", "2", "3"}
    assert "YOU MAY WRITE 1 > 2, 3; 2 > 3." in text(found)


def test_lists_are_cut_where_asked():
    found = rankassay.judge(QRELS, made.runs(1, 2, depth=20), depth=5)
    data = found.to_dict()["data"]
    assert (data["depth"], data["longest"]) == (5, 5)
    assert found.table["cutoff"].dropna().max() <= 5
    assert "lists of 5" in text(found)
    uneven = rankassay.judge(QRELS, {"long": made.run(1, depth=20), "short": made.run(2, depth=10)})
    assert "lists of 10 (the longest 20)" in text(uneven)
    assert uneven.table["cutoff"].dropna().max() <= 10


def test_metrics_and_cutoffs_are_those_asked_for():
    found = rankassay.judge(QRELS, RUNS, metrics=["Recall@5", "MAP"], cutoffs=[3, 7])
    assert [own for own in found.table.index if own in ("R@5", "AP@3", "AP@7")] == (
        ["R@5", "AP@3", "AP@7"]
    )
    assert "nDCG(gain='binary')@10" not in found.table.index
    assert found.recommendation["conventional"] == "R@5"
    assert found.to_dict()["settings"]["cutoffs"] == [3, 7]


def test_reference_systems_are_fitted_or_not_as_told(trained):
    assert trained.to_dict()["data"]["references"] > 4
    fitted = trained.systems["reference"]
    assert [name.startswith(PREFIX) for name in trained.systems.index] == fitted.tolist()
    assert not fitted.iloc[: len(RUNS)].any()
    without = rankassay.judge(QRELS, RUNS, TRAIN, references=False)
    assert without.to_dict()["data"]["references"] == 0
    assert without.to_dict()["data"]["train"]["ratings"] == sum(map(len, TRAIN.values()))
    with pytest.raises(RankassayError, match="expected training ratings to fit reference systems"):
        rankassay.judge(QRELS, RUNS, references=True)


def test_outcomes_and_a_truth_are_shown(advice):
    noises = range(1, 8)
    runs = made.runs(*noises)
    online = {name: -noise for name, noise in zip(runs, noises, strict=True)}
    found = rankassay.judge(QRELS, runs, outcomes=online)
    assert found.table["outcomes"].notna().any()
    assert "your outcomes" in text(found)
    assert advice.table["outcomes"].isna().all()
    # They speak for a measure where reference systems are no better than random lists.
    found = rankassay.judge(QRELS, runs, TRAIN, outcomes=online)
    assert (found.recommendation["verdict"], found.recommendation["why"]) == ("report", [])
    assert "simulations" not in text(found)
    assert found.pairs["written"].any()
    unseen = [
        (u, f"i{i}", r)
        for u, own in zip(made.users(), made.RATINGS.tolist(), strict=True)
        for i, r in enumerate(own)
        if i >= made.TESTED
    ]
    truth = pd.DataFrame(unseen, columns=["user", "item", "rating"])
    found = rankassay.judge(QRELS, runs, truth=truth)
    assert found.table["truth_liked"].notna().any()
    with pytest.raises(RankassayError, match="qrels: expected judgements as a frame"):
        rankassay.judge(rankassay.judged(QRELS), runs, truth=truth)


def test_it_is_shown_as_html_latex_and_a_figure(trained, tmp_path):
    pytest.importorskip("matplotlib")
    trained.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    measure = trained.recommendation["measure"]
    assert page.startswith("<!doctype html>")
    assert "REPORT" in page
    assert "REPORT" in trained._repr_html_()
    latex = trained.to_latex()
    assert r"\label{tab:judge}" in latex
    assert "noise-1" in latex
    assert trained.plot().axes
    assert measure in trained.table.index
    assert "MEASURES" in trained.explain()


# What cannot be told is said, and not an error.


def test_one_run_is_told_what_it_reaches():
    for runs in ({"mine": RUNS["noise-1"]}, RUNS["noise-1"]):
        said = text(rankassay.judge(QRELS, runs))
        assert "one run leaves nothing to rank" in said
        assert "YOUR RUN " in said
        assert "Give a second run" in said


def test_identical_runs_are_called_so():
    said = text(rankassay.judge(QRELS, {"a": RUNS["noise-1"], "b": RUNS["noise-1"]}))
    assert "CANNOT TELL which run is better: all runs have the same hits." in said
    assert "Check a and b" in said
    said = text(rankassay.judge(QRELS, {**RUNS, "again": RUNS["noise-1"]}))
    assert "noise-1 > again: the same hits" in said
    n = len(RUNS)
    assert f"{n + 1} runs (1 pair with the same hits)" in said
    # n + 1 runs make as many pairs more as there are others; that with the copy does not count.
    found = rankassay.judge(QRELS, {**RUNS, "again": RUNS["noise-1"]})
    [unjudged] = [own for own in found.to_dict()["trust"] if own["kind"] == "unjudged"]
    assert unjudged["pairs"] == (n + 1) * n // 2 - 1


def test_without_a_relevant_judgement_nothing_can_be_told():
    said = text(rankassay.judge(QRELS, RUNS, threshold=6))
    assert "CANNOT TELL which measure to trust: no judged item is relevant" in said
    assert "REPORT" not in said
    assert "Lower the threshold" in said
    trained = text(rankassay.judge(QRELS, RUNS, TRAIN, threshold=6))
    assert "no judged item is relevant" in trained


def test_runs_without_any_hit_are_told_so():
    others = {u: [f"i{i}" for i in range(made.TESTED, 30)] for u in made.users()}
    said = text(rankassay.judge(QRELS, {"a": others, "b": others}))
    assert "no run lists a relevant item" in said
    said = text(rankassay.judge(QRELS, {**RUNS, "others": others}))
    assert "noise-1" in said


def test_lists_of_one_item():
    said = text(
        rankassay.judge(
            QRELS, {name: {u: own[:1] for u, own in run.items()} for name, run in RUNS.items()}
        )
    )
    assert "lists of 1" in said


def test_two_users():
    two = {u: QRELS[u] for u in made.users()[:2]}
    assert text(rankassay.judge(two, RUNS)).startswith("2 users")
    one = {u: QRELS[u] for u in made.users()[:1]}
    assert text(rankassay.judge(one, RUNS)).startswith("1 user")


def test_many_runs_with_long_similar_names():
    runs = {
        f"experiment-2024-with-dropout-and-noise-seed-{n}": made.run(1 + n / 8, seed=n)
        for n in range(40)
    }
    found = rankassay.judge(QRELS, runs, metrics=["nDCG@10", "P@10"])
    assert "40 runs" in text(found)
    assert len(found.pairs) == 780


def test_users_without_a_list_are_told(advice):
    half = {u: own for n, (u, own) in enumerate(RUNS["noise-2"].items()) if n % 2}
    said = text(rankassay.judge(QRELS, {**RUNS, "half": half}))
    assert "half has no list for 75 of 150 users, who count as misses." in said
    assert "no list" not in text(advice)
    # Users who like nothing are in no mean: they are no misses.
    none = {u: dict.fromkeys(own, 1) for u, own in [*QRELS.items()][:50]}
    said = text(rankassay.judge(QRELS | none, {**RUNS, "half": half}))
    assert "half has no list for 50 of 100 users with relevant items, who count as miss" in said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"runs": {}}, "the run"),
        ({"runs": {"a": RUNS["noise-1"], "b": {}}}, "the run b: expected items for users"),
        ({"runs": {"a": {"x": ["i1"]}}}, "no user of it has judgements"),
        (
            {"runs": {"a": {"u1": ["i1"]}, "b": {"u2": ["i1"]}}},
            "runs: expected lists of the same users, found none who has one in a and in b",
        ),
        ({"runs": {"a": {"u1": {"i1": math.nan}}}}, "has no score"),
        ({"qrels": {"u1": {}}}, "expected rows with ratings, found none"),
        ({"qrels": {"u1": {"i1": math.nan}}}, "has no rating"),
        ({"train": {"v": {"x1": 3}}}, "no judged item has a training rating: .* like 'i0'"),
        ({"train": {"v": {}}}, "the training ratings: expected rows with ratings"),
        ({"train": [("v", "i1", 3), ("v", "i1", 4)]}, "stands there twice"),
        ({"metrics": "nDGC@10"}, "did you mean 'nDCG'"),
        ({"metrics": []}, "metrics: "),
        ({"cutoffs": [0]}, "cutoffs: expected"),
        ({"cutoffs": "10"}, "cutoffs: expected whole numbers"),
        ({"cutoffs": []}, "cutoffs: expected whole numbers"),
        ({"gamma": 1}, "gamma"),
        ({"ties": "expected"}, "unknown order of ties"),
        ({"yardstick": "old"}, "unknown yardstick"),
        ({"profile": "papr"}, "did you mean 'paper'"),
        ({"depth": 0}, "depth"),
        ({"seed": -1}, "seed"),
        ({"references": "yes"}, "references"),
        ({"outcomes": {"noise-1": 1, "noise-3": 2}}, "did you mean 'noise-"),
        ({"propensities": {"i1": 0.5}}, "expected one of each judged rating"),
        ({"truth": [("u1", "x", 5)]}, "the truth"),
    ],
)
def test_bad_input_is_one_line(given, said):
    with pytest.raises(RankassayError, match=said) as error:
        rankassay.judge(**({"qrels": QRELS, "runs": RUNS} | given))
    assert len(str(error.value).splitlines()) == 1


def test_judgements_that_are_training_ratings_are_warned_of():
    """One file for both is a mistake that no number shows."""
    qrels, runs = made.qrels(), made.runs(1, 2)
    n = sum(map(len, qrels.values()))
    both = made.train() | {user: made.train().get(user, {}) | own for user, own in qrels.items()}
    text = str(rankassay.judge(qrels, runs, both))
    assert f"{n:,} of {n:,} judgements are training ratings, too: give train" in text
    assert "training ratings, too" not in str(rankassay.judge(qrels, runs, made.train()))


def test_a_measure_asked_for_that_is_not_considered_is_named():
    found = rankassay.judge(QRELS, RUNS, metrics=["IPS@5", "nDCG@50", "P@20", "nDCG@5"])
    assert "IPS@5 is not considered: no propensities." in text(found)
    assert "nDCG@50 and P@20 are not considered: the lists have 10 items." in text(found)
    assert found.recommendation["conventional"] == "nDCG@5"
    assert "not considered" not in text(rankassay.judge(QRELS, RUNS, metrics=["nDCG@5"]))
