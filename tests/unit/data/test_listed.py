"""Listed training items are refused, removed or kept; runs of sampled candidates are told."""

import logging

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import rankassay
from rankassay.advice.of_split import given_of
from rankassay.artifacts.arrays import Rankings
from rankassay.data.few_items import USERS, few_items
from rankassay.errors import RankassayError

N_USERS, N_ITEMS = 300, 1000
QRELS = {f"u{u}": {f"i{i}": 1 + (u + i) % 5 for i in range(8)} for u in range(30)}
TRAIN = {f"u{u}": {f"t{t}": 4 for t in range(3)} | {"t9": 3} for u in range(30)} | {"v": {"i1": 5}}
GOOD = {user: ["x", *sorted(own, key=own.__getitem__)[::-1]] for user, own in QRELS.items()}
FAIR = {user: ["y", "i3", "i1", "x", *[f"i{n}" for n in (0, 2, 5)]] for user in QRELS}
SEEN = {user: ["t1", *own[:2], "t0", *own[2:]] for user, own in GOOD.items()}
RUNS, BAD = {"good": GOOD, "fair": FAIR}, {"good": SEEN, "fair": FAIR}
SAID = "Run good: 60 listed items of 30 users, rated by them in training, "

DOORS = {
    "evaluate": lambda runs, **how: rankassay.evaluate(QRELS, runs, "nDCG@3", train=TRAIN, **how),
    "sensitivity": lambda runs, **how: rankassay.sensitivity(
        QRELS, runs, "P@3", train=TRAIN, depth=3, **how
    ),
    "robustness": lambda runs, **how: rankassay.robustness(
        QRELS,
        runs,
        ["P@3"],
        samples=3,
        train=pd.DataFrame([(u, i) for u, own in TRAIN.items() for i in own]).set_axis(
            ["user", "item"], axis=1
        ),
        **how,
    ),
    "beyond": lambda runs, **how: rankassay.beyond(runs, TRAIN, "ARP@3", qrels=QRELS, **how),
}


def ending(lines):
    return [line.split("warning: ")[-1] for line in lines if "rated by them" in line]


@pytest.mark.parametrize("door", DOORS)
def test_listed_training_items_are_refused_removed_or_kept(door, caplog):
    call = DOORS[door]
    with pytest.raises(RankassayError) as error:
        call(BAD)
    assert str(error.value) == (
        "the run good: expected no items that the user rated in training, found 60 listed items of "
        "30 users, the first one item 't1' of user 'u0' at place 1; leave such items out of the "
        'lists, or give not_candidates="drop" (--not-candidates drop) to remove them, or "keep".'
    )
    clean = call(RUNS)
    assert not caplog.messages
    dropped = call(BAD, not_candidates="drop")
    pd.testing.assert_frame_equal(dropped, clean)
    assert ending(caplog.messages) == [f"{SAID}were removed before anything else."]
    assert ending(rankassay.describe(dropped).splitlines()) == ending(caplog.messages)
    caplog.clear()
    kept = call(BAD, not_candidates="keep")
    assert not kept.equals(clean)
    assert ending(caplog.messages) == [f"{SAID}stay."]


@pytest.mark.slow
@pytest.mark.parametrize(
    "truth", [None, [(f"u{u}", f"i{u % 6 + 8}", u % 5 + 1) for u in range(30)]]
)
def test_the_judge_begins_with_what_was_removed(truth):
    """With a truth, too, of which no pair is judged or trained."""
    extra = [f"i{n}" for n in range(8, 14)]
    runs = {name: {u: own + extra for u, own in run.items()} for name, run in BAD.items()}
    given = {"train": TRAIN, "truth": truth, "references": False, "metrics": ["P@3"]}
    with pytest.raises(RankassayError, match=r"the run good: .* 60 listed items of 30 users"):
        rankassay.judge(QRELS, runs, **given)
    clean = {name: {u: own + extra for u, own in run.items()} for name, run in RUNS.items()}
    clean, found = (
        rankassay.judge(QRELS, own, **given, not_candidates=how).to_dict()
        for own, how in ((clean, "error"), (runs, "drop"))
    )
    assert f"{SAID}were removed before anything else." in found["data"]["warnings"]
    assert found["systems"] == clean["systems"]


def test_the_screen_of_the_judge_has_all_warnings():
    """The sentence on sampled candidates stood behind those of removed items, and was left out."""
    rng = np.random.default_rng(0)
    drawn = {user: [f"s{i}" for i in rng.choice(900, 20, replace=False)] for user in QRELS}

    def run(extra):
        lists = {user: [*rng.permutation([*own, *drawn[user]])] for user, own in QRELS.items()}
        return {user: ["t1"] * extra + own for user, own in lists.items()}

    runs = {"one": run(1), "two": run(1), "fair": run(0)}
    given = {"train": TRAIN, "references": False, "metrics": ["P@3"], "not_candidates": "drop"}
    found = rankassay.judge(QRELS, runs, **given)
    shown = " ".join(str(found).split())
    assert "All 3 runs list the same 28 items" in shown
    removed = "30 listed items of 30 users, rated by them in training, were removed before anything"
    assert f"Run one: {removed} else; so in 1 other run." in shown
    assert f"Run two: {removed} else." in found.to_dict()["notes"]


