"""Preferences between runs: against plain Python, metrics and scipy."""

import itertools

import numpy as np
import pytest
import scipy.stats

import rankassay
from rankassay.errors import RankassayError
from rankassay.seeds import generator

QRELS = {"ann": {"film": 5, "book": 4, "game": 1}, "bob": {"song": 4}, "eve": {"play": 2}}
RUNS = {
    "a": {"ann": ["film", "game", "book"], "bob": ["song"], "eve": ["play"]},
    "b": {"ann": ["game", "film"], "eve": ["game"]},
    "c": {"ann": ["book", "film"], "bob": ["game", "song"]},
}


def made_up():
    """Return judgements and three runs of 9 users, of which the first two differ much."""
    rng = generator(3, "preferences")
    items = [f"i{k}" for k in range(12)]
    qrels = {
        f"u{u}": {i: int(rng.integers(1, 6)) for i in rng.permutation(items)[:6]} for u in range(9)
    }
    runs = {}
    for name, taste in (("a", 2.0), ("b", 0.0), ("c", 0.5)):
        runs[name] = {
            user: {i: float(taste * own.get(i, 0) + rng.normal()) for i in items}
            for user, own in qrels.items()
        }
    return qrels, runs


def places(own, ratings, least):
    """Return where a list has the items rated at least so high, best first."""
    order = sorted(own, key=own.get, reverse=True)
    return sorted(order.index(item) + 1 for item, rating in ratings.items() if rating >= least)


def test_pairs_of_runs():
    found = rankassay.preferences(QRELS, RUNS, unequal_depths=True)
    assert found[["run_a", "run_b"]].to_numpy().tolist() == [["a", "b"], ["a", "c"], ["b", "c"]]
    # ann: a has places 1 and 3, b place 2 alone, c 1 and 2; bob: 1, none and 2. Eve likes nothing.
    assert found["preference"].tolist() == [1.0, (-0.5 + 1) / 2, -1.0]
    assert found["users"].tolist() == [2, 2, 2]
    assert found["wins"].tolist() == [1.0, 0.5, 0.0]
    assert found["losses"].tolist() == [0.0, 0.5, 1.0]
    assert not found["ties"].any()


@pytest.mark.parametrize("kind", ["RPP", "RPP(graded=True)"])
def test_preferences_are_what_they_are_defined_as(kind):
    qrels, runs = made_up()
    expected = {}
    for a, b in itertools.combinations(runs, 2):
        means = []
        for user, ratings in qrels.items():
            liked = sorted({r for r in ratings.values() if r >= 3}) if "graded" in kind else [3]
            parts = []
            for least in liked:
                pairs = zip(*(places(runs[r][user], ratings, least) for r in (a, b)), strict=True)
                parts.append([(x < y) - (x > y) for x, y in pairs])
            weights = [len(part) for part in parts]
            if sum(weights):
                means.append(sum(map(sum, parts)) / sum(weights))
        expected[a, b] = np.mean(means)
    found = rankassay.preferences(qrels, runs, kind, threshold=3)
    assert found["preference"].tolist() == pytest.approx([*expected.values()])


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["AUC", "LAUC", "MPR", "AP"])
def test_signs_are_those_of_lists_that_are_cut(metric):
    qrels, runs = made_up()
    short = {
        name: {
            user: dict(sorted(own.items(), key=lambda x: -x[1])[:4]) for user, own in run.items()
        }
        for name, run in runs.items()
    }
    found, expected = (
        rankassay.preferences(qrels, given, f"sign of {metric}", cutoff=cutoff, n_items=12)
        for given, cutoff in ((runs, 4), (short, None))
    )
    assert found.equals(expected)
    whole = rankassay.preferences(qrels, runs, f"sign of {metric}", n_items=12)
    assert not found["preference"].equals(whole["preference"])


@pytest.mark.parametrize("metric", ["AP", "nDCG", "P(denominator='listed')"])
def test_signs_are_those_of_the_metric(metric):
    qrels, runs = made_up()
    measure = f"{metric}@4"
    users = rankassay.evaluate(qrels, runs, measure, per_user=True, without_relevant="nan")
    wide = users.pivot(index="user", columns="run", values=measure).dropna()
    found = rankassay.preferences(qrels, runs, f"sign of {metric}", cutoff=4)
    for row in found.itertuples():
        assert row.wins == pytest.approx((wide[row.run_a] > wide[row.run_b]).mean())
        assert row.preference == pytest.approx(np.sign(wide[row.run_a] - wide[row.run_b]).mean())


