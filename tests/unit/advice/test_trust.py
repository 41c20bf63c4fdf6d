"""How far to trust a ranking: what could change it, with numbers."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from advice_runs import given_of
from given_made_up import given
from scipy.stats import kendalltau

from rankassay.advice import trust
from rankassay.advice.conclusions import pairs
from rankassay.advice.findings import TRUST, plainly
from rankassay.advice.given import Settings, values
from rankassay.advice.rule import Rule
from rankassay.advice.trust import bounded_by, judged_share, ranges, undetermined
from rankassay.metrics.bounds import measure_bounds
from rankassay.metrics.evaluate import evaluate
from rankassay.statistics import incomplete
from rankassay.statistics.incomplete import random_part
from rankassay.statistics.judged_systems import TestSet

QUICK = Settings(permutations=200, resamples=40)
JUDGED = "P(denominator='judged')@5"


@pytest.fixture(scope="module")
def own():
    return given()


def pairs_of(given, measure, settings=QUICK):
    return pairs(given, Rule(measure, measure, measure, (measure,), measure, ()), settings)


def entries(given, measure, settings=QUICK):
    found = trust.entries(given, pairs_of(given, measure, settings), measure, settings)
    return {entry["kind"]: entry for entry in found}


def letters(**runs):
    """Return ten users who like "a" and not "b", and runs that list a letter for each."""
    users = [f"u{n}" for n in range(10)]
    qrels = {user: {"a": 1, "b": 0} for user in users}
    return given_of(qrels, {name: dict(zip(users, own, strict=True)) for name, own in runs.items()})


def test_every_entry_has_the_numbers_of_its_line_and_can_be_stored(own):
    found = entries(own, JUDGED)
    assert {*found} == {*TRUST}
    for kind, entry in found.items():
        assert {"kind", "rows", *TRUST[kind]} <= {*entry}
        assert plainly(entry) == entry or kind == "bias"  # whose Gamma may be infinite


@pytest.mark.slow
def test_half_of_the_judgements_are_removed_as_in_the_study_of_sparsity(own):
    evaluation = {"measures": ["nDCG@10"], "profile": "paper", "without_relevant": "nan"}
    evaluation |= {"aggregate": "mean"}
    lists = [*own.systems.values()]
    whole = TestSet.of_lists(own.judgements, own.item, lists, evaluation, own.depth)
    study = incomplete.without_ratings(whole, [50], trust.HALVES, 0, resamples=40)
    [expected] = study.with_interval().table.to_dict("records")
    found = entries(own, "nDCG@10")["missing"]
    assert (found["tau"], found["low"], found["high"]) == tuple(
        pytest.approx(expected[name], abs=1e-12) for name in ("tau", "low", "high")
    )
    assert found["low"] < found["tau"] < found["high"]
    assert np.mean([row["tau"] for row in found["rows"]]) == pytest.approx(found["tau"])
    taus = [trust.missing(own, "nDCG@10", replace(QUICK, seed=seed))["tau"] for seed in (1, 2, 3)]
    assert np.ptp(taus) < 0.05  # with three halves, 0.10


def test_tau_is_that_of_the_rankings_by_scipy(own):
    keep = random_part(own.judgements.start, 50, 0, 0)
    part = own.judgements.sample(keep)
    lists = [replace_ranks(lists, keep) for lists in own.systems.values()]
    rows = np.searchsorted(own.judgements.users, part.users)
    lists = [replace(one, length=one.length[rows]) for one in lists]
    on_part = np.nanmean(evaluate(part, lists, ["P@5"], "paper", own.depth, "nan"), axis=0)[:, 0]
    whole = np.nanmean(values(own, ["P@5"], QUICK), axis=0)[:, 0]
    rounded = [np.round(means, 12) for means in (on_part, whole)]
    expected = kendalltau(*rounded).statistic
    assert entries(own, "P@5")["missing"]["rows"][0]["tau"] == pytest.approx(expected)
    assert expected < 1


def replace_ranks(lists, keep):
    return replace(lists, ranks=lists.ranks[keep])


@pytest.mark.parametrize(("tau", "robust"), [(0.7999, False), (0.8, True)])
def test_a_ranking_is_robust_from_a_tau_of_four_fifths(own, monkeypatch, tau, robust):
    taus = np.full((3, 41, 1), tau)
    monkeypatch.setattr(trust, "against_whole", lambda *_: {50: taus})
    assert entries(own, "P@5")["missing"]["robust"] is robust


def test_reference_systems_are_ranked_with_few_runs_and_counted(own):
    names = [*own.systems]
    few = replace(own, systems={name: own.systems[name] for name in names[:4]})
    assert "missing" not in entries(few, "P@5")
    rest = {name: own.systems[name] for name in names[4:]}
    found = entries(replace(few, references=rest), "P@5")
    assert (found["missing"]["systems"], found["missing"]["references"]) == (7, 3)
    assert found["missing"]["tau"] == entries(own, "P@5")["missing"]["tau"]


def test_the_pairs_that_may_be_written_stand_up_to_some_gamma(own):
    table = pairs_of(own, "P@5")
    written = table[table["written"]]
    found = entries(own, "P@5")["bias"]
    assert (found["pairs"], found["gamma"]) == (len(written), QUICK.gamma)
    stands_to = written["stands_to"]
    assert (found["least"], found["most"]) == (stands_to.min(), stands_to.max())
    assert found["standing"] == (stands_to >= QUICK.gamma).sum()
    assert len(found["rows"]) == len(written)
    stands = [row["stands_to"] for row in found["rows"]]
    assert stands == sorted(stands)


def test_without_a_pair_to_write_there_is_no_entry_of_bias():
    assert "bias" not in entries(letters(one="aaaaabbbbb", two="aaaaaxxxxx"), "P@1")


def test_judged_items_are_counted_for_all_runs_and_by_run():
    own = given_of(
        {"u": {"a": 1, "b": 0}, "v": {"a": 1}, "w": {"c": 0}},
        {"one": {"u": "abx", "v": "yax", "w": "ccc"[:1]}, "two": {"u": "xyz", "v": "axy"}},
    )
    found = entries(own, "P@1")["unjudged"]
    assert found["judged_share"] == 4 / 12  # the user without a relevant item does not count
    assert found["judged_share_at_cutoff"] == 2 / 4
    assert [row["judged_share"] for row in found["rows"]] == [3 / 6, 1 / 6]
    assert [row["run"] for row in found["rows"]] == ["one", "two"]
    assert (found["pairs"], found["undetermined"]) == (1, 1)
    assert "unjudged" not in entries(letters(one="aaaaaaaabb", two="bbbbbbaabb"), "P@1")


def test_of_one_run_nothing_is_said_that_takes_two():
    assert [*entries(letters(one="aaaaaxxxbb"), "P@1")] == ["unjudged"]
    found = entries(letters(one="aaaaaxxxbb"), "P@1")["unjudged"]
    assert (found["judged_share"], found["pairs"], found["undetermined"]) == (0.7, 0, 0)


def test_without_a_hit_or_a_relevant_item_entries_are_left_out():
    assert [*entries(letters(one="bbbbbbbbbb", two="xxxxxxxxxx"), "P@1")] == ["unjudged"]
    qrels = {"u": {"a": 0}, "v": {"b": 0}}
    none = given_of(qrels, {name: {"u": "a", "v": "x"} for name in "abcdefg"})
    assert entries(none, "nDCG@5") == {}


@pytest.mark.slow
def test_the_same_seed_gives_the_same_entries(own):
    assert entries(own, JUDGED) == entries(own, JUDGED)
    other = entries(own, JUDGED, replace(QUICK, seed=1))["missing"]
    assert other != entries(own, JUDGED)["missing"]


SETTINGS = Settings()
QRELS = {"u": {"a": 1, "b": 0}, "v": {"a": 1, "c": 0}, "w": {"c": 0}}
RUNS = {
    "one": {"u": "abx", "v": "ayc", "w": "xyz"},
    "two": {"u": "bxy", "v": "xya", "w": "abc"},
    "three": {"u": "bc", "v": "cb", "w": "abc"},
}


def every_world(measure):
    """Return the runs' means by a measure for all that the first two users can think of items."""
    listed = {user: sorted({i for run in RUNS.values() for i in run[user]}) for user in "uv"}
    unjudged = [(u, i) for u, items in listed.items() for i in items if i not in QRELS[u]]
    means = []
    for ratings in itertools.product((0, 1), repeat=len(unjudged)):
        qrels = {user: dict(own) for user, own in QRELS.items()}
        for (user, item), rating in zip(unjudged, ratings, strict=True):
            qrels[user][item] = rating
        x = values(given_of(qrels, RUNS), [measure], SETTINGS)
        means.append(np.nanmean(x[:, :, 0], axis=0))
    return np.array(means)


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["P@2", "RR@3", "P(denominator='judged')@3"])
def test_no_judgements_put_a_run_outside_of_its_range_and_some_reach_the_ends(measure):
    found = ranges(given_of(QRELS, RUNS), measure, SETTINGS)
    means = every_world(measure)
    np.testing.assert_allclose(means.min(axis=0), found.least)
    np.testing.assert_allclose(means.max(axis=0), found.greatest)


