"""Other libraries' objects as they are, with these libraries; they are in the extra `peers`:

PYTHONPATH=<folder of requirements-peers.lock> ./run pytest -n 0 tests/peers/check_peers.py

LensKit, PyTerrier, RecPack and PyTorch are large, or not as free, or need other versions of what is
locked: where they are not installed, their tests are skipped. tests/unit/api/test_sources.py reads
the same formats without any of them.
"""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

import rankassay
from rankassay import RankassayError

METRICS = ["P@3", "R@5", "AP@5", "nDCG@5"]


@pytest.fixture(scope="module")
def qrels():
    """Return judgements, some below 0, and those of one user without relevant items."""
    rng = np.random.default_rng(1)
    users = {
        f"q{q}": {f"d{d}": int(rng.integers(-1, 4)) for d in rng.permutation(40)[:15]}
        for q in range(30)
    }
    return users | {"q99": {"d1": 0}}


@pytest.fixture(scope="module")
def run():
    """Return a run with ties, with users in only one of both."""
    rng = np.random.default_rng(2)
    return {
        f"q{q}": {f"d{d}": float(rng.integers(0, 9)) for d in rng.permutation(40)[: 1 + q]}
        for q in range(3, 34)
    }


@pytest.fixture(scope="module")
def judged(qrels):
    return {u: {i: max(r, 0) for i, r in own.items()} for u, own in qrels.items()}


@pytest.fixture(scope="module")
def frames(judged, run):
    """Return both as frames, the run in the order of trec_eval with ranks from 0."""
    rows = [(u, i, r) for u, own in judged.items() for i, r in own.items()]
    lists = [(u, i, s) for u, own in run.items() for i, s in own.items()]
    frame = pd.DataFrame(lists, columns=["qid", "docno", "score"])
    frame = frame.sort_values(["qid", "score", "docno"], ascending=[True, False, False])
    frame["rank"] = frame.groupby("qid").cumcount()
    return pd.DataFrame(rows, columns=["qid", "docno", "label"]), frame


@pytest.fixture(scope="module")
def expected(judged, run):
    return rankassay.evaluate(judged, run, METRICS, "trec", threshold=1)


