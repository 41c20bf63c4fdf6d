"""Advice as a whole: what is reported, what it is bad at, what to avoid, what cannot be told."""

import json
from dataclasses import replace

import numpy as np
import pytest
from given_made_up import given, one_relevant, shortened

from rankassay.advice.advise import advise
from rankassay.advice.findings import MEASURES, PAIRS, SYSTEMS
from rankassay.advice.outcomes import Outcomes
from rankassay.advice.references import PREFIX
from rankassay.advice.settings import Settings
from rankassay.advice.trust import without_popular
from rankassay.advice.worlds import fewest_users
from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judgements import Lists

pytestmark = pytest.mark.slow

QUICK = Settings(permutations=200, resamples=40, samples=2, levels=(60, 30), percentages=(90, 80))
FEW = replace(QUICK, metrics=("nDCG@10", "P@5", "P(denominator='judged')@10", "R@20"))
USERS = 150


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


@pytest.mark.slow
def test_the_tables_have_the_columns_of_the_contract(found):
    assert [*found.measures] == [*MEASURES]
    assert [*found.systems] == [*SYSTEMS]
    assert [*found.pairs] == [*PAIRS]
    assert len(found.pairs) == 28
    assert len(found.systems) == 8


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_and_json_holds_all(leaning, found):
    first, again = (json.dumps(own.to_dict("1")) for own in (found, advise(leaning, QUICK)))
    assert first == again
    other = advise(leaning, replace(FEW, seed=1))
    assert other.to_dict("1") != advise(leaning, FEW).to_dict("1")


def test_what_is_reported_is_a_candidate_and_the_least_loss_of_all(found):
    [entry] = found.recommendation
    assert (entry["verdict"], entry["why"], entry["yardstick"]) == ("report", [], None)
    table = found.measures.set_index("measure")
    own = table.loc[entry["measure"]]
    assert own["candidate"]
    competing = table[table["candidate"] & table["simulated"]]
    near = competing[competing["worst_loss_low"] <= competing["worst_loss"].min()]
    assert own["worst_loss"] <= near["worst_loss"].max() + 0.05
    for key, column in (("tau_low", "tau_least"), ("tau_high", "tau_most")):
        assert entry[key] == own[column]
        assert entry[f"conventional_{key}"] == table.at["nDCG@10", column]
    assert entry["needs"] == ("train" if own["form"] == "weighed" else None)


def test_means_pairs_and_measures_are_of_the_same_numbers(leaning, found):
    [entry] = found.recommendation
    names, measures = [*leaning.systems], [entry["measure"], "nDCG@10"]
    values = evaluate(
        leaning.judgements, leaning.systems.values(), measures, "paper", leaning.depth, "nan"
    )
    means = dict(zip(names, np.nanmean(values, axis=0), strict=True))
    for row in found.systems.to_dict("records"):
        assert [row["mean"], row["conventional"]] == pytest.approx(means[row["system"]])
    for row in found.pairs.to_dict("records"):
        assert row["difference"] == pytest.approx(means[row["better"]][0] - means[row["worse"]][0])
    turned = sum(row["conventional_difference"] < 0 for row in found.pairs.to_dict("records"))
    assert entry["alike"]["reversed"] == turned
    assert entry["alike"]["pairs"] == 28


def test_no_measure_is_both_reported_and_avoided(leaning, found):
    [entry] = found.recommendation
    avoided = {own["measure"] for own in entry["avoid"]}
    table = found.measures.set_index("measure")
    kept = {entry["measure"], entry["conventional"], *entry["tied"]}
    assert not avoided & kept
    assert "nDCG@20" not in avoided  # 4 pairs reverse, and 3 under nDCG@10
    assert not table.loc[[*avoided], "defensible"].any()
    for own in entry["avoid"]:
        counts = without_popular(leaning, [own["measure"], entry["measure"], "nDCG@10"], QUICK).sum(
            axis=1
        )
        assert own["reversed"] == counts[0] >= max(counts[1:]) + 0.05 * 28
        assert table.at[own["measure"], "worst_loss"] > entry["worst_loss"]


def test_measures_that_popular_items_decide_are_avoided(leaning):
    """The conventional measure, here one that popularity decides less, would hide them."""
    asked = ("SNIPS@10", "P(denominator='judged')@10", "P@5", "R@5", "nDCG@5", "AP@5", "RR@5")
    [entry] = advise(leaning, replace(QUICK, metrics=asked)).recommendation
    assert entry["measure"] == entry["conventional"] == "SNIPS@10"
    assert [own["measure"] for own in entry["avoid"]] == ["nDCG@5"]
    usual = without_popular(leaning, ["SNIPS@10", "nDCG@5"], QUICK).sum(axis=1)
    assert entry["avoid"][0] | {"measure": ""} == {
        "measure": "",
        "reason": "popularity",
        "reversed": usual[1],
        "pairs": 28,
        "conventional": usual[0],
    }
    assert usual[1] - usual[0] >= 0.05 * 28