def test_a_pair_that_is_judged_too_stays_in_the_list(caplog):
    """Its training ratings hold test ratings: that is said, and no hit is lost."""
    train = {user: QRELS[user] | own for user, own in TRAIN.items() if user in QRELS}
    found = rankassay.evaluate(QRELS, RUNS, "nDCG@3", train=train, not_candidates="drop")
    pd.testing.assert_frame_equal(found, rankassay.evaluate(QRELS, RUNS, "nDCG@3"))
    assert caplog.messages == [
        "warning: 240 of 240 judgements are training ratings, too: give train (--train) without "
        "the test ratings."
    ]


def test_users_without_judgements_may_list_anything():
    assert rankassay.evaluate(QRELS, GOOD | {"v": ["i1"]}, "P@1", train=TRAIN)["P@1"] == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"not_candidates": "drop"}, "not_candidates: expected training ratings for 'drop'"),
        ({"train": TRAIN, "not_candidates": "dorp"}, "did you mean 'drop'"),
        (
            {"train": {u: own for u, own in enumerate(QRELS.values())}},
            r"like 'u0' \(string\), those",
        ),
    ],
)
def test_what_cannot_be_searched_for_is_refused(given, said):
    for function in ("evaluate", "sensitivity"):
        with pytest.raises(RankassayError, match=said):
            getattr(rankassay, function)(QRELS, RUNS, "P@1", **given)


@pytest.mark.parametrize("door", ["evaluate", "robustness"])
def test_items_of_another_type_are_refused_where_propensities_do_not_need_them(door):
    """They never match, so training items in lists would pass unseen."""
    train = {user: {int(i[1:]): r for i, r in own.items()} for user, own in TRAIN.items()}
    pairs = pd.DataFrame([(u, i) for u, own in train.items() for i in own])
    call = {
        "evaluate": lambda: rankassay.evaluate(
            QRELS, BAD, "P@3", train=train, propensities={f"i{i}": 0.5 for i in range(8)}
        ),
        "robustness": lambda: rankassay.robustness(
            QRELS, BAD, ["P@3"], samples=3, train=pairs.set_axis(["user_id", "item"], axis=1)
        ),
    }[door]
    with pytest.raises(RankassayError, match=r"no judged item has .* like 'i0' \(string\), those"):
        call()


def test_training_ratings_of_other_users_are_told(caplog):
    """As of ids that end otherwise: lists cannot be searched; a split by users looks the same."""
    train = {f"{user}_": own for user, own in TRAIN.items()}
    rankassay.evaluate(QRELS, BAD, "P@3", train=train)
    assert caplog.messages == [
        "warning: train: no judged user has a training rating: the users of the judgements are "
        "like 'u0', those in training like 'u0_'; if they are the same users, give both the same "
        "ids."
    ]


@pytest.mark.parametrize(
    ("choice", "said"), [("drop", "was removed before anything else."), ("keep", "stays.")]
)
def test_one_item_is_told_as_one(choice, said, caplog):
    bad = {"good": GOOD | {"u1": SEEN["u1"][:3]}, "fair": FAIR}
    rankassay.evaluate(QRELS, bad, "P@3", train=TRAIN, not_candidates=choice)
    assert ending(caplog.messages) == [
        f"Run good: 1 listed item of 1 user, rated by them in training, {said}"
    ]


def world(seed=0):
    """Return scores of five recommenders, each (N_USERS, N_ITEMS), and the judged pairs."""
    rng = np.random.default_rng(seed)
    popular = 3 * rng.random(N_ITEMS) ** 4
    taste = rng.normal(size=(N_USERS, 4)) @ rng.normal(size=(4, N_ITEMS)) / 2
    shape = N_USERS, N_ITEMS
    scores = [popular + taste + noise * rng.normal(size=shape) for noise in (0.3, 0.6, 1.2)] + [
        np.broadcast_to(popular, shape),
        rng.random(shape),
    ]
    judged = np.argsort(-(popular + taste + rng.gumbel(size=shape)), axis=1)[:, :3]
    return scores, judged


