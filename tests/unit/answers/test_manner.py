"""The manner of generated sentences: all templates are rendered, and read by rules.

Whether a sentence is true is tested where it is made; here it is how it is said.
"""

import itertools
import math
from pathlib import Path

import manner
import numpy as np
import pandas as pd
import pytest
import yaml

import rankassay
from rankassay.advice import sentences
from rankassay.answers import findings, identical, tables, validity, words
from rankassay.drawing.sentences import fill
from rankassay.studies.beyond import views as beyond
from rankassay.studies.preferences import views as preferences
from rankassay.studies.preferences.views import told_apart
from rankassay.studies.protocols import answers as protocols
from rankassay.studies.protocols.conclusions import SURVIVES
from rankassay.studies.reliability import answers as reliability
from rankassay.studies.reliability.type_errors import CELL
from rankassay.studies.reliability.words import NULLS, of_effects, users_needed
from rankassay.studies.unjudged import views as unjudged

PACKAGE = Path(rankassay.__file__).parent
NAN = math.nan
TITLES = {"x": "Data"}
OTHERS = ["RR", "AP", "nDCG"]


def criteria():
    """Yield what comes out by each criterion, in all ways in which metrics may differ."""
    for criterion, best, n, rivals, unknown, value in itertools.product(
        (*findings.CRITERIA, findings.OVERALL), (["P"], ["P", "R"]), (0, 1, 3), (0, 1, 3),
        (0, 1, 3), (0.95, 0.7996, -0.25),
    ):  # fmt: skip
        others = OTHERS[:n]
        known = others[: len(others) - unknown] if unknown else others
        found = findings.Finding(
            *(criterion, best, others, known[:rivals], others[len(known) :]),
            *(value, NAN, NAN, value < 0, "τ", 10),
        )
        yield words._said(found)
    rows = pd.DataFrame({"systems": [3], "test_users": [9], "identical": ["a and b; c and d"]})
    yield words.too_few(rows)
    yield words.too_few(rows, "metrics cannot be judged")
    for named in ("a and b; c and d", "two", "3 pairs"):
        yield words.identical(rows.assign(identical=named))
    yield words.fill(words.EVIDENCE, systems=21, users=6040)
    for users in (1, 6040):
        yield words.fill(words.BEWARE, cutoff=100, half=words.half(users), most=4)
    left = pd.DataFrame({"metric": ["S_Recall"], "cutoff": 10, "criterion": "overall"})
    yield words._unjudged(left.assign(rank=NAN), 10)


def best_cutoffs():
    """Yield what is said of a metric's best cut-off, with nothing and with all against it."""
    rows = pd.DataFrame(
        itertools.product(["sparsity", "popularity", "power", "overall"], [5, 10, 20]),
        columns=["criterion", "cutoff"],
    ).assign(metric="P", value=0.9, correlation="tau_b", ratings_median=40.0, test_users=1227)
    rows["cutoff_rank"] = rows["cutoff"].map({5: 2, 10: 1, 20: 3})
    yield words.of_cutoffs(rows.assign(cutoff_apart=rows["cutoff"] != 10), "P")
    worse = (rows["criterion"] != "overall") | (rows["cutoff"] == 20)
    for value, users in ((0.9, 1227), (0.1, 1)):
        own = rows.assign(value=value, ratings_median=4.0, test_users=users, cutoff_apart=worse)
        yield words.of_cutoffs(own, "P")


def truths():
    """Yield what is said of validity, by yardstick, estimate and doubt, and without a truth."""
    row = {"yardstick_cutoff": 10, "judged": 4000.0, "truth_users": 290, "estimator": "HT"}
    row |= {"design": "set-aside", "warnings": "none"}
    for criterion, utility, value, spread, n, rivals, unknown in itertools.product(
        validity.COUNTED, ("P", "rating"), (0.9, 0.05, -0.7), (0.1, NAN), (0, 3), (0, 1, 3),
        (0, 1, 3),
    ):  # fmt: skip
        others = OTHERS[:n]
        split = len(others) - unknown if unknown else n
        found = findings.Finding(
            *(criterion, ["P"], others, others[:split][:rivals], others[split:]),
            *(value, value - spread, value + spread, False, "τ", 5),
        )
        own = pd.Series(row | {"utility": utility})
        yield validity._agreement(found, criterion, own)
        yield validity._verdict(found, own)
        yield validity._verdict(found, own.replace(4000.0, NAN))
    for design, estimator in itertools.product(validity.DESIGNS, validity.ESTIMATORS):
        yield validity._how(pd.Series(row | {"design": design, "estimator": estimator}))
    yield validity._doubts(pd.Series(row))
    yield validity._doubts(pd.Series(row | {"warnings": "One system has few judgements."}))
    both = pd.DataFrame(
        itertools.product(validity.COUNTED, ["P", "RR"]), columns=["criterion", "metric"]
    ).assign(value=[0.65, 0.6, -0.73, -0.7], low=NAN, high=NAN, cutoff=10)
    yield validity._opposite(both)
    yield validity._opposite(both[both["metric"] == "P"])
    like = {"metric": ["P", "RR"], "like_low": [-0.1, 0.2], "like_high": [0.9, 0.8]}
    like |= {"like_low_bias": "mixed", "like_high_bias": "uniform", "like_gini": 0.63}
    yield " ".join(validity.unknown(pd.DataFrame(like), 10, ["P"]))
    yield validity.UNASKED


