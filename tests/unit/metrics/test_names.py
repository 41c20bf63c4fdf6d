"""The names of metrics that people and other libraries use, against these libraries."""

import difflib
import math
import re

import numpy as np
import pytest
import pytrec_eval
from each import each
from given_made_up import given as made_up
from given_made_up import one_relevant

import rankassay
from rankassay.advice.rule import CONVENTIONAL, JUDGED, PAPER, SMOOTHED, rule
from rankassay.advice.words_names import measure as advised
from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import (
    BEYOND,
    BEYOND_METRICS,
    DIVERSITY,
    DIVERSITY_METRICS,
    EVERY,
    KNOWN,
    METRICS,
    bare,
    entry,
    label,
)
from rankassay.metrics.evaluate import Measure, grid, named, resolve
from rankassay.metrics.metric import Names
from rankassay.metrics.names import (
    ABSENT,
    DIFFERENT,
    ELSEWHERE,
    MEASURES,
    SPELLINGS,
    canonical,
    fold,
    nearest,
    parts,
    spellings,
    unknown_metric,
)
from rankassay.metrics.parameters import readers_name
from rankassay.studies.validity.kinds_worlds import MEASURES as KINDS
from rankassay.studies.validity.names import CONDENSED, measure_name

K, LEVEL = 5, 2


def as_object(text, name=None):
    """Return an object with the text, the name and the module of a measure of ir_measures."""
    body = {"NAME": name or bare(text), "__str__": lambda self: text, "__module__": "ir_measures.m"}
    return type(f"_{body['NAME']}", (), body)()


def of(source):
    """Return the names of a source, with their measures."""
    column = Names._fields.index(source)
    return {
        name: measure
        for measure, names in SPELLINGS.items()
        for name in filter(None, names[column].split(", "))
    }


@pytest.fixture(scope="module")
def judged():
    """Return judgements and a run, whole ratings from 0 to 3 and no ties, as dicts."""
    rng = np.random.default_rng(4)
    qrels, run = {}, {}
    for user in map(str, range(40)):
        items = [f"i{item}" for item in rng.permutation(60)]
        ratings = {item: int(r) for item, r in zip(items, rng.integers(0, 4, 20), strict=False)}
        qrels[user] = ratings | {"yes": LEVEL, "no": 1}
        scores = rng.permutation(100)[:30].astype(float)
        run[user] = dict(zip(rng.permutation([*items, "yes", "no"]), scores, strict=False))
    return qrels, run


def ours(judged, measure, level=LEVEL, **choices):
    """Return every user's value by a measure as it is written."""
    qrels, run = judged
    table = rankassay.evaluate(qrels, run, [measure], threshold=level, per_user=True, **choices)
    assert list(table["user"]) == list(qrels)
    return table[measure].to_numpy()


@each("name", KNOWN)
def test_what_figures_and_tables_show_can_be_typed(name):
    """But for variants, which share the label of their metric."""
    assert bare(canonical(label(name))) == bare(name)
    if bare(name) in METRICS:
        assert Measure.parse(label(name, 10)) == Measure.parse(f"{name}@10")
    elif bare(name) in BEYOND_METRICS:
        assert named(label(name), BEYOND).metric == bare(name)
    else:
        assert named(label(name), DIVERSITY).metric == bare(name)


def test_no_name_means_two_things():
    for measure, sources in SPELLINGS.items():
        for name in filter(None, ", ".join(sources).split(", ")):
            plain = name.removesuffix("_k").replace("@k", "")
            assert MEASURES[fold(name.removesuffix("_k"))] == MEASURES[fold(plain)] == measure, name
    for name in EVERY:
        assert MEASURES[fold(name)] == MEASURES[fold(label(name))] == name
    assert not {*map(fold, [*ABSENT, *ELSEWHERE])} & {*MEASURES}


@each("measure", [*SPELLINGS, *(d.measure for d in DIFFERENT if d.measure)])
def test_all_names_stand_for_measures_that_there_are(measure):
    if bare(measure) in BEYOND_METRICS:
        assert named(measure, BEYOND) == Measure(bare(measure))
        return
    found = Measure.parse(measure.replace("@k", "@10"))
    resolve(found.metric, found.parameters, "paper")