def test_pairs_that_some_judgements_reverse_are_undetermined():
    """All of these, and at most one more here: what two runs both list counts for both."""
    own, means = given_of(QRELS, RUNS), every_world("P@2")
    found = undetermined(own, "P@2", SETTINGS)
    pairs = [*itertools.permutations(range(3), 2)]
    reverses = {(a, b) for a, b in pairs if (means[:, b] > means[:, a]).any()}
    assert {(a, b) for a, b in pairs if found[a, b]} == reverses | {(0, 1)}
    assert (0, 2) not in reverses


def test_where_all_is_judged_no_pair_can_reverse():
    qrels = {user: dict(own) | dict.fromkeys("abcxyz", 0) | own for user, own in QRELS.items()}
    own = given_of(qrels, RUNS)
    found = ranges(own, "P@2", SETTINGS)
    np.testing.assert_array_equal(found.least, found.greatest)
    means = np.nanmean(values(own, ["P@2"], SETTINGS)[:, :, 0], axis=0)
    np.testing.assert_array_equal(undetermined(own, "P@2", SETTINGS), means[None] > means[:, None])


@pytest.mark.parametrize("measure", ["nDCG@10", "AP@20", "Bpref@20", "infAP@10", "R@5", "RBP@20"])
def test_ranges_are_means_of_the_bounds_of_users(measure):
    own = given(n_systems=2)
    found = ranges(own, measure, SETTINGS)
    assert found.measure == measure
    for place, lists in enumerate(own.systems.values()):
        bounds = measure_bounds(own.judgements, lists, [measure], "paper", "nan", "none", own.depth)
        counted = own.judgements.n_relevant > 0
        assert found.least[place] == pytest.approx(bounds.least[counted].mean())
        assert found.greatest[place] == pytest.approx(bounds.greatest[counted].mean())


@pytest.mark.parametrize(
    ("measure", "by"),
    [
        ("P(denominator='judged_nan')@5", "P(denominator='listed')@5"),
        ("smoothed P@5 of judged items", "P(denominator='listed')@5"),
        ("CDCG@5", "P@5"),
        ("IPS(gain='P')@10", "P@10"),
        ("FP@10", "P@10"),
        ("Bpref", "Bpref"),
        ("SNIPS", "P@100"),
        ("P@7", "P@7"),
    ],
)
def test_precision_stands_in_for_measures_without_bounds(measure, by):
    assert bounded_by(measure, "paper", 100) == by


def test_lists_without_an_item_have_no_share():
    own = given_of({"u": {"a": 1}}, {"one": {"u": "a"}})
    assert judged_share(own, [*own.systems.values()], 5) == 1
    assert np.isnan(judged_share(own, [], 5))
