"""Advice as a whole: what is reported, what one may write, what cannot be told."""

import json
from dataclasses import replace

import numpy as np
import pytest
from advice_made_up import JUDGED, MEASURE, SMOOTHED, cannot, example, recommendation
from given_made_up import given, one_relevant, shortened

from rankassay.advice.advise import advise, steps
from rankassay.advice.findings import MEASURES, PAIRS, SYSTEMS
from rankassay.advice.given import Settings
from rankassay.advice.rule import rule
from rankassay.advice.truth import Outcomes
from rankassay.advice.words_names import PREFIX, RANDOM
from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judgements import Lists

pytestmark = pytest.mark.slow

QUICK = Settings(permutations=200, resamples=40)
USERS = 150
USUAL = "nDCG(gain='binary')@10"


@pytest.fixture(scope="module")
def leaning():
    """Return runs, some of which list popular items and others what users like."""
    own = given(USERS, 8, weights="popularity")
    rng = np.random.default_rng(1)
    row, popular = own.judgements.row, own.popularity[own.item]
    length = np.full(USERS, 20, dtype=np.int32)
    systems = {}
    for n in range(8):
        score = 0.25 * n * np.log1p(popular) + 0.6 * own.judgements.relevant * (n % 3)
        order = np.lexsort((-score - rng.normal(size=len(row)), row))
        ranks = np.empty(len(row), dtype=np.int32)
        ranks[order] = 1 + 2 * (np.arange(len(row)) - own.judgements.start[row])
        systems[f"run-{n}"] = shortened(Lists(ranks, length), 20)
    return replace(own, systems=systems)


@pytest.fixture(scope="module")
def found(leaning):
    return advise(leaning, QUICK)


def with_references(own, ranked):
    """Return data whose reference systems are Random and one other, of lists that are given."""
    random, other = ranked
    return replace(own, references={RANDOM: random, f"{PREFIX}Item kNN, 20": other})


def test_the_tables_have_the_columns_of_the_contract(found):
    assert [*found.measures] == [*MEASURES]
    assert [*found.systems] == [*SYSTEMS]
    assert [*found.pairs] == [*PAIRS]
    assert (len(found.pairs), len(found.systems)) == (28, 8)


def test_the_same_seed_gives_the_same_bytes_and_json_holds_all(leaning, found):
    first, again = (json.dumps(own.to_dict("1")) for own in (found, advise(leaning, QUICK)))
    assert first == again
    assert advise(leaning, replace(QUICK, seed=1)).to_dict("1") != found.to_dict("1")


def test_the_constant_is_reported_with_what_simulations_say(leaning, found):
    [entry] = found.recommendation
    own = rule(leaning)
    assert (entry["verdict"], entry["why"], entry["yardstick"]) == ("report", [], None)
    assert (entry["measure"], entry["conventional"]) == (own.measure, USUAL)
    assert (entry["written"], entry["needs"]) == ([*own.written], "train")
    assert found.measures["measure"][0] == own.measure
    # Lists of 20: what was simulated at 20 places.
    assert found.simulated["measure"]["mixed"]["P@10"]["tau"] > 0
    assert "writing" not in found.simulated  # which takes 50 places


def test_pairs_that_are_wrong_by_the_conventional_measure_are_told_of_the_simulated_one(leaning):
    """Recall@20 had the shares of nDCG@10."""
    length = np.full(USERS, 60, dtype=np.int32)
    long = {name: Lists(own.ranks, length) for name, own in leaning.systems.items()}
    long = replace(leaning, systems=long)
    assert {"writing", "usual"} <= {*advise(long, QUICK).simulated}
    other = advise(long, replace(QUICK, metrics=("Recall@20",))).simulated
    assert "writing" in other
    assert "usual" not in other


@pytest.mark.parametrize(("depth", "simulated"), [(19, False), (20, True)])
def test_what_is_written_of_lists_shorter_than_the_simulated_ones_was_not_simulated(
    depth, simulated
):
    likes = given(USERS, 4, weights="popularity", threshold=1)
    systems = {name: shortened(lists, depth) for name, lists in likes.systems.items()}
    found = advise(replace(likes, systems=systems), QUICK)
    assert found.recommendation[0]["verdict"] == "report"
    assert ("writing" in found.simulated) == simulated


