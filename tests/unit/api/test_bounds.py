"""Bounds and condensed lists of runs: against hand-made judgements and trec_eval -J."""

import numpy as np
import pytest
import pytrec_eval

import rankassay
from rankassay.errors import RankassayError
from rankassay.seeds import generator

QRELS = {"ann": {"film": 5, "book": 2}, "bob": {"song": 4}, "eve": {"play": 5}}
RUNS = {
    "a": {"ann": ["film", "game"], "bob": ["song", "poem"]},
    "b": {"ann": ["tale", "film"], "eve": ["joke", "play"]},
    "c": {"ann": ["book"]},
}


def test_bounds_of_runs():
    found = rankassay.bounds(QRELS, RUNS, ["P@2", "RR"], unequal_depths=True)
    precision = found.xs("P@2", level="metric")
    assert precision["value"].tolist() == pytest.approx([1 / 3, 1 / 3, 0])
    assert precision["least"].tolist() == precision["value"].tolist()
    assert precision["greatest"].tolist() == pytest.approx([2 / 3, 2 / 3, 0])
    assert precision["overlaps"].tolist() == [("b",), ("a",), ()]
    reciprocal = found.xs("RR", level="metric")
    assert reciprocal["greatest"].tolist() == pytest.approx([2 / 3, 2 / 3, 0])
    assert reciprocal["overlaps"].tolist() == [(), (), ()]  # a has its greatest value already


def test_one_run_has_one_row_for_each_metric():
    found = rankassay.bounds(QRELS, RUNS["b"], ["P@1", "R@1"], users="listed")
    assert found.index.tolist() == ["P@1", "R@1"]
    # Recall with a second relevant item, which is found.
    assert found["greatest"].tolist() == [1, 1 / 2]


def test_any_item_beyond_the_list_lowers_recall():
    found = rankassay.bounds(QRELS, RUNS["a"], "R@2", beyond_list="any", n_items=6)
    # ann: 1 of 1 + 6 - 3 relevant items, bob: 1 of 1 + 6 - 2.
    assert found.loc["R@2", "least"] == pytest.approx((1 / 4 + 1 / 5) / 3)
    with pytest.raises(RankassayError, match="give n_items"):
        rankassay.bounds(QRELS, RUNS["a"], "R@2", beyond_list="any")


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"metrics": "Judged@5"}, "has none over the judgements"),
        ({"users": "all"}, "unknown choice of users"),
        ({"ties": "best"}, "unknown order of ties"),
        ({"profile": "treck"}, "did you mean 'trec'"),
        ({"depth": 0}, "depth"),
    ],
)
def test_choices_that_do_not_exist_are_errors(choices, said):
    with pytest.raises(RankassayError, match=said):
        rankassay.bounds(QRELS, RUNS["a"], **choices)


def test_condensed_lists_have_trec_evals_values():
    random = generator(2, "condensed")
    items = [f"i{k:02}" for k in range(30)]
    qrels = {
        f"u{u}": {
            str(i): int(random.integers(0, 3)) for i in random.choice(items, 8, replace=False)
        }
        for u in range(20)
    }
    run = {user: {item: float(random.integers(0, 12)) for item in items} for user in qrels}
    names = {"P@5": "P_5", "R@5": "recall_5", "AP": "map", "nDCG@5": "ndcg_cut_5"}
    names |= {"RR": "recip_rank", "Bpref": "bpref", "AP@5": "map_cut_5"}
    peer = pytrec_eval.RelevanceEvaluator(
        qrels, {*names.values()}, relevance_level=1, judged_docs_only_flag=True
    )
    theirs = peer.evaluate(run)
    how = {"profile": "trec", "threshold": 1, "per_user": True}
    ours = rankassay.evaluate(qrels, run, [*names], unjudged="condensed", **how).set_index("user")
    plain = rankassay.evaluate(qrels, run, [*names], **how).set_index("user")
    for mine, other in names.items():
        expected = [theirs[user][other] for user in ours.index]
        np.testing.assert_allclose(ours[mine], expected, rtol=1e-12)
        assert mine == "Bpref" or (ours[mine] != plain[mine]).any()


def test_condensed_lists_are_of_lists_that_are_cut_before():
    run = {"ann": ["game", "poem", "film"], "bob": ["song"], "eve": ["joke"]}
    how = {"unjudged": "condensed", "per_user": True, "depth": 2}
    assert rankassay.evaluate(QRELS, run, "RR", **how)["RR"].tolist() == [0, 1, 0]
    how |= {"depth": 3, "users": "listed"}
    assert rankassay.evaluate(QRELS, run, "RR", **how)["RR"].tolist() == [1, 1, 0]


def test_condensed_lists_exclude_orders_of_ties():
    with pytest.raises(RankassayError, match="leave unjudged out"):
        rankassay.evaluate(QRELS, RUNS["a"], "RR", unjudged="condensed", ties="best")


def test_lists_that_are_all_empty_cannot_change():
    found = rankassay.bounds({"u0": {"a": 5}}, [], ["P@2", "AP", "nDCG", "Bpref"])
    assert (found == 0).all(axis=None)
    alone = rankassay.evaluate({"u0": {"a": 5}}, [], "P@2", unjudged="condensed")
    assert alone.tolist() == [0]