class TestIrMeasures:
    @pytest.fixture(scope="class")
    def provider(self):
        pytest.importorskip("ir_measures")
        from rankassay.api.ir_measures import Provider

        return Provider()

    def test_values_are_those_of_its_own_provider(self, provider, qrels, run):
        import ir_measures
        from ir_measures import AP, RR, Bpref, P, R, Success, nDCG

        measures = [P @ 5, P(rel=2) @ 10, R @ 10, R(rel=2) @ 5, AP, AP(rel=2) @ 10, RR, RR(rel=2)]
        measures += [Success @ 3, Bpref, Bpref(rel=2), nDCG, nDCG @ 10]
        condensed = [P @ 5, R(rel=2) @ 5, AP, AP @ 10, RR, Success @ 3, nDCG @ 10]
        measures += [measure(judged_only=True) for measure in condensed]
        ours, theirs = (
            {(m.measure, m.query_id): m.value for m in each.iter_calc(measures, qrels, run)}
            for each in (provider, ir_measures.pytrec_eval)
        )
        assert ours.keys() == theirs.keys()
        assert {u for _, u in ours} == {*qrels}
        for key, value in theirs.items():
            assert ours[key] == pytest.approx(value, abs=1e-12), key
        means, others = (
            each.calc_aggregate(measures, qrels, run)
            for each in (provider, ir_measures.pytrec_eval)
        )
        assert means == pytest.approx(others)

    @pytest.mark.parametrize("qrels", [{"q1": {"d1": 1}}, {"q1": {}}, {"q1": {"d1": 1}, "q2": {}}])
    def test_without_judgements_of_any_user_values_are_those_of_its_own_provider(
        self, provider, qrels
    ):
        import ir_measures
        from ir_measures import RR, nDCG

        run = {"q2": {"d1": 1.0}}
        means = (
            each.calc_aggregate([nDCG @ 10, RR], qrels, run)
            for each in (provider, ir_measures.pytrec_eval)
        )
        assert next(means) == next(means)

    def test_more_than_its_own_provider_is_there(self, provider, judged, run):
        from ir_measures import RR, nDCG

        means = provider.calc_aggregate([RR @ 2, nDCG(dcg="exp-log2") @ 3], judged, run)
        reciprocal, gain = [], []
        for user, own in judged.items():
            listed = run.get(user, {})
            order = sorted(listed, key=lambda i: (listed[i], i), reverse=True)
            ratings = [own.get(item, 0) for item in order]
            first = next((k for k, r in enumerate(ratings[:2], 1) if r > 0), math.inf)
            reciprocal.append(1 / first)
            found, best = (
                sum((2**r - 1) / math.log2(k + 1) for k, r in enumerate(each[:3], 1))
                for each in (ratings, sorted(own.values(), reverse=True))
            )
            gain.append(found / best if best else 0)
        assert means[RR @ 2] == pytest.approx(np.mean(reciprocal))
        assert means[nDCG(dcg="exp-log2") @ 3] == pytest.approx(np.mean(gain))

    def test_it_takes_its_place_among_providers_and_all_forms(self, provider, qrels, run, frames):
        import ir_measures
        from ir_measures import P, SetP

        pipeline = ir_measures.providers.FallbackProvider([provider, ir_measures.pytrec_eval])
        both = pipeline.calc_aggregate([P @ 5, SetP], qrels, run)
        assert both == pytest.approx(ir_measures.calc_aggregate([P @ 5, SetP], qrels, run))
        names = {"qid": "query_id", "docno": "doc_id", "label": "relevance"}
        given = [frame.rename(columns=names) for frame in frames]
        by_frame = provider.evaluator([P @ 5], given[0]).calc_aggregate(given[1])
        assert by_frame[P @ 5] == pytest.approx(both[P @ 5])

    @pytest.mark.parametrize(
        "name", ["ERR@10", "Rprec", "infAP", "Judged@2", "SetP", "RBP(rel=1)", "NumRet"]
    )
    def test_what_it_does_not_support_is_refused_when_it_is_called(
        self, provider, judged, run, name
    ):
        import ir_measures

        with pytest.raises(
            RankassayError, match=r"^expected P, R, .* leave it to another provider"
        ):
            provider.calc_aggregate([ir_measures.parse_measure(name)], judged, run)

    def test_gains_of_nDCG_are_refused_when_it_is_called(self, provider, judged, run):
        from ir_measures import nDCG

        measure = nDCG(gains={1: 3}) @ 5
        assert not provider.supports(measure)
        with pytest.raises(RankassayError, match="without gains of one's own, found nDCG"):
            [*provider.iter_calc([measure], judged, run)]

    def test_its_frames_and_documents_are_read(self, expected, judged, run):
        import ir_measures

        qrels = [ir_measures.Qrel(u, i, r) for u, own in judged.items() for i, r in own.items()]
        docs = (ir_measures.ScoredDoc(u, i, s) for u, own in run.items() for i, s in own.items())
        found = rankassay.evaluate(iter(qrels), docs, METRICS, "trec", threshold=1)
        pd.testing.assert_series_equal(found, expected)
        table = pd.DataFrame([(u, i, s) for u, own in run.items() for i, s in own.items()])
        table = table.set_axis(["query_id", "doc_id", "score"], axis=1)
        found = rankassay.evaluate(pd.DataFrame(qrels), table, METRICS, "trec", threshold=1)
        pd.testing.assert_series_equal(found, expected)


def test_ranx(judged, run, expected):
    ranx = pytest.importorskip("ranx")
    run = {user: own for user, own in run.items() if user in judged}
    run |= {user: {"nothing": 0.0} for user in judged if user not in run}  # ranx wants all users
    given = ranx.Qrels(judged), ranx.Run(run, name="mine")
    found = rankassay.evaluate(*given, METRICS, "trec", threshold=1)
    pd.testing.assert_series_equal(found, expected)
    alone = ranx.evaluate(*given, "hit_rate@40")  # in which ties do not matter
    assert rankassay.evaluate(*given, "Success@40", threshold=1).iloc[0] == pytest.approx(alone)
    assert {*rankassay.evaluate(*given[:1], {"mine": given[1]}, "P@3", threshold=1).index} == {
        "mine"
    }
    with pytest.raises(RankassayError, match="expected a frame"):
        rankassay.evaluate(given[0], ranx.Qrels, "P@3")


def test_polars(frames, expected):
    polars = pytest.importorskip("polars")
    qrels, run = (polars.DataFrame(frame.to_dict("list")) for frame in frames)
    for given in ((qrels, run), (qrels.lazy(), run.lazy())):
        found = rankassay.evaluate(*given, METRICS, "trec", threshold=1)
        pd.testing.assert_series_equal(found, expected)
    missing = run.with_columns(polars.lit(None).alias("score"))
    with pytest.raises(RankassayError, match=r"row 0 .* has no score"):
        rankassay.evaluate(qrels, missing, METRICS)
    with pytest.raises(RankassayError, match="what polars can read, found a LazyFrame"):
        rankassay.evaluate(qrels.lazy().select("nowhere"), run, METRICS)
    single = qrels.with_columns(polars.lit(3.6).cast(polars.Float32).alias("label"))
    assert (rankassay.judged(single, 3.6).judgements.n_relevant > 0).all()
    large = polars.DataFrame({"user": ["u"] * 2, "item": ["a", "b"], "score": [2**60, 2**60 + 1]})
    assert rankassay.evaluate({"u": {"b": 1}}, large, "RR", threshold=1)["RR"] == 1
    values = {"x": [0.1, None, 0.4, 0.3], "y": [0.3, 0.1, 0.9, 0.5]}
    found = rankassay.permutation_test(polars.DataFrame(values))
    pd.testing.assert_frame_equal(
        found.p_values, rankassay.permutation_test(pd.DataFrame(values)).p_values
    )
    assert rankassay.reliability(polars.DataFrame(values)).left_out == 1
    both = rankassay.compare(qrels, {"a": run, "b": run}, "P@3", threshold=1, n_permutations=50)
    assert both.pairs["difference"].iloc[0] == 0