def test_means_pairs_and_measures_are_of_the_same_numbers(leaning, found):
    [entry] = found.recommendation
    names, measures = [*leaning.systems], [entry["measure"], USUAL]
    values = evaluate(
        leaning.judgements, leaning.systems.values(), measures, "paper", leaning.depth, "nan"
    )
    means = dict(zip(names, np.nanmean(values, axis=0), strict=True))
    for row in found.systems.to_dict("records"):
        assert [row["mean"], row["conventional"]] == pytest.approx(means[row["system"]])
        won = found.pairs[found.pairs["written"] & (found.pairs["better"] == row["system"])]
        assert {*row["beats"]} == {*won["worse"]}
    for row in found.pairs.to_dict("records"):
        assert row["difference"] == pytest.approx(means[row["better"]][0] - means[row["worse"]][0])
    turned = sum(row["conventional_difference"] < 0 for row in found.pairs.to_dict("records"))
    assert (entry["alike"]["reversed"], entry["alike"]["pairs"]) == (turned, 28)


def test_no_system_changes_what_is_reported(leaning, found):
    few = replace(leaning, systems=dict([*leaning.systems.items()][:2]))
    [entry] = advise(few, QUICK).recommendation
    assert (entry["verdict"], entry["measure"]) == ("report", found.recommendation[0]["measure"])
    one = advise(replace(leaning, systems={"run-0": leaning.systems["run-0"]}), QUICK)
    assert one.recommendation[0]["measure"] == entry["measure"]
    assert one.pairs.empty
    assert [*one.systems["system"]] == ["run-0"]


def test_reference_systems_are_in_no_pair_and_follow_the_runs(leaning):
    own = with_references(leaning, [leaning.systems[f"run-{n}"] for n in (0, 7)])
    found = advise(own, QUICK)
    assert len(found.pairs) == 28
    assert [*found.systems["reference"]] == [False] * 8 + [True] * 2
    assert found.data["references"] == 2
    [told] = [note for note in found.notes if "Reference systems" in note]
    assert "Random; Item kNN, 20" in told


def test_where_reference_systems_do_not_differ_no_simulated_number_is_given(leaning):
    """By the recommended measure none is better than random lists."""
    same = leaning.systems["run-3"]
    found = advise(with_references(leaning, [same, same]), QUICK)
    [entry] = found.recommendation
    assert (entry["verdict"], entry["why"]) == ("cannot tell", ["out-of-range"])
    assert (entry["measure"], entry["written"], entry["conventional"]) == (None, [], USUAL)
    assert (found.simulated, found.checks["t"], found.checks["share"]) == ({}, 0, 0)


def test_two_constructed_datasets_are_not_like_simulated_ones():
    """68% are liked: liking has no part in what is seen, or what is seen often is liked less.

    Runs and references find what is popular, which nobody likes more: hits would rank them.
    """
    rng = np.random.default_rng(3)
    n, items = 600, 200
    popular = np.sort(rng.pareto(1.0, items))[::-1]
    share = np.minimum(1, popular / popular.sum() * 8)
    for turned in (0.0, 0.35):
        seen = rng.random((n, items)) < share
        liked = rng.random((n, items)) < 0.68 - turned * (share > np.median(share))[None]
        own = _listed(rng, seen, liked, share)
        found = advise(own, QUICK)
        [entry] = found.recommendation
        assert (entry["verdict"], entry["measure"]) == ("cannot tell", None)
        assert "out-of-range" in entry["why"]
        assert found.simulated == {}


def _listed(rng, seen, liked, share):
    """Return data of users who judge what they saw, and runs that list by popularity and noise."""
    base = given(60, 2)
    row, item = np.nonzero(seen)
    users, start = np.unique(row, return_index=True)
    start = np.append(start, len(row)).astype(np.int64)
    rating = np.where(liked[row, item], 5.0, 1.0)
    judgements = replace(
        base.judgements,
        users=users.astype(np.int32),
        start=start,
        rating=rating,
        propensity=share[item],
    )

    def lists(weight):
        score = weight * np.log(share)[None] + rng.normal(size=seen.shape)
        ranks = np.argsort(np.argsort(-score, axis=1), axis=1)[row, item] + 1
        return Lists(
            np.where(ranks > 50, 0, ranks).astype(np.int32), np.full(len(users), 50, np.int32)
        )

    systems = {f"run-{n}": lists(n / 3) for n in range(6)}
    rest = {f"{PREFIX}{name}": lists(w) for name, w in (("Popularity", 9), ("kNN", 1.5))}
    return replace(
        base,
        judgements=judgements,
        item=item,
        systems=systems,
        weights="popularity",
        references={RANDOM: lists(0), **rest},
        popularity=None,
        train={},
    )


