"""Every metric against trec_eval (through pytrec_eval) on random and adversarial cases."""

import numpy as np
import pytest
import pytrec_eval

from assayer.metrics.evaluate import measure_values
from assayer.metrics.judged import judge
from assayer.metrics.judgements import Judgements, Lists

CUTOFFS = [1, 2, 3, 5, 10, 20]
THRESHOLD = 4
N_ITEMS = 40


def random_case(seed):
    """Return judgements {user: {item: rating}} and runs {user: [items, best first]}.

    Among the users are some without a list, without relevant items, without judged non-relevant
    items, with every item judged, and with lists shorter than the cut-offs.
    """
    rng = np.random.default_rng(seed)
    qrels, runs = {}, {}
    for user in range(30):
        levels = [[1, 2, 3, 4, 5], [4, 5], [1, 2, 3], [5]][rng.integers(4)]
        n_judged = rng.integers(1, N_ITEMS + 1) if user % 5 == 0 else rng.integers(1, 12)
        judged = rng.choice(N_ITEMS, size=n_judged, replace=False)
        qrels[user] = {int(i): int(rng.choice(levels)) for i in judged}
        length = 0 if user % 7 == 0 else int(rng.integers(1, N_ITEMS + 1))
        runs[user] = [int(i) for i in rng.permutation(N_ITEMS)[:length]]
    return qrels, runs


def ours(qrels, runs, measures, profile):
    start, rating, ranks = [0], [], []
    for user, judged in qrels.items():
        place = {item: k for k, item in enumerate(runs[user], start=1)}
        for item, value in judged.items():
            rating.append(value)
            ranks.append(place.get(item, 0))
        start.append(len(rating))
    judgements = Judgements(
        np.arange(len(qrels), dtype=np.int32),
        np.array(start),
        np.array(rating, dtype=float),
        THRESHOLD,
    )
    lists = Lists(
        np.array(ranks, dtype=np.int32),
        np.array([len(runs[user]) for user in qrels], dtype=np.int32),
        np.full(len(qrels), N_ITEMS, dtype=np.int32),
    )
    return measure_values(judge(judgements, lists), measures, profile)


def theirs(qrels, runs, measure, depth=N_ITEMS, pool=False):
    """Return trec_eval's value for each user; `pool` marks unjudged items with level -1."""
    run = {
        f"u{u}": {f"i{i}": float(-k) for k, i in enumerate(items[:depth])}
        for u, items in runs.items()
        if items
    }
    judged = {
        f"u{u}": {
            **({f"i{i}": -1 for i in range(N_ITEMS)} if pool else {}),
            **{f"i{i}": r for i, r in items.items()},
        }
        for u, items in qrels.items()
    }
    evaluator = pytrec_eval.RelevanceEvaluator(judged, {measure}, relevance_level=THRESHOLD)
    result = evaluator.evaluate(run)
    name = measure.replace(".", "_")
    return np.array([result[f"u{u}"][name] if f"u{u}" in result else 0.0 for u in qrels])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    ("metric", "trec"),
    [("P", "P"), ("R", "recall"), ("AP", "map_cut"), ("nDCG", "ndcg_cut")],
)
def test_cut_metrics_equal_trec_eval(seed, metric, trec):
    qrels, runs = random_case(seed)
    values = ours(qrels, runs, [f"{metric}@{k}" for k in CUTOFFS], "trec")
    for column, k in enumerate(CUTOFFS):
        np.testing.assert_allclose(
            values[:, column], theirs(qrels, runs, f"{trec}.{k}"), rtol=0, atol=1e-12
        )


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    ("metric", "trec"), [("RR", "recip_rank"), ("Bpref", "bpref"), ("infAP", "infAP")]
)
def test_whole_list_metrics_equal_trec_eval_on_lists_cut_there(seed, metric, trec):
    qrels, runs = random_case(seed)
    values = ours(qrels, runs, [f"{metric}@{k}" for k in CUTOFFS] + [metric], "trec")
    for column, k in enumerate([*CUTOFFS, N_ITEMS]):
        np.testing.assert_allclose(
            values[:, column], theirs(qrels, runs, trec, depth=k), rtol=0, atol=1e-12
        )


@pytest.mark.parametrize("seed", range(10))
def test_the_papers_infap_equals_trec_evals_when_every_item_is_pooled(seed):
    """Equation (8) is trec_eval's infAP once the unjudged items are in the pool."""
    qrels, runs = random_case(seed)
    values = ours(qrels, runs, ["infAP@10"], "paper")[:, 0]
    np.testing.assert_allclose(
        values, theirs(qrels, runs, "infAP", depth=10, pool=True), rtol=0, atol=1e-12
    )


@pytest.mark.parametrize("seed", range(10))
def test_ndcg_with_the_whole_ideal_equals_trec_evals_ndcg(seed):
    qrels, runs = random_case(seed)
    values = ours(qrels, runs, ["nDCG(truncate_ideal=False)"], "paper")[:, 0]
    np.testing.assert_allclose(values, theirs(qrels, runs, "ndcg"), rtol=0, atol=1e-12)


def test_profiles_agree_but_for_infap():
    qrels, runs = random_case(0)
    names = ["P@10", "R@10", "AP@10", "nDCG@10", "RR@10", "Bpref@10", "infAP@10"]
    paper, trec = (ours(qrels, runs, names, profile) for profile in ("paper", "trec"))
    np.testing.assert_array_equal(paper[:, :-1], trec[:, :-1])
    assert (paper[:, -1] > trec[:, -1] + 0.01).any()