def selections():
    """Yield what sensitivity says of winners and pairs."""
    given = {"metric": "AP", "cutoff": 10, "leader": "wrmf", "rival": "puresvd", "hits": 91}
    for gamma, same, measure, pairs in itertools.product(
        (NAN, math.inf, 1.0, 1.345),
        (0, 2),
        ("P@10", "R@10"),
        ((0, 0), (1, 0), (1, 1), (210, 82)),
    ):
        row = {"gamma": gamma, "same": same, "measure": measure, "default": 3.0}
        row |= dict(zip(("pairs", "standing"), pairs, strict=True))
        yield " ".join([validity.GAMMA, *validity.of_selection(given | row)])
    centred = {"metric": "CP", "measure": "CP@10", "gamma": 1.3, "same": 0, "default": 3.0}
    yield " ".join(validity.of_selection(given | centred | {"pairs": 3, "standing": 1}))
    for lists, names in itertools.product((True, False), (["a", "b"], ["a", "b", "c"])):
        pairs = pd.DataFrame(itertools.combinations(names, 2), columns=["system_a", "system_b"])
        yield " ".join(identical.sentences(pairs.assign(lists=lists)))
    yield identical.note(pd.DataFrame({"dataset": ["x"], "identical": [3]}), TITLES)


def of_beyond():
    """Yield the answers about metrics beyond accuracy."""
    pairs = pd.DataFrame({"metric_a": ["Gini", "ARP", "EPC"], "metric_b": "nDCG", "cutoff": 10})
    pairs = pairs.assign(low=-0.9, high=-0.5)
    for taus in ([0.95, -0.8, -0.8], [0.95, 0.95, 0.1], [0.1] * 3, [NAN] * 3):
        yield beyond._agreeing(pairs.assign(tau=taus))
    yield beyond._agreeing(pairs.assign(metric_b="ARP", tau=0.5))
    rows = pd.DataFrame({"metric": ["nDCG", "Gini", "ARP"], "cutoff": 10, "pairs": 210})
    rows = rows.assign(measure=["nDCG@10", "Gini@10", "ARP@10"], removed="users", level=10)
    for taus in ([0.95] * 3, [0.1] * 3, [NAN] * 3):
        yield beyond._robustness(rows.assign(tau=taus))
    for counts in ([150, 9, 9], [150, 200, 9], [150, 200, 200]):
        yield beyond._significant_pairs(rows.assign(significant_05=counts))
        yield beyond._significant_pairs(rows[:2].assign(significant_05=counts[:2]))
    yield beyond._significant_pairs(rows[:1].assign(significant_05=1))