def test_identical_runs_have_no_difference(leaning):
    own = leaning.systems["run-1"]
    found = advise(replace(leaning, systems={f"copy-{n}": own for n in range(7)}), QUICK)
    assert found.pairs["identical"].all()
    assert not found.pairs["written"].any()


def test_nothing_relevant_leaves_nothing_to_report():
    found = advise(given(USERS, threshold=6), QUICK)
    [entry] = found.recommendation
    assert (entry["verdict"], entry["why"]) == ("cannot tell", ["no-relevant"])
    assert (entry["measure"], found.trust) == (None, [])
    assert found.pairs.empty
    json.dumps(found.to_dict("1"))


def test_runs_without_a_hit_leave_nothing_to_report(leaning):
    relevant = leaning.judgements.relevant
    blind = {
        name: Lists(np.where(relevant, 0, own.ranks), own.length)
        for name, own in leaning.systems.items()
    }
    [entry] = advise(replace(leaning, systems=blind), QUICK).recommendation
    assert (entry["verdict"], entry["why"], entry["measure"]) == ("cannot tell", ["no-hits"], None)


def test_too_few_users_by_whom_runs_can_differ():
    found = advise(one_relevant(negative=True), QUICK)
    [entry] = found.recommendation
    assert (entry["verdict"], entry["why"]) == ("cannot tell", ["few-informative"])
    assert found.data["informative"] == 12
    assert found.simulated == {}


def outcomes_of(leaning, measure, sign=1):
    """Return outcomes that the means by a measure are, or their opposite."""
    values = evaluate(
        leaning.judgements, leaning.systems.values(), [measure], "paper", leaning.depth, "nan"
    )
    means = sign * np.nanmean(values, axis=0)[:, 0]
    names = [*leaning.systems]
    return Outcomes(dict(zip(names, means, strict=True)), dict.fromkeys(names, 1e-6))


def test_outcomes_exclude_measures_and_the_best_replaces_the_constant(leaning):
    own = advise(leaning, QUICK, outcomes=outcomes_of(leaning, "infAP@20"))
    [entry] = own.recommendation
    table = own.measures.set_index("measure")
    out = table.index[table["excluded"].notna()]
    constant = rule(leaning).measure
    assert table.at["infAP@20", "outcomes"] == pytest.approx(1)
    assert (constant in out) == (entry["measure"] != constant)
    assert entry["measure"] not in out
    assert entry["by"] == ("outcomes" if constant in out else None)
    assert {own["measure"] for own in entry["avoid"]} == {*out} - {USUAL}
    for row in entry["avoid"]:
        assert (row["by"], row["tau"]) == ("outcomes", table.at[row["measure"], "outcomes"])
        assert row["tau"] < row["best_low"] <= row["best"] == pytest.approx(1)
    if entry["by"]:
        assert (own.simulated, entry["written"]) == ({}, [entry["measure"]])


def test_outcomes_that_agree_with_the_constant_leave_it(leaning):
    online = outcomes_of(leaning, rule(leaning).measure)
    own = advise(leaning, QUICK, outcomes=online)
    [entry] = own.recommendation
    assert (entry["measure"], entry["by"]) == (rule(leaning).measure, None)
    assert own.simulated
    opposite = advise(leaning, QUICK, outcomes=outcomes_of(leaning, entry["measure"], -1))
    assert opposite.recommendation[0]["measure"] != entry["measure"]


def test_a_yardstick_needs_a_truth(leaning):
    with pytest.raises(RankassayError, match="yardstick"):
        advise(leaning, replace(QUICK, yardstick="new"))


def test_notes_say_who_counts(leaning, found):
    assert not any("relevant item" in note for note in found.notes)  # all users have one
    some = given(USERS, 2, threshold=5, popularity=None)
    [told] = advise(some, QUICK).notes
    counted = int((some.judgements.n_relevant > 0).sum())
    assert f"{counted} users with a relevant item" in told
    assert f"the other {USERS - counted} " in told


