"""The shipped claims: what each says of itself, and that all of them can be judged."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
import yaml
from claims_made_up import bare, cube, judge

from rankassay.claims.conditions import predicate
from rankassay.claims.lists import KINDS, SHARE, STATISTICS, not_rows, read, specs
from rankassay.claims.measure import Cube
from rankassay.claims.totals import sentences
from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import METRICS
from rankassay.studies import STUDIES

FILES = tuple(sorted(name for name, study in STUDIES.items() if study.claims.is_file()))
CLAIMS = {name: read(STUDIES[name].claims) for name in FILES}
OWN = "a question of this project"


def raw(name):
    """Return what a file says, before anything is added."""
    return yaml.safe_load(STUDIES[name].claims.read_text(encoding="utf-8"))


def test_these_are_all_files():
    folder = STUDIES["robustness"].folder.parent
    assert sorted(path.parent.name for path in folder.rglob("claims.yaml")) == [*FILES]


@pytest.mark.parametrize("name", FILES)
def test_a_study_names_the_data_of_its_claims(name):
    about = {dataset for claim in CLAIMS[name] for dataset in claim["datasets"]}
    assert {*STUDIES[name].data} == about - {"constructed"}


@pytest.mark.parametrize("name", FILES)
def test_every_claim_says_what_it_is(name):
    content = raw(name)
    for claim in content["claims"]:
        assert claim["kind"] in KINDS, claim["id"]
        # A rule by its name, or a sentence: no name that is misspelt.
        assert claim["why"] in content["bounds"] or claim["why"].strip().endswith("."), claim["id"]
    for claim in CLAIMS[name]:
        assert claim["why"].endswith("."), claim["id"]
        assert claim["claim"].strip().endswith("."), claim["id"]
        assert "{" not in f"{claim['id']} {claim['claim']}", claim["id"]
        asked = claim["source"] == "ours"
        assert asked == (OWN in claim["where"]) == (OWN in claim["why"]), claim["id"]


@pytest.mark.parametrize("name", FILES)
def test_every_sentence_has_rows_of_one_source(name):
    content = raw(name)
    rows = {}
    for claim in CLAIMS[name]:
        own = rows.setdefault(claim["sentence"], [])
        own.append((claim["source"].partition(",")[0], claim["says"], claim["kind"]))
    for sentence, own in rows.items():
        assert len(set(own)) == 1, sentence  # a question of ours is no part of what a paper says
    for sentence, said in content.get("sentences", {}).items():
        assert sentence in rows, sentence
        assert said["says"].strip().endswith("."), sentence


def test_what_was_asked_by_papers_and_by_us_is_counted():
    about = ("ml-1m", "constructed")
    rows = [
        (name, claim)
        for name, claims in CLAIMS.items()
        for claim in claims
        if not {*about}.isdisjoint(claim["datasets"])
    ]
    ours = [name for name, claim in rows if claim["source"] == "ours"]
    assert {name: ours.count(name) for name in FILES if name in ours} == {
        "aggregation": 5,
        "beyond": 25,
        "definitions": 2,
        "preferences": 6,
        "reliability": 10,
        "unjudged": 19,
        "validity": 29,
    }
    # All that is asked of protocols is, too, and of other data.
    assert {claim["source"] for claim in CLAIMS["protocols"]} == {"ours"}


def test_the_paper_of_robustness_has_some_twenty_sentences_and_one_of_them_forty_two_rows():
    found = {}
    for claim in CLAIMS["robustness"]:
        if "ml-1m" in claim["datasets"] and claim["kind"] == "finding":
            found.setdefault(claim["sentence"], []).append(claim["id"])
    assert 20 <= len(found) <= 26
    # Seven metrics, three criteria; a trend, and 100 against 5.
    assert len(found["deeper"]) == 7 * 3 * 2
    # With half of the ratings: each of the seven, and the lowest.
    assert max(len(own) for name, own in found.items() if name != "deeper") == 8


@pytest.mark.parametrize("name", FILES)
def test_every_rule_is_used(name):
    content = raw(name)
    assert set(content["bounds"]) <= {claim["why"] for claim in content["claims"]}
    assert all(rule.strip().endswith(".") for rule in content["bounds"].values())


@pytest.mark.parametrize("name", FILES)
def test_a_claim_to_be_near_has_the_published_number(name):
    for claim in CLAIMS[name]:
        if "near" in claim["holds"]:
            published = [*claim["datasets"].values()]
            assert published, claim["id"]
            assert all(isinstance(number, int | float) for number in published), claim["id"]
        if "constructed" in claim["datasets"]:
            assert [*claim["datasets"]] == ["constructed"], claim["id"]
            if claim["kind"] == "fact":  # an error follows from a formula, of which no data are
                assert claim["value"]["table"] == "p-value-errors", claim["id"]


def test_facts_are_of_the_data_or_the_procedure_and_exact():
    claims = [claim for claims in CLAIMS.values() for claim in claims]
    facts = {claim["id"]: claim for claim in claims if claim["kind"] == "fact"}
    tables = ("statistics", "empty-users", "p-value-errors", "sparsity-errors")
    assert {c["id"] for c in claims if c["value"]["table"] in tables} == set(facts)
    # The post says "negligible" and the paper "a good estimate", and no number.
    assert facts.pop("empty-few")["holds"] == {"below": 0.05}
    assert facts.pop("samples-enough")["holds"] == {"at_most": 0.005}
    assert len(facts) == 7
    for claim in facts.values():
        kind, margin = predicate(claim["id"], claim["holds"])
        assert kind == "near"
        for published in claim["datasets"].values():
            # A count is exact; of what was rounded half a unit of the last digit is allowed.
            digits = f"{published:.5f}".rstrip("0").partition(".")[2]
            unit = 10.0 ** -len(digits)
            assert margin in (0, pytest.approx(unit / 2)), claim["id"]
            assert (margin == 0) == isinstance(published, int), claim["id"]


def test_the_claims_about_robustness_are_many_and_about_known_metrics_and_datasets():
    assert 90 <= len(CLAIMS["robustness"]) <= 150
    for claim in CLAIMS["robustness"]:
        of_data = {"ml-1m", "librarything", "beeradvocate"}
        assert set(claim["datasets"]) <= of_data or [*claim["datasets"]] == ["constructed"]
        for spec in specs(claim["value"]):
            for key in ("metric", "metric_a", "metric_b"):
                named = spec.get("rows", {}).get(key, [])
                assert set([named] if isinstance(named, str) else named) <= set(METRICS)


def test_sentences_that_are_no_row_say_why():
    found = not_rows(STUDIES["robustness"].claims)
    assert len(found) > 10
    for one in found:
        assert set(one) == {"where", "sentence", "because"}
        assert all(isinstance(text, str) and text.strip() for text in one.values())
        assert one["because"].endswith("."), one["sentence"]


def test_numbers_of_several_rows_are_made_of_those_of_the_file_or_not_at_all(tmp_path):
    values = [
        {"table": "sparsity", "rows": {"metric": "P"}, "reduce": "min"},
        {"table": "sparsity", "rows": {"metric": "P", "cutoff": 10}},
        {"table": "sparsity", "rows": {"metric": "P", "cutoff": [10]}, "reduce": "max"},
    ]
    claims = [bare(value, {"above": 0}, name=str(i)) for i, value in enumerate(values)]
    claims[1]["value"]["minus"] = {"table": "sparsity", "reduce": "mean"}
    (tmp_path / "claims.yaml").write_text(
        yaml.safe_dump({"rows": {"sparsity": {"cutoff": [5, 10]}}, "claims": claims})
    )
    found = read(tmp_path / "claims.yaml")
    assert found[0]["value"]["rows"] == {"cutoff": [5, 10], "metric": "P"}
    assert found[1]["value"]["rows"] == {"metric": "P", "cutoff": 10}
    assert found[1]["value"]["minus"]["rows"] == {"cutoff": [5, 10]}
    assert found[2]["value"]["rows"] == {"cutoff": [10], "metric": "P"}
    deep = judge(found, {"sparsity": cube([("P", 10, 0.7), ("P", 20, 0.9)])}, "ml-1m")
    assert deep["reproduced"].tolist()[:2] == ["not asked"] * 2
    assert deep["reason"].tolist()[:2] == ["not computed: no row has the cutoff 5"] * 2
    assert deep["measured"][2] == 0.7
    (tmp_path / "claims.yaml").write_text(
        yaml.safe_dump({"rows": {"sparsity": [5]}, "claims": claims})
    )
    with pytest.raises(RankassayError, match=r"rows\.sparsity: expected keys and their values"):
        read(tmp_path / "claims.yaml")


# ---- Margins -------------------------------------------------------------------------------------

# Tables of taus and of DP: two rankings of systems always differ a little, and so do two DPs.
TAUS = (
    *("cutoff-correlation", "metric-correlation", "gains", "sparsity", "popularity", "orders"),
    *("redundancy", "robustness", "agreement", "incompleteness", "order-correlation", "worlds"),
    "prediction",
)
POWERS = ("discriminative-power", "as-run", "power")
# In these what is claimed tells what a number is of.
MIXED = {
    "groups": ({"criterion": "power"}, {"criterion": ["sparsity", "popularity", "agreement"]}),
    "criteria": ({"criterion": "power"}, {"criterion": "sparsity"}),
    "systems": ({}, {"statistic": ["tau", "tau_auc"]}),
}
# Sentences about such numbers whose claims have no margin: most are of numbers that depend on no
# users, or have no replicates.
WITHOUT = {
    "diversity": {
        *("relevance-negative", "relevance-perfect", "redundancy-poor", "aspects-poor-nrbp"),
        *("incomplete-lower-beta", "incomplete-robust"),
    },
    "goals": {"says-more"},
    "preferences": {"rpp-as-robust-as"},
    "sampling": {"systems-alike", "systems-one-sample"},
    "validity": {
        *("bias-misleads", "fewer-candidates", "ips-helps", "power-among-worlds"),
        *("robustness-among-measures", "robustness-among-worlds"),
    },
}


def kind_of(spec):
    """Return what a number is: a tau, a DP, or neither."""
    table, rows = spec["table"], spec.get("rows", {})

    def has(wanted):
        return any(
            rows.get(key) in (values if isinstance(values, list) else [values])
            for key, values in wanted.items()
        )

    if table in MIXED:
        power, tau = MIXED[table]
        return "dp" if has(power) else "tau" if has(tau) else ""
    return "dp" if table in POWERS else "tau" if table in TAUS else ""


def compared():
    """Yield the claims that compare taus or DPs: the study, the claim, and which of the two."""
    for name, claims in CLAIMS.items():
        for claim in claims if name != "definitions" else ():  # whose orders are numbers of pairs
            if (kind := kind_of(claim["value"])) and "near" not in claim["holds"]:
                yield name, claim, kind


def test_a_claim_that_compares_taus_or_powers_has_a_margin():
    without: dict[str, set] = {}
    for name, claim, _ in compared():
        if "margin" in claim["holds"]:
            assert claim["holds"]["margin"] > 0, claim["id"]
        else:
            sentence = claim["sentence"].removesuffix("-by-utility")
            without.setdefault(name, set()).add(sentence)
    assert without == WITHOUT


def test_no_margin_is_the_choice_of_one_claim():
    """One pair of 210 where orders are compared; half a unit of the digit where a number is."""
    for name, claim, kind in compared():
        margin = claim["holds"].get("margin")
        trend = claim["value"].get("reduce") == "trend"
        digit = claim["holds"].get("at_least", claim["holds"].get("at_most"))
        if margin is None or claim["id"] == "popularity-negative":  # by five pairs
            continue
        if trend:
            assert margin == 0.2, claim["id"]
        elif kind == "dp":
            assert margin == 1, claim["id"]
        elif "minus" in claim["value"] or (claim["value"]["table"] == "groups" and digit is None):
            assert margin == 0.01, claim["id"]
        elif name == "beyond" and digit is None:  # it differs from what counts as alike
            assert (claim["holds"]["below"], margin) == (0.9, 0.05)
        else:
            digits = len(f"{digit:g}".partition(".")[2])
            assert margin == pytest.approx(10**-digits / 2), claim["id"]


@pytest.mark.parametrize("name", FILES)
def test_every_margin_has_a_reason(name):
    for claim in CLAIMS[name]:
        if claim["holds"].get("margin"):
            assert "margin" in claim["why"].lower(), claim["id"]


# ---- Sentences -----------------------------------------------------------------------------------


def test_sentences_are_decided_by_the_share_of_their_rows_unless_they_say_so():
    otherwise = {
        (name, claim["sentence"]): claim["decided_by"]
        for name, claims in CLAIMS.items()
        for claim in claims
        if claim["decided_by"] != SHARE
    }
    of_rows = ("cutoffs-floor", "sparsity-half")
    expected = {
        **dict.fromkeys(("figure-7", "table-3"), "distance"),
        **dict.fromkeys(("p-most-robust", "mrr-least-robust", "popularity-extremes"), "least"),
        **dict.fromkeys(("deeper-conclusion", "power-poor", "power-best"), "least"),
        **{name.replace("floor", "lowest"): name for name in of_rows},
    }
    assert otherwise == {("robustness", sentence): name for sentence, name in expected.items()}


def test_the_most_and_the_least_robust_metric_are_so_by_both_biases():
    rows = CLAIMS["robustness"]
    for sentence, extreme in (("p-most-robust", "best"), ("mrr-least-robust", "worst")):
        own = [claim for claim in rows if claim["sentence"] == sentence]
        assert sorted(c["value"]["table"] for c in own) == ["popularity", "sparsity"]
        (popular,) = (c for c in own if c["value"]["table"] == "popularity")
        (same,) = (c for c in rows if c["id"] == f"popularity-{extreme}")
        assert (popular["value"], popular["holds"]) == (same["value"], same["holds"])


def grids(claims):
    """Return for each table the rows that claims may ask for: all values of all its columns."""
    columns: dict[str, dict[str, set]] = {}
    for spec in (spec for claim in claims for spec in specs(claim["value"])):
        own = columns.setdefault(spec["table"], {})
        for key, wanted in spec.get("rows", {}).items():
            own.setdefault(key, set()).update(wanted if isinstance(wanted, list) else [wanted])
    return {
        table: pd.DataFrame(product(*(sorted(v, key=str) for v in own.values())), columns=[*own])
        for table, own in columns.items()
    }


STUDIED = [
    (name, dataset)
    for name, claims in CLAIMS.items()
    for dataset in sorted({dataset for claim in claims for dataset in claim["datasets"]})
]


@pytest.mark.parametrize(("name", "dataset"), STUDIED)
def test_all_claims_can_be_judged_and_one_number_decides_each_sentence(name, dataset):
    """Of random tables that have what the claims ask for, and nothing else."""
    rng = np.random.default_rng(len(name))
    claims = [claim for claim in CLAIMS[name] if dataset in claim["datasets"]]
    tables, families = (
        {
            table: Cube(keys, rng.random((max(len(keys), 1), n)))
            for table, keys in grids(claims).items()
        }
        for n in (9, 7)
    )
    found = judge(claims, tables, dataset, families)
    assert {*found["reproduced"]} <= {"holds", "inconclusive", "does not hold"}
    findings = found[~found["exact"]]
    assert {*findings["general"]} <= {"holds", "inconclusive", "does not hold"}
    rows: dict[str, list] = {}
    for claim in claims:
        rows.setdefault(claim["sentence"], []).append(claim)
    decided = sentences(found.assign(study=name)).set_index("sentence")["decided_by"].to_dict()
    assert decided == {
        sentence: own[0]["id"]
        if len(own) == 1
        else f"{sentence}:{own[0]['decided_by']}"
        if own[0]["decided_by"] in STATISTICS
        else own[0]["decided_by"]
        for sentence, own in rows.items()
    }