def cut(scores, depth, candidates=None):
    """Return the lists of recommenders: of all items, or of each user's candidates."""
    runs = []
    for own in scores:
        own = own if candidates is None else np.where(candidates, own, -np.inf)
        items = np.argsort(-own, axis=1, kind="stable")[:, :depth]
        keep = np.take_along_axis(own, items, axis=1) > -np.inf
        runs.append((np.nonzero(keep)[0], items[keep]))
    return runs


def pairs(judged):
    return np.repeat(np.arange(len(judged)), judged.shape[1]), judged.ravel()


def drawn(judged, n, seed=1, weights=None):
    """Return n candidates for each user next to the judged ones, bool (N_USERS, N_ITEMS)."""
    rng = np.random.default_rng(seed)
    found = np.zeros((N_USERS, N_ITEMS), dtype=bool)
    for row in found:
        row[rng.choice(N_ITEMS, n, replace=False, p=weights)] = True
    found[pairs(judged)] = True
    return found


@pytest.mark.parametrize("depth", [5, 20, 100, 400])
@pytest.mark.parametrize("of", [slice(0, 5), slice(0, 3), slice(0, 2), slice(2, 4), slice(3, 5)])
def test_rankings_of_all_items_do_not_look_sampled(depth, of):
    scores, judged = world()
    assert few_items(cut(scores[of], depth), pairs(judged)) is None


@pytest.mark.parametrize("depth", [3, 5, 10])
def test_alike_systems_that_list_no_item_for_many_users_do_not_look_sampled(depth):
    """As two settings of one personalised recommender; some items are listed more, all the same."""
    rng = np.random.default_rng(0)
    taste = rng.normal(size=(N_USERS, 8)) @ rng.normal(size=(8, N_ITEMS)) / 2
    taste += 1.5 * rng.random(N_ITEMS) ** 4
    alike = [taste + noise * rng.normal(size=taste.shape) for noise in (0.1, 0.3)]
    found = cut(alike, depth)
    assert np.bincount(found[0][1]).max() < 0.2 * N_USERS
    assert few_items(found, pairs(world()[1])) is None


@pytest.mark.parametrize("depth", [5, 10, 20])
def test_lists_of_places_without_popular_items_do_not_look_sampled(depth):
    """As of restaurants in 20 towns: no item is listed for many users, and neighbours share all."""
    rng = np.random.default_rng(0)
    town = rng.integers(20, size=(N_USERS, 1)) == rng.integers(20, size=N_ITEMS)
    taste = 3 * town + rng.random(N_ITEMS)
    alike = [taste + noise * rng.normal(size=taste.shape) for noise in (0.1, 0.2)]
    found = cut(alike, depth)
    assert np.bincount(found[0][1]).max() < 0.2 * N_USERS
    assert few_items(found, pairs(world()[1])) is None


def test_lists_of_all_items_that_are_left_of_few_do_not_look_sampled():
    """As of 100 jokes, of which users rated most in training."""
    rng = np.random.default_rng(0)
    left = rng.random((N_USERS, 100)) < 0.42
    scores = [rng.random(left.shape) for _ in range(3)]
    found = cut(scores, 100, left)
    assert few_items(found, (found[0][0][::9], found[0][1][::9])) is None


def test_rankings_of_sampled_candidates_are_seen_whole_and_cut():
    scores, judged = world()
    known, candidates = pairs(judged), drawn(judged, 40)
    found = few_items(cut(scores, 100, candidates), known)
    assert (found.runs, found.own, found.often) == (5, 43, None)
    assert "All 5 runs list the same 43 items of a user, or parts of these, of 1,000" in str(found)
    one_cut = [*cut(scores[:2], 100, candidates), *cut(scores[2:], 10, candidates)]
    assert few_items(one_cut, known).often is None
    by_popularity = drawn(judged, 40, weights=np.linspace(1, 9, N_ITEMS) / (5 * N_ITEMS))
    assert few_items(cut(scores[:2], 100, by_popularity), known).own == 43
    half = few_items(cut(scores, 20, candidates), known)
    assert 40 / N_ITEMS < half.often < 0.1
    assert "no unjudged item is listed for more than" in str(half)


def test_what_may_look_like_few_items_and_is_not():
    scores, judged = world()
    known = pairs(judged)
    of_all, sampled = cut(scores[:1], 50), cut(scores, 100, drawn(judged, 40))
    assert few_items(of_all * 3, known) is None, "copies of one run"
    assert few_items(sampled[:1], known) is None, "one run"
    few_users = [(user[user < 15], item[user < 15]) for user, item in sampled]
    assert few_items(few_users, known) is None, "few users"
    tiny = cut([own[:, :30] for own in scores], 30)
    assert few_items(tiny, known) is None, "a catalogue that all lists hold"
    rng = np.random.default_rng(2)
    random = [rng.random((N_USERS, N_ITEMS)) for _ in range(3)]
    assert few_items(cut(random, 50), known) is None, "lists at random"
    assert few_items([*sampled, *of_all], known) is None, "one run of all items"