@pytest.mark.slow
@pytest.mark.parametrize("name", of("trec_eval"))
def test_names_of_trec_eval_mean_what_it_computes(judged, name):
    qrels, run = judged
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels, pytrec_eval.supported_measures, relevance_level=LEVEL
    )
    own = name.replace("_k", f"_{K}")
    found = evaluator.evaluate(run)
    theirs = [found[user][own] for user in qrels]
    np.testing.assert_allclose(ours(judged, own, profile="trec"), theirs, atol=1e-12)
    if own != "set_F":
        np.testing.assert_allclose(ours(judged, own.upper()), theirs, atol=1e-12)


def recbole(name, hits, relevant):
    """Return a metric of RecBole for one user, from the formulas of its documentation."""
    found = [place for place, hit in enumerate(hits, start=1) if hit]
    precision = [sum(hits[:place]) / place for place in found]
    gains = [1 / math.log2(place + 1) for place in range(1, K + 1)]
    return {
        "Hit": float(bool(found)),
        "MRR": 1 / found[0] if found else 0.0,
        "Recall": len(found) / relevant,
        "Precision": len(found) / K,
        "MAP": sum(precision) / min(relevant, K),
        "NDCG": sum(gains[place - 1] for place in found) / sum(gains[: min(relevant, K)]),
    }[name]


@pytest.mark.parametrize(
    ("name", "measure"),
    [*((n, n) for n in of("RecBole") if MEASURES[fold(n)] in METRICS)]  # test_beyond_peers.py
    + [(d.spelling, d.measure) for d in DIFFERENT if d.source == "RecBole" and d.measure],
)
def test_names_of_recbole_mean_what_it_computes_and_the_others_what_is_said(judged, name, measure):
    qrels, run = judged
    theirs = []
    for user, ratings in qrels.items():
        best = sorted(run[user], key=run[user].get, reverse=True)[:K]
        hits = [ratings.get(item, 0) >= LEVEL for item in best]
        theirs.append(recbole(name, hits, sum(r >= LEVEL for r in ratings.values())))
    np.testing.assert_allclose(ours(judged, f"{measure}@{K}"), theirs, atol=1e-12)
    if name != measure:
        assert not np.allclose(ours(judged, f"{name}@{K}"), theirs)


@pytest.mark.parametrize("name", of("ranx"))
def test_names_of_ranx_mean_what_it_computes(judged, name):
    ranx = pytest.importorskip("ranx")
    qrels, run = judged
    listed = ranx.Run(run)
    ranx.evaluate(ranx.Qrels(qrels), listed, f"{name}@{K}", make_comparable=True, threads=1)
    theirs = [listed.scores[f"{name}@{K}"][user] for user in qrels]
    np.testing.assert_allclose(ours(judged, f"{name}@{K}", level=1), theirs, atol=1e-9)


@pytest.mark.parametrize("name", of("ir_measures"))
def test_names_of_ir_measures_mean_what_it_computes(judged, name):
    ir_measures = pytest.importorskip("ir_measures")
    qrels, run = judged
    written = name if name.startswith("Set") or name in ("Bpref", "Rprec") else f"{name}@{K}"
    measure = ir_measures.parse_measure(written)
    found = {m.query_id: m.value for m in ir_measures.iter_calc([measure], qrels, run)}
    own = ours(judged, written, level=1, profile="trec")
    np.testing.assert_allclose(own, [found[user] for user in qrels], atol=1e-9)


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("Recall@10", "R@10"),
        ("recall_10", "R@10"),
        ("RECALL.10", "R@10"),
        ("Hit Rate@3", "Success@3"),
        ("hit-rate@3", "Success@3"),
        ("HR", "Success"),
        ("MRR@5", "RR@5"),
        ("NDCG(gain='exp')@10", "nDCG(gain='exp')@10"),
        ("ndcg_burges@10", "nDCG(gain='exp')@10"),
        ("set_F", "F(denominator='listed')"),
        ("SetF(beta=2)", "F(beta=2, denominator='listed')"),
        ("F_2@3", "F(beta=2)@3"),
        ("F_1@3", "F1@3"),
        (" average precision @ 7 ", "AP@7"),
        ("S-Recall", "S_Recall"),
        ("αβ-ndcg", "alpha_beta_nDCG"),
        ("mine:Recall@10", "mine:Recall@10"),
    ],
)
def test_measures_by_other_names(text, measure):
    name = bare(measure)
    if name in DIVERSITY_METRICS:
        assert (canonical(text), named(text, DIVERSITY)) == (measure, Measure(measure))
    else:
        assert str(Measure.parse(text)) == measure
        assert Measure.parse(canonical(text)) == Measure.parse(measure)