def of_preferences():
    """Yield the answers about preferences between lists."""
    differences = pd.DataFrame({"difference": [-2.0, 1.0], "low": [-5.0, 0.5], "high": [-1.0, 4.0]})
    yield told_apart(differences)
    yield told_apart(differences.assign(low=-9.0, high=9.0))
    yield told_apart(differences[1:])
    yield told_apart(differences.assign(low=NAN))
    yield told_apart(differences[:0])
    rows = pd.DataFrame({"metric": ["RPP", "lexirecall", "AP", "P"], "cutoff": 10, "pairs": 210})
    rows["measure"] = ["RPP@10", "lexirecall@10", "MAP@10", "P@10"]
    for dp in ([1, 2, 1.5, 1.5], [9, 9, 1.5, 2], [9, 9, 2, 2], [NAN] * 4):
        yield preferences._more_discriminative(rows.assign(dp=dp))
    for tied in ([0.4, 0.3, 0.2, 0.1], [0.1] * 4, [NAN] * 4):
        yield preferences._tied(rows.assign(tied=tied))
    pairs = pd.DataFrame({"metric_a": ["RPP", "lexirecall"], "metric_b": "nDCG", "cutoff": 10})
    for taus in ([0.95, 0.95], [0.95, 0.1], [0.1, 0.1], [NAN, NAN]):
        yield preferences._agreeing(pairs.assign(tau=taus))
    for taus in ([0.9, 0.8, 0.7, 0.6], [0.9, 0.9, 0.7, 0.7], [NAN] * 4, [0.9, 0.9, NAN, NAN]):
        yield preferences._robustness(rows.assign(level=10, tau=taus))
    for taus, circular in itertools.product(
        ([0.9, 0.8], [0.9, 0.9], [NAN, NAN]), ([0, 0], [3, 3], [3, 0])
    ):
        made = rows[:2].assign(method=["wins", "mc4"], tau=taus, circular=circular)
        yield preferences._made(made)
        yield preferences._made(pd.concat([made, made.assign(tau=0.99, method="borda")]))


def of_protocols():
    """Yield the answers about protocols."""
    shares = pd.DataFrame({"factor": ["system", "protocol", "seed", "fold"], "protocol": "*"})
    shares = shares.assign(measure="nDCG@10")
    for own in ([0.7, 0.2, 0.06, 0.04], [0.9, -0.3, 0.2, 0.1], [NAN] * 4):
        yield protocols._sources(shares.assign(share=own))
    yield protocols._sources(shares[:2].assign(share=[0.8, 0.2]))
    pairs = pd.DataFrame({"protocol_a": "random", "protocol_b": ["random", "time", "last-one"]})
    pairs = pairs.assign(measure="nDCG@10", correlation="tau_b", low=0.1, high=0.6, within=0.9)
    for taus in ([0.9, 0.5, 0.4], [0.9, 0.4, 0.4], [NAN] * 3):
        yield protocols._least_agreement(pairs.assign(tau=taus))
        yield protocols._least_agreement(pairs[:2].assign(tau=taus[:2], within=NAN, low=NAN))
    won = pd.DataFrame({"protocol": ["random", "time"], "measure": "nDCG@10", "behind": 0.5})
    for winners, beyond_luck in ((["a", "b"], True), (["a", "b"], False), (["a", "a"], False)):
        changed = [False, winners[1] != "a"]
        found = won.assign(winner=winners, changed=changed, beyond_luck=[False, beyond_luck])
        yield protocols._winners(found)
    for n in (1, 3):
        held = [("random", SURVIVES)] * n + [("random/seed-2", SURVIVES)] * n
        rows = pd.DataFrame([*held, ("time", "lost")], columns=["protocol", "outcome"])
        yield protocols._survive(rows)


def of_reliability():
    """Yield the answers about reliability, planning, effect sizes and tests."""
    rows = pd.DataFrame({"coefficient": ["tau_b", "tau_ap"], "against": "half", "users": 3020})
    rows = rows.assign(metric="nDCG", measure="nDCG@10", low=0.9, high=0.99, repetitions=100)
    yield reliability._halves(rows.assign(mean=0.97), "Data")
    yield reliability._halves(rows.assign(mean=NAN), "Data")
    given = {"difference": 0.01, "power": 0.8, "users": 6040, "required": 23501}
    for percent, tests, pairs, pair, most in itertools.product(
        (1, NAN), (1, 210), (1, 209), ("median", "neighbours", "worst"), (40000, 90000.0, 1e13)
    ):
        row = {"percent": percent, "tests": tests, "pairs": pairs, "pair": pair}
        yield users_needed(given | row | {"required_90": 90000.0, "required_worst": most}, "P@10")
    row = {"users": 6040, "pairs": 210, "measure": "nDCG@10", "equivalence": "1%", "alpha": 0.05}
    for counts in itertools.product((0, 150), (0, 1), (1, 2, 9), (0, 1, 9), ("max-t", "holm")):
        own = dict(
            zip(("significant", "small", "equivalent", "open", "correction"), counts, strict=True)
        )
        yield of_effects(pd.Series(row | own))
    yield from _rates()
    pairs = pd.DataFrame(
        [("a", "b", 1.2, 2.8, 8), ("a", "c", 1.2, 2.9, 9), ("b", "c", 2.8, 2.9, 5)],
        columns=["system_a", "system_b", "rank_a", "rank_b", "wins"],
    ).assign(sources=9, datasets=11, p_friedman=0.003, alpha=0.05)
    for apart, left_out in (
        *(([True, True, False], ""), ([True, False, False], "d"), ([False] * 3, None)),
    ):
        own = pairs.assign(apart=apart, left_out=left_out)
        yield tables.sentence(own, "nDCG@10")
    ranks = pd.DataFrame({"metric": ["P", "RR"], "rank": [1.2, 2.8], "without": "MovieLens"})
    ranks = ranks.assign(sources=9, datasets=11, alpha=0.05, left_out="AP")
    for cutoff, *ps in itertools.product((10, NAN), *[(0.0001, 0.029, 0.143)] * 3):
        tests = dict(zip(("p_friedman", "p_without", "p_mixed"), ps, strict=True))
        yield tables.sentence(ranks.assign(cutoff=cutoff, **tests))
    yield tables.too_few(3)


