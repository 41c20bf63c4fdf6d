"""C/W/L metrics, R-precision and compatibility are what other tools made of the same lists.

tests/peers/record_metrics.py recorded their values, and makes up the lists.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rankassay

PEERS = Path(__file__).parents[2] / "peers"
RECORDED = pd.concat(
    [pd.read_csv(path, dtype={"user": str}) for path in sorted((PEERS / "metrics").glob("*.csv"))]
)
# cwl_eval looks at two million places of a measure without an end.
FEWER = {"cwl-eval": 1e-5}


@pytest.fixture(scope="module")
def lists():
    sys.path.insert(0, str(PEERS))
    from record_metrics import made_up

    sys.path.remove(str(PEERS))
    return made_up()


@pytest.mark.parametrize("call", sorted({*RECORDED.call}))
def test_what_other_tools_recorded(lists, call):
    rows = RECORDED[RECORDED.call == call].set_index("user")
    qrels, run = lists
    scores = {u: {item: -k for k, item in enumerate(own)} for u, own in run.items()}
    metric, threshold = rows.metric.iloc[0], max(float(rows.threshold.iloc[0]), 0.5)
    found = rankassay.evaluate(qrels, scores, [metric], threshold=threshold, per_user=True)
    found = found.set_index("user")[metric].reindex(rows.index)
    assert len(rows) == len(qrels) > 1
    rtol = FEWER.get(rows.peer.iloc[0], 1e-9)
    np.testing.assert_allclose(found, rows["value"], rtol=rtol, atol=1e-12)


NEGATIVE = {
    "P_3": "P@3",
    "recall_3": "R@3",
    "map": "AP",
    "map_cut_3": "AP@3",
    "ndcg_cut_3": "nDCG@3",
    "recip_rank": "RR",
    "bpref": "Bpref",
    "infAP": "infAP",
    "Rprec": "Rprec",
}


def with_levels_below_zero(seed):
    """Return random judgements, a tenth of users with levels below 0 alone, and lists."""
    rng = np.random.default_rng(seed)
    qrels, run = {}, {}
    for user in map("u{}".format, range(30)):
        levels = [-2, -1] if rng.random() < 0.1 else [-2, -1, 0, 1, 2]
        own = rng.permutation(15)[: rng.integers(1, 9)]
        qrels[user] = {f"i{i}": int(rng.choice(levels)) for i in own}
        run[user] = {f"i{i}": float(-k) for k, i in enumerate(rng.permutation(18)[:8])}
    return qrels, run


@pytest.mark.parametrize("threshold", [1, 2])
@pytest.mark.parametrize("judged_only", [False, True])
def test_levels_below_zero_under_the_profile_trec_are_those_of_trec_eval(judged_only, threshold):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels, run = with_levels_below_zero(threshold)
    # trec_eval does not tell -2 from -1, and has no memory for users without a level of 0.
    borne = {u: {i: max(r, -1) for i, r in own.items()} | {"-": 0} for u, own in qrels.items()}
    borne = {
        u: own if max(qrels[u].values()) < 0 else {i: r for i, r in own.items() if i != "-"}
        for u, own in borne.items()
    }
    names = {name.replace("_3", ".3") for name in NEGATIVE}
    how = {"relevance_level": threshold, "judged_docs_only_flag": judged_only}
    theirs = pytrec_eval.RelevanceEvaluator(borne, names, **how).evaluate(run)
    unjudged = "condensed" if judged_only else "nonrelevant"
    ours = rankassay.evaluate(
        qrels, run, [*NEGATIVE.values()], "trec", threshold, per_user=True, unjudged=unjudged
    ).set_index("user")
    for user, values in theirs.items():
        expected = [values[name] for name in NEGATIVE]
        np.testing.assert_allclose(ours.loc[user], expected, rtol=0, atol=1e-12)


def test_ratings_below_zero_are_judged_elsewhere():
    qrels, run = {"u": {"a": -2, "b": 3}}, {"u": {"a": 2, "b": 1}}
    found = rankassay.evaluate(qrels, run, ["Bpref", "infAP"], threshold=3)
    assert found.round(3).to_dict() == {"Bpref": 0.0, "infAP": 0.5}
    found = rankassay.evaluate(qrels, run, ["Bpref", "infAP"], "trec", threshold=3)
    assert found.round(3).to_dict() == {"Bpref": 1.0, "infAP": 0.75}
    liked = rankassay.evaluate(qrels, run, ["Bpref", "P@1"], "trec", -2, unjudged="condensed")
    assert liked.to_dict() == {"Bpref": 1.0, "P@1": 1.0}  # -2 is relevant, and so it is judged


@pytest.mark.parametrize("call", ["bounds", "any", "ties", "expected"])
def test_levels_below_zero_are_unjudged_under_the_profile_trec_in_all_ways(call):
    qrels, run = with_levels_below_zero(7)
    run = {u: {i: float(s // 3) for i, s in own.items()} for u, own in run.items()}
    left = {u: {i: r for i, r in own.items() if r >= 0} for u, own in qrels.items()}
    qrels = {u: own for u, own in qrels.items() if left[u]}
    left = {u: left[u] for u in qrels}

    def of(judged):
        if call == "bounds":
            return rankassay.bounds(judged, run, "Bpref", "trec", 1)
        if call == "any":  # without the value: pooled items are no unpooled ones
            how = {"beyond_list": "any", "n_items": 40}
            return rankassay.bounds(judged, run, "infAP@5", "trec", 1, **how)[["least", "greatest"]]
        if call == "ties":
            return rankassay.ties(judged, run, "Bpref", "trec", 1)[
                ["expected", "least", "greatest"]
            ]
        return rankassay.evaluate(judged, run, "Bpref", "trec", 1, per_user=True, ties="expected")

    pd.testing.assert_frame_equal(of(qrels), of(left), check_dtype=False)