@pytest.mark.parametrize("text", ["P", "F( beta=2 )", "nonsense", "nDCG@ten", "", "P_10@5"])
def test_what_needs_no_other_name_stays_as_it_is_written(text):
    assert canonical(text) == text


def test_only_names_of_trec_eval_end_in_a_cutoff():
    assert parts("precision_10") == ("precision_10", None, None)
    assert parts("F_10") == ("F_10", None, None)


GIVEN = made_up(), made_up(weights="popularity"), one_relevant()
# What the answer and the study of validity print, and every measure that has a name of its own.
PRINTED = dict.fromkeys(
    [
        *grid([*METRICS, *PAPER, CONVENTIONAL], [10]),
        *(name.format(50) for name in (JUDGED, SMOOTHED)),
        *(own for given in GIVEN for own in rule(given, truth=True).every),
        *(each for each in KINDS if not each.startswith(CONDENSED)),
        *(f"{m}@20" for m in SPELLINGS if bare(m) in METRICS and "@k" not in m),
        *("mine:hits@5", "IPS@10", "IPS(gain='P', power=0.3)@5", "IPS(gain='DCG', power=0)@5"),
        *("IPS(centred=True, gain='DCG', power=0.0)@20", "AP(denominator='hits')", "AUC", "SNIPS"),
    ]
)


@each("measure", PRINTED)
@each("weights", ["popularity", "given"])
def test_names_that_are_printed_are_names_of_the_same_measure(measure, weights):
    printed, own = readers_name(measure, weights), Measure.parse(measure)
    assert Measure.parse(printed) == Measure.parse(canonical(printed)) == own
    assert readers_name(printed, weights) == printed
    assert advised(measure, weights) == printed
    if own.cutoff:
        assert measure_name(own.name, own.cutoff) == readers_name(measure)


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("P@50 of judged items", "P(denominator='judged')@50"),
        ("judged-only P@50", "P(denominator='judged')@50"),
        ("P@5 of judged items without empty lists", "P(denominator='judged_nan')@5"),
        ("smoothed P@20 of judged items", "P(denominator='smoothed')@20"),
        ("P@10 by 1/√popularity", "IPS(gain='P', power=0.5)@10"),
        ("P @ 10 by 1/propensity", "IPS(gain='P')@10"),
        ("CP@10 by 1/√popularity", "IPS(centred=True, gain='P', power=0.5)@10"),
        ("CDCG@20 by 1/√popularity", "IPS(centred=True, gain='DCG', power=0.5)@20"),
        ("CDCG@20", "IPS(centred=True, gain='DCG', power=0)@20"),
        ("CDCG(power=0.5)@20", "IPS(centred=True, gain='DCG', power=0.5)@20"),
        ("CDCG(power = 1, clip=9)", "IPS(centred=True, clip=9, gain='DCG', power=1)"),
        ("DCG@20 by 1/popularity", "IPS(gain='DCG')@20"),
        ("Recall@20 by 1/popularity", "SNIPS@20"),
        ("nDCG@10 (binary)", "nDCG(gain='binary')@10"),
        ("nDCG (binary)@10", "nDCG(gain='binary')@10"),
        ("anti-recall@50", "FP(denominator='nonrelevant')@50"),
        ("chance-corrected P@10", "CP@10"),
        ("centred P@10", "CP@10"),
        ("MAP@10", "AP@10"),
    ],
)
def test_names_of_several_words_are_read(text, measure):
    assert str(Measure.parse(text)) == str(Measure.parse(canonical(text))) == measure
    assert entry(canonical(text)) == entry(measure)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("P@10 of jugded items", "'P of jugded items'; did you mean 'P of judged items'?"),
        ("P@10 by 1/popularty", "'P by 1/popularty'; did you mean 'P by 1/popularity'?"),
        ("nDCG@10 (binry)", "'nDCG (binry)'; did you mean 'nDCG (binary)'?"),
        ("CDGC@20", "'CDGC'; did you mean 'CDCG'?"),
        ("n@10 DCG", "unknown metric 'n DCG'"),
        ("nDCG@10 P@5", "cannot read the metric 'nDCG@10 P@5'"),
        ("P@10@5 of judged items", "cannot read the metric 'P@10@5 of judged items'"),
        ("CDCG(gain='P')@3", "cannot read the parameters of 'CDCG"),
        ("condensed P@10", "'condensed P' is no metric, but P with unjudged='condensed'"),
    ],
)
def test_names_of_several_words_that_are_not_known(text, message):
    with pytest.raises(RankassayError, match=re.escape(message)):
        Measure.parse(text)