def test_pyterrier(frames, expected):
    pt = pytest.importorskip("pyterrier")
    qrels, run = frames
    topics = pd.DataFrame({"qid": qrels["qid"].unique(), "query": "what"})
    names = {"P_3": "P@3", "recall_5": "R@5", "map_cut_5": "AP@5", "ndcg_cut_5": "nDCG@5"}
    theirs = pt.Experiment([run], topics, qrels, [*names], names=["mine"])
    found = rankassay.evaluate(qrels, run.assign(query="what"), METRICS, "trec", threshold=1)
    pd.testing.assert_series_equal(found, expected)
    np.testing.assert_allclose(found[[*names.values()]], theirs[[*names]].iloc[0].astype(float))


def test_lenskit(judged, frames):
    data = pytest.importorskip("lenskit.data")
    from lenskit.metrics import RecipRank, RunAnalysis

    judgements, lists = data.ItemListCollection(["user_id"]), data.ItemListCollection(["user_id"])
    for user, own in frames[1].groupby("qid"):
        if user in judged:
            scored = {"item_ids": own["docno"].to_numpy(), "scores": own["score"].to_numpy()}
            lists.add(data.ItemList(**scored, ordered=True), user_id=user)
            liked = [item for item, rating in judged[user].items() if rating > 0]
            rating = np.ones(len(liked))
            judgements.add(data.ItemList(liked, rating=rating), user_id=user)
    analysis = RunAnalysis()
    analysis.add_metric(RecipRank())
    theirs = analysis.measure(lists, judgements).list_metrics()["RecipRank"]
    found = rankassay.evaluate(judgements, lists, "RR", threshold=1, per_user=True)
    assert found.set_index("user")["RR"].to_dict() == pytest.approx(theirs.to_dict())


def test_recpack(judged, run):
    matrix = pytest.importorskip("recpack.matrix")
    from recpack.algorithms import ItemKNN
    from recpack.metrics import RecallK

    rng = np.random.default_rng(3)
    pairs = [*itertools.product(range(20), range(12))]
    rows = [pairs[i] for i in rng.permutation(len(pairs))[:90]]
    frame = pd.DataFrame(rows, columns=["user", "item"])
    train, test = (matrix.InteractionMatrix(f, "item", "user") for f in (frame[:50], frame[50:]))
    size = (20, 12)
    train, test = train.values, test.values
    train.resize(size), test.resize(size)
    scores = ItemKNN(K=5).fit(train).predict(train)
    scores.data += 1e-6 * rng.random(len(scores.data))  # RecPack breaks ties in its own way
    metric = RecallK(3)
    metric.calculate(test, scores)
    found = rankassay.evaluate(test, scores, "R@3", threshold=1, users="listed")
    assert metric.value >= 0
    whole = matrix.InteractionMatrix(frame[50:], "item", "user")
    same = rankassay.evaluate(whole, scores, "R@3", threshold=1, users="listed")
    pd.testing.assert_series_equal(found, same)
    everyone = rankassay.evaluate(test, scores, "R@3", threshold=1)
    assert everyone["R@3"] == pytest.approx(metric.value)


def test_recbole_has_tensors_and_arrays_of_tokens():
    torch = pytest.importorskip("torch")
    qrels = {"ann": {"film": 5, "book": 5}, "bob": {"song": 5}}
    # What full_sort_topk(...)[1] and dataset.id2token(dataset.iid_field, ...) return.
    items = torch.tensor([[4, 2], [3, 2]])
    tokens = np.array(["[PAD]", "film", "book", "song", "game"])[items.numpy()]
    run = dict(zip(["ann", "bob"], tokens, strict=True))
    assert rankassay.evaluate(qrels, run, "R@2")["R@2"] == pytest.approx((0.5 + 1) / 2)
    internal = {0: {1: 5, 2: 5}, 1: {3: 5}}
    assert rankassay.evaluate(internal, items, "R@2")["R@2"] == pytest.approx(0.75)