def test_a_user_without_relevant_items_has_no_sign():
    found = rankassay.preferences(QRELS, RUNS, "sign of P", cutoff=2)
    assert found["users"].tolist() == [2, 2, 2]
    # Of two places, ann has 1, 1 and 2 relevant items and bob 1, none and 1.
    assert found["preference"].tolist() == [0.5, -0.5, -1]


def test_where_less_is_better_the_lower_value_wins():
    qrels, runs = made_up()
    found = rankassay.preferences(qrels, runs, "sign of Fallout", cutoff=3, n_items=12)
    other = rankassay.preferences(qrels, runs, "sign of InverseRecall", cutoff=3, n_items=12)
    assert found["preference"].tolist() == pytest.approx(other["preference"].tolist())
    assert found["preference"].any()


def test_p_values_are_those_of_a_permutation_test():
    qrels, runs = made_up()
    found = rankassay.preferences(qrels, runs, n_permutations=2**9, threshold=3)
    signs = rankassay.preferences(qrels, runs, "lexirecall", n_permutations=2**9, threshold=3)
    for table, kind in ((found, "rpp"), (signs, "lexirecall")):
        for row in table.itertuples():
            own = []
            for user, ratings in qrels.items():
                sides = [places(runs[r][user], ratings, 3) for r in (row.run_a, row.run_b)]
                by_level = [(x < y) - (x > y) for x, y in zip(*sides, strict=True)]
                if by_level:
                    last = next((s for s in reversed(by_level) if s), 0)
                    own.append(np.mean(by_level) if kind == "rpp" else last)
            test = scipy.stats.permutation_test(
                (np.array(own), np.zeros(len(own))),
                lambda x, y: np.mean(x - y),
                permutation_type="samples",
                n_resamples=np.inf,
            )
            assert row.p_value == pytest.approx(test.pvalue)


@pytest.mark.parametrize("order", ["mean", "wins", "borda", "copeland", "mc4"])
def test_orders_have_the_best_run_first(order):
    qrels, runs = made_up()
    found = rankassay.preferences(qrels, runs, "lexirecall", order=order)
    assert found.index.tolist() == ["a", "c", "b"]
    assert found.is_monotonic_decreasing


def test_a_cut_list_has_no_place_below():
    runs = {name: RUNS[name] for name in "ac"}
    found = rankassay.preferences(QRELS, runs, "lexirecall", cutoff=1)
    assert found["preference"].item() == 0.5  # ann: both have one in the first place
    assert found["ties"].item() == 0.5


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"kind": "rp"}, "did you mean 'RPP'"),
        ({"kind": "RPP(weights='lag')"}, "did you mean 'log'"),
        ({"kind": "RPP(graded=1)"}, "graded: expected bool, found 1"),
        ({"kind": "lexirecall(by='sign')"}, "unknown parameter of lexirecall 'by'"),
        ({"kind": "MAP"}, "unknown preference 'MAP'; for that of a metric, write 'sign of MAP'"),
        ({"kind": "sign of AP@10"}, "without a cut-off, .* give cutoff=10"),
        ({"kind": "RPP@5"}, "expected a preference without a cut-off, .* give cutoff=5"),
        ({"kind": "sign of P"}, "sign of P needs lists that are cut; .* cutoff=10"),
        ({"kind": "sign of SDCG"}, "sign of SDCG needs lists that are cut; .* cutoff=10"),
        ({"kind": "sign of nDGC"}, "did you mean 'nDCG'"),
        ({"kind": "sign of AUC"}, "give n_items"),
        ({"order": "win"}, "unknown order 'win'"),
        ({"cutoff": 0}, "cutoff"),
        ({"ties": "best"}, "unknown order of ties"),
        ({"runs": {"a": RUNS["a"]}}, "two runs or more"),
        ({"runs": RUNS["a"]}, "two runs or more, found one"),
        ({"threshold": 9, "order": "mean"}, "expected users with relevant items, found none"),
    ],
)
def test_what_cannot_be_is_an_error(choices, said):
    with pytest.raises(RankassayError, match=said):
        rankassay.preferences(**{"qrels": QRELS, "runs": RUNS} | choices)


def test_without_relevant_items_there_are_no_preferences():
    found = rankassay.preferences(QRELS, RUNS, threshold=9)
    assert found["users"].tolist() == [0, 0, 0]
    assert found[["preference", "wins", "p_value"]].isna().all(axis=None)