def test_a_weakness_has_its_numbers(leaning, found):
    [entry] = found.recommendation
    table = found.measures.set_index("measure")
    own, weak = table.loc[entry["measure"]], {w["criterion"]: w for w in entry["weak"]}
    assert weak["worst-kind"]["worst_loss"] == own["worst_loss"]
    assert ("without" in weak) == (own["form"] == "judged" and own["without"] >= 0.05)
    reversed_ = int(without_popular(leaning, [entry["measure"]], QUICK).sum())
    assert ("popularity" in weak) == (reversed_ >= 2.8)
    fewer = table.at["nDCG@10", "significant"] - own["significant"]
    assert ("power" in weak) == (fewer >= 0.05 * 28)
    # The runs are all that is compared: the pairs are those of the conclusions.
    assert own["significant"] == found.pairs["significant"].sum()
    assert table.at["nDCG@10", "significant"] == (found.pairs["conventional_p"] < 0.05).sum()
    best = table.loc[table["candidate"], "sparsity"].max()
    assert best - own["sparsity"] >= 0.01 or "sparsity" not in weak


def test_one_run_cannot_be_ranked(leaning):
    one = replace(leaning, systems={"run-0": leaning.systems["run-0"]})
    found = advise(one, FEW)
    [entry] = found.recommendation
    assert (entry["verdict"], entry["why"]) == ("cannot tell", ["one-run"])
    assert entry["measure"] is not None
    assert found.pairs.empty
    assert [*found.systems["system"]] == ["run-0"]


def test_few_runs_say_nothing_of_measures_and_simulations_choose(leaning):
    few = replace(leaning, systems=dict([*leaning.systems.items()][:3]))
    [entry] = advise(few, FEW).recommendation
    assert (entry["verdict"], entry["why"]) == ("cannot tell", ["few-systems"])
    [of_all] = advise(leaning, FEW).recommendation
    assert entry["measure"] == of_all["measure"]  # no system's score is looked at


def test_reference_systems_make_enough_and_are_in_no_pair(leaning):
    names = [*leaning.systems]
    own = {name: leaning.systems[name] for name in names[:3]}
    rest = {f"reference: {name}": leaning.systems[name] for name in names[3:]}
    found = advise(replace(leaning, systems=own, references=rest), FEW)
    [entry] = found.recommendation
    assert (entry["verdict"], entry["why"]) == ("report", [])
    assert len(found.pairs) == 3
    assert [*found.systems["system"]] == sorted(own, key=[*found.systems["system"]].index)
    assert (found.measures["pairs"].dropna() == 28).all()
    one = {"run-0": leaning.systems["run-0"]}
    [entry] = advise(replace(leaning, systems=one, references=rest), FEW).recommendation
    assert (entry["verdict"], entry["why"]) == ("cannot tell", ["one-run"])
    assert found.data["references"] == 5
    [told] = [note for note in found.notes if "Reference systems" in note]
    assert "; ".join(name.removeprefix(PREFIX) for name in rest) in told


def test_identical_runs_have_no_difference(leaning):
    own = leaning.systems["run-1"]
    found = advise(replace(leaning, systems={f"copy-{n}": own for n in range(7)}), FEW)
    [entry] = found.recommendation
    assert (entry["verdict"], entry["why"]) == ("cannot tell", ["no-difference"])
    assert found.pairs["identical"].all()
    assert not found.pairs["significant"].any()


def test_nothing_relevant_leaves_nothing_to_report():
    found = advise(given(USERS, threshold=6), FEW)
    [entry] = found.recommendation
    assert (entry["verdict"], entry["why"]) == ("cannot tell", ["no-relevant"])
    assert entry["measure"] is None
    assert found.pairs.empty
    json.dumps(found.to_dict("1"))


def test_runs_without_a_hit_leave_nothing_to_report(leaning):
    relevant = leaning.judgements.relevant
    blind = {
        name: Lists(np.where(relevant, 0, own.ranks), own.length)
        for name, own in leaning.systems.items()
    }
    [entry] = advise(replace(leaning, systems=blind), FEW).recommendation
    assert (entry["verdict"], entry["why"], entry["measure"]) == ("cannot tell", ["no-hits"], None)