def test_what_another_name_sets_is_not_set_twice():
    with pytest.raises(RankassayError, match="cannot read the parameters of 'set_P"):
        Measure.parse("set_P(denominator='cutoff')@5")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Recal", "unknown metric 'Recal'; did you mean 'Recall'? Known: P, R, AP"),
        ("HitRat", "did you mean 'Hit rate'?"),
        ("MisRate", "did you mean 'MissRate'?"),
        ("hits", "unknown metric 'hits': the number of relevant items listed"),
        ("iprec-at-recall", "there is none here. Known: P"),
        ("num_rel_ret", "the number of relevant items listed, which is P@k times k (trec_eval)"),
        ("gm_map", "'gm_map' is no metric, but AP with aggregate='geometric' (--aggregate geo"),
        ("GM-bpref", "is no metric, but Bpref with aggregate='geometric'"),
        ("rpp", "'rpp' is no metric, but a kind of rankassay.preferences. Known: P,"),
        ("sign of AP", "'sign of AP' is no metric, but a kind of rankassay.preferences. Known: P,"),
        ("gauc", "in which users count by their relevant items"),
        ("α-nDCG", "'alpha_nDCG' needs the aspects of items, which only the study of diversity"),
        ("catalogue covrage", "unknown metric 'catalogue covrage'"),
        ("UserCoverag", "unknown metric 'UserCoverag'. Known"),
        (
            "gini",
            "'Gini' needs the training ratings, which the study `beyond` and rankassay.beyond",
        ),
    ],
)
def test_names_that_are_not_known_are_explained(name, message):
    with pytest.raises(RankassayError) as error:
        Measure.parse(f"{name}@10")
    assert message in str(error.value)


def test_what_is_known_but_not_here_has_no_near_name():
    error = unknown_metric("Recall", ["P", "MissRate", "InverseRecall"])
    assert str(error) == "the metric 'Recall' is not one of P, MissRate, InverseRecall."


def typos(name):
    """Yield a name with one letter less, and with two neighbours exchanged."""
    for i in range(len(name)):
        yield name[:i] + name[i + 1 :]
        yield name[:i] + name[i : i + 2][::-1] + name[i + 2 :]


@pytest.mark.slow
def test_no_suggestion_says_the_opposite_of_what_was_meant():
    """Recall was answered with InverseRecall, and HitRate with MissRate.

    Of names that are like one of the other side, if less than a suggestion has to be.
    """
    sides = {False: [], True: []}
    for name, measure in spellings().items():
        sides[entry(measure).opposite].append(fold(name))
    for name, measure in spellings().items():
        other = sides[not entry(measure).opposite]
        alike = difflib.get_close_matches(fold(name), other, cutoff=0.4)
        for typo in {*map(fold, typos(name))} if len(name) > 4 and alike else ():
            near = nearest(typo)
            means = bare(MEASURES[fold(near)]) if near else bare(measure)
            assert entry(means).opposite == entry(measure).opposite, (name, typo, near)