def made(found):
    """Return the steps of some advice by their kinds, in their order."""
    return {own["kind"]: own for own in steps(found)}


def first_pair(**change):
    """Return advice in which the conclusion about the first two runs is changed."""
    found = example()
    found["pairs"][0] |= change
    return found


def test_no_claim_without_significance():
    own = made(example())["claim"]
    assert own["text"] == "Do not claim slim over wrmf: the difference is not significant."
    assert (own["better"], own["worse"], own["command"]) == ("slim", "wrmf", None)


def test_a_claim_that_depends_on_the_measure_says_so():
    signs = {MEASURE: 1, JUDGED: 0, SMOOTHED: 1}
    own = made(first_pair(significant=True, signs=signs))["disputed"]
    text = "Do not claim slim over wrmf: P@50 of judged items does not show it."
    assert (own["text"], own["against"]) == (text, [JUDGED])
    own = made(first_pair(significant=True, signs=signs | {SMOOTHED: -1}))["disputed"]
    assert own["text"].endswith("and smoothed P@20 of judged items do not show it.")


def test_what_may_be_written_may_be_claimed():
    written = example(stands=lambda better, worse: True)
    nothing = example(recommendation=[cannot("out-of-range")])
    nothing["pairs"][0] |= {"significant": True, "signs": {}}
    for found in (written, nothing):
        assert not {"claim", "disputed"} & {*made(found)}


def test_what_is_given_is_not_asked_for():
    found = example(stands=lambda better, worse: True)
    assert {*made(found)} == {"evaluate", "truth"}
    found["data"]["train"] = {}
    own = made(found)["train"]
    assert own["command"] == "--train TRAIN"
    assert own["text"].startswith("Give training ratings: they weigh hits, and show whether simu")
    for column in ("truth_liked", "truth_new", "outcomes"):
        found["measures"][0][column] = 0.5
        assert "truth" not in made(found)
        found["measures"][0][column] = None
    found["recommendation"][0]["why"] = ["unknown-known"]
    assert made(found)["known"]["text"].endswith("(column known).")


def test_the_command_computes_what_is_recommended():
    own = made(example(stands=lambda better, worse: True))["evaluate"]
    measure = '"CDCG@50 by 1/√popularity"'
    nan = " --without-relevant nan"
    command = f"rankassay evaluate QRELS RUN -m {measure}"
    assert own["command"] == f"{command}{nan} --train TRAIN"
    found = example(stands=lambda better, worse: True)
    found["data"]["relevant_users"] = found["data"]["users"]
    assert made(found)["evaluate"]["command"] == f"{command} --train TRAIN"
    for needs, option in (("propensities", " --propensities FILE"), (None, "")):
        found["recommendation"] = [recommendation(needs=needs)]
        assert made(found)["evaluate"]["command"] == f"{command}{option}"
    found["data"] |= {"threshold_reason": "as given: 8", "threshold": 8.0}
    found["settings"]["profile"] = "trec"
    own = made(found)["evaluate"]["command"]
    assert own == f"{command} --threshold 8 --profile trec"
    plain = recommendation(measure="P@10")
    found = example(stands=lambda better, worse: True, recommendation=[plain])
    assert "evaluate" not in made(found)


def test_one_run_and_runs_with_the_same_hits():
    assert next(iter(made(example(["mine"])))) == "second"
    found = first_pair(identical=True, significant=False)
    own = made(found)
    assert next(iter(own)) == "identical"
    assert "claim" not in own
    text = own["identical"]["text"]
    for pair in found["pairs"][1:3]:
        pair["identical"] = True
    assert made(found)["identical"]["text"] == text.replace(":", ", and 2 other pairs:")


@pytest.mark.parametrize(("why", "kind"), [("no-relevant", "threshold"), ("no-hits", "lists")])
def test_where_nothing_can_be_told_there_is_one_thing_to_do(why, kind):
    assert [*made(example(recommendation=[cannot(why)]))] == [kind]


def test_there_are_three_at_most():
    found = example(stands=lambda better, worse: False)
    found["data"]["train"] = {}
    found["pairs"][3]["identical"] = True
    assert len(steps(found)) == 3