def as_runs(lists):
    return {
        f"run-{k}": pd.DataFrame({"user": user, "item": item, "rank": np.arange(len(user))})
        for k, (user, item) in enumerate(lists)
    }


def test_it_is_told_once_at_every_door(caplog):
    scores, judged = world()
    user, item = pairs(judged)
    qrels = pd.DataFrame({"user": user, "item": item, "rating": 1 + (user + item) % 5})
    lists = cut(scores[:2], 100, drawn(judged, 40))
    runs = as_runs([lists[0], *cut(scores[1:2], 30, drawn(judged, 40))])
    doors = {
        "evaluate": lambda runs: rankassay.evaluate(qrels, runs, "P@5"),
        "compare": lambda runs: rankassay.compare(qrels, runs, "nDCG@40", n_permutations=100),
        "bounds": lambda runs: rankassay.bounds(qrels, runs, "P@5"),
        "ties": lambda runs: rankassay.ties(qrels, runs, "P@5"),
        "preferences": lambda runs: rankassay.preferences(qrels, runs, n_permutations=100),
        "sensitivity": lambda runs: rankassay.sensitivity(qrels, runs, "P@5"),
        "robustness": lambda runs: rankassay.robustness(qrels, runs, ["P@5"], samples=2),
        "beyond": lambda runs: rankassay.beyond(runs, {-1: {0: 1}}, "ARP@5"),
    }
    for name, call in doors.items():
        caplog.clear()
        call(runs)
        said = [line for line in caplog.messages if "sampled candidates" in line]
        assert len(said) == 1, name
        assert said[0].startswith("warning: All 2 runs list parts of the same few items"), name
        caplog.clear()
        call(as_runs(cut(scores[:2], 30)))
        assert not [line for line in caplog.messages if "sampled" in line], name


@pytest.mark.slow
def test_the_judge_begins_with_it():
    scores, judged = world()
    user, item = pairs(judged)
    qrels = pd.DataFrame({"user": user, "item": item, "rating": 1 + (user + item) % 5})
    runs = as_runs(cut(scores[:2], 100, drawn(judged, 40)))
    found = rankassay.judge(qrels, runs, metrics=["P@5"])
    assert "All 2 runs list the same 43 items of a user" in " ".join(str(found).split())
    assert any("sampled candidates" in told for told in found.to_dict()["data"]["warnings"])


def test_it_is_told_of_the_runs_of_a_workflow():
    scores, judged = world()
    user, item = pairs(judged)
    test = sp.csr_matrix((np.full(len(user), 5.0, np.float32), (user, item)), (N_USERS, N_ITEMS))
    test.sort_indices()

    def rankings(lists):
        items = np.full((N_USERS, 20), -1, dtype=np.int32)
        place = np.arange(len(lists[0])) - np.searchsorted(lists[0], lists[0])
        items[lists[0], place] = lists[1]
        length = np.full(N_USERS, 20, dtype=np.int32)
        return Rankings(items, np.zeros(test.nnz, dtype=np.int32), length)

    ran = {f"r{k}": rankings(own) for k, own in enumerate(cut(scores, 20, drawn(judged, 40)))}
    made = {"own": rankings(cut(scores[:1], 20)[0])}
    for runs, told in (([*ran], 1), (["own", "r0"], 0), ([], 0)):
        given, _ = given_of(test, ran | made, 4, about={"title": "x", "runs": runs})
        assert len(given.about.get("warnings", ())) == told
        assert given.about["title"] == "x"


def test_of_many_users_some_are_looked_at(caplog):
    caplog.set_level(logging.WARNING)
    n = 2 * USERS + 1
    qrels = {u: {0: 1, 1: 0} for u in range(n)}
    forth, back = ({u: [1 + 2 * u, 2 + 2 * u][::way] for u in range(n)} for way in (1, -1))
    rankassay.evaluate(qrels, {"forth": forth, "back": back}, "P@1")
    assert f"the same 2 items of a user, or parts of these, of {2 * (n // 3 + 1):,}" in caplog.text


def test_users_without_judgements_are_counted_once_for_runs_with_as_many(caplog):
    more = {name: own | {"v": ["i1"]} for name, own in RUNS.items()}
    more["fuller"] = more["good"] | {"w": ["i1"]}
    for door in (DOORS["evaluate"], lambda runs: rankassay.judge(QRELS, runs)):
        caplog.clear()
        with caplog.at_level("INFO", logger="rankassay"):
            door(more)
        said = [own for own in caplog.messages if "no part in the result" in own]
        assert said == [
            "the run good: 1 user has no judgements, and no part in the result; so in 1 other run: "
            "fair",
            "the run fuller: 2 users have no judgements, and no part in the result",
        ]