@pytest.mark.parametrize("name", ["invrecal", "Invers", "Rate", "InvRecall", "not recall"])
def test_what_could_be_either_of_two_opposites_gets_no_suggestion(name):
    assert nearest(name) is None


def test_python_takes_all_names_and_answers_by_those_that_were_given(judged):
    qrels, run = judged
    given = ["Recall@5", "hit_rate@5", "ndcg_cut_5", "MAP"]
    found = rankassay.evaluate(qrels, run, given, threshold=LEVEL)
    assert list(found.index) == given
    own = rankassay.evaluate(qrels, run, ["R@5", "Success@5", "nDCG@5", "AP"], threshold=LEVEL)
    assert found.to_list() == own.to_list()


def test_tables_and_figures_have_the_metrics_own_names(judged):
    qrels, run = judged
    runs = {"a": run, "b": {user: dict(list(own.items())[:9]) for user, own in run.items()}}
    table = rankassay.robustness(qrels, runs, ["Recall@5", "mrr@5"], [100, 50], samples=2)
    assert list(dict.fromkeys(table["metric"])) == ["R", "RR"]
    figure = rankassay.draw("robustness/figure-2", table, metrics="recall", titles={"": "Mine"})
    assert figure.axes[0].get_title() == "Recall · Mine"


RATED = {"ann": {"film": 5, "book": 2, "song": 1}, "bob": {"song": 4}}
LISTED = {
    name: {"ann": items, "bob": ["song"]} for name, items in {"a": ["film"], "b": ["song"]}.items()
}
CALLS = {
    "evaluate": lambda given: rankassay.evaluate(RATED, LISTED, given),
    "compare": lambda given: rankassay.compare(RATED, LISTED, given, n_permutations=9).means,
    "bounds": lambda given: rankassay.bounds(RATED, LISTED, given),
    "ties": lambda given: rankassay.ties(RATED, LISTED, given),
    "sensitivity": lambda given: rankassay.sensitivity(RATED, LISTED, given),
    "robustness": lambda given: rankassay.robustness(RATED, LISTED, given, levels=[50], samples=1),
    "judge": lambda given: rankassay.judge(RATED, LISTED, metrics=given).table,
}


@pytest.mark.parametrize("function", CALLS)
def test_measures_of_ir_measures_are_taken_by_their_text(function):
    call = CALLS[function]
    expected = call(["nDCG@2", "P@1"])
    for given in (["nDCG@2", as_object("P@1")], map(as_object, ("nDCG@2", "P@1"))):
        assert call(given).equals(expected)
    assert call(as_object("P@1")).equals(call("P@1"))


@pytest.mark.parametrize("function", CALLS)
@pytest.mark.parametrize(
    ("given", "message"),
    [
        (as_object("P(rel=4)@5"), "P's parameter rel: .* found 4; give threshold"),
        (as_object("RR(judged_only=True)@5"), "judged_only: .* give unjudged='condensed'"),
        (as_object("nDCG(dcg='exp-log2')@10"), "unknown parameter of nDCG 'dcg'"),
        (as_object("RBP(p=0.8)"), r"RBP\(p=0.8\) of ir_measures has graded gains.*give 'RBP\(gain"),
        (as_object("RBP(p=0.8,rel=4)@5"), "RBP's parameter rel: .* found 4; give threshold"),
        (as_object("infAP"), "infAP of ir_measures is trec_eval's; give"),
        (as_object("NERR8@3"), "unknown metric 'NERR8'"),
        (as_object("nDCG(gains={0:0,1:3})@10"), "unknown parameter of nDCG 'gains'"),
        (type("Other", (), {"NAME": "P", "__str__": lambda self: "P@5"})(), "as strings, found"),
    ],
    ids=str,
)
def test_those_that_mean_something_else_are_refused_in_one_line(function, given, message):
    for metrics in (given, ["P@1", given]):
        with pytest.raises(RankassayError, match=message) as error:
            CALLS[function](metrics)
        assert "\n" not in str(error.value)