def _rates():
    """Yield what is said of true null hypotheses that tests reject."""
    cells = pd.DataFrame(
        itertools.product(["P", "nDCG"], ["simulation", "control"]), columns=["metric", "null"]
    )
    table = cells.assign(cutoff=10, users=[50, 50, 100, 100], delta=0.0, alpha=0.05, error="I")
    table = table.assign(test="wilcoxon", systems=21, trials=5000)
    assert {*CELL} <= {*table}
    control = table["null"] == "control"
    for rate, low in ((0.05, 0.04), (0.24, 0.04), (0.24, 0.06)):
        rates = np.where(control, 0.06, rate)
        own = table.assign(rate=rates, low=np.where(control, low, rate - 0.01), high=rates + 0.01)
        yield " ".join(reliability.sentences(own, "MovieLens 1M"))
        yield " ".join(reliability.sentences(own[:2], "MovieLens 1M"))


def of_unjudged():
    """Yield the answers about unjudged items."""
    row = {"metric": "nDCG", "measure": "nDCG@10", "residual": 0.7, "spread": 0.2, "pairs": 210}
    rows = pd.DataFrame([row | {"overlapping": 209}])
    yield unjudged._hangs(rows)
    for opened in (NAN, 200):
        yield unjudged._open(rows.assign(open=opened))
    pairs = pd.DataFrame({"metric_a": ["P", "AP"], "metric_b": ["condensed P", "condensed AP"]})
    for taus in ([0.95, 0.95], [0.2, 0.1], [NAN, NAN]):
        yield unjudged._agreeing(pairs.assign(cutoff=10, tau=taus))


def of_judge():
    """Yield all sentences of the answer, about one and about several."""
    share = ("share", "personalised", "baseline", "usual", "usual_baseline")
    named = ("measure", "conventional", "measures", "against", "constant", "best", "truth")
    numbers = ("mixed", "close", "low", "high", "usual_close", "tau", "taus", "mean", "other")
    few = dict.fromkeys(share, "12%") | dict.fromkeys(named, "nDCG@10")
    few |= dict.fromkeys(numbers, ".71") | {"better": "slim", "worse": "wrmf", "run": "slim"}
    few |= {
        "found": "finds less than",
        "liked": "more of it is liked",
        "first": "slim",
        "second": "wrmf",
        "joined": "But",
        "some": "all",
        "share": 0.5,
    }
    few |= {"wrong": "12%", "usual_mixed": ", that of nDCG@10 .71", "usual_close": ", against .71"}
    few |= {"usual_personalised": ", against 12% under nDCG@10 alone"}
    few |= {"usual_baseline": ", against 12%"}
    few |= {"threshold": 4, "limit": "1.5", "t": ".3", "least": ".50", "most": "2", "gamma": "4"}
    few |= {"systems": ["a", "b"], "expected": 12.0, "depth": 100, "some": "3"}
    few |= {f"{own}_{of}": "12%" for own in ("first", "second") for of in ("found", "liked")}
    counts = ("both", "qrels", "left", "truth", "users", "judgements", "items", "n", "pairs")
    counts += (
        "judged",
        "differ",
        "why",
        "which",
        "truths",
        "runs",
        "standing",
        "reversed",
        "informative",
        "enough",
        "tested",
        "train",
        "others",
    )
    empty = ("synthetic", "relevant", "alike", "longest", "interval", "fitted", "more", "under")
    for number in (1, 4000):
        values = dict.fromkeys(empty, "") | few | dict.fromkeys(counts, number)
        for name, own in vars(sentences).items():
            if name.isupper():
                for text in own.values() if isinstance(own, dict) else [own]:
                    yield fill(text, values)