def test_no_measure_at_the_length_of_the_lists(leaning):
    found = advise(leaning, replace(QUICK, metrics=("P@50", "AP@50")))
    [entry] = found.recommendation
    assert entry["conventional"] == "nDCG@10"
    assert entry["measure"] in {"nDCG@10", None}
    table = found.measures.set_index("measure")
    assert {*table.loc[["P@50", "AP@50"], "why_not"]} == {"deeper-than-lists"}


def test_measures_that_were_not_simulated_cannot_be_chosen(leaning):
    [entry] = advise(leaning, replace(QUICK, metrics=("ERR@10", "Q@10"))).recommendation
    assert (entry["verdict"], entry["why"]) == ("cannot tell", ["not-simulated"])
    assert (entry["measure"], entry["conventional"]) == (None, "ERR@10")


def test_too_few_users_are_not_like_what_was_simulated(leaning):
    assert fewest_users() > 4 * 12
    [entry] = advise(one_relevant(negative=True), FEW).recommendation
    assert "size" in entry["why"]
    assert entry["measure"] is None


def test_measures_that_repeat_others_do_not_compete():
    own = one_relevant(n_users=USERS, negative=True)
    table = advise(own, QUICK).measures.set_index("measure")
    assert table.at["R@10", "why_not"] == "repeats"
    assert not table.at["R@10", "candidate"]
    assert table.at["R@5", "candidate"]


def outcomes_of(leaning, measure, sign=1):
    """Return outcomes that the means by a measure are, or their opposite."""
    values = evaluate(
        leaning.judgements, leaning.systems.values(), [measure], "paper", leaning.depth, "nan"
    )
    means = sign * np.nanmean(values, axis=0)[:, 0]
    names = [*leaning.systems]
    return Outcomes(dict(zip(names, means, strict=True)), dict.fromkeys(names, 1e-6))


@pytest.mark.slow
def test_outcomes_exclude_measures_and_what_is_left_is_reported(leaning, found):
    online = outcomes_of(leaning, "infAP@20")
    own = advise(leaning, QUICK, outcomes=online)
    [entry] = own.recommendation
    table = own.measures.set_index("measure")
    out = table.index[table["excluded"].notna()]
    assert table.at["infAP@20", "outcomes"] == pytest.approx(1)
    assert len(out) > 0
    assert entry["measure"] not in out
    assert entry["verdict"] == "report"
    avoided = [own for own in entry["avoid"] if own["reason"] == "truth"]
    assert {own["measure"] for own in avoided} == {*out} - {"nDCG@10"}
    for own in avoided:
        assert (own["by"], own["tau"]) == ("outcomes", table.at[own["measure"], "outcomes"])
        assert own["tau"] < own["best_low"] <= own["best"] == pytest.approx(1)
        assert own["best_low"] < own["best_high"] <= 1
        assert own["best"] == table["outcomes"].max() == table.at[own["best_measure"], "outcomes"]


def test_the_conventional_measure_is_not_avoided_even_where_outcomes_exclude_it(leaning):
    asked = ("RR@10", "infAP@20", "P@5", "AP@10", "P(denominator='judged')@10")
    own = advise(leaning, replace(QUICK, metrics=asked), outcomes=outcomes_of(leaning, "infAP@20"))
    assert own.measures.set_index("measure").at["RR@10", "excluded"] == "outcomes"
    [entry] = own.recommendation
    assert entry["conventional"] == "RR@10"
    assert "RR@10" not in {row["measure"] for row in entry["avoid"]}


def test_outcomes_that_no_measure_agrees_with_leave_nothing_to_tell(leaning):
    online = outcomes_of(leaning, "R@20", sign=-1)
    [entry] = advise(leaning, FEW, outcomes=online).recommendation
    assert (entry["verdict"], entry["why"]) == ("cannot tell", ["no-agreement"])
    assert (entry["measure"], entry["conventional"]) == (None, "nDCG@10")


def test_a_yardstick_needs_a_truth(leaning):
    with pytest.raises(RankassayError, match="yardstick"):
        advise(leaning, replace(QUICK, yardstick="new"))


def test_notes_say_who_counts_and_what_popularity_is(leaning, found):
    assert not any("relevant item" in note for note in found.notes)  # all users have one
    some = given(USERS, 2, threshold=5, popularity=None)
    first, second = advise(some, FEW).notes
    counted = int((some.judgements.n_relevant > 0).sum())
    assert f"{counted} users with a relevant item" in first
    assert f"the other {USERS - counted} " in first
    assert "No training ratings" in second