def in_tables():
    """Yield captions and notes of tables: they are longer than what stands in a text."""
    yield from (tables.LETTERS, tables.SOURCES, tables.NOTHING, *NULLS.values())
    for of in ("systems by the metrics at cut-off 10", "metrics at cut-off 10"):
        yield tables._table("", of, {"P": pd.Series([1.0], ["x"])}, {}).caption
    by = pd.DataFrame({"criterion": [*findings.CRITERIA, findings.OVERALL]})
    by = by.assign(dataset="x", metric="P", cutoff=10, value=1.0, low=0.5, high=1.5, undefined=0)
    by = by.assign(rank=1, apart=False, cutoff_rank=1, cutoff_apart=False, correlation="tau_b")
    table = tables.summary(by, 10, TITLES)
    yield from (table.caption, table.note)
    rows = {"dataset": ["x"], "measure": "P@10", "pairs": 3, "identical": 0, "dp": 1.0, "low": 0.5}
    rows |= {"high": 1.5, "significant_05": 1, "significant_01": 1}
    yield identical.power(pd.DataFrame(rows), TITLES, "Metric", "", "", "", {}).note


RENDERED = {
    "criteria": criteria,
    "cut-offs": best_cutoffs,
    "validity": truths,
    "selection": selections,
    "beyond": of_beyond,
    "preferences": of_preferences,
    "protocols": of_protocols,
    "reliability": of_reliability,
    "unjudged": of_unjudged,
    "judge": of_judge,
}
MODULES = [
    *(f"answers/{name}.py" for name in ("words", "validity")),
    "answers/identical.py",
    *(f"studies/{name}/views.py" for name in ("beyond", "preferences", "unjudged")),
    "studies/protocols/answers.py",
    "answers/tables.py",
    *(f"studies/reliability/{name}.py" for name in ("answers", "words")),
    "advice/sentences.py",
]


@pytest.fixture(scope="module")
def rendered():
    return {name: [*filter(None, made())] for name, made in RENDERED.items()}


@pytest.mark.parametrize("name", RENDERED)
def test_generated_sentences_are_short_and_in_the_words_of_the_field(rendered, name):
    assert len(rendered[name]) > 2
    found = {fault for text in rendered[name] for fault in manner.faults(text)}
    assert sorted(found) == []


@pytest.mark.parametrize("module", MODULES)
def test_every_template_is_rendered(rendered, module):
    """Else its manner is tested nowhere. Questions, with a mark, stand above the answers."""
    texts = " ".join([text for own in rendered.values() for text in own] + [*in_tables()])
    left = [
        piece
        for piece in manner.templates(PACKAGE / module)
        if piece not in texts and not piece.endswith(("?", "in short"))
    ]
    assert left == []


def shown():
    """Yield what readers see, with where it stands."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for line, text in manner.strings(path):
            if len(text.split()) > 1:
                yield f"{path.relative_to(PACKAGE)}:{line}", text
    for path in sorted(PACKAGE.rglob("studies/*/claims.yaml")):
        for claim in yaml.safe_load(path.read_text(encoding="utf-8"))["claims"]:
            yield f"{path.relative_to(PACKAGE)}: {claim['id']}", claim["claim"]


def test_nothing_that_is_shown_has_a_phrase_of_the_dictionary():
    found = [(place, own) for place, text in shown() for own in manner.phrases(text)]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "P keeps the order of the systems best (mean τ 0.900), and all others are told apart.",
        "It is not known, as all systems tie.",
        "By nDCG@10, two sets of users differ.",
        f"P@10 {'really ' * 29}wins.",
        "P@10 reaches .9, .8 and DP 1.5.",
    ],
)
def test_a_sentence_of_another_manner_is_found(text):
    assert manner.faults(text)


@pytest.mark.parametrize(
    "text",
    [
        "P@10 is the most robust to sparsity (mean τ = .950), tied with MAP@10 (95%).",
        "82 of 210 pairs of systems are significant up to Γ = 3.",
        "P@5 agrees best (τ = .90, 95%: .80 to 1.00), but MRR@5 has .70 (.60 to .80).",
    ],
)
def test_a_sentence_of_this_manner_is_not(text):
    assert manner.faults(text) == []
